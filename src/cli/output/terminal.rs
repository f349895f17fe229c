//! Standard output as a person sees it: its width, and colours where it has them.
//!
//! A file or a pipe has neither: it gets whole lines without escape sequences. `COLUMNS` sets a
//! width for it, too.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Effects, Style};
use nonet::analysis::Severity;
use terminal_size::{Width, terminal_size_of};

/// The width and the colours of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terminal {
    /// Columns of a line; `usize::MAX` where lines have no end.
    pub(crate) columns: usize,
    colours: bool,
}

/// The least width that is believed.
const NARROWEST: usize = 20;

/// A roll is very lucky or very unlucky from this on, in points on a cube at 1.
///
/// The limit is that of GNU Backgammon (`show analysis`).
const VERY_LUCKY: f32 = 0.6;

const BOLD: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default();
const VERY_BAD: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const BAD: Style = ERROR;
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
const LUCKY: Style = AnsiColor::Green.on_default();
const UNLUCKY: Style = AnsiColor::Magenta.on_default();
const OWN_CHECKER: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);
const OTHER_CHECKER: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);

impl Terminal {
    /// That of standard output. `--color` and `NO_COLOR` (<https://no-color.org>) decide about
    /// colours.
    pub(crate) fn of_stdout() -> Terminal {
        let given = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let stdout = io::stdout();
        let shown = || terminal_size_of(&stdout).map(|(Width(columns), _)| columns.into());
        let shown = || shown().filter(|&columns: &usize| columns > 0 && stdout.is_terminal());
        let columns = given.filter(|&columns| columns > 0).or_else(shown);
        let columns = columns.map_or(usize::MAX, |columns| columns.max(NARROWEST));
        let colours = AutoStream::choice(&stdout) != ColorChoice::Never;
        Terminal { columns, colours }
    }

    /// The same with lines of at most `columns` columns.
    pub(crate) fn at_most(self, columns: usize) -> Terminal {
        Terminal { columns: self.columns.min(columns), ..self }
    }

