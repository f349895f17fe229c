//! What the threads of whoever asked for the work do while another one handles the messages: parts
//! of the task, and results computed again.

use std::any::Any;
use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use nonet_engine::progress::Job;

/// What the threads are asked to do.
enum Request {
    Part(usize, Range<u64>),
    Again(Range<u64>),
}

/// What has come of it.
enum Reply {
    Part(PartEnd),
    Again(Option<Vec<u8>>),
}

/// A part that was done here, and whether it was done to the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartEnd {
    pub(super) part: usize,
    pub(super) whole: bool,
}

/// The side of the thread that asked for the work.
pub(super) struct OwnThreads {
    requests: Receiver<Request>,
    replies: UnboundedSender<Reply>,
}

/// The side of whoever handles the messages.
pub(super) struct OwnWork {
    requests: Sender<Request>,
    replies: UnboundedReceiver<Reply>,
    /// How many parts may be in work at the same time.
    threads: usize,
    /// How many are.
    busy: usize,
    /// Parts that ended while something else was waited for.
    ended: VecDeque<PartEnd>,
}

/// Both sides, for the current thread pool.
pub(super) fn own_threads() -> (OwnWork, OwnThreads) {
    let (ask, requests) = channel();
    let (tell, replies) = unbounded_channel();
    let threads = rayon::current_num_threads();
    let work = OwnWork { requests: ask, replies, threads, busy: 0, ended: VecDeque::new() };
    (work, OwnThreads { requests, replies: tell })
}

impl OwnThreads {
    /// Does what it is asked to on the current thread pool, until no more requests can come.
    pub(super) fn run(self, job: &dyn Job) {
        let OwnThreads { requests, replies } = self;
        // This thread is one of the pool.
        let others = rayon::current_num_threads() - 1;
        let busy = AtomicUsize::new(0);
        rayon::in_place_scope(|scope| {
            while let Some(request) = next(&requests, &busy) {
                if busy.load(Ordering::Acquire) < others {
                    busy.fetch_add(1, Ordering::AcqRel);
                    let (replies, busy) = (replies.clone(), &busy);
                    scope.spawn(move |_| {
                        let done = request.done(job);
                        busy.fetch_sub(1, Ordering::AcqRel);
                        tell(&replies, done);
                    });
                } else if !tell(&replies, request.done(job)) {
                    return;
                }
            }
        });
    }
}

/// How often to look whether the pool's other threads have begun what they were given.
const LOOK: Duration = Duration::from_millis(5);

/// The next request; `None` if there will be none.
///
/// The pool's other threads may all wait for work of their own. So while the pool has work, this
/// thread does the work that no thread has begun.
fn next(requests: &Receiver<Request>, busy: &AtomicUsize) -> Option<Request> {
    while busy.load(Ordering::Acquire) > 0 {
        match requests.recv_timeout(LOOK) {
            Ok(request) => return Some(request),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                rayon::yield_now();
            }
        }
    }
    requests.recv().ok()
}

/// What has come of a request, and the panic of its work.
type Done = (Reply, Option<Box<dyn Any + Send>>);

/// Tells what has come of a request. Returns whether it is waited for.
///
/// A panic of the work goes on after that: the task ends, and with it the scope, which passes the
/// panic on.
fn tell(replies: &UnboundedSender<Reply>, (reply, panic): Done) -> bool {
    let told = replies.send(reply).is_ok();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    told
}

impl Request {
    /// Does it. If the work panics, it was not done to the end.
    fn done(self, job: &dyn Job) -> Done {
        let failed = self.failed();
        match catch_unwind(AssertUnwindSafe(|| self.reply(job))) {
            Ok(reply) => (reply, None),
            Err(panic) => (failed, Some(panic)),
        }
    }

    fn reply(self, job: &dyn Job) -> Reply {
        match self {
            Request::Part(part, numbers) => Reply::Part(PartEnd { part, whole: job.here(numbers) }),
            Request::Again(numbers) => Reply::Again(job.again(numbers)),
        }
    }

    /// The reply if the work panics.
    fn failed(&self) -> Reply {
        match *self {
            Request::Part(part, _) => Reply::Part(PartEnd { part, whole: false }),
            Request::Again(_) => Reply::Again(None),
        }
    }
}

impl OwnWork {
    /// How many parts may be in work here at the same time.
    pub(super) const fn threads(&self) -> usize {
        self.threads
    }

    /// Whether a part is in work here.
    pub(super) const fn is_busy(&self) -> bool {
        self.busy > 0
    }

    /// Whether another part can begin.
    pub(super) const fn has_room(&self) -> bool {
        self.busy < self.threads
    }

    /// Begins a part.
    pub(super) fn begin(&mut self, part: usize, numbers: Range<u64>) {
        // If the threads have ended, so has the wait for their reply.
        let _ = self.requests.send(Request::Part(part, numbers));
        self.busy += 1;
    }

