//! Cube decisions: whether to double, and how to answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::CubeScoring;
use super::janowski::OutcomeShares;
use super::scoring::points_at;
use crate::backgammon::{Cube, CubeOwner, Scoring};
use crate::eval::Evaluation;

/// The best answer to a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Continue with the cube at twice its value.
    Take,
    /// Give up the game.
    Pass,
    /// Double again at once and keep the cube (money games only).
    Beaver,
}

/// The best action of the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CubeAction {
    /// A double is impossible or useless: the opponent owns the cube, it is dead, or this is the
    /// Crawford game.
    NotAvailable,
    /// Do not double.
    NoDouble,
    /// Play on for a gammon: that is worth more than the game that a double would win.
    TooGood,
    /// Double.
    Double,
}

/// A cube decision and the values it is based on.
///
/// Equities are normalized to a cube at 1. A single game lost at the value of the cube is -1, one
/// won is +1. In a match the same holds for match winning chances.
///
/// ```
/// use nonet_engine::{Engine, GameState, Plies};
///
/// let engine = Engine::builder().cube_plies(Plies::ONE).build()?;
/// let state: GameState = "4HPwATDgc/ABMA".parse()?;
/// let decision = engine.cube(&state)?;
/// assert!(!decision.is_double() && decision.is_take());
/// assert_eq!(decision.equity(), decision.no_double);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeDecision {
    /// The best action.
    pub action: CubeAction,
    /// The best answer of the opponent to a double.
    pub answer: Answer,
    /// Whether a double would be a redouble: the player owns the cube.
    pub redouble: bool,
    /// The equity of not doubling.
    pub no_double: f32,
    /// The equity of doubling if the opponent takes, or beavers where that is better and allowed.
    pub double_take: f32,
    /// The equity of doubling if the opponent passes: 1.
    pub double_pass: f32,
    /// The same three as utilities: points for money, match winning chances 0..=1 in a match.
    pub utility: [f32; 3],
    /// The winning chance above which the opponent passes, with a dead and with a fully live cube,
    /// at the gammon rates of this position.
    pub cash_points: [f32; 2],
    /// The cubeless evaluation, at the depth of the search.
    pub cubeless: Evaluation,
}

/// An equity in steps of 1/10,000 of a point, for comparisons.
///
/// Sums over 21 rolls of values that are all 1 differ from 1 by the rounding of their addition.
/// Equal values must compare as equal.
#[must_use]
pub fn rounded_equity(equity: f32) -> i32 {
    (equity * 1e4).round() as i32
}

impl CubeDecision {
    /// Decides from the utilities of not doubling and of a double that is taken.
    ///
    /// Equities are compared as [`rounded_equity`] gives them. Of equals the player on roll prefers
    /// keeping the cube to a double that is taken. The player on roll also prefers a double that is
    /// passed to playing on. The opponent prefers a take to a pass, and a take to a beaver.
    #[must_use]
    pub fn new(
        scoring: &CubeScoring,
        cube: Cube,
        cubeless: Evaluation,
        no_double: f32,
        double_take: f32,
    ) -> CubeDecision {
        let pass = scoring.utility(points_at(cube.value()));
        let equity = |utility: f32| scoring.equity(utility, cube.value());
        let rounded = |utility: f32| rounded_equity(equity(utility));
        let beavers = matches!(scoring.session(), Scoring::Money { beavers: true, .. });
        let beaver = beavers && rounded(double_take) < 0;
        // For money all cube values are alike, so a beaver doubles the points.
        let take = if beaver { 2.0 * double_take } else { double_take };
        let answer = match take {
            _ if beaver => Answer::Beaver,
            take if rounded(take) <= rounded(pass) => Answer::Take,
            _ => Answer::Pass,
        };
        let doubled = rounded(take.min(pass));
        let cashes = doubled == rounded(pass);
        let action = if !scoring.may_double(cube) {
            CubeAction::NotAvailable
        } else if doubled > rounded(no_double) || (cashes && doubled == rounded(no_double)) {
            CubeAction::Double
        } else if rounded(no_double) > rounded(pass) {
            CubeAction::TooGood
        } else {
            CubeAction::NoDouble
        };
        let points = OutcomeShares::of(&cubeless).cash_points(scoring, cube);
        CubeDecision {
            action,
            answer,
            redouble: cube.owner() == CubeOwner::Own,
            no_double: equity(no_double),
            double_take: equity(take),
            double_pass: 1.0,
            utility: [no_double, take, pass],
            cash_points: points.into(),
            cubeless,
        }
    }

