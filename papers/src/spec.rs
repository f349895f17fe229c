//! The TOML format of an experiment: its variants, tests, matches, panels and the paper's figures.

use serde::{Deserialize, Serialize};

use super::server::ServerSpec;
use nonet_engine::engine::EngineError;
use nonet_engine::eval::ExternalFailure;
use nonet_engine::open::{OpenError, PlayerSpecError};
use nonet_engine::search::{DoublingRule, PliesError};
use nonet_engine::store::StoreError;
use nonet_report::ReportError;
use nonet_training::train::{ConfigError, OpenRunError, PlayerSpec, TrainError};

/// An experiment of a paper.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name in commands and of its folder.
    pub name: String,
    /// The question, as the title of the report.
    pub title: String,
    /// The paper, with the table or section.
    pub paper: String,
    /// The authors' conclusion.
    pub claim: String,
    /// The size of the authors' own experiment; without it the report compares no sizes.
    #[serde(default)]
    pub paper_size: Option<Size>,
    /// The size of the authors' experiment in words, where it has other parts than ours, as in
    /// "matches of 288 games".
    #[serde(default)]
    pub paper_size_in_words: Option<String>,
    /// Cuts that the numbers of `paper_size` do not show, as in "10000 games where the authors
    /// trained until no more progress".
    #[serde(default)]
    pub cut: Option<String>,
    /// In what else this experiment differs from the paper's; each is a line of the report.
    #[serde(default)]
    pub differs: Vec<String>,
    /// Games of each simulation; 0 without variants.
    #[serde(default)]
    pub games: u64,
    /// Games between regular tests; 0 for none but those of `eval_at` and the one at the end.
    #[serde(default)]
    pub eval_every: u64,
    /// Additional tests after these numbers of games.
    #[serde(default)]
    pub eval_at: Vec<u64>,
    /// Games of each test.
    #[serde(default)]
    pub test_games: u64,
    /// Whether every test has dice of its own.
    #[serde(default = "yes")]
    pub fresh_dice: bool,
    /// Numbers of games with a test in the table, added to the paper's tests and the last one.
    #[serde(default)]
    pub show: Vec<u64>,
    /// Whether each test is replaced by the mean of it and its neighbours, as in the paper's Figure
    /// 1 and Table 2.
    #[serde(default)]
    pub smooth: bool,
    /// Simulations of each variant.
    pub repeats: u64,
    /// The figure of the tests that is shown.
    #[serde(default)]
    pub metric: Metric,
    /// Whether the report compares the shares of classes among the positions learned from with the
    /// paper's.
    #[serde(default)]
    pub classes: bool,
    /// Whether the report says after how many games each variant reached its plateau.
    #[serde(default)]
    pub plateau: bool,
    /// Two numbers of games. The report says how far each variant is from the paper's figures, and
    /// how much it gains from the first number to the second. None if absent.
    #[serde(default)]
    pub(super) fit: Option<[u64; 2]>,
    /// New matches of the best net of each simulation; none if absent.
    #[serde(default)]
    pub retest: Option<RetestSpec>,
    /// Games that are recorded before the first simulation, for the option
    /// `records = ["recorded"]`.
    #[serde(default)]
    pub record: Option<RecordSpec>,
    /// A practice server, for the option `records = ["server"]`.
    #[serde(default)]
    pub server: Option<ServerSpec>,
    /// The options that all variants have in common, as in a run's `config.toml`; `from = "expert"`
    /// is the expert's net.
    #[serde(default)]
    pub(super) base: toml::Table,
    /// The variants that are compared; none if the experiment consists of matches alone.
    #[serde(default, rename = "variant")]
    pub variants: Vec<Variant>,
    /// The figures of the report; one with all variants if there are none.
    #[serde(default, rename = "panel")]
    pub panels: Vec<PanelSpec>,
    /// Matches between variants at the end.
    #[serde(default, rename = "match")]
    pub(super) matches: Vec<MatchSpec>,
    /// Matches of every variant against every other one at the end.
    #[serde(default)]
    pub(super) round_robin: Option<RoundRobinSpec>,
    /// Which weights are shown of linear nets on PubEval's inputs; none if absent.
    #[serde(default)]
    pub(super) weights: Option<WeightsSpec>,
    /// Rankings of some of the players, in addition to that of all variants.
    #[serde(default, rename = "ranking")]
    pub(super) rankings: Vec<RankingSpec>,
    /// How learning works here, for readers; the report then sketches it.
    #[serde(default)]
    pub(super) learning: Option<LearningSpec>,
}

