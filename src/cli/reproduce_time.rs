//! How long an experiment takes: its games in units of a 1-ply game, times the speed of this machine.

use std::time::Instant;

use nonet::game::{Player, SeriesConfig, SeriesRules, StreamPurpose, play_series};
use nonet::papers::{Experiment, ExperimentError, ExperimentSettings, ExperimentStore};
use nonet::progress::Progress;
use nonet::train::{Games, Method, TrainPlan};

/// The work of a game in units of a game in which the expert plays itself at 1-ply, by plies: measured with the paper's
/// large architecture to about a factor of two.
const GAME_AT_PLY: [f64; 4] = [1.0, 25.0, 250.0, 2000.0];
/// The work of learning from a game by TD(lambda) at 1-ply.
const LEARNING: f64 = 0.5;
/// The work of learning from a game when the targets are values of a 2-ply search of every position.
const LEARNING_FROM_SEARCH: f64 = 60.0;

/// How fast this machine plays.
pub(super) struct Speed {
    seconds_per_game: f64,
}

impl Speed {
    /// Lets a player play itself for a moment on the current thread pool.
    pub(super) fn measure(player: &dyn Player) -> Speed {
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
                return Speed { seconds_per_game: seconds / games as f64 };
            }
            games *= 3;
        }
    }

    /// The time for work, in seconds.
    pub(super) fn seconds(&self, work: f64) -> f64 {
        self.seconds_per_game * work
    }
}

/// The work of an experiment in 1-ply games; with `store`, of what is not finished there.
pub(super) fn work(
    experiment: &Experiment,
    settings: &ExperimentSettings,
    store: Option<&ExperimentStore>,
) -> Result<f64, ExperimentError> {
    let mut sum = 0.0;
    let records = store.map(|store| store.records().display().to_string()).unwrap_or_default();
    let records = if records.is_empty() { "recorded.norec" } else { &records };
    for (place, variant) in experiment.variants.iter().enumerate() {
        for repeat in 0..experiment.repeats {
            let plan = experiment.plan(variant, repeat, settings, records)?;
            if store.is_none_or(|store| store.saved_run(&plan, place, repeat).is_none()) {
                let tests = experiment.tests_of(variant, settings.scale).len();
                sum += simulation(&plan, tests, experiment, settings);
            }
        }
    }
    if let Some(record) = &experiment.record {
        sum += record.games as f64 * settings.scale;
    }
    for planned in experiment.matches(settings.scale) {
        let plies = planned.plies.map(|n| GAME_AT_PLY[usize::from(n.clamp(1, 4)) - 1]);
        let (series, games) = planned.series(experiment.repeats);
        let games = series * games;
        sum += games as f64 * (plies[0] + plies[1]) / 2.0;
    }
    Ok(sum)
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

/// A time as people say it.
pub(super) fn in_words(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("about {:.0} seconds", s.max(1.0)),
        s if s < 5400.0 => format!("about {:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("about {:.0} hours", s / 3600.0),
        s => format!("about {:.0} days", s / 86_400.0),
    }
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
        let whole = work(&three, &settings(1.0), None).expect("runnable");
        assert!(work(&three, &settings(0.1), None).expect("runnable") < 0.2 * whole);
        let searching = work(&named("baxter-lgammon"), &settings(1.0), None).expect("runnable");
        assert!(searching > 5.0 * whole, "{searching} {whole}");
    }

    #[test]
    fn times_are_said_in_the_unit_that_fits() {
        for (seconds, words) in [
            (0.2, "about 1 seconds"),
            (80.0, "about 80 seconds"),
            (600.0, "about 10 minutes"),
            (7200.0, "about 2 hours"),
            (864_000.0, "about 10 days"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
