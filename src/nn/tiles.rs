//! Passes over the columns of a matrix, a few vectors of every row at a time.

/// Work on each row of a matrix that needs something for each column, which stays in registers if columns are few.
pub(super) trait Tile {
    /// Works on the vectors `first..first + V` of the rows.
    fn run<const V: usize>(&mut self, first: usize);
}

/// Passes over all `vectors` of the rows, up to eight at a time.
#[inline(always)]
pub(super) fn for_each_tile(vectors: usize, mut pass: impl Tile) {
    let mut first = 0;
    while first < vectors {
        let taken = (vectors - first).min(8);
        match taken {
            1 => pass.run::<1>(first),
            2 => pass.run::<2>(first),
            3 => pass.run::<3>(first),
            4 => pass.run::<4>(first),
            5 => pass.run::<5>(first),
            6 => pass.run::<6>(first),
            7 => pass.run::<7>(first),
            _ => pass.run::<8>(first),
        }
        first += taken;
    }
}
