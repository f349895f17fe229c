//! Work on numbered items, and how it is shared out.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::dispatcher::{Attachments, Description, DispatchError, Job};
use super::message::{from_bytes, to_bytes};
use super::progress::Progress;

/// Work on numbered items: games of a series, games to learn from, trials of a rollout, decisions.
/// The result of an item depends on its number and the task alone, not on other items, threads or
/// earlier work.
pub trait Task: Sync {
    /// The name of this kind of work.
    const KIND: &'static str;

    /// The results of consecutive items.
    type Part: Send + Serialize + DeserializeOwned;

    /// Does these items on the current thread pool and counts them; `None` if `progress` was
    /// stopped before the last one.
    fn part(&self, numbers: Range<u64>, progress: &Progress) -> Option<Self::Part>;

    /// Describes the work to another machine; `None` if only this process can do it.
    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>>;

    /// The size of a message in items: about as many as one thread does in 0.1 seconds.
    fn grain(&self) -> u64;

    /// The time limit of a part on a slow machine, in seconds, before any part was timed.
    fn longest(&self) -> f64 {
        15.0
    }

    /// The input of these items for another machine, in addition to the description.
    fn input(&self, _numbers: &Range<u64>) -> Vec<u8> {
        Vec::new()
    }

    /// Checks that a part from another machine can be that of these items.
    ///
    /// # Errors
    /// The error in the part.
    fn check(&self, numbers: &Range<u64>, part: &Self::Part) -> Result<(), String>;

    /// Is told of each part that another machine has done, as soon as it is checked, in any order.
    fn arrived(&self, _numbers: &Range<u64>, _part: &Self::Part) {}

    /// How far an item that was done elsewhere moves [`Progress`] on: as far as [`Task::part`]
    /// does.
    fn counts(&self) -> u64 {
        0
    }
}

/// A task that has come from another machine.
pub trait RemoteTask: Send + Sync {
    /// Does these items and returns the bytes of the part; `None` if `progress` was stopped before
    /// the last one.
    ///
    /// # Errors
    /// Why the input cannot be used.
    fn run(
        &self,
        numbers: Range<u64>,
        input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String>;
}

/// A task on its way, with the parts that are done.
struct Shared<'a, T: Task> {
    task: &'a T,
    progress: &'a Progress,
    parts: Mutex<Vec<(Range<u64>, T::Part)>>,
}

impl<T: Task> Shared<'_, T> {
    fn keep(&self, numbers: Range<u64>, part: T::Part) {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).push((numbers, part));
    }
}

impl<T: Task> Job for Shared<'_, T> {
    fn kind(&self) -> &'static str {
        T::KIND
    }

    fn describe(&self) -> Option<Description> {
        let mut attachments = Attachments::default();
        let settings = self.task.describe(&mut attachments)?;
        Some(Description { settings, attachments })
    }

    fn grain(&self) -> u64 {
        self.task.grain().max(1)
    }

    fn longest(&self) -> f64 {
        self.task.longest()
    }

    fn input(&self, numbers: &Range<u64>) -> Vec<u8> {
        self.task.input(numbers)
    }

    fn here(&self, numbers: Range<u64>) -> bool {
        let part = self.task.part(numbers.clone(), self.progress);
        part.map(|part| self.keep(numbers, part)).is_some()
    }

    fn again(&self, numbers: Range<u64>) -> Option<Vec<u8>> {
        // Counted once already.
        self.task.part(numbers, &self.progress.part().alone()).map(|part| to_bytes(&part))
    }

    fn accept(&self, numbers: Range<u64>, bytes: &[u8]) -> Result<(), String> {
        let part: T::Part = from_bytes(bytes).map_err(|error| error.to_string())?;
        self.task.check(&numbers, &part)?;
        self.task.arrived(&numbers, &part);
        self.progress.add(self.task.counts() * (numbers.end - numbers.start));
        self.keep(numbers, part);
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.progress.is_stopped()
    }

    fn stop(&self) {
        self.progress.stop();
    }
}