    fn painted(self, style: Style, text: &str) -> String {
        if self.colours && style != Style::new() && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// A question.
    pub(crate) fn bold(self, text: &str) -> String {
        self.painted(BOLD, text)
    }

    /// What is wrong.
    pub(crate) fn error(self, text: &str) -> String {
        self.painted(ERROR, text)
    }

    /// What belongs to a decision: nothing of a good one is coloured.
    pub(crate) fn severity(self, severity: Severity, text: &str) -> String {
        let style = match severity {
            Severity::Fine => Style::new(),
            Severity::Doubtful => DOUBTFUL,
            Severity::Bad => BAD,
            Severity::VeryBad => VERY_BAD,
        };
        self.painted(style, text)
    }

    /// The luck of a roll, in points on a cube at 1.
    pub(crate) fn luck(self, luck: f32, text: &str) -> String {
        let style = match luck {
            luck if luck >= VERY_LUCKY => LUCKY,
            luck if luck <= -VERY_LUCKY => UNLUCKY,
            _ => Style::new(),
        };
        self.painted(style, text)
    }

    /// The checkers of a drawn board.
    pub(crate) fn checkers(self, drawn: &str) -> String {
        let mut painted = String::new();
        for line in drawn.split_inclusive('\n') {
            let board = line.starts_with('|');
            for c in line.chars() {
                match c {
                    'X' if board => painted += &self.painted(OWN_CHECKER, "X"),
                    'O' if board => painted += &self.painted(OTHER_CHECKER, "O"),
                    c => painted.push(c),
                }
            }
        }
        painted
    }

    /// Whether all lines fit.
    pub(crate) fn holds(self, text: &str) -> bool {
        text.lines().all(|line| width(line) <= self.columns)
    }

    /// Text with its lines folded at spaces; the rest of a line is indented a little more.
    pub(crate) fn folded(self, text: &str) -> String {
        text.split_inclusive('\n').map(|line| self.folded_line(line)).collect()
    }

    /// Paragraphs between empty lines: tables as [`Terminal::table`] has them, the others folded.
    pub(crate) fn fitted(self, text: &str) -> String {
        let paragraph = |text: &str| {
            let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
            let table = lines.len() > 1 && columns(&lines).len() > 1;
            if table { self.table(text) } else { self.folded(text) }
        };
        if self.holds(text) {
            return text.to_owned();
        }
        let all: Vec<String> = text.split("\n\n").map(paragraph).collect();
        all.iter().map(|text| text.trim_end_matches('\n')).collect::<Vec<_>>().join("\n\n") + "\n"
    }

    fn folded_line(self, line: &str) -> String {
        if self.holds(line) {
            return line.to_owned();
        }
        let indent = line.chars().take_while(|c| *c == ' ').count();
        let hanging = " ".repeat((indent + 2).min(self.columns / 3));
        let (mut text, mut column) = (String::new(), 0);
        for word in line.split_inclusive(' ') {
            let length = width(word.trim_end());
            if column > hanging.len() && column + length > self.columns && length > 0 {
                text.truncate(text.trim_end_matches(' ').len());
                text.push('\n');
                text += &hanging;
                column = hanging.len();
            }
            text += word;
            column += width(word);
        }
        text
    }

    /// A table with its header. Where it is too wide, the columns that fit come first, then the
    /// others, each part with the first column. Columns are two spaces apart in every line.
    pub(crate) fn table(self, text: &str) -> String {
        if self.holds(text) {
            return text.to_owned();
        }
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let columns = columns(&lines);
        let (first, others) = match columns.as_slice() {
            [first, others @ ..] if !others.is_empty() => (first, others),
            _ => return self.folded(text),
        };
        let (mut parts, mut room) = (Vec::<std::ops::Range<usize>>::new(), 0);
        for column in others {
            match parts.last_mut() {
                Some(part) if column.end - part.start <= room => part.end = column.end,
                _ => {
                    parts.push(column.clone());
                    room = self.columns.saturating_sub(first.end);
                }
            }
        }
        let part = |part: &std::ops::Range<usize>| -> String {
            let cut = |line: &Vec<char>, range: &std::ops::Range<usize>| -> String {
                let end = range.end.min(line.len());
                line[range.start.min(end)..end].iter().collect()
            };
            let row = |line: &Vec<char>| {
                let row = format!("{:1$}", cut(line, first), first.end) + &cut(line, part);
                self.folded_line(row.trim_end()) + "\n"
            };
            lines.iter().map(row).collect()
        };
        parts.iter().map(part).collect::<Vec<_>>().join("\n")
    }
}

/// Characters that are shown.
fn width(text: &str) -> usize {
    strip_str(text).map(|part| part.trim_end_matches('\n').chars().count()).sum()
}

/// The columns of a table, each with the spaces before it.
fn columns(lines: &[Vec<char>]) -> Vec<std::ops::Range<usize>> {
    let end = lines.iter().map(Vec::len).max().unwrap_or(0);
    let blank = |at: usize| lines.iter().all(|line| line.get(at).is_none_or(|c| *c == ' '));
    let (mut found, mut start, mut filled) = (Vec::new(), 0, false);
    for at in 0..end {
        if !blank(at) {
            filled = true;
        } else if filled && blank(at + 1) {
            found.push(start..at);
            (start, filled) = (at, false);
        }
    }
    if filled {
        found.push(start..end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Terminal = Terminal { columns: 20, colours: false };

    #[test]
    fn lines_are_folded_at_spaces_and_the_rest_is_indented() {
        let text = "one two three four five six\n  a line that is too long\nshort\n";
        let expected = "one two three four\n  five six\n  a line that is too\n    long\nshort\n";
        assert_eq!(PLAIN.folded(text), expected);
        let endless = Terminal { columns: usize::MAX, ..PLAIN };
        assert_eq!(endless.folded(text), text);
        assert_eq!(
            PLAIN.folded("a_word_that_cannot_be_folded 1"),
            "a_word_that_cannot_be_folded\n  1"
        );
    }

    #[test]
    fn colours_take_no_room_and_are_left_out_where_there_are_none() {
        let colours = Terminal { colours: true, ..PLAIN };
        let painted = colours.severity(Severity::VeryBad, "seventeen letters");
        assert!(painted.starts_with('\u{1b}') && painted.ends_with("\u{1b}[0m"), "{painted:?}");
        assert!(colours.holds(&painted));
        assert_eq!(PLAIN.severity(Severity::VeryBad, "??"), "??");
        assert_eq!(colours.severity(Severity::Fine, "8/5 6/5"), "8/5 6/5");
        assert_eq!(colours.luck(0.59, "+0.590"), "+0.590");
        assert_ne!(colours.luck(0.6, "x"), colours.luck(-0.6, "x"));
    }

    #[test]
    fn a_wide_table_comes_in_parts_that_fit() {
        let table = "net          mean  won-lost   first\n\
                     one      +1 ± 0.1       3-0  -1 ± 2\n\
                     second         -1       0-3\n";
        let parts = "net          mean\n\
                     one      +1 ± 0.1\n\
                     second         -1\n\
                     \n\
                     net     won-lost\n\
                     one          3-0\n\
                     second       0-3\n\
                     \n\
                     net      first\n\
                     one     -1 ± 2\n\
                     second\n";
        assert_eq!(Terminal { columns: 17, ..PLAIN }.table(table), parts);
        assert_eq!(Terminal { columns: 35, ..PLAIN }.table(table), table);
    }
}
