//! The last match of a finished run, which the file of its best net tells.

use std::path::Path;

use nonet_engine::stats::Z95;
use nonet_engine::store::read_provenance;
use serde::Serialize;
use utoipa::ToSchema;

/// The last match of a run: its best net against the opponent of the tests.
///
/// Its dice had no part in training or in choosing the net.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct LastMatchAnswer {
    /// Points a game.
    #[schema(example = 0.21)]
    pub(super) ppg: f64,
    /// Its standard error.
    #[schema(example = 0.03)]
    pub(super) stderr: f64,
    /// Its 95 % interval.
    #[schema(example = json!([0.15, 0.27]))]
    pub(super) interval: [f64; 2],
    /// Games of the match.
    #[schema(example = 10_000)]
    pub(super) games: u64,
    /// The net.
    pub(super) net: BestNet,
}

/// The best net of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct BestNet {
    /// Games that it learned from.
    #[schema(example = 20_000)]
    pub(super) games: u64,
    /// `last` for the weights, or `average` for their moving average.
    #[schema(example = "average")]
    pub(super) weights: String,
}

impl LastMatchAnswer {
    /// The result in a net file; `None` where it has none.
    pub(super) fn of(best: &Path) -> Option<LastMatchAnswer> {
        let made = read_provenance(best).ok()?;
        let played = made.result?;
        let half = Z95 * played.stderr;
        Some(LastMatchAnswer {
            ppg: played.ppg,
            stderr: played.stderr,
            interval: [played.ppg - half, played.ppg + half],
            games: played.games,
            net: BestNet { games: made.games, weights: made.weights },
        })
    }
}

#[cfg(test)]
mod tests {
    use nonet_engine::store::{MeasuredResult, write_net};

    use super::*;

    #[test]
    fn the_best_net_of_a_run_tells_its_last_match() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("best.nonet");
        assert_eq!(LastMatchAnswer::of(&path), None);
        let mut net = nonet_engine::open::net("small").expect("a net");
        net.provenance.result = None;
        write_net(&path, &net).expect("written");
        assert_eq!(LastMatchAnswer::of(&path), None);
        let against = "pubeval".to_owned();
        let result = MeasuredResult { against, plies: 1, games: 300, ppg: -0.25, stderr: 0.125 };
        net.provenance.result = Some(result);
        write_net(&path, &net).expect("written");
        let found = LastMatchAnswer::of(&path).expect("a result");
        assert_eq!((found.ppg, found.games, found.net.games), (-0.25, 300, net.provenance.games));
        assert_eq!(found.interval, [-0.25 - Z95 * 0.125, -0.25 + Z95 * 0.125]);
        std::fs::write(&path, b"NONET").expect("written");
        assert_eq!(LastMatchAnswer::of(&path), None);
    }
}
