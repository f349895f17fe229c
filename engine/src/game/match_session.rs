//! [`MatchSession`]: a match or money games in progress, with dice, cube, score and record.
//!
//! The roll of each turn follows from the seed, the number of the game and the number of the turn
//! alone. So a clone is a point to return to, and the record of a session is enough to go on with
//! it: see [`super::ReplayError`].

use std::sync::Arc;

use crate::backgammon::record::{GameHeader, GameStart, RecordErrorKind, RecordedGame, Recorder};
use crate::backgammon::{
    ActionError, Cube, CubeOffer, Dice, GameState, Next, Position, Scoring, Seat, Stake, Turn,
};
use crate::game::{StreamPurpose, opening_roll, roll, stream};

/// A match between two players, or a session of money games.
///
/// ```
/// use nonet_engine::backgammon::{Results, Scoring};
/// use nonet_engine::game::{MatchSession, NextAction};
///
/// let scoring = Scoring::Money { jacoby: true, beavers: false };
/// let mut session = MatchSession::new(["Ann".into(), "Ben".into()], scoring, 1);
/// if let NextAction::Play(player, dice) = session.next_action() {
///     let after = Results::default().of(session.position(), dice)[0];
///     session.play(&after).expect("a legal play");
///     assert_eq!(session.next_action(), NextAction::Roll(player.other()));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct MatchSession {
    seed: u64,
    /// The score before the current game, X's first.
    score: [u32; 2],
    /// Shared by clones: a long session keeps a clone for each decision.
    finished: Vec<Arc<RecordedGame>>,
    game: Recorder,
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
    #[error("the game is over in this position: expected a game in progress")]
    Over,
    #[error("a beaver or a raccoon was offered: expected the position before the double")]
    Beaver,
    #[error("the double is not allowed: {0}")]
    Double(ActionError),
}

impl MatchSession {
    /// A match, or money games, from the starting position with the dice of `seed`; `scoring` is
    /// that of the first game, seen by X. The opening roll is rolled.
    #[must_use]
    pub fn new(names: [String; 2], scoring: Scoring, seed: u64) -> MatchSession {
        MatchSession::from_start(names, scoring, GameStart::USUAL, seed)
    }

    /// The same, but the first game begins in the position of `start`. In a position that was set
    /// up, X is on roll unless `start` names a player.
    #[must_use]
    pub fn from_start(
        names: [String; 2],
        scoring: Scoring,
        start: GameStart,
        seed: u64,
    ) -> MatchSession {
        let on_roll = start.on_roll.or((start.position != Position::START).then_some(Seat::X));
        let start = GameStart { on_roll, ..start };
        let score = match scoring {
            Scoring::Money { .. } => [0; 2],
            Scoring::Match(score) => [score.own().into(), score.opponent().into()],
        };
        let game = Recorder::from_start(GameHeader { names, scoring }, start);
        let mut session = MatchSession { seed, score, finished: Vec::new(), game, rolled: None };
        session.open();
        session
    }

