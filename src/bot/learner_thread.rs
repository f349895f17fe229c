//! Where a [`OnlineLearner`] learns while the bot plays on: a thread of its own, to which matches are handed in.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use super::log_event::MatchRecord;
use super::match_log::MatchLogError;
use super::online_learner::{LearnOutcome, OnlineLearner};
use crate::eval::Specialists;
use crate::progress::Progress;

/// What comes back.
#[derive(Debug)]
pub enum LearnerEvent {
    /// A line for whoever watches the program.
    Said(String),
    /// This net plays from now on.
    Promoted(Arc<Specialists>),
    /// Nothing can be written any more, so nothing is learned.
    Failed(MatchLogError),
}

/// The thread. A match that is handed in is learned from once, or not at all if the program ends before.
#[derive(Debug)]
pub struct LearnerThread {
    /// Gone when no more matches come.
    matches: Option<Sender<MatchRecord>>,
    news: Receiver<LearnerEvent>,
    progress: Arc<Progress>,
    thread: JoinHandle<()>,
}

impl LearnerThread {
    /// Begins with a student, who works on `pool`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn open(mut learner: OnlineLearner, pool: rayon::ThreadPool) -> io::Result<LearnerThread> {
        let (matches, match_records) = channel::<MatchRecord>();
        let (tell, news) = channel();
        let progress = Arc::new(Progress::default());
        let of_thread = Arc::clone(&progress);
        let thread = Builder::new().name("school".into()).spawn(move || {
            for match_record in match_records {
                if of_thread.is_stopped() {
                    return;
                }
                let studied = pool.install(|| learner.study(&match_record, &of_thread));
                let ended = studied.is_err();
                // Nobody listens any more when the bot is gone; the files hold everything.
                for news in report(&learner, &match_record, studied) {
                    let _ = tell.send(news);
                }
                if ended {
                    return;
                }
            }
        })?;
        Ok(LearnerThread { matches: Some(matches), news, progress, thread })
    }

    /// Hands in a match that is over. Does not wait.
    pub fn submit(&self, match_record: MatchRecord) {
        if let Some(matches) = &self.matches {
            let _ = matches.send(match_record);
        }
    }

    /// What has come back since the last call. Does not wait.
    #[must_use]
    pub fn news(&self) -> Vec<LearnerEvent> {
        self.news.try_iter().collect()
    }

    /// Waits until all matches are learned from; once `stop` is set, only for the one at work, and its series is broken off.
    #[must_use]
    pub fn close(mut self, stop: &AtomicBool) -> Vec<LearnerEvent> {
        self.matches = None;
        while !self.thread.is_finished() {
            if stop.load(Ordering::Relaxed) {
                self.progress.stop();
            }
            sleep(Duration::from_millis(10));
        }
        self.news()
    }
}

fn report(
    learner: &OnlineLearner,
    match_record: &MatchRecord,
    studied: Result<LearnOutcome, MatchLogError>,
) -> Vec<LearnerEvent> {
    let with = format!("the match with {}", match_record.opponent);
    let series = |series: &crate::game::Series| {
        let (games, ppg) = (series.games, series.ppg);
        format!("{:+.3} ± {:.3} points a game in {games}", ppg.mean, ppg.stderr)
    };
    match studied {
        Ok(LearnOutcome::Nothing(why)) => {
            vec![LearnerEvent::Said(format!("nothing learned from {with}: {why}"))]
        }
        Ok(LearnOutcome::Learned(None)) => vec![LearnerEvent::Said(format!("learned from {with}"))],
        Ok(LearnOutcome::Learned(Some(result))) => vec![LearnerEvent::Said(format!(
            "learned from {with}; the learning net does not play yet, with {}",
            series(&result)
        ))],
        Ok(LearnOutcome::Promoted(result)) => vec![
            LearnerEvent::Said(format!(
                "learned from {with}; the learning net plays from now on, with {}",
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

    fn school(folder: &std::path::Path, promote_games: u64) -> LearnerThread {
        let teaching = OnlineLearningConfig { promote_games, ..OnlineLearningConfig::default() };
        let learner = OnlineLearner::open(folder, &net(1), "", teaching).expect("new");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        LearnerThread::open(learner, pool).expect("a thread")
    }

    fn log(folder: &std::path::Path) -> usize {
        std::fs::read_to_string(folder.join("log.jsonl")).expect("there").lines().count()
    }

    #[test]
    fn everything_handed_in_is_learned_from_before_it_closes() {
        let folder = tempfile::tempdir().expect("a folder");
        let school = school(folder.path(), 2);
        (0..4).for_each(|number| school.submit(match_record(number)));
        let news = school.close(&AtomicBool::new(false));
        let said = news.iter().filter(|news| matches!(news, LearnerEvent::Said(_))).count();
        assert_eq!((said, log(folder.path())), (4, 4), "{news:?}");
        let learner =
            OnlineLearner::open(folder.path(), &net(1), "", OnlineLearningConfig::default());
        let learner = learner.expect("opens");
        assert_eq!(learner.games(), 4);
        let last = news.into_iter().rev().find_map(|news| match news {
            LearnerEvent::Promoted(team) => Some(team),
            _ => None,
        });
        // Two games with the same dice by nearly the same nets: most come out even.
        assert_eq!(last.as_ref(), Some(learner.playing()));
    }

    #[test]
    fn a_long_series_is_broken_off_and_what_was_learned_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let school = school(folder.path(), 1_000_000);
        school.submit(match_record(0));
        while school.progress.done() == 0 {
            std::thread::yield_now();
        }
        let news = school.close(&AtomicBool::new(true));
        assert!(matches!(&news[..], [LearnerEvent::Said(_)]), "{news:?}");
        let learner =
            OnlineLearner::open(folder.path(), &net(1), "", OnlineLearningConfig::default());
        let learner = learner.expect("opens");
        assert_eq!((learner.games(), log(folder.path())), (1, 1));
        assert_eq!(**learner.playing(), net(1).team, "nothing was proved");
    }
}