    /// Waits for one of the parts that are in work; `None` if the threads have ended.
    pub(super) async fn part_end(&mut self) -> Option<PartEnd> {
        while self.ended.is_empty() {
            if let Reply::Part(ended) = self.replies.recv().await? {
                self.ended.push_back(ended);
            }
        }
        self.busy -= 1;
        self.ended.pop_front()
    }

    /// The bytes of a result computed again here; `None` if that or a part was stopped.
    ///
    /// Only one at a time.
    pub(super) async fn again(&mut self, numbers: Range<u64>) -> Option<Vec<u8>> {
        self.requests.send(Request::Again(numbers)).ok()?;
        loop {
            match self.replies.recv().await? {
                Reply::Part(ended) => {
                    self.ended.push_back(ended);
                    // The work ends with this part.
                    if !ended.whole {
                        return None;
                    }
                }
                Reply::Again(bytes) => return bytes,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use tokio::runtime::Runtime;

    use super::*;
    use nonet_engine::progress::Description;

    /// Does anything at once, but 6 takes five seconds unless it is stopped. Part 8 panics.
    #[derive(Default)]
    struct Nothing(AtomicBool);

    impl Nothing {
        fn wait(&self, number: u64) {
            let until = Instant::now() + Duration::from_secs(5);
            while number == 6 && !self.is_stopped() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    impl Job for Nothing {
        fn kind(&self) -> &'static str {
            "nothing"
        }
        fn describe(&self) -> Option<Description> {
            None
        }
        fn grain(&self) -> u64 {
            1
        }
        fn longest(&self) -> f64 {
            1.0
        }
        fn input(&self, _: &Range<u64>) -> Vec<u8> {
            Vec::new()
        }
        fn here(&self, numbers: Range<u64>) -> bool {
            assert!(numbers.start != 8, "a panic of the work");
            self.wait(numbers.start);
            numbers.start != 7
        }
        fn again(&self, numbers: Range<u64>) -> Option<Vec<u8>> {
            self.wait(numbers.start);
            Some(vec![numbers.start as u8])
        }
        fn accept(&self, _: Range<u64>, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
        fn is_stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
        fn stop(&self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    #[test]
    fn every_thread_of_a_pool_may_wait_for_work_at_the_same_time() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        let ask = || {
            let (mut work, threads) = own_threads();
            std::thread::scope(|scope| {
                let asked = scope.spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread().build();
                    runtime.expect("a runtime").block_on(async {
                        (0..2).for_each(|part| work.begin(part, 5..6));
                        assert!(!work.has_room());
                        assert_eq!(work.again(9..10).await, Some(vec![9]));
                        let ends = [work.part_end().await, work.part_end().await];
                        assert!(ends.iter().flatten().all(|ended| ended.whole) && !work.is_busy());
                        work.begin(7, 7..8);
                        let ended = work.part_end().await.expect("it has ended");
                        assert!(ended.part == 7 && !ended.whole, "it was stopped");
                    });
                });
                threads.run(&Nothing::default());
                asked.join().expect("no panic");
            });
        };
        pool.install(|| rayon::join(ask, ask));
    }

    #[test]
    fn a_panic_of_the_work_ends_the_wait_for_it() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        let (mut work, threads) = own_threads();
        std::thread::scope(|scope| {
            let asked = scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                runtime.expect("a runtime").block_on(async {
                    work.begin(8, 8..9);
                    work.part_end().await
                })
            });
            let run = || pool.install(|| threads.run(&Nothing::default()));
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "the panic is passed on");
            let ended = asked.join().expect("no panic");
            assert!(ended.is_none_or(|ended| !ended.whole));
        });
    }

    /// Gives these parts to a pool of two threads, asks, and stops the work after the answer.
    /// Returns the answer, and whether the work panicked.
    fn asked<T: Send>(
        parts: &[u64],
        ask: impl FnOnce(&mut OwnWork, &Runtime) -> T + Send,
    ) -> (T, bool) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        let (mut work, threads) = own_threads();
        for &part in parts {
            work.begin(part as usize, part..part + 1);
        }
        let job = &Nothing::default();
        std::thread::scope(|scope| {
            let asked = scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                let answer = ask(&mut work, &runtime.expect("a runtime"));
                job.stop();
                answer
            });
            let run = || pool.install(|| threads.run(job));
            let panicked = catch_unwind(AssertUnwindSafe(run)).is_err();
            (asked.join().expect("no panic"), panicked)
        })
    }

    #[test]
    fn a_panic_is_told_while_another_part_is_in_work() {
        // The thread that hands them out does the second one.
        let (ended, panicked) = asked(&[6, 8], |work, runtime| runtime.block_on(work.part_end()));
        let ended = ended.expect("a part has ended");
        assert!((ended.part, ended.whole, panicked) == (8, false, true));
    }

    #[test]
    fn a_part_that_was_not_done_ends_the_wait_for_a_result_computed_again() {
        let (again, panicked) = asked(&[7], |work, runtime| runtime.block_on(work.again(6..7)));
        assert_eq!((again, panicked), (None, false));
    }
}
