//! What users can ask: about other users, their games and ratings, and about the server.

use super::server_state::{ConnectionId, ServerState};
use crate::message::Toggle;
use crate::server::calendar::{hours, long_date, short_date};
use crate::server::game::ServerMatch;
use crate::server::journal::JournalEntry;
use backgammon::{FibsBoard, Seat};

impl ServerState {
    pub(super) fn about(&mut self, id: ConnectionId) {
        self.say(id, "This is a practice server of the FIBS protocol for bots and people.");
        self.say(id, "It is not FIBS, the First Internet Backgammon Server, at fibs.com.");
    }

    pub(super) fn message_of_the_day(&mut self, id: ConnectionId) {
        self.say(id, "This server is for practice. Be polite all the same.");
    }

    pub(super) fn version(&mut self, id: ConnectionId) {
        self.say(id, concat!("fibs practice server ", env!("CARGO_PKG_VERSION")));
    }

    pub(super) fn whois(&mut self, id: ConnectionId, whom: &str) {
        let Some(account) = self.accounts.get(whom) else {
            return self.say(id, &format!("No information found on user {whom}."));
        };
        let mut lines = vec![format!("Information about {whom}:")];
        let from = match account.last_host.as_str() {
            "" => String::new(),
            host => format!(" from {host}"),
        };
        lines.push(format!("  Last login:  {}{from}", long_date(account.last_login)));
        if account.last_logout > 0 {
            lines.push(format!("  Last logout: {}", long_date(account.last_logout)));
        }
        match self.online(whom).and_then(|id| self.connections.get(&id)) {
            None => lines.push("  Not logged in right now.".to_owned()),
            Some(c) => {
                let idle = self.now.saturating_sub(c.last);
                lines.push(format!(
                    "  Still logged in. {}:{:02} minutes idle.",
                    idle / 60,
                    idle % 60
                ));
                let ready =
                    if self.has_toggle(whom, Toggle::Ready) { "ready" } else { "not ready" };
                let watching = match &c.watching {
                    Some(name) => format!("watching {name}"),
                    None => "not watching".to_owned(),
                };
                let playing = match &c.opponent {
                    Some(name) => format!("playing with {name}"),
                    None => "not playing".to_owned(),
                };
                lines.push(format!("  {whom} is {ready} to play, {watching}, {playing}."));
                lines.extend(c.away.as_ref().map(|text| format!("  {whom} is away: {text}")));
            }
        }
        let standing = account.standing;
        lines.push(format!("  Rating: {:.2} Experience: {}", standing.rating, standing.experience));
        lines.push(match &account.email {
            Some(email) => format!("  Email address: {email}"),
            None => "  No email address.".to_owned(),
        });
        lines.iter().for_each(|line| self.say(id, line));
    }

    pub(super) fn whereabouts(&mut self, id: ConnectionId, whom: &str) {
        let Some(c) = self.online(whom).and_then(|id| self.connections.get(&id)) else {
            return self.say(id, &format!("** There is no one called {whom}"));
        };
        let doing = match (&c.opponent, &c.watching) {
            (Some(name), _) => format!(" {whom} is playing with {name}."),
            (None, Some(name)) => format!(" {whom} is watching {name}."),
            (None, None) => String::new(),
        };
        let line = format!("{whom} is logged in from {}.{doing}", c.host);
        self.say(id, &line);
    }

    pub(super) fn last_logins(&mut self, id: ConnectionId, whom: Option<&str>) {
        let shown = |name: &str| whom.is_none_or(|whom| whom == name);
        let mut found: Vec<_> = self.accounts.iter().filter(|(name, _)| shown(name)).collect();
        if let (Some(whom), true) = (whom, found.is_empty()) {
            return self.say(id, &format!("No information found on user {whom}."));
        }
        found.sort_by_key(|(_, account)| std::cmp::Reverse(account.last_login));
        let line = |(name, account): (&String, &super::server_state::ServerAccount)| {
            let (login, logout) = (account.last_login, account.last_logout);
            let until = if self.online(name).is_some() || logout < login {
                "still logged in".to_owned()
            } else {
                format!("{} ({})", short_date(logout), hours(logout - login))
            };
            let until = if self.online(name).is_none() && logout < login { "" } else { &until };
            format!("{name:<20} {} - {until}", short_date(login))
        };
        let lines: Vec<String> = found.into_iter().take(20).map(line).collect();
        lines.iter().for_each(|line| self.say(id, line.trim_end_matches(" - ")));
    }

    /// The list of ratings, of players who have finished a rated match: 20 places around the own
    /// one, from one place to another, or one player.
    pub(super) fn ratings(&mut self, id: ConnectionId, name: &str, which: &[&str]) {
        let rated = self.accounts.iter().filter(|(_, account)| account.standing.experience > 0);
        let mut rows: Vec<_> =
            rated.map(|(name, account)| (name.clone(), account.standing)).collect();
        rows.sort_by(|(_, a), (_, b)| b.rating.total_cmp(&a.rating));
        let place = |name: &str| rows.iter().position(|(known, _)| known == name);
        let number = |word: &str| word.parse::<usize>().ok().filter(|n| *n > 0);
        let range = match which {
            [] => {
                let from = place(name).unwrap_or(0).saturating_sub(10);
                from..from + 20
            }
            ["from", from, "to", to] => match (number(from), number(to)) {
                (Some(from), Some(to)) => from - 1..to.min(from.saturating_add(99)),
                _ => return self.say(id, "** usage: ratings from <place> to <place>"),
            },
            [whom] => match place(whom) {
                Some(place) => place..place + 1,
                None => return self.say(id, &format!("** {whom} is not in the list of ratings.")),
            },
            _ => return self.say(id, "** usage: ratings from <place> to <place>"),
        };
        self.say(id, " rank name            rating    Experience");
        for (i, (player, standing)) in rows.iter().enumerate() {
            if range.contains(&i) {
                let star = if player == name { '*' } else { ' ' };
                self.say(
                    id,
                    &format!(
                        "{star}{:>4} {player:<15} {:.2}     {}",
                        i + 1,
                        standing.rating,
                        standing.experience
                    ),
                );
            }
        }
    }

