//! Players by name, and how they are matched.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::bearoff::BearoffDatabases;
use nonet::engine::{Engine, built_in_net};
use nonet::eval::{Evaluator, External, ExternalFailure};
use nonet::game::{Baseline, Player, StreamPurpose};
use nonet::game::{SeriesConfig, SeriesRules};
use nonet::protocol::gnubg::Gnubg;
use nonet::search::Plies;
use nonet::store::{NetFile, read_net};
use nonet::train::PlayerSpec;

use super::bearoff::databases;
use super::{pool, usage};

/// The name of the net that is compiled in.
pub(crate) const BUILT_IN: &str = "built-in";

/// A player and its name.
pub(crate) struct Opponent {
    /// Short: the baseline, or the file name without its ending.
    pub(crate) name: String,
    pub(crate) player: Arc<dyn Player>,
}

impl Opponent {
    /// An error if an external engine has failed: the games played with it are void.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        check(self.player.failure())
    }
}

/// An error if there is a failure of an external engine.
pub(crate) fn check(failure: Option<&ExternalFailure>) -> anyhow::Result<()> {
    match failure {
        Some(failure) => Err(anyhow::Error::new(failure.clone())),
        None => Ok(()),
    }
}

/// Starts gnubg: the program that `GNUBG` names, or `gnubg`, which Debian keeps among the games.
fn open_gnubg(plies: Plies) -> anyhow::Result<External<Gnubg>> {
    let games = Path::new("/usr/games/gnubg");
    let program = match std::env::var_os("GNUBG") {
        Some(program) => PathBuf::from(program),
        None if games.is_file() => games.to_owned(),
        None => PathBuf::from("gnubg"),
    };
    Ok(External::new(Gnubg::start(&program, plies)?))
}

/// Opens a player: a baseline, gnubg, the built-in net, or a net file. It plays at `plies` unless its name sets a depth; nets
/// look positions up in the bearoff databases, if there are any.
pub(crate) fn open(
    spec: &PlayerSpec,
    plies: Plies,
    bearoff: Option<&Arc<BearoffDatabases>>,
) -> anyhow::Result<Opponent> {
    match spec {
        PlayerSpec::Baseline(baseline) => {
            Ok(Opponent { name: spec.to_string(), player: baseline.player() })
        }
        PlayerSpec::Gnubg(own) => {
            let plies = own.unwrap_or(plies);
            let name = format!("gnubg:{}", plies.get());
            Ok(Opponent { name, player: Arc::new(open_gnubg(plies)?) })
        }
        PlayerSpec::BuiltIn(_) | PlayerSpec::Net { .. } => {
            let (path, plies) = path_of(spec, plies);
            let engine = open_net(spec, &path, plies, bearoff)?;
            let depth =
                if plies == Plies::ONE { String::new() } else { format!(":{}", plies.get()) };
            Ok(Opponent { name: stem(Path::new(&path)) + &depth, player: engine.player() })
        }
    }
}

/// Opens an evaluator: gnubg, the built-in net, or a net file, at `plies` unless its name sets a depth. Nets look positions up
/// in the bearoff databases, if there are any.
pub(crate) fn open_evaluator(
    spec: &PlayerSpec,
    plies: Plies,
    bearoff: Option<&Arc<BearoffDatabases>>,
) -> anyhow::Result<Arc<dyn Evaluator>> {
    if let PlayerSpec::Gnubg(own) = spec {
        return Ok(Arc::new(open_gnubg(own.unwrap_or(plies))?));
    }
    let (path, plies) = path_of(spec, plies);
    Ok(open_net(spec, &path, plies, bearoff)?.evaluator())
}

/// The net that a player is, and its depth: that of its name, or `plies`.
fn path_of(spec: &PlayerSpec, plies: Plies) -> (String, Plies) {
    let whole = spec.to_string();
    match spec {
        PlayerSpec::BuiltIn(own) => (BUILT_IN.to_owned(), own.unwrap_or(plies)),
        // A file whose own name ends like a depth is that file.
        PlayerSpec::Net { path, plies: own } if !Path::new(&whole).is_file() => {
            (path.clone(), own.unwrap_or(plies))
        }
        _ => (whole, plies),
    }
}

