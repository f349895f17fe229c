//! Runs an [`OnlineLearner`] on a thread of its own, so that the bot can play on while it learns.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use super::match_log::MatchLogError;
use super::match_record::MatchRecord;
use super::online_learner::{LearnOutcome, OnlineLearner};
use crate::eval::Specialists;
use crate::progress::Progress;

/// An event of the learner.
#[derive(Debug)]
pub enum LearnerEvent {
    /// A line for the operator.
    Message(String),
    /// The learning net was promoted: this net plays from now on.
    Promoted(Arc<Specialists>),
    /// The nets or the log cannot be written, and learning has stopped.
    Failed(MatchLogError),
}

/// The learner's thread. It learns from every submitted match once, or not at all if the program ends before.
#[derive(Debug)]
pub struct LearnerThread {
    /// Closed when no more matches come.
    matches: Option<Sender<MatchRecord>>,
    events: Receiver<LearnerEvent>,
    progress: Arc<Progress>,
    thread: JoinHandle<()>,
}

impl LearnerThread {
    /// Starts the thread; `learner` runs on `pool`.
    ///
    /// # Errors
    /// If the operating system cannot start a thread.
    pub fn spawn(mut learner: OnlineLearner, pool: rayon::ThreadPool) -> io::Result<LearnerThread> {
        let (matches, match_records) = channel::<MatchRecord>();
        let (sender, events) = channel();
        let progress = Arc::new(Progress::default());
        let of_thread = Arc::clone(&progress);
        let thread = Builder::new().name("learner".into()).spawn(move || {
            for match_record in match_records {
                if of_thread.is_stopped() {
                    return;
                }
                let outcome = pool.install(|| learner.learn_from(&match_record, &of_thread));
                let failed = outcome.is_err();
                // The receiver is gone if the bot has ended; the files are complete.
                for event in report(&learner, &match_record, outcome) {
                    let _ = sender.send(event);
                }
                if failed {
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

    /// Waits until the learner has processed all submitted matches, and returns the remaining events. Once `stop` is set, it
    /// finishes only the match in progress, without its promotion match.
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

/// The events that tell the outcome of one match.
fn report(
    learner: &OnlineLearner,
    match_record: &MatchRecord,
    outcome: Result<LearnOutcome, MatchLogError>,
) -> Vec<LearnerEvent> {
    let source = format!("the match with {}", match_record.opponent);
    let series = |series: &crate::game::Series| {
        let (games, ppg) = (series.games, series.ppg);
        format!("{:+.3} ± {:.3} points per game in {games} games", ppg.mean, ppg.stderr)
    };
    match outcome {
        Ok(LearnOutcome::Nothing(why)) => {
            vec![LearnerEvent::Message(format!("nothing learned from {source}: {why}"))]
        }
        Ok(LearnOutcome::Learned(None)) => {
            vec![LearnerEvent::Message(format!("learned from {source}"))]
        }
        Ok(LearnOutcome::Learned(Some(result))) => vec![LearnerEvent::Message(format!(
            "learned from {source}; the learning net is not promoted, with {}",
            series(&result)
        ))],
        Ok(LearnOutcome::Promoted(result)) => vec![
            LearnerEvent::Message(format!(
                "learned from {source}; the learning net is promoted, with {}",
                series(&result)
            )),
            LearnerEvent::Promoted(Arc::clone(learner.playing())),
        ],
        Err(error) => vec![LearnerEvent::Failed(error)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::online_learner::tests::{match_record, net};
    use super::super::online_learner::{OnlineLearner, OnlineLearningConfig};
    use super::*;

    fn learner_thread(folder: &std::path::Path, promote_games: u64) -> LearnerThread {
        let config = OnlineLearningConfig { promote_games, ..OnlineLearningConfig::default() };
        let learner = OnlineLearner::open(folder, &net(1), "", config).expect("new");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        LearnerThread::spawn(learner, pool).expect("a thread")
    }

    fn log(folder: &std::path::Path) -> usize {
        std::fs::read_to_string(folder.join("log.jsonl")).expect("there").lines().count()
    }

    #[test]
    fn every_submitted_match_is_learned_from_before_it_closes() {
        let folder = tempfile::tempdir().expect("a folder");
        let thread = learner_thread(folder.path(), 2);
        (0..4).for_each(|number| thread.submit(match_record(number)));
        let events = thread.close(&AtomicBool::new(false));
        let messages =
            events.iter().filter(|event| matches!(event, LearnerEvent::Message(_))).count();
        assert_eq!((messages, log(folder.path())), (4, 4), "{events:?}");
        let learner =
            OnlineLearner::open(folder.path(), &net(1), "", OnlineLearningConfig::default());
        let learner = learner.expect("opens");
        assert_eq!(learner.games(), 4);
        let last = events.into_iter().rev().find_map(|event| match event {
            LearnerEvent::Promoted(team) => Some(team),
            _ => None,
        });
        // Two games with the same dice by nearly the same nets: most come out even.
        assert_eq!(last.as_ref(), Some(learner.playing()));
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
