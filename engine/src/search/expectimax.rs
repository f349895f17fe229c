//! The search: values of positions at a depth, and plays ranked by iterative deepening.

use std::sync::Arc;

use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::opponent_replies::{Replies, Reply};
use super::reply_ranking::ReplyRanking;
use super::{Cache, CacheUse, Plies, SearchSettings};
use crate::backgammon::{Cube, CubeOwner, Position, Scoring};
use crate::cube::{CubeDecision, CubeEfficiency, CubeScoring, rounded_equity};
use crate::eval::{Evaluation, Evaluator, EvaluatorDescription, ExternalFailure};
use crate::game::{MoveChoice, Player, PlayerDescription};
use crate::progress::Attachments;

/// Evaluates positions and ranks plays at a number of plies.
///
/// Within the tree a reply is chosen at 1-ply and evaluated at the remaining depth, as in gnubg. So
/// each ply costs 21 times the one before instead of hundreds of times. For money a reply is chosen
/// by equity, in a match by the values of the outcomes at the score.
///
/// From 3 plies on the work is shared by the current thread pool. The result does not depend on the
/// number of threads.
///
/// ```
/// use nonet_engine::backgammon::{Position, Results};
/// use nonet_engine::search::{Plies, Search, SearchSettings};
///
/// let team = nonet_engine::open::net("small")?.team;
/// let search = Search::new(team, Plies::TWO, SearchSettings::NORMAL);
/// let results = Results::default().of(&Position::START, "31".parse()?).to_vec();
/// let ranked = search.rank(&results);
/// assert!(ranked[0].equity >= ranked[1].equity);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search<E> {
    evaluator: E,
    plies: Plies,
    settings: SearchSettings,
    cache: Option<Arc<Cache>>,
}

/// A play with its deepest evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its index in the results.
    pub index: usize,
    /// The depth of the evaluation.
    pub plies: Plies,
    /// The equity that the play is ranked by, for the player who made it, in points on a cube at 1.
    /// It is cubeful if the ranking is with a cube.
    pub equity: f32,
    /// The evaluation for the player who made the play.
    pub value: Evaluation,
}

/// The cubeless evaluation of a position, and its utility without a double this turn for each
/// requested state of the cube.
type NodeValue = (Evaluation, Vec<f32>);

/// The scoring as each player sees it, and the efficiency of the cube at all leaves.
struct CubeViews<'a> {
    own: &'a CubeScoring,
    theirs: &'a CubeScoring,
    efficiency: CubeEfficiency,
}

impl<E: Evaluator> Search<E> {
    /// A search `plies` deep with `evaluator` at the leaves.
    pub fn new(evaluator: E, plies: Plies, settings: SearchSettings) -> Search<E> {
        Search { evaluator, plies, settings, cache: None }
    }

