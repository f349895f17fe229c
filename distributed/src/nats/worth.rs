//! Whether a task is worth sending: work on one side, the nets that have to travel for it on the
//! other.

use std::collections::VecDeque;

/// The work of [`Job::grain`](nonet_engine::progress::Job::grain) items, in seconds.
const WORK_OF_A_GRAIN: f64 = 0.1;

/// What a byte of a new net costs coordinator, server and one worker together, in seconds.
///
/// It is written, checked three times by SHA-256, stored, sent, and opened. Measured with the
/// champion's 3 MB.
const COST_OF_A_BYTE: f64 = 20e-9;

/// What new nets cost besides, in seconds.
///
/// Every machine opens and quantizes them. What is done in a few parts on each machine has to be
/// told. Measured with batches of 200 games, over both of their tasks.
const COST_OF_NEW_NETS: f64 = 0.05;

/// New nets may cost this share of the work that they are sent for.
const MOST_COST: f64 = 0.1;

/// More kinds of tasks than that do not take turns.
const MOST_KINDS: usize = 8;

/// A task that was begun.
#[derive(Debug)]
struct RecentTask {
    kind: &'static str,
    /// In seconds.
    work: f64,
    /// The bytes of nets that the store did not hold when the last task of this kind was sent.
    new_bytes: usize,
}

/// The tasks since the last one of each kind, the latest last. The kinds of a run take turns: the
/// games of a batch, then their targets. They use the same nets, so these are sent for the work of
/// all of them.
#[derive(Debug, Default)]
pub(super) struct RecentTasks(VecDeque<RecentTask>);

impl RecentTasks {
    /// A task with `items` items begins. Whether it is worth sending: more than half a grain, and
    /// enough work for the nets.
    pub(super) fn is_worth_sending(&mut self, kind: &'static str, items: u64, grain: u64) -> bool {
        let last = self.0.iter().position(|task| task.kind == kind);
        let new_bytes = last.map_or(0, |last| self.0[last].new_bytes);
        // What came before it belongs to an earlier turn, or does not come in turns.
        self.0.drain(..last.map_or(0, |last| last + 1));
        if self.0.len() == MOST_KINDS {
            self.0.pop_front();
        }
        let work = WORK_OF_A_GRAIN * items as f64 / grain as f64;
        self.0.push_back(RecentTask { kind, work, new_bytes });
        let work: f64 = self.0.iter().map(|task| task.work).sum();
        let new_bytes: usize = self.0.iter().map(|task| task.new_bytes).sum();
        items > grain / 2 && cost_of(new_bytes) <= MOST_COST * work
    }

    /// The last task of this kind was sent, and with it `new_bytes` bytes of nets.
    pub(super) fn was_sent(&mut self, kind: &str, new_bytes: usize) {
        if let Some(task) = self.0.iter_mut().rfind(|task| task.kind == kind) {
            task.new_bytes = new_bytes;
        }
    }
}

/// The cost of sending `new_bytes` bytes of nets, in seconds.
fn cost_of(new_bytes: usize) -> f64 {
    match new_bytes {
        0 => 0.0,
        bytes => COST_OF_NEW_NETS + COST_OF_A_BYTE * bytes as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAMPION: usize = 3_000_000;

    /// Whether the games and the targets of a third batch are sent, if the nets of the batches
    /// before had `new_bytes` new bytes.
    fn third_batch(games: [u64; 2], targets: [u64; 2], new_bytes: usize) -> [bool; 2] {
        let mut recent = RecentTasks::default();
        let mut sent = [true; 2];
        for _ in 0..3 {
            sent[0] = recent.is_worth_sending("games", games[0], games[1]);
            if sent[0] {
                recent.was_sent("games", new_bytes);
            }
            sent[1] = recent.is_worth_sending("targets", targets[0], targets[1]);
            if sent[1] {
                recent.was_sent("targets", if sent[0] { 0 } else { new_bytes });
            }
        }
        sent
    }

    #[test]
    fn a_batch_is_sent_if_its_nets_cost_little_beside_its_work() {
        assert_eq!(third_batch([200, 64], [200, 8], CHAMPION), [true; 2]);
        assert_eq!(third_batch([16, 64], [16, 8], CHAMPION), [false; 2], "a small batch");
        assert_eq!(third_batch([50, 64], [50, 8], CHAMPION), [false; 2], "a batch of some size");
        assert_eq!(third_batch([50, 64], [50, 8], CHAMPION / 10), [true; 2], "smaller nets");
        assert_eq!(third_batch([30, 64], [50, 8], 0), [false, true], "little work in the games");
        assert_eq!(third_batch([200, 64], [200, 80], CHAMPION / 4), [false; 2], "races alone");
    }

    #[test]
    fn less_than_half_a_grain_is_not_sent() {
        let mut recent = RecentTasks::default();
        assert!(!recent.is_worth_sending("games", 32, 64));
        assert!(recent.is_worth_sending("games", 33, 64));
    }

    #[test]
    fn a_match_between_batches_counts_once() {
        let mut recent = RecentTasks::default();
        let mut games = || {
            let is_sent = recent.is_worth_sending("games", 100, 64);
            recent.was_sent("games", CHAMPION);
            is_sent
        };
        assert!(games(), "nothing is known yet");
        assert!(!games());
        assert!(recent.is_worth_sending("series", 5000, 64));
        assert!(recent.is_worth_sending("games", 100, 64), "a match came before it");
        assert!(!recent.is_worth_sending("games", 100, 64), "the match is past");
    }
}
