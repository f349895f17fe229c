//! Janowski's model: cubeful values from cubeless outcome probabilities.

use super::CubeScoring;
use super::scoring::points_at;
use crate::backgammon::{Cube, CubeOwner, MatchScore, Position};
use crate::class::Class;
use crate::eval::Evaluation;

/// The share of the live cube in a cubeful value: Janowski's cube life index, with the value of 2/3
/// that Janowski suggests.
pub const EFFICIENCY: f32 = 2.0 / 3.0;

/// The efficiencies of the cube for a decision or for plays. A double is *free* if the player who
/// may double loses the match by losing the game at the present value. They double at once, so the
/// live value is right but for rolls that pass the cash point.
///
/// ```
/// use nonet_engine::backgammon::{Cube, CubeOwner, Position, Scoring};
/// use nonet_engine::cube::{CubeEfficiency, CubeScoring, MatchEquityTable};
/// use nonet_engine::eval::Evaluation;
///
/// // 2-away against 4-away, with the opponent's cube at 2 and 70 % of wins without gammons: the
/// // opponent redoubles at once, and the game decides the match.
/// let score = Scoring::of_match(7, 5, 3, false)?;
/// let scoring = CubeScoring::new(score, MatchEquityTable::kazaross_xg2())?;
/// let cube = Cube::new(2, CubeOwner::Opponent)?;
/// let value = Evaluation { average: 0.4, outcomes: [0.7, 0.0, 0.0, 0.3, 0.0, 0.0] };
///
/// // A decision knows that.
/// let decision = scoring.cubeful_by(&value, cube, CubeEfficiency::of(&Position::START));
///
/// // A play does not.
/// let play = scoring.cubeful_by(&value, cube, CubeEfficiency::PLAYS);
/// assert!((decision - 0.7).abs() < 0.02 && play > 0.74);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeEfficiency {
    /// Where no double is free, 0..=1.
    pub usual: f32,
    /// Whether free doubles have efficiencies of their own.
    pub knows_free_doubles: bool,
}

/// Efficiencies where a double of the player on roll is free and the player does not double this
/// turn.
///
/// The first one holds below the cash point, the second one from the cash point on. The value steps
/// there, by 0.07 of the difference between a dead and a live cube. The numbers are those of the
/// rollouts of `reports/cube-efficiency.md`.
pub const OWN_FREE: [f32; 2] = [0.9, 0.83];

/// The same where a double of the opponent is free, by the opponent's cash point.
pub const FACING_FREE: [f32; 2] = [0.96, 0.89];

impl CubeEfficiency {
    /// For plays: [`EFFICIENCY`] everywhere. Results of a roll may belong to different classes, and
    /// a step between them would choose for its own sake.
    pub const PLAYS: CubeEfficiency =
        CubeEfficiency { usual: EFFICIENCY, knows_free_doubles: false };

    /// For a decision in this position: that of its class, and whether free doubles have others
    /// there.
    #[must_use]
    pub fn of(position: &Position) -> CubeEfficiency {
        let spec = Class::of(position).spec();
        CubeEfficiency {
            usual: spec.cube_efficiency.unwrap_or(EFFICIENCY),
            knows_free_doubles: spec.knows_free_doubles,
        }
    }
}

/// The outcomes of a position: the winning chance, and the shares of gammons and backgammons in
/// wins and losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeShares {
    /// The chance to win, 0..=1.
    pub(super) win: f32,
    /// Of the wins, the shares of single games, gammons and backgammons.
    won: [f32; 3],
    /// Of the losses.
    lost: [f32; 3],
}

impl OutcomeShares {
    /// Normalizes the outcomes: outputs of nets may lie outside 0..=1 and need not add up to 1.
    pub(super) fn of(value: &Evaluation) -> OutcomeShares {
        let [a, b, c, d, e, f] = value.outcomes.map(|chance| chance.max(0.0));
        let (win, lose) = (a + b + c, d + e + f);
        let shares = |sum: f32, [a, b, c]: [f32; 3]| {
            if sum > 1e-6 { [a / sum, b / sum, c / sum] } else { [1.0, 0.0, 0.0] }
        };
        let sum = win + lose;
        OutcomeShares {
            win: if sum > 0.0 { win / sum } else { 0.5 },
            won: shares(win, [a, b, c]),
            lost: shares(lose, [d, e, f]),
        }
    }

