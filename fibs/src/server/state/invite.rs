//! Invitations, joining, and saved matches.

use super::server_state::{ConnectionId, GameTable, Pair, ServerState, pair};
use crate::message::Toggle;
use crate::server::game::ServerMatch;
use crate::server::journal::JournalEntry;
use rand::RngCore;

impl ServerState {
    pub(super) fn saved_of(&self, name: &str) -> Vec<&ServerMatch> {
        self.matches.values().filter(|game| game.seat(name).is_some()).collect()
    }

    pub(super) fn playing(&self, name: &str) -> Option<Pair> {
        let c = self.connections.get(&self.online(name)?)?;
        c.opponent.as_ref().map(|opponent| pair(name, opponent))
    }

    pub(super) fn show_saved(&mut self, id: ConnectionId, name: &str) {
        let line = |game: &&ServerMatch| {
            let seat = game.seat(name)?;
            let opponent = &game.players[seat.other().index()];
            let stars = match self.online(opponent) {
                Some(_) if self.playing(name) == Some(pair(name, opponent)) => " *",
                Some(_) => "**",
                None => "  ",
            };
            let length = game.length.map_or("unlimited".to_owned(), |n| n.to_string());
            let [own, other] = [seat, seat.other()].map(|seat| game.score[seat.index()]);
            Some(format!(" {stars}{opponent:<20} {length:>12} {own:>10} - {other:>2}"))
        };
        let lines: Vec<String> = self.saved_of(name).iter().filter_map(line).collect();
        if lines.is_empty() {
            return self.say(id, "no saved games.");
        }
        self.say(id, "  opponent          matchlength   score (your points first)");
        lines.iter().for_each(|line| self.say(id, line));
    }

    pub(super) fn old_board(&mut self, id: ConnectionId, name: &str, with: &str) {
        let saved = self.matches.get(&pair(name, with));
        match saved.and_then(|game| Some(game.board(game.seat(name)?, "You"))) {
            Some(board) => self.send_board(id, &board),
            None => self.say(id, &format!("** There's no saved match with {with}.")),
        }
    }

    pub(super) fn old_moves(&mut self, id: ConnectionId, name: &str, with: &str) {
        let key = pair(name, with);
        let lines = match self.matches.get(&key) {
            Some(game) if !game.log.is_empty() => game.old_moves(),
            _ => self.finished.get(&key).cloned().unwrap_or_default(),
        };
        if lines.is_empty() {
            return self.say(id, &format!("** There's no saved match with {with}."));
        }
        lines.iter().for_each(|line| self.say(id, line));
    }

    pub(super) fn invite(
        &mut self,
        id: ConnectionId,
        name: &str,
        whom: &str,
        length: Option<Option<u32>>,
    ) {
        let saved = self.matches.get(&pair(name, whom));
        let experience = |name: &str| self.standing(name).map_or(0, |standing| standing.experience);
        let refuse = if whom == name {
            Some("** You can't invite yourself.".to_owned())
        } else if self.playing(name).is_some() {
            Some("** You are already playing.".to_owned())
        } else if self.online(whom).is_none() {
            Some(format!("** There is no one called {whom}"))
        } else if self.playing(whom).is_some() {
            Some(format!("** {whom} is already playing with someone else."))
        } else if !self.has_toggle(whom, Toggle::Ready) {
            Some(format!("** {whom} is refusing games."))
        } else if length.is_none() && saved.is_none() {
            Some(format!("** There's no saved match with {whom}. Please give a match length."))
        } else if length.flatten().is_some_and(|points| points > 9) && experience(name) <= 50 {
            Some("** You're not experienced enough to play a match of that length.".to_owned())
        } else {
            None
        };
        if let Some(why) = refuse {
            return self.say(id, &why);
        }
        if let Some(c) = self.connections.get_mut(&id) {
            c.invites = Some((whom.to_owned(), length));
        }
        let (ours, theirs) = match length {
            None => (
                format!("** You invited {whom} to resume a saved match."),
                format!("{name} wants to resume a saved match with you."),
            ),
            Some(None) => (
                format!("** You invited {whom} to an unlimited match."),
                format!("{name} wants to play an unlimited match with you."),
            ),
            Some(Some(n)) => (
                format!("** You invited {whom} to a {n} point match."),
                format!("{name} wants to play a {n} point match with you."),
            ),
        };
        let warning = saved.filter(|_| length.is_some()).map(|game| {
            let n = game.length.map_or("unlimited".to_owned(), |n| format!("{n} point"));
            format!("WARNING: Don't accept if you want to continue the saved {n} match!")
        });
        self.say(id, &ours);
        self.say_to(whom, &theirs);
        if let Some(warning) = warning {
            self.say_to(whom, &warning);
        }
        self.say_to(whom, &format!("Type 'join {name}' to accept."));
        self.say_if_away(id, whom);
    }

