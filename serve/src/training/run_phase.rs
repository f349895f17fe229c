//! What a run does at the moment: its phase, and how far that is.

use nonet_training::train::{LAST_MATCH_GAMES, PLAY_OFF_GAMES};
use serde::Serialize;
use utoipa::ToSchema;

/// A phase of a running run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunPhase {
    /// It plays games and learns from them; tests are among them.
    Learning,
    /// It plays its nets against each other to find the best one, and then measures that.
    PlayOff,
    /// It measures the best net.
    LastMatch,
    /// It was asked to stop, and saves a checkpoint.
    Stopping,
}

/// How far a phase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PhaseProgress {
    /// Games played.
    pub(crate) done: u64,
    /// Games of the phase, which may end earlier.
    pub(crate) total: u64,
}

/// The phase of a run, and how far its last line of progress says it is.
///
/// The run has learned from `games` of `total` games at its last test.
pub(crate) fn phase_of(
    games: u64,
    total: u64,
    log: &str,
    stopping: bool,
) -> (RunPhase, Option<PhaseProgress>) {
    let said = log.lines().rev().find_map(progress_in);
    let learned = games >= total && total > 0;
    let phase = match said {
        _ if stopping => RunPhase::Stopping,
        Some((_, LAST_MATCH_GAMES)) if learned => RunPhase::LastMatch,
        _ if learned => RunPhase::PlayOff,
        _ => RunPhase::Learning,
    };
    let belongs = |(_, what): &(PhaseProgress, &str)| match phase {
        RunPhase::Learning => *what == "games",
        RunPhase::PlayOff => *what == PLAY_OFF_GAMES,
        RunPhase::LastMatch => true,
        RunPhase::Stopping => false,
    };
    (phase, said.filter(belongs).map(|(progress, _)| progress))
}

/// A line of progress such as `5000/20000 games, 900/s, 17 s to go`: how far what is.
fn progress_in(line: &str) -> Option<(PhaseProgress, &str)> {
    let (done, rest) = line.split_once('/')?;
    let (total, rest) = rest.split_once(' ')?;
    let what = rest.split([',', ';']).next().unwrap_or_default().trim();
    let progress = PhaseProgress { done: done.parse().ok()?, total: total.parse().ok()? };
    what.starts_with("games").then_some((progress, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_progress_says_how_far_a_phase_is() {
        let learning = "seed 1\n500/2000 games, 90/s, 17 s to go\ntests: +0.1\n";
        let half = PhaseProgress { done: 500, total: 2000 };
        assert_eq!(phase_of(400, 2000, learning, false), (RunPhase::Learning, Some(half)));
        assert_eq!(phase_of(2000, 2000, learning, false), (RunPhase::PlayOff, None));
        assert_eq!(phase_of(400, 2000, learning, true), (RunPhase::Stopping, None));
        let last = "500/2000 games of the last match, 90/s";
        assert_eq!(phase_of(2000, 2000, last, false), (RunPhase::LastMatch, Some(half)));
        for line in ["", "/", "1/2", "a/b games", "1/2 apples", "99999999999999999999/1 games"] {
            assert_eq!(phase_of(0, 2000, line, false), (RunPhase::Learning, None), "{line}");
        }
    }
}
