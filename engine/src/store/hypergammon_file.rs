//! The solved values of hypergammon in GNU Backgammon's format, read position by position.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file_container::{Kind, decode, encode};
use super::gnubg_two_sided::read_at;
use super::{StoreError, write_atomic};
use crate::backgammon::Position;
use crate::eval::{Evaluation, ExternalEngine, ExternalEvaluator};
use crate::hypergammon::{
    ENTRY, Exact, HEADER, MOST_CHECKERS, SideNumbers, Solver, checkers_of, file_len,
};

/// A file that `nonet bearoff --gnubg hypergammon` or gnubg's `makehyper` wrote. Opening it reads
/// its first 40 bytes; a value is read when it is asked for. The format has no checksum.
#[derive(Debug)]
pub struct HypergammonFile {
    path: PathBuf,
    file: File,
    checkers: u8,
    sides: SideNumbers,
}

impl HypergammonFile {
    /// Opens a file.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read, is no such database, or has another length than its
    /// header says.
    pub fn open(path: &Path) -> Result<HypergammonFile, StoreError> {
        let mut file = File::open(path).map_err(StoreError::io("open", path))?;
        let bytes = file.metadata().map_err(StoreError::io("read", path))?.len();
        let mut begin = [0; HEADER];
        let checkers = match file.read_exact(&mut begin) {
            Ok(()) => checkers_of(&begin),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => return Err(StoreError::io("read", path)(error)),
        };
        let path = path.to_owned();
        let Some(checkers) = checkers else { return Err(StoreError::NoHypergammon { path }) };
        let sides = SideNumbers::new(checkers);
        let expected = file_len(&sides);
        if bytes != expected {
            return Err(StoreError::OtherLength { path, bytes, expected });
        }
        Ok(HypergammonFile { path, file, checkers, sides })
    }

    /// Checkers of each side at the start of a game.
    #[must_use]
    pub fn checkers(&self) -> u8 {
        self.checkers
    }

    /// Positions by number, 0 up to this: some numbers stand for none.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.sides.len().pow(2)
    }

    /// The position of a number. `None` if both sides would claim one point, or both be off.
    #[must_use]
    pub fn position(&self, number: usize) -> Option<Position> {
        (number < self.numbers()).then(|| self.sides.position(number)).flatten()
    }

    /// The value of a position for the player on roll; `None` if a side has more checkers than the
    /// file knows.
    ///
    /// # Errors
    /// [`StoreError::Io`] if the file cannot be read.
    pub fn get(&self, position: &Position) -> Result<Option<Exact>, StoreError> {
        if position.own_left().max(position.opponent_left()) > self.checkers {
            return Ok(None);
        }
        let mut entry = [0; ENTRY];
        let place = HEADER + self.sides.index(position) * ENTRY;
        read_at(&self.file, &mut entry, place as u64)
            .map_err(StoreError::io("read", &self.path))?;
        Ok(Exact::of_entry(&entry))
    }

    /// The value of a position for the player on roll.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read, or a side has more checkers than it knows.
    pub fn exact(&self, position: &Position) -> Result<Exact, StoreError> {
        let more = || StoreError::MoreCheckers { path: self.path.clone(), checkers: self.checkers };
        self.get(position)?.ok_or_else(more)
    }
}

/// Reading a file can fail, as an engine in another process can.
impl ExternalEngine for HypergammonFile {
    type Error = StoreError;

    fn name(&self) -> &str {
        "the file of hypergammon"
    }
}

