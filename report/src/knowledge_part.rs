//! The part of a run's page that shows what the net learned in the terms of the game.
//!
//! It has values of fixed positions, opening plays, and games of the net with itself.

use std::fmt::Write as _;

use super::text::escape;
use super::{Axis, BoardDiagram, Chart, Page, PanelChart, ReportError};
use nonet_engine::backgammon::{Dice, Position, Seat};
use nonet_training::train::{FIXED_POSITIONS, Knowledge, SampleGame, established_plays};

/// Columns of the table of opening plays.
const COLUMNS: usize = 8;

/// Rules of style of this part.
pub(super) const STYLE: &str = "\
.opening td,.opening th{white-space:nowrap;padding:.25rem .6rem}
.opening .yes{background:#cfe8d5;color:#143d20;font-weight:600}
.opening .n{font-weight:normal}
.boards{display:flex;flex-wrap:wrap;gap:.8rem;margin:.6rem 0 1.2rem}
.boards figure{margin:0;width:min(15rem,47%)}
.boards svg{display:block;width:100%;height:auto}
.boards figcaption{font-size:.85rem}
details{margin:0 0 .6rem}
summary{cursor:pointer}
";

/// The values of the fixed positions over the games, one panel each; `None` without a test.
pub(super) fn values_chart(knowledge: &[Knowledge], command: &str) -> Option<PanelChart> {
    if knowledge.is_empty() {
        return None;
    }
    let games = Axis::new("games learned from", "games");
    let y = Axis::new(
        "value for the player on roll; dashed: by games of the champion, in the bearoff exact",
        "points per game",
    );
    let chart = PanelChart::new("What some positions are worth", games, y).command(command);
    Some(FIXED_POSITIONS.iter().enumerate().fold(chart, |chart, (place, fixed)| {
        let value =
            |known: &Knowledge| Some((known.games as f64, f64::from(*known.values.get(place)?)));
        let points: Vec<(f64, f64)> = knowledge.iter().filter_map(value).collect();
        chart.panel(fixed.name, points).reference(f64::from(fixed.equity))
    }))
}

/// Adds the part to a page that has [`STYLE`].
pub(super) fn knowledge_part(
    page: Page,
    knowledge: &[Knowledge],
    command: &str,
) -> Result<Page, ReportError> {
    let Some(chart) = values_chart(knowledge, command) else { return Ok(page) };
    let page = page
        .heading("What it learned")
        .paragraph(
            "The value that the net gives to some fixed positions, at every test. The net is the moving average of the weights if \
             the run keeps one, otherwise the last weights, and evaluates without a search.",
        )
        .chart(&chart)?
        .raw(&fixed_boards()?)
        .subheading("Opening plays")
        .paragraph(
            "The best play of each opening roll at 1-ply. Coloured and bold: a play that opening theory accepts, in general use and by \
             the champion at 3-ply at most 0.03 points behind the best; hover over a cell for its equity and its lead over the \
             second play.",
        )
        .raw(&opening_table(knowledge));
    sample_games(page, knowledge)
}

/// The tests of the table: the first, the last, and others at equal distances on a logarithmic
/// scale.
fn columns(knowledge: &[Knowledge]) -> Vec<&Knowledge> {
    let (Some(first), Some(last)) = (knowledge.first(), knowledge.last()) else {
        return Vec::new();
    };
    if knowledge.len() <= COLUMNS {
        return knowledge.iter().collect();
    }
    let log = |known: &Knowledge| (known.games.max(1) as f64).ln();
    let step = (log(last) - log(first)) / (COLUMNS - 1) as f64;
    let mut chosen: Vec<&Knowledge> = Vec::new();
    for column in 0..COLUMNS {
        let wanted = log(first) + step * column as f64;
        let apart = |known: &&Knowledge| (log(known) - wanted).abs();
        let nearest = knowledge.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        chosen.extend(
            nearest.filter(|known| chosen.last().is_none_or(|old| old.games < known.games)),
        );
    }
    chosen
}

/// The first test from which on the play of the roll at this place was always an established one.
fn found_for_good(knowledge: &[Knowledge], place: usize) -> Option<u64> {
    let established = |known: &&Knowledge| {
        known.openings.get(place).is_some_and(|opening| opening.is_established())
    };
    knowledge.iter().rev().take_while(established).last().map(|known| known.games)
}

fn opening_table(knowledge: &[Knowledge]) -> String {
    let Some(last) = knowledge.last() else { return String::new() };
    let shown = columns(knowledge);
    let mut html =
        String::from("<div class=\"scroll\"><table class=\"opening\"><thead><tr><th>roll</th>");
    for known in &shown {
        _ = write!(html, "<th>{}</th>", grouped(known.games));
    }
    html.push_str("<th>for good from</th></tr></thead>\n<tbody>\n");
    for (place, opening) in last.openings.iter().enumerate() {
        let accepted = established_plays(&opening.roll).join(" or ");
        _ = write!(html, "<tr><th title=\"{}\">{}</th>", escape(&accepted), escape(&opening.roll));
        for known in &shown {
            let Some(opening) = known.openings.get(place) else { continue };
            let class = if opening.is_established() { " class=\"yes\"" } else { "" };
            _ = write!(
                html,
                "<td{class} title=\"equity {:+.3}, {:.3} ahead of the second play\">{}</td>",
                opening.equity,
                opening.lead,
                escape(&opening.play)
            );
        }
        let since = found_for_good(knowledge, place).map_or_else(|| "–".to_owned(), grouped);
        _ = writeln!(html, "<td class=\"n\">{since}</td></tr>");
    }
    html.push_str("<tr><th>accepted</th>");
    for known in &shown {
        let count = known.openings.iter().filter(|opening| opening.is_established()).count();
        _ = write!(html, "<td>{count} of {}</td>", known.openings.len());
    }
    html.push_str("<td></td></tr>\n</tbody></table></div>\n");
    html
}

/// The fixed positions as boards, folded.
fn fixed_boards() -> Result<String, ReportError> {
    let mut html = BoardDiagram::shared_points();
    html.push_str("<details><summary>The positions as boards (X, light, is on roll)</summary>\n<div class=\"boards\">\n");
    for fixed in FIXED_POSITIONS {
        let board = BoardDiagram::new(fixed.position()).title(fixed.name).shared().render()?;
        let by = if fixed.exact { "exact" } else { "rolled out by the champion" };
        let (name, equity) = (escape(fixed.name), fixed.equity);
        _ = writeln!(
            html,
            "<figure>{board}<figcaption>{name}: {equity:+.3} ({by})</figcaption></figure>"
        );
    }
    html.push_str("</div></details>\n");
    Ok(html)
}

fn sample_games(page: Page, knowledge: &[Knowledge]) -> Result<Page, ReportError> {
    let kept: Vec<(u64, &SampleGame)> =
        knowledge.iter().filter_map(|known| Some((known.games, known.game.as_ref()?))).collect();
    if kept.is_empty() {
        return Ok(page);
    }
    let mut page = page.subheading("A game with itself").paragraph(
        "The beginning of a game of the net with itself, with the same dice every time. Each board is seen by the player who \
         plays, before the play; X has the light checkers.",
    );
    for (games, game) in kept {
        page = page.raw(&one_game(games, game)?);
    }
    Ok(page)
}

fn one_game(games: u64, game: &SampleGame) -> Result<String, ReportError> {
    let mut html = String::new();
    let end = match (game.length, game.points.abs()) {
        (0, _) => "given up as endless".to_owned(),
        (length, points) => {
            let stake = ["nobody wins", "a single game", "a gammon", "a backgammon"];
            let won = stake[points.unsigned_abs().min(3) as usize];
            let winner = if game.points > 0 { "X" } else { "O" };
            format!("{length} plays, {winner} wins {won}")
        }
    };
    _ = writeln!(
        html,
        "<details><summary>after {} games: {end}</summary>\n<div class=\"boards\">",
        grouped(games)
    );
    let mut position = Position::START;
    for (number, (roll, play)) in game.turns.iter().enumerate() {
        let seat = Seat::BOTH[number % 2];
        let name = ["X", "O"][number % 2];
        let Ok(dice) = roll.parse::<Dice>() else { break };
        let Ok(read) = position.read_play(play, dice) else { break };
        let steps = position.steps_to(dice, &read.after).unwrap_or_default();
        let words = if play.is_empty() { "cannot move" } else { play };
        let caption = format!("{}. {name} {roll}: {words}", number + 1);
        let board = BoardDiagram::new(position)
            .seat(seat)
            .dice(dice)
            .plays(Vec::new(), steps)
            .title(caption.as_str())
            .shared()
            .render()?;
        _ = writeln!(html, "<figure>{board}<figcaption>{}</figcaption></figure>", escape(&caption));
        position = read.after;
    }
    html.push_str("</div></details>\n");
    Ok(html)
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_training::train::OpeningPlay;

    fn known(games: u64, play: &str) -> Knowledge {
        let opening =
            OpeningPlay { roll: "31".to_owned(), play: play.to_owned(), equity: 0.16, lead: 0.05 };
        let turns = vec![("31".to_owned(), play.to_owned()), ("65".to_owned(), "24/13".to_owned())];
        Knowledge {
            games,
            values: vec![0.1; FIXED_POSITIONS.len()],
            openings: vec![opening],
            game: Some(SampleGame { turns, length: 60, points: -2 }),
        }
    }

    #[test]
    fn the_table_colours_established_plays_and_says_since_when_they_stay() {
        let knowledge = [
            known(100, "8/5 6/5"),
            known(1000, "24/23 13/10"),
            known(3000, "8/5 6/5"),
            known(25_000, "8/5 6/5"),
        ];
        let html = opening_table(&knowledge);
        assert_eq!(html.matches("class=\"yes\"").count(), 3);
        assert!(html.contains("<td class=\"n\">3,000</td>"), "{html}");
        assert!(html.contains("<th>25,000</th>"));
        assert_eq!(found_for_good(&knowledge[..2], 0), None);
    }

    #[test]
    fn a_long_run_has_few_columns_from_its_first_to_its_last_test() {
        let tests: Vec<Knowledge> =
            (1..=50).map(|n| known(if n == 1 { 100 } else { n * 10_000 }, "8/5 6/5")).collect();
        let shown: Vec<u64> = columns(&tests).iter().map(|known| known.games).collect();
        assert!(shown.len() <= COLUMNS && shown.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((shown.first(), shown.last()), (Some(&100), Some(&500_000)));
    }

    #[test]
    fn a_game_is_drawn_as_boards_with_its_end_in_words() {
        let html = one_game(1000, known(1000, "8/5 6/5").game.as_ref().expect("a game"));
        let html = html.expect("drawn");
        assert!(html.contains("after 1,000 games: 60 plays, O wins a gammon"));
        assert!(html.contains("1. X 31: 8/5 6/5") && html.contains("2. O 65: 24/13"));
        assert_eq!(html.matches("<svg").count(), 2);
    }

    #[test]
    fn every_fixed_position_has_a_panel_and_a_board() {
        let svg = values_chart(&[known(100, ""), known(1000, "")], "nonet train");
        let svg = svg.expect("a chart").render().expect("drawn");
        for fixed in FIXED_POSITIONS {
            assert!(svg.contains(&format!("\n{}\n", fixed.name)), "{}", fixed.name);
        }
        let boards = fixed_boards().expect("drawn");
        assert_eq!(boards.matches("<figure>").count(), FIXED_POSITIONS.len());
    }
}
