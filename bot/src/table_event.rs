//! What happens at a table of whatever server, and what the bot does about it: it records, counts
//! and logs.

use nonet_engine::backgammon::record::RecordTurn;
use nonet_engine::backgammon::{Dice, GameEnd, Position};

use crate::bot::Bot;
use crate::records::log_event::LogEvent;
use crate::records::transcript::printable;
use crate::to_engine::seat;

/// An event of a match or of its server.
pub(super) enum TableEvent<'a> {
    /// A game began; own points come first, and an unlimited match has no length.
    Game { length: Option<u32>, score: [u32; 2], crawford: bool },
    /// A roll was played; the positions are seen by the player on roll then.
    Turn { own: bool, dice: Dice, before: Position, after: Position },
    /// The cube was turned.
    Double { own: bool },
    /// A double was taken.
    Take { own: bool },
    /// A game ended.
    GameOver { won: bool, points: u32, end: GameEnd },
    /// A match ended; own points come first.
    MatchOver { opponent: &'a str, won: bool, score: [u32; 2] },
    /// The match was interrupted.
    Left { opponent: &'a str },
    /// Turns were missed.
    Gap { opponent: &'a str },
    /// The match will not go on, and its result is unknown.
    EndUnknown { opponent: &'a str },
    /// The server sent a board that cannot be.
    BadBoard(&'a str),
    /// The server refused a command.
    Refused(&'a str),
    /// A command had no effect.
    Unanswered(&'a str),
    /// Something that the operator should know.
    Warning(&'a str),
    /// A table is left because nothing moves or nothing has an effect.
    Stuck(&'a str),
    /// A line that means nothing to the client.
    Unknown(&'a str),
    /// A command was sent.
    Sent(&'a str),
}

impl Bot {
    /// Takes an event.
    pub(super) fn happens(&mut self, event: TableEvent) {
        match event {
            TableEvent::Game { length, score, crawford } => {
                self.record_now(|time| LogEvent::GameStart { time, length, score, crawford });
            }
            TableEvent::Turn { own, dice, before, after } => {
                self.record_turn(own, &RecordTurn { player: seat(own), before, dice, after });
            }
            TableEvent::Double { own } => {
                self.record_now(|time| LogEvent::Double { time, player: seat(own) });
            }
            TableEvent::Take { own } => {
                self.record_now(|time| LogEvent::Take { time, player: seat(own) });
            }
            TableEvent::GameOver { won, points, end } => {
                let winner = seat(won);
                self.record_now(|time| LogEvent::GameOver { time, winner, points, end });
            }
            TableEvent::MatchOver { opponent, won, score } => {
                self.finish_match(opponent, won, score);
            }
            TableEvent::Left { opponent } => self.interrupt_match(opponent),
            TableEvent::Gap { opponent } => {
                let time = self.now();
                self.record(opponent, &LogEvent::Gap { time });
            }
            TableEvent::EndUnknown { opponent } => {
                let time = self.now();
                tracing::info!("match with {opponent} ended with an unknown result");
                self.record(opponent, &LogEvent::EndUnknown { time });
            }
            TableEvent::BadBoard(error) => {
                tracing::warn!("refused a board of the server: {error}");
                self.figures().borrow_mut().incidents.refused_boards.add(error);
            }
            TableEvent::Refused(why) => {
                let why = printable(&self.without_secret(why));
                tracing::info!("the server refused a command: {why}");
                self.figures().borrow_mut().incidents.refused_commands.add(&why);
            }
            TableEvent::Unanswered(command) => {
                tracing::warn!("no answer and no effect: {command}");
                self.figures().borrow_mut().incidents.unanswered.add(command);
            }
            TableEvent::Warning(text) => {
                tracing::warn!("{text}");
                self.figures().borrow_mut().incidents.warnings.add(text);
            }
            TableEvent::Stuck(why) => {
                tracing::warn!("{why}");
                self.figures().borrow_mut().incidents.stuck(why);
            }
            TableEvent::Unknown(line) => {
                let line = printable(&self.without_secret(line));
                if self.figures().borrow_mut().incidents.unknown_lines.add(&line) {
                    tracing::info!("unknown line of the server: {line}");
                } else {
                    tracing::debug!("unknown line of the server again: {line}");
                }
            }
            TableEvent::Sent(line) => {
                self.leaving |= matches!(line, "leave" | "bye" | "disconnect");
            }
        }
    }

    /// Records a roll that was played.
    fn record_turn(&mut self, own: bool, turn: &RecordTurn) {
        let equity = self.expected_equity.take().filter(|_| own);
        self.record_now(|time| LogEvent::Turn {
            time,
            player: turn.player,
            dice: turn.dice,
            before: turn.before,
            after: turn.after,
            play: turn.play().to_string(),
            equity,
        });
    }
}
