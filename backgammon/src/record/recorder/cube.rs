//! Cube actions: doubles, beavers, takes and drops.

use super::{Offer, Recorder};
use crate::record::error::RecordErrorKind;
use crate::record::game::{RecordEnd, RecordEvent};
use crate::{Cube, MatchScore, Position, Scoring, Seat};

impl Recorder {
    /// Records that the player on roll doubles.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if `player` may not double.
    pub fn double(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        self.check_running()?;
        let scoring = self.header.scoring;
        if self.offer.is_some() {
            return Err(RecordErrorKind::Cube(
                "missing answer to a double: expected take, drop or beaver",
            ));
        }
        match self.on_roll {
            None if self.start.position == Position::START => {
                return Err(RecordErrorKind::Cube("invalid double before the first roll"));
            }
            None => {}
            Some(on_roll) if on_roll != player => return Err(self.out_of_turn(player)),
            Some(_) => {}
        }
        if self.cube_owner.is_some_and(|owner| owner != player) {
            return Err(RecordErrorKind::Cube("invalid double: the opponent owns the cube"));
        }
        let value = self.next_value(self.cube)?;
        if let (false, Scoring::Match(score)) = (scoring.may_use_cube(), scoring) {
            if !self.presumed_crawford {
                return Err(RecordErrorKind::Cube("invalid double in the Crawford game"));
            }
            let played = MatchScore::new(score.length(), score.own(), score.opponent(), false)?;
            self.header.scoring = Scoring::Match(played);
        }
        self.begins(player);
        self.on_roll = Some(player);
        self.offer = Some(Offer { doubler: player, responder: player.other(), value });
        self.events.push(RecordEvent::Double { player, value });
        Ok(())
    }

    /// Records a beaver: the doubled player redoubles at once and keeps the cube. The same by the doubler is a raccoon.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no double was offered, or in a match.
    pub fn beaver(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        let offer = self.offer_to(player)?;
        if matches!(self.header.scoring, Scoring::Match(_)) {
            return Err(RecordErrorKind::Cube("invalid beaver: beavers are for money games only"));
        }
        let value = self.next_value(offer.value)?;
        self.offer = Some(Offer { responder: player.other(), value, ..offer });
        self.events.push(RecordEvent::Beaver { player, value });
        Ok(())
    }

    /// Records a take.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if there is nothing for `player` to accept.
    pub fn take(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        let offer = self.offer_to(player)?;
        self.offer = None;
        self.taken(offer);
        Ok(())
    }

    pub(super) fn taken(&mut self, offer: Offer) {
        self.events.push(RecordEvent::Take { player: offer.responder });
        self.cube = offer.value;
        // After a beaver the player who was doubled first keeps the cube.
        self.cube_owner = Some(offer.doubler.other());
    }

    /// Records a drop: the game is lost at the value of the cube before the double.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if there is nothing for `player` to refuse.
    pub fn drop(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        let offer = self.offer_to(player)?;
        self.offer = None;
        self.cube = offer.value / 2;
        self.events.push(RecordEvent::Drop { player });
        self.end = Some(RecordEnd::Dropped { winner: player.other() });
        Ok(())
    }

    /// Checks the new value of the cube, for records that write it.
    pub(in crate::record) fn check_cube_value(&self, written: u32) -> Result<(), RecordErrorKind> {
        let shows = self.offer.map_or(self.cube, |offer| offer.value);
        if written == shows * 2 {
            return Ok(());
        }
        Err(RecordErrorKind::CubeValue { written, expected: shows * 2 })
    }

    /// Infers automatic doubles from the written value of the first double of a money game.
    pub(in crate::record) fn infer_automatic_doubles(&mut self, written: u32) {
        let untouched = self.cube_owner.is_none() && self.offer.is_none() && self.cube == 1;
        let money = matches!(self.header.scoring, Scoring::Money { .. });
        if untouched
            && money
            && written.is_power_of_two()
            && (4..=1 << Cube::MAX_LOG2).contains(&written)
        {
            (self.cube, self.start.cube) = (written / 2, written / 2);
        }
    }

    /// The doubler, if a double is not answered yet.
    pub(in crate::record) fn offered_by(&self) -> Option<Seat> {
        self.offer.map(|offer| offer.doubler)
    }

    pub(in crate::record) fn was_dropped_by(&self, player: Seat) -> bool {
        matches!(self.end, Some(RecordEnd::Dropped { winner }) if winner == player.other())
    }

    fn next_value(&self, value: u32) -> Result<u32, RecordErrorKind> {
        if value >> Cube::MAX_LOG2 != 0 {
            return Err(RecordErrorKind::Cube(
                "invalid double: the cube shows 32768, its highest value",
            ));
        }
        Ok(value * 2)
    }

    fn offer_to(&self, player: Seat) -> Result<Offer, RecordErrorKind> {
        self.check_running()?;
        match self.offer {
            None => Err(RecordErrorKind::Cube("unexpected answer: no double was offered")),
            Some(offer) if offer.responder != player => Err(self.out_of_turn(player)),
            Some(offer) => Ok(offer),
        }
    }
}
