//! The bot's side of the protocol of FIBS: [`Agent`] for [`Bot`]. Every method answers one question
//! of the session.

use fibs::agent::{Agent, Event, IdleAction, Invitation, Lobby, TurnContext, stake_if_won_now};
use fibs::message::{Channel, Chat, Length};

use crate::bot::Bot;
use crate::records::log_event::LogEvent;
use crate::table_event::TableEvent;
use nonet_engine::backgammon::{FibsBoard, GameState, Position, Stake};

impl Bot {
    /// The game on `board`. An impossible score, which only the server can send, is logged: no
    /// decision follows from it.
    fn state(&mut self, board: &FibsBoard) -> Option<GameState> {
        match board.state() {
            Ok(state) => Some(state),
            Err(reason) => {
                tracing::warn!("the server sent an impossible board: {reason}");
                None
            }
        }
    }
}

impl Agent for Bot {
    fn play(&mut self, turn: &TurnContext) -> Position {
        let game = self.state(turn.board);
        self.choose(&turn.position, turn.dice, game.as_ref())
    }

    fn double(&mut self, board: &FibsBoard) -> bool {
        let Some(state) = self.state(board) else {
            tracing::warn!("no double on this board");
            return false;
        };
        self.doubles(&state)
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        let Some(state) = self.state(board) else {
            tracing::warn!("the double on this board is taken without an evaluation");
            return true;
        };
        self.takes(&state)
    }

    fn accept_resignation(&mut self, board: &FibsBoard, offered: Stake) -> bool {
        let most = stake_if_won_now(&board.position);
        let Some(state) = self.state(board) else {
            tracing::warn!("a resignation on this board is accepted only for all that can be won");
            return offered >= most;
        };
        offered >= most || self.is_content_with(board.colour, &state, offered)
    }

    fn resign(&mut self, board: &FibsBoard) -> Option<Stake> {
        // The nets evaluate positions before the roll.
        if board.rolled().is_some() {
            return None;
        }
        let game = self.state(board)?;
        self.gives_up(&board.position, &game)
    }

    fn open_to_matches(&self) -> Result<(), String> {
        self.takes_matches()
    }

    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        let left_behind = match self.config.policy.refuse_droppers {
            Some(_) => self.match_log.left_behind_by(&invitation.from),
            None => 0,
        };
        self.config.policy.check(invitation, left_behind)
    }

    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        self.reply(&chat.from, &chat.text, chat.channel == Channel::Tell)
    }

    fn takes_orders_from(&self, name: &str) -> bool {
        self.is_owner(name)
    }

    fn greet(&mut self, opponent: &str) -> Option<String> {
        self.greeting(opponent)
    }

    fn thank(&mut self, opponent: &str) -> Option<String> {
        self.thanks(opponent)
    }

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        if self.opponent.is_none() {
            self.poll_learner();
        }
        let enough = self.has_played_enough();
        let nothing_open = self.match_log.open_opponents().is_empty();
        if self.quitting || self.finishing || (enough && nothing_open) {
            return IdleAction::Quit;
        }
        match &self.config.challenge {
            Some((name, points)) if !self.paused && !enough && nothing_open => {
                let free =
                    lobby.players.get(name).is_some_and(|who| who.opponent.is_none() && who.ready);
                if free {
                    IdleAction::Invite(name.clone(), Length::Points(*points))
                } else {
                    IdleAction::Nothing
                }
            }
            _ => IdleAction::Nothing,
        }
    }

    fn quits(&mut self, playing: bool) -> bool {
        self.quitting || (self.finishing && !playing)
    }

    fn unfinished(&self) -> Vec<String> {
        self.match_log.open_opponents()
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Ready { saved } => {
                tracing::info!("ready; saved matches: {}", saved.len());
            }
            Event::Match { opponent, length, standings } => {
                let standing = |i: usize| {
                    let who = standings[i].as_ref();
                    who.and_then(|who| who.rating.zip(who.experience)).unzip()
                };
                let points = if let Length::Points(points) = *length { Some(points) } else { None };
                let resumed = *length == Length::Resume;
                self.begin_match(opponent, resumed, points, [standing(0), standing(1)]);
            }
            &Event::Game { length, score, crawford } => {
                self.happens(TableEvent::Game { length, score, crawford });
            }
            &Event::Turn { own, dice, before, after } => {
                self.happens(TableEvent::Turn { own, dice, before, after });
            }
            &Event::Double { own } => self.happens(TableEvent::Double { own }),
            &Event::Take { own } => self.happens(TableEvent::Take { own }),
            &Event::GameOver { won, points, end } => {
                self.happens(TableEvent::GameOver { won, points, end });
            }
            Event::Rating(line) => {
                self.record_now(|time| LogEvent::Rating { time, line: line.clone() });
            }
            Event::MatchOver { opponent, won, score } => {
                self.happens(TableEvent::MatchOver { opponent, won: *won, score: *score });
            }
            Event::Left { opponent } => self.happens(TableEvent::Left { opponent }),
            Event::History { opponent, lines } => {
                let open = self.match_log.open_match(opponent);
                // An opponent who comes back again and again does not make the record longer.
                if !open.is_some_and(|open| open.learns_from(lines)) {
                    return;
                }
                let time = self.now();
                self.record(opponent, &LogEvent::History { time, lines: lines.clone() });
                if self.match_log.open_match(opponent).is_none() {
                    tracing::info!("match with {opponent} ended during a disconnection");
                    self.matches_finished += 1;
                }
            }
            Event::HistoryLost { opponent, certain } => {
                let ended = *certain && self.opponent.as_ref() != Some(opponent);
                self.happens(if ended {
                    TableEvent::EndUnknown { opponent }
                } else {
                    TableEvent::Gap { opponent }
                });
            }
            Event::BadBoard(error) => self.happens(TableEvent::BadBoard(&error.to_string())),
            Event::Refused(why) => self.happens(TableEvent::Refused(why)),
            Event::Unanswered(command) => self.happens(TableEvent::Unanswered(command)),
            Event::Warning(text) => self.happens(TableEvent::Warning(text)),
            Event::Stuck(why) => self.happens(TableEvent::Stuck(why)),
            Event::Unknown(line) => self.happens(TableEvent::Unknown(line)),
            Event::Sent(line) => self.happens(TableEvent::Sent(line)),
        }
    }
}
