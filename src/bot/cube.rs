//! What a game on a server is played for, and giving up: the cube model of [`crate::cube`] as the bot asks it.

use crate::backgammon::{MatchScore, Position, Scoring, Stake, View};
use crate::cube::MatchEquityTable;
use crate::cube::{CubeScoring, CubeState};
use crate::eval::Evaluation;

/// What a game is played for, by Neil Kazaross's XG2 table.
///
/// Whoever needs more points than the table knows is taken to need the most that it knows: so far from the end a match is
/// nearly money, and the Crawford game stays one.
#[must_use]
pub fn stakes(session: Scoring) -> CubeScoring {
    let table = MatchEquityTable::kazaross_xg2();
    let within = match session {
        Scoring::Match(score) => Scoring::Match(nearest(score, table.length()).unwrap_or(score)),
        Scoring::Money { .. } => session,
    };
    CubeScoring::new(within, table).unwrap_or_else(|_| CubeScoring::money())
}

/// The score within so many points of the end that is nearest to this one.
fn nearest(score: MatchScore, length: usize) -> Option<MatchScore> {
    let length = u16::try_from(length).ok()?;
    let points = |away: u16| length - away.min(length);
    let (own, opponent) = (points(score.own_away()), points(score.opponent_away()));
    MatchScore::new(length, own, opponent, score.is_crawford()).ok()
}

/// How much of a single game, in equity, is not worth playing on for.
const TRIFLE: f32 = 0.01;

/// What so many points of a game that is given up gain over playing on, in equity: for whoever gets them, if the position
/// with this value is his own, whoever is on roll.
fn gain(value: &Evaluation, stakes: &CubeScoring, cube: CubeState, stake: Stake) -> f32 {
    let multiple = match stake {
        Stake::Single => 1,
        Stake::Gammon => 2,
        Stake::Backgammon => 3,
    };
    let points = i32::try_from(cube.value).unwrap_or(i32::MAX / 3).saturating_mul(multiple);
    // To double and win by that is never more than what is offered, so it need not be looked at.
    let on = stakes.cubeful(value, cube);
    stakes.equity(stakes.utility(points), cube.value) - stakes.equity(on, cube.value)
}

/// Whether to accept so much from an opponent who gives up; `value` is of our position, whoever is on roll.
#[must_use]
pub fn should_accept(
    value: &Evaluation,
    stakes: &CubeScoring,
    cube: CubeState,
    stake: Stake,
) -> bool {
    gain(value, stakes, cube, stake) >= -TRIFLE
}

