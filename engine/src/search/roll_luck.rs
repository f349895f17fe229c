//! Luck of rolls by static evaluations.

use super::Search;
use super::opponent_replies::{Replies, Reply};
use super::reply_ranking::ReplyRanking;
use crate::backgammon::{Dice, Position};
use crate::cube::{CubeContext, CubeEfficiency};
use crate::eval::{Evaluator, EvaluatorDescription};
use crate::game::{LuckEstimator, SeenRoll};
use crate::progress::Attachments;

/// Estimates luck with an evaluator. The value of a roll is the static evaluation of its best
/// result.
///
/// The mean over all rolls is 0. The result of a game minus its luck is therefore an unbiased
/// estimate of the difference in skill, with far less noise. Source: Montgomery, "Variance
/// reduction", GammOnLine 2000.
pub struct RollLuck<E> {
    search: Search<E>,
    max_replies: usize,
}

impl<E: Evaluator> RollLuck<E> {
    /// How many results of a roll are evaluated at most, unless all are.
    pub const MAX_REPLIES: usize = 4;

    /// Luck by the evaluator of `search`; its depth does not matter. Of the results of a roll, only
    /// the first [`RollLuck::MAX_REPLIES`] in [`ReplyOrder`](super::ReplyOrder) are evaluated. This
    /// costs accuracy but adds no bias.
    pub const fn new(search: Search<E>) -> RollLuck<E> {
        RollLuck { search, max_replies: Self::MAX_REPLIES }
    }

    /// The same, but all results of each roll are evaluated.
    #[must_use]
    pub fn of_all_results(self) -> RollLuck<E> {
        RollLuck { max_replies: usize::MAX, ..self }
    }

    /// The value for the player who rolled of the best result of a roll: without a cube the equity
    /// in points, else the utility.
    fn value(&self, reply: &Reply, views: Option<&Views>) -> f64 {
        let Some(Views { own, theirs: CubeContext { scoring: theirs, cube } }) = views else {
            return f64::from(-reply.value.equity());
        };
        let cube = *cube;
        let of = |cube| {
            self.search.utility(&reply.position, &reply.value, theirs, cube, CubeEfficiency::PLAYS)
        };
        let mut utility = of(cube);
        if reply.position.outcome().is_none() && theirs.may_double(cube) {
            utility = theirs.with_double(utility, of(cube.doubled()), cube);
        }
        f64::from(own.scoring.opponent_utility(utility))
    }

    /// The value of each roll of a position, in the order of [`Dice::ALL`].
    fn of_rolls(&self, position: &Position, views: Option<&Views>) -> [f64; Dice::ALL.len()] {
        let ranking = views.map_or(ReplyRanking::Money, |views| {
            ReplyRanking::of(&views.theirs.scoring, views.theirs.cube)
        });
        let mut replies = Replies::default();
        let evaluator = self.search.evaluator();
        let best = replies.of(evaluator, position, self.max_replies, ranking).to_vec();
        let of_best: Vec<f64> = best.iter().map(|reply| self.value(reply, views)).collect();
        Dice::ALL.map(|dice| of_best[replies.place_of(dice)])
    }

    /// The mean value of the opening rolls for a player: 15 rolls, each the one player's or the
    /// other's, are equally likely.
    fn opening_mean(
        &self,
        position: &Position,
        own: &[f64; Dice::ALL.len()],
        views: Option<&Views>,
    ) -> f64 {
        let exchanged = views.map(Views::exchanged);
        let theirs = self.of_rolls(position, exchanged.as_ref());
        // What a roll is worth for this player if the other one has it.
        let lost = |value: f64| {
            views
                .map_or(-value, |views| f64::from(views.own.scoring.opponent_utility(value as f32)))
        };
        let rolls = Dice::ALL.iter().zip(own.iter().zip(theirs));
        let singles = rolls.filter(|(dice, _)| !dice.is_double());
        let sum: f64 = singles.map(|(_, (own, theirs))| own + lost(theirs)).sum();
        sum / 30.0
    }
}

/// The scoring and the cube as each player sees them.
struct Views {
    /// Seen by the player who rolled.
    own: CubeContext,
    theirs: CubeContext,
}

impl Views {
    fn of(context: &CubeContext) -> Views {
        Views { own: context.clone(), theirs: context.flipped() }
    }

    /// The same if the other player had rolled.
    fn exchanged(&self) -> Views {
        Views { own: self.theirs.clone(), theirs: self.own.clone() }
    }
}