    /// How the cache was used so far; nothing without one.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        self.cache.as_ref().map(|cache| cache.used()).unwrap_or_default()
    }

    /// Keeps values in `cache`, which must not be shared with a search that has another evaluator
    /// or other settings.
    #[must_use]
    pub fn cached(self, cache: Arc<Cache>) -> Search<E> {
        Search { cache: Some(cache), ..self }
    }

    /// The evaluator of the leaves.
    pub const fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The depth in plies.
    pub const fn plies(&self) -> Plies {
        self.plies
    }

    /// Ranks the results of a roll (boards with the opponent on roll) by cubeless equity.
    ///
    /// All of them are evaluated at 1-ply, those that pass the first filter again at 2-ply, and so
    /// on. Plays evaluated deeper come before the others. Of equal plays the earlier one comes
    /// first.
    pub fn rank(&self, results: &[Position]) -> Vec<Ranked> {
        self.deepen(results, |position, value, plies, replies| {
            let value = value.unwrap_or_else(|| self.value(position, plies, replies)).flipped();
            (value, value.equity())
        })
    }

    /// The same by cubeful equity; `scoring` and `cube` are seen by the player who rolled.
    pub fn rank_with_cube(
        &self,
        results: &[Position],
        scoring: &CubeScoring,
        cube: Cube,
    ) -> Vec<Ranked> {
        let theirs = scoring.flipped();
        // One efficiency for all results of a roll: two of them may belong to different classes.
        let game = CubeViews { own: &theirs, theirs: scoring, efficiency: CubeEfficiency::PLAYS };
        let mut states = Vec::new();
        game.ask(&mut states, cube.flipped());
        self.deepen(results, |position, value, plies, replies| {
            let evaluated = match value {
                Some(value) => (value, self.leaf(position, &value, &game, &states)),
                None => self.node(position, plies, Some(&game), &states, replies),
            };
            let utility =
                scoring.opponent_utility(game.best(&states, &evaluated.1, cube.flipped()));
            (evaluated.0.flipped(), scoring.equity(utility, cube.value()))
        })
    }

    /// `evaluate` gets a result and either its static evaluation or the depth at which to evaluate
    /// it.
    fn deepen(
        &self,
        results: &[Position],
        evaluate: impl Fn(&Position, Option<Evaluation>, Plies, &mut Replies) -> (Evaluation, f32),
    ) -> Vec<Ranked> {
        let mut values = Vec::with_capacity(results.len());
        self.evaluator.evaluate_into(results, &mut values);
        let mut replies = Replies::default();
        let mut order: Vec<Ranked> = Vec::with_capacity(results.len());
        for (index, &value) in values.iter().enumerate() {
            let plies = Plies::ONE;
            let (value, equity) = evaluate(&results[index], Some(value), plies, &mut replies);
            order.push(Ranked { index, plies, equity, value });
        }
        sort(&mut order);
        for (plies, filter) in self.plies.up_to().skip(1).zip(&self.settings.filters) {
            let passed = filter.passes(order.iter().map(|play| play.equity));
            if passed == 1 {
                break;
            }
            for play in &mut order[..passed] {
                (play.value, play.equity) =
                    evaluate(&results[play.index], None, plies, &mut replies);
                play.plies = plies;
            }
            sort(&mut order[..passed]);
        }
        order
    }

    /// Evaluates one position at `plies`, a depth other than that of the search.
    pub fn judge(&self, position: &Position, plies: Plies) -> Evaluation {
        self.value(position, plies, &mut Replies::default())
    }

    /// The cube decision of the player on roll in `position`, and the answer of the opponent. To
    /// answer a double, ask with the doubler on roll and the cube as it was before the double. The
    /// position must not be finished.
    pub fn cube(&self, position: &Position, scoring: &CubeScoring, cube: Cube) -> CubeDecision {
        self.cube_at(position, scoring, cube, CubeEfficiency::of(position))
    }

    /// The same with these efficiencies of the cube at all leaves.
    pub fn cube_at(
        &self,
        position: &Position,
        scoring: &CubeScoring,
        cube: Cube,
        efficiency: CubeEfficiency,
    ) -> CubeDecision {
        let theirs = scoring.flipped();
        let game = CubeViews { own: scoring, theirs: &theirs, efficiency };
        let mut replies = Replies::default();
        let mut of =
            |states: &[Cube]| self.node(position, self.plies, Some(&game), states, &mut replies);
        let doubled = cube.doubled();
        let (value, no_double, double_take) = match scoring.session() {
            Scoring::Money { .. } => {
                let (value, utility) = of(&[cube, doubled]);
                (value, utility[0], utility[1])
            }
            // The value of the cube decides what a gammon is worth, and so which plays are best:
            // each has its own tree.
            Scoring::Match(_) => {
                let ((value, undoubled), (_, taken)) = (of(&[cube]), of(&[doubled]));
                (value, undoubled[0], taken[0])
            }
        };
        CubeDecision::new(scoring, cube, value, no_double, double_take)
    }

    /// The utility of an evaluated position for the player on roll without a double this turn.
    ///
    /// For money in a short race it comes from the bearoff databases, else from the cube model at
    /// `efficiency`.
    pub(crate) fn utility(
        &self,
        position: &Position,
        value: &Evaluation,
        scoring: &CubeScoring,
        cube: Cube,
        efficiency: CubeEfficiency,
    ) -> f32 {
        if let Some(outcome) = position.outcome() {
            return scoring.of_outcome(outcome, cube);
        }
        let money = matches!(scoring.session(), Scoring::Money { .. });
        let solved = if money { self.evaluator.solved_cubeful(position) } else { None };
        let Some(solved) = solved else { return scoring.cubeful_by(value, cube, efficiency) };
        let equity = match cube.owner() {
            CubeOwner::Own => solved.owned,
            CubeOwner::Centred => solved.centred,
            CubeOwner::Opponent => solved.opponent,
        };
        equity * cube.value() as f32
    }

    fn value(&self, position: &Position, plies: Plies, replies: &mut Replies) -> Evaluation {
        let cache = self.cache.as_ref().filter(|_| plies > Plies::ONE);
        if let Some(value) = cache.and_then(|cache| cache.get(position, plies)) {
            return value;
        }
        let value = self.node(position, plies, None, &[], replies).0;
        if let Some(cache) = cache {
            cache.put(position, plies, value);
        }
        value
    }

    /// The evaluation of a position, and with a `game` its utility for each of `states`.
    fn node(
        &self,
        position: &Position,
        plies: Plies,
        game: Option<&CubeViews>,
        states: &[Cube],
        replies: &mut Replies,
    ) -> NodeValue {
        let leaf = |value: Evaluation| {
            (value, game.map_or_else(Vec::new, |game| self.leaf(position, &value, game, states)))
        };
        if let Some(outcome) = position.outcome() {
            return leaf(Evaluation::of_outcome(outcome));
        }
        let Some(less) = plies.less() else { return leaf(self.evaluator.evaluate(position)) };
        let next = game.map(CubeViews::flipped);
        let mut next_states = Vec::new();
        for state in states {
            next.iter().for_each(|next| next.ask(&mut next_states, state.flipped()));
        }
        // The replies are seen by the other player.
        let ranking = match (&next, next_states.first()) {
            (Some(next), Some(&cube)) => ReplyRanking::of(next.own, cube),
            _ => ReplyRanking::Money,
        };
        let best = replies.of(&self.evaluator, position, self.settings.max_replies, ranking);
        let evaluate = |reply: &Reply, replies: &mut Replies| match &next {
            None if less == Plies::ONE => (reply.value, Vec::new()),
            None => (self.value(&reply.position, less, replies), Vec::new()),
            Some(next) if less == Plies::ONE => {
                let utility = self.leaf(&reply.position, &reply.value, next, &next_states);
                (reply.value, utility)
            }
            next => self.node(&reply.position, less, next.as_ref(), &next_states, replies),
        };
        let evaluated: Vec<NodeValue> = if less == Plies::ONE {
            let mut unused = Replies::default();
            best.iter().map(|reply| evaluate(reply, &mut unused)).collect()
        } else {
            best.par_iter()
                .map_init(Replies::default, |replies, reply| evaluate(reply, replies))
                .collect()
        };
        let mut mean = Evaluation::ZERO;
        let mut utility = vec![0.0; states.len()];
        for (reply, (value, of_states)) in best.iter().zip(&evaluated) {
            mean = mean.plus(&value.flipped(), reply.weight);
            if let (Some(game), Some(next)) = (game, &next) {
                for (sum, state) in utility.iter_mut().zip(states) {
                    let theirs = next.best(&next_states, of_states, state.flipped());
                    *sum += reply.weight * game.own.opponent_utility(theirs);
                }
            }
        }
        (mean, utility)
    }

    /// The utility of an evaluated position for each state without a double this turn.
    fn leaf(
        &self,
        position: &Position,
        value: &Evaluation,
        game: &CubeViews,
        states: &[Cube],
    ) -> Vec<f32> {
        let utility = |&state| self.utility(position, value, game.own, state, game.efficiency);
        states.iter().map(utility).collect()
    }
}

