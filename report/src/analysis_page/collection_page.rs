//! The page of many matches: PR over time, by opponent, by kind of decision and by class, and each
//! match with its worst mistakes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::breakdown;
use super::decision_block::decision_block;
use super::match_page::{explained, no_mistakes, worst};
use super::scoreboard::{rating_cell, scoreboard};
use super::style::STYLE;
use super::words::{result_of, signed, title_of, worst_first};
use crate::text::{decimal, escape};
use crate::{Axis, BoardDiagram, LineChart, Page, PlotSeries, ReportError};
use nonet_engine::analysis::{
    Analysis, DecisionGroup, Tally, by_class, by_group, final_score, luck_adjusted, summaries,
};
use nonet_engine::backgammon::Seat;
use nonet_engine::class::Class;
use nonet_engine::stats::Z95;

/// A match with the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedMatch {
    /// The file, or the place in it.
    pub file: String,
    /// Its games, at least one.
    pub games: Vec<Analysis>,
}

/// Fewer decisions give no point of the running mean.
const LEAST_DECISIONS: u32 = 20;

/// How many boards each match shows, and how many mistakes it lists.
const BOARDS: usize = 3;
/// How many matches the running PR takes in.
const WINDOW: usize = 10;

/// The name that occurs in most matches, the first of several in alphabetical order; case does not
/// matter. `None` without a match.
#[must_use]
pub fn most_frequent_player(matches: &[AnalysedMatch]) -> Option<String> {
    let mut counts: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for name in matches.iter().flat_map(|one| one.games.iter().take(1)).flat_map(names_of) {
        counts.entry(name.to_lowercase()).or_insert((0, name)).0 += 1;
    }
    let most = counts.values().map(|(count, _)| *count).max()?;
    counts.into_values().find(|(count, _)| *count == most).map(|(_, name)| name.to_owned())
}

fn names_of(game: &Analysis) -> impl Iterator<Item = &str> {
    game.game.header().names.iter().map(String::as_str)
}

/// The seat of a player in a match; case does not matter.
#[must_use]
pub fn side_of(one: &AnalysedMatch, player: &str) -> Option<Seat> {
    let first = one.games.first()?;
    let place = names_of(first).position(|name| name.to_lowercase() == player.to_lowercase())?;
    Some(Seat::BOTH[place])
}

/// The page of a player's matches, in the order given. `facts` are the settings at its end.
///
/// # Errors
/// [`ReportError`] if a board or chart cannot be drawn.
pub fn collection_page(
    player: &str,
    matches: &[AnalysedMatch],
    facts: &[(&str, String)],
) -> Result<Page, ReportError> {
    let own: Vec<(Seat, &AnalysedMatch)> =
        matches.iter().filter_map(|one| Some((side_of(one, player)?, one))).collect();
    let tally = |(seat, one): &(Seat, &AnalysedMatch)| Tally::of_player(&one.games, *seat);
    let tallies: Vec<Tally> = own.iter().map(tally).collect();
    let whole = tallies.iter().fold(Tally::default(), |sum, tally| sum.plus(tally));
    let s = if own.len() == 1 { "" } else { "es" };
    let mut page = Page::new(format!("{player}: {} match{s}", own.len())).style(STYLE);
    let mut html = BoardDiagram::shared_points();
    let [doubtful, bad, very_bad] = whole.mistakes;
    _ = writeln!(
        html,
        "<p class=\"lead\">PR {}</p>\n<p>{} decisions; <span class=\"s3\">{very_bad} ??</span> · \
         <span class=\"s2\">{bad} ?</span> · <span class=\"s1\">{doubtful} ?!</span></p>\n\
         <nav aria-label=\"Parts of this page\"><a href=\"#time\">PR over time</a><a href=\"#matches\">Matches</a>\
         <a href=\"#opponents\">Opponents</a><a href=\"#kinds\">By kind</a></nav>",
        rating_cell(&whole),
        whole.decisions
    );
    html.push_str("<h2 id=\"time\">PR over time</h2>\n");
    page = page.raw(&html);
    if let Some(chart) = over_time(&tallies) {
        page = page.chart(&chart)?;
    }
    page = page.paragraph("Matches stand in the order of their file names; records hold no dates that could be relied on.");
    let mut html = String::from("<h2 id=\"matches\">Matches</h2>\n");
    html.push_str(&match_table(&own, &tallies));
    html.push_str("<h2 id=\"opponents\">Opponents</h2>\n");
    html.push_str(&opponents(&own, &tallies));
    html.push_str("<h2 id=\"kinds\">By kind</h2>\n");
    let (classes, groups) = kinds(&own);
    html.push_str(&breakdown::of_player(&classes, groups));
    for (place, (seat, one)) in own.iter().enumerate() {
        one_match(&mut html, place, *seat, one)?;
    }
    html.push_str("<h2>How to read this page</h2>\n");
    html.push_str(&explained());
    page = page.raw(&html);
    Ok(page.facts(facts.iter().map(|(name, value)| (*name, value))))
}

