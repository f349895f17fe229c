//! The checks that turn the options of a training run ([`TrainSpec`]) into a valid [`TrainPlan`].

use std::path::PathBuf;

use serde::Serialize;

use crate::train::fine_tuning::FineTuning;
use crate::train::game_source::Starts;
use crate::train::learning::net_learner::{OfflineSteps, Optimizer};
use crate::train::learning::rule::{Rule, Squash, TargetRule, UnforeseenGains, UpdateTiming};
use crate::train::learning::targets::{RolloutTargets, RootStrap, Successor, Td};
use crate::train::options::config_error::ConfigError;
use crate::train::options::method::Method;
use crate::train::options::option_values::{
    Backprop, LearnedOutputs, Preset, Sides, Source, Targets, Unforeseen,
};
use crate::train::options::plan::{Games, RecordPaths, Start, TrainPlan};
use crate::train::options::schedule::Schedule;
use crate::train::options::spec::TrainSpec;
use nonet_engine::backgammon::Seat;
use nonet_engine::class::{ByClass, Class};
use nonet_engine::nn::{MAX_HIDDEN, OutputActivation};
use nonet_engine::open::PlayerSpec;
use nonet_engine::rollout::RolloutConfig;
use nonet_engine::search::Plies;

/// The largest capacity of a replay buffer, in examples: nine such buffers take half a gigabyte.
const MAX_REPLAY: u64 = 1_000_000;
/// More results of a roll than this are hardly ever near the best one.
const MAX_SIBLINGS: u32 = 20;

/// The largest weight of the differences between them: beyond, what they share is hardly learned.
const MAX_DIFFERENCES: f32 = 100.0;

/// The largest `three_ply_above`, in points: no cubeless equities differ by more than twice this.
const MAX_POINTS: f32 = 3.0;

/// The most games of a rollout as target: each pair of first throws once.
const MAX_ROLLOUT_GAMES: u64 = RolloutConfig::GAMES;

/// The most opponents of the tests: one plot shows them all.
const MAX_OPPONENTS: usize = 5;

impl TryFrom<TrainSpec> for TrainPlan {
    type Error = ConfigError;

    fn try_from(spec: TrainSpec) -> Result<TrainPlan, ConfigError> {
        spec.check_ranges()?;
        let games = spec.games_plan()?;
        spec.check_expert(&games)?;
        Ok(TrainPlan {
            rule: spec.rule(&games)?,
            games,
            start: spec.start()?,
            fine_tuning: spec.fine_tuning()?,
            spec,
        })
    }
}

impl TrainSpec {
    /// The largest seed and the largest number of games: `config.toml` holds no larger ones.
    pub const MAX_NUMBER: u64 = i64::MAX.unsigned_abs();

    /// Checks the options and makes a plan of them.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid option.
    pub fn plan(self) -> Result<TrainPlan, ConfigError> {
        self.try_into()
    }

    /// Refuses an architecture that was given although the net to start with has its own.
    /// `is_given` is asked about keys of [`TrainSpec::KEYS`].
    ///
    /// A plan cannot tell this: the `config.toml` of a run has the architecture of its start.
    ///
    /// # Errors
    /// [`ConfigError`] if both were given.
    pub fn check_given(&self, is_given: impl Fn(&str) -> bool) -> Result<(), ConfigError> {
        match self.from.is_some() && is_given("preset") {
            true => Err(TrainSpec::unused_preset(self.preset)),
            false => Ok(()),
        }
    }

    /// The error of an architecture that the net to start with would replace.
    pub(in crate::train) fn unused_preset(preset: Preset) -> ConfigError {
        let problem = format!("{preset} is not used: the net of `from` has its own");
        ConfigError::new("preset", problem)
    }

    fn plies(&self) -> Plies {
        self.ply.unwrap_or(self.method.plies())
    }

