//! Reads lines from other programs: NUL bytes are removed, and the length is limited.

use std::io::{self, BufRead, Read};

/// The longest accepted line in bytes; the longest line of these protocols has about 250.
const LONGEST: u64 = 4096;

/// Reads line by line.
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
}

/// A line that cannot be read; the next one can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is too long.
    #[error("line too long: expected at most {LONGEST} bytes")]
    TooLong,
    /// It is not UTF-8.
    #[error("invalid encoding: expected UTF-8")]
    NoText,
}

impl<R: BufRead> LineReader<R> {
    /// Reads from `source`.
    pub const fn new(source: R) -> LineReader<R> {
        LineReader { source }
    }

    /// The next line without its end and without NUL bytes (gnubg sends one after each line);
    /// `None` at the end.
    ///
    /// # Errors
    /// Those of the source.
    pub fn next_line(&mut self) -> io::Result<Option<Result<String, Refused>>> {
        let mut bytes = Vec::new();
        self.fill(&mut bytes)?;
        if bytes.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
            while bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
                bytes.clear();
                self.fill(&mut bytes)?;
            }
            return Ok(Some(Err(Refused::TooLong)));
        }
        bytes.retain(|&byte| byte != 0);
        let text = String::from_utf8(bytes).map_err(|_| Refused::NoText);
        Ok(Some(text.map(|line| line.trim().to_owned())))
    }

    fn fill(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        (&mut self.source).take(LONGEST).read_until(b'\n', bytes).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_bytes_and_line_ends_are_removed_and_lines_after_a_bad_one_are_read() {
        let mut bytes = b"one\n\0two\r\n\0\xff\xfe\n".to_vec();
        bytes.extend(vec![b'x'; 3 * LONGEST as usize]);
        bytes.extend(b"\nlast");
        let mut lines = LineReader::new(bytes.as_slice());
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().expect("memory") {
            all.push(line);
        }
        let line = |text: &str| Ok(text.to_owned());
        assert_eq!(
            all,
            [line("one"), line("two"), Err(Refused::NoText), Err(Refused::TooLong), line("last")]
        );
    }
}
