//! How well a card is remembered, and when it comes again: the algorithm FSRS-6.
//!
//! Formulas and default parameters:
//! <https://github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm> (FSRS-6). There are
//! no learning steps within a day, and intervals are not varied at random.

use serde::{Deserialize, Serialize};

/// How well a card was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Wrong.
    Again = 1,
    /// Right, with difficulty.
    Hard,
    /// Right.
    Good,
    /// Right at once.
    Easy,
}

/// The memory of a card after an answer. Times are Unix seconds.
///
/// ```
/// use nonet_practice::{Grade, Memory};
///
/// let (now, day) = (1_764_000_000, 86_400);
/// let learned = Memory::first(Grade::Good, now);
/// // A right answer brings the card back in two days.
/// assert_eq!(learned.due, now + 2 * day);
/// assert!(learned.recall(learned.due) > 0.9);
/// // The second one brings it back after more than a week.
/// let again = learned.reviewed(Grade::Good, learned.due);
/// assert!(again.due > learned.due + 7 * day);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Days after which the chance to recall the card has fallen to 90 %.
    pub stability: f64,
    /// 1 (easy) to 10.
    pub difficulty: f64,
    /// When it was answered last.
    pub last: i64,
    /// When it comes again.
    pub due: i64,
}

/// The default parameters w0 to w20.
const W: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835,
    0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// The chance to recall a card when it comes again.
const RETENTION: f64 = 0.9;
/// The shortest stability.
const LEAST_STABILITY: f64 = 0.001;
/// The longest interval in days.
const LONGEST: f64 = 36_500.0;
const DAY: i64 = 86_400;

impl Memory {
    /// After the first answer.
    #[must_use]
    pub fn first(grade: Grade, now: i64) -> Memory {
        let stability = W[grade as usize - 1];
        Memory::new(stability, first_difficulty(grade).clamp(1.0, 10.0), now)
    }

    /// After one more answer. A clock that has gone back counts as no time.
    #[must_use]
    pub fn reviewed(&self, grade: Grade, now: i64) -> Memory {
        let (s, d) = (self.stability, self.difficulty);
        let forgotten = 1.0 - self.recall(now);
        let stability = match (self.days_to(now), grade) {
            (0, _) => same_day(s, grade),
            (_, Grade::Again) => {
                let long = W[11]
                    * d.powf(-W[12])
                    * ((s + 1.0).powf(W[13]) - 1.0)
                    * (W[14] * forgotten).exp();
                long.min(s / (W[17] * W[18]).exp())
            }
            (_, grade) => {
                let factor = match grade {
                    Grade::Hard => W[15],
                    Grade::Easy => W[16],
                    Grade::Again | Grade::Good => 1.0,
                };
                let gain = W[8].exp() * (11.0 - d) * s.powf(-W[9]);
                s * (1.0 + gain * ((W[10] * forgotten).exp() - 1.0) * factor)
            }
        };
        let change = -W[6] * (points(grade) - 3.0);
        let damped = d + change * (10.0 - d) / 9.0;
        let difficulty = W[7] * first_difficulty(Grade::Easy) + (1.0 - W[7]) * damped;
        Memory::new(stability.max(LEAST_STABILITY), difficulty.clamp(1.0, 10.0), now)
    }

    /// The chance to recall the card, 0..=1.
    #[must_use]
    pub fn recall(&self, now: i64) -> f64 {
        (1.0 + factor() * self.days_to(now) as f64 / self.stability).powf(-W[20])
    }

    /// Whether the card is asked now. An answer more than a day ahead is that of a clock which was
    /// wrong: without a limit it would hide the card until then.
    #[must_use]
    pub const fn is_due(&self, now: i64) -> bool {
        self.due <= now || self.last > now.saturating_add(DAY)
    }

    fn new(stability: f64, difficulty: f64, now: i64) -> Memory {
        let days = stability / factor() * (RETENTION.powf(-1.0 / W[20]) - 1.0);
        let days = days.round().clamp(1.0, LONGEST) as i64;
        Memory { stability, difficulty, last: now, due: now.saturating_add(days * DAY) }
    }

    fn days_to(&self, now: i64) -> i64 {
        now.saturating_sub(self.last).max(0) / DAY
    }

    /// Whether these are numbers that an answer can give.
    pub(crate) fn is_sound(&self) -> bool {
        self.stability >= LEAST_STABILITY
            && self.stability.is_finite()
            && (1.0..=10.0).contains(&self.difficulty)
    }
}

/// The factor of the curve of forgetting, which makes the recall 90 % after the stability.
fn factor() -> f64 {
    0.9_f64.powf(-1.0 / W[20]) - 1.0
}

/// 1 to 4.
fn points(grade: Grade) -> f64 {
    f64::from(grade as u8)
}

fn first_difficulty(grade: Grade) -> f64 {
    W[4] - (W[5] * (points(grade) - 1.0)).exp() + 1.0
}

/// The stability after one more answer on a day; only a wrong answer lowers it.
fn same_day(stability: f64, grade: Grade) -> f64 {
    let change = (W[17] * (points(grade) - 3.0 + W[18])).exp() * stability.powf(-W[19]);
    stability * if grade == Grade::Again { change } else { change.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_remembered_as_the_reference_implementation_says() {
        let grades = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy];
        let (mut memory, mut now, mut last, mut seen): (Option<Memory>, _, _, _) =
            (None, 1_764_000_000, "", 0);
        let lines = include_str!("fsrs_reviews.csv").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let [card, hours, grade, stability, difficulty, days] = fields[..] else {
                panic!("six fields: {line}")
            };
            let number = |text: &str| text.parse::<f64>().expect("a number");
            if card != last {
                (memory, last) = (None, card);
            }
            now += 3600 * number(hours) as i64;
            let grade = grades[number(grade) as usize - 1];
            let after = memory
                .map_or_else(|| Memory::first(grade, now), |memory| memory.reviewed(grade, now));
            assert!((after.stability / number(stability) - 1.0).abs() < 1e-7, "{line}: {after:?}");
            assert!((after.difficulty - number(difficulty)).abs() < 1e-7, "{line}: {after:?}");
            assert_eq!(after.due, now + DAY * number(days) as i64, "{line}");
            (memory, seen) = (Some(after), seen + 1);
        }
        assert_eq!(seen, 320);
    }

    #[test]
    fn a_clock_that_was_years_ahead_hides_no_card() {
        let now = 1_764_000_000;
        let answered = |time| Memory::first(Grade::Good, time);
        assert!(answered(now + 3650 * DAY).is_due(now));
        assert!(!answered(now).is_due(now) && !answered(now + 3600).is_due(now));
        assert!(answered(now).is_due(now + 2 * DAY) && answered(0).is_due(now));
    }

    #[test]
    fn a_clock_that_goes_back_or_far_ahead_gives_sound_numbers() {
        let memory = Memory::first(Grade::Good, 1_764_000_000);
        for now in [i64::MIN, 0, i64::MAX] {
            let after = memory.reviewed(Grade::Again, now).reviewed(Grade::Easy, now);
            assert!(after.is_sound() && (0.0..=1.0).contains(&after.recall(i64::MAX)), "{after:?}");
        }
    }
}
