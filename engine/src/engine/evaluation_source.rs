//! [`EvaluationSource`]: the source of the static evaluation of a position.

use crate::class::Class;

/// The source of a static evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationSource<'a> {
    /// The game is over: its outcome is exact.
    GameOver,
    /// The bearoff databases.
    Bearoff(Class),
    /// The net of this name.
    Net(Class, &'a str),
    /// An evaluator that is no net.
    Evaluator(Class),
}

impl EvaluationSource<'_> {
    /// The slug of the position's class, or `over`.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self {
            EvaluationSource::GameOver => "over",
            EvaluationSource::Bearoff(class)
            | EvaluationSource::Net(class, _)
            | EvaluationSource::Evaluator(class) => class.slug(),
        }
    }

    /// The name of the source: a net's name, `bearoff`, or `the rules` once the game is over.
    #[must_use]
    pub const fn name(&self) -> &str {
        match self {
            EvaluationSource::GameOver => "the rules",
            EvaluationSource::Bearoff(_) => "bearoff",
            EvaluationSource::Net(_, name) => name,
            EvaluationSource::Evaluator(_) => "evaluator",
        }
    }
}
