//! The commands of players in a match, such as `roll`, `move` and `double`.

use backgammon::{Seat, Side, Stake};

use super::server_state::{ConnectionId, Pair, ServerState, pair};
use crate::server::game::{MatchAction, MatchState};

impl ServerState {
    pub(super) fn game_command(&mut self, id: ConnectionId, name: &str, words: &[&str]) {
        let Some(key) = self.playing(name) else {
            let text = match words {
                ["leave", ..] => "** Error: No one to leave.",
                ["join", ..] => "** Error: Join who?",
                ["resign", ..] => "** You're not playing, so you can't give up.",
                _ => "** You're not playing.",
            };
            return self.say(id, text);
        };
        let Some((game, seat)) =
            self.matches.get(&key).and_then(|g| Some((g.state.clone(), g.seat(name)?)))
        else {
            return self.say(id, "** You're not playing.");
        };
        let other = game.players[seat.other().index()].clone();
        let resigns = self.tables.get(&key).and_then(|table| table.resigns);
        let ours = game.on_roll() == Some(seat);
        match words {
            ["board" | "redraw"] => return self.send_board(id, &game.board(seat, "You")),
            ["redouble"] => return self.say(id, "** This server has no redoubles."),
            ["leave"] => return self.leave(id, name, &other),
            ["join"] if game.on_roll().is_none() => return self.join_next(&key, id, seat, &other),
            ["join", ..] => return self.say(id, "** You are already playing."),
            _ => {}
        }
        match (resigns, words) {
            (Some((by, stake)), ["accept"]) if by != seat => {
                return self.accept_resignation(&key, seat, by, stake);
            }
            (Some((by, _)), ["reject"]) if by != seat => {
                if let Some(table) = self.tables.get_mut(&key) {
                    table.resigns = None;
                }
                let rejects = format!("{name} rejects. The game continues.");
                let lines = ["You reject. The game continues.", &rejects, &rejects];
                return self.say_all(&key, seat, lines);
            }
            (Some((by, _)), _) => {
                let text = if by == seat {
                    format!("** {other} hasn't accepted or rejected your resign yet.")
                } else {
                    format!("** {other} wanted to resign. Type 'accept' or 'reject'.")
                };
                return self.say(id, &text);
            }
            (None, _) => {}
        }
        match words {
            ["resign", kind] if game.on_roll().is_some() => {
                let stake = match kind.chars().next() {
                    Some('n') => Stake::Single,
                    Some('g') => Stake::Gammon,
                    Some('b') => Stake::Backgammon,
                    _ => return self.say(id, "** Usage: resign n|g|b"),
                };
                if let Some(table) = self.tables.get_mut(&key) {
                    table.resigns = Some((seat, stake));
                }
                let points = stake.points() * game.now.state.cube.value();
                let s = if points == 1 { "" } else { "s" };
                let own = format!("You want to resign. {other} will win {points} point{s}.");
                let theirs = format!(
                    "{name} wants to resign. You will win {points} point{s}. Type 'accept' or 'reject'."
                );
                let watchers =
                    format!("{name} wants to resign. {other} will win {points} point{s}.");
                self.say_all(&key, seat, [&own, &theirs, &watchers]);
            }
            ["accept"] if game.is_doubled() && !ours => {
                if self.apply(&key, MatchAction::Take).is_ok() {
                    let cube = game.now.state.cube.value() * 2;
                    let own = format!("You accept the double. The cube shows {cube}.");
                    let theirs = format!("{name} accepts the double. The cube shows {cube}.");
                    let watchers = format!("{name} accepts the double.");
                    self.say_all(&key, seat, [&own, &theirs, &watchers]);
                    self.automatic_roll(&key);
                }
            }
            ["reject"] if game.is_doubled() && !ours => {
                if let Ok(Some(result)) = self.apply(&key, MatchAction::Drop) {
                    let (n, s) = (result.points, if result.points == 1 { "" } else { "s" });
                    let own = format!("You give up. {other} wins {n} point{s}.");
                    let theirs = format!("{name} gives up. You win {n} point{s}.");
                    let watchers = format!("{name} gives up. {other} wins {n} point{s}.");
                    self.say_all(&key, seat, [&own, &theirs, &watchers]);
                    self.game_over(&key, result.winner);
                }
            }
            ["accept" | "reject"] => self.say(id, &format!("** {other} didn't double or resign.")),
            _ if game.is_doubled() && ours => {
                self.say(id, &format!("** {other} hasn't responded to your double yet."))
            }
            _ if game.is_doubled() => {
                self.say(id, &format!("** {other} doubled. Type 'accept' or 'reject'."))
            }
            _ if !ours => self.say(id, "** It's not your turn to move."),
            ["roll"] if game.dice().is_some() => self.say(id, "** You did already roll the dice."),
            ["roll"] => self.roll(&key),
            ["double"] if game.dice().is_some() => {
                self.say(id, "** You can only double before you roll the dice.")
            }
            ["double"] if !game.now.state.scoring.may_use_cube() => {
                self.say(id, "** The Crawford rule doesn't allow you to double.")
            }
            ["double"] => {
                if self.apply(&key, MatchAction::Double).is_err() {
                    return self.say(id, "** You can't double.");
                }
                let own = format!("You double. Please wait for {other} to accept or reject.");
                let watchers = format!("{name} doubles.");
                let theirs = format!("{watchers} Type 'accept' or 'reject'.");
                self.say_all(&key, seat, [&own, &theirs, &watchers]);
                self.boards(&key);
            }
            ["move", ..] if game.dice().is_none() => {
                self.say(id, "** You have to roll the dice before moving.")
            }
            ["move", steps @ ..] => self.try_move(&key, id, seat, &game, steps),
            _ => self.say(id, "** You can't do that now."),
        }
    }

