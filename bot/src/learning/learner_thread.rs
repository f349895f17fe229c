//! Runs an [`OnlineLearner`] on a thread of its own, so that the bot can play on while it learns.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use crate::learning::online_learner::{LearnOutcome, OnlineLearner};
use crate::learning::promotion::PromotionTest;
use crate::records::match_log::MatchLogError;
use crate::records::match_record::MatchRecord;
use nonet_engine::eval::Specialists;
use nonet_engine::game::SequentialResult;
use nonet_engine::progress::Progress;

/// An event of the learner.
#[derive(Debug)]
pub enum LearnerEvent {
    /// A line for the operator.
    Message(String),
    /// The learning net was promoted: this net plays from now on.
    Promoted(Arc<Specialists>),
    /// The nets or the log cannot be written, and learning has stopped.
    Failed(MatchLogError),
    /// A bug of the learner, in words, has stopped learning.
    Panicked(String),
}

impl LearnerEvent {
    /// Whether it is the last one.
    const fn is_end(&self) -> bool {
        matches!(self, LearnerEvent::Failed(_) | LearnerEvent::Panicked(_))
    }
}

/// The name of the threads that learn. A panic in them ends learning, and need not end the program.
pub const LEARNER_THREAD: &str = "learner";

/// The learner's thread. It learns from every submitted match once, or not at all if the program
/// ends before.
#[derive(Debug)]
pub struct LearnerThread {
    /// Closed when no more matches come.
    matches: Option<Sender<MatchRecord>>,
    events: Receiver<LearnerEvent>,
    progress: Arc<Progress>,
    thread: JoinHandle<()>,
}

impl LearnerThread {
    /// Starts the thread. It learns on one processor: the others are for playing.
    ///
    /// # Errors
    /// If the operating system cannot start a thread.
    pub fn spawn(mut learner: OnlineLearner) -> io::Result<LearnerThread> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
        let pool = pool.thread_name(|_| LEARNER_THREAD.to_owned());
        let pool = pool.build().map_err(io::Error::other)?;
        LearnerThread::start(move |match_record, progress| {
            let outcome = pool.install(|| learner.learn_from(match_record, progress));
            report(&learner, match_record, outcome)
        })
    }

    /// Starts the thread. `learn` learns from one match and tells what came of it; where it panics,
    /// the bot is told, and plays on.
    pub(crate) fn start(
        mut learn: impl FnMut(&MatchRecord, &Progress) -> Vec<LearnerEvent> + Send + 'static,
    ) -> io::Result<LearnerThread> {
        let (matches, match_records) = channel::<MatchRecord>();
        let (sender, events) = channel();
        let progress = Arc::new(Progress::default());
        let of_thread = Arc::clone(&progress);
        let thread = Builder::new().name(LEARNER_THREAD.into()).spawn(move || {
            for match_record in match_records {
                if of_thread.is_stopped() {
                    return;
                }
                // A learner that has panicked is not used again.
                let learned = AssertUnwindSafe(|| learn(&match_record, &of_thread));
                let events = catch_unwind(learned)
                    .unwrap_or_else(|panic| vec![panicked(&match_record, &*panic)]);
                let ends = events.iter().any(LearnerEvent::is_end);
                // The receiver is gone if the bot has ended; the files are complete.
                for event in events {
                    let _ = sender.send(event);
                }
                if ends {
                    return;
                }
            }
        })?;
        Ok(LearnerThread { matches: Some(matches), events, progress, thread })
    }

    /// Submits a match that is over. Does not wait.
    pub fn submit(&self, match_record: MatchRecord) {
        if let Some(matches) = &self.matches {
            // After a failure the thread has ended; its last event said so.
            let _ = matches.send(match_record);
        }
    }

    /// Events since the last call. Does not wait.
    #[must_use]
    pub fn poll(&self) -> Vec<LearnerEvent> {
        self.events.try_iter().collect()
    }

    /// Waits until the learner has processed all submitted matches, and returns the remaining
    /// events. Once `stop` is set, it finishes only the match in progress, without its promotion
    /// match.
    #[must_use]
    pub fn close(mut self, stop: &AtomicBool) -> Vec<LearnerEvent> {
        self.matches = None;
        while !self.thread.is_finished() {
            if stop.load(Ordering::Relaxed) {
                self.progress.stop();
            }
            sleep(Duration::from_millis(10));
        }
        self.poll()
    }
}

/// The event that tells of a panic.
fn panicked(match_record: &MatchRecord, panic: &(dyn Any + Send)) -> LearnerEvent {
    let words = (panic.downcast_ref::<String>().map(String::as_str))
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let (opponent, words) = (&match_record.opponent, words.unwrap_or("no message"));
    LearnerEvent::Panicked(format!("a bug ended the learner in the match with {opponent}: {words}"))
}

