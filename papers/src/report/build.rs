//! By which programs the simulations of a report were made.

use std::collections::BTreeMap;

use super::size_text::counted;
use crate::run::RunResult;

/// How the learning of `runs` differs from the papers' if none of them takes nets at their word. If
/// some do, the definition says which.
pub(super) fn difference(runs: &[RunResult]) -> Option<&'static str> {
    let by_the_rules = |run: &RunResult| run.options.as_ref().is_some_and(|o| !o.all_outcomes);
    (!runs.is_empty() && runs.iter().all(by_the_rules)).then_some(
        "outcomes that the rules exclude are left out of plays, values and targets; the papers do not say so",
    )
}

/// The programs that made the simulations, of those that say so.
pub(super) fn programs(runs: &[RunResult]) -> Option<String> {
    let mut programs: BTreeMap<&str, u64> = BTreeMap::new();
    for run in runs.iter().filter(|run| !run.program.is_empty()) {
        *programs.entry(&run.program).or_default() += 1;
    }
    let by = |(name, runs): (&&str, &u64)| format!("{} by {name}", counted(*runs, "simulation"));
    (!programs.is_empty()).then(|| programs.iter().map(by).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use nonet_training::train::TrainSpec;

    use super::*;

    fn run(all_outcomes: bool, program: &str) -> RunResult {
        RunResult {
            options: Some(TrainSpec { all_outcomes, ..TrainSpec::default() }),
            program: program.to_owned(),
            ..RunResult::of_tests(Vec::new())
        }
    }

    #[test]
    fn a_mixture_of_programs_is_named() {
        let old = [RunResult { options: None, ..run(true, "") }, run(true, "")];
        assert_eq!((difference(&old), programs(&old)), (None, None));
        let new = [run(true, "a"), run(false, "b"), run(true, "b")];
        assert_eq!(difference(&new), None);
        assert!(difference(&new[1..2]).is_some());
        assert_eq!(programs(&new).as_deref(), Some("one simulation by a, 2 simulations by b"));
    }
}
