//! Learning from the matches of a bot.

use std::path::Path;

use nonet::bot::{OnlineLearner, OnlineLearningConfig};
use nonet::store::NetFile;

use crate::cli::error::usage;

#[derive(clap::Args)]
pub(crate) struct LearningArgs {
    /// Learn from every match by TD(lambda).
    ///
    /// A copy of the net in RECORDS/learning learns. It is promoted when it is better than the
    /// playing net with 95 % confidence. A promoted net plays instead of --net.
    #[arg(long, help_heading = "Learning")]
    learn: bool,
    /// Games of the promotion match after each match.
    ///
    /// They are played at 1-ply with duplicate dice.
    #[arg(
        long,
        default_value_t = OnlineLearningConfig::default().promote_games,
        value_name = "N",
        requires = "learn",
        value_parser = clap::value_parser!(u64).range(2..=10_000_000),
        help_heading = "Learning"
    )]
    promote_games: u64,
    /// Learning rate, above 0 and at most 1.
    #[arg(
        long,
        default_value_t = OnlineLearningConfig::default().alpha,
        value_name = "RATE",
        requires = "learn",
        help_heading = "Learning"
    )]
    alpha: f32,
}

impl LearningArgs {
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if !(self.alpha > 0.0 && self.alpha <= 1.0) {
            return Err(usage(format!(
                "invalid alpha '{}': expected a rate above 0 and at most 1",
                self.alpha
            )));
        }
        Ok(())
    }

    /// The learner in the folder of the records, if one is wanted. `net` is the name of the first
    /// net.
    pub(super) fn learner(
        &self,
        records: &Path,
        first: &NetFile,
        net: &str,
        seed: u64,
    ) -> anyhow::Result<Option<OnlineLearner>> {
        if !self.learn {
            return Ok(None);
        }
        let (alpha, promote_games) = (self.alpha, self.promote_games);
        let config =
            OnlineLearningConfig { alpha, promote_games, seed, ..OnlineLearningConfig::default() };
        Ok(Some(OnlineLearner::open(&records.join("learning"), first, net, config)?))
    }
}
