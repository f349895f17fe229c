//! Players as they are written in configurations and on the command line, such as `pubeval` or
//! `gnubg:3`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::nets::{CHAMPION, is_built_in};
use crate::game::Baseline;
use crate::search::{Plies, PliesError};

/// A player by name: a baseline, a net by name, a net file, the folder of a run, GNU Backgammon,
/// PureTD's net, or a UBGI engine.
///
/// Written as `pubeval`, `random`, `champion`, `small`, `path/to/file.nonet`,
/// `runs/mine`, `gnubg`, `ubgi:COMMAND`, `puretd:FILE` or `exact:FILE`. A net, PureTD's net and
/// gnubg may be followed by `:N`, the search depth in plies, 1 to 4.
///
/// ```
/// use nonet_engine::Plies;
/// use nonet_engine::open::PlayerSpec;
///
/// let player: PlayerSpec = "gnubg:3".parse()?;
/// assert_eq!(player, PlayerSpec::Gnubg(Some(Plies::THREE)));
/// assert_eq!(player.to_string(), "gnubg:3");
/// # Ok::<(), nonet_engine::search::PliesError>(())
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
        /// Its search depth; `None` for the depth of the context.
        plies: Option<Plies>,
    },
    /// The champion, the net that is built in.
    BuiltIn(Option<Plies>),
    /// Another net.
    Net {
        /// Its name, its file, or the folder of its run.
        path: String,
        /// Its search depth; `None` for the depth of the context.
        plies: Option<Plies>,
    },
}

const GNUBG: &str = "gnubg";
const UBGI: &str = "ubgi:";
const EXACT: &str = "exact:";
const PURETD: &str = "puretd:";

impl FromStr for PlayerSpec {
    type Err = PliesError;

    fn from_str(word: &str) -> Result<PlayerSpec, PliesError> {
        if let Some(baseline) = Baseline::named(word) {
            return Ok(PlayerSpec::Baseline(baseline));
        }
        if let Some(command) = word.strip_prefix(UBGI) {
            return Ok(PlayerSpec::Ubgi(command.trim().to_owned()));
        }
        if let Some(file) = word.strip_prefix(EXACT) {
            return Ok(PlayerSpec::Exact(file.to_owned()));
        }
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let (name, plies) = match word.rsplit_once(':') {
            Some((name, plies)) if is_number(plies) => (name, Some(plies.parse()?)),
            _ => (word, None),
        };
        if let Some(file) = name.strip_prefix(PURETD) {
            return Ok(PlayerSpec::PureTd { file: file.to_owned(), plies });
        }
        Ok(match name {
            GNUBG => PlayerSpec::Gnubg(plies),
            name if is_built_in(name) => PlayerSpec::BuiltIn(plies),
            path => PlayerSpec::Net { path: path.to_owned(), plies },
        })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, plies) = match self {
            PlayerSpec::PureTd { file, plies } => {
                write!(f, "{PURETD}")?;
                (file.as_str(), plies)
            }
            PlayerSpec::Baseline(baseline) => (baseline.name(), &None),
            PlayerSpec::Ubgi(command) => return write!(f, "{UBGI}{command}"),
            PlayerSpec::Exact(file) => return write!(f, "{EXACT}{file}"),
            PlayerSpec::Gnubg(plies) => (GNUBG, plies),
            PlayerSpec::BuiltIn(plies) => (CHAMPION, plies),
            PlayerSpec::Net { path, plies } => (path.as_str(), plies),
        };
        f.write_str(name)?;
        plies.map_or(Ok(()), |plies| write!(f, ":{}", plies.get()))
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PliesError;

    fn try_from(word: String) -> Result<PlayerSpec, PliesError> {
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
        ] {
            assert_eq!(word.parse::<PlayerSpec>().expect(word).to_string(), word);
        }
        assert!(matches!("champion:2".parse(), Ok(PlayerSpec::BuiltIn(Some(Plies::TWO)))));
        assert!(matches!("gnubg:1".parse(), Ok(PlayerSpec::Gnubg(Some(Plies::ONE)))));
        assert!("a.nonet:7".parse::<PlayerSpec>().is_err());
        assert!(matches!("C:a.nonet".parse(), Ok(PlayerSpec::Net { plies: None, .. })));
    }
}
