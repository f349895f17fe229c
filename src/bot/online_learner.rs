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

use super::log_event::Story;
use super::match_log::{DiaryError, failed};
use crate::eval::Specialists;
use crate::game::{Domain, Game, Greedy};
use crate::game::{Series, SeriesConfig, Watch, play_series};
use crate::store::{NetFile, StoreError, read_net, write_net};
use crate::train::{Learner, Rule, Surprises, Unfinished};

/// How a student learns, and when it may play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teaching {
    /// Learning rate.
    pub alpha: f32,
    /// Decay of temporal differences, 0..=1.
    pub lambda: f32,
    /// Games with duplicate dice, at 1-ply, between the learning and the playing net after each match.
    pub promote_games: u64,
    /// Seed of their dice; each match of the server brings others.
    pub seed: u64,
}

impl Default for Teaching {
    /// KnightCap's lambda; a learning rate below the last one that the nets were trained with, since a day's matches are few.
    fn default() -> Teaching {
        Teaching { alpha: 0.001, lambda: 0.7, promote_games: 1000, seed: 1 }
    }
}

/// What a match taught.
#[derive(Clone, Debug, PartialEq)]
pub enum Studied {
    /// Nothing: why not.
    Nothing(&'static str),
    /// The copy has changed; it does not play, or not yet. The series against the playing net, if it was played to its end.
    Learned(Option<Series>),
    /// The copy has changed, was not worse, and plays from now on.
    Promoted(Series),
}

/// The learning net and the playing one.
#[derive(Debug)]
pub struct Student {
    folder: PathBuf,
    teaching: Teaching,
    learning: NetFile,
    playing: Arc<Specialists>,
    log: File,
}

const LEARNING: &str = "learning.nonet";
const PLAYING: &str = "playing.nonet";
const LOG: &str = "log.jsonl";

impl Student {
    /// Goes on in a folder, or begins in a new one with a copy of `first`, which comes from `parent`.
    ///
    /// A net that has been promoted in this folder plays instead of `first`.
    ///
    /// # Errors
    /// [`DiaryError`] if the folder cannot be read or written.
    pub fn open(
        folder: &Path,
        first: &NetFile,
        parent: &str,
        teaching: Teaching,
    ) -> Result<Student, DiaryError> {
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
        Ok(Student {
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

    /// Learns from a match that is over, on the current thread pool. `watch` stops the series that follows; what was learned
    /// is kept then.
    ///
    /// # Errors
    /// [`DiaryError`] if a net or the log cannot be written; the nets in memory are then those on disk.
    pub fn study(&mut self, story: &Story, watch: &Watch) -> Result<Studied, DiaryError> {
        let studied = self.learn(story, watch)?;
        self.note(story, &studied)?;
        Ok(studied)
    }

    fn learn(&mut self, story: &Story, watch: &Watch) -> Result<Studied, DiaryError> {
        if story.missing.is_some() {
            return Ok(Studied::Nothing("its record lacks something"));
        }
        let games = story.games().into_iter();
        let games: Vec<Game> = games.filter_map(|game| Unfinished::Agreed.lesson(game)).collect();
        if games.is_empty() {
            return Ok(Studied::Nothing("nobody rolled in it"));
        }
        let Teaching { alpha, lambda, .. } = self.teaching;
        let rule = Rule { surprises: Surprises::Drop(1), ..Rule::plain(alpha, lambda) };
        let mut learner = Learner::new(self.learning.team.clone(), None);
        let lessons = learner.learn(&games, &rule);
        if !lessons.squared_error.values().all(|sum| sum.is_finite()) {
            return Ok(Studied::Nothing("the net would break; lower the learning rate"));
        }
        let mut after = NetFile { team: learner.team, ..self.learning.clone() };
        after.provenance.games += games.len() as u64;
        for (class, n) in lessons.examples.iter().filter(|(_, n)| **n > 0) {
            *after.provenance.examples.entry(class.slug().to_owned()).or_default() += n;
        }
        write_net(&self.folder.join(LEARNING), &after)?;
        self.learning = after;
        Ok(self.contend(watch)?)
    }

    /// The learning net against the playing one, for its place.
    fn contend(&mut self, watch: &Watch) -> Result<Studied, StoreError> {
        let config = SeriesConfig {
            games: self.teaching.promote_games,
            duplicate: true,
            cube: false,
            seed: self.teaching.seed.wrapping_add(self.games()),
            domain: Domain::Match,
        };
        let (challenger, holder) = (Greedy(&self.learning.team), Greedy(&self.playing));
        match play_series(&challenger, &holder, &config, watch) {
            Some(series) if series.ppg.mean >= 0.0 => {
                write_net(&self.folder.join(PLAYING), &self.learning)?;
                self.playing = Arc::new(self.learning.team.clone());
                Ok(Studied::Promoted(series))
            }
            unproved => Ok(Studied::Learned(unproved)),
        }
    }

    fn note(&mut self, story: &Story, studied: &Studied) -> Result<(), DiaryError> {
        let (left_out, series, promoted) = match studied {
            Studied::Nothing(why) => (Some(why), None, false),
            Studied::Learned(series) => (None, series.as_ref(), false),
            Studied::Promoted(series) => (None, Some(series), true),
        };
        let series = series.map(|series| json!({"games": series.games, "ppg": series.ppg}));
        let line = json!({
            "time": story.last, "opponent": story.opponent, "began": story.began, "left_out": left_out,
            "games": story.games().len(), "games_learned": self.games(), "against_playing": series,
            "promoted": promoted,
        });
        let path = self.folder.join(LOG);
        self.log.write_all(format!("{line}\n").as_bytes()).map_err(failed("write", &path))
    }
}

/// Opens the log to go on behind its last whole line.
fn open_log(path: &Path) -> Result<File, DiaryError> {
    let mut options = OpenOptions::new();
    let log = options.append(true).create(true).open(path).map_err(failed("open", path))?;
    let text = fs::read(path).map_err(failed("read", path))?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    log.set_len(whole as u64).map_err(failed("cut", path))?;
    Ok(log)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::log_event::Entry;
    use super::*;
    use crate::backgammon::Session;
    use crate::backgammon::record::{Header, RecordedGame};
    use crate::eval::Preset;
    use crate::game::play_recorded;
    use crate::game::{Random, Table, stream};
    use crate::store::Provenance;

    pub(in super::super) fn net(seed: u64) -> NetFile {
        let preset = &Preset::ALL[0];
        let team = Specialists::random(preset, &mut stream(seed, Domain::Weights, 0));
        NetFile { preset: preset.name.to_owned(), provenance: Provenance::default(), team }
    }

    fn game(number: u64) -> RecordedGame {
        let session = Session::of_match(1, 0, 0, false).expect("a score");
        let header = Header { names: ["nonet".into(), "bob".into()], session };
        let [mut dice, mut choices] =
            [Domain::Record, Domain::Choice].map(|domain| stream(5, domain, number));
        let seats = [&Random as _, &Random as _];
        play_recorded(&mut Table::default(), header, seats, &mut dice, &mut choices).expect("ends")
    }

    /// A match of one game.
    pub(in super::super) fn story(number: u64) -> Story {
        let mut story = Story::default();
        let game = game(number);
        story.take(&Entry::Begin {
            time: number as f64,
            own: "nonet".into(),
            opponent: "bob".into(),
            length: Some(1),
            own_rating: None,
            own_experience: None,
            opponent_rating: None,
            opponent_experience: None,
        });
        story.take(&Entry::Game { time: 1.0, length: Some(1), score: [0, 0], crawford: false });
        for turn in game.turns() {
            story.take(&Entry::Turn {
                time: 2.0,
                own: turn.who.index() == 0,
                dice: turn.dice.to_string(),
                before: turn.before.id(),
                after: turn.after.id(),
                play: turn.play().to_string(),
                equity: None,
            });
        }
        let (winner, points) = game.won().expect("over");
        let won = winner.index() == 0;
        story.take(&Entry::GameOver { time: 3.0, won, points, how: "played".into() });
        let score = if won { [1, 0] } else { [0, 1] };
        story.take(&Entry::Over { time: 4.0, won, score });
        assert_eq!(story.missing, None);
        story
    }

    fn quick() -> Teaching {
        Teaching { alpha: 0.01, promote_games: 20, ..Teaching::default() }
    }

    fn lines(folder: &Path) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(folder.join(LOG)).expect("there");
        text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
    }

    #[test]
    fn a_match_teaches_what_the_trainers_rule_teaches() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut student = Student::open(folder.path(), &net(1), "first", quick()).expect("new");
        student.study(&story(0), &Watch::default()).expect("written");
        let mut learner = Learner::new(net(1).team, None);
        let rule = Rule { surprises: Surprises::Drop(1), ..Rule::plain(0.01, 0.7) };
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
            |i: usize| Student::open(folders[i].path(), &net(1), "", quick()).expect("opens");
        let mut whole = open(0);
        for number in 0..3 {
            whole.study(&story(number), &Watch::default()).expect("written");
            open(1).study(&story(number), &Watch::default()).expect("written");
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
        let teaching = Teaching { alpha: 1e-9, promote_games: 40, ..Teaching::default() };
        for (learning, playing, promoted) in [(&bad, &good, false), (&good, &bad, true)] {
            let folder = tempfile::tempdir().expect("a folder");
            write_net(&folder.path().join(LEARNING), learning).expect("written");
            let mut student = Student::open(folder.path(), playing, "", teaching).expect("opens");
            let studied = student.study(&story(0), &Watch::default()).expect("written");
            assert_eq!(matches!(studied, Studied::Promoted(_)), promoted, "{studied:?}");
            let kept = read_net(&folder.path().join(PLAYING)).ok();
            assert_eq!(kept.is_some(), promoted);
            let wanted = if promoted { student.learning() } else { &playing.team };
            assert_eq!(&**student.playing(), wanted);
            let again = Student::open(folder.path(), playing, "", teaching).expect("opens");
            assert_eq!(again.playing(), student.playing());
            assert_eq!(lines(folder.path())[0]["promoted"], promoted);
        }
    }

    #[test]
    fn a_match_that_lacks_something_teaches_nothing_and_the_log_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut student = Student::open(folder.path(), &net(1), "", quick()).expect("new");
        let mut story = story(0);
        story.take(&Entry::Gap { time: 5.0 });
        let studied = student.study(&story, &Watch::default()).expect("written");
        assert!(matches!(studied, Studied::Nothing(_)), "{studied:?}");
        assert_eq!(student.learning(), &net(1).team);
        assert!(lines(folder.path())[0]["left_out"].as_str().is_some());
    }
}