impl<E: Evaluator> LuckEstimator for RollLuck<E> {
    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        // The search only evaluates, whatever its depth.
        let usual = self.max_replies == Self::MAX_REPLIES;
        usual.then(|| self.search.evaluator().describe(attachments)).flatten()
    }

    fn luck(&self, roll: &SeenRoll<'_>) -> f64 {
        let views = roll.context.map(Views::of);
        let views = views.as_ref();
        let values = self.of_rolls(roll.position, views);
        let mean = if roll.opening {
            self.opening_mean(roll.position, &values, views)
        } else {
            let weighted = Dice::ALL.iter().zip(values);
            weighted.map(|(dice, value)| f64::from(dice.probability()) * value).sum()
        };
        let place = Dice::ALL.iter().position(|dice| *dice == roll.dice);
        values[place.expect("every roll is among the 21")] - mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Cube, MatchScore, Outcome, Scoring};
    use crate::cube::{CubeScoring, MatchEquityTable};
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

    fn contexts() -> Vec<CubeContext> {
        let table = MatchEquityTable::kazaross_xg2();
        let at = |own: u16, theirs: u16| {
            let score = MatchScore::new(9, 9 - own, 9 - theirs, false).expect("a score");
            CubeScoring::new(Scoring::Match(score), table.clone()).expect("in the table")
        };
        let jacoby = Scoring::Money { jacoby: true, beavers: false };
        let jacoby = CubeScoring::new(jacoby, table.clone()).expect("money");
        let cubes = [
            (CubeScoring::money(), Cube::CENTRED),
            (CubeScoring::money(), Cube::CENTRED.doubled()),
            (at(3, 5), Cube::CENTRED),
            (at(7, 2), Cube::CENTRED.doubled().flipped()),
            (at(1, 7), Cube::CENTRED),
            (jacoby, Cube::CENTRED),
        ];
        cubes.map(|(scoring, cube)| CubeContext { scoring, cube }).into()
    }

    #[test]
    fn the_luck_of_all_rolls_adds_up_to_nothing() {
        let (of_some, of_all, contexts) = (luck(), luck().of_all_results(), contexts());
        for position in positions().iter().step_by(5) {
            for context in std::iter::once(None).chain(contexts.iter().map(Some)) {
                for luck in [&of_some, &of_all] {
                    let of = |dice: Dice| {
                        let roll = SeenRoll { position, dice, opening: false, context };
                        f64::from(dice.probability()) * luck.luck(&roll)
                    };
                    let sum: f64 = Dice::ALL.into_iter().map(of).sum();
                    assert!(sum.abs() < 1e-6, "{sum} in {position:?}");
                }
            }
        }
    }

    #[test]
    fn the_luck_of_all_opening_rolls_of_both_players_adds_up_to_nothing() {
        let luck = luck();
        for CubeContext { scoring, .. } in contexts() {
            let first = CubeContext { scoring, cube: Cube::CENTRED };
            let second = first.flipped();
            let of = |dice, context| {
                let position = &Position::START;
                luck.luck(&SeenRoll { position, dice, opening: true, context: Some(context) })
            };
            let rolls = Dice::ALL.into_iter().filter(|dice| !dice.is_double());
            // The luck of one player is the bad luck of the other.
            let sum: f64 = rolls.map(|dice| of(dice, &first) - of(dice, &second)).sum();
            assert!(sum.abs() < 1e-5, "{sum}");
        }
    }

    #[test]
    fn a_roll_that_wins_is_worth_what_was_missing_to_certainty() {
        // One checker on the 6 point against one that will be off: 27 of 36 rolls win, which is
        // well known.
        let sure = |_: &Position| Evaluation::of_outcome(Outcome::Win);
        let search = Search::new(ScriptedEvaluator(sure), Plies::ONE, SearchSettings::NORMAL);
        let (luck, position) = (RollLuck::new(search), Position::from_sides(&[(6, 1)], &[(1, 1)]));
        let position = &position.expect("a position");
        let of = |a, b| {
            let dice = Dice::new(a, b).expect("dice");
            luck.luck(&SeenRoll { position, dice, opening: false, context: None })
        };
        assert!((of(6, 1) - 0.5).abs() < 1e-6 && (of(2, 2) - 0.5).abs() < 1e-6);
        assert!((of(4, 1) + 1.5).abs() < 1e-6);
    }
}
