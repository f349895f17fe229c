//! [`MatchSession`]: a match or money games in progress, with dice, cube, score and record.
//!
//! The roll of each turn follows from the seed, the number of the game and the number of the turn alone. So a clone is a
//! point to return to, and the record of a session is enough to go on with it: see [`super::ReplayError`].

use crate::backgammon::record::{
    GameHeader, GameStart, RecordErrorKind, RecordEvent, RecordedGame, Recorder,
};
use crate::backgammon::{
    Cube, CubeOffer, CubeOwner, Dice, GameState, Position, Scoring, Seat, Side, Stake, Turn,
};
use crate::game::{StreamPurpose, opening_roll, roll, stream};

/// A match between two players, or a session of money games.
#[derive(Clone, Debug)]
pub struct MatchSession {
    names: [String; 2],
    seed: u64,
    /// The score before the current game, X's first.
    score: [u32; 2],
    finished: Vec<RecordedGame>,
    game: Recorder,
    /// Where the current game began.
    start: GameStart,
    /// Scoring of the current game, seen by X.
    scoring: Scoring,
    /// Turns of the current game.
    turns: u32,
    /// A roll that has not been played yet.
    rolled: Option<(Seat, Dice)>,
}

/// The next action of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// The player rolls, or doubles if that is allowed.
    Roll(Seat),
    /// The player plays a roll.
    Play(Seat, Dice),
    /// The player answers a double or a beaver.
    Answer(Seat),
    /// The game is over: [`MatchSession::next_game`] starts the next one.
    NextGame,
    /// The match is over; the player has won it.
    Over(Seat),
}

/// A double or a beaver that must be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedCube {
    /// The player who doubled first: the position and the cube before the double are theirs.
    pub doubler: Seat,
    /// The value of the cube if it is accepted, in points.
    pub value: u32,
    /// Whether the last action was a beaver or a raccoon.
    pub beaver: bool,
}

/// Why a session cannot begin in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SetUpError {
    #[error("the game is over in this position: expected checkers of both sides")]
    Over,
    #[error("a beaver or a raccoon was offered: expected the position before the double")]
    Beaver,
    #[error("the double is not allowed: {0}")]
    Double(&'static str),
}

impl MatchSession {
    /// A match, or money games, from the starting position with the dice of `seed`; `scoring` is that of the first game, seen
    /// by X. The opening roll is rolled.
    #[must_use]
    pub fn new(names: [String; 2], scoring: Scoring, seed: u64) -> MatchSession {
        MatchSession::from_start(names, scoring, GameStart::USUAL, seed)
    }

    /// The same, but the first game begins in a position that was set up. If nobody is on roll in it, X is.
    #[must_use]
    pub fn from_start(
        names: [String; 2],
        scoring: Scoring,
        start: GameStart,
        seed: u64,
    ) -> MatchSession {
        let on_roll = start.on_roll.or((start.position != Position::START).then_some(Seat::X));
        let start = GameStart { on_roll, ..start };
        let header = GameHeader { names: names.clone(), scoring };
        let score = match scoring {
            Scoring::Money { .. } => [0; 2],
            Scoring::Match(score) => [score.own().into(), score.opponent().into()],
        };
        let mut session = MatchSession {
            names,
            seed,
            score,
            finished: Vec::new(),
            game: Recorder::from_start(header, start),
            start,
            scoring,
            turns: 0,
            rolled: None,
        };
        session.open();
        session
    }

