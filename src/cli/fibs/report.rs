//! `nonet fibs report`: what a folder of records says.

use std::io::Write;
use std::path::PathBuf;

use std::collections::BTreeMap;

use nonet::analysis::{Summary, analyse};
use nonet::bot::{MatchRecord, MatchResults, match_records, rating_chart, rating_curve};
use nonet::progress::Progress;
use nonet::report::{HtmlTable, Page, summaries};
use nonet::search::{Plies, SearchSettings};
use nonet::store::write_atomic;
use serde_json::json;

use crate::cli::engine_args::EngineArgs;
use crate::cli::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// A folder that `nonet fibs play` wrote.
    folder: PathBuf,
    /// As one JSON line.
    #[arg(long)]
    json: bool,
    /// Write a page with the rating over time.
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Plies at which luck and mistakes are judged, 1 (static) to 4.
    #[arg(long, value_name = "N", default_value = "1")]
    ply: Plies,
    #[command(flatten)]
    engine: EngineArgs,
}

/// How the dice fell and how well both sides played, own first.
#[derive(Clone, Copy, Default)]
struct Form {
    games: u32,
    sides: [Summary; 2],
}

impl Form {
    fn add(&mut self, other: &Form) {
        self.games += other.games;
        self.sides = [0, 1].map(|side| self.sides[side].plus(&other.sides[side]));
    }

    /// How much better than average the own dice were, less the same of the opponent's, in points per game.
    fn luck(&self) -> f32 {
        (self.sides[0].luck - self.sides[1].luck) / self.games.max(1) as f32
    }

    /// PR of both sides.
    fn pr(&self) -> [Option<f32>; 2] {
        self.sides.map(|side| side.pr())
    }

    fn in_words(&self) -> [String; 3] {
        let [own, other] =
            self.pr().map(|pr| pr.map_or_else(|| "-".to_owned(), |pr| format!("{pr:.1}")));
        [format!("{:+.3}", self.luck()), own, other]
    }

    fn in_json(&self) -> serde_json::Value {
        let [own, other] = self.pr();
        json!({"luck_per_game": self.luck(), "pr": own, "pr_of_opponents": other})
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if !args.folder.is_dir() {
        return Err(usage(format!("'{}' is no folder", args.folder.display())));
    }
    let match_records = match_records(&args.folder)?;
    let results = MatchResults::of(&match_records);
    let form = form(&match_records, args)?;
    let mut whole = Form::default();
    form.values().for_each(|one| whole.add(one));
    let of = |name: &str| form.get(name).copied().unwrap_or_default();
    let [won, lost, open, unknown] = results.total();
    let rating = rating_curve(&match_records).last().map(|(_, rating)| *rating);
    let mut out = std::io::stdout();
    if args.json {
        let by = results.by_opponent.iter().map(|(name, [won, lost, open, unknown])| {
            let form = of(name).in_json();
            let row =
                json!({"won": won, "lost": lost, "open": open, "unknown": unknown, "form": form});
            (name.clone(), row)
        });
        let by: serde_json::Map<String, serde_json::Value> = by.collect();
        let [points_won, points_lost] = results.points;
        let all = json!({
            "won": won, "lost": lost, "open": open, "unknown": unknown, "games": results.games,
            "points_won": points_won, "points_lost": points_lost,
            "incomplete": results.incomplete, "rating": rating, "opponents": by, "form": whole.in_json(),
        });
        writeln!(out, "{all}")?;
    } else {
        let [points_won, points_lost] = results.points;
        writeln!(
            out,
            "{won} matches won, {lost} lost, {open} open; {} games, {points_won} points won and {points_lost} lost",
            results.games
        )?;
        if unknown + results.incomplete > 0 {
            writeln!(
                out,
                "{unknown} ended out of sight, {} records lack something",
                results.incomplete
            )?;
        }
        if let Some(rating) = rating {
            writeln!(out, "rating by the server's formula: {rating:.2}")?;
        }
        let [luck, own, other] = whole.in_words();
        writeln!(out, "luck {luck} points a game; PR {own}, of the opponents {other}")?;
        for (name, [won, lost, open, _]) in &results.by_opponent {
            let [luck, own, other] = of(name).in_words();
            writeln!(
                out,
                "  {name:<20} {won:>4} won {lost:>4} lost {open:>3} open   luck {luck}   PR {own}, theirs {other}"
            )?;
        }
    }
    if let Some(path) = &args.page {
        let mut page = Page::new("Matches on the server");
        page = page.paragraph(format!("{won} matches won, {lost} lost, {open} not finished."));
        if let Some(chart) = rating_chart(&match_records) {
            page = page.chart(&chart)?;
        }
        page = page.paragraph(
            "Luck is how much better the own rolls were than average ones, less the same of the opponent's, in points per \
             game. PR is 500 times the mean loss of a decision: the lower the better.",
        );
        let head = ["opponent", "won", "lost", "open", "luck", "PR", "PR of the opponent"];
        let mut table = HtmlTable::new(head);
        let all = ("all".to_owned(), [won, lost, open, unknown], whole);
        let rows = results.by_opponent.iter().map(|(name, row)| (name.clone(), *row, of(name)));
        for (name, [won, lost, open, _], form) in rows.chain([all]) {
            let [luck, own, other] = form.in_words();
            let [won, lost, open] = [won, lost, open].map(|n| n.to_string());
            table = table.row([name, won, lost, open, luck, own, other]);
        }
        write_atomic(path, page.table(&table).render().as_bytes())?;
    }
    Ok(())
}

/// How the matches with each opponent went, judged by the net.
fn form(match_records: &[MatchRecord], args: &Args) -> anyhow::Result<BTreeMap<String, Form>> {
    let engine = args.engine.open(args.ply, SearchSettings::NORMAL)?;
    let mut all: BTreeMap<String, Form> = BTreeMap::new();
    for story in match_records {
        let games = story.games();
        let judge = || analyse(&games, &engine, &Progress::default());
        let Some(analysis) = engine.install(judge).map_err(usage)? else { continue };
        let form =
            Form { games: u32::try_from(games.len()).unwrap_or(0), sides: summaries(&analysis) };
        all.entry(story.opponent.clone()).or_default().add(&form);
    }
    Ok(all)
}
