//! Questions about positions: plays, evaluations, hints, cube decisions, the 21 rolls.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::nets::NetEngines;
use nonet_engine::backgammon::{Dice, GameState, Position};
use nonet_engine::engine::{Depth, Engine, LEVELS};
use nonet_engine::open::is_built_in;
use nonet_engine::search::{Plies, SearchSettings};
use nonet_report::answer::{
    CubeAnswer, EvaluationAnswer, HintAnswer, HintOptions, InputsAnswer, MovesAnswer, RollsAnswer,
    read_id, read_question,
};

/// Asks for the legal plays of a roll.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// The roll; that of the ID if it is left out.
    #[schema(example = "31")]
    dice: Option<String>,
}

/// Asks for evaluations without the cube.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateRequest {
    /// IDs of positions, their players on roll; at most 256.
    #[schema(max_items = 256, example = json!(["4HPwATDgc/ABMA"]))]
    ids: Vec<String>,
    /// Search depth in plies, 1 (static) to 4.
    #[schema(minimum = 1, maximum = 4, default = defaults::many_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// Asks for the best plays of a roll.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HintRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// The roll; that of the ID if it is left out.
    #[schema(example = "31")]
    dice: Option<String>,
    /// Search depth in plies, 1 (static) to 4.
    #[schema(minimum = 1, maximum = 4, default = defaults::ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// `roller` rolls out the plays that a 3-ply search leaves close. It stands instead of `ply`.
    #[schema(example = "roller")]
    roller: Option<String>,
    /// Plays in the answer.
    #[schema(default = defaults::plays)]
    plays: Option<usize>,
    /// Ranks by cubeless money equity.
    #[serde(default)]
    cubeless: bool,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// Asks for the best plays of many rolls.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HintsRequest {
    /// At most 256 positions with their rolls.
    #[schema(max_items = 256)]
    questions: Vec<MovesRequest>,
    /// Search depth in plies, 1 (static) to 3.
    #[schema(minimum = 1, maximum = 3, default = defaults::many_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// Plays in each answer.
    #[schema(default = defaults::many_plays)]
    plays: Option<usize>,
    /// Ranks by cubeless money equity.
    #[serde(default)]
    cubeless: bool,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// Asks for a cube decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CubeRequest {
    /// Position ID, GNU ID or XGID; its player on roll may double.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// Search depth in plies, 1 (static) to 4.
    #[schema(minimum = 1, maximum = 4, default = defaults::cube_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// `roller` rolls out a decision that a 3-ply search leaves close. It stands instead of `ply`.
    #[schema(example = "roller")]
    roller: Option<String>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// Asks for the 21 rolls.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RollsRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// Search depth in plies, 1 (static) to 3.
    #[schema(minimum = 1, maximum = 3, default = defaults::many_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// The nets and levels that can be played against.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NetsAnswer {
    /// Names of nets, `champion` first, then those of training runs.
    nets: Vec<String>,
    /// The levels, the weakest first.
    levels: Vec<LevelAnswer>,
}

/// A level of play.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LevelAnswer {
    name: &'static str,
    /// Its PR as measured with the built-in net at 2-ply; null without noise.
    pr: Option<f32>,
}

/// A depth of search, or the rollout of a name.
fn depth(ply: Option<u8>, roller: Option<&str>, usual: u8) -> Result<Depth, ApiError> {
    match (ply, roller) {
        (_, None) => Ok(Depth::Search(plies(ply, usual)?)),
        (None, Some(name)) => name.parse().map(Depth::Rollout).map_err(ApiError::invalid),
        (Some(_), Some(_)) => Err(ApiError::invalid("ply and roller: expected one of them")),
    }
}

/// A depth of search.
pub(super) fn plies(ply: Option<u8>, usual: u8) -> Result<Plies, ApiError> {
    Plies::new(ply.unwrap_or(usual)).map_err(ApiError::invalid)
}

/// The same for many searches at a time: at most 3 plies. A search goes on after its client has
/// gone, and those would take minutes.
pub(super) fn many_at(ply: Option<u8>, usual: u8, what: &str) -> Result<Plies, ApiError> {
    let plies = plies(ply, usual)?;
    if plies == Plies::FOUR {
        return Err(ApiError::invalid(format!("invalid ply '4': {what} are answered at 1 to 3")));
    }
    Ok(plies)
}

/// The engines of a net; reading one may block.
pub(super) async fn net(app: &Arc<App>, name: Option<String>) -> Result<Arc<NetEngines>, ApiError> {
    if name.as_deref().is_none_or(is_built_in) {
        return Ok(Arc::clone(app.nets.built_in()));
    }
    let shared = Arc::clone(app);
    app.work.quick(move || shared.nets.named(name.as_deref())).await?
}

