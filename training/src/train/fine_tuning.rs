//! Fine-tuning: the last games of a run are learned by RootStrap, each position towards its own
//! 2-ply value. The noise of the dice is not in these targets. So a few thousand games lift nets
//! that TD(lambda) has brought to where its noise holds them. Where the constants come from is in
//! `reports/learning-rate.md`.

use crate::train::learning::net_learner::{OfflineSteps, Optimizer};
use crate::train::learning::rule::{Rule, TargetRule};
use crate::train::learning::targets::RootStrap;
use crate::train::learning::update_rule::UpdateRule;
use crate::train::options::schedule::Schedule;

/// Games played against one snapshot of the weights.
pub(super) const BATCH: u64 = 100;

/// Times that as many examples as a batch has are learned: the batch, then draws from the replay
/// buffer.
const EPOCHS: u32 = 8;

/// The capacity of each net's replay buffer, in examples.
pub(super) const REPLAY: usize = 300_000;

/// The learning rate of Adam, from the first game of the fine-tuning to its last.
const ALPHA: Schedule = Schedule::Geometric { from: 0.002, to: 0.0001, until: None };

/// The share of the games of plain self-play that are fine-tuning unless the user says otherwise.
const USUAL_SHARE: u64 = 50;

/// When the fine-tuning of a run begins and how long it is, in games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FineTuning {
    /// Games learned before.
    pub(super) begin: u64,
    /// Games of the fine-tuning, above 0.
    pub(super) games: u64,
}

impl FineTuning {
    /// The rule after `done` games of the run, without what the trainer adds.
    pub(super) fn rule(&self, done: u64) -> UpdateRule<'static> {
        let rule = Rule {
            steps: OfflineSteps { epochs: EPOCHS, optimizer: Optimizer::Adam },
            ..Rule::of(TargetRule::RootStrap(RootStrap::default()))
        };
        UpdateRule::new(rule, ALPHA.at(done - self.begin, self.games), 0.0)
    }
}

/// The usual number of fine-tuning games: a fiftieth of the `games` of the run, or none if that is
/// less than a batch.
#[must_use]
pub(super) const fn usual_fine_tuning(games: u64) -> u64 {
    let share = games / USUAL_SHARE;
    if share < BATCH { 0 } else { share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::TrainSpec;

    fn spec() -> TrainSpec {
        TrainSpec { games: 1_000, fine_tune: 300, ..TrainSpec::default() }
    }

    #[test]
    fn the_rates_of_td_fall_until_the_fine_tuning_begins() {
        let plan = spec().plan().expect("a plan");
        let [first, last, fine, end] = [0, 699, 700, 999].map(|done| plan.update_rule(done));
        assert_eq!((first.rule, first.rates.alpha), (Rule::TD, 0.1));
        assert!((0.001..0.00101).contains(&last.rates.alpha), "{}", last.rates.alpha);
        assert_eq!((last.rule, plan.replay(699)), (Rule::TD, None));
        assert_eq!(fine.rule.targets, TargetRule::RootStrap(RootStrap::default()));
        assert_eq!((fine.rule.steps.optimizer, fine.rates.alpha), (Optimizer::Adam, 0.002));
        assert_eq!(plan.replay(700), Some(REPLAY));
        assert!((0.0001..0.000102).contains(&end.rates.alpha), "{}", end.rates.alpha);
    }

    #[test]
    fn a_batch_ends_where_the_fine_tuning_begins_and_the_moving_average_begins_there() {
        let plan = spec().plan().expect("a plan");
        assert_eq!([0, 690, 700].map(|done| plan.end_of_batch(done)), [32, 700, 800]);
        assert_eq!((plan.ema_step(700, 800), plan.ema_step(0, 32)), (1.0, 1.0));
        assert!(plan.ema_step(640, 672) < 0.2);
    }

    #[test]
    fn what_is_not_learned_by_td_from_self_play_is_not_fine_tuned() {
        for wrong in [
            TrainSpec { gate_every: 25_000, ..spec() },
            TrainSpec { method: crate::train::Method::TdLeaf, ..spec() },
            TrainSpec { update: crate::train::UpdateTiming::Online, ..spec() },
        ] {
            let error = wrong.plan().expect_err("refused").to_string();
            assert!(error.starts_with("`fine_tune`: needs self-play"), "{error}");
        }
        let error = TrainSpec { fine_tune: 1_000, ..spec() }.plan().expect_err("refused");
        assert_eq!(
            error.to_string(),
            "`fine_tune`: must be below 1000, the games of the run, not 1000"
        );
    }
}
