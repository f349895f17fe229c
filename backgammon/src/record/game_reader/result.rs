//! How a game ended: by the board, by a refused double, by the words of the result, by the next
//! score.

use super::GameReader;
use crate::record::error::RecordErrorKind;
use crate::{ActionError, Seat};

/// The words of the result.
#[derive(Default)]
pub(super) struct Words {
    /// Winner, points and line of `Wins n points`.
    pub(super) wins: Option<(Seat, Option<u32>, u64)>,
    /// Loser, points and line of `Losses n points`, `Resigns` and the like.
    pub(super) loses: Option<(Seat, Option<u32>, u64)>,
}

impl GameReader {
    /// Finds out how the game ended; `false` if nothing shows it.
    pub(super) fn end(&mut self, next: Option<[u32; 2]>) -> bool {
        let stated = self.stated(next);
        // A roll that takes the last checkers off is often written without its play.
        if let Some(roller) = self.recorder.unplayed_by()
            && let Some((winner, _, _)) = stated
            && (winner == roller || (!self.hidden && next.is_none()))
        {
            self.recorder.bear_off_unplayed();
        }
        let Some((winner, points, line)) = stated else { return self.recorder.is_over() };
        if self.recorder.is_over() {
            // A column does not show the winner of a game that the board has decided.
            let shown = self.result.wins.is_none_or(|(by_column, _, _)| by_column != winner);
            let winner = shown.then_some(winner);
            if let Err(reason) = self.recorder.check_result(winner, points) {
                self.warn(line, reason);
            }
            return true;
        }
        if let Some(doubler) = self.recorder.offered_by() {
            let done = if winner == doubler {
                self.recorder
                    .drop(doubler.other())
                    .and_then(|()| self.recorder.check_result(Some(winner), points))
            } else {
                Err(ActionError::Offered.into())
            };
            if let Err(reason) = done {
                self.warn(line, reason);
            }
            return self.recorder.is_over();
        }
        let mut points = points.unwrap_or_else(|| self.recorder.cube());
        if points > 3 * self.recorder.cube() {
            // Some servers write such a number if a player left the match.
            let played = format!("at most 3 times the cube value {}", self.recorder.cube());
            let stated = format!("{points} points for {}", self.recorder.name(winner));
            self.warn(line, RecordErrorKind::Result { stated, played });
            let most = 3 * self.recorder.cube();
            let gained = self.gained(next).filter(|(player, _)| *player == winner);
            let needed = self.recorder.needs(winner).unwrap_or(self.recorder.cube());
            points = gained.map_or(needed, |(_, points)| points).min(most);
            // Its own points are no news after this warning.
            let _ = self.recorder.resign_points(winner, points);
        } else if let Err(reason) = self.recorder.resign_points(winner, points) {
            self.warn(line, reason);
        }
        true
    }

    /// Winner, points and line of the result, by its words and by the next score.
    fn stated(&self, next: Option<[u32; 2]>) -> Option<(Seat, Option<u32>, u64)> {
        let gained = self.gained(next);
        let words = self.result.wins.or_else(|| {
            self.result.loses.map(|(loser, points, line)| (loser.other(), points, line))
        });
        match (words, gained) {
            // The column of the words may be shifted; the next score is not.
            (Some((winner, points, line)), Some((gainer, gain)))
                if winner != gainer && points.is_none_or(|points| points == gain) =>
            {
                Some((gainer, points.or(Some(gain)), line))
            }
            (Some((winner, None, line)), Some((gainer, gain))) if winner == gainer => {
                Some((winner, Some(gain), line))
            }
            (Some(words), _) => Some(words),
            (None, Some((gainer, gain))) => Some((gainer, Some(gain), self.rolled)),
            (None, None) => None,
        }
    }

    /// The only player with a higher score than before, and the points gained.
    fn gained(&self, next: Option<[u32; 2]>) -> Option<(Seat, u32)> {
        let [x, o] = next?;
        match (x.checked_sub(self.score[0])?, o.checked_sub(self.score[1])?) {
            (gain @ 1.., 0) => Some((Seat::X, gain)),
            (0, gain @ 1..) => Some((Seat::O, gain)),
            _ => None,
        }
    }
}