    fn check_ranges(&self) -> Result<(), ConfigError> {
        for (field, least, value) in [
            ("games", 1, self.games),
            ("batch", 1, self.batch),
            ("epochs", 1, u64::from(self.epochs)),
            ("eval_every", 1, self.eval_every),
            ("eval_games", 4, self.eval_games),
        ] {
            if value < least {
                return refuse(field, format!("must be at least {least}, not {value}"));
            }
        }
        let numbers = [
            ("games", self.games),
            ("seed", self.seed),
            ("batch", self.batch),
            ("ema", self.ema),
            ("eval_every", self.eval_every),
            ("eval_games", self.eval_games),
            ("final_games", self.final_games),
            ("gate_every", self.gate_every),
        ];
        let places = self.eval_at.iter().map(|games| ("eval_at", *games));
        for (field, value) in numbers.into_iter().chain(places) {
            if value > TrainSpec::MAX_NUMBER {
                let most = TrainSpec::MAX_NUMBER;
                return refuse(field, format!("must be at most {most}, not {value}"));
            }
        }
        for (field, value) in [("eval_games", self.eval_games), ("final_games", self.final_games)] {
            if !value.is_multiple_of(2) {
                return refuse(
                    field,
                    format!(
                        "must be even, not {value}: every sequence of dice is played from both seats"
                    ),
                );
            }
        }
        if self.final_games == 2 {
            return refuse("final_games", "must be 0 or at least 4, not 2: one pair has no error");
        }
        in_range("alpha", "0..1, above 0", &|v| v > 0.0 && v <= 1.0, &self.alpha)?;
        in_range(
            "initial",
            "0..1, above 0",
            &|v| v > 0.0 && v <= 1.0,
            &Schedule::Constant(self.initial),
        )?;
        if let Some(beta) = self.beta_initial {
            let holds = |v| v > 0.0 && v <= 10.0;
            in_range("beta_initial", "0..10, above 0", &holds, &Schedule::Constant(beta))?;
        }
        in_range("lambda", "0..1", &|v| (0.0..=1.0).contains(&v), &self.lambda)?;
        for (field, most, value) in [
            ("epsilon", 1.0, self.epsilon),
            ("start_chance", 1.0, self.start_chance),
            ("beta_alpha", 10.0, self.beta_alpha),
            ("squash", 10.0, self.squash),
        ] {
            in_range(
                field,
                &format!("0..{most}"),
                &|v| (0.0..=most).contains(&v),
                &Schedule::Constant(value),
            )?;
        }
        if self.ply.is_some_and(|ply| ply > Plies::TWO) {
            return refuse("ply", format!("must be 1 or 2, not {}", self.plies().get()));
        }
        let TrainSpec { gate_every, eval_every, .. } = self;
        if !gate_every.is_multiple_of(*eval_every) {
            let problem = format!(
                "must be a multiple of `eval_every` {eval_every}, not {gate_every}: a gate follows a test"
            );
            return refuse("gate_every", problem);
        }
        if self.against.others().len() >= MAX_OPPONENTS {
            let found = self.against.others().len() + 1;
            return refuse(
                "against",
                format!("must be at most {MAX_OPPONENTS} players, not {found}"),
            );
        }
        if self.replay > MAX_REPLAY {
            return refuse("replay", format!("must be at most {MAX_REPLAY}, not {}", self.replay));
        }
        Ok(())
    }

    fn games_plan(&self) -> Result<Games, ConfigError> {
        let TrainSpec { source, records, unfinished, epsilon, start_chance, .. } = self;
        let plies = self.plies();
        if *epsilon > 0.0 && (*source != Source::SelfPlay || plies != Plies::ONE) {
            return refuse("epsilon", "needs self-play at 1-ply: `source` selfplay and `ply` 1");
        }
        if !self.starts.is_empty() && !records.is_empty() {
            return refuse("starts", "needs games that are played: leave `records` out");
        }
        if self.starts.is_empty() && *start_chance != TrainSpec::default().start_chance {
            return refuse("start_chance", "needs `starts`, at which games begin");
        }
        if *source != Source::Observe && !records.is_empty() {
            let problem = format!("needs `source` observe, not {}", name_of(source));
            return refuse("records", problem);
        }
        match (source, &self.expert, records.as_slice()) {
            (Source::Observe, None, []) => refuse(
                "source",
                "observe needs games: give records with `records`, or the player with `expert`",
            ),
            (_, _, []) if unfinished.is_some() => {
                refuse("unfinished", "needs recorded games: give them with `records`")
            }
            (Source::SelfPlay, ..) => Ok(Games::SelfPlay { plies, epsilon: *epsilon }),
            (Source::Expert, Some(expert), _) => {
                Ok(Games::Versus { expert: expert.clone(), plies })
            }
            (Source::Expert, None, _) => {
                refuse("source", "expert needs an expert: give a net file or gnubg:N with `expert`")
            }
            (Source::Observe, Some(expert), []) => Ok(Games::Observe(expert.clone())),
            (Source::Observe, _, [_, _, ..]) if records.iter().any(|path| path == "-") => {
                refuse("records", "cannot combine '-' (standard input) with other records")
            }
            (Source::Observe, _, paths) => Ok(Games::Records {
                records: match paths {
                    [input] if input == "-" => RecordPaths::StandardInput,
                    paths => RecordPaths::Paths(paths.iter().map(PathBuf::from).collect()),
                },
                unfinished: unfinished.unwrap_or_default(),
            }),
        }
    }

