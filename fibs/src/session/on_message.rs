//! The handlers of server messages: the effect of each message on the session.

use std::time::Duration;

use backgammon::Dice;

use super::history::HistoryRequest;
use super::state::{Close, MAX_PLAYERS, MAX_REPLIES, Phase, Session};
use super::table::{PendingOffer, TableState};
use crate::agent::{Agent, Event, GameEnd};
use crate::command::Command;
use crate::message::{Channel, Chat, Length, Message, Refusal, WhoLine};

impl Session {
    /// A message arrived.
    pub fn message(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.last_heard = now;
        self.unanswered = None;
        if !matches!(message, Message::OldMoves(_))
            && self.history.as_ref().is_some_and(HistoryRequest::has_begun)
        {
            self.finish_history(agent);
        }
        match self.phase {
            Phase::Greeting | Phase::LoggingIn => self.while_logging_in(&message, now),
            Phase::Closing(_) => {}
            Phase::Online => self.while_online(message, now, agent),
        }
    }

    pub(super) fn while_logging_in(&mut self, message: &Message, now: Duration) {
        match (message, self.phase) {
            (Message::LoginPrompt, Phase::Greeting) => self.phase = Phase::LoggingIn,
            (Message::LoginPrompt, _) if self.last_sent.is_some() => {
                self.phase = Phase::Closing(Close::Refused);
            }
            (Message::Welcome { .. }, Phase::LoggingIn) => {
                self.phase = Phase::Online;
                self.settings.begin(now);
            }
            _ => {}
        }
    }

    pub(super) fn while_online(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.settings.take(&message);
        self.lobby.take(&message, now);
        match message {
            Message::Who(who) => self.take_who_line(*who, now),
            Message::LogsIn { name } => self.lobby.logs_in(&name),
            Message::LogsOut { name } => drop(self.players.remove(&name)),
            Message::Chat(chat) => self.answer_chat(&chat, agent),
            Message::GoesDown { seconds } => {
                // Leaving in time lets the server save the match.
                let back = Duration::from_secs(u64::from(seconds.min(3600)) + 60);
                self.phase = Phase::Closing(Close::GoesDown(back));
            }
            Message::TimedOut => self.phase = Phase::Closing(Close::Dead),
            Message::TypeJoin { name } => {
                let playing = self.table.is_some() || self.history.is_some();
                self.lobby.invitation(
                    &name,
                    playing,
                    &self.players,
                    now,
                    agent,
                    &mut self.chat_queue,
                );
            }
            Message::NowPlaying { name, length } => self.match_begins(name, length, now, agent),
            Message::OldMoves(line) => {
                if let Some(request) = &mut self.history {
                    request.take(line, now);
                }
            }
            Message::Unknown(line) | Message::Notice(line) => agent.event(&Event::Unknown(line)),
            Message::BadBoard(error) => {
                agent.event(&Event::BadBoard(error));
                if let Some(table) = &mut self.table {
                    table.board_is_old(now);
                }
            }
            Message::Refused(refusal) => self.refused(refusal, now, agent),
            Message::Rating(line) => self.tell(Event::Rating(line), agent),
            message => self.while_playing(message, now, agent),
        }
    }

    pub(super) fn take_who_line(&mut self, who: WhoLine, now: Duration) {
        if who.name == self.config.name {
            match (&who.opponent, &mut self.table) {
                // The who line tells reliably whether a match is on, but it may come before the sentence about it.
                (None, Some(table)) => table.board_is_old(now),
                (Some(opponent), None) => {
                    let table = TableState::new(opponent.clone(), Length::Resume, now);
                    self.resume(table, opponent.clone());
                }
                _ => {}
            }
        }
        if self.players.len() < MAX_PLAYERS || self.players.contains_key(&who.name) {
            self.players.insert(who.name.clone(), who);
        }
    }

    pub(super) fn standings(&self, opponent: &str) -> Box<[Option<WhoLine>; 2]> {
        Box::new([opponent, &self.config.name].map(|name| self.players.get(name).cloned()))
    }

    /// Continues a saved match; its earlier moves are requested.
    pub(super) fn resume(&mut self, mut table: TableState, opponent: String) {
        table.tracker.forget();
        table.read_again();
        self.table = Some(table);
        self.history = Some(HistoryRequest::new(opponent));
        self.held_events.clear();
    }

