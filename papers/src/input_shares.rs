//! How often the inputs of linear nets are on, counted in the games that they learn from.

use std::ops::Range;

use nonet_engine::backgammon::BoardView;
use nonet_engine::eval::Specialists;
use nonet_engine::features::{Encoding, SparseInputs};
use nonet_engine::progress::Progress;
use nonet_training::train::{GameBatch, GameSource, Seats, SourceError};

/// A source of games that counts in how many positions with contact each input is on of the player
/// who has just moved.
pub(super) struct InputShares {
    source: Box<dyn GameSource>,
    /// Whether it counts.
    counts: bool,
    positions: u64,
    on: Vec<u64>,
    scratch: SparseInputs,
}

impl InputShares {
    /// The games of `source`, counted if `counts` says so.
    pub(super) fn of(source: Box<dyn GameSource>, counts: bool) -> InputShares {
        let on = vec![0; Encoding::PubEval.layout().len() / 2];
        InputShares { source, counts, positions: 0, on, scratch: SparseInputs::default() }
    }

    /// The share of the positions in which each input is on, to seven decimal places; empty if
    /// nothing was counted.
    pub(super) fn shares(&self) -> Vec<f64> {
        if self.positions == 0 {
            return Vec::new();
        }
        let share = |on: &u64| (1e7 * *on as f64 / self.positions as f64).round() / 1e7;
        self.on.iter().map(share).collect()
    }

    fn count(&mut self, batch: &GameBatch) {
        if !self.counts {
            return;
        }
        let positions = batch.games.iter().flat_map(|game| &game.positions);
        for position in positions.filter(|position| BoardView::of(position).contact()) {
            self.positions += 1;
            Encoding::PubEval.encode(position, &mut self.scratch);
            for (input, _) in self.scratch.iter() {
                // Those of the player to move come first.
                if let Some(place) = input.checked_sub(self.on.len()) {
                    self.on[place] += 1;
                }
            }
        }
    }
}

impl GameSource for InputShares {
    fn games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
    ) -> Result<GameBatch, SourceError> {
        let batch = self.source.games(numbers, learner)?;
        self.count(&batch);
        Ok(batch)
    }

    fn seats(&self) -> Option<&Seats> {
        self.source.seats()
    }

    fn shared_games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
        progress: &Progress,
    ) -> Result<GameBatch, SourceError> {
        let batch = self.source.shared_games(numbers, learner, progress)?;
        self.count(&batch);
        Ok(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::{Outcome, Position, Seat};
    use nonet_engine::game::Game;

    /// One game, of the start alone.
    struct Start;

    impl GameSource for Start {
        fn games(&mut self, _: Range<u64>, _: &Specialists) -> Result<GameBatch, SourceError> {
            let game = Game::without_evals(vec![Position::START], Some(Outcome::Win), Seat::X);
            Ok(GameBatch { games: vec![game], ..GameBatch::default() })
        }
    }

    #[test]
    fn inputs_that_are_on_at_the_start_are_on_in_all_positions_of_that_game() {
        let team = Specialists::single(Encoding::PubEval, 1, 1).expect("a team");
        let mut source = InputShares::of(Box::new(Start), true);
        source.games(0..1, &team).expect("a game");
        let shares = source.shares();
        let on: Vec<usize> = (0..shares.len()).filter(|input| shares[*input] == 1.0).collect();
        // Of the points 6, 8, 13 and 24: two or more, three alone, and beyond three.
        assert_eq!(on, [27, 29, 37, 38, 62, 64, 117]);
        let mut silent = InputShares::of(Box::new(Start), false);
        silent.games(0..1, &team).expect("a game");
        assert!(silent.shares().is_empty());
    }
}
