//! The course of a match: winning chances or equity after every decision, with links from the
//! mistakes.

use std::fmt::Write as _;

use super::words::{anchor, decision_of, loss_of};
use crate::text::escape;
use nonet_engine::analysis::{Analysis, Severity};
use nonet_engine::backgammon::{Scoring, Seat};

/// Both forms of the chart, of which the style of the page shows one: for screens, and for phones.
pub(super) fn match_chart(games: &[Analysis], names: &[String; 2]) -> String {
    if games.iter().all(|game| game.decisions.is_empty()) {
        return String::new();
    }
    let wide = drawn(games, names, "wide", (1000.0, 320.0));
    let narrow = drawn(games, names, "narrow", (380.0, 260.0));
    let [x, o] = [Seat::X, Seat::O].map(|seat| escape(&names[seat.index()]));
    let what = match games[0].game.header().scoring {
        Scoring::Match(_) => format!("Match winning chances of {x} after every decision"),
        Scoring::Money { .. } => {
            format!("Equity of {x} after every decision, in points on a cube at 1")
        }
    };
    format!(
        "<figure class=\"plot\"><figcaption class=\"small\">{what}, as the analysis sees it. Mistakes link to their boards: \
         circles are {x}'s, squares {o}'s; the larger, the worse.</figcaption>\n{wide}{narrow}</figure>\n"
    )
}

const LEFT: f64 = 46.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 24.0;

fn drawn(
    games: &[Analysis],
    names: &[String; 2],
    class: &str,
    (width, height): (f64, f64),
) -> String {
    let in_match = matches!(games[0].game.header().scoring, Scoring::Match(_));
    let all: usize = games.iter().map(|game| game.decisions.len()).sum();
    let values = games.iter().flat_map(|game| &game.decisions).map(|one| one.value_after(Seat::X));
    let (low, high) = if in_match {
        (0.0, 1.0)
    } else {
        let most = values.map(f32::abs).fold(1.0, f32::max).ceil().min(3.0);
        (-f64::from(most), f64::from(most))
    };
    let x = |n: f64| LEFT + (width - LEFT - RIGHT) * n / (all.max(2) - 1) as f64;
    let y = |value: f64| {
        let share = (value.clamp(low, high) - low) / (high - low);
        height - BOTTOM - (height - TOP - BOTTOM) * share
    };
    let title = match in_match {
        true => format!("Match winning chances of {} over the match", names[0]),
        false => format!("Equity of {} over the games", names[0]),
    };
    let mut svg = format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{}</title>",
        escape(&title)
    );
    let ticks: Vec<f64> = if in_match {
        vec![0.0, 0.25, 0.5, 0.75, 1.0]
    } else {
        (low as i32..=high as i32).map(f64::from).collect()
    };
    for tick in ticks {
        let label = if in_match { format!("{:.0} %", 100.0 * tick) } else { format!("{tick:+.0}") };
        let middle = (tick - f64::midpoint(low, high)).abs() < 1e-9;
        let (color, wide) = if middle { ("var(--soft)", 1.5) } else { ("var(--line)", 1.0) };
        _ = write!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"{color}\" stroke-width=\"{wide}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            width - RIGHT,
            LEFT - 6.0,
            y(tick) + 4.0,
            at = y(tick)
        );
    }
    let mut begin = 0usize;
    let mut marks = String::new();
    let mut last_label = f64::NEG_INFINITY;
    for (number, game) in games.iter().enumerate() {
        if game.decisions.is_empty() {
            continue;
        }
        let at = x(begin as f64);
        if begin > 0 {
            _ = write!(
                svg,
                "<path d=\"M{at:.1} {TOP}V{:.1}\" stroke=\"var(--soft)\" stroke-dasharray=\"3 4\"/>",
                height - BOTTOM
            );
        }
        // A label needs some room.
        if at - last_label > 62.0 || number == 0 {
            let score = match game.game.header().scoring {
                Scoring::Match(score) => format!(" {}–{}", score.own(), score.opponent()),
                Scoring::Money { .. } => String::new(),
            };
            let name = if class == "wide" {
                format!("game {}{score}", number + 1)
            } else {
                format!("{}:{score}", number + 1)
            };
            _ = write!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>", at + 3.0, TOP - 10.0);
            last_label = at;
        }
        let mut path = String::new();
        for (index, analysed) in game.decisions.iter().enumerate() {
            let (px, py) = (x((begin + index) as f64), y(analysed.value_after(Seat::X).into()));
            _ = write!(path, "{}{px:.1} {py:.1}", if index == 0 { "M" } else { "L" });
            if analysed.severity() > Severity::Fine {
                let level = analysed.severity() as u8;
                let size = if class == "wide" { 2.5 } else { 1.5 };
                let r = size + 1.5 * f64::from(level);
                let shape = if analysed.player == Seat::X {
                    format!(
                        "M{:.1} {py:.1}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
                        px - r,
                        d = 2.0 * r
                    )
                } else {
                    format!("M{:.1} {:.1}h{d}v{d}h-{d}z", px - r, py - r, d = 2.0 * r)
                };
                let name = &names[analysed.player.index()];
                let (said, better) = decision_of(analysed);
                let words = format!(
                    "Game {}, turn {}: {name}, {said} {} {}; better {better}",
                    number + 1,
                    analysed.number,
                    analysed.severity().symbol(),
                    loss_of(analysed)
                );
                _ = write!(
                    marks,
                    "<a href=\"#{}\"><title>{}</title><path d=\"{shape}\" fill=\"var(--s{level})\" stroke=\"var(--back)\"/></a>",
                    anchor("", number, index),
                    escape(&words)
                );
            }
        }
        _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"var(--link)\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
        );
        begin += game.decisions.len();
    }
    _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">decisions, 1 to {all}</text>",
        width - RIGHT,
        height - 6.0
    );
    svg + &marks + "</svg>\n"
}
