//! How the players of `nonet eval` and `nonet tournament` are matched.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nonet::engine::Engine;
use nonet::eval::Evaluator;
use nonet::game::{MatchLength, SeriesConfig, SeriesRules, StreamPurpose};
use nonet::open::{NamedPlayer, PlayerSetup, PlayerSpec, SERIES_PLIES, count};
use nonet::search::{Plies, RollLuck, Search, SearchSettings};

use crate::cli::args::databases::databases;
use crate::cli::args::engine::CubeDepthArgs;
use crate::cli::args::filter::{FILTERS, FilterArg};
use crate::cli::args::nats::{Machines, NatsArgs};
use crate::cli::args::player::open;
use crate::cli::args::threads::pool;
use crate::cli::error::usage;

/// The options of commands that play series.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// Number of games or matches [default: 10000 or 1000]
    ///
    /// Each opponent plays 10,000 games, or 1,000 matches with --match. The number is even, because
    /// every sequence of dice is played from both seats.
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Games")]
    games: Option<u64>,
    // A doc comment could not name the constant.
    #[arg(
        long = "match",
        value_name = "N",
        conflicts_with = "money",
        help = format!("Play matches to N points, 1 to {}, with the cube", MatchLength::LONGEST),
        long_help = format!(
            "Play matches to N points, 1 to {}, with the cube.\n\nThe Crawford rule applies.",
            MatchLength::LONGEST
        ),
        help_heading = "Games"
    )]
    match_length: Option<u16>,
    /// Play money games with the cube.
    #[arg(long, help_heading = "Games")]
    money: bool,
    /// Money: gammons count only after a double.
    ///
    /// This is the Jacoby rule.
    #[arg(long, requires = "money", help_heading = "Games")]
    jacoby: bool,
    /// Money: beavers are allowed.
    ///
    /// The player who is doubled may double again at once and keep the cube.
    #[arg(long, requires = "money", help_heading = "Games")]
    beavers: bool,
    /// Seed of the dice.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Games")]
    seed: u64,
    /// New dice for every game instead of duplicate dice.
    #[arg(long, help_heading = "Games", hide_long_help = true)]
    no_duplicate: bool,
    /// Search depth of nets and gnubg in plies, 1 to 4.
    ///
    /// 1 is the static evaluation. `NET:N` sets the depth of one player.
    #[arg(
        long,
        value_name = "N",
        default_value = SERIES_PLIES.digit(),
        help_heading = "Players"
    )]
    ply: Plies,
    /// Move filter of nets at 2 plies and more.
    #[arg(
        long,
        value_name = "FILTER",
        long_help = format!("Move filter of nets at 2 plies and more.\n\n{FILTERS}"),
        help_heading = "Players",
        hide_long_help = true
    )]
    filter: Option<FilterArg>,
    #[command(flatten)]
    cube: CubeDepthArgs,
    /// Nets use the bearoff databases.
    ///
    /// `nonet bearoff` makes them.
    #[arg(long, alias = "endings", help_heading = "Players")]
    bearoff: bool,
    /// Time limit of one decision of an engine.
    ///
    /// It applies to gnubg and UBGI engines.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = PlayerSetup::TIMEOUT.as_secs_f64(),
        value_parser = seconds,
        help_heading = "Players"
    )]
    engine_timeout: f64,
    /// Judge cube decisions by the built-in net at N plies.
    ///
    /// Counts wrong and missed doubles, takes and drops of both sides, and what they cost.
    #[arg(long, value_name = "N", help_heading = "Results")]
    judge_cube: Option<Plies>,
    /// Remove the luck of the rolls from the results.
    ///
    /// The built-in net estimates the luck. The means stay the same and the errors shrink, except
    /// for players who are far weaker than that net. Only 1-ply games become slower.
    #[arg(long, help_heading = "Results")]
    luck_adjusted: bool,
    /// Show how long the players take for a decision.
    ///
    /// Times are comparable with --threads 1 on an idle machine.
    #[arg(long, help_heading = "Results")]
    pub(crate) time: bool,
    /// Number of threads [default: one per processor]
    ///
    /// The results do not depend on it. Each thread has its own process of an external engine.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    nats: NatsArgs,
    /// Print JSON, one line a result.
    #[arg(long, help_heading = "Results")]
    pub(crate) json: bool,
    /// Plot the results.
    ///
    /// The plot shows points per game, or match winning chances. `nonet eval --time` plots points
    /// per game over the time for a play.
    #[arg(long, value_name = "FILE.svg", help_heading = "Results")]
    pub(crate) plot: Option<PathBuf>,
}

/// The longest time limit that can be set: a day.
const LONGEST: f64 = 86_400.0;

fn seconds(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|seconds| (0.001..=LONGEST).contains(seconds));
    found.ok_or_else(|| format!("invalid time limit '{text}': expected 0.001 to {LONGEST} seconds"))
}

