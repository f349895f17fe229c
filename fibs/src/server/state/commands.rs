//! Commands of users who are logged in; chat and watching.

use super::gag::Ban;
use super::server_state::{ClientState, ConnectionId, ServerState};
use super::words::command_named;
use crate::message::Toggle;
use crate::server::calendar::{long_date, short_date};

/// The most shouts of a user within [`SHOUT_SECONDS`].
const MOST_SHOUTS: u32 = 5;
const SHOUT_SECONDS: u64 = 60;

fn connection_opponent(state: &ServerState, id: ConnectionId) -> Option<String> {
    state.connections.get(&id)?.opponent.clone()
}

impl ServerState {
    pub(super) fn command(&mut self, id: ConnectionId, line: &str) {
        let Some(connection) = self.connections.get(&id) else { return };
        let (name, away) = (connection.name.clone(), connection.away.is_some());
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first_mut() else { return };
        let Some(command) = command_named(first) else {
            let what: String = first.chars().take(40).collect();
            return self.say(id, &format!("** Unknown command: '{what}'"));
        };
        *first = command;
        // Names may be abbreviated where a user who is logged in is meant.
        let meant;
        if let "tell" | "invite" | "join" | "watch" | "look" | "where" | "gag" | "blind" = command
            && let Some(whom) = words.get_mut(1)
        {
            match self.who_is_meant(whom) {
                Ok(name) => meant = name,
                Err(why) => return self.say(id, &why),
            }
            *whom = &meant;
        }
        let rest = |n: usize| {
            let mut rest = line.trim_start();
            for _ in 0..n {
                rest =
                    rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
            }
            rest.trim_end()
        };
        match words.as_slice() {
            ["login", ..] => {}
            ["bye", ..] => self.log_out(id),
            ["set", values @ ..] => self.set(id, &name, values),
            ["toggle"] => self.list_toggles(id, &name),
            ["toggle", whats @ ..] => self.toggle_all(id, &name, whats),
            ["save"] => self.say(id, "Settings saved."),
            ["away"] => self.list_away(id),
            ["away", ..] => self.go_away(id, &name, rest(1)),
            ["back"] => self.come_back(id, &name),
            ["rawwho", ..] => self.raw_who(id),
            [
                "about" | "help" | "last" | "motd" | "ratings" | "time" | "version" | "where"
                | "who" | "whois",
                rest @ ..,
            ] => self.look_around(id, command, rest),
            ["address", email] => self.set_address(id, &name, email),
            ["address", ..] => self.say(id, "** usage: address <email>"),
            ["message", whom, _, ..] => self.leave_message(id, &name, whom, rest(2)),
            ["message", ..] => self.say(id, "** usage: message <user> <text>"),
            ["waitfor", whom @ ..] => self.wait_for(id, whom.first().copied()),
            ["wave"] => self.wave(id, &name),
            ["look", whom] => self.look(id, whom),
            ["look"] => self.say(id, "** look at who?"),
            ["pip"] => self.pip(id, &name),
            ["tell"] => self.say(id, "** Tell whom?"),
            ["tell", to] => self.say(id, &format!("** Tell {to} what?")),
            ["tell", to, ..] => self.chat_to(id, &name, to, rest(2)),
            ["say", _, ..] => match connection_opponent(self, id) {
                Some(opponent) => self.chat_to(id, &name, &opponent, rest(1)),
                None => self.say(id, "** You're not playing."),
            },
            ["shout", _, ..] => self.shout(id, &name, rest(1)),
            ["kibitz", _, ..] => self.kibitz(id, &name, rest(1), true),
            ["whisper", _, ..] => self.kibitz(id, &name, rest(1), false),
            ["say" | "shout" | "kibitz" | "whisper"] => {
                self.say(id, &format!("** {command} what?"))
            }
            ["watch", whom] => self.watch(id, &name, whom),
            ["watch", ..] => self.say(id, "** Watch who?"),
            ["unwatch"] => self.unwatch(id, &name),
            ["show", "saved"] => self.show_saved(id, &name),
            ["show", what @ ..] => self.show(id, &name, what),
            ["average"] => self.average(id),
            ["dicetest"] => self.dice_test(id),
            ["stat"] => self.stat(id),
            ["panic"] => self.panic(id, &name),
            ["erase", ..] => {
                self.say(id, "** Only the operator of this server can delete an account.")
            }
            ["gag", whom @ ..] => self.ban(id, &name, Ban::Hearing, whom.first().copied()),
            ["blind", whom @ ..] => self.ban(id, &name, Ban::Watching, whom.first().copied()),
            ["sortwho", order @ ..] => self.set(id, &name, &[&["sortwho"], order].concat()),
            ["oldboard", with] => self.old_board(id, &name, with),
            ["oldboard", ..] => self.say(id, "** oldboard with who?"),
            ["oldmoves", with] => self.old_moves(id, &name, with),
            ["oldmoves", ..] => self.say(id, "** oldmoves with who?"),
            ["invite"] => self.say(id, "** invite who?"),
            ["invite", whom] => self.invite(id, &name, whom, None),
            ["invite", whom, "unlimited", ..] => self.invite(id, &name, whom, Some(None)),
            ["invite", whom, points, ..] => {
                match points.parse().ok().filter(|n| (1..=99).contains(n)) {
                    Some(points) => self.invite(id, &name, whom, Some(Some(points))),
                    None => self.say(id, "** The second argument to 'invite' has to be a number or the word 'unlimited'"),
                }
            }
            ["join", whom] => self.join(id, &name, whom),
            _ => self.game_command(id, &name, &words),
        }
        if away && command != "back" {
            self.say(id, "You're away. Please type 'back'");
        }
    }

