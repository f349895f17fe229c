//! A match as a server keeps it: everything follows from its actions, and an illegal one is refused.

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::rules::{Checkers, Dice, Stake, Step};

/// One of the two players of a match: X, who moves from 1 to 24, or O.
pub(super) type Seat = usize;

/// What can happen in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Action {
    /// Both threw one die: X's, then O's.
    Open([u8; 2]),
    Roll([u8; 2]),
    /// Steps (from, to) in own points; none for a roll that cannot be played.
    Move(Vec<(u8, u8)>),
    Double,
    Take,
    Drop,
    /// A resignation that was accepted: who gave up, and how many points on a 1-cube.
    GiveUp(Seat, u8),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameResult {
    pub(super) winner: Seat,
    pub(super) points: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) players: [String; 2],
    pub(super) length: Option<u32>,
    /// Whether the rule is in use.
    pub(super) crawford: bool,
    pub(super) score: [u32; 2],
    /// Seen by X.
    checkers: Checkers,
    /// `None` between two games.
    pub(super) on_roll: Option<Seat>,
    pub(super) dice: Option<Dice>,
    pub(super) cube: u32,
    owner: Option<Seat>,
    /// A double waits for its answer.
    pub(super) doubled: bool,
    pub(super) is_crawford: bool,
    post_crawford: bool,
    pub(super) actions: Vec<Action>,
    /// What `oldmoves` says.
    pub(super) log: Vec<String>,
}

impl Match {
    pub(super) fn new(players: [String; 2], length: Option<u32>, crawford: bool) -> Match {
        Match {
            players,
            length,
            crawford,
            score: [0; 2],
            checkers: Checkers::START,
            on_roll: None,
            dice: None,
            cube: 1,
            owner: None,
            doubled: false,
            is_crawford: false,
            post_crawford: false,
            actions: Vec::new(),
            log: Vec::new(),
        }
    }

    pub(super) fn seat(&self, name: &str) -> Option<Seat> {
        self.players.iter().position(|player| player == name)
    }

    pub(super) fn winner(&self) -> Option<Seat> {
        let length = self.length?;
        self.score.iter().position(|&score| score >= length)
    }

    /// The board seen by a seat.
    pub(super) fn seen_by(&self, seat: Seat) -> Checkers {
        if seat == 0 { self.checkers } else { self.checkers.flipped() }
    }

    /// Whether the cube is there for this seat before its roll.
    pub(super) fn may_double(&self, seat: Seat) -> bool {
        let cube = self.length != Some(1) && !self.is_crawford && self.cube < 1 << 15;
        cube && self.owner.is_none_or(|owner| owner == seat)
    }

    /// Makes an action happen.
    ///
    /// # Errors
    /// When it is illegal; nothing has happened then.
    pub(super) fn apply(&mut self, action: &Action) -> Result<Option<GameResult>, ()> {
        let result = self.happen(action)?;
        self.actions.push(action.clone());
        Ok(result)
    }

    fn happen(&mut self, action: &Action) -> Result<Option<GameResult>, ()> {
        if let Action::Open(dice) = action {
            return self.open(*dice).map(|()| None);
        }
        let seat = self.on_roll.ok_or(())?;
        if let Action::GiveUp(loser, points) = action {
            let stake =
                Stake::ALL.into_iter().find(|s| s.points() == u32::from(*points)).ok_or(())?;
            let winner = 1 - *loser.min(&1);
            return Ok(Some(self.win(winner, self.cube * stake.points())));
        }
        match (action, self.doubled) {
            (Action::Take, true) => {
                self.doubled = false;
                self.cube *= 2;
                self.owner = Some(1 - seat);
                self.write(1 - seat, "accepts");
            }
            (Action::Drop, true) => {
                self.write(1 - seat, "rejects");
                return Ok(Some(self.win(seat, self.cube)));
            }
            (Action::Double, false) if self.dice.is_none() && self.may_double(seat) => {
                self.doubled = true;
                self.write(seat, "doubles");
            }
            (Action::Roll([a, b]), false) if self.dice.is_none() => {
                self.dice = Some(Dice::new(*a, *b).ok_or(())?);
            }
            (Action::Move(steps), false) => {
                let dice = self.dice.ok_or(())?;
                let before = self.seen_by(seat);
                let steps: Vec<Step> = steps.iter().map(|&(from, to)| Step { from, to }).collect();
                let plays = before.plays(dice);
                let after = before.after_steps(dice, &steps).ok_or(())?;
                let legal = if plays.is_empty() {
                    steps.is_empty()
                } else {
                    plays.iter().any(|play| play.after == after && play.steps.len() == steps.len())
                };
                if !legal {
                    return Err(());
                }
                let [a, b] = dice.both();
                let words = steps.iter().map(|step| match (step.from, step.to) {
                    (25, to) => format!("bar-{to}"),
                    (from, 0) => format!("{from}-off"),
                    (from, to) => format!("{from}-{to}"),
                });
                let words = words.collect::<Vec<_>>().join(" ");
                let words = if words.is_empty() { "can't move".to_owned() } else { words };
                self.write(seat, &format!("({a} {b}) {words}"));
                self.checkers = if seat == 0 { after.flipped() } else { after };
                self.dice = None;
                if let Some(stake) = after.lost() {
                    return Ok(Some(self.win(seat, self.cube * stake.points())));
                }
                self.on_roll = Some(1 - seat);
            }
            _ => return Err(()),
        }
        Ok(None)
    }

