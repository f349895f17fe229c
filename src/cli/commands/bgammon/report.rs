//! `nonet bgammon report`: results, luck and error rates from a folder of match records.

use crate::cli::bot::report::ReportArgs;
use crate::cli::output::examples::examples;

/// Report results and opponents from match records.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Report on the matches of the bot", "nonet bgammon report runs/bgammon"),
    ("Write a page", "nonet bgammon report runs/bgammon --page bot.html"),
]))]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) report: ReportArgs,
}