    /// The mean utilities of a loss and of a win with this cube.
    fn ends(&self, scoring: &CubeScoring, cube: Cube) -> (f32, f32) {
        let points = points_at(cube.value());
        if scoring.single_games(cube) {
            return (scoring.utility(-points), scoring.utility(points));
        }
        let mean = |shares: &[f32; 3], sign: i32| -> f32 {
            shares
                .iter()
                .zip(1..)
                .map(|(share, n)| share * scoring.utility(sign * n * points))
                .sum()
        };
        (mean(&self.lost, -1), mean(&self.won, 1))
    }

    /// The winning chance at which the opponent is indifferent between taking and passing the
    /// player's double of this cube, if the cube is live.
    fn cash_point(&self, scoring: &CubeScoring, cube: Cube) -> f32 {
        let after = cube.doubled();
        let (lost, won) = self.ends(scoring, after);
        let cash = scoring.utility(points_at(cube.value()));
        let (take, passed) = if scoring.score().is_none() {
            (self.money_points().0, scoring.utility(-points_at(after.value())))
        } else {
            self.take_knot(scoring, after, (0.0, lost), (1.0, won))
        };
        (take + (1.0 - take) * share(cash, passed, won)).clamp(0.0, 1.0)
    }

    /// The winning chance at which the player is indifferent between taking and passing the
    /// opponent's double of this cube, if the cube is live.
    fn take_point(&self, scoring: &CubeScoring, cube: Cube) -> f32 {
        let after = cube.doubled().flipped();
        let (lost, won) = self.ends(scoring, after);
        let passed = scoring.utility(-points_at(cube.value()));
        let (cash, cashed) = if scoring.score().is_none() {
            (self.money_points().1, scoring.utility(points_at(after.value())))
        } else {
            self.cash_knot(scoring, after, (0.0, lost), (1.0, won))
        };
        (cash * share(passed, lost, cashed)).clamp(0.0, 1.0)
    }

    /// The knot of the live line where the player cashes: the cash point and its utility. `end` if
    /// cashing gains nothing, because the line from `low` to `end` lies higher.
    fn cash_knot(&self, scoring: &CubeScoring, cube: Cube, low: Point, end: Point) -> Point {
        if cube.owner() == CubeOwner::Opponent || !scoring.may_gain_by_doubling(cube.value()) {
            return end;
        }
        let knot = (self.cash_point(scoring, cube), scoring.utility(points_at(cube.value())));
        if knot.1 < between(low, end, knot.0) { end } else { knot }
    }

    /// The knot of the live line where the opponent cashes: the player's take point and the utility
    /// of passing; or `end`.
    fn take_knot(&self, scoring: &CubeScoring, cube: Cube, end: Point, high: Point) -> Point {
        if cube.owner() == CubeOwner::Own || !scoring.opponent_may_gain_by_doubling(cube.value()) {
            return end;
        }
        let knot = (self.take_point(scoring, cube), scoring.utility(-points_at(cube.value())));
        if knot.1 > between(end, high, knot.0) { end } else { knot }
    }

    /// Take point and cash point for money, where all values of the cube are alike.
    ///
    /// The two equations above, solved together, give Janowski's points:
    ///
    /// - take point: `(L - 1/2) / (W + L + 1/2)`;
    /// - cash point: `(L + 1) / (W + L + 1/2)`.
    fn money_points(&self) -> (f32, f32) {
        let mean = |shares: &[f32; 3]| shares[0] + 2.0 * shares[1] + 3.0 * shares[2];
        let (won, lost) = (mean(&self.won), mean(&self.lost));
        let sum = won + lost + 0.5;
        ((lost - 0.5) / sum, (lost + 1.0) / sum)
    }

    /// The utility with a dead cube: a straight line from a loss to a win.
    pub(super) fn dead(&self, scoring: &CubeScoring, cube: Cube) -> f32 {
        let (lost, won) = self.ends(scoring, cube);
        lost + self.win * (won - lost)
    }

