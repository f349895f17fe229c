//! The course of games and matches: turns, rolls, offers and results.

use std::time::Duration;

use backgammon::{Dice, candidates};
use rand::Rng;

use super::game::{Game, Offer, Table};
use super::server::{BOB, LENGTH, ME, Model};

impl Model {
    pub(super) fn begin(&mut self, resume: bool, now: Duration) {
        if !resume {
            self.overwritten |= self.saved.is_some();
            self.saved = None;
            self.table = Some(Table::new());
        } else {
            self.table = self.saved.take();
        }
        self.invitation = None;
        if self.habits.who_line_first {
            self.who(now, ME);
            self.who(now, BOB);
        }
        if resume {
            let wordings = [
                "bob has joined you. Your running match was loaded.",
                "You are now playing with bob. Your running match was loaded.",
            ];
            self.say(now, "now playing", &wordings, &[]);
            self.say(now, "resumed", &["match length: 3"], &[]);
        } else {
            let wordings = [
                "** You are now playing a 3 point match with bob",
                "** Player bob has joined you for a 3 point match.",
                "** bob has joined you for a 3 point match.",
            ];
            self.say(now, "now playing", &wordings, &[]);
        }
        if !self.habits.who_line_first {
            self.who(now, ME);
            self.who(now, BOB);
        }
        self.progress_at = now;
        if resume {
            self.board(now);
            match self.table.as_ref().and_then(|table| table.game.own_turn) {
                None => self.between_games(now),
                Some(own) => self.next_turn(own, now),
            }
        } else {
            self.new_game(now);
        }
    }

    fn new_game(&mut self, now: Duration) {
        let (own, bob) = loop {
            let pair = (self.rng.random_range(1..7u8), self.rng.random_range(1..7u8));
            if pair.0 != pair.1 {
                break pair;
            }
        };
        let Some(table) = &mut self.table else { return };
        table.game = Game::new();
        table.game.own_turn = Some(own > bob);
        table.game.dice = Dice::new(own, bob);
        self.progress_at = now;
        self.say(now, "new game", &["Starting a new game with bob."], &[]);
        let (a, b) = (own.to_string(), bob.to_string());
        let wordings = ["You rolled {}, bob rolled {}", "You rolled {}, bob rolled {}."];
        self.say(now, "opening", &wordings, &[&a, &b]);
        if own > bob {
            self.say(now, "your turn", &["It's your turn to move."], &[]);
        } else {
            self.say(now, "your turn", &["bob makes the first move."], &[]);
            self.bob_acts = Some(now + self.bob_thinks());
        }
        self.board(now);
    }

    /// A player's turn begins before the roll.
    fn next_turn(&mut self, own: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        (game.own_turn, game.dice) = (Some(own), None);
        game.turns += 1;
        let (turns, free) = (game.turns, game.offer == Offer::None);
        self.progress_at = now;
        if !free {
            return;
        }
        if !own {
            if self.habits.bob_stalls_at == Some(turns) {
                return;
            }
            if self.habits.bob_drops_at.is_some_and(|at| turns >= at) {
                self.habits.bob_drops_at = None;
                return self.bob_drops(now);
            }
            self.bob_acts = Some(now + self.bob_thinks());
            return;
        }
        let may_double = self.may_double(true);
        if may_double && self.habits.asks_to_double {
            let wordings =
                ["It's your turn. Please roll or double", "It's your turn to roll or double."];
            self.say(now, "please roll", &wordings, &[]);
            if self.habits.board_after_move {
                self.board(now);
            }
        } else {
            self.roll(true, now);
        }
    }

    pub(super) fn may_double(&self, own: bool) -> bool {
        let Some(table) = &self.table else { return false };
        let one_away = table.score.iter().filter(|score| **score + 1 == LENGTH).count();
        let crawford = one_away == 1 && !table.crawford_played;
        !crawford && table.game.owner.is_none_or(|owner| owner == own) && table.game.cube < 64
    }

    pub(super) fn roll(&mut self, own: bool, now: Duration) {
        let pair = (self.rng.random_range(1..7u8), self.rng.random_range(1..7u8));
        let Some(table) = &mut self.table else { return };
        let dice = Dice::new(pair.0, pair.1).expect("a roll");
        table.game.dice = Some(dice);
        self.progress_at = now;
        let position = table.game.position;
        let position = if own { position } else { position.flipped() };
        let plays = candidates(&position, dice);
        let stuck = plays[0].play.moves().is_empty();
        let (a, b) = (pair.0.to_string(), pair.1.to_string());
        if own {
            self.say(now, "you roll", &["You roll {} and {}."], &[&a, &b]);
        } else {
            let wordings = ["bob rolls {} and {}.", "bob rolled {} and {}."];
            self.say(now, "bob rolls", &wordings, &[&a, &b]);
        }
        if self.habits.board_after_roll {
            self.board(now);
        }
        if stuck {
            let kind = if own { "cannot move" } else { "bob cannot move" };
            self.say(now, kind, &[if own { "You can't move." } else { "bob can't move." }], &[]);
            return self.next_turn(!own, now);
        }
        if own {
            self.say(now, "please move", &["Please move 2 pieces."], &[]);
        } else {
            self.bob_acts = Some(now + self.bob_thinks());
        }
    }

    /// A player has moved.
    pub(super) fn moved(&mut self, own: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        (game.own_turn, game.dice) = (Some(!own), None);
        self.progress_at = now;
        let over =
            if own { game.position.own_left() == 0 } else { game.position.opponent_left() == 0 };
        if over {
            let (loser, cube) =
                if own { (game.position.flipped(), game.cube) } else { (game.position, game.cube) };
            let stake = match fibs::agent::stake_if_won_now(&loser.flipped()) {
                backgammon::Stake::Single => 1,
                backgammon::Stake::Gammon => 2,
                backgammon::Stake::Backgammon => 3,
            };
            return self.game_over(own, stake * cube, true, now);
        }
        if self.habits.board_after_move && (own || self.habits.board_to_opponent_of_mover) {
            self.board(now);
        }
        self.next_turn(!own, now);
    }

