//! `nonet fibs report`: what a folder of records says.

use std::io::Write;
use std::path::PathBuf;

use nonet::bot::{Results, rating_chart, rating_curve, stories};
use nonet::report::{Page, Table};
use nonet::store::write_atomic;
use serde_json::json;

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
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if !args.folder.is_dir() {
        return Err(usage(format!("'{}' is no folder", args.folder.display())));
    }
    let stories = stories(&args.folder)?;
    let results = Results::of(&stories);
    let [won, lost, open, unknown] = results.total();
    let rating = rating_curve(&stories).last().map(|(_, rating)| *rating);
    let mut out = std::io::stdout();
    if args.json {
        let by = results.by_opponent.iter().map(|(name, [won, lost, open, unknown])| {
            (name.clone(), json!({"won": won, "lost": lost, "open": open, "unknown": unknown}))
        });
        let by: serde_json::Map<String, serde_json::Value> = by.collect();
        let [points_won, points_lost] = results.points;
        let all = json!({
            "won": won, "lost": lost, "open": open, "unknown": unknown, "games": results.games,
            "points_won": points_won, "points_lost": points_lost,
            "incomplete": results.incomplete, "rating": rating, "opponents": by,
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
        for (name, [won, lost, open, _]) in &results.by_opponent {
            writeln!(out, "  {name:<20} {won:>4} won {lost:>4} lost {open:>3} open")?;
        }
    }
    if let Some(path) = &args.page {
        let mut page = Page::new("Matches on the server");
        page = page.paragraph(format!("{won} matches won, {lost} lost, {open} not finished."));
        if let Some(chart) = rating_chart(&stories) {
            page = page.chart(&chart)?;
        }
        let mut table = Table::new(["opponent", "won", "lost", "open"]);
        for (name, [won, lost, open, _]) in &results.by_opponent {
            table = table.row([name.clone(), won.to_string(), lost.to_string(), open.to_string()]);
        }
        write_atomic(path, page.table(&table).render().as_bytes())?;
    }
    Ok(())
}