/// Answers with an engine, where its depth belongs.
///
/// At 1-ply it works on this thread. At 4 plies and by a rollout it works in the line of slow work,
/// else in that of quick work.
async fn answer<T: Send + 'static>(
    app: &Arc<App>,
    engines: Arc<NetEngines>,
    depth: Depth,
    work: impl FnOnce(&Engine) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match depth {
        Depth::Search(Plies::ONE) => work(engines.here()),
        Depth::Search(Plies::FOUR) => app.work.slow(move || work(engines.at(Plies::FOUR))).await?,
        Depth::Search(plies) => app.work.quick(move || work(engines.at(plies))).await?,
        Depth::Rollout(_) => app.work.slow(move || work(&engines.slow().with_depth(depth))).await?,
    }
}

/// The legal plays of a roll.
#[utoipa::path(post, path = "/api/v1/moves", tag = "positions", request_body = MovesRequest, responses(
    (status = 200, description = "The plays with different results", body = MovesAnswer),
    (status = 400, description = "An invalid ID or roll", body = ErrorAnswer)))]
pub(super) async fn moves(
    Body(request): Body<MovesRequest>,
) -> Result<Json<MovesAnswer>, ApiError> {
    let (state, dice) = rolled(&request.id, request.dice.as_deref())?;
    Ok(Json(MovesAnswer::of(&state.position, dice)))
}

fn rolled(id: &str, dice: Option<&str>) -> Result<(GameState, Dice), ApiError> {
    let state = read_question(id, dice)?;
    let dice = state.dice().ok_or_else(|| {
        ApiError::invalid("there is no roll: expected dice such as \"31\", or an ID with a roll")
    })?;
    Ok((state, dice))
}

/// Evaluations of positions without the cube.
#[utoipa::path(post, path = "/api/v1/evaluate", tag = "positions", request_body = EvaluateRequest, responses(
    (status = 200, description = "An evaluation for each ID, in their order", body = Vec<EvaluationAnswer>),
    (status = 400, description = "An invalid ID or depth, or too many", body = ErrorAnswer)))]
pub(super) async fn evaluate(
    State(app): State<Arc<App>>,
    Body(request): Body<EvaluateRequest>,
) -> Result<Json<Vec<EvaluationAnswer>>, ApiError> {
    check_batch(&app, request.ids.len())?;
    let plies = plies(request.ply, defaults::many_ply())?;
    let read = |id: &String| read_id(id).map(|game| game.position);
    let positions = request.ids.iter().map(read).collect::<Result<Vec<Position>, _>>()?;
    if plies > Plies::TWO && positions.len() > DEEP_BATCH {
        return Err(ApiError::invalid(format!("at most {DEEP_BATCH} positions above 2-ply")));
    }
    let engines = net(&app, request.net).await?;
    answer(&app, engines, plies.into(), move |engine| {
        Ok(EvaluationAnswer::of_all(engine, &positions))
    })
    .await
    .map(Json)
}

/// Positions in a batch above 2-ply.
const DEEP_BATCH: usize = 16;

fn check_batch(app: &App, length: usize) -> Result<(), ApiError> {
    let most = app.config.limits.batch;
    if length > most {
        return Err(ApiError::invalid(format!(
            "{length} questions at a time: expected at most {most}"
        )));
    }
    Ok(())
}

/// The best plays of a roll.
#[utoipa::path(post, path = "/api/v1/hint", tag = "positions", request_body = HintRequest, responses(
    (status = 200, description = "The plays, the best first", body = HintAnswer),
    (status = 400, description = "An invalid ID, roll or depth", body = ErrorAnswer)))]
pub(super) async fn hint(
    State(app): State<Arc<App>>,
    Body(request): Body<HintRequest>,
) -> Result<Json<HintAnswer>, ApiError> {
    let (state, _) = rolled(&request.id, request.dice.as_deref())?;
    let depth = depth(request.ply, request.roller.as_deref(), defaults::ply())?;
    let options = HintOptions {
        cubeless: request.cubeless,
        plays: request.plays.unwrap_or(defaults::plays()),
    };
    let engines = net(&app, request.net).await?;
    answer(&app, engines, depth, move |engine| Ok(HintAnswer::of(engine, &state, options)?))
        .await
        .map(Json)
}

/// The best plays of many rolls.
#[utoipa::path(post, path = "/api/v1/hints", tag = "positions", request_body = HintsRequest, responses(
    (status = 200, description = "An answer for each question, in their order", body = Vec<HintAnswer>),
    (status = 400, description = "An invalid ID, roll or depth, or too many", body = ErrorAnswer)))]
