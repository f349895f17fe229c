//! The course of a match: rolls, boards, the end of games and ratings.

use backgammon::{GameResult, Seat, candidates};

use super::server_state::{ClientState, GameTable, Pair, ServerState};
use crate::message::Toggle;
use crate::rating::{changes, upset};
use crate::server::game::MatchAction;
use crate::server::journal::JournalEntry;
use rand::RngCore;

impl ServerState {
    pub(super) fn roll_die(&mut self) -> u8 {
        loop {
            // 252 is the highest multiple of 6 below 256.
            let byte = self.rng.next_u32() as u8;
            if byte < 252 {
                return byte % 6 + 1;
            }
        }
    }

    pub(super) fn apply(
        &mut self,
        key: &Pair,
        action: MatchAction,
    ) -> Result<Option<GameResult>, ()> {
        let game = self.matches.get_mut(key).ok_or(())?;
        let result = game.apply(&action)?;
        self.journal.push(JournalEntry::Action { players: game.players.clone(), action });
        Ok(result)
    }

    pub(super) fn new_game(&mut self, key: &Pair) {
        let (mut x, mut o) = (self.roll_die(), self.roll_die());
        while x == o {
            (x, o) = (self.roll_die(), self.roll_die());
        }
        if self.apply(key, MatchAction::Open([x, o])).is_err() {
            return;
        }
        if let Some(table) = self.tables.get_mut(key) {
            *table = GameTable::default();
        }
        let Some(players) = self.matches.get(key).map(|game| game.players.clone()) else { return };
        for (seat, [own, other]) in Seat::BOTH.into_iter().zip([[x, o], [o, x]]) {
            let (me, they) = (&players[seat.index()], &players[seat.other().index()]);
            self.say_to(me, &format!("Starting a new game with {they}."));
            self.say_to(me, &format!("You rolled {own}, {they} rolled {other}"));
            let first = if own > other {
                "It's your turn to move.".to_owned()
            } else {
                format!("{they} makes the first move.")
            };
            self.say_to(me, &first);
            // As on the real server, a new game resets these toggles.
            for (toggle, on) in
                [(Toggle::Double, true), (Toggle::Greedy, false), (Toggle::Moves, false)]
            {
                if let Some(account) = self.accounts.get_mut(me) {
                    if on {
                        account.on.insert(toggle.name().to_owned());
                    } else {
                        account.on.remove(toggle.name());
                    }
                }
            }
        }
        let [first, second] = &players;
        self.say_to_watchers(key, &format!("{first} rolls {x}, {second} rolls {o}."));
        let begins = if x > o { first } else { second };
        self.say_to_watchers(key, &format!("{begins} makes the first move."));
        self.boards(key);
        self.after_roll(key);
    }

    pub(super) fn boards(&mut self, key: &Pair) {
        let Some(game) = self.matches.get(key).map(|game| game.state.clone()) else { return };
        for seat in Seat::BOTH {
            let name = &game.players[seat.index()];
            let playing = self.playing(name).as_ref() == Some(key);
            if playing
                && self.has_toggle(name, Toggle::Autoboard)
                && let Some(id) = self.online(name)
            {
                self.send_board(id, &game.board(seat, "You"));
            }
            for id in self.online_ids() {
                if self.connections.get(&id).is_some_and(|c| c.watching.as_ref() == Some(name)) {
                    self.send_board(id, &game.board(seat, name));
                }
            }
        }
    }

    /// Sends `own` to the player in `seat`, `other` to the opponent, and `watchers` to all who
    /// watch one of them.
    pub(super) fn say_all(&mut self, key: &Pair, seat: Seat, [own, other, watchers]: [&str; 3]) {
        let Some(players) = self.matches.get(key).map(|game| game.players.clone()) else { return };
        self.say_to(&players[seat.index()], own);
        self.say_to(&players[seat.other().index()], other);
        self.say_to_watchers(key, watchers);
    }

    /// Sends a line to all who watch one of the players of a match.
    pub(super) fn say_to_watchers(&mut self, key: &Pair, line: &str) {
        for id in self.online_ids() {
            let watches =
                |c: &ClientState| c.watching.as_ref().is_some_and(|w| *w == key.0 || *w == key.1);
            if self.connections.get(&id).is_some_and(watches) {
                self.say(id, line);
            }
        }
    }

