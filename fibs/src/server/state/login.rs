//! The dialogue before the login: names, passwords and new accounts.

use std::collections::BTreeMap;

use rand::RngCore;

use super::server_state::{ConnectionId, ConnectionPhase, DEFAULT_ON, ServerAccount, ServerState};
use super::words::command_named;
use crate::message::Toggle;
use crate::rating::Standing;
use crate::server::calendar::long_date;
use crate::server::journal::JournalEntry;
use crate::server::stored_password::{PasswordAnswer, PasswordJob, StoredPassword};

/// What a guest reads. Clients send the name when they have read the last line, which is that of
/// FIBS.
const GUEST_TEXT: [&str; 9] = [
    "",
    "Welcome to FIBS. You just logged in as guest.",
    "(This is a practice server of the FIBS protocol.) Please register before using it:",
    "",
    "Type 'name username' where username is the name you want to use.",
    "The username may not contain blanks ' ' or colons ':'; 3 to 20 letters or underscores.",
    "To look around first, type 'help'. Type 'bye' if you don't want to register now.",
    "",
    "ONE USERNAME PER PERSON ONLY!!!",
];

/// The commands of guests, besides `name`.
const GUEST_COMMANDS: [&str; 11] =
    ["about", "bye", "help", "last", "motd", "ratings", "time", "version", "where", "who", "whois"];

impl ServerState {
    pub(in crate::server) fn line(&mut self, id: ConnectionId, line: &str, now: u64) {
        self.now = now;
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.last = now;
        connection.at_prompt = false;
        match connection.phase.clone() {
            ConnectionPhase::Online => {
                if connection.waved && !line.trim_start().starts_with("wav") {
                    connection.waved = false;
                }
                self.command(id, line.trim());
            }
            phase => self.before_login(id, phase, line.trim()),
        }
    }

    pub(super) fn before_login(&mut self, id: ConnectionId, phase: ConnectionPhase, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let become_ = |server: &mut ServerState, phase| {
            if let Some(connection) = server.connections.get_mut(&id) {
                connection.phase = phase;
            }
        };
        match (phase, words.as_slice()) {
            (ConnectionPhase::Login, ["login", client, _version, name, password]) => {
                self.ask_password(id, name, password, Some(client));
            }
            (ConnectionPhase::Login, ["connect", name, password]) => {
                self.ask_password(id, name, password, None);
            }
            (ConnectionPhase::Login, ["guest"]) => {
                become_(self, ConnectionPhase::Guest);
                GUEST_TEXT.iter().for_each(|line| self.say(id, line));
            }
            (ConnectionPhase::Login, [name]) => {
                become_(self, ConnectionPhase::Password((*name).to_owned()));
                // Telnet WILL ECHO: the terminal stops echoing, so that the password is not shown.
                self.out.push((id, vec![255, 251, 1]));
                self.raw(id, "password: ");
            }
            (ConnectionPhase::Login, _) => self.raw(id, "login: "),
            (ConnectionPhase::Password(name), _) => {
                self.out.push((id, vec![255, 252, 1, b'\r', b'\n']));
                become_(self, ConnectionPhase::Login);
                self.ask_password(id, &name, line, None);
            }
            (ConnectionPhase::Guest, ["name", name]) => self.take_name(id, name),
            (ConnectionPhase::Guest, words) => self.guest_command(id, words),
            (ConnectionPhase::NewPassword(name), _) => {
                if crate::Password::new(line).is_err() {
                    self.say(id, "Minimal password length is 4 characters; no blank, colon or special character.");
                    return self.raw(id, "Please give your password: ");
                }
                become_(self, ConnectionPhase::NewPasswordAgain(name, line.to_owned()));
                self.raw(id, "Please retype your password: ");
            }
            (ConnectionPhase::NewPasswordAgain(name, password), _) => {
                if password == line {
                    become_(self, ConnectionPhase::Registering(name));
                    drop(self.jobs.insert(id, PasswordJob::Hash { password }));
                } else {
                    self.say(
                        id,
                        "** The two passwords were not identical. Please give them again.",
                    );
                    become_(self, ConnectionPhase::NewPassword(name));
                    self.raw(id, "Please give your password: ");
                }
            }
            // The server reads no line while a password is checked.
            (
                ConnectionPhase::Online
                | ConnectionPhase::Checking(..)
                | ConnectionPhase::Registering(_),
                _,
            ) => {}
        }
    }

    /// What a guest may do: look around, register and leave.
    fn guest_command(&mut self, id: ConnectionId, words: &[&str]) {
        let Some((first, rest)) = words.split_first() else { return };
        match (command_named(first), rest) {
            (Some("bye"), _) => self.log_out(id),
            (Some("help"), []) => {
                self.say(id, "Guests can use these commands; 'help COMMAND' explains one:");
                self.say(id, &format!("  name {}", GUEST_COMMANDS.join(" ")));
            }
            (Some(command), rest) if GUEST_COMMANDS.contains(&command) => {
                self.look_around(id, command, rest);
            }
            _ => self.say(id, "** Type 'name username' to register, 'help' or 'bye'."),
        }
    }

    pub(super) fn take_name(&mut self, id: ConnectionId, name: &str) {
        if let Some(why) = self.name_refusal(name) {
            return self.say(id, &why);
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.phase = ConnectionPhase::NewPassword(name.to_owned());
        }
        self.raw(id, "Please give your password: ");
    }

