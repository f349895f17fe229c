//! All verdicts as one picture: a tile for each claim, a row for each experiment.

use std::fmt::Write;

use super::{JudgedRow, Outcome};

/// Letter and colour of each kind of [`Outcome::KINDS`]: Okabe and Ito's palette, and greys for
/// what is not judged. The letters tell the kinds apart without colours.
const LOOKS: [(&str, &str, &str); 8] = [
    ("A", "#009e73", "#ffffff"),
    ("D", "#d55e00", "#ffffff"),
    ("=", "#0072b2", "#ffffff"),
    ("?", "#f0c861", "#222222"),
    ("n", "#56b4e9", "#222222"),
    ("o", "#dddddd", "#222222"),
    ("-", "#eeeeee", "#222222"),
    ("x", "#bbbbbb", "#222222"),
];

const TILE: usize = 26;
const STEP: usize = 30;
const LEFT: usize = 240;
const MARGIN: usize = 24;

/// The picture as SVG. `rows` have the names of experiments, or of what tests a claim otherwise.
pub(super) fn picture(rows: &[(String, Vec<&JudgedRow>)]) -> String {
    let widest = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let width = (LEFT + widest * STEP + MARGIN).max(900);
    let all = || rows.iter().flat_map(|(_, row)| row);
    let kinds: Vec<(usize, usize)> = (0..LOOKS.len())
        .map(|kind| (kind, all().filter(|row| row.outcome.kind() == kind).count()))
        .filter(|(_, n)| *n > 0)
        .collect();
    let legend = kinds.len().div_ceil(3);
    let top = 80 + legend * STEP + 14;
    let height = top + rows.len() * STEP + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"16\">\n\
         <title>The papers' claims and their verdicts</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"46\" font-size=\"24\" font-weight=\"bold\" fill=\"#222222\">The papers' claims: one tile each</text>\n"
    );
    for (place, (kind, n)) in kinds.iter().enumerate() {
        let (x, y) = (MARGIN + place % 3 * 290, 72 + place / 3 * STEP);
        tile(&mut svg, (x, y), *kind, "");
        let name = Outcome::KINDS[*kind];
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" fill=\"#222222\">{n} {}</text>",
            x + TILE + 8,
            y + 19,
            escaped(name)
        );
    }
    for (place, (name, row)) in rows.iter().enumerate() {
        let y = top + place * STEP;
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#222222\">{}</text>",
            y + 19,
            escaped(name)
        );
        for (i, judged) in row.iter().enumerate() {
            tile(&mut svg, (LEFT + i * STEP, y), judged.outcome.kind(), &judged.says);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn tile(svg: &mut String, (x, y): (usize, usize), kind: usize, says: &str) {
    let (letter, fill, ink) = LOOKS[kind];
    let title = if says.is_empty() {
        String::new()
    } else {
        format!("<title>{}: {}</title>", escaped(says), escaped(Outcome::KINDS[kind]))
    };
    let _ = writeln!(
        svg,
        "<g>{title}<rect x=\"{x}\" y=\"{y}\" width=\"{TILE}\" height=\"{TILE}\" rx=\"4\" fill=\"{fill}\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{letter}</text></g>",
        x + TILE / 2,
        y + 19
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_has_one_tile_and_its_text_is_escaped() {
        let row = |says: &str, outcome| JudgedRow {
            says: says.to_owned(),
            paper: String::new(),
            place: String::new(),
            ours: String::new(),
            short: String::new(),
            outcome,
            p: None,
        };
        let (a, b) = (row("a < b & c", Outcome::Agrees), row("d", Outcome::CannotBe));
        let svg = picture(&[("one".to_owned(), vec![&a, &b]), ("two".to_owned(), vec![&a])]);
        assert!(svg.contains("a &lt; b &amp; c: agrees"));
        assert!(svg.contains(">2 agrees<") && svg.contains(">1 cannot be tested<"));
        // Three tiles, and two of the legend.
        assert_eq!(svg.matches("rx=\"4\"").count(), 5);
    }
}
