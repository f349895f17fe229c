//! What this server offers, for pages that show only what is there.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;

/// What a server offers.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ServerAnswer {
    /// The version of the program.
    version: &'static str,
    /// Whether it shows a bot: `serve --bot`.
    bot: bool,
    /// Whether it can train nets.
    trains: bool,
}

/// What this server offers.
#[utoipa::path(get, operation_id = "show_server", path = "/api/v1/server", tag = "server", responses(
    (status = 200, description = "What this server offers", body = ServerAnswer)))]
pub(super) async fn show(State(app): State<Arc<App>>) -> Json<ServerAnswer> {
    Json(ServerAnswer {
        version: env!("CARGO_PKG_VERSION"),
        bot: app.config.bot.is_some(),
        trains: app.config.program.is_some(),
    })
}
