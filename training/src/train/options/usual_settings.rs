//! Settings that suit the others, where the user has given none: the learning rate and the
//! fine-tuning.

use crate::train::fine_tuning::usual_fine_tuning;
use crate::train::learning::net_learner::Optimizer;
use crate::train::open::OpenRunError;
use crate::train::options::plan::TrainPlan;
use crate::train::options::schedule::Schedule;
use crate::train::options::spec::TrainSpec;
use nonet_engine::nn::Activation;

impl TrainSpec {
    /// The options with the usual learning rate and fine-tuning where these were not given, as
    /// `nonet train` has them.
    ///
    /// A gated run keeps its own. `is_given` is asked about keys of [`TrainSpec::KEYS`].
    #[must_use]
    pub fn with_usual_settings(mut self, is_given: impl Fn(&str) -> bool) -> TrainSpec {
        if self.gate_every > 0 || is_given("alpha") {
            return self;
        }
        self.alpha = self.usual_alpha();
        if !is_given("fine_tune") && self.alpha == TrainSpec::default().alpha {
            let tuned = TrainSpec { fine_tune: usual_fine_tuning(self.games), ..self.clone() };
            if tuned.clone().plan().is_ok() {
                return tuned;
            }
        }
        self
    }

    /// The plan that `nonet train` makes of these options.
    ///
    /// Where the learning rate and the fine-tuning have their defaults, the run gets the usual
    /// ones. A net to start with brings its architecture.
    ///
    /// # Errors
    /// [`OpenRunError`] if that net cannot be read or the options do not fit together. They do not
    /// if they name an architecture that is neither the default nor that of the net.
    pub fn usual_plan(self) -> Result<TrainPlan, OpenRunError> {
        let default = TrainSpec::default();
        let given = [("alpha", self.alpha != default.alpha), ("fine_tune", self.fine_tune > 0)];
        let spec = self.with_usual_settings(|key| given.contains(&(key, true)));
        let named = spec.preset;
        let spec = spec.with_preset_of_start()?;
        if named != default.preset && named != spec.preset {
            return Err(TrainSpec::unused_preset(named).into());
        }
        Ok(spec.plan()?)
    }

    /// The learning rate of a run for which none is given.
    ///
    /// A net that has learned would forget at the rate that suits random weights. Nets without a
    /// hidden layer and softsign units diverge at it (measured: at 0.03 and at 0.1). The steps of
    /// Adam do not shrink with the gradient.
    fn usual_alpha(&self) -> Schedule {
        let falling = |from, to| Schedule::Geometric { from, to, until: None };
        let architecture = self.preset.architecture();
        let flat = architecture.layers.iter().any(|[hidden, _]| *hidden == 0);
        let steep = architecture.units.hidden == Activation::Softsign;
        match self.optimizer {
            Optimizer::Adam => falling(0.001, 0.0001),
            Optimizer::Sgd | Optimizer::Batch if self.from.is_some() || flat || steep => {
                falling(0.01, 0.001)
            }
            Optimizer::Sgd | Optimizer::Batch => self.alpha.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Method, Source};

    fn usual(spec: TrainSpec) -> TrainSpec {
        spec.with_usual_settings(|_| false)
    }

    #[test]
    fn self_play_by_td_at_the_default_rate_ends_with_fine_tuning() {
        let spec = TrainSpec { games: 10_000, ..TrainSpec::default() };
        assert_eq!(usual(spec.clone()).fine_tune, 200);
        assert_eq!(
            usual(TrainSpec { games: 4_999, ..spec.clone() }).fine_tune,
            0,
            "less than a batch"
        );
        for given in ["alpha", "fine_tune"] {
            assert_eq!(
                spec.clone().with_usual_settings(|key| key == given).fine_tune,
                0,
                "{given}"
            );
        }
        for other in [
            TrainSpec { method: Method::TdLeaf, ..spec.clone() },
            TrainSpec {
                source: Source::Observe,
                records: vec!["a.mat".to_owned()],
                ..spec.clone()
            },
            TrainSpec { from: Some("a.nonet".to_owned()), ..spec.clone() },
            TrainSpec { games: 1_000_000, ..TrainSpec::gated() },
        ] {
            assert_eq!(usual(other.clone()).fine_tune, 0, "{other:?}");
        }
    }

    #[test]
    fn the_usual_plan_is_that_of_the_command_without_options() {
        let spec = TrainSpec { games: 10_000, ..TrainSpec::default() };
        let plan = spec.clone().usual_plan().expect("a plan");
        assert_eq!(plan.spec(), &usual(spec.clone()));
        let slow = TrainSpec { alpha: Schedule::Constant(0.01), ..spec };
        assert_eq!(slow.clone().usual_plan().expect("a plan").spec(), &slow);
    }

    #[test]
    fn another_architecture_than_that_of_the_start_is_refused() {
        let begun = |preset: &str| TrainSpec {
            from: Some("small".to_owned()),
            preset: preset.parse().expect("a preset"),
            ..TrainSpec::default()
        };
        let error = begun("large").usual_plan().expect_err("another one").to_string();
        assert_eq!(error, "`preset`: large is not used: the net of `from` has its own");
        let plan = begun("medium").usual_plan().expect("the default is none that was given");
        assert_eq!(plan.spec().preset.to_string(), "small");
        assert!(plan.spec().clone().usual_plan().is_ok(), "its own again");
    }

    #[test]
    fn the_rate_suits_the_optimizer_the_nets_and_their_start() {
        let rate = |spec: TrainSpec| usual(spec).alpha.to_string();
        let spec = TrainSpec::default();
        assert_eq!(rate(spec.clone()), "0.1..0.001");
        assert_eq!(rate(TrainSpec { optimizer: Optimizer::Adam, ..spec.clone() }), "0.001..0.0001");
        let linear = "linear".parse().expect("a preset");
        for slow in [
            TrainSpec { from: Some("a.nonet".to_owned()), ..spec.clone() },
            TrainSpec { preset: linear, ..spec.clone() },
        ] {
            assert_eq!(rate(slow), "0.01..0.001");
        }
        assert_eq!(rate(TrainSpec::gated()), "0.01", "the paper's");
    }
}
