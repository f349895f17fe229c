//! Statistics of few simulations: tail probabilities, the bootstrap, robust means, and corrections
//! for many comparisons.

use rand::Rng;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// Draws of a bootstrap or of a permutation test. The same seed gives the same figures always.
const DRAWS: usize = 2000;
const SEED: u64 = 1;

/// The probability that Student's t with these degrees of freedom is at least `t` away from 0 on
/// either side.
///
/// With x = sqrt(degrees) tan(angle) the density is a power of the cosine, which is summed by
/// Simpson's rule.
pub(super) fn two_sided(t: f64, degrees: f64) -> f64 {
    if t.is_nan() {
        // No difference over no error shows nothing.
        return 1.0;
    }
    if t.is_infinite() {
        return 0.0;
    }
    // Beyond this many degrees of freedom it is the normal distribution to three digits.
    let degrees = degrees.clamp(1.0, 10_000.0);
    let density = |angle: f64| angle.cos().max(0.0).powf(degrees - 1.0);
    let right_angle = std::f64::consts::FRAC_PI_2;
    let from = (t.abs() / degrees.sqrt()).atan();
    let tail = |from: f64| {
        // Farther out the density is below any digit that is printed.
        let to = right_angle.min(from + 40.0 / degrees.sqrt());
        let (steps, width) = (2000, to - from);
        let sum: f64 = (0..=steps)
            .map(|i| {
                let weight = match i {
                    0 => 1.0,
                    i if i == steps => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                weight * density(from + width * f64::from(i) / f64::from(steps))
            })
            .sum();
        sum * width / f64::from(steps)
    };
    (tail(from) / tail(0.0)).min(1.0)
}

/// The probability that of `n` fair games at least as many more are won by either side as here. A
/// draw counts as half; halves are rounded away from equality, which favours the paper.
pub(super) fn sign_test(won: f64, n: u64) -> f64 {
    let most = won.max(n as f64 - won).ceil() as u64;
    let mut term = 0.5_f64.powi(n as i32);
    let mut tail = 0.0;
    for k in 0..=n {
        if k >= most {
            tail += term;
        }
        term *= (n - k) as f64 / (k + 1) as f64;
    }
    (2.0 * tail).min(1.0)
}

/// The mean of the middle half of the values; each value at the border counts in part.
pub(super) fn interquartile_mean(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len() as f64 / 4.0;
    let (low, high) = (quarter, sorted.len() as f64 - quarter);
    let share = |i: usize| ((i + 1) as f64).min(high) - (i as f64).max(low);
    let parts = sorted.iter().enumerate().map(|(i, value)| (share(i).max(0.0), value));
    parts.clone().map(|(part, value)| part * value).sum::<f64>()
        / parts.map(|(part, _)| part).sum::<f64>()
}

pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0
}

/// The 95 % interval of a statistic of several groups, by drawing within each group: the stratified
/// bootstrap with percentiles (Efron & Tibshirani, 1993). `None` if a draw has no value.
pub(super) fn bootstrap95(
    groups: &[usize],
    statistic: impl Fn(&[Vec<usize>]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut found = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let draw: Vec<Vec<usize>> =
            groups.iter().map(|&n| (0..n).map(|_| rng.random_range(0..n)).collect()).collect();
        found.push(statistic(&draw)?);
    }
    found.sort_by(f64::total_cmp);
    Some((found[DRAWS / 40], found[DRAWS - 1 - DRAWS / 40]))
}

/// In which share of the pairs a value of the first list is above one of the second.
///
/// Equal values count half. The 95 % interval is that of a stratified bootstrap.
pub(super) fn improvement(first: &[f64], second: &[f64]) -> (f64, (f64, f64)) {
    let share = |first: &[f64], second: &[f64]| {
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        let above = pairs.map(|(a, b)| match a.total_cmp(b) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        });
        above.sum::<f64>() / (first.len() * second.len()) as f64
    };
    let of = |values: &[f64], draw: &[usize]| draw.iter().map(|i| values[*i]).collect::<Vec<_>>();
    let interval = bootstrap95(&[first.len(), second.len()], |draw| {
        Some(share(&of(first, &draw[0]), &of(second, &draw[1])))
    });
    (share(first, second), interval.unwrap_or((0.0, 1.0)))
}

/// How many figures lie outside by chance, at most.
///
/// The number is the 97.5 % quantile of `outside` over random divisions of each group into `theirs`
/// simulations and the others. `None` if too few are left.
pub(super) fn outside_by_chance(
    groups: &[usize],
    theirs: usize,
    outside: impl Fn(&[(Vec<usize>, Vec<usize>)]) -> u64,
) -> Option<u64> {
    if groups.iter().any(|n| *n < theirs + 2) {
        return None;
    }
    let mut rng = Pcg64::seed_from_u64(SEED);
    let mut counts = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let divide = |&n: &usize| {
            let mut all: Vec<usize> = (0..n).collect();
            for i in 0..theirs {
                all.swap(i, rng.random_range(i..n));
            }
            let others = all.split_off(theirs);
            (all, others)
        };
        counts.push(outside(&groups.iter().map(divide).collect::<Vec<_>>()));
    }
    counts.sort_unstable();
    Some(counts[DRAWS - 1 - DRAWS / 40])
}

