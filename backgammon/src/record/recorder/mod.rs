//! [`Recorder`]: records a game and checks every turn, cube action and result against the rules.

mod cube;
mod result;

use super::error::RecordErrorKind;
use super::game::{GameHeader, GameStart, RecordEnd, RecordEvent, RecordTurn, RecordedGame};
use crate::{Dice, Position, Results, Seat, Stake};

/// The most turns of a game; longer games are abandoned as endless. Untrained nets can shuffle for a long time: of
/// millions of training games one or two run past 3,000.
pub const MAX_TURNS: usize = 5_000;

/// A game while it is recorded. An action that breaks the rules is an error and changes nothing.
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
    /// Whether the Crawford game is inferred from the score alone; a double in it shows that the rule was not in use.
    presumed_crawford: bool,
    position: Position,
    on_roll: Option<Seat>,
    cube: u32,
    cube_owner: Option<Seat>,
    offer: Option<Offer>,
    /// A roll without its play: only the end of the game may follow.
    unplayed: Option<Dice>,
    turns: usize,
    events: Vec<RecordEvent>,
    end: Option<RecordEnd>,
    results: Results,
}

/// An offered cube.
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
        Recorder::from_start(header, GameStart::USUAL)
    }

    /// A game that begins in a position that was set up.
    #[must_use]
    pub fn from_start(header: GameHeader, start: GameStart) -> Recorder {
        Recorder {
            header,
            start,
            presumed_crawford: false,
            position: start.position,
            on_roll: start.on_roll,
            cube: start.cube,
            cube_owner: start.cube_owner,
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

    /// The player who must roll, double or answer; `None` before the first roll and after the end.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        if self.end.is_some() {
            return None;
        }
        self.offer.map_or(self.on_roll, |offer| Some(offer.responder))
    }

    /// The board before the next roll.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The board before the next roll if it is the roll of `player`, which matters at the beginning.
    #[cfg(feature = "compressed")]
    pub(super) fn position_for(&self, player: Seat) -> Position {
        match self.on_roll {
            None if player == Seat::O => self.start.position.flipped(),
            None => self.start.position,
            Some(_) => self.position,
        }
    }

    /// Who has borne off all checkers.
    #[cfg(feature = "compressed")]
    pub(super) const fn borne_off_by(&self) -> Option<Seat> {
        match self.end {
            Some(RecordEnd::Natural { winner, .. }) => Some(winner),
            _ => None,
        }
    }

    /// The value of the cube, 1..=32768, before a double that is not answered yet.
    #[must_use]
    pub const fn cube(&self) -> u32 {
        self.cube
    }

    /// The owner of the cube; `None` while it is centred.
    #[must_use]
    pub const fn cube_owner(&self) -> Option<Seat> {
        self.cube_owner
    }

    /// Whether a double must be answered.
    #[must_use]
    pub const fn is_offered(&self) -> bool {
        self.offer.is_some()
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
        self.may_roll(player, dice)?;
        self.begins(player);
        let found = self.results.of(&self.position, dice).iter().position(|b| b == after);
        self.played(player, dice, found.ok_or(RecordErrorKind::NoSuchBoard(dice))?)
    }

    /// Records a roll and its play in notation.
    pub(super) fn written(
        &mut self,
        player: Seat,
        dice: Dice,
        play: &str,
    ) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        self.begins(player);
        if play.trim().is_empty() {
            return self.unplayed(player, dice);
        }
        let index = self.position.read_result(play, dice, &mut self.results)?;
        self.played(player, dice, index)
    }

    /// Records a roll and the index of the board after it among [`Results::of`].
    pub(super) fn indexed(
        &mut self,
        player: Seat,
        dice: Dice,
        index: impl FnOnce(usize) -> Result<usize, RecordErrorKind>,
    ) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        self.begins(player);
        let results = self.results.of(&self.position, dice).len();
        let index = index(results)?;
        if index >= results {
            return Err(RecordErrorKind::NoSuchResult { dice, results, index });
        }
        self.played(player, dice, index)
    }

    /// Records a roll without its play: a dance, a forced play, or the last roll of the game.
    pub(super) fn unplayed(&mut self, player: Seat, dice: Dice) -> Result<(), RecordErrorKind> {
        self.may_roll(player, dice)?;
        self.begins(player);
        if self.results.of(&self.position, dice).len() == 1 {
            return self.played(player, dice, 0);
        }
        self.answered_by_rolling();
        self.on_roll = Some(player.other());
        self.unplayed = Some(dice);
        Ok(())
    }

    /// In a position that was set up without a player on roll, the first to act is on roll.
    fn begins(&mut self, player: Seat) {
        if self.on_roll.is_none() && player == Seat::O && self.turns == 0 {
            self.position = self.start.position.flipped();
        } else if self.on_roll.is_none() && self.turns == 0 {
            self.position = self.start.position;
        }
    }

    /// Plays the roll that lacks its play, if it can end the game.
    pub(super) fn bear_off_unplayed(&mut self) -> bool {
        let (Some(dice), Some(next)) = (self.unplayed, self.on_roll) else { return false };
        let results = self.results.of(&self.position, dice);
        let Some(index) = results.iter().position(|after| after.outcome().is_some()) else {
            return false;
        };
        self.unplayed = None;
        self.on_roll = Some(next.other());
        self.played(next.other(), dice, index).is_ok()
    }

    /// The player whose last roll lacks its play.
    pub(super) fn unplayed_by(&self) -> Option<Seat> {
        self.unplayed.and(self.on_roll).map(Seat::other)
    }

    /// The last roll, if it lacks its play.
    pub(super) const fn unplayed_roll(&self) -> Option<Dice> {
        self.unplayed
    }

    /// The game from the board as it is, the opponent on roll: the last roll was not played, or the turn is missing. `None` if a
    /// double must be answered, or before the first roll.
    pub(super) fn after_missing_turn(&self) -> Option<Recorder> {
        let on_roll = match (self.unplayed, self.end, self.offer) {
            (_, Some(_), _) | (None, None, Some(_)) => return None,
            (Some(_), None, _) => self.on_roll?,
            (None, None, None) => self.on_roll?.other(),
        };
        let position = self.position.flipped();
        let (cube, cube_owner) = (self.cube, self.cube_owner);
        let start = GameStart { position, on_roll: Some(on_roll), cube, cube_owner };
        Some(self.going_on_from(start))
    }

    /// A game at the same score from another position.
    pub(super) fn going_on_from(&self, start: GameStart) -> Recorder {
        let presumed_crawford = self.presumed_crawford;
        Recorder { presumed_crawford, ..Recorder::from_start(self.header.clone(), start) }
    }

    pub(super) const fn header(&self) -> &GameHeader {
        &self.header
    }

    /// Whether nothing was recorded yet.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.unplayed.is_none()
    }

    pub(super) const fn turns(&self) -> usize {
        self.turns
    }

    fn may_roll(&self, player: Seat, dice: Dice) -> Result<(), RecordErrorKind> {
        self.check_running()?;
        if let Some(offer) = self.offer {
            // A beaver needs no recorded answer: if the doubler rolls, it is accepted.
            if offer.responder != offer.doubler || offer.responder != player {
                return Err(RecordErrorKind::Cube(
                    "missing answer to a double: expected take, drop or beaver",
                ));
            }
        }
        if self.on_roll.is_some_and(|on_roll| on_roll != player) {
            return Err(self.out_of_turn(player));
        }
        let usual = self.start.position == Position::START;
        if self.on_roll.is_none() && usual && dice.is_double() {
            return Err(RecordErrorKind::OpeningDouble(dice));
        }
        if self.turns == MAX_TURNS {
            return Err(RecordErrorKind::TooLong { limit: MAX_TURNS });
        }
        Ok(())
    }

    /// Records the play; `player` may roll, and `self.results` holds the results of `dice`.
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

    /// Records that `player` resigns.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the game is over or a double must be answered.
    pub fn resign(&mut self, player: Seat, stake: Stake) -> Result<(), RecordErrorKind> {
        if self.end.is_some() {
            return Err(RecordErrorKind::Over);
        }
        if self.offer.is_some() {
            return Err(RecordErrorKind::Cube(
                "missing answer to a double: expected take, drop or beaver",
            ));
        }
        self.unplayed = None;
        self.end = Some(RecordEnd::Resigned { winner: player.other(), stake });
        Ok(())
    }

    /// Turns and cube actions so far, in order.
    #[must_use]
    pub fn events(&self) -> &[RecordEvent] {
        &self.events
    }

    /// The game as recorded so far.
    #[must_use]
    pub fn finish(self) -> RecordedGame {
        RecordedGame {
            header: self.header,
            start: self.start,
            events: self.events,
            end: self.end.unwrap_or(RecordEnd::Unfinished),
            cube: self.cube,
        }
    }

    fn check_running(&self) -> Result<(), RecordErrorKind> {
        match (self.end, self.unplayed) {
            (Some(_), _) => Err(RecordErrorKind::Over),
            (None, Some(dice)) => Err(RecordErrorKind::Unplayed(dice)),
            (None, None) => Ok(()),
        }
    }

    /// Whether the game is over.
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
