//! Luck of rolls by static evaluations.

use super::Search;
use super::opponent_replies::{Replies, Reply};
use crate::backgammon::{Cube, Dice};
use crate::cube::CubeScoring;
use crate::eval::Evaluator;
use crate::game::{LuckEstimator, SeenRoll};

/// Estimates luck with an evaluator: a roll is worth what the best of its results is by static evaluation.
///
/// Of the results of a roll it evaluates those that a linear evaluation ranks highest ([`RollLuck::MAX_REPLIES`]): this
/// costs accuracy, and no bias.
pub struct RollLuck<E> {
    search: Search<E>,
}

impl<E: Evaluator> RollLuck<E> {
    /// How many results of a roll are evaluated at most.
    pub const MAX_REPLIES: usize = 4;

    /// Luck by the evaluator of a search; its depth does not matter.
    pub const fn new(search: Search<E>) -> RollLuck<E> {
        RollLuck { search }
    }

    /// The value for the player who rolled of the best result of a roll: without a cube the equity in points, else the utility.
    fn value(&self, reply: &Reply, stake: Option<&Stake>) -> f64 {
        let Some(Stake { own, theirs, cube }) = stake else {
            return f64::from(-reply.value.equity());
        };
        let cube = cube.flipped();
        let of = |cube| self.search.utility(&reply.position, &reply.value, theirs, cube);
        let mut utility = of(cube);
        if reply.position.outcome().is_none() && theirs.may_double(cube) {
            utility = theirs.with_double(utility, of(cube.doubled()), cube);
        }
        f64::from(own.opponent_utility(utility))
    }

    /// The luck of an opening roll: 15 rolls, each the one player's or the other's, are equally likely.
    fn opening_luck(
        &self,
        replies: &Replies,
        best: &[Reply],
        dice: Dice,
        stake: Option<&Stake>,
    ) -> f64 {
        let exchanged = stake.map(Stake::exchanged);
        let opponents = |reply: &Reply| {
            let value = self.value(reply, exchanged.as_ref());
            stake.map_or(-value, |stake| f64::from(stake.own.opponent_utility(value as f32)))
        };
        let rolls = Dice::ALL.iter().filter(|dice| !dice.is_double());
        let sum: f64 = rolls
            .map(|&dice| &best[replies.place_of(dice)])
            .map(|reply| self.value(reply, stake) + opponents(reply))
            .sum();
        self.value(&best[replies.place_of(dice)], stake) - sum / 30.0
    }
}

/// The scoring as each player sees it, and the cube as the one who rolled sees it.
struct Stake {
    own: CubeScoring,
    theirs: CubeScoring,
    cube: Cube,
}

impl Stake {
    /// The same if the other player had rolled.
    fn exchanged(&self) -> Stake {
        Stake { own: self.theirs.clone(), theirs: self.own.clone(), cube: self.cube.flipped() }
    }
}

impl<E: Evaluator> LuckEstimator for RollLuck<E> {
    fn luck(&self, roll: &SeenRoll<'_>) -> f64 {
        let stake =
            roll.stake.map(|(own, cube)| Stake { own: own.clone(), theirs: own.flipped(), cube });
        let stake = stake.as_ref();
        let mut replies = Replies::default();
        let best = replies.of(self.search.evaluator(), roll.position, Self::MAX_REPLIES).to_vec();
        if roll.opening {
            return self.opening_luck(&replies, &best, roll.dice, stake);
        }
        let mean: f64 =
            best.iter().map(|reply| f64::from(reply.weight) * self.value(reply, stake)).sum();
        self.value(&best[replies.place_of(roll.dice)], stake) - mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{MatchScore, Outcome, Position, Scoring};
    use crate::cube::MatchEquityTable;
    use crate::eval::{Architecture, Evaluation, ScriptedEvaluator, Specialists};
    use crate::game::{GameRunner, Random, StreamPurpose, stream};
    use crate::search::{Plies, SearchSettings};

    fn luck() -> RollLuck<Specialists> {
        let weights = &mut stream(1, StreamPurpose::Weights, 0);
        let team = Specialists::random(&Architecture::ALL[0], weights);
        RollLuck::new(Search::new(team, Plies::ONE, SearchSettings::NORMAL))
    }

    /// The positions of a game between players who play at random.
    fn positions() -> Vec<Position> {
        let (mut dice, mut choices) =
            (stream(5, StreamPurpose::Test, 0), stream(5, StreamPurpose::Choice, 0));
        let game = GameRunner::default().play([&Random, &Random], &mut dice, &mut choices);
        game.expect("ends").positions
    }

    fn scorings() -> Vec<(CubeScoring, Cube)> {
        let table = MatchEquityTable::kazaross_xg2();
        let at = |own: u16, theirs: u16| {
            let score = MatchScore::new(9, 9 - own, 9 - theirs, false).expect("a score");
            CubeScoring::new(Scoring::Match(score), table.clone()).expect("in the table")
        };
        vec![
            (CubeScoring::money(), Cube::CENTRED),
            (CubeScoring::money(), Cube::CENTRED.doubled()),
            (at(3, 5), Cube::CENTRED),
            (at(7, 2), Cube::CENTRED.doubled().flipped()),
        ]
    }

    #[test]
    fn the_luck_of_all_rolls_adds_up_to_nothing() {
        let luck = luck();
        for position in positions().iter().step_by(5) {
            let without = std::iter::once(None);
            let scorings = scorings();
            for stake in without.chain(scorings.iter().map(|(s, cube)| Some((s, *cube)))) {
                let of = |dice: Dice| {
                    let roll = SeenRoll { position, dice, opening: false, stake };
                    f64::from(dice.probability()) * luck.luck(&roll)
                };
                let sum: f64 = Dice::ALL.into_iter().map(of).sum();
                assert!(sum.abs() < 1e-6, "{sum} in {position:?}");
            }
        }
    }

    #[test]
    fn the_luck_of_all_opening_rolls_of_both_players_adds_up_to_nothing() {
        let luck = luck();
        for (scoring, _) in scorings() {
            let flipped = scoring.flipped();
            let sum: f64 = Dice::ALL
                .into_iter()
                .filter(|dice| !dice.is_double())
                .map(|dice| {
                    let of = |scoring| {
                        let stake = Some((scoring, Cube::CENTRED));
                        let position = &Position::START;
                        luck.luck(&SeenRoll { position, dice, opening: true, stake })
                    };
                    // The luck of one player is the bad luck of the other.
                    of(&scoring) - of(&flipped)
                })
                .sum();
            assert!(sum.abs() < 1e-5, "{sum}");
        }
    }

    #[test]
    fn a_roll_that_wins_is_worth_what_was_missing_to_certainty() {
        // One checker on the 6 point against one that will be off: 27 of 36 rolls win, which is well known.
        let sure = |_: &Position| Evaluation::of_outcome(Outcome::Win);
        let search = Search::new(ScriptedEvaluator(sure), Plies::ONE, SearchSettings::NORMAL);
        let (luck, position) = (RollLuck::new(search), Position::from_sides(&[(6, 1)], &[(1, 1)]));
        let position = &position.expect("a position");
        let of = |a, b| {
            let dice = Dice::new(a, b).expect("dice");
            luck.luck(&SeenRoll { position, dice, opening: false, stake: None })
        };
        assert!((of(6, 1) - 0.5).abs() < 1e-6 && (of(2, 2) - 0.5).abs() < 1e-6);
        assert!((of(4, 1) + 1.5).abs() < 1e-6);
    }
}