/// Which of these tests are kept at 5 % in all, by two methods. Holm's bounds the chance of one
/// false test, Benjamini & Hochberg's the share of false ones.
pub(super) fn corrected(p: &[f64]) -> [Vec<bool>; 2] {
    let m = p.len();
    let mut order: Vec<usize> = (0..m).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let holm = order.iter().enumerate().take_while(|(i, at)| p[**at] <= 0.05 / (m - i) as f64);
    let holm = holm.count();
    let ordered = order.iter().enumerate();
    let hochberg = ordered
        .filter(|(i, at)| p[**at] <= 0.05 * (i + 1) as f64 / m as f64)
        .map(|(i, _)| i + 1)
        .max()
        .unwrap_or(0);
    [holm, hochberg].map(|kept| {
        let mut all = vec![false; m];
        order[..kept].iter().for_each(|at| all[*at] = true);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tail_probabilities_are_those_of_printed_tables() {
        // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2; and the normal
        // distribution's 1.96.
        for (t, degrees, p) in
            [(12.706, 1.0, 0.05), (2.776, 4.0, 0.05), (3.747, 4.0, 0.02), (2.262, 9.0, 0.05)]
        {
            assert!((two_sided(t, degrees) - p).abs() < 1e-4, "{t} {degrees}");
        }
        assert!((two_sided(1.959_964, f64::INFINITY) - 0.05).abs() < 2e-4);
        assert_eq!(two_sided(0.0, 5.0), 1.0);
        assert_eq!((two_sided(f64::NAN, 5.0), two_sided(f64::INFINITY, 5.0)), (1.0, 0.0));
    }

    #[test]
    fn seven_of_ten_games_show_nothing() {
        // 2 (120 + 45 + 10 + 1) / 1024.
        assert!((sign_test(7.0, 10) - 352.0 / 1024.0).abs() < 1e-12);
        assert!((sign_test(2.5, 10) - 112.0 / 1024.0).abs() < 1e-12, "7.5 counts as 8");
        assert_eq!(sign_test(5.0, 10), 1.0);
    }

    #[test]
    fn the_middle_half_is_what_counts() {
        assert_eq!(interquartile_mean(&[100.0, 1.0, 2.0, -50.0]), 1.5);
        // Of five values the middle one counts whole, its neighbours three quarters.
        let five = interquartile_mean(&[9.0, 1.0, 2.0, 3.0, -9.0]);
        assert!((five - (0.75 + 2.0 + 2.25) / 2.5).abs() < 1e-12, "{five}");
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn a_sample_above_another_one_is_better_in_all_pairs() {
        assert_eq!(improvement(&[2.0, 3.0], &[0.0, 1.0]), (1.0, (1.0, 1.0)));
        assert_eq!(improvement(&[1.0], &[1.0]).0, 0.5);
        let (share, (low, high)) = improvement(&[1.0, 3.0, 5.0], &[0.0, 2.0, 4.0]);
        assert!((share - 2.0 / 3.0).abs() < 1e-12 && low < share && share < high);
    }

    #[test]
    fn simulations_that_move_together_lie_outside_together() {
        // Ten figures of one simulation are equal, so that all or none lie outside. A difference
        // of two values from the mean of the others is outside if it is above 1.
        let count = |same: bool| {
            let value = |run: usize, figure: usize| {
                if same { run as f64 } else { ((run * 7 + figure * 3) % 10) as f64 }
            };
            outside_by_chance(&[10], 2, |division| {
                let (theirs, ours) = &division[0];
                let mean = |runs: &[usize], f: usize| {
                    runs.iter().map(|r| value(*r, f)).sum::<f64>() / runs.len() as f64
                };
                (0..10).filter(|f| (mean(theirs, *f) - mean(ours, *f)).abs() > 4.9).count() as u64
            })
        };
        assert!(count(true) > count(false), "{:?} {:?}", count(true), count(false));
        assert_eq!(outside_by_chance(&[3], 2, |_| 0), None);
    }

    #[test]
    fn many_tests_at_once_keep_fewer() {
        let [holm, hochberg] = corrected(&[0.04, 0.001, 0.02, 0.03]);
        assert_eq!(holm, [false, true, false, false]);
        assert_eq!(hochberg, [true; 4]);
        assert_eq!(corrected(&[]), [Vec::<bool>::new(), Vec::new()]);
    }
}