    /// The equity of the best action.
    #[must_use]
    pub fn equity(&self) -> f32 {
        match self.action {
            CubeAction::Double => self.double_take.min(self.double_pass),
            CubeAction::NotAvailable | CubeAction::NoDouble | CubeAction::TooGood => self.no_double,
        }
    }

    /// Whether to double.
    #[must_use]
    pub fn is_double(&self) -> bool {
        self.action == CubeAction::Double
    }

    /// Whether the opponent should take (or beaver) a double.
    #[must_use]
    pub fn is_take(&self) -> bool {
        self.answer != Answer::Pass
    }

    /// The equity of a double that is taken and not beavered.
    #[must_use]
    pub fn taken(&self) -> f32 {
        // The best beaver has doubled the points of `double_take`.
        if self.answer == Answer::Beaver { 0.5 * self.double_take } else { self.double_take }
    }

    /// The equity after an answer to a double. A beaver doubles the points of a take.
    ///
    /// ```
    /// use nonet_engine::backgammon::{Cube, Scoring};
    /// use nonet_engine::cube::{Answer, CubeDecision, CubeScoring, MatchEquityTable};
    /// use nonet_engine::eval::Evaluation;
    ///
    /// let session = Scoring::Money { jacoby: false, beavers: true };
    /// let scoring = CubeScoring::new(session, MatchEquityTable::kazaross_xg2())?;
    /// let decision = CubeDecision::new(&scoring, Cube::CENTRED, Evaluation::ZERO, 0.5, 0.75);
    /// assert_eq!(decision.after(Answer::Take), 0.75);
    /// assert_eq!(decision.after(Answer::Beaver), 1.5);
    /// assert_eq!(decision.after(Answer::Pass), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(&self, answer: Answer) -> f32 {
        match answer {
            Answer::Take => self.taken(),
            Answer::Pass => self.double_pass,
            Answer::Beaver => 2.0 * self.taken(),
        }
    }

    /// What an answer to a double loses against the best one, at least 0.
    ///
    /// The opponent wants a low equity. Let v be that of a take. The best answer leaves the least
    /// of v, 1 (pass) and 2v (beaver, where it is allowed).
    #[must_use]
    pub fn answer_loss(&self, answer: Answer) -> f32 {
        let best = self.double_take.min(self.double_pass);
        (self.after(answer) - best).max(0.0)
    }

    /// How much the best answer to a double is ahead of the second best one.
    #[must_use]
    pub fn answer_ahead(&self) -> f32 {
        match self.answer {
            // A take comes next: it loses less than a pass.
            Answer::Beaver => self.answer_loss(Answer::Take),
            Answer::Take | Answer::Pass => (self.double_take - self.double_pass).abs(),
        }
    }
}

