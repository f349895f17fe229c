//! Rollouts that can be continued: a file of sums, with the question that they answer.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{StoreError, write_atomic};
use crate::backgammon::Position;
use crate::rollout::RolloutSums;

/// The rollouts of one or more positions that belong to one question, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRollouts {
    /// Everything that the sums depend on, in words.
    question: String,
    /// The sums by GNU Position ID.
    rollouts: BTreeMap<String, RolloutSums>,
}

impl SavedRollouts {
    /// No rollouts yet. `question` describes everything that their sums depend on, apart from the position.
    #[must_use]
    pub fn new(question: String) -> SavedRollouts {
        SavedRollouts { question, rollouts: BTreeMap::new() }
    }

    /// Those of the file, if it exists, else none yet.
    ///
    /// # Errors
    /// [`StoreError::NoRollout`] if the file is something else, [`StoreError::OtherRollout`] if it belongs to another
    /// question, [`StoreError::Io`] if it cannot be read.
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
            Ok(saved) => Ok(saved),
        }
    }

    /// The sums of a position, to be added to.
    pub fn sums(&mut self, position: &Position) -> &mut RolloutSums {
        self.rollouts.entry(position.id()).or_default()
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
    use crate::eval::{Evaluation, ScriptedEvaluator};
    use crate::progress::Progress;
    use crate::rollout::{RolloutConfig, rollout};

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
            rollout(&by_pips, &Position::START, None, &config, sums, &progress);
        };
        let mut first = open();
        play(36, first.sums(&Position::START));
        first.save(&path).expect("saved");
        let mut second = open();
        assert_eq!(second.sums(&Position::START).games(), 36);
        play(72, second.sums(&Position::START));
        let mut whole = RolloutSums::default();
        play(72, &mut whole);
        let [found, wanted] = [second.sums(&Position::START).result(), whole.result()];
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
    }
}
