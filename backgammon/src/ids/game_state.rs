//! [`GameState`]: a position with cube, score and dice, read from any of three formats.

use std::fmt;
use std::str::FromStr;

use super::{GamePhase, GnuId, IdError, MatchState, Xgid};
use crate::{Dice, Position, Scoring, Turn};

/// A position with the state of its match and the roll, if the dice are rolled.
///
/// It is read from an ID, or begins with [`GameState::opening`]. Actions such as
/// [`GameState::rolled`], [`GameState::play`] and [`GameState::double`] take a state and return the
/// next one.
///
/// `FromStr` reads
///
/// - a GNU Position ID: a money game without Jacoby rule and beavers, the cube in the middle,
///   before the roll;
/// - a GNU ID, `POSITION:MATCH`;
/// - an XGID, with or without `XGID=`.
///
/// `Display` writes an XGID, which holds everything that a decision of backgammon depends on. It
/// has no fields for a resignation, for how a game ended, and for the number of checkers of
/// hypergammon. The highest cube that it states is 1024, even if the cube shows more. Finished
/// games are read too: check [`GameState::is_over`] before you ask for a decision.
///
/// ```
/// use backgammon::{GameState, IdFormat, Position};
///
/// let game: GameState = "4HPwATDgc/ABMA".parse()?;
/// assert_eq!((game.position, game.dice(), game.is_over()), (Position::START, None, false));
/// let game: GameState = "4HPwATDgc/ABMA:cAn3ABAAEAAE".parse()?;
/// assert_eq!(game.to_string(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:65:2:1:0:7:10");
/// let error = "4HPwATDgc/ABM".parse::<GameState>().expect_err("one character is missing");
/// assert_eq!(error.format, IdFormat::PositionId);
/// # Ok::<(), backgammon::GameStateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameState {
    /// The checkers, seen by the player on roll.
    pub position: Position,
    /// Score, cube, dice and seats.
    pub state: MatchState,
}

/// A text format of positions.
///
/// ```
/// use backgammon::IdFormat;
///
/// assert_eq!(IdFormat::of("4HPwATDgc/ABMA"), IdFormat::PositionId);
/// assert_eq!(IdFormat::of("4HPwATDgc/ABMA:cAn3AAAAAAAE"), IdFormat::GnuId);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdFormat {
    /// A GNU Position ID: 14 characters.
    PositionId,
    /// A GNU Position ID and a Match ID with a colon between them.
    GnuId,
    /// An XGID: ten fields with colons between them.
    Xgid,
}

impl IdFormat {
    /// The format of a text, by its prefix and its colons alone. An XGID has `XGID=` or several
    /// colons, a GNU ID has one colon, and a Position ID has none.
    #[must_use]
    pub fn of(text: &str) -> IdFormat {
        match text.matches(':').count() {
            _ if text.trim_start().starts_with("XGID") => IdFormat::Xgid,
            0 => IdFormat::PositionId,
            1 => IdFormat::GnuId,
            _ => IdFormat::Xgid,
        }
    }
}

impl fmt::Display for IdFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IdFormat::PositionId => "GNU Position ID",
            IdFormat::GnuId => "GNU ID",
            IdFormat::Xgid => "XGID",
        })
    }
}

/// Why a text is not a position in any of the three formats.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid {format} '{}': {source}", text.escape_debug())]
pub struct GameStateError {
    /// The format it was read as.
    pub format: IdFormat,
    /// The text.
    pub text: String,
    /// The error of that format.
    pub source: IdError,
}

impl GameState {
    /// A position of a money game without Jacoby rule and beavers, the cube in the middle, before
    /// the roll.
    #[must_use]
    pub const fn money(position: Position) -> GameState {
        GameState { position, state: MatchState::new(Scoring::MONEY) }
    }

    /// The roll to play, if the dice are rolled.
    #[must_use]
    pub const fn dice(&self) -> Option<Dice> {
        self.state.dice()
    }

    /// The same position with this roll to play, which replaces any other roll or offered cube.
    #[must_use]
    pub const fn with_dice(mut self, dice: Dice) -> GameState {
        self.state.turn = Turn::Rolled(dice);
        self
    }

    /// The state after a play that led to the board `after`, which has the opponent on roll.
    ///
    /// It is the state before the opponent's roll, and everything is seen by the opponent. Whether
    /// the play is legal is not checked: [`GameState::play`] does that.
    #[must_use]
    pub fn after(&self, after: Position) -> GameState {
        let over = after.outcome().is_some();
        let state = MatchState {
            scoring: self.state.scoring.flipped(),
            cube: self.state.cube.flipped(),
            game: if over { GamePhase::Over } else { GamePhase::Playing },
            on_roll: self.state.on_roll.other(),
            turn: Turn::ToRoll,
            resigned: None,
        };
        GameState { position: after, state }
    }

