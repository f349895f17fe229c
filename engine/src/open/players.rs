//! Players and evaluators by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::nets::{CHAMPION, is_net, net};
use super::{OpenError, PlayerSpec};
use crate::backgammon::Scoring;
use crate::backgammon::record::GameHeader;
use crate::bearoff::BearoffDatabases;
use crate::engine::{Depth, Engine};
use crate::eval::{Evaluator, External, ExternalFailure};
use crate::game::{Greedy, Player, SeriesRules};
use crate::protocol::gnubg::{Gnubg, GnubgSettings, GnubgTimeouts};
use crate::protocol::ubgi::{UbgiEngine, UbgiSettings, command_words};
use crate::search::{Plies, SearchSettings};
use crate::store::{HypergammonFile, read_puretd};

/// The default depth of players in series, tournaments and recorded games. Thousands of games are
/// played, so it is lower than [`Engine::PLAY_PLIES`].
pub const SERIES_PLIES: Plies = Plies::ONE;

/// A player and its name.
pub struct NamedPlayer {
    /// A short name: the baseline, or the file name without its ending.
    pub name: String,
    /// The player.
    pub player: Arc<dyn Player>,
}

impl NamedPlayer {
    /// The head of the record of a cubeless money game between two players, by two different names.
    #[must_use]
    pub fn header([first, second]: [&NamedPlayer; 2]) -> GameHeader {
        let again = if first.name == second.name { "-2" } else { "" };
        let names = [first.name.clone(), format!("{}{again}", second.name)];
        GameHeader { names, scoring: Scoring::Money { jacoby: false, beavers: false } }
    }

    /// Checks that no external engine has failed, which would make its games void.
    ///
    /// # Errors
    /// The failure.
    pub fn check(&self) -> Result<(), ExternalFailure> {
        self.player.failure().map_or(Ok(()), |failure| Err(failure.clone()))
    }
}

/// The settings of an opened player.
pub struct PlayerSetup<'a> {
    /// The depth of players unless their name sets it.
    pub plies: Plies,
    /// The depth of the cube decisions of nets.
    pub cube_plies: Plies,
    /// The bearoff databases of nets.
    pub bearoff: Option<&'a Arc<BearoffDatabases>>,
    /// The games that will be played.
    pub rules: SeriesRules,
    /// The longest time that an engine in another process may take for one decision.
    pub timeout: Duration,
    /// Which plays nets search deeper, and how many replies they evaluate.
    pub search: SearchSettings,
    /// Whether net files are taken at their word: see
    /// [`Specialists::with_all_outcomes`](crate::eval::Specialists::with_all_outcomes).
    pub all_outcomes: bool,
}

impl PlayerSetup<'_> {
    /// The longest time that an engine in another process may take for one decision.
    pub const TIMEOUT: Duration = GnubgTimeouts::USUAL.answer;

    /// Money games without the cube and without the bearoff databases.
    #[must_use]
    pub const fn cubeless(plies: Plies) -> PlayerSetup<'static> {
        PlayerSetup {
            plies,
            cube_plies: Engine::CUBE_PLIES,
            bearoff: None,
            rules: SeriesRules::Cubeless,
            timeout: PlayerSetup::TIMEOUT,
            search: SearchSettings::NORMAL,
            all_outcomes: false,
        }
    }
}

/// Opens a player.
///
/// The player has the depth of its name, or of `setup`. Nets look positions up in the bearoff
/// databases, if there are any. gnubg is the program that the environment variable `GNUBG` names,
/// or `gnubg`.
///
/// ```
/// use nonet_engine::Plies;
/// use nonet_engine::open::{PlayerSetup, player};
///
/// let setup = PlayerSetup::cubeless(Plies::ONE);
/// assert_eq!(player(&"swift:2".parse()?, &setup)?.name, "swift:2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OpenError`] if there is no such player or it does not start.
pub fn player(spec: &PlayerSpec, setup: &PlayerSetup) -> Result<NamedPlayer, OpenError> {
    match spec {
        PlayerSpec::Baseline(baseline) => {
            Ok(NamedPlayer { name: spec.to_string(), player: baseline.player() })
        }
        PlayerSpec::Gnubg(own) => {
            let plies = own.unwrap_or(setup.plies);
            let name = format!("gnubg:{}", plies.get());
            Ok(NamedPlayer { name, player: Arc::new(open_gnubg(plies, setup)?) })
        }
        PlayerSpec::Ubgi(command) => {
            let engine = open_ubgi(command, setup)?;
            Ok(NamedPlayer { name: engine.name().to_owned(), player: Arc::new(engine) })
        }
        PlayerSpec::Exact(file) => {
            let player = Arc::new(Greedy(open_exact(file)?));
            Ok(NamedPlayer { name: short(file), player })
        }
        PlayerSpec::PureTd { file, depth } => {
            let depth = depth.unwrap_or(Depth::Search(setup.plies));
            Ok(playing(file, &open_puretd(file, depth, setup.bearoff)?, setup))
        }
        PlayerSpec::BuiltIn(_) | PlayerSpec::Net { .. } => {
            let (path, depth) = net_and_depth(spec, Depth::Search(setup.plies));
            let parts = NetParts { bearoff: setup.bearoff, all_outcomes: setup.all_outcomes };
            Ok(playing(&path, &engine_of(spec, &path, depth, parts)?, setup))
        }
    }
}

