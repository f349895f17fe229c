//! Siblings: other results of a roll than the one that was played. TreeStrap (Veness, Silver, Blair
//! & Uther 2009) learns all positions of a search; these are those near the choice, which decide
//! what is played.

use super::TargetBuilder;
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::eval::Evaluator;

/// Results that lose more than this at 1-ply, in points per game, are not learned: plays hardly
/// ever are chosen among them.
const WITHIN: f32 = 0.1;

impl TargetBuilder {
    /// Adds to `unknown` up to `most` other results of the roll that led from `before` to `after`.
    ///
    /// They are the best ones by `team`, and lose at most [`WITHIN`] against the best.
    ///
    /// The roll is the first of [`Dice::ALL`] that leads from one position to the other; games do
    /// not keep theirs.
    pub(super) fn add_siblings(
        &mut self,
        team: &dyn Evaluator,
        before: &Position,
        after: &Position,
        most: u32,
    ) {
        let results = &mut self.results;
        let roll = Dice::ALL.into_iter().find(|dice| results.of(before, *dice).contains(after));
        let Some(roll) = roll else { return };
        let found = self.results.of(before, roll);
        team.evaluate_into(found, &mut self.replies);
        // For the opponent, who is on roll then: the lowest is the best.
        let mut order: Vec<(f32, usize)> =
            self.replies.iter().map(|value| value.equity()).zip(0..).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let best = order[0].0;
        let near = order.iter().filter(|(value, place)| {
            value - best <= WITHIN && found[*place] != *after && found[*place].outcome().is_none()
        });
        self.unknown.extend(near.take(most as usize).map(|(_, place)| found[*place]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::Results;
    use nonet_engine::eval::{Architecture, Specialists};
    use nonet_engine::game::{Game, GameRunner, Greedy, StreamPurpose, stream};

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(2, StreamPurpose::Weights, 0))
    }

    /// A game of the team against itself.
    fn game() -> Game {
        let [mut dice, mut choices] =
            [StreamPurpose::Training, StreamPurpose::Choice].map(|purpose| stream(3, purpose, 0));
        let player = Greedy(team());
        let seats = [&player as _, &player as _];
        GameRunner::default().play(seats, &mut dice, &mut choices).expect("ends")
    }

    fn siblings(game: &Game, most: u32) -> Vec<Position> {
        let mut builder = TargetBuilder::default();
        for pair in game.positions.windows(2) {
            builder.add_siblings(&team(), &pair[0], &pair[1], most);
        }
        builder.unknown
    }

    #[test]
    fn siblings_are_results_of_the_same_roll_near_the_best_one() {
        let game = game();
        let mut left = siblings(&game, 3).into_iter().peekable();
        let mut results = Results::default();
        let team = team();
        let value = |position: &Position| team.evaluate(position).equity();
        for pair in game.positions.windows(2) {
            let rolls = || Dice::ALL.into_iter();
            let roll = rolls().find(|dice| results.of(&pair[0], *dice).contains(&pair[1]));
            let Some(roll) = roll else { continue };
            let found = results.of(&pair[0], roll);
            let best = found.iter().map(value).fold(f32::INFINITY, f32::min);
            let near = found.iter().filter(|result| {
                **result != pair[1] && result.outcome().is_none() && value(result) <= best + WITHIN
            });
            let expected = near.count().min(3);
            let mut last = f32::NEG_INFINITY;
            for _ in 0..expected {
                let sibling = left.next().expect("one more");
                assert!(found.contains(&sibling) && sibling != pair[1]);
                assert!(value(&sibling) >= last, "the best one comes first");
                last = value(&sibling);
            }
        }
        assert_eq!(left.next(), None);
        assert!(siblings(&game, 3).len() > siblings(&game, 1).len());
    }
}
