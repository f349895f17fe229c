//! The output of recorded games: destination and format.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use nonet::backgammon::record::{CompactWriter, MatWriter, RecordedGame};
use nonet::store::AtomicFile;

use crate::cli::error::usage;

/// The output format.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum OutputFormat {
    /// Text that Jellyfish, gnubg, Snowie and XG read; .mat
    Mat,
    /// Compact: about 55 bytes a game; .norec
    Compact,
}

/// The destination of games.
pub(super) struct Out {
    to: To,
    /// The path, if the output is a file.
    path: Option<PathBuf>,
}

enum To {
    Mat(MatWriter<Sink>),
    Compact(CompactWriter<Sink>),
}

enum Sink {
    File(AtomicFile),
    Stdout(BufWriter<io::Stdout>),
}

impl Out {
    pub(super) fn open(path: &Path, format: Option<OutputFormat>) -> anyhow::Result<Out> {
        let stdout = path == Path::new("-");
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let format = match (format, ending.as_deref().and_then(|ending| ending.to_str())) {
            (Some(format), _) => format,
            (None, Some("mat")) => OutputFormat::Mat,
            (None, Some("norec")) => OutputFormat::Compact,
            (None, _) if stdout => {
                return Err(usage("--out - needs --format mat or --format compact"));
            }
            (None, _) => {
                let path = path.display();
                return Err(usage(format!(
                    "unknown format of '{path}': expected a name ending in .mat or .norec, or --format mat or --format compact"
                )));
            }
        };
        let sink = if stdout {
            Sink::Stdout(BufWriter::new(io::stdout()))
        } else {
            Sink::File(AtomicFile::create(path)?)
        };
        let to = match format {
            OutputFormat::Mat => To::Mat(MatWriter::new(sink)),
            OutputFormat::Compact => To::Compact(CompactWriter::new(sink)?),
        };
        Ok(Out { to, path: (!stdout).then(|| path.to_owned()) })
    }

    pub(super) fn is_stdout(&self) -> bool {
        self.path.is_none()
    }

    pub(super) fn write(&mut self, game: &RecordedGame) -> io::Result<()> {
        match &mut self.to {
            To::Mat(writer) => writer.write(game),
            To::Compact(writer) => writer.write(game),
        }
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let sink = match self.to {
            To::Mat(writer) => writer.into_inner(),
            To::Compact(writer) => writer.into_inner(),
        };
        match sink {
            Sink::File(file) => file.commit()?,
            Sink::Stdout(mut out) => out.flush()?,
        }
        Ok(())
    }

    /// The effect of an interruption on the output.
    pub(super) fn loss(&self) -> String {
        match &self.path {
            Some(path) => format!("{} was not written", path.display()),
            None => "what went to standard output is not all".to_owned(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::File(file) => file.write(bytes),
            Sink::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::File(file) => file.flush(),
            Sink::Stdout(out) => out.flush(),
        }
    }
}
