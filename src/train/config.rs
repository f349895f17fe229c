//! What a run is asked for, checked before any work.

use serde::{Deserialize, Serialize};

use super::method::{Method, UpdateAt};
use super::schedule::Schedule;
use super::source::recorded::Unfinished;
use super::update_rule::{Optimizer, Squash, UnforeseenGains, UpdateRule, UpdateTiming};
use crate::class::{ByClass, Class};
use crate::eval::Architecture;
use crate::nn::{LearningRates, MAX_HIDDEN};
use crate::search::Plies;

/// A run in words: everything that decides its bytes, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Where games come from.
    pub source: String,
    /// The expert, a net file or `gnubg:N`, for sources and targets that need one.
    pub expert: Option<String>,
    /// Records of the games to observe: files, folders, or `-` alone for standard input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
    /// What becomes of recorded games that were over before their end; `None` for the usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// Whose judgements make the targets: own or expert.
    pub targets: String,
    /// The learning rule.
    pub method: String,
    /// Plies of the search that chooses the learner's plays, 1 or 2; `None` for the method's own.
    pub ply: Option<u32>,
    /// Chance that the learner plays the second best instead of the best in self-play, 0..=1.
    #[serde(skip_serializing_if = "is_zero")]
    pub explore: f32,
    /// When weights change: offline or online.
    pub update: String,
    /// Whether the sensitivities of hidden units are learned: plain or extended backpropagation.
    pub backprop: String,
    /// Their learning rate.
    pub beta_alpha: f32,
    /// Heads are compared as `tanh(scale head) / scale`; 0 for as they are.
    pub squash: f32,
    /// What is made of gains from plays that the learner did not foresee: keep or drop.
    pub surprises: String,
    /// The architecture.
    pub preset: String,
    /// The net file to begin with instead of random weights; its architecture counts, not the preset.
    pub from: Option<String>,
    /// Hidden units that the contact nets of `from` are widened to; 0 for as they are.
    #[serde(skip_serializing_if = "is_zero")]
    pub widen: u64,
    /// Hidden units that its nets for positions without contact are widened to; 0 for as they are.
    #[serde(skip_serializing_if = "is_zero")]
    pub widen_races: u64,
    /// Whether targets take the databases' word for the endings that these know.
    #[serde(skip_serializing_if = "is_zero")]
    pub endings: bool,
    /// The classes whose positions are learned; all of them if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Games to learn from.
    pub games: u64,
    /// Learning rate.
    pub alpha: Schedule,
    /// Decay of temporal differences, 0..=1.
    pub lambda: Schedule,
    /// Seed of weights and dice.
    pub seed: u64,
    /// Games played against one snapshot of the weights.
    pub batch: u64,
    /// How often each example of a batch is learned.
    #[serde(skip_serializing_if = "is_one")]
    pub epochs: u32,
    /// Examples that each net remembers to learn them again; 0 for those of the batch.
    #[serde(skip_serializing_if = "is_zero")]
    pub memory: u64,
    /// What a gradient makes of weights: sgd or adam.
    #[serde(skip_serializing_if = "is_sgd")]
    pub optimizer: String,
    /// Games that the running average of the weights looks back; 0 for none.
    pub average: u64,
    /// Games between tests.
    pub eval_every: u64,
    /// Numbers of games to test after besides.
    pub eval_at: Vec<u64>,
    /// Games of a test.
    pub eval_games: u64,
    /// Plies that both sides look ahead in tests, 1 to 4, if they are nets.
    pub eval_ply: u32,
    /// Whom tests are played against; on a ladder, whom the last match is played against.
    pub against: String,
    /// Games of each rung of a ladder; 0 for none.
    pub rung: u64,
}

