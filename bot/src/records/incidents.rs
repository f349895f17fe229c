//! What an operator should know of a session: counts of lines and commands that did not work as
//! expected.

use std::collections::BTreeMap;
use std::fmt;

/// Texts with the number of times that each occurred.
///
/// ```
/// use nonet_bot::IncidentTally;
///
/// let mut tally = IncidentTally::default();
/// for text in ["no board", "no answer", "no board"] {
///     tally.add(text);
/// }
/// assert_eq!((tally.total(), tally.most_frequent(1)), (3, vec![("no board", 2)]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncidentTally {
    total: u64,
    by_text: BTreeMap<String, u64>,
}

impl IncidentTally {
    /// The texts that are told apart; further ones count only in the total.
    const MOST: usize = 200;

    /// Counts a text. Returns whether it is new.
    pub fn add(&mut self, text: &str) -> bool {
        self.total += 1;
        if let Some(count) = self.by_text.get_mut(text) {
            *count += 1;
            return false;
        }
        let is_new = self.by_text.len() < IncidentTally::MOST;
        if is_new {
            self.by_text.insert(text.to_owned(), 1);
        }
        is_new
    }

    /// The number of all texts, repeated ones included.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The most frequent texts and how often each occurred, at most `count` of them.
    #[must_use]
    pub fn most_frequent(&self, count: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> =
            self.by_text.iter().map(|(text, count)| (text.as_str(), *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all.truncate(count);
        all
    }
}

/// What did not work as expected since the bot was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incidents {
    /// Lines of the server that mean nothing to the client.
    pub unknown_lines: IncidentTally,
    /// Boards that are impossible, by reason.
    pub refused_boards: IncidentTally,
    /// Commands without an effect or an answer.
    pub unanswered: IncidentTally,
    /// Commands that the server refused, by reason.
    pub refused_commands: IncidentTally,
    /// What the session warned of, tables freed because they were stuck included.
    pub warnings: IncidentTally,
    /// Tables that were freed because nothing moved or nothing had an effect.
    pub hangs: u64,
}

impl Incidents {
    /// Counts a table that was freed because it was stuck, with the reason.
    pub fn stuck(&mut self, why: &str) {
        self.warnings.add(why);
        self.hangs += 1;
    }
}

impl fmt::Display for Incidents {
    /// One sentence without line ends.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} unknown lines, {} boards refused, {} commands unanswered, {} refused, {} hangs",
            self.unknown_lines.total(),
            self.refused_boards.total(),
            self.unanswered.total(),
            self.refused_commands.total(),
            self.hangs
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_texts_count_once_each_time_and_are_new_once() {
        let mut tally = IncidentTally::default();
        assert!(tally.add("bob waves goodbye.") && !tally.add("bob waves goodbye."));
        assert!(tally.add("Goodbye."));
        assert_eq!(tally.total(), 3);
        assert_eq!(tally.most_frequent(1), [("bob waves goodbye.", 2)]);
    }

    #[test]
    fn a_server_that_never_repeats_itself_uses_little_memory() {
        let mut tally = IncidentTally::default();
        for n in 0..10_000 {
            tally.add(&n.to_string());
        }
        assert_eq!((tally.total(), tally.by_text.len()), (10_000, IncidentTally::MOST));
    }
}
