//! A copy of the playing net that learns from matches on a server, as KnightCap did (Baxter, Tridgell & Weaver 2000).
//!
//! After each match it learns from the positions of both sides by TD(lambda), without the gains that the opponent's
//! unforeseen plays brought: those may have been blunders. Then it plays against the net that plays on the server, and takes
//! its place if it was not worse. Both nets and a log, a line of JSON for each match, are kept in a folder.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::log_event::MatchRecord;
use super::match_log::{MatchLogError, failed};
use crate::eval::Specialists;
use crate::game::{Game, Greedy, StreamPurpose};
use crate::game::{Series, SeriesConfig, play_series};
use crate::progress::Progress;
use crate::store::{NetFile, StoreError, read_net, write_net};
use crate::train::{Learner, Unfinished, UnforeseenGains, UpdateRule};

/// How a student learns, and when it may play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnlineLearningConfig {
    /// Learning rate.
    pub alpha: f32,
    /// Decay of temporal differences, 0..=1.
    pub lambda: f32,
    /// Games with duplicate dice, at 1-ply, between the learning and the playing net after each match.
    pub promote_games: u64,
    /// Seed of their dice; each match of the server brings others.
    pub seed: u64,
}

impl Default for OnlineLearningConfig {
    /// KnightCap's lambda; a learning rate below the last one that the nets were trained with, since a day's matches are few.
    fn default() -> OnlineLearningConfig {
        OnlineLearningConfig { alpha: 0.001, lambda: 0.7, promote_games: 1000, seed: 1 }
    }
}

/// What a match taught.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnOutcome {
    /// Nothing: why not.
    Nothing(&'static str),
    /// The copy has changed; it does not play, or not yet. The series against the playing net, if it was played to its end.
    Learned(Option<Series>),
    /// The copy has changed, was not worse, and plays from now on.
    Promoted(Series),
}

/// The learning net and the playing one.
#[derive(Debug)]
pub struct OnlineLearner {
    folder: PathBuf,
    teaching: OnlineLearningConfig,
    learning: NetFile,
    playing: Arc<Specialists>,
    log: File,
}

const LEARNING: &str = "learning.nonet";
const PLAYING: &str = "playing.nonet";
const LOG: &str = "log.jsonl";

impl OnlineLearner {
    /// Goes on in a folder, or begins in a new one with a copy of `first`, which comes from `parent`.
    ///
    /// A net that has been promoted in this folder plays instead of `first`.
    ///
    /// # Errors
    /// [`MatchLogError`] if the folder cannot be read or written.
    pub fn open(
        folder: &Path,
        first: &NetFile,
        parent: &str,
        teaching: OnlineLearningConfig,
    ) -> Result<OnlineLearner, MatchLogError> {
        fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
        let path = folder.join(LEARNING);
        let learning = if path.exists() {
            read_net(&path)?
        } else {
            let mut copy = first.clone();
            copy.provenance.command = "nonet fibs play --learn".to_owned();
            copy.provenance.games = 0;
            copy.provenance.examples.clear();
            copy.provenance.weights = "learned on a server".to_owned();
            copy.provenance.parent = Some(parent.to_owned());
            copy.provenance.program = concat!("nonet ", env!("CARGO_PKG_VERSION")).to_owned();
            write_net(&path, &copy)?;
            copy
        };
        let path = folder.join(PLAYING);
        let playing = if path.exists() { read_net(&path)?.team } else { first.team.clone() };
        let log = open_log(&folder.join(LOG))?;
        Ok(OnlineLearner {
            folder: folder.to_owned(),
            teaching,
            learning,
            playing: Arc::new(playing),
            log,
        })
    }

    /// The net that plays.
    #[must_use]
    pub const fn playing(&self) -> &Arc<Specialists> {
        &self.playing
    }

    /// The net that learns.
    #[must_use]
    pub const fn learning(&self) -> &Specialists {
        &self.learning.team
    }