    pub(super) fn match_begins(
        &mut self,
        name: String,
        length: Length,
        now: Duration,
        agent: &mut dyn Agent,
    ) {
        let standings = self.standings(&name);
        let known = self.table.as_ref().is_some_and(|table| table.opponent == name);
        let mut table = TableState::new(name.clone(), length, now);
        table.announced = true;
        agent.event(&Event::Match { opponent: name.clone(), length, standings });
        if length == Length::Resume {
            self.resume(table, name);
        } else {
            self.history = self.history.take().filter(|_| !known);
            table.tracker.expect_game();
            table.board_is_old(now);
            self.chat_queue.extend(agent.greet(&name).map(Command::Kibitz));
            self.table = Some(table);
        }
    }

    pub(super) fn leave_table(&mut self, now: Duration, agent: &mut dyn Agent) {
        if let Some(table) = self.table.take() {
            if self.history.as_ref().is_some_and(|request| request.opponent == table.opponent) {
                // It is requested again when the match is resumed.
                self.history = None;
            }
            agent.event(&Event::Left { opponent: table.opponent.clone() });
            self.lobby.dropped(table.opponent, now + self.config.wait_for_dropped);
        }
    }

    pub(super) fn refused(&mut self, refusal: Refusal, now: Duration, agent: &mut dyn Agent) {
        if refusal == Refusal::NothingSaved && self.history.as_ref().is_some_and(|w| !w.is_due(now))
        {
            self.lose_history(true, agent);
        }
        let Some(table) = &mut self.table else { return };
        match refusal {
            Refusal::NotPlaying => self.leave_table(now, agent),
            Refusal::BadMove
            | Refusal::NotNow
            | Refusal::RolledAlready
            | Refusal::NoDouble
            | Refusal::OfferPending => {
                agent.event(&Event::Refused(format!("{refusal:?}")));
                table.refused(refusal == Refusal::BadMove);
            }
            _ => {}
        }
    }

    pub(super) fn while_playing(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        let Some(table) = &mut self.table else { return };
        let opponent = table.opponent.clone();
        let is_they = |name: &String| *name == opponent;
        let mut out = Vec::new();
        let (mut gap, mut unannounced) = (false, false);
        match message {
            Message::Board(board) if board.is_own() && board.opponent == opponent => {
                if !std::mem::replace(&mut table.announced, true) {
                    // The server resumed the match without a sentence.
                    unannounced = true;
                }
                if std::mem::take(&mut table.unchecked)
                    && !self.lobby.is_as_agreed(&board, table.length)
                {
                    self.chat_queue.push_back(Command::Tell(
                        opponent.clone(),
                        "This is not the match that we agreed on, so I leave it.".to_owned(),
                    ));
                    self.chat_queue.push_back(Command::Leave);
                }
                gap = table.tracker.board(&board, &mut out).is_err();
                table.take_board(*board, now);
            }
            Message::NewGame { .. } => table.new_game(now),
            Message::OpeningRoll { own, other } => {
                table.tracker.opening(own, other);
                table.board_is_old(now);
            }
            Message::YouRoll(dice) => self.rolled(true, dice, now),
            Message::Rolls { name, dice } if is_they(&name) => self.rolled(false, dice, now),
            Message::YouCannotMove => table.dance(true, now, &mut out),
            Message::CannotMove { name } if is_they(&name) => table.dance(false, now, &mut out),
            Message::Moves { name, steps } if is_they(&name) => {
                table.they_move(&steps, &mut out);
                table.opponent_acted(now);
                table.board_is_old(now);
            }
            Message::MovedForUs => table.board_is_old(now),
            Message::YouDouble => {
                out.push(Event::Double { own: true });
                table.offered(PendingOffer::OurDouble, now);
            }
            Message::Doubles { name } if is_they(&name) => {
                if table.offer != PendingOffer::TheirDouble {
                    out.push(Event::Double { own: false });
                }
                table.opponent_acted(now);
                table.offered(PendingOffer::TheirDouble, now);
            }
            Message::YouTake | Message::Takes { .. } => {
                let own = message == Message::YouTake;
                let waited = if own { PendingOffer::TheirDouble } else { PendingOffer::OurDouble };
                // The sentence can come twice.
                if table.offer == waited {
                    out.push(Event::Take { own });
                }
                table.offered(PendingOffer::None, now);
                table.board_is_old(now);
            }
            Message::YouResign { .. } => table.offered(PendingOffer::OurResignation, now),
            Message::Resigns { name, points } if is_they(&name) => {
                table.opponent_acted(now);
                table.offered(PendingOffer::TheirResignation(points), now);
            }
            Message::YouReject | Message::Rejects { .. } => {
                table.offered(PendingOffer::None, now);
                table.read_again();
            }
            Message::YouDrop { points } => {
                out.extend(table.ended(false, points, GameEnd::Dropped, now))
            }
            Message::Drops { name, points } if is_they(&name) => {
                out.extend(table.ended(true, points, GameEnd::Dropped, now));
            }
            Message::YouAccept { points } => {
                out.extend(table.ended(true, points, GameEnd::Resigned, now))
            }
            Message::Accepts { name, points } if is_they(&name) => {
                out.extend(table.ended(false, points, GameEnd::Resigned, now));
            }
            Message::YouWinGame { points } => {
                if let Some(after) = table.sent_play.take() {
                    table.tracker.played(true, after, &mut out);
                }
                out.extend(table.ended(true, points, GameEnd::Played, now));
            }
            Message::WinsGame { name, points } if is_they(&name) => {
                out.extend(table.ended(false, points, GameEnd::Played, now));
            }
            Message::WaitForJoin { .. } => table.joined = true,
            Message::TypeJoinNext => table.read_again(),
            Message::Saved { name } if name.as_ref().is_none_or(is_they) => {
                self.leave_table(now, agent)
            }
            Message::YouWinMatch { score, .. } => self.match_over(true, score, agent),
            // The sentence has the winner's score first.
            Message::WinsMatch { name, score: [theirs, ours], .. } if is_they(&name) => {
                self.match_over(false, [ours, theirs], agent);
            }
            _ => {}
        }
        if unannounced {
            let standings = self.standings(&opponent);
            let (opponent, length) = (opponent.clone(), Length::Resume);
            agent.event(&Event::Match { opponent, length, standings });
        }
        if gap && self.history.is_none() {
            self.history = Some(HistoryRequest::new(opponent.clone()));
        }
        // The history that is requested contains these events.
        if self.history.is_none() {
            out.into_iter().for_each(|event| agent.event(&event));
        }
    }

