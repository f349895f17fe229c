//! A check of linear nets: whether the weights of rarely-on inputs are less certain.

use super::check::Looked;
use super::judgement::{Judgement, Tested, signed};
use super::wrong;
use crate::figures::Figure;
use crate::report::POINTS;
use crate::spec::ExperimentError;

/// An input that is on in less than this share of the positions hardly learns.
const HARDLY: f64 = 1e-4;

/// Compares the errors of the weights of rarely-on inputs with those of often-on inputs.
///
/// The error of a weight is its distance to the mean weight of the other simulations. The inputs
/// are those of the points. Each simulation has two root mean squares of errors. One is over the
/// third of the inputs that are on most rarely, the other over the third that are on most often.
pub(super) fn judge(looked: &Looked, variant: &str) -> Result<Judgement, ExperimentError> {
    let missing = || wrong(format!("no weights and shares of the inputs of '{variant}'"));
    let mut weights: Vec<&[f64]> = Vec::new();
    let mut shares: Vec<f64> = vec![0.0; POINTS.len()];
    for run in looked.runs_of(variant) {
        let (_, last) = run.weights.last().ok_or_else(missing)?;
        weights.push(last.get(POINTS).ok_or_else(missing)?);
        let of_run = run.shares.get(POINTS).ok_or_else(missing)?;
        shares.iter_mut().zip(of_run).for_each(|(sum, share)| *sum += share);
    }
    if weights.len() < 2 {
        return Err(missing());
    }
    shares.iter_mut().for_each(|sum| *sum /= weights.len() as f64);
    let thirds = thirds(&shares);
    let errors = errors(&weights, &thirds);
    let mean =
        |third: usize| errors.iter().map(|errors| errors[third]).sum::<f64>() / errors.len() as f64;
    let differences: Vec<(f64, f64)> =
        errors.iter().map(|[rare, often]| (rare - often, 0.0)).collect();
    let compared = Figure::of(&differences).against_level(0.0);
    let text =
        format!("{:.3} against {:.3}: {}", mean(0), mean(1), signed(&compared, looked.metric));
    let [rare, often] = &thirds;
    let percent = |input: Option<&usize>| 100.0 * input.map_or(0.0, |input| shares[*input]);
    let detail = format!(
        " (on in {:.3} to {:.3} % of the positions with contact against {:.1} to {:.1} %; in less than {} %: {} inputs)",
        percent(rare.first()),
        percent(rare.last()),
        percent(often.first()),
        percent(often.last()),
        100.0 * HARDLY,
        shares.iter().filter(|share| **share < HARDLY).count()
    );
    Ok(Judgement::of_all(&[Tested::sign(&compared, text).with_detail(detail)], ""))
}

/// The inputs that are on most rarely, and those that are on most often.
///
/// Each group is a third of all, in ascending order of the shares.
fn thirds(shares: &[f64]) -> [Vec<usize>; 2] {
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| shares[*a].total_cmp(&shares[*b]));
    let third = shares.len() / 3;
    [order[..third].to_vec(), order[order.len() - third..].to_vec()]
}

/// For each simulation the root mean square of the errors of both groups of weights.
fn errors(weights: &[&[f64]], groups: &[Vec<usize>; 2]) -> Vec<[f64; 2]> {
    let others = (weights.len() - 1) as f64;
    let error = |run: usize, input: usize| {
        let all: f64 = weights.iter().map(|run| run[input]).sum();
        let own = weights[run][input];
        own - (all - own) / others
    };
    let of = |run: usize, group: &[usize]| {
        let squares: f64 = group.iter().map(|input| error(run, *input).powi(2)).sum();
        (squares / group.len() as f64).sqrt()
    };
    let [rare, often] = groups;
    (0..weights.len()).map(|run| [of(run, rare), of(run, often)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_divided_by_how_often_they_are_on() {
        let [rare, often] = thirds(&[0.5, 0.01, 0.2, 0.9, 0.0, 0.3]);
        assert_eq!((rare, often), (vec![4, 1], vec![0, 3]));
    }

    #[test]
    fn an_error_is_the_distance_to_the_mean_of_the_other_simulations() {
        let runs: [&[f64]; 3] = [&[1.0, 5.0], &[3.0, 5.0], &[5.0, 5.0]];
        let found = errors(&runs, &[vec![0], vec![1]]);
        assert_eq!(found, [[3.0, 0.0], [0.0, 0.0], [3.0, 0.0]]);
    }
}