impl Default for TrainConfig {
    /// The paper's recipe (Wiering, Patist & Mannen, section 4.1), with the average beside it.
    fn default() -> TrainConfig {
        TrainConfig {
            source: "selfplay".into(),
            expert: None,
            records: Vec::new(),
            unfinished: None,
            targets: "own".into(),
            method: "td".into(),
            ply: None,
            explore: 0.0,
            update: "offline".into(),
            backprop: "plain".into(),
            beta_alpha: 0.01,
            squash: 0.0,
            surprises: "keep".into(),
            preset: "large".into(),
            from: None,
            widen: 0,
            widen_races: 0,
            endings: false,
            classes: Vec::new(),
            games: 500_000,
            alpha: Schedule::Constant(0.01),
            lambda: Schedule::Constant(0.6),
            seed: 1,
            batch: 32,
            epochs: 1,
            memory: 0,
            optimizer: "sgd".into(),
            average: 100_000,
            eval_every: 25_000,
            // The steep beginning of a curve; the paper's Table 2 has a test after 100 games, too.
            eval_at: vec![100, 1_000, 5_000],
            eval_games: 2_000,
            eval_ply: 1,
            against: "pubeval".into(),
            rung: 0,
        }
    }
}

/// What cannot be asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ConfigError {
    #[error("--{option} must be at least {least}, not {value}")]
    TooSmall { option: &'static str, least: u64, value: u64 },
    #[error("--{option} must lie in {range}, not at {value}")]
    OutOfRange { option: &'static str, range: &'static str, value: f32 },
    #[error("--{option} '{value}' is unknown; known are {known}")]
    Unknown { option: &'static str, value: String, known: String },
    #[error("--{option} {value} needs an expert: name its net file with --expert")]
    NoExpert { option: &'static str, value: String },
    #[error(
        "--source observe needs games: name records of them with --records, or the net file of a player with --expert"
    )]
    NothingToObserve,
    #[error("--records are for --source observe, not for --source {0}")]
    IdleRecords(String),
    #[error("--records cannot name '-' beside other records: standard input stands alone")]
    InputBesideFiles,
    #[error("--unfinished is about recorded games: name some with --records")]
    IdleUnfinished,
    #[error("nothing in this run needs the expert '{0}': see --source and --targets")]
    IdleExpert(String),
    #[error("--ply must be 1 or 2, not {0}")]
    Ply(u32),
    #[error("--eval-ply must be 1 to 4, not {0}")]
    EvalPly(u32),
    #[error("--rung {rung} must be a multiple of --eval-every {every}: a rung ends with a test")]
    GateResult { rung: u64, every: u64 },
    #[error(
        "--update online goes from each position to the next: it needs --method td or td-directed, not {0}"
    )]
    Online(String),
    #[error("--{0} must lie in 1..{MAX_HIDDEN} and goes with --from, whose nets it widens")]
    Widen(&'static str),
    #[error("--endings is for --method lookahead, whose targets they correct")]
    IdleEndings,
    #[error("--classes is for --method lookahead, which learns each position by itself")]
    IdleClasses,
    #[error("--epochs is for --update offline: what happens online happens once")]
    OnlineEpochs,
    #[error("--optimizer adam is for --update offline and --backprop plain")]
    IdleAdam,
    #[error(
        "--memory needs something to draw from it, --epochs of 2 or more, and --method lookahead: its targets keep"
    )]
    IdleMemory,
    #[error("--memory must be at most {most}, not {0}", most = MOST_REMEMBERED)]
    Memory(u64),
    #[error("--explore is for self-play at 1-ply: it needs --source selfplay and --ply 1")]
    IdleExplore,
}

fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_one(value: &u32) -> bool {
    *value == 1
}

fn is_sgd(name: &String) -> bool {
    name == Optimizer::Sgd.name()
}

/// Examples that a net may remember: nine times as many take half a gigabyte.
const MOST_REMEMBERED: u64 = 1_000_000;

