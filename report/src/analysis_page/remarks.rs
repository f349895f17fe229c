//! What a reader adds to a page of an analysis: notes and rollouts, under their decisions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::words::anchor;
use crate::text::{decimal, escape};

/// Where a decision stands in an analysis, each from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RemarkPlace {
    /// The match in the upload; `None` on the page of a single match.
    pub of_match: Option<usize>,
    /// The game of the match.
    pub game: usize,
    /// The decision of the game.
    pub decision: usize,
}

/// A line of a rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct RemarkLine {
    /// The play or the cube action.
    pub name: String,
    /// Its equity.
    pub equity: f64,
    /// Half the 95 % interval of the equity.
    pub half: f64,
}

/// What a reader adds to a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// A note.
    Note(String),
    /// A rollout.
    Rollout {
        /// Games of each line.
        games: u64,
        /// The search depth of its plays.
        plies: u8,
        /// Its lines.
        lines: Vec<RemarkLine>,
    },
}

/// What begins the block of a decision on a page, up to its anchor.
pub(super) const BLOCK: &str = "<details class=\"d\" id=\"";
/// What ends it.
pub(super) const BLOCK_END: &str = "</div></div></details>";
/// What the remarks without a block come before.
pub(super) const LAST_PART: &str = "<h2>How to read this page</h2>";

impl RemarkPlace {
    fn anchor(self) -> String {
        let prefix = self.of_match.map_or_else(String::new, |of_match| format!("m{of_match}"));
        anchor(&prefix, self.game, self.decision)
    }

    fn in_words(self) -> String {
        let of_match = self.of_match.map_or_else(String::new, |n| format!("match {}, ", n + 1));
        format!("{of_match}game {}, decision {}", self.game + 1, self.decision + 1)
    }
}

/// The page with the remarks in the blocks of their decisions. Those about a decision without a
/// block stand before the last part of the page.
#[must_use]
pub fn with_remarks(page: &str, remarks: &[(RemarkPlace, Remark)]) -> String {
    let mut by_anchor: BTreeMap<String, Vec<&(RemarkPlace, Remark)>> = BTreeMap::new();
    for remark in remarks {
        by_anchor.entry(remark.0.anchor()).or_default().push(remark);
    }
    let mut html = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find(BLOCK) {
        let begin = at + BLOCK.len();
        let block = &rest[begin..];
        let name = &block[..block.find('"').unwrap_or(0)];
        let Some(own) = by_anchor.remove(name) else {
            html.push_str(&rest[..begin]);
            rest = block;
            continue;
        };
        // A block with a remark is unfolded.
        let head = begin + name.len() + 1;
        html.push_str(&rest[..head]);
        html.push_str(if rest[head..].starts_with('>') { " open" } else { "" });
        let end = head + rest[head..].find(BLOCK_END).unwrap_or(0);
        html.push_str(&rest[head..end]);
        own.iter().for_each(|(_, remark)| html.push_str(&in_html(remark)));
        rest = &rest[end..];
    }
    let split = rest.find(LAST_PART).unwrap_or(rest.len());
    html.push_str(&rest[..split]);
    if !by_anchor.is_empty() {
        html.push_str("<h2>Notes on other decisions</h2>\n");
        let mut others: Vec<_> = by_anchor.into_values().flatten().collect();
        others.sort_by_key(|(place, _)| *place);
        for (place, remark) in others {
            _ = write!(html, "<h3>{}</h3>{}", place.in_words(), in_html(remark));
        }
    }
    html.push_str(&rest[split..]);
    html
}

fn in_html(remark: &Remark) -> String {
    match remark {
        Remark::Note(text) => format!("<p class=\"note\"><b>Note</b> {}</p>", escape(text)),
        Remark::Rollout { games, plies, lines } => {
            let mut html = format!(
                "<div class=\"scroll\"><table class=\"plays\"><caption>Rollout in the browser, \
                 {games} games each, {plies}-ply</caption><thead><tr><th scope=\"col\"></th>\
                 <th scope=\"col\" class=\"n\">equity</th></tr></thead><tbody>"
            );
            for RemarkLine { name, equity, half } in lines {
                _ = write!(
                    html,
                    "<tr><td class=\"r\">{}</td><td class=\"n\">{} <small>± {}</small></td></tr>",
                    escape(name),
                    decimal(*equity, 3),
                    decimal(*half, 3)
                );
            }
            html.push_str("</tbody></table></div>");
            html
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<p>x</p><details class=\"d\" id=\"g1d0\"><p>one</p></div></div></details>\
        <details class=\"d\" id=\"g1d10\" open><p>two</p></div></div></details>\
        <h2>How to read this page</h2><p>end</p>";

    fn note(decision: usize, text: &str) -> (RemarkPlace, Remark) {
        (RemarkPlace { of_match: None, game: 0, decision }, Remark::Note(text.to_owned()))
    }

    #[test]
    fn a_remark_stands_in_the_block_of_its_decision() {
        assert_eq!(with_remarks(PAGE, &[]), PAGE);
        let page = with_remarks(PAGE, &[note(10, "<b>late</b>"), note(0, "early")]);
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
        assert!(page.contains("id=\"g1d0\" open>") && page.contains("id=\"g1d10\" open>"));
        assert!(place("one") < place("early") && place("early") < place("two"));
        assert!(place("two") < place("&lt;b&gt;late"), "text is no HTML");
        assert!(place("&lt;b&gt;late") < place("How to read"));
        assert!(!page.contains("other decisions"));
    }

    #[test]
    fn a_remark_without_a_block_stands_before_the_last_part() {
        let lines = vec![RemarkLine { name: "8/5 6/5".to_owned(), equity: 0.1234, half: 0.01 }];
        let rollout = Remark::Rollout { games: 1296, plies: 2, lines };
        let place = RemarkPlace { of_match: Some(1), game: 2, decision: 3 };
        let page = with_remarks(PAGE, &[(place, rollout)]);
        assert!(page.contains("<h3>match 2, game 3, decision 4</h3>"), "{page}");
        assert!(page.contains("1296 games each, 2-ply") && page.contains("8/5 6/5"), "{page}");
        assert!(page.find("other decisions") < page.find("How to read"));
        assert!(page.ends_with("<p>end</p>"));
        // A page without such a part has them at its end.
        assert!(with_remarks("<p>x</p>", &[note(0, "only")]).ends_with("only</p>"));
    }
}
