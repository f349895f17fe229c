//! A decision: its board seen by the player who decides, the alternatives and their values, and its
//! IDs.

use std::fmt::Write as _;

use super::scoreboard::chip;
use super::words::{anchor, class_name, cost_of, decision_of, loss_of, play_of, severity_name};
use crate::text::{decimal, escape};
use crate::{BoardDiagram, Chart, ReportError};
use nonet_engine::analysis::{
    AnalysedDecision, AnalysedPlay, Analysis, DecisionKind, RolledChoice, RolledOut, Severity,
};
use nonet_engine::backgammon::{CheckerMove, Position, Scoring, Seat};
use nonet_engine::stats::Z95;

/// The block of a decision, folded unless it is a mistake.
pub(super) fn decision_block(
    html: &mut String,
    prefix: &str,
    analysis: &Analysis,
    game: usize,
    index: usize,
) -> Result<(), ReportError> {
    let analysed = &analysis.decisions[index];
    let names = &analysis.game.header().names;
    let severity = analysed.severity();
    let open = if severity > Severity::Fine { " open" } else { "" };
    let id = anchor(prefix, game, index);
    let (said, better) = decision_of(analysed);
    let name = escape(&names[analysed.player.index()]);
    _ = write!(
        html,
        "<details class=\"d\" id=\"{id}\"{open}><summary><span class=\"no\">{}</span>{}{name} <b>{}</b>",
        analysed.number,
        chip(analysed.player),
        escape(&said)
    );
    if severity > Severity::Fine {
        _ = write!(
            html,
            " <span class=\"s{}\">{} {} {}</span>{} · better: {}",
            severity as u8,
            severity.symbol(),
            severity_name(severity),
            loss_of(analysed),
            after_comma(&cost_of(analysed)),
            escape(&better)
        );
    } else if analysed.loss() >= 0.0005 {
        _ = write!(html, " <span class=\"s0\">{}</span>", loss_of(analysed));
    }
    html.push_str("</summary>\n<div class=\"pair\"><figure>");
    picture(html, analysed, names)?;
    html.push_str("</figure>\n<div>");
    if let Some(rolled) = &analysed.rollout {
        _ = write!(html, "<p class=\"verdict\">{}</p>", rollout_words(rolled, analysed));
    }
    match &analysed.what {
        DecisionKind::Play(play) => plays(html, play, analysed.rollout.as_ref()),
        DecisionKind::CubeCall(_) => cube(html, analysed),
    }
    let state = analysed.state();
    _ = writeln!(
        html,
        "<p class=\"ids\"><b>XGID</b> {}<br><b>GNU position</b> {} <b>match</b> {}<br><b>kind of position</b> {}</p></div></div></details>",
        state.xgid(),
        state.position_id(),
        state.state.id(),
        class_name(analysed.class())
    );
    Ok(())
}

fn after_comma(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {text}") }
}

