//! Random numbers: numbered streams, dice, and choices from them.
//!
//! Game `i` of a run draws from stream `i` of the run's seed. So a game does not depend on its
//! thread or on the games before it.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::backgammon::{Dice, Seat};

/// The purpose of a stream: streams with different purposes are unrelated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u64)]
pub enum StreamPurpose {
    /// Initial weights.
    Weights = 1,
    /// Games to learn from.
    Training = 2,
    /// Test games while training.
    Test = 3,
    /// The final test of a run, on dice that had no part in choosing its net.
    Final = 4,
    /// Matches of `eval`.
    Match = 5,
    /// Choices of players that choose at random.
    Choice = 6,
    /// Matches that decide which net a gated run continues with.
    Gate = 7,
    /// Games played by `record`.
    Record = 8,
    /// Games of a rollout.
    Rollout = 9,
    /// Games against a person.
    Person = 10,
    /// Games that the decisions of the benchmark come from.
    Decisions = 11,
    /// Examples drawn from the replay buffer.
    Replay = 12,
    /// Matches between the teams of a run at its end.
    PlayOff = 13,
    /// The noise of a level of play.
    Noise = 14,
    /// The sample game of a run.
    Sample = 15,
    /// Games that positions to begin at are drawn from.
    Start = 16,
}

/// Stream `index` of a seed.
///
/// Neighbouring streams are unrelated: all 256 bits of state and increment are scrambled from
/// (seed, purpose, index). The scrambling is necessary, because generators that share the state and
/// differ in a small increment are related.
#[must_use]
pub fn stream(seed: u64, purpose: StreamPurpose, index: u64) -> Pcg64 {
    let mut state = scramble(scramble(scramble(seed) ^ purpose as u64) ^ index);
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        state = state.wrapping_add(GOLDEN);
        chunk.copy_from_slice(&scramble(state).to_le_bytes());
    }
    Pcg64::from_seed(bytes)
}

/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
/// generators", 2014).
const fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(GOLDEN);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Throws two dice; all 36 throws are exactly equally likely.
///
/// The arithmetic is nonet's own: a library's range sampling may change between releases and would
/// change every run with it.
pub fn roll(rng: &mut Pcg64) -> Dice {
    loop {
        // 2^32 = 36 * 119,304,647 + 4: the four values left over are drawn again.
        let value = rng.next_u32();
        if value < 36 * 119_304_647 {
            return throw((value % 36) as u8);
        }
    }
}

/// Throw `index` of the 36 throws of two dice, in the order 11, 12, ..., 16, 21, ..., 66.
///
/// # Panics
/// If `index` is 36 or more.
#[allow(clippy::expect_used, reason = "both dice are 1 to 6 for every index below 36")]
#[must_use]
pub const fn throw(index: u8) -> Dice {
    Dice::new(index / 6 + 1, index % 6 + 1).expect("an index below 36")
}

/// The opening: both players throw one die until the dice differ. Who rolls first, and the roll.
pub fn opening_roll(rng: &mut Pcg64) -> (Seat, Dice) {
    loop {
        let dice = roll(rng);
        if !dice.is_double() {
            // One more random number decides which player threw the higher die.
            return (Seat::BOTH[below(2, rng)], dice);
        }
    }
}

/// A uniform index below `n`, by multiplication; the bias is below n / 2^32.
pub fn below(n: usize, rng: &mut Pcg64) -> usize {
    ((u64::from(rng.next_u32()) * n as u64) >> 32) as usize
}

/// `true` with this probability, 0..=1, in steps of 2^-32.
pub fn chance(probability: f64, rng: &mut Pcg64) -> bool {
    f64::from(rng.next_u32()) < probability * 2.0_f64.powi(32)
}

/// A nearly normal number that follows from the seed and the key alone: mean 0, standard deviation
/// 1, at most 6. It is the sum of twelve uniform numbers, which has the same bits on every machine,
/// as logarithms and cosines have not.
#[must_use]
pub fn nearly_normal(seed: u64, purpose: StreamPurpose, key: &[u8]) -> f32 {
    let mut rng = stream_of_key(seed, purpose, key);
    let sum: f64 = (0..12).map(|_| uniform(&mut rng)).sum();
    (sum - 6.0) as f32
}