/// Sources that exist.
const SOURCES: [&str; 3] = ["selfplay", "expert", "observe"];
/// Whose judgements may make targets.
const TARGETS: [&str; 2] = ["own", "expert"];
/// When weights may change.
const UPDATES: [&str; 2] = ["offline", "online"];
/// Kinds of backpropagation.
const BACKPROPS: [&str; 2] = ["plain", "extended"];
/// What may be made of unforeseen gains.
const SURPRISES: [&str; 2] = ["keep", "drop"];

impl TrainConfig {
    /// All that is wrong with it, found before any work.
    ///
    /// # Errors
    /// The first [`ConfigError`].
    pub fn check(&self) -> Result<(), ConfigError> {
        for (option, least, value) in [
            ("games", 1, self.games),
            ("batch", 1, self.batch),
            ("epochs", 1, u64::from(self.epochs)),
            ("eval-every", 1, self.eval_every),
            ("eval-games", 4, self.eval_games),
        ] {
            if value < least {
                return Err(ConfigError::TooSmall { option, least, value });
            }
        }
        for value in self.alpha.values() {
            if !(value > 0.0 && value <= 1.0) {
                return Err(ConfigError::OutOfRange {
                    option: "alpha",
                    range: "0..1, above 0",
                    value,
                });
            }
        }
        for value in self.lambda.values() {
            if !(0.0..=1.0).contains(&value) {
                return Err(ConfigError::OutOfRange { option: "lambda", range: "0..1", value });
            }
        }
        known("source", &self.source, SOURCES)?;
        if Architecture::named(&self.preset).is_none() {
            known("preset", &self.preset, Architecture::ALL.iter().map(|preset| preset.name))?;
        }
        known("targets", &self.targets, TARGETS)?;
        known("method", &self.method, Method::ALL.iter().map(|method| method.name))?;
        known("update", &self.update, UPDATES)?;
        known("backprop", &self.backprop, BACKPROPS)?;
        known("surprises", &self.surprises, SURPRISES)?;
        known("optimizer", &self.optimizer, Optimizer::ALL.map(Optimizer::name))?;
        if !(1..=4).contains(&self.eval_ply) {
            return Err(ConfigError::EvalPly(self.eval_ply));
        }
        if !self.rung.is_multiple_of(self.eval_every) {
            return Err(ConfigError::GateResult { rung: self.rung, every: self.eval_every });
        }
        if self.update == "online" && self.method().update != UpdateAt::Position {
            return Err(ConfigError::Online(self.method.clone()));
        }
        if self.update == "online" && self.epochs > 1 {
            return Err(ConfigError::OnlineEpochs);
        }
        let plain = self.update == "offline" && self.backprop == "plain";
        if self.optimizer() == Optimizer::Adam && !plain {
            return Err(ConfigError::IdleAdam);
        }
        if self.memory > MOST_REMEMBERED {
            return Err(ConfigError::Memory(self.memory));
        }
        let recalls = self.epochs > 1 && self.method().update == UpdateAt::RootStrap;
        if self.memory > 0 && !recalls {
            return Err(ConfigError::IdleMemory);
        }
        for (option, hidden) in [("widen", self.widen), ("widen-races", self.widen_races)] {
            if hidden > 0 && (self.from.is_none() || hidden > MAX_HIDDEN as u64) {
                return Err(ConfigError::Widen(option));
            }
        }
        if self.endings && self.method().update != UpdateAt::RootStrap {
            return Err(ConfigError::IdleEndings);
        }
        if !self.classes.is_empty() && self.method().update != UpdateAt::RootStrap {
            return Err(ConfigError::IdleClasses);
        }
        for class in &self.classes {
            known("classes", class, Class::all().map(Class::slug))?;
        }
        if !(0.0..=1.0).contains(&self.explore) {
            let (option, range) = ("explore", "0..1");
            return Err(ConfigError::OutOfRange { option, range, value: self.explore });
        }
        if self.explore > 0.0 && (self.source != "selfplay" || self.plies() != 1) {
            return Err(ConfigError::IdleExplore);
        }
        for (option, value) in [("beta-alpha", self.beta_alpha), ("squash", self.squash)] {
            if !(0.0..=10.0).contains(&value) {
                return Err(ConfigError::OutOfRange { option, range: "0..10", value });
            }
        }
        if let Some(ply) = self.ply.filter(|ply| !(1..=2).contains(ply)) {
            return Err(ConfigError::Ply(ply));
        }
        self.check_records()?;
        let watches = self.source == "observe" && !self.records.is_empty();
        let needs = [
            ("source", &self.source, self.source != "selfplay" && !watches),
            ("targets", &self.targets, self.learns_targets()),
        ];
        match (needs.into_iter().find(|(_, _, needed)| *needed), &self.expert) {
            (Some((option, value, _)), None) => {
                Err(ConfigError::NoExpert { option, value: value.clone() })
            }
            (None, Some(expert)) => Err(ConfigError::IdleExpert(expert.clone())),
            _ => Ok(()),
        }
    }