    fn game_over(&mut self, own: bool, points: u32, played: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let one_away = table.score.iter().filter(|score| **score + 1 == LENGTH).count();
        table.crawford_played |= one_away == 1;
        table.score[usize::from(!own)] += points;
        table.game.own_turn = None;
        table.game.dice = None;
        table.game.offer = Offer::None;
        table.game.joined = [false; 2];
        let score = table.score;
        self.progress_at = now;
        self.bob_acts = None;
        let text = points.to_string();
        if played && own {
            let wordings = [
                "You win the game and get {} point. Congratulations!",
                "You win the game and get {} points. Congratulation!",
            ];
            self.say(now, "win game", &wordings, &[&text]);
        } else if played {
            self.say(now, "win game", &["bob wins the game and gets {} points. Sorry."], &[&text]);
        }
        let [mine, bobs] = score.map(|points| points.to_string());
        if score.iter().any(|points| *points >= LENGTH) {
            self.over = true;
            self.table = None;
            let wordings =
                ["You win the 3 point match {}-{} .", "You win the 3 point match {}-{}."];
            if own {
                self.say(now, "win match", &wordings, &[&mine, &bobs]);
            } else {
                let wordings = ["bob wins the 3 point match {}-{} ."];
                self.say(now, "win match", &wordings, &[&bobs, &mine]);
            }
            self.who(now, ME);
            self.who(now, BOB);
            return;
        }
        self.say(now, "score", &["score in 3 point match: me-{} bob-{}"], &[&mine, &bobs]);
        self.board(now);
        self.between_games(now);
    }

    fn between_games(&mut self, now: Duration) {
        let text = "Type 'join' if you want to play the next game, type 'leave' if you don't.";
        self.say(now, "type join next", &["{}"], &[text]);
        if let Some(table) = &mut self.table {
            table.game.own_turn = None;
        }
        self.bob_acts = Some(now + self.bob_thinks());
    }

    pub(super) fn join_next(&mut self, own: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        if table.game.own_turn.is_some() {
            return if own {
                self.refuse("** You are already playing.", now)
            };
        }
        table.game.joined[usize::from(!own)] = true;
        if table.game.joined == [true; 2] {
            return self.new_game(now);
        }
        if own && self.habits.joins_need_an_answer {
            let wordings =
                ["** Please wait for bob to join too.", "** Please wait for me to join too."];
            self.say(now, "wait for join", &wordings, &[]);
        }
    }

    pub(super) fn offer(&mut self, offer: Offer, now: Duration) {
        if let Some(table) = &mut self.table {
            table.game.offer = offer;
        }
        self.progress_at = now;
    }

    pub(super) fn resign(&mut self, own: bool, stake: u32, now: Duration) {
        let Some(table) = &self.table else { return };
        if table.game.own_turn.is_none() || table.game.offer != Offer::None {
            return if own {
                self.refuse("** You already did that.", now)
            };
        }
        let points = stake * table.game.cube;
        self.offer(Offer::Resignation { own, points }, now);
        let text = points.to_string();
        if own {
            self.say(now, "we resign", &["You want to resign. bob will win {} points."], &[&text]);
            self.bob_acts = Some(now + self.bob_thinks());
        } else {
            let wordings =
                ["bob wants to resign. You will win {} points. Type 'accept' or 'reject'."];
            self.say(now, "resigns", &wordings, &[&text]);
            self.bob_acts = None;
        }
    }

    /// The client, or bob, answers an offer.
    pub(super) fn answer(&mut self, own: bool, accepts: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        match game.offer {
            Offer::Double { own: by } if by != own => {
                game.offer = Offer::None;
                self.progress_at = now;
                if !accepts {
                    let cube = self.table.as_ref().map_or(1, |table| table.game.cube);
                    let text = cube.to_string();
                    if own {
                        self.say(now, "drop", &["You give up. bob wins {} point."], &[&text]);
                    } else {
                        self.say(now, "drop", &["bob gives up. You win {} point."], &[&text]);
                    }
                    return self.game_over(by, cube, false, now);
                }
                game.cube *= 2;
                game.owner = Some(own);
                let text = game.cube.to_string();
                if own {
                    let wordings = ["You accept the double. The cube shows {}."];
                    self.say(now, "taken", &wordings, &[&text]);
                } else {
                    let wordings = ["bob accepts the double. The cube shows {}."];
                    self.say(now, "taken", &wordings, &[&text]);
                }
                self.roll(by, now);
            }
            Offer::Resignation { own: by, points } if by != own => {
                game.offer = Offer::None;
                self.progress_at = now;
                let text = points.to_string();
                match (own, accepts) {
                    (true, true) => {
                        self.say(now, "accept", &["You accept and win {} points."], &[&text])
                    }
                    (false, true) => {
                        self.say(now, "accept", &["bob accepts and wins {} points."], &[&text])
                    }
                    (true, false) => {
                        self.say(now, "reject", &["You reject. The game continues."], &[])
                    }
                    (false, false) => {
                        self.say(now, "reject", &["bob rejects. The game continues."], &[])
                    }
                }
                if accepts {
                    return self.game_over(!by, points, false, now);
                }
                if self.table.as_ref().is_some_and(|table| table.game.own_turn == Some(false)) {
                    self.bob_acts = Some(now + self.bob_thinks());
                }
            }
            _ if own => self.refuse("** bob didn't double or resign.", now),
            _ => {}
        }
    }
}
