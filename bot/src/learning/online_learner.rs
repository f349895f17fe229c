//! Online learning: a copy of the playing net learns from matches on a server, as KnightCap did
//! (Baxter, Tridgell & Weaver 2000).
//!
//! After each match it learns from the positions of both sides by TD(lambda). It ignores gains from
//! unforeseen plays of the opponent, because those plays may be blunders. Then it plays a promotion
//! match against the playing net, and replaces it if it is better with confidence
//! ([`PromotionTest`]). Both nets and a log with a line of JSON for each match are in one folder.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use crate::learning::promotion::PromotionTest;
use crate::records::match_log::MatchLogError;
use crate::records::match_record::MatchRecord;
use nonet_engine::eval::Specialists;
use nonet_engine::game::{Game, SequentialResult};
use nonet_engine::progress::Progress;
use nonet_engine::store::{NetFile, StoreError, read_net, write_net};
use nonet_training::train::{Learner, Rule, Unfinished, UnforeseenGains, UpdateRule};

/// How the learner learns, and when its net is promoted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnlineLearningConfig {
    /// Learning rate.
    pub alpha: f32,
    /// Decay of temporal differences, 0..=1.
    pub lambda: f32,
    /// Most games of the promotion match after each match, 2 or more: at 1-ply, with duplicate
    /// dice, in five stages. The match ends early if its result is clear.
    ///
    /// Between related nets, the error of 20,000 games is 0.006 points per game
    /// (`nets/LEDGER.md`), so that of 10,000 is 0.0085. With it, nearly all nets that are better by
    /// 0.05 are promoted. Of those that are better by 0.02, six in ten are. Of those that are no
    /// better, at most one in forty is.
    pub promote_games: u64,
    /// Seed of the dice of the promotion matches; each of them has other dice.
    pub seed: u64,
}

impl Default for OnlineLearningConfig {
    /// KnightCap's lambda, and a learning rate below the last one of the nets' training, since a
    /// day brings few matches.
    fn default() -> OnlineLearningConfig {
        OnlineLearningConfig { alpha: 0.001, lambda: 0.7, promote_games: 10_000, seed: 1 }
    }
}

/// What the learner did with a match.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnOutcome {
    /// It learned nothing, for this reason.
    Nothing(&'static str),
    /// The learning net has changed and is not promoted. The results of its test, if that was not
    /// stopped.
    Learned(Option<PromotionTest>),
    /// The learning net has changed, passed the test with these results, and plays from now on.
    Promoted(PromotionTest),
}

/// The learning net and the playing one.
#[derive(Debug)]
pub struct OnlineLearner {
    folder: PathBuf,
    config: OnlineLearningConfig,
    learning: NetFile,
    playing: Arc<Specialists>,
    /// The net that this program began with.
    first: Arc<Specialists>,
    log: File,
}

/// TD(lambda) as KnightCap learned on a server: an opponent's blunder teaches nothing.
const RULE: Rule = Rule { unforeseen: UnforeseenGains::Drop(1), ..Rule::TD };

const LEARNING: &str = "learning.nonet";
const PLAYING: &str = "playing.nonet";
const LOG: &str = "log.jsonl";

impl OnlineLearner {
    /// Continues in a folder, or begins in a new one with a copy of `first`, the net of the file
    /// `parent`.
    ///
    /// A net that was promoted in this folder plays instead of `first`.
    ///
    /// # Errors
    /// [`MatchLogError`] if the folder cannot be read or written.
    pub fn open(
        folder: &Path,
        first: &NetFile,
        parent: &str,
        config: OnlineLearningConfig,
    ) -> Result<OnlineLearner, MatchLogError> {
        fs::create_dir_all(folder).map_err(StoreError::io("create the folder", folder))?;
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
        let first = Arc::new(first.team.clone());
        let playing =
            if path.exists() { Arc::new(read_net(&path)?.team) } else { Arc::clone(&first) };
        let log = open_log(&folder.join(LOG))?;
        Ok(OnlineLearner { folder: folder.to_owned(), config, learning, playing, first, log })
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

    /// Games on the server that the learning net has learned from.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.learning.provenance.games
    }

    /// Learns from a match that is over, on the current thread pool. `progress` can stop the
    /// promotion match; the learned weights are kept.
    ///
    /// # Errors
    /// [`MatchLogError`] if a net or the log cannot be written; the nets in memory are then those
    /// on disk.
    pub fn learn_from(
        &mut self,
        match_record: &MatchRecord,
        progress: &Progress,
    ) -> Result<LearnOutcome, MatchLogError> {
        let outcome = self.learn(match_record, progress)?;
        self.log_outcome(match_record, &outcome)?;
        Ok(outcome)
    }