/// The parts of the learning loop in words, each one sentence or two.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LearningSpec {
    /// Who plays the games that are learned from.
    pub(super) games: String,
    /// Which positions of a game are learned.
    pub(super) positions: String,
    /// What value a position is moved towards.
    pub(super) target: String,
    /// How the weights change.
    pub(super) step: String,
}

fn yes() -> bool {
    true
}

/// The size of an experiment. All four numbers have to be said, so that none is forgotten where a
/// report claims the paper's size.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Games that each simulation learns from.
    pub games: u64,
    /// Tests of each simulation; 0 if the paper has none.
    pub tests: u64,
    /// Games of each test; 0 likewise.
    pub test_games: u64,
    /// Simulations of each variant.
    pub repeats: u64,
}

/// New matches of the nets that were best in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetestSpec {
    /// Matches against the expert.
    pub matches: u64,
    /// Games of each, at full scale.
    pub games: u64,
}

/// Games to record before the first simulation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordSpec {
    /// Games, at full scale.
    pub games: u64,
    /// Who plays both sides: `expert`, or a player as on the command line.
    pub player: String,
}

/// The figure of a test that an experiment shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The share of all points won, 0..1; 0.5 is parity. One of two readings of the paper's
    /// "equity".
    #[default]
    Share,
    /// The share of games won, 0..1; 0.5 is parity. The other reading.
    Wins,
    /// The rating on a practice server.
    Rating,
    /// Points per game, -3..3; 0 is parity.
    Ppg,
    /// The size of the weights: the root mean square of the weights and biases of all nets. Of
    /// sensitivities there is none in it.
    Size,
}

impl Metric {
    /// The ends of its axis, for shares: 0 and 1.
    pub(super) const fn limits(self) -> [f64; 2] {
        match self {
            Metric::Share | Metric::Wins => [0.0, 1.0],
            Metric::Rating | Metric::Ppg | Metric::Size => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

/// A figure of the report: the curves of some variants.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelSpec {
    /// The name of its file, such as `figure-1-left`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The names of its variants; empty for all.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The first number of games that is drawn.
    #[serde(default)]
    pub from: u64,
    /// Whether it shows the matches at the end instead of curves.
    #[serde(default)]
    pub matches: bool,
    /// The opponent of matches at several depths: it shows what the variants win against it over
    /// the depth of play, instead of curves. A side as in [`MatchSpec::away`].
    #[serde(default)]
    pub against: Option<String>,
    /// The variant of the plot of weights over games, which replaces the plot of its results.
    #[serde(default)]
    pub weights: Option<String>,
    /// The figure of its curves, if not that of the experiment: the other one that its report
    /// shows.
    #[serde(default)]
    pub metric: Option<Metric>,
    /// What the caption adds to the number of simulations and the kinds of marks.
    #[serde(default)]
    pub caption: String,
    /// Whether the axis of games is logarithmic.
    #[serde(default)]
    pub logarithmic: bool,
    /// Whether each simulation has a thin line behind the mean.
    #[serde(default)]
    pub runs: bool,
    /// A figure that the authors print in their text, drawn as a line: its value and its label.
    #[serde(default)]
    pub line: Option<(f64, String)>,
}

impl PanelSpec {
    /// Whether it shows learning curves.
    pub(super) fn has_curves(&self) -> bool {
        !self.matches && self.against.is_none() && self.weights.is_none()
    }

    /// Whether it shows this match over the depth of play: both sides search equally deep, and the
    /// second is the panel's opponent.
    pub(super) fn shows_depth_of(&self, planned: &MatchSpec) -> bool {
        let [a, b] = planned.plies;
        self.against.as_deref() == Some(planned.away.as_str()) && a == b
    }

    /// Whether it shows this variant.
    pub(super) fn draws(&self, variant: &Variant) -> bool {
        self.variants.is_empty() || self.variants.contains(&variant.name)
    }
}

/// A match between two fully trained teams.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The side with the shown result: a variant, `expert`, or a player outside the experiment:
    /// `champion`, `gnubg:N` or a baseline, as on the command line.
    pub home: String,
    /// The opponent, likewise.
    pub away: String,
    /// Search depth of each side in plies, 1 to 4.
    pub plies: [u8; 2],
    /// Games for each simulation, at full scale; with `paper` the games of all matches.
    pub games: u64,
    /// The doubling rule of each side; without it there is no cube. Players outside the experiment
    /// double as they do.
    #[serde(default)]
    pub cubes: Option<[DoublingRule; 2]>,
    /// The paper's matches. If there are any, ours are as long, as many as `games` allows, and
    /// every game has dice of its own, as theirs had.
    #[serde(default)]
    pub paper: Option<PaperMatches>,
}

/// The results of a paper's short matches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperMatches {
    /// Games of each.
    pub games: u64,
    /// The points of the first side less those of the second, for each match.
    pub points: Vec<i64>,
    /// The games that the first side won of each match, where the paper says so.
    #[serde(default)]
    pub won: Vec<u64>,
}

