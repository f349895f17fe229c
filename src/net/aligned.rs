//! Numbers that begin on a cache line, so that no vector of them straddles two.

/// Numbers on a cache line.
const LINE: usize = 64 / size_of::<f32>();

/// A fixed number of numbers, aligned to 64 bytes where the allocator's address allows.
pub(super) struct Aligned {
    data: Vec<f32>,
    start: usize,
    len: usize,
}

impl Aligned {
    pub(super) fn zeros(len: usize) -> Aligned {
        let data = vec![0.0; len + LINE];
        // An offset that cannot be found is reported as usize::MAX; then any place will do.
        let start = data.as_ptr().align_offset(64).min(LINE);
        Aligned { data, start, len }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[f32] {
        &self.data[self.start..self.start + self.len]
    }

    #[inline(always)]
    pub(super) fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.data[self.start..self.start + self.len]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        let mut copy = Aligned::zeros(self.len);
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Aligned) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl std::fmt::Debug for Aligned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}
