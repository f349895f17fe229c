//! Checks the result that a record states.

use super::Recorder;
use crate::record::error::RecordErrorKind;
use crate::record::game::{GameHeader, RecordEnd, RecordedGame, factor};
use crate::{Outcome, Scoring, Seat, Stake};

impl Recorder {
    /// Records the stated result: that of a game that is over, a resignation, or a refused double whose drop is not
    /// recorded.
    pub(in crate::record) fn stated(
        &mut self,
        winner: Seat,
        points: u32,
    ) -> Result<(), RecordErrorKind> {
        if self.end.is_some() {
            return self.check_result(winner, points);
        }
        if let Some(offer) = self.offer {
            if offer.responder == winner || points != offer.value / 2 {
                return Err(RecordErrorKind::Cube(
                    "missing answer to a double: expected take, drop or beaver",
                ));
            }
            return self.drop(offer.responder);
        }
        let stakes = [Stake::Single, Stake::Gammon, Stake::Backgammon];
        let exact = stakes.into_iter().find(|&stake| factor(stake) * self.cube == points);
        // Some writers count only the points that the match still needs.
        let enough = || {
            let stake = stakes.into_iter().find(|&stake| factor(stake) * self.cube > points);
            stake.filter(|_| self.needs(winner) == Some(points))
        };
        let Some(stake) = exact.or_else(enough) else {
            return Err(RecordErrorKind::Result {
                stated: points_of(&self.header, winner, points),
                played: format!("1, 2 or 3 times the cube value {}", self.cube),
            });
        };
        self.unplayed = None;
        self.resign(winner.other(), stake)
    }

    fn check_result(&mut self, winner: Seat, points: u32) -> Result<(), RecordErrorKind> {
        let Some((player, won)) = self.result() else { return Err(RecordErrorKind::Over) };
        if let (RecordEnd::Natural { outcome, .. }, Scoring::Money { jacoby, .. }) =
            (self.end.unwrap_or(RecordEnd::Unfinished), &mut self.header.scoring)
            && self.cube_owner.is_none()
            && outcome != Outcome::Win
        {
            // The stated points show whether the Jacoby rule was in use.
            if points == 1 {
                *jacoby = true;
            } else if points == outcome.points().unsigned_abs() {
                *jacoby = false;
            }
        }
        let (_, now) = self.result().unwrap_or((player, won));
        let capped = points < now && self.needs(player) == Some(points);
        if winner == player && (points == now || capped) {
            return Ok(());
        }
        Err(RecordErrorKind::Result {
            stated: points_of(&self.header, winner, points),
            played: points_of(&self.header, player, now),
        })
    }

    fn result(&self) -> Option<(Seat, u32)> {
        let game = RecordedGame {
            header: self.header.clone(),
            events: Vec::new(),
            end: self.end?,
            cube: self.cube,
        };
        game.won()
    }

    /// The winner, if the game is over.
    pub(in crate::record) fn winner(&self) -> Option<Seat> {
        self.result().map(|(winner, _)| winner)
    }

    /// Points that `player` still needs; `None` for money.
    fn needs(&self, player: Seat) -> Option<u32> {
        let (a, b) = self.header.scoring.away()?;
        Some(u32::from(if player == Seat::X { a } else { b }))
    }
}

fn points_of(header: &GameHeader, player: Seat, points: u32) -> String {
    let s = if points == 1 { "" } else { "s" };
    format!("{points} point{s} for {}", header.names[player.index()])
}
