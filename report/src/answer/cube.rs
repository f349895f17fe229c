//! A cube decision.

use serde::Serialize;

use super::{OutcomeChances, RolloutGames};
use nonet_engine::backgammon::{GameState, Scoring};
use nonet_engine::cube::{Answer, CubeAction, CubeDecision};
use nonet_engine::engine::{Engine, EngineError};

/// Whether to double, and whether to take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CubeAnswer {
    /// Position ID of the board, the player who may double on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// XGID of the whole question, with score and cube.
    #[cfg_attr(
        feature = "openapi",
        schema(example = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    )]
    pub xgid: String,
    /// Depth of the search in plies, 1..=4.
    pub plies: u8,
    /// The rollout that decided, because the search left the decision close; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollout: Option<RolloutGames>,
    /// `not-available`, `no-double`, `too-good` or `double`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "no-double"))]
    pub action: CubeAction,
    /// The best answer to a double: `take`, `pass` or `beaver`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "take"))]
    pub answer: Answer,
    /// Whether a double would be a redouble.
    pub redouble: bool,
    /// The decision in words.
    #[cfg_attr(feature = "openapi", schema(example = "no double, take"))]
    pub words: String,
    /// Equity of the best action, in points on a cube at 1.
    pub equity: f32,
    /// Equity of not doubling.
    pub no_double: f32,
    /// Equity of a double that is taken, or beavered where that is better and allowed.
    pub double_take: f32,
    /// Equity of a double that is passed: 1.
    pub double_pass: f32,
    /// In a match the winning chances after each of the three, 0..1; null for money.
    pub match_winning_chances: Option<[f32; 3]>,
    /// Winning chances above which the opponent passes.
    pub cash_points: CashPoints,
    /// What a gammon is worth once the cube is turned, in points of a single game, for the player
    /// on roll and the opponent; 0.5 for money.
    pub gammon_prices_after_double: [f32; 2],
    /// Equity without the cube, in points, -3..3.
    pub cubeless: f32,
    /// Chances of the player on roll without the cube.
    pub outcomes: OutcomeChances,
    /// Class of the position, such as `prime`; pages call `default` other contact.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
    pub class: String,
    /// What evaluates it statically: the net of this class, `bearoff` or `the rules`.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
    pub source: String,
}

/// Winning chances, 0..1, above which the opponent passes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CashPoints {
    /// If the cube is dead afterwards.
    pub dead: f32,
    /// If it is fully live.
    pub live: f32,
}

impl CubeAnswer {
    /// Decides at the engine's depth for the cube.
    ///
    /// # Errors
    /// [`EngineError`] if a beaver or raccoon has turned the cube already, or the match is longer
    /// than the match equity table.
    ///
    /// ```no_run
    /// use nonet_engine::{Engine, GameState};
    /// use nonet_report::answer::CubeAnswer;
    ///
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10".parse()?;
    /// let answer = CubeAnswer::of(&Engine::champion(), &state)?;
    /// println!("{}: {:+.3}", answer.words, answer.no_double);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(engine: &Engine, state: &GameState) -> Result<CubeAnswer, EngineError> {
        let (decision, rollout) = engine.cube_with_precision(state)?;
        let answer = CubeAnswer::new(engine, state, &decision)?;
        Ok(CubeAnswer { rollout: rollout.map(RolloutGames::from), ..answer })
    }

    pub(super) fn new(
        engine: &Engine,
        state: &GameState,
        decision: &CubeDecision,
    ) -> Result<CubeAnswer, EngineError> {
        let xgid = state.xgid();
        let GameState { position, state } = state;
        let context = engine.context(state.scoring, state.cube)?;
        let prices = context.scoring.gammon_prices(2 * context.cube.value());
        let source = engine.source_of(position);
        let CubeDecision { action, answer, redouble, no_double, double_take, double_pass, .. } =
            *decision;
        let [dead, live] = decision.cash_points;
        Ok(CubeAnswer {
            id: position.id(),
            xgid,
            plies: engine.cube_plies().get(),
            rollout: None,
            action,
            answer,
            redouble,
            words: decision.to_string(),
            equity: decision.equity(),
            no_double,
            double_take,
            double_pass,
            match_winning_chances: matches!(state.scoring, Scoring::Match(_))
                .then_some(decision.utility),
            cash_points: CashPoints { dead, live },
            gammon_prices_after_double: [prices.0, prices.1],
            cubeless: decision.cubeless.equity(),
            outcomes: OutcomeChances::from(&decision.cubeless),
            class: source.class().to_owned(),
            source: source.name().to_owned(),
        })
    }
}
