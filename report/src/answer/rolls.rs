//! The 21 rolls of a position, each with its best play.

use serde::Serialize;

use super::no_play_or;
use nonet_engine::backgammon::{Dice, GameState};
use nonet_engine::engine::{Engine, EngineError};

/// The 21 rolls of a position, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RollsAnswer {
    /// Position ID of the board, the player who rolls on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// Depth of the search in plies.
    pub plies: u8,
    /// Mean over the 36 equally likely throws, in points on a cube at 1.
    pub equity: f32,
    /// The rolls.
    pub rolls: Vec<RollBest>,
}

/// A roll with its best play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RollBest {
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "31"))]
    pub dice: String,
    /// How many of the 36 throws show it: 1 or 2.
    pub throws: u8,
    /// The best play in the usual notation, or `(no legal play)`.
    #[cfg_attr(feature = "openapi", schema(example = "8/5 6/5"))]
    pub play: String,
    /// Position ID of the board afterwards, the opponent on roll.
    pub id: String,
    /// Equity of the best play.
    pub equity: f32,
    /// How much better than the mean roll.
    pub luck: f32,
}

impl RollsAnswer {
    /// Finds the best play of every roll at the engine's depth.
    ///
    /// # Errors
    /// [`EngineError`] if the match is longer than the match equity table reaches.
    ///
    /// ```
    /// use nonet_engine::{Engine, GameState, Plies};
    /// use nonet_report::answer::RollsAnswer;
    ///
    /// let engine = Engine::champion().with_plies(Plies::ONE);
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10".parse()?;
    /// assert_eq!(RollsAnswer::of(&engine, &state)?.rolls.len(), 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(engine: &Engine, state: &GameState) -> Result<RollsAnswer, EngineError> {
        let best_of = |dice| Ok((dice, engine.best_move(&state.clone().with_dice(dice))?));
        let best = Dice::ALL.into_iter().map(best_of).collect::<Result<Vec<_>, EngineError>>()?;
        let mean = best.iter().map(|(dice, play)| f32::from(dice.weight()) * play.equity);
        let mean = mean.sum::<f32>() / 36.0;
        let mut rolls: Vec<RollBest> = (best.iter())
            .map(|(dice, play)| RollBest {
                dice: dice.to_string(),
                throws: dice.weight(),
                play: no_play_or(play.play()),
                id: play.after().id(),
                equity: play.equity,
                luck: play.equity - mean,
            })
            .collect();
        rolls.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        Ok(RollsAnswer {
            id: state.position_id(),
            plies: engine.plies().get(),
            equity: mean,
            rolls,
        })
    }
}
