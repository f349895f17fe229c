//! Players and nets by name, with the errors of a command line.

use std::path::Path;
use std::sync::Arc;

use nonet::bearoff::BearoffDatabases;
use nonet::eval::{Evaluator, ExternalFailure};
use nonet::open::{self, Expert, NamedPlayer, OpenError, PlayerSetup, PlayerSpec};
use nonet::search::Plies;
use nonet::store::NetFile;

use crate::cli::args::run::which_run;
use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// An error if there is a failure of an external engine.
pub(crate) fn check(failure: Option<&ExternalFailure>) -> anyhow::Result<()> {
    match failure {
        Some(failure) => Err(anyhow::Error::new(failure.clone())),
        None => Ok(()),
    }
}

/// A wrong name is an error in the arguments, with the name that may be meant; a program that does
/// not start is not.
pub(crate) fn as_usage(error: OpenError) -> anyhow::Error {
    match meant(&error) {
        Some(meant) => usage(format!("{error}; {meant}")),
        None if error.is_wrong_name() => usage(error),
        None => error.into(),
    }
}

/// What may be meant by the name of a net that cannot be opened.
fn meant(error: &OpenError) -> Option<String> {
    match error {
        OpenError::NoNetIn { folder } => which_run(Path::new(folder)),
        OpenError::NoFile { name } => {
            let name = Path::new(name).file_name()?.to_str()?.strip_suffix(".nonet")?;
            let known = open::net_names().find(|known| *known == name)?;
            Some(format!("did you mean {known}, which is built in?"))
        }
        _ => None,
    }
}

/// Opens a player.
pub(crate) fn open(spec: &PlayerSpec, setup: &PlayerSetup) -> anyhow::Result<NamedPlayer> {
    open::player(spec, setup).map_err(as_usage)
}

/// Opens an evaluator.
pub(crate) fn open_evaluator(
    spec: &PlayerSpec,
    plies: Plies,
    bearoff: Option<&Arc<BearoffDatabases>>,
) -> anyhow::Result<Arc<dyn Evaluator>> {
    open::evaluator(spec, plies, bearoff).map_err(as_usage)
}

/// Opens an expert.
pub(crate) fn open_expert(spec: &PlayerSpec) -> anyhow::Result<Expert> {
    open::expert(spec, false).map_err(as_usage)
}

/// Opens a net.
pub(crate) fn open_net(name: &str) -> anyhow::Result<NetFile> {
    open::net(name).map_err(as_usage)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Names to show for players as the command line names them: a net file is its name without folder
/// and ending. Those that would be the same for different files stay whole.
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
    shell_word(Path::new(&player.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_the_name_of_a_net_that_is_built_in_is_meant_as_that_net() {
        let error = open_net("elsewhere/swift.nonet").expect_err("no file").to_string();
        assert!(error.ends_with("swift.nonet; did you mean swift, which is built in?"), "{error}");
        for other in ["elsewhere/mine.nonet", "elsewhere/swift", "nosuch"] {
            let error = open_net(other).expect_err("no net").to_string();
            assert!(!error.contains("did you mean"), "{error}");
        }
    }

    #[test]
    fn a_folder_of_runs_is_refused_with_their_names() {
        let folder = tempfile::tempdir().expect("a folder");
        for seed in ["1", "2"] {
            let run = folder.path().join(seed);
            std::fs::create_dir(&run).expect("made");
            std::fs::write(run.join("config.toml"), "").expect("written");
        }
        let name = folder.path().to_string_lossy().into_owned();
        let player: PlayerSpec = name.parse().expect("a player");
        let setup = PlayerSetup::cubeless(Plies::ONE);
        for error in [open_net(&name).err(), open(&player, &setup).err()] {
            let error = error.expect("no net").to_string();
            assert!(error.contains("; it has the runs 1, 2: name one, such as "), "{error}");
        }
    }

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
