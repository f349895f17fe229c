//! Many games at once, turn by turn, for the environments.

use std::sync::Arc;

use nonet::backgammon::{Outcome, Position, Results, Seat};
use nonet::features::Encoding;
use nonet::game::{
    MAX_TURNS, MoveChoice, Pcg64, Player, StreamPurpose, opening_roll, roll, stream,
};
use nonet::{Dice, Evaluation};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::arrays::{POINTS, array, write_inputs};
use crate::errors::invalid;
use crate::players::PlayerArg;
use crate::work::pool;

/// Games whose turns are played one after the other by one thread.
const TOGETHER: usize = 32;

/// What an observation is.
#[derive(Clone, Copy)]
enum Observed {
    /// The board and the dice, `int8[28]`.
    Board,
    /// The inputs of an encoding and the dice, divided by 6.
    Inputs(Encoding),
}

/// What is common to all games.
struct Rules {
    seed: u64,
    purpose: StreamPurpose,
    opponent: Option<Arc<dyn Player>>,
}

/// The end of a game.
#[derive(Clone, Copy)]
struct End {
    /// Points of the agent who played, -3 to 3.
    points: i32,
    /// Given up as endless.
    endless: bool,
    /// The last board, seen by the player who would be on roll.
    position: Position,
}

/// One place where games are played one after the other.
struct Table {
    number: u64,
    dice: Pcg64,
    choices: Pcg64,
    position: Position,
    roll: Dice,
    on_roll: Seat,
    turns: usize,
    results: Results,
    values: Vec<Evaluation>,
    end: Option<End>,
}

impl Table {
    fn new(rules: &Rules, number: u64) -> Table {
        let mut table = Table {
            number,
            dice: stream(rules.seed, rules.purpose, number),
            // As the programs that play such games make it.
            choices: stream(rules.seed ^ rules.purpose as u64, StreamPurpose::Choice, number),
            position: Position::START,
            roll: Dice::ALL[1],
            on_roll: Seat::X,
            turns: 0,
            results: Results::default(),
            values: Vec::new(),
            end: None,
        };
        (table.on_roll, table.roll) = opening_roll(&mut table.dice);
        table.results.of(&table.position, table.roll);
        table
    }

    /// The opponent's turns until the agent is on roll or the game ends.
    fn opponent_plays(&mut self, rules: &Rules) {
        let Some(opponent) = &rules.opponent else { return };
        while self.end.is_none() && self.on_roll == Seat::O {
            let results = self.results.as_slice();
            let choice = if results.len() == 1 {
                0
            } else {
                let (position, dice) = (&self.position, self.roll);
                let decision = MoveChoice { position, dice, results, context: None };
                opponent.choose(&decision, &mut self.values, &mut self.choices)
            };
            self.play(choice, rules);
        }
    }

    /// Plays the result with this index, for whoever is on roll.
    fn play(&mut self, choice: usize, rules: &Rules) {
        let after = self.results.as_slice()[choice];
        self.turns += 1;
        let won = after.outcome().map(Outcome::flipped);
        if won.is_some() || self.turns >= MAX_TURNS {
            let points = won.map_or(0, Outcome::points);
            let agent = rules.opponent.is_none() || self.on_roll == Seat::X;
            let points = if agent { points } else { -points };
            self.end = Some(End { points, endless: won.is_none(), position: after });
            return;
        }
        self.position = after;
        self.on_roll = self.on_roll.other();
        self.roll = roll(&mut self.dice);
        self.results.of(&self.position, self.roll);
    }
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
    #[pyo3(signature = (count, opponent, observation, dice, strict, threads))]
    fn new(
        count: usize,
        opponent: Option<PlayerArg<'_>>,
        observation: &str,
        dice: &str,
        strict: bool,
        threads: usize,
    ) -> PyResult<Games> {
        if count == 0 {
            return Err(invalid("invalid number of games 0: expected at least 1"));
        }
        let opponent = opponent.map(|player| player.open()).transpose()?;
        let rules = Rules { seed: 0, purpose: purpose(dice)?, opponent };
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
        Ok(())
    }