/// The board with a line about each player, the one who decides below.
fn picture(
    html: &mut String,
    analysed: &AnalysedDecision,
    names: &[String; 2],
) -> Result<(), ReportError> {
    let seat = analysed.player;
    let decides = analysed.on_roll() == seat;
    let (position, cube, scoring) = if decides {
        (analysed.position, analysed.cube, analysed.scoring)
    } else {
        (analysed.position.flipped(), analysed.cube.flipped(), analysed.scoring.flipped())
    };
    let (own, other) = (&names[seat.index()], &names[seat.other().index()]);
    let task = match &analysed.what {
        DecisionKind::Play(play) => format!("to play {}", play.dice),
        DecisionKind::CubeCall(call) if call.call.is_answer() => "was doubled: take?".to_owned(),
        DecisionKind::CubeCall(_) => "on roll: double?".to_owned(),
    };
    let mut board = BoardDiagram::new(position).seat(seat).cube(cube).shared();
    let color = if seat == Seat::X { "light" } else { "dark" };
    let pips = (position.pips(), position.opponent_pips());
    board = board.title(format!(
        "Board seen by {own}, who has the {color} checkers, {task}. {}. Pips {} to {}.",
        points_in_words(&position, own, other),
        pips.0,
        pips.1
    ));
    if let DecisionKind::Play(play) = &analysed.what {
        let steps = |index: usize| -> Vec<CheckerMove> {
            let after = play.plays[index].after();
            position.steps_to(play.dice, after).unwrap_or_default()
        };
        board = board.dice(play.dice).plays(steps(play.played), steps(0));
    } else if !decides {
        board = board.offered();
    }
    let (score, their_score) = match scoring {
        Scoring::Money { .. } => (String::new(), String::new()),
        Scoring::Match(score) => {
            let of = |points, away| {
                let crawford = if score.is_crawford() { ", Crawford game" } else { "" };
                format!(" · {points} of {}, {away} away{crawford}", score.length())
            };
            (of(score.own(), score.own_away()), of(score.opponent(), score.opponent_away()))
        }
    };
    let side = |seat: Seat, name: &str, pips: u16, score: &str, task: &str| {
        format!(
            "<div class=\"side\"><span>{}<b>{}</b>{task}</span><span class=\"small\">{pips} pips{score}</span></div>",
            chip(seat),
            escape(name)
        )
    };
    html.push_str(&side(seat.other(), other, pips.1, &their_score, ""));
    html.push_str(&board.render()?);
    html.push_str(&side(seat, own, pips.0, &score, &format!(" {task}")));
    if let DecisionKind::Play(play) = &analysed.what
        && play.played != 0
    {
        html.push_str(
            "<p class=\"small key\"><i></i>best play <i class=\"p\"></i>play that was made</p>",
        );
    }
    Ok(())
}

/// Where the checkers stand, for readers who do not see the picture.
fn points_in_words(position: &Position, own: &str, other: &str) -> String {
    let list = |position: &Position| {
        let points = (1..=25).rev().filter(|&point| position.own(point) > 0).map(|point| {
            let place = if point == 25 { "bar".to_owned() } else { point.to_string() };
            format!("{} on {place}", position.own(point))
        });
        points.collect::<Vec<_>>().join(", ")
    };
    format!("{own}: {}; {other}, as they count: {}", list(position), list(&position.flipped()))
}

const HEADS: [&str; 6] = ["", "equity", "loss", "win %", "g (bg)", "lose g (bg)"];

/// The best plays with their equities and chances; the one that was made is marked.
fn plays(html: &mut String, play: &AnalysedPlay, rollout: Option<&RolledOut>) {
    html.push_str("<div class=\"scroll\"><table class=\"plays\"><thead><tr>");
    for head in HEADS {
        let class = if head.is_empty() { "" } else { " class=\"n\"" };
        _ = write!(html, "<th scope=\"col\"{class}>{head}</th>");
    }
    html.push_str("</tr></thead><tbody>");
    if let Some(rolled) = rollout {
        let best = rolled.rows.first().map_or(0.0, |row| row.equity.mean);
        for row in &rolled.rows {
            let RolledChoice::Play(index) = row.choice else { continue };
            let name = format!("{} <small>rollout</small>", escape(&play_of(&play.plays[index])));
            let equity = format!(
                "{}<br><small>± {}</small>",
                decimal(row.equity.mean, 3),
                decimal(Z95 * row.equity.stderr, 3)
            );
            let loss = decimal(row.equity.mean - best, 3);
            table_row(html, &name, index == play.played, &equity, &loss, row.value.cumulative());
        }
    }
    for (place, scored) in play.plays.iter().enumerate() {
        let best = &play.plays[0];
        let note = if scored.rollout.is_some() {
            " <small>rollout</small>".to_owned()
        } else if scored.plies != best.plies || best.rollout.is_some() {
            format!(" <small>{}</small>", scored.plies)
        } else {
            String::new()
        };
        let name = format!("{}{note}", escape(&play_of(scored)));
        let equity = decimal(scored.equity.into(), 3);
        let loss = if place == 0 {
            String::new()
        } else {
            decimal(f64::from(scored.equity - play.plays[0].equity), 3)
        };
        table_row(html, &name, place == play.played, &equity, &loss, scored.value.cumulative());
    }
    _ = write!(
        html,
        "</tbody></table></div><p class=\"small\">{} legal play{}; luck of the roll {}</p>",
        play.legal,
        if play.legal == 1 { "" } else { "s" },
        super::words::signed(play.luck.into(), 3)
    );
}

