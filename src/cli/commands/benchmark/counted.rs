//! An evaluator that counts its decisions, and that can be stopped.

use nonet::backgammon::Position;
use nonet::eval::{Evaluation, Evaluator, ExternalFailure};
use nonet::progress::Progress;

/// Counts the decisions of an evaluator. Once the work is stopped, its answers are placeholders,
/// which come at once.
pub(super) struct Counted<'a> {
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) progress: &'a Progress,
}

impl Evaluator for Counted<'_> {
    fn evaluate(&self, position: &Position) -> Evaluation {
        let mut value = [Evaluation::ZERO];
        self.evaluate_batch(std::slice::from_ref(position), &mut value);
        value[0]
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        if self.progress.is_stopped() {
            return out.fill(Evaluation::ZERO);
        }
        self.evaluator.evaluate_batch(positions, out);
        self.progress.add(1);
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.evaluator.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet::eval::ScriptedEvaluator;

    #[test]
    fn decisions_count_until_the_work_is_stopped() {
        let half = ScriptedEvaluator(|_: &Position| Evaluation::of_win_chance(0.75));
        let progress = Progress::default();
        let counted = Counted { evaluator: &half, progress: &progress };
        let mut values = Vec::new();
        counted.evaluate_into(&[Position::START; 3], &mut values);
        assert_eq!((values[2].equity(), progress.done()), (0.5, 1));
        progress.stop();
        counted.evaluate_into(&[Position::START; 3], &mut values);
        assert_eq!((values[2].equity(), progress.done()), (0.0, 1));
    }
}
