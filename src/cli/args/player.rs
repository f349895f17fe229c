//! Players and nets by name, with the errors of a command line.

use std::path::Path;
use std::sync::Arc;

use nonet::bearoff::BearoffDatabases;
use nonet::eval::{Evaluator, ExternalFailure};
use nonet::open::{self, Expert, NamedPlayer, OpenError, PlayerSetup, PlayerSpec};
use nonet::search::Plies;
use nonet::store::NetFile;

use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// An error if there is a failure of an external engine.
pub(crate) fn check(failure: Option<&ExternalFailure>) -> anyhow::Result<()> {
    match failure {
        Some(failure) => Err(anyhow::Error::new(failure.clone())),
        None => Ok(()),
    }
}

/// A wrong name is an error in the arguments; a program that does not start is not.
pub(crate) fn as_usage(error: OpenError) -> anyhow::Error {
    if error.is_wrong_name() { usage(error) } else { error.into() }
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
