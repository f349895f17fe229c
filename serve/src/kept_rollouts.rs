//! The last rollouts: the same question with more games goes on from them.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use nonet_engine::rollout::RolloutSums;

/// The most rollouts that are kept. A large one has 11 lines of some thousand numbers.
const MOST: usize = 16;

/// A rollout as it stands.
#[derive(Clone)]
pub(super) struct KeptRollout {
    pub(super) sums: Vec<RolloutSums>,
    /// Games of each line.
    pub(super) games: u64,
    /// The time that they took.
    pub(super) seconds: f64,
}

/// The last rollouts by their questions, the latest one at the end.
#[derive(Default)]
pub(super) struct KeptRollouts(Mutex<VecDeque<(String, KeptRollout)>>);

impl KeptRollouts {
    /// Keeps a rollout, unless more games of its question are here.
    pub(super) fn keep(&self, question: &str, rollout: KeptRollout) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(known, _)| known == question);
        let longer = known.and_then(|at| all.remove(at)).map(|(_, known)| known);
        let longer = longer.filter(|known| known.games > rollout.games);
        all.push_back((question.to_owned(), longer.unwrap_or(rollout)));
        while all.len() > MOST {
            all.pop_front();
        }
    }

    /// The rollout of a question, if it has no more than `most` games.
    pub(super) fn of(&self, question: &str, most: u64) -> Option<KeptRollout> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, found) = all.iter().find(|(known, _)| known == question)?;
        (found.games <= most).then(|| found.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rollout_of_each_of_the_last_questions_is_kept() {
        let kept = KeptRollouts::default();
        let rollout = |games| KeptRollout { sums: Vec::new(), games, seconds: 0.0 };
        kept.keep("a", rollout(144));
        kept.keep("a", rollout(36));
        assert_eq!(kept.of("a", 1296).map(|found| found.games), Some(144));
        assert!(kept.of("a", 72).is_none(), "it has more games than were asked for");
        assert!(kept.of("b", 1296).is_none());
        (0..MOST).for_each(|number| kept.keep(&number.to_string(), rollout(36)));
        assert!(kept.of("a", 1296).is_none() && kept.of("0", 1296).is_some());
    }
}
