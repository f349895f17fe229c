//! What a person sees: the board and hints. Everything fits into 60 columns.

use nonet::analysis::Severity;
use nonet::backgammon::{CubeOwner, Scoring, Seat};
use nonet::cube::{Answer, BeaverDecision, CubeDecision};
use nonet::engine::ScoredMove;
use nonet::game::MatchSession;

use crate::cli::output::terminal::Terminal;

/// The board with the person's checkers as X, the score and the cube.
pub(super) fn board(session: &MatchSession, person: Seat, terminal: Terminal) -> String {
    let drawn = session.state().seen_by(person).to_string();
    let drawn = drawn.trim_end_matches("  X to play");
    let score = session.score();
    let (own, net) = (score[person.index()], score[person.other().index()]);
    let cube = session.cube(person);
    let owner = match cube.owner() {
        CubeOwner::Centred => "centred",
        CubeOwner::Own => "yours",
        CubeOwner::Opponent => "nonet's",
    };
    let scoring = scoring_in_words(session.scoring(person));
    format!(
        "\n{}\nYou {own}, nonet {net}, {scoring}; cube {} {owner}\n",
        terminal.checkers(drawn),
        cube.value()
    )
}

/// Money and its rules, or the length of the match.
pub(super) fn scoring_in_words(scoring: Scoring) -> String {
    match scoring {
        Scoring::Money { jacoby, beavers } => {
            let rule = |on: bool, name| if on { name } else { "" };
            format!("money{}{}", rule(jacoby, ", Jacoby"), rule(beavers, ", beavers"))
        }
        Scoring::Match(score) => {
            let game = if score.is_crawford() { ", Crawford game" } else { "" };
            format!("match to {}{game}", score.length())
        }
    }
}

/// A play in words.
pub(super) fn in_words(scored: &ScoredMove) -> String {
    let play = scored.play().to_string();
    if play.is_empty() { "cannot move".to_owned() } else { play }
}

/// The best plays, numbered.
pub(super) fn hints(plays: &[ScoredMove], shown: usize, terminal: Terminal) -> String {
    let best = plays.first().map_or(0.0, |play| play.equity);
    let mut text = format!(
        "    {:22} {:>6} {:>8} {:>5} {:>5} {:>5}\n",
        "", "equity", "loss", "win", "won g", "lost g"
    );
    let Some(mut plies) = plays.first().map(|play| play.plies) else { return text };
    for (n, play) in (1..).zip(plays.iter().take(shown)) {
        let [win, gammons, _, lost, _] = play.value.cumulative().map(|chance| 100.0 * chance);
        if plies != play.plies {
            plies = play.plies;
            text += &format!("    ---- at {plies} only ----\n");
        }
        let loss = if n == 1 { String::new() } else { format!("({:+.3})", play.equity - best) };
        let loss = terminal.severity(Severity::of(best - play.equity), &format!("{loss:>8}"));
        text += &format!(
            "{n:>2}. {:22} {:+.3} {loss} {win:5.1} {gammons:5.1} {lost:5.1}\n",
            in_words(play),
            play.equity
        );
    }
    text
}

/// A cube decision with its equities.
pub(super) fn cube_hint(decision: &CubeDecision) -> String {
    let word = if decision.redouble { "redouble" } else { "double" };
    format!(
        "  {decision}\n  no {word:<15} {:+.3}\n  {:<18} {:+.3}\n  {:<18} {:+.3}\n",
        decision.no_double,
        format!("{word}, take"),
        decision.double_take,
        format!("{word}, pass"),
        decision.double_pass
    )
}

/// The answer to a beaver with the equities of both answers, on the cube as it stands.
pub(super) fn beaver_hint(decision: &BeaverDecision) -> String {
    let best = if decision.answer() == Answer::Take { "Take" } else { "Pass" };
    let BeaverDecision { take, pass, .. } = decision;
    format!("  {best}\n  {:<18} {take:+.3}\n  {:<18} {pass:+.3}\n", "take", "pass")
}