    pub(super) fn rolled(&mut self, own: bool, dice: Dice, now: Duration) {
        if let Some(table) = &mut self.table {
            table.offered(PendingOffer::None, now);
            if !own {
                table.opponent_acted(now);
            }
            table.tracker.rolled(own, dice);
            table.board_is_old(now);
        }
    }

    pub(super) fn match_over(&mut self, won: bool, score: [u32; 2], agent: &mut dyn Agent) {
        if let Some(table) = self.table.take() {
            let opponent = table.opponent;
            self.lobby.finished(&opponent);
            self.tell(Event::MatchOver { opponent, won, score }, agent);
        }
    }

    /// Reports an event, after the moves that are still missing.
    pub(super) fn tell(&mut self, event: Event, agent: &mut dyn Agent) {
        if self.history.is_some() {
            self.held_events.push(event);
        } else {
            agent.event(&event);
        }
    }

    pub(super) fn give_up_late_history(&mut self, now: Duration, agent: &mut dyn Agent) {
        let Some(request) = &self.history else { return };
        if request.is_lost(now) {
            self.lose_history(false, agent);
        }
    }

    pub(super) fn finish_history(&mut self, agent: &mut dyn Agent) {
        if let Some(request) = self.history.take() {
            let opponent = request.opponent.clone();
            agent.event(&Event::History { opponent, lines: request.into_lines() });
            self.held_events.drain(..).for_each(|event| agent.event(&event));
        }
    }

    pub(super) fn lose_history(&mut self, certain: bool, agent: &mut dyn Agent) {
        if let Some(request) = self.history.take() {
            agent.event(&Event::HistoryLost { opponent: request.opponent, certain });
            self.held_events.drain(..).for_each(|event| agent.event(&event));
        }
    }

    pub(super) fn answer_chat(&mut self, chat: &Chat, agent: &mut dyn Agent) {
        let playing = self.table.as_ref().is_some_and(|table| table.opponent == chat.from);
        if playing && let Some(table) = &mut self.table {
            // Players who think that the client hangs say what it should do.
            let said = chat.text.to_lowercase();
            if ["move", "roll", "join", "hello?"].iter().any(|word| said.starts_with(word)) {
                table.read_again();
            }
        }
        let to_us = chat.channel == Channel::Tell || (chat.channel == Channel::Kibitz && playing);
        if !to_us || chat.from == self.config.name {
            return;
        }
        const HOUR: Duration = Duration::from_secs(3600);
        if self.replies.len() > MAX_PLAYERS {
            self.replies.clear();
        }
        let (since, said) = self.replies.entry(chat.from.clone()).or_insert((self.last_heard, 0));
        if self.last_heard >= *since + HOUR {
            (*since, *said) = (self.last_heard, 0);
        }
        if *said >= MAX_REPLIES {
            return;
        }
        for reply in agent.on_chat(chat) {
            *said += 1;
            self.chat_queue.push_back(Command::Tell(chat.from.clone(), reply));
        }
    }
}
