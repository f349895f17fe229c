//! Cube decisions of players, judged by the built-in net.

use std::sync::atomic::{AtomicU64, Ordering};

use nonet::backgammon::Scoring;
use nonet::cube::{Answer, CubeAction, CubeDecision};
use nonet::engine::Engine;
use nonet::game::CubeChoice;
use serde_json::{Value, json};

use crate::cli::output::watched_player::DecisionWatcher;

/// Judges the cube decisions of a player.
pub(crate) struct CubeJudge<'a> {
    /// `None` judges nothing.
    judge: Option<&'a Engine>,
    errors: [AtomicU64; 4],
    decisions: AtomicU64,
    /// What the errors cost, in millionths of a point on a cube at 1. Whole numbers add up alike in
    /// any order.
    lost: AtomicU64,
}

/// What can be wrong about a cube decision.
#[derive(Clone, Copy)]
enum CubeLoss {
    WrongDouble,
    MissedDouble,
    WrongTake,
    WrongDrop,
}

impl<'a> CubeJudge<'a> {
    pub(crate) fn new(judge: Option<&'a Engine>) -> CubeJudge<'a> {
        CubeJudge {
            judge,
            errors: Default::default(),
            decisions: AtomicU64::new(0),
            lost: AtomicU64::new(0),
        }
    }

    fn judged(&self, decision: &CubeChoice) -> Option<CubeDecision> {
        Some(self.judge?.cube_decision(decision.position, decision.context))
    }

    /// Counts a decision that loses this much by the judge, in points on a cube at 1.
    fn count(&self, error: CubeLoss, loss: f32) {
        self.decisions.fetch_add(1, Ordering::Relaxed);
        let millionths = (f64::from(loss) * 1e6).round();
        if millionths >= 1.0 {
            self.errors[error as usize].fetch_add(1, Ordering::Relaxed);
            self.lost.fetch_add(millionths as u64, Ordering::Relaxed);
        }
    }

    fn figures(&self) -> ([u64; 4], u64, f64) {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (
            [0, 1, 2, 3].map(|i| of(&self.errors[i])),
            of(&self.decisions),
            of(&self.lost) as f64 / 1e6,
        )
    }

    /// The errors in a line; `games` were played.
    pub(crate) fn in_words(&self, name: &str, games: u64) -> String {
        let ([double, missed, take, drop], decisions, lost) = self.figures();
        let Some(judge) = self.judge else { return String::new() };
        format!(
            "  {name}: {double} wrong doubles, {missed} missed doubles, {take} wrong takes, {drop} wrong drops of \
             {decisions} cube decisions, {:.4} points a game lost on a cube at 1, judged at {}\n",
            lost / games as f64,
            judge.plies()
        )
    }

    pub(crate) fn in_json(&self, games: u64) -> Value {
        let ([double, missed, take, drop], decisions, lost) = self.figures();
        json!({
            "decisions": decisions, "wrong_doubles": double, "missed_doubles": missed,
            "wrong_takes": take, "wrong_drops": drop, "lost_per_game": lost / games as f64,
        })
    }
}

impl DecisionWatcher for CubeJudge<'_> {
    fn double(&self, decision: &CubeChoice, decide: &mut dyn FnMut() -> bool) -> bool {
        let doubles = decide();
        if let Some(best) =
            self.judged(decision).filter(|best| best.action != CubeAction::NotAvailable)
        {
            let (error, equity) = if doubles {
                (CubeLoss::WrongDouble, best.double_take.min(best.double_pass))
            } else {
                (CubeLoss::MissedDouble, best.no_double)
            };
            self.count(error, best.equity() - equity);
        }
        doubles
    }