/// Opens an evaluator: gnubg, PureTD's net or another net, at `plies` unless its name sets a depth.
/// Nets look positions up in the bearoff databases, if there are any.
///
/// ```
/// use nonet_engine::{Plies, Position};
/// use nonet_engine::open::evaluator;
///
/// let small = evaluator(&"small".parse()?, Plies::ONE, None)?;
/// assert!(small.evaluate(&Position::START).equity().abs() < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OpenError`] if there is no such player, it only plays, or it does not start.
pub fn evaluator(
    spec: &PlayerSpec,
    plies: Plies,
    bearoff: Option<&Arc<BearoffDatabases>>,
) -> Result<Arc<dyn Evaluator>, OpenError> {
    match spec {
        PlayerSpec::Gnubg(own) => {
            let setup = PlayerSetup::cubeless(plies);
            Ok(Arc::new(open_gnubg(own.unwrap_or(plies), &setup)?))
        }
        PlayerSpec::Ubgi(_) | PlayerSpec::Baseline(_) => {
            Err(OpenError::OnlyPlays(spec.to_string()))
        }
        PlayerSpec::Exact(file) => Ok(Arc::new(open_exact(file)?)),
        PlayerSpec::PureTd { file, depth } => {
            let depth = searched(spec, depth.unwrap_or(Depth::Search(plies)))?;
            Ok(open_puretd(file, depth, bearoff)?.evaluator())
        }
        PlayerSpec::BuiltIn(_) | PlayerSpec::Net { .. } => {
            let (path, depth) = net_and_depth(spec, Depth::Search(plies));
            let parts = NetParts { bearoff, all_outcomes: false };
            Ok(engine_of(spec, &path, searched(spec, depth)?, parts)?.evaluator())
        }
    }
}

/// A player and evaluator to learn from.
#[derive(Clone)]
pub struct Expert {
    /// The player.
    pub player: Arc<dyn Player>,
    /// The evaluator.
    pub evaluator: Arc<dyn Evaluator>,
}

/// Opens an expert, which plays without the cube: gnubg or PureTD's net at the depth of its name,
/// or another net at 1-ply. With `all_outcomes` a net file is taken at its word
/// ([`with_all_outcomes`](crate::eval::Specialists::with_all_outcomes)).
///
/// # Errors
/// [`OpenError`] if there is no such player, it only plays, or it does not start.
pub fn expert(spec: &PlayerSpec, all_outcomes: bool) -> Result<Expert, OpenError> {
    match spec {
        PlayerSpec::Gnubg(plies) => {
            let plies = plies.unwrap_or(Plies::ONE);
            let gnubg = open_gnubg(plies, &PlayerSetup::cubeless(plies))?;
            Ok(Expert { player: Arc::new(gnubg.clone()), evaluator: Arc::new(gnubg) })
        }
        PlayerSpec::Ubgi(_) | PlayerSpec::Baseline(_) => {
            Err(OpenError::OnlyPlays(spec.to_string()))
        }
        PlayerSpec::Exact(file) => {
            let exact = open_exact(file)?;
            Ok(Expert { player: Arc::new(Greedy(exact.clone())), evaluator: Arc::new(exact) })
        }
        PlayerSpec::PureTd { file, depth } => {
            let depth = searched(spec, depth.unwrap_or(Depth::Search(Plies::ONE)))?;
            let engine = open_puretd(file, depth, None)?;
            Ok(Expert { player: engine.player(), evaluator: engine.evaluator() })
        }
        // A net with a depth is no net's name.
        PlayerSpec::BuiltIn(_) | PlayerSpec::Net { .. } => {
            let parts = NetParts { bearoff: None, all_outcomes };
            let engine = engine_of(spec, &spec.to_string(), Depth::Search(Plies::ONE), parts)?;
            Ok(Expert { player: engine.player(), evaluator: engine.evaluator() })
        }
    }
}

fn open_exact(file: &str) -> Result<External<HypergammonFile>, OpenError> {
    Ok(External::new(HypergammonFile::open(Path::new(file))?))
}

/// An engine that evaluates with PureTD's net.
fn open_puretd(
    file: &str,
    depth: Depth,
    bearoff: Option<&Arc<BearoffDatabases>>,
) -> Result<Engine, OpenError> {
    let net = read_puretd(Path::new(file))?;
    let mut engine = Engine::builder().evaluator(net);
    if let Some(databases) = bearoff {
        engine = engine.bearoff(Arc::clone(databases));
    }
    Ok(engine.build()?.with_depth(depth))
}

/// The depth, if it is that of a search: evaluators and experts need the values of a search.
fn searched(spec: &PlayerSpec, depth: Depth) -> Result<Depth, OpenError> {
    match depth {
        Depth::Search(_) => Ok(depth),
        Depth::Rollout(_) => Err(OpenError::OnlyPlays(spec.to_string())),
    }
}

