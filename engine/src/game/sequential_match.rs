//! A match that ends as soon as its result is certain: a test in stages, with intervals that hold
//! at all stages together.

use serde::Serialize;

use super::match_series::{Series, SeriesConfig, play_units};
use super::series_sums::SeriesSums;
use super::series_unit::Contest;
use crate::game::Player;
use crate::progress::Progress;
use crate::stats::LOOKS;

/// The fewest pairs of games with different results for which the error of the mean is believed.
///
/// With fewer pairs the mean is far from normally distributed. Two nets that play nearly alike
/// would be told apart by a few lucky games.
const LEAST_DECIDED: u64 = 30;

/// The result of a match in stages for the first player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequentialResult {
    /// All games that were played.
    pub series: Series,
    /// The stage after which it ended, 1..=`stages`.
    pub stage: u32,
    /// Stages at most.
    pub stages: u32,
    /// Points per game: the interval at this stage. The intervals of all stages together hold with
    /// 95 % confidence.
    pub interval: (f64, f64),
    /// Whether the first player scores more than the threshold: the interval is above it.
    pub above: bool,
    /// Whether the first player scores less than the threshold: the interval is below it.
    pub below: bool,
}

/// Plays a match of at most `config.games` games in [`LOOKS`] stages of equal length, on the
/// current thread pool.
///
/// The match ends after the first stage with an interval above or below `threshold` points per
/// game. Suppose that a player does not score more than the threshold in the long run. The match
/// finds this player to be above it with a probability of at most 2.5 %.
///
/// The result depends on the players and the arguments alone, not on the number of threads.
/// `progress` counts games.
///
/// `None` if `progress` was stopped before the end, or an external engine failed
/// ([`Player::failure`]).
pub fn play_sequential(
    a: &dyn Player,
    b: &dyn Player,
    config: &SeriesConfig,
    threshold: f64,
    progress: &Progress,
) -> Option<SequentialResult> {
    let contest = Contest { players: [a, b], luck: None };
    let (mut sums, mut played) = (SeriesSums::default(), 0);
    let mut stage = 0;
    loop {
        stage += 1;
        let until = (config.units() * u64::from(stage)).div_ceil(u64::from(LOOKS));
        sums = sums.joined(play_units(contest, config, played..until, progress).ok()?);
        played = until;
        let result = after_stage(&sums, config, stage, threshold);
        if result.above || result.below || stage == LOOKS {
            return Some(result);
        }
    }
}

/// The result if the match ends after this stage.
fn after_stage(
    sums: &SeriesSums,
    config: &SeriesConfig,
    stage: u32,
    threshold: f64,
) -> SequentialResult {
    let series = sums.series(config, false);
    let interval = series.ppg.repeated_interval95(stage);
    let believed = sums.decided >= LEAST_DECIDED;
    let above = believed && interval.0 > threshold;
    let below = believed && interval.1 < threshold;
    SequentialResult { series, stage, stages: LOOKS, interval, above, below }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::PubEval;
    use crate::game::match_series::config;
    use crate::game::{Random, StreamPurpose, below, stream};

    /// The share of promotions in simulated matches of `pairs` pairs.
    ///
    /// Of 1,000 pairs of games, the first player wins `wins[0]` by 2 points and loses `wins[1]` by
    /// as much. The first player wins 40 more by 4 points and loses 40 more by 4 points. The
    /// standard deviation is 0.85 points per game.
    fn promoted(matches: u64, pairs: u64, wins: [u32; 2]) -> f64 {
        let config = config(2 * pairs);
        let mut promoted = 0_u32;
        for number in 0..matches {
            let mut dice = stream(7, StreamPurpose::Test, number);
            let mut sums = SeriesSums::default();
            for stage in 1..=LOOKS {
                for _ in 0..pairs / u64::from(LOOKS) {
                    let x = below(1000, &mut dice) as u32;
                    let points = match x {
                        0..40 => 4,
                        40..80 => -4,
                        _ if x < 80 + wins[0] => 2,
                        _ if x < 80 + wins[0] + wins[1] => -2,
                        _ => 0,
                    };
                    sums.add_points(points, &config);
                }
                let result = after_stage(&sums, &config, stage, 0.0);
                if result.above || result.below {
                    promoted += u32::from(result.above);
                    break;
                }
            }
        }
        f64::from(promoted) / matches as f64
    }

    #[test]
    fn an_equal_player_is_above_in_no_more_than_one_match_in_forty() {
        let share = promoted(8000, 5000, [200, 200]);
        // The error of the share is 0.0017.
        assert!((0.02..0.03).contains(&share), "{share}");
        // Players who play nearly alike: 2 pairs in 1,000 differ by 2 points, 80 by 4.
        let share = promoted(8000, 1000, [1, 1]);
        assert!((0.015..0.03).contains(&share), "{share}");
    }

    #[test]
    fn a_player_who_is_better_by_a_twentieth_of_a_point_is_found_with_ten_thousand_games() {
        let share = promoted(2000, 5000, [225, 175]);
        assert!(share > 0.95, "{share}");
        // A thousand games find few of them.
        let few = promoted(2000, 500, [225, 175]);
        assert!((0.1..0.5).contains(&few), "{few}");
    }

    #[test]
    fn a_clear_result_ends_the_match_at_the_first_stage() {
        let [there, back] =
            [(&PubEval as &dyn Player, &Random as &dyn Player), (&Random, &PubEval)].map(
                |(a, b)| {
                    play_sequential(a, b, &config(1000), 0.0, &Progress::default()).expect("played")
                },
            );
        assert_eq!((there.above, there.stage, there.series.games), (true, 1, 200));
        assert_eq!((back.above, back.stage, back.series.games), (false, 1, 200));
        assert!(there.interval.0 > 0.0 && back.interval.1 < 0.0);
    }

    #[test]
    fn a_player_is_not_above_themself() {
        let result = play_sequential(&PubEval, &PubEval, &config(100), 0.0, &Progress::default());
        let result = result.expect("played");
        assert_eq!((result.above, result.stage, result.series.games), (false, LOOKS, 100));
        // A few games prove nothing, even if all are won.
        let few = play_sequential(&PubEval, &Random, &config(20), 0.0, &Progress::default());
        assert!(!few.expect("played").above);
    }

    #[test]
    fn all_stages_together_are_the_whole_series() {
        let config = config(402);
        let result = play_sequential(&Random, &Random, &config, 0.0, &Progress::default());
        let result = result.expect("played");
        if result.stage == LOOKS {
            let whole = super::super::play_series(&Random, &Random, &config, &Progress::default());
            assert_eq!(Ok(result.series), whole);
        } else {
            assert!(!(result.interval.0..=result.interval.1).contains(&0.0), "{result:?}");
        }
    }

    #[test]
    fn a_stopped_match_has_no_result() {
        let progress = Progress::default();
        progress.stop();
        assert_eq!(play_sequential(&Random, &Random, &config(100), 0.0, &progress), None);
    }
}
