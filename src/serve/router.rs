//! Which address is answered by what.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::error::ApiError;
use super::{
    App, analyses, assets, bot_page, games, guard, matches, openapi, panics, positions, rollouts,
    runs, wildbg,
};

/// Everything that the server answers.
pub fn router(app: Arc<App>) -> Router {
    let limits = app.config.limits;
    let patience = Duration::from_secs(limits.seconds);
    let questions = Router::new()
        .route("/moves", post(positions::moves))
        .route("/evaluate", post(positions::evaluate))
        .route("/hint", post(positions::hint))
        .route("/hints", post(positions::hints))
        .route("/cube", post(positions::cube))
        .route("/rolls", post(positions::rolls))
        .route("/inputs", post(positions::inputs))
        .route("/nets", get(positions::nets))
        .route("/rollout", post(rollouts::rollout))
        .route("/game", post(games::play))
        .route("/matches", get(matches::list).post(matches::begin))
        .route("/matches/{id}", get(matches::show))
        .route("/matches/{id}/actions", post(matches::act))
        .route("/matches/{id}/hint", get(matches::hint))
        .route("/matches/{id}/record", get(matches::record))
        .route("/matches/{id}/review", get(matches::review))
        .route("/matches/{id}/analysis", post(analyses::of_match))
        .route("/analyses", get(analyses::list))
        .route("/analyses/{id}", get(analyses::show).delete(analyses::remove))
        .route("/analyses/{id}/{file}", get(analyses::export))
        .route("/runs", get(runs::list).post(runs::begin))
        .route("/runs/{name}", get(runs::show))
        .route("/runs/{name}/stop", post(runs::stop))
        .route("/runs/{name}/resume", post(runs::resume))
        .route("/runs/{name}/report", get(runs::report))
        .route("/bot", get(bot_page::show))
        .route("/openapi.json", get(openapi::document))
        .layer(RequestBodyLimitLayer::new(limits.body));
    let uploads = Router::new()
        .route("/analyses", post(analyses::upload))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(limits.upload));
    let api = questions.merge(uploads).fallback(unknown).method_not_allowed_fallback(not_allowed);
    let served = Router::new()
        .nest("/api/v1", api)
        .route("/move", get(wildbg::best_moves))
        .route("/eval", get(wildbg::evaluation))
        .merge(assets::pages())
        .layer(from_fn_with_state(patience, in_time))
        .layer(RequestBodyTimeoutLayer::new(patience))
        .layer(CompressionLayer::new());
    panics::caught(served).layer(from_fn_with_state(Arc::clone(&app), guard::guard)).with_state(app)
}

/// Gives up a request that has no answer after some time; the client should not wait for ever.
async fn in_time(State(patience): State<Duration>, request: Request, next: Next) -> Response {
    tokio::time::timeout(patience, next.run(request)).await.unwrap_or_else(|_| {
        let message = format!("no answer within {} seconds: ask for less", patience.as_secs());
        ApiError::new(StatusCode::GATEWAY_TIMEOUT, message).into_response()
    })
}

async fn unknown() -> ApiError {
    ApiError::missing("there is nothing at this address: /api/v1/openapi.json lists what there is")
}

async fn not_allowed() -> ApiError {
    let message =
        "this address does not answer this method: /api/v1/openapi.json lists what it answers";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}
