//! The server settings that a session needs; they are set until the server's answers confirm them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::DEADLINE;
use super::table::SendOrWait;
use crate::command::Command;
use crate::message::{Message, Toggle};

/// The toggles that have to be on or off.
const WANTED: &[(Toggle, bool)] = &[
    // A board after every play and after every roll.
    (Toggle::Autoboard, true),
    (Toggle::Moreboards, true),
    // Otherwise the server plays forced moves while the session sends them.
    (Toggle::Automove, false),
    (Toggle::Greedy, false),
    // Otherwise the server rolls without asking for a double.
    (Toggle::Double, true),
    (Toggle::Crawford, true),
    (Toggle::Autodouble, false),
    // Lists of moves are glued to other messages.
    (Toggle::Moves, false),
    (Toggle::Ratings, true),
    (Toggle::Ready, true),
    (Toggle::Notify, true),
    (Toggle::Report, false),
    (Toggle::Bell, false),
    (Toggle::Allowpip, true),
];

#[derive(Debug, Default)]
pub(super) struct Settings {
    known: BTreeMap<Toggle, bool>,
    style: bool,
    away: bool,
    /// When the login succeeded.
    began: Option<Duration>,
    asked: Option<(Command, Duration)>,
    /// How often each command was sent without the wanted answer.
    tries: BTreeMap<String, u32>,
    /// Commands that the server does not confirm; the session goes on without them.
    given_up: BTreeSet<String>,
    /// Lines for the operator about them.
    warnings: Vec<String>,
}

/// A setting is given up after this many commands without the wanted answer.
const MAX_TRIES: u32 = 3;

impl Settings {
    pub(super) fn begin(&mut self, now: Duration) {
        self.began = Some(now);
    }

    pub(super) fn take(&mut self, message: &Message) {
        match message {
            Message::OwnInfo(info) => self.known.extend(info.toggles.iter().copied()),
            Message::Toggled { toggle, on } => {
                self.known.insert(*toggle, *on);
                self.answered(|asked| matches!(asked, Command::Toggle(t) if t == toggle));
            }
            Message::BoardStyle(style) => {
                self.style = *style == 3;
                self.answered(|asked| *asked == Command::BoardStyle);
            }
            // A board in this style is as good as the answer.
            Message::Board(_) => {
                self.style = true;
                self.answered(|asked| *asked == Command::BoardStyle);
            }
            Message::Away => self.away = true,
            // Some toggles are reset by the server with every new game.
            Message::NewGame { .. } => {
                self.known.insert(Toggle::Double, true);
                self.known.insert(Toggle::Greedy, false);
                self.known.insert(Toggle::Moves, false);
                self.tries.clear();
            }
            _ => {}
        }
    }

    fn answered(&mut self, is: impl Fn(&Command) -> bool) {
        if self.asked.as_ref().is_some_and(|(asked, _)| is(asked)) {
            self.asked = None;
        }
    }

    pub(super) fn sent(&mut self, command: &Command, now: Duration) {
        match command {
            Command::Back => self.away = false,
            Command::BoardStyle | Command::Toggle(_) | Command::Toggles => {
                self.asked = Some((command.clone(), now));
                let tries = self.tries.entry(command.line()).or_default();
                *tries += 1;
                // Tries count until the answer is the wanted one, so that no server is asked without end.
                if *tries > MAX_TRIES {
                    self.give_up(command);
                }
            }
            _ => {}
        }
    }

    /// The server does not confirm this command: it is not sent again on this connection.
    pub(super) fn give_up(&mut self, command: &Command) {
        if self.asked.as_ref().is_some_and(|(asked, _)| asked == command) {
            self.asked = None;
        }
        let line = command.line();
        if self.given_up.insert(line.clone()) {
            self.warnings
                .push(format!("the server does not confirm '{line}', going on without it"));
        }
    }

    /// Lines for the operator since the last call.
    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn has_given_up(&self, command: &Command) -> bool {
        self.given_up.contains(&command.line())
    }

    pub(super) fn are_good(&self) -> bool {
        (self.style || self.has_given_up(&Command::BoardStyle))
            && WANTED.iter().all(|(toggle, on)| self.is_good(*toggle, *on))
    }

    /// Whether a toggle is as it should be, or cannot be set.
    fn is_good(&self, toggle: Toggle, on: bool) -> bool {
        match self.known.get(&toggle) {
            Some(known) if *known == on => true,
            Some(_) => self.has_given_up(&Command::Toggle(toggle)),
            None => self.has_given_up(&Command::Toggles),
        }
    }

    pub(super) fn next(&mut self, now: Duration) -> SendOrWait {
        if self.away && !self.has_given_up(&Command::Back) {
            return SendOrWait::Send(Command::Back);
        }
        if self.are_good() {
            self.asked = None;
            return SendOrWait::Wait(Duration::MAX);
        }
        if let Some((asked, at)) = self.asked.clone() {
            // The list of toggles has no last line: wait a short time for it.
            let patience = if asked == Command::Toggles { DEADLINE / 5 } else { DEADLINE };
            if now < at + patience {
                return SendOrWait::Wait(at + patience);
            }
            if let Command::Toggle(toggle) = asked {
                // The server did not say whether it was switched.
                self.known.remove(&toggle);
            }
            if self.tries.get(&asked.line()).is_some_and(|tries| *tries >= MAX_TRIES) {
                self.give_up(&asked);
            }
            self.asked = None;
        }
        if !self.style && !self.has_given_up(&Command::BoardStyle) {
            return SendOrWait::Send(Command::BoardStyle);
        }
        // The server sends the own settings soon after the login.
        let began = self.began.unwrap_or(now);
        if self.known.is_empty() && now < began + DEADLINE {
            return SendOrWait::Wait(began + DEADLINE);
        }
        for &(toggle, on) in WANTED {
            if self.is_good(toggle, on) {
                continue;
            }
            let command = match self.known.get(&toggle) {
                Some(_) => Command::Toggle(toggle),
                None => Command::Toggles,
            };
            return SendOrWait::Send(command);
        }
        SendOrWait::Wait(Duration::MAX)
    }
}
