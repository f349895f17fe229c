//! `Engine`: plays, cube decisions, rollouts, evaluations and analyses.

use std::ffi::CString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::analysis::{Analysis, analyse, decisions_in, matches_in};
use nonet::answer::{
    MatrixError, MatrixOptions, RolloutOptions, RolloutQuestion, RolloutQuestionError, RollsAnswer,
    ScoreMatrix, StrengthQuestion, WhyAnswer, WhyCubeAnswer, WhyError,
};
use nonet::backgammon::GameState;
use nonet::backgammon::record::{Location, ReadRecord, RecordError, RecordErrorKind, read_record};
use nonet::class::Class;
use nonet::engine::{CubeContext, Engine};
use nonet::open::CHAMPION;
use nonet::progress::Progress;
use nonet::report::{AnalysedMatch, analysis_json};
use nonet::rollout::{CubeRollout, Roller, RolloutConfig, RolloutLine, RolloutSums};
use nonet::search::{Plies, SearchSettings};
use nonet::store::record_files;
use numpy::PyArray2;
use pyo3::exceptions::{PyOSError, PyUserWarning};
use pyo3::prelude::*;

use crate::answers::{Move, PyCubeDecision, PyCubeRollout, Rollout, chances};
use crate::arrays::{boards_of, evaluate_rows, heads_of_rows};
use crate::errors::{invalid, of_engine, of_record};
use crate::players::NetArg;
use crate::rollouts::{DepthArg, config, levels as named_levels, lines, plies, rows};
use crate::state::{PyGameState, StateArg};
use crate::work::{interruptible, show};