    /// Which games begin elsewhere than at the start position.
    pub(in crate::train) fn starts_plan(&self) -> Option<Starts> {
        let TrainSpec { starts, start_chance, .. } = self;
        (!starts.is_empty()).then(|| Starts { kinds: starts.clone(), chance: *start_chance })
    }

    fn check_expert(&self, games: &Games) -> Result<(), ConfigError> {
        let plays = matches!(games, Games::Versus { .. } | Games::Observe(_));
        let learned = self.targets == Targets::Expert;
        match &self.expert {
            None if learned => refuse(
                "targets",
                "expert needs an expert: give a net file or gnubg:N with `expert`",
            ),
            Some(expert) if !plays && !learned => refuse(
                "expert",
                format!("{expert} is not used by this run: set `source` or `targets` to use it"),
            ),
            Some(PlayerSpec::Baseline(baseline)) => {
                refuse("expert", format!("must be a net or gnubg:N, not {}", baseline.name()))
            }
            Some(expert @ PlayerSpec::Ubgi(_)) => {
                refuse("expert", format!("must be a net or gnubg:N, not the UBGI engine {expert}"))
            }
            Some(
                expert @ (PlayerSpec::Net { depth: Some(_), .. }
                | PlayerSpec::PureTd { depth: Some(_), .. }
                | PlayerSpec::BuiltIn(Some(_))),
            ) => refuse(
                "expert",
                format!("plays at 1-ply: expected a net without plies, not {expert}"),
            ),
            _ => Ok(()),
        }
    }

    /// Whether positions are learned offline by differences between them, which can be those of one
    /// side.
    fn learns_positions_offline(&self) -> bool {
        matches!(self.method, Method::Td | Method::TdDirected)
            && self.update == UpdateTiming::Offline
    }

    fn successor(&self, games: &Games) -> Result<Successor, ConfigError> {
        let problem = match (self.successor, games) {
            (Successor::Turn, _) => return Ok(Successor::Turn),
            (Successor::OwnTurn, Games::Records { .. }) => {
                "own-turn needs games that are played for the run, which all end with a result; recorded games need not"
            }
            _ if !self.learns_positions_offline() => {
                "own-turn needs `method` td or td-directed and `update` offline"
            }
            _ if self.unforeseen == Unforeseen::Drop => {
                "own-turn needs `unforeseen` keep: an opponent's play lies within each difference"
            }
            _ => return Ok(Successor::OwnTurn),
        };
        refuse("successor", problem)
    }

    fn side(&self) -> Result<Option<Seat>, ConfigError> {
        match self.sides {
            Sides::Both => Ok(None),
            // The learner is the first of the two players in these games.
            Sides::Own if self.source == Source::Expert && self.learns_positions_offline() => {
                Ok(Some(Seat::X))
            }
            Sides::Own => refuse(
                "sides",
                "own needs `source` expert, `method` td or td-directed, and `update` offline",
            ),
        }
    }

    fn rule(&self, games: &Games) -> Result<Rule, ConfigError> {
        let successor = self.successor(games)?;
        self.check_steps()?;
        self.check_rootstrap()?;
        self.check_outputs()?;
        let side = self.side()?;
        let targets = match self.method {
            Method::Td | Method::TdDirected => {
                TargetRule::Td(Td { timing: self.update, successor, side })
            }
            Method::TdLeaf => TargetRule::TdLeaf,
            Method::RootStrap => TargetRule::RootStrap(RootStrap {
                classes: chosen(&self.classes),
                siblings: self.siblings,
                sibling_differences: self.sibling_differences,
                lookahead_lambda: self.lookahead_lambda,
                rollout_classes: chosen(&self.rollout_classes),
                rollouts: (self.rollout_games > 0).then_some(RolloutTargets {
                    games: self.rollout_games,
                    weight: self.rollout_weight,
                }),
                rollout_lambda: self.rollout_lambda,
                three_ply_above: (self.three_ply_above > 0.0).then_some(self.three_ply_above),
            }),
        };
        Ok(Rule {
            targets,
            unforeseen: match self.unforeseen {
                Unforeseen::Keep => UnforeseenGains::Keep,
                Unforeseen::Drop => UnforeseenGains::Drop(u32::from(self.plies().get())),
            },
            squash: (self.squash > 0.0).then_some(Squash { scale: self.squash }),
            steps: OfflineSteps { epochs: self.epochs, optimizer: self.optimizer },
            outputs: self.outputs,
        })
    }

