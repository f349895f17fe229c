//! Series between two players: money games with or without the cube, or matches.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::checked_player::CheckedPlayer;
use super::cube_counts::CubeCounts;
use super::outcome_counts::OutcomeCounts;
use super::series_rules::SeriesRules;
use super::series_sums::SeriesSums;
use super::series_task::SeriesTask;
use super::series_unit::Contest;
use crate::eval::ExternalFailure;
use crate::game::{LuckEstimator, Player, StreamPurpose};
use crate::progress::Progress;
use crate::stats::{Estimate, wilson95};

/// How a series is played.
///
/// ```
/// use nonet_engine::eval::PubEval;
/// use nonet_engine::game::{Random, SeriesConfig};
///
/// let series = SeriesConfig::new(200, 1).play(&PubEval, &Random)?;
/// assert!(series.ppg.mean > 2.0);
/// println!("{}", series.ppg);
/// # Ok::<(), nonet_engine::game::SeriesError>(())
/// ```
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SeriesConfig {
    /// Number of games, or of matches; with duplicate dice an odd number is rounded up.
    pub games: u64,
    /// Every sequence of dice is played twice, the second time with the seats exchanged.
    pub duplicate: bool,
    /// The rules of the games.
    pub rules: SeriesRules,
    /// The seed of the dice.
    pub seed: u64,
    /// The purpose of the stream of dice.
    pub purpose: StreamPurpose,
}

/// Why a series has not all its games.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SeriesError {
    /// It was stopped before its end. The games until then are an unbiased result: sequences of
    /// dice that had begun are played to their end. `None` if there are none, or if other machines
    /// played.
    #[error("the series was stopped before its end")]
    Stopped(Option<Box<Series>>),
    /// A player failed: an external engine did, or the choice was no legal result.
    #[error(transparent)]
    Failed(#[from] ExternalFailure),
}

impl SeriesConfig {
    /// Games without the cube, each sequence of dice from both seats.
    #[must_use]
    pub const fn new(games: u64, seed: u64) -> SeriesConfig {
        let (rules, purpose) = (SeriesRules::Cubeless, StreamPurpose::Match);
        SeriesConfig { games, duplicate: true, rules, seed, purpose }
    }

    /// Plays the series on the current thread pool: [`play_series`] without a progress display.
    ///
    /// # Errors
    /// [`SeriesError`] if a player fails.
    pub fn play(&self, a: &dyn Player, b: &dyn Player) -> Result<Series, SeriesError> {
        play_series(a, b, self, &Progress::default())
    }

    /// Games or matches with each sequence of dice.
    pub(super) const fn seats(&self) -> u64 {
        if self.duplicate { 2 } else { 1 }
    }

    /// Sequences of dice.
    pub(super) const fn units(&self) -> u64 {
        self.games.div_ceil(self.seats())
    }
}

/// The result of a series for the first player.
///
/// ```
/// use nonet_engine::eval::PubEval;
/// use nonet_engine::game::{Random, SeriesConfig};
///
/// let series = SeriesConfig::new(100, 1).play(&PubEval, &Random)?;
/// assert_eq!(series.result(), series.ppg);
/// assert_eq!(series.flipped().ppg.mean, -series.ppg.mean);
/// # Ok::<(), nonet_engine::game::SeriesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Games played to an end, in all matches together.
    pub games: u64,
    /// Games, or matches, abandoned because a game was endless; they do not count.
    pub endless: u64,
    /// Points per game. With duplicate dice the error is that of the mean over pairs of games, or
    /// of matches.
    pub ppg: Estimate,
    /// How the games ended, without the value of the cube; a refused double counts as a single
    /// game.
    pub tally: OutcomeCounts,
    /// The result in matches, if matches were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<MatchResults>,
    /// The result without the luck of the rolls, if that was estimated: match winning chances in a
    /// series of matches, else points per game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<Estimate>,
    /// The cube actions of the two players, if there was a cube.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube: Option<[CubeCounts; 2]>,
}

/// The result of a series of matches for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchResults {
    /// Matches played to an end.
    pub played: u64,
    /// Matches won.
    pub won: u64,
    /// Match winning chances, 0..=1: the share of matches won.
    pub mwc: Estimate,
    /// Points won less points lost, per match.
    pub points: Estimate,
}

impl MatchResults {
    /// The interval that contains the match winning chance with 95 % confidence, within 0..=1. If
    /// all pairs of matches ended alike, their scatter says nothing, and the interval is Wilson's
    /// for independent matches.
    #[must_use]
    pub fn interval95(&self) -> (f64, f64) {
        if self.mwc.stderr > 0.0 && self.mwc.stderr.is_finite() {
            let (low, high) = self.mwc.interval95();
            return (low.max(0.0), high.min(1.0));
        }
        wilson95(self.won, self.played)
    }

    fn flipped(self) -> MatchResults {
        let mwc = self.mwc.scaled(-1.0);
        MatchResults {
            won: self.played - self.won,
            mwc: Estimate { mean: 1.0 + mwc.mean, ..mwc },
            points: self.points.scaled(-1.0),
            ..self
        }
    }
}

