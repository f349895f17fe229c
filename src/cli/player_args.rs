//! Players by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use nonet::bearoff::BearoffDatabases;
use nonet::engine::{Engine, built_in_net};
use nonet::eval::{Evaluator, External, ExternalFailure};
use nonet::game::{Baseline, Player, SeriesRules};
use nonet::protocol::gnubg::{Gnubg, GnubgSettings, GnubgTimeouts};
use nonet::protocol::ubgi::{UbgiEngine, UbgiSettings, command_words};
use nonet::search::{Plies, SearchSettings};
use nonet::store::{NetFile, read_net};
use nonet::train::PlayerSpec;

use super::usage;

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

/// The longest time that an engine in another process may take for one decision, unless a command sets another.
pub(crate) const ENGINE_TIMEOUT: Duration = Duration::from_secs(300);

/// What a player is opened for.
pub(crate) struct PlayerSetup<'a> {
    /// The depth of players whose names set none.
    pub(crate) plies: Plies,
    /// The depth of the cube decisions of nets.
    pub(crate) cube_plies: Plies,
    /// The bearoff databases of nets.
    pub(crate) bearoff: Option<&'a Arc<BearoffDatabases>>,
    /// The games that will be played.
    pub(crate) rules: SeriesRules,
    /// The longest time that an engine in another process may take for one decision.
    pub(crate) timeout: Duration,
    /// Which plays nets search deeper, and how many replies they evaluate.
    pub(crate) search: SearchSettings,
}

impl PlayerSetup<'_> {
    /// Money games without the cube and without the bearoff databases.
    pub(crate) const fn cubeless(plies: Plies) -> PlayerSetup<'static> {
        let (rules, timeout) = (SeriesRules::Cubeless, ENGINE_TIMEOUT);
        let search = SearchSettings::NORMAL;
        PlayerSetup { plies, cube_plies: Engine::CUBE_PLIES, bearoff: None, rules, timeout, search }
    }
}

/// Starts gnubg: the program that `GNUBG` names, or `gnubg`, which Debian keeps among the games.
fn open_gnubg(plies: Plies, setup: &PlayerSetup) -> anyhow::Result<External<Gnubg>> {
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
    let timeouts = GnubgTimeouts { answer: setup.timeout, ..GnubgTimeouts::default() };
    let settings = GnubgSettings { plies, cube, jacoby, beavers, timeouts };
    Ok(External::new(Gnubg::start_with(&program, settings)?))
}

/// Starts a UBGI engine.
fn open_ubgi(command: &str, setup: &PlayerSetup) -> anyhow::Result<External<UbgiEngine>> {
    let settings = UbgiSettings {
        command: command_words(command),
        cube: setup.rules != SeriesRules::Cubeless,
        start: setup.timeout.min(Duration::from_secs(60)),
        answer: setup.timeout,
    };
    let engine = UbgiEngine::start(settings).with_context(|| format!("ubgi:{command}"))?;
    Ok(External::new(engine))
}

/// Opens a player: a baseline, gnubg, a UBGI engine, the built-in net, or a net file. It plays at the depth of its name, or of
/// `setup`; nets look positions up in the bearoff databases, if there are any.
pub(crate) fn open(spec: &PlayerSpec, setup: &PlayerSetup) -> anyhow::Result<Opponent> {
    match spec {
        PlayerSpec::Baseline(baseline) => {
            Ok(Opponent { name: spec.to_string(), player: baseline.player() })
        }
        PlayerSpec::Gnubg(own) => {
            let plies = own.unwrap_or(setup.plies);
            let name = format!("gnubg:{}", plies.get());
            Ok(Opponent { name, player: Arc::new(open_gnubg(plies, setup)?) })
        }
        PlayerSpec::Ubgi(command) => {
            let engine = open_ubgi(command, setup)?;
            Ok(Opponent { name: engine.name().to_owned(), player: Arc::new(engine) })
        }
        PlayerSpec::BuiltIn(_) | PlayerSpec::Net { .. } => {
            let (path, plies) = path_of(spec, setup.plies);
            let engine = open_net(spec, &path, plies, setup.bearoff)?;
            let engine =
                engine.with_cube_plies(setup.cube_plies).with_search_settings(setup.search);
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
    match spec {
        PlayerSpec::Gnubg(own) => {
            let setup = PlayerSetup::cubeless(plies);
            return Ok(Arc::new(open_gnubg(own.unwrap_or(plies), &setup)?));
        }
        PlayerSpec::Ubgi(_) => {
            return Err(usage(format!("{spec} cannot evaluate: UBGI engines only play")));
        }
        _ => {}
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
            "unknown player '{spec}': expected a net file, {BUILT_IN}, {known}, gnubg:N or ubgi:COMMAND"
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
        let plies = plies.unwrap_or(Plies::ONE);
        let gnubg = open_gnubg(plies, &PlayerSetup::cubeless(plies))?;
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

/// Names to show for players as the command line names them: a net file is its name without folder and ending. Those that would be
/// the same for different files stay whole.
pub(crate) fn short_names(words: &[String]) -> Vec<String> {
    let short: Vec<String> = words.iter().map(|word| short_name(word)).collect();
    let of = |i: usize| {
        let same = (0..words.len()).any(|j| short[j] == short[i] && words[j] != words[i]);
        if same { words[i].clone() } else { short[i].clone() }
    };
    (0..words.len()).map(of).collect()
}

/// `nets/swift.nonet:2` as `swift:2`.
fn short_name(word: &str) -> String {
    let (path, depth) = match word.rsplit_once(':') {
        Some((path, plies)) if plies.parse::<u8>().is_ok() => (path, &word[path.len()..]),
        _ => (word, ""),
    };
    match Path::new(path).extension() {
        Some(ending) if ending == "nonet" => stem(Path::new(path)) + depth,
        _ => word.to_owned(),
    }
}

/// Players as the command line names them.
pub(crate) fn in_words(players: &[PlayerSpec]) -> String {
    players.iter().map(in_word).collect::<Vec<_>>().join(" ")
}

/// A player as the command line names it.
pub(crate) fn in_word(player: &PlayerSpec) -> String {
    let word = player.to_string();
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word }
}

#[cfg(test)]
mod tests {
    use super::short_names;

    #[test]
    fn nets_are_shown_by_their_file_names_unless_two_have_the_same() {
        let shown = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            short_names(&words)
        };
        assert_eq!(
            shown(&["nets/swift.nonet:2", "nets/swift.nonet", "gnubg:3", "ubgi:bin/x --y"]),
            ["swift:2", "swift", "gnubg:3", "ubgi:bin/x --y"]
        );
        assert_eq!(
            shown(&["a/last.nonet", "b/last.nonet", "b/last.nonet:2"]),
            ["a/last.nonet", "b/last.nonet", "last:2"]
        );
    }
}
