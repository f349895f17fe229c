//! The OpenAPI 3.1 document.

use axum::http::header;
use axum::response::IntoResponse;
use utoipa::OpenApi;

use super::{analyses, bot_page, matches, positions, rollouts, runs, wildbg};

/// The API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "nonet",
        description = "Backgammon by nine specialist networks. Answers about positions are those of the commands with --json. Equities are in \
                       points on a cube at 1, chances 0..1, and 1-ply is the static evaluation of every legal result."
    ),
    paths(
        positions::moves,
        positions::evaluate,
        positions::hint,
        positions::hints,
        positions::cube,
        positions::rolls,
        positions::inputs,
        positions::nets,
        rollouts::rollout,
        matches::list,
        matches::begin,
        matches::show,
        matches::act,
        matches::hint,
        matches::record,
        matches::review,
        analyses::list,
        analyses::upload,
        analyses::of_match,
        analyses::show,
        analyses::export,
        analyses::remove,
        runs::list,
        runs::begin,
        runs::show,
        runs::stop,
        runs::resume,
        runs::report,
        bot_page::show,
        wildbg::evaluation,
        wildbg::best_moves,
    )
)]
struct Document;

/// The OpenAPI 3.1 document of the API.
///
/// # Panics
/// Never: the document has string keys alone.
#[must_use]
#[allow(clippy::expect_used, reason = "the document has string keys alone")]
pub fn openapi_json() -> String {
    Document::openapi().to_pretty_json().expect("the document has string keys alone")
}

/// The OpenAPI 3.1 document.
pub(super) async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json())
}
