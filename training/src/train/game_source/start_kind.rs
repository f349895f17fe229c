//! Where games begin that do not begin at the start position.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::drawn_position::DrawnPosition;
use nonet_engine::backgammon::Variant;
use nonet_engine::class::{Class, ClassError};

/// Where a game begins that does not begin at the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum StartKind {
    /// The first position of a class in another game.
    Class(Class),
    /// A position drawn by a rule.
    Drawn(DrawnPosition),
    /// The start of a variant: nackgammon or hypergammon.
    Variant(Variant),
}

/// Variants with another start.
const VARIANTS: [Variant; 2] = [Variant::Nackgammon, Variant::Hypergammon];

impl fmt::Display for StartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StartKind::Class(class) => class.slug(),
            StartKind::Drawn(drawn) => drawn.slug(),
            StartKind::Variant(variant) => variant.name(),
        })
    }
}

impl FromStr for StartKind {
    type Err = StartKindError;

    fn from_str(name: &str) -> Result<StartKind, StartKindError> {
        let drawn = DrawnPosition::ALL.into_iter().find(|drawn| drawn.slug() == name);
        let variant = VARIANTS.into_iter().find(|variant| variant.name() == name);
        match drawn.map(StartKind::Drawn).or(variant.map(StartKind::Variant)) {
            Some(known) => Ok(known),
            None => name.parse().map(StartKind::Class).map_err(StartKindError),
        }
    }
}

impl TryFrom<String> for StartKind {
    type Error = StartKindError;

    fn try_from(name: String) -> Result<StartKind, StartKindError> {
        name.parse()
    }
}

impl From<StartKind> for String {
    fn from(kind: StartKind) -> String {
        kind.to_string()
    }
}

/// A name that is neither a class, a kind of drawn position, nor a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}, or one of {names}", names = names())]
pub struct StartKindError(ClassError);

/// The names of the drawn positions and of the variants.
fn names() -> String {
    let drawn = DrawnPosition::ALL.into_iter().map(DrawnPosition::slug);
    drawn.chain(VARIANTS.into_iter().map(Variant::name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_an_unknown_one_lists_the_known_ones() {
        for name in ["backgame", "several-caught", "race", "closed-board", "hypergammon"] {
            let kind: StartKind = name.parse().expect("known");
            assert_eq!(kind.to_string(), name);
        }
        let refused = "opening".parse::<StartKind>().expect_err("unknown").to_string();
        assert!(refused.contains("opening"), "{refused}");
        let others = ", or one of bearoff-contact, several-caught, closed-board, deep-backgame, \
                      nackgammon, hypergammon";
        assert!(refused.ends_with(others), "{refused}");
    }
}
