//! What a server turned out not to know: such commands are not sent again.

use std::collections::BTreeSet;

use crate::command::Command;

/// Words for a board, in the order in which they are tried.
const BOARD: [Command; 3] = [Command::Board, Command::ShortBoard, Command::Redraw];
/// Commands without which no match can be played: an error about them is about something else.
const INDISPENSABLE: [&str; 8] =
    ["login", "roll", "double", "accept", "reject", "move", "join", "invite"];

/// The commands that a server does not know. They are a property of the server, so they are kept
/// when the connection breaks.
#[derive(Clone, Debug, Default)]
pub(super) struct Dialect {
    unknown: BTreeSet<&'static str>,
}

impl Dialect {
    /// Whether the server may know the command.
    pub(super) fn knows(&self, command: &Command) -> bool {
        !self.unknown.contains(command.verb())
    }

    /// The server does not know the command. Returns whether that is news.
    pub(super) fn learn(&mut self, command: &Command) -> bool {
        let verb = command.verb();
        !INDISPENSABLE.contains(&verb) && self.unknown.insert(verb)
    }

    /// The command for a board when it has been asked for `tries` times in vain; `None` if the
    /// server knows none.
    pub(super) fn board(&self, tries: u32) -> Option<Command> {
        let known: Vec<&Command> = BOARD.iter().filter(|command| self.knows(command)).collect();
        known.get(tries as usize % known.len().max(1)).copied().cloned()
    }

    /// A command that every server answers, to keep the connection alive or to find the end of a
    /// list.
    pub(super) fn probe(&self) -> Command {
        let probes = [Command::Time, Command::RawWho];
        probes.into_iter().find(|command| self.knows(command)).unwrap_or(Command::ShowSaved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_for_a_board_is_tried_until_the_server_knows_none() {
        let mut dialect = Dialect::default();
        let words: Vec<_> = (0..4).filter_map(|tries| dialect.board(tries)).collect();
        assert_eq!(words, [Command::Board, Command::ShortBoard, Command::Redraw, Command::Board]);
        assert!(dialect.learn(&Command::Board) && !dialect.learn(&Command::Board));
        assert_eq!(dialect.board(0), Some(Command::ShortBoard));
        dialect.learn(&Command::ShortBoard);
        dialect.learn(&Command::Redraw);
        assert_eq!(dialect.board(0), None);
    }

    #[test]
    fn what_a_match_needs_is_never_given_up() {
        let mut dialect = Dialect::default();
        assert!(!dialect.learn(&Command::Roll));
        assert!(dialect.knows(&Command::Roll));
    }
}
