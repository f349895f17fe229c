//! The library's errors as Python exceptions, in its own words.

use nonet::EngineError;
use nonet::backgammon::record::{RecordError, RecordErrorKind};
use nonet::open::OpenError;
use nonet::store::StoreError;
use nonet::train::OpenRunError;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// A `ValueError`: an argument is wrong.
pub(crate) fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An `OSError` if a file cannot be read or written, else a `ValueError`. The causes are part of
/// the message.
pub(crate) fn of_store(error: StoreError) -> PyErr {
    let text = with_causes(&error);
    match error {
        StoreError::Io { .. } => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// An `OSError` if a record cannot be read, else a `ValueError`: it has no usable game.
pub(crate) fn of_record(error: RecordError) -> PyErr {
    match error.reason {
        RecordErrorKind::Io(_) => PyOSError::new_err(error.to_string()),
        _ => invalid(format!("no usable game: {error}")),
    }
}

/// As [`of_store`] for files; a `ValueError` for what cannot be answered.
pub(crate) fn of_engine(error: EngineError) -> PyErr {
    match error {
        EngineError::File(error) => of_store(error),
        EngineError::Threads { .. } => PyOSError::new_err(error.to_string()),
        other => invalid(other),
    }
}

/// As [`of_store`] for files; an `OSError` for programs that do not start, else a `ValueError`.
pub(crate) fn of_open(error: OpenError) -> PyErr {
    match error {
        OpenError::File(error) => of_store(error),
        OpenError::Engine(error) => of_engine(error),
        OpenError::Gnubg(_) | OpenError::Ubgi { .. } => PyOSError::new_err(with_causes(&error)),
        other => invalid(other),
    }
}

/// The same for what a training run needs.
pub(crate) fn of_run(error: OpenRunError) -> PyErr {
    match error {
        OpenRunError::Name(error) => of_open(error),
        OpenRunError::Bearoff(error) => of_store(error),
        other => invalid(with_causes(&other)),
    }
}

/// A message with those of its causes.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Transparent errors repeat their causes.
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
