//! The handlers of messages about a match: its beginning, its course, its end and its history.

use std::time::Duration;

use super::history::HistoryRequest;
use super::lobby::ATTEMPT;
use super::state::{Phase, Session};
use super::table::{PendingOffer, TableState};
use super::{DEADLINE, NO_TURN, is_about};
use crate::agent::{Agent, Event, GameEnd, Invitation};
use crate::command::Command;
use crate::message::{Length, Message, Refusal};

impl Session {
    /// Continues a saved match; its earlier moves are requested.
    pub(super) fn resume(&mut self, mut table: TableState, opponent: String, now: Duration) {
        self.lobby.match_began(&opponent);
        table.set_busy_before(self.busy_without_a_turn(&opponent, now));
        table.tracker.forget();
        table.read_again();
        self.table = Some(table);
        self.orphan = None;
        let request = Some(HistoryRequest::new(opponent));
        self.history = request.filter(|_| self.dialect.knows(&Command::OldMoves(String::new())));
        self.held_events.clear();
    }

    /// How long an opponent has kept the session busy without the end of a turn.
    fn busy_without_a_turn(&self, opponent: &str, now: Duration) -> Duration {
        let table = self.table.as_ref().filter(|table| table.opponent == opponent);
        table.map_or_else(
            || self.lobby.busy_without_a_turn(opponent),
            |table| table.busy_without_a_turn(now),
        )
    }

    pub(super) fn match_begins(
        &mut self,
        name: String,
        length: Length,
        now: Duration,
        agent: &mut dyn Agent,
    ) {
        if self.table.as_ref().is_some_and(|table| table.opponent != name) {
            self.leave_table(now, agent);
        }
        self.orphan = None;
        let agreed = self.lobby.agreed(&name);
        let known = self.table.as_ref().is_some_and(|table| table.opponent == name);
        let wanted = self.is_wanted(&name, length, agreed, agent);
        self.lobby.match_began(&name);
        if !wanted {
            return self.refuse_match(name, length, now, agent);
        }
        if let Some(table) = &mut self.table
            && table.announced
            && table.board.is_none()
        {
            // A who line told of it before the sentence.
            table.length = length;
            return;
        }
        let standings = self.standings(&name);
        let mut table = TableState::new(name.clone(), length, now);
        table.announced = true;
        agent.event(&Event::Match { opponent: name.clone(), length, standings });
        if length == Length::Resume {
            self.resume(table, name, now);
        } else {
            self.history = self.history.take().filter(|_| !known);
            table.tracker.expect_game();
            table.board_is_old(now);
            // Some servers do not save a match that is left before its first turn.
            table.set_busy_before(self.busy_without_a_turn(&name, now) + ATTEMPT);
            self.chat_queue.extend(agent.greet(&name).map(Command::Kibitz));
            self.table = Some(table);
        }
    }

    /// Whether a match that begins is the one agreed on with the player. If there is none, the
    /// agent is asked as for an invitation.
    fn is_wanted(
        &self,
        name: &str,
        length: Length,
        agreed: Option<Length>,
        agent: &mut dyn Agent,
    ) -> bool {
        if length == Length::Resume {
            return !self.lobby.is_unwanted(name);
        }
        agreed.map_or_else(
            || {
                let (from, who) = (name.to_owned(), self.players.get(name).cloned());
                // It has begun: to leave it would only save one match more.
                agent.invited(&Invitation { from, length, who }).is_ok()
            },
            |agreed| agreed == length,
        )
    }

    /// Another match than agreed on has begun: it is left before anything is played.
    fn refuse_match(&mut self, name: String, length: Length, now: Duration, agent: &mut dyn Agent) {
        self.table = Some(TableState::new(name, length, now));
        self.refuse_table(agent);
    }

    /// The match on the table is not the one that was agreed on.
    fn refuse_table(&mut self, agent: &mut dyn Agent) {
        let Some(table) = &mut self.table else { return };
        let name = &table.opponent;
        agent.event(&Event::Warning(format!(
            "{name} began another match than was agreed on, so it is left"
        )));
        self.lobby.unwanted(name);
        self.chat_queue.push_back(Command::Tell(
            name.clone(),
            "This is not the match that we agreed on, so I leave it.".to_owned(),
        ));
        table.leave_unwanted();
    }

    pub(super) fn leave_table(&mut self, now: Duration, agent: &mut dyn Agent) {
        if let Some(table) = self.table.take() {
            if self.history.as_ref().is_some_and(|request| request.opponent == table.opponent) {
                // It is requested again when the match is resumed.
                self.history = None;
            }
            self.freed_at = Some(now);
            if table.unwanted && !table.announced {
                return self.lobby.finished(&table.opponent);
            }
            agent.event(&Event::Left { opponent: table.opponent.clone() });
            // It may have ended with sentences that were lost.
            self.check_ended = true;
            self.asked_about.retain(|name| *name != table.opponent);
            let wait = self.config.wait_for_dropped;
            if table.unwanted {
                return self.lobby.finished(&table.opponent);
            }
            let busy = table.busy_without_a_turn(now);
            self.lobby.set_busy(&table.opponent, busy);
            // The end of an own connection is not the opponent's doing.
            let rests = busy >= NO_TURN && self.phase == Phase::Online;
            if rests && !table.stuck {
                agent.event(&Event::Warning(format!(
                    "{} comes back and no turn ends, so the match rests",
                    table.opponent
                )));
            }
            self.lobby.dropped(table.opponent, now, wait, table.stuck || rests);
        }
    }

