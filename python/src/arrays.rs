//! Positions as rows of arrays: reading boards, legal results, encodings, classes.

use nonet::backgammon::{Position, Results};
use nonet::class::Class;
use nonet::features::Encoding;
use nonet::{Dice, Evaluation, Evaluator};
use numpy::ndarray::{Array1, Array2};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyList;
use rayon::prelude::*;

use crate::errors::invalid;
use crate::work::pool;

/// Entries of a board row.
pub(crate) const POINTS: usize = 26;
/// Columns of an evaluation.
pub(crate) const COLUMNS: usize = 6;
/// Rows that a thread takes at a time.
const CHUNK: usize = 512;
/// Rows between two looks at signals.
const ROUND: usize = 1 << 16;
/// Fewer rows than these are not worth other threads.
const FEW: usize = 128;

/// Board rows.
pub(crate) type Boards<'py> = PyReadonlyArray2<'py, i8>;
/// Rolls, one a row.
pub(crate) type Rolls<'py> = PyReadonlyArray2<'py, u8>;

/// Results of rolls, and where those of each board begin.
type Listed<'py> = (Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<i64>>);

/// The position of one row.
pub(crate) fn row_of(board: &Bound<'_, PyAny>) -> PyResult<Position> {
    let boards = boards_of(&PyList::new(board.py(), [board])?.into_any())?;
    let row = boards.as_slice().map_err(invalid)?;
    let points: [i8; POINTS] = row.try_into().map_err(|_| {
        invalid(format!("invalid board of {} numbers: expected {POINTS}", row.len()))
    })?;
    Position::new(points).map_err(invalid)
}

/// Board rows of anything that is like an array of whole numbers; an array of `int8` in the order
/// of C is not copied.
pub(crate) fn boards_of<'py>(boards: &Bound<'py, PyAny>) -> PyResult<Boards<'py>> {
    // A slice would also be had in the order of Fortran.
    if let Ok(boards) = boards.extract::<Boards<'py>>()
        && boards.is_c_contiguous()
    {
        return Ok(boards);
    }
    let boards = boards.py().import("nonet._arrays")?.call_method1("as_boards", (boards,))?;
    boards.extract::<Boards<'py>>()
}

/// The numbers of board rows, row after row.
pub(crate) fn rows<'a>(boards: &'a Boards<'_>) -> PyResult<&'a [i8]> {
    let [n, columns] = [boards.shape()[0], boards.shape()[1]];
    if columns != POINTS {
        return Err(invalid(format!(
            "invalid boards of shape ({n}, {columns}): expected (n, {POINTS})"
        )));
    }
    if !boards.is_c_contiguous() {
        return Err(invalid("invalid boards: expected rows that follow each other in memory"));
    }
    boards.as_slice().map_err(invalid)
}

/// The position of row `index` of a chunk.
fn position(row: &[i8]) -> Result<Position, String> {
    let points: [i8; POINTS] = row.try_into().map_err(|_| "not 26 numbers".to_owned())?;
    Position::new(points).map_err(|error| error.to_string())
}

/// Replaces `out` by the positions of rows; the index of the first wrong row with the reason.
fn positions(rows: &[i8], out: &mut Vec<Position>) -> Result<(), (usize, String)> {
    out.clear();
    for (index, row) in rows.chunks_exact(POINTS).enumerate() {
        out.push(position(row).map_err(|error| (index, error))?);
    }
    Ok(())
}

/// Does `work` for chunks of rows on `threads` threads without the interpreter's lock, with a look
/// at signals every `round` rows. `work` gets the positions of a chunk and its part of `out`,
/// `width` numbers a row. With `deep` it searches, and has a pool even for one thread or row. The
/// global pool, which it would take otherwise, has all processors and does not survive a fork.
pub(crate) fn by_chunks<T: Send>(
    py: Python<'_>,
    threads: usize,
    (round, deep): (usize, bool),
    rows: &[i8],
    (out, width): (&mut [T], usize),
    work: impl Fn(&[Position], &mut [T]) + Sync,
) -> PyResult<()> {
    let chunk = CHUNK.min(round);
    let one = |places: &mut Vec<Position>, (number, (rows, out)): (usize, (&[i8], &mut [T]))| {
        match positions(rows, places) {
            Ok(()) => {
                work(places, out);
                None
            }
            Err((index, reason)) => Some((number * chunk + index, reason)),
        }
    };
    let several = rows.len() / POINTS > FEW.min(round) && threads != 1;
    let pool = if several || deep { Some(pool(threads)?) } else { None };
    let mut first = 0;
    for (rows, out) in rows.chunks(round * POINTS).zip(out.chunks_mut(round * width)) {
        let wrong = py.detach(|| match &pool {
            None => {
                let mut places = Vec::with_capacity(chunk);
                let chunks = rows.chunks(chunk * POINTS).zip(out.chunks_mut(chunk * width));
                chunks.enumerate().find_map(|part| one(&mut places, part))
            }
            Some(pool) => pool.install(|| {
                let chunks = rows.par_chunks(chunk * POINTS).zip(out.par_chunks_mut(chunk * width));
                let wrong = chunks.enumerate().map_init(Vec::new, &one);
                wrong.flatten().min_by_key(|(index, _)| *index)
            }),
        });
        if let Some((index, reason)) = wrong {
            return Err(invalid(format!("invalid board in row {}: {reason}", first + index)));
        }
        py.check_signals()?;
        first += round;
    }
    Ok(())
}

