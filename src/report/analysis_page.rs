//! The page of an analysed match: a summary of both players, every decision, and the mistakes with their boards.

use super::text::decimal;
use super::{BoardDiagram, HtmlTable, Page, ReportError};
use crate::analysis::{
    AnalysedCubeCall, AnalysedDecision, AnalysedPlay, Analysis, CubeCall, DecisionKind, Severity,
    Summary,
};
use crate::backgammon::record::RecordedGame;
use crate::backgammon::{Scoring, Seat};
use crate::engine::ScoredMove;

/// The totals of each player over all games; the names of the first game identify the players.
#[must_use]
pub fn summaries(games: &[Analysis]) -> [Summary; 2] {
    Seat::BOTH.map(|player| {
        games.iter().fold(Summary::default(), |sum, game| sum.plus(&game.summary(player)))
    })
}

/// The score before a game, in words.
#[must_use]
pub fn score_of(game: &RecordedGame) -> String {
    let [a, b] = &game.header().names;
    match game.header().scoring {
        Scoring::Money { .. } => format!("{a} against {b}, money"),
        Scoring::Match(score) => {
            let crawford = if score.is_crawford() { ", Crawford game" } else { "" };
            format!(
                "{a} {}, {b} {}, match to {}{crawford}",
                score.own(),
                score.opponent(),
                score.length()
            )
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

fn number(value: Option<f32>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| decimal(value.into(), decimals))
}

/// The page; `facts` are the table of settings at its top.
///
/// # Errors
/// [`ReportError`] if a board cannot be drawn.
pub fn analysis_page(
    title: &str,
    games: &[Analysis],
    facts: &[(&str, String)],
) -> Result<Page, ReportError> {
    let mut page = Page::new(title).facts(facts.iter().map(|(name, value)| (*name, value)));
    if let Some(first) = games.first() {
        page = page.heading("Summary").table(&overview(games, &first.game.header().names));
    }
    for (number, analysis) in (1..).zip(games) {
        let names = &analysis.game.header().names;
        page = page.heading(format!("Game {number}: {}", score_of(&analysis.game)));
        page = page.table(&all_decisions(analysis));
        for analysed in
            analysis.decisions.iter().filter(|analysed| analysed.severity() > Severity::Fine)
        {
            page = mistake(page, analysed, &names[analysed.player.index()])?;
        }
    }
    Ok(page)
}

fn overview(games: &[Analysis], names: &[String; 2]) -> HtmlTable {
    let headers = [
        "",
        "decisions",
        "PR",
        "error rate",
        "lost by plays",
        "lost by the cube",
        "?!",
        "?",
        "??",
        "luck",
    ];
    let mut table = HtmlTable::new(headers).caption(
        "PR is 500, the error rate 1000 times the mean loss of a decision in points on a cube at 1; ?! doubtful from \
         0.04, ? bad from 0.08, ?? very bad from 0.16. Luck in points per game, at 1-ply without the cube.",
    );
    for (name, summary) in names.iter().zip(summaries(games)) {
        let [doubtful, bad, very_bad] = summary.mistakes.map(|n| n.to_string());
        table = table.row([
            name.clone(),
            (summary.plays + summary.calls).to_string(),
            number(summary.pr(), 2),
            number(summary.error_rate(), 1),
            decimal(summary.play_loss.into(), 3),
            decimal(summary.call_loss.into(), 3),
            doubtful,
            bad,
            very_bad,
            decimal(summary.luck.into(), 3),
        ]);
    }
    table
}

fn all_decisions(analysis: &Analysis) -> HtmlTable {
    let mut table = HtmlTable::new(["roll", "player", "", "played", "loss", "", "better", "luck"]);
    for analysed in &analysis.decisions {
        let name = analysis.game.header().names[analysed.player.index()].clone();
        let mark = analysed.severity().symbol().to_owned();
        let loss = if analysed.loss() >= 0.0005 {
            decimal(analysed.loss().into(), 3)
        } else {
            String::new()
        };
        table = match &analysed.what {
            DecisionKind::CubeCall(call)
                if call.call == CubeCall::NoDouble && analysed.loss() == 0.0 =>
            {
                table
            }
            DecisionKind::CubeCall(call) => {
                let better = if analysed.loss() > 0.0 { right_call(call) } else { String::new() };
                let said = call.call.name().to_owned();
                table.row([
                    analysed.number.to_string(),
                    name,
                    String::new(),
                    said,
                    loss,
                    mark,
                    better,
                ])
            }
            DecisionKind::Play(play) => {
                let better =
                    if play.loss >= 0.0005 { play_of(&play.plays[0]) } else { String::new() };
                table.row([
                    analysed.number.to_string(),
                    name,
                    play.dice.to_string(),
                    play_of(&play.plays[play.played]),
                    loss,
                    mark,
                    better,
                    decimal(play.luck.into(), 3),
                ])
            }
        };
    }
    table
}

/// A mistake with its board and the better alternatives.
fn mistake(page: Page, analysed: &AnalysedDecision, name: &str) -> Result<Page, ReportError> {
    let (mark, loss) = (analysed.severity().symbol(), decimal(analysed.loss().into(), 3));
    let board = BoardDiagram::new(analysed.position).cube(analysed.cube);
    match &analysed.what {
        DecisionKind::Play(play) => {
            let played = play_of(&play.plays[play.played]);
            let words = format!(
                "Roll {}, {name}: {} played {played} {mark} loses {loss}",
                analysed.number, play.dice
            );
            let page = page.subheading(words).picture(&board.dice(play.dice))?;
            Ok(page.table(&ranked(play)))
        }
        DecisionKind::CubeCall(call) => {
            let said = call.call.name();
            let words = format!("Roll {}, {name}: {said} {mark} loses {loss}", analysed.number);
            let decision = &call.decision;
            let right = right_call(call);
            let right =
                format!("{right}. Equities of the player on roll, in points on a cube at 1:");
            let table = HtmlTable::new(["", "equity"])
                .row(["no double".to_owned(), decimal(decision.no_double.into(), 3)])
                .row(["double, take".to_owned(), decimal(decision.double_take.into(), 3)])
                .row(["double, pass".to_owned(), decimal(decision.double_pass.into(), 3)]);
            Ok(page.subheading(words).picture(&board)?.paragraph(right).table(&table))
        }
    }
}

fn ranked(play: &AnalysedPlay) -> HtmlTable {
    let headers = ["", "play", "equity", "loss", "ply", "win", "gammon", "bg", "lose gammon", "bg"];
    let mut table = HtmlTable::new(headers);
    for (place, scored) in play.plays.iter().enumerate() {
        let [win, wg, wb, lg, lb] = scored.value.cumulative().map(|p| format!("{:.1}", 100.0 * p));
        table = table.row([
            if place == play.played { "played".to_owned() } else { String::new() },
            play_of(scored),
            decimal(scored.equity.into(), 3),
            decimal((play.plays[0].equity - scored.equity).max(0.0).into(), 3),
            scored.plies.get().to_string(),
            win,
            wg,
            wb,
            lg,
            lb,
        ]);
    }
    table
}