    /// Plays an action at each table, and the opponent's turns after it; rewards, ended, endless. Tables whose game has ended wait for
    /// `renew`.
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
            let legal = table.results.as_slice().len();
            let inside = usize::try_from(action).ok().filter(|&action| action < legal);
            choices.push(match inside {
                Some(action) => action,
                None if self.strict => {
                    return Err(invalid(format!(
                        "invalid action {action} in game {k}: expected 0 to {}, an index among its legal results",
                        legal - 1
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
                        table.play(choice, rules);
                        table.opponent_plays(rules);
                    }
                });
            });
        });
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

    /// Begins the next game at each table whose game has ended: that with the number `stride` higher. Returns the last observations.
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
        Ok(seen)
    }

    /// The observation of each table: `int8[n, 28]` or `float32[n, inputs + 2]`.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let now: Vec<(Position, Option<Dice>)> = self.tables.iter().map(Table::seen).collect();
        self.observe(py, &now)
    }

    /// The boards of all tables as they are seen by the players on roll, and their dice, 0 after the end of a game.
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

    /// The width of an observation: the inputs and the dice.
    fn width(&self) -> usize {
        2 + match self.observed {
            Observed::Board => POINTS,
            Observed::Inputs(encoding) => encoding.inputs(),
        }
    }

    /// The legal results of all tables and where those of each begin, the seats on roll (0 or 1) and the numbers of the games.
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
        info.set_item("seat", of(&|table| table.on_roll.index() as i64).into_pyarray(py))?;
        info.set_item("game", of(&|table| table.number as i64).into_pyarray(py))?;
        Ok(info)
    }

    /// The number of legal results of each table.
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let counts: Vec<i64> = self.tables.iter().map(|table| table.legal().len() as i64).collect();
        counts.into_pyarray(py)
    }
}

/// Both dice, the higher one first; 0 without a roll.
fn dice_of(roll: Option<Dice>) -> [u8; 2] {
    roll.map_or([0, 0], |dice| [dice.high(), dice.low()])
}

impl Table {
    /// The board and the roll; after the end of the game the last board.
    fn seen(&self) -> (Position, Option<Dice>) {
        match self.end {
            Some(end) => (end.position, None),
            None => (self.position, Some(self.roll)),
        }
    }

    /// The legal results; none after the end of the game.
    fn legal(&self) -> &[Position] {
        if self.end.is_some() { &[] } else { self.results.as_slice() }
    }
}

impl Games {
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seen: &[(Position, Option<Dice>)],
    ) -> PyResult<Bound<'py, PyAny>> {
        let width = self.width();
        match self.observed {
            Observed::Board => {
                let mut out = Vec::with_capacity(seen.len() * width);
                for (position, roll) in seen {
                    out.extend_from_slice(position.points());
                    out.extend(dice_of(*roll).map(|die| die as i8));
                }
                Ok(array(py, out, width)?.into_any())
            }
            Observed::Inputs(encoding) => {
                let mut out = vec![0.0; seen.len() * width];
                let pool = pool(self.threads)?;
                py.detach(|| {
                    pool.install(|| {
                        let parts =
                            out.par_chunks_mut(TOGETHER * width).zip(seen.par_chunks(TOGETHER));
                        parts.for_each(|(out, seen)| {
                            let positions: Vec<Position> =
                                seen.iter().map(|(position, _)| *position).collect();
                            write_inputs(encoding, &positions, out, width);
                            for (row, (_, roll)) in out.chunks_exact_mut(width).zip(seen) {
                                let [high, low] = dice_of(*roll).map(|die| f32::from(die) / 6.0);
                                row[width - 2..].copy_from_slice(&[high, low]);
                            }
                        });
                    });
                });
                Ok(array(py, out, width)?.into_any())
            }
        }
    }
}
