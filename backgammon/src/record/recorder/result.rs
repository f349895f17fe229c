//! Compares a stated result with the game, and infers the resigned stake.

use super::Recorder;
use crate::record::error::RecordErrorKind;
use crate::record::game::{GameHeader, RecordEnd};
use crate::{GameResult, Outcome, Scoring, Seat, Stake};

impl Recorder {
    /// Compares a stated result with that of a game that is over. Points beyond those that the
    /// match needs do not count.
    pub(in crate::record) fn check_result(
        &mut self,
        winner: Option<Seat>,
        points: Option<u32>,
    ) -> Result<(), RecordErrorKind> {
        let Some(GameResult { winner: player, points: won }) = self.game.result() else {
            return Ok(());
        };
        let points = points.unwrap_or(won);
        if let (RecordEnd::Natural { outcome, .. }, Scoring::Money { beavers, .. }) =
            (self.end(), self.header.scoring)
            && self.cube_owner().is_none()
            && outcome != Outcome::Win
        {
            // The stated points show whether the Jacoby rule was in use. Automatic doubles
            // multiply them.
            let cube = self.cube();
            if points == cube {
                self.set_scoring(Scoring::Money { jacoby: true, beavers });
            } else if points == outcome.points().unsigned_abs() * cube {
                self.set_scoring(Scoring::Money { jacoby: false, beavers });
            }
        }
        let now = self.game.result().map_or(won, |result| result.points);
        let counted = |points: u32| self.needs(player).map_or(points, |needs| points.min(needs));
        let winner = winner.unwrap_or(player);
        if winner == player && counted(points) == counted(now) {
            return Ok(());
        }
        Err(RecordErrorKind::Result {
            stated: points_of(&self.header, winner, points),
            played: points_of(&self.header, player, now),
        })
    }

    /// Records that the opponent of `winner` resigned `points`, as the smallest stake that reaches
    /// them.
    ///
    /// The error says that no stake is worth exactly these points. The resignation is recorded all
    /// the same.
    pub(in crate::record) fn resign_points(
        &mut self,
        winner: Seat,
        points: u32,
    ) -> Result<(), RecordErrorKind> {
        let cube = self.cube();
        let reaches = |stake: &Stake| stake.points() * cube >= points;
        let stake = Stake::ALL.into_iter().find(reaches);
        let exact = stake.is_some_and(|stake| stake.points() * cube == points);
        let capped = stake.is_some() && self.needs(winner) == Some(points);
        let stated = points_of(&self.header, winner, points);
        self.resign(winner.other(), stake.unwrap_or(Stake::Backgammon))?;
        if exact || capped {
            return Ok(());
        }
        let played = format!("1, 2 or 3 times the cube value {cube}");
        Err(RecordErrorKind::Result { stated, played })
    }

    /// Points that `player` still needs; `None` for money.
    pub(in crate::record) fn needs(&self, player: Seat) -> Option<u32> {
        let (a, b) = self.header.scoring.away()?;
        Some(u32::from(if player == Seat::X { a } else { b }))
    }
}

fn points_of(header: &GameHeader, player: Seat, points: u32) -> String {
    let s = if points == 1 { "" } else { "s" };
    format!("{points} point{s} for {}", header.names[player.index()])
}
