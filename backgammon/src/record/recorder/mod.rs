//! Which turns, words about the cube and results may follow each other: the referee of written games.

mod cube;
mod result;

use super::error::RecordErrorKind;
use super::game::{GameHeader, RecordEnd, RecordEvent, RecordTurn, RecordedGame};
use crate::{Dice, Position, Results, Seat, Stake};

/// Turns after which a game is given up as endless. Untrained nets can shuffle for a long time: of millions of training
/// games one or two run past 3,000.
pub const MAX_TURNS: usize = 5_000;

/// A game while it is written down. Whatever breaks the rules is refused and changes nothing.
///
/// ```
/// use backgammon::record::{GameHeader, RecordEnd, Recorder};
/// use backgammon::{Dice, Position, Scoring, Seat};
///
/// let session = Scoring::Money { jacoby: false, beavers: false };
/// let mut game = Recorder::new(GameHeader { names: ["ann".into(), "bob".into()], session });
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
    /// The Crawford game follows from the score alone; a double shows that the rule was not in use.
    presumed_crawford: bool,
    position: Position,
    on_roll: Option<Seat>,
    cube: u32,
    cube_owner: Option<Seat>,
    offer: Option<Offer>,
    /// A roll without its play: nothing but the end may follow.
    unplayed: Option<Dice>,
    turns: usize,
    events: Vec<RecordEvent>,
    end: Option<RecordEnd>,
    results: Results,
}

/// A cube on its way.
#[derive(Clone, Copy, Debug)]
struct Offer {
    doubler: Seat,
    responder: Seat,
    value: u32,
}

impl Recorder {
    /// A game before its first roll.
    #[must_use]
    pub fn new(header: GameHeader) -> Recorder {
        Recorder {
            header,
            presumed_crawford: false,
            position: Position::START,
            on_roll: None,
            cube: 1,
            cube_owner: None,
            offer: None,
            unplayed: None,
            turns: 0,
            events: Vec::new(),
            end: None,
            results: Results::default(),
        }
    }

    pub(super) fn presume_crawford(&mut self) {
        self.presumed_crawford = true;
    }

    /// Who has to roll, double or answer; `None` before the first roll and after the end.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        if self.end.is_some() {
            return None;
        }
        self.offer.map_or(self.on_roll, |offer| Some(offer.responder))
    }

    /// The board that waits for a roll; the start before the first one.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What the cube shows, 1..=32768, without a double that waits for its answer.
    #[must_use]
    pub const fn cube(&self) -> u32 {
        self.cube
    }

    /// Who may turn the cube; `None` while both may.
    #[must_use]
    pub const fn cube_owner(&self) -> Option<Seat> {
        self.cube_owner
    }

    /// Whether a double waits for its answer.
    #[must_use]
    pub const fn is_offered(&self) -> bool {
        self.offer.is_some()
    }

    /// A roll and the board after its play, the opponent on roll.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if it is not the turn of `player`, or the board follows from no legal play.
    pub fn turn(
        &mut self,
        player: Seat,
        dice: Dice,
        after: &Position,
    ) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        let found = self.results.of(&self.position, dice).iter().position(|b| b == after);
        self.played(player, dice, found.ok_or(RecordErrorKind::NoSuchBoard(dice))?)
    }

    /// A roll and its play in writing.
    pub(super) fn written(
        &mut self,
        player: Seat,
        dice: Dice,
        play: &str,
    ) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        if play.trim().is_empty() {
            return self.unplayed(player, dice);
        }
        let index = self.position.read_result(play, dice, &mut self.results)?;
        self.played(player, dice, index)
    }

    /// A roll and the place of the board after it among [`Results::of`].
    pub(super) fn indexed(
        &mut self,
        player: Seat,
        dice: Dice,
        index: impl FnOnce(usize) -> Result<usize, RecordErrorKind>,
    ) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        let results = self.results.of(&self.position, dice).len();
        let index = index(results)?;
        if index >= results {
            return Err(RecordErrorKind::NoSuchResult { dice, results, index });
        }
        self.played(player, dice, index)
    }

    /// A roll of which the record does not say how it was played: a dance, or the last thing before the end.
    pub(super) fn unplayed(&mut self, player: Seat, dice: Dice) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        let dance = self.position.flipped();
        if self.results.of(&self.position, dice) == [dance] {
            return self.played(player, dice, 0);
        }
        self.answered_by_rolling();
        self.on_roll = Some(player.other());
        self.unplayed = Some(dice);
        Ok(())
    }

    fn may_roll(&self, player: Seat, dice: Dice) -> Result<(), RecordErrorKind> {
        self.goes_on()?;
        if let Some(offer) = self.offer {
            // A beaver needs no written answer: the doubler rolls.
            if offer.responder != offer.doubler || offer.responder != player {
                return Err(RecordErrorKind::Cube("a double waits for its answer"));
            }
        }
        if self.on_roll.is_some_and(|on_roll| on_roll != player) {
            return Err(self.out_of_turn(player));
        }
        if self.on_roll.is_none() && dice.is_double() {
            return Err(RecordErrorKind::OpeningDouble(dice));
        }
        if self.turns == MAX_TURNS {
            return Err(RecordErrorKind::TooLong { limit: MAX_TURNS });
        }
        Ok(())
    }

    /// The results of `dice` are in the buffer, and `player` may roll.
    fn played(&mut self, player: Seat, dice: Dice, index: usize) -> Result<(), RecordErrorKind> {
        let results = self.results.as_slice();
        let wrong = RecordErrorKind::NoSuchResult { dice, results: results.len(), index };
        let after = *results.get(index).ok_or(wrong)?;
        self.answered_by_rolling();
        self.events.push(RecordEvent::Turn(RecordTurn {
            player,
            before: self.position,
            dice,
            after,
        }));
        self.turns += 1;
        self.position = after;
        self.on_roll = Some(player.other());
        if let Some(outcome) = after.outcome() {
            self.end = Some(RecordEnd::Natural { winner: player, outcome: outcome.flipped() });
        }
        Ok(())
    }

    fn answered_by_rolling(&mut self) {
        if let Some(offer) = self.offer.take() {
            self.taken(offer);
        }
    }

    /// `player` gives up.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the game is over or a double waits for its answer.
    pub fn resign(&mut self, player: Seat, stake: Stake) -> Result<(), RecordErrorKind> {
        if self.end.is_some() {
            return Err(RecordErrorKind::Over);
        }
        if self.offer.is_some() {
            return Err(RecordErrorKind::Cube("a double waits for its answer"));
        }
        self.end = Some(RecordEnd::Resigned { winner: player.other(), stake });
        Ok(())
    }

    /// The game as far as it was written down.
    #[must_use]
    pub fn finish(self) -> RecordedGame {
        RecordedGame {
            header: self.header,
            events: self.events,
            end: self.end.unwrap_or(RecordEnd::Unfinished),
            cube: self.cube,
        }
    }

    fn goes_on(&self) -> Result<(), RecordErrorKind> {
        match (self.end, self.unplayed) {
            (Some(_), _) => Err(RecordErrorKind::Over),
            (None, Some(dice)) => Err(RecordErrorKind::Unplayed(dice)),
            (None, None) => Ok(()),
        }
    }

    /// Whether somebody has won.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.end.is_some()
    }

    pub(super) fn name(&self, player: Seat) -> String {
        self.header.names[player.index()].clone()
    }

    fn out_of_turn(&self, player: Seat) -> RecordErrorKind {
        RecordErrorKind::OutOfTurn(self.name(player.other()))
    }
}
