//! What differs on the two boards, as rows of a table.

use serde::Serialize;

use super::WhyFacts;
use super::words::Said;

/// A count that differs on the two boards. Of `7 : 8` the first is the player's who moved, the
/// second the opponent's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyRow {
    /// What is counted.
    #[cfg_attr(feature = "openapi", schema(example = "pips"))]
    pub what: String,
    /// The same apart from the language.
    pub said: Said,
    /// After the better play.
    #[cfg_attr(feature = "openapi", schema(example = "158 : 167"))]
    pub better: String,
    /// After the other.
    #[cfg_attr(feature = "openapi", schema(example = "159 : 167"))]
    pub worse: String,
}

/// While more checkers than these are outside, and some can still be hit, they are not counted.
const FEW: u8 = 4;

/// The rows that differ. In a race those are left out that tell of contact.
pub(super) fn rows(better: &WhyFacts, worse: &WhyFacts) -> Vec<WhyRow> {
    let both = [better, worse];
    let has_contact = both.iter().any(|facts| facts.contact);
    let are_home = both.iter().all(|facts| facts.outside == 0);
    let is_coming_home = !has_contact || both.iter().any(|facts| facts.outside <= FEW);
    let mut rows = Vec::new();
    let mut row = |kind: &str, is_told: bool, cell: &dyn Fn(&WhyFacts) -> String| {
        let [better, worse] = both.map(cell);
        if is_told && better != worse {
            let said = Said::new(kind);
            rows.push(WhyRow { what: said.in_english(), said, better, worse });
        }
    };
    row("row-shots", has_contact, &|facts| facts.shots.to_string());
    row("row-blots", has_contact, &|facts| list(&facts.blots));
    row("row-escapes", has_contact, &|facts| facts.escapes.to_string());
    row("row-on-bar", has_contact, &|facts| pair(facts.on_bar));
    row("row-home-points", has_contact, &|facts| pair(facts.home_points));
    row("row-block", has_contact, &|facts| pair(facts.longest_block));
    row("row-anchors", has_contact, &|facts| list(&facts.anchors));
    row("row-builders", has_contact, &|facts| builders(&facts.builders));
    row("row-back", true, &|facts| pair(facts.back));
    row("row-pips", true, &|facts| pair(facts.pips));
    row("row-off", true, &|facts| pair(facts.off));
    row("row-outside", is_coming_home, &|facts| facts.outside.to_string());
    row("row-pips-home", is_coming_home, &|facts| facts.pips_home.to_string());
    row("row-stack", true, &|facts| facts.highest_stack[0].to_string());
    row("row-home", !has_contact || are_home, &|facts| list(&facts.home));
    row("row-gaps", !has_contact || are_home, &|facts| list(&facts.gaps));
    row("row-rear", has_contact && are_home, &|facts| list(&facts.rear));
    row("row-next-blots", both.iter().all(|facts| facts.next_blots.is_some()), &|facts| {
        facts.next_blots.unwrap_or(0).to_string()
    });
    row("row-wasted", true, &|facts| facts.wasted.map(|n| format!("{n:.1}")).unwrap_or_default());
    rows
}

/// `7 : 8`.
fn pair([yours, theirs]: [impl ToString; 2]) -> String {
    format!("{} : {}", yours.to_string(), theirs.to_string())
}

/// `24 10`, or a dash.
fn list(numbers: &[u8]) -> String {
    let words: Vec<String> = numbers.iter().map(u8::to_string).collect();
    if words.is_empty() { "–".to_owned() } else { words.join(" ") }
}

/// `7: 4, 4: 5`: the points 7 to 3 that have builders.
fn builders(counts: &[u8; 5]) -> String {
    let some = (3..=7).rev().zip(counts).filter(|(_, count)| **count > 0);
    let words: Vec<String> = some.map(|(point, count)| format!("{point}: {count}")).collect();
    if words.is_empty() { "–".to_owned() } else { words.join(", ") }
}
