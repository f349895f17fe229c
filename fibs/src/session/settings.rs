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
    /// The owner's address to be told, if there is one.
    address: Option<String>,
    /// Courtesies that are settled: confirmed, given up, or right from the start.
    settled: BTreeSet<String>,
    /// How often each courtesy was sent.
    courtesy_tries: BTreeMap<String, u32>,
}

/// Whether a command sets what no match depends on.
const fn is_courtesy(command: &Command) -> bool {
    matches!(command, Command::TimeZoneUtc | Command::NoRedoubles | Command::Address(_))
}

/// A setting is given up after this many commands without the wanted answer.
const MAX_TRIES: u32 = 3;

impl Settings {
    /// Settings that also tell the server this address of the owner.
    pub(super) fn with_address(address: Option<String>) -> Settings {
        Settings { address, ..Settings::default() }
    }

    pub(super) fn begin(&mut self, now: Duration) {
        self.began = Some(now);
    }

    pub(super) fn take(&mut self, message: &Message) {
        match message {
            Message::OwnInfo(info) => {
                self.known.extend(info.toggles.iter().copied());
                if info.redoubles == "none" {
                    self.settle(&Command::NoRedoubles);
                }
            }
            Message::ValueSet { name, .. } => match name.as_str() {
                "timezone" => self.settle(&Command::TimeZoneUtc),
                "redoubles" => self.settle(&Command::NoRedoubles),
                _ => {}
            },
            Message::AddressSet | Message::NotAnAddress => {
                let asked = self.asked.as_ref().map(|(asked, _)| asked.clone());
                if let Some(command @ Command::Address(_)) = asked {
                    if *message == Message::NotAnAddress {
                        self.warnings.push(format!("the server refuses '{}'", command.line()));
                    }
                    self.settle(&command);
                }
            }
            Message::UnknownCommand { verb } => {
                let asked = self.asked.as_ref().map(|(asked, _)| asked.clone());
                if let Some(command) = asked.filter(is_courtesy)
                    && verb.as_deref().is_none_or(|verb| verb == command.verb())
                {
                    self.settle(&command);
                }
            }
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

    /// A courtesy needs no more commands.
    fn settle(&mut self, command: &Command) {
        self.answered(|asked| asked == command);
        self.settled.insert(command.line());
    }

    pub(super) fn sent(&mut self, command: &Command, now: Duration) {
        match command {
            command if is_courtesy(command) => {
                self.asked = Some((command.clone(), now));
                *self.courtesy_tries.entry(command.line()).or_default() += 1;
            }
            Command::Back => self.away = false,
            Command::BoardStyle | Command::Toggle(_) | Command::Toggles => {
                self.asked = Some((command.clone(), now));
                let tries = self.tries.entry(command.line()).or_default();
                *tries += 1;
                // Tries count until the answer is the wanted one, so that no server is asked
                // without end.
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

    /// The next setting that is of use, but without which matches can be played.
    fn next_courtesy(&mut self, now: Duration) -> SendOrWait {
        if let Some((asked, at)) = self.asked.take().filter(|(asked, _)| is_courtesy(asked)) {
            if now < at + DEADLINE {
                self.asked = Some((asked, at));
                return SendOrWait::Wait(at + DEADLINE);
            }
            if self.courtesy_tries.get(&asked.line()).is_some_and(|tries| *tries >= MAX_TRIES) {
                self.settle(&asked);
                self.give_up(&asked);
            }
        }
        let address = self.address.clone().map(Command::Address);
        let mut courtesies =
            [Command::TimeZoneUtc, Command::NoRedoubles].into_iter().chain(address);
        match courtesies.find(|command| !self.settled.contains(&command.line())) {
            Some(command) => SendOrWait::Send(command),
            None => SendOrWait::Wait(Duration::MAX),
        }
    }

    pub(super) fn next(&mut self, now: Duration) -> SendOrWait {
        if self.away && !self.has_given_up(&Command::Back) {
            return SendOrWait::Send(Command::Back);
        }
        if self.are_good() {
            return self.next_courtesy(now);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Parser;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn hear(settings: &mut Settings, line: &str) {
        Parser::messages(line).iter().for_each(|message| settings.take(message));
    }

    /// Settings that a match needs are made.
    fn good(address: Option<&str>) -> Settings {
        let mut settings = Settings::with_address(address.map(str::to_owned));
        settings.begin(Duration::ZERO);
        settings.style = true;
        settings.known.extend(WANTED.iter().copied());
        assert!(settings.are_good());
        settings
    }

    /// All commands within ten minutes; `answer` is what the server says to each.
    fn conversation(settings: &mut Settings, answer: impl Fn(&str) -> &'static str) -> Vec<String> {
        let mut sent = Vec::new();
        for now in (0..600).map(seconds) {
            if let SendOrWait::Send(command) = settings.next(now) {
                settings.sent(&command, now);
                hear(settings, answer(&command.line()));
                sent.push(command.line());
            }
        }
        sent
    }

    #[test]
    fn time_zone_redoubles_and_address_are_set_once() {
        // The answers of BaldLies and FIBS.
        let answer = |line: &str| match line {
            "set timezone UTC" => "Value of 'timezone' set to UTC.",
            "set redoubles none" => "Value of 'redoubles' set to none.",
            _ => "Your email address is 'me@example.org'.",
        };
        let wanted = ["set timezone UTC", "set redoubles none", "address me@example.org"];
        let mut settings = good(Some("me@example.org"));
        assert_eq!(conversation(&mut settings, answer), wanted);
        hear(&mut settings, "Starting a new game with bob.");
        assert!(conversation(&mut settings, answer).is_empty());
        assert_eq!(conversation(&mut good(None), answer), wanted[..2]);
    }

    #[test]
    fn a_server_that_does_not_know_a_courtesy_is_asked_once() {
        // FIBS, TigerGammon and BaldLies name what they do not know in these ways.
        for said in [
            "** Unknown command: 'set'",
            "** set is not implemented, yet",
            "The command `set' is not yet implemented.",
        ] {
            let mut settings = good(None);
            let sent = conversation(&mut settings, |_| said);
            assert_eq!(sent, ["set timezone UTC", "set redoubles none"], "{said}");
        }
        let mut settings = good(Some("nobody"));
        let sent = conversation(&mut settings, |line| {
            if line.starts_with("address") { "** 'nobody' is not an email address." } else { "ok" }
        });
        assert_eq!(sent.iter().filter(|line| line.starts_with("address")).count(), 1, "{sent:?}");
        assert!(
            settings.take_warnings().iter().any(|line| line.contains("refuses 'address nobody"))
        );
    }

    #[test]
    fn a_silent_server_is_asked_three_times_and_matches_do_not_wait_for_it() {
        let mut settings = good(None);
        let sent = conversation(&mut settings, |_| "bob wins a 9 point match against ann  11-6 .");
        assert_eq!(sent.len(), 6, "{sent:?}");
        assert!(settings.are_good());
        assert_eq!(settings.take_warnings().len(), 2);
    }

    #[test]
    fn what_the_login_shows_to_be_right_is_not_set() {
        let mut settings = good(None);
        // Line 2 of the CLIP specification, with `none` for redoubles.
        hear(
            &mut settings,
            "2 myself 1 1 0 0 0 0 1 1 2396 0 1 0 1 3457.85 0 0 none 0 0 Australia/Melbourne",
        );
        settings.known.extend(WANTED.iter().copied());
        let answer = |_: &str| "Value of 'timezone' set to UTC.";
        assert_eq!(conversation(&mut settings, answer), ["set timezone UTC"]);
    }
}
