//! The score matrix of a decision.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use nonet_engine::progress::Progress;
use nonet_engine::search::SearchSettings;
use nonet_report::answer::{MatrixError, MatrixOptions, ScoreMatrix, read_question};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::positions::{many_at, net};
use crate::work::WhileAwaited;

/// Asks for a decision at many scores.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScoresRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// The roll, as `31`, unless the ID has one; without a roll the question is whether to double.
    #[schema(example = "31")]
    dice: Option<String>,
    /// Each cell tells the loss of this play; by default it is the best at the score of the ID.
    #[schema(example = "8/5 6/5")]
    play: Option<String>,
    /// The most points that a side needs.
    #[schema(minimum = 1, maximum = 15, default = defaults::away)]
    away: Option<u16>,
    /// Depth of the search in plies, 1..=3.
    #[schema(minimum = 1, maximum = 3, default = defaults::scores_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// A decision at all scores up to `away` points away, for money, and with the cube in other
/// places. The work ends when the client closes the connection.
#[utoipa::path(post, path = "/api/v1/scores", tag = "positions", request_body = ScoresRequest, responses(
    (status = 200, description = "A cell for each score: the best play or the cube decision, and by how much", body = ScoreMatrix),
    (status = 400, description = "An invalid ID, roll, play, size or depth", body = ErrorAnswer)))]
pub(super) async fn scores(
    State(app): State<Arc<App>>,
    Body(request): Body<ScoresRequest>,
) -> Result<Json<ScoreMatrix>, ApiError> {
    let question = read_question(&request.id, request.dice.as_deref())?;
    let plies = many_at(request.ply, defaults::scores_ply(), "score matrices")?;
    let engines = net(&app, request.net).await?;
    let awaited = WhileAwaited(Arc::new(Progress::default()));
    let progress = Arc::clone(&awaited.0);
    let work = move || {
        let options = MatrixOptions {
            away: Some(request.away.unwrap_or(defaults::away())),
            play: request.play.as_deref(),
        };
        let engine = engines.at(plies);
        if question.dice().is_some() {
            return ScoreMatrix::of(engine, &question, options, &progress);
        }
        let engine = engine.with_search_settings(SearchSettings::NORMAL).with_cube_plies(plies);
        ScoreMatrix::of(&engine, &question, options, &progress)
    };
    app.work.slow(work).await?.map(Json).map_err(|error| match error {
        MatrixError::Engine(error) => error.into(),
        error => ApiError::invalid(error.to_string()),
    })
}
