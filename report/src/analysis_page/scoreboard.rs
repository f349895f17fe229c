//! The table at the head of a match: result, PR, losses and luck of both players.

use std::fmt::Write as _;

use super::words::signed;
use crate::text::{decimal, escape};
use nonet_engine::analysis::{
    Analysis, PlayerRating, Summary, Tally, final_score, luck_adjusted, summaries,
};
use nonet_engine::backgammon::Seat;

/// A round mark in the colour of a player's checkers.
pub(super) const fn chip(seat: Seat) -> &'static str {
    match seat {
        Seat::X => "<span class=\"chip x\" title=\"light checkers\"></span>",
        Seat::O => "<span class=\"chip o\" title=\"dark checkers\"></span>",
    }
}

/// The PR of each player with its interval and word.
pub(super) fn rating_cell(tally: &Tally) -> String {
    let Some(pr) = tally.pr() else { return "–".to_owned() };
    let least = PlayerRating::LEAST_DECISIONS;
    let word = if tally.decisions < least {
        format!("<small>no title yet: {} of {least} decisions</small>", tally.decisions)
    } else {
        PlayerRating::of(pr.mean as f32).name().to_owned()
    };
    let interval = match pr.interval95() {
        (low, high) if high.is_finite() => {
            let low = decimal(low.max(0.0), 1);
            format!("<br><small>95 %: {low} to {}</small>", decimal(high, 1))
        }
        _ => String::new(),
    };
    format!("<span class=\"big\">{}</span> {word}{interval}", decimal(pr.mean, 1))
}

/// Both players' figures.
pub(super) fn scoreboard(games: &[Analysis], names: &[String; 2]) -> String {
    let score = final_score(games);
    let sides = summaries(games);
    let in_match = score.length.is_some();
    let cost = |loss: f32, cost: f32| {
        let (loss, cost) = (decimal(loss.into(), 3), f64::from(cost));
        let unit = if in_match {
            format!("{} % MWC", decimal(100.0 * cost, 1))
        } else {
            format!("{} points", decimal(cost, 2))
        };
        format!("{loss}<br><small>{unit}</small>")
    };
    let luck = |summary: &Summary| {
        let utility = f64::from(summary.luck_utility);
        let unit = if in_match {
            format!("{} % MWC", signed(100.0 * utility, 1))
        } else {
            format!("{} points", signed(utility, 2))
        };
        format!("{}<br><small>{unit}</small>", signed(summary.luck.into(), 3))
    };
    let adjusted = luck_adjusted(games).map(|x| {
        let x = f64::from(x);
        Seat::BOTH.map(|seat| match (in_match, seat) {
            (true, Seat::X) => format!("{} %", decimal(100.0 * x, 0)),
            (true, Seat::O) => format!("{} %", decimal(100.0 * (1.0 - x), 0)),
            (false, Seat::X) => format!("{} points", signed(x, 2)),
            (false, Seat::O) => format!("{} points", signed(-x, 2)),
        })
    });
    let won = |seat: Seat| {
        let points = score.points[seat.index()];
        let word = if score.winner == Some(seat) { " <b class=\"good\">winner</b>" } else { "" };
        format!("<span class=\"big\">{points}</span>{word}")
    };
    let mistakes = |summary: &Summary| {
        let [a, b, c] = summary.mistakes;
        format!(
            "<span class=\"s3\">{c} ??</span> · <span class=\"s2\">{b} ?</span> · <span class=\"s1\">{a} ?!</span>"
        )
    };
    let both = |cell: &dyn Fn(Seat, &Summary) -> String| {
        Seat::BOTH.map(|seat| cell(seat, &sides[seat.index()]))
    };
    let points = if in_match { "score" } else { "points won" };
    let mut rows: Vec<(&str, [String; 2])> = vec![
        (points, both(&|seat, _| won(seat))),
        ("PR", both(&|seat, _| rating_cell(&Tally::of_player(games, seat)))),
        ("mistakes", both(&|_, side| mistakes(side))),
        ("lost by plays", both(&|_, side| cost(side.play_loss, side.cost[0]))),
        ("lost by the cube", both(&|_, side| cost(side.call_loss, side.cost[1]))),
        ("luck", both(&|_, side| luck(side))),
    ];
    if let Some(adjusted) = adjusted {
        rows.push(("result without luck", adjusted));
    }
    rows.push((
        "decisions",
        both(&|_, side| {
            format!("{} <small>plays</small>, {} <small>cube</small>", side.plays, side.calls)
        }),
    ));
    let mut html =
        String::from("<div class=\"scroll\"><table class=\"score\">\n<thead><tr><td></td>");
    for seat in Seat::BOTH {
        let name = escape(&names[seat.index()]);
        _ = write!(html, "<th scope=\"col\">{}{name}</th>", chip(seat));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (what, [x, o]) in rows {
        _ = writeln!(html, "<tr><th scope=\"row\">{what}</th><td>{x}</td><td>{o}</td></tr>");
    }
    html.push_str("</tbody></table></div>\n");
    html
}
