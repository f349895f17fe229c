//! A position with everything around it as eXtreme Gammon writes it, `XGID=` and ten fields.

use std::fmt;
use std::str::FromStr;

use super::match_id::field;
use super::state::own_first;
use super::{CubeOffer, GamePhase, IdError, MatchState, Turn};
use crate::{Cube, CubeOwner, Dice, MAX_MATCH_LENGTH, Position, Scoring, Seat};

/// The contents of an XGID. `Display` writes it; `FromStr` reads it, with or without `XGID=` and
/// space around it.
///
/// The text is seen by X at the bottom; these fields are seen by the player on roll. Writing drops
/// a resignation and the way a game ended, for which an XGID has no field. With `D`, `B` and `R`
/// the player who doubled first is on roll; with `B` and `R` the cube already has its new value.
///
/// ```
/// use backgammon::{Position, Seat, Xgid};
///
/// let xgid: Xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:2:1:0:7:10".parse()?;
/// assert_eq!(xgid.position, Position::START);
/// assert_eq!(xgid.state.on_roll, Seat::O);
/// assert_eq!(xgid.state.scoring.away(), Some((6, 5)));
/// # Ok::<(), backgammon::IdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// The checkers, seen by the player on roll.
    pub position: Position,
    /// Score, cube, dice and seats.
    pub state: MatchState,
    /// The highest cube allowed, as a power of two, 0..=15.
    pub max_cube_log2: u8,
}

impl Xgid {
    /// With a highest cube of 1024, as eXtreme Gammon writes it.
    #[must_use]
    pub const fn new(position: Position, state: MatchState) -> Xgid {
        Xgid { position, state, max_cube_log2: 10 }
    }
}

impl FromStr for Xgid {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Xgid, IdError> {
        let text = text.trim();
        let text = text.strip_prefix("XGID=").unwrap_or(text);
        let fields: Vec<&str> = text.split(':').collect();
        let Ok([board, cube, owner, turn, dice, score_x, score_o, rule, length, max_cube]) =
            <[&str; 10]>::try_from(fields.as_slice())
        else {
            return field("number of fields", fields.len(), "10 with ':' between them");
        };
        let on_roll = match turn {
            "1" => Seat::X,
            "-1" => Seat::O,
            _ => return field("turn", turn, "1 for X or -1 for O"),
        };
        let position = checkers(board, on_roll)?;
        let owner = match owner {
            "1" => CubeOwner::Own,
            "0" => CubeOwner::Centred,
            "-1" => CubeOwner::Opponent,
            _ => return field("cube owner", owner, "1 for X, 0 for the middle or -1 for O"),
        };
        let cube = number("cube", cube, "how often the cube was turned, 0 to 15")?;
        let cube = Cube::from_log2(cube.into(), owner).map_err(IdError::Cube)?;
        let cube = if on_roll == Seat::X { cube } else { cube.flipped() };
        let turn = match dice {
            "00" => Turn::ToRoll,
            "D" => Turn::Offered(CubeOffer::Double),
            "B" => Turn::Offered(CubeOffer::Beaver),
            "R" => Turn::Offered(CubeOffer::Raccoon),
            _ => Turn::Rolled(roll(dice)?),
        };
        let points = "a number of points, 0 to 32767";
        let score_x = number("score of X", score_x, points)?;
        let score_o = number("score of O", score_o, points)?;
        let length =
            number("match length", length, "a number of points up to 32767, or 0 for money")?;
        let (own, opponent) = own_first(on_roll, score_x, score_o);
        let scoring = match (length, rule) {
            (0, "0" | "1" | "2" | "3") => Scoring::Money {
                jacoby: matches!(rule, "1" | "3"),
                beavers: matches!(rule, "2" | "3"),
            },
            (0, _) => {
                return field("rule", rule, "0 to 3 for money: 1 for Jacoby plus 2 for beavers");
            }
            (_, "0" | "1") => {
                Scoring::of_match(length, own, opponent, rule == "1").map_err(IdError::Score)?
            }
            _ => return field("rule", rule, "0 or 1 in a match: 1 for the Crawford game"),
        };
        let max_cube = number("highest cube", max_cube, "a power of two, 0 to 15")?;
        let Ok(max_cube_log2 @ 0..=Cube::MAX_LOG2) = u8::try_from(max_cube) else {
            return field("highest cube", max_cube, "a power of two, 0 to 15");
        };
        let game = GamePhase::Playing;
        let state = MatchState { scoring, cube, game, on_roll, turn, resigned: None };
        Ok(Xgid { position, state, max_cube_log2 })
    }
}