/// The six numbers of an evaluation.
fn columns(value: &Evaluation) -> [f32; COLUMNS] {
    let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = value.cumulative();
    [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, value.equity()]
}

/// Evaluates rows; `deep` if the evaluator searches.
pub(crate) fn evaluate_rows<'py>(
    py: Python<'py>,
    threads: usize,
    deep: bool,
    evaluator: &dyn Evaluator,
    boards: &Boards<'_>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    evaluated(py, threads, deep, evaluator, boards, columns)
}

/// The seven heads of rows.
pub(crate) fn heads_of_rows<'py>(
    py: Python<'py>,
    threads: usize,
    evaluator: &dyn Evaluator,
    boards: &Boards<'_>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    evaluated(py, threads, false, evaluator, boards, Evaluation::heads)
}

fn evaluated<'py, const N: usize>(
    py: Python<'py>,
    threads: usize,
    deep: bool,
    evaluator: &dyn Evaluator,
    boards: &Boards<'_>,
    numbers: impl Fn(&Evaluation) -> [f32; N] + Sync,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let rows = rows(boards)?;
    let mut out = vec![0.0; rows.len() / POINTS * N];
    // A position at 4 plies takes a second.
    let round = if deep { 16 } else { ROUND };
    by_chunks(py, threads, (round, deep), rows, (&mut out, N), |positions, out| {
        thread_local! {
            static VALUES: std::cell::RefCell<Vec<Evaluation>> = const { std::cell::RefCell::new(Vec::new()) };
        }
        // Taken, because a search may work on another chunk in this thread while it waits.
        let mut values = VALUES.take();
        evaluator.evaluate_into(positions, &mut values);
        for (value, out) in values.iter().zip(out.chunks_exact_mut(N)) {
            out.copy_from_slice(&numbers(value));
        }
        VALUES.set(values);
    })?;
    array(py, out, N)
}

/// Rows of `width` numbers as an array, without a copy.
pub(crate) fn array<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let shape = (numbers.len() / width, width);
    Ok(Array2::from_shape_vec(shape, numbers).map_err(invalid)?.into_pyarray(py))
}

/// The encoding with this name.
fn encoding_named(name: &str) -> PyResult<Encoding> {
    let found = Encoding::ALL.into_iter().find(|encoding| encoding.name() == name);
    found.ok_or_else(|| {
        let known = Encoding::ALL.map(Encoding::name).join(", ");
        invalid(format!("unknown encoding '{name}': expected one of {known}"))
    })
}

/// The inputs of a net for each board: ``float32[n, inputs]``.
#[pyfunction]
#[pyo3(signature = (boards, encoding, threads))]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    encoding: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let encoding = encoding_named(encoding)?;
    let (rows, width) = (rows(&boards)?, encoding.inputs());
    let mut out = vec![0.0; rows.len() / POINTS * width];
    // An eighth of the rows between two looks at signals: a row of inputs is as large as eight
    // evaluations.
    by_chunks(py, threads, (ROUND / 8, false), rows, (&mut out, width), |positions, out| {
        write_inputs(encoding, positions, out, width);
    })?;
    array(py, out, width)
}

/// Writes the inputs of each position to the beginning of its row, which is zero; finished games
/// stay zero.
pub(crate) fn write_inputs(
    encoding: Encoding,
    positions: &[Position],
    out: &mut [f32],
    width: usize,
) {
    let finished = |position: &Position| position.own_left() == 0 || position.opponent_left() == 0;
    let mut from = 0;
    while from < positions.len() {
        let length = positions[from..].iter().take_while(|one| !finished(one)).count();
        let mut rows = out[from * width..].chunks_exact_mut(width);
        encoding.encode_batch(&positions[from..from + length], &mut |inputs| {
            if let Some(row) = rows.next() {
                inputs.iter().for_each(|(index, value)| row[index] = value);
            }
        });
        from += length + 1;
    }
}

/// What each input of an encoding is.
#[pyfunction]
pub(crate) fn input_names(encoding: &str) -> PyResult<Vec<String>> {
    Ok(encoding_named(encoding)?.layout().into_iter().map(|input| input.name).collect())
}

