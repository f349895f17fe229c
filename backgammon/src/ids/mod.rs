//! The text forms in which other programs exchange positions: GNU Position ID, GNU Match ID and
//! XGID.
//!
//! Both formats name the players by their seats; this library names them by who is on roll.
//! [`Seat`](crate::Seat) connects the two, and both formats are read into a [`MatchState`]. No
//! format holds everything:
//!
//! | | Match ID | XGID |
//! |---|---|---|
//! | beavers allowed | no, read as not | yes |
//! | resignation, how the game ended | yes | no, read as playing |
//! | highest cube | no | yes |
//! | points won in a money session | ignored | ignored |
//!
//! The points of a money session change no decision, so they are checked when they are read, and
//! written as 0.

mod base64;
mod game_state;
mod match_id;
mod position_id;
mod state;
mod xgid;

use std::fmt;
use std::str::FromStr;

use super::{CubeError, Position, PositionError, ScoreError};
pub use game_state::{GameState, GameStateError, IdFormat};
pub use state::{CubeOffer, GamePhase, MatchState, Resignation, Stake, Turn};
pub use xgid::Xgid;

/// Why a text is not an ID of a position or of the state of a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Too short or too long.
    #[error("invalid length {found} of the {what}: expected {wanted} characters")]
    Length {
        /// Which ID or field.
        what: &'static str,
        /// Characters found.
        found: usize,
        /// Characters it must have.
        wanted: usize,
    },
    /// A character that is not allowed there.
    #[error("invalid character '{}' at place {place} of the {what}: expected {}", found.escape_debug(), alphabet(what))]
    Character {
        /// Which ID or field.
        what: &'static str,
        /// The character.
        found: char,
        /// Its place, counted from 1.
        place: usize,
    },
    /// Bits are set after the last field.
    #[error("invalid {what}: expected no bits after its last field; check it for typing errors")]
    Leftover {
        /// Which ID.
        what: &'static str,
    },
    /// A field with an invalid value.
    #[error("invalid {field} '{}': expected {wanted}", found.escape_debug())]
    Field {
        /// Which field.
        field: &'static str,
        /// Its value.
        found: String,
        /// The valid values.
        wanted: &'static str,
    },
    /// Checkers of both sides on one point, counted by the player on roll.
    #[error("invalid point {0} of the player on roll: expected checkers of one side, found both")]
    SharedPoint(usize),
    /// The checkers break a rule of [`Position`].
    #[error(transparent)]
    Position(PositionError),
    /// The value of the cube is invalid.
    #[error(transparent)]
    Cube(CubeError),
    /// The score is invalid.
    #[error(transparent)]
    Score(ScoreError),
}

/// The characters that may stand in a part of an ID.
fn alphabet(what: &str) -> &'static str {
    if what == xgid::BOARD { "'-', A to O or a to o" } else { "A to Z, a to z, 0 to 9, '+' or '/'" }
}

/// A GNU Position ID and Match ID joined by a colon, as GNU Backgammon's `set gnubgid` takes them.
///
/// ```
/// use backgammon::{GnuId, Position};
///
/// let id: GnuId = "4HPwATDgc/ABMA:cAn3AAAAAAAE".parse()?;
/// assert_eq!(id.position, Position::START);
/// assert_eq!(id.state.scoring.away(), Some((7, 7)));
/// assert_eq!(id.to_string(), "4HPwATDgc/ABMA:cAn3AAAAAAAE");
/// # Ok::<(), backgammon::IdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GnuId {
    /// The checkers, seen by the player on roll.
    pub position: Position,
    /// Score, cube, dice and seats.
    pub state: MatchState,
}

impl FromStr for GnuId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<GnuId, IdError> {
        let (position, state) = text.trim().split_once(':').ok_or_else(|| IdError::Field {
            field: "GNU ID",
            found: text.to_owned(),
            wanted: "a Position ID and a Match ID with ':' between them",
        })?;
        Ok(GnuId { position: Position::from_id(position)?, state: MatchState::from_id(state)? })
    }
}

impl fmt::Display for GnuId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.position.id(), self.state.id())
    }
}

#[cfg(test)]
mod strategies {
    use super::super::{Cube, CubeOwner, Dice, Position, Scoring, Seat, Side};
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Up to 15 checkers a side anywhere, never two sides on one point, never both finished.
    pub(super) fn position() -> impl Strategy<Value = Position> {
        let side = || proptest::collection::vec(1usize..=25, 0..=15);
        (side(), side()).prop_filter_map("both finished", |(own, opponent)| {
            let mut points = [0i8; 26];
            own.into_iter().for_each(|point| points[point] += 1);
            for point in opponent {
                let here = &mut points[25 - point];
                *here -= i8::from(*here <= 0);
            }
            Position::new(points).ok()
        })
    }