    /// The commands that change nothing and that guests have, too.
    pub(super) fn look_around(&mut self, id: ConnectionId, command: &str, words: &[&str]) {
        match (command, words) {
            ("about", _) => self.about(id),
            ("help", about) => self.help(id, about.first().copied()),
            ("last", whom) => self.last_logins(id, whom.first().copied()),
            ("motd", _) => self.message_of_the_day(id),
            ("ratings", which) => {
                let name = self.connections.get(&id).map(|c| c.name.clone()).unwrap_or_default();
                self.ratings(id, &name, which);
            }
            ("time", _) => {
                let (long, short) = (long_date(self.now), short_date(self.now));
                self.say(id, &format!("{long}   ( {short} UTC )"));
            }
            ("version", _) => self.version(id),
            ("where", [whom]) => self.whereabouts(id, whom),
            ("who", which) => self.who(id, which),
            ("whois", [whom]) => self.whois(id, whom),
            _ => self.say(id, &format!("** {command} who?")),
        }
    }

    pub(super) fn log_out(&mut self, id: ConnectionId) {
        self.remove_connection(id, "logs out");
        self.raw(id, "\r\n           Goodbye.\r\n");
        self.closing.push(id);
    }

    pub(super) fn chat_to(&mut self, id: ConnectionId, name: &str, to: &str, text: &str) {
        let Some(other) = self.online(to) else {
            return self.say(id, &format!("** There is no one called {to}"));
        };
        if self.gags(name, to) {
            return self.say(id, "** You can't talk if you won't listen.");
        }
        if self.gags(to, name) {
            return self.say(id, &format!("** {to} won't listen to you."));
        }
        let line = if self.is_clip(other) {
            format!("12 {name} {text}")
        } else {
            format!("{name} tells you: {text}")
        };
        let echo = if self.is_clip(id) {
            format!("16 {to} {text}")
        } else {
            format!("** You tell {to}: {text}")
        };
        self.say(other, &line);
        self.say(id, &echo);
        self.say_if_away(id, to);
    }

