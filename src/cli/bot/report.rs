//! Results, ratings, luck and error rates from a folder of match records.

use std::io::Write;
use std::path::PathBuf;

use std::collections::BTreeMap;

use nonet::analysis::{Summary, analyse, summaries};
use nonet::bot::{
    MatchCounts, MatchRecord, MatchResults, match_records, rating_chart, rating_curve,
};
use nonet::progress::Progress;
use nonet::report::{HtmlTable, Page};
use nonet::search::{Plies, SearchSettings};
use nonet::store::write_atomic;
use serde_json::json;

use crate::cli::args::engine::EngineArgs;
use crate::cli::args::output_file::check_outputs;
use crate::cli::error::usage;
use crate::cli::output::counted::counted;

#[derive(clap::Args)]
pub(crate) struct ReportArgs {
    /// Folder of match records, which `play` has written.
    folder: PathBuf,
    /// Print one line of JSON.
    #[arg(long)]
    json: bool,
    /// Write a page with the rating over time.
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Search depth for luck and error rates, 1 to 4 plies.
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Engine")]
    ply: Plies,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Luck and error rates of both players, own first.
#[derive(Clone, Copy, Default)]
struct Performance {
    games: u32,
    sides: [Summary; 2],
}

impl Performance {
    fn add(&mut self, other: &Performance) {
        self.games += other.games;
        self.sides = [0, 1].map(|side| self.sides[side].plus(&other.sides[side]));
    }

    /// Own luck minus the opponent's, in points per game.
    fn luck(&self) -> f32 {
        (self.sides[0].luck - self.sides[1].luck) / self.games.max(1) as f32
    }

    /// Performance rating (PR) of both sides; `None` without a decision.
    fn pr(&self) -> [Option<f32>; 2] {
        self.sides.map(|side| side.pr())
    }

    fn to_texts(self) -> [String; 3] {
        let [own, other] =
            self.pr().map(|pr| pr.map_or_else(|| "-".to_owned(), |pr| format!("{pr:.1}")));
        [format!("{:+.3}", self.luck()), own, other]
    }

