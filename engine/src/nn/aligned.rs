//! Arrays aligned to cache lines, so that no vector load crosses two lines.

/// An array of fixed length, aligned to 64 bytes where the allocator's address allows.
pub(super) struct Aligned<T = f32> {
    data: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// Elements in a cache line.
    const LINE: usize = 64 / size_of::<T>();

    pub(super) fn zeros(len: usize) -> Aligned<T> {
        let data = vec![T::default(); len + Self::LINE];
        // align_offset returns usize::MAX if it finds no offset; the array is then unaligned but
        // correct.
        let start = data.as_ptr().align_offset(64).min(Self::LINE);
        Aligned { data, start, len }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[T] {
        &self.data[self.start..self.start + self.len]
    }

    #[inline(always)]
    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data[self.start..self.start + self.len]
    }
}

impl<T: Copy + Default> Clone for Aligned<T> {
    fn clone(&self) -> Aligned<T> {
        let mut copy = Aligned::zeros(self.len);
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
    }
}

impl<T: Copy + Default + PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Aligned<T>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + Default + std::fmt::Debug> std::fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}
