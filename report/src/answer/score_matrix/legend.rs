//! The plays of a score matrix by their letters, and what a cell says of them.

use std::cmp::Reverse;

use super::{CubeInCell, Decided, MatrixPlay, PlayInCell};
use crate::answer::no_play_or;
use nonet_engine::backgammon::Position;
use nonet_engine::engine::ScoredMove;

/// The plays with their letters.
pub(super) struct Legend {
    pub(super) plays: Vec<MatrixPlay>,
    /// The boards after them.
    after: Vec<Position>,
    asked: Option<Position>,
}

impl Legend {
    pub(super) fn of(
        scores: &[Option<Decided>],
        cubes: &[Option<Decided>],
        asked: Option<Position>,
    ) -> Legend {
        let mut found: Vec<(Position, String, usize)> = Vec::new();
        let mut count = |play: &ScoredMove, cells: usize| match found
            .iter_mut()
            .find(|(after, ..)| after == play.after())
        {
            Some(known) => known.2 += cells,
            None => found.push((*play.after(), no_play_or(play.play()), cells)),
        };
        for (cells, decided) in [(1, scores), (0, cubes)] {
            for decided in decided.iter().flatten() {
                let Decided::Plays(plays) = decided else { continue };
                plays.first().into_iter().for_each(|play| count(play, cells));
                let is_asked = |play: &&ScoredMove| Some(play.after()) == asked.as_ref();
                plays.iter().find(is_asked).into_iter().for_each(|play| count(play, 0));
            }
        }
        // Stable: of plays with as many cells the earlier one comes first.
        found.sort_by_key(|(_, _, cells)| Reverse(*cells));
        let after = found.iter().map(|(after, ..)| *after).collect();
        let plays = (found.into_iter().enumerate())
            .map(|(place, (after, play, cells))| MatrixPlay {
                letter: letter(place),
                play,
                id: after.id(),
                cells,
            })
            .collect();
        Legend { plays, after, asked }
    }

    pub(super) fn letter(&self, after: &Position) -> Option<String> {
        let place = self.after.iter().position(|known| known == after)?;
        Some(self.plays[place].letter.clone())
    }

    /// What a cell says.
    pub(super) fn tell(
        &self,
        decided: &Option<Decided>,
    ) -> Option<(Option<PlayInCell>, Option<CubeInCell>)> {
        Some(match decided.as_ref()? {
            Decided::Cube(decision) => (None, Some(CubeInCell::of(decision))),
            Decided::Plays(plays) => {
                let best = plays.first()?;
                let is_asked = |play: &&ScoredMove| Some(play.after()) == self.asked.as_ref();
                let asked = plays.iter().find(is_asked).unwrap_or(best);
                let told = PlayInCell {
                    letter: self.letter(best.after())?,
                    equity: best.equity,
                    ahead: plays.get(1).map(|second| (best.equity - second.equity).max(0.0)),
                    loss: (best.equity - asked.equity).max(0.0),
                };
                (Some(told), None)
            }
        })
    }
}

/// A, B, ... Z, then AA and so on.
fn letter(place: usize) -> String {
    let last = char::from(b'A' + (place % 26) as u8);
    if place < 26 { last.to_string() } else { letter(place / 26 - 1) + &last.to_string() }
}