    /// Games of the server that the learning net has learned from.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.learning.provenance.games
    }

    /// Learns from a match that is over, on the current thread pool. `progress` stops the series that follows; what was learned
    /// is kept then.
    ///
    /// # Errors
    /// [`MatchLogError`] if a net or the log cannot be written; the nets in memory are then those on disk.
    pub fn study(
        &mut self,
        match_record: &MatchRecord,
        progress: &Progress,
    ) -> Result<LearnOutcome, MatchLogError> {
        let studied = self.learn(match_record, progress)?;
        self.note(match_record, &studied)?;
        Ok(studied)
    }

    fn learn(
        &mut self,
        match_record: &MatchRecord,
        progress: &Progress,
    ) -> Result<LearnOutcome, MatchLogError> {
        if match_record.missing.is_some() {
            return Ok(LearnOutcome::Nothing("its record lacks something"));
        }
        let games = match_record.games().into_iter();
        let games: Vec<Game> =
            games.filter_map(|game| Unfinished::Agreed.to_training_game(game)).collect();
        if games.is_empty() {
            return Ok(LearnOutcome::Nothing("nobody rolled in it"));
        }
        let OnlineLearningConfig { alpha, lambda, .. } = self.teaching;
        let rule =
            UpdateRule { surprises: UnforeseenGains::Drop(1), ..UpdateRule::plain(alpha, lambda) };
        let mut learner = Learner::new(self.learning.team.clone(), None);
        let stats = learner.learn(&games, &rule);
        if !stats.squared_error.values().all(|sum| sum.is_finite()) {
            return Ok(LearnOutcome::Nothing("the net would break; lower the learning rate"));
        }
        let mut after = NetFile { team: learner.team, ..self.learning.clone() };
        after.provenance.games += games.len() as u64;
        for (class, n) in stats.examples.iter().filter(|(_, n)| **n > 0) {
            *after.provenance.examples.entry(class.slug().to_owned()).or_default() += n;
        }
        write_net(&self.folder.join(LEARNING), &after)?;
        self.learning = after;
        Ok(self.promotion_match(progress)?)
    }

    /// The learning net against the playing one, for its place.
    fn promotion_match(&mut self, progress: &Progress) -> Result<LearnOutcome, StoreError> {
        let config = SeriesConfig {
            games: self.teaching.promote_games,
            duplicate: true,
            cube: false,
            seed: self.teaching.seed.wrapping_add(self.games()),
            domain: StreamPurpose::Match,
        };
        let (challenger, holder) = (Greedy(&self.learning.team), Greedy(&self.playing));
        match play_series(&challenger, &holder, &config, progress) {
            Some(series) if series.ppg.mean >= 0.0 => {
                write_net(&self.folder.join(PLAYING), &self.learning)?;
                self.playing = Arc::new(self.learning.team.clone());
                Ok(LearnOutcome::Promoted(series))
            }
            unproved => Ok(LearnOutcome::Learned(unproved)),
        }
    }

    fn note(
        &mut self,
        match_record: &MatchRecord,
        studied: &LearnOutcome,
    ) -> Result<(), MatchLogError> {
        let (left_out, series, promoted) = match studied {
            LearnOutcome::Nothing(why) => (Some(why), None, false),
            LearnOutcome::Learned(series) => (None, series.as_ref(), false),
            LearnOutcome::Promoted(series) => (None, Some(series), true),
        };
        let series = series.map(|series| json!({"games": series.games, "ppg": series.ppg}));
        let line = json!({
            "time": match_record.last, "opponent": match_record.opponent, "began": match_record.began, "left_out": left_out,
            "games": match_record.games().len(), "games_learned": self.games(), "against_playing": series,
            "promoted": promoted,
        });
        let path = self.folder.join(LOG);
        self.log.write_all(format!("{line}\n").as_bytes()).map_err(failed("write", &path))
    }
}