    /// The server refuses a command, in a sentence that may name a player.
    pub(super) fn refused(
        &mut self,
        refusal: Refusal,
        named: Option<&str>,
        now: Duration,
        agent: &mut dyn Agent,
    ) {
        let answered =
            |request: &HistoryRequest| !request.is_due(now) && is_about(named, &request.opponent);
        if refusal == Refusal::NothingSaved && self.history.as_ref().is_some_and(answered) {
            self.lose_history(true, agent);
        }
        let Some(table) = &mut self.table else {
            match refusal {
                Refusal::Playing => self.sign_of_a_match(now),
                Refusal::NotPlaying => self.no_match_found(now),
                _ => {}
            }
            return;
        };
        match refusal {
            // It is the answer to a command of ours, or it proves nothing.
            Refusal::NotPlaying
                if self.match_command_at.is_some_and(|sent| now < sent + DEADLINE) =>
            {
                self.leave_table(now, agent);
            }
            Refusal::NotPlaying => table.doubt(),
            Refusal::BadMove
            | Refusal::NotNow
            | Refusal::RolledAlready
            | Refusal::NoDouble
            | Refusal::OfferPending
            | Refusal::ResignationPending
            | Refusal::DoublePending => {
                let is_probe = table.take_probe(now);
                if refusal == Refusal::ResignationPending {
                    return table.resignation_is_pending(now);
                }
                if is_probe {
                    return table.read_again();
                }
                if refusal == Refusal::DoublePending {
                    table.double_is_pending();
                }
                if refusal == Refusal::NotNow {
                    table.not_now();
                }
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
                if table.unwanted {
                    return;
                }
                if !std::mem::replace(&mut table.announced, true) {
                    // The server resumed the match without a sentence.
                    unannounced = true;
                }
                self.lobby.forget_invitation(&opponent);
                if std::mem::take(&mut table.unchecked)
                    && !self.lobby.is_as_agreed(&board, table.length)
                {
                    table.announced &= !unannounced;
                    return self.refuse_table(agent);
                }
                out.extend(table.taken_by(&board, now));
                gap = table.tracker.board(&board, &mut out).is_err();
                table.take_board(*board, now);
            }
            Message::NewGame { .. } => table.new_game(now),
            Message::PleaseRoll => table.asks_for_roll(),
            Message::OpeningRoll { own, other } => {
                table.tracker.opening(own, other);
                table.board_is_old(now);
            }
            Message::YouRoll(dice) => table.rolled(true, dice, now),
            Message::Rolls { name, dice } if is_they(&name) => table.rolled(false, dice, now),
            Message::YouCannotMove => table.dance(true, now, &mut out),
            Message::CannotMove { name } if is_they(&name) => table.dance(false, now, &mut out),
            Message::Moves { name, steps } if is_they(&name) => {
                table.they_move(&steps, &mut out);
                table.opponent_acted(now);
                table.board_is_old(now);
            }
            Message::MovedForUs => table.board_is_old(now),
            Message::YouDouble => {
                out.extend(table.doubled(true));
                table.offered(PendingOffer::OurDouble, now);
            }
            Message::Doubles { name } if is_they(&name) => {
                out.extend(table.doubled(false));
                table.opponent_acted(now);
                table.offered(PendingOffer::TheirDouble, now);
            }
            Message::YouTake | Message::Takes { .. } => {
                let own = message == Message::YouTake;
                out.extend(table.taken(own));
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
            Message::TypeJoinNext => table.next_game(),
            Message::Saved { name: Some(name) } if is_they(&name) => self.leave_table(now, agent),
            Message::Saved { name: None } if table.is_leaving() => self.leave_table(now, agent),
            Message::Saved { name: None } => table.doubt(),
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
        let may_ask = self.dialect.knows(&Command::OldMoves(String::new()));
        if gap && self.history.is_none() && may_ask {
            self.history = Some(HistoryRequest::new(opponent.clone()));
        }
        // The history that is requested contains these events.
        if self.history.is_none() {
            out.into_iter().for_each(|event| agent.event(&event));
        }
    }

    pub(super) fn match_over(&mut self, won: bool, score: [u32; 2], agent: &mut dyn Agent) {
        if let Some(table) = self.table.take() {
            let opponent = table.opponent;
            self.freed_at = Some(self.last_heard);
            self.lobby.finished(&opponent);
            // As a tell: a kibitz after the end reaches no player.
            if let Some(thanks) = agent.thank(&opponent) {
                self.chat_queue.push_back(Command::Tell(opponent.clone(), thanks));
            }
            self.tell(Event::MatchOver { opponent, won, score }, agent);
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
            // The answer to a double that ends the moves is yet to be told.
            if let Some(table) = &mut self.table
                && table.opponent == request.opponent
            {
                table.open_double = request.open_double();
            }
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
}