/// An option about the cube in games without one.
fn no_cube(option: &str) -> anyhow::Error {
    usage(format!("{option} needs a cube: add --money or --match N"))
}

impl MatchArgs {
    /// How the series are played, and the threads to play them with.
    pub(crate) fn check(&self) -> anyhow::Result<(SeriesConfig, rayon::ThreadPool)> {
        let rules = self.rules()?;
        if rules == SeriesRules::Cubeless && !self.cube.words().is_empty() {
            return Err(no_cube("--cube-ply"));
        }
        let games = self.games(rules);
        if games == 0 {
            return Err(usage("--games must be at least 1, not 0"));
        }
        let MatchArgs { seed, no_duplicate, threads, .. } = *self;
        if !no_duplicate && !games.is_multiple_of(2) {
            return Err(usage(format!(
                "--games must be even, not {games}: every sequence of dice is played from both seats \
                 (--no-duplicate plays it once)"
            )));
        }
        let purpose = StreamPurpose::Match;
        let config = SeriesConfig { games, duplicate: !no_duplicate, rules, seed, purpose };
        Ok((config, pool(threads)?))
    }

    /// Who plays the games.
    pub(crate) fn machines(&self) -> anyhow::Result<Machines> {
        let machines = self.nats.connect()?;
        if machines.are_many() && (self.time || self.judge_cube.is_some()) {
            return Err(usage(
                "--time and --judge-cube watch the players of this machine: leave them out, or --nats",
            ));
        }
        Ok(machines)
    }

    fn rules(&self) -> anyhow::Result<SeriesRules> {
        let MatchArgs { match_length, money, jacoby, beavers, .. } = *self;
        Ok(match match_length {
            Some(points) => SeriesRules::Match(MatchLength::new(points).map_err(usage)?),
            None if money => SeriesRules::Money { jacoby, beavers },
            None => SeriesRules::Cubeless,
        })
    }

    /// The judge of cube decisions.
    pub(crate) fn cube_judge(&self) -> anyhow::Result<Option<Engine>> {
        let Some(plies) = self.judge_cube else { return Ok(None) };
        if self.rules()? == SeriesRules::Cubeless {
            return Err(no_cube("--judge-cube"));
        }
        let mut engine = Engine::builder().plies(plies).cube_plies(plies);
        if self.bearoff {
            engine = engine.bearoff(databases()?);
        }
        Ok(Some(engine.build()?))
    }

    fn games(&self, rules: SeriesRules) -> u64 {
        let is_match = matches!(rules, SeriesRules::Match(_));
        self.games.unwrap_or(if is_match { 1000 } else { 10_000 })
    }

    /// Who estimates the luck, if it is taken out.
    pub(crate) fn luck(&self) -> anyhow::Result<Option<RollLuck<Arc<dyn Evaluator>>>> {
        if !self.luck_adjusted {
            return Ok(None);
        }
        let engine = Engine::builder().plies(Plies::ONE).build()?;
        let search = Search::new(engine.evaluator(), Plies::ONE, SearchSettings::NORMAL);
        Ok(Some(RollLuck::new(search)))
    }

    /// The options as they are written on the command line.
    pub(crate) fn words(&self, config: &SeriesConfig) -> String {
        let mut words = format!("--games {} --seed {}", config.games, self.seed);
        match config.rules {
            SeriesRules::Cubeless => {}
            SeriesRules::Match(length) => words += &format!(" --match {}", length.points()),
            SeriesRules::Money { jacoby, beavers } => {
                words += " --money";
                words += if jacoby { " --jacoby" } else { "" };
                words += if beavers { " --beavers" } else { "" };
            }
        }
        if self.ply != SERIES_PLIES {
            words += &format!(" --ply {}", self.ply.get());
        }
        if let Some(filter) = &self.filter {
            words += &format!(" --filter {filter}");
        }
        words += &self.cube.words();
        words += if self.bearoff { " --bearoff" } else { "" };
        words += if self.luck_adjusted { " --luck-adjusted" } else { "" };
        words + if self.no_duplicate { " --no-duplicate" } else { "" }
    }

    /// Opens a player.
    pub(crate) fn open(&self, spec: &PlayerSpec) -> anyhow::Result<NamedPlayer> {
        let bearoff = if self.bearoff { Some(databases()?) } else { None };
        let timeout = Duration::from_secs_f64(self.engine_timeout);
        let rules = self.rules()?;
        let (plies, cube_plies, bearoff) = (self.ply, self.cube.cube_ply, bearoff.as_ref());
        let search = self.filter.as_ref().map_or(SearchSettings::NORMAL, |filter| filter.search);
        open(
            spec,
            &PlayerSetup {
                plies,
                cube_plies,
                bearoff,
                rules,
                timeout,
                search,
                all_outcomes: false,
            },
        )
    }
}
