//! What to send or to wait for next, logged in or not.

use std::time::Duration;

use rand::RngCore;

use super::{Close, Phase, Session, Step};
use crate::agent::{Agent, Event};
use crate::command::Command;
use crate::session::history::HistoryRequest;
use crate::session::lobby::{LobbyContext, LobbyStep};

use crate::session::table::SendOrWait;
use crate::session::{Config, DEADLINE, Waiting};

/// The server closes connections that say nothing for long.
const KEEP_ALIVE: Duration = Duration::from_secs(100);
/// A server that does not send a line within this time after a command is asked other things, each
/// for the same time. If it answers none of them it is dead.
const DEAD: Duration = Duration::from_secs(30);
/// What it is asked then.
const PROBES: [Command; 3] = [Command::Time, Command::RawWho, Command::ShowSaved];
/// Before the server goes down the connection is left this early.
const BEFORE_SHUTDOWN: Duration = Duration::from_secs(60);
/// The list of players has come within this time.
const LOGIN_CHECK: Duration = Duration::from_secs(5);
/// Nothing else is done while late lines of a match may come for this time.
const LATE: Duration = Duration::from_secs(5);
/// The board of a match that the session does not know of is asked for this often.
const MAX_ORPHAN_TRIES: u32 = 3;

impl Session {
    pub(super) fn next_step(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        if let Phase::Closing(close) = self.phase {
            if matches!(close, Close::Refused | Close::Dead | Close::LoggedOut) || self.said_bye {
                return Step::Close(close);
            }
            self.said_bye = true;
            return Step::Send(Command::Bye);
        }
        if self.phase != Phase::Online && now >= self.began + 2 * DEAD {
            return Step::Close(Close::Dead);
        }
        if self.phase == Phase::Online && now >= self.alarm() {
            // The server may be silent about some commands alone.
            let tried = self.probed.map_or(0, |(_, tried)| tried);
            if tried == 0 {
                self.silent_command = self.last_command.clone();
            }
            let first = self.silent_command.as_ref();
            let mut probes = PROBES.iter().filter(|probe| Some(*probe) != first);
            let Some(probe) = probes.nth(tried) else { return Step::Close(Close::Dead) };
            self.probed = Some((now, tried + 1));
            return self.send(probe.clone(), now, agent);
        }
        if self.phase == Phase::LoggingIn && self.last_sent.is_none() {
            let Config { client, name, password, .. } = self.config.clone();
            return self.send(Command::Login { client, name, password }, now, agent);
        }
        if self.phase != Phase::Online {
            return Step::Wait(self.began + 2 * DEAD);
        }
        self.give_up_late_history(now, agent);
        if self
            .login_check
            .as_ref()
            .and_then(|it| it.asked)
            .is_some_and(|at| now >= at + LOGIN_CHECK)
        {
            self.finish_login_check(now, agent);
            return self.next_step(now, agent);
        }
        if let Some(close) = self.leaves_in_time(now) {
            self.phase = Phase::Closing(close);
            return self.next_step(now, agent);
        }
        // The end of a match counts when the moves that were missed are there.
        let playing =
            self.table.is_some() || self.history.is_some() || self.lobby.waits_for_dropped(now);
        let quits = agent.quits(playing);
        if quits && self.chat_queue.is_empty() {
            self.phase = Phase::Closing(Close::Quit);
            return self.next_step(now, agent);
        }
        let latest = self.alarm().min(self.next_check());
        let next = if quits {
            // Only the answers that wait are still told.
            SendOrWait::Wait(latest)
        } else {
            self.next_question().map_or_else(|| self.next(now, agent), SendOrWait::Send)
        };
        let (next, mut until) = match next {
            SendOrWait::Send(command) => (Some(command), latest),
            SendOrWait::Wait(until) => (None, until.min(latest)),
            SendOrWait::Over | SendOrWait::Stuck => (None, now),
        };
        for line in self.settings.take_warnings() {
            agent.event(&Event::Warning(line));
        }
        if let Phase::Closing(_) = self.phase {
            return self.next_step(now, agent);
        }
        let (command, gap) = match next {
            Some(command) => (command, self.config.pace.gap),
            None if !self.chat_queue.is_empty() => {
                let due = self.last_sent.map_or(now, |sent| sent + self.config.pace.chat);
                if now < due {
                    return Step::Wait(due.min(until));
                }
                let Some(command) = self.chat_queue.pop_front() else { return Step::Wait(until) };
                return self.send(command, now, agent);
            }
            None => {
                let quiet = self.last_sent.unwrap_or(self.began) + KEEP_ALIVE;
                if now < quiet {
                    if let Some(request) = &self.history {
                        until = until.min(request.next_tick().max(now));
                    }
                    return Step::Wait(until.min(quiet));
                }
                (self.dialect.probe(), self.config.pace.gap)
            }
        };
        let due = self.last_sent.map_or(now, |sent| sent + gap);
        if now < due {
            return Step::Wait(due);
        }
        self.send(command, now, agent)
    }

