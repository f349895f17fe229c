//! Predictions of one kind against results, and the error of their difference.

use serde::{Deserialize, Serialize};

/// Sums over positions, and over games of what a game adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Games with such a position.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Sum of the predictions.
    pub predicted: f64,
    /// Sum of the results.
    pub happened: f64,
    /// Over games: the squares of the sum of (predicted - happened).
    squares: f64,
    /// Over games: that sum times the number of positions.
    products: f64,
    /// Over games: the squares of the number of positions.
    counts: f64,
    /// The game that has not ended: the number of its positions, and the sum of (predicted -
    /// happened).
    #[serde(skip)]
    open: (u64, f64),
}

/// The mean excess of predictions over results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The mean of (predicted - happened) over positions.
    pub mean: f64,
    /// Its standard error, over games.
    pub stderr: f64,
}

impl Cell {
    pub(super) fn add(&mut self, predicted: f64, happened: f64) {
        self.positions += 1;
        self.predicted += predicted;
        self.happened += happened;
        self.open.0 += 1;
        self.open.1 += predicted - happened;
    }

    pub(super) fn end_game(&mut self) {
        let (positions, off) = std::mem::take(&mut self.open);
        if positions > 0 {
            self.games += 1;
            self.squares += off * off;
            self.products += off * positions as f64;
            self.counts += (positions * positions) as f64;
        }
    }

    pub(super) fn merge(&mut self, other: &Cell) {
        self.games += other.games;
        self.positions += other.positions;
        self.predicted += other.predicted;
        self.happened += other.happened;
        self.squares += other.squares;
        self.products += other.products;
        self.counts += other.counts;
    }

    /// The mean prediction; `None` without positions.
    #[must_use]
    pub fn mean_predicted(&self) -> Option<f64> {
        (self.positions > 0).then(|| self.predicted / self.positions as f64)
    }

    /// The mean excess of the predictions over the results; `None` with fewer than two games.
    #[must_use]
    pub fn deviation(&self) -> Option<Deviation> {
        if self.games < 2 {
            return None;
        }
        let (games, positions) = (self.games as f64, self.positions as f64);
        let mean = (self.predicted - self.happened) / positions;
        let residuals = self.squares - 2.0 * mean * self.products + mean * mean * self.counts;
        let stderr = (residuals.max(0.0) * games / (games - 1.0)).sqrt() / positions;
        Some(Deviation { mean, stderr })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(games: &[&[(f64, f64)]]) -> Cell {
        let mut cell = Cell::default();
        for game in games {
            game.iter().for_each(|&(predicted, happened)| cell.add(predicted, happened));
            cell.end_game();
        }
        cell
    }

    #[test]
    fn positions_of_one_game_do_not_count_as_independent() {
        let once = cell(&[&[(0.5, 1.0)], &[(0.5, 0.0)], &[(0.5, 1.0)], &[(0.5, 0.0)]]);
        let [won, lost] = [[(0.5, 1.0); 10], [(0.5, 0.0); 10]];
        let often = cell(&[&won, &lost, &won, &lost]);
        let [once, often] = [once, often].map(|cell| cell.deviation().expect("four games"));
        assert_eq!(once.mean, 0.0);
        // Four residuals of 0.5: sqrt(4 * 0.25 * 4 / 3) / 4.
        assert!((once.stderr - (4.0 / 3.0_f64).sqrt() / 4.0).abs() < 1e-12);
        assert!((often.stderr - once.stderr).abs() < 1e-12);
    }

    #[test]
    fn one_game_has_no_error() {
        assert_eq!(cell(&[&[(0.2, 0.0), (0.3, 0.0)]]).deviation(), None);
        assert_eq!(Cell::default().mean_predicted(), None);
    }
}
