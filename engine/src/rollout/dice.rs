//! The dice of rollouts: random, but spread evenly over the games.

use crate::backgammon::Dice;
use crate::game::{MAX_TURNS, StreamPurpose, shuffle, stream, throw};

/// Games in which each throw comes up once in every turn.
pub(super) const BLOCK: u64 = 36;

/// Stratified dice. Games come in blocks of 36. In each turn the 36 games of a block have the 36
/// throws, each once (a Latin hypercube: McKay, Beckman & Conover, Technometrics 21, 1979). The
/// throws of the first two turns are paired so that 1,296 games contain each pair once. The throws
/// of one game are independent of each other, so results stay unbiased.
pub(super) struct StratifiedDice {
    seed: u64,
    /// The throws in a random order, for second rolls.
    second: [u8; 36],
}

impl StratifiedDice {
    pub(super) fn new(seed: u64) -> StratifiedDice {
        StratifiedDice { seed, second: StratifiedDice::order(seed, u64::MAX) }
    }

    /// The throws in a random order.
    fn order(seed: u64, number: u64) -> [u8; 36] {
        let mut order = std::array::from_fn(|index| index as u8);
        shuffle(&mut order, &mut stream(seed, StreamPurpose::Rollout, number));
        order
    }

    /// The roll of a turn, counted from 0 and below [`MAX_TURNS`], of a game.
    pub(super) fn roll(&self, game: u64, turn: usize) -> Dice {
        let (block, place) = (game / BLOCK, game % BLOCK);
        throw(match turn {
            0 => place as u8,
            1 => self.second[((block + place) % BLOCK) as usize],
            _ => {
                let number = block * MAX_TURNS as u64 + turn as u64;
                StratifiedDice::order(self.seed, number)[place as usize]
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of the 36 throws, a double once and another roll twice, comes up in a turn of
    /// these games.
    fn counts(
        dice: &StratifiedDice,
        turn: usize,
        games: std::ops::Range<u64>,
    ) -> Vec<(f32, usize)> {
        let rolls: Vec<Dice> = games.map(|game| dice.roll(game, turn)).collect();
        let count = |roll: &Dice| rolls.iter().filter(|other| *other == roll).count();
        Dice::ALL.iter().map(|roll| (roll.probability(), count(roll))).collect()
    }

    #[test]
    fn every_block_of_36_games_has_each_throw_once_in_every_turn() {
        let dice = StratifiedDice::new(7);
        for (turn, block) in [(0, 0), (1, 5), (2, 0), (9, 3), (120, 1000)] {
            for (chance, count) in counts(&dice, turn, block * 36..block * 36 + 36) {
                assert_eq!(count as f32, (36.0 * chance).round(), "turn {turn}, block {block}");
            }
        }
    }

    #[test]
    fn two_turns_of_1296_games_have_each_pair_of_throws_once() {
        let dice = StratifiedDice::new(7);
        let mut pairs: Vec<(u64, u8)> = Vec::new();
        for game in 0..1296 {
            pairs.push((game % 36, dice.second[((game / 36 + game % 36) % 36) as usize]));
        }
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), 1296);
    }

    #[test]
    fn the_order_differs_from_turn_to_turn_from_block_to_block_and_by_the_seed() {
        let rolls = |seed, block: u64, turn| -> Vec<Dice> {
            let dice = StratifiedDice::new(seed);
            (block * 36..block * 36 + 36).map(|game| dice.roll(game, turn)).collect()
        };
        assert_ne!(rolls(1, 0, 2), rolls(1, 0, 3));
        assert_ne!(rolls(1, 0, 2), rolls(1, 1, 2));
        assert_ne!(rolls(1, 0, 2), rolls(2, 0, 2));
    }
}
