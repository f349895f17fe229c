//! Answers of an engine in words and as JSON.

use nonet::answer::OutcomeChances;
use nonet::backgammon::MatchState;

/// The five customary numbers, cumulative, in per cent: wins, gammons and backgammons won, gammons
/// and backgammons lost.
pub(crate) fn percent(chances: &OutcomeChances) -> String {
    let OutcomeChances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
    let [w, wg, wb, lg, lb] = [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]
        .map(|chance| 100.0 * chance);
    format!("{w:5.1} {wg:5.1} {wb:5.1} - {:5.1} {lg:5.1} {lb:5.1}", 100.0 - w)
}

/// The class of a position, and what evaluates it where that is not the net of the class.
pub(crate) fn evaluated_by(class: &str, source: &str) -> String {
    if class == source { class.to_owned() } else { format!("{class} ({source})") }
}

/// Why there is no cube decision after a beaver.
pub(crate) const CUBE_TURNED: &str =
    "beavers and raccoons have turned the cube already; give the position before the double";

/// An answer as one line of JSON.
pub(crate) fn json_line(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("answers have string keys and finite numbers") + "\n"
}

/// Cube and score in a line.
pub(crate) fn in_words(state: &MatchState) -> String {
    state.to_string()
}
