//! Engines in other processes, which can fail.
//!
//! The methods of [`Evaluator`] and [`Player`](crate::game::Player) return no errors, because
//! nonet's own evaluators cannot fail. [`External`] wraps an [`ExternalEngine`] as either and
//! stores its first failure.
//!
//! Code that runs games, training or a benchmark checks [`Evaluator::failure`] or
//! [`Player::failure`](crate::game::Player::failure) after each piece of work. It discards a piece
//! of work with a failure.

use std::error::Error;
use std::slice;
use std::sync::{Arc, OnceLock};

use super::{Evaluation, Evaluator};
use crate::backgammon::Position;

/// An engine that runs in another process. It can be asked what its other traits say:
/// [`ExternalEvaluator`], and [`ExternalPlayer`](crate::game::ExternalPlayer).
pub trait ExternalEngine: Send + Sync {
    /// Why the engine gave no answer.
    type Error: Error;

    /// The engine's name in messages.
    fn name(&self) -> &str;
}

/// An engine in another process that evaluates positions.
pub trait ExternalEvaluator: ExternalEngine {
    /// Evaluates positions for their players on roll, without the cube: `out[i]` receives the
    /// evaluation of `positions[i]`.
    ///
    /// # Errors
    /// If the engine gives no usable answer.
    fn evaluate_batch(
        &self,
        positions: &[Position],
        out: &mut [Evaluation],
    ) -> Result<(), Self::Error>;
}

/// The first failure of an external engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine} failed: {reason}")]
pub struct ExternalFailure {
    /// The engine's name.
    pub engine: String,
    /// The error.
    pub reason: String,
}

/// An external engine as an [`Evaluator`] and a [`Player`](crate::game::Player). A clone shares the
/// engine and its failure.
///
/// After a failure the engine is not asked again, and every answer is a placeholder that the caller
/// must not use.
#[derive(Debug)]
pub struct External<E> {
    shared: Arc<Shared<E>>,
}

#[derive(Debug)]
struct Shared<E> {
    engine: E,
    failure: OnceLock<ExternalFailure>,
}

impl<E> Clone for External<E> {
    fn clone(&self) -> External<E> {
        External { shared: Arc::clone(&self.shared) }
    }
}

impl<E: ExternalEngine> External<E> {
    /// Wraps an engine that has not failed.
    pub fn new(engine: E) -> External<E> {
        External { shared: Arc::new(Shared { engine, failure: OnceLock::new() }) }
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.shared.engine.name()
    }

    /// The first failure.
    #[must_use]
    pub fn first_failure(&self) -> Option<&ExternalFailure> {
        self.shared.failure.get()
    }

    /// The engine's answer; `None` if it fails now or failed before.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&E) -> Result<T, E::Error>) -> Option<T> {
        if self.first_failure().is_some() {
            return None;
        }
        let engine = &self.shared.engine;
        match question(engine) {
            Ok(answer) => Some(answer),
            Err(error) => {
                let (engine, reason) = (engine.name().to_owned(), error.to_string());
                // If several threads fail at once, the first failure is kept.
                self.shared.failure.get_or_init(|| ExternalFailure { engine, reason });
                None
            }
        }
    }
}

impl<E: ExternalEvaluator> Evaluator for External<E> {
    fn evaluate(&self, position: &Position) -> Evaluation {
        let mut value = Evaluation::ZERO;
        self.evaluate_batch(slice::from_ref(position), slice::from_mut(&mut value));
        value
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        if self.ask(|engine| engine.evaluate_batch(positions, out)).is_none() {
            out.fill(Evaluation::ZERO);
        }
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.first_failure()
    }
}