impl fmt::Display for CubeDecision {
    /// In the players' terms: `Redouble, take`, `Too good to double, pass`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (upper, lower) =
            if self.redouble { ("Redouble", "redouble") } else { ("Double", "double") };
        let answer = match self.answer {
            Answer::Take => "take",
            Answer::Pass => "pass",
            Answer::Beaver => "beaver",
        };
        match self.action {
            CubeAction::NotAvailable => f.write_str("The cube cannot be turned"),
            CubeAction::NoDouble => write!(f, "No {lower}, {answer}"),
            CubeAction::TooGood => write!(f, "Too good to {lower}, {answer}"),
            CubeAction::Double => write!(f, "{upper}, {answer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::CubeOwner::{Centred, Own};
    use crate::cube::MatchEquityTable;

    fn decide(session: Scoring, value: u32, owner: CubeOwner, outcomes: [f32; 6]) -> CubeDecision {
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        let cube = Cube::new(value, owner).expect("a power of two");
        let cubeless = Evaluation { average: 0.0, outcomes };
        let utility = |cube| scoring.cubeful(&cubeless, cube);
        CubeDecision::new(&scoring, cube, cubeless, utility(cube), utility(cube.doubled()))
    }

    fn money(win: f32, owner: CubeOwner) -> String {
        let session = Scoring::Money { jacoby: false, beavers: true };
        decide(session, 1, owner, [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0]).to_string()
    }

    #[test]
    fn a_race_for_money_goes_through_all_actions() {
        assert_eq!(money(0.3, Centred), "No double, beaver");
        assert_eq!(money(0.62, Centred), "No double, take");
        assert_eq!(money(0.76, Centred), "Double, take");
        assert_eq!(money(0.76, Own), "Redouble, take");
        assert_eq!(money(0.85, Centred), "Double, pass");
    }

    #[test]
    fn many_gammons_make_a_position_too_good() {
        let session = Scoring::Money { jacoby: false, beavers: false };
        let gammonish = [0.35, 0.55, 0.0, 0.1, 0.0, 0.0];
        assert_eq!(decide(session, 1, Centred, gammonish).to_string(), "Too good to double, pass");
        let jacoby = Scoring::Money { jacoby: true, beavers: false };
        assert_eq!(decide(jacoby, 1, Centred, gammonish).to_string(), "Double, pass");
    }

    #[test]
    fn the_trailer_doubles_at_once_after_the_crawford_game() {
        let session = Scoring::of_match(7, 3, 6, false).expect("a score");
        let even = decide(session, 1, Centred, [0.4, 0.1, 0.0, 0.4, 0.1, 0.0]);
        assert!(even.is_double() && even.is_take(), "{even}");
        let crawford = Scoring::of_match(7, 3, 6, true).expect("a score");
        let even = decide(crawford, 1, Centred, [0.4, 0.1, 0.0, 0.4, 0.1, 0.0]);
        assert_eq!(even.to_string(), "The cube cannot be turned");
    }

    #[test]
    fn two_away_both_any_advantage_doubles_and_30_percent_take() {
        let session = Scoring::of_match(5, 3, 3, false).expect("a score");
        let at = |win: f32| decide(session, 1, Centred, [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0]);
        assert_eq!(at(0.66).to_string(), "Double, take");
        // Passing leaves 32.3 % of the match: the Kazaross table's 2-away against 1-away in the
        // Crawford game.
        assert_eq!(at(0.69).answer, Answer::Pass);
    }

    /// GNU Backgammon 1.07.001 at 0-ply with the same table prints these chances and equities.
    ///
    /// The chances are win, gammons and backgammons won and lost, cumulative. The equities are no
    /// double, and double with take.
    ///
    /// GNU Backgammon uses a cube efficiency of 0.68, nonet one of two thirds. The printed chances
    /// are rounded.
    #[test]
    fn equities_agree_with_gnubg_for_its_own_probabilities() {
        let money = Scoring::Money { jacoby: false, beavers: false };
        let game = |length, own, opponent| {
            Scoring::of_match(length, own, opponent, false).expect("a score")
        };
        let back = [0.603, 0.0, 0.0, 0.075, 0.002];
        let ahead = [0.847, 0.290, 0.008, 0.0, 0.0];
        for (session, cube, [win, wg, wb, lg, lb], no_double, double_take, words) in [
            (money, (1, Centred), back, 0.206, -0.011, "No double, take"),
            (game(7, 2, 4), (1, Centred), back, 0.213, 0.010, "No double, take"),
            (
                game(9, 3, 2),
                (2, Own),
                [0.143, 0.0, 0.0, 0.0, 0.0],
                -0.671,
                -1.879,
                "No redouble, take",
            ),
            (game(7, 3, 6), (1, Centred), ahead, 1.165, 2.483, "Too good to double, pass"),
            (game(5, 0, 0), (1, Centred), ahead, 1.094, 1.917, "Too good to double, pass"),
        ] {
            let outcomes = [win - wg, wg - wb, wb, 1.0 - win - lg, lg - lb, lb];
            let decision = decide(session, cube.0, cube.1, outcomes);
            assert_eq!(decision.to_string(), words);
            let near = |ours: f32, theirs: f32| (ours - theirs).abs() < 0.03;
            assert!(near(decision.no_double, no_double), "{decision:?} for {no_double}");
            assert!(near(decision.double_take, double_take), "{decision:?} for {double_take}");
        }
    }

    fn of(no_double: f32, double_take: f32) -> CubeDecision {
        let scoring = CubeScoring::money();
        CubeDecision::new(&scoring, Cube::CENTRED, Evaluation::ZERO, no_double, double_take)
    }

    #[test]
    fn of_equals_the_cube_is_kept_a_pass_is_cashed_and_a_double_is_taken() {
        assert_eq!(of(0.5, 0.5).to_string(), "No double, take");
        assert_eq!(of(1.0, 1.2).to_string(), "Double, pass");
        assert_eq!(of(0.9, 1.0).to_string(), "Double, take");
        assert_eq!(of(1.001, 1.2).to_string(), "Too good to double, pass");
        // What 21 weights of 1/36 and 2/36 add up to.
        assert_eq!(of(1.000_000_2, 1.2).to_string(), "Double, pass");
        assert_eq!(of(0.9, 1.000_000_2).to_string(), "Double, take");
    }

    /// The equity of not doubling does not matter here; `taken` is that of a take.
    fn with_beavers(taken: f32) -> CubeDecision {
        let session = Scoring::Money { jacoby: false, beavers: true };
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        CubeDecision::new(&scoring, Cube::CENTRED, Evaluation::ZERO, 0.0, taken)
    }

    #[test]
    fn each_answer_loses_its_difference_to_the_best_one() {
        // A take is worth v to the doubler, a beaver 2v, a pass 1: the least is best.
        for v in [-1.4_f32, -0.3, 0.3, 0.6, 0.9, 1.3] {
            let best = v.min(2.0 * v).min(1.0);
            let decision = with_beavers(v);
            let worths = [(Answer::Take, v), (Answer::Beaver, 2.0 * v), (Answer::Pass, 1.0)];
            for (answer, worth) in worths {
                assert!((decision.after(answer) - worth).abs() < 1e-6, "{v} {answer:?}");
                let loss = decision.answer_loss(answer);
                assert!((loss - (worth - best)).abs() < 1e-6, "{v} {answer:?}: {loss}");
            }
            assert_eq!(decision.answer_loss(decision.answer), 0.0);
        }
        // The second best answer to a double at -0.3 is a take, which gives 0.3 away.
        assert!((with_beavers(-0.3).answer_ahead() - 0.3).abs() < 1e-6);
        assert!((with_beavers(0.6).answer_ahead() - 0.4).abs() < 1e-6);
        assert!((with_beavers(1.3).answer_ahead() - 0.3).abs() < 1e-6);
    }

    proptest::proptest! {
        #[test]
        fn rounding_errors_of_sums_decide_nothing(
            no_double in -2000i32..=3000, double_take in -2000i32..=3000,
            noise in proptest::array::uniform2(-8i32..=8),
        ) {
            let [a, b] = [no_double, double_take].map(|equity| equity as f32 / 1000.0);
            let near = |equity: f32, noise: i32| equity + noise as f32 * f32::EPSILON;
            let (exact, noisy) = (of(a, b), of(near(a, noise[0]), near(b, noise[1])));
            proptest::prop_assert_eq!((exact.action, exact.answer), (noisy.action, noisy.answer));
        }
    }
}
