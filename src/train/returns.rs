//! Lambda returns: the desired values of the positions of a game that is over.

use crate::backgammon::Outcome;
use crate::value::Evaluation;

/// The minimax TD(lambda) targets of a game that is over, into `targets`.
///
/// `values[t]` is the net's judgement of the t-th position, `outcome` the end for the player on roll in the last one.
/// Wiering, Patist & Mannen, section 3.3: V'(s_t) = -V(s_t+1) + lambda (V(s_t+1) - V'(s_t+1)), that is the mirror of
/// (1 - lambda) V(s_t+1) + lambda V'(s_t+1), head by head from the mirrored head; the last position before the end gets
/// the exact result. gamma is 1. Lambda is 0..=1.
///
/// Without an outcome the last value stands for the end: it is what the position before it is told, and the last position
/// itself, which nothing follows, gets no target. There is then one target less than values.
pub fn lambda_returns(
    values: &[Evaluation],
    outcome: Option<Outcome>,
    lambda: f32,
    targets: &mut Vec<Evaluation>,
) {
    targets.clear();
    targets.extend_from_slice(values);
    let mut next: Option<(Evaluation, Evaluation)> = None;
    for (value, target) in values.iter().zip(targets.iter_mut()).rev() {
        *target = match (&next, outcome) {
            (None, Some(outcome)) => Evaluation::of_outcome(outcome),
            (None, None) => *value,
            (Some((value, target)), _) => value.mixed(target, lambda).flipped(),
        };
        next = Some((*value, *target));
    }
    if outcome.is_none() {
        targets.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Vec<Evaluation> {
        let value =
            |x: f32| Evaluation { average: x, outcomes: [0.5 + x, 0.2, 0.01, 0.4 - x, 0.1, 0.02] };
        vec![value(0.1), value(-0.2), value(0.3), value(0.25)]
    }

    fn targets(lambda: f32) -> Vec<Evaluation> {
        let mut targets = Vec::new();
        lambda_returns(&values(), Some(Outcome::WinGammon), lambda, &mut targets);
        targets
    }

    #[test]
    fn lambda_zero_is_the_mirror_of_the_next_value() {
        let (values, targets) = (values(), targets(0.0));
        for t in 0..3 {
            assert_eq!(targets[t], values[t + 1].flipped());
        }
        assert_eq!(targets[3], Evaluation::of_outcome(Outcome::WinGammon));
    }

    #[test]
    fn lambda_one_is_the_result_alone() {
        let targets = targets(1.0);
        for (t, target) in targets.iter().enumerate() {
            let outcome = if t % 2 == 1 { Outcome::WinGammon } else { Outcome::LoseGammon };
            assert_eq!(*target, Evaluation::of_outcome(outcome), "{t}");
        }
    }

    #[test]
    fn without_an_outcome_the_last_value_stands_for_the_end() {
        for lambda in [0.0, 0.6, 1.0] {
            let mut targets = Vec::new();
            lambda_returns(&values(), None, lambda, &mut targets);
            assert_eq!(targets.len(), 3);
            assert_eq!(targets[2], values()[3].flipped());
            if lambda == 1.0 {
                assert_eq!(targets[0], values()[3].flipped());
            }
        }
        let mut targets = targets(0.5);
        lambda_returns(&[], None, 0.5, &mut targets);
        assert!(targets.is_empty());
    }

    #[test]
    fn lambda_between_is_the_papers_recursion() {
        let (values, targets) = (values(), targets(0.6));
        for t in 0..3 {
            let (v, w) = (values[t + 1].average, targets[t + 1].average);
            assert!((targets[t].average - (-v + 0.6 * (v - w))).abs() < 1e-6);
        }
    }
}