    /// Informs all who asked for it (`toggle report`) about a match of other players.
    pub(super) fn report(&mut self, key: &Pair, line: &str) {
        for id in self.online_ids() {
            let Some(name) = self.connections.get(&id).map(|c| c.name.clone()) else { continue };
            if name != key.0 && name != key.1 && self.has_toggle(&name, Toggle::Report) {
                self.say(id, line);
            }
        }
    }

    /// Asks the player on roll to roll or double, or rolls for them.
    pub(super) fn next_turn(&mut self, key: &Pair) {
        let Some(game) = self.matches.get(key) else { return };
        let Some(seat) = game.on_roll() else { return };
        let name = game.players[seat.index()].clone();
        if game.may_double() && self.has_toggle(&name, Toggle::Double) {
            return self.say_to(&name, "It's your turn. Please roll or double");
        }
        self.automatic_roll(key);
    }

    pub(super) fn automatic_roll(&mut self, key: &Pair) {
        let chance = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        if chance < self.forgets {
            self.forgotten += 1;
        } else {
            self.roll(key);
        }
    }

    pub(super) fn roll(&mut self, key: &Pair) {
        let dice = [self.roll_die(), self.roll_die()];
        self.statistics.count_roll(dice);
        if self.apply(key, MatchAction::Roll(dice)).is_err() {
            return;
        }
        let Some(game) = self.matches.get(key) else { return };
        let Some(seat) = game.on_roll() else { return };
        let name = game.players[seat.index()].clone();
        let [a, b] = dice;
        let rolls = format!("{name} rolls {a} and {b}.");
        self.say_all(key, seat, [&format!("You roll {a} and {b}."), &rolls, &rolls]);
        self.boards(key);
        self.after_roll(key);
    }

    pub(super) fn after_roll(&mut self, key: &Pair) {
        let Some(game) = self.matches.get(key) else { return };
        let (Some(seat), Some(dice)) = (game.on_roll(), game.now.dice()) else { return };
        let name = game.players[seat.index()].clone();
        let before = game.now.position;
        let plays = candidates(&before, dice);
        let steps = before.steps_to(dice, &plays[0].after).unwrap_or_default();
        if steps.is_empty() {
            if self.apply(key, MatchAction::Move(Vec::new())).is_ok() {
                let dances = format!("{name} can't move.");
                self.say_all(key, seat, ["You can't move.", &dances, &dances]);
                self.next_turn(key);
            }
        } else if plays.len() == 1 && self.has_toggle(&name, Toggle::Automove) {
            let steps: Vec<(u8, u8)> = steps.iter().map(|step| (step.from, step.to)).collect();
            let words = self.step_words(key, seat, &steps);
            self.say_to(&name, &format!("The only possible move is {words} ."));
            self.make_move(key, seat, steps);
        } else {
            let n = steps.len();
            self.say_to(&name, &format!("Please move {n} pieces."));
        }
    }

    pub(super) fn step_words(&self, key: &Pair, seat: Seat, steps: &[(u8, u8)]) -> String {
        let Some(game) = self.matches.get(key) else { return String::new() };
        game.board(seat, "You").write_moves(steps.iter().copied())
    }

    pub(super) fn make_move(&mut self, key: &Pair, seat: Seat, steps: Vec<(u8, u8)>) {
        let words = self.step_words(key, seat, &steps);
        let Ok(result) = self.apply(key, MatchAction::Move(steps)) else { return };
        let Some(name) = self.matches.get(key).map(|game| game.players[seat.index()].clone())
        else {
            return;
        };
        let text = format!("{name} moves {words} .");
        let other = self.matches.get(key).map(|game| game.players[seat.other().index()].clone());
        self.say_to(&other.unwrap_or_default(), &text);
        self.say_to_watchers(key, &text);
        match result {
            Some(result) => {
                let (s, n) = (if result.points == 1 { "" } else { "s" }, result.points);
                let own = format!("You win the game and get {n} point{s}. Congratulations!");
                let watchers = format!("{name} wins the game and gets {n} point{s}.");
                self.say_all(key, seat, [&own, &format!("{watchers} Sorry."), &watchers]);
                self.game_over(key, result.winner);
            }
            None => {
                self.boards(key);
                self.next_turn(key);
            }
        }
    }

