//! The commands of a match.

use backgammon::{Dice, GameState, Next, Seat};
use rand::Rng;

use super::{ClientId, Server, events};
use crate::board::is_double_allowed;

/// The number of a point as a player writes it.
fn point(text: &str) -> Option<u8> {
    match text {
        "bar" | "b" | "26" => Some(25),
        "off" | "o" => Some(0),
        _ => text.parse().ok().filter(|point| *point <= 24),
    }
}

impl Server {
    pub(super) fn play(&mut self, id: ClientId, keyword: &str, words: &[&str]) {
        let Some((at, seat)) = self.table_of(id) else {
            return self.refuse_play(id, keyword, "You are not currently in a match.");
        };
        let table = &self.tables[at];
        if matches!(keyword, "b" | "board") {
            return self.board(at, seat, false);
        }
        if table.winner.is_some() {
            return;
        }
        if table.clients[seat.other().index()].is_none() {
            let why = "You must wait until your opponent rejoins the match.";
            return self.refuse_play(id, keyword, why);
        }
        match keyword {
            "r" | "roll" => self.roll(at, seat, id),
            "m" | "mv" | "move" => self.move_checkers(at, seat, words, id),
            "reset" => self.take_back(at, seat, id),
            "k" | "ok" => self.confirm(at, seat, id),
            "resign" => self.resign(at, seat, id),
            _ => self.double(at, seat, id),
        }
    }

    fn refuse_play(&mut self, id: ClientId, keyword: &str, why: &str) {
        match keyword {
            "r" | "roll" => self.fail(id, "failedroll", why),
            "m" | "mv" | "move" => self.fail(id, "failedmove", why),
            _ => self.notice(id, why),
        }
    }

    fn die(&mut self) -> u8 {
        self.rng.random_range(1..=6)
    }

    fn roll(&mut self, at: usize, seat: Seat, id: ClientId) {
        let table = &self.tables[at];
        if !table.opening {
            return match table.game.next() {
                Next::Roll(player) if player == seat => self.roll_turn(at),
                _ => self.fail(id, "failedroll", "It is not your turn to roll."),
            };
        }
        if table.die[seat.index()] != 0 {
            return self.fail(id, "failedroll", "It is not your turn to roll.");
        }
        let die = self.die();
        self.tables[at].die[seat.index()] = die;
        self.tables[at].begun = true;
        self.tell_opening(at, seat);
        // Equal dice are rolled again.
        while self.tables[at].die[0] == self.tables[at].die[1] {
            self.tables[at].die = [self.die(), self.die()];
            self.tell_opening(at, seat);
        }
        let table = &mut self.tables[at];
        let [x, o] = table.die;
        let Some(dice) = Dice::new(x, o) else { return };
        let first = if x > o { Seat::X } else { Seat::O };
        table.game = table.game.opened(first, dice).expect("different dice of a new game");
        table.opening = false;
        self.boards(at, false);
    }

    fn tell_opening(&mut self, at: usize, roller: Seat) {
        let (name, die) = (self.tables[at].names[roller.index()].clone(), self.tables[at].die);
        let seen = |viewer: Seat| if viewer == Seat::X { die } else { [die[1], die[0]] };
        self.tell(at, |viewer| events::rolled(&name, seen(viewer)));
    }

    /// The player on roll rolls. A forced play is made for a player who wants that.
    fn roll_turn(&mut self, at: usize) {
        let rolls = [self.die(), self.die()];
        let Some(dice) = Dice::new(rolls[0], rolls[1]) else { return };
        let table = &mut self.tables[at];
        let (seat, position) = (table.game.state.on_roll, table.game.position);
        table.game = table.game.clone().with_dice(dice);
        let name = table.names[seat.index()].clone();
        let plays = table.game.legal_plays();
        let client = table.clients[seat.index()];
        self.tell(at, |_| events::rolled(&name, rolls));
        let autoplay = client.and_then(|id| self.clients.get(&id)).is_some_and(|c| c.autoplay);
        let forced = (plays.len() == 1 && autoplay)
            .then(|| position.steps_to(dice, &plays[0].after))
            .flatten()
            .filter(|steps| !steps.is_empty());
        let Some(steps) = forced else { return self.boards(at, false) };
        self.boards(at, true);
        for step in steps {
            let step = (step.from, step.to);
            self.tables[at].moves.push(step);
            self.tell(at, |viewer| events::moved(&name, &[step], viewer == seat));
        }
        if self.is_won(at) { self.win(at) } else { self.end_turn(at) }
    }

