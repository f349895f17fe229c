//! [`Recorder`]: records a game and checks every turn, cube action and result against the rules.

mod cube;
mod result;

use super::error::RecordErrorKind;
use super::game::{
    GameHeader, GameStart, MAX_NAME, RecordEnd, RecordEvent, RecordGap, RecordTurn, RecordedGame,
    cut_name,
};
use crate::{
    ActionError, Dice, GamePhase, GameResult, GameState, Next, Position, Resignation, Results,
    Scoring, Seat, Stake,
};

/// The most turns of a game; longer games are abandoned as endless. Untrained nets can shuffle for
/// a long time: of millions of training games one or two run past 3,000.
pub const MAX_TURNS: usize = 5_000;

/// A [`GameState`] with the list of what happened in it. An action that breaks the rules is an
/// error and changes nothing.
///
/// ```
/// use backgammon::record::{GameHeader, RecordEnd, Recorder};
/// use backgammon::{Dice, Position, Scoring, Seat};
///
/// let scoring = Scoring::Money { jacoby: false, beavers: false };
/// let mut game = Recorder::new(GameHeader { names: ["ann".into(), "bob".into()], scoring });
/// let dice: Dice = "31".parse()?;
/// game.turn(Seat::X, dice, &Position::START.read_play("8/5 6/5", dice)?.after)?;
/// game.double(Seat::O)?;
/// game.drop(Seat::X)?;
/// assert_eq!(game.finish().end(), RecordEnd::Dropped { winner: Seat::O });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    header: GameHeader,
    start: GameStart,
    /// Whether the Crawford game is inferred from the score alone; a double in it shows that the
    /// rule was not in use.
    presumed_crawford: bool,
    /// The state after the last event. If it has a roll, the record lacks the play of that roll.
    game: GameState,
    turns: usize,
    events: Vec<RecordEvent>,
    gaps: Vec<RecordGap>,
    /// Whether there is no cube; a double shows that there is one.
    cubeless: bool,
    results: Results,
}

/// A place in a game to which a [`Recorder`] can go back.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) events: usize,
    pub(super) turns: usize,
    gaps: usize,
    start: GameStart,
    scoring: Scoring,
    cubeless: bool,
    game: GameState,
}

impl Recorder {
    /// A game before its first roll.
    #[must_use]
    pub fn new(header: GameHeader) -> Recorder {
        Recorder::from_start(header, GameStart::USUAL)
    }

    /// A game that begins in a position that was set up. Names are cut after
    /// [`MAX_NAME`] characters.
    #[must_use]
    pub fn from_start(mut header: GameHeader, start: GameStart) -> Recorder {
        for name in header.names.iter_mut().filter(|name| name.len() > MAX_NAME) {
            *name = cut_name(name);
        }
        let start = start.with_possible_cube();
        Recorder {
            game: start.state(header.scoring),
            header,
            start,
            presumed_crawford: false,
            turns: 0,
            events: Vec::new(),
            gaps: Vec::new(),
            cubeless: false,
            results: Results::default(),
        }
    }

    /// The same game without a cube.
    #[must_use]
    pub fn without_cube(self) -> Recorder {
        Recorder { cubeless: true, ..self }
    }

    pub(super) fn presume_crawford(&mut self) {
        self.presumed_crawford = true;
    }

    /// The game as it stands.
    #[must_use]
    pub const fn state(&self) -> &GameState {
        &self.game
    }

    /// Names, score and stakes.
    #[must_use]
    pub const fn header(&self) -> &GameHeader {
        &self.header
    }

    /// Where the game began.
    #[must_use]
    pub const fn start(&self) -> &GameStart {
        &self.start
    }

    /// The number of turns so far.
    #[must_use]
    pub const fn turns(&self) -> usize {
        self.turns
    }