/// Opens the log to go on behind its last whole line.
fn open_log(path: &Path) -> Result<File, MatchLogError> {
    let mut options = OpenOptions::new();
    let log = options.append(true).create(true).open(path).map_err(failed("open", path))?;
    let text = fs::read(path).map_err(failed("read", path))?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    log.set_len(whole as u64).map_err(failed("cut", path))?;
    Ok(log)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::log_event::LogEvent;
    use super::*;
    use crate::backgammon::Scoring;
    use crate::backgammon::record::{GameHeader, RecordedGame};
    use crate::eval::Architecture;
    use crate::game::play_recorded;
    use crate::game::{GameRunner, Random, stream};
    use crate::store::Provenance;

    pub(in super::super) fn net(seed: u64) -> NetFile {
        let preset = &Architecture::ALL[0];
        let team = Specialists::random(preset, &mut stream(seed, StreamPurpose::Weights, 0));
        NetFile { preset: preset.name.to_owned(), provenance: Provenance::default(), team }
    }

    fn game(number: u64) -> RecordedGame {
        let session = Scoring::of_match(1, 0, 0, false).expect("a score");
        let header = GameHeader { names: ["nonet".into(), "bob".into()], session };
        let [mut dice, mut choices] =
            [StreamPurpose::Record, StreamPurpose::Choice].map(|domain| stream(5, domain, number));
        let seats = [&Random as _, &Random as _];
        play_recorded(&mut GameRunner::default(), header, seats, &mut dice, &mut choices)
            .expect("ends")
    }

    /// A match of one game.
    pub(in super::super) fn match_record(number: u64) -> MatchRecord {
        let mut match_record = MatchRecord::default();
        let game = game(number);
        match_record.take(&LogEvent::Begin {
            time: number as f64,
            own: "nonet".into(),
            opponent: "bob".into(),
            length: Some(1),
            own_rating: None,
            own_experience: None,
            opponent_rating: None,
            opponent_experience: None,
        });
        match_record.take(&LogEvent::Game {
            time: 1.0,
            length: Some(1),
            score: [0, 0],
            crawford: false,
        });
        for turn in game.turns() {
            match_record.take(&LogEvent::Turn {
                time: 2.0,
                own: turn.player.index() == 0,
                dice: turn.dice.to_string(),
                before: turn.before.id(),
                after: turn.after.id(),
                play: turn.play().to_string(),
                equity: None,
            });
        }
        let (winner, points) = game.won().expect("over");
        let won = winner.index() == 0;
        match_record.take(&LogEvent::GameOver { time: 3.0, won, points, how: "played".into() });
        let score = if won { [1, 0] } else { [0, 1] };
        match_record.take(&LogEvent::Over { time: 4.0, won, score });
        assert_eq!(match_record.missing, None);
        match_record
    }

    fn quick() -> OnlineLearningConfig {
        OnlineLearningConfig { alpha: 0.01, promote_games: 20, ..OnlineLearningConfig::default() }
    }

    fn lines(folder: &Path) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(folder.join(LOG)).expect("there");
        text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
    }

    #[test]
    fn a_match_teaches_what_the_trainers_rule_teaches() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut student =
            OnlineLearner::open(folder.path(), &net(1), "first", quick()).expect("new");
        student.study(&match_record(0), &Progress::default()).expect("written");
        let mut learner = Learner::new(net(1).team, None);
        let rule =
            UpdateRule { surprises: UnforeseenGains::Drop(1), ..UpdateRule::plain(0.01, 0.7) };
        learner.learn(&[Game::from_record(&game(0)).expect("over")], &rule);
        assert_ne!(learner.team, net(1).team);
        assert_eq!(student.learning(), &learner.team);
        let kept = read_net(&folder.path().join(LEARNING)).expect("a net");
        assert_eq!((kept.provenance.games, kept.provenance.parent.as_deref()), (1, Some("first")));
        assert_eq!(&kept.team, student.learning());
    }

    #[test]
    fn a_student_that_is_opened_again_goes_on_where_it_was() {
        let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
        let open =
            |i: usize| OnlineLearner::open(folders[i].path(), &net(1), "", quick()).expect("opens");
        let mut whole = open(0);
        for number in 0..3 {
            whole.study(&match_record(number), &Progress::default()).expect("written");
            open(1).study(&match_record(number), &Progress::default()).expect("written");
            // As if the program had been killed while it wrote a line.
            let mut log = OpenOptions::new().append(true).open(folders[1].path().join(LOG));
            log.as_mut().expect("there").write_all(b"{\"ti").expect("written");
        }
        let again = open(1);
        assert_eq!((again.games(), again.learning()), (3, whole.learning()));
        assert_eq!(again.playing(), whole.playing());
        assert_eq!(lines(folders[0].path()), lines(folders[1].path()));
    }

    #[test]
    fn only_a_net_that_is_not_worse_takes_the_place_of_the_one_that_plays() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet");
        let (good, bad) = (read_net(&path).expect("a net"), net(1));
        // Rates of almost nothing: each stays what it is.
        let teaching = OnlineLearningConfig {
            alpha: 1e-9,
            promote_games: 40,
            ..OnlineLearningConfig::default()
        };
        for (learning, playing, promoted) in [(&bad, &good, false), (&good, &bad, true)] {
            let folder = tempfile::tempdir().expect("a folder");
            write_net(&folder.path().join(LEARNING), learning).expect("written");
            let mut student =
                OnlineLearner::open(folder.path(), playing, "", teaching).expect("opens");
            let studied = student.study(&match_record(0), &Progress::default()).expect("written");
            assert_eq!(matches!(studied, LearnOutcome::Promoted(_)), promoted, "{studied:?}");
            let kept = read_net(&folder.path().join(PLAYING)).ok();
            assert_eq!(kept.is_some(), promoted);
            let wanted = if promoted { student.learning() } else { &playing.team };
            assert_eq!(&**student.playing(), wanted);
            let again = OnlineLearner::open(folder.path(), playing, "", teaching).expect("opens");
            assert_eq!(again.playing(), student.playing());
            assert_eq!(lines(folder.path())[0]["promoted"], promoted);
        }
    }

    #[test]
    fn a_match_that_lacks_something_teaches_nothing_and_the_log_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut student = OnlineLearner::open(folder.path(), &net(1), "", quick()).expect("new");
        let mut match_record = match_record(0);
        match_record.take(&LogEvent::Gap { time: 5.0 });
        let studied = student.study(&match_record, &Progress::default()).expect("written");
        assert!(matches!(studied, LearnOutcome::Nothing(_)), "{studied:?}");
        assert_eq!(student.learning(), &net(1).team);
        assert!(lines(folder.path())[0]["left_out"].as_str().is_some());
    }
}