impl Series {
    /// The main result: match winning chances in a series of matches, else points per game. The
    /// luck of the rolls is taken out if it was estimated.
    #[must_use]
    pub fn result(&self) -> Estimate {
        let played = self.matches.map_or(self.ppg, |matches| matches.mwc);
        self.adjusted.unwrap_or(played)
    }

    /// The same series for the second player.
    #[must_use]
    pub fn flipped(&self) -> Series {
        let [a, b, c, d, e, f] = self.tally.outcomes;
        Series {
            ppg: self.ppg.scaled(-1.0),
            tally: OutcomeCounts { outcomes: [d, e, f, a, b, c] },
            matches: self.matches.map(MatchResults::flipped),
            adjusted: self.adjusted.map(|adjusted| {
                let flipped = adjusted.scaled(-1.0);
                let whole = if self.matches.is_some() { 1.0 } else { 0.0 };
                Estimate { mean: whole + flipped.mean, ..flipped }
            }),
            cube: self.cube.map(|[own, other]| [other, own]),
            ..self.clone()
        }
    }
}

/// Plays the series on the current thread pool. The result depends on the players and `config`
/// alone, not on the number of threads: sums are made of whole numbers. `progress` counts games, or
/// matches.
///
/// # Errors
/// [`SeriesError`] if `progress` was stopped before the end, or a player failed
/// ([`Player::failure`]).
pub fn play_series(
    a: &dyn Player,
    b: &dyn Player,
    config: &SeriesConfig,
    progress: &Progress,
) -> Result<Series, SeriesError> {
    play_whole(Contest { players: [a, b], luck: None }, config, progress)
}

/// Plays the series as [`play_series`] does, and takes the luck of the rolls out of the result
/// ([`Series::adjusted`]).
///
/// # Errors
/// As [`play_series`].
pub fn play_adjusted_series(
    a: &dyn Player,
    b: &dyn Player,
    luck: &dyn LuckEstimator,
    config: &SeriesConfig,
    progress: &Progress,
) -> Result<Series, SeriesError> {
    play_whole(Contest { players: [a, b], luck: Some(luck) }, config, progress)
}

fn play_whole(
    contest: Contest<'_>,
    config: &SeriesConfig,
    progress: &Progress,
) -> Result<Series, SeriesError> {
    let sums = play_units(contest, config, 0..config.units(), progress);
    let sums = sums.map_err(|unfinished| {
        unfinished.error(SeriesSums::default(), config, contest.luck.is_some())
    })?;
    Ok(sums.series(config, contest.luck.is_some()))
}

/// Why not all units were played.
pub(super) enum Unfinished {
    /// The work was stopped after these units.
    Stopped(Box<SeriesSums>),
    /// A player failed.
    Failed(ExternalFailure),
}

impl Unfinished {
    /// The error, with the result of these units and the units `before` them.
    pub(super) fn error(
        self,
        before: SeriesSums,
        config: &SeriesConfig,
        luck: bool,
    ) -> SeriesError {
        match self {
            Unfinished::Failed(failure) => failure.into(),
            Unfinished::Stopped(sums) => {
                let sums = before.joined(*sums);
                let some = !sums.is_empty();
                SeriesError::Stopped(some.then(|| Box::new(sums.series(config, luck))))
            }
        }
    }
}

/// Plays some of the series' units, which are sequences of dice, as [`play_series`] does.
pub(super) fn play_units(
    contest: Contest<'_>,
    config: &SeriesConfig,
    units: Range<u64>,
    progress: &Progress,
) -> Result<SeriesSums, Unfinished> {
    let checked = CheckedPlayer::both(contest.players);
    let contest = Contest { players: checked.each_ref().map(|player| player as _), ..contest };
    let task = SeriesTask::new(contest, config);
    match progress.share(&task, units) {
        Some(parts) => Ok(parts.into_iter().fold(SeriesSums::default(), SeriesSums::joined)),
        None => match checked.iter().find_map(|player| player.failure()) {
            Some(failure) => Err(Unfinished::Failed(failure.clone())),
            None => Err(Unfinished::Stopped(Box::new(match progress.has_dispatcher() {
                true => SeriesSums::default(),
                false => task.into_played(),
            }))),
        },
    }
}

