//! Which points each side holds, as bits: the form in which rules about structure cost nanoseconds.

use super::Position;

/// Occupancy of one position. Bit `p` stands for point `p` **of the player on roll**, bit 25 for their bar and bit 0
/// for the opponent's bar; [`Masks::flipped`] gives the same board in the opponent's numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// One or more own checkers.
    pub own: u32,
    /// Two or more own checkers.
    pub own_made: u32,
    /// One or more of the opponent's checkers.
    pub opponent: u32,
    /// Two or more of the opponent's checkers.
    pub opponent_made: u32,
}

/// The own point that lies on the opponent's `point`: 24 for 1, the opponent's bar (25) for 0.
#[must_use]
pub const fn own_point_of(point: usize) -> usize {
    25 - point
}

/// The mask in the other player's numbering: bit `p` moves to `25 - p`.
#[inline(always)]
const fn reversed(mask: u32) -> u32 {
    mask.reverse_bits() >> 6
}

/// One bit for each byte whose top bit is set; the bytes are those of one little-endian word.
#[inline(always)]
pub(super) const fn top_bits(word: u64) -> u32 {
    // The product moves the top bit of byte `i` to bit `56 + i`; no two of its terms meet.
    ((word & TOP).wrapping_mul(0x0002_0408_1020_4081) >> 56) as u32
}

const TOP: u64 = 0x8080_8080_8080_8080;
const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

impl Masks {
    /// Reads the board, eight points in a word at a time: |n| <= 15 leaves each byte room to add without a carry.
    #[inline(always)]
    #[must_use]
    pub fn of(position: &Position) -> Masks {
        let mut masks = Masks { own: 0, own_made: 0, opponent: 0, opponent_made: 0 };
        let points = position.padded_points();
        for first in [0usize, 8, 16, 24] {
            let mut bytes = [0u8; 8];
            for (byte, &n) in bytes.iter_mut().zip(&points[first..first + 8]) {
                *byte = n.cast_unsigned();
            }
            let word = u64::from_le_bytes(bytes);
            let negative = word & TOP;
            let low = word & !TOP;
            // Own n is n; the opponent's n is 128 - n here, so only the opponent's single checkers reach 127.
            masks.own |= top_bits((low + each(0x7f)) & !negative) << first;
            masks.own_made |= top_bits((low + each(0x7e)) & !negative) << first;
            masks.opponent |= top_bits(negative) << first;
            masks.opponent_made |= top_bits(!(low + each(1)) & negative) << first;
        }
        masks
    }

    /// The same board as the opponent sees it.
    #[inline(always)]
    #[must_use]
    pub const fn flipped(&self) -> Masks {
        Masks {
            own: reversed(self.opponent),
            own_made: reversed(self.opponent_made),
            opponent: reversed(self.own),
            opponent_made: reversed(self.own_made),
        }
    }

    /// Whether some checker can still be hit: a player's rearmost checker has not passed the other's.
    #[inline(always)]
    #[must_use]
    pub const fn contact(&self) -> bool {
        // The rearmost own checker is the highest bit, the opponent's rearmost the lowest one.
        self.own != 0
            && self.opponent != 0
            && 31 - self.own.leading_zeros() > self.opponent.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(position: &Position) -> Masks {
        let bits = |keep: &dyn Fn(i8) -> bool| {
            (0..26).filter(|&i| keep(position.points()[i])).fold(0u32, |mask, i| mask | 1 << i)
        };
        Masks {
            own: bits(&|n| n >= 1),
            own_made: bits(&|n| n >= 2),
            opponent: bits(&|n| n <= -1),
            opponent_made: bits(&|n| n <= -2),
        }
    }

    proptest! {
        #[test]
        fn masks_agree_with_counting_point_by_point(points in proptest::array::uniform26(-15i8..=15)) {
            let mut points = points;
            points[0] = -points[0].abs();
            points[25] = points[25].abs();
            // Take checkers away until the board is a legal one.
            let mut i = 0;
            while Position::new(points).is_err() {
                if points == [0; 26] {
                    points[6] = 1;
                }
                points[i] = if Position::new(points).is_err() { points[i] / 2 } else { points[i] };
                i = (i + 1) % 26;
            }
            let position = Position::new(points).expect("just made legal");
            prop_assert_eq!(Masks::of(&position), slow(&position));
            prop_assert_eq!(Masks::of(&position).flipped(), slow(&position.flipped()));
        }
    }

    #[test]
    fn contact_ends_when_the_last_checkers_have_passed() {
        let touching = Position::from_sides(&[(13, 1)], &[(13, 1)]).expect("legal");
        assert!(
            Masks::of(&touching).contact(),
            "own 13 has not passed the opponent's checker on own 12"
        );
        let passed = Position::from_sides(&[(12, 1)], &[(12, 1)]).expect("legal");
        assert!(!Masks::of(&passed).contact());
    }
}