    /// The same from a position with its score, cube, roll or offered double. The player who must
    /// decide in it is X.
    ///
    /// # Errors
    /// [`SetUpError`] if the game is over, the cube was turned by a beaver, or the double that was
    /// offered is not allowed.
    pub fn from_position(
        names: [String; 2],
        game: &GameState,
        seed: u64,
    ) -> Result<MatchSession, SetUpError> {
        if game.is_over() {
            return Err(SetUpError::Over);
        }
        let GameState { position, state } = game;
        if let Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon) = state.turn {
            return Err(SetUpError::Beaver);
        }
        let offered = matches!(state.turn, Turn::Offered(CubeOffer::Double));
        let on_roll = if offered { Seat::O } else { Seat::X };
        let scoring = if offered { state.scoring.flipped() } else { state.scoring };
        let (cube, cube_owner) = (state.cube.value(), state.cube.owner().seat(on_roll));
        // The starting position without a roll is the start of a game: both throw a die.
        let begun = *position != Position::START || state.turn != Turn::ToRoll;
        let start =
            GameStart { position: *position, on_roll: begun.then_some(on_roll), cube, cube_owner };
        let mut session = MatchSession::from_start(names, scoring, start, seed);
        match state.turn {
            Turn::Rolled(dice) => session.rolled = Some((on_roll, dice)),
            Turn::Offered(_) => {
                session.game.state().double().map_err(SetUpError::Double)?;
                session.game.double(on_roll).map_err(|_| SetUpError::Over)?;
            }
            Turn::ToRoll => {}
        }
        Ok(session)
    }

    /// Rolls the opening roll, which decides who begins, unless that is known.
    fn open(&mut self) {
        let opens = self.game.state().next() == Next::OpeningRoll;
        self.rolled = opens.then(|| opening_roll(&mut self.stream()));
    }

    /// The random numbers of this turn.
    fn stream(&self) -> super::Pcg64 {
        let (game, turn) = (self.finished.len() as u64, self.game.turns() as u64);
        stream(self.seed, StreamPurpose::Person, game << 32 | turn)
    }

    /// The state of the current game.
    #[must_use]
    pub fn state(&self) -> GameState {
        match self.rolled {
            Some((player, dice)) => self.game.state().begun_by(player).with_dice(dice),
            None => self.game.state().clone(),
        }
    }

    /// The XGID of the decision, its player on roll as X; of the board alone once the game is over.
    #[must_use]
    pub fn xgid(&self) -> String {
        let mut game = self.state();
        game.state.on_roll = Seat::X;
        if game.is_over() {
            game.state.turn = Turn::ToRoll;
        }
        game.xgid()
    }

    /// The next action and its player.
    #[must_use]
    pub fn next_action(&self) -> NextAction {
        let state = self.state();
        match state.next() {
            Next::Roll(player) => NextAction::Roll(player),
            Next::Play(player, dice) => NextAction::Play(player, dice),
            Next::Answer(player) => NextAction::Answer(player),
            Next::Over(result) if state.next_game().is_none() => NextAction::Over(result.winner),
            // A session rolls the opening roll at once.
            Next::Over(_) | Next::OpeningRoll => NextAction::NextGame,
        }
    }

    /// The points of both players, X's first, including the current game if it is over.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        let mut score = self.score;
        if let Some(result) = self.game.state().result() {
            let points = &mut score[result.winner.index()];
            *points = points.saturating_add(result.points);
        }
        score
    }

    /// The players' names, X's first.
    #[must_use]
    pub const fn names(&self) -> &[String; 2] {
        &self.game.header().names
    }

    /// The number of the current game, from 1.
    #[must_use]
    pub fn game_number(&self) -> usize {
        self.finished.len() + 1
    }

    /// The board, seen by the player on roll; by the player who doubled first if a double must be
    /// answered.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The double or beaver that must be answered.
    #[must_use]
    pub fn offered(&self) -> Option<OfferedCube> {
        let state = self.game.state();
        let beaver = state.state.turn != Turn::Offered(CubeOffer::Double);
        Some(OfferedCube { doubler: state.state.on_roll, value: state.offered_value()?, beaver })
    }

    /// The scoring of the game, seen by `player`.
    #[must_use]
    pub fn scoring(&self, player: Seat) -> Scoring {
        self.game.state().scoring_of(player)
    }

    /// The cube, seen by `player`; before a double that is not answered yet. A beaver has turned it
    /// at once.
    #[must_use]
    pub fn cube(&self, player: Seat) -> Cube {
        self.state().cube_of(player)
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
        let (player, dice) = self.rolled.ok_or(ActionError::NotRolled)?;
        self.game.turn(player, dice, after)?;
        self.rolled = None;
        Ok(())
    }

    /// Doubles for the player on roll, who has not rolled yet.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the player may not double.
    pub fn double(&mut self) -> Result<(), RecordErrorKind> {
        let doubled = self.state().double()?;
        self.game.double(doubled.state.on_roll)
    }

    /// Answers a double, or a beaver.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no double was offered.
    pub fn answer(&mut self, take: bool) -> Result<(), RecordErrorKind> {
        match self.state().next() {
            Next::Answer(player) if take => self.game.take(player),
            Next::Answer(player) => self.game.drop(player),
            _ => Err(ActionError::NotOffered.into()),
        }
    }

    /// Answers a double by doubling again at once, and keeps the cube.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no double was offered, or beavers are not played.
    pub fn beaver(&mut self) -> Result<(), RecordErrorKind> {
        match self.state().next() {
            // A record may hold beavers where none are played.
            Next::Answer(player) => self.state().beaver().map(|_| self.game.beaver(player))?,
            _ => Err(ActionError::NotOffered.into()),
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
        let Some(next) = self.game.state().next_game() else { return };
        self.score = self.score();
        let header = GameHeader { names: self.names().clone(), scoring: next.state.scoring };
        let finished = std::mem::replace(&mut self.game, Recorder::new(header)).finish();
        self.finished.push(Arc::new(finished));
        self.open();
    }

    /// All games so far: the current one too if it is the first, or something happened in it.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let first = self.finished.is_empty();
        let begun = first || self.game.is_over() || !self.game.events().is_empty();
        let last = begun.then(|| self.game.clone().finish());
        let finished = self.finished.iter().map(|game| RecordedGame::clone(game));
        finished.chain(last).collect()
    }

    /// Whether the player on roll has chosen to roll rather than to double: the one decision that
    /// is not in the record.
    #[must_use]
    pub fn is_rolled(&self) -> bool {
        let opening = self.game.turns() == 0 && self.game.start().on_roll.is_none();
        self.rolled.is_some() && !opening
    }

    pub(super) const fn game_mut(&mut self) -> &mut Recorder {
        &mut self.game
    }
}

#[cfg(test)]
mod tests;
