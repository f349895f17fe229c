//! A match on the practice server: its actions, the rules that they must follow, and the state that
//! they lead to.

use backgammon::{
    CubeOwner, Dice, FibsBoard, GameResult, GameState, Next, Position, Scoring, Seat, Stake,
    candidates,
};
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

/// A match with all that happened in it.
#[derive(Debug)]
pub(super) struct ServerMatch {
    pub(super) state: MatchState,
    pub(super) actions: Vec<MatchAction>,
    /// The lines of `oldmoves`.
    pub(super) log: Vec<String>,
}

/// How a match stands. A clone costs the same in a match of any length.
#[derive(Clone, Debug)]
pub(super) struct MatchState {
    pub(super) players: [String; 2],
    pub(super) length: Option<u32>,
    /// Whether the Crawford rule is in use.
    pub(super) crawford: bool,
    pub(super) score: [u32; 2],
    /// The game in progress; between two games the last one.
    pub(super) now: GameState,
    /// The last roll in the order in which the dice fell.
    thrown: [u8; 2],
}

/// The result of the game that an action ended, and the lines of `oldmoves` that tell the action.
type Applied = (Option<GameResult>, Vec<String>);

impl std::ops::Deref for ServerMatch {
    type Target = MatchState;

    fn deref(&self) -> &MatchState {
        &self.state
    }
}

impl ServerMatch {
    pub(super) fn new(players: [String; 2], length: Option<u32>, crawford: bool) -> ServerMatch {
        // Matches have 1 to 99 points.
        let of_match = |length| Scoring::of_match(u16::try_from(length).ok()?, 0, 0, false).ok();
        let scoring = length.and_then(of_match).unwrap_or(Scoring::MONEY);
        let now = GameState::start(scoring);
        let state = MatchState { players, length, crawford, score: [0; 2], now, thrown: [0; 2] };
        ServerMatch { state, actions: Vec::new(), log: Vec::new() }
    }

    /// Applies an action, and returns the result of the game that it ends.
    ///
    /// # Errors
    /// If the action is illegal; the match is unchanged then.
    pub(super) fn apply(&mut self, action: &MatchAction) -> Result<Option<GameResult>, ()> {
        let (result, lines) = self.state.apply(action)?;
        self.actions.push(action.clone());
        self.log.extend(lines);
        Ok(result)
    }

    /// The answer to `oldmoves`; a roll that is not played yet is the last line.
    pub(super) fn old_moves(&self) -> Vec<String> {
        let mut lines = self.log.clone();
        if let (Some(seat), Some([a, b])) = (self.on_roll(), self.dice()) {
            lines.push(told(seat, &format!("({a} {b})")));
        }
        lines
    }
}

