//! The documentation in the browser: Markdown that the program has compiled in, as pages.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::assets::{in_shell, kind, missing};
use crate::{App, BookFile};

/// The contents of the book: headings and links to the other pages.
const CONTENTS: &str = "SUMMARY.md";
/// The page that is shown first.
const FIRST: &str = "introduction";

/// The pages of the book.
pub(crate) fn book() -> Router<Arc<App>> {
    Router::new()
        .route("/book", get(|| async { Redirect::permanent("/book/introduction") }))
        .route("/book/", get(|| async { Redirect::permanent("/book/introduction") }))
        .route("/book/{*name}", get(page))
}

async fn page(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let files = app.config.book;
    if let Some(picture) = files.iter().find(|file| file.name == name && !is_text(file.name)) {
        return ([(header::CONTENT_TYPE, kind(picture.name))], picture.bytes).into_response();
    }
    match text_of(files, &format!("{name}.md")) {
        Some(text) if name != CONTENTS.trim_end_matches(".md") => {
            let contents = text_of(files, CONTENTS).unwrap_or_default();
            in_shell(&html_of(contents), &html_of(text), &title_of(text), &headers)
        }
        _ => missing(&headers),
    }
}

fn is_text(name: &str) -> bool {
    name.ends_with(".md")
}

fn text_of(files: &'static [BookFile], name: &str) -> Option<&'static str> {
    let file = files.iter().find(|file| file.name == name)?;
    std::str::from_utf8(file.bytes).ok()
}

/// The first heading of a page.
fn title_of(text: &str) -> String {
    text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(FIRST).to_owned()
}

/// A page as HTML: headings have anchors, and links lead to other pages of the book.
fn html_of(text: &str) -> String {
    let mut events: Vec<Event> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    for at in 0..events.len() {
        if matches!(events[at], Event::Start(Tag::Heading { .. })) {
            let anchor = anchor_of(&events[at..]);
            if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                *id = Some(anchor.into());
            }
        }
    }
    // Of each link that is open, whether it leads into the book or to another site.
    let mut open = Vec::new();
    // Pictures of other folders are left out, with their descriptions.
    let mut is_left_out = false;
    let seen = events.into_iter().filter(move |event| {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => is_left_out = dest_url.starts_with(".."),
            Event::End(TagEnd::Image) if is_left_out => {
                is_left_out = false;
                return false;
            }
            _ => {}
        }
        !is_left_out
    });
    let events = seen.map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let address = address_of(&dest_url);
            open.push(address.is_some());
            match address {
                Some(address) => {
                    let dest_url = CowStr::from(address);
                    Event::Start(Tag::Link { link_type, dest_url, title, id })
                }
                None => Event::InlineHtml(elsewhere(&dest_url).into()),
            }
        }
        Event::End(TagEnd::Link) if open.pop() == Some(false) => {
            Event::InlineHtml("</span>".into())
        }
        event => event,
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

/// The anchor of a heading as mdBook makes it: its letters and digits, with hyphens for spaces.
fn anchor_of(events: &[Event]) -> String {
    let mut words = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            _ => {}
        }
    }
    let kept = words.trim().to_lowercase();
    kept.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

/// The address of a link: a page of the book, or another site; `None` for a file of the repository.
fn address_of(link: &str) -> Option<String> {
    if link.starts_with('#') || link.starts_with("https://") || link.starts_with("http://") {
        return Some(link.to_owned());
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, to)| (path, Some(to)));
    let page = path.strip_suffix(".md").filter(|page| !page.contains(".."))?;
    let mut address = format!("/book/{page}");
    if let Some(anchor) = anchor {
        let _ = write!(address, "#{anchor}");
    }
    Some(address)
}

/// The start of the text of a link to a file of the repository, which names the file.
fn elsewhere(link: &str) -> String {
    let path = link.trim_start_matches("../").split('#').next().unwrap_or_default();
    let path = path.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!("<span class=\"elsewhere\" title=\"{path}\">")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_and_files_of_the_repository_are_named() {
        let page = html_of(
            "# A & b\n\n[one](play.md#the-end), [two](../../reports/x.md) ![three](../x.png)",
        );
        assert!(page.contains("<h1 id=\"a--b\">"), "{page}");
        assert!(page.contains("<a href=\"/book/play#the-end\">one</a>"), "{page}");
        assert!(
            page.contains("<span class=\"elsewhere\" title=\"reports/x.md\">two</span>"),
            "{page}"
        );
        assert!(!page.contains("three"), "{page}");
    }
}