impl fmt::Display for Xgid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = &self.state;
        let (board, cube) = match state.on_roll {
            Seat::X => (self.position, state.cube),
            Seat::O => (self.position.flipped(), state.cube.flipped()),
        };
        f.write_str("XGID=")?;
        for &n in board.points() {
            let letter = match n {
                0 => '-',
                1.. => char::from(b'A' - 1 + n.unsigned_abs()),
                _ => char::from(b'a' - 1 + n.unsigned_abs()),
            };
            write!(f, "{letter}")?;
        }
        let owner = match cube.owner() {
            CubeOwner::Own => 1,
            CubeOwner::Centred => 0,
            CubeOwner::Opponent => -1,
        };
        let turn = if state.on_roll == Seat::X { 1 } else { -1 };
        write!(f, ":{}:{owner}:{turn}:", cube.log2())?;
        match state.turn {
            Turn::ToRoll => f.write_str("00")?,
            Turn::Rolled(dice) => write!(f, "{dice}")?,
            Turn::Offered(CubeOffer::Double) => f.write_str("D")?,
            Turn::Offered(CubeOffer::Beaver) => f.write_str("B")?,
            Turn::Offered(CubeOffer::Raccoon) => f.write_str("R")?,
        }
        let (length, score_x, score_o, rule) = match state.scoring {
            Scoring::Money { jacoby, beavers } => {
                (0, 0, 0, u8::from(jacoby) + 2 * u8::from(beavers))
            }
            Scoring::Match(score) => {
                let (x, o) = own_first(state.on_roll, score.own(), score.opponent());
                (score.length(), x, o, u8::from(score.is_crawford()))
            }
        };
        write!(f, ":{score_x}:{score_o}:{rule}:{length}:{}", self.max_cube_log2)
    }
}

/// The name of the first field in errors.
pub(super) const BOARD: &str = "board";

/// The position, seen by the player on roll, of the 26 letters, seen by X.
fn checkers(text: &str, on_roll: Seat) -> Result<Position, IdError> {
    let found = text.chars().count();
    let mut points = [0i8; 26];
    if found != points.len() {
        return Err(IdError::Length { what: BOARD, found, wanted: points.len() });
    }
    for (place, letter) in text.chars().enumerate() {
        let (seat, checkers) = match letter {
            '-' => continue,
            'A'..='O' => (Seat::X, letter as i8 - 'A' as i8 + 1),
            'a'..='o' => (Seat::O, letter as i8 - 'a' as i8 + 1),
            _ => return Err(IdError::Character { what: BOARD, found: letter, place: place + 1 }),
        };
        let point = if on_roll == Seat::X { place } else { 25 - place };
        points[point] = if seat == on_roll { checkers } else { -checkers };
    }
    Position::new(points).map_err(IdError::Position)
}

/// Digits alone: no sign, no space, at most 32767.
fn number(name: &'static str, text: &str, wanted: &'static str) -> Result<u16, IdError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number| digits && number <= MAX_MATCH_LENGTH);
    number.map_or_else(|| field(name, text, wanted), Ok)
}

fn roll(text: &str) -> Result<Dice, IdError> {
    let dice = match *text.as_bytes() {
        [a, b] => Dice::new(a.wrapping_sub(b'0'), b.wrapping_sub(b'0')),
        _ => None,
    };
    let wanted = "two dice from 1 to 6, 00 before the roll, or D, B or R for an offered cube";
    dice.map_or_else(|| field("roll", text, wanted), Ok)
}

#[cfg(test)]
mod tests {
    use super::super::{GnuId, strategies};
    use super::*;
    use proptest::prelude::*;

    /// `set xgid` in GNU Backgammon 1.07.001 leads to these IDs, with the player on roll as player
    /// 1 (X).
    #[test]
    fn xgids_agree_with_gnu_backgammon() {
        let known = [
            ("-b----E-C---eE---c-e----B-:0:0:1:65:2:1:0:7:10", "4HPwATDgc/ABMA:cAn3ABAAEAAE"),
            ("-b----E-C---eE---c-e----B-:0:0:-1:00:6:1:1:7:10", "4HPwATDgc/ABMA:8AngAGAACAAE"),
            ("-b----E-C---eE---c-e----B-:1:1:1:31:0:0:3:0:10", "4HPwATDgc/ABMA:UYkFAAAAAAAA"),
            ("a-B-A-D-C----BA---cedb---B:1:1:1:52:3:2:0:9:10", "2PsOAEAmz8ECYA:UYkqASAAGAAE"),
            ("a-B-A-D-C----BA---cedb---B:1:-1:-1:00:3:2:0:9:10", "Js/BAmDY+w4AQA:UQkgATAAEAAE"),
            ("---BCB--A--------------cdB:2:-1:-1:66:1:12:0:13:10", "7EYAAHsHAAAAAA:Ugm7ARAAYAAE"),
            ("---------------------BBaa-:0:0:-1:21:0:0:3:0:10", "AACwoQAAAAAAAA:cAkFAAAAAAAA"),
            ("b--A-B--C--D--Ea-b-c-d-b--:3:0:1:21:0:0:1:0:10", "5jkTADAyjscHAA:cwkFAAAAAAAA"),
            ("o------------------------O:0:0:1:21:0:0:3:0:10", "AAAA/38AAAD/fw:cAkFAAAAAAAA"),
            ("-O----------------------o-:0:0:1:21:0:0:0:0:10", "/38AAAD/fwAAAA:cAkFAAAAAAAE"),
        ];
        for (text, id) in known {
            let xgid: Xgid = text.parse().expect(text);
            assert_eq!(xgid.to_string(), format!("XGID={text}"));
            let seated = MatchState { on_roll: Seat::X, ..xgid.state };
            assert_eq!(GnuId { position: xgid.position, state: seated }.to_string(), id, "{text}");
        }
    }