    /// Why the connection is to be left now: the server goes down, asks for the login, or another
    /// program uses the account.
    fn leaves_in_time(&mut self, now: Duration) -> Option<Close> {
        if let Some(down) = self.goes_down {
            // Leaving in time lets the server save the match; until then it is played.
            let idle = self.table.is_none() && self.chat_queue.is_empty();
            if idle || now + BEFORE_SHUTDOWN >= down {
                return Some(Close::GoesDown(down.saturating_sub(now) + BEFORE_SHUTDOWN));
            }
        }
        let asked = self.prompt_doubt.flatten()?;
        (now >= asked + DEADLINE).then_some(Close::LoggedOut)
    }

    /// When [`Session::leaves_in_time`] or the check of the own login is due.
    fn next_check(&self) -> Duration {
        let prompt = self.prompt_doubt.flatten().map(|asked| asked + DEADLINE);
        let down = self.goes_down.map(|down| down.saturating_sub(BEFORE_SHUTDOWN));
        let login = self.login_check.as_ref().and_then(|check| check.asked);
        let all = [prompt, down, login.map(|asked| asked + LOGIN_CHECK)];
        all.into_iter().flatten().min().unwrap_or(Duration::MAX)
    }

    /// The question that a doubt about the login raises.
    fn next_question(&self) -> Option<Command> {
        if self.prompt_doubt == Some(None) {
            return Some(self.dialect.probe());
        }
        let asks = self.login_check.as_ref().is_some_and(|check| check.asked.is_none());
        asks.then_some(Command::RawWho)
    }

    /// When the silence of the server becomes a reason to close; `Duration::MAX` if no command
    /// waits for an answer.
    fn alarm(&self) -> Duration {
        let since = self.unanswered.map(|since| self.probed.map_or(since, |(at, _)| at));
        since.map_or(Duration::MAX, |since| since + DEAD)
    }

    fn send(&mut self, command: Command, now: Duration, agent: &mut dyn Agent) -> Step {
        self.last_sent = Some(now);
        // The server answers every command but chat.
        if !command.is_chat() {
            self.unanswered.get_or_insert(now);
            self.last_command = Some(command.clone());
        }
        let late = self.table.as_ref().and_then(|table| table.unanswered(&command));
        if let Some(line) = late {
            agent.event(&Event::Unanswered(line));
        }
        if let Some(asked @ None) = &mut self.prompt_doubt
            && !command.is_chat()
        {
            *asked = Some(now);
        }
        if let (Command::RawWho, Some(check)) = (&command, &mut self.login_check) {
            check.asked.get_or_insert(now);
        }
        if is_board(&command) {
            self.board_asked = now;
        }
        if is_match_command(&command) {
            self.match_command_at = Some(now);
        }
        self.settings.sent(&command, now);
        self.lobby.sent(&command, now, &mut self.rng);
        if let (Command::OldMoves(_), Some(request)) = (&command, &mut self.history) {
            request.ask(now);
        }
        if let (true, Some(request)) = (command == self.dialect.probe(), &mut self.history) {
            request.prodded(now);
        }
        if let (true, Some(orphan)) = (is_board(&command), &mut self.orphan) {
            orphan.asked = Some(now);
            orphan.tries += 1;
        }
        if let Some(table) = &mut self.table
            && is_match_command(&command)
        {
            table.sent(&command, now);
        }
        if !matches!(command, Command::Login { .. }) {
            agent.event(&Event::Sent(command.line()));
        }
        Step::Send(command)
    }

