//! A transcript: every line between client and server with its time, in files of limited size,
//! without the password.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use fibs::Password;
use fibs::client::Direction;
use jiff::Timestamp;

use nonet_engine::store::StoreError;

/// How much of a transcript is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptLimits {
    /// The largest size of a file, in bytes. A line that is longer has a file of its own.
    pub bytes: u64,
    /// The number of older files to keep; `FILE.1` is the latest of them.
    pub keep: u32,
}

impl Default for TranscriptLimits {
    /// 10 MB a file, 5 older files.
    fn default() -> TranscriptLimits {
        TranscriptLimits { bytes: 10_000_000, keep: 5 }
    }
}

/// A transcript that is being written.
///
/// A line of it is a time in UTC, a mark and a text: `2026-11-21T06:34:15.123Z < You roll 6 and 1.`
///
/// The marks are `<` from the server, `>` to the server and `*` for what happens to the connection.
/// Control characters are written as `\u{1b}`.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    limits: TranscriptLimits,
    secret: Option<Password>,
    /// `None` after an error: the transcript has ended.
    file: Option<File>,
    bytes: u64,
}

/// A time in Unix seconds as `2026-11-21T06:34:15.123Z`.
///
/// ```
/// assert_eq!(nonet_bot::timestamp(0.123), "1970-01-01T00:00:00.123Z");
/// ```
///
/// A time outside of the years -9999 to 9999 stays a number of seconds.
#[must_use]
pub fn timestamp(time: f64) -> String {
    match Timestamp::from_millisecond((time * 1000.0).round() as i64) {
        Ok(time) => time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
        Err(_) => format!("{time} s"),
    }
}

/// The text with its control characters escaped, so that no server controls a terminal.
#[must_use]
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_debug()) } else { out.push(c) }
    }
    out
}

/// The text for a log: without the password, and with its control characters escaped.
#[must_use]
pub(crate) fn loggable(text: &str, secret: Option<&Password>) -> String {
    match secret {
        Some(secret) => printable(&secret.redact(text)),
        None => printable(text),
    }
}

impl Transcript {
    /// Continues the transcript at `path`, or begins it. `secret` is removed from every line, also
    /// from those of a server that repeats it.
    ///
    /// # Errors
    /// [`StoreError::Io`] if the file cannot be opened.
    pub fn open(
        path: &Path,
        limits: TranscriptLimits,
        secret: impl Into<Option<Password>>,
    ) -> Result<Transcript, StoreError> {
        let file = open(path).map_err(StoreError::io("open", path))?;
        let bytes = file.metadata().map_err(StoreError::io("read", path))?.len();
        let (path, secret) = (path.to_owned(), secret.into());
        Ok(Transcript { path, limits, secret, file: Some(file), bytes })
    }

    /// Writes a line of the server or of the client. `time` is in Unix seconds. The first error
    /// ends the transcript; it is logged, and the session goes on.
    pub fn line(&mut self, time: f64, direction: Direction, text: &str) {
        let mark = match direction {
            Direction::In => '<',
            Direction::Out => '>',
        };
        self.write(time, mark, text);
    }

    /// Writes what happened to the connection.
    pub fn note(&mut self, time: f64, text: &str) {
        self.write(time, '*', text);
    }

    fn write(&mut self, time: f64, mark: char, text: &str) {
        if self.file.is_none() {
            return;
        }
        let text = loggable(text, self.secret.as_ref());
        let line = format!("{} {mark} {text}\n", timestamp(time));
        if let Err(error) = self.append(line.as_bytes()) {
            self.file = None;
            tracing::error!("the transcript ends here: {error}");
        }
    }

    fn append(&mut self, line: &[u8]) -> Result<(), StoreError> {
        let length = line.len() as u64;
        if self.bytes > 0 && self.bytes + length > self.limits.bytes {
            self.rotate()?;
        }
        if let Some(file) = &mut self.file {
            file.write_all(line).map_err(StoreError::io("write", &self.path))?;
            self.bytes += length;
        }
        Ok(())
    }

    /// Renames `FILE` to `FILE.1`, `FILE.1` to `FILE.2` and so on; the oldest file is replaced.
    fn rotate(&mut self) -> Result<(), StoreError> {
        let numbered = |number: u32| match number {
            0 => self.path.clone(),
            number => {
                let mut name = self.path.as_os_str().to_owned();
                name.push(format!(".{number}"));
                PathBuf::from(name)
            }
        };
        for number in (0..self.limits.keep).rev() {
            let from = numbered(number);
            if from.exists() {
                fs::rename(&from, numbered(number + 1)).map_err(StoreError::io("rename", &from))?;
            }
        }
        if self.limits.keep == 0 {
            fs::remove_file(&self.path).map_err(StoreError::io("remove", &self.path))?;
        }
        self.file = Some(open(&self.path).map_err(StoreError::io("open", &self.path))?);
        self.bytes = 0;
        Ok(())
    }
}

/// Opens a file for its owner only: people's talk is in it.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: f64 = 1_795_242_855.123;

    fn password() -> Password {
        Password::new("Zanzibar7").expect("good")
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("there")
    }

    #[test]
    fn every_line_has_date_time_and_direction() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("session.log");
        for _ in 0..2 {
            let mut transcript =
                Transcript::open(&path, TranscriptLimits::default(), password()).expect("open");
            transcript.line(TIME, Direction::In, "You roll 6 and 1.");
            transcript.line(TIME + 0.5, Direction::Out, "move 13-7 8-7");
            transcript.note(TIME + 1.0, "disconnected");
        }
        let once = "2026-11-21T06:34:15.123Z < You roll 6 and 1.\n\
                    2026-11-21T06:34:15.623Z > move 13-7 8-7\n\
                    2026-11-21T06:34:16.123Z * disconnected\n";
        assert_eq!(read(&path), once.repeat(2));
    }

    #[test]
    fn the_password_and_control_characters_are_never_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("session.log");
        let mut transcript =
            Transcript::open(&path, TranscriptLimits::default(), password()).expect("open");
        transcript.line(TIME, Direction::In, "** Unknown command: 'ann Zanzibar7' \u{1b}[2J\u{7}");
        transcript.line(TIME, Direction::Out, "login c 1008 ann Zanzibar7");
        let text = read(&path);
        assert!(
            !text.contains("Zanzibar") && text.contains("'ann ***' \\u{1b}[2J\\u{7}"),
            "{text}"
        );
    }

    #[test]
    fn a_full_file_is_set_aside_and_the_oldest_one_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let limits = TranscriptLimits { bytes: 200, keep: 2 };
        let mut transcript = Transcript::open(&at("log"), limits, password()).expect("open");
        for number in 0..40 {
            transcript.line(TIME, Direction::In, &format!("line {number}"));
        }
        let kept: String = ["log.2", "log.1", "log"].map(|name| read(&at(name))).concat();
        let numbers: Vec<u32> = kept
            .lines()
            .map(|line| line.rsplit(' ').next().expect("a number").parse().expect("a number"))
            .collect();
        let first = numbers[0];
        assert!(numbers.iter().copied().eq(first..40) && first > 0, "{numbers:?}");
        assert!(["log", "log.1", "log.2"].iter().all(|name| read(&at(name)).len() <= 200));
        assert!(!at("log.3").exists());
    }
}
