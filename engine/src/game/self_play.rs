//! Positions from games of a team with itself, for statistics of the inputs of its nets.

use super::{GameRunner, Greedy, StreamPurpose, stream};
use crate::backgammon::Position;
use crate::eval::Specialists;
use crate::progress::Progress;

/// The positions of `games` games of a team with itself, always with the same dice. Endless games
/// are left out. `progress` counts games; once it is stopped, the positions are those of the games
/// before.
#[must_use]
pub fn self_play_positions(team: &Specialists, games: u64, progress: &Progress) -> Vec<Position> {
    let (player, mut runner) = (Greedy(team), GameRunner::default());
    let game = |number| {
        let [mut dice, mut choices] =
            [StreamPurpose::Match, StreamPurpose::Choice].map(|purpose| stream(1, purpose, number));
        let played = runner.play([&player, &player], &mut dice, &mut choices);
        progress.add(1);
        played
    };
    let going_on = |_: &u64| !progress.is_stopped();
    (0..games).take_while(going_on).filter_map(game).flat_map(|game| game.positions).collect()
}
