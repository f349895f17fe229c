//! Inputs of several positions side by side: a column has one input of all of them.

use pulp::Simd;

use super::inputs::Writer;
use super::lanes::{Real, each};

/// Room for all columns: a side has at most 44 besides its points that it decides alone and 44 that both decide.
const ROOM: usize = 128;

/// Columns in the order of the list that each position gets from them.
pub(super) struct Columns<S: Simd> {
    index: [u16; ROOM],
    values: [S::f32s; ROOM],
    len: usize,
    /// Index of the next input to be written.
    next: u16,
}

impl<S: Simd> Columns<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Columns<S> {
        Columns { index: [0; ROOM], values: [simd.splat_f32s(0.0); ROOM], len: 0, next: 0 }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Writes the next inputs.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, values: [Real<S>; N]) {
        for (i, value) in values.into_iter().enumerate() {
            self.at(i as u16, value);
        }
        self.next += N as u16;
    }

    /// Writes one input at `place` inputs after the next one, without moving on.
    #[inline(always)]
    pub(super) fn at(&mut self, place: u16, value: Real<S>) {
        self.index[self.len % ROOM] = self.next + place;
        self.values[self.len % ROOM] = value.lanes();
        self.len += 1;
    }

    /// Goes to an input.
    #[inline(always)]
    pub(super) fn go_to(&mut self, input: u16) {
        self.next = input;
    }

    /// Moves on over inputs that are zero or were written by [`Columns::at`].
    #[inline(always)]
    pub(super) fn skip(&mut self, inputs: u16) {
        self.next += inputs;
    }

    /// Writes the list of one position.
    #[inline(always)]
    pub(super) fn write(&mut self, lane: usize, inputs: &mut Writer) {
        debug_assert!(self.len <= ROOM, "{} columns", self.len);
        for (&index, column) in self.index.iter().zip(&mut self.values).take(self.len) {
            inputs.go_to(index);
            inputs.at(0, each(column)[lane]);
        }
    }
}
