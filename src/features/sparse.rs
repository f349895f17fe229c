//! The sparse list of inputs that an encoder fills and a net reads.

/// Room for all inputs that are not zero: the 15 checkers of a side make at most 15 units and 15 blots, and only 52 of its
/// inputs say something else. A power of two, so that a masked index needs no check; eight more slots take what [`Writer::units`] writes
/// beyond the active ones.
const ROOM: usize = 256;

/// Inputs that are not zero, as (index, value). Of the 393 contact inputs some 90 are; a net that reads only those is
/// several times as fast as one that multiplies by zeros.
#[derive(Clone, Debug)]
pub struct SparseInputs {
    index: [u16; ROOM + 8],
    value: [f32; ROOM + 8],
    len: usize,
}

impl Default for SparseInputs {
    fn default() -> SparseInputs {
        SparseInputs { index: [0; ROOM + 8], value: [0.0; ROOM + 8], len: 0 }
    }
}

/// Fills [`SparseInputs`]. A value of its own, so that its counters stay in registers.
pub(super) struct Writer<'a> {
    index: &'a mut [u16; ROOM + 8],
    value: &'a mut [f32; ROOM + 8],
    len: usize,
    /// Index of the next input to be written, whether zero or not.
    next: u16,
}

/// The units that show how many checkers stand on a point: `active` of them are not zero, the first ones.
pub(super) struct Units {
    values: [f32; 8],
    active: usize,
}

/// Five units: 1, 2, 3, 4 or more, and (n - 4) / 2.
pub(super) static FIVE: [Units; 16] = units(5);
/// Four units: 1, 2, 3 or more, and (n - 3) / 2 (Tesauro's, TD-Gammon).
pub(super) static FOUR: [Units; 16] = units(4);

const fn units(count: usize) -> [Units; 16] {
    let mut table = [const { Units { values: [0.0; 8], active: 0 } }; 16];
    let mut n = 0;
    while n < 16 {
        let mut i = 0;
        while i < count - 1 && i < n {
            table[n].values[i] = 1.0;
            i += 1;
        }
        table[n].active = i;
        if n >= count {
            table[n].values[count - 1] = (n + 1 - count) as f32 / 2.0;
            table[n].active = count;
        }
        n += 1;
    }
    table
}

impl Writer<'_> {
    /// Writes the next inputs; zeros take no room and no branch.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, values: [f32; N]) {
        let mut len = self.len;
        for (i, value) in values.into_iter().enumerate() {
            self.index[len % ROOM] = self.next + i as u16;
            self.value[len % ROOM] = value;
            // Inputs are never negative, and this compare is the shorter one.
            len += usize::from(value > 0.0);
        }
        self.len = len;
        self.next += N as u16;
    }

    /// Writes the next `count` inputs from the checkers on the points of `occupied`: point 1 has the first
    /// `per_point` of them, and so on.
    #[inline(always)]
    pub(super) fn units(
        &mut self,
        count: u16,
        occupied: u32,
        per_point: u16,
        units: impl Fn(usize) -> &'static Units,
    ) {
        let mut left = occupied;
        let mut len = self.len;
        while left != 0 {
            let point = left.trailing_zeros();
            left &= left - 1;
            let units = units(point as usize);
            let first = self.next + per_point * (point as u16 - 1);
            let at = len % ROOM;
            self.index[at..at + 8]
                .copy_from_slice(&std::array::from_fn::<u16, 8, _>(|i| first + i as u16));
            self.value[at..at + 8].copy_from_slice(&units.values);
            len += units.active;
        }
        self.len = len;
        self.next += count;
    }

    /// Writes inputs that are known not to be zero.
    #[inline(always)]
    pub(super) fn copy(&mut self, inputs: impl Iterator<Item = (usize, f32)>) {
        for (index, value) in inputs {
            self.index[self.len % ROOM] = index as u16;
            self.value[self.len % ROOM] = value;
            self.len += 1;
        }
    }

    /// Goes to an input.
    #[inline(always)]
    pub(super) fn go_to(&mut self, input: u16) {
        self.next = input;
    }

    /// Moves on over inputs that are zero and need not be written.
    #[inline(always)]
    pub(super) fn skip(&mut self, inputs: u16) {
        self.next += inputs;
    }
}

impl SparseInputs {
    /// Forgets all inputs.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Lets `write` add to the list.
    #[inline(always)]
    pub(super) fn write(&mut self, write: impl FnOnce(&mut Writer)) {
        let SparseInputs { index, value, len } = self;
        let mut writer = Writer { index, value, len: *len, next: 0 };
        write(&mut writer);
        debug_assert!(writer.len <= ROOM, "{} inputs are not zero", writer.len);
        self.len = writer.len;
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
