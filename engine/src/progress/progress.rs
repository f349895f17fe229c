//! Progress of long work and a stop flag, shared by the thread that works and the thread that
//! displays it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Dispatcher;

/// A count of finished items, a stop flag, and who does the work. The worker counts and checks the
/// flag; another thread reads the count and may set the flag.
///
/// The default starts at 0, is stopped only by [`Progress::stop`], and the current thread pool does
/// the work.
///
/// ```
/// use nonet_engine::progress::Progress;
///
/// let progress = Progress::default();
/// progress.add(3);
/// progress.stop();
/// assert_eq!((progress.done(), progress.is_stopped()), (3, true));
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    stop: Arc<AtomicBool>,
    /// `None` for the current thread pool.
    dispatcher: Option<Arc<dyn Dispatcher>>,
}

impl Progress {
    /// A count from 0 that is stopped by a flag set elsewhere (by Ctrl-C, for example).
    #[must_use]
    pub fn with_stop_flag(stop: Arc<AtomicBool>) -> Progress {
        Progress { done: AtomicU64::new(0), stop, dispatcher: None }
    }

    /// The same count and flag; work that can be shared out goes to `dispatcher`.
    #[must_use]
    pub fn with_dispatcher(self, dispatcher: Arc<dyn Dispatcher>) -> Progress {
        Progress { dispatcher: Some(dispatcher), ..self }
    }

    /// A separate count, from 0, for a part of the work; the stop flag and the dispatcher are
    /// shared.
    #[must_use]
    pub fn part(&self) -> Progress {
        let (stop, dispatcher) = (Arc::clone(&self.stop), self.dispatcher.clone());
        Progress { done: AtomicU64::new(0), stop, dispatcher }
    }

    /// The same count and flag; the current thread pool does the work.
    #[must_use]
    pub fn alone(self) -> Progress {
        Progress { dispatcher: None, ..self }
    }

    /// Who does the work; `None` for the current thread pool.
    pub(super) const fn dispatcher(&self) -> Option<&Arc<dyn Dispatcher>> {
        self.dispatcher.as_ref()
    }

    /// Whether a dispatcher, and not the current thread pool, does the work.
    pub(crate) const fn has_dispatcher(&self) -> bool {
        self.dispatcher.is_some()
    }

    /// Where the work stands elsewhere, in a line for people.
    #[must_use]
    pub fn status(&self) -> Option<String> {
        self.dispatcher.as_ref()?.status()
    }

    /// How many parts of shared work can be done at the same time.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.dispatcher.as_ref().map_or(1, |dispatcher| dispatcher.slots().max(1))
    }

    /// Counts `items` more as finished.
    pub fn add(&self, items: u64) {
        self.done.fetch_add(items, Ordering::Relaxed);
    }

    /// Sets the count of finished items.
    pub fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Items finished so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Asks the work to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_for_itself_and_stops_with_the_whole() {
        let whole = Progress::default();
        let part = whole.part();
        part.add(3);
        whole.set(10);
        whole.add(1);
        assert_eq!((whole.done(), part.done()), (11, 3));
        assert!(!part.is_stopped());
        whole.stop();
        assert!(part.is_stopped());
    }
}