    pub(super) fn game_over(&mut self, key: &Pair, winner: Seat) {
        let Some(game) = self.matches.get(key).map(|game| game.state.clone()) else { return };
        if let Some(table) = self.tables.get_mut(key) {
            *table = GameTable::default();
        }
        let [winner_name, loser_name] =
            [winner, winner.other()].map(|seat| game.players[seat.index()].clone());
        let score = [winner, winner.other()].map(|seat| game.score[seat.index()]);
        if game.winner().is_none() {
            let length = game.length.map_or("unlimited".to_owned(), |n| format!("{n} point"));
            for (seat, opponent) in Seat::BOTH.map(|seat| (seat.index(), seat.other().index())) {
                let (me, they) = (&game.players[seat], &game.players[opponent]);
                let (own, other) = (game.score[seat], game.score[opponent]);
                self.say_to(me, &format!("score in {length} match: {me}-{own} {they}-{other}"));
                self.say_to(
                    me,
                    "Type 'join' if you want to play the next game, type 'leave' if you don't.",
                );
            }
            let [w, l] = score;
            let line = format!("score in {length} match: {winner_name}-{w} {loser_name}-{l}");
            self.say_to_watchers(key, &line);
            return;
        }
        let Some(length) = game.length else { return };
        self.rate(&winner_name, &loser_name, length);
        let [w, l] = score;
        self.say_to(&winner_name, &format!("You win the {length} point match {w}-{l} ."));
        let wins = format!("{winner_name} wins the {length} point match {w}-{l} .");
        self.say_to(&loser_name, &wins);
        self.say_to_watchers(key, &wins);
        let line =
            format!("{winner_name} wins a {length} point match against {loser_name}  {w}-{l} .");
        self.report(key, &line);
        if let Some(mut game) = self.matches.remove(key) {
            self.finished.insert(key.clone(), std::mem::take(&mut game.log));
        }
        self.tables.remove(key);
        self.log
            .push(format!("{winner_name} beats {loser_name} {w}-{l} in a {length} point match"));
        for name in [&winner_name, &loser_name] {
            if let Some(c) = self.online(name).and_then(|id| self.connections.get_mut(&id)) {
                c.opponent = None;
            }
        }
        self.broadcast_who_line(&winner_name);
        self.broadcast_who_line(&loser_name);
    }

    pub(super) fn rate(&mut self, winner: &str, loser: &str, length: u32) {
        let (Some(w), Some(l)) = (self.standing(winner), self.standing(loser)) else { return };
        let (won, lost) = changes(w, l, length);
        let difference = (w.rating - l.rating).abs();
        let pu = upset(difference, length);
        let p = won / w.factor() / 4.0 / f64::from(length).sqrt();
        for name in [winner, loser] {
            if !self.has_toggle(name, Toggle::Ratings) {
                continue;
            }
            let lines = [
                "rating calculation:".to_owned(),
                format!("rating difference D={difference:.6}"),
                format!("match length      N={length}"),
                format!("Experience: {winner} {} - {loser} {}", w.experience, l.experience),
                format!("Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)={pu:.6}"),
                format!("P={p:.6} is 1-Pu if underdog wins and Pu if favorite wins"),
                format!("K=max(1 , -Experience/100+5) for {winner}: {:.6}", w.factor()),
                format!("change for {winner}: 4*K*sqrt(N)*P={won:.6}"),
                format!("K=max(1 , -Experience/100+5) for {loser}: {:.6}", l.factor()),
                format!("change for {loser}: -4*K*sqrt(N)*P={lost:.6}"),
            ];
            lines.iter().for_each(|line| self.say_to(name, line));
        }
        for (name, standing, change) in [(winner, w, won), (loser, l, lost)] {
            if let Some(account) = self.accounts.get_mut(name) {
                account.standing = standing.after(change, length);
                self.journal.push(JournalEntry::Account(name.to_owned(), account.clone()));
            }
        }
    }
}