    fn to_json(self) -> serde_json::Value {
        let [own, other] = self.pr();
        json!({"luck_per_game": self.luck(), "pr": own, "pr_of_opponents": other})
    }
}

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<()> {
    if !args.folder.is_dir() {
        return Err(usage(format!("'{}' is not a folder", args.folder.display())));
    }
    check_outputs(&args.page)?;
    let match_records = match_records(&args.folder)?;
    let results = MatchResults::of(&match_records);
    let performance = performance(&match_records, args)?;
    let mut total = Performance::default();
    performance.values().for_each(|one| total.add(one));
    let of = |name: &str| performance.get(name).copied().unwrap_or_default();
    let left_by = |name: &str| results.departures.get(name).cloned().unwrap_or_default();
    let all_matches = results.total();
    let MatchCounts { won, lost, open, unknown } = all_matches;
    let rating = rating_curve(&match_records).last().map(|(_, rating)| *rating);
    let mut out = std::io::stdout();
    if args.json {
        let by = results.by_opponent.iter().map(|(name, counts)| {
            let MatchCounts { won, lost, open, unknown } = counts;
            let performance = of(name).to_json();
            let left = left_by(name);
            let departures = json!({
                "count": left.count, "behind": left.behind, "left_behind": left.left_behind, "scores": left.scores,
            });
            let row = json!({
                "won": won, "lost": lost, "open": open, "unknown": unknown, "form": performance,
                "departures": departures,
            });
            (name.clone(), row)
        });
        let by: serde_json::Map<String, serde_json::Value> = by.collect();
        let [points_won, points_lost] = results.points;
        let all = json!({
            "won": won, "lost": lost, "open": open, "unknown": unknown, "games": results.games,
            "points_won": points_won, "points_lost": points_lost,
            "incomplete": results.incomplete, "rating": rating, "opponents": by, "form": total.to_json(),
        });
        writeln!(out, "{all}")?;
    } else {
        writeln!(out, "{}", totals(&results))?;
        if unknown + results.incomplete > 0 {
            let have = if results.incomplete == 1 { "has" } else { "have" };
            writeln!(
                out,
                "{unknown} ended with an unknown result, {} {have} an incomplete record",
                results.incomplete
            )?;
        }
        if let Some(rating) = rating {
            writeln!(out, "rating by the server's formula: {rating:.2}")?;
        }
        let [luck, own, other] = total.to_texts();
        writeln!(out, "luck {luck} points per game; PR {own}, opponents {other}")?;
        for (name, MatchCounts { won, lost, open, .. }) in &results.by_opponent {
            let [luck, own, other] = of(name).to_texts();
            writeln!(
                out,
                "  {name:<20} {won:>4} won {lost:>4} lost {open:>3} open   luck {luck}   PR {own}, opponent {other}"
            )?;
            let left = left_by(name);
            if left.count > 0 {
                let scores: Vec<String> =
                    left.scores.iter().map(|[own, other]| format!("{own}-{other}")).collect();
                writeln!(
                    out,
                    "  {:<20} left {}, {} when behind (own points first: {}); {} of these matches not finished",
                    "",
                    counted(left.count, "time"),
                    left.behind,
                    scores.join(" "),
                    left.left_behind
                )?;
            }
        }
    }
    if let Some(path) = &args.page {
        let mut page = Page::new("Matches on the server");
        let matches = counted(won, "match");
        page = page.paragraph(format!("{matches} won, {lost} lost, {open} not finished."));
        if let Some(chart) = rating_chart(&match_records) {
            page = page.chart(&chart)?;
        }
        page = page.paragraph(
            "Luck is the gain of the own rolls over average rolls, minus the opponent's, in points per game. PR is 500 times \
             the mean error of a decision: the lower the better.",
        );
        let head = ["opponent", "won", "lost", "open", "left behind", "luck", "PR", "opponent PR"];
        let mut table = HtmlTable::new(head);
        let left_behind = results.departures.values().map(|left| left.left_behind).sum();
        let all = ("all".to_owned(), all_matches, left_behind, total);
        let rows = results
            .by_opponent
            .iter()
            .map(|(name, counts)| (name.clone(), *counts, left_by(name).left_behind, of(name)));
        for (name, MatchCounts { won, lost, open, .. }, left, performance) in rows.chain([all]) {
            let [luck, own, other] = performance.to_texts();
            let [won, lost, open, left] = [won, lost, open, left].map(|n| n.to_string());
            table = table.row([name, won, lost, open, left, luck, own, other]);
        }
        write_atomic(path, page.table(&table).render().as_bytes())?;
    }
    Ok(())
}

/// Matches, games and points in one line.
fn totals(results: &MatchResults) -> String {
    let MatchCounts { won, lost, open, .. } = results.total();
    let [points_won, points_lost] = results.points;
    let matches = counted(won, "match");
    let games = counted(results.games, "game");
    let points = counted(points_won, "point");
    format!("{matches} won, {lost} lost, {open} open; {games}, {points} won and {points_lost} lost")
}

/// Performance by opponent, analysed by the net.
fn performance(
    match_records: &[MatchRecord],
    args: &ReportArgs,
) -> anyhow::Result<BTreeMap<String, Performance>> {
    let engine = args.engine.open(args.ply, SearchSettings::NORMAL)?;
    let mut by_opponent: BTreeMap<String, Performance> = BTreeMap::new();
    for record in match_records {
        let games = record.games();
        let analysis = || analyse(&games, &engine, &Progress::default());
        let Some(analysis) = engine.install(analysis).map_err(usage)? else { continue };
        let performance = Performance {
            games: u32::try_from(games.len()).expect("a match has few games"),
            sides: summaries(&analysis),
        };
        by_opponent.entry(record.opponent.clone()).or_default().add(&performance);
    }
    Ok(by_opponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_match_and_one_game_are_no_matches_and_games() {
        let mut results = MatchResults { games: 1, points: [1, 0], ..MatchResults::default() };
        let counts = MatchCounts { won: 1, open: 2, ..MatchCounts::default() };
        results.by_opponent.insert("ann".to_owned(), counts);
        let line = "1 match won, 0 lost, 2 open; 1 game, 1 point won and 0 lost";
        assert_eq!(totals(&results), line);
        let counts = MatchCounts { won: 2, lost: 1, ..MatchCounts::default() };
        results.by_opponent.insert("ann".to_owned(), counts);
        (results.games, results.points) = (9, [5, 1]);
        let line = "2 matches won, 1 lost, 0 open; 9 games, 5 points won and 1 lost";
        assert_eq!(totals(&results), line);
    }
}
