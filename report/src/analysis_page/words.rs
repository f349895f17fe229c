//! What the pages and the terminal say about games and decisions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::text::decimal;
use nonet_engine::analysis::{
    AnalysedCubeCall, AnalysedDecision, Analysis, CubeCall, DecisionGroup, DecisionKind, Severity,
    final_score,
};
use nonet_engine::backgammon::record::RecordedGame;
use nonet_engine::backgammon::{Scoring, Seat};
use nonet_engine::class::Class;
use nonet_engine::engine::ScoredMove;

/// What people call the positions of each class; the browser has the same names.
const CLASS_NAMES: &str = include_str!("../class_names.json");

#[allow(clippy::expect_used, reason = "a test reads the file")]
static NAMES: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(CLASS_NAMES).expect("class_names.json holds texts"));

/// What people call the positions of a class.
pub(super) fn class_name(class: Class) -> &'static str {
    NAMES.get(class.slug()).map_or(class.slug(), String::as_str)
}

/// The players and the length of a match or session, in words.
#[must_use]
pub fn title_of(games: &[Analysis]) -> String {
    let Some(first) = games.first() else { return "no games".to_owned() };
    let [a, b] = &first.game.header().names;
    match first.game.header().scoring {
        Scoring::Money { .. } => format!("{a} – {b}, money"),
        Scoring::Match(score) => format!("{a} – {b}, match to {}", score.length()),
    }
}

/// How a match or session ended, in words.
#[must_use]
pub fn result_of(games: &[Analysis]) -> String {
    let Some(first) = games.first() else { return String::new() };
    let names = &first.game.header().names;
    let score = final_score(games);
    let [x, o] = score.points;
    let (leader, other) = if o > x { (Seat::O, Seat::X) } else { (Seat::X, Seat::O) };
    let [more, less] = [leader, other].map(|seat| score.points[seat.index()]);
    let leader = &names[leader.index()];
    match (score.length, score.winner) {
        (Some(_), Some(winner)) => {
            let [won, lost] = [winner, winner.other()].map(|seat| score.points[seat.index()]);
            format!("{} wins {won} to {lost}", names[winner.index()])
        }
        (Some(_), None) => format!("not finished, {} {x}, {} {o}", names[0], names[1]),
        (None, _) if more == less => format!("even after {}", games_in_words(games.len())),
        (None, _) => {
            let s = if more - less == 1 { "" } else { "s" };
            format!("{leader} wins {} point{s} in {}", more - less, games_in_words(games.len()))
        }
    }
}

pub(super) fn games_in_words(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

/// The score before a game, in words.
#[must_use]
pub fn score_of(game: &RecordedGame) -> String {
    let [a, b] = &game.header().names;
    match game.header().scoring {
        Scoring::Money { .. } => format!("{a} against {b}, money"),
        Scoring::Match(score) => {
            let crawford = if score.is_crawford() { ", Crawford game" } else { "" };
            let (own, opponent, length) = (score.own(), score.opponent(), score.length());
            format!("{a} {own}, {b} {opponent}, match to {length}{crawford}")
        }
    }
}

/// A play in notation; "cannot move" if it is empty.
#[must_use]
pub fn play_of(scored: &ScoredMove) -> String {
    let play = scored.candidate.play.to_string();
    if play.is_empty() { "cannot move".to_owned() } else { play }
}

/// The correct cube action.
#[must_use]
pub fn right_call(call: &AnalysedCubeCall) -> String {
    call.decision.to_string()
}

/// A decision and the better one: "31: 24/23 13/10" and "8/5 6/5". A cube action names its right
/// one.
#[must_use]
pub fn decision_of(analysed: &AnalysedDecision) -> (String, String) {
    match &analysed.what {
        DecisionKind::Play(play) => {
            (format!("{}: {}", play.dice, play_of(play.made())), play_of(&play.plays[0]))
        }
        DecisionKind::CubeCall(call) => (call_name(call.call).to_owned(), right_call(call)),
    }
}

/// A cube action in words. Players pass a double; records call it a drop.
const fn call_name(call: CubeCall) -> &'static str {
    match call {
        CubeCall::Drop => "pass",
        call => call.name(),
    }
}

/// The kind of a decision in words.
pub(super) const fn group_name(group: DecisionGroup) -> &'static str {
    match group {
        DecisionGroup::Middle => "middle game",
        group => group.name(),
    }
}

/// The cost of a decision: "6.3 % MWC" in a match, "0.82 points" for money with a turned cube. It
/// is empty for money with the cube at 1, because the loss says the same.
#[must_use]
pub fn cost_of(analysed: &AnalysedDecision) -> String {
    match analysed.scoring {
        Scoring::Match(_) => format!("{} % MWC", decimal(f64::from(100.0 * analysed.cost()), 1)),
        Scoring::Money { .. } if analysed.unit == 1.0 => String::new(),
        Scoring::Money { .. } => format!("{} points", decimal(analysed.cost().into(), 2)),
    }
}

/// A word for a severity; empty for [`Severity::Fine`].
#[must_use]
pub const fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Fine => "",
        Severity::Doubtful => "doubtful",
        Severity::Bad => "bad",
        Severity::VeryBad => "very bad",
    }
}

/// The decisions marked as mistakes, the greatest loss first: the index of the game and that of the
/// decision in it. Losses are those on a cube at 1, by which mistakes are marked.
#[must_use]
pub fn worst_first(games: &[Analysis]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (game, analysis) in games.iter().enumerate() {
        let marked = |(index, analysed): (usize, &AnalysedDecision)| {
            (analysed.severity() > Severity::Fine).then_some((game, index))
        };
        all.extend(analysis.decisions.iter().enumerate().filter_map(marked));
    }
    let loss = |&(game, index): &(usize, usize)| games[game].decisions[index].loss();
    all.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    all
}

/// A loss with its sign, as in −0.412.
pub(super) fn loss_of(analysed: &AnalysedDecision) -> String {
    decimal((-analysed.loss()).into(), 3)
}

/// A number with its sign.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = decimal(value, decimals);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// The id of a decision on a page.
pub(super) fn anchor(prefix: &str, game: usize, index: usize) -> String {
    format!("{prefix}g{}d{index}", game + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_has_a_name_and_no_other() {
        let names: Vec<&str> = NAMES.keys().map(String::as_str).collect();
        let mut classes: Vec<&str> = Class::all().map(Class::slug).collect();
        classes.sort_unstable();
        assert_eq!(names, classes);
        assert!(Class::all().all(|class| !class_name(class).is_empty()));
    }
}
