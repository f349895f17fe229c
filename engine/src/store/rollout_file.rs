//! Rollouts that can be continued: a file of sums, with the question that they answer.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{StoreError, write_atomic};
use crate::rollout::RolloutSums;

/// The rollouts of one or more positions that belong to one question, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRollouts {
    /// Everything that the sums depend on, in words.
    question: String,
    /// The sums by GNU Position ID, or by the cube action.
    rollouts: BTreeMap<String, RolloutSums>,
}

impl SavedRollouts {
    /// No rollouts yet. `question` describes everything that their sums depend on, apart from the
    /// position.
    #[must_use]
    pub fn new(question: String) -> SavedRollouts {
        SavedRollouts { question, rollouts: BTreeMap::new() }
    }

    /// Those of the file, if it exists, else none yet.
    ///
    /// # Errors
    /// [`StoreError::NoRollout`] if the file is something else, [`StoreError::OtherRollout`] if it
    /// belongs to another question, [`StoreError::Io`] if it cannot be read.
    pub fn open(path: &Path, question: String) -> Result<SavedRollouts, StoreError> {
        if !path.exists() {
            return Ok(SavedRollouts::new(question));
        }
        let text = std::fs::read_to_string(path).map_err(StoreError::io("read", path))?;
        let path = path.to_owned();
        match serde_json::from_str::<SavedRollouts>(&text) {
            Err(error) => Err(StoreError::NoRollout { path, reason: error.to_string() }),
            Ok(saved) if saved.question != question => {
                Err(StoreError::OtherRollout { path, question: saved.question })
            }
            Ok(saved) if !saved.rollouts.values().all(RolloutSums::are_consistent) => {
                let reason = "the number of games does not fit the sums".to_owned();
                Err(StoreError::NoRollout { path, reason })
            }
            Ok(saved) => Ok(saved),
        }
    }

    /// The sums of the line with this name, as far as it has been rolled out.
    #[must_use]
    pub fn sums(&self, name: &str) -> RolloutSums {
        self.rollouts.get(name).cloned().unwrap_or_default()
    }

    /// Replaces the sums of a line.
    pub fn put(&mut self, name: &str, sums: &RolloutSums) {
        self.rollouts.insert(name.to_owned(), sums.clone());
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(self).expect("sums are numbers with text keys");
        write_atomic(path, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Position;
    use crate::eval::{Evaluation, ScriptedEvaluator};
    use crate::progress::Progress;
    use crate::rollout::{RolloutConfig, RolloutLine, rollout};

    #[test]
    fn a_rollout_that_was_saved_continues_as_if_it_had_not_been_interrupted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.json");
        let open = || SavedRollouts::open(&path, "by pips, seed 1".to_owned()).expect("opened");
        let play = |games, sums: &mut RolloutSums| {
            let config = RolloutConfig { games, truncate: Some(3), ..RolloutConfig::default() };
            let progress = Progress::default();
            let by_pips = ScriptedEvaluator(|position: &Position| {
                let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
                let win = (0.5 + lead / 400.0).clamp(0.0, 1.0);
                let outcomes = [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0];
                Evaluation { average: 2.0 * win - 1.0, outcomes }
            });
            let line = RolloutLine::new(Position::START, None);
            rollout(&by_pips, &line, &config, sums, &progress);
        };
        let mut first = open();
        let mut sums = first.sums("start");
        // In the middle of a block of 36.
        play(50, &mut sums);
        first.put("start", &sums);
        first.save(&path).expect("saved");
        let mut resumed = open().sums("start");
        assert_eq!(resumed.games(), 50);
        play(400, &mut resumed);
        let mut whole = RolloutSums::default();
        play(400, &mut whole);
        let [found, wanted] = [resumed.result(), whole.result()];
        assert_eq!((found.games, found.value), (wanted.games, wanted.value));
        assert_eq!(found.equity.mean.to_bits(), wanted.equity.mean.to_bits());
        assert_eq!(found.equity.stderr.to_bits(), wanted.equity.stderr.to_bits());
    }

    #[test]
    fn a_file_of_another_rollout_or_of_something_else_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.json");
        SavedRollouts::new("seed 1".to_owned()).save(&path).expect("saved");
        let refused = |question: &str| {
            SavedRollouts::open(&path, question.to_owned()).expect_err("refused").to_string()
        };
        assert!(refused("seed 2").ends_with("holds a rollout of another question: seed 1"));
        std::fs::write(&path, "hello").expect("written");
        assert!(refused("seed 1").contains("holds no rollout: "), "{}", refused("seed 1"));
        let text = serde_json::json!({"question": "seed 1", "rollouts": {"start": {
            "games": 100, "heads": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "equity": {"blocks": [1.0], "squares": 1.0},
            "plain": {"blocks": [1.0], "squares": 1.0},
        }}});
        std::fs::write(&path, text.to_string()).expect("written");
        assert!(refused("seed 1").contains("does not fit the sums"), "{}", refused("seed 1"));
    }
}