impl CubeViews<'_> {
    fn flipped(&self) -> CubeViews<'_> {
        CubeViews { own: self.theirs, theirs: self.own, efficiency: self.efficiency }
    }

    /// Puts the states that [`CubeViews::best`] needs for `state` into `states`.
    fn ask(&self, states: &mut Vec<Cube>, state: Cube) {
        let doubled = self.own.may_double(state).then(|| state.doubled());
        for state in [Some(state), doubled].into_iter().flatten() {
            if !states.contains(&state) {
                states.push(state);
            }
        }
    }

    /// The utility of `state` when the player on roll doubles if that is right, from the utilities
    /// of `states`.
    fn best(&self, states: &[Cube], utility: &[f32], state: Cube) -> f32 {
        let of = |searched: Cube| {
            states
                .iter()
                .zip(utility)
                .find(|(state, _)| **state == searched)
                .map(|(_, utility)| *utility)
        };
        match (of(state), of(state.doubled())) {
            (Some(no_double), Some(double_take)) if self.own.may_double(state) => {
                self.own.with_double(no_double, double_take, state)
            }
            (no_double, _) => no_double.unwrap_or(0.0),
        }
    }
}

/// The best first. Of equal plays the one with the higher cubeless equity comes first, then the
/// earlier one.
///
/// Plays can be equal because the opponent may double out after each of them. Equities are compared
/// as [`rounded_equity`] gives them.
pub(super) fn sort(order: &mut [Ranked]) {
    order.sort_by(|a, b| {
        let cubeless = || b.value.equity().total_cmp(&a.value.equity());
        let cubeful = rounded_equity(b.equity).cmp(&rounded_equity(a.equity));
        cubeful.then_with(cubeless).then(a.index.cmp(&b.index))
    });
}

impl<E: Evaluator> Evaluator for Search<E> {
    fn evaluate(&self, position: &Position) -> Evaluation {
        self.judge(position, self.plies)
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        if self.plies == Plies::ONE {
            return self.evaluator.evaluate_batch(positions, out);
        }
        let mut replies = Replies::default();
        for (position, value) in positions.iter().zip(out) {
            *value = self.value(position, self.plies, &mut replies);
        }
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.evaluator.failure()
    }

    fn all_outcomes(&self) -> bool {
        self.evaluator.all_outcomes()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        let inner = Box::new(self.evaluator.describe(attachments)?);
        let (plies, settings) = (self.plies.get(), self.settings.to_text());
        Some(EvaluatorDescription::Search { plies, settings, inner })
    }
}

impl<E: Evaluator> Player for Search<E> {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        self.rank(decision.results).first().map_or(0, |best| best.index)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.evaluator.failure()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<PlayerDescription> {
        Evaluator::describe(self, attachments).map(PlayerDescription::Search)
    }
}
