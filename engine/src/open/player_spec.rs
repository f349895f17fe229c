//! Players as they are written in configurations and on the command line, such as `pubeval` or
//! `gnubg:3`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::nets::{CHAMPION, is_built_in};
use crate::engine::Depth;
use crate::game::Baseline;
use crate::search::{Plies, PliesError};

/// A player by name.
///
/// | name | player |
/// |---|---|
/// | `pubeval`, `random` | a baseline |
/// | `champion`, `small` | a net by name |
/// | `path/to/file.nonet` | a net file |
/// | `runs/mine` | the folder of a run |
/// | `gnubg` | GNU Backgammon |
/// | `ubgi:COMMAND` | a UBGI engine |
/// | `puretd:FILE` | PureTD's net |
/// | `exact:FILE` | solved hypergammon |
///
/// A net, PureTD's net and gnubg may be followed by `:N`, the search depth in plies, 1 to 4. A net
/// and PureTD's net may be followed by the name of a rollout, as in `champion:roller`.
///
/// ```
/// use nonet_engine::Plies;
/// use nonet_engine::open::PlayerSpec;
///
/// let player: PlayerSpec = "gnubg:3".parse()?;
/// assert_eq!(player, PlayerSpec::Gnubg(Some(Plies::THREE)));
/// assert_eq!(player.to_string(), "gnubg:3");
/// # Ok::<(), nonet_engine::open::PlayerSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// A fixed opponent.
    Baseline(Baseline),
    /// An installed GNU Backgammon at this many plies (gnubg's own count is one less); `None` for
    /// the depth of the context.
    Gnubg(Option<Plies>),
    /// Any engine that speaks UBGI: the command that starts it.
    Ubgi(String),
    /// The solved values of hypergammon in this file.
    Exact(String),
    /// PureTD's net.
    PureTd {
        /// Its file.
        file: String,
        /// Its depth; `None` for that of the context.
        depth: Option<Depth>,
    },
    /// The champion, the net that is built in.
    BuiltIn(Option<Depth>),
    /// Another net.
    Net {
        /// Its name, its file, or the folder of its run.
        path: String,
        /// Its depth; `None` for that of the context.
        depth: Option<Depth>,
    },
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerSpecError {
    /// The depth is wrong.
    #[error(transparent)]
    Plies(#[from] PliesError),
    /// There is nothing after a prefix.
    #[error("nothing after '{prefix}': expected {prefix}{expected}")]
    Empty {
        /// The prefix.
        prefix: &'static str,
        /// What should be there.
        expected: &'static str,
    },
}

const GNUBG: &str = "gnubg";
const UBGI: &str = "ubgi:";
const EXACT: &str = "exact:";
const PURETD: &str = "puretd:";

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(word: &str) -> Result<PlayerSpec, PlayerSpecError> {
        let command = r#"COMMAND, such as ubgi:"nonet ubgi""#;
        for (prefix, expected) in [(UBGI, command), (EXACT, "FILE"), (PURETD, "FILE")] {
            if word.strip_prefix(prefix).is_some_and(|rest| rest.trim().is_empty()) {
                return Err(PlayerSpecError::Empty { prefix, expected });
            }
        }
        if let Some(baseline) = Baseline::named(word) {
            return Ok(PlayerSpec::Baseline(baseline));
        }
        if let Some(command) = word.strip_prefix(UBGI) {
            return Ok(PlayerSpec::Ubgi(command.trim().to_owned()));
        }
        if let Some(file) = word.strip_prefix(EXACT) {
            return Ok(PlayerSpec::Exact(file.to_owned()));
        }
        let (name, depth) = match word.rsplit_once(':') {
            Some((name, depth)) => match depth_of(depth)? {
                Some(depth) => (name, Some(depth)),
                None => (word, None),
            },
            None => (word, None),
        };
        if let Some(file) = name.strip_prefix(PURETD) {
            return Ok(PlayerSpec::PureTd { file: file.to_owned(), depth });
        }
        Ok(match (name, depth) {
            (GNUBG, None) => PlayerSpec::Gnubg(None),
            (GNUBG, Some(Depth::Search(plies))) => PlayerSpec::Gnubg(Some(plies)),
            (name, depth) if is_built_in(name) => PlayerSpec::BuiltIn(depth),
            (path, depth) => PlayerSpec::Net { path: path.to_owned(), depth },
        })
    }
}

/// The depth after a name: a number of plies, or the name of a rollout; `None` for other words.
fn depth_of(word: &str) -> Result<Option<Depth>, PliesError> {
    let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if is_number {
        return Ok(Some(Depth::Search(word.parse()?)));
    }
    Ok(word.parse().ok().map(Depth::Rollout))
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, depth) = match self {
            PlayerSpec::PureTd { file, depth } => {
                write!(f, "{PURETD}")?;
                (file.as_str(), *depth)
            }
            PlayerSpec::Baseline(baseline) => (baseline.name(), None),
            PlayerSpec::Ubgi(command) => return write!(f, "{UBGI}{command}"),
            PlayerSpec::Exact(file) => return write!(f, "{EXACT}{file}"),
            PlayerSpec::Gnubg(plies) => (GNUBG, plies.map(Depth::Search)),
            PlayerSpec::BuiltIn(depth) => (CHAMPION, *depth),
            PlayerSpec::Net { path, depth } => (path.as_str(), *depth),
        };
        f.write_str(name)?;
        depth.map_or(Ok(()), |depth| write!(f, ":{depth}"))
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PlayerSpecError;

    fn try_from(word: String) -> Result<PlayerSpec, PlayerSpecError> {
        word.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(player: PlayerSpec) -> String {
        player.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_prints_as_it_is_written() {
        for word in [
            "pubeval",
            "random",
            "gnubg",
            "gnubg:3",
            "champion",
            "a/b.nonet",
            "a/b.nonet:2",
            "ubgi:nonet ubgi --net a:2",
            "exact:a/hyper3.bd",
            "puretd:a/b.pt",
            "puretd:a/b.pt:2",
            "champion:roller",
            "a/b.nonet:roller",
        ] {
            assert_eq!(word.parse::<PlayerSpec>().expect(word).to_string(), word);
        }
        assert!(matches!(
            "champion:2".parse(),
            Ok(PlayerSpec::BuiltIn(Some(Depth::Search(Plies::TWO))))
        ));
        assert!(matches!("gnubg:1".parse(), Ok(PlayerSpec::Gnubg(Some(Plies::ONE)))));
        assert!("a.nonet:7".parse::<PlayerSpec>().is_err());
        for prefix in ["ubgi:", "ubgi: ", "exact:", "puretd:"] {
            let error = prefix.parse::<PlayerSpec>().expect_err("nothing is named");
            assert!(error.to_string().starts_with("nothing after '"), "{error}");
        }
        assert!(matches!("C:a.nonet".parse(), Ok(PlayerSpec::Net { depth: None, .. })));
    }
}
