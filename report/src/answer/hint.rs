//! The plays of a roll, the best first.

use serde::Serialize;

use super::{OutcomeChances, no_play_or};
use nonet_engine::backgammon::{GameState, Scoring};
use nonet_engine::cube::CubeContext;
use nonet_engine::engine::{Engine, EngineError, RolloutPrecision, ScoredMove};
use nonet_engine::rollout::Roller;

/// The plays of a roll, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HintAnswer {
    /// Position ID of the board, the player who moves on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// XGID of the whole question, with roll, score and cube.
    #[cfg_attr(
        feature = "openapi",
        schema(example = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    )]
    pub xgid: String,
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "31"))]
    pub dice: String,
    /// Depth of the search in plies, 1..=4; 1 is the static evaluation of each result.
    pub plies: u8,
    /// The rollout that decided between plays that the search left close; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roller: Option<&'static str>,
    /// Number of legal plays with different results.
    pub legal: usize,
    /// Whether the cube counts in the equities.
    pub cubeful: bool,
    /// The best plays.
    pub plays: Vec<RankedPlay>,
}

/// A play with its equity.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RankedPlay {
    /// The play in the usual notation, or `(no legal play)`.
    #[cfg_attr(feature = "openapi", schema(example = "8/5 6/5"))]
    pub play: String,
    /// Position ID of the board afterwards, the opponent on roll.
    pub id: String,
    /// Equity for the player who moves, in points on a cube at 1.
    pub equity: f32,
    /// How much less than the best play, 0 or more; 0 also for a play with a higher equity at a
    /// smaller depth.
    pub loss: f32,
    /// Depth of this play's evaluation, which a move filter may have ended before that of the
    /// search.
    pub plies: u8,
    /// The rollout of the play; absent if its figures are those of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollout: Option<RolloutGames>,
    /// In a match, the chance to win it after the play, 0..1; null for money and without the cube.
    pub match_winning_chance: Option<f32>,
    /// Equity without the cube, in points, -3..3.
    pub cubeless: f32,
    /// Chances of the player who moves.
    pub outcomes: OutcomeChances,
    /// Class of the result, such as `prime`; pages call `default` other contact.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
    pub class: String,
    /// What evaluates it statically: the net of this class, `bearoff` or `the rules`.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
    pub source: String,
}

/// How exact a rollout is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RolloutGames {
    /// Games played; 0 if the play ends the game.
    pub games: u64,
    /// Standard error of the equity, that of the dice alone; of a cube decision that of what a
    /// double gains.
    pub stderr: f32,
}

impl From<RolloutPrecision> for RolloutGames {
    fn from(RolloutPrecision { games, stderr }: RolloutPrecision) -> RolloutGames {
        RolloutGames { games, stderr }
    }
}

/// What of a hint is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintOptions {
    /// Ranks by cubeless money equity.
    pub cubeless: bool,
    /// Plays in the answer, at least 1.
    pub plays: usize,
}

impl HintAnswer {
    /// Ranks the plays of the roll of `state` at the engine's depth.
    ///
    /// # Errors
    /// [`EngineError`] if there is no roll, or the match is longer than the match equity table
    /// reaches.
    ///
    /// ```
    /// use nonet_engine::{Engine, GameState, Plies};
    /// use nonet_report::answer::{HintAnswer, HintOptions};
    ///
    /// let engine = Engine::champion().with_plies(Plies::ONE);
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
    /// let answer = HintAnswer::of(&engine, &state, HintOptions { cubeless: false, plays: 3 })?;
    /// assert_eq!((answer.plays[0].play.as_str(), answer.legal), ("8/5 6/5", 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        engine: &Engine,
        state: &GameState,
        options: HintOptions,
    ) -> Result<HintAnswer, EngineError> {
        let (position, dice) = (&state.position, state.dice().ok_or(EngineError::NotRolled)?);
        let plays = match options.cubeless {
            true => engine.rank_cubeless(position, dice),
            false => engine.moves(state)?,
        };
        let best = plays.first().map_or(0.0, |play| play.equity);
        let worth = match options.cubeless {
            true => None,
            false => Some(engine.context(state.state.scoring, state.state.cube)?),
        };
        let shown = &plays[..plays.len().min(options.plays.max(1))];
        Ok(HintAnswer {
            id: position.id(),
            xgid: state.xgid(),
            dice: dice.to_string(),
            plies: engine.plies().get(),
            roller: engine.depth().roller().map(Roller::name),
            legal: plays.len(),
            cubeful: !options.cubeless,
            plays: shown
                .iter()
                .map(|play| RankedPlay::of(engine, play, best, worth.as_ref()))
                .collect(),
        })
    }
}

/// The chance to win the match of an equity with the cube; `None` for money.
fn in_match(CubeContext { scoring, cube }: &CubeContext, equity: f32) -> Option<f32> {
    matches!(scoring.session(), Scoring::Match(_))
        .then(|| scoring.utility_of_equity(equity, cube.value()).clamp(0.0, 1.0))
}

impl RankedPlay {
    /// A play; `worth` is what equities with the cube are worth.
    pub(super) fn of(
        engine: &Engine,
        play: &ScoredMove,
        best: f32,
        worth: Option<&CubeContext>,
    ) -> RankedPlay {
        let source = engine.source_of(play.after());
        RankedPlay {
            play: no_play_or(play.play()),
            id: play.after().id(),
            equity: play.equity,
            loss: (best - play.equity).max(0.0),
            match_winning_chance: worth.and_then(|context| in_match(context, play.equity)),
            plies: play.plies.get(),
            rollout: play.rollout.map(RolloutGames::from),
            cubeless: play.value.equity(),
            outcomes: OutcomeChances::from(&play.value),
            class: source.class().to_owned(),
            source: source.name().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use nonet_engine::Plies;

    fn chance(xgid: &str, cubeless: bool) -> (f32, Option<f32>) {
        let engine = Engine::champion().with_plies(Plies::ONE);
        let state: GameState = xgid.parse().expect("an XGID");
        let options = HintOptions { cubeless, plays: 1 };
        let play = HintAnswer::of(&engine, &state, options).expect("an answer").plays[0].clone();
        (play.equity, play.match_winning_chance)
    }

    #[test]
    fn a_play_of_a_match_has_a_chance_to_win_it_and_one_for_money_has_none() {
        // At double match point the equity of a single game is that of the match.
        let (equity, found) = chance("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:4:0:5:10", false);
        let found = found.expect("a match");
        assert!((found - 0.5 * (1.0 + equity)).abs() < 1e-5, "{found} of {equity}");
        assert_eq!(chance("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", false).1, None);
        let at_the_score = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:4:0:5:10";
        assert_eq!(chance(at_the_score, true).1, None, "the equity is that of money");
    }
}
