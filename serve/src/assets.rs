//! The pages and their parts, compiled into the program. A debug build reads them from the sources
//! instead, if they are there.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::App;

/// A file of the folder `assets`, with its text.
type Asset = (&'static str, &'static str);

/// Names a file and embeds it.
macro_rules! asset {
    ($name:literal) => {
        ($name, include_str!(concat!("assets/", $name)))
    };
}

/// The pages by their addresses.
const PAGES: [(&str, Asset); 6] = [
    ("/", asset!("board.html")),
    ("/analyse", asset!("analyse.html")),
    ("/position", asset!("position.html")),
    ("/train", asset!("train.html")),
    ("/bot", asset!("bot.html")),
    ("/api", asset!("api.html")),
];

/// Their parts with their types.
const PARTS: [(&str, Asset); 13] = [
    (CSS, asset!("style.css")),
    (JS, asset!("api.js")),
    (JS, asset!("common.js")),
    (JS, asset!("board-svg.js")),
    (JS, asset!("moves.js")),
    (JS, asset!("chart.js")),
    (JS, asset!("board.js")),
    (JS, asset!("analyse.js")),
    (JS, asset!("position.js")),
    (JS, asset!("train.js")),
    (JS, asset!("bot.js")),
    (JS, asset!("api-page.js")),
    ("image/svg+xml", asset!("icon.svg")),
];

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// All pages and parts.
pub(super) fn pages() -> Router<Arc<App>> {
    let mut router = Router::new().route("/assets/{name}", get(part));
    for (address, asset) in PAGES {
        let page = move || async move {
            ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text(asset))
        };
        router = router.route(address, get(page));
    }
    router
}

async fn part(Path(name): Path<String>) -> Response {
    match PARTS.into_iter().find(|(_, asset)| asset.0 == name) {
        Some((kind, asset)) => ([(header::CONTENT_TYPE, kind)], text(asset)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn text((name, embedded): Asset) -> Cow<'static, str> {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src/assets");
    let read = || std::fs::read_to_string(std::path::Path::new(sources).join(name)).ok();
    match cfg!(debug_assertions).then(read).flatten() {
        Some(text) => text.into(),
        None => embedded.into(),
    }
}