    fn scoring() -> impl Strategy<Value = Scoring> {
        let scores = (1u16..=32767, any::<u16>(), any::<u16>(), any::<bool>());
        let game = scores.prop_map(|(length, own, opponent, crawford)| {
            let (own, opponent) = (own % length, opponent % length);
            Scoring::of_match(
                length,
                own,
                opponent,
                crawford && (own + 1 == length) != (opponent + 1 == length),
            )
            .expect("legal")
        });
        let crawford = (2u16..50, any::<u16>()).prop_map(|(length, score)| {
            Scoring::of_match(length, score % (length - 1), length - 1, true).expect("legal")
        });
        let money =
            any::<(bool, bool)>().prop_map(|(jacoby, beavers)| Scoring::Money { jacoby, beavers });
        prop_oneof![game, crawford, money]
    }

    /// Legal states: after a beaver or raccoon the opponent owns the cube, and only the player who
    /// must answer it can resign.
    pub(super) fn state() -> impl Strategy<Value = MatchState> {
        let offers = [CubeOffer::Double, CubeOffer::Beaver, CubeOffer::Raccoon];
        let turns = prop_oneof![
            Just(Turn::ToRoll),
            select(Dice::ALL.to_vec()).prop_map(Turn::Rolled),
            select(offers.to_vec()).prop_map(Turn::Offered),
        ];
        let owners = [CubeOwner::Centred, CubeOwner::Own, CubeOwner::Opponent];
        let games = [
            GamePhase::NotStarted,
            GamePhase::Playing,
            GamePhase::Over,
            GamePhase::Resigned,
            GamePhase::Dropped,
        ];
        let resignations = proptest::option::of((
            select(vec![Side::Own, Side::Opponent]),
            select(vec![Stake::Single, Stake::Gammon, Stake::Backgammon]),
        ));
        let cubes = (0u32..=15, select(owners.to_vec()));
        let seats = select(vec![Seat::X, Seat::O]);
        (scoring(), cubes, select(games.to_vec()), seats, turns, resignations).prop_map(
            |(scoring, (log2, owner), game, on_roll, turn, resigned)| {
                let owner = match turn {
                    Turn::Offered(CubeOffer::Double) if owner == CubeOwner::Opponent => {
                        CubeOwner::Own
                    }
                    Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon) => CubeOwner::Opponent,
                    _ => owner,
                };
                let cube = Cube::from_log2(log2, owner).expect("in range");
                let resigned = resigned.map(|(by, stake)| match turn {
                    Turn::Offered(CubeOffer::Beaver) => Resignation { by: Side::Own, stake },
                    Turn::Offered(CubeOffer::Raccoon) => Resignation { by: Side::Opponent, stake },
                    _ => Resignation { by, stake },
                });
                MatchState { scoring, cube, game, on_roll, turn, resigned }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_formats_write_the_same_game() {
        // GNU Backgammon 1.07.001 shows these IDs for this XGID (player O on roll, before it swaps
        // the seats).
        let xgid: Xgid =
            "XGID=a-B-A-D-C----BA---cedb---B:1:-1:-1:00:3:2:0:9:10".parse().expect("legal");
        let gnu: GnuId = "Js/BAmDY+w4AQA:AQEgASAAGAAE".parse().expect("legal");
        assert_eq!(Xgid::new(gnu.position, gnu.state.clone()), xgid);
        assert_eq!(GnuId { position: xgid.position, state: xgid.state }, gnu);
    }

    #[test]
    fn a_gnu_id_needs_both_halves() {
        for text in ["", "4HPwATDgc/ABMA", ":", "4HPwATDgc/ABMA:", ":cAn3AAAAAAAE", "a:b:c"] {
            assert!(text.parse::<GnuId>().is_err(), "{text}");
        }
        let error = "4HPwATDgc/ABMA".parse::<GnuId>().expect_err("half");
        let message = "invalid GNU ID '4HPwATDgc/ABMA': expected a Position ID and a Match ID with ':' between them";
        assert_eq!(error.to_string(), message);
    }

    proptest! {
        #[test]
        fn every_joined_id_reads_back(position in strategies::position(), state in strategies::state()) {
            let printed = GnuId { position, state }.to_string();
            prop_assert_eq!(printed.len(), 27);
            let read: GnuId = printed.parse().expect("own output");
            prop_assert_eq!(read.to_string(), printed);
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC*", joined in "\\PC{0,16}:\\PC{0,16}") {
            for text in [&text, &joined] {
                if let Err(error) = text.parse::<GnuId>() {
                    prop_assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}
