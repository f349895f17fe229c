//! A match on the practice server: its actions, the rules that they must follow, and the state that they lead to.

use backgammon::{Dice, FibsBoard, Position, Seat, Stake, candidates};
use serde::{Deserialize, Serialize};

/// An action in a match, as the journal stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum MatchAction {
    /// The opening roll: X's die, then O's.
    Open([u8; 2]),
    Roll([u8; 2]),
    /// Checker moves (from, to) in own points; empty for a roll that cannot be played.
    Move(Vec<(u8, u8)>),
    Double,
    Take,
    Drop,
    /// An accepted resignation: the player who resigned, and the points with the cube at 1.
    GiveUp(#[serde(with = "seat_index")] Seat, u8),
}

/// Players in the journal: 0 for X, 1 for O.
mod seat_index {
    use backgammon::Seat;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(seat: &Seat, to: S) -> Result<S::Ok, S::Error> {
        seat.index().serialize(to)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Seat, D::Error> {
        let index = usize::deserialize(from)?;
        let seat = Seat::BOTH.get(index).copied();
        seat.ok_or_else(|| D::Error::custom(format!("invalid player {index}: expected 0 or 1")))
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameResult {
    pub(super) winner: Seat,
    pub(super) points: u32,
}

#[derive(Clone, Debug)]
pub(super) struct ServerMatch {
    pub(super) players: [String; 2],
    pub(super) length: Option<u32>,
    /// Whether the Crawford rule is in use.
    pub(super) crawford: bool,
    pub(super) score: [u32; 2],
    /// The position from the view of X.
    position: Position,
    /// `None` between two games.
    pub(super) on_roll: Option<Seat>,
    /// The roll on the table, in the order in which the dice fell.
    pub(super) dice: Option<[u8; 2]>,
    pub(super) cube: u32,
    owner: Option<Seat>,
    /// Whether a double waits for an answer.
    pub(super) doubled: bool,
    pub(super) is_crawford: bool,
    post_crawford: bool,
    pub(super) actions: Vec<MatchAction>,
    /// The lines of `oldmoves`.
    pub(super) log: Vec<String>,
}

impl ServerMatch {
    pub(super) fn new(players: [String; 2], length: Option<u32>, crawford: bool) -> ServerMatch {
        ServerMatch {
            players,
            length,
            crawford,
            score: [0; 2],
            position: Position::START,
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
        Seat::BOTH.into_iter().find(|seat| self.players[seat.index()] == name)
    }

    pub(super) fn winner(&self) -> Option<Seat> {
        let length = self.length?;
        Seat::BOTH.into_iter().find(|seat| self.score[seat.index()] >= length)
    }

    /// The position from the view of a seat.
    pub(super) fn seen_by(&self, seat: Seat) -> Position {
        if seat == Seat::X { self.position } else { self.position.flipped() }
    }

    /// Whether this player may double before the roll.
    pub(super) fn may_double(&self, seat: Seat) -> bool {
        let cube = self.length != Some(1) && !self.is_crawford && self.cube < 1 << 15;
        cube && self.owner.is_none_or(|owner| owner == seat)
    }

    /// Applies an action.
    ///
    /// # Errors
    /// If the action is illegal; the match is unchanged then.
    pub(super) fn apply(&mut self, action: &MatchAction) -> Result<Option<GameResult>, ()> {
        let result = self.apply_unrecorded(action)?;
        self.actions.push(action.clone());
        Ok(result)
    }

    fn apply_unrecorded(&mut self, action: &MatchAction) -> Result<Option<GameResult>, ()> {
        if let MatchAction::Open(dice) = action {
            return self.open(*dice).map(|()| None);
        }
        let seat = self.on_roll.ok_or(())?;
        if let MatchAction::GiveUp(loser, points) = action {
            let stake =
                Stake::ALL.into_iter().find(|s| s.points() == u32::from(*points)).ok_or(())?;
            return Ok(Some(self.win(loser.other(), self.cube * stake.points())));
        }
        match (action, self.doubled) {
            (MatchAction::Take, true) => {
                self.doubled = false;
                self.cube *= 2;
                self.owner = Some(seat.other());
                self.log_line(seat.other(), "accepts");
            }
            (MatchAction::Drop, true) => {
                self.log_line(seat.other(), "rejects");
                return Ok(Some(self.win(seat, self.cube)));
            }
            (MatchAction::Double, false) if self.dice.is_none() && self.may_double(seat) => {
                self.doubled = true;
                self.log_line(seat, "doubles");
            }
            (MatchAction::Roll([a, b]), false) if self.dice.is_none() => {
                Dice::new(*a, *b).ok_or(())?;
                self.dice = Some([*a, *b]);
            }
            (MatchAction::Move(steps), false) => {
                let [a, b] = self.dice.ok_or(())?;
                let after = self.after_moves(seat, steps).ok_or(())?;
                let words = steps.iter().map(|step| match *step {
                    (25, to) => format!("bar-{to}"),
                    (from, 0) => format!("{from}-off"),
                    (from, to) => format!("{from}-{to}"),
                });
                let words = words.collect::<Vec<_>>().join(" ");
                let words = if words.is_empty() { "can't move".to_owned() } else { words };
                self.log_line(seat, &format!("({a} {b}) {words}"));
                self.position = if seat == Seat::X { after.flipped() } else { after };
                self.dice = None;
                if let Some(outcome) = after.outcome() {
                    let points = outcome.points().unsigned_abs();
                    return Ok(Some(self.win(seat, self.cube * points)));
                }
                self.on_roll = Some(seat.other());
            }
            _ => return Err(()),
        }
        Ok(None)
    }

    /// The dice that have to be played with the roll on the table, 0..=4.
    pub(super) fn dice_to_play(&self, seat: Seat) -> usize {
        let Some(dice) = self.roll() else { return 0 };
        let before = self.seen_by(seat);
        let after = candidates(&before, dice)[0].after;
        before.steps_to(dice, &after).map_or(0, |steps| steps.len())
    }

    /// The roll on the table.
    pub(super) fn roll(&self) -> Option<Dice> {
        self.dice.and_then(|[a, b]| Dice::new(a, b))
    }

    /// The position after single checker moves of the player on roll, if they are a legal play of the roll.
    fn after_moves(&self, seat: Seat, moves: &[(u8, u8)]) -> Option<Position> {
        let (before, dice) = (self.seen_by(seat), self.roll()?);
        let after = before.after_steps(dice, moves)?;
        let legal = candidates(&before, dice).iter().any(|play| play.after == after);
        (legal && moves.len() == self.dice_to_play(seat)).then_some(after)
    }

    fn open(&mut self, [x, o]: [u8; 2]) -> Result<(), ()> {
        if self.on_roll.is_some() || self.winner().is_some() || x == o {
            return Err(());
        }
        Dice::new(x, o).ok_or(())?;
        self.dice = Some([x, o]);
        self.on_roll = Some(if o > x { Seat::O } else { Seat::X });
        self.position = Position::START;
        (self.cube, self.owner, self.doubled) = (1, None, false);
        let one_away = self
            .length
            .is_some_and(|length| length > 1 && self.score.iter().any(|score| score + 1 == length));
        // The first game at one point away is the Crawford game.
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
        self.log_line(winner, &format!("wins {points} point{s}"));
        self.score[winner.index()] += points;
        (self.on_roll, self.dice, self.doubled) = (None, None, false);
        GameResult { winner, points }
    }

    fn log_line(&mut self, seat: Seat, words: &str) {
        self.log.push(format!("{}: {words}", ["X", "O"][seat.index()]));
    }

    /// The answer to `oldmoves`; a roll that is not played yet is the last line.
    pub(super) fn old_moves(&self) -> Vec<String> {
        let mut lines = self.log.clone();
        if let (Some(seat), Some(dice)) = (self.on_roll, self.dice) {
            let [a, b] = dice;
            lines.push(format!("{}: ({a} {b})", ["X", "O"][seat.index()]));
        }
        lines
    }

    /// The board seen by a player; `player` is `You` or the player's name.
    pub(super) fn board(&self, seat: Seat, player: &str) -> FibsBoard {
        let other = seat.other();
        let asked = if self.doubled { self.on_roll.map(|seat| seat.other()) } else { self.on_roll };
        let dice = |seat: Seat| match (self.dice, self.on_roll) {
            (Some(dice), Some(on_roll)) if on_roll == seat => dice,
            _ => [0, 0],
        };
        // As on the real server, the fields ignore the Crawford rule.
        let may = |seat: Seat| !self.doubled && self.owner.is_none_or(|owner| owner == seat);
        FibsBoard {
            player: player.to_owned(),
            opponent: self.players[other.index()].clone(),
            length: self.length,
            score: [self.score[seat.index()], self.score[other.index()]],
            position: self.seen_by(seat),
            turn: asked,
            dice: dice(seat),
            opponent_dice: dice(other),
            cube: self.cube,
            may_double: may(seat),
            opponent_may_double: may(other),
            was_doubled: self.doubled && asked == Some(seat),
            colour: seat,
            ascending: seat == Seat::X,
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

    fn new(length: u32) -> ServerMatch {
        ServerMatch::new(["ann".into(), "bob".into()], Some(length), true)
    }

    #[test]
    fn the_crawford_game_is_the_first_at_one_point_away_and_no_other() {
        let mut game = new(3);
        let mut seen = Vec::new();
        for loser in [Seat::O, Seat::O, Seat::X, Seat::X] {
            game.apply(&MatchAction::Open([2, 1])).expect("between games");
            seen.push((
                game.is_crawford,
                game.may_double(Seat::X),
                game.board(Seat::X, "You").is_crawford(),
            ));
            let points = if seen.len() == 1 { 2 } else { 1 };
            let _ = game
                .apply(&MatchAction::GiveUp(if seen.len() == 2 { Seat::X } else { loser }, points));
            if game.winner().is_some() {
                break;
            }
        }
        assert_eq!(seen[..3], [(false, true, false), (true, false, true), (false, true, false)]);
    }

    #[test]
    fn the_boards_of_both_players_can_be_parsed() {
        let mut game = new(5);
        game.apply(&MatchAction::Open([3, 1])).expect("begins");
        game.apply(&MatchAction::Move(vec![(8, 5), (6, 5)])).expect("legal");
        for seat in Seat::BOTH {
            let board = game.board(seat, "You");
            let (back, _) = FibsBoard::parse(&board.to_string()).expect("a board");
            assert_eq!(back, board);
            assert_eq!(board.position, game.seen_by(seat));
        }
        assert!(game.apply(&MatchAction::Move(vec![(8, 5)])).is_err(), "no roll yet");
        game.apply(&MatchAction::Roll([6, 5])).expect("O rolls");
        assert!(game.apply(&MatchAction::Move(vec![(24, 18), (24, 18)])).is_err());
        assert_eq!(game.actions.len(), 3);
    }
}
