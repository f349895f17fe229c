//! Scoring players by the plays that they choose, with the move filters that they play with.

use rayon::prelude::*;
use serde::Serialize;

use super::{DecisionSet, Split, results};
use nonet_engine::game::{MoveChoice, Player, StreamPurpose, stream};
use nonet_engine::stats::Estimate;

/// The error rate of a player's plays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayScore {
    /// Number of decisions.
    pub decisions: u64,
    /// 1000 times the mean loss of a decision.
    pub er: Estimate,
    /// Share of decisions without loss, 0..=1.
    pub agreed: f64,
}

impl DecisionSet {
    /// Scores the plays of a player on the current thread pool against one judge (by its index) or
    /// the mean of all. The result does not depend on the number of threads, unless the player
    /// chooses at random.
    ///
    /// `None` if an external engine failed ([`Player::failure`]), if a choice is no result, or if
    /// no decision belongs to `part`.
    pub fn score_plays(
        &self,
        player: &dyn Player,
        part: Split,
        judge: Option<usize>,
    ) -> Option<PlayScore> {
        let losses: Option<Vec<f64>> = self
            .decisions
            .par_iter()
            .enumerate()
            .filter(|(_, decision)| part.includes(decision.held_out))
            .map_init(Vec::new, |values, (number, decision)| {
                let (position, dice) = (&decision.position, decision.dice);
                let results = &results(position, dice);
                let choice = MoveChoice { position, dice, results, context: None };
                let mut rng = stream(1, StreamPurpose::Choice, number as u64);
                let chosen = player.choose(&choice, values, &mut rng);
                let equities = decision.equities(judge);
                let best = equities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                Some(f64::from(best - *equities.get(chosen)?))
            })
            .collect();
        let losses = losses.filter(|losses| !losses.is_empty())?;
        if player.failure().is_some() {
            return None;
        }
        let n = losses.len();
        let er = Estimate::from_values(losses.iter().copied()).scaled(1000.0);
        let right = losses.iter().filter(|loss| **loss == 0.0).count();
        Some(PlayScore { decisions: n as u64, er, agreed: right as f64 / n as f64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::BenchmarkDecision;
    use nonet_engine::backgammon::{Dice, Position};
    use nonet_engine::eval::Evaluation;
    use nonet_engine::game::Pcg64;

    /// Always plays this result.
    struct Plays(usize);

    impl Player for Plays {
        fn choose(&self, _: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
            self.0
        }
    }

    #[test]
    fn a_play_loses_what_the_best_one_is_better_by() {
        let dice = Dice::new(6, 1).expect("dice");
        let found = results(&Position::START, dice);
        let value = |i: usize| {
            let win = if i == 3 { 0.45 } else { 0.5 };
            Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
        };
        let references = (0..found.len()).map(|i| vec![value(i)]).collect();
        let position = Position::START;
        let decision = BenchmarkDecision { position, dice, held_out: true, references };
        let set = DecisionSet {
            judges: vec!["nobody".into()],
            decisions: vec![decision],
            ..DecisionSet::default()
        };
        let of = |place| set.score_plays(&Plays(place), Split::All, None).expect("scored");
        assert_eq!((of(3).er.mean, of(3).agreed), (0.0, 1.0));
        assert!((of(0).er.mean - 100.0).abs() < 1e-3 && of(0).agreed == 0.0);
        assert_eq!(set.score_plays(&Plays(3), Split::Development, None), None);
        assert_eq!(set.score_plays(&Plays(found.len()), Split::All, None), None, "no result");
    }
}
