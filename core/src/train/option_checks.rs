//! The checks that turn the options of a training run ([`TrainSpec`]) into a valid [`TrainPlan`].

use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::Serialize;

use super::config_error::ConfigError;
use super::fine_tuning::FineTuning;
use super::game_source::Starts;
use super::method::Method;
use super::option_values::{Backprop, Sides, Source, Targets, Unforeseen};
use super::plan::{Games, OfflineSteps, RecordPaths, Start, StepRule, TdTiming, TrainPlan, Update};
use super::player_spec::PlayerSpec;
use super::schedule::Schedule;
use super::spec::TrainSpec;
use super::update_rule::{Optimizer, Squash, Successor, UnforeseenGains, UpdateTiming};
use crate::backgammon::Seat;
use crate::class::ByClass;
use crate::nn::MAX_HIDDEN;
use crate::search::Plies;

/// The largest capacity of a replay buffer, in examples: nine such buffers take half a gigabyte.
const MAX_REPLAY: u64 = 1_000_000;
/// More results of a roll than this are hardly ever near the best one.
const MAX_SIBLINGS: u32 = 20;

/// The most opponents of the tests: one plot shows them all.
const MAX_OPPONENTS: usize = 5;

impl TryFrom<TrainSpec> for TrainPlan {
    type Error = ConfigError;

    fn try_from(spec: TrainSpec) -> Result<TrainPlan, ConfigError> {
        spec.check_ranges()?;
        let games = spec.games_plan()?;
        let learns_expert = spec.targets == Targets::Expert;
        spec.check_expert(&games)?;
        let unforeseen = match spec.unforeseen {
            Unforeseen::Keep => UnforeseenGains::Keep,
            Unforeseen::Drop => UnforeseenGains::Drop(u32::from(spec.plies().get())),
        };
        let successor = spec.successor(&games)?;
        Ok(TrainPlan {
            games,
            learns_expert,
            update: spec.update_plan()?,
            squash: (spec.squash > 0.0).then_some(Squash { scale: spec.squash }),
            unforeseen,
            successor,
            side: spec.side()?,
            start: spec.start()?,
            fine_tuning: spec.fine_tuning()?,
            spec,
        })
    }
}