impl ExternalEvaluator for HypergammonFile {
    fn evaluate_batch(
        &self,
        positions: &[Position],
        out: &mut [Evaluation],
    ) -> Result<(), StoreError> {
        for (position, value) in positions.iter().zip(out) {
            *value = match position.outcome() {
                Some(outcome) => Evaluation::of_outcome(outcome),
                None => self.exact(position)?.evaluation(),
            };
        }
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    checkers: u8,
    rounds: u32,
}

/// Writes a solver that has not come to its end; with three checkers 940 MB.
///
/// # Errors
/// [`StoreError::Io`]
///
/// # Panics
/// In the middle of a round: after a [`Solver::step`] that returned `None`.
pub fn write_solver(path: &Path, solver: &Solver) -> Result<(), StoreError> {
    let state = solver.state();
    assert!((state.sweeps, state.pips) == (0, 0), "the solver is in the middle of a round");
    let header = Header { checkers: solver.checkers(), rounds: state.rounds };
    let header = serde_json::to_vec(&header)
        .map_err(|error| StoreError::Header { path: path.to_owned(), reason: error.to_string() })?;
    let payload: Vec<u8> = solver.numbers().flat_map(f64::to_le_bytes).collect();
    write_atomic(path, &encode(Kind::Hypergammon, &header, &payload))
}

/// Reads a file written by [`write_solver`].
///
/// # Errors
/// [`StoreError`] if the file cannot be read, is damaged or is something else.
pub fn read_solver(path: &Path) -> Result<Solver, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    let (header, payload) = decode(&bytes, Kind::Hypergammon, path)?;
    let wrong = |reason: String| StoreError::Header { path: path.to_owned(), reason };
    let header: Header = serde_json::from_slice(header).map_err(|e| wrong(e.to_string()))?;
    let numbers: Vec<f64> =
        payload.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    (1..=MOST_CHECKERS)
        .contains(&header.checkers)
        .then(|| Solver::resume(header.checkers, header.rounds, &numbers))
        .flatten()
        .ok_or_else(|| wrong("its sizes do not match the length of the payload".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, External};

    #[test]
    fn values_are_read_back_and_other_files_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hyper1.bd");
        let mut solver = Solver::new(1);
        while solver.round() > 1e-9 {}
        let bytes = solver.to_bytes();
        std::fs::write(&path, &bytes).expect("written");
        let file = HypergammonFile::open(&path).expect("a database");
        for (own, opponent) in [(24, 24), (25, 3), (6, 25), (1, 1)] {
            let position = Position::from_sides(&[(own, 1)], &[(opponent, 1)]).expect("legal");
            let found = file.get(&position).expect("readable").expect("one checker a side");
            let exact = solver.get(&position).expect("solved").cubeful;
            assert!((found.cubeful.centred - exact.centred).abs() < 4e-7, "{position}");
            assert!((found.cubeful.cubeless - exact.cubeless).abs() < 4e-7, "{position}");
        }
        let engine = External::new(HypergammonFile::open(&path).expect("a database"));
        let ends = [(24, 24), (1, 1)].map(|(own, opponent)| {
            Position::from_sides(&[(own, 1)], &[(opponent, 1)]).expect("legal")
        });
        let won = Position::from_sides(&[], &[(3, 1)]).ok().and_then(|won| won.in_game_of(1));
        for position in ends.into_iter().chain(won) {
            let value = engine.evaluate(&position);
            let exact = solver.get(&position).expect("solved").cubeful.cubeless;
            assert!((f64::from(value.equity()) - exact).abs() < 1e-6, "{position}");
        }
        assert_eq!(engine.failure(), None);
        engine.evaluate(&Position::START);
        let failed = engine.failure().expect("fifteen checkers").to_string();
        assert!(failed.contains("games of 1 checkers a side"), "{failed}");
        assert_eq!(file.get(&Position::START).expect("readable"), None);
        std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
        let error = HypergammonFile::open(&path).expect_err("short").to_string();
        assert!(error.contains("has 18967 bytes, expected 18968"), "{error}");
        let mut solver = Solver::new(1);
        (0..2).for_each(|_| assert!(solver.round() > 0.0));
        write_solver(&path, &solver).expect("written");
        let mut resumed = read_solver(&path).expect("half solved");
        assert_eq!(resumed.state(), solver.state());
        while resumed.round() > 1e-9 {}
        assert!(resumed.to_bytes() == bytes, "an interruption changed the values");
        std::fs::write(&path, b"gnubg-H9").expect("written");
        let error = HypergammonFile::open(&path).expect_err("none").to_string();
        assert!(error.contains("nonet bearoff --gnubg hypergammon"), "{error}");
    }
}