fn open_net(
    spec: &PlayerSpec,
    path: &str,
    plies: Plies,
    bearoff: Option<&Arc<BearoffDatabases>>,
) -> anyhow::Result<Engine> {
    if path != BUILT_IN && !Path::new(path).is_file() {
        let known = Baseline::ALL.map(Baseline::name).join(", ");
        return Err(usage(format!(
            "unknown player '{spec}': expected a net file, {BUILT_IN}, {known} or gnubg:N"
        )));
    }
    let mut engine = Engine::builder().net(open_team(path)?.team).plies(plies);
    if let Some(databases) = bearoff {
        engine = engine.bearoff(Arc::clone(databases));
    }
    Ok(engine.build()?)
}

/// Opens a net file, or the net that is built in.
pub(crate) fn open_team(word: &str) -> anyhow::Result<NetFile> {
    if word == BUILT_IN {
        return Ok(built_in_net());
    }
    if !Path::new(word).is_file() {
        return Err(usage(format!(
            "unknown net '{word}': expected an existing net file or built-in"
        )));
    }
    read_net(Path::new(word)).map_err(usage)
}

/// A player and evaluator to learn from.
#[derive(Clone)]
pub(crate) struct Expert {
    pub(crate) player: Arc<dyn Player>,
    pub(crate) evaluator: Arc<dyn Evaluator>,
}

/// Opens an expert: gnubg, the built-in net, or a net file.
pub(crate) fn open_expert(spec: &PlayerSpec) -> anyhow::Result<Expert> {
    if let PlayerSpec::Gnubg(plies) = spec {
        let gnubg = open_gnubg(plies.unwrap_or(Plies::ONE))?;
        return Ok(Expert { player: Arc::new(gnubg.clone()), evaluator: Arc::new(gnubg) });
    }
    let path = spec.to_string();
    if path != BUILT_IN && !Path::new(&path).is_file() {
        return Err(usage(format!(
            "unknown expert '{spec}': expected an existing net file, built-in or gnubg:N"
        )));
    }
    let engine = Engine::builder().net(open_team(&path)?.team).plies(Plies::ONE).build()?;
    Ok(Expert { player: engine.player(), evaluator: engine.evaluator() })
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Players as the command line names them.
pub(crate) fn in_words(players: &[PlayerSpec]) -> String {
    players.iter().map(PlayerSpec::to_string).collect::<Vec<_>>().join(" ")
}

/// The options of commands that play matches.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// Money games without a cube for each match; an even number, as every sequence of dice is played from both seats.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) games: u64,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// New dice for every game instead of duplicate dice.
    #[arg(long)]
    pub(crate) no_duplicate: bool,
    /// Search depth of nets in plies, 1 (static) to 4; `FILE:N` sets it for one player.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) ply: Plies,
    /// Nets use the bearoff databases (see `nonet bearoff`).
    #[arg(long, alias = "endings")]
    pub(crate) bearoff: bool,
    /// Threads; the result does not depend on it. [default: as many as the machine has]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Results as JSON, one line each.
    #[arg(long)]
    pub(crate) json: bool,
    /// Plot the equities.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

impl MatchArgs {
    /// How the matches are played, and the threads to play them with.
    pub(crate) fn check(&self) -> anyhow::Result<(SeriesConfig, rayon::ThreadPool)> {
        if self.games == 0 {
            return Err(usage("--games must be at least 1, not 0"));
        }
        let MatchArgs { games, seed, no_duplicate, threads, .. } = *self;
        Ok((
            SeriesConfig {
                games,
                duplicate: !no_duplicate,
                rules: SeriesRules::Cubeless,
                seed,
                purpose: StreamPurpose::Match,
            },
            pool(threads)?,
        ))
    }

    /// The options as they are written on the command line.
    pub(crate) fn words(&self) -> String {
        let duplicate = if self.no_duplicate { " --no-duplicate" } else { "" };
        let ply = if self.ply == Plies::ONE {
            String::new()
        } else {
            format!(" --ply {}", self.ply.get())
        };
        let bearoff = if self.bearoff { " --bearoff" } else { "" };
        format!("--games {} --seed {}{ply}{bearoff}{duplicate}", self.games, self.seed)
    }

    /// Opens a player.
    pub(crate) fn open(&self, spec: &PlayerSpec) -> anyhow::Result<Opponent> {
        let bearoff = if self.bearoff { Some(databases()?) } else { None };
        open(spec, self.ply, bearoff.as_ref())
    }
}
