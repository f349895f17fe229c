//! Randomness as an argument: numbered streams of dice.
//!
//! Game `i` of a run draws from stream `i` of the run's seed, so no game depends on which thread played it or on how
//! many games were played before.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

use crate::backgammon::Dice;

/// What a stream is for: streams of different domains never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum StreamPurpose {
    /// Initial weights.
    Weights = 1,
    /// Games to learn from.
    Training = 2,
    /// Test games while training.
    Test = 3,
    /// Test games on dice that chose nothing.
    Final = 4,
    /// Matches of `eval`.
    Match = 5,
    /// Choices of players that throw dice of their own.
    Choice = 6,
    /// Matches that decide over a rung of a ladder.
    Gate = 7,
    /// Games that are played to be written down.
    Record = 8,
    /// Games of a rollout.
    Rollout = 9,
    /// Games that a person plays.
    Person = 10,
    /// Games that decisions are taken from to judge nets by.
    Decisions = 11,
    /// Examples that a net learns again.
    Replay = 12,
}

/// Stream `index` of a seed. Neighbouring streams are unrelated: all 256 bits of state and increment are scrambled
/// from (seed, domain, index), because generators that share the state and differ in a small increment are not.
#[must_use]
pub fn stream(seed: u64, domain: StreamPurpose, index: u64) -> Pcg64 {
    let mut state = scramble(scramble(scramble(seed) ^ domain as u64) ^ index);
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        state = state.wrapping_add(GOLDEN);
        chunk.copy_from_slice(&scramble(state).to_le_bytes());
    }
    Pcg64::from_seed(bytes)
}

/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014).
const fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(GOLDEN);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Throws two dice; all 36 throws are equally likely to the last bit. Our own arithmetic instead of a library's range
/// sampling, which may change between releases and would change every run with it.
pub fn roll(rng: &mut Pcg64) -> Dice {
    loop {
        // 2^32 = 36 * 119,304,647 + 4: the four values left over are thrown again.
        let throw = rng.next_u32();
        if throw < 36 * 119_304_647 {
            let throw = (throw % 36) as u8;
            if let Some(dice) = Dice::new(throw / 6 + 1, throw % 6 + 1) {
                return dice;
            }
        }
    }
}

/// A uniform index below `n`, by multiplication; the bias is below n / 2^32.
pub(crate) fn below(n: usize, rng: &mut Pcg64) -> usize {
    ((u64::from(rng.next_u32()) * n as u64) >> 32) as usize
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
        // 36,000 throws: 1,000 for each way to throw a roll, standard deviation about 31 for doubles, 43 else.
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
}
