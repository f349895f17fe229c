//! The log of the program on standard error: a line has date and time in UTC, a level and a text.

use std::fmt;

use clap::ValueEnum;
use nonet::bot::timestamp;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use crate::cli::clock::now;

/// The least important lines that are logged.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
}

// No doc comment: it would be the help of the command.
#[derive(clap::Args)]
pub(crate) struct LogArgs {
    /// Least important lines to log on standard error.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "info",
        value_name = "LEVEL",
        help_heading = "Records and logs"
    )]
    log_level: LogLevel,
}

impl LogArgs {
    /// Logs to standard error from now on.
    pub(crate) fn start(&self) {
        start(self.log_level);
    }
}

/// The time as `2026-11-21T06:34:15.123Z`.
struct Utc;

impl FormatTime for Utc {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        writer.write_str(&timestamp(now()))
    }
}

/// Logs to standard error from now on.
pub(crate) fn start(level: LogLevel) {
    let level = match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_timer(Utc)
        .with_target(false)
        .with_ansi(false)
        .with_max_level(level)
        // A closed standard error is no reason to stop.
        .log_internal_errors(false)
        .finish();
    // An error means that this process logs already.
    let _ = tracing::subscriber::set_global_default(subscriber);
}
