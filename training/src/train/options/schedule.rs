//! Schedules: the value of a learning rate or of lambda as a function of the games played.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The value of a learning rate or of lambda over the games of a run.
///
/// `0.01` is constant. `0.1..0.003` falls by equal factors over the whole run. `0.1..0.003@500000`
/// does so over 500,000 games and then stays. `0.1,0.03@50000,0.01@150000` changes at the given
/// numbers of games.
///
/// ```
/// use nonet_training::train::Schedule;
///
/// let alpha: Schedule = "0.1,0.03@50000,0.01@150000".parse()?;
/// assert_eq!(alpha.at(60_000, 200_000), 0.03);
/// # Ok::<(), nonet_training::train::ScheduleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Schedule {
    /// One value throughout.
    Constant(f32),
    /// From the first value to the second by equal factors. A plan refuses values of 0 or less, and
    /// an `until` of 0.
    Geometric {
        /// The first value, above 0.
        from: f32,
        /// The last value, above 0.
        to: f32,
        /// The games after which the last value is reached, at least 1; `None` for those of the
        /// run.
        until: Option<u64>,
    },
    /// Pairs of games and value, at least one: each value holds from its number of games on. The
    /// first pair starts at 0, and the numbers of games increase. A plan refuses other pairs.
    Steps(Vec<(u64, f32)>),
}

/// A text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid schedule '{text}': {reason}; expected 0.01, or 0.1..0.003, or 0.1..0.003@500000, or 0.1,0.03@50000,0.01@150000"
)]
pub struct ScheduleError {
    text: String,
    reason: &'static str,
}

impl Schedule {
    /// The value when `done` of `total` games have been played.
    #[must_use]
    pub fn at(&self, done: u64, total: u64) -> f32 {
        match self {
            Schedule::Constant(value) => *value,
            Schedule::Geometric { from, to, until } => {
                let total = until.unwrap_or(total);
                let share = if total == 0 { 0.0 } else { done.min(total) as f64 / total as f64 };
                (f64::from(*from) * (f64::from(*to) / f64::from(*from)).powf(share)) as f32
            }
            Schedule::Steps(steps) => steps
                .iter()
                .take_while(|(start, _)| *start <= done)
                .last()
                .map_or(0.0, |(_, value)| *value),
        }
    }

    /// The schedule that stays at the last value after `total` games, the length of the run that it
    /// was made for.
    #[must_use]
    pub fn held_after(self, total: u64) -> Schedule {
        match self {
            Schedule::Geometric { from, to, until: None } => {
                Schedule::Geometric { from, to, until: Some(total) }
            }
            other => other,
        }
    }

