//! The pages and their parts, compiled into the program. A debug build reads them from the sources
//! instead, if they are there. `asset_list.rs` names them all: nothing else is served.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::asset_list::{Asset, BOOK, HEAD, MISSING, PAGES, PARTS};
use crate::App;

/// All pages and parts.
pub(crate) fn pages() -> Router<Arc<App>> {
    let mut router = Router::new().route("/assets/{*name}", get(part)).fallback(unknown);
    for &(address, asset) in PAGES {
        let page = move |headers: HeaderMap| async move { page(asset, &headers) };
        router = router.route(address, get(page));
    }
    router
}

async fn part(Path(name): Path<String>) -> Response {
    match PARTS.iter().find(|asset| asset.name == name) {
        Some(asset) => answer(*asset),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// An address without a page: people who follow a link see a page, programs the status alone.
async fn unknown(uri: Uri, headers: HeaderMap) -> Response {
    match uri.path().starts_with("/assets/") {
        true => StatusCode::NOT_FOUND.into_response(),
        false => missing(&headers),
    }
}

/// What is not there: a page for people, the status alone for programs.
pub(crate) fn missing(headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    match accepted.is_some_and(|kinds| kinds.contains("text/html")) {
        true => (StatusCode::NOT_FOUND, page(MISSING, headers)).into_response(),
        false => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Where the head of all pages stands in a page.
const SHARED_HEAD: &str = "<!-- head.html -->\n";

/// A page with the head of all pages.
///
/// It names all modules it needs. So a browser asks for them at once and not for one after the
/// other as it reads them. Words are asked for in the browser's first language; a person may have
/// chosen another.
fn page(asset: Asset, headers: &HeaderMap) -> Response {
    ([(header::CONTENT_TYPE, kind(asset.name))], html_of(asset, headers)).into_response()
}

/// A page of the book in the shell of all pages.
pub(crate) fn in_shell(contents: &str, text: &str, title: &str, headers: &HeaderMap) -> Response {
    let shell = html_of(BOOK, headers);
    let html = shell
        .replacen("<!-- title -->", title, 1)
        .replacen("<!-- contents -->", contents, 1)
        .replacen("<!-- text -->", text, 1);
    ([(header::CONTENT_TYPE, kind(BOOK.name))], html).into_response()
}

fn html_of(asset: Asset, headers: &HeaderMap) -> String {
    let head = bytes(HEAD);
    let html = String::from_utf8_lossy(&bytes(asset)).replacen(
        SHARED_HEAD,
        &String::from_utf8_lossy(&head),
        1,
    );
    let script = "<script type=\"module\" src=\"/assets/";
    let entry = html.split_once(script).and_then(|(_, rest)| rest.split_once('"'));
    let links = entry.map_or_else(String::new, |(entry, _)| {
        let link = |name| format!("<link rel=\"modulepreload\" href=\"/assets/{name}\">\n");
        let spoken = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let german = spoken.is_some_and(|spoken| spoken.to_ascii_lowercase().starts_with("de"));
        let words = modules_of(if german { "words/de.js" } else { "words/en.js" });
        modules_of(entry).into_iter().skip(1).chain(words).map(link).collect()
    });
    html.replacen(script, &format!("{links}{script}"), 1)
}

/// A module and those that it imports, directly or not.
fn modules_of(entry: &str) -> Vec<&'static str> {
    let part = |name: &str| PARTS.iter().find(|asset| asset.name == name);
    let mut found: Vec<&Asset> = part(entry).into_iter().collect();
    let mut at = 0;
    while let Some(asset) = found.get(at) {
        let text = bytes(**asset);
        let folder = asset.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = String::from_utf8_lossy(&text);
        // An import of many names takes several lines, and the path stands in the last one.
        let imports = ["import ", "} from "];
        for line in text.lines().filter(|line| imports.iter().any(|word| line.starts_with(word))) {
            let Some(path) = line.split('"').nth(1) else { continue };
            let name = match path.strip_prefix("../") {
                Some(path) => path.to_owned(),
                None => format!("{folder}/{}", path.trim_start_matches("./")),
            };
            found.extend(part(&name).filter(|new| found.iter().all(|old| old.name != new.name)));
        }
        at += 1;
    }
    found.into_iter().map(|asset| asset.name).collect()
}

fn answer(asset: Asset) -> Response {
    ([(header::CONTENT_TYPE, kind(asset.name))], bytes(asset)).into_response()
}

/// The type of a file by its name.
pub(crate) fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn bytes(asset: Asset) -> Cow<'static, [u8]> {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src/assets");
    let read = || std::fs::read(std::path::Path::new(sources).join(asset.name)).ok();
    match cfg!(debug_assertions).then(read).flatten() {
        Some(bytes) => bytes.into(),
        None => asset.bytes.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;
    use std::path::PathBuf;

    #[test]
    fn every_file_of_the_folder_is_served_and_has_a_type() {
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/assets"));
        let mut found = BTreeSet::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(&root).expect("inside").to_string_lossy();
                // What types are checked with is not for browsers.
                if !name.ends_with(".json") && !name.ends_with(".d.ts") {
                    found.insert(name.replace('\\', "/"));
                }
            }
        }
        let pages = PAGES.iter().map(|(_, asset)| asset).chain([&MISSING, &HEAD, &BOOK]);
        let listed: BTreeSet<String> =
            PARTS.iter().chain(pages).map(|asset| asset.name.to_owned()).collect();
        assert_eq!(listed, found);
        assert!(listed.iter().all(|name| kind(name) != "application/octet-stream"), "{listed:?}");
    }

    #[test]
    fn every_page_has_the_shared_head() {
        for page in PAGES.iter().map(|(_, asset)| asset).chain([&MISSING, &BOOK]) {
            let html = String::from_utf8_lossy(page.bytes);
            assert_eq!(html.matches(SHARED_HEAD).count(), 1, "{}", page.name);
        }
    }

    #[test]
    fn a_page_names_all_modules_that_it_needs_once() {
        let modules = modules_of("play/play.js");
        assert_eq!(modules.first(), Some(&"play/play.js"));
        let needed: BTreeSet<&str> = modules.iter().copied().collect();
        assert_eq!(needed.len(), modules.len());
        for name in ["board/look.js", "common/words.js", "common/api.js", "play/clock.js"] {
            assert!(needed.contains(name), "{name} is missing in {modules:?}");
        }
    }

    #[test]
    fn boards_of_browser_and_reports_have_one_look() {
        let module = include_str!("../assets/board/look.js");
        let json = module.split_once("export default ").expect("a module").1;
        let json = json.trim_end().trim_end_matches(';');
        assert_eq!(json, nonet_report::BOARD_LOOK.trim_end());
    }
}
