//! Brackets, nodes and properties of an SGF file, byte by byte.

use std::io::BufRead;
use std::sync::Arc;

use crate::record::error::{Location, RecordError, RecordErrorKind};
use crate::record::text_lines::decoded;

/// Bytes kept of a value and values kept of a property: only analyses and comments are longer.
const KEPT_BYTES: usize = 1024;
const KEPT_VALUES: usize = 32;

/// A property with its values.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    /// The first value; empty if there is none.
    pub(super) value: String,
    pub(super) values: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Token {
    Open,
    Close,
    Node,
    Property(Property),
    /// Any other text.
    Other(String),
    RecordEnd,
}

/// Whether a line is the first one of a tree below other text.
pub(in crate::record) fn begins_tree(line: &str) -> bool {
    line.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
}

/// Whether a file that begins with this line is in SGF.
pub(in crate::record) fn is_sgf(line: &str) -> bool {
    line.trim_start().strip_prefix('(').is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with(';')
    })
}

/// The tokens of a file in order.
pub(super) struct Tokens<R> {
    source: R,
    file: Arc<str>,
    line: u64,
    /// The number of open trees.
    depth: u64,
    finished: bool,
    /// An error while the rest of a tree was skipped, to be reported next.
    failed: Option<(u64, RecordErrorKind)>,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(source: R, file: Arc<str>) -> Tokens<R> {
        Tokens { source, file, line: 1, depth: 0, finished: false, failed: None }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn error(&self, line: u64, reason: RecordErrorKind) -> RecordError {
        reason.at(&self.file, Location::Line(line))
    }

    fn peek(&mut self) -> Result<Option<u8>, (u64, RecordErrorKind)> {
        if self.finished {
            return Ok(None);
        }
        loop {
            match self.source.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.finished = true;
                    return Err((self.line, RecordErrorKind::Io(error)));
                }
            }
        }
    }

    fn take(&mut self) -> Result<Option<u8>, (u64, RecordErrorKind)> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.source.consume(1);
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// The next token and the line where it begins.
    pub(super) fn next(&mut self) -> Result<(Token, u64), (u64, RecordErrorKind)> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        loop {
            let line = self.line;
            let Some(byte) = self.take()? else { return Ok((Token::RecordEnd, line)) };
            let token = match byte {
                _ if byte.is_ascii_whitespace() => continue,
                b'(' => {
                    self.depth += 1;
                    Token::Open
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    Token::Close
                }
                b';' => Token::Node,
                _ if byte.is_ascii_alphabetic() => self.property(byte)?,
                _ => self.other(byte)?,
            };
            return Ok((token, line));
        }
    }

    fn property(&mut self, first: u8) -> Result<Token, (u64, RecordErrorKind)> {
        let mut name = vec![first];
        while let Some(byte) = self.peek()?.filter(u8::is_ascii_alphanumeric) {
            self.take()?;
            if name.len() < KEPT_BYTES {
                name.push(byte);
            }
        }
        // Some editors write small letters.
        let small = name.iter().all(u8::is_ascii_lowercase);
        let upper = if small { name.to_ascii_uppercase() } else { name.clone() };
        let (written, name) = (decoded(&name), decoded(&upper));
        let mut values = Vec::new();
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => {
                    self.take()?;
                }
                Some(b'[') => {
                    self.take()?;
                    let value = self.value()?;
                    if values.len() < KEPT_VALUES {
                        values.push(value);
                    }
                }
                _ => break,
            }
        }
        if values.is_empty() {
            return Ok(Token::Other(written));
        }
        let value = values.first().cloned().unwrap_or_default();
        Ok(Token::Property(Property { name, value, values }))
    }

    /// The rest of a value and the bracket that closes it.
    fn value(&mut self) -> Result<String, (u64, RecordErrorKind)> {
        let mut value = Vec::new();
        loop {
            let byte = match self.take()? {
                None => return Err((self.line, RecordErrorKind::CutOff)),
                Some(b']') => return Ok(decoded(&value)),
                Some(b'\\') => self.take()?.unwrap_or(b'\\'),
                Some(byte) => byte,
            };
            if value.len() < KEPT_BYTES {
                value.push(byte);
            }
        }
    }

    /// Text up to the next bracket or node.
    fn other(&mut self, first: u8) -> Result<Token, (u64, RecordErrorKind)> {
        let mut text = vec![first];
        while let Some(byte) = self.peek()?.filter(|byte| !b"();[\n".contains(byte)) {
            self.take()?;
            if text.len() < KEPT_BYTES {
                text.push(byte);
            }
        }
        if self.peek()? == Some(b'[') {
            self.take()?;
        }
        Ok(Token::Other(decoded(&text)))
    }

    /// Skips the rest of the open tree.
    pub(super) fn leave_tree(&mut self) {
        while self.depth > 0 {
            match self.next() {
                Ok((Token::RecordEnd, _)) => self.depth = 0,
                Ok(_) => {}
                Err((line, reason)) => {
                    self.depth = 0;
                    // The tree is reported already: of the rest, only I/O errors matter.
                    self.failed =
                        Some((line, reason)).filter(|(_, r)| matches!(r, RecordErrorKind::Io(_)));
                }
            }
        }
    }

    /// Skips to the next tree.
    pub(super) fn leave_stray(&mut self) {
        loop {
            match self.peek() {
                Ok(None | Some(b'(')) => return,
                Ok(Some(_)) => {}
                Err(error) => {
                    self.failed = Some(error);
                    return;
                }
            }
            if let Err(error) = self.take() {
                self.failed = Some(error);
                return;
            }
        }
    }
}