/// Whether the player on roll gives up, and how much: only in a race that is as good as lost, and only what would be lost
/// anyway, at this score and this cube.
#[must_use]
pub fn gives_up(
    position: &Position,
    value: &Evaluation,
    stakes: &CubeScoring,
    cube: CubeState,
) -> Option<Stake> {
    const HOPE: f32 = 0.001;
    let [w, wg, wb, mut l, mut lg, mut lb] = value.outcomes.map(|p| p.clamp(0.0, 1.0));
    if View::of(position).contact() || w + wg + wb > HOPE * (w + wg + wb + l + lg + lb) {
        return None;
    }
    if position.own_left() < 15 {
        // With a checker off no gammon is left, whatever a net thinks.
        (l, lg, lb) = (l + lg + lb, 0.0, 0.0);
    }
    let theirs = Evaluation { outcomes: [l, lg, lb, w, wg, wb], average: -value.average };
    let gain = |stake| gain(&theirs, &stakes.flipped(), cube.flipped(), stake);
    [Stake::Single, Stake::Gammon, Stake::Backgammon]
        .into_iter()
        .find(|&stake| gain(stake).abs() <= TRIFLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::CubeOwner::{self, Centred, Opponent, Own};
    use proptest::prelude::*;

    /// A position without gammons that is won with chance `p`.
    fn race(p: f32) -> Evaluation {
        Evaluation { average: 2.0 * p - 1.0, outcomes: [p, 0.0, 0.0, 1.0 - p, 0.0, 0.0] }
    }

    fn at(length: u16, own: u16, other: u16, crawford: bool) -> CubeScoring {
        stakes(Scoring::of_match(length, own, other, crawford).expect("a score"))
    }

    const fn cube(value: u32, owner: CubeOwner) -> CubeState {
        CubeState { value, owner }
    }

    const ONE: CubeState = cube(1, Centred);

    fn lost(single: f32, gammon: f32) -> Evaluation {
        let outcomes = [0.0, 0.0, 0.0, single, gammon, 0.0];
        Evaluation { average: -single - 2.0 * gammon, outcomes }
    }

    fn hopeless() -> Position {
        Position::from_sides(&[(12, 15)], &[(1, 1)]).expect("legal")
    }

    #[test]
    fn within_the_table_a_score_is_what_it_is() {
        let score = |stakes: CubeScoring| stakes.session();
        let session = Scoring::of_match(25, 0, 24, true).expect("a score");
        assert_eq!(score(stakes(session)).away(), Some((25, 1)));
        let money = Scoring::Money { jacoby: false, beavers: false };
        assert_eq!(score(stakes(money)), money);
    }

    #[test]
    fn beyond_the_table_a_match_is_nearly_money() {
        let far = at(99, 0, 3, false);
        for p in [0.1, 0.3, 0.5, 0.7, 0.9] {
            for owner in [Centred, Own, Opponent] {
                let equity = |stakes: &CubeScoring| {
                    stakes.equity(stakes.cubeful(&race(p), cube(1, owner)), 1)
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
    fn giving_up_wants_certainty_and_the_right_class() {
        let race_lost = Position::from_sides(&[(6, 10)], &[(1, 1)]).expect("legal");
        let gives = |position: &Position, value: Evaluation| {
            gives_up(position, &value, &CubeScoring::money(), cube(2, Opponent))
        };
        assert_eq!(gives(&race_lost, race(0.0)), Some(Stake::Single));
        assert_eq!(gives(&race_lost, race(0.01)), None);
        assert_eq!(gives(&race_lost, lost(0.5, 0.5)), Some(Stake::Single), "a checker is off");
        assert_eq!(gives(&Position::START, race(0.0)), None, "there is contact");
        assert_eq!(gives(&hopeless(), lost(0.0, 1.0)), Some(Stake::Gammon));
        assert_eq!(gives(&hopeless(), lost(0.5, 0.5)), None, "half of it may be saved");
    }

    #[test]
    fn at_a_score_where_gammons_cost_nothing_none_is_given_up() {
        // The opponent needs one point.
        let last = at(5, 2, 4, false);
        assert_eq!(gives_up(&hopeless(), &lost(0.2, 0.8), &last, ONE), Some(Stake::Single));
        let early = at(5, 0, 0, false);
        assert_eq!(gives_up(&hopeless(), &lost(0.2, 0.8), &early, ONE), None);
    }

    #[test]
    fn what_is_offered_is_taken_if_the_game_gives_no_more() {
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
        fn what_is_given_up_would_be_accepted(
            share in 0.0f32..1.0, own in 0u16..7, other in 0u16..7, height in 0u32..3,
        ) {
            let stakes = at(7, own, other, false);
            let cube = cube(1 << height, if height == 0 { Centred } else { Opponent });
            let value = lost(1.0 - share, share);
            if let Some(stake) = gives_up(&hopeless(), &value, &stakes, cube) {
                prop_assert!(should_accept(&value.flipped(), &stakes.flipped(), cube.flipped(), stake));
            }
        }

        #[test]
        fn whoever_accepts_less_accepts_more(value in outcomes(), own in 0u16..30, other in 0u16..30) {
            let stakes = at(30, own, other, false);
            let accepts = |stake| should_accept(&value, &stakes, ONE, stake);
            prop_assert!(!accepts(Stake::Single) || accepts(Stake::Gammon));
            prop_assert!(!accepts(Stake::Gammon) || accepts(Stake::Backgammon));
        }
    }
}
