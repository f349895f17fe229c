//! Inputs of several positions side by side: a column has one input of all of them.

use pulp::Simd;

use super::lanes::{F32Lanes, MAX_LANES, each};

/// Room for all columns: besides its points a side has 32 inputs that it decides alone and at most 44 that both decide.
const ROOM: usize = 128;
/// Columns that a byte can name, so that none needs a check.
const NAMES: usize = 256;

/// What columns are written to.
#[derive(Clone, Debug)]
pub(in crate::features) struct ColumnBuffer(Box<[f32; NAMES * MAX_LANES]>);

/// Columns in the order of the list that each position gets from them.
pub(in crate::features) struct Columns<'a, S: Simd> {
    index: [u16; NAMES],
    values: &'a mut [S::f32s; NAMES],
    /// Of each position, one bit a column: whether its input is not zero.
    some: [S::u32s; ROOM / 32],
    len: usize,
    /// Index of the next input to be written.
    next: u16,
}

/// The columns in which one position has inputs that are not zero.
#[derive(Clone, Debug)]
pub(in crate::features) struct ActiveColumns {
    column: [u8; ROOM + 8],
    len: usize,
}

/// The set bits of each byte in ascending order, then anything.
static BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][found] = bit;
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl Default for ActiveColumns {
    fn default() -> ActiveColumns {
        ActiveColumns { column: [0; ROOM + 8], len: 0 }
    }
}

impl ActiveColumns {
    #[inline(always)]
    pub(in crate::features) fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for ColumnBuffer {
    fn default() -> ColumnBuffer {
        ColumnBuffer(Box::new([0.0; NAMES * MAX_LANES]))
    }
}

impl<'a, S: Simd> Columns<'a, S> {
    #[inline(always)]
    pub(in crate::features) fn new(simd: S, sheet: &'a mut ColumnBuffer) -> Columns<'a, S> {
        let (values, _) = S::as_mut_simd_f32s(sheet.0.as_mut_slice());
        // An array, so that no column needs a check.
        let Some(values) = values.first_chunk_mut() else {
            unreachable!("no vectors have more than {MAX_LANES} lanes")
        };
        let some = [simd.splat_u32s(0); ROOM / 32];
        Columns { index: [0; NAMES], values, some, len: 0, next: 0 }
    }

    #[inline(always)]
    pub(in crate::features) fn clear(&mut self, simd: S) {
        self.some = [simd.splat_u32s(0); ROOM / 32];
        self.len = 0;
    }

    /// Writes the next inputs.
    #[inline(always)]
    pub(in crate::features) fn put<const N: usize>(&mut self, values: [F32Lanes<S>; N]) {
        for i in 0..N {
            self.at(i as u16, values[i]);
        }
        self.next += N as u16;
    }

    /// Writes one input at `place` inputs after the next one, without moving on.
    #[inline(always)]
    pub(in crate::features) fn at(&mut self, place: u16, value: F32Lanes<S>) {
        let column = self.len % ROOM;
        self.index[column] = self.next + place;
        self.values[column] = value.lanes();
        let some = &mut self.some[column / 32];
        *some = value.mark(*some, 1 << (column % 32));
        self.len += 1;
    }

    /// Goes to an input.
    #[inline(always)]
    pub(in crate::features) fn go_to(&mut self, input: u16) {
        self.next = input;
    }

    /// Moves on over inputs that are zero or were written by [`Columns::at`].
    #[inline(always)]
    pub(in crate::features) fn skip(&mut self, inputs: u16) {
        self.next += inputs;
    }

    /// Picks what is not zero in one position.
    #[inline(always)]
    pub(in crate::features) fn pick(&mut self, lane: usize, active: &mut ActiveColumns) {
        debug_assert!(self.len <= ROOM, "{} columns", self.len);
        let mut len = 0;
        for (word, some) in self.some.iter_mut().enumerate() {
            let some: u32 = each(some)[lane];
            for (byte, bits) in some.to_le_bytes().into_iter().enumerate() {
                // Columns are below 128, so that adding to all eight at once never carries.
                let first = u64::from_le_bytes([(32 * word + 8 * byte) as u8; 8]);
                let columns = u64::from_le_bytes(BITS[usize::from(bits)]) + first;
                let at = len % ROOM;
                active.column[at..at + 8].copy_from_slice(&columns.to_le_bytes());
                len += bits.count_ones() as usize;
            }
        }
        active.len = len;
    }

    /// What was picked, as (index, value).
    #[inline(always)]
    pub(in crate::features) fn active<'b>(
        &'b self,
        lane: usize,
        active: &'b ActiveColumns,
    ) -> impl Iterator<Item = (usize, f32)> + Clone + 'b {
        let values: &[f32] = pulp::bytemuck::cast_slice(self.values.as_slice());
        let lane = lane % S::F32_LANES;
        active.column[..active.len].iter().map(
            #[inline(always)]
            move |&column| {
                let column = usize::from(column);
                (self.index[column].into(), values[column * S::F32_LANES + lane])
            },
        )
    }
}