/// A cubeless series with duplicate dice, for tests.
#[cfg(test)]
pub(super) const fn config(games: u64) -> SeriesConfig {
    SeriesConfig::new(games, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluation, PubEval};
    use crate::game::{MatchLength, MoveChoice, Random};
    use rand_pcg::Pcg64;

    fn play(a: &dyn Player, b: &dyn Player, config: &SeriesConfig) -> Series {
        play_series(a, b, config, &Progress::default()).expect("not stopped")
    }

    #[test]
    fn a_player_against_itself_scores_nothing_with_duplicate_dice() {
        let series = play(&PubEval, &PubEval, &config(400));
        assert_eq!((series.ppg.mean, series.ppg.stderr), (0.0, 0.0));
        assert_eq!(series.games, 400);
    }

    #[test]
    fn random_play_loses_about_two_and_a_half_points_a_game_to_pubeval() {
        // Measured elsewhere over 5,000 games: -2.510 with an error of 0.010.
        let series = play(&Random, &PubEval, &config(1000));
        assert!((-2.62..-2.40).contains(&series.ppg.mean), "{series:?}");
        assert!((0.005..0.05).contains(&series.ppg.stderr), "{series:?}");
    }

    #[test]
    fn exchanging_the_players_turns_the_result_around() {
        let there = play(&Random, &PubEval, &config(100));
        let back = play(&PubEval, &Random, &config(100));
        assert_eq!(there.games, back.games);
        assert!(there.ppg.mean < -2.0 && back.ppg.mean > 2.0);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let run = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| play(&Random, &PubEval, &config(201)))
        };
        let one = run(1);
        assert_eq!(one.games, 202, "an odd number is rounded up to whole pairs");
        assert_eq!(one, run(3));
    }

    #[test]
    fn a_series_can_be_stopped() {
        let progress = Progress::default();
        progress.stop();
        let stopped = play_series(&Random, &Random, &config(100), &progress);
        assert_eq!(stopped, Err(SeriesError::Stopped(None)));
    }

    #[test]
    fn a_series_that_is_stopped_gives_what_was_played_out() {
        struct Stopper(Progress, std::sync::atomic::AtomicU32);

        impl Player for Stopper {
            fn choose(
                &self,
                choice: &MoveChoice,
                values: &mut Vec<Evaluation>,
                rng: &mut Pcg64,
            ) -> usize {
                if self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 500 {
                    self.0.stop();
                }
                Random.choose(choice, values, rng)
            }
        }

        let config = config(100_000);
        let progress = Progress::default();
        let stopper = Stopper(progress.part(), Default::default());
        let Err(SeriesError::Stopped(Some(series))) =
            play_series(&stopper, &Random, &config, &progress)
        else {
            panic!("a result of what was played");
        };
        assert!((4..1_000).contains(&series.games), "{series:?}");
        assert_eq!((series.games % 2, series.endless), (0, 0), "whole pairs");
        assert_eq!(progress.done(), series.games);
    }

    #[test]
    fn the_error_names_the_player_whose_choice_is_no_result() {
        struct Last;

        impl Player for Last {
            fn choose(&self, choice: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
                choice.results.len()
            }
        }

        let failed = config(2).play(&Random, &Last).expect_err("there is no such result");
        let text = failed.to_string();
        assert!(text.starts_with("the second player failed: it chose result"), "{text}");
    }

    fn matches(length: u16, games: u64) -> SeriesConfig {
        let rules = SeriesRules::Match(MatchLength::new(length).expect("a length"));
        SeriesConfig { rules, ..config(games) }
    }

    #[test]
    fn a_match_series_counts_matches_and_their_games() {
        let series = play(&Random, &PubEval, &matches(3, 60));
        let won = series.matches.expect("matches");
        assert_eq!((won.played, series.endless), (60, 0));
        assert!(won.won < 15 && series.games >= 60, "{series:?}");
        assert!((won.mwc.mean - won.won as f64 / 60.0).abs() < 1e-12);
        assert!(won.points.mean < 0.0 && series.ppg.mean < -1.0, "{series:?}");
        let cube = series.cube.expect("with the cube");
        assert_eq!(cube[0].won + cube[1].won, series.games);
        assert_eq!(cube[0].won, series.tally.wins());
    }

    #[test]
    fn a_match_to_one_point_is_one_game() {
        let series = play(&Random, &PubEval, &matches(1, 80));
        let won = series.matches.expect("matches");
        assert_eq!((series.games, won.won), (80, series.tally.wins()));
    }

    #[test]
    fn a_player_against_themself_wins_half_of_the_matches_with_duplicate_dice() {
        let series = play(&PubEval, &PubEval, &matches(5, 40));
        let won = series.matches.expect("matches");
        assert_eq!((won.mwc.mean, won.mwc.stderr, series.ppg.mean), (0.5, 0.0, 0.0));
        // No two pairs differ: the interval is that of 40 matches, half of them won.
        let (low, high) = won.interval95();
        assert!((0.35..0.36).contains(&low) && (low + high - 1.0).abs() < 1e-12, "{low} {high}");
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_match_series() {
        let run = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| play(&Random, &PubEval, &matches(3, 31)))
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn a_flipped_match_series_is_that_of_the_other_player() {
        let series = play(&Random, &PubEval, &matches(3, 20));
        let (own, other) = (series.matches.expect("some"), series.flipped().matches.expect("some"));
        assert_eq!((own.won + other.won, own.mwc.mean + other.mwc.mean), (20, 1.0));
        assert_eq!(series.flipped().flipped().tally, series.tally);
    }

    #[test]
    fn money_games_without_doubles_have_the_points_of_cubeless_ones() {
        let cube = SeriesConfig { rules: SeriesRules::MONEY, ..config(100) };
        let (plain, money) =
            (play(&Random, &PubEval, &config(100)), play(&Random, &PubEval, &cube));
        assert_eq!((plain.ppg, plain.tally), (money.ppg, money.tally));
        assert!(plain.cube.is_none() && money.cube.is_some());
    }
}
