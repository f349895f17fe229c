//! What `play` and `watch` write next to their records: the transcript, the metrics, the summary at
//! the end.

use std::path::{Path, PathBuf};

use nonet::bot::{
    IncidentTally, Incidents, METRICS_EVERY, Password, SharedFigures, Transcript, TranscriptLimits,
};
use nonet::store::write_atomic;

use crate::cli::clock::now;

#[derive(clap::Args)]
pub(crate) struct TranscriptArgs {
    /// Write all lines in both directions to this file.
    ///
    /// Each line has date, time (UTC) and direction. The password is left out. Full files become
    /// FILE.1, FILE.2 and so on.
    #[arg(long, value_name = "FILE", help_heading = "Records and logs")]
    transcript: Option<PathBuf>,
    /// Size of a full transcript file, in MB.
    ///
    /// An MB has 1,000,000 bytes.
    #[arg(
        long,
        value_name = "MB",
        default_value_t = 10,
        requires = "transcript",
        value_parser = clap::value_parser!(u64).range(1..=100_000),
        help_heading = "Records and logs"
    )]
    transcript_mb: u64,
    /// Full transcript files to keep.
    #[arg(
        long,
        value_name = "N",
        default_value_t = TranscriptLimits::default().keep,
        requires = "transcript",
        value_parser = clap::value_parser!(u32).range(0..=1000),
        help_heading = "Records and logs"
    )]
    transcript_keep: u32,
}

impl TranscriptArgs {
    /// Opens the transcript, if one is wanted.
    pub(crate) fn open(&self, secret: Option<&Password>) -> anyhow::Result<Option<Transcript>> {
        let limits =
            TranscriptLimits { bytes: self.transcript_mb * 1_000_000, keep: self.transcript_keep };
        let open = |path: &PathBuf| Transcript::open(path, limits, secret.cloned());
        Ok(self.transcript.as_ref().map(open).transpose()?)
    }
}

/// Writes the metrics.
pub(super) fn write_metrics(path: &Path, figures: &SharedFigures) -> anyhow::Result<()> {
    let text = figures.borrow().to_prometheus(now());
    Ok(write_atomic(path, text.as_bytes())?)
}

/// Writes the metrics every 10 seconds, for ever. Without a file it does nothing. The first of
/// several errors in a row is logged.
pub(super) async fn keep_metrics(path: Option<&Path>, figures: SharedFigures) {
    let Some(path) = path else { return std::future::pending().await };
    let mut failed = false;
    loop {
        tokio::time::sleep(METRICS_EVERY).await;
        match write_metrics(path, &figures) {
            Ok(()) => failed = false,
            Err(error) if !failed => {
                tracing::error!("no metrics: {error:#}");
                failed = true;
            }
            Err(_) => {}
        }
    }
}

/// Logs what did not work as expected, with the most frequent lines.
pub(super) fn log_incidents(incidents: &Incidents) {
    const SHOWN: usize = 5;
    tracing::info!("in all: {incidents}");
    let show = |what: &str, tally: &IncidentTally| {
        for (text, count) in tally.most_frequent(SHOWN) {
            tracing::info!("{what}, {count} times: {text}");
        }
    };
    show("unknown line", &incidents.unknown_lines);
    show("refused board", &incidents.refused_boards);
    show("unanswered command", &incidents.unanswered);
    show("refused command", &incidents.refused_commands);
}