    fn check_records(&self) -> Result<(), ConfigError> {
        if let Some(way) = &self.unfinished {
            known("unfinished", way, Unfinished::ALL.map(Unfinished::name))?;
        }
        match (self.source.as_str(), self.records.as_slice()) {
            ("observe", []) if self.expert.is_none() => Err(ConfigError::NothingToObserve),
            (_, []) if self.unfinished.is_some() => Err(ConfigError::IdleUnfinished),
            (_, []) => Ok(()),
            ("observe", [_]) => Ok(()),
            ("observe", many) if many.iter().any(|path| path == "-") => {
                Err(ConfigError::InputBesideFiles)
            }
            ("observe", _) => Ok(()),
            (source, _) => Err(ConfigError::IdleRecords(source.to_owned())),
        }
    }

    /// What becomes of recorded games that were over before their end.
    #[must_use]
    pub fn unfinished(&self) -> Unfinished {
        self.unfinished.as_deref().and_then(Unfinished::named).unwrap_or_default()
    }

    /// Whether targets are the expert's judgements.
    #[must_use]
    pub fn learns_targets(&self) -> bool {
        self.targets == "expert"
    }

    /// The learning rule; an unknown name is the first one.
    fn method(&self) -> &'static Method {
        Method::named(&self.method).unwrap_or(&Method::ALL[0])
    }

    /// What a gradient makes of weights; an unknown name is the first one.
    fn optimizer(&self) -> Optimizer {
        let named = |optimizer: &Optimizer| optimizer.name() == self.optimizer;
        Optimizer::ALL.into_iter().find(named).unwrap_or(Optimizer::Sgd)
    }

    /// Plies of the search that chooses the learner's plays.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.ply.unwrap_or(self.method().ply)
    }

    /// Plies that players of tests look ahead.
    #[must_use]
    pub fn test_plies(&self) -> Plies {
        u8::try_from(self.eval_ply).ok().and_then(|n| Plies::new(n).ok()).unwrap_or(Plies::ONE)
    }

    /// The rule by which games are learned at these rates, without teacher and average.
    #[must_use]
    pub fn rule(&self, alpha: f32, lambda: f32) -> UpdateRule<'static> {
        let extended = self.backprop == "extended";
        UpdateRule {
            rates: LearningRates {
                alpha,
                beta_alpha: if extended { self.beta_alpha } else { 0.0 },
            },
            update: self.method().update,
            epochs: self.epochs,
            optimizer: self.optimizer(),
            when: if self.update == "online" {
                UpdateTiming::Online
            } else {
                UpdateTiming::Offline
            },
            classes: (!self.classes.is_empty()).then(|| {
                ByClass::new(|class| self.classes.iter().any(|name| name == class.slug()))
            }),
            squash: (self.squash > 0.0).then_some(Squash { scale: self.squash }),
            surprises: match self.surprises.as_str() {
                "drop" => UnforeseenGains::Drop(self.plies()),
                _ => UnforeseenGains::Keep,
            },
            ..UpdateRule::plain(alpha, lambda)
        }
    }

    /// The command that repeats the run.
    #[must_use]
    pub fn command(&self) -> String {
        let mut words = vec![format!("nonet train --source {}", self.source)];
        words.extend(self.expert.as_ref().map(|expert| format!("--expert {expert}")));
        if !self.records.is_empty() {
            words.push(format!("--records {}", self.records.join(" ")));
        }
        words.extend(self.unfinished.as_ref().map(|way| format!("--unfinished {way}")));
        words.push(format!("--targets {} --method {}", self.targets, self.method));
        words.extend(self.ply.map(|ply| format!("--ply {ply}")));
        words.extend((self.explore > 0.0).then(|| format!("--explore {}", self.explore)));
        // Options with an ordinary setting are named only when they differ from it.
        let ordinary = TrainConfig::default();
        let named = |option: &str, value: &dyn std::fmt::Display, differs: bool| {
            differs.then(|| format!("--{option} {value}"))
        };
        words.extend(named("update", &self.update, self.update != ordinary.update));
        words.extend(named("backprop", &self.backprop, self.backprop != ordinary.backprop));
        let rated = self.beta_alpha != ordinary.beta_alpha;
        words.extend(named("beta-alpha", &self.beta_alpha, rated));
        words.extend(named("squash", &self.squash, self.squash != ordinary.squash));
        words.extend(named("surprises", &self.surprises, self.surprises != ordinary.surprises));
        words.extend(self.from.as_ref().map(|from| format!("--from {from}")));
        words.extend((self.widen > 0).then(|| format!("--widen {}", self.widen)));
        words.extend((self.widen_races > 0).then(|| format!("--widen-races {}", self.widen_races)));
        words.extend(self.endings.then(|| "--endings".to_owned()));
        if !self.classes.is_empty() {
            words.push(format!("--classes {}", self.classes.join(",")));
        }
        let TrainConfig {
            preset,
            games,
            alpha,
            lambda,
            seed,
            batch,
            average,
            eval_every,
            eval_games,
            against,
            ..
        } = self;
        // A net brings its architecture.
        words.extend(self.from.is_none().then(|| format!("--preset {preset}")));
        words.push(format!("--games {games} --alpha {alpha} --lambda {lambda} --seed {seed}"));
        words.push(format!("--batch {batch}"));
        words.extend(named("epochs", &self.epochs, self.epochs != ordinary.epochs));
        words.extend(named("memory", &self.memory, self.memory != ordinary.memory));
        words.extend(named("optimizer", &self.optimizer, self.optimizer != ordinary.optimizer));
        words.push(format!(
            "--average {average} --eval-every {eval_every} --eval-games {eval_games}"
        ));
        if self.eval_at != ordinary.eval_at {
            let marks: Vec<String> = self.eval_at.iter().map(u64::to_string).collect();
            // Nobody is tested after no games.
            let none = "0".to_owned();
            words.push(format!(
                "--eval-at {}",
                if marks.is_empty() { none } else { marks.join(",") }
            ));
        }
        words.extend(named("eval-ply", &self.eval_ply, self.eval_ply != ordinary.eval_ply));
        words.push(format!("--against {against}"));
        words.extend((self.rung > 0).then(|| format!("--ladder --rung {}", self.rung)));
        words.join(" ")
    }
}