/// PR by match, and the PR of the last matches together with its interval; `None` for a single
/// match, and without a decision.
fn over_time(tallies: &[Tally]) -> Option<LineChart> {
    if tallies.len() < 2 {
        return None;
    }
    let singles: Vec<(f64, f64)> = tallies
        .iter()
        .enumerate()
        .filter_map(|(n, tally)| Some(((n + 1) as f64, tally.pr()?.mean)))
        .collect();
    if singles.is_empty() {
        return None;
    }
    let running: Vec<(f64, f64, f64)> = (0..tallies.len())
        .filter_map(|n| {
            let first = (n + 1).saturating_sub(WINDOW);
            let sum = tallies[first..=n].iter().fold(Tally::default(), |sum, one| sum.plus(one));
            let enough = sum.decisions >= LEAST_DECISIONS;
            let pr = sum.pr().filter(|_| enough)?;
            Some(((n + 1) as f64, pr.mean, Z95 * pr.stderr))
        })
        .collect();
    let mut chart = LineChart::new(
        "PR by match",
        Axis::new("match", "number in the order of files"),
        Axis::new("PR", "500 times the mean loss"),
    )
    .series(PlotSeries::dots("one match", singles));
    if !running.is_empty() {
        let line =
            PlotSeries::line(format!("last {WINDOW} matches"), running.iter().map(|p| (p.0, p.1)));
        chart = chart.series(line.band("95 % interval", running.iter().map(|p| p.2)));
    }
    Some(chart)
}

fn match_table(own: &[(Seat, &AnalysedMatch)], tallies: &[Tally]) -> String {
    let mut html = String::from(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\" class=\"n\">#</th><th scope=\"col\">opponent</th><th scope=\"col\">result</th>\
         <th scope=\"col\" class=\"n\">PR</th><th scope=\"col\" class=\"n\">??</th><th scope=\"col\" class=\"n\">luck</th>\
         <th scope=\"col\" class=\"n\">without luck</th><th scope=\"col\">file</th></tr></thead><tbody>\n",
    );
    for (index, ((seat, one), tally)) in own.iter().zip(tallies).enumerate() {
        let score = final_score(&one.games);
        let [mine, theirs] = [*seat, seat.other()].map(|seat| score.points[seat.index()]);
        let result = match (score.length, score.winner) {
            (Some(_), Some(winner)) if winner == *seat => format!("won {mine}–{theirs}"),
            (Some(_), Some(_)) => format!("lost {mine}–{theirs}"),
            (Some(_), None) => format!("open {mine}–{theirs}"),
            (None, _) => format!("money {mine}–{theirs}"),
        };
        let sides = summaries(&one.games);
        let luck =
            f64::from(sides[seat.index()].luck_utility - sides[seat.other().index()].luck_utility);
        let (luck, without) = match score.length {
            Some(_) => (
                format!("{} %", signed(100.0 * luck, 0)),
                luck_adjusted(&one.games).map(|x| {
                    let own = if *seat == Seat::X { x } else { 1.0 - x };
                    format!("{} %", decimal(100.0 * f64::from(own), 0))
                }),
            ),
            None => (
                signed(luck, 1),
                luck_adjusted(&one.games)
                    .map(|x| signed(f64::from(if *seat == Seat::X { x } else { -x }), 1)),
            ),
        };
        let pr = tally.pr().map_or_else(|| "–".to_owned(), |pr| decimal(pr.mean, 1));
        let name = &one.games[0].game.header().names[seat.other().index()];
        _ = writeln!(
            html,
            "<tr><td class=\"n\">{n}</td><td><a href=\"#m{index}\">{}</a></td><td>{result}</td><td class=\"n\">{pr}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{luck}</td><td class=\"n\">{}</td><td class=\"small\">{}</td></tr>",
            escape(name),
            tally.mistakes[2],
            without.unwrap_or_else(|| "–".to_owned()),
            escape(&one.file),
            n = index + 1
        );
    }
    html.push_str("</tbody></table></div>\n");
    html + "<p class=\"small\">Luck is that of the player minus that of the opponent: per cent of match winning chances, or points for money.</p>\n"
}