    /// The utility with a fully live cube: straight lines between the points where a player cashes.
    pub(super) fn live(&self, scoring: &CubeScoring, cube: Cube) -> f32 {
        let (lost, won) = self.ends(scoring, cube);
        let (start, end) = ((0.0, lost), (1.0, won));
        // Each knot is compared with the line to the other side's knot, before either is dropped.
        let take_knot = |high| self.take_knot(scoring, cube, start, high);
        let cash_knot = |low| self.cash_knot(scoring, cube, low, end);
        let (low, high) = (take_knot(cash_knot(start)), cash_knot(take_knot(end)));
        if self.win < low.0 {
            between(start, low, self.win)
        } else if self.win > high.0 {
            between(high, end, self.win)
        } else {
            between(low, high, self.win)
        }
    }

    /// The winning chances at which the opponent is indifferent between taking and passing a double
    /// of this cube.
    ///
    /// The first one holds if the cube is then dead, the second one if it is then fully live.
    pub(super) fn cash_points(&self, scoring: &CubeScoring, cube: Cube) -> (f32, f32) {
        let after = cube.doubled();
        let (lost, won) = self.ends(scoring, after);
        let dead = share(scoring.utility(points_at(cube.value())), lost, won).clamp(0.0, 1.0);
        (dead, self.cash_point(scoring, cube))
    }

    /// The winning chances at which the player is indifferent between playing on and giving up
    /// after a beaver for money. The opponent has turned the cube and owns it.
    ///
    /// The first one holds if the cube is then dead, the second one if it is then fully live.
    pub(super) fn beaver_points(&self, scoring: &CubeScoring, cube: Cube) -> (f32, f32) {
        let after = cube.doubled();
        let (lost, won) = self.ends(scoring, after);
        let passed = scoring.utility(-points_at(cube.value()));
        let dead = share(passed, lost, won).clamp(0.0, 1.0);
        // Up to the take point the opponent cashes.
        let (take, cashed) = (self.money_points().0, scoring.utility(-points_at(after.value())));
        (dead, (take + (1.0 - take) * share(passed, cashed, won)).clamp(0.0, 1.0))
    }
}

/// A winning chance and the utility there.
type Point = (f32, f32);

/// The utility at chance `x` on the line through two points; if they have the same chance, that of
/// the second one.
fn between((x0, y0): Point, (x1, y1): Point, x: f32) -> f32 {
    if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y1 }
}

/// The relative place of `x` between `from` (0) and `to` (1); 1 if they are equal.
fn share(x: f32, from: f32, to: f32) -> f32 {
    if to - from > 1e-9 { (x - from) / (to - from) } else { 1.0 }
}

impl CubeScoring {
    /// The cubeful utility of a position with these outcomes for the player on roll, **without a
    /// double this turn**, by [`EFFICIENCY`].
    #[must_use]
    pub fn cubeful(&self, value: &Evaluation, cube: Cube) -> f32 {
        self.cubeful_at(value, cube, EFFICIENCY)
    }

    /// The same at another efficiency: 0 for a dead cube, 1 for a fully live one.
    #[must_use]
    pub fn cubeful_at(&self, value: &Evaluation, cube: Cube, efficiency: f32) -> f32 {
        let (dead, live) = self.dead_and_live(value, cube);
        dead + efficiency * (live - dead)
    }

    /// The same at the efficiency for this score and cube.
    #[must_use]
    pub fn cubeful_by(&self, value: &Evaluation, cube: Cube, efficiency: CubeEfficiency) -> f32 {
        let (dead, live) = self.dead_and_live(value, cube);
        let points = points_at(cube.value());
        let share = if !efficiency.knows_free_doubles {
            efficiency.usual
        } else if self.doubles_freely(cube) {
            OWN_FREE[usize::from(live >= self.utility(points))]
        } else if self.opponent_doubles_freely(cube) {
            FACING_FREE[usize::from(live <= self.utility(-points))]
        } else {
            efficiency.usual
        };
        dead + share * (live - dead)
    }

