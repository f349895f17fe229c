//! The handlers of server messages: the effect of each message on the session.

use std::time::Duration;

use backgammon::FibsBoard;

use super::history::HistoryRequest;
use super::state::{Close, LoginCheck, MAX_PLAYERS, Orphan, Phase, Session};
use super::table::TableState;
use super::{DEADLINE, is_about};
use crate::agent::{Agent, Event};
use crate::command::Command;
use crate::message::{Channel, Chat, Length, Message, Refusal, WhoLine};

/// Lines about the own login come within this time.
const LOGIN_LINES: Duration = Duration::from_secs(5);
/// Who uses the account is asked at most this often.
const LOGIN_CHECK_AGAIN: Duration = Duration::from_secs(60);
/// Lines of a match may come for this time after its end.
const LATE_LINES: Duration = Duration::from_secs(5);

impl Session {
    /// A message arrived.
    pub fn message(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.last_heard = now;
        // What players write is no answer of the server, wherever it comes.
        let may_answer = message.may_answer();
        if may_answer {
            self.unanswered = None;
        }
        if may_answer
            && self.probed.take().is_some()
            && let Some(command @ (Command::Time | Command::RawWho)) = self.silent_command.take()
            && self.dialect.learn(&command)
        {
            agent.event(&Event::Unanswered(command.line()));
        }
        if may_answer
            && !matches!(message, Message::OldMoves(_))
            && self.history.as_ref().is_some_and(HistoryRequest::has_begun)
        {
            self.finish_history(agent);
        }
        match self.phase {
            Phase::Greeting | Phase::LoggingIn => self.while_logging_in(&message, now, agent),
            Phase::Closing(_) => {}
            Phase::Online => self.while_online(message, now, agent),
        }
    }

    fn while_logging_in(&mut self, message: &Message, now: Duration, agent: &mut dyn Agent) {
        match (message, self.phase) {
            (Message::LoginPrompt, Phase::Greeting) => self.phase = Phase::LoggingIn,
            (Message::LoginPrompt, _) if self.last_sent.is_some() => {
                self.phase = Phase::Closing(Close::Refused);
            }
            // The server had logged this program out, so the login of another one is meant.
            (Message::AlreadyLoggedIn, Phase::LoggingIn) if self.was_closed => {
                self.was_closed = false;
                self.elsewhere(agent);
            }
            (Message::Welcome { .. }, Phase::LoggingIn) => {
                self.phase = Phase::Online;
                (self.has_logged_in, self.was_closed) = (true, false);
                self.online_since = now;
                self.settings.begin(now);
            }
            _ => {}
        }
    }

