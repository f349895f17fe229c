//! The opponents of a run's tests.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use nonet_engine::open::{PlayerSpec, PlayerSpecError};

/// One or more opponents of the tests. The first one decides which team is the best; against the
/// others the run is only measured.
///
/// Written as `pubeval` or `pubeval,random`. The command of a UBGI engine may hold commas, so such
/// an engine comes last.
///
/// ```
/// use nonet_training::train::Opponents;
///
/// let against: Opponents = "pubeval,random".parse()?;
/// assert_eq!(against.first().to_string(), "pubeval");
/// # Ok::<(), nonet_training::train::OpponentsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Opponents {
    first: PlayerSpec,
    others: Vec<PlayerSpec>,
}

/// A text that names no opponents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpponentsError {
    /// One of them is no player.
    #[error(transparent)]
    Player(#[from] PlayerSpecError),
    /// There is nothing before or after a comma.
    #[error(
        "invalid opponents '{0}': expected players with a comma between them, as pubeval,random"
    )]
    Empty(String),
    /// One is named twice.
    #[error("the opponent {0} is named twice")]
    Twice(String),
}

impl Opponents {
    /// The opponent that decides which team is the best.
    #[must_use]
    pub const fn first(&self) -> &PlayerSpec {
        &self.first
    }

    /// The other opponents.
    #[must_use]
    pub fn others(&self) -> &[PlayerSpec] {
        &self.others
    }
}

impl From<PlayerSpec> for Opponents {
    fn from(first: PlayerSpec) -> Opponents {
        Opponents { first, others: Vec::new() }
    }
}

impl FromStr for Opponents {
    type Err = OpponentsError;

    fn from_str(text: &str) -> Result<Opponents, OpponentsError> {
        let mut players: Vec<PlayerSpec> = Vec::new();
        let mut rest = Some(text);
        while let Some(here) = rest {
            let (word, next) = match here.trim_start().starts_with("ubgi:") {
                true => (here, None),
                false => {
                    here.split_once(',').map_or((here, None), |(word, next)| (word, Some(next)))
                }
            };
            if word.trim().is_empty() {
                return Err(OpponentsError::Empty(text.to_owned()));
            }
            let player: PlayerSpec = word.trim().parse()?;
            if players.contains(&player) {
                return Err(OpponentsError::Twice(player.to_string()));
            }
            players.push(player);
            rest = next;
        }
        let mut players = players.into_iter();
        let first = players.next().ok_or_else(|| OpponentsError::Empty(text.to_owned()))?;
        Ok(Opponents { first, others: players.collect() })
    }
}

impl fmt::Display for Opponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.others.iter().try_for_each(|other| write!(f, ",{other}"))
    }
}

impl TryFrom<String> for Opponents {
    type Error = OpponentsError;

    fn try_from(text: String) -> Result<Opponents, OpponentsError> {
        text.parse()
    }
}

impl From<Opponents> for String {
    fn from(opponents: Opponents) -> String {
        opponents.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_print_as_they_are_written_and_the_first_one_decides() {
        for text in ["pubeval", "pubeval,random,a.nonet:2", "random,ubgi:engine --with a,b"] {
            assert_eq!(text.parse::<Opponents>().expect(text).to_string(), text);
        }
        let two: Opponents = "gnubg:1, random".parse().expect("two");
        assert_eq!((two.first().to_string(), two.others().len()), ("gnubg:1".to_owned(), 1));
    }

    #[test]
    fn a_text_that_names_no_opponents_is_refused_with_what_is_wrong() {
        for (text, says) in [
            ("", "expected players with a comma"),
            ("pubeval,", "expected players with a comma"),
            ("random,random", "the opponent random is named twice"),
            ("pubeval,gnubg:9", "9"),
        ] {
            let error = text.parse::<Opponents>().expect_err(text).to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
