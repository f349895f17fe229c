//! Where a [`Student`] learns while the bot plays on: a thread of its own, to which matches are handed in.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use super::log_event::Story;
use super::match_log::DiaryError;
use super::online_learner::{Student, Studied};
use crate::eval::Specialists;
use crate::game::Watch;

/// What comes back.
#[derive(Debug)]
pub enum News {
    /// A line for whoever watches the program.
    Said(String),
    /// This net plays from now on.
    Promoted(Arc<Specialists>),
    /// Nothing can be written any more, so nothing is learned.
    Failed(DiaryError),
}

/// The thread. A match that is handed in is learned from once, or not at all if the program ends before.
#[derive(Debug)]
pub struct School {
    /// Gone when no more matches come.
    matches: Option<Sender<Story>>,
    news: Receiver<News>,
    watch: Arc<Watch>,
    thread: JoinHandle<()>,
}

impl School {
    /// Begins with a student, who works on `pool`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn open(mut student: Student, pool: rayon::ThreadPool) -> io::Result<School> {
        let (matches, stories) = channel::<Story>();
        let (tell, news) = channel();
        let watch = Arc::new(Watch::default());
        let watched = Arc::clone(&watch);
        let thread = Builder::new().name("school".into()).spawn(move || {
            for story in stories {
                if watched.stop.load(Ordering::Relaxed) {
                    return;
                }
                let studied = pool.install(|| student.study(&story, &watched));
                let ended = studied.is_err();
                // Nobody listens any more when the bot is gone; the files hold everything.
                for news in report(&student, &story, studied) {
                    let _ = tell.send(news);
                }
                if ended {
                    return;
                }
            }
        })?;
        Ok(School { matches: Some(matches), news, watch, thread })
    }

    /// Hands in a match that is over. Does not wait.
    pub fn hand_in(&self, story: Story) {
        if let Some(matches) = &self.matches {
            let _ = matches.send(story);
        }
    }

    /// What has come back since the last call. Does not wait.
    #[must_use]
    pub fn news(&self) -> Vec<News> {
        self.news.try_iter().collect()
    }

    /// Waits until all matches are learned from; once `stop` is set, only for the one at work, and its series is broken off.
    #[must_use]
    pub fn close(mut self, stop: &AtomicBool) -> Vec<News> {
        self.matches = None;
        while !self.thread.is_finished() {
            if stop.load(Ordering::Relaxed) {
                self.watch.stop.store(true, Ordering::Relaxed);
            }
            sleep(Duration::from_millis(10));
        }
        self.news()
    }
}

fn report(student: &Student, story: &Story, studied: Result<Studied, DiaryError>) -> Vec<News> {
    let with = format!("the match with {}", story.opponent);
    let series = |series: &crate::game::Series| {
        let (games, ppg) = (series.games, series.ppg);
        format!("{:+.3} ± {:.3} points a game in {games}", ppg.mean, ppg.stderr)
    };
    match studied {
        Ok(Studied::Nothing(why)) => {
            vec![News::Said(format!("nothing learned from {with}: {why}"))]
        }
        Ok(Studied::Learned(None)) => vec![News::Said(format!("learned from {with}"))],
        Ok(Studied::Learned(Some(result))) => vec![News::Said(format!(
            "learned from {with}; the learning net does not play yet, with {}",
            series(&result)
        ))],
        Ok(Studied::Promoted(result)) => vec![
            News::Said(format!(
                "learned from {with}; the learning net plays from now on, with {}",
                series(&result)
            )),
            News::Promoted(Arc::clone(student.playing())),
        ],
        Err(error) => vec![News::Failed(error)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::online_learner::tests::{net, story};
    use super::super::online_learner::{Student, Teaching};
    use super::*;

    fn school(folder: &std::path::Path, promote_games: u64) -> School {
        let teaching = Teaching { promote_games, ..Teaching::default() };
        let student = Student::open(folder, &net(1), "", teaching).expect("new");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        School::open(student, pool).expect("a thread")
    }

    fn log(folder: &std::path::Path) -> usize {
        std::fs::read_to_string(folder.join("log.jsonl")).expect("there").lines().count()
    }

    #[test]
    fn everything_handed_in_is_learned_from_before_it_closes() {
        let folder = tempfile::tempdir().expect("a folder");
        let school = school(folder.path(), 2);
        (0..4).for_each(|number| school.hand_in(story(number)));
        let news = school.close(&AtomicBool::new(false));
        let said = news.iter().filter(|news| matches!(news, News::Said(_))).count();
        assert_eq!((said, log(folder.path())), (4, 4), "{news:?}");
        let student = Student::open(folder.path(), &net(1), "", Teaching::default());
        let student = student.expect("opens");
        assert_eq!(student.games(), 4);
        let last = news.into_iter().rev().find_map(|news| match news {
            News::Promoted(team) => Some(team),
            _ => None,
        });
        // Two games with the same dice by nearly the same nets: most come out even.
        assert_eq!(last.as_ref(), Some(student.playing()));
    }

    #[test]
    fn a_long_series_is_broken_off_and_what_was_learned_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let school = school(folder.path(), 1_000_000);
        school.hand_in(story(0));
        while school.watch.done.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        let news = school.close(&AtomicBool::new(true));
        assert!(matches!(&news[..], [News::Said(_)]), "{news:?}");
        let student = Student::open(folder.path(), &net(1), "", Teaching::default());
        let student = student.expect("opens");
        assert_eq!((student.games(), log(folder.path())), (1, 1));
        assert_eq!(**student.playing(), net(1).team, "nothing was proved");
    }
}
