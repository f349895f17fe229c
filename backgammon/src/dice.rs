//! The 21 distinct rolls and how often each comes.

use std::fmt;
use std::str::FromStr;

/// A roll of two dice; the higher one first. 31 and 13 are the same roll.
///
/// ```
/// use backgammon::Dice;
///
/// let dice: Dice = "3-1".parse()?;
/// assert_eq!(Some(dice), Dice::new(1, 3));
/// assert_eq!((dice.high(), dice.low(), dice.weight()), (3, 1, 2));
/// assert!("71".parse::<Dice>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dice {
    high: u8,
    low: u8,
}

/// A text that is not a roll.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid roll '{}': expected two digits from 1 to 6, as in 31 or 66", .0.escape_debug())]
pub struct DiceError(String);

impl Dice {
    /// All 21 rolls in ascending order: 11, 21, 22, 31, ... 66.
    pub const ALL: [Dice; 21] = {
        let mut all = [Dice { high: 1, low: 1 }; 21];
        let (mut n, mut high) = (0, 1);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[n] = Dice { high, low };
                n += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// The roll of two dice in either order, if both show 1 to 6.
    #[must_use]
    pub const fn new(a: u8, b: u8) -> Option<Dice> {
        if a < 1 || a > 6 || b < 1 || b > 6 {
            return None;
        }
        Some(if a > b { Dice { high: a, low: b } } else { Dice { high: b, low: a } })
    }

    /// The higher die, 1..=6.
    #[inline(always)]
    #[must_use]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The lower die, 1..=6.
    #[inline(always)]
    #[must_use]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Both dice alike: four moves instead of two.
    #[inline(always)]
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// How many of the 36 throws give this roll: 1 for doubles, else 2.
    #[must_use]
    pub const fn weight(self) -> u8 {
        if self.is_double() { 1 } else { 2 }
    }

    /// The chance of this roll, 1/36 or 2/36.
    #[must_use]
    pub fn probability(self) -> f32 {
        f32::from(self.weight()) / 36.0
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl FromStr for Dice {
    type Err = DiceError;

    /// Reads `31`, `3-1`, `3,1` or `3 1`.
    fn from_str(text: &str) -> Result<Dice, DiceError> {
        let wrong = || DiceError(text.to_owned());
        let digit = |byte: u8| byte.wrapping_sub(b'0');
        match *text.trim().as_bytes() {
            [a, b] | [a, b'-' | b',' | b' ', b] => Dice::new(digit(a), digit(b)).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_21_rolls_weigh_36() {
        assert_eq!(Dice::ALL.iter().map(|d| u32::from(d.weight())).sum::<u32>(), 36);
        let mut sorted = Dice::ALL.to_vec();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted, Dice::ALL);
    }

    #[test]
    fn a_roll_reads_either_way_round_and_prints_the_higher_die_first() {
        for text in ["31", "13", "3-1", "1,3", " 3 1 "] {
            assert_eq!(text.parse::<Dice>().map(|d| d.to_string()), Ok("31".to_owned()), "{text}");
        }
        for text in ["70", "07", "3", "311", "", "ab", "3x1", "3--1"] {
            assert!(text.parse::<Dice>().is_err(), "{text}");
        }
    }
}