    pub(super) fn shout(&mut self, id: ConnectionId, name: &str, text: &str) {
        if self.has_toggle(name, Toggle::Silent) {
            return self.say(id, "** Please type 'toggle silent' again before you shout.");
        }
        let now = self.now;
        let Some(c) = self.connections.get_mut(&id) else { return };
        if now >= c.shouts.0 + SHOUT_SECONDS {
            c.shouts = (now, 0);
        }
        if c.shouts.1 >= MOST_SHOUTS {
            return self.say(id, "** You talk too much, don't you?");
        }
        c.shouts.1 += 1;
        for other in self.online_ids() {
            let Some(c) = self.connections.get(&other) else { continue };
            let (clip, own) = (c.clip, other == id);
            if !own && (c.gagged.contains(name) || self.has_toggle(&c.name, Toggle::Silent)) {
                continue;
            }
            let line = match (own, clip) {
                (true, true) => format!("17 {text}"),
                (true, false) => format!("You shout: {text}"),
                (false, true) => format!("13 {name} {text}"),
                (false, false) => format!("{name} shouts: {text}"),
            };
            self.say(other, &line);
        }
    }

    pub(super) fn kibitz(&mut self, id: ConnectionId, name: &str, text: &str, to_opponent: bool) {
        let Some(c) = self.connections.get(&id) else { return };
        let opponent = c.opponent.clone().filter(|_| to_opponent);
        let watching = |c: &ClientState| {
            c.watching.as_deref().is_some_and(|w| w == name || Some(w) == opponent.as_deref())
        };
        let mut listeners = 0;
        for other in self.online_ids() {
            let Some(c) = self.connections.get(&other) else { continue };
            let listens = opponent.as_deref() == Some(c.name.as_str()) || watching(c);
            if listens && !c.gagged.contains(name) {
                let line = match (c.clip, to_opponent) {
                    (true, true) => format!("15 {name} {text}"),
                    (true, false) => format!("14 {name} {text}"),
                    (false, true) => format!("{name} kibitzes: {text}"),
                    (false, false) => format!("{name} whispers: {text}"),
                };
                self.say(other, &line);
                listeners += 1;
            }
        }
        let echo = match (self.is_clip(id), to_opponent) {
            (true, true) => format!("19 {text}"),
            (true, false) => format!("18 {text}"),
            (false, true) => format!("You kibitz: {text}"),
            (false, false) => format!("You whisper: {text}"),
        };
        self.say(id, &echo);
        let s = if listeners == 1 { "" } else { "s" };
        let line = if listeners == 0 {
            "** But nobody heard you.".to_owned()
        } else {
            format!("** {listeners} user{s} heard you.")
        };
        self.say(id, &line);
    }

    pub(super) fn watch(&mut self, id: ConnectionId, name: &str, whom: &str) {
        if whom == name {
            return self.say(id, "** Use a mirror to do that.");
        }
        if self.online(whom).is_none() {
            return self.say(id, &format!("** There is no one called {whom}"));
        }
        if self.playing(name).is_some() {
            return self.say(id, "** You can't watch another game while you're playing.");
        }
        if self.bans_watching(whom, name) {
            return self.say(id, &format!("** {whom} doesn't want you to watch."));
        }
        if let Some(c) = self.connections.get_mut(&id) {
            c.watching = Some(whom.to_owned());
        }
        self.say(id, &format!("You're now watching {whom}."));
        self.say_to(whom, &format!("{name} is watching you."));
        self.broadcast_who_line(name);
        if let Some(key) = self.playing(whom)
            && let Some(game) = self.matches.get(&key)
            && let Some(seat) = game.seat(whom)
        {
            let board = game.board(seat, whom);
            self.send_board(id, &board);
        } else {
            self.say(id, &format!("{whom} is not doing anything interesting."));
        }
    }

    fn unwatch(&mut self, id: ConnectionId, name: &str) {
        let Some(c) = self.connections.get_mut(&id) else { return };
        let Some(whom) = c.watching.take() else {
            return self.say(id, "** You're not watching.");
        };
        self.say(id, &format!("You stop watching {whom}."));
        self.say_to(&whom, &format!("{name} stops watching you."));
        self.broadcast_who_line(name);
    }
}
