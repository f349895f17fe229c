//! The page of an analysed match.

use std::fmt::Write as _;

use super::breakdown;
use super::decision_block::decision_block;
use super::match_chart::match_chart;
use super::scoreboard::{chip, scoreboard};
use super::style::STYLE;
use super::words::{
    anchor, cost_of, decision_of, loss_of, result_of, score_of, title_of, worst_first,
};
use crate::text::escape;
use crate::{BoardDiagram, Page, ReportError};
use nonet_engine::analysis::{Analysis, DecisionKind, PlayerRating, Severity};

/// How many mistakes the list at the top has.
const WORST: usize = 12;

/// The page of a match or session. It has the result, PR and luck, the worst mistakes and the
/// course of the match. Losses by kind of decision and class follow, then every decision with its
/// board. `facts` are the settings at its end.
///
/// # Errors
/// [`ReportError`] if a board cannot be drawn.
pub fn analysis_page(games: &[Analysis], facts: &[(&str, String)]) -> Result<Page, ReportError> {
    let mut page = Page::new(title_of(games)).style(STYLE);
    let Some(first) = games.first() else { return Ok(page.paragraph("There are no games.")) };
    let names = &first.game.header().names;
    let mut html = format!("<p class=\"lead\">{}</p>\n", escape(&result_of(games)));
    html.push_str("<nav aria-label=\"Parts of this page\"><a href=\"#worst\">Worst mistakes</a><a href=\"#course\">Course</a><a href=\"#kinds\">By kind</a>");
    for number in 1..=games.len() {
        _ = write!(html, "<a href=\"#game{number}\">Game {number}</a>");
    }
    html.push_str("</nav>\n");
    html.push_str(&BoardDiagram::shared_points());
    html.push_str(&scoreboard(games, names));
    html.push_str("<h2 id=\"worst\">Worst mistakes</h2>\n");
    html.push_str(&worst(games, "", WORST));
    let marked = worst_first(games).len();
    if marked > WORST {
        _ = writeln!(
            html,
            "<p class=\"small\">{} more are marked in the games below.</p>",
            marked - WORST
        );
    }
    html.push_str("<h2 id=\"course\">Course of the match</h2>\n");
    html.push_str(&match_chart(games, names));
    html.push_str("<h2 id=\"kinds\">By kind</h2>\n");
    html.push_str(&breakdown::of_match(games, names));
    for (game, analysis) in games.iter().enumerate() {
        _ = writeln!(
            html,
            "<h2 id=\"game{}\">Game {}: {}</h2>",
            game + 1,
            game + 1,
            escape(&score_of(&analysis.game))
        );
        if let Some((winner, points)) = analysis.game.won() {
            let s = if points == 1 { "" } else { "s" };
            let name = escape(&names[winner.index()]);
            _ = writeln!(html, "<p>{}{name} wins {points} point{s}.</p>", chip(winner));
        }
        for (index, analysed) in analysis.decisions.iter().enumerate() {
            // A double that no player would think of is no decision.
            let is_play = matches!(analysed.what, DecisionKind::Play(_));
            if is_play || analysed.counts() {
                decision_block(&mut html, "", analysis, game, index)?;
            }
        }
    }
    html.push_str("<h2>How to read this page</h2>\n");
    html.push_str(&explained());
    page = page.raw(&html);
    Ok(page.facts(facts.iter().map(|(name, value)| (*name, value))))
}

/// The mistakes of all games, the worst first, with links to their boards.
pub(super) fn worst(games: &[Analysis], prefix: &str, most: usize) -> String {
    let all = worst_first(games);
    if all.is_empty() {
        return no_mistakes();
    }
    let mut html = String::from("<ol class=\"worst\">\n");
    for &(game, index) in all.iter().take(most) {
        let analysed = &games[game].decisions[index];
        let names = &games[game].game.header().names;
        let (said, better) = decision_of(analysed);
        let severity = analysed.severity();
        let cost = cost_of(analysed);
        _ = writeln!(
            html,
            "<li><span class=\"s{}\">{} {}</span>{} {}{} <a href=\"#{}\">{}</a> <span class=\"small\">better: {} · game {}, turn {}{}</span></li>",
            severity as u8,
            severity.symbol(),
            loss_of(analysed),
            if cost.is_empty() { String::new() } else { format!(" <small>{cost}</small>") },
            chip(analysed.player),
            escape(&names[analysed.player.index()]),
            anchor(prefix, game, index),
            escape(&said),
            escape(&better),
            game + 1,
            analysed.number,
            if analysed.rollout.is_some() { ", rolled out" } else { "" }
        );
    }
    html.push_str("</ol>\n");
    html
}

/// What a page says instead of a list of mistakes, where there are none.
pub(super) fn no_mistakes() -> String {
    format!("<p>No decision lost {} points or more.</p>\n", Severity::Doubtful.limit())
}

/// What the words and numbers mean.
pub(super) fn explained() -> String {
    format!(
        "<p><b>Losses</b> are points on a cube at 1. MWC are match winning chances: what the loss is worth at that score and cube. \
         Marks: <span class=\"s1\">?! doubtful</span> from {}, <span class=\"s2\">? bad</span> from {}, \
         <span class=\"s3\">?? very bad</span> from {}.</p>\n\
         <p><b>PR</b> is 500 times the mean loss of a decision; forced plays and doubles that are far off do not count. Words after \
         eXtreme Gammon's scale (Wikipedia, “eXtreme Gammon”): {}. The interval is the 95 % one of the mean, as if decisions were \
         independent: one match tells little about a player.</p>\n\
         <p><b>Luck</b> is how much better the rolls were than the average roll, at 1-ply with the cube. The <b>result without \
         luck</b> is the result minus the luck of both players: an unbiased estimate of the winning chances (or of the points won by \
         skill), whose own noise can carry it below 0 or above 100 %.</p>\n\
         <p><b>Boards</b> are seen by the player who decides, whose checkers move to the lower right. g and bg are gammons and \
         backgammons, in per cent of all games. Plays with “1-ply” were not searched deeper.</p>\n",
        Severity::Doubtful.limit(),
        Severity::Bad.limit(),
        Severity::VeryBad.limit(),
        PlayerRating::scale()
    )
}
