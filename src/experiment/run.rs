//! Running an experiment: every simulation is an ordinary training run.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::spec::{Experiment, ExperimentError};
use crate::arena::Watch;
use crate::store::Checkpoint;
use crate::train::{
    Cast, Ended, GameSource, Observer, Progress, TestResult, TrainConfig, TrainError, Trainer,
};

/// How an experiment is run.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Everything is this many times as large as in the paper.
    pub scale: f64,
    /// Simulation `r` has the seed `seed + r`.
    pub seed: u64,
    /// The expert's net file, as it is named in configurations.
    pub expert: &'a str,
}

/// The tests of one simulation of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The command that repeats it.
    pub command: String,
    /// Place of the variant in its experiment.
    pub variant: usize,
    /// Which simulation of it.
    pub repeat: u64,
    /// Games learned from, and the test after them.
    pub tests: Vec<(u64, TestResult)>,
}

/// Keeps finished simulations, so that an experiment that was stopped does not begin again.
pub trait Keep {
    /// What went wrong.
    type Error;

    /// A simulation that was kept before, if its command is still the same.
    fn known(&mut self, config: &TrainConfig, variant: usize, repeat: u64) -> Option<Cell>;

    /// Keeps a finished one.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn keep(&mut self, cell: &Cell) -> Result<(), Self::Error>;

    /// Everybody who takes part in a run of this configuration.
    ///
    /// # Errors
    /// When somebody cannot be had.
    fn cast(&mut self, config: &TrainConfig) -> Result<(Cast, Box<dyn GameSource>), Self::Error>;

    /// Shows that a simulation has learned from `games` games.
    fn learned(&mut self, name: &str, repeat: u64, games: u64);
}

struct Quiet<'a, 'k, K> {
    keep: &'a Mutex<&'k mut K>,
    name: &'a str,
    repeat: u64,
}

/// A lock that a panic elsewhere has poisoned is taken all the same: the program is ending anyway.
fn locked<'a, T>(lock: &'a Mutex<T>) -> MutexGuard<'a, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: Keep> Observer for Quiet<'_, '_, K> {
    fn learned(&mut self, progress: &Progress) {
        locked(self.keep).learned(self.name, self.repeat, progress.games);
    }

    fn testing(&mut self, _: u64, _: &Watch) {}

    fn tested(&mut self, _: &Progress) {}

    fn keep(
        &mut self,
        _: &Checkpoint<Progress>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }
}

impl Experiment {
    /// Runs all simulations, side by side on the current thread pool; `None` if `stop` was set before the last one ended.
    ///
    /// # Errors
    /// Those of the configuration, of a run, or of `keep`.
    pub fn run<K: Keep + Send>(
        &self,
        settings: &Settings,
        keep: &mut K,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Cell>>, K::Error>
    where
        K::Error: From<ExperimentError> + From<TrainError> + Send,
    {
        let keep = Mutex::new(keep);
        let all = (0..self.repeats)
            .flat_map(|repeat| (0..self.variants.len()).map(move |place| (place, repeat)));
        let all: Vec<(usize, u64)> = all.collect();
        let simulate =
            |&(place, repeat): &(usize, u64)| self.simulate(place, repeat, settings, &keep, stop);
        let cells: Result<Vec<Option<Cell>>, K::Error> = all.par_iter().map(simulate).collect();
        Ok(cells?.into_iter().collect())
    }

    fn simulate<K: Keep + Send>(
        &self,
        place: usize,
        repeat: u64,
        settings: &Settings,
        keep: &Mutex<&mut K>,
        stop: &AtomicBool,
    ) -> Result<Option<Cell>, K::Error>
    where
        K::Error: From<ExperimentError> + From<TrainError>,
    {
        let variant = &self.variants[place];
        let config =
            self.config(variant, repeat, settings.scale, settings.seed, settings.expert)?;
        if let Some(cell) = locked(keep).known(&config, place, repeat) {
            return Ok(Some(cell));
        }
        let (cast, mut source) = locked(keep).cast(&config)?;
        let mut trainer = Trainer::new(config.clone(), cast);
        let mut observer = Quiet { keep, name: &variant.name, repeat };
        if trainer.run(source.as_mut(), &mut observer, stop)? == Ended::Stopped {
            return Ok(None);
        }
        let tests = trainer.progress().history.iter().map(|row| (row.games, row.last)).collect();
        let cell = Cell { command: config.command(), variant: place, repeat, tests };
        locked(keep).keep(&cell)?;
        Ok(Some(cell))
    }
}
