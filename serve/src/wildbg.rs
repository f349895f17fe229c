//! The two endpoints of wildbg (<https://github.com/carsten-wenderdel/wildbg>), with its parameters
//! and answers, for its clients.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::App;
use crate::error::ApiError;
use crate::extract::Params;
use nonet_engine::backgammon::{Cube, Dice, Position, Scoring};
use nonet_engine::engine::Engine;
use nonet_engine::eval::Evaluation;
use nonet_report::answer::OutcomeChances;

/// Checkers on each pip: positive for `x`, who moves from 24 to 1, negative for `o`. `p25` is the
/// bar of `x`, `p0` that of `o`.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Pips {
    #[param(minimum = -15, maximum = 0)]
    p0: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = -2)]
    p1: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p2: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p3: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p4: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p5: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = 5)]
    p6: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p7: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = 3)]
    p8: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p9: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p10: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p11: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = -5)]
    p12: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = 5)]
    p13: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p14: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p15: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p16: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = -3)]
    p17: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p18: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = -5)]
    p19: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p20: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p21: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p22: Option<i8>,
    #[param(minimum = -15, maximum = 15)]
    p23: Option<i8>,
    #[param(minimum = -15, maximum = 15, example = 2)]
    p24: Option<i8>,
    #[param(minimum = 0, maximum = 15)]
    p25: Option<i8>,
}

/// The roll.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TwoDice {
    #[param(minimum = 1, maximum = 6, example = 3)]
    die1: u8,
    #[param(minimum = 1, maximum = 6, example = 1)]
    die2: u8,
}

/// Chances of the player `x`: gammons count among wins, backgammons among gammons.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Probabilities {
    win: f32,
    win_g: f32,
    win_bg: f32,
    lose_g: f32,
    lose_bg: f32,
}

/// A cube decision for money.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CubeInfo {
    /// Whether `x` should double.
    double: bool,
    /// Whether `o` should take.
    accept: bool,
}

/// Chances and cube decision of a position.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EvalResponse {
    cube: CubeInfo,
    probabilities: Probabilities,
}

/// A checker moved by one die; 25 is the bar, 0 is off.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MoveDetail {
    from: u8,
    to: u8,
}

/// A play with the chances after it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MoveInfo {
    play: Vec<MoveDetail>,
    probabilities: Probabilities,
}

/// All plays, the best first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MoveResponse {
    moves: Vec<MoveInfo>,
}

/// Why a request is refused.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ErrorMessage {
    message: String,
}

/// A refusal in the shape of these endpoints.
pub(super) struct Refusal(ApiError);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let message = self.0.message().to_owned();
        // The status, the headers, and what the log is told are those of the API.
        let (parts, _) = self.0.into_response().into_parts();
        Response::from_parts(parts, Json(ErrorMessage { message }).into_response().into_body())
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Refusal {
        Refusal(error)
    }
}

impl From<&Evaluation> for Probabilities {
    fn from(value: &Evaluation) -> Probabilities {
        let OutcomeChances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } =
            OutcomeChances::from(value);
        Probabilities {
            win,
            win_g: win_gammon,
            win_bg: win_backgammon,
            lose_g: lose_gammon,
            lose_bg: lose_backgammon,
        }
    }
}

impl Pips {
    fn position(&self) -> Result<Position, ApiError> {
        let Pips { p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, .. } = *self;
        let Pips { p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, .. } = *self;
        let pips = [
            p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18,
            p19, p20, p21, p22, p23, p24, p25,
        ];
        let position =
            Position::new(pips.map(Option::unwrap_or_default)).map_err(ApiError::invalid)?;
        match position.outcome() {
            None => Ok(position),
            Some(_) => Err(ApiError::invalid("the game is over: a side has no checkers left")),
        }
    }
}

const MONEY: Scoring = Scoring::Money { jacoby: false, beavers: false };

/// wildbg's evaluation of a position for money, and its cube decision, both at 3-ply.
#[utoipa::path(get, path = "/eval", tag = "wildbg", params(Pips), responses(
    (status = 200, description = "Chances and cube decision", body = EvalResponse),
    (status = 400, description = "No legal position", body = ErrorMessage)))]
pub(super) async fn evaluation(
    State(app): State<Arc<App>>,
    pips: Result<Params<Pips>, ApiError>,
) -> Result<Json<EvalResponse>, Refusal> {
    let position = pips?.0.position()?;
    let engines = Arc::clone(app.nets.built_in());
    let done = app.work.quick(move || {
        let engine = engines.at(Engine::PLAY_PLIES);
        let context = engine.context(MONEY, Cube::CENTRED)?;
        let decision = engine.cube_decision(&position, &context);
        let cube = CubeInfo { double: decision.is_double(), accept: decision.is_take() };
        let probabilities = Probabilities::from(&engine.evaluate(&[position])[0]);
        Ok::<_, ApiError>(EvalResponse { cube, probabilities })
    });
    Ok(Json(done.await??))
}

/// wildbg's plays of a roll by cubeless equity, at 3-ply.
#[utoipa::path(get, path = "/move", tag = "wildbg", params(TwoDice, Pips), responses(
    (status = 200, description = "The plays, the best first", body = MoveResponse),
    (status = 400, description = "No legal position or roll", body = ErrorMessage)))]
pub(super) async fn best_moves(
    State(app): State<Arc<App>>,
    dice: Result<Params<TwoDice>, ApiError>,
    pips: Result<Params<Pips>, ApiError>,
) -> Result<Json<MoveResponse>, Refusal> {
    let position = pips?.0.position()?;
    let TwoDice { die1, die2 } = dice?.0;
    let dice = Dice::new(die1, die2).ok_or_else(|| {
        ApiError::new(
            StatusCode::BAD_REQUEST,
            format!("invalid dice {die1} and {die2}: expected 1 to 6"),
        )
    })?;
    let engines = Arc::clone(app.nets.built_in());
    let done = app.work.quick(move || {
        let plays = engines.at(Engine::PLAY_PLIES).rank_cubeless(&position, dice);
        let moves = plays.iter().map(|play| MoveInfo {
            play: (play.play().steps(&position, dice).iter())
                .map(|step| MoveDetail { from: step.from, to: step.to })
                .collect(),
            probabilities: Probabilities::from(&play.value),
        });
        MoveResponse { moves: moves.collect() }
    });
    Ok(Json(done.await?))
}
