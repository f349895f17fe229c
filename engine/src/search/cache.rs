//! The cache of values at 2 plies or more.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Plies;
use super::opponent_replies::hash;
use crate::backgammon::Position;
use crate::eval::Evaluation;

/// A table of values at 2 plies or more, shared by threads; a new entry replaces an old one.
///
/// Static evaluations are not stored: in batches, they cost hardly more than a miss of the
/// processor's cache. Entries equal the values that a new search would compute, so the cache
/// changes no result.
///
/// ```
/// use std::sync::Arc;
///
/// use nonet_engine::search::{Cache, Plies, Search, SearchSettings};
///
/// let team = nonet_engine::open::net("small")?.team;
/// let search = Search::new(team, Plies::THREE, SearchSettings::NORMAL);
/// let search = search.cached(Arc::new(Cache::new(1 << 10)));
/// assert_eq!(search.cache_use().asked, 0);
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
#[derive(Debug)]
pub struct Cache {
    slots: Vec<Mutex<Option<CacheEntry>>>,
    asked: AtomicU64,
    found: AtomicU64,
}

/// How a cache was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Values that were asked for.
    pub asked: u64,
    /// Those of them that were there.
    pub found: u64,
}

#[derive(Clone, Copy, Debug)]
struct CacheEntry {
    position: Position,
    plies: Plies,
    value: Evaluation,
}

impl Cache {
    /// Room for `entries` values, rounded up to a power of two; each takes about 100 bytes.
    #[must_use]
    pub fn new(entries: usize) -> Cache {
        let slots = entries.max(1).next_power_of_two();
        let slots = (0..slots).map(|_| Mutex::new(None)).collect();
        Cache { slots, asked: AtomicU64::new(0), found: AtomicU64::new(0) }
    }

    /// How it was used so far.
    #[must_use]
    pub fn used(&self) -> CacheUse {
        let [asked, found] = [&self.asked, &self.found].map(|count| count.load(Ordering::Relaxed));
        CacheUse { asked, found }
    }

    fn slot(&self, position: &Position, plies: Plies) -> &Mutex<Option<CacheEntry>> {
        let hash = hash(position) ^ u64::from(plies.get()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.slots[hash as usize & (self.slots.len() - 1)]
    }

    /// The value of `position` at that depth, if it is stored. A slot that another thread is using
    /// counts as empty.
    pub(super) fn get(&self, position: &Position, plies: Plies) -> Option<Evaluation> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let entry = (*self.slot(position, plies).try_lock().ok()?)?;
        let found = entry.position == *position && entry.plies == plies;
        self.found.fetch_add(u64::from(found), Ordering::Relaxed);
        found.then_some(entry.value)
    }

    pub(super) fn put(&self, position: &Position, plies: Plies, value: Evaluation) {
        if let Ok(mut slot) = self.slot(position, plies).try_lock() {
            *slot = Some(CacheEntry { position: *position, plies, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Outcome;

    #[test]
    fn a_slot_holds_the_last_value_with_its_position_and_depth() {
        let cache = Cache::new(1);
        let value = Evaluation::of_outcome(Outcome::Win);
        assert_eq!(cache.get(&Position::START, Plies::TWO), None);
        cache.put(&Position::START, Plies::TWO, value);
        assert_eq!(cache.get(&Position::START, Plies::TWO), Some(value));
        assert_eq!(cache.get(&Position::START, Plies::THREE), None, "another depth");
        let other = Position::from_sides(&[(6, 1)], &[(6, 1)]).expect("legal");
        cache.put(&other, Plies::TWO, value);
        assert_eq!(cache.get(&Position::START, Plies::TWO), None, "gone");
        assert_eq!(cache.used(), CacheUse { asked: 4, found: 1 });
    }
}
