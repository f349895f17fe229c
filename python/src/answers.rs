//! What an engine answers.

use nonet::Evaluation;
use nonet::cube::{Answer, CubeAction, CubeDecision};
use nonet::rollout::{CubeRollout, RolloutResult};
use nonet::stats::Estimate;
use pyo3::prelude::*;

use crate::state::PyGameState;

/// The five customary chances of an evaluation.
pub(crate) type Chances = (f32, f32, f32, f32, f32);

pub(crate) fn chances(value: &Evaluation) -> Chances {
    value.cumulative().into()
}

/// A legal play with its evaluation, for the player who makes it.
#[pyclass(frozen, get_all, module = "nonet")]
pub(crate) struct Move {
    /// The play in notation; empty if the roll cannot be played.
    pub(crate) play: String,
    /// The equity in points on a cube at 1, with the cube unless it was asked for without.
    pub(crate) equity: f32,
    /// What it loses against the best play, in the same unit, 0 or more; 0 also for a play with a
    /// higher equity at a lower depth.
    pub(crate) loss: f32,
    /// The depth of this evaluation in plies.
    pub(crate) ply: u8,
    /// The games of the rollout that the figures are of; ``None`` if they are those of a search.
    pub(crate) games: Option<u64>,
    /// The standard error of the equity in such a rollout, that of the dice alone.
    pub(crate) stderr: Option<f32>,
    /// Chances of win, gammon or better, backgammon, gammon or worse lost, backgammon lost; each 0
    /// to 1.
    pub(crate) chances: Chances,
    /// The equity without the cube, in points.
    pub(crate) cubeless: f32,
    /// The state after the play, the opponent on roll.
    pub(crate) after: Py<PyGameState>,
    /// The class of the position after the play, for the opponent.
    pub(crate) position_class: String,
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        let Move { play, equity, loss, ply, games, .. } = self;
        let play = if play.is_empty() { "(no legal play)" } else { play };
        let loss = if *loss > 0.0 { format!(" ({:+.3})", -loss) } else { String::new() };
        let depth = match games {
            Some(games) => format!("{games} games"),
            None => format!("{ply}-ply"),
        };
        format!("<Move {play}: {equity:+.3}{loss}, {depth}>")
    }
}

/// Whether to double and how to answer. Equities are those of the player on roll, in points on a
/// cube at 1.
#[pyclass(frozen, get_all, module = "nonet", name = "CubeDecision")]
pub(crate) struct PyCubeDecision {
    /// ``"double"``, ``"no-double"``, ``"too-good"`` or ``"not-available"``.
    action: &'static str,
    /// The opponent's answer to a double: ``"take"``, ``"pass"`` or ``"beaver"``.
    answer: &'static str,
    /// Both in words: ``"Double, take"``.
    words: String,
    /// Whether a double would be a redouble.
    redouble: bool,
    /// The equity of the best action.
    equity: f32,
    /// The equity of not doubling.
    no_double: f32,
    /// The equity of a double that is taken, or beavered where that is better.
    double_take: f32,
    /// The equity of a double that is passed: 1.
    double_pass: f32,
    /// The three as match winning chances, 0 to 1; as points for money.
    utilities: (f32, f32, f32),
    /// Chances without the cube: as those of a ``Move``.
    chances: Chances,
    /// The equity without the cube, in points.
    cubeless: f32,
}

impl From<&CubeDecision> for PyCubeDecision {
    fn from(decision: &CubeDecision) -> PyCubeDecision {
        PyCubeDecision {
            action: match decision.action {
                CubeAction::NotAvailable => "not-available",
                CubeAction::NoDouble => "no-double",
                CubeAction::TooGood => "too-good",
                CubeAction::Double => "double",
            },
            answer: match decision.answer {
                Answer::Take => "take",
                Answer::Pass => "pass",
                Answer::Beaver => "beaver",
            },
            words: decision.to_string(),
            redouble: decision.redouble,
            equity: decision.equity(),
            no_double: decision.no_double,
            double_take: decision.double_take,
            double_pass: decision.double_pass,
            utilities: decision.utility.into(),
            chances: chances(&decision.cubeless),
            cubeless: decision.cubeless.equity(),
        }
    }
}

#[pymethods]
impl PyCubeDecision {
    /// Whether the player on roll should double.
    #[getter]
    fn is_double(&self) -> bool {
        self.action == "double"
    }

