//! Lambda returns: the targets of TD(lambda) for the positions of a finished game.

use nonet_engine::eval::Evaluation;

/// Replaces the contents of `targets` by the minimax TD(lambda) targets of a finished game.
///
/// `values[t]` is the evaluation of the t-th position, `end` the result for the player on roll in
/// the last one. Wiering, Patist & Mannen, section 3.3, have this formula:
///
/// V'(s_t) = -V(s_t+1) + lambda (V(s_t+1) - V'(s_t+1)).
///
/// That is the mirror of (1 - lambda) V(s_t+1) + lambda V'(s_t+1), head by head from the mirrored
/// head. The target of the last position is the exact result. Gamma is 1. Lambda is 0..=1. Where
/// `dropped(t)` holds, the difference from position t to the next counts as 0:
///
/// V'(s_t) = V(s_t) + lambda (V(s_t+1) - V'(s_t+1)).
///
/// Without an `end` the last value replaces it: it is the target of the position before, and the
/// last position itself gets no target. There is then one target fewer than values.
///
/// ```
/// use nonet_engine::Evaluation;
/// use nonet_training::train::lambda_returns;
///
/// // The players alternate: the last mover wins, so the player before them loses.
/// let (values, end) = ([Evaluation::ZERO; 2], Evaluation::of_win_chance(1.0));
/// let mut targets = Vec::new();
/// lambda_returns(&values, Some(&end), 1.0, |_| false, &mut targets);
/// assert_eq!(targets, [end.flipped(), end]);
/// ```
pub fn lambda_returns(
    values: &[Evaluation],
    end: Option<&Evaluation>,
    lambda: f32,
    dropped: impl Fn(usize) -> bool,
    targets: &mut Vec<Evaluation>,
) {
    targets.clear();
    targets.extend_from_slice(values);
    let mut next: Option<(Evaluation, Evaluation)> = None;
    for (t, (own, target)) in values.iter().zip(targets.iter_mut()).enumerate().rev() {
        *target = match &next {
            None => *end.unwrap_or(own),
            Some((value, target)) if dropped(t) => {
                own.plus(&target.plus(value, -1.0).flipped(), lambda)
            }
            Some((value, target)) => value.mixed(target, lambda).flipped(),
        };
        next = Some((*own, *target));
    }
    if end.is_none() {
        targets.pop();
    }
}

/// Replaces the contents of `targets` by the plain TD(lambda) targets of the positions of each
/// side.
///
/// The successor of a position is the next one with the same player on roll, so that no sign
/// changes: V'(s_t) = V(s_t+2) + lambda (V'(s_t+2) - V(s_t+2)), head by head. The target of the
/// last position is the exact result `end`, which is that of the player on roll in it. The position
/// before it is the last one of the other side. Its target is the mirror of `end`. Gamma is 1.
/// Lambda is 0..=1.
pub(super) fn own_turn_returns(
    values: &[Evaluation],
    end: &Evaluation,
    lambda: f32,
    targets: &mut Vec<Evaluation>,
) {
    targets.clear();
    targets.extend_from_slice(values);
    for t in (0..values.len()).rev() {
        targets[t] = match values.len() - 1 - t {
            0 => *end,
            1 => end.flipped(),
            _ => values[t + 2].mixed(&targets[t + 2], lambda),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::Outcome;

    fn values() -> Vec<Evaluation> {
        let value =
            |x: f32| Evaluation { average: x, outcomes: [0.5 + x, 0.2, 0.01, 0.4 - x, 0.1, 0.02] };
        vec![value(0.1), value(-0.2), value(0.3), value(0.25)]
    }

    fn targets(lambda: f32) -> Vec<Evaluation> {
        let (mut targets, end) = (Vec::new(), Evaluation::of_outcome(Outcome::WinGammon));
        lambda_returns(&values(), Some(&end), lambda, |_| false, &mut targets);
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
    fn without_an_outcome_the_last_value_replaces_it() {
        for lambda in [0.0, 0.6, 1.0] {
            let mut targets = Vec::new();
            lambda_returns(&values(), None, lambda, |_| false, &mut targets);
            assert_eq!(targets.len(), 3);
            assert_eq!(targets[2], values()[3].flipped());
            if lambda == 1.0 {
                assert_eq!(targets[0], values()[3].flipped());
            }
        }
        let mut targets = targets(0.5);
        lambda_returns(&[], None, 0.5, |_| false, &mut targets);
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

    #[test]
    fn plain_targets_are_those_of_each_side_alone() {
        let (values, end) = (values(), Evaluation::of_outcome(Outcome::WinGammon));
        for lambda in [0.0, 0.6, 1.0] {
            let mut targets = Vec::new();
            own_turn_returns(&values, &end, lambda, &mut targets);
            assert_eq!(targets[3], end);
            assert_eq!(targets[2], Evaluation::of_outcome(Outcome::LoseGammon));
            for t in [0, 1] {
                let (v, w) = (values[t + 2].average, targets[t + 2].average);
                assert!((targets[t].average - (v + lambda * (w - v))).abs() < 1e-6, "{t}");
            }
        }
        let mut targets = targets(1.0);
        own_turn_returns(&values[..1], &end, 0.5, &mut targets);
        assert_eq!(targets, [end]);
    }

    /// Where nothing but the result is known, the sign is all that there is to the rule.
    #[test]
    fn with_lambda_one_both_rules_have_the_same_targets() {
        let mut plain = Vec::new();
        own_turn_returns(&values(), &Evaluation::of_outcome(Outcome::WinGammon), 1.0, &mut plain);
        assert_eq!(plain, targets(1.0));
    }

    /// The table of `docs/src/how-it-learns.md`.
    #[test]
    fn the_worked_example_for_students_is_what_the_program_computes() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/how-it-learns.md");
        let page = std::fs::read_to_string(page).expect("the page");
        let value = |average| Evaluation { average, outcomes: [0.0; 6] };
        let (game, end) = ([0.1, -0.2, 0.4].map(value), value(1.0));
        for lambda in [0.0f32, 0.6, 1.0] {
            let mut targets = Vec::new();
            lambda_returns(&game, Some(&end), lambda, |_| false, &mut targets);
            let cells: Vec<String> =
                targets.iter().map(|target| format!("{:+.3}", target.average)).collect();
            let row = format!("| {lambda} | {} |", cells.join(" | "));
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn a_dropped_difference_is_as_if_the_next_value_had_been_foreseen() {
        let (mut kept, mut without) = (values(), Vec::new());
        let end = Evaluation::of_outcome(Outcome::Lose);
        lambda_returns(&kept, Some(&end), 0.6, |t| t == 1, &mut without);
        // The same game, with evaluations such that the difference between positions 1 and 2 is 0.
        let shift = kept[2].plus(&kept[1].flipped(), -1.0);
        let mut targets = Vec::new();
        for value in [0, 1] {
            let mirrored = if value == 1 { shift.flipped() } else { shift };
            kept[value] = kept[value].plus(&mirrored, 1.0);
        }
        lambda_returns(&kept, Some(&end), 0.6, |_| false, &mut targets);
        for t in [0, 1] {
            let gap = |i: usize| targets[t].heads()[i] - kept[t].heads()[i];
            let own = |i: usize| without[t].heads()[i] - values()[t].heads()[i];
            assert!((0..7).all(|i| (gap(i) - own(i)).abs() < 1e-5), "{t}");
        }
    }
}
