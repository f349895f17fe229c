//! Why one play is better than another, and why to double or not.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use nonet_report::answer::{WhyAnswer, WhyCubeAnswer, WhyError, read_id, read_question};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::positions::{many_at, net};

/// Asks why the best play is better than another.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// The roll, as `31`, unless the ID has one.
    #[schema(example = "31")]
    dice: Option<String>,
    /// The play to compare the best one with; by default the second best.
    #[schema(example = "24/23 13/10")]
    instead: Option<String>,
    /// A play in place of the best one, such as that of a rollout; needs `instead`. The answer's
    /// `better` is the one of the two that the search prefers.
    better: Option<String>,
    /// Depth of the search in plies, 1..=3.
    #[schema(default = defaults::ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    net: Option<String>,
}

/// Why the best play is better than another: sentences, and the numbers that they follow from.
#[utoipa::path(post, path = "/api/v1/why", tag = "positions", request_body = WhyRequest, responses(
    (status = 200, description = "The two plays, the opponent's rolls, the boards and themes", body = WhyAnswer),
    (status = 400, description = "An invalid ID, roll, play or depth, or one legal play", body = ErrorAnswer)))]
pub(super) async fn why(
    State(app): State<Arc<App>>,
    Body(request): Body<WhyRequest>,
) -> Result<Json<WhyAnswer>, ApiError> {
    let question = read_question(&request.id, request.dice.as_deref())?;
    let plies = many_at(request.ply, defaults::ply(), "comparisons")?;
    let engines = net(&app, request.net).await?;
    let WhyRequest { instead, better, .. } = request;
    if better.is_some() && instead.is_none() {
        return Err(ApiError::invalid("better needs instead: give both plays to compare"));
    }
    let work = move || match (better.as_deref(), instead.as_deref()) {
        (Some(better), Some(instead)) => {
            WhyAnswer::between(engines.at(plies), &question, [better, instead])
        }
        (_, instead) => WhyAnswer::of(engines.at(plies), &question, instead),
    };
    let done = match plies.get() {
        1 | 2 => app.work.quick(work).await?,
        _ => app.work.slow(work).await?,
    };
    done.map(Json).map_err(|error| match error {
        WhyError::Engine(error) => error.into(),
        error => ApiError::invalid(error.to_string()),
    })
}

/// Asks why to double or not.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyCubeRequest {
    /// Position ID, GNU ID or XGID; its player on roll may double.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// Depth of the decision in plies, 1..=3.
    #[schema(default = defaults::ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    net: Option<String>,
}

/// Why to double or to wait, to take or to pass: sentences, and the numbers that they follow from.
#[utoipa::path(post, path = "/api/v1/why/cube", tag = "positions", request_body = WhyCubeRequest, responses(
    (status = 200, description = "The decision, the rolls that lose the market, and what would change it", body = WhyCubeAnswer),
    (status = 400, description = "An invalid ID or depth", body = ErrorAnswer)))]
pub(super) async fn why_cube(
    State(app): State<Arc<App>>,
    Body(request): Body<WhyCubeRequest>,
) -> Result<Json<WhyCubeAnswer>, ApiError> {
    let question = read_id(&request.id)?;
    let plies = many_at(request.ply, defaults::ply(), "comparisons")?;
    let engines = net(&app, request.net).await?;
    let work = move || {
        let engine = engines.at(plies).with_cube_plies(plies);
        WhyCubeAnswer::of(&engine, &question)
    };
    Ok(Json(app.work.slow(work).await??))
}
