//! Choices that a search leaves close, decided by a rollout.

use super::{CubeContext, Depth, Engine, RolloutPrecision, ScoredMove};
use crate::backgammon::Position;
use crate::cube::CubeDecision;
use crate::rollout::{CubeRollout, Roller, RolloutLine, RolloutSums};
use crate::search::Ranked;

/// A play with its deepest evaluation, which may be a rollout.
pub(super) struct Decided {
    pub(super) play: Ranked,
    pub(super) rollout: Option<RolloutPrecision>,
}

impl Decided {
    pub(super) const fn of_search(play: Ranked) -> Decided {
        Decided { play, rollout: None }
    }

    /// By a rollout that was played with the opponent on roll.
    fn of_rollout(play: Ranked, sums: &RolloutSums) -> Decided {
        let result = sums.result();
        let (games, stderr) = (result.games, result.equity.stderr as f32);
        let equity = -result.equity.mean as f32;
        Decided {
            play: Ranked { equity, value: result.value.flipped(), ..play },
            rollout: Some(RolloutPrecision { games, stderr }),
        }
    }
}

impl Engine {
    /// The same engine at another depth of plays. A search leaves the search depth of cube
    /// decisions as it is, as [`Engine::with_plies`] does. A rollout also sets that depth to its
    /// own, and decides plays and cube decisions that the search leaves close.
    /// [`Engine::evaluate`] is always a search.
    ///
    /// ```
    /// use nonet_engine::engine::Engine;
    /// use nonet_engine::rollout::Roller;
    ///
    /// let state = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
    /// let best = Engine::champion().with_depth(Roller::SHORT.into()).best_move(&state)?;
    /// assert_eq!(best.play().to_string(), "8/5 6/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_depth(&self, depth: Depth) -> Engine {
        let mut parts = self.parts.clone();
        (parts.plies, parts.roller) = (depth.plies(), depth.roller());
        if depth.roller().is_some() {
            parts.cube_plies = depth.plies();
        }
        Engine::from_parts(parts)
    }

    /// The depth of plays.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.parts.roller.map_or(Depth::Search(self.plies()), Depth::Rollout)
    }

    /// Whether a play was evaluated at the engine's depth.
    ///
    /// A move filter may have left the play before the end of the search. Or the search may have
    /// found it too bad for a rollout.
    #[must_use]
    pub fn is_at_depth(&self, play: &ScoredMove) -> bool {
        play.plies == self.plies() && (self.parts.roller.is_none() || play.rollout.is_some())
    }

    /// The results of a roll, the best first. At the depth of a rollout those that the search
    /// leaves close to the best are rolled out, and stand first. The others keep their distance
    /// from the play that the search found best. `context` is that of the player who makes the
    /// play, `None` without the cube.
    pub(super) fn decided(
        &self,
        results: &[Position],
        context: Option<&CubeContext>,
    ) -> Vec<Decided> {
        let ranked = match context {
            Some(CubeContext { scoring, cube }) => {
                self.search.rank_with_cube(results, scoring, *cube)
            }
            None => self.search.rank(results),
        };
        let best = ranked.first().map_or(0.0, |best| best.equity);
        let is_close =
            |play: &&Ranked| play.plies == self.plies() && best - play.equity <= Roller::WITHIN;
        let close = ranked.iter().take(Roller::PLAYS).take_while(is_close).count();
        let Some(roller) = self.parts.roller.filter(|_| close > 1) else {
            return ranked.into_iter().map(Decided::of_search).collect();
        };
        let mut decided = self.rolled_out(roller, results, &ranked[..close], context);
        // How much the rollout changes the play that the search found best.
        let change = decided[0].play.equity - best;
        decided.sort_by(|a, b| b.play.equity.total_cmp(&a.play.equity));
        decided.extend(
            ranked[close..]
                .iter()
                .map(|play| Decided::of_search(Ranked { equity: play.equity + change, ..*play })),
        );
        decided
    }

    /// Plays by their rollouts, with the same dice, on the threads of the caller. A play that ends
    /// the game keeps its exact value.
    pub(super) fn rolled_out(
        &self,
        roller: Roller,
        results: &[Position],
        plays: &[Ranked],
        context: Option<&CubeContext>,
    ) -> Vec<Decided> {
        let theirs = context.map(CubeContext::flipped);
        let goes_on = |play: &&Ranked| results[play.index].outcome().is_none();
        let line = |play: &Ranked| Engine::line_after_play(&results[play.index], theirs.as_ref());
        let lines: Vec<RolloutLine> = plays.iter().filter(goes_on).map(line).collect();
        let sums = match lines.is_empty() {
            true => Vec::new(),
            false => roller.plays(&self.evaluator, &lines),
        };
        let mut sums = sums.iter();
        let of = |play: &Ranked| match goes_on(&play).then(|| sums.next()).flatten() {
            Some(sums) => Decided::of_rollout(*play, sums),
            None => {
                let rollout = Some(RolloutPrecision { games: 0, stderr: 0.0 });
                Decided { play: *play, rollout }
            }
        };
        plays.iter().map(of).collect()
    }

    /// A cube decision by a rollout, if the search leaves it close.
    pub(super) fn decide_close_cube(
        &self,
        roller: Roller,
        position: &Position,
        context: &CubeContext,
        searched: CubeDecision,
    ) -> (CubeDecision, Option<RolloutPrecision>) {
        let CubeDecision { no_double, double_take, double_pass, .. } = searched;
        let gain = double_take.min(double_pass) - no_double;
        let is_close = |gain: f32| gain.abs() <= Roller::CUBE_WITHIN;
        let answer_is_close = gain > -Roller::CUBE_WITHIN && is_close(double_pass - double_take);
        if !context.may_double() || !(is_close(gain) || answer_is_close) {
            return (searched, None);
        }
        let lines = CubeRollout::lines(*position, &context.scoring, context.cube);
        let sums = roller.cube(&self.evaluator, &lines);
        let CubeRollout { decision, double_gains, .. } =
            CubeRollout::of(&context.scoring, context.cube, &sums);
        let (games, stderr) = (sums[0].games(), double_gains.stderr as f32);
        (decision, Some(RolloutPrecision { games, stderr }))
    }
}