    #[test]
    fn an_offered_cube_is_written_in_place_of_the_dice() {
        let letters =
            [("D", CubeOffer::Double), ("B", CubeOffer::Beaver), ("R", CubeOffer::Raccoon)];
        for (letter, offer) in letters {
            let text = format!("XGID=-b----E-C---eE---c-e----B-:0:0:-1:{letter}:0:0:2:0:10");
            let xgid: Xgid = text.parse().expect("legal");
            assert_eq!(xgid.state.turn, Turn::Offered(offer));
            assert_eq!(xgid.state.scoring, Scoring::Money { jacoby: false, beavers: true });
            assert_eq!(xgid.to_string(), text);
        }
    }

    #[test]
    fn malformed_fields_are_refused_by_name() {
        let cases = [
            ("0:0:1:00:0:0:0:7", "number of fields '9': expected 10"),
            ("16:0:1:00:0:0:0:7:10", "invalid cube 2^16"),
            ("-1:0:1:00:0:0:0:7:10", "invalid cube '-1'"),
            ("0:2:1:00:0:0:0:7:10", "invalid cube owner '2'"),
            ("0:0:0:00:0:0:0:7:10", "invalid turn '0'"),
            ("0:0:1:70:0:0:0:7:10", "invalid roll '70'"),
            ("0:0:1::0:0:0:7:10", "invalid roll ''"),
            ("0:0:1:00:+1:0:0:7:10", "invalid score of X '+1'"),
            ("0:0:1:00:0:32768:0:7:10", "invalid score of O '32768'"),
            (
                "0:0:-1:00:0:7:0:7:10",
                "invalid score 7 of the player on roll: expected less than the match length 7",
            ),
            (
                "0:0:1:00:0:7:0:7:10",
                "invalid score 7 of the opponent: expected less than the match length 7",
            ),
            ("0:0:1:00:0:0:2:7:10", "invalid rule '2': expected 0 or 1 in a match"),
            ("0:0:1:00:0:0:4:0:10", "invalid rule '4': expected 0 to 3 for money"),
            ("0:0:1:00:5:5:1:7:10", "invalid Crawford game with 2 and 2 points to go"),
            ("0:0:1:00:0:0:0:x:10", "invalid match length 'x'"),
            ("0:0:1:00:0:0:0:7:16", "invalid highest cube '16'"),
        ];
        for (rest, part) in cases {
            let error = format!("-b----E-C---eE---c-e----B-:{rest}").parse::<Xgid>();
            let error = error.expect_err(rest).to_string();
            assert!(error.contains(part), "{rest}: {error}");
        }
    }

    #[test]
    fn malformed_boards_are_refused_by_name() {
        let cases = [
            ("-b", 1, "invalid length 2 of the board"),
            ("-b----P-C---eE---c-e----B-", 1, "invalid character 'P' at place 7 of the board"),
            ("-b----E-D---eE---c-e----B-", 1, "number of checkers 16 of the player on roll"),
            ("-b----E-D---eE---c-e----B-", -1, "number of checkers 16 of the opponent"),
            ("--------------------------", 1, "expected checkers of at least one side"),
            ("A-----------------------B-", 1, "invalid bar of the opponent"),
            ("A-----------------------B-", -1, "invalid bar of the player on roll"),
        ];
        for (board, turn, part) in cases {
            let error = format!("{board}:0:0:{turn}:00:0:0:0:7:10").parse::<Xgid>();
            let error = error.expect_err(board).to_string();
            assert!(error.contains(part), "{board}: {error}");
        }
    }

    proptest! {
        #[test]
        fn a_state_reads_back_except_for_fields_that_an_xgid_lacks(
            position in strategies::position(),
            state in strategies::state(),
            max_cube_log2 in 0u8..=15,
        ) {
            let state = MatchState { game: GamePhase::Playing, resigned: None, ..state };
            let xgid = Xgid { position, state, max_cube_log2 };
            prop_assert_eq!(xgid.to_string().parse(), Ok(xgid));
        }

        #[test]
        fn a_text_that_is_read_prints_as_the_same_value(
            text in "\\PC*",
            fields in proptest::collection::vec("-?[0-9]{1,5}|[DBR]|[0-6]{2}", 9),
            board in "[-ABab]{26}",
        ) {
            for text in [text, format!("XGID={board}:{}", fields.join(":"))] {
                if let Ok(xgid) = text.parse::<Xgid>() {
                    prop_assert_eq!(xgid.to_string().parse(), Ok(xgid));
                }
            }
        }
    }
}
