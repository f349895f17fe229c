//! [`Roller`]: short rollouts with names, which decide where a search leaves a choice close.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::task::RolloutTask;
use super::{RolloutConfig, RolloutLine, RolloutSums};
use crate::eval::Evaluator;
use crate::progress::Progress;
use crate::search::Plies;
use crate::stats::Estimate;

/// A rollout with a name that decides in place of a search: games with variance reduction, all
/// choices with the same dice. A choice that is clearly worse drops out after 36 games, or after
/// any doubling of them. The rollout ends when one choice is left, or at the largest number of
/// games.
///
/// ```
/// use nonet_engine::rollout::Roller;
///
/// let roller: Roller = "roller".parse()?;
/// assert_eq!(roller, Roller::SHORT);
/// assert_eq!((roller.truncate(), roller.games()), (5, 288));
/// # Ok::<(), nonet_engine::rollout::RollerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Roller {
    name: &'static str,
    truncate: u32,
    games: u64,
}

/// No roller has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rollout called '{0}': known are {names}", names = Roller::names())]
pub struct RollerError(String);

impl Roller {
    /// Games of five plies. It loses less than half of what a 3-ply search loses. Four times as
    /// many games of seven plies gain nothing more (`reports/levels-of-analysis.md`).
    pub const SHORT: Roller = Roller { name: "roller", truncate: 5, games: 288 };

    /// All of them, the fastest first.
    pub const ALL: [Roller; 1] = [Roller::SHORT];

    /// The depth of the search before a rollout; its close choices are rolled out.
    pub const CHOOSING_PLIES: Plies = Plies::THREE;

    /// The number of plays that are rolled out at most.
    pub const PLAYS: usize = 5;

    /// Plays that the search finds worse than the best one by more than this are not rolled out.
    /// The unit is points on a cube at 1.
    pub const WITHIN: f32 = 0.08;

    /// Cube decisions that the search finds clearer than this are not rolled out, in points on a
    /// cube at 1.
    pub const CUBE_WITHIN: f32 = 0.16;

    /// Games before a choice may drop out: each first throw once.
    const FIRST: u64 = 36;

    /// A choice drops out when it is this many standard errors of the difference behind the best.
    const CLEARLY: f64 = 2.5;

    /// The name, as options and players are written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Plies after which games are cut off, as [`RolloutConfig::truncate`] says.
    #[must_use]
    pub const fn truncate(self) -> u32 {
        self.truncate
    }

    /// The largest number of games of each choice.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.games
    }

    /// The names of all, in words.
    #[must_use]
    pub fn names() -> String {
        Roller::ALL.map(Roller::name).join(", ")
    }

    /// The settings of its games.
    #[must_use]
    pub fn config(self) -> RolloutConfig {
        let Roller { truncate, games, .. } = self;
        RolloutConfig { truncate: Some(truncate), games, ..RolloutConfig::default() }
    }

    /// Rolls out plays on the current thread pool: the lines begin with the opponent on roll, so
    /// the lowest equity is the best. One result a line.
    pub(crate) fn plays<E: Evaluator>(
        self,
        evaluator: &E,
        lines: &[RolloutLine],
    ) -> Vec<RolloutSums> {
        self.play(evaluator, lines, |equities, left| {
            let mean = |line: &usize| Estimate::from_values(equities[*line].iter().copied()).mean;
            let best = left.iter().copied().min_by(|a, b| mean(a).total_cmp(&mean(b)));
            left.retain(|line| {
                best.is_none_or(|best| {
                    *line == best || !is_clear(difference(&equities[*line], &equities[best]))
                })
            });
            left.len() > 1
        })
    }

    /// Rolls out both sides of a cube decision, no double and a double that is taken, on the
    /// current thread pool. It ends when the turn of the cube and the answer are clear.
    pub(crate) fn cube<E: Evaluator>(
        self,
        evaluator: &E,
        lines: &[RolloutLine; 2],
    ) -> [RolloutSums; 2] {
        let mut sums = self.play(evaluator, lines, |equities, _| {
            let mean = |side: usize| Estimate::from_values(equities[side].iter().copied());
            let [no_double, take] = [0, 1].map(mean);
            let passed = |of: Estimate| Estimate { mean: 1.0 - of.mean, ..of };
            let gain = match take.mean < 1.0 {
                true => difference(&equities[1], &equities[0]),
                false => passed(no_double),
            };
            !(is_clear(gain) && is_clear(passed(take)))
        });
        [0, 1].map(|side| std::mem::take(&mut sums[side]))
    }

    /// Plays games of all lines until `goes_on` says no.
    ///
    /// `goes_on` looks at the equities of each line, game by game, and may take lines out. It is
    /// asked after 36 games and after each doubling of them.
    fn play<E: Evaluator>(
        self,
        evaluator: &E,
        lines: &[RolloutLine],
        goes_on: impl Fn(&[Vec<f64>], &mut Vec<usize>) -> bool,
    ) -> Vec<RolloutSums> {
        let config = self.config();
        let task = RolloutTask::new(evaluator, lines, &config);
        let all = lines.len() as u64;
        let mut sums = vec![RolloutSums::default(); lines.len()];
        let mut equities: Vec<Vec<f64>> = vec![Vec::new(); lines.len()];
        let mut left: Vec<usize> = (0..lines.len()).collect();
        let (mut done, mut until) = (0, Roller::FIRST.min(self.games));
        loop {
            let of_game = |game: u64| left.iter().map(move |line| game * all + *line as u64);
            let items: Vec<u64> = (done..until).flat_map(of_game).collect();
            let games = task.games(&items, items.len() as u64, &Progress::default());
            for (item, game) in items.iter().zip(&games) {
                let line = (item % all) as usize;
                sums[line].add(game);
                equities[line].push(game.equity);
            }
            if until >= self.games || !goes_on(&equities, &mut left) {
                return sums;
            }
            (done, until) = (until, (2 * until).min(self.games));
        }
    }
}

/// Whether a difference is told from chance.
fn is_clear(difference: Estimate) -> bool {
    difference.mean.abs() >= Roller::CLEARLY * difference.stderr
}

/// How much the first lies above the second, over the games that both have.
fn difference(one: &[f64], other: &[f64]) -> Estimate {
    let both = one.len().min(other.len());
    let pairs = one[..both].iter().zip(&other[..both]);
    Estimate::from_values(pairs.map(|(one, other)| one - other))
}

impl fmt::Display for Roller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FromStr for Roller {
    type Err = RollerError;

    fn from_str(name: &str) -> Result<Roller, RollerError> {
        let found = Roller::ALL.into_iter().find(|roller| roller.name == name);
        found.ok_or_else(|| RollerError(name.to_owned()))
    }
}

impl TryFrom<String> for Roller {
    type Error = RollerError;

    fn try_from(name: String) -> Result<Roller, RollerError> {
        name.parse()
    }
}

impl From<Roller> for String {
    fn from(roller: Roller) -> String {
        roller.name.to_owned()
    }
}
