//! Training runs and series of games.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use nonet::game::{SeriesConfig, play_series};
use nonet::progress::Progress;
use nonet::train::{Observer, OpenedRun, RunOutcome, RunProgress, TestRow, TrainSpec, Trainer};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::answers::Series;
use crate::errors::{invalid, of_open, of_run, with_causes};
use crate::net::PyNet;
use crate::players::PlayerArg;
use crate::work::{interruptible, show};

/// Plays money games without a cube between two players, each sequence of dice from both seats: the
/// result for ``player``.
#[pyfunction]
#[pyo3(signature = (player, opponent="pubeval".to_owned().into(), games=1000, *, seed=1, progress=None, threads=0), text_signature = "(player, opponent='pubeval', games=1000, *, seed=1, progress=None, threads=0)")]
pub(crate) fn play_games(
    py: Python<'_>,
    player: PlayerArg<'_>,
    opponent: OpponentArg<'_>,
    games: u64,
    seed: u64,
    progress: Option<Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<Series> {
    if games == 0 {
        return Err(invalid("invalid number of games 0: expected at least 1"));
    }
    let players = [player.open()?, opponent.0.open()?];
    let config = SeriesConfig::new(games, seed);
    let count = Arc::new(Progress::default());
    let series =
        interruptible(py, threads, &count, show(progress.as_ref(), games), move |count| {
            play_series(players[0].as_ref(), players[1].as_ref(), &config, count)
        })?;
    let series = series.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let outcomes = series.tally.outcomes.into();
    Ok(Series { games: series.games, ppg: series.ppg.mean, stderr: series.ppg.stderr, outcomes })
}

/// An opponent, which has a default.
pub(crate) struct OpponentArg<'py>(PlayerArg<'py>);

impl From<String> for OpponentArg<'_> {
    fn from(name: String) -> Self {
        OpponentArg(PlayerArg::Name(name))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for OpponentArg<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(OpponentArg)
    }
}

/// The rows of tests that Python has not seen yet.
type Rows = Arc<Mutex<VecDeque<TestRow>>>;

/// Hands the tests of a run to the thread that has the interpreter.
struct Watcher {
    rows: Rows,
    progress: Arc<Progress>,
}

impl Observer for Watcher {
    fn learned(&mut self, progress: &RunProgress) {
        self.progress.set(progress.games);
    }

    fn tested(&mut self, progress: &RunProgress) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.extend(progress.history.last().cloned());
    }
}

/// What a run leaves: its nets, and the rest as JSON.
type Trained = (PyNet, PyNet, String);

/// Trains a team. `spec` are the options as JSON; `on_test` gets the row of each test as JSON and
/// ends the run by returning `False`.
#[pyfunction]
#[pyo3(signature = (spec, on_test, progress, play_off, threads))]
pub(crate) fn train(
    py: Python<'_>,
    spec: &str,
    on_test: Option<Bound<'_, PyAny>>,
    progress: Option<Bound<'_, PyAny>>,
    play_off: bool,
    threads: usize,
) -> PyResult<Trained> {
    let refused = |error: serde_json::Error| {
        // Without the place in the JSON, because the caller has not written it.
        let text = error.to_string();
        invalid(text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text))
    };
    let given: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(spec).map_err(refused)?;
    let spec: TrainSpec = serde_json::from_str(spec).map_err(refused)?;
    let spec = spec.with_usual_settings(|key| given.contains_key(key));
    let plan = spec.with_preset_of_start().map_err(of_open)?.plan().map_err(invalid)?;
    let open = || crate::work::pool(threads)?.install(|| plan.open()).map_err(of_run);
    let OpenedRun { participants, mut source, .. } = py.detach(open)?;
    let (games, rows) = (plan.spec().games, Rows::default());
    let count = Arc::new(Progress::default());
    let stop = Arc::clone(&count);
    let mut show = show(progress.as_ref(), games);
    let (theirs, their_count) = (Arc::clone(&rows), Arc::clone(&count));
    let seen = |done: u64| {
        loop {
            let row = rows.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(row) = row else { break };
            if let Some(on_test) = &on_test {
                let text = serde_json::to_string(&row).map_err(invalid)?;
                let answer = on_test.call1((text,))?;
                if answer.is_truthy()? || answer.is_none() {
                    continue;
                }
                stop.stop();
            }
        }
        show(done.min(games))
    };
    let ended = interruptible(py, threads, &count, seen, move |count| {
        let mut trainer = Trainer::new(plan, participants);
        let mut watcher = Watcher { rows: theirs, progress: their_count };
        let outcome = trainer.run(source.as_mut(), &mut watcher, &count.part())?;
        if outcome == RunOutcome::Finished && play_off {
            let part = count.part();
            let _ = trainer.play_off(&part) && trainer.last_match(&part);
        }
        Ok::<_, nonet::train::TrainError>((trainer, outcome))
    })?;
    let (trainer, outcome) = ended.map_err(|error| PyRuntimeError::new_err(with_causes(&error)))?;
    let checkpoint = trainer.checkpoint();
    let best = trainer.best().unwrap_or(&checkpoint.team).clone();
    let facts = serde_json::json!({
        "stopped": outcome == RunOutcome::Stopped, "command": trainer.command(),
        "progress": trainer.progress(),
    });
    Ok((PyNet(best), PyNet(checkpoint.team), facts.to_string()))
}