/// Evaluates positions, plays and cube decisions.
///
/// ``ply`` is the depth of plays, 1 (static evaluation of every legal result) to 4; gnubg's numbers
/// are one less. ``"roller"`` rolls out plays and cube decisions that a 3-ply search leaves close.
///
/// ``net`` is one of these:
///
/// - ``"champion"``, ``"expert"``, ``"swift"`` or ``"small"``;
/// - the path of a net file or of the folder of a run (its best net);
/// - a :class:`nonet.Net`.
///
/// ``cube_ply`` is the depth of cube decisions. ``bearoff`` looks bearoffs up in databases in the
/// user's cache folder, which the first engine makes in a second or two. ``threads`` is 0 for one
/// per processor; answers do not depend on it.
///
/// >>> import nonet
/// >>> nonet.Engine().moves("4HPwATDgc/ABMA", "31")[0].play
/// '8/5 6/5'
#[pyclass(frozen, module = "nonet", name = "Engine")]
pub(crate) struct PyEngine {
    /// Without a pool: it searches on that of the caller.
    pub(crate) engine: Engine,
    /// The same with wide searches, as the commands `hint` and `rollout` have them.
    wide: Engine,
    pub(crate) threads: usize,
    net: String,
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (ply=DepthArg::Plies(Engine::PLAY_PLIES.get().into()), net=NetArg::Name(CHAMPION.to_owned()), *, cube_ply=Engine::CUBE_PLIES.get().into(), bearoff=true, threads=0), text_signature = "(ply=3, net='champion', *, cube_ply=3, bearoff=True, threads=0)")]
    fn new(
        py: Python<'_>,
        ply: DepthArg,
        net: NetArg<'_>,
        cube_ply: i64,
        bearoff: bool,
        threads: usize,
    ) -> PyResult<PyEngine> {
        let name = match &net {
            NetArg::Name(name) => name.clone(),
            NetArg::Net(net) => net.get().0.architecture_in_words(),
        };
        let depth = ply.read()?;
        let mut builder = Engine::builder().net(net.open()?.team);
        if bearoff {
            builder = builder.bearoff(crate::players::bearoff(py)?);
        }
        let engine = builder.build().map_err(of_engine)?;
        let engine = engine.with_depth(depth).with_cube_plies(plies(cube_ply)?);
        let wide = engine.with_search_settings(SearchSettings::WIDE);
        Ok(PyEngine { engine, wide, threads, net: name })
    }

    /// The depth of searches for plays in plies.
    #[getter]
    fn ply(&self) -> u8 {
        self.engine.plies().get()
    }

    /// The name of the rollout that decides close choices; ``None`` without one.
    #[getter]
    fn roller(&self) -> Option<&'static str> {
        self.engine.depth().roller().map(Roller::name)
    }

    /// The depth of cube decisions in plies.
    #[getter]
    fn cube_ply(&self) -> u8 {
        self.engine.cube_plies().get()
    }

    /// Threads; 0 for one per processor.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    fn __repr__(&self) -> String {
        let PyEngine { engine, net, .. } = self;
        format!("<Engine {net}, {}, cube {}>", engine.depth().in_words(), engine.cube_plies())
    }

    /// Every legal play of the roll, the best first. ``dice`` is ``"31"`` or ``(3, 1)``; without it
    /// the roll of ``state`` counts. With ``cubeless`` plays are ranked by their equity without the
    /// cube.
    #[pyo3(signature = (state, dice=None, *, cubeless=false))]
    fn moves(
        &self,
        py: Python<'_>,
        state: StateArg<'_>,
        dice: Option<crate::state::DiceArg>,
        cubeless: bool,
    ) -> PyResult<Vec<Move>> {
        let mut state = state.read()?;
        if let Some(dice) = dice {
            state = state.with_dice(dice.read()?);
        }
        let engine = self.wide.clone();
        let asked = state.clone();
        let ranked = self.work(py, move |_| {
            if !cubeless || asked.is_over() || asked.dice().is_none() {
                return engine.moves(&asked);
            }
            Ok(asked
                .dice()
                .map_or_else(Vec::new, |dice| engine.rank_cubeless(&asked.position, dice)))
        })?;
        let ranked = ranked.map_err(of_engine)?;
        let best = ranked.first().map_or(0.0, |best| best.equity);
        let of = |scored: &nonet::ScoredMove| {
            let after = state.after(*scored.after());
            Ok(Move {
                play: scored.play().to_string(),
                equity: scored.equity,
                // A play that was searched less deep may have a higher equity.
                loss: (best - scored.equity).max(0.0),
                ply: scored.plies.get(),
                games: scored.rollout.map(|rollout| rollout.games),
                stderr: scored.rollout.map(|rollout| rollout.stderr),
                chances: chances(&scored.value),
                cubeless: scored.value.equity(),
                position_class: match after.outcome() {
                    Some(_) => "over".to_owned(),
                    None => Class::of(&after.position).slug().to_owned(),
                },
                after: Py::new(py, PyGameState::from_state(after))?,
            })
        };
        ranked.iter().map(of).collect()
    }

    /// Whether the player on roll in ``state`` should double before the roll, and how the opponent
    /// should answer.
    fn cube(&self, py: Python<'_>, state: StateArg<'_>) -> PyResult<PyCubeDecision> {
        let (state, engine) = (state.read()?, self.engine.clone());
        let decision = self.work(py, move |_| engine.cube(&state))?;
        Ok(PyCubeDecision::from(&decision.map_err(of_engine)?))
    }

    /// Why the best play is better than another one, or why to double or not.
    ///
    /// With a roll the best play of the roll of ``state`` is compared with ``instead``, or with the
    /// second best. Without a roll the question is why to double or not. The answer is a ``dict``,
    /// the object that ``nonet why --json`` prints: ``sentences``, and the numbers that they follow
    /// from.
    #[pyo3(signature = (state, dice=None, *, instead=None))]
    fn why<'py>(
        &self,
        py: Python<'py>,
        state: StateArg<'_>,
        dice: Option<crate::state::DiceArg>,
        instead: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut state = state.read()?;
        if let Some(dice) = dice {
            state = state.with_dice(dice.read()?);
        }
        let (wide, engine) = (self.wide.clone(), self.engine.clone());
        let text = self.work(py, move |_| {
            Ok::<_, WhyError>(if state.dice().is_some() {
                serde_json::to_string(&WhyAnswer::of(&wide, &state, instead.as_deref())?)
            } else {
                serde_json::to_string(&WhyCubeAnswer::of(&engine, &state)?)
            })
        })?;
        let text = text.map_err(invalid)?.map_err(invalid)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The best play or the cube decision at many scores.
    ///
    /// It is the best play of the roll of ``state``, or the cube decision without a roll. It covers
    /// all scores to ``away`` points away, money, and the cube in other places. Each cell is the
    /// plain answer at its score, and tells what ``play`` loses there. Without ``play`` it tells
    /// what the best play at the score of ``state`` loses. The answer is a ``dict``, the object
    /// that ``nonet hint --scores --json`` prints.
    #[pyo3(signature = (state, dice=None, *, away=ScoreMatrix::AWAY, play=None), text_signature = "($self, state, dice=None, *, away=9, play=None)")]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        state: StateArg<'_>,
        dice: Option<crate::state::DiceArg>,
        away: u16,
        play: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut state = state.read()?;
        if let Some(dice) = dice {
            state = state.with_dice(dice.read()?);
        }
        let (wide, engine) = (self.wide.clone(), self.engine.clone());
        let text = self.work(py, move |progress| {
            let options = MatrixOptions { away: Some(away), play: play.as_deref() };
            let engine = if state.dice().is_some() { &wide } else { &engine };
            let matrix = ScoreMatrix::of(engine, &state, options, progress)?;
            Ok::<_, MatrixError>(serde_json::to_string(&matrix))
        })?;
        let text = text.map_err(invalid)?.map_err(invalid)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The 21 rolls of the player on roll in ``state``, the best first, each with its best play and
    /// its luck. It is a ``dict``, the object that ``nonet rolls --json`` prints.
    fn rolls<'py>(&self, py: Python<'py>, state: StateArg<'_>) -> PyResult<Bound<'py, PyAny>> {
        let (state, wide) = (state.read()?, self.wide.clone());
        let rolls = self.work(py, move |_| RollsAnswer::of(&wide, &state))?.map_err(of_engine)?;
        let text = serde_json::to_string(&rolls).map_err(invalid)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Rolls out the best ``plays`` plays of the roll of ``state``, the best first.
    ///
    /// Each play has ``trials`` games, all with the same dice. Without a roll the position itself
    /// is rolled out. A play that ends the game is left out.
    ///
    /// Both sides play at ``ply``. A game is cut off after ``truncate`` plies and evaluated; 0
    /// plays to the end. ``levels`` names the level of the player who is asked and that of the
    /// opponent, such as ``("champion", "human-8")``. ``progress`` is called with the games done
    /// and their number. The same ``seed`` gives the same result.
    #[pyo3(signature = (state, trials=RolloutConfig::GAMES, *, progress=None, ply=RolloutConfig::PLIES.get().into(), truncate=RolloutConfig::TRUNCATE, plays=RolloutConfig::PLAYS, cubeless=false, levels=None, variance_reduction=true, seed=1), text_signature = "($self, state, trials=1296, *, progress=None, ply=1, truncate=0, plays=3, cubeless=False, levels=None, variance_reduction=True, seed=1)")]
    #[allow(clippy::too_many_arguments)]
    fn rollout(
        &self,
        py: Python<'_>,
        state: StateArg<'_>,
        trials: u64,
        progress: Option<Bound<'_, PyAny>>,
        ply: i64,
        truncate: u32,
        plays: usize,
        cubeless: bool,
        levels: Option<(String, String)>,
        variance_reduction: bool,
        seed: u64,
    ) -> PyResult<Vec<Rollout>> {
        let (state, levels) = (state.read()?, named_levels(levels)?);
        let context = self.context(&state)?;
        let config = config(trials, truncate, ply, variance_reduction, seed)?;
        let rolled = state.dice().is_some();
        let engine = self.wide.clone();
        let done = self.show(py, progress.as_ref(), trials, move |progress| {
            let lines = lines(&engine, &state, &context, cubeless, plays.max(1), levels);
            if lines.is_empty() {
                return Err(RolloutQuestionError::Over);
            }
            let mut sums = vec![RolloutSums::default(); lines.len()];
            let asked: Vec<RolloutLine> = lines.iter().map(|line| line.line.clone()).collect();
            engine.rollout_together(&asked, &config, &mut sums, &mut |_| false, progress);
            Ok((lines, sums))
        })?;
        let (lines, sums) = done.map_err(invalid)?;
        Ok(rows(lines, &sums, rolled))
    }

    /// Rolls out a question for players of all pairs of four levels, with the same dice.
    ///
    /// The question is the best ``plays`` of a roll, the cube decision (``cube``) or the position.
    /// The answer is a ``dict``, the object that ``nonet rollout --strengths --json`` prints.
    #[pyo3(signature = (state, trials=StrengthQuestion::GAMES, *, cube=false, plays=StrengthQuestion::PLAYS, progress=None, seed=1), text_signature = "($self, state, trials=144, *, cube=False, plays=2, progress=None, seed=1)")]
    #[allow(clippy::too_many_arguments)]
    fn strengths<'py>(
        &self,
        py: Python<'py>,
        state: StateArg<'_>,
        trials: u64,
        cube: bool,
        plays: usize,
        progress: Option<Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (state, wide) = (state.read()?, self.wide.clone());
        self.context(&state)?;
        let options = RolloutOptions { cube, cubeless: false, plays, also: None };
        let one = RolloutConfig::PLIES.get().into();
        let config = config(trials, RolloutConfig::TRUNCATE, one, true, seed)?;
        let table = self.show(py, progress.as_ref(), trials, move |progress| {
            // This searches for the best plays, so it needs the pool of this work.
            let asked = RolloutQuestion::new(&wide, state, options)?;
            let question = StrengthQuestion::new(&asked);
            let mut sums = vec![RolloutSums::default(); question.lines().len()];
            let started = std::time::Instant::now();
            let mut enough = |_: &[RolloutSums]| false;
            wide.rollout_together(question.lines(), &config, &mut sums, &mut enough, progress);
            let seconds = started.elapsed().as_secs_f64();
            Ok::<_, RolloutQuestionError>(question.table(&config, &sums, seconds))
        })?;
        let table = table.map_err(invalid)?;
        let text = serde_json::to_string(&table).map_err(invalid)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Rolls out the cube decision of ``state``: no double against a double that is taken, with the
    /// same dice.
    #[pyo3(signature = (state, trials=RolloutConfig::GAMES, *, progress=None, ply=RolloutConfig::PLIES.get().into(), truncate=RolloutConfig::TRUNCATE, variance_reduction=true, seed=1), text_signature = "($self, state, trials=1296, *, progress=None, ply=1, truncate=0, variance_reduction=True, seed=1)")]
    #[allow(clippy::too_many_arguments)]
    fn rollout_cube(
        &self,
        py: Python<'_>,
        state: StateArg<'_>,
        trials: u64,
        progress: Option<Bound<'_, PyAny>>,
        ply: i64,
        truncate: u32,
        variance_reduction: bool,
        seed: u64,
    ) -> PyResult<PyCubeRollout> {
        let state = state.read()?;
        let context = self.context(&state)?;
        if !context.may_double() {
            return Err(invalid(
                "the player on roll cannot double: there is no cube decision to roll out",
            ));
        }
        let config = config(trials, truncate, ply, variance_reduction, seed)?;
        let engine = self.engine.clone();
        let asked = context.clone();
        let sums = self.show(py, progress.as_ref(), trials, move |progress| {
            let lines = CubeRollout::lines(state.position, &asked.scoring, asked.cube);
            let mut sums = [RolloutSums::default(), RolloutSums::default()];
            engine.rollout_together(&lines, &config, &mut sums, &mut |_| false, progress);
            sums
        })?;
        PyCubeRollout::new(py, &CubeRollout::of(&context.scoring, context.cube, &sums))
    }

    /// Evaluates boards for their players on roll, before the roll and without the cube.
    ///
    /// The answer is ``float32[n, 6]`` of ``boards``, ``int8[n, 26]`` rows as the package's
    /// docstring describes them.
    ///
    /// The columns are :data:`nonet.COLUMNS`:
    ///
    /// - The chances, each 0 to 1, of a win, of a gammon or better, and of a backgammon.
    /// - The chances, each 0 to 1, of a gammon or worse lost and of a backgammon lost.
    /// - The equity in points per game, -3 to 3.
    ///
    /// ``ply`` is 1 for the static evaluation, whatever the depth of the engine. A C-contiguous
    /// array of ``int8`` is read without a copy.
    #[pyo3(signature = (boards, *, ply=1))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        ply: i64,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let boards = boards_of(boards)?;
        let evaluator = match plies(ply)? {
            Plies::ONE => Arc::clone(self.engine.static_evaluator()),
            plies => self.engine.with_plies(plies).evaluator(),
        };
        evaluate_rows(py, self.threads, ply > 1, &evaluator, &boards)
    }

    /// The seven heads of the nets for boards, ``float32[n, 7]``.
    ///
    /// The columns are :data:`nonet.HEADS`, which are what nets learn. They are the average result
    /// in points per game and the six ends of a game one by one. With linear outputs the chances
    /// may lie slightly outside of 0 to 1.
    fn heads<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let boards = boards_of(boards)?;
        heads_of_rows(py, self.threads, self.engine.static_evaluator(), &boards)
    }

    /// Analyses the matches of a record, a file or a folder: an ``Analysis`` for each match. It is
    /// a ``dict``, the object that ``nonet analyse --json`` prints and ``nonet.ANALYSIS_SCHEMA``
    /// explains: results, PR, luck, and every decision with its loss.
    ///
    /// ``progress`` is called with the decisions done and their number. What cannot be read of a
    /// match is in its ``warnings``. A file without a usable game is left out with a
    /// ``UserWarning``; if there is no other, it is an ``OSError`` or a ``ValueError``.
    #[pyo3(signature = (path, *, progress=None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (mut read, mut failed) = (Vec::new(), Vec::new());
        for file in files(&path)? {
            match record(&file) {
                Ok(record) => read.push((file.display().to_string(), record)),
                Err(error) => failed.push(error),
            }
        }
        if read.is_empty() {
            let path = path.display();
            let none = || invalid(format!("no file in {path}: expected at least one record"));
            return Err(failed.into_iter().next().map_or_else(none, of_record));
        }
        for error in failed {
            let text = format!("no usable game: {error}").replace('\0', " ");
            let text = CString::new(text).map_err(invalid)?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
        }
        let total = read.iter().map(|(_, record)| decisions_in(&record.games)).sum();
        let engine = self.engine.clone();
        let (depth, cube_plies, net) = (engine.depth(), engine.cube_plies(), self.net.clone());
        let texts = self.show(py, progress.as_ref(), total, move |progress| {
            let mut texts = Vec::new();
            for (file, record) in &read {
                let Some(games) = analyse(&record.games, &engine, progress)? else { break };
                let warnings: Vec<String> =
                    record.warnings.iter().map(ToString::to_string).collect();
                for range in matches_in(&record.games) {
                    let games: Vec<Analysis> = games[range].to_vec();
                    let one = AnalysedMatch { file: file.clone(), games };
                    texts.push(analysis_json(&one, &warnings, depth, cube_plies, &net).to_string());
                }
            }
            Ok::<_, nonet::EngineError>(texts)
        })?;
        let json = py.import("json")?;
        let class = py.import("nonet._analysis")?.getattr("Analysis")?;
        let texts = texts.map_err(of_engine)?;
        let of = |text: String| class.call1((json.call_method1("loads", (text,))?,));
        texts.into_iter().map(of).collect()
    }
}