    /// The GNU Position ID, 14 characters: the checkers alone.
    #[must_use]
    pub fn position_id(&self) -> String {
        self.position.id()
    }

    /// The GNU ID, 27 characters; beavers are not in it.
    #[must_use]
    pub fn gnu_id(&self) -> String {
        format!("{}:{}", self.position.id(), self.state.id())
    }

    /// The XGID, with `XGID=` and a highest cube of 1024; a resignation and how the game ended are
    /// not in it.
    #[must_use]
    pub fn xgid(&self) -> String {
        Xgid::new(self.position, self.state.clone()).to_string()
    }
}

impl From<GnuId> for GameState {
    fn from(GnuId { position, state }: GnuId) -> GameState {
        GameState { position, state }
    }
}

impl From<Xgid> for GameState {
    fn from(Xgid { position, state, .. }: Xgid) -> GameState {
        GameState { position, state }
    }
}

impl FromStr for GameState {
    type Err = GameStateError;

    /// Reads a Position ID, a GNU ID, an XGID, or the word `start`: the start of a money game.
    fn from_str(text: &str) -> Result<GameState, GameStateError> {
        if text.trim() == "start" {
            return Ok(GameState::money(Position::START));
        }
        let format = IdFormat::of(text);
        let read = match format {
            IdFormat::PositionId => Position::from_id(text).map(GameState::money),
            IdFormat::GnuId => text.parse().map(|id: GnuId| id.into()),
            IdFormat::Xgid => text.parse().map(|id: Xgid| id.into()),
        };
        read.map_err(|source| GameStateError { format, text: text.to_owned(), source })
    }
}

impl fmt::Display for GameState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.xgid())
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategies;
    use super::*;
    use crate::Outcome;
    use proptest::prelude::*;

    #[test]
    fn an_error_names_the_format() {
        for (text, format, part) in [
            ("", IdFormat::PositionId, "invalid GNU Position ID '': "),
            ("4HPwATDgc/ABM", IdFormat::PositionId, "13"),
            ("4HPwATDgc/ABMA:", IdFormat::GnuId, "invalid GNU ID '4HPwATDgc/ABMA:': "),
            ("a:b:c", IdFormat::Xgid, "invalid XGID 'a:b:c': "),
            ("XGID=", IdFormat::Xgid, "expected 10"),
        ] {
            let error = text.parse::<GameState>().expect_err(text);
            assert_eq!(error.format, format, "{text}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn an_xgid_needs_no_prefix() {
        let text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10";
        let game: GameState = text.parse().expect("legal");
        assert_eq!(text.trim_start_matches("XGID=").parse(), Ok(game.clone()));
        assert_eq!(format!(" {text} ").parse(), Ok(game.clone()));
        assert_eq!(game.dice(), Dice::new(3, 1));
        assert_eq!(game.with_dice(Dice::ALL[0]).dice(), Some(Dice::ALL[0]));
    }

    #[test]
    fn after_a_play_everything_is_seen_by_the_opponent_who_is_to_roll() {
        let text = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:1:0:7:10";
        let game: GameState = text.parse().expect("legal");
        let played = game.position.read_play("8/5 6/5", Dice::new(3, 1).expect("dice"));
        let after = game.after(played.expect("legal").after);
        assert_eq!(after.xgid(), "XGID=-b---BD-B---eE---c-e----B-:1:1:-1:00:2:1:0:7:10");
        assert_eq!(after.state.game, GamePhase::Playing);
        let last: GameState =
            "XGID=-A-----------------a------:0:0:1:21:0:0:0:0:10".parse().expect("legal");
        let off = last.position.read_play("1/off", Dice::new(2, 1).expect("dice"));
        let over = last.after(off.expect("legal").after);
        assert!(over.is_over() && over.state.game == GamePhase::Over);
    }

    #[test]
    fn a_finished_game_is_read_as_over() {
        let game: GameState = "AAAAoAAAAAAAAA".parse().expect("the opponent has borne off");
        assert!(game.is_over());
        assert_eq!(game.outcome(), Some(Outcome::Lose));
    }

    proptest! {
        #[test]
        fn every_format_reads_back_the_fields_it_has(
            position in strategies::position(),
            state in strategies::state(),
        ) {
            let game = GameState { position, state };
            let read: GameState = game.gnu_id().parse().expect("own output");
            prop_assert_eq!(read.gnu_id(), game.gnu_id());
            prop_assert_eq!(game.position_id().parse(), Ok(GameState::money(position)));
            let state = MatchState { game: GamePhase::Playing, resigned: None, ..game.state };
            let game = GameState { position, state };
            prop_assert_eq!(game.to_string().parse(), Ok(game));
        }
    }
}
