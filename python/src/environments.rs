//! Many games at once, decision by decision, for the environments.

use nonet::Dice;
use nonet::backgammon::{Position, Scoring};
use nonet::cube::{CubeScoring, MatchEquityTable};
use nonet::features::Encoding;
use nonet::game::StreamPurpose;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::arrays::{POINTS, array, write_inputs};
use crate::environment_table::{Rules, Table};
use crate::errors::invalid;
use crate::players::PlayerArg;
use crate::work::pool;

/// One thread plays the turns of this number of games one after the other.
const TOGETHER: usize = 32;
/// The two dice of an observation.
const DICE: usize = 2;
/// What an observation has with a cube: what is to be decided, the logarithm of the cube's value,
/// and its owner.
const CUBE: usize = 3;

/// What an observation is.
#[derive(Clone, Copy)]
enum Observed {
    /// The board and the dice, `int8[28]`.
    Board,
    /// The inputs of an encoding and the dice, divided by 6.
    Inputs(Encoding),
}

/// Many tables, and what is observed of them.
#[pyclass(module = "nonet._nonet")]
pub(crate) struct Games {
    rules: Rules,
    tables: Vec<Table>,
    observed: Observed,
    threads: usize,
    strict: bool,
}

/// The stream of the dice by name.
fn purpose(name: &str) -> PyResult<StreamPurpose> {
    match name {
        "training" => Ok(StreamPurpose::Training),
        "match" => Ok(StreamPurpose::Match),
        "record" => Ok(StreamPurpose::Record),
        _ => Err(invalid(format!(
            "unknown dice '{name}': expected training (as nonet train), match (as nonet eval) or record (as nonet record)"
        ))),
    }
}