    /// The same from a position with its score, cube, roll or offered double. The player who must decide in it is X.
    ///
    /// # Errors
    /// [`SetUpError`] if the game is over, or the cube was turned by a beaver.
    pub fn from_position(
        names: [String; 2],
        game: &GameState,
        seed: u64,
    ) -> Result<MatchSession, SetUpError> {
        let GameState { position, state } = game;
        if position.outcome().is_some() {
            return Err(SetUpError::Over);
        }
        if let Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon) = state.turn {
            return Err(SetUpError::Beaver);
        }
        let offered = matches!(state.turn, Turn::Offered(CubeOffer::Double));
        let on_roll = if offered { Seat::O } else { Seat::X };
        let cube_owner = match state.cube.owner() {
            CubeOwner::Centred => None,
            CubeOwner::Own => Some(on_roll),
            CubeOwner::Opponent => Some(on_roll.other()),
        };
        let scoring = if offered { state.scoring.flipped() } else { state.scoring };
        let cube = state.cube.value();
        // The starting position without a roll is the start of a game: both throw a die.
        let begun = *position != Position::START || state.turn != Turn::ToRoll;
        let start =
            GameStart { position: *position, on_roll: begun.then_some(on_roll), cube, cube_owner };
        let mut session = MatchSession::from_start(names, scoring, start, seed);
        match state.turn {
            Turn::Rolled(dice) => session.rolled = Some((on_roll, dice)),
            Turn::Offered(_) => session.game.double(on_roll).map_err(|error| {
                SetUpError::Double(match error {
                    RecordErrorKind::Cube(why) => why,
                    _ => "the player on roll may not double",
                })
            })?,
            Turn::ToRoll => {}
        }
        Ok(session)
    }

    /// Rolls the opening roll, which decides who begins, unless that is known.
    fn open(&mut self) {
        (self.turns, self.rolled) = (0, None);
        if self.start.on_roll.is_none() {
            let mut dice = self.stream();
            self.rolled = Some(opening_roll(&mut dice));
        }
    }

    /// The random numbers of this turn.
    fn stream(&self) -> super::Pcg64 {
        let game = self.finished.len() as u64;
        stream(self.seed, StreamPurpose::Person, game << 32 | u64::from(self.turns))
    }

    /// The next action and its player.
    #[must_use]
    pub fn next_action(&self) -> NextAction {
        match (self.game.to_act(), self.rolled) {
            _ if self.game.is_over() => match self.winner() {
                Some(player) => NextAction::Over(player),
                None => NextAction::NextGame,
            },
            (Some(player), _) if self.game.is_offered() => NextAction::Answer(player),
            (_, Some((player, dice))) => NextAction::Play(player, dice),
            (player, None) => NextAction::Roll(player.unwrap_or(Seat::X)),
        }
    }

    /// The winner of the match, if it is over.
    fn winner(&self) -> Option<Seat> {
        let Scoring::Match(of_match) = self.scoring else { return None };
        let score = self.score();
        let won = |player: &Seat| score[player.index()] >= of_match.length().into();
        Seat::BOTH.into_iter().find(won)
    }

    /// The points of both players, X's first, including the current game if it is over.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        let mut score = self.score;
        if self.game.is_over()
            && let Some((player, points)) = self.game.clone().finish().won()
        {
            score[player.index()] = score[player.index()].saturating_add(points);
        }
        score
    }

    /// The players' names, X's first.
    #[must_use]
    pub const fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The number of the current game, from 1.
    #[must_use]
    pub fn game_number(&self) -> usize {
        self.finished.len() + 1
    }

    /// The board, seen by the player on roll; by the player who doubled first if a double must be answered.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The double or beaver that must be answered.
    #[must_use]
    pub fn offered(&self) -> Option<OfferedCube> {
        if !self.game.is_offered() {
            return None;
        }
        let events = self.game.events();
        let doubler = events.iter().rev().find_map(|event| match event {
            RecordEvent::Double { player, .. } => Some(*player),
            _ => None,
        })?;
        match *events.last()? {
            RecordEvent::Double { value, .. } => {
                Some(OfferedCube { doubler, value, beaver: false })
            }
            RecordEvent::Beaver { value, .. } => Some(OfferedCube { doubler, value, beaver: true }),
            _ => None,
        }
    }

    /// The scoring of the game, seen by `player`.
    #[must_use]
    pub fn scoring(&self, player: Seat) -> Scoring {
        if player == Seat::X { self.scoring } else { self.scoring.flipped() }
    }

    /// The cube, seen by `player`; before a double that is not answered yet.
    #[must_use]
    pub fn cube(&self, player: Seat) -> Cube {
        let owner = match self.game.cube_owner() {
            None => CubeOwner::Centred,
            Some(owner) if owner == player => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        };
        // A recorder only doubles the cube, up to its highest value.
        Cube::new(self.game.cube(), owner).unwrap_or(Cube::CENTRED)
    }

    /// Rolls the dice for the player on roll; `None` if a roll is not the next action.
    pub fn roll(&mut self) -> Option<Dice> {
        let NextAction::Roll(player) = self.next_action() else { return None };
        let dice = roll(&mut self.stream());
        self.rolled = Some((player, dice));
        Some(dice)
    }

    /// Gives the next turn the roll of a record.
    pub(super) const fn throw(&mut self, player: Seat, dice: Dice) {
        self.rolled = Some((player, dice));
    }

    /// Plays the roll: `after` is the board after it, the other player on roll.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no legal play leads to `after`, or if the dice are not rolled.
    pub fn play(&mut self, after: &Position) -> Result<(), RecordErrorKind> {
        let Some((player, dice)) = self.rolled else { return Err(RecordErrorKind::Over) };
        self.game.turn(player, dice, after)?;
        self.rolled = None;
        self.turns += 1;
        Ok(())
    }

    /// Doubles for the player on roll, who has not rolled yet.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the player may not double.
    pub fn double(&mut self) -> Result<(), RecordErrorKind> {
        match self.next_action() {
            NextAction::Roll(player) => self.game.double(player),
            _ => Err(RecordErrorKind::Cube("invalid double: players double before they roll")),
        }
    }

    /// Answers a double, or a beaver.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no double was offered.
    pub fn answer(&mut self, take: bool) -> Result<(), RecordErrorKind> {
        match self.next_action() {
            NextAction::Answer(player) if take => self.game.take(player),
            NextAction::Answer(player) => self.game.drop(player),
            _ => Err(RecordErrorKind::Cube("unexpected answer: no double was offered")),
        }
    }

    /// Answers a double by doubling again at once, and keeps the cube.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no double was offered, or beavers are not played.
    pub fn beaver(&mut self) -> Result<(), RecordErrorKind> {
        let beavers = matches!(self.scoring, Scoring::Money { beavers: true, .. });
        match self.next_action() {
            NextAction::Answer(player) if beavers => self.game.beaver(player),
            NextAction::Answer(_) => {
                Err(RecordErrorKind::Cube("invalid beaver: beavers are not played here"))
            }
            _ => Err(RecordErrorKind::Cube("unexpected beaver: no double was offered")),
        }
    }

    /// `player` resigns the game.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the game is over, or a double must be answered.
    pub fn resign(&mut self, player: Seat, stake: Stake) -> Result<(), RecordErrorKind> {
        self.game.resign(player, stake)?;
        self.rolled = None;
        Ok(())
    }

    /// Starts the next game if the current one is over and the match is not.
    pub fn next_game(&mut self) {
        if self.next_action() != NextAction::NextGame {
            return;
        }
        let won = self.game.clone().finish().won();
        self.score = self.score();
        if let (Scoring::Match(score), Some((winner, points))) = (self.scoring, won) {
            let side = if winner == Seat::X { Side::Own } else { Side::Opponent };
            let Some(score) = score.after_win(side, points) else { return };
            self.scoring = Scoring::Match(score);
        }
        let header = GameHeader { names: self.names.clone(), scoring: self.scoring };
        self.start = GameStart::USUAL;
        self.finished.push(std::mem::replace(&mut self.game, Recorder::new(header)).finish());
        self.open();
    }

    /// All games so far: the current one too if it is the first, or something happened in it.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let first = self.finished.is_empty();
        let begun = first || self.game.is_over() || !self.game.events().is_empty();
        let last = begun.then(|| self.game.clone().finish());
        self.finished.iter().cloned().chain(last).collect()
    }

    /// Whether the player on roll has chosen to roll rather than to double: the one decision that is not in the record.
    #[must_use]
    pub fn is_rolled(&self) -> bool {
        self.rolled.is_some() && !(self.turns == 0 && self.start.on_roll.is_none())
    }

    pub(super) const fn game_mut(&mut self) -> &mut Recorder {
        &mut self.game
    }
}

#[cfg(test)]
mod tests;
