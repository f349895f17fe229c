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
    /// Between the messages 3 and 4, where lines are free text.
    in_message_of_the_day: bool,
}

impl Parser {
    /// Parses one line and passes its messages, one or more, to `sink`.
    pub fn parse(&mut self, line: &Line, mut sink: impl FnMut(Message)) {
        let text = match line {
            Line::Text(text) => text,
            Line::LoginPrompt => {
                self.in_message_of_the_day = false;
                return sink(Message::LoginPrompt);
            }
            Line::PasswordPrompt => return sink(Message::PasswordPrompt),
            Line::TooLong => return sink(Message::TooLong),
        };
        if self.in_message_of_the_day {
            if text.trim() == "4" {
                self.in_message_of_the_day = false;
                return sink(Message::MotdEnds);
            }
            return sink(Message::MotdLine(text.clone()));
        }
        let mut rest = text.as_str();
        for _ in 0..MOST {
            let (message, glued) = one(rest);
            self.in_message_of_the_day |= message == Message::MotdBegins;
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