    fn check_outputs(&self) -> Result<(), ConfigError> {
        let linear = self.preset.architecture().units.output == OutputActivation::Linear;
        let one_ply = self.plies() == Plies::ONE && self.eval_ply == Plies::ONE;
        let missing = match self.outputs {
            LearnedOutputs::All => None,
            LearnedOutputs::Average if self.method != Method::Td => Some("`method` td"),
            LearnedOutputs::Average if !one_ply => Some("`ply` and `eval_ply` of 1"),
            LearnedOutputs::Average if self.fine_tune > 0 => Some("`fine_tune` 0"),
            LearnedOutputs::Average if !self.all_outcomes => Some("`all_outcomes`"),
            LearnedOutputs::Average if !linear => Some("a `preset` with linear outputs"),
            LearnedOutputs::Average => None,
        };
        missing.map_or(Ok(()), |what| refuse("outputs", format!("average needs {what}")))
    }

    fn check_steps(&self) -> Result<(), ConfigError> {
        let online = self.update == UpdateTiming::Online;
        if self.unforeseen == Unforeseen::Drop && self.method == Method::RootStrap {
            return refuse(
                "unforeseen",
                "drop needs `method` td, td-directed or tdleaf, which learn differences",
            );
        }
        if online && !matches!(self.method, Method::Td | Method::TdDirected) {
            let method = name_of(&self.method);
            return refuse(
                "update",
                format!("online needs `method` td or td-directed, not {method}"),
            );
        }
        if online && self.epochs > 1 {
            return refuse(
                "epochs",
                "above 1 needs `update` offline: online each example is learned once",
            );
        }
        if self.optimizer != Optimizer::Sgd && (online || self.backprop == Backprop::Extended) {
            let name = name_of(&self.optimizer);
            let problem = format!("{name} needs `update` offline and `backprop` plain");
            return refuse("optimizer", problem);
        }
        if self.replay > 0 && !(self.method == Method::RootStrap && self.epochs > 1) {
            return refuse(
                "replay",
                "needs `epochs` of 2 or more and `method` rootstrap, whose targets stay valid",
            );
        }
        Ok(())
    }

    fn check_rootstrap(&self) -> Result<(), ConfigError> {
        for (field, is_set, what) in [
            ("bearoff", self.bearoff, "whose targets it corrects"),
            ("siblings", self.siblings > 0, "which learns each position separately"),
            ("lookahead_lambda", self.lookahead_lambda != 0.0, "whose targets it deepens"),
            (
                "rollout_classes",
                !self.rollout_classes.is_empty(),
                "whose targets reach to the end of games then",
            ),
            ("three_ply_above", self.three_ply_above != 0.0, "whose targets it deepens"),
            ("classes", !self.classes.is_empty(), "which learns each position separately"),
        ] {
            if is_set && self.method != Method::RootStrap {
                return refuse(field, format!("needs `method` rootstrap, {what}"));
            }
        }
        let is_learned = |class: &Class| self.classes.is_empty() || self.classes.contains(class);
        if !self.rollout_classes.is_empty() && !self.rollout_classes.iter().any(is_learned) {
            return refuse(
                "rollout_classes",
                "needs a class of `classes`, since positions of others are not learned",
            );
        }
        if self.siblings > MAX_SIBLINGS {
            let problem = format!("must be at most {MAX_SIBLINGS}, not {}", self.siblings);
            return refuse("siblings", problem);
        }
        if self.sibling_differences != 0.0 && self.siblings == 0 {
            return refuse("sibling_differences", "needs `siblings`, which it compares");
        }
        for (field, value, most, unit) in [
            ("sibling_differences", self.sibling_differences, MAX_DIFFERENCES, ""),
            ("lookahead_lambda", self.lookahead_lambda, 1.0, ""),
            ("rollout_lambda", self.rollout_lambda, 1.0, ""),
            ("rollout_weight", self.rollout_weight, 1.0, ""),
            ("three_ply_above", self.three_ply_above, MAX_POINTS, " points"),
        ] {
            if !(0.0..=most).contains(&value) {
                return refuse(field, format!("must be between 0 and {most}{unit}, not {value}"));
            }
        }
        if self.rollout_lambda != 1.0 && self.rollout_classes.is_empty() {
            return refuse("rollout_lambda", "needs `rollout_classes`, whose positions it moves");
        }
        if self.rollout_games > MAX_ROLLOUT_GAMES {
            let problem =
                format!("must be at most {MAX_ROLLOUT_GAMES}, not {}", self.rollout_games);
            return refuse("rollout_games", problem);
        }
        if self.rollout_games > 0 && self.rollout_classes.is_empty() {
            return refuse(
                "rollout_games",
                "needs `rollout_classes`, whose positions it rolls out",
            );
        }
        if self.rollout_games > 0 && self.rollout_lambda != 1.0 {
            let problem = "is for the rest of the game, which `rollout_games` replaces";
            return refuse("rollout_lambda", problem);
        }
        if self.rollout_games == 0 && self.rollout_weight != TrainSpec::default().rollout_weight {
            return refuse("rollout_weight", "needs `rollout_games`, whose result it weighs");
        }
        Ok(())
    }