    /// What is wrong with a schedule that no text denotes. The option is the subject of the
    /// sentence.
    pub(in crate::train) fn fault(&self) -> Option<&'static str> {
        match self {
            Schedule::Geometric { from, to, .. } if *from <= 0.0 || *to <= 0.0 => {
                Some("must have values above 0 around '..'")
            }
            Schedule::Geometric { until: Some(0), .. } => {
                Some("must have at least 1 game after '@'")
            }
            Schedule::Steps(steps) if steps.first().is_none_or(|(start, _)| *start > 0) => {
                Some("must have a first value, from 0 games on")
            }
            Schedule::Steps(steps) if !steps.is_sorted_by(|(a, _), (b, _)| a < b) => {
                Some("must have numbers of games that increase")
            }
            _ => None,
        }
    }

    /// All values in the schedule's text.
    pub fn values(&self) -> Vec<f32> {
        match self {
            Schedule::Constant(value) => vec![*value],
            Schedule::Geometric { from, to, .. } => vec![*from, *to],
            Schedule::Steps(steps) => steps.iter().map(|(_, value)| *value).collect(),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Constant(value) => write!(f, "{value}"),
            Schedule::Geometric { from, to, until: None } => write!(f, "{from}..{to}"),
            Schedule::Geometric { from, to, until: Some(until) } => {
                write!(f, "{from}..{to}@{until}")
            }
            Schedule::Steps(steps) => {
                for (i, (start, value)) in steps.iter().enumerate() {
                    match i {
                        0 => write!(f, "{value}")?,
                        _ => write!(f, ",{value}@{start}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Schedule, ScheduleError> {
        let wrong = |reason| ScheduleError { text: text.to_owned(), reason };
        let number = |word: &str| match word.trim().parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(wrong("a value is not a number")),
        };
        if let Some((from, to)) = text.split_once("..") {
            let (to, until) = match to.split_once('@') {
                None => (to, None),
                Some((to, until)) => match until.trim().parse() {
                    Ok(1..) => (to, until.trim().parse().ok()),
                    _ => return Err(wrong("'@' must be followed by a number of games")),
                },
            };
            let (from, to) = (number(from)?, number(to)?);
            if from <= 0.0 || to <= 0.0 {
                return Err(wrong("the values around '..' must be above 0"));
            }
            return Ok(Schedule::Geometric { from, to, until });
        }
        let mut steps = Vec::new();
        for (i, step) in text.split(',').enumerate() {
            let (value, start) = match (step.split_once('@'), i) {
                (None, 0) => (step, 0),
                (Some((value, start)), 1..) => (
                    value,
                    start
                        .trim()
                        .parse()
                        .map_err(|_| wrong("'@' must be followed by a number of games"))?,
                ),
                (Some(_), 0) => return Err(wrong("the first value must not have '@'")),
                (None, _) => {
                    return Err(wrong("each further value needs '@' and a number of games"));
                }
            };
            if steps.last().is_some_and(|(last, _)| start <= *last) {
                return Err(wrong("the numbers of games must increase"));
            }
            steps.push((start, number(value)?));
        }
        Ok(if let [(_, value)] = steps[..] {
            Schedule::Constant(value)
        } else {
            Schedule::Steps(steps)
        })
    }
}

impl TryFrom<String> for Schedule {
    type Error = ScheduleError;

    fn try_from(text: String) -> Result<Schedule, ScheduleError> {
        text.parse()
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> String {
        schedule.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(text: &str) -> Schedule {
        text.parse().expect("a schedule")
    }

    #[test]
    fn a_schedule_prints_as_it_is_written() {
        for text in ["0.01", "0.1..0.003", "0.1..0.003@500", "0.1,0.03@50000,0.01@150000"] {
            assert_eq!(schedule(text).to_string(), text);
        }
    }

    #[test]
    fn the_value_depends_on_the_games_played() {
        assert_eq!(schedule("0.5").at(9, 10), 0.5);
        let falling = schedule("0.1..0.001");
        assert_eq!((falling.at(0, 100), falling.at(100, 100)), (0.1, 0.001));
        assert!((falling.at(50, 100) - 0.01).abs() < 1e-6, "half way is the geometric mean");
        let held = schedule("0.1..0.001").held_after(100);
        assert_eq!(held.to_string(), "0.1..0.001@100");
        for done in [0, 30, 100] {
            assert_eq!(held.at(done, 1000), falling.at(done, 100));
        }
        assert_eq!(held.at(101, 1000), 0.001, "then it stays");
        let steps = schedule("0.1,0.03@50,0.01@150");
        assert_eq!(
            [0, 49, 50, 149, 150, 999].map(|done| steps.at(done, 200)),
            [0.1, 0.1, 0.03, 0.03, 0.01, 0.01]
        );
    }

    #[test]
    fn an_invalid_schedule_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "not a number"),
            ("fast", "not a number"),
            ("NaN", "not a number"),
            ("0.1,0.2", "needs '@'"),
            ("0.1@5", "must not have '@'"),
            ("0.1,0.2@9,0.3@9", "must increase"),
            ("0..0.1", "above 0"),
            ("0.1..0.01@x", "number of games"),
            ("0.1..0.01@0", "number of games"),
        ] {
            let error = text.parse::<Schedule>().expect_err(text).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
