//! What a line of the server changes.

use std::time::Duration;

use backgammon::{Dice, Side};

use super::state::{Phase, Session};
use super::table::TableState;
use super::track::Tracker;
use crate::agent::{Agent, Event};
use crate::message::Failed;
use crate::{Board, Command, Message};

/// How long the own seat may take to come after the welcome.
const SETTLE: Duration = Duration::from_secs(2);
/// Lines that wait to be sent; more are dropped, so that no opponent fills the memory.
const MOST_WAITING: usize = 50;

impl Session {
    /// A line of the server came.
    pub fn message(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        if self.phase == Phase::Off {
            return;
        }
        self.heard(now);
        let logged_in = self.is_logged_in();
        match message {
            Message::Ping(text) => self.outbox.push_front(Command::Pong(text)),
            Message::Welcome { name } if !logged_in => {
                if !name.is_empty() {
                    self.name = name;
                }
                // Forced moves are made by the session, which sees all of them then.
                self.outbox.push_back(Command::Set("autoplay", false));
                self.phase = Phase::Settling { until: now + SETTLE };
                agent.event(&Event::Ready);
            }
            Message::Notice(text) if !logged_in => self.refusal = Some(text),
            Message::Notice(text) => agent.event(&Event::Notice(text)),
            Message::Text(text) if logged_in => agent.event(&Event::Unknown(text)),
            Message::Unknown(kind) => agent.event(&Event::Unknown(format!("event {kind}"))),
            _ if !logged_in => {}
            Message::Joined { player, id } => self.joined(&player, id, now, agent),
            Message::Left { player } => self.left(&player, now, agent),
            Message::Board(board) => self.board(&board, now, agent),
            Message::BadBoard(error) => {
                agent.event(&Event::BadBoard(error));
                if let Some(table) = &mut self.table {
                    table.in_vain(now);
                }
            }
            Message::Say { player, text } => self.said(&player, &text, now, agent),
            Message::Rolled { player, rolls } => self.rolled(&player, rolls, now, agent),
            Message::Moved { player, moves } => {
                let side = self.side(&player);
                if let Some(table) = &mut self.table {
                    table.tracker.moved(side, &moves);
                }
            }
            Message::Win { resigned, .. } => {
                if let Some(table) = &mut self.table {
                    table.tracker.ended(resigned);
                }
            }
            Message::Failed { what, reason } => self.failed(what, reason, now, agent),
            Message::List | Message::Settings | Message::Welcome { .. } | Message::Text(_) => {}
        }
        self.outbox.truncate(MOST_WAITING);
    }

    fn is_own(&self, player: &str) -> bool {
        player.eq_ignore_ascii_case(&self.name)
    }

    fn side(&self, player: &str) -> Side {
        if self.is_own(player) { Side::Own } else { Side::Opponent }
    }

    fn joined(&mut self, player: &str, id: u64, now: Duration, agent: &mut dyn Agent) {
        if !self.is_own(player) {
            if let Some(table) = &mut self.table {
                table.look(now + super::table::FOLLOWS);
            }
            return;
        }
        if self.table.as_ref().is_some_and(|table| table.id != id && table.id != 0) {
            self.close_table(now, agent);
        }
        self.seated();
        let table = self.table.get_or_insert_with(|| TableState::new(id, now));
        table.id = id;
        table.sit_down(now);
    }

    fn left(&mut self, player: &str, now: Duration, agent: &mut dyn Agent) {
        if self.is_own(player) {
            if self.phase == Phase::Seated {
                self.close_table(now, agent);
            }
            return;
        }
        let Some(table) = &mut self.table else { return };
        if table.present && table.opponent.as_deref() == Some(player) {
            table.departed(now);
            if table.over.is_none() {
                agent.event(&Event::Left { opponent: player.to_owned() });
            }
        }
    }

    fn said(&mut self, player: &str, text: &str, now: Duration, agent: &mut dyn Agent) {
        // Only the opponent can speak, and no other name is believed.
        let table = self.table.as_ref();
        if table.and_then(|table| table.opponent.as_deref()) != Some(player) {
            return;
        }
        // An answer that would not be said is not worked out.
        if !self.replies.has_room(player, now) && !agent.takes_orders_from(player) {
            return;
        }
        let answers = agent.on_chat(player, text);
        if !answers.is_empty() {
            self.replies.count_line(player, now);
        }
        for answer in answers {
            self.say(player, answer, now);
        }
    }

    /// Says something to the opponent, if they have not heard too much.
    fn say(&mut self, opponent: &str, text: String, now: Duration) {
        if self.replies.allow(opponent, &text, now) {
            self.outbox.push_back(Command::Say(text));
        }
    }

    fn rolled(&mut self, player: &str, rolls: [u8; 2], now: Duration, agent: &mut dyn Agent) {
        let side = self.side(player);
        let Some(table) = &mut self.table else { return };
        let opening = table.board.as_ref().is_some_and(|board| board.turn.is_none());
        if opening {
            if side == Side::Own && rolls[0] != 0 {
                table.rolled_in_opening(now);
            }
            return;
        }
        let mut events = Vec::new();
        if let Some(dice) = Dice::new(rolls[0], rolls[1]) {
            table.tracker.rolled(side, dice, &mut events);
        }
        events.iter().for_each(|event| agent.event(event));
    }