impl MatchSpec {
    /// The number of its series, and the games of each, with `repeats` simulations.
    #[must_use]
    pub fn series(&self, repeats: u64) -> (u64, u64) {
        match &self.paper {
            Some(paper) => ((self.games / paper.games).max(1), paper.games),
            None => (repeats, self.games),
        }
    }
}

/// Who plays a side of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchSide {
    /// The team of a variant, by its index.
    Variant(usize),
    /// The expert.
    Expert,
    /// A player that is neither.
    Outside(PlayerSpec),
}

/// The players of a round robin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundRobinSpec {
    /// Games of each match for each simulation, at full scale.
    games: u64,
    /// Search depths in plies: at each of them all variants play all others.
    plies: Vec<u8>,
}

/// The weights that are shown of linear nets on PubEval's inputs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WeightsSpec {
    /// The names of the inputs without the side, as in `point 5: 2 or more`.
    pub(super) shown: Vec<String>,
}

/// A ranking of some players of a round robin, such as those that the paper ranks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RankingSpec {
    /// What the report says above it.
    pub(super) title: String,
    /// Search depth of both sides in plies.
    pub(super) plies: u8,
    /// The players, with the paper's scores.
    pub(super) paper: Vec<(String, f64)>,
}

/// The name of the expert among the sides of a match.
pub const EXPERT: &str = "expert";

/// The name of the recorded games among the records of a variant.
pub(super) const RECORDED: &str = "recorded";

