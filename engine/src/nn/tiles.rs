//! Tiles: passes over a matrix that process a few vectors of columns of every row at a time.

/// A pass over the rows of a matrix with one value per column, such as a sum. In a tile of few
/// columns these values stay in registers.
pub(super) trait Tile {
    /// Processes the vectors `first..first + V` of all rows.
    fn run<const V: usize>(&mut self, first: usize);
}

/// Runs `pass` on tiles that together cover all `vectors` of a row, up to eight vectors at a time.
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
