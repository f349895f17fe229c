//! Training runs and series of games.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use nonet::game::{SeriesConfig, play_series};
use nonet::progress::Progress;
use nonet::train::{
    Observer, OpenedRun, RunOutcome, RunProgress, TestRow, TrainError, TrainSpec, Trainer,
};
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

/// How often a run that waits for Python looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(5);

/// The tests of a run on their way to Python, and a word for each when Python has seen it.
struct Tests {
    rows: Sender<TestRow>,
    seen: Receiver<()>,
}

/// Hands the tests of a run to the thread that has the interpreter.
struct Watcher {
    progress: Arc<Progress>,
    /// `None` if Python does not want to see them.
    tests: Option<Tests>,
}

impl Observer for Watcher {
    fn learned(&mut self, progress: &RunProgress) {
        self.progress.set(progress.games);
    }

    /// Waits until Python has seen the test. So a run that Python stops ends after this test, at
    /// any speed.
    fn tested(&mut self, progress: &RunProgress) {
        let (Some(tests), Some(row)) = (&self.tests, progress.history.last()) else { return };
        if tests.rows.send(row.clone()).is_err() {
            return;
        }
        while !self.progress.is_stopped() {
            match tests.seen.recv_timeout(LOOK) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    // Python's function may need this thread: its own work can be on this pool.
                    rayon::yield_now();
                }
            }
        }
    }
}

/// What a run leaves: its nets, and the rest as JSON.
type Trained = (PyNet, PyNet, String);

/// Trains a team. `spec` are the options as JSON; `on_test` gets the row of each test as JSON and
/// ends the run by returning `False`. The run waits for it.
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
    spec.check_given(|key| given.contains_key(key)).map_err(invalid)?;
    let plan = spec.with_preset_of_start().map_err(of_open)?.plan().map_err(invalid)?;
    let open = || crate::work::pool(threads)?.install(|| plan.open()).map_err(of_run);
    let OpenedRun { participants, mut source, .. } = py.detach(open)?;
    let games = plan.spec().games;
    let (rows, tested) = channel();
    let (answer, seen) = channel();
    let tests = on_test.is_some().then_some(Tests { rows, seen });
    let count = Arc::new(Progress::default());
    let stop = Arc::clone(&count);
    let mut show = show(progress.as_ref(), games);
    let their_count = Arc::clone(&count);
    let look = |done: u64| {
        if let Some(on_test) = &on_test {
            while let Ok(row) = tested.try_recv() {
                let text = serde_json::to_string(&row).map_err(invalid)?;
                let wish = on_test.call1((text,))?;
                if !wish.is_truthy()? && !wish.is_none() {
                    stop.stop();
                }
                // A run that was stopped does not wait for it.
                let _ = answer.send(());
            }
        }
        show(done.min(games))
    };
    let ended = interruptible(py, threads, &count, look, move |count| {
        let mut trainer = Trainer::new(plan, participants);
        let mut watcher = Watcher { progress: their_count, tests };
        let outcome = trainer.run(source.as_mut(), &mut watcher, &count.part())?;
        if outcome == RunOutcome::Finished && play_off {
            let part = count.part();
            let _ = trainer.play_off(&part) && trainer.last_match(&part);
            if let Some(failure) = trainer.opponent_failure() {
                return Err(TrainError::from(failure.clone()));
            }
        }
        Ok((trainer, outcome))
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
