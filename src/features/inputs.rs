//! The sparse list of inputs that an encoder fills and a net reads.

/// Room for every input of the longest encoding, and for the five units that [`Inputs::units`] always writes.
const ROOM: usize = super::Encoding::Contact.inputs() + 8;

/// Inputs that are not zero, as (index, value), in ascending order of the index. Of the 393 contact inputs some 70
/// are; a net that reads only those is five to nine times as fast as one that multiplies by zeros.
#[derive(Clone, Debug)]
pub struct Inputs {
    index: [u16; ROOM],
    value: [f32; ROOM],
    len: usize,
    /// Index of the next input to be written, whether zero or not.
    next: u16,
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs { index: [0; ROOM], value: [0.0; ROOM], len: 0, next: 0 }
    }
}

/// The units that show how many checkers stand on a point: `active` of them are not zero, the first ones.
pub(super) struct Units<const N: usize> {
    values: [f32; N],
    active: usize,
}

/// Five units: 1, 2, 3, 4 or more, and (n - 4) / 2.
pub(super) static FIVE: [Units<5>; 16] = units();
/// Four units: 1, 2, 3 or more, and (n - 3) / 2 (Tesauro's, TD-Gammon).
pub(super) static FOUR: [Units<4>; 16] = units();

const fn units<const N: usize>() -> [Units<N>; 16] {
    let mut table = [const { Units { values: [0.0; N], active: 0 } }; 16];
    let mut n = 0;
    while n < 16 {
        let mut i = 0;
        while i < N - 1 && i < n {
            table[n].values[i] = 1.0;
            i += 1;
        }
        table[n].active = i;
        if n >= N {
            table[n].values[N - 1] = (n + 1 - N) as f32 / 2.0;
            table[n].active = N;
        }
        n += 1;
    }
    table
}

impl Inputs {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.next = 0;
    }

    /// Writes the next input; zeros take no room and no branch.
    #[inline(always)]
    pub(super) fn put(&mut self, value: f32) {
        self.index[self.len] = self.next;
        self.value[self.len] = value;
        self.len += usize::from(value != 0.0);
        self.next += 1;
    }

    /// Writes the units of one point at `place` inputs after the next one, without moving on.
    #[inline(always)]
    pub(super) fn units<const N: usize>(&mut self, place: u16, units: &Units<N>) {
        for i in 0..N {
            self.index[self.len + i] = self.next + place + i as u16;
            self.value[self.len + i] = units.values[i];
        }
        self.len += units.active;
    }

    /// Writes one input that is not zero at `place` inputs after the next one, without moving on.
    #[inline(always)]
    pub(super) fn at(&mut self, place: u16, value: f32) {
        self.index[self.len] = self.next + place;
        self.value[self.len] = value;
        self.len += 1;
    }

    /// Moves on over inputs written by [`Inputs::units`] or [`Inputs::at`].
    #[inline(always)]
    pub(super) fn skip(&mut self, inputs: u16) {
        self.next += inputs;
    }

    /// How many inputs have been written, zeros included.
    #[inline(always)]
    pub(super) fn seen(&self) -> usize {
        usize::from(self.next)
    }

    /// Indices of the inputs that are not zero.
    #[inline(always)]
    #[must_use]
    pub fn indices(&self) -> &[u16] {
        &self.index[..self.len]
    }

    /// Their values.
    #[inline(always)]
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.value[..self.len]
    }

    /// The inputs that are not zero, as (index, value).
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.indices().iter().map(|&i| usize::from(i)).zip(self.values().iter().copied())
    }

    /// All inputs, `[inputs]`.
    #[must_use]
    pub fn dense(&self, inputs: usize) -> Vec<f32> {
        let mut dense = vec![0.0; inputs];
        for (i, x) in self.iter() {
            dense[i] = x;
        }
        dense
    }
}