    fn answer(&self, decision: &CubeChoice, decide: &mut dyn FnMut() -> Answer) -> Answer {
        let answer = decide();
        if let Some(best) = self.judged(decision) {
            let session = decision.context.scoring.session();
            let made = match answer {
                // The rules make a take of it.
                Answer::Beaver if !matches!(session, Scoring::Money { beavers: true, .. }) => {
                    Answer::Take
                }
                answer => answer,
            };
            let error = match made {
                Answer::Pass => CubeLoss::WrongDrop,
                Answer::Take | Answer::Beaver => CubeLoss::WrongTake,
            };
            self.count(error, best.answer_loss(made));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use nonet::backgammon::{Cube, Position};
    use nonet::cube::{CubeContext, CubeScoring, MatchEquityTable};
    use nonet::eval::Evaluation;
    use nonet::game::{MoveChoice, Pcg64, Player, Random};
    use nonet::search::Plies;

    use super::*;
    use crate::cli::output::watched_player::WatchedPlayer;

    #[test]
    fn a_player_who_takes_everything_and_never_doubles_is_wrong_in_lost_and_won_positions() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        // A race that is won: 6 checkers against 15.
        let won = Position::from_sides(&[(1, 6)], &[(6, 15)]).expect("legal");
        let context = CubeContext { scoring: CubeScoring::money(), cube: Cube::CENTRED };
        let decision = CubeChoice { position: &won, context: &context };
        let judged = WatchedPlayer::new(&Random, CubeJudge::new(Some(&engine)));
        assert!(!judged.doubles(&decision));
        assert_eq!(judged.answer(&decision), Answer::Take);
        let start = CubeChoice { position: &Position::START, context: &context };
        assert!(!judged.doubles(&start), "which is right");
        let (errors, decisions, lost) = judged.watcher.figures();
        assert_eq!((errors[CubeLoss::WrongTake as usize], decisions), (1, 3));
        assert!((0.9..2.1).contains(&lost), "{lost}");
    }

    /// Beavers each double.
    struct Beavers;

    impl Player for Beavers {
        fn choose(&self, _: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
            0
        }

        fn answer(&self, _: &CubeChoice) -> Answer {
            Answer::Beaver
        }
    }

    #[test]
    fn a_wrong_beaver_loses_the_doubled_points_and_is_a_take_where_it_is_not_allowed() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let won = Position::from_sides(&[(1, 6)], &[(6, 15)]).expect("legal");
        for (beavers, stake) in [(true, 2.0), (false, 1.0)] {
            let session = Scoring::Money { jacoby: false, beavers };
            let table = MatchEquityTable::kazaross_xg2();
            let scoring = CubeScoring::new(session, table).expect("money");
            let context = CubeContext { scoring, cube: Cube::CENTRED };
            let decision = CubeChoice { position: &won, context: &context };
            let judged = WatchedPlayer::new(&Beavers, CubeJudge::new(Some(&engine)));
            assert_eq!(judged.answer(&decision), Answer::Beaver);
            let (errors, _, lost) = judged.watcher.figures();
            assert_eq!(errors[CubeLoss::WrongTake as usize], 1);
            // A pass costs 1, a take v, and a beaver 2v.
            let v = f64::from(engine.cube_decision(&won, &context).double_take);
            assert!(v > 1.0 && (lost - (stake * v - 1.0)).abs() < 1e-5, "{v} {lost}");
        }
    }

    #[test]
    fn a_player_makes_no_errors_by_their_own_judgement() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let player = engine.player();
        let judged = WatchedPlayer::new(player.as_ref(), CubeJudge::new(Some(&engine)));
        let context = CubeContext { scoring: CubeScoring::money(), cube: Cube::CENTRED };
        for lead in 0..6 {
            let own = [(6, 4), (5, 5), (4, 6 - lead)];
            let position = Position::from_sides(&own, &[(6, 4), (5, 5), (4, 6)]).expect("legal");
            let decision = CubeChoice { position: &position, context: &context };
            judged.doubles(&decision);
            judged.answer(&decision);
        }
        let (errors, decisions, lost) = judged.watcher.figures();
        assert_eq!((errors, decisions, lost), ([0; 4], 12, 0.0));
    }
}