    pub(in crate::server) fn register(&mut self, name: &str, password: StoredPassword) {
        // The number that was the salt once: dice of a seed stay those that they were.
        let _ = self.rng.next_u64();
        let account = ServerAccount {
            password,
            salt: None,
            standing: Standing::NEW,
            on: DEFAULT_ON.iter().map(|toggle| toggle.name().to_owned()).collect(),
            last_login: self.now,
            last_logout: 0,
            last_host: String::new(),
            email: None,
            settings: BTreeMap::new(),
            messages: Vec::new(),
        };
        self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        self.accounts.insert(name.to_owned(), account);
    }

    pub(in crate::server) fn is_registered(&self, name: &str) -> bool {
        self.accounts.contains_key(name)
    }

    /// Has the password of a login checked.
    pub(super) fn ask_password(
        &mut self,
        id: ConnectionId,
        name: &str,
        password: &str,
        client: Option<&str>,
    ) {
        if client.is_some_and(|client| client.len() > 20) {
            return self.raw(id, "login: ");
        }
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.phase = ConnectionPhase::Checking(name.to_owned(), client.map(str::to_owned));
        let stored =
            |account: &ServerAccount| (account.password.clone(), account.salt.unwrap_or(0));
        let stored = self.accounts.get(name).map(stored);
        let (name, password) = (name.to_owned(), password.to_owned());
        self.jobs.insert(id, PasswordJob::Verify { name, password, stored });
    }

    /// The result of a password that was checked or hashed.
    pub(in crate::server) fn password_answer(
        &mut self,
        id: ConnectionId,
        answer: PasswordAnswer,
        now: u64,
    ) {
        self.now = now;
        let Some(connection) = self.connections.get_mut(&id) else { return };
        match (connection.phase.clone(), answer) {
            (ConnectionPhase::Checking(name, client), PasswordAnswer { correct: true, hash }) => {
                if let (Some(account), Some(hash)) = (self.accounts.get_mut(&name), hash) {
                    (account.password, account.salt) = (hash, None);
                }
                self.log_in(id, &name, client.as_deref());
            }
            (ConnectionPhase::Checking(_, client), _) => {
                connection.phase = ConnectionPhase::Login;
                if client.is_none() {
                    self.say(id, "Login incorrect");
                }
                self.raw(id, "login: ");
            }
            (ConnectionPhase::Registering(name), PasswordAnswer { hash: Some(hash), .. }) => {
                connection.phase = ConnectionPhase::Guest;
                // Somebody else may have taken the name meanwhile.
                match self.name_refusal(&name) {
                    Some(why) => self.say(id, &why),
                    None => {
                        self.register(&name, hash);
                        self.say(id, "You are registered.");
                        self.say(id, "Type 'bye' and log in again with your name and password.");
                    }
                }
            }
            _ => {}
        }
    }

    /// Refuses a login without looking at the password.
    pub(in crate::server) fn refuse_login(&mut self, id: ConnectionId, why: &str) {
        self.say(id, why);
        self.connections.remove(&id);
        self.closing.push(id);
    }

    pub(super) fn log_in(&mut self, id: ConnectionId, name: &str, client: Option<&str>) {
        if let Some(old) = self.online(name) {
            self.say(id, "** Warning: You are already logged in.");
            if let Some(connection) = self.connections.remove(&old)
                && let Some(opponent) = connection.opponent
            {
                let why = format!("** Closed old connection with user {name}. The game was saved.");
                self.end_play(&opponent, &why);
            }
            self.closing.push(old);
        }
        let now = self.now;
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.phase = ConnectionPhase::Online;
        connection.name = name.to_owned();
        connection.clip = client.is_some();
        connection.client = client.unwrap_or("-").to_owned();
        let host = connection.host.clone();
        let Some(account) = self.accounts.get_mut(name) else { return };
        let (last, logout) = (account.last_login, account.last_logout);
        let last_host = match account.last_host.as_str() {
            "" => "localhost".to_owned(),
            host => host.to_owned(),
        };
        let messages = std::mem::take(&mut account.messages);
        (account.last_login, account.last_host) = (now, host);
        self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        if client.is_some() {
            self.say(id, &format!("1 {name} {last} {last_host}"));
            let info = self.own_info(name);
            self.say(id, &info);
            self.say(id, "3");
            self.message_of_the_day(id);
            self.say(id, "4");
        } else {
            self.say(id, &format!("** User {name} authenticated."));
            self.say(id, &format!("** Last login: {} from {last_host}", long_date(last)));
            if logout > 0 {
                self.say(id, &format!("** Last logout: {}", long_date(logout)));
            }
            self.message_of_the_day(id);
        }
        self.deliver(id, &messages);
        if client.is_some() {
            self.raw_who(id);
        } else {
            self.who(id, &[]);
        }
        self.count_users();
        self.announce(name, 7, &format!("{name} logs in."));
        self.broadcast_who_line(name);
        self.tell_those_who_wait(id, name);
    }

    pub(super) fn own_info(&self, name: &str) -> String {
        let on = |toggle| u8::from(self.has_toggle(name, toggle));
        let standing = self.standing(name).unwrap_or(Standing::NEW);
        let away = self.online(name).and_then(|id| self.connections.get(&id));
        let away = u8::from(away.is_some_and(|c| c.away.is_some()));
        let redoubles = self.setting(name, "redoubles");
        use Toggle as T;
        format!(
            "2 {name} {} {} {} {} {away} {} {} {} {} {} {} {} {} {:.2} {} {} {redoubles} {} {} UTC",
            on(T::Allowpip),
            on(T::Autoboard),
            on(T::Autodouble),
            on(T::Automove),
            on(T::Bell),
            on(T::Crawford),
            on(T::Double),
            standing.experience,
            on(T::Greedy),
            on(T::Moreboards),
            on(T::Moves),
            on(T::Notify),
            standing.rating,
            on(T::Ratings),
            on(T::Ready),
            on(T::Report),
            on(T::Silent),
        )
    }
}
