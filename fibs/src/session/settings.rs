//! The server settings that a session needs; they are set until the server's answers confirm them.

use std::collections::BTreeMap;
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
}

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
            Message::Away => self.away = true,
            // Some toggles are reset by the server with every new game.
            Message::NewGame { .. } => {
                self.known.insert(Toggle::Double, true);
                self.known.insert(Toggle::Greedy, false);
                self.known.insert(Toggle::Moves, false);
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
            }
            _ => {}
        }
    }

    pub(super) fn are_good(&self) -> bool {
        self.style && WANTED.iter().all(|(toggle, on)| self.known.get(toggle) == Some(on))
    }

    pub(super) fn next(&mut self, now: Duration) -> SendOrWait {
        if self.away {
            return SendOrWait::Send(Command::Back);
        }
        if self.are_good() {
            self.asked = None;
            return SendOrWait::Wait(Duration::MAX);
        }
        if let Some((asked, at)) = &self.asked {
            // The list of toggles has no last line: wait a short time for it.
            let patience = if *asked == Command::Toggles { DEADLINE / 5 } else { DEADLINE };
            if now < *at + patience {
                return SendOrWait::Wait(*at + patience);
            }
            if let Command::Toggle(toggle) = asked {
                // The server did not say whether it was switched.
                self.known.remove(toggle);
            }
            self.asked = None;
        }
        if !self.style {
            return SendOrWait::Send(Command::BoardStyle);
        }
        // The server sends the own settings soon after the login.
        let began = self.began.unwrap_or(now);
        if self.known.is_empty() && now < began + DEADLINE {
            return SendOrWait::Wait(began + DEADLINE);
        }
        for (toggle, on) in WANTED {
            match self.known.get(toggle) {
                None => return SendOrWait::Send(Command::Toggles),
                Some(known) if known != on => return SendOrWait::Send(Command::Toggle(*toggle)),
                Some(_) => {}
            }
        }
        SendOrWait::Wait(Duration::MAX)
    }
}
