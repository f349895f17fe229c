//! The value by which the search chooses the reply to a roll.

use crate::backgammon::{Cube, Outcome, Scoring};
use crate::cube::CubeScoring;
use crate::eval::Evaluation;

/// The value by which static evaluations of plays are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ReplyRanking {
    /// Cubeless equity.
    Money,
    /// The sum of the outcome probabilities, each times its number here. The number is the equity
    /// of the outcome at the score, with a cube that is not turned again.
    Score([f32; 6]),
}

impl ReplyRanking {
    /// For money the cubeless equity, at a match score the equity of each outcome with this cube.
    ///
    /// Both are seen by the player on roll in the positions that are ranked.
    #[must_use]
    pub(crate) fn of(scoring: &CubeScoring, cube: Cube) -> ReplyRanking {
        match scoring.session() {
            Scoring::Money { .. } => ReplyRanking::Money,
            Scoring::Match(_) => {
                let equity = |outcome: Outcome| {
                    scoring.equity(scoring.of_outcome(outcome, cube), cube.value())
                };
                ReplyRanking::Score(Outcome::ALL.map(equity))
            }
        }
    }

    /// The value of an evaluation: the higher, the better for the player on roll.
    #[inline(always)]
    pub(crate) fn value(&self, evaluation: &Evaluation) -> f32 {
        match self {
            ReplyRanking::Money => evaluation.equity(),
            ReplyRanking::Score(weights) => {
                let [a, b, c, d, e, f] = evaluation.outcomes;
                let [wa, wb, wc, wd, we, wf] = *weights;
                (wa * a + wd * d) + (wb * b + we * e) + (wc * c + wf * f)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::MatchEquityTable;

    fn at(length: u16, own: u16, opponent: u16, crawford: bool) -> ReplyRanking {
        let session = Scoring::of_match(length, own, opponent, crawford).expect("a score");
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        ReplyRanking::of(&scoring, Cube::CENTRED)
    }

    /// Wins and losses, a share of each gammons.
    fn outcomes(win: f32, gammons: f32, lost_gammons: f32) -> Evaluation {
        let lose = 1.0 - win;
        let outcomes = [win - gammons, gammons, 0.0, lose - lost_gammons, lost_gammons, 0.0];
        Evaluation { average: 0.0, outcomes }
    }

    #[test]
    fn money_ranks_by_equity() {
        let money = ReplyRanking::of(&CubeScoring::money(), Cube::CENTRED);
        assert_eq!(money, ReplyRanking::Money);
        let value = Evaluation { average: 0.3, outcomes: [0.4, 0.2, 0.0, 0.3, 0.1, 0.0] };
        assert_eq!(money.value(&value), value.equity());
    }

    #[test]
    fn at_double_match_point_only_wins_count() {
        let both_one_away = at(5, 4, 4, false);
        let (many, few) = (outcomes(0.5, 0.4, 0.0), outcomes(0.5, 0.0, 0.4));
        assert!((both_one_away.value(&many) - both_one_away.value(&few)).abs() < 1e-6);
        assert!((both_one_away.value(&many) - 0.0).abs() < 1e-6);
    }

    #[test]
    fn a_gammon_counts_for_the_side_that_needs_it() {
        // 2-away against 1-away in the Crawford game: only the trailer gains by a gammon, and it
        // wins the match.
        let (trailer, leader) = (at(5, 3, 4, true), at(5, 4, 3, true));
        let (without, with) = (outcomes(0.45, 0.1, 0.1), outcomes(0.40, 0.25, 0.1));
        assert!(trailer.value(&with) > trailer.value(&without));
        assert!(leader.value(&with) < leader.value(&without));
    }
}
