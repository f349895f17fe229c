//! Solves hypergammon: rounds until the values settle, with progress, and again from where it was
//! interrupted.

use std::path::{Path, PathBuf};

use nonet::hypergammon::Solver;
use nonet::store::{StoreError, read_solver, write_solver};

use crate::cli::error::usage;
use crate::cli::interrupt::{interrupted, on_interrupt};
use crate::cli::output::progress_bar::ProgressDisplay;

/// Values are settled when a round changes no equity by more than this: rounding then decides.
pub(super) const SETTLED: f64 = 1e-9;

/// The file of the solved values. The work so far is kept next to `path` after each round, and the
/// next call goes on from there. Ends after a round that changes no equity by more than `threshold`
/// points.
pub(super) fn solve(checkers: u8, threshold: f64, path: &Path) -> anyhow::Result<Vec<u8>> {
    let kept = kept_path(path);
    let mut solver = if kept.exists() { read_solver(&kept)? } else { Solver::new(checkers) };
    if solver.checkers() != checkers {
        return Err(usage(format!(
            "{} was begun with {} checkers: give that number, or remove it",
            kept.display(),
            solver.checkers()
        )));
    }
    on_interrupt();
    loop {
        let round = solver.state().rounds + 1;
        let what = format!("steps of round {round}");
        let mut display = ProgressDisplay::new(&what, 0, u64::from(solver.steps_of_round()));
        let change = loop {
            if interrupted() {
                display.end();
                anyhow::bail!("interrupted in round {round}: {}", on_going_on(&kept));
            }
            if let Some(change) = solver.step() {
                break change;
            }
            let state = solver.state();
            display.at(u64::from(state.sweeps) * u64::from(solver.steps()) + u64::from(state.pips));
        };
        display.line(&format!("round {round}: the largest change is {change:.1e} points"));
        display.end();
        if change <= threshold {
            return Ok(solver.to_bytes());
        }
        write_solver(&kept, &solver)?;
    }
}

/// Removes the work that [`solve`] kept next to `path`, once the solution is written there.
pub(super) fn remove_kept(path: &Path) -> Result<(), StoreError> {
    let kept = kept_path(path);
    if kept.exists() {
        std::fs::remove_file(&kept).map_err(StoreError::io("remove", &kept))?;
    }
    Ok(())
}

/// What an interruption in the middle of a round leaves.
fn on_going_on(kept: &Path) -> String {
    if kept.exists() {
        format!("the rounds before it are kept in {}: the same command goes on", kept.display())
    } else {
        "nothing is kept before the first round ends".to_owned()
    }
}

fn kept_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    use nonet::backgammon::Position;
    use nonet::store::HypergammonFile;

    #[test]
    fn a_threshold_ends_sooner_and_near_the_settled_values() {
        let folder = tempfile::tempdir().expect("a folder");
        // Rounds change values by 3.0, 0.18 and 1e-9 points.
        let [first, second, settled] = [3.5, 0.5, SETTLED].map(|threshold| {
            let path = folder.path().join(format!("{threshold}.bd"));
            std::fs::write(&path, solve(1, threshold, &path).expect("solved")).expect("written");
            let file = HypergammonFile::open(&path).expect("a database");
            let start = Position::from_sides(&[(24, 1)], &[(24, 1)]).expect("a position");
            file.exact(&start.in_game_of(1).expect("few")).expect("readable").cubeful.cubeless
        });
        assert!(first != settled, "{first} {settled}");
        assert!((second - settled).abs() < 1e-3, "{second} {settled}");
    }
}