fn opponents(own: &[(Seat, &AnalysedMatch)], tallies: &[Tally]) -> String {
    #[derive(Default)]
    struct Opponent {
        name: String,
        matches: u32,
        decided: u32,
        won: u32,
        own: Tally,
        theirs: Tally,
    }
    let mut all: BTreeMap<String, Opponent> = BTreeMap::new();
    for ((seat, one), tally) in own.iter().zip(tallies) {
        let name = &one.games[0].game.header().names[seat.other().index()];
        let row = all.entry(name.to_lowercase()).or_default();
        row.name.clone_from(name);
        row.matches += 1;
        let winner = final_score(&one.games).winner;
        row.decided += u32::from(winner.is_some());
        row.won += u32::from(winner == Some(*seat));
        row.own = row.own.plus(tally);
        row.theirs = row.theirs.plus(&Tally::of_player(&one.games, seat.other()));
    }
    let mut rows: Vec<Opponent> = all.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.matches));
    let mut html = String::from(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">opponent</th><th scope=\"col\" class=\"n\">matches</th>\
         <th scope=\"col\" class=\"n\">won</th><th scope=\"col\">own PR</th><th scope=\"col\">their PR</th></tr></thead><tbody>\n",
    );
    for Opponent { name, matches, decided, won, own, theirs } in rows {
        // Money and matches without an end have no winner: they are not lost.
        let won = match decided {
            0 => "–".to_owned(),
            decided if decided == matches => won.to_string(),
            decided => format!("{won} of {decided}"),
        };
        _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"n\">{matches}</td><td class=\"n\">{won}</td><td>{}</td><td>{}</td></tr>",
            escape(&name),
            rating_cell(&own),
            rating_cell(&theirs)
        );
    }
    html.push_str("</tbody></table></div>\n");
    html
}

/// Tallies by class and by kind of decision.
type Kinds = (Vec<(Class, Tally)>, [(DecisionGroup, Tally); 4]);

/// The tallies of all matches.
fn kinds(own: &[(Seat, &AnalysedMatch)]) -> Kinds {
    let mut classes: Vec<(Class, Tally)> =
        Class::all().map(|class| (class, Tally::default())).collect();
    let mut groups = DecisionGroup::ALL.map(|group| (group, Tally::default()));
    for (seat, one) in own {
        for (class, tally) in by_class(&one.games, *seat) {
            for row in classes.iter_mut().filter(|row| row.0 == class) {
                row.1 = row.1.plus(&tally);
            }
        }
        for (row, (_, tally)) in groups.iter_mut().zip(by_group(&one.games, *seat)) {
            row.1 = row.1.plus(&tally);
        }
    }
    (classes, groups)
}