    /// The player who must roll, double or answer, also after a roll without its play; `None`
    /// before the first roll and after the end.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        match self.game.next() {
            Next::Roll(player) | Next::Answer(player) => Some(player),
            Next::Play(player, _) => Some(player.other()),
            Next::OpeningRoll | Next::Over(_) => None,
        }
    }

    /// The board before the next roll.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.game.position
    }

    /// The board before the next roll if it is the roll of `player`, which matters at the
    /// beginning.
    #[cfg(feature = "compressed")]
    pub(super) fn position_for(&self, player: Seat) -> Position {
        self.game.begun_by(player).position
    }

    /// Who has borne off all checkers.
    #[cfg(feature = "compressed")]
    pub(super) fn borne_off_by(&self) -> Option<Seat> {
        match self.end() {
            RecordEnd::Natural { winner, .. } => Some(winner),
            _ => None,
        }
    }

    /// The value of the cube, 1..=32768, before a double that is not answered yet. A beaver has
    /// turned it at once.
    #[must_use]
    pub const fn cube(&self) -> u32 {
        self.game.state.cube.value()
    }

    /// The owner of the cube; `None` while it is centred.
    #[must_use]
    pub const fn cube_owner(&self) -> Option<Seat> {
        self.game.state.cube.owner().seat(self.game.state.on_roll)
    }

    /// Whether a double must be answered.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.game.offered_value().is_some()
    }

    /// Records a roll and the board after its play, the opponent on roll.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if it is not the turn of `player`, or no legal play leads to the board.
    pub fn turn(
        &mut self,
        player: Seat,
        dice: Dice,
        after: &Position,
    ) -> Result<(), RecordErrorKind> {
        let rolled = self.rolled(player, dice)?;
        let next = rolled.play_among(after, &mut self.results)?;
        self.played(&rolled, dice, next);
        Ok(())
    }

    /// Records a roll and its play in notation.
    pub(super) fn written(
        &mut self,
        player: Seat,
        dice: Dice,
        play: &str,
    ) -> Result<(), RecordErrorKind> {
        if play.trim().is_empty() {
            return self.unplayed(player, dice);
        }
        let rolled = self.rolled(player, dice)?;
        let index = rolled.position.read_result(play, dice, &mut self.results)?;
        self.played_index(&rolled, dice, index)
    }

    /// Records a roll and the index of the board after it among [`Results::of`].
    pub(super) fn indexed(
        &mut self,
        player: Seat,
        dice: Dice,
        index: impl FnOnce(usize) -> Result<usize, RecordErrorKind>,
    ) -> Result<(), RecordErrorKind> {
        let rolled = self.rolled(player, dice)?;
        let index = index(self.results.of(&rolled.position, dice).len())?;
        self.played_index(&rolled, dice, index)
    }

    /// Records a roll without its play: a dance, a forced play, or the last roll of the game.
    pub(super) fn unplayed(&mut self, player: Seat, dice: Dice) -> Result<(), RecordErrorKind> {
        let rolled = self.rolled(player, dice)?;
        if self.results.of(&rolled.position, dice).len() == 1 {
            return self.played_index(&rolled, dice, 0);
        }
        self.answered_by_rolling();
        self.game = rolled;
        Ok(())
    }

    /// Plays the roll that lacks its play, if it can end the game.
    pub(super) fn bear_off_unplayed(&mut self) -> bool {
        let Next::Play(_, dice) = self.game.next() else { return false };
        let results = self.results.of(&self.game.position, dice);
        let Some(index) = results.iter().position(|after| after.outcome().is_some()) else {
            return false;
        };
        let rolled = self.game.clone();
        self.played_index(&rolled, dice, index).is_ok()
    }

    /// The player of the last roll, if it lacks its play.
    pub(super) fn unplayed_by(&self) -> Option<Seat> {
        self.unplayed_roll().map(|_| self.game.state.on_roll)
    }

    /// The last roll, if it lacks its play.
    pub(super) const fn unplayed_roll(&self) -> Option<Dice> {
        self.game.dice()
    }

    /// The board as it is, the opponent on roll: the last roll was not played, or the turn is
    /// missing. `None` if a double must be answered, or before the first roll.
    pub(super) fn after_missing_turn(&self) -> Option<GameStart> {
        let (Next::Roll(player) | Next::Play(player, _)) = self.game.next() else { return None };
        Some(self.start_at(self.game.position.flipped(), player.other()))
    }

    /// A position with the cube of the game.
    pub(super) const fn start_at(&self, position: Position, on_roll: Seat) -> GameStart {
        let (cube, cube_owner) = (self.cube(), self.cube_owner());
        GameStart { position, on_roll: Some(on_roll), cube, cube_owner }
    }

    /// The boards after the legal plays of a roll of `player`, at most a few, the opponent on roll.
    pub(super) fn boards_after(&mut self, player: Seat, dice: Dice) -> Vec<Position> {
        const FEW: usize = 16;
        let before = self.game.begun_by(player).position;
        self.results.of(&before, dice).iter().take(FEW).copied().collect()
    }

    /// The board after checker moves of `player` that are no legal play.
    pub(super) fn after_illegal(&self, player: Seat, play: &str) -> Option<Position> {
        self.game.begun_by(player).position.after_illegal(play)
    }

    /// A game at the same score from another position.
    pub(super) fn going_on_from(&self, start: GameStart) -> Recorder {
        let (presumed_crawford, cubeless) = (self.presumed_crawford, self.cubeless);
        Recorder { presumed_crawford, cubeless, ..Recorder::from_start(self.header.clone(), start) }
    }

    /// Goes on from another position: a turn is lost, or the position was set up. The cube should
    /// be as before.
    pub fn go_on_from(&mut self, start: GameStart) {
        let start = start.with_possible_cube();
        let event = self.events.len();
        match self.gaps.last_mut() {
            _ if event == 0 => self.start = start,
            Some(gap) if gap.event == event => gap.start = start,
            _ => self.gaps.push(RecordGap { event, start }),
        }
        self.game = start.state(self.header.scoring);
    }

    /// Whether nothing was recorded after the last gap.
    pub(super) fn is_after_gap(&self) -> bool {
        self.gaps.last().is_some_and(|gap| gap.event == self.events.len())
    }

    /// Goes on from the beginning of another game, and with its events.
    pub(super) fn go_on_with(&mut self, other: Recorder) {
        self.go_on_from(other.start);
        self.header.scoring = other.header.scoring;
        self.cubeless = other.cubeless;
        self.turns += other.turns;
        self.events.extend(other.events);
        self.game = other.game;
    }

    /// The place that is reached.
    pub(super) fn mark(&self) -> Mark {
        let (events, turns, gaps) = (self.events.len(), self.turns, self.gaps.len());
        let (start, scoring, game) = (self.start, self.header.scoring, self.game.clone());
        Mark { events, turns, gaps, start, scoring, cubeless: self.cubeless, game }
    }

    /// Goes back to a place.
    pub(super) fn back_to(&mut self, mark: Mark) {
        let Mark { events, turns, gaps, start, scoring, cubeless, game } = mark;
        self.events.truncate(events);
        self.gaps.truncate(gaps);
        (self.turns, self.start, self.game) = (turns, start, game);
        (self.header.scoring, self.cubeless) = (scoring, cubeless);
    }

    /// Whether nothing was recorded yet.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.unplayed_roll().is_none()
    }

    /// The game with a roll of `player`.
    fn rolled(&self, player: Seat, dice: Dice) -> Result<GameState, RecordErrorKind> {
        self.check_running()?;
        let rolled = match self.game.next() {
            Next::OpeningRoll => self.game.opened(player, dice)?,
            // A beaver needs no recorded answer: if the doubler rolls, it is accepted.
            Next::Answer(doubler) if doubler == player && doubler == self.game.state.on_roll => {
                self.game.take()?.rolled(dice)?
            }
            Next::Roll(on_roll) if on_roll != player => return Err(self.out_of_turn(player)),
            _ => self.game.rolled(dice)?,
        };
        if self.turns == MAX_TURNS {
            return Err(RecordErrorKind::TooLong { limit: MAX_TURNS });
        }
        Ok(rolled)
    }

    /// Records the play that leads to a board of `self.results`, which holds those of the roll.
    fn played_index(
        &mut self,
        rolled: &GameState,
        dice: Dice,
        index: usize,
    ) -> Result<(), RecordErrorKind> {
        let results = self.results.as_slice();
        let wrong = RecordErrorKind::NoSuchResult { dice, results: results.len(), index };
        let after = rolled.after(*results.get(index).ok_or(wrong)?);
        self.played(rolled, dice, after);
        Ok(())
    }

    fn played(&mut self, rolled: &GameState, dice: Dice, after: GameState) {
        self.answered_by_rolling();
        let (player, before) = (rolled.state.on_roll, rolled.position);
        let turn = RecordTurn { player, before, dice, after: after.position };
        self.events.push(RecordEvent::Turn(turn));
        self.turns += 1;
        self.game = after;
    }

    /// Records the take of the doubler who rolls after a beaver.
    fn answered_by_rolling(&mut self) {
        if let Next::Answer(player) = self.game.next() {
            self.events.push(RecordEvent::Take { player });
        }
    }

    /// Records that `player` resigns.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the game is over or a double must be answered.
    pub fn resign(&mut self, player: Seat, stake: Stake) -> Result<(), RecordErrorKind> {
        if self.is_offered() {
            return Err(ActionError::Offered.into());
        }
        self.game = self.game.resign(player, stake)?;
        Ok(())
    }

    /// Turns and cube actions so far, in order.
    #[must_use]
    pub fn events(&self) -> &[RecordEvent] {
        &self.events
    }

    /// The game as recorded so far.
    #[must_use]
    pub fn finish(mut self) -> RecordedGame {
        self.events.shrink_to_fit();
        let (end, cube) = (self.end(), self.game.cube_of(Seat::X));
        // The event after a gap shows who was on roll.
        self.gaps.retain(|gap| gap.event < self.events.len());
        for gap in &mut self.gaps {
            if gap.start.on_roll.is_none() {
                let player = self.events[gap.event].player();
                gap.start.on_roll = Some(player);
                if player == Seat::O {
                    gap.start.position = gap.start.position.flipped();
                }
            }
        }
        let Recorder { header, start, events, gaps, cubeless, .. } = self;
        RecordedGame { header, start, events, gaps, end, cube, cubeless }
    }

    fn end(&self) -> RecordEnd {
        let Next::Over(GameResult { winner, .. }) = self.game.next() else {
            return RecordEnd::Unfinished;
        };
        match (self.game.state.game, self.game.state.resigned) {
            (GamePhase::Dropped, _) => RecordEnd::Dropped { winner },
            (GamePhase::Resigned, Some(Resignation { stake, .. })) => {
                RecordEnd::Resigned { winner, stake }
            }
            // The loser would be on roll.
            _ => match self.game.outcome() {
                Some(outcome) => RecordEnd::Natural { winner, outcome: outcome.flipped() },
                None => RecordEnd::Unfinished,
            },
        }
    }

    fn check_running(&self) -> Result<(), RecordErrorKind> {
        match self.game.next() {
            Next::Over(_) => Err(ActionError::Over.into()),
            Next::Play(_, dice) => Err(RecordErrorKind::Unplayed(dice)),
            _ => Ok(()),
        }
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// Corrects the scoring, seen by X.
    fn set_scoring(&mut self, scoring: Scoring) {
        self.header.scoring = scoring;
        self.game.state.scoring =
            if self.game.state.on_roll == Seat::X { scoring } else { scoring.flipped() };
    }

    pub(super) fn name(&self, player: Seat) -> String {
        self.header.names[player.index()].clone()
    }

    fn out_of_turn(&self, player: Seat) -> RecordErrorKind {
        RecordErrorKind::OutOfTurn(self.name(player.other()))
    }
}