pub(super) async fn hints(
    State(app): State<Arc<App>>,
    Body(request): Body<HintsRequest>,
) -> Result<Json<Vec<HintAnswer>>, ApiError> {
    let deep = request.ply.is_some_and(|ply| ply > 2);
    check_batch(&app, request.questions.len())?;
    if deep && request.questions.len() > DEEP_BATCH {
        return Err(ApiError::invalid(format!("at most {DEEP_BATCH} questions above 2-ply")));
    }
    let plies = many_at(request.ply, defaults::many_ply(), "many hints")?;
    let read = |one: &MovesRequest| rolled(&one.id, one.dice.as_deref());
    let questions = request.questions.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let options = HintOptions {
        cubeless: request.cubeless,
        plays: request.plays.unwrap_or(defaults::many_plays()),
    };
    let engines = net(&app, request.net).await?;
    // Not on this thread: a batch takes milliseconds.
    let work = move || {
        let engine = if plies == Plies::ONE { engines.here() } else { engines.at(plies) };
        let of = |(state, _): &(GameState, Dice)| HintAnswer::of(engine, state, options);
        questions.iter().map(of).collect::<Result<Vec<_>, _>>()
    };
    let done = match plies.get() {
        1 | 2 => app.work.quick(work).await?,
        _ => app.work.slow(work).await?,
    };
    Ok(Json(done?))
}

/// A cube decision.
#[utoipa::path(post, path = "/api/v1/cube", tag = "positions", request_body = CubeRequest, responses(
    (status = 200, description = "Whether to double, and whether to take", body = CubeAnswer),
    (status = 400, description = "An invalid ID or depth, or a cube that a beaver has turned", body = ErrorAnswer)))]
pub(super) async fn cube(
    State(app): State<Arc<App>>,
    Body(request): Body<CubeRequest>,
) -> Result<Json<CubeAnswer>, ApiError> {
    let question = read_id(&request.id)?;
    let depth = depth(request.ply, request.roller.as_deref(), defaults::cube_ply())?;
    let engines = net(&app, request.net).await?;
    answer(&app, engines, depth, move |engine| {
        let engine =
            engine.with_search_settings(SearchSettings::NORMAL).with_cube_plies(depth.plies());
        Ok(CubeAnswer::of(&engine, &question)?)
    })
    .await
    .map(Json)
}

/// The 21 rolls with their best plays.
#[utoipa::path(post, path = "/api/v1/rolls", tag = "positions", request_body = RollsRequest, responses(
    (status = 200, description = "The rolls, the best first", body = RollsAnswer),
    (status = 400, description = "An invalid ID or depth", body = ErrorAnswer)))]
pub(super) async fn rolls(
    State(app): State<Arc<App>>,
    Body(request): Body<RollsRequest>,
) -> Result<Json<RollsAnswer>, ApiError> {
    let question = read_id(&request.id)?;
    let plies = many_at(request.ply, defaults::many_ply(), "the 21 rolls")?;
    let engines = net(&app, request.net).await?;
    let work = move || {
        let engine = if plies == Plies::ONE { engines.here() } else { engines.at(plies) };
        RollsAnswer::of(engine, &question)
    };
    let done = match plies.get() {
        1 | 2 => app.work.quick(work).await?,
        _ => app.work.slow(work).await?,
    };
    Ok(Json(done?))
}

/// Asks which inputs matter.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InputsRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// Which inputs of its specialist matter in a position.
#[utoipa::path(post, path = "/api/v1/inputs", tag = "positions", request_body = InputsRequest, responses(
    (status = 200, description = "The 20 most important inputs", body = InputsAnswer),
    (status = 400, description = "An invalid ID", body = ErrorAnswer)))]
pub(super) async fn inputs(
    State(app): State<Arc<App>>,
    Body(request): Body<InputsRequest>,
) -> Result<Json<InputsAnswer>, ApiError> {
    let question = read_id(&request.id)?;
    let shared = Arc::clone(&app);
    let answer = app.work.quick(move || {
        let team = shared.nets.team(request.net.as_deref())?;
        Ok::<_, ApiError>(InputsAnswer::of(&team, &question.position, 20))
    });
    Ok(Json(answer.await??))
}

/// The nets and levels that can be played against.
#[utoipa::path(get, path = "/api/v1/nets", tag = "positions", responses(
    (status = 200, description = "Nets and levels", body = NetsAnswer)))]
pub(super) async fn nets(State(app): State<Arc<App>>) -> Result<Json<NetsAnswer>, ApiError> {
    let shared = Arc::clone(&app);
    let nets = app.work.quick(move || shared.nets.names()).await?;
    let levels =
        LEVELS.map(|level| LevelAnswer { name: level.name, pr: level.pr.map(|(pr, _)| pr) });
    Ok(Json(NetsAnswer { nets, levels: levels.into() }))
}
