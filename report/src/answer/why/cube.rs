//! Why to double or to wait, and why to take or to pass.

use serde::Serialize;

use super::cube_sentences::sentences;
use super::words::Said;
use crate::answer::CubeAnswer;
use nonet_engine::backgammon::{GameState, Turn};
use nonet_engine::engine::{Engine, EngineError};
use nonet_engine::explain::CubeExplanation;

/// A cube decision and what makes it.
///
/// A sequence is an own roll and the opponent's. The market is lost where the opponent must pass
/// after it, or where the game is won.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyCubeAnswer {
    /// The decision.
    pub cube: CubeAnswer,
    /// The explanation in sentences, the largest reason first. Each follows from the numbers below.
    pub sentences: Vec<String>,
    /// The same sentences apart from the language.
    pub said: Vec<Said>,
    /// The chance of sequences that lose the market, 0..=1.
    pub lost: f32,
    /// What a double that is taken gains over waiting in these, in points on a cube at 1, weighted
    /// by their chance.
    pub gain: f32,
    /// What it costs in the others, weighted in the same way.
    pub cost: f32,
    /// The own rolls, by falling gain.
    pub rolls: Vec<WhyMarketRoll>,
    /// Standard deviation of the equity after a sequence, in points on a cube at 1.
    pub volatility: f32,
    /// The nearest winning chance at which the other answer to a double would be right; null if
    /// there is none.
    pub answer_turns: Option<f32>,
    /// The nearest winning chance at which doubling would be right, or wrong.
    pub double_turns: Option<f32>,
    /// The decision for money in words, if the question was of a match.
    #[cfg_attr(feature = "openapi", schema(example = "Double, take"))]
    pub money: Option<String>,
}

/// An own roll before the opponent's reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyMarketRoll {
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "66"))]
    pub dice: String,
    /// How many of the 36 throws show it: 1 or 2.
    pub throws: u8,
    /// The share of the opponent's throws after which the market is lost, 0..=1.
    pub lost: f32,
    /// What a double gains there, in points on a cube at 1, weighted by the chance.
    pub gain: f32,
}

impl WhyCubeAnswer {
    /// Explains the decision at the engine's depth for the cube.
    ///
    /// # Errors
    /// As [`CubeAnswer::of`].
    ///
    /// ```
    /// use nonet_engine::{Engine, GameState, Plies};
    /// use nonet_report::answer::WhyCubeAnswer;
    ///
    /// let engine = Engine::champion().with_cube_plies(Plies::ONE);
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10".parse()?;
    /// let why = WhyCubeAnswer::of(&engine, &state)?;
    /// assert!(why.sentences[0].starts_with("Wait"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(engine: &Engine, state: &GameState) -> Result<WhyCubeAnswer, EngineError> {
        let why = CubeExplanation::of(engine, state)?;
        let rolls = why.rolls.iter().map(|roll| WhyMarketRoll {
            dice: roll.dice.to_string(),
            throws: roll.dice.weight(),
            lost: roll.lost,
            gain: roll.gain,
        });
        let mut answer = WhyCubeAnswer {
            cube: CubeAnswer::new(engine, state, &why.decision)?,
            sentences: Vec::new(),
            said: Vec::new(),
            lost: why.lost,
            gain: why.gain,
            cost: why.cost,
            rolls: rolls.collect(),
            volatility: why.volatility,
            answer_turns: why.answer_turns,
            double_turns: why.double_turns,
            money: why.money.map(|decision| decision.to_string()),
        };
        let is_offered = matches!(state.state.turn, Turn::Offered(_));
        answer.said = sentences(&answer, why.money.as_ref(), is_offered);
        answer.sentences = answer.said.iter().map(Said::in_english).collect();
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::Plies;

    fn why(xgid: &str) -> WhyCubeAnswer {
        let engine = Engine::champion().with_cube_plies(Plies::TWO);
        let state = crate::answer::read_id(xgid).expect("a question");
        WhyCubeAnswer::of(&engine, &state).expect("a decision")
    }

    #[test]
    fn market_losers_are_counted_and_named() {
        // Two checkers on the 5 and 2 points against one on the ace point.
        let answer = why("XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10");
        let text = answer.sentences.join("\n");
        assert!(!text.contains('{'), "{text}");
        assert_eq!(answer.rolls.iter().map(|roll| roll.throws).sum::<u8>(), 36);
    }

    #[test]
    fn who_was_doubled_is_told_to_take_or_to_pass_with_own_chances() {
        let asked = "XGID=-a-aBbD-C-B-bCA---ab--bbb-:0:0:1:00:0:0:0:0:10";
        let [before, after] = [asked.to_owned(), asked.replace(":00:", ":D:")].map(|id| why(&id));
        assert_eq!(before.cube.outcomes, after.cube.outcomes);
        let text = after.sentences.join("\n");
        let own = format!("You win {:.1} %", 100.0 * (1.0 - before.cube.outcomes.win));
        assert!(text.starts_with("Take: ") && text.contains(&own), "{text}");
        assert!(!text.contains("player on roll") && !text.contains("waiting"), "{text}");
    }

    #[test]
    fn no_gammon_is_told_where_it_counts_nothing() {
        let answer = why("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:1:10");
        let text = answer.sentences.join("\n");
        assert!(!text.contains("gammon") && text.contains("cannot be turned"), "{text}");
    }

    #[test]
    fn at_a_score_the_decision_for_money_is_told() {
        let answer = why("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10");
        assert_eq!(answer.money.as_deref(), Some("No double, take"));
    }
}
