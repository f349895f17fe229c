//! Which address is answered by what. What happens to requests whatever their address is in
//! `requests.rs`.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{get, post};

use crate::analysis::{analyses, decisions, library};
use crate::error::ApiError;
use crate::practice::{cards, draws, test_answers};
use crate::{
    App, about, play::course, play::games, play::matches, play::tutor, play::watched, positions,
    rollouts, scores, training::run_care, training::runs, why, wildbg,
};

/// Everything that the server answers.
pub(super) fn router(app: Arc<App>) -> Router {
    let limits = app.config.limits;
    let questions = Router::new()
        .route("/moves", post(positions::moves))
        .route("/evaluate", post(positions::evaluate))
        .route("/hint", post(positions::hint))
        .route("/hints", post(positions::hints))
        .route("/cube", post(positions::cube))
        .route("/rolls", post(positions::rolls))
        .route("/scores", post(scores::scores))
        .route("/why", post(why::why))
        .route("/why/cube", post(why::why_cube))
        .route("/inputs", post(positions::inputs))
        .route("/nets", get(positions::nets))
        .route("/rollout", post(rollouts::rollout))
        .route("/strengths", post(rollouts::strengths))
        .route("/game", post(games::play))
        .route("/watched-match", post(watched::play))
        .route("/matches", get(matches::list).post(matches::begin))
        .route("/matches/{id}", get(matches::show))
        .route("/matches/{id}/actions", post(matches::act))
        .route("/matches/{id}/hint", get(matches::hint))
        .route("/matches/{id}/judge", post(tutor::judge_action))
        .route("/matches/{id}/record", get(matches::record))
        .route("/matches/{id}/course", get(course::course))
        .route("/matches/{id}/analysis", post(analyses::of_match))
        .route("/analyses", get(analyses::list))
        .route("/analyses/{id}", get(analyses::show).delete(analyses::remove))
        .route("/analyses/{id}/{file}", get(analyses::export))
        .route("/analyses/{id}/again", post(analyses::again))
        .route("/analyses/{id}/notes", post(decisions::note))
        .route("/analyses/{id}/deeper", post(decisions::deeper))
        .route("/library", get(library::show))
        .route("/practice", get(cards::show))
        .route("/practice/answers", post(cards::answer))
        .route("/practice/matches", post(cards::take_up))
        .route("/practice/positions", post(draws::positions))
        .route("/practice/tests", post(draws::test))
        .route("/practice/tests/answers", post(test_answers::answer))
        .route("/runs", get(runs::list).post(runs::begin))
        .route("/runs/{name}", get(runs::show).delete(run_care::remove))
        .route("/runs/{name}/title", post(run_care::title))
        .route("/runs/{name}/stop", post(runs::stop))
        .route("/runs/{name}/resume", post(runs::resume))
        .route("/runs/{name}/report", get(runs::report))
        .route("/runs/{name}/net", get(runs::net))
        .route("/server", get(about::show));
    #[cfg(feature = "server")]
    let questions = questions
        .route("/bot", get(crate::bot_page::show))
        .route("/openapi.json", get(crate::openapi::document));
    let questions = questions.layer(DefaultBodyLimit::max(limits.body));
    let uploads = Router::new()
        .route("/analyses", post(analyses::upload))
        .layer(DefaultBodyLimit::max(limits.upload));
    let api = questions.merge(uploads).fallback(unknown).method_not_allowed_fallback(not_allowed);
    let all = Router::new()
        .nest("/api/v1", api)
        .route("/move", get(wildbg::best_moves))
        .route("/eval", get(wildbg::evaluation));
    // Without a server, whoever asks brings the pages.
    #[cfg(feature = "server")]
    let all = all.merge(crate::pages::pages()).merge(crate::pages::book());
    all.with_state(app)
}

async fn unknown() -> ApiError {
    ApiError::missing("there is nothing at this address: /api/v1/openapi.json lists what there is")
}

async fn not_allowed() -> ApiError {
    let message =
        "this address does not answer this method: /api/v1/openapi.json lists what it answers";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}
