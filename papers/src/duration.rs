//! How long an experiment takes: its games in units of a 1-ply game, times the speed of this
//! machine.

use std::time::Instant;

use super::plan::ExperimentSettings;
use super::spec::{Experiment, ExperimentError};
use super::store::ExperimentStore;
use nonet_engine::game::{Player, SeriesConfig, SeriesRules, StreamPurpose, play_series};
use nonet_engine::progress::Progress;
use nonet_training::train::{Games, Method, TrainPlan};

/// The work of a game, by plies.
///
/// The unit is a game in which the expert plays itself at 1-ply. The work was measured with the
/// paper's large architecture, to about a factor of two.
const GAME_AT_PLY: [f64; 4] = [1.0, 25.0, 250.0, 2000.0];
/// The work of learning from a game by TD(lambda) at 1-ply.
const LEARNING: f64 = 0.5;
/// The work of learning from a game when the targets are values of a 2-ply search of every
/// position.
const LEARNING_FROM_SEARCH: f64 = 60.0;

/// How fast this machine plays games at 1-ply.
#[derive(Clone, Copy, Debug)]
pub struct PlayingSpeed {
    seconds_per_game: f64,
}

impl PlayingSpeed {
    /// Lets a player play itself for a moment on the current thread pool.
    #[must_use]
    pub fn measure(player: &dyn Player) -> PlayingSpeed {
        let mut games = 40;
        loop {
            let config = SeriesConfig {
                games,
                duplicate: true,
                rules: SeriesRules::Cubeless,
                seed: 1,
                purpose: StreamPurpose::Match,
            };
            let started = Instant::now();
            let _ = play_series(player, player, &config, &Progress::default());
            let seconds = started.elapsed().as_secs_f64();
            if seconds > 0.25 || games > 10_000 {
                return PlayingSpeed { seconds_per_game: seconds / games as f64 };
            }
            games *= 3;
        }
    }

    /// The time for an experiment's [work](Experiment::work), in seconds.
    #[must_use]
    pub fn seconds(&self, work: f64) -> f64 {
        self.seconds_per_game * work
    }
}

impl Experiment {
    /// The work of an experiment in 1-ply games; with `store`, of what is not finished there.
    ///
    /// # Errors
    /// [`ExperimentError`] if the options of a variant are invalid.
    pub fn work(
        &self,
        settings: &ExperimentSettings,
        store: Option<&ExperimentStore>,
    ) -> Result<f64, ExperimentError> {
        let mut sum = 0.0;
        let records = store.map(|store| store.records().display().to_string()).unwrap_or_default();
        let records = if records.is_empty() { "recorded.norec" } else { &records };
        for (place, variant) in self.variants.iter().enumerate() {
            for repeat in 0..self.repeats {
                let plan = self.plan(variant, repeat, settings, records)?;
                let is_missing = |store: &ExperimentStore| {
                    store.saved_run(&plan, place, repeat).is_none()
                        && store.saved_diverged(&plan, place, repeat).is_none()
                };
                if store.is_none_or(is_missing) {
                    let tests = self.tests_of(variant, settings.scale).len();
                    sum += simulation(&plan, tests, self, settings);
                }
            }
        }
        if let Some(record) = &self.record
            && store.is_none_or(|store| !store.records().exists())
        {
            sum += record.games as f64 * settings.scale;
        }
        for (place, planned) in self.matches(settings.scale).iter().enumerate() {
            let plies = planned.plies.map(|n| GAME_AT_PLY[usize::from(n.clamp(1, 4)) - 1]);
            let (series, games) = planned.series(self.repeats);
            let saved = store.map_or(0, |store| store.saved_series(place));
            let games = series.saturating_sub(saved) * games;
            sum += games as f64 * (plies[0] + plies[1]) / 2.0;
        }
        Ok(sum)
    }
}

fn simulation(
    plan: &TrainPlan,
    tests: usize,
    experiment: &Experiment,
    settings: &ExperimentSettings,
) -> f64 {
    let spec = plan.spec();
    let at = |plies: u8| GAME_AT_PLY[usize::from(plies.clamp(1, 4)) - 1];
    let playing = match plan.games() {
        Games::SelfPlay { plies, .. } => at(plies.get()),
        Games::Versus { plies, .. } => (at(plies.get()) + 1.0) / 2.0,
        Games::Observe(_) => 1.0,
        Games::Records { .. } => 0.1,
    };
    let learning = match spec.method {
        Method::Td | Method::TdDirected => LEARNING,
        _ => LEARNING_FROM_SEARCH,
    };
    let tests = tests as f64 * spec.eval_games as f64;
    let again = experiment.retest.map_or(0, |retest| retest.matches * retest.games);
    let test = (at(spec.eval_ply.get()) + 1.0) / 2.0;
    spec.games as f64 * (playing + learning) + tests * test + again as f64 * settings.scale.max(0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_experiment_is_less_work_and_search_is_more() {
        let settings = |scale| ExperimentSettings {
            scale,
            seed: 1,
            expert: "x.nonet".parse().expect("a player"),
            program: String::new(),
        };
        let named = |name: &str| {
            Experiment::read(Experiment::text(name).expect("known")).expect("readable")
        };
        let three = named("wiering-table3");
        let whole = three.work(&settings(1.0), None).expect("runnable");
        assert!(three.work(&settings(0.1), None).expect("runnable") < 0.2 * whole);
        let searching = named("baxter-lgammon").work(&settings(1.0), None).expect("runnable");
        assert!(searching > 5.0 * whole, "{searching} {whole}");
    }
}
