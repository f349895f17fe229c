//! The replay buffer of a net: its latest examples, to be learned again (experience replay; Lin,
//! Machine Learning 8, 1992).

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::train::learning::targets::{Example, Target};
use nonet_engine::backgammon::Position;
use nonet_engine::eval::Evaluation;

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
pub(in crate::train) struct ReplayEntry {
    pub(in crate::train) position: Position,
    pub(in crate::train) target: Evaluation,
    /// Whether it belongs to the group of the entry before it ([`Example::joined`]).
    pub(in crate::train) joined: bool,
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

    /// Whether [`Replay::push`] can have produced this state; a state read from a file may be
    /// invalid.
    pub(in crate::train) fn is_consistent(&self) -> bool {
        let len = self.entries.len();
        let next = if len < self.capacity { self.next == len } else { self.next < len };
        len <= self.capacity && next
    }

    /// Adds an example; if the buffer is full, it replaces the oldest one.
    pub(in crate::train) fn push(&mut self, entry: ReplayEntry) {
        match self.entries.get_mut(self.next) {
            Some(oldest) => *oldest = entry,
            None => self.entries.push(entry),
        }
        self.next = (self.next + 1) % self.capacity;
    }

    /// An endless iterator over examples; it is empty if the buffer is. Groups are drawn with
    /// replacement, each with the same chance, and their examples follow one another.
    pub(in crate::train) fn sample(&self, mut rng: impl Rng) -> impl Iterator<Item = Example> {
        let len = self.entries.len();
        // If the first entries of a group were replaced, its rest begins with the oldest entry.
        let oldest = if len < self.capacity { 0 } else { self.next };
        let begins = move |place: usize| !self.entries[place].joined || place == oldest;
        let mut last = None;
        let draw = move || {
            if len == 0 {
                return None;
            }
            let following = last.map(|last| (last + 1) % len).filter(|&place| !begins(place));
            let place = following.unwrap_or_else(|| {
                loop {
                    let place = rng.random_range(0..len);
                    if begins(place) {
                        break place;
                    }
                }
            });
            let joined = following.is_some();
            last = Some(place);
            let ReplayEntry { position, target, .. } = self.entries[place];
            Some(Example { joined, ..Example::new(&position, Target::Value(target)) })
        };
        std::iter::from_fn(draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::game::{StreamPurpose, stream};

    #[test]
    fn a_replay_buffer_holds_the_latest_examples() {
        let mut replay = Replay::new(3);
        for n in 0..7_u8 {
            let target = Evaluation { average: f32::from(n), outcomes: [0.0; 6] };
            replay.push(ReplayEntry { position: Position::START, target, joined: false });
            assert!(replay.is_consistent());
            let mut held: Vec<f32> =
                replay.entries.iter().map(|entry| entry.target.average).collect();
            held.sort_by(f32::total_cmp);
            let oldest = n.saturating_sub(2);
            assert_eq!(held, (oldest..=n).map(f32::from).collect::<Vec<_>>());
        }
    }

    #[test]
    fn groups_are_drawn_whole_and_each_as_often_as_any_other() {
        let mut replay = Replay::new(8);
        // Groups of 3, 1, 2, 3 and 1: the first entry of the first group is replaced twice, then
        // those of its end remain.
        for (n, joined) in [0, 1, 1, 0, 0, 1, 0, 1, 1, 0].into_iter().enumerate() {
            let target = Evaluation { average: n as f32, outcomes: [0.0; 6] };
            replay.push(ReplayEntry { position: Position::START, target, joined: joined == 1 });
        }
        let drawn = replay.sample(stream(1, StreamPurpose::Replay, 0)).take(9_000);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for Example { target, joined, .. } in drawn {
            let Target::Value(value) = target else { panic!("a value") };
            match groups.last_mut() {
                Some(group) if joined => group.push(value.average as usize),
                _ => groups.push(vec![value.average as usize]),
            }
        }
        // take() may have cut the last one.
        groups.pop();
        let mut counts = std::collections::BTreeMap::new();
        groups.into_iter().for_each(|group| *counts.entry(group).or_insert(0) += 1);
        let expected = [vec![2], vec![3], vec![4, 5], vec![6, 7, 8], vec![9]];
        assert_eq!(counts.keys().cloned().collect::<Vec<_>>(), expected);
        // 9,000 examples are 1,125 draws of 8 examples, those of five groups.
        assert!(counts.values().all(|&n| (1_000..1_250).contains(&n)), "{counts:?}");
    }

    #[test]
    fn an_inconsistent_state_is_detected() {
        let entry =
            ReplayEntry { position: Position::START, target: Evaluation::ZERO, joined: false };
        for (capacity, entries, next) in [(0, 0, 0), (2, 3, 0), (2, 1, 0), (2, 2, 2)] {
            let replay = Replay { capacity, entries: vec![entry; entries], next };
            assert!(!replay.is_consistent(), "{replay:?}");
        }
    }
}