/// A match: its figures, and the boards of the player's worst mistakes.
fn one_match(
    html: &mut String,
    index: usize,
    seat: Seat,
    one: &AnalysedMatch,
) -> Result<(), ReportError> {
    let names = &one.games[0].game.header().names;
    let prefix = format!("m{index}");
    _ = writeln!(
        html,
        "<h2 id=\"m{index}\">{}. {}</h2>\n<p>{} <span class=\"small\">{}</span></p>",
        index + 1,
        escape(&title_of(&one.games)),
        escape(&result_of(&one.games)),
        escape(&one.file)
    );
    html.push_str(&scoreboard(&one.games, names));
    // Links lead to boards on this page only.
    let mine: Vec<Analysis> = one
        .games
        .iter()
        .map(|game| {
            let mut own = game.clone();
            for analysed in own.decisions.iter_mut().filter(|analysed| analysed.player != seat) {
                forgive(analysed);
            }
            own
        })
        .collect();
    let marked = worst_first(&mine);
    if marked.is_empty() {
        html.push_str(&no_mistakes());
        return Ok(());
    }
    html.push_str("<h3>Worst mistakes</h3>\n");
    html.push_str(&worst(&mine, &prefix, BOARDS));
    for &(game, decision) in marked.iter().take(BOARDS) {
        decision_block(html, &prefix, &one.games[game], game, decision)?;
    }
    Ok(())
}

/// Takes the loss of a decision away, so that it is not listed.
fn forgive(analysed: &mut nonet_engine::analysis::AnalysedDecision) {
    use nonet_engine::analysis::DecisionKind;
    match &mut analysed.what {
        DecisionKind::Play(play) => play.loss = 0.0,
        DecisionKind::CubeCall(call) => call.loss = 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::record::{GameHeader, Recorder};
    use nonet_engine::backgammon::{Scoring, Stake};

    /// A match that a player resigns at once, or that has no end.
    fn match_of(names: [&str; 2], scoring: Scoring, resigned: Option<Seat>) -> AnalysedMatch {
        let header = GameHeader { names: names.map(str::to_owned), scoring };
        let mut recorder = Recorder::new(header);
        if let Some(seat) = resigned {
            recorder.resign(seat, Stake::Single).expect("the game goes on");
        }
        let game = Analysis { game: recorder.finish(), decisions: Vec::new() };
        AnalysedMatch { file: "a.mat".to_owned(), games: vec![game] }
    }

    #[test]
    fn matches_without_a_decision_have_a_page_without_a_chart() {
        let one = match_of(["ann", "bob"], Scoring::MONEY, None);
        let page = collection_page("ann", &[one.clone(), one], &[]).expect("drawn").render();
        assert!(page.contains("ann: 2 matches") && !page.contains("class=\"chart\""), "{page}");
    }

    #[test]
    fn what_has_no_winner_is_not_told_as_lost() {
        let point = Scoring::of_match(1, 0, 0, false).expect("a score");
        let all = [
            match_of(["ann", "bob"], point, Some(Seat::O)),
            match_of(["ann", "bob"], point, None),
            match_of(["ann", "cat"], Scoring::MONEY, Some(Seat::O)),
            match_of(["dan", "ann"], point, Some(Seat::O)),
        ];
        let own: Vec<(Seat, &AnalysedMatch)> =
            all.iter().filter_map(|one| Some((side_of(one, "ann")?, one))).collect();
        let html = opponents(&own, &[Tally::default(); 4]);
        let row = |name: &str, matches: u32, won: &str| {
            let cells = format!("<td>{name}</td><td class=\"n\">{matches}</td>");
            html.contains(&format!("{cells}<td class=\"n\">{won}</td>"))
        };
        assert!(row("bob", 2, "1 of 1") && row("cat", 1, "–") && row("dan", 1, "0"), "{html}");
    }
}
