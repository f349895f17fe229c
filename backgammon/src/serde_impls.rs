//! `Serialize` and `Deserialize` for the types that have a text form or rules to keep.
//!
//! A [`Position`] is its GNU Position ID in text formats and its 26 entries in binary ones. A game
//! may have begun with fewer than 15 checkers a side. The difference then stands in the entries of
//! the bars, above their four bits. Entry 25 has its three low bits, entry 0 the higher ones. A
//! text says nothing of it.
//! [`Dice`] are two digits; a [`GnuId`] and an [`Xgid`] have the form of their `Display`. A
//! [`Cube`] and a [`MatchScore`] are written field by field and checked when they are read. The
//! other types derive both traits; variants are in `snake_case`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    CHECKERS, Cube, CubeError, CubeOwner, Dice, GnuId, MatchScore, Position, ScoreError, Xgid,
};

macro_rules! as_text {
    ($type:ty, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$write(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                $read(&text).map_err(D::Error::custom)
            }
        }
    };
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&self.id())
        } else {
            let (mut points, fewer) = (*self.points(), fewer(self));
            points[25] += (fewer & 7) << 4;
            points[0] -= (fewer >> 3) << 4;
            points.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let id = String::deserialize(deserializer)?;
            Position::from_id(&id).map_err(D::Error::custom)
        } else {
            let mut points = <[i8; 26]>::deserialize(deserializer)?;
            // Wrong entries stay wrong: a negative own bar, or one of the opponent above 0.
            let [own, opponent] = [points[25].max(0), points[0].min(0).saturating_neg()];
            let fewer = (own >> 4) | (opponent >> 4) << 3;
            points[25] -= own & !15;
            points[0] += opponent & !15;
            let position = Position::new(points).map_err(D::Error::custom)?;
            let checkers = u8::try_from(CHECKERS - fewer).ok();
            let in_game = checkers.and_then(|checkers| position.in_game_of(checkers));
            in_game.ok_or_else(|| D::Error::custom("a side has more checkers than the game"))
        }
    }
}

/// How many checkers fewer than 15 each side began with, 0..=14.
const fn fewer(position: &Position) -> i8 {
    CHECKERS - position.checkers_at_start().cast_signed()
}

as_text!(Dice, ToString::to_string, str::parse::<Dice>);
as_text!(GnuId, ToString::to_string, str::parse::<GnuId>);
as_text!(Xgid, ToString::to_string, str::parse::<Xgid>);

/// The form of a [`Cube`].
#[derive(Serialize, Deserialize)]
pub(crate) struct CubeFields {
    value: u32,
    owner: CubeOwner,
}

impl From<Cube> for CubeFields {
    fn from(cube: Cube) -> CubeFields {
        CubeFields { value: cube.value(), owner: cube.owner() }
    }
}

impl TryFrom<CubeFields> for Cube {
    type Error = CubeError;

    fn try_from(CubeFields { value, owner }: CubeFields) -> Result<Cube, CubeError> {
        Cube::new(value, owner)
    }
}

/// The form of a [`MatchScore`].
#[derive(Serialize, Deserialize)]
pub(crate) struct MatchScoreFields {
    length: u16,
    own: u16,
    opponent: u16,
    crawford: bool,
}

impl From<MatchScore> for MatchScoreFields {
    fn from(score: MatchScore) -> MatchScoreFields {
        let (length, own, opponent) = (score.length(), score.own(), score.opponent());
        MatchScoreFields { length, own, opponent, crawford: score.is_crawford() }
    }
}

impl TryFrom<MatchScoreFields> for MatchScore {
    type Error = ScoreError;

    fn try_from(fields: MatchScoreFields) -> Result<MatchScore, ScoreError> {
        MatchScore::new(fields.length, fields.own, fields.opponent, fields.crawford)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::{GameState, Outcome, Scoring, Seat, Side, Stake};

    fn round_trip<T: Serialize + for<'a> Deserialize<'a> + PartialEq + Debug>(
        value: T,
        text: &str,
    ) {
        let written = serde_json::to_string(&value).expect("writes");
        assert_eq!(written, text);
        assert_eq!(serde_json::from_str::<T>(&written).expect(text), value);
    }

    #[test]
    fn values_are_written_as_their_text_form() {
        round_trip(Position::START, "\"4HPwATDgc/ABMA\"");
        round_trip(Dice::ALL[3], "\"31\"");
        round_trip((Seat::X, Side::Opponent), "[\"X\",\"opponent\"]");
        round_trip((Stake::Single, Outcome::WinGammon), "[\"single\",\"win_gammon\"]");
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:2:1:0:7:10";
        round_trip(xgid.parse::<Xgid>().expect("legal"), &format!("\"{xgid}\""));
        let game: GameState = xgid.parse().expect("legal");
        let text = serde_json::to_string(&game).expect("writes");
        assert_eq!(serde_json::from_str::<GameState>(&text).expect("reads"), game);
    }

    #[test]
    fn values_that_break_a_rule_are_refused() {
        let cube = Cube::new(4, CubeOwner::Own).expect("a power of two");
        round_trip(cube, r#"{"value":4,"owner":"own"}"#);
        assert!(serde_json::from_str::<Cube>(r#"{"value":3,"owner":"own"}"#).is_err());
        let score = Scoring::of_match(7, 6, 3, true).expect("legal");
        round_trip(score, r#"{"match":{"length":7,"own":6,"opponent":3,"crawford":true}}"#);
        let reached = r#"{"match":{"length":7,"own":7,"opponent":3,"crawford":false}}"#;
        assert!(serde_json::from_str::<Scoring>(reached).is_err());
        assert!(serde_json::from_str::<Position>("\"4HPwATDgc/ABM\"").is_err());
        assert!(serde_json::from_str::<Dice>("\"70\"").is_err());
    }
}