/// One of the configurations that an experiment compares.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name in tables.
    pub name: String,
    /// The paper's figures, in the experiment's metric, by number of games.
    #[serde(default)]
    pub paper: Vec<(u64, f64)>,
    /// The paper's best single test, with the number of games before it.
    #[serde(default)]
    pub paper_max: Option<(u64, f64)>,
    /// Games of each of its simulations, if not as many as the experiment says.
    #[serde(default)]
    pub games: Option<u64>,
    /// A variant that stands before this one. Each simulation begins with the net of its simulation
    /// with the same number.
    #[serde(default)]
    pub(super) after: Option<String>,
    /// The options that differ from the base.
    #[serde(default)]
    pub(super) set: toml::Table,
}

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExperimentError {
    #[error("the experiment '{name}' is unknown; known are {known}, and TOML files of your own")]
    Unknown { name: String, known: String },
    #[error("invalid experiment '{name}': {reason}")]
    Data { name: String, reason: String },
    #[error("invalid variant '{variant}' of the experiment '{name}'")]
    Config {
        name: String,
        variant: String,
        #[source]
        cause: ConfigError,
    },
    #[error("the folder {folder} holds {found}, not {wanted}: choose another one with --out")]
    OtherFolder { folder: String, found: String, wanted: String },
    #[error("{file} is {problem}")]
    Cell { file: String, problem: String },
    #[error("the expert '{expert}' is no net, but this experiment needs one: {why}")]
    NotANet { expert: String, why: &'static str },
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error(transparent)]
    File(#[from] StoreError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Plies(#[from] PliesError),
    #[error(transparent)]
    Player(#[from] PlayerSpecError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Outside(#[from] ExternalFailure),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    OpenRun(#[from] OpenRunError),
    #[error("the simulation of '{variant}' with seed {seed} failed: {cause}")]
    Simulation { variant: String, seed: u64, cause: Box<ExperimentError> },
    #[error("stopped while the players of the server got their ratings")]
    Stopped,
}

impl Experiment {
    /// Whether it makes the same simulations and matches as another definition. Their texts, the
    /// paper's figures, and what is shown of the results may differ.
    #[must_use]
    pub fn runs_like(&self, other: &Experiment) -> bool {
        let bare = |experiment: &Experiment| {
            let mut bare = Experiment {
                title: String::new(),
                paper: String::new(),
                claim: String::new(),
                paper_size: None,
                paper_size_in_words: None,
                cut: None,
                differs: Vec::new(),
                show: Vec::new(),
                smooth: false,
                classes: false,
                plateau: false,
                fit: None,
                panels: Vec::new(),
                rankings: Vec::new(),
                learning: None,
                ..experiment.clone()
            };
            for variant in &mut bare.variants {
                (variant.paper, variant.paper_max) = (Vec::new(), None);
            }
            // Whether there are weights decides what a run keeps, and the paper's number of games
            // is that of each match.
            if let Some(weights) = &mut bare.weights {
                weights.shown.clear();
            }
            for paper in bare.matches.iter_mut().filter_map(|planned| planned.paper.as_mut()) {
                (paper.points, paper.won) = (Vec::new(), Vec::new());
            }
            bare
        };
        bare(self) == bare(other)
    }

    /// The panels; one with all variants if it names none.
    pub(super) fn drawn_panels(&self) -> Vec<PanelSpec> {
        if !self.panels.is_empty() {
            return self.panels.clone();
        }
        vec![PanelSpec {
            name: "plot".to_owned(),
            title: self.title.clone(),
            ..PanelSpec::default()
        }]
    }

    /// Who plays a side of a match; `None` if the name is unknown.
    #[must_use]
    pub fn side(&self, name: &str) -> Option<MatchSide> {
        if name == EXPERT {
            return Some(MatchSide::Expert);
        }
        let outside = || match name.parse() {
            Ok(
                PlayerSpec::Net { .. }
                | PlayerSpec::Ubgi(_)
                | PlayerSpec::Exact(_)
                | PlayerSpec::PureTd { .. },
            )
            | Err(_) => None,
            Ok(player) => Some(MatchSide::Outside(player)),
        };
        self.place(name).map(MatchSide::Variant).or_else(outside)
    }

    /// The index of a side of a match among the variants; `None` for the others.
    #[must_use]
    pub fn place(&self, side: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.name == side)
    }

    /// Whether a match or a later simulation needs the nets of a variant.
    pub(super) fn needs_nets_of(&self, variant: &Variant) -> bool {
        let name = &variant.name;
        let plays = |planned: &MatchSpec| [&planned.home, &planned.away].contains(&name);
        self.variants.iter().any(|later| later.after.as_ref() == Some(name))
            || self.matches(1.0).iter().any(plays)
    }

    /// How many variants' nets come before that of a variant: 0 if it begins with random weights or
    /// a net of another kind.
    pub(super) fn stage(&self, variant: &Variant) -> usize {
        let before = variant.after.as_ref().and_then(|name| self.place(name));
        before.map_or(0, |place| 1 + self.stage(&self.variants[place]))
    }

    /// The search depths of the round robin.
    pub(super) fn round_robin_plies(&self) -> &[u8] {
        self.round_robin.as_ref().map_or(&[], |all| &all.plies)
    }

    /// All matches between trained teams, with their numbers of games scaled by `scale`.
    #[must_use]
    pub fn matches(&self, scale: f64) -> Vec<MatchSpec> {
        let mut matches = self.matches.clone();
        for &ply in self.round_robin.iter().flat_map(|all| &all.plies) {
            for (i, home) in self.variants.iter().enumerate() {
                let planned = |away: &Variant| MatchSpec {
                    home: home.name.clone(),
                    away: away.name.clone(),
                    plies: [ply; 2],
                    games: self.round_robin.as_ref().map_or(0, |all| all.games),
                    cubes: None,
                    paper: None,
                };
                matches.extend(self.variants[i + 1..].iter().map(planned));
            }
        }
        for planned in &mut matches {
            planned.games = scaled_games(planned.games, scale);
        }
        matches
    }
}

/// The scaled number of games of a test or match. Both are shortened to a tenth at most: shorter
/// ones would be too noisy.
pub(super) fn scaled_games(games: u64, scale: f64) -> u64 {
    ((games as f64 * scale.max(0.1)).round() as u64).next_multiple_of(2).max(4)
}