impl MatchState {
    pub(super) fn seat(&self, name: &str) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.players[seat.index()] == name)
    }

    /// The winner of the match.
    pub(super) fn winner(&self) -> Option<Seat> {
        let over = self.now.next_game().is_none();
        self.now.result().filter(|_| over).map(|result| result.winner)
    }

    /// The player on roll, who has doubled if the game waits for an answer; `None` between two
    /// games.
    pub(super) fn on_roll(&self) -> Option<Seat> {
        match self.now.next() {
            Next::OpeningRoll | Next::Over(_) => None,
            Next::Roll(_) | Next::Play(..) | Next::Answer(_) => Some(self.now.state.on_roll),
        }
    }

    /// Whether a double waits for an answer.
    pub(super) fn is_doubled(&self) -> bool {
        matches!(self.now.next(), Next::Answer(_))
    }

    /// The roll on the table, in the order in which the dice fell.
    pub(super) fn dice(&self) -> Option<[u8; 2]> {
        self.now.dice().map(|_| self.thrown)
    }

    /// Whether the player on roll may double now; never in a match to 1 point.
    pub(super) fn may_double(&self) -> bool {
        self.now.state.scoring.has_cube() && self.now.may_double()
    }

    /// Applies an action.
    ///
    /// # Errors
    /// If the action is illegal; the state is unchanged then.
    pub(super) fn apply(&mut self, action: &MatchAction) -> Result<Applied, ()> {
        if let MatchAction::Open(dice) = action {
            return self.open(*dice).map(|lines| (None, lines));
        }
        let seat = self.on_roll().ok_or(())?;
        let illegal = |_| ();
        let (next, who, words) = match action {
            MatchAction::Open(_) => return Err(()),
            MatchAction::Roll([a, b]) => {
                let next = self.now.rolled(Dice::new(*a, *b).ok_or(())?).map_err(illegal)?;
                (self.thrown, self.now) = ([*a, *b], next);
                return Ok((None, Vec::new()));
            }
            MatchAction::Move(steps) => {
                let [a, b] = self.dice().ok_or(())?;
                let next = self.now.play(&self.after_moves(steps).ok_or(())?).map_err(illegal)?;
                (next, seat, format!("({a} {b}) {}", in_words(steps)))
            }
            MatchAction::Double if !self.may_double() => return Err(()),
            MatchAction::Double => {
                (self.now.double().map_err(illegal)?, seat, "doubles".to_owned())
            }
            MatchAction::Take => {
                (self.now.take().map_err(illegal)?, seat.other(), "accepts".to_owned())
            }
            MatchAction::Drop => {
                (self.now.pass().map_err(illegal)?, seat.other(), "rejects".to_owned())
            }
            MatchAction::GiveUp(loser, points) => {
                let worth = |stake: &Stake| stake.points() == u32::from(*points);
                let stake = Stake::ALL.into_iter().find(worth).ok_or(())?;
                self.now = self.now.resign(*loser, stake).map_err(illegal)?;
                return Ok(self.finish_game(Vec::new()));
            }
        };
        self.now = next;
        Ok(self.finish_game(vec![told(who, &words)]))
    }

    /// The dice that have to be played with the roll on the table, 0..=4.
    pub(super) fn dice_to_play(&self) -> usize {
        let (Some(dice), before) = (self.now.dice(), &self.now.position) else { return 0 };
        let after = candidates(before, dice)[0].after;
        before.steps_to(dice, &after).map_or(0, |steps| steps.len())
    }

    /// The position after single checker moves of the player on roll, if they use as many dice as
    /// possible.
    fn after_moves(&self, moves: &[(u8, u8)]) -> Option<Position> {
        let after = self.now.position.after_steps(self.now.dice()?, moves)?;
        (moves.len() == self.dice_to_play()).then_some(after)
    }

    /// Begins a game; the lines of `oldmoves` that tell it.
    fn open(&mut self, [x, o]: [u8; 2]) -> Result<Vec<String>, ()> {
        let first = if o > x { Seat::O } else { Seat::X };
        let mut next = match self.now.next() {
            Next::Over(_) => self.now.next_game().ok_or(())?,
            _ => self.now.clone(),
        };
        if let (false, Scoring::Match(score)) = (self.crawford, next.state.scoring) {
            let (own, opponent) = (score.own(), score.opponent());
            next.state.scoring =
                Scoring::of_match(score.length(), own, opponent, false).map_err(|_| ())?;
        }
        let opened = next.opened(first, Dice::new(x, o).ok_or(())?).map_err(|_| ())?;
        (self.now, self.thrown) = (opened, [x, o]);
        let length =
            self.length.map_or("an unlimited match.".to_owned(), |n| format!("a {n} point match."));
        Ok(vec![
            format!("Score is {}-{} in {length}", self.score[0], self.score[1]),
            format!("{} is X - {} is O", self.players[0], self.players[1]),
        ])
    }

    /// Counts the points of the game if it is over. `lines` tell the action that may have ended it.
    fn finish_game(&mut self, mut lines: Vec<String>) -> Applied {
        let Some(result) = self.now.result() else { return (None, lines) };
        let GameResult { winner, points } = result;
        let s = if points == 1 { "" } else { "s" };
        lines.push(told(winner, &format!("wins {points} point{s}")));
        self.score[winner.index()] += points;
        (Some(result), lines)
    }

    /// The board seen by a player; `player` is `You` or the player's name.
    pub(super) fn board(&self, seat: Seat, player: &str) -> FibsBoard {
        let other = seat.other();
        let (on_roll, doubled) = (self.on_roll(), self.is_doubled());
        let asked = if doubled { on_roll.map(Seat::other) } else { on_roll };
        let dice = |seat: Seat| match (self.dice(), on_roll) {
            (Some(dice), Some(on_roll)) if on_roll == seat => dice,
            _ => [0, 0],
        };
        // As on the real server, the fields ignore the Crawford rule.
        let may = |seat: Seat| !doubled && self.now.cube_of(seat).owner() != CubeOwner::Opponent;
        FibsBoard {
            player: player.to_owned(),
            opponent: self.players[other.index()].clone(),
            length: self.length,
            score: [self.score[seat.index()], self.score[other.index()]],
            position: self.now.seen_by(seat),
            turn: asked,
            dice: dice(seat),
            opponent_dice: dice(other),
            cube: self.now.state.cube.value(),
            may_double: may(seat),
            opponent_may_double: may(other),
            was_doubled: doubled && asked == Some(seat),
            colour: seat,
            ascending: seat == Seat::X,
            can_move: 2,
            no_crawford: if self.crawford { 0 } else { 3 },
            post_crawford: u32::from(self.crawford && self.now.state.scoring.is_post_crawford()),
            redoubles: 0,
        }
    }
}

/// A line of `oldmoves` on what a player did.
fn told(seat: Seat, words: &str) -> String {
    format!("{}: {words}", ["X", "O"][seat.index()])
}

/// Single checker moves as `oldmoves` tells them.
fn in_words(steps: &[(u8, u8)]) -> String {
    let words = steps.iter().map(|step| match *step {
        (25, to) => format!("bar-{to}"),
        (from, 0) => format!("{from}-off"),
        (from, to) => format!("{from}-{to}"),
    });
    let words = words.collect::<Vec<_>>().join(" ");
    if words.is_empty() { "can't move".to_owned() } else { words }
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
            let may_use_cube = game.now.state.scoring.may_use_cube();
            seen.push((may_use_cube, game.board(Seat::X, "You").is_crawford()));
            let points = if seen.len() == 1 { 2 } else { 1 };
            let _ = game
                .apply(&MatchAction::GiveUp(if seen.len() == 2 { Seat::X } else { loser }, points));
            if game.winner().is_some() {
                break;
            }
        }
        assert_eq!(seen[..3], [(true, false), (false, true), (true, false)]);
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
            assert_eq!(board.position, game.now.seen_by(seat));
        }
        assert!(game.apply(&MatchAction::Move(vec![(8, 5)])).is_err(), "no roll yet");
        game.apply(&MatchAction::Roll([6, 5])).expect("O rolls");
        assert!(game.apply(&MatchAction::Move(vec![(24, 18), (24, 18)])).is_err());
        assert_eq!(game.actions.len(), 3);
    }
}