    /// The most urgent command, in this order: settings, moves that were missed, the match, the
    /// lobby.
    fn next(&mut self, now: Duration, agent: &mut dyn Agent) -> SendOrWait {
        match self.settings.next(now) {
            SendOrWait::Wait(until) if !self.settings.are_good() => return SendOrWait::Wait(until),
            SendOrWait::Wait(_) => {}
            send => return send,
        }
        let mut until = now + DEADLINE;
        if let Some(request) = &self.history {
            if request.is_due(now) && !request.is_lost(now) {
                return SendOrWait::Send(Command::OldMoves(request.opponent.clone()));
            }
            if request.wants_more(now) {
                return SendOrWait::Send(self.dialect.probe());
            }
            until = until.min(request.next_tick().max(now));
        }
        if self.is_invited_by_the_opponent(now)
            && let Some(table) = &mut self.table
        {
            // No player can invite in the middle of a match, so it may be over.
            table.doubt();
        }
        if self.table.is_some() {
            return match self.act_at_table(now, agent) {
                SendOrWait::Wait(other) => SendOrWait::Wait(other.min(until).max(now)),
                send => send,
            };
        }
        if let Some(act) = self.ask_about_orphan(now) {
            return act;
        }
        if self.lobby.saved().is_some() && (!self.announced || self.check_ended) {
            self.announce(agent);
        }
        if self.history.is_some() {
            return match self.lobby.needs_saved(now, &self.dialect) {
                SendOrWait::Wait(other) => SendOrWait::Wait(other.min(until)),
                send => send,
            };
        }
        let mut context = LobbyContext {
            now,
            players: &self.players,
            dialect: &self.dialect,
            replies: &mut self.replies,
            chat: &mut self.chat_queue,
        };
        match self.lobby.next(&mut context, agent) {
            LobbyStep::Quit => {
                self.phase = Phase::Closing(Close::Quit);
                SendOrWait::Wait(now)
            }
            LobbyStep::Next(SendOrWait::Wait(other)) => SendOrWait::Wait(other.min(until)),
            LobbyStep::Next(send) => send,
        }
    }

    /// Turns down invitations during a match; `true` if one is the opponent's.
    fn is_invited_by_the_opponent(&mut self, now: Duration) -> bool {
        let Some(table) = &self.table else { return false };
        let mut context = LobbyContext {
            now,
            players: &self.players,
            dialect: &self.dialect,
            replies: &mut self.replies,
            chat: &mut self.chat_queue,
        };
        self.lobby.answer_while_playing(&table.opponent, &mut context)
    }

    /// The next command of the match, in words that the server knows.
    fn act_at_table(&mut self, now: Duration, agent: &mut dyn Agent) -> SendOrWait {
        let chance = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        loop {
            let Some(table) = &mut self.table else { return SendOrWait::Wait(now) };
            table.board_asked = table.board_asked.max(self.board_asked);
            table.is_line_silent = self.probed.is_some();
            match table.act(now, &self.config.pace, chance, agent) {
                SendOrWait::Send(Command::Board) => match self.dialect.board(table.board_tries()) {
                    Some(command) => return SendOrWait::Send(command),
                    // Without a command for it, the board may come by itself.
                    None => table.sent(&Command::Board, now),
                },
                SendOrWait::Send(command @ Command::Kibitz(_)) if !self.dialect.knows(&command) => {
                    table.sent(&command, now);
                }
                SendOrWait::Over => {
                    agent.event(&Event::Stuck(format!(
                        "the match with {} is over by what the server says",
                        table.opponent
                    )));
                    self.leave_table(now, agent);
                    self.look_for_the_match(now);
                }
                SendOrWait::Stuck => {
                    agent.event(&Event::Warning(
                        "the server does not let go of the match: connecting again".to_owned(),
                    ));
                    self.leave_table(now, agent);
                    self.phase = Phase::Closing(Close::Stuck);
                }
                SendOrWait::Send(Command::Leave) if !self.dialect.knows(&Command::Leave) => {
                    self.leave_table(now, agent);
                    self.phase = Phase::Closing(Close::Stuck);
                }
                act => return act,
            }
        }
    }

