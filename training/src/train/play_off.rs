//! The end of a run: the play-off between its teams, and the last match of the winner.
//!
//! The best of many noisy tests looks better than it is, and it need not be the best team. So the
//! candidates meet each other at the end, on dice that no test used. The result of the winner comes
//! from dice that had no part in any choice.

use serde::{Deserialize, Serialize};

use crate::train::learning_curve::TestResult;
use crate::train::trainer::{AVERAGE, LAST, Trainer};
use nonet_engine::game::{
    SequentialResult, SeriesConfig, StreamPurpose, play_sequential, play_series,
};
use nonet_engine::progress::Progress;
use nonet_engine::store::{MeasuredResult, NetFile};

/// Most games of a match of the play-off, as a multiple of those of a test.
const TESTS_OF_A_MATCH: u64 = 10;

/// Most games of a match of the play-off. The difference of two teams of one run is then known to
/// 0.004 points a game.
const MOST_GAMES: u64 = 50_000;

/// A team of a run: which of its weights, after how many games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayOffTeam {
    /// Games that it learned from.
    pub games: u64,
    /// `last` or `average`.
    pub weights: String,
}

impl From<&NetFile> for PlayOffTeam {
    fn from(file: &NetFile) -> PlayOffTeam {
        PlayOffTeam { games: file.provenance.games, weights: file.provenance.weights.clone() }
    }
}

/// A match between two teams of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayOffMatch {
    /// The team that won the matches before, or the first of all.
    pub holder: PlayOffTeam,
    /// Its opponent.
    pub challenger: PlayOffTeam,
    /// Games played.
    pub games: u64,
    /// Points per game of the challenger.
    pub ppg: f64,
    /// Its standard error.
    pub stderr: f64,
    /// Whether the match ended because the better team was known with 95 % confidence.
    pub decided: bool,
}

impl PlayOffMatch {
    /// Whether the challenger scored more.
    #[must_use]
    pub fn challenger_won(&self) -> bool {
        self.ppg > 0.0
    }
}

/// The play-off between the teams of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayOff {
    /// The team that won, which is the result of the run.
    pub winner: PlayOffTeam,
    /// The matches in order; none if there was one candidate.
    pub matches: Vec<PlayOffMatch>,
}

/// The match of a run's result against the opponent of its tests, on dice that no test and no
/// play-off used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastMatch {
    /// Games played.
    pub games: u64,
    /// The result.
    pub result: TestResult,
}

/// What a line of progress calls the items of a play-off; a server reads it there.
pub const PLAY_OFF_GAMES: &str = "games of the play-off";

/// What a line of progress calls the items of the last match.
pub const LAST_MATCH_GAMES: &str = "games of the last match";

impl Trainer {
    /// Most games of the play-off, for a display of its progress: 0 if there is none to play.
    #[must_use]
    pub fn play_off_games(&self) -> u64 {
        let matches = self.candidates().len().saturating_sub(1) as u64;
        if self.progress.play_off.is_some() { 0 } else { matches * self.most_games() }
    }

    fn most_games(&self) -> u64 {
        (self.plan.spec().eval_games * TESTS_OF_A_MATCH).min(MOST_GAMES)
    }

    /// The teams that come into question; the first one holds until it loses.
    ///
    /// They are the moving average, the last weights, and the best ones by the smoothed curve if
    /// they are older. The gates of a gated run have decided already. Equal teams count once: after
    /// fine-tuning the average is the last weights.
    fn candidates(&self) -> Vec<NetFile> {
        if self.plan.spec().gate_every > 0 {
            return self.best.clone().into_iter().collect();
        }
        let average = self.learner.ema.as_ref().map(|team| self.net_file(team, AVERAGE));
        let last = self.net_file(&self.learner.team, LAST);
        let older = self.best.clone().filter(|best| best.provenance.games < self.progress.games);
        let mut candidates: Vec<NetFile> = Vec::new();
        for file in average.into_iter().chain([last]).chain(older) {
            if candidates.iter().all(|other| other.team != file.team) {
                candidates.push(file);
            }
        }
        candidates
    }

    /// Plays the play-off after the end of the run: each candidate in turn meets the winner so far.
    /// A match ends when the better team is known with 95 % confidence. It ends at the latest after
    /// ten times the games of a test or 50,000 games, whichever is less. The winner is the result
    /// of the run, [`Trainer::best`].
    ///
    /// `progress` counts games. Returns whether it was played to its end, or had been before;
    /// otherwise nothing has changed.
    pub fn play_off(&mut self, progress: &Progress) -> bool {
        if self.progress.play_off.is_some() {
            return true;
        }
        let mut candidates = self.candidates().into_iter();
        let Some(mut holder) = candidates.next() else { return true };
        let mut matches = Vec::new();
        for challenger in candidates {
            // Each match has dice of its own.
            let seed = self.plan.spec().seed.wrapping_add(matches.len() as u64);
            let purpose = StreamPurpose::PlayOff;
            let config = SeriesConfig { purpose, ..SeriesConfig::new(self.most_games(), seed) };
            let [a, b] = [&challenger, &holder].map(|file| self.test_player(&file.team));
            let Some(result) = play_sequential(a.as_ref(), b.as_ref(), &config, 0.0, progress)
            else {
                return false;
            };
            drop((a, b));
            let SequentialResult { series, above, below, .. } = result;
            let played = PlayOffMatch {
                holder: PlayOffTeam::from(&holder),
                challenger: PlayOffTeam::from(&challenger),
                games: series.games,
                ppg: series.ppg.mean,
                stderr: series.ppg.stderr,
                decided: above || below,
            };
            if played.challenger_won() {
                holder = challenger;
            }
            matches.push(played);
        }
        self.progress.play_off = Some(PlayOff { winner: PlayOffTeam::from(&holder), matches });
        self.best = Some(holder);
        true
    }

    /// Plays the result of the run against the opponent of the tests.
    ///
    /// The figure is recorded in the run's progress and in the provenance of the team. With
    /// `final_games` of 0 there is no such match.
    ///
    /// `progress` counts games. Returns whether it was played to its end, or had been before;
    /// otherwise nothing has changed.
    pub fn last_match(&mut self, progress: &Progress) -> bool {
        let games = self.plan.spec().final_games;
        let Some(best) = self.best.as_ref().filter(|_| games > 0) else { return true };
        if self.progress.last_match.is_some() {
            return true;
        }
        let purpose = StreamPurpose::Final;
        let config = SeriesConfig { purpose, ..SeriesConfig::new(games, self.plan.spec().seed) };
        let against = self.participants.against.as_ref();
        let player = self.test_player(&best.team);
        let Ok(series) = play_series(player.as_ref(), against, &config, progress) else {
            return false;
        };
        drop(player);
        let result = TestResult::from(&series);
        let measured = MeasuredResult {
            against: self.plan.spec().against.first().to_string(),
            plies: self.plan.spec().eval_ply.get(),
            games: series.games,
            ppg: result.ppg,
            stderr: result.stderr,
        };
        if let Some(best) = &mut self.best {
            best.provenance.result = Some(measured);
        }
        self.progress.last_match = Some(LastMatch { games: series.games, result });
        true
    }
}
