//! The parser of lines to typed messages. Every line gives a message: an unknown one gives
//! [`Message::Unknown`], and several messages that the server wrote into one line are separated.

mod clip;
mod pattern;
mod texts;
mod types;
mod watched;

pub use clip::{OwnInfo, Toggle, WhoLine};
pub use types::{Channel, Chat, Length, Message, Refusal, SavedMatch};

use backgammon::FibsBoard;

use crate::codec::Line;

/// The most messages of one line.
const MOST: usize = 8;

/// Turns lines into messages, in the order in which they come.
///
/// ```
/// use fibs::codec::Line;
/// use fibs::message::{Message, Parser};
///
/// let (mut parser, mut messages) = (Parser::default(), Vec::new());
/// parser.parse(&Line::LoginPrompt, |message| messages.push(message));
/// assert_eq!(messages, [Message::LoginPrompt]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    motd: Motd,
}

/// The message of the day, which comes once after a login. Its lines are free text, and its end may
/// be missing.
#[derive(Clone, Debug, Default)]
enum Motd {
    #[default]
    NotYet,
    /// Between the messages 3 and 4. The player list may have begun: its lines, and the number of
    /// all lines.
    Open { players: Vec<WhoLine>, lines: usize },
    /// It is over, or the player list came without it: a line `3` means nothing.
    Over,
}

/// The most lines of a message of the day.
const LONGEST_MOTD: usize = 100;

/// Every sentence of the server that the parser knows, with its placeholders: `{w}` a word, `{n}` a
/// number, `{*}` any text.
#[doc(hidden)]
pub fn sentences() -> impl Iterator<Item = &'static str> {
    texts::sentences()
}

impl Parser {
    /// Parses one line and passes its messages, one or more, to `sink`.
    pub fn parse(&mut self, line: &Line, mut sink: impl FnMut(Message)) {
        let text = match line {
            Line::Text(text) => text,
            Line::LoginPrompt => {
                // The text of the day may have a line that looks like a prompt.
                if !matches!(self.motd, Motd::Open { .. }) {
                    self.motd = Motd::NotYet;
                }
                return sink(Message::LoginPrompt);
            }
            Line::PasswordPrompt => return sink(Message::PasswordPrompt),
            Line::TooLong => return sink(Message::TooLong),
        };
        if let Motd::Open { players, lines } = &mut self.motd {
            *lines += 1;
            match one(text).0 {
                Message::MotdEnds => {
                    self.motd = Motd::Over;
                    return sink(Message::MotdEnds);
                }
                // The list of players has ended, so its lines were no free text.
                Message::WhoEnds => {
                    players.drain(..).for_each(|who| sink(Message::Who(Box::new(who))));
                    self.motd = Motd::Over;
                    return sink(Message::WhoEnds);
                }
                // The server answers the first command: no text of the day has such a line.
                answer @ (Message::BoardStyle(_) | Message::Toggled { .. }) => {
                    self.motd = Motd::Over;
                    return sink(answer);
                }
                Message::Who(who) => players.push(*who),
                _ => {}
            }
            if *lines >= LONGEST_MOTD {
                self.motd = Motd::Over;
            }
            return sink(Message::MotdLine(text.clone()));
        }
        let mut rest = text.as_str();
        for _ in 0..MOST {
            let (message, glued) = one(rest);
            let message = match (message, &self.motd) {
                (Message::MotdBegins, Motd::NotYet) => {
                    self.motd = Motd::Open { players: Vec::new(), lines: 0 };
                    Message::MotdBegins
                }
                (Message::MotdBegins, _) => Message::Unknown(rest.to_owned()),
                (message @ Message::WhoEnds, _) => {
                    self.motd = Motd::Over;
                    message
                }
                (message, _) => message,
            };
            sink(message);
            rest = glued.trim_start();
            if rest.is_empty() {
                return;
            }
        }
        sink(Message::Unknown(rest.to_owned()));
    }

    /// All messages of one line of text.
    #[must_use]
    pub fn messages(text: &str) -> Vec<Message> {
        let mut out = Vec::new();
        Parser::default().parse(&Line::Text(text.to_owned()), |message| out.push(message));
        out
    }
}

/// The first message of a text, and the text after it.
fn one(text: &str) -> (Message, &str) {
    let text = text.trim_start();
    if text.starts_with("board:") {
        return match FibsBoard::parse(text) {
            Ok((board, rest)) => (Message::Board(Box::new(board)), rest),
            Err(error) => (Message::BadBoard(error), ""),
        };
    }
    if let Some(message) = clip::parse(text) {
        return (message, "");
    }
    texts::parse(text).unwrap_or_else(|| (Message::Unknown(text.to_owned()), ""))
}

#[cfg(test)]
mod tests;