    fn failed(&mut self, what: Failed, reason: String, now: Duration, agent: &mut dyn Agent) {
        agent.event(&Event::Refused(reason));
        match (what, &self.phase) {
            (Failed::Join, Phase::Rejoining { .. }) => self.lost_match(now, agent),
            (Failed::Create | Failed::Join, Phase::Entering { .. }) => self.refused_entry(now),
            (Failed::Leave, Phase::Seated)
                if self.table.as_ref().is_some_and(TableState::is_leaving) =>
            {
                self.close_table(now, agent);
            }
            (Failed::Roll | Failed::Move | Failed::Confirm, Phase::Seated) => {
                if let Some(table) = &mut self.table {
                    table.in_vain(now);
                }
            }
            _ => {}
        }
    }

    fn board(&mut self, board: &Board, now: Duration, agent: &mut dyn Agent) {
        let own_seat = self.is_own(&board.seats[0].name);
        if board.spectating || board.variant || !own_seat {
            // The seat was given to somebody else, or it is no match of ours.
            if self.phase == Phase::Seated && (board.spectating || board.variant) {
                agent.event(&Event::Warning("not our match, leaving the table".to_owned()));
                if let Some(table) = &mut self.table {
                    table.leave(now);
                }
            }
            return;
        }
        if self.phase != Phase::Seated {
            // `joined` was lost, or comes later.
            self.seated();
            self.table.get_or_insert_with(|| TableState::new(0, now)).sit_down(now);
        }
        let Some(table) = &mut self.table else { return };
        let mut events = Vec::new();
        let mut began = None;
        match (table.opponent.clone(), board.opponent()) {
            (Some(opponent), None) if table.present => {
                table.departed(now);
                if table.over.is_none() {
                    events.push(Event::Left { opponent });
                }
            }
            (_, None) => {}
            (Some(opponent), Some(seated)) if opponent == seated => {
                let rematch = table.over.is_some() && board.winner.is_none();
                if rematch && board.score() == [0; 2] && board.turn.is_none() {
                    began = Some((opponent, false));
                } else if !table.present {
                    table.returned(now);
                    if table.over.is_none() {
                        events.push(matched(board, &opponent, true));
                    }
                }
            }
            (before, Some(seated)) => {
                if let Some(opponent) = before.filter(|_| table.over.is_none()) {
                    events.push(Event::EndUnknown { opponent });
                }
                let resumed = board.turn.is_some() || board.score() != [0; 2];
                began = Some((seated.to_owned(), resumed));
            }
        }
        if let Some((opponent, resumed)) = &began {
            let tracker = if *resumed { Tracker::resumed(board) } else { Tracker::new() };
            table.begin(opponent, tracker, now);
            events.push(matched(board, opponent, *resumed));
        }
        let new = table.take(board, now);
        if new
            && table.over.is_none()
            && let Some(opponent) = table.opponent.clone()
        {
            if board.opponent().is_some() && table.tracker.board(board, &mut events).is_err() {
                events.push(Event::Gap { opponent: opponent.clone() });
            }
            if let Some(winner) = board.match_winner() {
                let (won, score) = (winner == Side::Own, board.score());
                table.over = Some((now, false));
                events.push(Event::MatchOver { opponent, won, score });
            }
        }
        let over = events.iter().any(|event| matches!(event, Event::MatchOver { .. }));
        events.iter().for_each(|event| agent.event(event));
        if over {
            self.match_is_over(now, agent);
        } else if let Some((opponent, resumed)) = began {
            match agent.joined(&opponent, board.length) {
                Err(why) => {
                    agent.event(&Event::EndUnknown { opponent });
                    self.turn_down(why, now, agent);
                }
                Ok(()) if !resumed => {
                    if let Some(text) = agent.greet(&opponent) {
                        self.say(&opponent, text, now);
                    }
                }
                Ok(()) => {}
            }
        }
    }

    /// Thanks the opponent, and offers another match.
    fn match_is_over(&mut self, now: Duration, agent: &mut dyn Agent) {
        let Some(table) = &mut self.table else { return };
        let Some(opponent) = table.opponent.clone() else { return };
        let rematch = table.present && agent.rematch(&opponent);
        table.over = Some((now, rematch));
        if rematch {
            self.outbox.push_back(Command::Rematch);
        }
        if let Some(text) = agent.thank(&opponent) {
            self.say(&opponent, text, now);
        }
    }
}

fn matched(board: &Board, opponent: &str, resumed: bool) -> Event {
    let rating = |i: usize| Some(board.seats[i].rating as f64).filter(|rating| *rating > 0.0);
    Event::Match {
        opponent: opponent.to_owned(),
        length: board.length,
        resumed,
        ratings: [rating(0), rating(1)],
    }
}
