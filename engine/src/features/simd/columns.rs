//! Columns of inputs: one column holds one input for several positions.

use pulp::Simd;

use super::lanes::{F32Lanes, MAX_LANES, as_lanes};

/// Room for all columns of a list. Besides its points a side has 32 inputs that depend on its
/// checkers alone, and at most 44 that depend on both sides.
const ROOM: usize = 128;
/// Columns that a `u8` can index, so that no index needs a check.
const BYTE_RANGE: usize = 256;

/// The buffer that columns are written to.
#[derive(Clone, Debug)]
pub(in crate::features) struct ColumnBuffer(Box<[f32; BYTE_RANGE * MAX_LANES]>);

/// Columns in the order in which they were written.
pub(in crate::features) struct Columns<'a, S: Simd> {
    index: [u16; BYTE_RANGE],
    values: &'a mut [S::f32s; BYTE_RANGE],
    /// For each position one bit a column: whether its input is not zero.
    non_zero: [S::u32s; ROOM / 32],
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

/// The indices of the set bits of each byte in ascending order; further entries are unused.
static SET_BITS: [[u8; 8]; 256] = {
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
        ColumnBuffer(Box::new([0.0; BYTE_RANGE * MAX_LANES]))
    }
}

impl<'a, S: Simd> Columns<'a, S> {
    #[inline(always)]
    pub(in crate::features) fn new(simd: S, buffer: &'a mut ColumnBuffer) -> Columns<'a, S> {
        let (values, _) = S::as_mut_simd_f32s(buffer.0.as_mut_slice());
        // An array, so that no index needs a check.
        let values = values.first_chunk_mut().expect("vectors have at most MAX_LANES lanes");
        let non_zero = [simd.splat_u32s(0); ROOM / 32];
        Columns { index: [0; BYTE_RANGE], values, non_zero, len: 0, next: 0 }
    }

    #[inline(always)]
    pub(in crate::features) fn clear(&mut self, simd: S) {
        self.non_zero = [simd.splat_u32s(0); ROOM / 32];
        self.len = 0;
    }

    /// Writes the next inputs.
    #[inline(always)]
    pub(in crate::features) fn put<const N: usize>(&mut self, values: [F32Lanes<S>; N]) {
        for i in 0..N {
            self.put_at(i as u16, values[i]);
        }
        self.next += N as u16;
    }

    /// Writes the input `offset` places after the next one; the next one stays the same.
    #[inline(always)]
    pub(in crate::features) fn put_at(&mut self, offset: u16, value: F32Lanes<S>) {
        let column = self.len % ROOM;
        self.index[column] = self.next + offset;
        self.values[column] = value.lanes();
        let non_zero = &mut self.non_zero[column / 32];
        *non_zero = value.mark(*non_zero, 1 << (column % 32));
        self.len += 1;
    }

    /// Continues at an input, given by its index.
    #[inline(always)]
    pub(in crate::features) fn go_to(&mut self, input: u16) {
        self.next = input;
    }

    /// Skips inputs that are zero or were written by [`Columns::put_at`].
    #[inline(always)]
    pub(in crate::features) fn skip(&mut self, inputs: u16) {
        self.next += inputs;
    }

    /// Finds the columns in which one position has inputs that are not zero.
    #[inline(always)]
    pub(in crate::features) fn pick(&mut self, lane: usize, active: &mut ActiveColumns) {
        debug_assert!(self.len <= ROOM, "{} columns", self.len);
        let mut len = 0;
        for (word, non_zero) in self.non_zero.iter_mut().enumerate() {
            let non_zero: u32 = as_lanes(non_zero)[lane];
            for (byte, bits) in non_zero.to_le_bytes().into_iter().enumerate() {
                // Columns are below 128, so that an addition to all eight at once never carries.
                let first = u64::from_le_bytes([(32 * word + 8 * byte) as u8; 8]);
                let columns = u64::from_le_bytes(SET_BITS[usize::from(bits)]) + first;
                let at = len % ROOM;
                active.column[at..at + 8].copy_from_slice(&columns.to_le_bytes());
                len += bits.count_ones() as usize;
            }
        }
        active.len = len;
    }

    /// The inputs of the columns that [`Columns::pick`] found, as (index, value).
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