/// Starts gnubg, which Debian keeps among the games.
fn open_gnubg(plies: Plies, setup: &PlayerSetup) -> Result<External<Gnubg>, OpenError> {
    let games = Path::new("/usr/games/gnubg");
    let program = match std::env::var_os("GNUBG") {
        Some(program) => PathBuf::from(program),
        None if games.is_file() => games.to_owned(),
        None => PathBuf::from("gnubg"),
    };
    let (cube, jacoby, beavers) = match setup.rules {
        SeriesRules::Cubeless => (false, false, false),
        SeriesRules::Money { jacoby, beavers } => (true, jacoby, beavers),
        SeriesRules::Match(_) => (true, false, false),
    };
    let timeouts = GnubgTimeouts { answer: setup.timeout, ..GnubgTimeouts::USUAL };
    let settings = GnubgSettings { plies, cube, jacoby, beavers, timeouts };
    let gnubg = Gnubg::start_with(&program, settings);
    Ok(External::new(gnubg.map_err(|error| OpenError::Gnubg(Box::new(error)))?))
}

fn open_ubgi(command: &str, setup: &PlayerSetup) -> Result<External<UbgiEngine>, OpenError> {
    let settings = UbgiSettings {
        command: command_words(command),
        cube: setup.rules != SeriesRules::Cubeless,
        start: setup.timeout.min(GnubgTimeouts::USUAL.start),
        answer: setup.timeout,
    };
    let engine = UbgiEngine::start(settings).map_err(|cause| {
        let (command, cause) = (command.to_owned(), Box::new(cause));
        OpenError::Ubgi { command, cause }
    })?;
    Ok(External::new(engine))
}

/// An engine as a player, named by its file and its depth.
fn playing(file: &str, engine: &Engine, setup: &PlayerSetup) -> NamedPlayer {
    let depth = match engine.depth() {
        Depth::Search(Plies::ONE) => String::new(),
        depth => format!(":{depth}"),
    };
    let engine = engine.with_cube_plies(setup.cube_plies).with_search_settings(setup.search);
    NamedPlayer { name: short(file) + &depth, player: engine.player() }
}

/// The net that a player is, and its depth: that of its name, or the usual one.
fn net_and_depth(spec: &PlayerSpec, usual: Depth) -> (String, Depth) {
    let whole = spec.to_string();
    match spec {
        PlayerSpec::BuiltIn(own) => (CHAMPION.to_owned(), own.unwrap_or(usual)),
        // If the name of a file itself ends like a depth, the file is meant.
        PlayerSpec::Net { path, depth: own } if !is_net(&whole) => {
            (path.clone(), own.unwrap_or(usual))
        }
        _ => (whole, usual),
    }
}

/// What the engine of a net file has in addition to its net.
#[derive(Clone, Copy)]
struct NetParts<'a> {
    bearoff: Option<&'a Arc<BearoffDatabases>>,
    all_outcomes: bool,
}

fn engine_of(
    spec: &PlayerSpec,
    name: &str,
    depth: Depth,
    parts: NetParts,
) -> Result<Engine, OpenError> {
    let file = net(name).map_err(|error| match error {
        OpenError::UnknownNet { .. } => OpenError::UnknownPlayer { name: spec.to_string() },
        other => other,
    })?;
    let team = if parts.all_outcomes { file.team.with_all_outcomes() } else { file.team };
    let mut engine = Engine::builder().net(team);
    if let Some(databases) = parts.bearoff {
        engine = engine.bearoff(Arc::clone(databases));
    }
    Ok(engine.build()?.with_depth(depth))
}

/// The file name without folder and ending.
fn short(path: &str) -> String {
    let path = Path::new(path);
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(word: &str) -> PlayerSpec {
        word.parse().expect("a player")
    }

    #[test]
    fn players_are_named_by_their_net_and_depth() {
        let setup = PlayerSetup::cubeless(Plies::ONE);
        for (word, name) in
            [("pubeval", "pubeval"), ("built-in", "champion"), ("swift:2", "swift:2")]
        {
            assert_eq!(player(&spec(word), &setup).expect(word).name, name);
        }
    }

    #[test]
    fn an_unknown_player_is_refused_with_the_known_ones() {
        let setup = PlayerSetup::cubeless(Plies::ONE);
        let error = player(&spec("nosuch"), &setup).err().expect("unknown").to_string();
        assert!(error.starts_with("no player called 'nosuch': known are random, pubeval, "));
        assert!(error.contains(
            "champion, expert, small, swift, gnubg:N, puretd:FILE, exact:FILE, ubgi:COMMAND"
        ));
    }

    #[test]
    fn an_expert_is_a_net_at_1_ply_or_gnubg() {
        assert!(expert(&spec("small"), false).is_ok());
        for (word, says) in [("pubeval", "only plays"), ("small:2", "no player called 'small:2'")] {
            let error = expert(&spec(word), false).err().expect(word).to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