fn observed(name: &str) -> PyResult<Observed> {
    if name == "board" {
        return Ok(Observed::Board);
    }
    let name_of = |encoding: &Encoding| {
        encoding.name() == name || name == "inputs" && *encoding == Encoding::Contact
    };
    let found = Encoding::ALL.into_iter().find(name_of);
    found.map(Observed::Inputs).ok_or_else(|| {
        let known = Encoding::ALL.map(Encoding::name).join(", ");
        invalid(format!("unknown observation '{name}': expected board, inputs or one of {known}"))
    })
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (count, opponent, observation, dice, strict, threads, cube, jacoby))]
    #[allow(clippy::too_many_arguments, reason = "the options of the environments")]
    fn new(
        count: usize,
        opponent: Option<PlayerArg<'_>>,
        observation: &str,
        dice: &str,
        strict: bool,
        threads: usize,
        cube: bool,
        jacoby: bool,
    ) -> PyResult<Games> {
        if count == 0 {
            return Err(invalid("invalid number of games 0: expected at least 1"));
        }
        let opponent = opponent.map(|player| player.open()).transpose()?;
        if jacoby && !cube {
            return Err(invalid("invalid option jacoby: expected cube as well"));
        }
        let session = Scoring::Money { jacoby, beavers: false };
        let scoring = cube.then(|| {
            let table = MatchEquityTable::kazaross_xg2();
            CubeScoring::new(session, table).expect("money is in reach of any table")
        });
        let rules = Rules { seed: 0, purpose: purpose(dice)?, opponent, scoring };
        let tables = (0..count as u64).map(|number| Table::new(&rules, number)).collect();
        Ok(Games { rules, tables, observed: observed(observation)?, threads, strict })
    }

    /// Begins game `first` + k at each table k.
    fn reset(&mut self, py: Python<'_>, seed: u64, first: u64) -> PyResult<()> {
        self.rules.seed = seed;
        let pool = pool(self.threads)?;
        let Games { rules, tables, .. } = self;
        py.detach(|| {
            pool.install(|| {
                tables.par_iter_mut().with_min_len(TOGETHER).enumerate().for_each(|(k, table)| {
                    *table = Table::new(rules, first + k as u64);
                    table.opponent_plays(rules);
                });
            });
        });
        self.check()
    }

    /// Carries out an action at each table, and the opponent's after it; rewards, ended, endless.
    /// Tables with an ended game wait for `renew`.
    #[allow(clippy::type_complexity)]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>)>
    {
        let actions = actions.as_slice().map_err(invalid)?;
        let n = self.tables.len();
        if actions.len() != n {
            let found = actions.len();
            return Err(invalid(format!(
                "invalid actions: expected {n}, one for each game, not {found}"
            )));
        }
        let mut choices = Vec::with_capacity(n);
        for (k, (table, &action)) in self.tables.iter().zip(actions).enumerate() {
            // A game that has ended takes any action, as one with a single result would.
            let legal = table.actions().max(1);
            let inside = usize::try_from(action).ok().filter(|&action| action < legal);
            choices.push(match inside {
                Some(action) => action,
                None if self.strict => {
                    return Err(invalid(format!(
                        "invalid action {action} in game {k}: expected 0 to {}, an index among its legal {}",
                        legal - 1,
                        if table.legal().is_empty() { "answers" } else { "results" },
                    )));
                }
                None => action.rem_euclid(legal as i64) as usize,
            });
        }
        let pool = pool(self.threads)?;
        let Games { rules, tables, .. } = self;
        py.detach(|| {
            pool.install(|| {
                let tables = tables.par_iter_mut().zip(&choices).with_min_len(TOGETHER);
                tables.for_each(|(table, &choice)| {
                    if table.end.is_none() {
                        table.act(choice, rules);
                        table.opponent_plays(rules);
                    }
                });
            });
        });
        self.check()?;
        let rewards: Vec<f32> = self
            .tables
            .iter()
            .map(|table| table.end.map_or(0.0, |end| end.points as f32))
            .collect();
        let ended = |endless: bool| -> Vec<bool> {
            self.tables
                .iter()
                .map(|table| table.end.is_some_and(|end| end.endless == endless))
                .collect()
        };
        Ok((rewards.into_pyarray(py), ended(false).into_pyarray(py), ended(true).into_pyarray(py)))
    }

    /// Begins the next game at each table with an ended game: that with the number `stride` higher.
    /// Returns the last observations.
    fn renew<'py>(&mut self, py: Python<'py>, stride: u64) -> PyResult<Bound<'py, PyAny>> {
        let seen = self.observation(py)?;
        let pool = pool(self.threads)?;
        let Games { rules, tables, .. } = self;
        py.detach(|| {
            pool.install(|| {
                let ended = tables.par_iter_mut().filter(|table| table.end.is_some());
                ended.for_each(|table| {
                    *table = Table::new(rules, table.number + stride);
                    table.opponent_plays(rules);
                });
            });
        });
        self.check()?;
        Ok(seen)
    }

    /// The observation of each table: `int8[n, 28]` or `float32[n, inputs + 2]`.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.observe(py)
    }

    /// The boards of all tables as they are seen by the players on roll, and their dice, 0 after
    /// the end of a game.
    #[allow(clippy::type_complexity)]
    fn boards<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<i8>>)> {
        let (mut boards, mut dice) = (Vec::new(), Vec::new());
        for table in &self.tables {
            let (position, roll) = table.seen();
            boards.extend_from_slice(position.points());
            dice.extend(dice_of(roll).map(|die| die as i8));
        }
        Ok((array(py, boards, POINTS)?, array(py, dice, 2)?))
    }

    /// The width of an observation: the inputs, the dice, and with a cube the decision, its value
    /// and its owner.
    fn width(&self) -> usize {
        let inputs = match self.observed {
            Observed::Board => POINTS,
            Observed::Inputs(encoding) => encoding.inputs(),
        };
        inputs + DICE + if self.rules.scoring.is_some() { CUBE } else { 0 }
    }

    /// Facts about all tables, by name:
    ///
    /// - The legal results of all tables, and where those of each begin.
    /// - The seats that decide (0 or 1), and the numbers of the games.
    /// - With a cube, what is to be decided.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let total: usize = self.tables.iter().map(|table| table.legal().len()).sum();
        let (mut results, mut offsets) = (Vec::with_capacity(total * POINTS), vec![0]);
        for table in &self.tables {
            for result in table.legal() {
                results.extend_from_slice(result.points());
            }
            offsets.push((results.len() / POINTS) as i64);
        }
        let of =
            |each: &dyn Fn(&Table) -> i64| -> Vec<i64> { self.tables.iter().map(each).collect() };
        let info = PyDict::new(py);
        let results: Bound<'py, PyArray2<i8>> = array(py, results, POINTS)?;
        info.set_item("results", results)?;
        info.set_item("offsets", offsets.into_pyarray(py))?;
        info.set_item("seat", of(&|table| table.actor().index() as i64).into_pyarray(py))?;
        info.set_item("game", of(&|table| table.number as i64).into_pyarray(py))?;
        if self.rules.scoring.is_some() {
            let decision = of(&|table| table.decision() as i64);
            info.set_item("decision", decision.into_pyarray(py))?;
        }
        Ok(info)
    }

    /// The number of legal actions at each table.
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let counts: Vec<i64> = self.tables.iter().map(|table| table.actions() as i64).collect();
        counts.into_pyarray(py)
    }
}