impl TrainSpec {
    /// Checks the options and makes a plan of them.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid option.
    pub fn plan(self) -> Result<TrainPlan, ConfigError> {
        self.try_into()
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
        let in_range =
            |field, range: &str, holds: &dyn Fn(f32) -> bool, schedule: &Schedule| match schedule
                .values()
                .into_iter()
                .find(|value| !holds(*value))
            {
                Some(value) => refuse(field, format!("must be in {range}, not {value}")),
                None => Ok(()),
            };
        in_range("alpha", "0..1, above 0", &|v| v > 0.0 && v <= 1.0, &self.alpha)?;
        in_range(
            "initial",
            "0..1, above 0",
            &|v| v > 0.0 && v <= 1.0,
            &Schedule::Constant(self.initial),
        )?;
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
        let TrainSpec { source, records, unfinished, epsilon, .. } = self;
        let plies = self.plies();
        if *epsilon > 0.0 && (*source != Source::SelfPlay || plies != Plies::ONE) {
            return refuse("epsilon", "needs self-play at 1-ply: `source` selfplay and `ply` 1");
        }
        if !self.starts.is_empty() && *source != Source::SelfPlay {
            return refuse("starts", "needs self-play: `source` selfplay");
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
            (Source::SelfPlay, ..) => {
                Ok(Games::SelfPlay { plies, epsilon: *epsilon, starts: self.starts_plan() })
            }
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

    fn starts_plan(&self) -> Option<Starts> {
        let TrainSpec { starts, start_chance, .. } = self;
        (!starts.is_empty()).then(|| Starts { classes: starts.clone(), chance: *start_chance })
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
            Some(PlayerSpec::Baseline(baseline)) => refuse(
                "expert",
                format!("must be a net file, built-in or gnubg:N, not {}", baseline.name()),
            ),
            Some(expert @ PlayerSpec::Ubgi(_)) => refuse(
                "expert",
                format!("must be a net file, built-in or gnubg:N, not the UBGI engine {expert}"),
            ),
            Some(
                expert @ (PlayerSpec::Net { plies: Some(_), .. } | PlayerSpec::BuiltIn(Some(_))),
            ) => refuse(
                "expert",
                format!("plays at 1-ply: expected a net without plies, not {expert}"),
            ),
            _ => Ok(()),
        }
    }

    /// Whether positions are learned offline by differences between them, which can be those of one side.
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

    fn update_plan(&self) -> Result<Update, ConfigError> {
        let TrainSpec { method, update, epochs, .. } = self;
        let method_name = name_of(method);
        let online = *update == UpdateTiming::Online;
        if online && !matches!(method, Method::Td | Method::TdDirected) {
            let problem = format!("online needs `method` td or td-directed, not {method_name}");
            return refuse("update", problem);
        }
        if online && *epochs > 1 {
            return refuse(
                "epochs",
                "above 1 needs `update` offline: online each example is learned once",
            );
        }
        let plain = self.backprop == Backprop::Plain;
        let beta_alpha = if plain { 0.0 } else { self.beta_alpha };
        let optimizer = match self.optimizer {
            Optimizer::Adam | Optimizer::Batch if online || !plain => {
                let name = name_of(&self.optimizer);
                let problem = format!("{name} needs `update` offline and `backprop` plain");
                return refuse("optimizer", problem);
            }
            Optimizer::Adam => StepRule::Adam,
            Optimizer::Batch => StepRule::Batch,
            Optimizer::Sgd => StepRule::Sgd { beta_alpha },
        };
        let steps = OfflineSteps { epochs: *epochs, optimizer };
        let rootstrap = *method == Method::RootStrap;
        if self.replay > 0 && !(rootstrap && *epochs > 1) {
            return refuse(
                "replay",
                "needs `epochs` of 2 or more and `method` rootstrap, whose targets stay valid",
            );
        }
        if self.bearoff && !rootstrap {
            return refuse("bearoff", "needs `method` rootstrap, whose targets it corrects");
        }
        if self.siblings > 0 && !rootstrap {
            return refuse(
                "siblings",
                "needs `method` rootstrap, which learns each position separately",
            );
        }
        if self.siblings > MAX_SIBLINGS {
            let problem = format!("must be at most {MAX_SIBLINGS}, not {}", self.siblings);
            return refuse("siblings", problem);
        }
        if self.lookahead_lambda != 0.0 && !rootstrap {
            return refuse(
                "lookahead_lambda",
                "needs `method` rootstrap, whose targets it deepens",
            );
        }
        if !(0.0..=1.0).contains(&self.lookahead_lambda) {
            let problem = format!("must be between 0 and 1, not {}", self.lookahead_lambda);
            return refuse("lookahead_lambda", problem);
        }
        if !self.classes.is_empty() && !rootstrap {
            return refuse(
                "classes",
                "needs `method` rootstrap, which learns each position separately",
            );
        }
        Ok(match method {
            Method::Td | Method::TdDirected if online => {
                Update::Td(TdTiming::Online { beta_alpha })
            }
            Method::Td | Method::TdDirected => Update::Td(TdTiming::Offline(steps)),
            Method::TdLeaf => Update::TdLeaf(steps),
            Method::RootStrap => Update::RootStrap {
                steps,
                replay: NonZeroUsize::new(
                    usize::try_from(self.replay).expect("at most MAX_REPLAY, as checked"),
                ),
                bearoff: self.bearoff,
                siblings: self.siblings,
                lookahead_lambda: self.lookahead_lambda,
                classes: (!self.classes.is_empty())
                    .then(|| ByClass::new(|class| self.classes.contains(&class))),
            },
        })
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
        let widen = [self.widen_races, self.widen];
        Ok(match &self.from {
            None => Start::Random,
            Some(path) => Start::Net {
                path: path.clone(),
                widen: widen
                    .map(|hidden| usize::try_from(hidden).expect("at most MAX_HIDDEN, as checked")),
            },
        })
    }
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
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut TrainSpec)) -> String {
        let mut spec = TrainSpec::default();
        change(&mut spec);
        spec.plan().expect_err("refused").to_string()
    }

    #[test]
    fn invalid_options_are_refused_with_the_expected_values() {
        assert!(TrainSpec::default().plan().is_ok());
        assert!(TrainSpec::gated().plan().is_ok());
        assert_eq!(refused(|s| s.games = 0), "`games`: must be at least 1, not 0");
        assert_eq!(
            refused(|s| s.alpha = Schedule::Constant(0.0)),
            "`alpha`: must be in 0..1, above 0, not 0"
        );
        assert_eq!(
            refused(|s| s.lambda = Schedule::Constant(1.5)),
            "`lambda`: must be in 0..1, not 1.5"
        );
        let leaves = refused(|s| (s.update, s.method) = (UpdateTiming::Online, Method::TdLeaf));
        assert!(leaves.contains("td or td-directed, not tdleaf"), "{leaves}");
        assert_eq!(refused(|s| s.squash = -1.0), "`squash`: must be in 0..10, not -1");
        assert_eq!(refused(|s| s.epsilon = f32::NAN), "`epsilon`: must be in 0..1, not NaN");
        assert_eq!(refused(|s| s.start_chance = 2.0), "`start_chance`: must be in 0..1, not 2");
        let start = crate::class::Class::of(&crate::backgammon::Position::START);
        let watched = refused(|s| (s.starts, s.source) = (vec![start], Source::Observe));
        assert_eq!(watched, "`starts`: needs self-play: `source` selfplay");
        assert!(
            refused(|s| (s.epsilon, s.ply) = (0.1, Some(Plies::TWO)))
                .contains("self-play at 1-ply")
        );
        assert_eq!(refused(|s| s.ply = Some(Plies::THREE)), "`ply`: must be 1 or 2, not 3");
        let adam = refused(|s| (s.optimizer, s.backprop) = (Optimizer::Adam, Backprop::Extended));
        assert_eq!(adam, "`optimizer`: adam needs `update` offline and `backprop` plain");
        let online = refused(|s| (s.epochs, s.update) = (2, UpdateTiming::Online));
        assert!(online.contains("learned once"), "{online}");
        let kept = refused(|s| (s.epochs, s.replay) = (2, 10));
        assert!(kept.contains("`method` rootstrap"), "{kept}");
        let once = refused(|s| (s.method, s.replay) = (Method::RootStrap, 10));
        assert!(once.contains("`epochs` of 2 or more"), "{once}");
        let much = refused(|s| s.replay = 1_000_001);
        assert_eq!(much, "`replay`: must be at most 1000000, not 1000001");
        let bare = refused(|s| s.widen_races = 8);
        assert!(bare.contains("`widen_races`") && bare.contains("`from`"), "{bare}");
        assert!(
            refused(|s| (s.from, s.widen) = (Some("x".into()), 1 << 40)).contains("must be 1 to")
        );
        assert!(refused(|s| s.bearoff = true).contains("`method` rootstrap"));
        assert!(refused(|s| s.lookahead_lambda = 0.5).contains("`method` rootstrap"));
        for lambda in [-0.1, 1.1, f32::NAN] {
            let problem = refused(|s| (s.method, s.lookahead_lambda) = (Method::RootStrap, lambda));
            assert!(problem.contains("must be between 0 and 1"), "{problem}");
        }
        assert!(
            refused(
                |s| s.classes = vec![crate::class::Class::of(&crate::backgammon::Position::START)]
            )
            .contains("`method` rootstrap")
        );
        assert_eq!(
            refused(|s| s.final_games = 5),
            "`final_games`: must be even, not 5: every sequence of dice is played from both seats"
        );
        let gate = refused(|s| s.gate_every = 30_000);
        assert!(gate.contains("must be a multiple of `eval_every` 25000, not 30000"), "{gate}");
    }

    #[test]
    fn plain_td_and_the_own_side_alone_need_games_that_have_them() {
        let own_turn = |s: &mut TrainSpec| s.successor = Successor::OwnTurn;
        let mut spec = TrainSpec::default();
        own_turn(&mut spec);
        assert!(spec.plan().is_ok());
        for (change, says) in [
            ((|s| s.method = Method::TdLeaf) as fn(&mut TrainSpec), "`method` td or td-directed"),
            (|s| s.update = UpdateTiming::Online, "`update` offline"),
            (|s| s.unforeseen = Unforeseen::Drop, "`unforeseen` keep"),
            (
                |s| (s.source, s.records) = (Source::Observe, vec!["a".into()]),
                "recorded games need not",
            ),
        ] {
            let error = refused(|s| {
                own_turn(s);
                change(s);
            });
            assert!(error.contains("`successor`") && error.contains(says), "{error}");
        }
        let alone = refused(|s| s.sides = Sides::Own);
        assert!(alone.contains("`sides`") && alone.contains("`source` expert"), "{alone}");
        let versus = TrainSpec {
            source: Source::Expert,
            expert: Some("x".parse().expect("a player")),
            sides: Sides::Own,
            ..TrainSpec::default()
        };
        assert_eq!(versus.plan().expect("a plan").side, Some(Seat::X));
    }

    #[test]
    fn an_expert_is_required_where_it_is_used_and_refused_elsewhere() {
        let named = |word: &str| Some(word.parse().expect("a player"));
        assert!(
            refused(|s| s.source = Source::Expert).contains("`source`: expert needs an expert")
        );
        assert!(
            refused(|s| s.targets = Targets::Expert).contains("`targets`: expert needs an expert")
        );
        assert!(refused(|s| s.expert = named("x")).contains("is not used"));
        for word in ["pubeval", "x:2", "built-in:3"] {
            let error = refused(|s| (s.expert, s.targets) = (named(word), Targets::Expert));
            assert!(error.starts_with("`expert`: "), "{error}");
        }
        let spec =
            TrainSpec { source: Source::Expert, expert: named("gnubg:2"), ..TrainSpec::default() };
        let plan = spec.plan().expect("a plan");
        assert!(
            matches!(plan.games(), Games::Versus { plies: Plies::ONE, .. })
                && !plan.learns_expert()
        );
    }

    #[test]
    fn games_to_observe_come_from_one_place() {
        let error = refused(|s| s.source = Source::Observe);
        assert!(error.contains("`records`") && error.contains("`expert`"), "{error}");
        let watch = |s: &mut TrainSpec| {
            s.source = Source::Observe;
            s.records = vec!["a".into()];
        };
        let mut spec = TrainSpec::default();
        watch(&mut spec);
        assert!(
            spec.to_command_line().starts_with("nonet train --source observe --records a --preset")
        );
        assert!(matches!(spec.plan().expect("a plan").games(), Games::Records { .. }));
        for (change, says) in [
            (
                (|s| s.expert = Some("x".parse().expect("a player"))) as fn(&mut TrainSpec),
                "is not used by this run",
            ),
            (|s| s.targets = Targets::Expert, "`targets`: expert needs an expert"),
            (|s| s.source = Source::SelfPlay, "`records`: needs `source` observe, not selfplay"),
            (|s| s.records.push("-".into()), "cannot combine '-'"),
            (
                |s| {
                    s.records = vec![];
                    s.expert = Some("x".parse().expect("a player"));
                    s.unfinished = Some(crate::train::Unfinished::Agreed);
                },
                "`unfinished`: needs recorded games",
            ),
        ] {
            let error = refused(|s| {
                watch(s);
                change(s);
            });
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_spec_is_read_back_from_its_file_and_unknown_names_are_refused() {
        let spec = TrainSpec {
            alpha: Schedule::Geometric { from: 0.1, to: 0.003, until: None },
            method: Method::RootStrap,
            ply: Some(Plies::TWO),
            ..TrainSpec::default()
        };
        let text = toml::to_string(&spec).expect("toml");
        assert_eq!(toml::from_str::<TrainSpec>(&text).expect("a spec"), spec);
        for (text, says) in [
            ("preset = \"huge\"", "expected one of large, small, hidden80"),
            ("optimizer = \"x\"", "expected one of `sgd`, `batch`, `adam`"),
            ("unfinished = \"so\"", "`agreed`, `bootstrap`"),
            ("classes = [\"sprint\"]", "unknown class 'sprint': expected one of endgame"),
            ("gaems = 3", "gaems"),
        ] {
            let error = toml::from_str::<TrainSpec>(text).expect_err(text).to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_run_folder_of_an_earlier_version_gives_the_same_plan() {
        let old = "source = \"selfplay\"\ntargets = \"own\"\nmethod = \"lookahead\"\nexplore = 0.1\n\
            update = \"offline\"\nbackprop = \"plain\"\nbeta_alpha = 0.01\nsquash = 0.0\nsurprises = \"keep\"\n\
            preset = \"swift\"\nendings = true\nclasses = [\"race\"]\ngames = 60\nalpha = \"0.003..0.001\"\n\
            lambda = \"0.6\"\nseed = 9\nbatch = 20\nepochs = 3\nmemory = 500\noptimizer = \"adam\"\n\
            average = 100000\neval_every = 60\neval_at = [100, 1000, 5000]\neval_games = 20\neval_ply = 1\n\
            against = \"pubeval\"\nrung = 0\n";
        let spec: TrainSpec = toml::from_str(old).expect("readable");
        let now = "nonet train --method rootstrap --epsilon 0.1 --preset swift --bearoff --classes race --games 60 \
            --alpha 0.003..0.001 --seed 9 --batch 20 --epochs 3 --replay 500 --optimizer adam --eval-every 60 \
            --eval-at 100,1000,5000 --eval-games 20";
        assert_eq!(spec.to_command_line(), now);
        let plan = spec.plan().expect("a plan");
        assert!(matches!(
            plan.update(),
            Update::RootStrap {
                steps: OfflineSteps { epochs: 3, optimizer: StepRule::Adam },
                replay: Some(_),
                bearoff: true,
                classes: Some(_),
                siblings: 0,
                lookahead_lambda: 0.0,
            }
        ));
        assert_eq!(Ok(plan), TrainSpec::from_command_line(now).expect("readable").plan());
    }
}