    pub(super) fn join(&mut self, id: ConnectionId, name: &str, whom: &str) {
        let Some(other) = self.online(whom) else {
            return self.say(id, &format!("** Error: can't find player {whom}"));
        };
        let invited = self.connections.get(&other).and_then(|c| c.invites.clone());
        if self.playing(name).is_some() {
            return self.say(id, "** You can't play two games at once");
        }
        if self.playing(whom).is_some() {
            return self
                .say(id, &format!("** Error: {whom} is already playing with someone else."));
        }
        let Some((_, length)) = invited.filter(|(invited, _)| invited == name) else {
            return self.say(id, &format!("** {whom} didn't invite you."));
        };
        let key = pair(name, whom);
        if length.is_none() && !self.matches.contains_key(&key) {
            return self.say(id, "** ERROR: Saved match is corrupt. Please start another one.");
        }
        for (id, opponent) in [(id, whom), (other, name)] {
            if let Some(c) = self.connections.get_mut(&id) {
                (c.opponent, c.invites, c.watching) = (Some(opponent.to_owned()), None, None);
            }
        }
        self.tables.insert(key.clone(), GameTable::default());
        self.broadcast_who_line(name);
        self.broadcast_who_line(whom);
        let Some(length) = length else { return self.resume_match(&key, id, name, other, whom) };
        let text = length.map_or("an unlimited".to_owned(), |n| format!("a {n} point"));
        self.say(id, &format!("** You are now playing {text} match with {whom}"));
        self.say(other, &format!("** Player {name} has joined you for {text} match."));
        self.report(&key, &format!("{whom} and {name} start {text} match."));
        let crawford =
            self.has_toggle(name, Toggle::Crawford) || self.has_toggle(whom, Toggle::Crawford);
        let players = if self.rng.next_u32() & 1 == 0 { [name, whom] } else { [whom, name] };
        let players = players.map(str::to_owned);
        let begin = JournalEntry::Begin { players, length, crawford };
        self.journal.push(begin.clone());
        self.restore(begin).expect("an entry that begins a match is always valid");
        self.new_game(&key);
    }

    pub(super) fn resume_match(
        &mut self,
        key: &Pair,
        id: ConnectionId,
        name: &str,
        other: ConnectionId,
        whom: &str,
    ) {
        self.say(id, &format!("You are now playing with {whom}. Your running match was loaded."));
        self.say(other, &format!("{name} has joined you. Your running match was loaded."));
        let Some(game) = self.matches.get(key).map(|game| game.state.clone()) else { return };
        let length = game.length.map_or("unlimited".to_owned(), |n| format!("{n}-point"));
        self.report(key, &format!("{whom} and {name} are resuming their {length} match."));
        for id in [id, other] {
            if let Some(seat) = game.on_roll() {
                self.say(id, &format!("turn: {}.", game.players[seat.index()]));
            }
            match game.length {
                Some(n) => self.say(id, &format!("match length: {n}")),
                None => self.say(id, "unlimited match"),
            }
            for (name, points) in game.players.iter().zip(game.score) {
                self.say(id, &format!("points for {name}: {points}"));
            }
        }
        if game.on_roll().is_none() {
            for id in [id, other] {
                self.say(
                    id,
                    "Type 'join' if you want to play the next game, type 'leave' if you don't.",
                );
            }
            return;
        }
        self.boards(key);
        if game.dice().is_none() && !game.is_doubled() {
            self.next_turn(key);
        }
    }
}
