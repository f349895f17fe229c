//! The 21 rolls of a position, each with its best play.

use serde::Serialize;

use super::no_play_or;
use nonet_engine::backgammon::{Dice, GameState, candidates};
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
        let context = engine.context(state.state.scoring, state.state.cube)?;
        let best_of = |dice| {
            let best = engine.best_move(&state.clone().with_dice(dice))?;
            // A play without an alternative is not searched, but its roll is compared with others.
            let plays = candidates(&state.position, dice);
            Ok(match plays.as_slice() {
                [only] if best.plies < engine.plies() && only.after.outcome().is_none() => {
                    let [searched, _] = engine.compare([only, only], &context);
                    (dice, searched)
                }
                _ => (dice, best),
            })
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::Plies;

    /// 64 can be played in one way. Its static value is +0.66. Rollouts to the end say +0.40 ±
    /// 0.01, GNU Backgammon's +0.39 ± 0.04.
    #[test]
    fn a_roll_without_a_choice_is_searched_like_the_others() {
        let state: GameState =
            "XGID=-b-B-AB------------cccbb--:0:0:1:00:0:0:0:0:10".parse().expect("an XGID");
        let engine = Engine::champion().with_plies(Plies::THREE);
        let answer = RollsAnswer::of(&engine, &state).expect("money");
        let roll = answer.rolls.iter().find(|roll| roll.dice == "64").expect("21 rolls");
        assert!((roll.equity - 0.40).abs() < 0.1, "{roll:?}");
    }
}
