//! The handlers of server messages: the effect of each message on the session.

use std::time::Duration;

use backgammon::FibsBoard;

use super::history::HistoryRequest;
use super::state::{Close, MAX_PLAYERS, Orphan, Phase, Session};
use super::table::TableState;
use crate::agent::{Agent, Event};
use crate::command::Command;
use crate::message::{Channel, Chat, Length, Message, Refusal, WhoLine};

/// Lines about the own login come within this time.
const LOGIN_LINES: Duration = Duration::from_secs(5);
/// Lines of a match may come for this time after its end.
const LATE_LINES: Duration = Duration::from_secs(5);

impl Session {
    /// A message arrived.
    pub fn message(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.last_heard = now;
        self.unanswered = None;
        if self.probed.take().is_some()
            && let Some(command @ (Command::Time | Command::RawWho)) = self.silent_command.take()
            && self.dialect.learn(&command)
        {
            agent.event(&Event::Unanswered(command.line()));
        }
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

    fn while_logging_in(&mut self, message: &Message, now: Duration) {
        match (message, self.phase) {
            (Message::LoginPrompt, Phase::Greeting) => self.phase = Phase::LoggingIn,
            (Message::LoginPrompt, _) if self.last_sent.is_some() => {
                self.phase = Phase::Closing(Close::Refused);
            }
            (Message::Welcome { .. }, Phase::LoggingIn) => {
                self.phase = Phase::Online;
                self.has_logged_in = true;
                self.online_since = now;
                self.settings.begin(now);
            }
            _ => {}
        }
    }

    fn while_online(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.settings.take(&message);
        let resuming = self.lobby.resuming().map(str::to_owned);
        self.lobby.take(&message, now);
        match message {
            Message::Who(who) => self.take_who_line(*who, now, agent),
            Message::LogsIn { name } if name == self.config.name => {
                if now > self.online_since + LOGIN_LINES {
                    self.elsewhere(agent);
                }
            }
            Message::LogsIn { name } => {
                self.lobby.logs_in(&name);
                self.opponent_comes_or_goes(&name, now);
            }
            Message::LogsOut { name } => {
                self.players.remove(&name);
                self.opponent_comes_or_goes(&name, now);
            }
            Message::Chat(chat) => self.answer_chat(&chat, agent),
            Message::GoesDown { seconds } => {
                // Leaving in time lets the server save the match.
                let back = Duration::from_secs(u64::from(seconds.min(3600)) + 60);
                self.phase = Phase::Closing(Close::GoesDown(back));
            }
            Message::LoggedInElsewhere => self.elsewhere(agent),
            Message::TimedOut => self.phase = Phase::Closing(Close::Dead),
            Message::NowPlaying { name, length } => self.match_begins(name, length, now, agent),
            Message::OldMoves(line) => {
                if let Some(request) = &mut self.history {
                    request.take(line, now);
                }
            }
            Message::Unknown(line) | Message::Notice(line) => agent.event(&Event::Unknown(line)),
            Message::BadBoard(error) => {
                agent.event(&Event::BadBoard(error));
                match &mut self.table {
                    Some(table) => table.board_is_old(now),
                    None => self.sign_of_a_match(now),
                }
            }
            Message::Refused(Refusal::NothingSaved) if resuming.is_some() => {
                // The agent's own records know of a match that the server has no longer.
                let open = agent.unfinished();
                if let Some(opponent) = resuming.filter(|name| open.contains(name)) {
                    agent.event(&Event::HistoryLost { opponent, certain: true });
                }
            }
            Message::Refused(refusal) => self.refused(refusal, now, agent),
            Message::UnknownCommand { verb } => self.unknown_command(verb.as_deref(), now, agent),
            Message::Board(board) if board.is_own() && self.is_other_match(&board) => {
                self.board_of_other_match(*board, now, agent);
            }
            Message::NewGame { ref name } if self.table.is_none() => {
                let name = name.clone();
                match self.lobby.agreed_length(&name) {
                    Some(length) => {
                        self.match_begins(name, length, now, agent);
                        self.while_playing(message, now, agent);
                    }
                    None => self.sign_of_a_match(now),
                }
            }
            Message::YouRoll(_)
            | Message::PleaseRoll
            | Message::PleaseMove
            | Message::YourTurn
            | Message::Doubles { .. }
            | Message::Resigns { .. }
            | Message::TypeJoinNext
                if self.table.is_none() =>
            {
                self.sign_of_a_match(now);
            }
            Message::Rating(line) => self.tell(Event::Rating(line), agent),
            message => self.while_playing(message, now, agent),
        }
    }

    fn take_who_line(&mut self, who: WhoLine, now: Duration, agent: &mut dyn Agent) {
        if who.name == self.config.name {
            let login = *self.own_login.get_or_insert(who.login);
            if who.login > login && now > self.online_since + LOGIN_LINES {
                return self.elsewhere(agent);
            }
            let just_freed = self.was_just_freed(now);
            match (&who.opponent, &mut self.table) {
                // The who line tells whether a match is on, but it may come before the sentence
                // about it.
                (None, Some(table)) => table.doubt(now),
                (Some(opponent), Some(table)) if *opponent != table.opponent => table.doubt(now),
                (Some(opponent), None) if let Some(length) = self.lobby.agreed_length(opponent) => {
                    // Some servers do not say that a match begins.
                    self.match_begins(opponent.clone(), length, now, agent);
                }
                (Some(opponent), None)
                    if just_freed && self.lobby.resuming() != Some(opponent.as_str()) =>
                {
                    self.sign_of_a_match(now);
                }
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

    /// Another program has logged in with the own account: it is not fought over.
    fn elsewhere(&mut self, agent: &mut dyn Agent) {
        agent.event(&Event::Warning(format!(
            "another program has logged in as {}: leaving it the account",
            self.config.name
        )));
        self.phase = Phase::Closing(Close::Elsewhere);
    }

    /// A server that loses an opponent saves the match, and so it does when they log in again.
    fn opponent_comes_or_goes(&mut self, name: &str, now: Duration) {
        if let Some(table) = &mut self.table
            && table.opponent == name
        {
            table.doubt(now);
        }
    }

    /// Whether lines of a match that has ended may still come.
    fn was_just_freed(&self, now: Duration) -> bool {
        self.freed_at.is_some_and(|freed| now < freed + LATE_LINES)
    }

    /// Something belongs to a match that the session does not know of.
    pub(super) fn sign_of_a_match(&mut self, now: Duration) {
        // It may be a late line of the match that was left: the question comes when no more of them
        // do.
        let freed = self.freed_at.filter(|freed| now < *freed + LATE_LINES);
        let due = freed.map_or(now, |freed| freed + LATE_LINES);
        self.orphan.get_or_insert(Orphan { due, asked: None, tries: 0 });
    }

    /// Whether an own board is not that of the match that is being played.
    fn is_other_match(&self, board: &FibsBoard) -> bool {
        self.table.as_ref().is_none_or(|table| table.opponent != board.opponent)
    }

    /// An own board that is not of the match being played: it is believed when it answers a
    /// request.
    fn board_of_other_match(&mut self, board: FibsBoard, now: Duration, agent: &mut dyn Agent) {
        if let Some(table) = &mut self.table {
            return table.doubt(now);
        }
        let over = board.length.is_some_and(|length| board.score.iter().any(|&s| s >= length));
        if over {
            return;
        }
        if self.was_just_freed(now) {
            return self.sign_of_a_match(now);
        }
        if self.orphan.is_some_and(|orphan| orphan.asked.is_some())
            || self.dialect.board(0).is_none()
        {
            self.orphan = None;
            let opponent = board.opponent.clone();
            let table = TableState::new(opponent.clone(), Length::Resume, now);
            self.resume(table, opponent);
            self.while_playing(Message::Board(Box::new(board)), now, agent);
        } else {
            self.sign_of_a_match(now);
        }
    }

    /// The server does not know a command.
    fn unknown_command(&mut self, verb: Option<&str>, now: Duration, agent: &mut dyn Agent) {
        let Some(command) =
            self.last_command.clone().filter(|last| verb.is_none_or(|verb| verb == last.verb()))
        else {
            // It names a command that is not the last one, as chat is.
            let chat = Command::Kibitz(String::new());
            if verb == Some(chat.verb()) && self.dialect.learn(&chat) {
                agent.event(&Event::Unanswered(chat.verb().to_owned()));
            }
            return;
        };
        match &command {
            Command::BoardStyle | Command::Toggle(_) | Command::Toggles | Command::Back => {
                self.settings.give_up(&command);
            }
            _ => {
                if self.dialect.learn(&command) {
                    agent.event(&Event::Unanswered(command.line()));
                }
            }
        }
        match command {
            Command::ShowSaved if self.lobby.no_saved_list(now) => {
                agent.event(&Event::Warning(
                    "the server does not list saved matches: going by our own records".into(),
                ));
            }
            Command::OldMoves(_) => self.lose_history(false, agent),
            Command::Board | Command::ShortBoard | Command::Redraw => {
                if let Some(table) = &mut self.table {
                    table.board_word_unknown();
                }
                if let Some(orphan) = &mut self.orphan {
                    orphan.asked = None;
                }
            }
            Command::Roll
            | Command::Double
            | Command::Accept
            | Command::Reject
            | Command::Move(_)
            | Command::JoinNext => {
                if let Some(table) = &mut self.table {
                    agent.event(&Event::Refused(command.line()));
                    table.refused(false);
                }
            }
            _ => {}
        }
    }

    pub(super) fn standings(&self, opponent: &str) -> Box<[Option<WhoLine>; 2]> {
        Box::new([opponent, &self.config.name].map(|name| self.players.get(name).cloned()))
    }

    /// Reports an event, after the moves that are still missing.
    pub(super) fn tell(&mut self, event: Event, agent: &mut dyn Agent) {
        if self.history.is_some() {
            self.held_events.push(event);
        } else {
            agent.event(&event);
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
        if let Some(minutes) = resume_pause(&chat.text) {
            self.lobby.pause(&chat.from, self.last_heard + minutes);
        }
        for reply in agent.on_chat(chat) {
            if self.replies.allows(&chat.from, &reply, self.last_heard) {
                self.chat_queue.push_back(Command::Tell(chat.from.clone(), reply));
            }
        }
    }
}

/// The time in a bot's `I will not attempt to resume for 5 minutes.`
fn resume_pause(text: &str) -> Option<Duration> {
    const LONGEST: u64 = 60;
    let lower = text.to_lowercase();
    if !lower.contains("resume") || !lower.contains("minute") {
        return None;
    }
    let number = lower.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty())?;
    let minutes: u64 = number.parse().ok()?;
    Some(Duration::from_secs(60 * minutes.min(LONGEST)))
}