impl Progress {
    /// Has the items with these numbers done by the dispatcher at hand. Returns the parts in the
    /// order of their numbers: one if the threads of this process do the work, else any number.
    ///
    /// `None` if the work was stopped or given up: the dispatcher then says why.
    pub fn share<T: Task>(&self, task: &T, numbers: Range<u64>) -> Option<Vec<T::Part>> {
        let Some(dispatcher) = self.dispatcher() else {
            return task.part(numbers, self).map(|part| vec![part]);
        };
        let shared = Shared { task, progress: self, parts: Mutex::default() };
        match dispatcher.dispatch(&shared, numbers.clone()) {
            Ok(()) => {}
            Err(DispatchError::Stopped) => return None,
            Err(DispatchError::Failed(_)) => {
                // The rest would fail, too.
                self.stop();
                return None;
            }
        }
        let mut parts = shared.parts.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_by_key(|(numbers, _)| numbers.start);
        let mut next = numbers.start;
        for (own, _) in &parts {
            assert_eq!(own.start, next, "a dispatcher has every item done once");
            next = own.end;
        }
        assert_eq!(next, numbers.end, "a dispatcher has every item done once");
        Some(parts.into_iter().map(|(_, part)| part).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::progress::Dispatcher;

    /// The squares of the numbers.
    struct Squares;

    impl Task for Squares {
        const KIND: &'static str = "squares";
        type Part = Vec<u64>;

        fn part(&self, numbers: Range<u64>, progress: &Progress) -> Option<Vec<u64>> {
            progress.add(numbers.end - numbers.start);
            (!progress.is_stopped()).then(|| numbers.map(|n| n * n).collect())
        }

        fn describe(&self, _: &mut Attachments) -> Option<Vec<u8>> {
            Some(Vec::new())
        }

        fn grain(&self) -> u64 {
            2
        }

        fn check(&self, numbers: &Range<u64>, part: &Vec<u64>) -> Result<(), String> {
            let expected = numbers.end - numbers.start;
            if part.len() as u64 == expected { Ok(()) } else { Err(format!("not {expected}")) }
        }

        fn counts(&self) -> u64 {
            1
        }
    }

    /// Does the even parts here, and the odd ones as another machine would, the last one first.
    #[derive(Debug)]
    struct Both;

    impl Dispatcher for Both {
        fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError> {
            let starts: Vec<u64> = numbers.clone().step_by(job.grain() as usize).collect();
            for start in starts.into_iter().rev() {
                let part = start..(start + job.grain()).min(numbers.end);
                if start % 4 == 0 {
                    job.here(part);
                } else {
                    let bytes = job.again(part.clone()).ok_or(DispatchError::Stopped)?;
                    assert!(job.accept(part.clone(), &bytes[1..]).is_err(), "damaged");
                    assert!(job.accept(part.start..part.end + 1, &bytes).is_err(), "too short");
                    job.accept(part, &bytes).map_err(DispatchError::Failed)?;
                }
            }
            Ok(())
        }
    }

    #[test]
    fn parts_come_back_in_order_wherever_they_were_done() {
        let here = Progress::default();
        let alone = here.share(&Squares, 3..10).expect("not stopped").concat();
        let both = Progress::default().with_dispatcher(Arc::new(Both));
        let shared = both.share(&Squares, 3..10).expect("not stopped").concat();
        assert_eq!((alone, here.done()), (shared, both.done()));
        assert_eq!(both.done(), 7, "each item counts once");
    }

    /// Gives the work up before it begins a part here.
    #[derive(Debug)]
    struct GivesUp;

    impl Dispatcher for GivesUp {
        fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError> {
            assert!(!job.is_stopped());
            job.stop();
            assert!(job.is_stopped() && !job.here(numbers.clone()) && job.again(numbers).is_none());
            Err(DispatchError::Stopped)
        }
    }

    #[test]
    fn parts_of_work_that_is_given_up_are_stopped() {
        let progress = Progress::default().with_dispatcher(Arc::new(GivesUp));
        assert!(progress.share(&Squares, 0..3).is_none() && progress.is_stopped());
    }

    #[test]
    fn stopped_work_has_no_result() {
        let progress = Progress::default().with_dispatcher(Arc::new(crate::progress::Threads));
        assert!(progress.share(&Squares, 0..3).is_some());
        progress.stop();
        assert!(progress.share(&Squares, 0..3).is_none());
    }
}