    fn learn(
        &mut self,
        match_record: &MatchRecord,
        progress: &Progress,
    ) -> Result<LearnOutcome, MatchLogError> {
        if match_record.incomplete.is_some() {
            return Ok(LearnOutcome::Nothing("its record is incomplete"));
        }
        let games = match_record.games().into_iter();
        let games: Vec<Game> =
            games.filter_map(|game| Unfinished::Agreed.to_training_game(game)).collect();
        if games.is_empty() {
            return Ok(LearnOutcome::Nothing("it has no turns"));
        }
        let OnlineLearningConfig { alpha, lambda, .. } = self.config;
        let mut learner = Learner::new(self.learning.team.clone(), None);
        let stats = learner.learn(&games, &UpdateRule::new(RULE, alpha, lambda));
        if !stats.squared_error.values().all(|sum| sum.is_finite()) {
            return Ok(LearnOutcome::Nothing(
                "the weights would not stay finite; lower the learning rate",
            ));
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

    /// Tests the learning net, and promotes it if it passes.
    fn promotion_match(&mut self, progress: &Progress) -> Result<LearnOutcome, StoreError> {
        let (games, seed) =
            (self.config.promote_games, self.config.seed.wrapping_add(self.games()));
        let nets = [&self.learning.team, &*self.playing, &*self.first];
        match PromotionTest::play(nets, games, seed, progress) {
            Some(test) if test.passed() => {
                write_net(&self.folder.join(PLAYING), &self.learning)?;
                self.playing = Arc::new(self.learning.team.clone());
                Ok(LearnOutcome::Promoted(test))
            }
            test => Ok(LearnOutcome::Learned(test)),
        }
    }

    /// Writes a line about the match into the log.
    fn log_outcome(
        &mut self,
        match_record: &MatchRecord,
        outcome: &LearnOutcome,
    ) -> Result<(), MatchLogError> {
        let (left_out, test, promoted) = match outcome {
            LearnOutcome::Nothing(why) => (Some(why), None, false),
            LearnOutcome::Learned(test) => (None, test.as_ref(), false),
            LearnOutcome::Promoted(test) => (None, Some(test), true),
        };
        let figures = |result: &SequentialResult| {
            json!({
                "games": result.series.games, "ppg": result.series.ppg, "interval": result.interval,
                "stage": result.stage, "stages": result.stages, "passed": result.above,
            })
        };
        let first = test.and_then(|test| test.against_first.as_ref());
        let line = json!({
            "time": match_record.last, "opponent": match_record.opponent, "began": match_record.began, "left_out": left_out,
            "games": match_record.games().len(), "games_learned": self.games(),
            "against_playing": test.map(|test| figures(&test.against_playing)), "against_first": first.map(figures),
            "promoted": promoted,
        });
        let path = self.folder.join(LOG);
        self.log
            .write_all(format!("{line}\n").as_bytes())
            .map_err(StoreError::io("write", &path))?;
        Ok(())
    }
}

/// Opens the log behind its last whole line.
fn open_log(path: &Path) -> Result<File, MatchLogError> {
    let mut options = OpenOptions::new();
    let log = options.append(true).create(true).open(path).map_err(StoreError::io("open", path))?;
    let text = fs::read(path).map_err(StoreError::io("read", path))?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    log.set_len(whole as u64).map_err(StoreError::io("truncate", path))?;
    Ok(log)
}

#[cfg(test)]
pub(crate) mod tests {
    use fibs::agent::GameEnd;

    use super::*;
    use crate::records::log_event::LogEvent;
    use nonet_engine::backgammon::record::{GameHeader, RecordedGame};
    use nonet_engine::backgammon::{Scoring, Seat};
    use nonet_engine::eval::Architecture;
    use nonet_engine::game::play_recorded;
    use nonet_engine::game::{GameRunner, Random, StreamPurpose, stream};
    use nonet_engine::store::Provenance;

    pub(crate) fn net(seed: u64) -> NetFile {
        let preset = &Architecture::ALL[0];
        let team = Specialists::random(preset, &mut stream(seed, StreamPurpose::Weights, 0));
        NetFile { preset: preset.name().to_owned(), provenance: Provenance::default(), team }
    }

    fn game(number: u64) -> RecordedGame {
        let scoring = Scoring::of_match(1, 0, 0, false).expect("a score");
        let header = GameHeader { names: ["nonet".into(), "bob".into()], scoring };
        let [mut dice, mut choices] = [StreamPurpose::Record, StreamPurpose::Choice]
            .map(|purpose| stream(5, purpose, number));
        let seats = [&Random as _, &Random as _];
        play_recorded(&mut GameRunner::default(), header, seats, &mut dice, &mut choices)
            .expect("ends")
    }

    /// A match of one game.
    pub(crate) fn match_record(number: u64) -> MatchRecord {
        let mut match_record = MatchRecord::default();
        let game = game(number);
        match_record.apply(&LogEvent::MatchStart {
            time: number as f64,
            own: "nonet".into(),
            opponent: "bob".into(),
            length: Some(1),
            own_rating: None,
            own_experience: None,
            opponent_rating: None,
            opponent_experience: None,
        });
        match_record.apply(&LogEvent::GameStart {
            time: 1.0,
            length: Some(1),
            score: [0, 0],
            crawford: false,
        });
        for turn in game.turns() {
            match_record.apply(&LogEvent::Turn {
                time: 2.0,
                player: turn.player,
                dice: turn.dice,
                before: turn.before,
                after: turn.after,
                play: turn.play().to_string(),
                equity: None,
            });
        }
        let (winner, points) = game.won().expect("over");
        let end = GameEnd::Played;
        match_record.apply(&LogEvent::GameOver { time: 3.0, winner, points, end });
        let won = winner == Seat::X;
        let score = if won { [1, 0] } else { [0, 1] };
        match_record.apply(&LogEvent::MatchOver { time: 4.0, won, score });
        assert_eq!(match_record.incomplete, None);
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
    fn a_match_is_learned_from_as_a_training_game_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut online =
            OnlineLearner::open(folder.path(), &net(1), "first", quick()).expect("new");
        online.learn_from(&match_record(0), &Progress::default()).expect("written");
        let mut learner = Learner::new(net(1).team, None);
        let update = UpdateRule::new(RULE, 0.01, 0.7);
        learner.learn(&[Game::from_record(&game(0)).expect("over")], &update);
        assert_ne!(learner.team, net(1).team);
        assert_eq!(online.learning(), &learner.team);
        let kept = read_net(&folder.path().join(LEARNING)).expect("a net");
        assert_eq!((kept.provenance.games, kept.provenance.parent.as_deref()), (1, Some("first")));
        assert_eq!(&kept.team, online.learning());
    }

    #[test]
    fn a_learner_that_is_opened_again_continues_where_it_was() {
        let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
        let open =
            |i: usize| OnlineLearner::open(folders[i].path(), &net(1), "", quick()).expect("opens");
        let mut whole = open(0);
        for number in 0..3 {
            whole.learn_from(&match_record(number), &Progress::default()).expect("written");
            open(1).learn_from(&match_record(number), &Progress::default()).expect("written");
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
    fn only_a_net_that_is_better_is_promoted() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nets/small.nonet");
        let (good, bad) = (read_net(&path).expect("a net"), net(1));
        // A learning rate near 0, so that the nets hardly change.
        let config = OnlineLearningConfig {
            alpha: 1e-9,
            promote_games: 1000,
            ..OnlineLearningConfig::default()
        };
        let cases = [(&bad, &good, false), (&good, &good, false), (&good, &bad, true)];
        for (learning, playing, promoted) in cases {
            let folder = tempfile::tempdir().expect("a folder");
            write_net(&folder.path().join(LEARNING), learning).expect("written");
            let mut online =
                OnlineLearner::open(folder.path(), playing, "", config).expect("opens");
            let outcome =
                online.learn_from(&match_record(0), &Progress::default()).expect("written");
            assert_eq!(matches!(outcome, LearnOutcome::Promoted(_)), promoted, "{outcome:?}");
            let kept = read_net(&folder.path().join(PLAYING)).ok();
            assert_eq!(kept.is_some(), promoted);
            let expected = if promoted { online.learning() } else { &playing.team };
            assert_eq!(&**online.playing(), expected);
            let again = OnlineLearner::open(folder.path(), playing, "", config).expect("opens");
            assert_eq!(again.playing(), online.playing());
            assert_eq!(lines(folder.path())[0]["promoted"], promoted);
        }
    }

    #[test]
    fn an_incomplete_match_is_left_out_and_logged() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut online = OnlineLearner::open(folder.path(), &net(1), "", quick()).expect("new");
        let mut match_record = match_record(0);
        match_record.apply(&LogEvent::Gap { time: 5.0 });
        let outcome = online.learn_from(&match_record, &Progress::default()).expect("written");
        assert!(matches!(outcome, LearnOutcome::Nothing(_)), "{outcome:?}");
        assert_eq!(online.learning(), &net(1).team);
        assert!(lines(folder.path())[0]["left_out"].as_str().is_some());
    }
}
