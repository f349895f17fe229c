//! What a bot keeps in memory of the matches that are over. A person may ask for it at any time, so
//! the answer reads one file at most, however many matches there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::records::match_record::MatchRecord;
use crate::records::statistics::MatchResults;

/// A time in Unix seconds, and the file of the match.
type TimedFile = (f64, PathBuf);

/// Numbers of the matches that are over, and the files of the latest ones.
#[derive(Debug, Default)]
pub(super) struct EndedMatches {
    results: MatchResults,
    by_opponent: BTreeMap<String, Latest>,
}

/// The latest matches with an opponent.
#[derive(Debug, Default)]
struct Latest {
    /// The one that began last.
    begun: Option<TimedFile>,
    /// Of those with a known result, the one that ended last.
    finished: Option<TimedFile>,
}

impl EndedMatches {
    /// Counts a match that is over. Of two with the same time the one that is added later is the
    /// latest.
    pub(super) fn add(&mut self, path: &Path, ended: &MatchRecord) {
        self.results.add(ended);
        let latest = self.by_opponent.entry(ended.opponent.clone()).or_default();
        keep_latest(&mut latest.begun, ended.began, path);
        if ended.result.is_some() {
            keep_latest(&mut latest.finished, ended.last, path);
        }
    }

    /// The results, without matches that are not over.
    pub(super) const fn results(&self) -> &MatchResults {
        &self.results
    }

    /// The file of the match with an opponent that began last.
    pub(super) fn last_begun(&self, opponent: &str) -> Option<&Path> {
        let (_, path) = self.by_opponent.get(opponent)?.begun.as_ref()?;
        Some(path)
    }

    /// The file of the match with a known result that ended last, with an opponent or with anyone.
    pub(super) fn last_finished(&self, opponent: Option<&str>) -> Option<&Path> {
        let (_, path) = match opponent {
            Some(name) => self.by_opponent.get(name)?.finished.as_ref()?,
            None => {
                let all = self.by_opponent.values().filter_map(|of| of.finished.as_ref());
                all.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)))?
            }
        };
        Some(path)
    }
}

fn keep_latest(latest: &mut Option<TimedFile>, time: f64, path: &Path) {
    if latest.as_ref().is_none_or(|(before, _)| *before <= time) {
        *latest = Some((time, path.to_owned()));
    }
}
