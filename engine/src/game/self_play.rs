//! Positions from games of a team with itself, for statistics of the inputs of its nets.

use super::{GameRunner, Greedy, StreamPurpose, stream};
use crate::backgammon::Position;
use crate::eval::Specialists;

/// The positions of `games` games of a team with itself, always with the same dice. Endless games
/// are left out.
#[must_use]
pub fn self_play_positions(team: &Specialists, games: u64) -> Vec<Position> {
    let (player, mut runner) = (Greedy(team), GameRunner::default());
    let game = |number| {
        let [mut dice, mut choices] =
            [StreamPurpose::Match, StreamPurpose::Choice].map(|purpose| stream(1, purpose, number));
        runner.play([&player, &player], &mut dice, &mut choices)
    };
    (0..games).filter_map(game).flat_map(|game| game.positions).collect()
}