/// The events that tell the outcome of one match.
fn report(
    learner: &OnlineLearner,
    match_record: &MatchRecord,
    outcome: Result<LearnOutcome, MatchLogError>,
) -> Vec<LearnerEvent> {
    let source = format!("the match with {}", match_record.opponent);
    match outcome {
        Ok(LearnOutcome::Nothing(why)) => {
            vec![LearnerEvent::Message(format!("nothing learned from {source}: {why}"))]
        }
        Ok(LearnOutcome::Learned(None)) => {
            vec![LearnerEvent::Message(format!("learned from {source}"))]
        }
        Ok(LearnOutcome::Learned(Some(result))) => vec![LearnerEvent::Message(format!(
            "learned from {source}; the learning net is not promoted, with {}",
            figures(&result)
        ))],
        Ok(LearnOutcome::Promoted(result)) => vec![
            LearnerEvent::Message(format!(
                "learned from {source}; the learning net is promoted, with {}",
                figures(&result)
            )),
            LearnerEvent::Promoted(Arc::clone(learner.playing())),
        ],
        Err(error) => vec![LearnerEvent::Failed(error)],
    }
}

/// The figures of a promotion test, in words.
fn figures(test: &PromotionTest) -> String {
    let of = |result: &SequentialResult, opponent: &str| {
        let SequentialResult { series, stage, stages, interval: (low, high), .. } = result;
        let (mean, games) = (series.ppg.mean, series.games);
        format!(
            "{mean:+.3} ({low:+.3} to {high:+.3}) points per game against the {opponent} net in {games} games, \
             stage {stage} of {stages}"
        )
    };
    let playing = of(&test.against_playing, "playing");
    match &test.against_first {
        Some(first) => format!("{playing}; {}", of(first, "first")),
        None => playing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::online_learner::tests::{match_record, net};
    use crate::learning::online_learner::{OnlineLearner, OnlineLearningConfig};

    fn learner_thread(folder: &std::path::Path, promote_games: u64) -> LearnerThread {
        let config = OnlineLearningConfig { promote_games, ..OnlineLearningConfig::default() };
        let learner = OnlineLearner::open(folder, &net(1), "", config).expect("new");
        LearnerThread::spawn(learner).expect("a thread")
    }

    fn log(folder: &std::path::Path) -> usize {
        std::fs::read_to_string(folder.join("log.jsonl")).expect("there").lines().count()
    }

    #[test]
    fn every_submitted_match_is_learned_from_before_it_closes() {
        let folder = tempfile::tempdir().expect("a folder");
        let thread = learner_thread(folder.path(), 100);
        (0..4).for_each(|number| thread.submit(match_record(number)));
        let events = thread.close(&AtomicBool::new(false));
        let messages: Vec<&String> = events
            .iter()
            .filter_map(|event| match event {
                LearnerEvent::Message(text) => Some(text),
                _ => None,
            })
            .collect();
        assert_eq!((messages.len(), log(folder.path())), (4, 4), "{events:?}");
        for text in messages {
            // Such as: +0.020 (-0.011 to +0.051) points per game against the playing net in 100
            // games, stage 5 of 5
            let (_, figures) = text.split_once("promoted, with ").expect(text);
            assert!(figures.contains(" to ") && figures.contains(" points per game"), "{text}");
            assert!(figures.contains("against the playing net in "), "{text}");
            assert!(figures.contains(" games, stage ") && figures.contains(" of 5"), "{text}");
        }
        let learner =
            OnlineLearner::open(folder.path(), &net(1), "", OnlineLearningConfig::default());
        let learner = learner.expect("opens");
        assert_eq!(learner.games(), 4);
        let last = events.into_iter().rev().find_map(|event| match event {
            LearnerEvent::Promoted(team) => Some(team),
            _ => None,
        });
        assert_eq!(**learner.playing(), last.map_or(net(1).team, |team| (*team).clone()));
    }

    #[test]
    fn a_learner_that_panics_says_so_once_and_its_thread_can_be_closed() {
        let thread = LearnerThread::start(|_, _| panic!("no class")).expect("a thread");
        (0..3).for_each(|number| thread.submit(match_record(number)));
        let events = thread.close(&AtomicBool::new(false));
        let [LearnerEvent::Panicked(why)] = &events[..] else { panic!("{events:?}") };
        assert_eq!(why, "a bug ended the learner in the match with bob: no class");
    }

    #[test]
    fn a_promotion_match_can_be_stopped_and_keeps_what_was_learned() {
        let folder = tempfile::tempdir().expect("a folder");
        let thread = learner_thread(folder.path(), 1_000_000);
        thread.submit(match_record(0));
        while thread.progress.done() == 0 {
            std::thread::yield_now();
        }
        let events = thread.close(&AtomicBool::new(true));
        assert!(matches!(&events[..], [LearnerEvent::Message(_)]), "{events:?}");
        let learner =
            OnlineLearner::open(folder.path(), &net(1), "", OnlineLearningConfig::default());
        let learner = learner.expect("opens");
        assert_eq!((learner.games(), log(folder.path())), (1, 1));
        assert_eq!(**learner.playing(), net(1).team, "the learning net is not promoted");
    }
}