/// Both dice, the higher one first; 0 without a roll.
fn dice_of(roll: Option<Dice>) -> [u8; 2] {
    roll.map_or([0, 0], |dice| [dice.high(), dice.low()])
}

impl Games {
    /// Since an opponent has failed, its answers are placeholders.
    fn check(&self) -> PyResult<()> {
        let failure = self.rules.opponent.as_ref().and_then(|opponent| opponent.failure());
        failure.map_or(Ok(()), |failure| Err(PyRuntimeError::new_err(failure.to_string())))
    }

    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (width, cube) = (self.width(), self.rules.scoring.is_some());
        match self.observed {
            Observed::Board => {
                let mut out = Vec::with_capacity(self.tables.len() * width);
                for table in &self.tables {
                    let (position, roll) = table.seen();
                    out.extend_from_slice(position.points());
                    out.extend(dice_of(roll).map(|die| die as i8));
                    if cube {
                        out.push(table.decision() as i8);
                        out.extend(table.seen_cube());
                    }
                }
                Ok(array(py, out, width)?.into_any())
            }
            Observed::Inputs(encoding) => {
                let inputs = encoding.inputs();
                let mut out = vec![0.0; self.tables.len() * width];
                let pool = pool(self.threads)?;
                py.detach(|| {
                    pool.install(|| {
                        let parts = out
                            .par_chunks_mut(TOGETHER * width)
                            .zip(self.tables.par_chunks(TOGETHER));
                        parts.for_each(|(out, tables)| {
                            let seen: Vec<(Position, Option<Dice>)> =
                                tables.iter().map(Table::seen).collect();
                            let positions: Vec<Position> =
                                seen.iter().map(|(position, _)| *position).collect();
                            write_inputs(encoding, &positions, out, width);
                            let rows = out.chunks_exact_mut(width);
                            for ((row, (_, roll)), table) in rows.zip(&seen).zip(tables) {
                                let (dice, rest) = row[inputs..].split_at_mut(DICE);
                                dice.copy_from_slice(
                                    &dice_of(*roll).map(|die| f32::from(die) / 6.0),
                                );
                                if cube {
                                    let [value, owner] = table.seen_cube().map(f32::from);
                                    let decision = f32::from(table.decision() as u8);
                                    rest.copy_from_slice(&[decision, value, owner]);
                                }
                            }
                        });
                    });
                });
                Ok(array(py, out, width)?.into_any())
            }
        }
    }
}