    fn dead_and_live(&self, value: &Evaluation, cube: Cube) -> (f32, f32) {
        let chances = OutcomeShares::of(value);
        (chances.dead(self, cube), chances.live(self, cube))
    }

    /// Whether the player on roll may double and loses the match anyway by losing the game at the
    /// present value of the cube.
    #[must_use]
    pub fn doubles_freely(&self, cube: Cube) -> bool {
        let loses = |score: MatchScore| u32::from(score.opponent_away()) <= cube.value();
        self.score().is_some_and(loses) && self.may_double(cube)
    }

    /// The same for the opponent.
    fn opponent_doubles_freely(&self, cube: Cube) -> bool {
        let loses = |score: MatchScore| u32::from(score.own_away()) <= cube.value();
        self.score().is_some_and(loses)
            && cube.flipped().may_double()
            && self.opponent_may_gain_by_doubling(cube.value())
    }

    /// The better of not doubling and doubling, from the utilities of both; the opponent chooses
    /// the best answer.
    #[must_use]
    pub fn with_double(&self, no_double: f32, double_take: f32, cube: Cube) -> f32 {
        no_double.max(double_take.min(self.utility(points_at(cube.value()))))
    }

    /// Whether the player on roll may double and a double can change the result.
    #[must_use]
    pub fn may_double(&self, cube: Cube) -> bool {
        cube.may_double() && self.may_gain_by_doubling(cube.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Scoring;
    use crate::cube::MatchEquityTable;
    use proptest::prelude::*;

    fn race(win: f32) -> Evaluation {
        Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
    }

    fn cube(value: u32, owner: CubeOwner) -> Cube {
        Cube::new(value, owner).expect("a power of two")
    }

    fn scoring(length: u16, own: u16, opponent: u16, crawford: bool) -> CubeScoring {
        let session = Scoring::of_match(length, own, opponent, crawford).expect("a score");
        CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach")
    }

    #[test]
    fn without_gammons_the_money_pass_points_are_the_known_ones() {
        // 25 % with a dead cube, 20 % with a live one: Keeler & Spencer, "Optimal doubling in
        // backgammon" (1975).
        let points =
            OutcomeShares::of(&race(0.5)).cash_points(&CubeScoring::money(), Cube::CENTRED);
        assert!((points.0 - 0.75).abs() < 1e-6 && (points.1 - 0.8).abs() < 1e-6, "{points:?}");
        let (take, cash) = OutcomeShares::of(&race(0.5)).money_points();
        assert!((take - 0.2).abs() < 1e-6 && (cash - 0.8).abs() < 1e-6);
    }

    #[test]
    fn live_cubes_for_money_follow_janowskis_formulas() {
        // A live cube of one's own at win chance p without gammons: 2.5 p - 1 up to the cash point
        // of 80 %.
        for (win, owner, utility) in [
            (0.4, CubeOwner::Own, 0.0),
            (0.8, CubeOwner::Own, 1.0),
            (0.5, CubeOwner::Centred, 0.0),
            (0.65, CubeOwner::Centred, 0.5),
            (0.2, CubeOwner::Opponent, -1.0),
            (0.6, CubeOwner::Opponent, 0.0),
        ] {
            let live = OutcomeShares::of(&race(win)).live(&CubeScoring::money(), cube(1, owner));
            assert!((live - utility).abs() < 1e-5, "{win} {owner:?}: {live} for {utility}");
        }
    }

    #[test]
    fn far_from_the_end_of_a_match_the_pass_points_are_those_for_money() {
        // 25 away both, the lowest cube: nearly money.
        let far = scoring(25, 0, 0, false);
        let points = OutcomeShares::of(&race(0.5)).cash_points(&far, Cube::CENTRED);
        assert!((points.0 - 0.75).abs() < 0.02 && (points.1 - 0.8).abs() < 0.03, "{points:?}");
    }

    #[test]
    fn at_two_away_both_the_cube_is_dead_once_turned() {
        let even = scoring(5, 3, 3, false);
        let table = MatchEquityTable::kazaross_xg2();
        let Scoring::Match(score) = even.session() else { unreachable!() };
        // The doubled player plays for the match, and takes if that is better than the score 2-away
        // 1-away.
        let (dead, live) = OutcomeShares::of(&race(0.5)).cash_points(&even, Cube::CENTRED);
        assert_eq!(dead, live);
        assert!((dead - table.after(score, 1)).abs() < 1e-6);
        assert!(!even.may_double(cube(2, CubeOwner::Own)), "a game at 2 wins the match");
    }

    #[test]
    fn a_leader_one_point_away_never_doubles_and_nobody_does_in_the_crawford_game() {
        assert!(!scoring(7, 6, 3, false).may_double(cube(1, CubeOwner::Centred)));
        assert!(scoring(7, 3, 6, false).may_double(cube(1, CubeOwner::Centred)));
        assert!(!scoring(7, 3, 6, true).may_double(cube(1, CubeOwner::Centred)));
    }

    #[test]
    fn a_cube_has_more_life_where_a_double_is_free() {
        // The efficiency of a position with this winning chance.
        let at = |scoring: &CubeScoring, value, owner, win| {
            let (cube, position) = (cube(value, owner), Position::START);
            let by = scoring.cubeful_by(&race(win), cube, CubeEfficiency::of(&position));
            let of = |efficiency| scoring.cubeful_at(&race(win), cube, efficiency);
            (100.0 * (by - of(0.0)) / (of(1.0) - of(0.0))).round() as i32
        };
        let of = CubeEfficiency::of(&Position::START);
        let usual = (100.0 * of.usual).round() as i32;
        assert!(of.usual > EFFICIENCY);
        let (ahead, behind) = (scoring(7, 5, 3, false), scoring(7, 3, 5, false));
        // The trailer's cube at 2, where the leader needs 2 points. The cash point is 0.5.
        assert_eq!(at(&ahead, 2, CubeOwner::Opponent, 0.7), 96);
        assert_eq!(at(&ahead, 2, CubeOwner::Opponent, 0.3), 89);
        assert_eq!(at(&behind, 2, CubeOwner::Own, 0.3), 90);
        assert_eq!(at(&behind, 2, CubeOwner::Own, 0.9), 83);
        // A game at 1 does not end the match.
        assert_eq!(at(&ahead, 1, CubeOwner::Centred, 0.5), usual);
        assert_eq!(at(&behind, 1, CubeOwner::Centred, 0.5), usual);
        // After the Crawford game, and for money.
        assert_eq!(at(&scoring(7, 6, 3, false), 1, CubeOwner::Centred, 0.6), 96);
        assert_eq!(at(&scoring(7, 3, 6, false), 1, CubeOwner::Centred, 0.4), 90);
        assert_eq!(at(&CubeScoring::money(), 2, CubeOwner::Opponent, 0.5), usual);
        // The leader at 2 away has no use for a cube at 2, nor anyone for one at 4.
        for (owner, value) in [(CubeOwner::Own, 2), (CubeOwner::Opponent, 4)] {
            assert!(!ahead.doubles_freely(cube(value, owner)));
        }
    }

    #[test]
    fn bearoffs_and_plays_have_the_usual_efficiency_at_free_doubles() {
        let bearoff = Position::from_sides(&[(6, 3)], &[(5, 3)]).expect("legal");
        assert!(!CubeEfficiency::of(&bearoff).knows_free_doubles);
        let (ahead, cube) = (scoring(7, 5, 3, false), cube(2, CubeOwner::Opponent));
        let of = |efficiency| ahead.cubeful_by(&race(0.5), cube, efficiency);
        assert_eq!(of(CubeEfficiency::PLAYS), ahead.cubeful(&race(0.5), cube));
    }

    #[test]
    fn the_gammon_price_is_one_half_for_money_and_zero_for_a_leader_one_point_away() {
        assert_eq!(CubeScoring::money().gammon_prices(1), (0.5, 0.5));
        let (own, theirs) = scoring(7, 6, 3, false).gammon_prices(1);
        assert!(own == 0.0 && theirs > 0.4, "{own} {theirs}");
    }

    #[test]
    fn a_backgammon_is_worth_no_more_where_a_gammon_wins_the_match() {
        assert_eq!(CubeScoring::money().backgammon_prices(1), (0.5, 0.5));
        let four_away = scoring(7, 3, 3, false);
        assert_eq!(four_away.backgammon_prices(2), (0.0, 0.0));
        assert!(four_away.gammon_prices(2).0 > 0.1, "{:?}", four_away.gammon_prices(2));
    }

    #[test]
    fn jacoby_makes_gammons_single_games_until_the_cube_is_turned() {
        let session = Scoring::Money { jacoby: true, beavers: false };
        let jacoby = CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("money");
        let gammonish = Evaluation { average: 0.0, outcomes: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0] };
        assert_eq!(jacoby.cubeful(&gammonish, cube(1, CubeOwner::Centred)), 1.0);
        assert_eq!(jacoby.cubeful(&gammonish, cube(2, CubeOwner::Own)), 4.0);
        assert_eq!(CubeScoring::money().cubeful(&gammonish, cube(1, CubeOwner::Centred)), 2.0);
    }

    fn evaluation() -> impl Strategy<Value = Evaluation> {
        proptest::array::uniform6(0.0f32..1.0).prop_map(|parts| {
            let sum = parts.iter().sum::<f32>().max(1e-3);
            Evaluation { average: 0.0, outcomes: parts.map(|part| part / sum) }
        })
    }

    fn any_scoring() -> impl Strategy<Value = CubeScoring> {
        let money = any::<bool>().prop_map(|jacoby| {
            let session = Scoring::Money { jacoby, beavers: false };
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("money")
        });
        let game = (2u16..=25, any::<u16>(), any::<u16>()).prop_map(|(length, own, opponent)| {
            scoring(length, own % length, opponent % length, false)
        });
        prop_oneof![money, game]
    }

    fn owner() -> impl Strategy<Value = CubeOwner> {
        proptest::sample::select(vec![CubeOwner::Own, CubeOwner::Centred, CubeOwner::Opponent])
    }

    proptest! {
        #[test]
        fn both_players_see_the_same_value(
            value in evaluation(), scoring in any_scoring(), owner in owner(), log2 in 0u32..5,
        ) {
            let cube = cube(1 << log2, owner);
            let own = scoring.cubeful(&value, cube);
            let theirs = scoring.flipped().cubeful(&value.flipped(), cube.flipped());
            let scale = if scoring.score().is_some() { 1.0 } else { cube.value() as f32 };
            prop_assert!((own - scoring.opponent_utility(theirs)).abs() < 1e-3 * scale, "{own} {theirs}");
        }

        #[test]
        fn the_value_lies_between_the_dead_and_the_live_cube(
            value in evaluation(), scoring in any_scoring(), owner in owner(), log2 in 0u32..5,
        ) {
            let (cube, chances) = (cube(1 << log2, owner), OutcomeShares::of(&value));
            let (dead, live) = (chances.dead(&scoring, cube), chances.live(&scoring, cube));
            let utility = scoring.cubeful(&value, cube);
            prop_assert!(utility.is_finite());
            let slack = 1e-4 * cube.value() as f32;
            prop_assert!(utility >= dead.min(live) - slack && utility <= dead.max(live) + slack);
        }

        #[test]
        fn owning_the_cube_is_worth_no_less_than_a_centred_one_and_that_no_less_than_facing_it(
            value in evaluation(), scoring in any_scoring(), log2 in 0u32..5,
        ) {
            let jacoby = matches!(scoring.session(), Scoring::Money { jacoby: true, .. });
            let of = |owner| scoring.cubeful(&value, cube(1 << log2, owner));
            let slack = 1e-4 * (1 << log2) as f32;
            prop_assert!(of(CubeOwner::Own) >= of(CubeOwner::Opponent) - slack);
            if !jacoby {
                prop_assert!(of(CubeOwner::Own) >= of(CubeOwner::Centred) - slack);
                prop_assert!(of(CubeOwner::Centred) >= of(CubeOwner::Opponent) - slack);
            }
        }
    }
}
