//! Bytes to lines of limited length.

/// The longest line that is kept, in bytes. A list of hundreds of matches is shorter.
pub const LONGEST_LINE: usize = 1 << 18;

/// Turns bytes into lines, which end in LF or CR LF. How the bytes are split into packets makes no
/// difference.
///
/// ```
/// let (mut lines, mut out) = (bgammon::Lines::default(), Vec::new());
/// for packet in ["{\"Type\":", "\"ping\"}\r\n\nhello"] {
///     lines.decode(packet.as_bytes(), |line| out.push(line));
/// }
/// assert_eq!(out, ["{\"Type\":\"ping\"}"]);
/// ```
#[derive(Clone, Debug)]
pub struct Lines {
    line: Vec<u8>,
    longest: usize,
    too_long: bool,
}

impl Default for Lines {
    /// Lines of at most [`LONGEST_LINE`] bytes, which suits what a server says.
    fn default() -> Lines {
        Lines::up_to(LONGEST_LINE)
    }
}

impl Lines {
    /// Lines of at most `longest` bytes.
    #[must_use]
    pub const fn up_to(longest: usize) -> Lines {
        Lines { line: Vec::new(), longest, too_long: false }
    }

    /// Takes the next bytes and passes each complete line to `sink`. Empty lines are left out, and
    /// invalid UTF-8 is replaced. A line that is too long becomes a remark about it.
    pub fn decode(&mut self, bytes: &[u8], mut sink: impl FnMut(String)) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end(&mut sink),
                _ if self.line.len() < self.longest => self.line.push(byte),
                _ => self.too_long = true,
            }
        }
    }

    fn end(&mut self, sink: &mut impl FnMut(String)) {
        let too_long = std::mem::take(&mut self.too_long);
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        match text.trim_end_matches('\r') {
            _ if too_long => sink("(a line that is too long)".to_owned()),
            "" => {}
            text => sink(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_takes_limited_memory_and_the_next_line_is_read() {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        for _ in 0..3 {
            lines.decode(&vec![b'x'; LONGEST_LINE], |line| out.push(line));
        }
        assert!(lines.line.capacity() <= 2 * LONGEST_LINE && out.is_empty());
        lines.decode(b"\n{}\n\xff\n", |line| out.push(line));
        assert_eq!(out, ["(a line that is too long)", "{}", "\u{fffd}"]);
    }

    #[test]
    fn a_line_may_be_as_long_as_the_caller_says_and_no_longer() {
        let (mut lines, mut out) = (Lines::up_to(4), Vec::new());
        lines.decode(b"four\nfives\nls\n", |line| out.push(line));
        assert_eq!(out, ["four", "(a line that is too long)", "ls"]);
    }
}
