//! The sparse list of inputs (index and value) that an encoding writes and a net reads.

/// Room for all inputs that are not zero.
///
/// The 15 checkers of a side make at most 15 units of points and 15 blots. A side has only 52 other
/// inputs. The room is a power of two, so that a masked index needs no check.
const ROOM: usize = 256;
/// Units that [`SparseWriter::points`] copies at once; those beyond the active ones need slots
/// after the last entry.
const COPIED: usize = 8;

/// Inputs that are not zero, as (index, value).
///
/// Of the 393 contact inputs about 90 are not zero. A net that reads only those is several times as
/// fast as one that multiplies by zeros.
///
/// ```
/// use nonet_engine::features::SparseInputs;
///
/// let mut inputs = SparseInputs::default();
/// inputs.push(2, 0.5);
/// inputs.push(3, 0.0);
/// assert_eq!(inputs.indices(), [2]);
/// assert_eq!(inputs.dense(4), [0.0, 0.0, 0.5, 0.0]);
/// ```
#[derive(Clone, Debug)]
pub struct SparseInputs {
    index: [u16; ROOM + COPIED],
    value: [f32; ROOM + COPIED],
    len: usize,
}

impl Default for SparseInputs {
    fn default() -> SparseInputs {
        SparseInputs { index: [0; ROOM + COPIED], value: [0.0; ROOM + COPIED], len: 0 }
    }
}

/// Writes to [`SparseInputs`]. It is a separate value so that its counters stay in registers.
pub(super) struct SparseWriter<'a> {
    index: &'a mut [u16; ROOM + COPIED],
    value: &'a mut [f32; ROOM + COPIED],
    len: usize,
    /// Index of the next input to be written, whether zero or not.
    next: u16,
}

/// The thermometer code of a number of checkers on a point.
///
/// It has one unit for each checker up to a limit, and one unit for all checkers beyond the limit.
/// The first `active` units are not zero.
pub(super) struct Thermometer {
    values: [f32; COPIED],
    active: usize,
}

/// Five units: 1, 2, 3, 4 or more, and (n - 4) / 2.
pub(super) static FIVE_UNITS: [Thermometer; 16] = thermometer(5);
/// Four units: 1, 2, 3 or more, and (n - 3) / 2 (Tesauro's, TD-Gammon).
pub(super) static FOUR_UNITS: [Thermometer; 16] = thermometer(4);

/// The codes of 0 to 15 checkers with `count` units.
const fn thermometer(count: usize) -> [Thermometer; 16] {
    let mut table = [const { Thermometer { values: [0.0; COPIED], active: 0 } }; 16];
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

/// Number of set bits as an input.
#[inline(always)]
pub(super) fn ones(mask: u32) -> f32 {
    mask.count_ones() as f32
}

/// 1 if the condition is true, else 0.
#[inline(always)]
pub(super) fn flag(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

impl SparseWriter<'_> {
    /// Writes the next inputs. Zeros are not stored, and there is no branch on the values.
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

    /// Writes the next `count` inputs: the codes of the points in `held`, `per_point` units for
    /// each point from point 1 on.
    #[inline(always)]
    pub(super) fn points(
        &mut self,
        count: u16,
        held: u32,
        per_point: u16,
        code_of: impl Fn(usize) -> &'static Thermometer,
    ) {
        let mut left = held;
        let mut len = self.len;
        while left != 0 {
            let point = left.trailing_zeros();
            left &= left - 1;
            let code = code_of(point as usize);
            let first = self.next + per_point * (point as u16 - 1);
            let at = len % ROOM;
            self.index[at..at + COPIED]
                .copy_from_slice(&std::array::from_fn::<u16, COPIED, _>(|i| first + i as u16));
            self.value[at..at + COPIED].copy_from_slice(&code.values);
            len += code.active;
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

    /// Continues at an input, given by its index.
    #[inline(always)]
    pub(super) fn go_to(&mut self, input: u16) {
        self.next = input;
    }

    /// Skips inputs that are zero.
    #[inline(always)]
    pub(super) fn skip(&mut self, inputs: u16) {
        self.next += inputs;
    }
}

impl SparseInputs {
    /// The most inputs that a list can hold.
    pub const ROOM: usize = ROOM;
    /// The most inputs that a net can have.
    pub const MOST_INPUTS: usize = 1 << 16;

    /// Adds input number `index`, counted from 0; a zero is left out.
    ///
    /// # Panics
    /// If the list is full ([`SparseInputs::ROOM`]), or `index` is not below
    /// [`SparseInputs::MOST_INPUTS`].
    pub fn push(&mut self, index: usize, value: f32) {
        if value != 0.0 {
            assert!(self.len < ROOM, "more than {ROOM} inputs are not zero");
            assert!(index < SparseInputs::MOST_INPUTS, "a net has no input {index}");
            self.index[self.len] = index as u16;
            self.value[self.len] = value;
            self.len += 1;
        }
    }

    /// Removes all inputs.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Lets `write` add to the list.
    #[inline(always)]
    pub(super) fn write(&mut self, write: impl FnOnce(&mut SparseWriter)) {
        let SparseInputs { index, value, len } = self;
        let mut writer = SparseWriter { index, value, len: *len, next: 0 };
        write(&mut writer);
        debug_assert!(writer.len <= ROOM, "{} inputs are not zero", writer.len);
        self.len = writer.len;
    }

    /// Keeps the inputs for which `is_kept(index)` is true.
    #[inline(always)]
    pub fn retain(&mut self, is_kept: impl Fn(u16) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            self.index[kept] = self.index[i];
            self.value[kept] = self.value[i];
            kept += usize::from(is_kept(self.index[kept]));
        }
        self.len = kept;
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
    ///
    /// # Panics
    /// If an input that is not zero has an index of `inputs` or more.
    #[must_use]
    pub fn dense(&self, inputs: usize) -> Vec<f32> {
        let mut dense = vec![0.0; inputs];
        for (i, x) in self.iter() {
            dense[i] = x;
        }
        dense
    }
}
