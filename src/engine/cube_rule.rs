//! The cube by a rule of thumb, from a cubeless judgement: the one place where it is decided what to do about it.
//!
//! In money play a double is taken up to a cubeless equity of about 0.57: with a cube that is two thirds live and no
//! gammons, the taker needs 0.5 / (2 + 0.5 * 2/3) = 21.4 % of wins (Janowski, "Take-Points in Money Games", 1993). A match
//! is played by the same numbers, but for a cube that is of no more use to its owner, for the Crawford game, and for the
//! game after it, in which whoever trails doubles at once.

use super::Terms;
use crate::backgammon::{CubeOwner, Session};
use crate::value::Evaluation;

/// The cubeless equity of the doubler, in points per game, above which a double is refused.
const TAKE_UP_TO: f32 = 0.57;
/// Where the cube in the middle is turned: 70 % of wins without gammons.
const DOUBLE_FROM: f32 = 0.4;
/// Where one's own cube is turned: giving it away costs more.
const REDOUBLE_FROM: f32 = 0.46;
/// From where on playing for the gammon brings more than the point that a refused double does.
const TOO_GOOD_FROM: f32 = 1.0;
/// Below this the doubler is not the favourite, and the one doubled may beaver.
const BEAVER_BELOW: f32 = 0.0;

/// What to do about the cube, on both sides of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeAdvice {
    /// Whether the player on roll should turn it; never where he may not.
    pub double: bool,
    /// Whether the other one should take it if he is doubled.
    pub take: bool,
    /// Whether he should even turn it once more at once, where that is allowed.
    pub beaver: bool,
}

/// Decides from the judgement of the position before the roll, all seen by the player on roll (who has doubled, or might).
#[must_use]
pub fn cube_advice(value: &Evaluation, terms: Terms) -> CubeAdvice {
    let Terms { session, cube } = terms;
    let equity = value.equity();
    // Under the rule of Jacoby gammons count only after the cube has been turned.
    let jacoby = matches!(session, Session::Money { jacoby: true, .. });
    let gammons_wait = jacoby && cube.owner() == CubeOwner::Centred;
    let take = equity <= TAKE_UP_TO;
    let beaver = matches!(session, Session::Money { beavers: true, .. }) && equity < BEAVER_BELOW;
    let allowed = cube.may_double() && session.may_use_cube();
    let wins_match = session.away().is_some_and(|(own, _)| u32::from(own) <= cube.value());
    let nothing_to_lose = session.is_post_crawford()
        && session.away().is_some_and(|(own, opponent)| opponent == 1 && own > 1);
    let from = if cube.owner() == CubeOwner::Own { REDOUBLE_FROM } else { DOUBLE_FROM };
    let right = equity >= from && (equity < TOO_GOOD_FROM || gammons_wait);
    CubeAdvice { double: allowed && !wins_match && (nothing_to_lose || right), take, beaver }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Cube;

    const MONEY: Session = Session::Money { jacoby: false, beavers: true };

    /// A judgement without gammons.
    fn winning(chance: f32) -> Evaluation {
        let average = 2.0 * chance - 1.0;
        Evaluation { average, outcomes: [chance, 0.0, 0.0, 1.0 - chance, 0.0, 0.0] }
    }

    fn of(chance: f32, cube: Cube, session: Session) -> (bool, bool) {
        let advice = cube_advice(&winning(chance), Terms { session: session, cube: cube });
        (advice.double, advice.take)
    }

    #[test]
    fn seven_in_ten_is_a_double_and_a_take_and_eight_in_ten_a_double_and_a_pass() {
        assert_eq!(of(0.6, Cube::CENTRED, MONEY), (false, true));
        assert_eq!(of(0.72, Cube::CENTRED, MONEY), (true, true));
        assert_eq!(of(0.82, Cube::CENTRED, MONEY), (true, false));
        assert!(cube_advice(&winning(0.45), Terms { session: MONEY, cube: Cube::CENTRED }).beaver);
    }

    #[test]
    fn nobody_doubles_who_may_not() {
        let theirs = Cube::new(2, CubeOwner::Opponent).expect("a cube");
        assert!(!of(0.72, theirs, MONEY).0);
        let crawford = Session::of_match(5, 4, 2, true).expect("a score");
        assert!(!of(0.72, Cube::CENTRED, crawford).0);
    }

    #[test]
    fn a_cube_that_already_wins_the_match_stays_where_it_is() {
        let score = Session::of_match(5, 3, 3, false).expect("a score");
        let own = Cube::new(2, CubeOwner::Own).expect("a cube");
        assert!(!of(0.75, own, score).0);
        assert!(of(0.75, Cube::CENTRED, score).0);
    }

    #[test]
    fn after_crawford_whoever_trails_doubles_at_once() {
        let score = Session::of_match(5, 2, 4, false).expect("a score");
        assert!(of(0.3, Cube::CENTRED, score).0);
        assert!(!of(0.3, Cube::CENTRED, score.flipped()).0);
    }

    #[test]
    fn too_good_to_double_waits_unless_gammons_wait_for_the_cube() {
        let gammonish = Evaluation { average: 1.2, outcomes: [0.5, 0.4, 0.0, 0.1, 0.0, 0.0] };
        assert!(!cube_advice(&gammonish, Terms { session: MONEY, cube: Cube::CENTRED }).double);
        let jacoby = Session::Money { jacoby: true, beavers: false };
        assert!(cube_advice(&gammonish, Terms { session: jacoby, cube: Cube::CENTRED }).double);
    }
}