    /// Asks for the board of a match that the session does not know of.
    fn ask_about_orphan(&mut self, now: Duration) -> Option<SendOrWait> {
        let orphan = self.orphan?;
        match orphan.asked {
            None if now < orphan.due => {
                // The session waits for a late line, but not for a question that is due later.
                let soon = orphan.due <= now + LATE;
                soon.then_some(SendOrWait::Wait(orphan.due))
            }
            // The first question is waited for; matches may begin while it is repeated.
            Some(asked) if now < asked + DEADLINE => {
                (orphan.tries < 2).then_some(SendOrWait::Wait(asked + DEADLINE))
            }
            _ => {
                let command =
                    self.dialect.board(orphan.tries).filter(|_| orphan.tries < MAX_ORPHAN_TRIES);
                if command.is_none() {
                    (self.orphan, self.orphan_answered) = (None, Some(now));
                }
                command.map(SendOrWait::Send)
            }
        }
    }

    pub(super) fn note_waiting(&mut self, now: Duration) {
        let waiting = match (&self.phase, &self.table) {
            (Phase::Closing(_), _) => Waiting::Close,
            (Phase::Greeting | Phase::LoggingIn, _) => Waiting::Login,
            _ if !self.settings.are_good() => Waiting::Settings,
            (_, Some(table)) => table.waiting(),
            (_, None) => self.lobby.waiting(),
        };
        let attempts = self.lobby.attempts();
        if waiting != self.waiting.0 || attempts != self.attempts {
            self.waiting = (waiting, now);
        }
        self.attempts = attempts;
        // A wait for the opponent begins anew when they act, one for a board when a board comes.
        let anew = match (waiting, &self.table) {
            (Waiting::Opponent, Some(table)) => table.opponent_active,
            (Waiting::Board, Some(table)) => table.board_came,
            _ => Duration::ZERO,
        };
        self.waiting.1 = self.waiting.1.max(anew);
    }

    /// Asks for the moves of matches that ended while the client was offline, then reports
    /// [`Event::Ready`].
    fn announce(&mut self, agent: &mut dyn Agent) {
        let first = !std::mem::replace(&mut self.announced, true);
        self.check_ended = false;
        let saved: Vec<String> =
            self.lobby.saved().into_iter().flatten().map(|saved| saved.opponent.clone()).collect();
        let ended = agent
            .unfinished()
            .into_iter()
            .find(|name| !saved.contains(name) && !self.asked_about.contains(name))
            .filter(|name| self.dialect.knows(&Command::OldMoves(name.clone())));
        if let (Some(name), None) = (ended, &self.history) {
            self.asked_about.push(name.clone());
            self.history = Some(HistoryRequest::new(name));
            // Another match may have ended too: ask again after this answer.
            (self.announced, self.check_ended) = (!first, !first);
        } else if first {
            agent.event(&Event::Ready { saved });
        }
    }
}

fn is_match_command(command: &Command) -> bool {
    matches!(
        command,
        Command::Roll
            | Command::Double
            | Command::Accept
            | Command::Reject
            | Command::Move(_)
            | Command::Resign(_)
            | Command::JoinNext
            | Command::Leave
            | Command::Board
            | Command::ShortBoard
            | Command::Redraw
            | Command::Kibitz(_)
    )
}

const fn is_board(command: &Command) -> bool {
    matches!(command, Command::Board | Command::ShortBoard | Command::Redraw)
}
