//! `nonet fibs report`: results, ratings, luck and error rates from a folder of match records.

use crate::cli::bot::report::ReportArgs;
use crate::cli::output::examples::examples;

/// Report results, ratings and opponents from match records.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Report on the matches of the bot", "nonet fibs report runs/fibs"),
    ("Write a page with the rating over time", "nonet fibs report runs/fibs --page bot.html"),
]))]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) report: ReportArgs,
}
