//! Resignations, and the scoring that the bot's cube decisions use.
//!
//! The cube model of [`nonet_engine::cube`] tells the bot when to offer a resignation and when to
//! accept one.

use nonet_engine::backgammon::{BoardView, Cube, GameState, MatchScore, Position, Scoring, Stake};
use nonet_engine::cube::CubeScoring;
use nonet_engine::cube::MatchEquityTable;
use nonet_engine::engine::CubeContext;
use nonet_engine::eval::Evaluation;

/// The scoring of a game for cube decisions, by Neil Kazaross's XG2 match equity table.
///
/// Scores beyond the table count as its most distant score: that far from the end, a match is
/// nearly money play. The Crawford game stays the Crawford game.
///
/// ```
/// use nonet_engine::backgammon::Scoring;
///
/// let far = nonet_bot::cube_scoring(Scoring::of_match(99, 0, 0, false)?).session();
/// assert!(far.away().is_some_and(|(own, _)| own < 99));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cube_scoring(scoring: Scoring) -> CubeScoring {
    let table = MatchEquityTable::kazaross_xg2();
    let within_table = match scoring {
        Scoring::Match(score) => Scoring::Match(nearest(score, table.length())),
        Scoring::Money { .. } => scoring,
    };
    CubeScoring::new(within_table, table).expect("the score is within the table")
}

/// Scoring and cube of a game for cube decisions, seen by the player on roll.
pub(super) fn context(game: &GameState) -> CubeContext {
    CubeContext { scoring: cube_scoring(game.state.scoring), cube: game.state.cube }
}

/// The score of a match to at most `length` points with the same points to go, as far as `length`
/// reaches.
fn nearest(score: MatchScore, length: usize) -> MatchScore {
    let length = u16::try_from(length).expect("a match equity table has at most 64 points");
    let points = |away: u16| length - away.min(length);
    let (own, opponent) = (points(score.own_away()), points(score.opponent_away()));
    MatchScore::new(length, own, opponent, score.is_crawford())
        .expect("both players need 1 to `length` points, and one point where they did before")
}

/// Equity, in points of a single game at this cube, that is not worth playing on for.
const NEGLIGIBLE: f32 = 0.01;

/// Equity that a player gains if the opponent resigns for `stake`, compared with playing on.
/// `value` is the value of the position for that player, who need not be on roll.
fn gain(value: &Evaluation, scoring: &CubeScoring, cube: Cube, stake: Stake) -> f32 {
    let value_of_stake = cube.value().saturating_mul(stake.points());
    let points = i32::try_from(value_of_stake).unwrap_or(i32::MAX);
    // Doubling the opponent out wins no more than a single game, the least that is offered.
    let playing_on = scoring.cubeful(value, cube);
    scoring.equity(scoring.utility(points), cube.value()) - scoring.equity(playing_on, cube.value())
}

/// Whether to accept the resignation of an opponent who offers `stake`. `value` is the value of the
/// position for us, and we need not be on roll.
#[must_use]
pub fn should_accept(value: &Evaluation, scoring: &CubeScoring, cube: Cube, stake: Stake) -> bool {
    gain(value, scoring, cube, stake) >= -NEGLIGIBLE
}

