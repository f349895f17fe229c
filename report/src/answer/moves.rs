//! The legal plays of a roll.

use serde::Serialize;

use nonet_engine::backgammon::{Dice, Play, Position, candidates};

/// The legal plays of a roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MovesAnswer {
    /// Position ID of the board, the player who moves on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "31"))]
    pub dice: String,
    /// The plays with different results; one without checker moves if the player cannot move.
    pub plays: Vec<PlayTo>,
}

/// A play and where it leads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayTo {
    /// The play in the usual notation; empty if the player cannot move.
    #[cfg_attr(feature = "openapi", schema(example = "8/5 6/5"))]
    pub play: String,
    /// Position ID of the board afterwards, the opponent on roll.
    pub id: String,
}

impl MovesAnswer {
    /// Lists the legal plays.
    ///
    /// ```
    /// use nonet_engine::backgammon::Position;
    /// use nonet_report::answer::MovesAnswer;
    ///
    /// let answer = MovesAnswer::of(&Position::START, "31".parse()?);
    /// assert!(answer.plays.iter().any(|play| play.play == "8/5 6/5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(position: &Position, dice: Dice) -> MovesAnswer {
        let plays = candidates(position, dice)
            .iter()
            .map(|candidate| PlayTo { play: candidate.play.to_string(), id: candidate.after.id() })
            .collect();
        MovesAnswer { id: position.id(), dice: dice.to_string(), plays }
    }
}

/// The play in the usual notation, or `(no legal play)`.
#[must_use]
pub fn no_play_or(play: &Play) -> String {
    if play.moves().is_empty() { "(no legal play)".to_owned() } else { play.to_string() }
}