fn table_row(
    html: &mut String,
    name: &str,
    made: bool,
    equity: &str,
    loss: &str,
    chances: [f32; 5],
) {
    let class = if made { " class=\"made\"" } else { "" };
    let mark = if made { "▸ " } else { "" };
    let note = if made { " <small>played</small>" } else { "" };
    _ = write!(
        html,
        "<tr{class}><td class=\"r\">{mark}{name}{note}</td><td class=\"n\">{equity}</td><td class=\"n\">{loss}</td>"
    );
    let [win, wg, wb, lg, lb] = chances.map(|chance| 100.0 * chance);
    _ = write!(
        html,
        "<td class=\"n\">{win:.1}</td><td class=\"n\">{wg:.1} ({wb:.1})</td><td class=\"n\">{lg:.1} ({lb:.1})</td>"
    );
    html.push_str("</tr>");
}

/// The values of the cube actions for the player on roll.
fn cube(html: &mut String, analysed: &AnalysedDecision) {
    let DecisionKind::CubeCall(call) = &analysed.what else { return };
    let decision = &call.decision;
    let in_match = matches!(analysed.scoring, Scoring::Match(_));
    let [win, wg, wb, lg, lb] = decision.cubeless.cumulative().map(|chance| 100.0 * chance);
    _ = write!(
        html,
        "<p class=\"verdict\">Right: <b>{}</b>.</p><div class=\"scroll\"><table class=\"plays\"><thead><tr><th></th>\
         <th class=\"n\">equity</th>{}</tr></thead><tbody>",
        escape(&decision.to_string()),
        if in_match { "<th class=\"n\">MWC</th>" } else { "" }
    );
    let rows = [
        ("no double", decision.no_double, RolledChoice::NoDouble),
        ("double, take", decision.double_take, RolledChoice::DoubleTake),
    ];
    let stderr = |choice| {
        let rows = analysed.rollout.as_ref().map(|rolled| &rolled.rows);
        let row = rows.and_then(|rows| rows.iter().find(|row| row.choice == choice));
        row.map_or_else(String::new, |row| {
            format!(" <small>± {}</small>", decimal(Z95 * row.equity.stderr, 3))
        })
    };
    let pass = ("double, pass", decision.double_pass, None);
    for (name, equity, choice) in
        rows.map(|(name, equity, choice)| (name, equity, Some(choice))).into_iter().chain([pass])
    {
        let error = choice.map_or_else(String::new, stderr);
        let mwc = if in_match {
            let chance = f64::from(100.0 * (analysed.even + equity * analysed.unit));
            format!("<td class=\"n\">{} %</td>", decimal(chance, 1))
        } else {
            String::new()
        };
        _ = write!(
            html,
            "<tr><td>{name}</td><td class=\"n\">{}{error}</td>{mwc}</tr>",
            decimal(equity.into(), 3)
        );
    }
    _ = write!(
        html,
        "</tbody></table></div><p class=\"small\">The player on roll wins {win:.1} % ({wg:.1} gammons, {wb:.1} backgammons) and loses \
         {lg:.1} % gammons, {lb:.1} % backgammons. Equities are those of the player on roll, on a cube at 1.</p>"
    );
}

/// What a rollout says, in words.
pub(super) fn rollout_words(rolled: &RolledOut, analysed: &AnalysedDecision) -> String {
    let games = rolled.rows.iter().map(|row| row.equity.n).max().unwrap_or(rolled.games);
    let before = decimal(rolled.searched_loss.into(), 3);
    let verdict = if analysed.loss() == 0.0 {
        "it finds no loss".to_owned()
    } else {
        let half = decimal(Z95 * rolled.lost.stderr, 3);
        format!("it loses {} ± {half}", decimal(analysed.loss().into(), 3))
    };
    format!(
        "<b>Rolled out</b>, {games} games each, 95 % intervals: {verdict}. The search had found {before}."
    )
}
