//! The replay buffer of a net: its latest examples, to be learned again (experience replay; Lin, Machine Learning 8, 1992).

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::targets::{Example, Target};
use crate::backgammon::Position;
use crate::eval::Evaluation;

/// The latest examples of one net, up to a fixed number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    capacity: usize,
    entries: Vec<ReplayEntry>,
    /// The index of the entry that the next example fills or replaces.
    next: usize,
}

/// A position and its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ReplayEntry {
    pub(super) position: Position,
    pub(super) target: Evaluation,
}

impl Replay {
    /// An empty buffer for `capacity` examples.
    ///
    /// # Panics
    /// If `capacity` is 0.
    #[must_use]
    pub fn new(capacity: usize) -> Replay {
        assert!(capacity > 0, "a replay buffer holds at least one example");
        Replay { capacity, entries: Vec::new(), next: 0 }
    }

    /// The largest number of examples that it holds.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether [`Replay::push`] can have produced this state; a state read from a file may be invalid.
    pub(super) fn is_consistent(&self) -> bool {
        let len = self.entries.len();
        let next = if len < self.capacity { self.next == len } else { self.next < len };
        len <= self.capacity && next
    }

    /// Adds an example; if the buffer is full, it replaces the oldest one.
    pub(super) fn push(&mut self, entry: ReplayEntry) {
        match self.entries.get_mut(self.next) {
            Some(oldest) => *oldest = entry,
            None => self.entries.push(entry),
        }
        self.next = (self.next + 1) % self.capacity;
    }

    /// An endless iterator over examples drawn with replacement; it is empty if the buffer is.
    pub(super) fn sample(&self, mut rng: impl Rng) -> impl Iterator<Item = Example> {
        let draw = move || {
            (!self.entries.is_empty()).then(|| {
                let place = rng.random_range(0..self.entries.len());
                let ReplayEntry { position, target } = self.entries[place];
                Example::new(&position, Target::Value(target))
            })
        };
        std::iter::from_fn(draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_buffer_holds_the_latest_examples() {
        let mut replay = Replay::new(3);
        for n in 0..7_u8 {
            let target = Evaluation { average: f32::from(n), outcomes: [0.0; 6] };
            replay.push(ReplayEntry { position: Position::START, target });
            assert!(replay.is_consistent());
            let mut held: Vec<f32> =
                replay.entries.iter().map(|entry| entry.target.average).collect();
            held.sort_by(f32::total_cmp);
            let oldest = n.saturating_sub(2);
            assert_eq!(held, (oldest..=n).map(f32::from).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_inconsistent_state_is_detected() {
        let entry = ReplayEntry { position: Position::START, target: Evaluation::ZERO };
        for (capacity, entries, next) in [(0, 0, 0), (2, 3, 0), (2, 1, 0), (2, 2, 2)] {
            let replay = Replay { capacity, entries: vec![entry; entries], next };
            assert!(!replay.is_consistent(), "{replay:?}");
        }
    }
}
