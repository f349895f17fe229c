//! [`BeaverDecision`]: the answer to a beaver.

use super::janowski::OutcomeShares;
use super::{Answer, CubeDecision, CubeScoring, rounded_equity};
use crate::backgammon::Cube;

/// Whether the doubler plays on after a beaver, and what both answers are worth.
///
/// Equities are those of the doubler. They are normalized to the cube as the beaver has turned it:
/// giving up the game is -1. Raccoons are left out.
///
/// ```
/// use nonet_engine::backgammon::{CubeOffer, GameState, Turn};
/// use nonet_engine::cube::Answer;
/// use nonet_engine::{Engine, Plies};
///
/// let engine = Engine::champion().with_cube_plies(Plies::ONE);
/// // X is far ahead in a race, and O has beavered.
/// let game: GameState = "XGID=---C--------eee-----------:1:-1:1:B:0:0:2:0:10".parse()?;
/// assert_eq!(game.state.turn, Turn::Offered(CubeOffer::Beaver));
/// let context = engine.context(game.state.scoring, game.state.cube)?;
/// let decision = engine.beaver_decision(&game.position, &context);
/// assert_eq!(decision.answer(), Answer::Take);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeaverDecision {
    /// The equity of playing on with the cube at twice its value.
    pub take: f32,
    /// The equity of giving up the game: -1.
    pub pass: f32,
    /// The winning chance from which the doubler plays on, with a dead and with a fully live cube,
    /// at the gammon rates of this position.
    pub take_points: [f32; 2],
}

impl BeaverDecision {
    /// From the cube decision of the doubler, who is on roll. `cube` is the cube as the beaver has
    /// turned it: the opponent owns it.
    #[must_use]
    pub fn new(scoring: &CubeScoring, cube: Cube, decision: &CubeDecision) -> BeaverDecision {
        // The opponent keeps the cube when it is turned again. So its value after one more double
        // of the player is its value after a take of the beaver.
        let points = OutcomeShares::of(&decision.cubeless).beaver_points(scoring, cube);
        BeaverDecision {
            take: decision.taken(),
            pass: -decision.double_pass,
            take_points: points.into(),
        }
    }

    /// The better answer: [`Answer::Take`] or [`Answer::Pass`]. Of equals it is the take.
    #[must_use]
    pub fn answer(&self) -> Answer {
        if rounded_equity(self.take) >= rounded_equity(self.pass) {
            Answer::Take
        } else {
            Answer::Pass
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{CubeOwner, Scoring};
    use crate::cube::{EFFICIENCY, MatchEquityTable};
    use crate::eval::Evaluation;

    /// The decision at this winning chance without gammons, the cube at 2 after the beaver.
    fn beavered(win: f32) -> (CubeDecision, BeaverDecision) {
        let session = Scoring::Money { jacoby: false, beavers: true };
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        let cube = Cube::new(2, CubeOwner::Opponent).expect("a power of two");
        let outcomes = [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0];
        let cubeless = Evaluation { average: 2.0 * win - 1.0, outcomes };
        let [no_double, taken] =
            [cube, cube.doubled()].map(|cube| scoring.cubeful(&cubeless, cube));
        let decision = CubeDecision::new(&scoring, cube, cubeless, no_double, taken);
        (decision, BeaverDecision::new(&scoring, cube, &decision))
    }

    #[test]
    fn a_beaver_is_taken_where_playing_on_loses_less_than_the_turned_cube() {
        for (win, answer) in [
            (0.1, Answer::Pass),
            (0.3, Answer::Pass),
            (0.35, Answer::Pass),
            (0.36, Answer::Take),
            (0.5, Answer::Take),
            (0.9, Answer::Take),
        ] {
            // Points of a cube at 4, on one at 2. A dead cube: twice 2p - 1. A live one of the
            // opponent: twice 2.5p - 1.5, but no less than the cash of -1 (Janowski).
            let dead = 2.0 * (2.0 * win - 1.0);
            let live = 2.0 * (2.5 * win - 1.5_f32).max(-1.0);
            let expected = dead + EFFICIENCY * (live - dead);
            let (doubled, decision) = beavered(win);
            assert!((decision.take - expected).abs() < 1e-5, "{win}: {decision:?}");
            assert_eq!((decision.pass, decision.answer()), (-1.0, answer), "{win}");
            // The doubler's own decision has the points of one more beaver.
            let beavers = expected < 0.0;
            assert_eq!(doubled.answer == Answer::Beaver, beavers, "{win}");
        }
        // 2 (2p - 1) = -1 at 25 %, and 2 (2.5p - 1.5) = -1 at 40 %.
        let [dead, live] = beavered(0.5).1.take_points;
        assert!((dead - 0.25).abs() < 1e-6 && (live - 0.4).abs() < 1e-6, "{dead} {live}");
    }
}