    fn open(&mut self, [x, o]: [u8; 2]) -> Result<(), ()> {
        if self.on_roll.is_some() || self.winner().is_some() || x == o {
            return Err(());
        }
        self.dice = Some(Dice::new(x, o).ok_or(())?);
        self.on_roll = Some(usize::from(o > x));
        self.checkers = Checkers::START;
        (self.cube, self.owner, self.doubled) = (1, None, false);
        let one_away = self
            .length
            .is_some_and(|length| length > 1 && self.score.iter().any(|score| score + 1 == length));
        // The first game at one point away is the one without a cube.
        self.post_crawford = one_away && (self.is_crawford || self.post_crawford);
        self.is_crawford = one_away && self.crawford && !self.post_crawford;
        let length =
            self.length.map_or("an unlimited match.".to_owned(), |n| format!("a {n} point match."));
        self.log.push(format!("Score is {}-{} in {length}", self.score[0], self.score[1]));
        self.log.push(format!("{} is X - {} is O", self.players[0], self.players[1]));
        Ok(())
    }

    fn win(&mut self, winner: Seat, points: u32) -> GameResult {
        let s = if points == 1 { "" } else { "s" };
        self.write(winner, &format!("wins {points} point{s}"));
        self.score[winner] += points;
        (self.on_roll, self.dice, self.doubled) = (None, None, false);
        GameResult { winner, points }
    }

    fn write(&mut self, seat: Seat, words: &str) {
        self.log.push(format!("{}: {words}", ["X", "O"][seat]));
    }

    /// What `oldmoves` says now: the roll on the table is the last line.
    pub(super) fn old_moves(&self) -> Vec<String> {
        let mut lines = self.log.clone();
        if let (Some(seat), Some(dice)) = (self.on_roll, self.dice) {
            let [a, b] = dice.both();
            lines.push(format!("{}: ({a} {b})", ["X", "O"][seat]));
        }
        lines
    }

    /// The line of style 3 for a seat; `player` is `You` or the seat's name.
    pub(super) fn board(&self, seat: Seat, player: &str) -> Board {
        let other = 1 - seat;
        let o = self.checkers.flipped();
        let points = *o.points();
        let colour = |seat: Seat| if seat == 0 { -1i8 } else { 1 };
        let asked = if self.doubled { self.on_roll.map(|seat| 1 - seat) } else { self.on_roll };
        let dice = |seat: Seat| match (self.dice, self.on_roll) {
            (Some(dice), Some(on_roll)) if on_roll == seat => dice.both(),
            _ => [0, 0],
        };
        // The Crawford rule is not looked at, as on the real server.
        let may = |seat: Seat| !self.doubled && self.owner.is_none_or(|owner| owner == seat);
        let bar = |seat: Seat| self.seen_by(seat).points()[25].unsigned_abs();
        Board {
            player: player.to_owned(),
            opponent: self.players[other].clone(),
            length: self.length,
            score: [self.score[seat], self.score[other]],
            points,
            turn: asked.map_or(0, colour),
            dice: dice(seat),
            opponent_dice: dice(other),
            cube: self.cube,
            may_double: may(seat),
            opponent_may_double: may(other),
            was_doubled: self.doubled && asked == Some(seat),
            colour: colour(seat),
            direction: if seat == 0 { 1 } else { -1 },
            off: [15 - self.seen_by(seat).left(), 15 - self.seen_by(other).left()],
            bar: [bar(seat), bar(other)],
            can_move: 2,
            no_crawford: if self.crawford { 0 } else { 3 },
            post_crawford: u32::from(self.post_crawford),
            redoubles: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(length: u32) -> Match {
        Match::new(["ann".into(), "bob".into()], Some(length), true)
    }

    #[test]
    fn the_crawford_game_is_the_first_at_one_point_away_and_no_other() {
        let mut game = new(3);
        let mut seen = Vec::new();
        for loser in [1, 1, 0, 0] {
            game.apply(&Action::Open([2, 1])).expect("between games");
            seen.push((game.is_crawford, game.may_double(0), game.board(0, "You").is_crawford()));
            let points = if seen.len() == 1 { 2 } else { 1 };
            let _ = game.apply(&Action::GiveUp(if seen.len() == 2 { 0 } else { loser }, points));
            if game.winner().is_some() {
                break;
            }
        }
        assert_eq!(seen[..3], [(false, true, false), (true, false, true), (false, true, false)]);
    }

    #[test]
    fn boards_can_be_read_back_by_both() {
        let mut game = new(5);
        game.apply(&Action::Open([3, 1])).expect("begins");
        game.apply(&Action::Move(vec![(8, 5), (6, 5)])).expect("legal");
        for seat in 0..2 {
            let board = game.board(seat, "You");
            let (back, _) = Board::parse(&board.to_string()).expect("a board");
            assert_eq!(back, board);
            assert_eq!(board.checkers(), game.seen_by(seat));
        }
        assert!(game.apply(&Action::Move(vec![(8, 5)])).is_err(), "no roll yet");
        game.apply(&Action::Roll([6, 5])).expect("O rolls");
        assert!(game.apply(&Action::Move(vec![(24, 18), (24, 18)])).is_err());
        assert_eq!(game.actions.len(), 3);
    }
}