    pub(super) fn set_address(&mut self, id: ConnectionId, name: &str, email: &str) {
        let whole = email.len() <= 80
            && email.split_once('@').is_some_and(|(user, host)| {
                !user.is_empty() && !host.is_empty() && !host.contains('@')
            });
        let email = match email {
            "-" => None,
            _ if whole => Some(email.to_owned()),
            _ => {
                let shown: String = email.chars().take(80).collect();
                return self.say(id, &format!("** '{shown}' is not an email address."));
            }
        };
        let Some(account) = self.accounts.get_mut(name) else { return };
        account.email.clone_from(&email);
        self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
        let line = match email {
            Some(email) => format!("Your email address is '{email}'."),
            None => "Your email address was removed.".to_owned(),
        };
        self.say(id, &line);
        self.broadcast_who_line(name);
    }

    /// The running match of a player, and the player's seat.
    pub(super) fn game_of(&self, name: &str) -> Option<(&ServerMatch, Seat)> {
        let game = self.matches.get(&self.playing(name)?)?;
        Some((game, game.seat(name)?))
    }

    pub(super) fn look(&mut self, id: ConnectionId, whom: &str) {
        if self.online(whom).is_none() {
            return self.say(id, &format!("** There is no one called {whom}"));
        }
        let own_name = self.connections.get(&id).map_or("", |c| c.name.as_str());
        if self.bans_watching(whom, own_name) {
            return self.say(id, &format!("** {whom} doesn't want you to look."));
        }
        match self.game_of(whom).map(|(game, seat)| game.board(seat, whom)) {
            Some(board) => self.send_board(id, &board),
            None => self.say(id, &format!("** {whom} is not playing.")),
        }
    }

    pub(super) fn pip(&mut self, id: ConnectionId, name: &str) {
        let watched = self.connections.get(&id).and_then(|c| c.watching.clone());
        let own = self.game_of(name).map(|(game, seat)| game.board(seat, name));
        let plays = own.is_some();
        let seen = || {
            let watched = watched.as_deref()?;
            self.game_of(watched).map(|(game, seat)| game.board(seat, watched))
        };
        let Some(FibsBoard { player, opponent, position, .. }) = own.or_else(seen) else {
            return self.say(id, "** You're not playing or watching.");
        };
        let [first, second] =
            [&player, &opponent].map(|name| self.has_toggle(name, Toggle::Allowpip));
        let line = match (plays, first, second) {
            (_, true, true) => {
                let (own, other) = (position.pips(), position.opponent_pips());
                format!("Pipcounts: {player} {own}  {opponent} {other}")
            }
            (true, false, _) => "** Type 'toggle allowpip' first.".to_owned(),
            (true, true, false) => {
                format!("** {opponent} doesn't allow this. Ask {opponent} to 'toggle allowpip'.")
            }
            (false, ..) => "** The players don't allow pipcounts.".to_owned(),
        };
        self.say(id, &line);
    }

    /// `show` with anything but `saved`.
    pub(super) fn show(&mut self, id: ConnectionId, name: &str, what: &[&str]) {
        match what {
            [] => self.say(id, "** show what?"),
            ["savedcount", whom @ ..] => {
                let whom = whom.first().copied().unwrap_or(name).to_owned();
                if !self.accounts.contains_key(&whom) {
                    return self.say(id, &format!("** There is no user called '{whom}'."));
                }
                let line = match self.saved_of(&whom).len() {
                    0 => format!("{whom} has no saved games."),
                    1 => format!("{whom} has 1 saved game."),
                    count => format!("{whom} has {count} saved games."),
                };
                self.say(id, &line);
            }
            ["games", ..] => {
                self.say(id, "List of games:");
                let running = self.matches.values().filter(|game| {
                    let [a, b] = &game.players;
                    self.playing(a).is_some_and(|key| key == super::server_state::pair(a, b))
                });
                let lines: Vec<String> = running
                    .map(|game| {
                        let ([a, b], [x, o]) = (&game.players, game.score);
                        let kind = game
                            .length
                            .map_or("unlimited".to_owned(), |n| format!("{n} point match"));
                        format!("{a:<15} - {b:>15} ({kind} {x}-{o})")
                    })
                    .collect();
                lines.iter().for_each(|line| self.say(id, line));
            }
            ["watchers", ..] => {
                let watching = |c: &super::server_state::ClientState| {
                    c.watching.as_ref().map(|whom| format!("{} is watching {whom}.", c.name))
                };
                let lines: Vec<String> = self.connections.values().filter_map(watching).collect();
                let none = if lines.is_empty() { " none." } else { "" };
                self.say(id, &format!("Watching players:{none}"));
                lines.iter().for_each(|line| self.say(id, line));
            }
            [what, ..] => {
                let what: String = what.chars().take(40).collect();
                self.say(id, &format!("** Don't know how to show {what}"));
            }
        }
    }
}
