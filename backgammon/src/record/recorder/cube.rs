//! Cube actions: doubles, beavers, takes and drops.

use super::Recorder;
use crate::record::error::RecordErrorKind;
use crate::record::game::RecordEvent;
use crate::{ActionError, Cube, CubeOwner, GamePhase, MatchScore, Next, Position, Scoring, Seat};

impl Recorder {
    /// Records that the player on roll doubles.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if `player` may not double.
    pub fn double(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        self.check_running()?;
        let before = match self.game.next() {
            Next::Roll(on_roll) if on_roll != player => return Err(self.out_of_turn(player)),
            // The game begins, or goes on, in a position that was set up.
            Next::OpeningRoll if self.game.position != Position::START => {
                self.game.begun_by(player)
            }
            _ => self.game.clone(),
        };
        let doubled = match (before.double(), self.header.scoring) {
            (Err(ActionError::Crawford), Scoring::Match(score)) if self.presumed_crawford => {
                let played = MatchScore::new(score.length(), score.own(), score.opponent(), false)?;
                self.set_scoring(Scoring::Match(played));
                self.game.begun_by(player).double()?
            }
            (doubled, _) => doubled?,
        };
        let value = doubled.state.cube.doubled().value();
        self.events.push(RecordEvent::Double { player, value });
        (self.game, self.cubeless) = (doubled, false);
        Ok(())
    }

    /// Records a beaver: the doubled player redoubles at once and keeps the cube. The same by the
    /// doubler is a raccoon.
    ///
    /// # Errors
    /// [`RecordErrorKind`] in these cases:
    ///
    /// - There is no double for `player` to answer.
    /// - The game is in a match.
    /// - The cube that was offered shows its highest value.
    pub fn beaver(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        self.check_answer(player)?;
        // Whether beavers are played, the record itself shows.
        self.game = self.game.beaver_in_money_games()?;
        if let Scoring::Money { jacoby, .. } = self.header.scoring {
            self.set_scoring(Scoring::Money { jacoby, beavers: true });
        }
        let value = self.game.state.cube.doubled().value();
        self.events.push(RecordEvent::Beaver { player, value });
        Ok(())
    }

    /// Records a take.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if there is nothing for `player` to accept.
    pub fn take(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        self.check_answer(player)?;
        self.game = self.game.take()?;
        self.events.push(RecordEvent::Take { player });
        Ok(())
    }

    /// Records a drop: the game is lost at the value of the cube before the double.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if there is nothing for `player` to refuse.
    pub fn drop(&mut self, player: Seat) -> Result<(), RecordErrorKind> {
        self.check_answer(player)?;
        self.game = self.game.pass()?;
        self.events.push(RecordEvent::Drop { player });
        Ok(())
    }

    /// Checks the new value of the cube, for records that write it.
    pub(in crate::record) fn check_cube_value(&self, written: u32) -> Result<(), RecordErrorKind> {
        let expected = 2 * self.game.offered_value().unwrap_or(self.cube());
        if written == expected {
            return Ok(());
        }
        Err(RecordErrorKind::CubeValue { written, expected })
    }

    /// Infers automatic doubles from the written value of the first double of a money game.
    pub(in crate::record) fn infer_automatic_doubles(&mut self, written: u32) {
        let untouched = self.game.state.cube == Cube::CENTRED && !self.is_offered();
        let money = matches!(self.header.scoring, Scoring::Money { .. });
        if untouched
            && money
            && written >= 4
            && let Ok(cube) = Cube::new(written, CubeOwner::Centred)
        {
            self.start.cube = cube.value() / 2;
            self.game.state.cube = self.start.state(self.header.scoring).state.cube;
        }
    }

    /// The doubler, if a double is not answered yet.
    pub(in crate::record) fn offered_by(&self) -> Option<Seat> {
        self.is_offered().then_some(self.game.state.on_roll)
    }

    pub(in crate::record) fn was_dropped_by(&self, player: Seat) -> bool {
        let winner = self.game.result().map(|result| result.winner);
        self.game.state.game == GamePhase::Dropped && winner == Some(player.other())
    }

    fn check_answer(&self, player: Seat) -> Result<(), RecordErrorKind> {
        self.check_running()?;
        match self.game.next() {
            Next::Answer(expected) if expected != player => Err(self.out_of_turn(player)),
            Next::Answer(_) => Ok(()),
            _ => Err(ActionError::NotOffered.into()),
        }
    }
}