/// The stake for which the player on roll should resign, if at all. The player resigns in a race
/// with a winning chance of at most 1 in 1000. The stake is the loss from playing on, at this score
/// and cube.
///
/// ```
/// use nonet_bot::{cube_scoring, offer_to_resign};
/// use nonet_engine::backgammon::{Cube, Position, Scoring, Stake};
/// use nonet_engine::eval::Evaluation;
///
/// let lost = Position::from_sides(&[(12, 14)], &[(1, 1)])?;
/// let value = Evaluation { average: -1.0, outcomes: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] };
/// let stake = offer_to_resign(&lost, &value, &cube_scoring(Scoring::MONEY), Cube::CENTRED);
/// assert_eq!(stake, Some(Stake::Single));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn offer_to_resign(
    position: &Position,
    value: &Evaluation,
    scoring: &CubeScoring,
    cube: Cube,
) -> Option<Stake> {
    /// A chance to win that is worth playing on for.
    const HOPE: f32 = 0.001;
    let [w, wg, wb, mut l, mut lg, mut lb] = value.outcomes.map(|p| p.clamp(0.0, 1.0));
    if BoardView::of(position).contact() || w + wg + wb > HOPE * (w + wg + wb + l + lg + lb) {
        return None;
    }
    if position.own_left() < 15 {
        // With a checker off no gammon can be lost, even if the net gives it a chance.
        (l, lg, lb) = (l + lg + lb, 0.0, 0.0);
    }
    let theirs = Evaluation { outcomes: [l, lg, lb, w, wg, wb], average: -value.average };
    let gain = |stake| gain(&theirs, &scoring.flipped(), cube.flipped(), stake);
    [Stake::Single, Stake::Gammon, Stake::Backgammon]
        .into_iter()
        .find(|&stake| gain(stake).abs() <= NEGLIGIBLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::CubeOwner::{self, Centred, Opponent, Own};
    use proptest::prelude::*;

    /// A position without gammons that is won with chance `p`.
    fn race(p: f32) -> Evaluation {
        Evaluation { average: 2.0 * p - 1.0, outcomes: [p, 0.0, 0.0, 1.0 - p, 0.0, 0.0] }
    }

    fn at(length: u16, own: u16, other: u16, crawford: bool) -> CubeScoring {
        cube_scoring(Scoring::of_match(length, own, other, crawford).expect("a score"))
    }

    fn cube(value: u32, owner: CubeOwner) -> Cube {
        Cube::new(value, owner).expect("a power of two")
    }

    const ONE: Cube = Cube::CENTRED;

    fn lost(single: f32, gammon: f32) -> Evaluation {
        let outcomes = [0.0, 0.0, 0.0, single, gammon, 0.0];
        Evaluation { average: -single - 2.0 * gammon, outcomes }
    }

    fn hopeless() -> Position {
        Position::from_sides(&[(12, 15)], &[(1, 1)]).expect("legal")
    }

    #[test]
    fn a_score_within_the_table_stays_as_it_is() {
        let score = |scoring: CubeScoring| scoring.session();
        let close = Scoring::of_match(25, 0, 24, true).expect("a score");
        assert_eq!(score(cube_scoring(close)).away(), Some((25, 1)));
        let money = Scoring::Money { jacoby: false, beavers: false };
        assert_eq!(score(cube_scoring(money)), money);
    }

    #[test]
    fn beyond_the_table_a_match_is_nearly_money() {
        let far = at(99, 0, 3, false);
        for p in [0.1, 0.3, 0.5, 0.7, 0.9] {
            for owner in [Centred, Own, Opponent] {
                let equity = |scoring: &CubeScoring| {
                    scoring.equity(scoring.cubeful(&race(p), cube(1, owner)), 1)
                };
                let (ours, money) = (equity(&far), equity(&CubeScoring::money()));
                assert!((ours - money).abs() < 0.08, "{p} {owner:?}: {ours} for {money}");
            }
        }
    }

    #[test]
    fn beyond_the_table_the_crawford_game_is_still_one_and_a_leader_still_needs_one_point() {
        assert!(!at(64, 20, 63, true).may_double(ONE));
        assert!(at(64, 20, 63, false).may_double(ONE));
        assert!(!at(64, 63, 20, false).may_double(ONE));
    }

    #[test]
    fn a_resignation_needs_a_lost_race_and_a_certain_stake() {
        let race_lost = Position::from_sides(&[(6, 10)], &[(1, 1)]).expect("legal");
        let gives = |position: &Position, value: Evaluation| {
            offer_to_resign(position, &value, &CubeScoring::money(), cube(2, Opponent))
        };
        assert_eq!(gives(&race_lost, race(0.0)), Some(Stake::Single));
        assert_eq!(gives(&race_lost, race(0.01)), None);
        assert_eq!(gives(&race_lost, lost(0.5, 0.5)), Some(Stake::Single), "a checker is off");
        assert_eq!(gives(&Position::START, race(0.0)), None, "there is contact");
        assert_eq!(gives(&hopeless(), lost(0.0, 1.0)), Some(Stake::Gammon));
        assert_eq!(gives(&hopeless(), lost(0.5, 0.5)), None, "half of it may be saved");
    }

    #[test]
    fn no_gammon_is_resigned_where_gammons_cost_nothing() {
        // The opponent needs one point.
        let last = at(5, 2, 4, false);
        assert_eq!(offer_to_resign(&hopeless(), &lost(0.2, 0.8), &last, ONE), Some(Stake::Single));
        let early = at(5, 0, 0, false);
        assert_eq!(offer_to_resign(&hopeless(), &lost(0.2, 0.8), &early, ONE), None);
    }

    #[test]
    fn a_resignation_is_accepted_if_playing_on_wins_no_more() {
        let money = CubeScoring::money();
        assert!(should_accept(&race(0.9), &money, ONE, Stake::Single));
        let gammon = Evaluation { average: 1.8, outcomes: [0.2, 0.8, 0.0, 0.0, 0.0, 0.0] };
        assert!(!should_accept(&gammon, &money, ONE, Stake::Single));
        assert!(should_accept(&gammon, &money, ONE, Stake::Gammon));
        // One point wins the match.
        assert!(should_accept(&gammon, &at(5, 4, 2, false), ONE, Stake::Single));
    }

    fn outcomes() -> impl Strategy<Value = Evaluation> {
        prop::array::uniform6(0.0f32..1.0).prop_map(|raw| {
            let sum: f32 = raw.iter().sum::<f32>() + 1e-3;
            Evaluation { average: 0.0, outcomes: raw.map(|p| p / sum) }
        })
    }

    proptest! {
        #[test]
        fn a_resignation_that_is_offered_would_be_accepted(
            share in 0.0f32..1.0, own in 0u16..7, other in 0u16..7, height in 0u32..3,
        ) {
            let scoring = at(7, own, other, false);
            let cube = cube(1 << height, if height == 0 { Centred } else { Opponent });
            let value = lost(1.0 - share, share);
            if let Some(stake) = offer_to_resign(&hopeless(), &value, &scoring, cube) {
                prop_assert!(should_accept(&value.flipped(), &scoring.flipped(), cube.flipped(), stake));
            }
        }

        #[test]
        fn a_higher_stake_is_accepted_if_a_lower_one_is(value in outcomes(), own in 0u16..30, other in 0u16..30) {
            let scoring = at(30, own, other, false);
            let accepts = |stake| should_accept(&value, &scoring, ONE, stake);
            prop_assert!(!accepts(Stake::Single) || accepts(Stake::Gammon));
            prop_assert!(!accepts(Stake::Gammon) || accepts(Stake::Backgammon));
        }
    }
}
