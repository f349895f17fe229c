//! The checkers as a GNU Position ID, such as `4HPwATDgc/ABMA`.

use super::{IdError, base64};
use crate::Position;

const WHAT: &str = "Position ID";
const BITS: usize = 80;

impl Position {
    /// Reads a GNU Position ID of 14 characters; space around it is ignored.
    ///
    /// The ID describes first the player not on roll, then the player on roll. Each player has the
    /// own points 1 to 24 and the bar: a one for every checker, and a zero that ends the point. The
    /// players' seats do not matter.
    ///
    /// # Errors
    /// [`IdError`] names the invalid character, or the rule that the checkers break.
    ///
    /// ```
    /// use backgammon::Position;
    ///
    /// assert_eq!(Position::from_id("4HPwATDgc/ABMA"), Ok(Position::START));
    /// assert_eq!(Position::START.id(), "4HPwATDgc/ABMA");
    /// ```
    pub fn from_id(text: &str) -> Result<Position, IdError> {
        let mut bits = base64::decode(WHAT, text.trim(), BITS)?;
        // Bits beyond the 80th read as zero. That is safe: a text that reaches them has fewer than
        // 50 zeros, so more than 30 checkers, which is an error.
        let mut next_point = || {
            let checkers = bits.trailing_ones();
            bits >>= checkers + 1;
            checkers as i8
        };
        let mut points = [0i8; 26];
        for point in (0..25).rev() {
            points[point] = -next_point();
        }
        for (point, here) in points.iter_mut().enumerate().skip(1) {
            let own = next_point();
            if own > 0 && *here < 0 {
                return Err(IdError::SharedPoint(point));
            }
            *here += own;
        }
        if bits != 0 {
            return Err(IdError::Leftover { what: WHAT });
        }
        Position::new(points).map_err(IdError::Position)
    }

    /// The GNU Position ID, 14 characters; [`Position::from_id`] reads it back.
    #[must_use]
    pub fn id(&self) -> String {
        let (mut bits, mut at) = (0u128, 0);
        for side in [&self.flipped(), self] {
            for point in 1..=25 {
                let checkers = side.own(point);
                bits |= ((1 << checkers) - 1) << at;
                at += u32::from(checkers) + 1;
            }
        }
        base64::encode(bits, BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategies;
    use super::*;
    use crate::{PositionError, Side};
    use proptest::prelude::*;

    /// Copied from GNU Backgammon 1.07.001 with `set xgid` and `show board`; own checkers first.
    #[test]
    fn ids_agree_with_gnu_backgammon() {
        type Checkers<'a> = &'a [(usize, i8)];
        let known: [(&str, Checkers, Checkers); 7] = [
            (
                "2PsOAEAmz8ECYA",
                &[(2, 2), (4, 1), (6, 4), (8, 3), (13, 2), (14, 1), (25, 2)],
                &[(4, 2), (5, 4), (6, 5), (7, 3), (25, 1)],
            ),
            (
                "Js/BAmDY+w4AQA",
                &[(4, 2), (5, 4), (6, 5), (7, 3), (25, 1)],
                &[(2, 2), (4, 1), (6, 4), (8, 3), (13, 2), (14, 1), (25, 2)],
            ),
            (
                "dg4AAHivAQAQAA",
                &[(3, 4), (4, 4), (5, 1), (6, 2), (25, 1)],
                &[(2, 2), (3, 3), (5, 3)],
            ),
            ("7EYAAHsHAAAAAA", &[(1, 4), (2, 3)], &[(3, 2), (4, 3), (5, 2), (8, 1), (25, 2)]),
            ("/38AAAD/fwAAAA", &[(1, 15)], &[(1, 15)]),
            ("AAAA/38AAAD/fw", &[(25, 15)], &[(25, 15)]),
            ("AAAAoAAAAAAAAA", &[(5, 1), (6, 1)], &[]),
        ];
        for (id, own, opponent) in known {
            let position = Position::from_sides(own, opponent).expect("legal");
            assert_eq!(position.id(), id, "{position}");
            assert_eq!(Position::from_id(id), Ok(position), "{id}");
        }
    }

    #[test]
    fn malformed_ids_are_refused_by_name() {
        let refused = |text: &str| Position::from_id(text).expect_err(text);
        let length = |found| IdError::Length { what: WHAT, found, wanted: 14 };
        assert_eq!(refused(""), length(0));
        assert_eq!(refused("4HPwATDgc/ABM"), length(13));
        assert_eq!(refused("4HPwATDgc/ABMAA"), length(15));
        let strange = IdError::Character { what: WHAT, found: '_', place: 10 };
        assert_eq!(refused("4HPwATDgc_ABMA"), strange);
        assert_eq!(refused("4HPwATDgc/ABMB"), IdError::Leftover { what: WHAT }, "bit 83");
        assert_eq!(refused("AAAAAAAAAAAAgA"), IdError::Leftover { what: WHAT }, "bit 79");
        assert_eq!(refused("AAAAAAAAAAAAAA"), IdError::Position(PositionError::BothFinished));
        let sixteen = PositionError::TooMany { side: Side::Opponent, checkers: 16 };
        assert_eq!(refused("//8AAAAAAAAAAA"), IdError::Position(sixteen));
        let eighty = PositionError::TooMany { side: Side::Opponent, checkers: 80 };
        assert_eq!(refused("/////////////w"), IdError::Position(eighty));
        // A checker of the opponent on its 24 point (bit 23) and one of the player on roll on the 1
        // point (bit 26).
        assert_eq!(refused("AACABAAAAAAAAA"), IdError::SharedPoint(1));
    }

    proptest! {
        #[test]
        fn every_position_reads_back_from_its_id(position in strategies::position()) {
            let id = position.id();
            prop_assert_eq!(id.len(), 14);
            prop_assert_eq!(Position::from_id(&id), Ok(position));
        }

        #[test]
        fn an_id_that_is_read_prints_as_the_same_position(text in "\\PC{0,20}|[A-Za-z0-9+/]{14}|[A-D]{14}") {
            if let Ok(position) = Position::from_id(&text) {
                prop_assert_eq!(position.id(), text.trim());
            }
        }
    }
}
