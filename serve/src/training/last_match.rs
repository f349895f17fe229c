//! The last match of a finished run, which its report tells in a sentence.

use serde::Serialize;
use utoipa::ToSchema;

/// The last match of a run: its best net against the opponent of the tests, on dice that had no
/// part in training or in choosing the net.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct LastMatchAnswer {
    /// Points a game.
    #[schema(example = 0.21)]
    pub(super) ppg: f64,
    /// Its 95 % interval.
    #[schema(example = json!([0.15, 0.27]))]
    pub(super) interval: [f64; 2],
    /// Games of the match.
    #[schema(example = 10_000)]
    pub(super) games: u64,
}

impl LastMatchAnswer {
    /// The result in the report of a run; `None` where it has none.
    pub(super) fn in_report(page: &str) -> Option<LastMatchAnswer> {
        let (_, result) = page.split_once("Result: best.nonet")?;
        let (_, result) = result.split_once("scores ")?;
        let (ppg, result) = result.split_once(" ± ")?;
        let (half, result) = result.split_once(" points per game")?;
        let (_, result) = result.split_once("of games: ")?;
        let (games, _) = result.split_once(" games")?;
        let (ppg, half): (f64, f64) = (ppg.parse().ok()?, half.parse().ok()?);
        // The report has three decimals, and a sum of two numbers more.
        let end = |by: f64| (1000.0 * (ppg + by)).round() / 1000.0;
        Some(LastMatchAnswer { ppg, interval: [end(-half), end(half)], games: games.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_a_run_tells_its_last_match() {
        let page = "<p>Result: best.nonet, the weights after 1500 games, scores -0.250 ± 0.125 points \
                    per game against pubeval (95 % interval) and wins 45.3 % of games: 300 games on \
                    dice that had no part.</p>";
        let found = LastMatchAnswer { ppg: -0.25, interval: [-0.375, -0.125], games: 300 };
        assert_eq!(LastMatchAnswer::in_report(page), Some(found));
        let none = "<p>The run has ended: 4000 of 4000 games. The last test: +0.1 ± 0.2 points</p>";
        assert_eq!(LastMatchAnswer::in_report(none), None);
        assert_eq!(LastMatchAnswer::in_report(&page.replace("300 games", "some games")), None);
    }
}
