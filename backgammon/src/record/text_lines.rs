//! The lines of a text, with any line ending and in UTF-8 or Windows-1252.

use std::collections::VecDeque;
use std::io::{BufRead, Read};
use std::sync::Arc;

use super::error::{Location, RecordError, RecordErrorKind};

/// The longest accepted line, in bytes; lines of game records are far shorter.
const LONGEST: u64 = 1 << 16;

/// A line without its line end and trailing blanks.
#[derive(Clone, Debug)]
pub(super) struct NumberedLine {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) text: String,
}

/// Reads line by line; lines can be put back.
pub(super) struct NumberedLines<R> {
    source: R,
    file: Arc<str>,
    /// Lines read from the source.
    read: u64,
    /// The number of the line given out last.
    number: u64,
    /// An error among the lines ahead.
    failed: Option<RecordError>,
    held: VecDeque<NumberedLine>,
    buffer: Vec<u8>,
    finished: bool,
}

impl<R: BufRead> NumberedLines<R> {
    pub(super) fn new(source: R, file: Arc<str>) -> NumberedLines<R> {
        let (held, buffer) = (VecDeque::new(), Vec::new());
        NumberedLines {
            source,
            file,
            read: 0,
            number: 0,
            failed: None,
            held,
            buffer,
            finished: false,
        }
    }

    pub(super) fn error(&self, line: u64, reason: RecordErrorKind) -> RecordError {
        reason.at(&self.file, Location::Line(line))
    }

    /// The number of the line read last.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Puts a line back: it is read next.
    pub(super) fn hold(&mut self, line: NumberedLine) {
        self.held.push_front(line);
    }

    /// The first answer of `wanted` to the lines ahead, which stay unread; it looks at a few lines
    /// only.
    pub(super) fn look_ahead<T>(
        &mut self,
        mut wanted: impl FnMut(&NumberedLine) -> Option<T>,
    ) -> Option<T> {
        const FEW: usize = 40;
        let shown = self.number;
        let mut answer = None;
        for at in 0..FEW {
            if self.held.len() == at {
                match self.read_line() {
                    Ok(Some(line)) => self.held.push_back(line),
                    Ok(None) => break,
                    Err(error) => {
                        self.failed = Some(error);
                        break;
                    }
                }
            }
            answer = self.held.get(at).and_then(&mut wanted);
            if answer.is_some() {
                break;
            }
        }
        self.number = shown;
        answer
    }

    /// The next line; `None` at the end, and after an I/O error.
    pub(super) fn next(&mut self) -> Result<Option<NumberedLine>, RecordError> {
        if let Some(line) = self.held.pop_front() {
            self.number = line.number;
            return Ok(Some(line));
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let line = self.read_line();
        self.number = self.read;
        line
    }

    fn read_line(&mut self) -> Result<Option<NumberedLine>, RecordError> {
        if self.failed.is_some() {
            return Ok(None);
        }
        if self.finished {
            return Ok(None);
        }
        self.read += 1;
        match self.read() {
            Ok(text) => Ok(text.map(|text| NumberedLine { number: self.read, text })),
            Err(reason) => Err(self.error(self.read, reason)),
        }
    }

    fn read(&mut self) -> Result<Option<String>, RecordErrorKind> {
        self.fill()?;
        if self.buffer.is_empty() {
            self.finished = true;
            self.read -= 1;
            return Ok(None);
        }
        if self.buffer.last() != Some(&b'\n') && self.buffer.len() as u64 == LONGEST {
            while !self.buffer.is_empty() && self.buffer.last() != Some(&b'\n') {
                self.fill()?;
            }
            return Err(RecordErrorKind::LongLine { limit: LONGEST });
        }
        let bytes = self.buffer.trim_ascii_end();
        if bytes.contains(&0) {
            return Err(RecordErrorKind::Encoding("binary or UTF-16"));
        }
        Ok(Some(decoded(bytes)))
    }

    /// Reads to the end of the line, but at most the longest accepted line.
    fn fill(&mut self) -> Result<(), RecordErrorKind> {
        self.buffer.clear();
        let read = (&mut self.source).take(LONGEST).read_until(b'\n', &mut self.buffer);
        read.map(drop).map_err(|error| {
            self.finished = true;
            RecordErrorKind::Io(error)
        })
    }
}

/// Decodes UTF-8, or Windows-1252 if it is not valid UTF-8: names in old records are in either.
/// Latin-1 is Windows-1252 without the characters of [`WINDOWS_1252`].
pub(super) fn decoded(bytes: &[u8]) -> String {
    let character = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        byte => char::from(byte),
    };
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(character).collect(),
    }
}

/// The bytes 0x80 to 0x9f; the five without a character stay control characters, as in the Encoding
/// Standard (<https://encoding.spec.whatwg.org/index-windows-1252.txt>).
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut lines = NumberedLines::new(bytes, "x".into());
        std::iter::from_fn(|| lines.next().transpose())
            .map(|line| line.map(|l| l.text).map_err(|e| e.to_string()))
            .collect()
    }

    #[test]
    fn line_ends_and_trailing_blanks_are_removed() {
        let read = lines(b"one \t\r\n\ntwo");
        assert_eq!(read, [Ok("one".to_owned()), Ok(String::new()), Ok("two".to_owned())]);
    }

    #[test]
    fn windows_1252_is_read_and_binary_is_refused() {
        assert_eq!(lines(b"J\xf8rgen"), [Ok("J\u{f8}rgen".to_owned())]);
        assert_eq!(lines(b"\x8atefan O\x92Neill"), [Ok("\u{160}tefan O\u{2019}Neill".to_owned())]);
        assert_eq!(
            lines(b"a\0b"),
            [Err(
                "x:1: invalid encoding binary or UTF-16: expected UTF-8 or Windows-1252".to_owned()
            )]
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_one_error() {
        let mut text = vec![b'a'; 3 * LONGEST as usize];
        text.extend_from_slice(b"\nb");
        let too_long = Err("x:1: line too long: expected at most 65536 bytes".to_owned());
        assert_eq!(lines(&text), [too_long, Ok("b".to_owned())]);
    }
}