fn known<'a>(
    option: &'static str,
    value: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Result<(), ConfigError> {
    if names.clone().into_iter().any(|name| name == value) {
        return Ok(());
    }
    let known = names.into_iter().collect::<Vec<_>>().join(", ");
    Err(ConfigError::Unknown { option, value: value.to_owned(), known })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut TrainConfig)) -> String {
        let mut config = TrainConfig::default();
        change(&mut config);
        config.check().expect_err("refused").to_string()
    }

    #[test]
    fn wrong_words_are_refused_with_what_would_be_right() {
        assert_eq!(TrainConfig::default().check(), Ok(()));
        assert_eq!(refused(|c| c.games = 0), "--games must be at least 1, not 0");
        assert_eq!(
            refused(|c| c.alpha = Schedule::Constant(0.0)),
            "--alpha must lie in 0..1, above 0, not at 0"
        );
        assert_eq!(
            refused(|c| c.lambda = Schedule::Constant(1.5)),
            "--lambda must lie in 0..1, not at 1.5"
        );
        assert_eq!(
            refused(|c| c.preset = "huge".into()),
            "--preset 'huge' is unknown; known are large, small, hidden80, rbf, softsign, \
             linear, single-linear, softmax, champion, swift, single, raw, single-raw"
        );
        let leaves = refused(|c| (c.update, c.method) = ("online".into(), "tdleaf".into()));
        assert!(leaves.contains("td-directed"), "{leaves}");
        assert_eq!(refused(|c| c.squash = -1.0), "--squash must lie in 0..10, not at -1");
        let unknown = refused(|c| c.optimizer = "x".into());
        assert_eq!(unknown, "--optimizer 'x' is unknown; known are sgd, adam");
        let adam = refused(|c| (c.optimizer, c.backprop) = ("adam".into(), "extended".into()));
        assert_eq!(adam, "--optimizer adam is for --update offline and --backprop plain");
        let online = refused(|c| (c.epochs, c.update) = (2, "online".into()));
        assert!(online.contains("happens once"), "{online}");
        let kept = refused(|c| (c.epochs, c.memory) = (2, 10));
        assert!(kept.contains("--method lookahead"), "{kept}");
        let much = refused(|c| c.memory = 1_000_001);
        assert_eq!(much, "--memory must be at most 1000000, not 1000001");
        let bare = refused(|c| c.widen_races = 8);
        assert!(bare.contains("--widen-races") && bare.contains("--from"), "{bare}");
        assert!(refused(|c| c.endings = true).contains("--method lookahead"));
        assert!(refused(|c| c.classes = vec!["race".into()]).contains("--method lookahead"));
        let class = refused(|c| {
            (c.method, c.classes) = ("lookahead".into(), vec!["race".into(), "sprint".into()]);
        });
        assert!(class.starts_with("--classes 'sprint' is unknown; known are endgame"), "{class}");
    }

    #[test]
    fn games_to_observe_come_from_one_place() {
        let observe = |c: &mut TrainConfig| c.source = "observe".into();
        let error = refused(observe);
        assert!(error.contains("--records") && error.contains("--expert"), "{error}");
        let watch = |c: &mut TrainConfig| {
            c.source = "observe".into();
            c.records = vec!["a".into()];
        };
        let mut config = TrainConfig::default();
        watch(&mut config);
        assert_eq!(config.check(), Ok(()));
        assert!(config.command().starts_with("nonet train --source observe --records a --targets"));
        for (change, says) in [
            (
                (|c| c.expert = Some("x".into())) as fn(&mut TrainConfig),
                "nothing in this run needs the expert",
            ),
            (|c| c.targets = "expert".into(), "--targets expert needs an expert"),
            (
                |c| c.source = "selfplay".into(),
                "--records are for --source observe, not for --source selfplay",
            ),
            (|c| c.records.push("-".into()), "standard input stands alone"),
            (|c| c.unfinished = Some("x".into()), "known are agreed, bootstrap, leave-out"),
            (
                |c| {
                    (c.records, c.expert, c.unfinished) =
                        (vec![], Some("x".into()), Some("agreed".into()))
                },
                "--unfinished is about recorded games",
            ),
        ] {
            let error = refused(|c| {
                watch(c);
                change(c);
            });
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_config_survives_its_file() {
        let config =
            TrainConfig { alpha: Schedule::Geometric(0.1, 0.003), ..TrainConfig::default() };
        let text = toml::to_string(&config).expect("toml");
        assert_eq!(toml::from_str::<TrainConfig>(&text).expect("a config"), config);
    }
}