    fn move_checkers(&mut self, at: usize, seat: Seat, words: &[&str], id: ClientId) {
        let table = &self.tables[at];
        let Next::Play(player, dice) = table.game.next() else {
            return self.fail(id, "failedmove", "You must roll first.");
        };
        if player != seat {
            return self.fail(id, "failedmove", "It is not your turn to move.");
        }
        let step = |word: &&str| {
            let (from, to) = word.split_once('/')?;
            Some((point(from)?, point(to)?))
        };
        let new: Option<Vec<(u8, u8)>> = words.iter().map(step).collect();
        let Some(new) = new.filter(|new| !new.is_empty() && new.len() <= 4) else {
            return self.fail(id, "failedmove", "Specify one or more moves as 8/4 6/4.");
        };
        let all = [table.moves.clone(), new.clone()].concat();
        if table.game.position.after_steps(dice, &all).is_none() {
            return self.fail(id, "failedmove", "Illegal move.");
        }
        let name = table.names[seat.index()].clone();
        self.tables[at].moves = all;
        let won = self.is_won(at);
        self.tables[at].winner = won.then_some(seat);
        self.tell(at, |viewer| events::moved(&name, &new, viewer == seat));
        self.boards(at, false);
        if won {
            self.win(at);
        }
    }

    fn is_won(&self, at: usize) -> bool {
        let table = &self.tables[at];
        table.seen_by(table.game.state.on_roll).own_left() == 0
    }

    /// The game after the moves of this turn, if they are a whole play.
    fn moved(&self, at: usize) -> Option<GameState> {
        let table = &self.tables[at];
        let after = table.game.position.after_steps(table.game.dice()?, &table.moves)?;
        table.game.play(&after).ok()
    }

    fn take_back(&mut self, at: usize, seat: Seat, id: ClientId) {
        let table = &mut self.tables[at];
        if table.opening || table.game.state.on_roll != seat {
            return self.notice(id, "It is not your turn.");
        }
        let back: Vec<(u8, u8)> = table.moves.drain(..).rev().map(|(a, b)| (b, a)).collect();
        if !back.is_empty() {
            let name = table.names[seat.index()].clone();
            self.tell(at, |viewer| events::moved(&name, &back, viewer == seat));
            self.boards(at, false);
        }
    }

    fn confirm(&mut self, at: usize, seat: Seat, id: ClientId) {
        let table = &mut self.tables[at];
        match table.game.next() {
            Next::Answer(player) if player == seat => {
                table.game = table.game.take().expect("a double was offered");
                self.notice(id, "Accepted double.");
                self.boards(at, false);
            }
            Next::Answer(_) => self.notice(id, "Waiting for response from opponent."),
            Next::Play(player, _) if player == seat => match self.moved(at) {
                Some(_) => self.end_turn(at),
                None => self.fail(id, "failedok", "Legal moves are available."),
            },
            Next::Roll(player) if player == seat => self.notice(id, "You must roll first."),
            _ => self.notice(id, "It is not your turn."),
        }
    }

    /// The next player is on roll; the server rolls if no double is possible.
    fn end_turn(&mut self, at: usize) {
        let Some(game) = self.moved(at) else { return };
        let table = &mut self.tables[at];
        table.game = game;
        table.moves.clear();
        if self.may_double(at) { self.boards(at, false) } else { self.roll_turn(at) }
    }

    fn may_double(&self, at: usize) -> bool {
        is_double_allowed(&self.tables[at].game)
    }

    fn double(&mut self, at: usize, seat: Seat, id: ClientId) {
        let game = &self.tables[at].game;
        if game.next() != Next::Roll(seat) || !self.may_double(at) {
            return self.notice(id, "You may not double at this time.");
        }
        self.tables[at].game = game.double().expect("checked");
        let name = self.tables[at].names[seat.index()].clone();
        self.tell(at, |_| events::notice(&format!("{name} offers a double.")));
        self.boards(at, false);
    }

    fn resign(&mut self, at: usize, seat: Seat, id: ClientId) {
        let table = &self.tables[at];
        let ended = match table.game.next() {
            Next::Answer(player) if player == seat => table.game.pass(),
            Next::Roll(player) | Next::Play(player, _) if player == seat => {
                table.game.resign(seat, table.resignation(seat))
            }
            _ => return self.notice(id, "You may not resign until it is your turn."),
        };
        if let Ok(ended) = ended {
            self.finish(at, &ended, true);
        }
    }

    fn win(&mut self, at: usize) {
        if let Some(ended) = self.moved(at) {
            self.finish(at, &ended, false);
        }
    }

    /// Counts the points; the next game begins, or the match is over.
    fn finish(&mut self, at: usize, ended: &GameState, resigned: bool) {
        let Some(result) = ended.result() else { return };
        let table = &mut self.tables[at];
        table.winner = Some(result.winner);
        table.points[result.winner.index()] += result.points;
        let names = table.names.clone();
        let loser = names[result.winner.other().index()].as_str();
        match ended.next_game() {
            Some(next) => table.next_game(next),
            None => self.finished += 1,
        }
        let winner = &names[result.winner.index()];
        let line = events::win(winner, resigned.then_some(loser), result.points);
        self.tell(at, |_| line.clone());
        self.boards(at, false);
    }
}