    pub(super) fn try_move(
        &mut self,
        key: &Pair,
        id: ConnectionId,
        seat: Seat,
        game: &MatchState,
        words: &[&str],
    ) {
        if game.dice().is_none() {
            return;
        }
        let board = game.board(seat, "You");
        let Some(steps) = board.read_moves(&words.join(" "), Side::Own) else {
            return self
                .say(id, "** first move: legal words are 'bar', 'home', 'off', 'b', 'o' and 'h'.");
        };
        let wanted = game.dice_to_play();
        if steps.len() < wanted {
            return self.say(id, &format!("** You must give {wanted} moves."));
        }
        if steps.len() > wanted {
            return self.say(id, &format!("** Please don't give more than {wanted} moves."));
        }
        if game.clone().apply(&MatchAction::Move(steps.clone())).is_err() {
            let from = words.first().and_then(|word| word.split('-').next()).unwrap_or("");
            return self.say(id, &format!("** You can't move from {from} in your first move."));
        }
        self.make_move(key, seat, steps);
    }

    pub(super) fn accept_resignation(&mut self, key: &Pair, seat: Seat, by: Seat, stake: Stake) {
        let points = u8::try_from(stake.points()).unwrap_or(1);
        let Ok(Some(result)) = self.apply(key, MatchAction::GiveUp(by, points)) else { return };
        let Some(name) = self.matches.get(key).map(|game| game.players[seat.index()].clone())
        else {
            return;
        };
        let (n, s) = (result.points, if result.points == 1 { "" } else { "s" });
        let accepts = format!("{name} accepts and wins {n} point{s}.");
        self.say_all(key, seat, [&format!("You accept and win {n} point{s}."), &accepts, &accepts]);
        self.game_over(key, result.winner);
    }

    pub(super) fn join_next(&mut self, key: &Pair, id: ConnectionId, seat: Seat, other: &str) {
        let Some(table) = self.tables.get_mut(key) else { return };
        table.joined[seat.index()] = true;
        if table.joined == [true, true] {
            self.new_game(key);
        } else {
            self.say(id, &format!("** Please wait for {other} to join too."));
        }
    }

    pub(super) fn leave(&mut self, id: ConnectionId, name: &str, other: &str) {
        if let Some(c) = self.connections.get_mut(&id) {
            c.opponent = None;
        }
        self.tables.remove(&pair(name, other));
        self.say(id, "** You terminated the game. The game was saved.");
        self.broadcast_who_line(name);
        self.end_play(other, &format!("** Player {name} has left the game. The game was saved."));
    }
}
