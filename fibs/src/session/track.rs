//! Tracking turns: finds the play between two boards, or detects that lines were missed.

use backgammon::{Dice, FibsBoard, Position, Side, candidates};

use crate::agent::Event;

/// Follows the turns of one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracker {
    state: Option<TrackState>,
    /// The next start position begins a game.
    new_game: bool,
    /// The game has been announced.
    announced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TrackState {
    /// The checkers from our side, independent of who is on roll.
    position: Position,
    own: bool,
    dice: Option<Dice>,
}

/// The board does not follow from the one before.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gap;

impl TrackState {
    fn turn(&self, dice: Dice, after: Position) -> Event {
        let before = if self.own { self.position } else { self.position.flipped() };
        Event::Turn { own: self.own, dice, before, after }
    }
}

/// Whether a legal play of the roll leads to `after`; a roll that cannot be played leads to the
/// same board.
fn is_legal(before: &Position, dice: Dice, after: &Position) -> bool {
    candidates(before, dice).iter().any(|play| play.after == *after)
}

impl Tracker {
    /// Forgets the game: the next board is taken as it is.
    pub(super) fn forget(&mut self) {
        *self = Tracker::default();
        self.announced = true;
    }

    /// A game is about to begin.
    pub(super) fn expect_game(&mut self) {
        *self = Tracker { new_game: true, ..Tracker::default() };
    }

    /// The opening roll.
    pub(super) fn opening(&mut self, own: u8, other: u8) {
        let dice = Dice::new(own, other).filter(|dice| !dice.is_double());
        if self.new_game && dice.is_some() {
            self.state = Some(TrackState { position: Position::START, own: own > other, dice });
        }
    }

    /// A board arrived.
    pub(super) fn board(&mut self, board: &FibsBoard, out: &mut Vec<Event>) -> Result<(), Gap> {
        let own = match board.on_roll() {
            None => return Ok(()),
            Some(side) => side == Side::Own,
        };
        // While a double waits, the board names the player who must answer, not the one on roll.
        if board.shows_double() {
            return Ok(());
        }
        let now = TrackState { position: board.position, own, dice: board.rolled() };
        if self.new_game && now.position == Position::START {
            self.new_game = false;
            self.announced = true;
            out.push(Event::Game {
                length: board.length,
                score: board.score,
                crawford: board.is_crawford(),
            });
        }
        let Some(state) = self.state else {
            self.state = Some(now);
            let missed = !self.announced;
            self.announced = true;
            return if missed { Err(Gap) } else { Ok(()) };
        };
        if now.position == state.position && now.own == state.own {
            let known = state.dice.is_none() || now.dice.is_none() || state.dice == now.dice;
            self.state = Some(TrackState { dice: now.dice.or(state.dice), ..now });
            return if known { Ok(()) } else { Err(Gap) };
        }
        self.state = Some(now);
        if let Some(dice) = state.dice
            && now.own != state.own
        {
            let (before, after) = if state.own {
                (state.position, now.position.flipped())
            } else {
                (state.position.flipped(), now.position)
            };
            if is_legal(&before, dice, &after) {
                out.push(state.turn(dice, after));
                return Ok(());
            }
        }
        Err(Gap)
    }

    /// A sentence told the rolled dice.
    pub(super) fn rolled(&mut self, own: bool, dice: Dice) {
        if let Some(state) = &mut self.state
            && state.own == own
            && state.dice.is_none()
        {
            state.dice = Some(dice);
        }
    }

    /// The server does not know of the own roll.
    pub(super) fn forget_roll(&mut self) {
        if let Some(state) = &mut self.state
            && state.own
        {
            state.dice = None;
        }
    }

    /// A sentence named a play: reports it if it is legal for the roll.
    pub(super) fn played(&mut self, own: bool, after: Position, out: &mut Vec<Event>) {
        let Some(state) = self.state.filter(|state| state.own == own) else { return };
        let Some(dice) = state.dice else { return };
        let before = if own { state.position } else { state.position.flipped() };
        if is_legal(&before, dice, &after) {
            out.push(state.turn(dice, after));
            let position = if own { after.flipped() } else { after };
            self.state = Some(TrackState { position, own: !own, dice: None });
        }
    }

    /// The position seen by the player who is to play and the roll, if it is that player's turn.
    pub(super) fn to_play(&self, own: bool) -> Option<(Position, Dice)> {
        let state = self.state.filter(|state| state.own == own)?;
        let position = if own { state.position } else { state.position.flipped() };
        Some((position, state.dice?))
    }
}