/// The index in ``CLASSES`` of the class of each board, 255 for a finished game.
#[pyfunction]
pub(crate) fn classify<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let rows = rows(&boards)?;
    let mut out = vec![0; rows.len() / POINTS];
    by_chunks(py, threads, (ROUND, false), rows, (&mut out, 1), |positions, out| {
        for (position, out) in positions.iter().zip(out) {
            *out = match position.outcome() {
                Some(_) => u8::MAX,
                None => Class::of(position) as u8,
            };
        }
    })?;
    Ok(Array1::from_vec(out).into_pyarray(py))
}

/// The same boards seen by the other player.
#[pyfunction]
pub(crate) fn flip<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
) -> PyResult<Bound<'py, PyArray2<i8>>> {
    let rows = rows(&boards)?;
    let flipped =
        rows.chunks_exact(POINTS).flat_map(|row| row.iter().rev().map(|n| n.wrapping_neg()));
    array(py, flipped.collect(), POINTS)
}

/// All results of each board's roll, and where those of each board begin.
#[pyfunction]
pub(crate) fn legal_results<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    dice: Rolls<'py>,
    threads: usize,
) -> PyResult<Listed<'py>> {
    let rows = rows(&boards)?;
    let n = rows.len() / POINTS;
    if dice.shape() != [n, 2] {
        let (rolls, width) = (dice.shape()[0], dice.shape()[1]);
        return Err(invalid(format!(
            "invalid dice of shape ({rolls}, {width}): expected ({n}, 2), one roll for each board"
        )));
    }
    if !dice.is_c_contiguous() {
        return Err(invalid("invalid dice: expected rows that follow each other in memory"));
    }
    let rolls = dice.as_slice().map_err(invalid)?.chunks_exact(2).enumerate().map(|(i, roll)| {
        Dice::new(roll[0], roll[1]).ok_or_else(|| {
            let [a, b] = [roll[0], roll[1]];
            invalid(format!("invalid roll ({a}, {b}) in row {i}: expected two dice from 1 to 6"))
        })
    });
    let rolls = rolls.collect::<PyResult<Vec<Dice>>>()?;
    let mut places: Vec<Position> = Vec::with_capacity(n);
    positions(rows, &mut places)
        .map_err(|(row, reason)| invalid(format!("invalid board in row {row}: {reason}")))?;
    let (mut found, mut offsets) = (Vec::new(), Vec::with_capacity(n + 1));
    offsets.push(0);
    let pool = if n > FEW && threads != 1 { Some(pool(threads)?) } else { None };
    for (places, rolls) in places.chunks(ROUND).zip(rolls.chunks(ROUND)) {
        let parts: Vec<(Vec<i8>, Vec<i64>)> = py.detach(|| match &pool {
            None => vec![results_of(places, rolls)],
            Some(pool) => pool.install(|| {
                let parts = places.par_chunks(CHUNK).zip(rolls.par_chunks(CHUNK));
                parts.map(|(places, rolls)| results_of(places, rolls)).collect()
            }),
        });
        for (mut results, counts) in parts {
            if found.is_empty() {
                found = results;
            } else {
                found.append(&mut results);
            }
            for count in counts {
                offsets.push(offsets.last().copied().unwrap_or(0) + count);
            }
        }
        py.check_signals()?;
    }
    Ok((array(py, found, POINTS)?, offsets.into_pyarray(py)))
}

/// The results of rolls, one after another, and their counts.
fn results_of(places: &[Position], rolls: &[Dice]) -> (Vec<i8>, Vec<i64>) {
    let mut buffer = Results::default();
    let (mut found, mut counts) = (Vec::new(), Vec::with_capacity(places.len()));
    for (position, &dice) in places.iter().zip(rolls) {
        let finished = position.outcome().is_some();
        let results = if finished { &[] } else { buffer.of(position, dice) };
        results.iter().for_each(|result| found.extend_from_slice(result.points()));
        counts.push(results.len() as i64);
    }
    (found, counts)
}

/// The index within its segment of the lowest value of each segment, the first of equals.
#[pyfunction]
pub(crate) fn lowest<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f32>,
    offsets: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (values, offsets) =
        (values.as_slice().map_err(invalid)?, offsets.as_slice().map_err(invalid)?);
    let chosen = offsets.windows(2).enumerate().map(|(i, ends)| {
        let [from, to] = [ends[0], ends[1]].map(usize::try_from);
        let segment = match (from, to) {
            (Ok(from), Ok(to)) => values.get(from..to),
            _ => None,
        };
        let segment = segment.ok_or_else(|| {
            let [from, to] = [ends[0], ends[1]];
            let n = values.len();
            invalid(format!("invalid segment {i}, {from} to {to}: expected part of the {n} values"))
        })?;
        let mut best = 0;
        for (index, value) in segment.iter().enumerate() {
            if *value < segment[best] {
                best = index;
            }
        }
        Ok(best as i64)
    });
    Ok(chosen.collect::<PyResult<Vec<i64>>>()?.into_pyarray(py))
}