impl PyEngine {
    /// Work that only Ctrl-C ends early.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> PyResult<T> {
        interruptible(py, self.threads, &Arc::new(Progress::default()), |_| Ok(()), work)
    }

    /// Work that shows its progress.
    fn show<T: Send + 'static>(
        &self,
        py: Python<'_>,
        callback: Option<&Bound<'_, PyAny>>,
        total: u64,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> PyResult<T> {
        let progress = Arc::new(Progress::default());
        interruptible(py, self.threads, &progress, show(callback, total), work)
    }

    fn context(&self, state: &GameState) -> PyResult<CubeContext> {
        if state.is_over() {
            return Err(of_engine(nonet::EngineError::GameOver));
        }
        self.engine.context(state.state.scoring, state.state.cube).map_err(invalid)
    }
}

/// The file, or the files in the folder.
pub(crate) fn files(path: &Path) -> PyResult<Vec<PathBuf>> {
    if !path.exists() {
        let path = path.display();
        return Err(PyOSError::new_err(format!(
            "cannot read {path}: expected an existing file or folder"
        )));
    }
    record_files(path).map_err(of_record)
}

/// All that can be used of a record.
pub(crate) fn record(path: &Path) -> Result<ReadRecord, RecordError> {
    let name = path.to_string_lossy();
    let file = File::open(path).map_err(|error| RecordError {
        file: Arc::from(&*name),
        place: Location::Line(1),
        reason: RecordErrorKind::Io(error),
    })?;
    read_record(BufReader::new(file), &name)
}