    /// Whether the opponent should take, or beaver, a double.
    #[getter]
    fn is_take(&self) -> bool {
        self.answer != "pass"
    }

    fn __repr__(&self) -> String {
        let PyCubeDecision { words, no_double, double_take, double_pass, .. } = self;
        format!(
            "<CubeDecision {words}: no double {no_double:+.3}, double/take {double_take:+.3}, double/pass {double_pass:+.3}>"
        )
    }
}

/// The result of rolling out a play or a position, for the player on roll in the question.
#[pyclass(frozen, get_all, module = "nonet")]
pub(crate) struct Rollout {
    /// The play; empty for a position before the roll.
    play: String,
    /// Games played.
    games: u64,
    /// The mean equity in points on a cube at 1.
    equity: f64,
    /// Its standard error, of the dice alone.
    stderr: f64,
    /// How much lower it is than the best one's, in points.
    loss: f64,
    /// The standard error of the loss, with the same dice.
    loss_stderr: f64,
    /// Chances: as those of a ``Move``.
    chances: Chances,
    /// The equity without the cube, in points.
    cubeless: f32,
}

impl Rollout {
    pub(crate) fn new(play: String, result: &RolloutResult, lead: Estimate) -> Rollout {
        Rollout {
            play,
            games: result.games,
            equity: result.equity.mean,
            stderr: result.equity.stderr,
            loss: lead.mean,
            loss_stderr: lead.stderr,
            chances: chances(&result.value),
            cubeless: result.value.equity(),
        }
    }
}

#[pymethods]
impl Rollout {
    fn __repr__(&self) -> String {
        let Rollout { play, games, equity, stderr, .. } = self;
        let half = nonet::stats::Z95 * stderr;
        let what = if play.is_empty() { "position" } else { play };
        format!("<Rollout {what}: {equity:+.4} ± {half:.4}, {games} games>")
    }
}

/// A cube decision that was rolled out.
#[pyclass(frozen, get_all, module = "nonet", name = "CubeRollout")]
pub(crate) struct PyCubeRollout {
    /// The decision by the equities of the rollout.
    decision: Py<PyCubeDecision>,
    /// Games played of each side.
    games: u64,
    /// How much a double gains over not doubling, in points on a cube at 1, and its standard error.
    double_gains: (f64, f64),
    /// How much a take gains over a pass for the opponent, and its standard error.
    take_gains: (f64, f64),
}

impl PyCubeRollout {
    pub(crate) fn new(py: Python<'_>, rollout: &CubeRollout) -> PyResult<PyCubeRollout> {
        let pair = |estimate: Estimate| (estimate.mean, estimate.stderr);
        Ok(PyCubeRollout {
            decision: Py::new(py, PyCubeDecision::from(&rollout.decision))?,
            games: rollout.no_double.n,
            double_gains: pair(rollout.double_gains),
            take_gains: pair(rollout.take_gains),
        })
    }
}

#[pymethods]
impl PyCubeRollout {
    fn __repr__(&self) -> String {
        let words = &self.decision.get().words;
        let (gain, stderr) = self.double_gains;
        let (half, games) = (nonet::stats::Z95 * stderr, self.games);
        format!("<CubeRollout {words}: a double gains {gain:+.3} ± {half:.3}, {games} games>")
    }
}

/// The result of a series of games for the first player.
#[pyclass(frozen, get_all, module = "nonet")]
pub(crate) struct Series {
    /// Games played to their end.
    pub(crate) games: u64,
    /// Points per game.
    pub(crate) ppg: f64,
    /// Its standard error; with duplicate dice that of the mean over pairs of games.
    pub(crate) stderr: f64,
    /// Games by their end: won single, gammon, backgammon, lost single, gammon, backgammon.
    pub(crate) outcomes: (u64, u64, u64, u64, u64, u64),
}

#[pymethods]
impl Series {
    /// The interval that contains the true mean with 95 % confidence, in points per game.
    #[getter]
    fn interval95(&self) -> (f64, f64) {
        let half = nonet::stats::Z95 * self.stderr;
        (self.ppg - half, self.ppg + half)
    }

    fn __repr__(&self) -> String {
        let Series { games, ppg, stderr, .. } = self;
        let half = nonet::stats::Z95 * stderr;
        format!("<Series {ppg:+.3} ± {half:.3} points a game, {games} games>")
    }
}