    fn fine_tuning(&self) -> Result<Option<FineTuning>, ConfigError> {
        let TrainSpec { fine_tune, games, .. } = *self;
        if fine_tune == 0 {
            return Ok(None);
        }
        let by_td = self.source == Source::SelfPlay
            && self.targets == Targets::Own
            && self.method == Method::Td
            && self.update == UpdateTiming::Offline
            && self.optimizer == Optimizer::Sgd
            && self.gate_every == 0;
        if !by_td {
            return refuse(
                "fine_tune",
                "needs self-play, `method` td with targets of its own, `update` offline and `optimizer` sgd, without gates",
            );
        }
        if fine_tune >= games {
            return refuse(
                "fine_tune",
                format!("must be below {games}, the games of the run, not {fine_tune}"),
            );
        }
        Ok(Some(FineTuning { begin: games - fine_tune, games: fine_tune }))
    }

    fn start(&self) -> Result<Start, ConfigError> {
        for (field, hidden) in [("widen", self.widen), ("widen_races", self.widen_races)] {
            if hidden > 0 && (self.from.is_none() || hidden > MAX_HIDDEN as u64) {
                return refuse(
                    field,
                    format!(
                        "must be 1 to {MAX_HIDDEN} and needs `from`, the net file whose nets are widened"
                    ),
                );
            }
        }
        if self.specialize && self.from.is_none() {
            return refuse("specialize", "needs `from`, the net file whose nets classes share");
        }
        for (field, is_set) in [
            ("initial", self.initial != TrainSpec::default().initial),
            ("beta_initial", self.beta_initial.is_some()),
        ] {
            if is_set && self.from.is_some() {
                return refuse(field, "is for random weights: it cannot be used with `from`");
            }
        }
        let widen = [self.widen_races, self.widen];
        Ok(match &self.from {
            None => Start::Random,
            Some(path) => Start::Net {
                path: path.clone(),
                widen: widen
                    .map(|hidden| usize::try_from(hidden).expect("at most MAX_HIDDEN, as checked")),
                specialize: self.specialize,
            },
        })
    }
}

/// Which classes are listed; `None` for an empty list.
fn chosen(classes: &[Class]) -> Option<ByClass<bool>> {
    (!classes.is_empty()).then(|| ByClass::new(|class| classes.contains(&class)))
}

/// Refuses a schedule with a value outside of `range`, for which `holds` is false, and one that no
/// text denotes.
fn in_range(
    field: &'static str,
    range: &str,
    holds: &dyn Fn(f32) -> bool,
    schedule: &Schedule,
) -> Result<(), ConfigError> {
    if let Some(value) = schedule.values().into_iter().find(|value| !holds(*value)) {
        return refuse(field, format!("must be in {range}, not {value}"));
    }
    schedule.fault().map_or(Ok(()), |problem| refuse(field, problem))
}

fn refuse<T>(field: &'static str, problem: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError::new(field, problem))
}

/// A choice as it is written in a configuration.
fn name_of(choice: &impl Serialize) -> String {
    let value = serde_json::to_value(choice).expect("a choice is written as its name");
    value.as_str().expect("a choice is written as its name").to_owned()
}

#[cfg(test)]
mod tests;
