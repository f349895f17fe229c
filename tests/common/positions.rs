//! Positions that games hardly reach.

#![allow(unreachable_pub, reason = "each test program takes what it needs")]

use nonet::backgammon::{CHECKERS, Position};
use nonet::game::{StreamPurpose, stream};
use rand::Rng;

/// A position that self-play hardly visits.
///
/// Both sides have any number of checkers. Often one group is far behind: caught on the bar, in an
/// anchor, or left in the other home board.
fn rare_position(rng: &mut impl Rng) -> Option<Position> {
    let mut taken = [false; 26];
    let mut side = |rng: &mut dyn rand::RngCore| {
        let left = match rng.random_range(0..4) {
            0 => CHECKERS,
            1 => rng.random_range(12..CHECKERS),
            _ => rng.random_range(1..=CHECKERS),
        };
        let behind = if rng.random_bool(0.5) { rng.random_range(0..=left.min(6)) } else { 0 };
        let farthest = [3, 6, 6, 12, 24][rng.random_range(0..5)];
        let mut counts = [0i8; 26];
        for checker in 0..left {
            let point = if checker < behind {
                rng.random_range(18..=25)
            } else {
                rng.random_range(1..=farthest)
            };
            if point == 25 || !taken[25 - point] {
                counts[point] += 1;
            }
        }
        (1..25).for_each(|p| taken[p] = counts[p] > 0);
        (1..26).filter(|&p| counts[p] > 0).map(|p| (p, counts[p])).collect::<Vec<_>>()
    };
    let (own, opponent) = (side(rng), side(rng));
    let position = Position::from_sides(&own, &opponent).ok()?;
    (position.outcome().is_none()).then_some(position)
}

pub fn rare_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = stream(seed, StreamPurpose::Choice, 0);
    std::iter::repeat_with(|| rare_position(&mut rng)).flatten().take(count).collect()
}
