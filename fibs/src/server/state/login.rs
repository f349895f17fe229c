//! The dialogue before the login: names, passwords and new accounts.

use super::server_state::{
    ConnectionId, ConnectionPhase, DEFAULT_ON, ServerAccount, ServerState, hash_password,
};
use crate::message::Toggle;
use crate::rating::Standing;
use crate::server::journal::JournalEntry;
use rand::RngCore;

impl ServerState {
    pub(in crate::server) fn line(&mut self, id: ConnectionId, line: &str, now: u64) {
        self.now = now;
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.last = now;
        match connection.phase.clone() {
            ConnectionPhase::Online => {
                self.command(id, line.trim());
                self.prompt(id);
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
                self.log_in(id, name, password, Some(client));
            }
            (ConnectionPhase::Login, ["connect", name, password]) => {
                self.log_in(id, name, password, None)
            }
            (ConnectionPhase::Login, ["guest"]) => {
                become_(self, ConnectionPhase::Guest);
                self.say(id, "Type 'name username' to register.");
                self.prompt(id);
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
                self.log_in(id, &name, line, None);
            }
            (ConnectionPhase::Guest, ["name", name]) => self.take_name(id, name),
            (ConnectionPhase::Guest, ["bye" | "quit" | "exit"]) => self.closing.push(id),
            (ConnectionPhase::Guest, _) => {
                self.say(id, "** Type 'name username' or 'bye'.");
                self.prompt(id);
            }
            (ConnectionPhase::NewPassword(name), _) => {
                if crate::Password::new(line).is_err() {
                    self.say(id, "** Your password must have at least 4 characters and no colon.");
                    return self.raw(id, "Please give your password: ");
                }
                become_(self, ConnectionPhase::NewPasswordAgain(name, line.to_owned()));
                self.raw(id, "Please retype your password: ");
            }
            (ConnectionPhase::NewPasswordAgain(name, password), _) => {
                become_(self, ConnectionPhase::Guest);
                if password == line {
                    self.register(&name, &password);
                    self.say(id, "You are registered.");
                } else {
                    self.say(
                        id,
                        "** The two passwords were not identical. Please give them again.",
                    );
                    become_(self, ConnectionPhase::NewPassword(name));
                    return self.raw(id, "Please give your password: ");
                }
                self.prompt(id);
            }
            (ConnectionPhase::Online, _) => {}
        }
    }

    pub(super) fn take_name(&mut self, id: ConnectionId, name: &str) {
        let length = (3..=20).contains(&name.len());
        if !length || !name.chars().all(|c| c.is_ascii_alphabetic() || c == '_') {
            self.say(id, "** Your name may only contain letters and the underscore character _ .");
        } else if self.accounts.contains_key(name) {
            let text =
                format!("** Please use another name. '{name}' is already used by someone else.");
            self.say(id, &text);
        } else {
            if let Some(connection) = self.connections.get_mut(&id) {
                connection.phase = ConnectionPhase::NewPassword(name.to_owned());
            }
            return self.raw(id, "Please give your password: ");
        }
        self.prompt(id);
    }

    pub(in crate::server) fn register(&mut self, name: &str, password: &str) {
        let salt = self.rng.next_u64();
        let account = ServerAccount {
            password: hash_password(password, salt),
            salt,
            standing: Standing::NEW,
            on: DEFAULT_ON.iter().map(|toggle| toggle.name().to_owned()).collect(),
            last_login: self.now,
        };
        self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        self.accounts.insert(name.to_owned(), account);
    }

    pub(in crate::server) fn is_registered(&self, name: &str) -> bool {
        self.accounts.contains_key(name)
    }

    pub(super) fn log_in(
        &mut self,
        id: ConnectionId,
        name: &str,
        password: &str,
        client: Option<&str>,
    ) {
        let fits = |a: &ServerAccount| a.password == hash_password(password, a.salt);
        let known = self.accounts.get(name).is_some_and(fits);
        if !known || client.is_some_and(|client| client.len() > 20) {
            return self.raw(id, "login: ");
        }
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
        let last = self.accounts.get(name).map_or(0, |account| account.last_login);
        let now = self.now;
        if let Some(account) = self.accounts.get_mut(name) {
            account.last_login = now;
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.phase = ConnectionPhase::Online;
            connection.name = name.to_owned();
            connection.clip = client.is_some();
            connection.client = client.unwrap_or("-").to_owned();
        }
        if client.is_some() {
            self.say(id, &format!("1 {name} {last} localhost"));
            let info = self.own_info(name);
            self.say(id, &info);
            self.say(id, "3\r\nThis server is for practice. Be polite all the same.\r\n4");
            self.who(id, true);
        } else {
            self.say(id, &format!("Welcome {name}."));
            self.who(id, false);
        }
        self.announce(name, 7, &format!("{name} logs in."));
        self.broadcast_who_line(name);
        self.prompt(id);
    }

    pub(super) fn own_info(&self, name: &str) -> String {
        let on = |toggle| u8::from(self.has_toggle(name, toggle));
        let standing = self.standing(name).unwrap_or(Standing::NEW);
        use Toggle as T;
        format!(
            "2 {name} {} {} {} {} 0 {} {} {} {} {} {} {} {} {:.2} {} {} none {} {} UTC",
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