/// A number of 0..1 that follows from the seed and the key alone; all are equally likely.
#[must_use]
pub fn uniform_of_key(seed: u64, purpose: StreamPurpose, key: &[u8]) -> f64 {
    uniform(&mut stream_of_key(seed, purpose, key))
}

fn uniform(rng: &mut Pcg64) -> f64 {
    f64::from(rng.next_u32()) / 2.0_f64.powi(32)
}

/// The stream of a key: eight bytes at a time, each step scrambled, so that neighbouring keys are
/// unrelated.
fn stream_of_key(seed: u64, purpose: StreamPurpose, key: &[u8]) -> Pcg64 {
    let mut index = key.len() as u64;
    for chunk in key.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        index = scramble(index ^ u64::from_le_bytes(word));
    }
    stream(seed, purpose, index)
}

/// Puts the items into a random order (Fisher-Yates, from the end).
pub fn shuffle<T>(items: &mut [T], rng: &mut Pcg64) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last + 1, rng));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dice_of_a_seed_never_change() {
        let mut rng = stream(1, StreamPurpose::Training, 0);
        let rolls: Vec<String> = (0..12).map(|_| roll(&mut rng).to_string()).collect();
        insta::assert_snapshot!(rolls.join(" "));
    }

    #[test]
    fn every_roll_comes_as_often_as_it_should() {
        let mut counts = std::collections::BTreeMap::new();
        for index in 0..1000 {
            let mut rng = stream(7, StreamPurpose::Match, index);
            for _ in 0..36 {
                *counts.entry(roll(&mut rng)).or_insert(0u32) += 1;
            }
        }
        // 36,000 throws: 1,000 for each way to throw a roll, standard deviation about 31 for
        // doubles, 43 else.
        for dice in Dice::ALL {
            let expected = 1000 * i64::from(dice.weight());
            assert!(
                (i64::from(counts[&dice]) - expected).abs() < 180,
                "{dice}: {} for {expected}",
                counts[&dice]
            );
        }
    }

    #[test]
    fn neighbouring_streams_begin_differently() {
        let first = |index| stream(1, StreamPurpose::Training, index).next_u64();
        let firsts: std::collections::BTreeSet<u64> = (0..10_000).map(first).collect();
        assert_eq!(firsts.len(), 10_000);
    }

    #[test]
    fn the_opening_roll_is_never_a_double_and_either_player_begins() {
        let mut rng = stream(2, StreamPurpose::Match, 0);
        let openings: Vec<(Seat, Dice)> = (0..200).map(|_| opening_roll(&mut rng)).collect();
        assert!(openings.iter().all(|(_, dice)| !dice.is_double()));
        let first = openings.iter().filter(|(first, _)| *first == Seat::X).count();
        // Standard deviation 7.
        assert!((70..=130).contains(&first), "{first}");
    }

    #[test]
    fn a_chance_is_a_share_and_0_and_1_are_certain() {
        let mut rng = stream(3, StreamPurpose::Choice, 0);
        let count = |p, rng: &mut Pcg64| (0..10_000).filter(|_| chance(p, rng)).count();
        assert_eq!((count(0.0, &mut rng), count(1.0, &mut rng)), (0, 10_000));
        // Standard deviation 43.
        assert!((2325..=2675).contains(&count(0.25, &mut rng)));
    }

    #[test]
    fn noise_follows_from_seed_and_key_with_mean_0_and_deviation_1() {
        let of = |seed: u64, key: u32| {
            f64::from(nearly_normal(seed, StreamPurpose::Noise, &key.to_le_bytes()))
        };
        let values: Vec<f64> = (0..20_000).map(|key| of(1, key)).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let square = values.iter().map(|value| value * value).sum::<f64>() / 20_000.0;
        // Standard errors 0.007 and 0.01.
        assert!(mean.abs() < 0.03 && (square - 1.0).abs() < 0.04, "{mean} {square}");
        assert_eq!(of(1, 7), values[7]);
        assert_ne!(of(2, 7), values[7]);
    }

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut items: Vec<u8> = (0..36).collect();
        shuffle(&mut items, &mut stream(4, StreamPurpose::Rollout, 0));
        assert_ne!(items, (0..36).collect::<Vec<u8>>());
        items.sort_unstable();
        assert_eq!(items, (0..36).collect::<Vec<u8>>());
    }
}
