//! [`Depth`]: how a decision is looked into, by a search or by a rollout.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::rollout::Roller;
use crate::search::{Plies, PliesError};

/// How deep a decision is looked into: a search of some plies, or a rollout with a name.
///
/// A rollout decides where a search leaves the decision close.
///
/// ```
/// use nonet_engine::Plies;
/// use nonet_engine::engine::Depth;
/// use nonet_engine::rollout::Roller;
///
/// assert_eq!("3".parse(), Ok(Depth::Search(Plies::THREE)));
/// assert_eq!("roller".parse(), Ok(Depth::Rollout(Roller::SHORT)));
/// assert!("9".parse::<Depth>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Depth {
    /// A search.
    Search(Plies),
    /// A search, and a rollout of what it leaves close.
    Rollout(Roller),
}

/// Neither a number of plies nor the name of a rollout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid depth '{0}': expected 1 to 4 plies, or {names}", names = Roller::names())]
pub struct DepthError(String);

impl Depth {
    /// The depth of the search.
    #[must_use]
    pub const fn plies(self) -> Plies {
        match self {
            Depth::Search(plies) => plies,
            Depth::Rollout(_) => Roller::CHOOSING_PLIES,
        }
    }

    /// The depth in words: `3-ply`, or `3-ply, close decisions by roller`.
    #[must_use]
    pub fn in_words(self) -> String {
        match self {
            Depth::Search(plies) => plies.to_string(),
            Depth::Rollout(roller) => format!("{}, close decisions by {roller}", self.plies()),
        }
    }

    /// The rollout, if it is one.
    #[must_use]
    pub const fn roller(self) -> Option<Roller> {
        match self {
            Depth::Search(_) => None,
            Depth::Rollout(roller) => Some(roller),
        }
    }
}

impl From<Plies> for Depth {
    fn from(plies: Plies) -> Depth {
        Depth::Search(plies)
    }
}

impl From<Roller> for Depth {
    fn from(roller: Roller) -> Depth {
        Depth::Rollout(roller)
    }
}

impl fmt::Display for Depth {
    /// As it is written in options: `3`, `roller`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Search(plies) => f.write_str(plies.digit()),
            Depth::Rollout(roller) => roller.fmt(f),
        }
    }
}

impl FromStr for Depth {
    type Err = DepthError;

    fn from_str(text: &str) -> Result<Depth, DepthError> {
        let plies: Result<Plies, PliesError> = text.parse();
        let rollout = |_| text.parse().map(Depth::Rollout);
        plies.map(Depth::Search).or_else(rollout).map_err(|_| DepthError(text.to_owned()))
    }
}

impl TryFrom<String> for Depth {
    type Error = DepthError;

    fn try_from(text: String) -> Result<Depth, DepthError> {
        text.parse()
    }
}

impl From<Depth> for String {
    fn from(depth: Depth) -> String {
        depth.to_string()
    }
}