    fn while_online(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        if matches!(message, Message::LoginPrompt | Message::PasswordPrompt) {
            return self.prompt_while_online();
        }
        if may_be_heard_online(&message) {
            self.prompt_doubt = None;
        }
        self.settings.take(&message);
        let resuming = self.lobby.resuming().map(str::to_owned);
        self.lobby.take(&message, now);
        match message {
            Message::Who(who) => self.take_who_line(*who, now, agent),
            Message::LogsIn { name } if name == self.config.name => {
                if now > self.online_since + LOGIN_LINES {
                    self.doubt_own_login(now);
                }
            }
            Message::LogsIn { name } => {
                self.lobby.logs_in(&name);
                self.opponent_comes_or_goes(&name);
            }
            Message::LogsOut { name } => {
                self.players.remove(&name);
                self.opponent_comes_or_goes(&name);
            }
            Message::Chat(chat) => self.answer_chat(&chat, agent),
            Message::GoesDown { seconds } => {
                self.goes_down = Some(now + Duration::from_secs(u64::from(seconds.min(3600))));
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
            Message::Remark(_) => {}
            Message::SeemsOver => self.seems_over(now, agent),
            Message::BadBoard(error) => {
                agent.event(&Event::BadBoard(error));
                match &mut self.table {
                    Some(table) => table.board_is_old(now),
                    None => self.sign_of_a_match(now),
                }
            }
            Message::Refused { why: Refusal::NothingSaved, ref name }
                if resuming.as_deref().is_some_and(|it| is_about(name.as_deref(), it)) =>
            {
                // The agent's own records know of a match that the server has no longer.
                let open = agent.unfinished();
                if let Some(opponent) = resuming.filter(|name| open.contains(name)) {
                    agent.event(&Event::HistoryLost { opponent, certain: true });
                }
            }
            Message::Refused { why, name } => self.refused(why, name.as_deref(), now, agent),
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
            self.take_own_login(who.login, now);
            match (&who.opponent, &mut self.table) {
                // The who line tells whether a match is on, but it may come before the sentence
                // about it.
                (None, Some(table)) => table.doubt(),
                (Some(opponent), Some(table)) if *opponent != table.opponent => table.doubt(),
                (Some(opponent), None) if let Some(length) = self.lobby.agreed_length(opponent) => {
                    // Some servers do not say that a match begins.
                    self.match_begins(opponent.clone(), length, now, agent);
                }
                // The match that was asked for with this player.
                (Some(opponent), None) if self.lobby.is_resuming(opponent) => {
                    let table = TableState::new(opponent.clone(), Length::Resume, now);
                    self.resume(table, opponent.clone(), now);
                }
                // Any other name may be an old one.
                (Some(_), None) => self.sign_of_a_match(now),
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
    fn opponent_comes_or_goes(&mut self, name: &str) {
        if let Some(table) = &mut self.table
            && table.opponent == name
        {
            table.doubt();
        }
    }

    /// A login or password prompt: the server has logged the account out, or a text looks like a
    /// prompt. A question shows which.
    fn prompt_while_online(&mut self) {
        match self.prompt_doubt {
            Some(Some(_)) => self.phase = Phase::Closing(Close::LoggedOut),
            Some(None) => {}
            None => self.prompt_doubt = Some(None),
        }
    }

    /// The login time of the own who line. Another one than before is that of another program, or
    /// the server's clock was set.
    fn take_own_login(&mut self, login: u64, now: Duration) {
        if let Some(check) = &mut self.login_check
            && check.asked.is_some()
        {
            check.seen.insert(login);
            return;
        }
        let known = *self.own_login.get_or_insert(login);
        if login > known && now > self.online_since + LOGIN_LINES {
            self.doubt_own_login(now);
        }
    }

    /// Another program may have logged in with the own account: the list of players shows it.
    fn doubt_own_login(&mut self, now: Duration) {
        let checked_lately = self.login_checked.is_some_and(|at| now < at + LOGIN_CHECK_AGAIN);
        if self.login_check.is_none() && !checked_lately {
            self.login_check = Some(LoginCheck::default());
        }
    }

    /// The answer to the question who uses the account has come, or it has not.
    pub(super) fn finish_login_check(&mut self, now: Duration, agent: &mut dyn Agent) {
        let Some(check) = self.login_check.take() else { return };
        self.login_checked = Some(now);
        if check.seen.len() > 1 {
            return self.elsewhere(agent);
        }
        self.own_login = check.seen.last().copied().or(self.own_login);
    }

    /// An unknown sentence seems to say that no match is on.
    fn seems_over(&mut self, now: Duration, agent: &mut dyn Agent) {
        match &mut self.table {
            Some(table) if table.is_leaving() => {
                self.leave_table(now, agent);
                self.look_for_the_match(now);
            }
            Some(table) => table.doubt(),
            None => self.no_match_found(now),
        }
    }

    /// Asks once more whether a match is on, after it was given up without proof.
    pub(super) fn look_for_the_match(&mut self, now: Duration) {
        self.orphan = Some(Orphan { due: now + DEADLINE, asked: None, tries: 0 });
    }

    /// The server says that the user is in no match: that answers the question about one.
    pub(super) fn no_match_found(&mut self, now: Duration) {
        if self.orphan.take_if(|orphan| orphan.asked.is_some()).is_some() {
            self.orphan_answered = Some(now);
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
        // The server has just answered this question.
        let answered = self.orphan_answered.map_or(Duration::ZERO, |at| at + DEADLINE);
        let due = due.max(answered);
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
            return table.doubt();
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
            let length = self.lobby.agreed(&opponent).unwrap_or(Length::Resume);
            let table = TableState::new(opponent.clone(), length, now);
            self.resume(table, opponent, now);
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
                    let why = format!("unknown command: {}", command.line());
                    agent.event(&Event::Refused(why));
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
        let to_us = chat.channel == Channel::Tell || (chat.channel == Channel::Kibitz && playing);
        if !to_us || chat.from == self.config.name {
            return;
        }
        if playing && let Some(table) = &mut self.table {
            // Players who think that the client hangs say what it should do.
            let said = chat.text.to_lowercase();
            let words = ["move", "roll", "join", "hello"];
            let first = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if words.contains(&first) {
                table.look();
            }
        }
        if let Some(minutes) = resume_pause(&chat.text) {
            self.lobby.pause(&chat.from, self.last_heard + minutes);
        }
        let now = self.last_heard;
        // An answer that would not be told is not worked out. Others cannot use up the answers to
        // the opponent.
        let is_told = self.replies.has_room(&chat.from, now)
            && self.answered.has_room(&chat.from, now)
            && (playing || self.answered_in_all.has_room("", now));
        if !is_told && !agent.takes_orders_from(&chat.from) {
            return;
        }
        let replies = agent.on_chat(chat);
        if !replies.is_empty() {
            self.answered.count(&chat.from, now);
            self.answered_in_all.count("", now);
        }
        for reply in replies {
            if self.replies.allows(&chat.from, &reply, now) {
                self.chat_queue.push_back(Command::Tell(chat.from.clone(), reply));
            }
        }
    }
}

/// Whether a message can only come while the account is logged in.
const fn may_be_heard_online(message: &Message) -> bool {
    !matches!(message, Message::Unknown(_) | Message::Notice(_) | Message::TooLong)
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
