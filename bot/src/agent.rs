//! The bot's side of the protocol: [`Agent`] for [`Bot`]. Every method answers one question of the
//! session.

use fibs::agent::{Agent, Event, IdleAction, Invitation, Lobby, TurnContext, stake_if_won_now};
use fibs::message::{Channel, Chat, Length};

use crate::bot::Bot;
use crate::records::log_event::LogEvent;
use crate::records::transcript::printable;
use crate::resignation::context;
use crate::{chat, cube_scoring, fibs_to_engine, offer_to_resign, should_accept};
use nonet_engine::backgammon::record::RecordTurn;
use nonet_engine::backgammon::{FibsBoard, GameState, Position, Stake};
use nonet_engine::engine::CubeContext;

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

impl Agent for Bot {
    fn play(&mut self, turn: &TurnContext) -> Position {
        let context = self.state(turn.board).map(|state| context(&state));
        let (after, equity) = self.decider.play(&turn.position, turn.dice, context.as_ref());
        self.expected_equity = Some(equity);
        after
    }

    fn double(&mut self, board: &FibsBoard) -> bool {
        let Some(state) = self.state(board) else {
            tracing::warn!("no double on this board");
            return false;
        };
        self.decider.cube(&state.position, &context(&state)).is_double()
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        let Some(state) = self.state(board) else {
            tracing::warn!("the double on this board is taken without an evaluation");
            return true;
        };
        // The state is seen by the doubler, for whom the decider answers.
        self.decider.cube(&state.position, &context(&state)).is_take()
    }

    fn accept_resignation(&mut self, board: &FibsBoard, offered: Stake) -> bool {
        let most = stake_if_won_now(&board.position);
        let Some(state) = self.state(board) else {
            tracing::warn!("a resignation on this board is accepted only for all that can be won");
            return offered >= most;
        };
        let (own, cube) = (board.colour, state.cube_of(board.colour));
        let value = self.decider.before_roll(&state.position);
        let value = if state.state.on_roll == own { value } else { value.flipped() };
        let fair = should_accept(&value, &cube_scoring(state.scoring_of(own)), cube, offered);
        offered >= most || fair
    }

    fn resign(&mut self, board: &FibsBoard) -> Option<Stake> {
        // The nets evaluate positions before the roll.
        if board.rolled().is_some() {
            return None;
        }
        let CubeContext { scoring, cube } = context(&self.state(board)?);
        let value = self.decider.before_roll(&board.position);
        offer_to_resign(&board.position, &value, &scoring, cube)
    }

    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        if self.paused || self.finishing || self.quitting {
            return Err("I am taking a break. Please ask again later.".into());
        }
        let left_behind = match self.config.policy.refuse_droppers {
            Some(_) => self.match_log.left_behind_by(&invitation.from),
            None => 0,
        };
        self.config.policy.check(invitation, left_behind)
    }

    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        let owner = self.config.owners.contains(&chat.from) && chat.channel == Channel::Tell;
        if chat::is_bot(&chat.from) && !owner {
            return Vec::new();
        }
        let Some(request) = chat::request(&chat.text, owner) else { return Vec::new() };
        vec![self.answer(request, &chat.from)]
    }

    fn greet(&mut self, opponent: &str) -> Option<String> {
        /// More names than this are forgotten, so that the list cannot grow for ever.
        const REMEMBERED: usize = 1000;
        if self.greeted.iter().any(|name| name == opponent) || chat::is_bot(opponent) {
            return None;
        }
        if self.greeted.len() >= REMEMBERED {
            self.greeted.clear();
        }
        self.greeted.push(opponent.to_owned());
        Some("Hello! I am a bot (nonet). Good luck, and tell me 'help' if you like.".to_owned())
    }

    fn thank(&mut self, opponent: &str) -> Option<String> {
        (!chat::is_bot(opponent)).then(|| "Thank you for the match!".to_owned())
    }

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        if self.opponent.is_none() {
            self.poll_learner();
        }
        let enough = self.config.matches.is_some_and(|matches| self.matches_finished >= matches);
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

    fn unfinished(&self) -> Vec<String> {
        self.match_log.open_opponents()
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Ready { saved } => {
                tracing::info!("ready; saved matches: {}", saved.len());
            }
            Event::Match { opponent, length, standings } => {
                let standing =
                    |i: usize| standings[i].as_ref().and_then(|who| who.rating.zip(who.experience));
                let how = if *length == Length::Resume { "resumed" } else { "begins" };
                tracing::info!("match with {opponent} {how}");
                self.begin_match(opponent, *length, [standing(0), standing(1)]);
            }
            &Event::Game { length, score, crawford } => {
                self.record_now(|time| LogEvent::GameStart { time, length, score, crawford });
            }
            &Event::Turn { own, dice, before, after } => {
                let player = fibs_to_engine::seat(own);
                self.record_turn(own, &RecordTurn { player, before, dice, after });
            }
            &Event::Double { own } => {
                self.record_now(|time| LogEvent::Double {
                    time,
                    player: fibs_to_engine::seat(own),
                });
            }
            &Event::Take { own } => {
                self.record_now(|time| LogEvent::Take { time, player: fibs_to_engine::seat(own) });
            }
            &Event::GameOver { won, points, end } => {
                let winner = fibs_to_engine::seat(won);
                self.record_now(|time| LogEvent::GameOver { time, winner, points, end });
            }
            Event::Rating(line) => {
                self.record_now(|time| LogEvent::Rating { time, line: line.clone() });
            }
            Event::MatchOver { opponent, won, score } => {
                self.finish_match(opponent, *won, *score);
            }
            Event::Left { opponent } => self.interrupt_match(opponent),
            Event::History { opponent, lines } => {
                let time = self.now();
                let was_open = self.match_log.open_match(opponent).is_some();
                self.record(opponent, &LogEvent::History { time, lines: lines.clone() });
                if was_open && self.match_log.open_match(opponent).is_none() {
                    tracing::info!("match with {opponent} ended during a disconnection");
                    self.matches_finished += 1;
                }
            }
            Event::HistoryLost { opponent, certain } => {
                let time = self.now();
                if *certain && self.opponent.as_ref() != Some(opponent) {
                    tracing::info!("match with {opponent} ended with an unknown result");
                    self.record(opponent, &LogEvent::EndUnknown { time });
                } else {
                    self.record(opponent, &LogEvent::Gap { time });
                }
            }
            Event::BadBoard(error) => {
                tracing::warn!("refused a board of the server: {error}");
                self.figures().borrow_mut().incidents.refused_boards.add(&error.to_string());
            }
            Event::Refused(why) => {
                tracing::info!("the server refused a command: {why}");
                self.figures().borrow_mut().incidents.refused_commands.add(why);
            }
            Event::Unanswered(command) => {
                tracing::warn!("no answer and no effect: {command}");
                self.figures().borrow_mut().incidents.unanswered.add(command);
            }
            Event::Warning(text) => {
                tracing::warn!("{text}");
                self.figures().borrow_mut().incidents.warn(text);
            }
            Event::Unknown(line) => {
                let line = printable(&self.without_secret(line));
                if self.figures().borrow_mut().incidents.unknown_lines.add(&line) {
                    tracing::info!("unknown line of the server: {line}");
                } else {
                    tracing::debug!("unknown line of the server again: {line}");
                }
            }
            Event::Sent(line) => self.leaving |= line == "leave" || line == "bye",
        }
    }
}
