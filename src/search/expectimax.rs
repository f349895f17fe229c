//! The search: values of positions at a depth, and plays ranked by iterative deepening.

use std::sync::Arc;

use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::opponent_replies::{Replies, Reply};
use super::{Cache, Plies, SearchSettings};
use crate::backgammon::{Cube, CubeOwner, Position, Scoring};
use crate::cube::{CubeDecision, CubeScoring};
use crate::eval::{Evaluation, Evaluator, ExternalFailure};
use crate::game::{MoveChoice, Player};

/// Evaluates positions and ranks plays at a number of plies.
///
/// Within the tree a reply is chosen at 1-ply and evaluated at the remaining depth, as in gnubg: so each ply costs 21 times
/// the one before instead of hundreds of times. From 3 plies on the work is shared by the current thread pool; the result
/// does not depend on the number of threads.
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
    /// The equity that it is ranked by, for the player who made the play, in points on a cube at 1; cubeful if the ranking is
    /// with a cube.
    pub equity: f32,
    /// The evaluation for the player who made the play.
    pub value: Evaluation,
}

/// The cubeless evaluation of a position, and its utility without a double this turn for each requested state of the cube.
type NodeValue = (Evaluation, Vec<f32>);

/// The scoring as each player sees it.
struct CubeViews<'a> {
    own: &'a CubeScoring,
    theirs: &'a CubeScoring,
}

impl<E: Evaluator> Search<E> {
    /// A search `plies` deep with `evaluator` at the leaves.
    pub fn new(evaluator: E, plies: Plies, settings: SearchSettings) -> Search<E> {
        Search { evaluator, plies, settings, cache: None }
    }

    /// Keeps values in `cache`, which must not be shared with a search that has another evaluator or other settings.
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

    /// Ranks the results of a roll (boards with the opponent on roll) by cubeless equity: all of them at 1-ply, those that pass
    /// the first filter again at 2-ply, and so on. Plays evaluated deeper come before the others; of equal plays the earlier
    /// one comes first.
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
        let game = CubeViews { own: &theirs, theirs: scoring };
        let mut states = Vec::new();
        game.ask(&mut states, cube.flipped());
        self.deepen(results, |position, value, plies, replies| {
            let evaluated = match value {
                Some(value) => (value, self.leaf(position, &value, game.own, &states)),
                None => self.node(position, plies, Some(&game), &states, replies),
            };
            let utility =
                scoring.opponent_utility(game.best(&states, &evaluated.1, cube.flipped()));
            (evaluated.0.flipped(), scoring.equity(utility, cube.value()))
        })
    }

    /// `evaluate` gets a result and either its static evaluation or the depth at which to evaluate it.
    fn deepen(
        &self,
        results: &[Position],
        evaluate: impl Fn(&Position, Option<Evaluation>, Plies, &mut Replies) -> (Evaluation, f32),
    ) -> Vec<Ranked> {
        let mut values = Vec::with_capacity(results.len());
        self.evaluator.evaluate_batch(results, &mut values);
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

    /// The cube decision of the player on roll in `position`, and the answer of the opponent. To answer a double, ask with the
    /// doubler on roll and the cube as it was before the double. The position must not be finished.
    pub fn cube(&self, position: &Position, scoring: &CubeScoring, cube: Cube) -> CubeDecision {
        let theirs = scoring.flipped();
        let game = CubeViews { own: scoring, theirs: &theirs };
        let states = [cube, cube.doubled()];
        let (value, utility) =
            self.node(position, self.plies, Some(&game), &states, &mut Replies::default());
        CubeDecision::new(scoring, cube, value, utility[0], utility[1])
    }

    /// The utility of an evaluated position for the player on roll without a double this turn: exact where a bearoff database
    /// knows it, else by the cube model.
    pub(crate) fn utility(
        &self,
        position: &Position,
        value: &Evaluation,
        scoring: &CubeScoring,
        cube: Cube,
    ) -> f32 {
        if let Some(outcome) = position.outcome() {
            return scoring.of_outcome(outcome, cube);
        }
        let money = matches!(scoring.session(), Scoring::Money { .. });
        let Some(exact) = self.evaluator.cubeful(position).filter(|_| money) else {
            return scoring.cubeful(value, cube);
        };
        let equity = match cube.owner() {
            CubeOwner::Own => exact.owned,
            CubeOwner::Centred => exact.centred,
            CubeOwner::Opponent => exact.opponent,
        };
        equity * cube.value() as f32
    }

    fn value(&self, position: &Position, plies: Plies, replies: &mut Replies) -> Evaluation {
        if let Some(value) = self.cache.as_ref().and_then(|cache| cache.get(position, plies)) {
            return value;
        }
        let value = self.node(position, plies, None, &[], replies).0;
        if let (Some(cache), true) = (&self.cache, plies > Plies::ONE) {
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
            (
                value,
                game.map_or_else(Vec::new, |game| self.leaf(position, &value, game.own, states)),
            )
        };
        if let Some(outcome) = position.outcome() {
            return leaf(Evaluation::of_outcome(outcome));
        }
        let Some(less) = plies.less() else { return leaf(self.evaluator.evaluate(position)) };
        let next = game.map(|game| CubeViews { own: game.theirs, theirs: game.own });
        let mut next_states = Vec::new();
        for state in states {
            next.iter().for_each(|next| next.ask(&mut next_states, state.flipped()));
        }
        let best = replies.of(&self.evaluator, position, self.settings.max_replies);
        let evaluate = |reply: &Reply, replies: &mut Replies| match &next {
            None if less == Plies::ONE => (reply.value, Vec::new()),
            None => (self.value(&reply.position, less, replies), Vec::new()),
            Some(next) if less == Plies::ONE => {
                let utility = self.leaf(&reply.position, &reply.value, next.own, &next_states);
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
        scoring: &CubeScoring,
        states: &[Cube],
    ) -> Vec<f32> {
        states.iter().map(|&state| self.utility(position, value, scoring, state)).collect()
    }
}

impl CubeViews<'_> {
    /// Puts the states that [`CubeViews::best`] needs for `state` into `states`.
    fn ask(&self, states: &mut Vec<Cube>, state: Cube) {
        let doubled = self.own.may_double(state).then(|| state.doubled());
        for state in [Some(state), doubled].into_iter().flatten() {
            if !states.contains(&state) {
                states.push(state);
            }
        }
    }

    /// The utility of `state` when the player on roll doubles if that is right, from the utilities of `states`.
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

/// The best first; of equal plays (the opponent may double out after each of them) the one with the higher cubeless equity,
/// then the earlier one.
fn sort(order: &mut [Ranked]) {
    order.sort_by(|a, b| {
        let cubeless = || b.value.equity().total_cmp(&a.value.equity());
        b.equity.total_cmp(&a.equity).then_with(cubeless).then(a.index.cmp(&b.index))
    });
}

impl<E: Evaluator> Evaluator for Search<E> {
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        if self.plies == Plies::ONE {
            return self.evaluator.evaluate_batch(positions, out);
        }
        out.clear();
        let mut replies = Replies::default();
        out.extend(positions.iter().map(|position| self.value(position, self.plies, &mut replies)));
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.evaluator.failure()
    }
}

impl<E: Evaluator> Player for Search<E> {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        self.rank(decision.results).first().map_or(0, |best| best.index)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.evaluator.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Results};
    use crate::bearoff::{BearoffEvaluator, SMALL};
    use crate::cube::MatchEquityTable;
    use crate::eval::{Architecture, ScriptedEvaluator, Specialists, best_result};
    use crate::game::{Greedy, StreamPurpose, stream};
    use crate::search::FullWidth;

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0))
    }

    fn ending() -> Position {
        Position::from_sides(&[(7, 1), (3, 2)], &[(20, 1), (2, 1)]).expect("legal")
    }

    /// Evaluates by pips alone.
    fn pips() -> ScriptedEvaluator<impl Fn(&Position) -> Evaluation + Send + Sync> {
        ScriptedEvaluator(|position: &Position| {
            let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
            Evaluation { average: lead / 100.0, outcomes: [0.5, 0.0, 0.0, 0.5, 0.0, 0.0] }
        })
    }

    #[test]
    fn without_filters_two_plies_play_what_lookahead_at_every_result_plays() {
        let (team, mut rng) = (team(), stream(1, StreamPurpose::Choice, 0));
        let (mut results, mut values) = (Results::default(), Vec::new());
        for dice in Dice::ALL.into_iter().step_by(4) {
            let found = results.of(&Position::START, dice);
            let decision =
                MoveChoice { position: &Position::START, dice, results: found, context: None };
            let full = Search::new(&team, Plies::TWO, SearchSettings::FULL);
            let fast = full.choose(&decision, &mut values, &mut rng);
            let slow = Greedy(FullWidth(&team)).choose(&decision, &mut values, &mut rng);
            assert_eq!(found[fast], found[slow], "{dice}");
        }
    }

    /// n plies by the definition: each roll thrown in both orders, the reply chosen at 1-ply.
    fn slowly(evaluator: &dyn Evaluator, position: &Position, plies: u8) -> f32 {
        if plies == 1 || position.outcome().is_some() {
            return evaluator.evaluate(position).equity();
        }
        let (mut sum, mut results, mut values) = (0.0, Results::default(), Vec::new());
        for a in 1..=6 {
            for b in 1..=6 {
                let found = results.of(position, Dice::new(a, b).expect("dice"));
                let next = found[best_result(evaluator, found, &mut values)];
                sum -= slowly(evaluator, &next, plies - 1) / 36.0;
            }
        }
        sum
    }

    #[test]
    fn a_depth_is_the_mean_over_36_throws_of_the_depth_before() {
        for plies in [1, 2, 3] {
            let search =
                Search::new(pips(), Plies::new(plies).expect("legal"), SearchSettings::FULL);
            let (fast, slow) =
                (search.evaluate(&ending()).equity(), slowly(&pips(), &ending(), plies));
            assert!((fast - slow).abs() < 1e-4, "{plies}: {fast} for {slow}");
        }
    }

    #[test]
    fn neither_threads_nor_a_cache_change_an_answer() {
        let team = team();
        let mut results = Results::default();
        let found = results.of(&ending(), Dice::ALL[7]);
        let rank = |threads: usize, search: &Search<&Specialists>| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| search.rank(found))
        };
        let plain = Search::new(&team, Plies::THREE, SearchSettings::NORMAL);
        let cached = plain.clone().cached(Arc::new(Cache::new(64)));
        let alone = rank(1, &plain);
        assert_eq!(alone, rank(3, &plain));
        assert_eq!(alone, rank(3, &cached));
        assert_eq!(alone, rank(2, &cached), "with everything remembered");
    }

    #[test]
    fn plays_evaluated_deeper_come_first_and_every_result_once() {
        let team = team();
        let mut results = Results::default();
        let found = results.of(&Position::START, "21".parse().expect("a roll"));
        let settings = SearchSettings {
            filters: [crate::search::MoveFilter { keep: 3, extra: 0, within: 0.0 }; 3],
            ..SearchSettings::NORMAL
        };
        let order = Search::new(&team, Plies::TWO, settings).rank(found);
        let depths: Vec<u8> = order.iter().map(|play| play.plies.get()).collect();
        assert_eq!(depths[..4], [2, 2, 2, 1]);
        let mut seen: Vec<usize> = order.iter().map(|play| play.index).collect();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..found.len()));
        let lookahead = FullWidth(&team).evaluate(&found[order[0].index]).flipped();
        assert!((order[0].equity - lookahead.equity()).abs() < 0.05, "a narrower look at the same");
    }

    fn money(value: u32, owner: CubeOwner) -> (CubeScoring, Cube) {
        (CubeScoring::money(), Cube::new(value, owner).expect("a power of two"))
    }

    #[test]
    fn at_1_ply_a_cube_decision_is_the_models() {
        let (team, (scoring, cube)) = (team(), money(2, CubeOwner::Own));
        let decision =
            Search::new(&team, Plies::ONE, SearchSettings::NORMAL).cube(&ending(), &scoring, cube);
        let value = team.evaluate(&ending());
        assert_eq!(decision.cubeless, value);
        assert_eq!(decision.utility[0], scoring.cubeful(&value, cube));
        assert_eq!(decision.utility[1], scoring.cubeful(&value, cube.doubled()));
        assert_eq!(decision.utility[2], 2.0);
    }

    #[test]
    fn a_search_to_exact_endings_gives_their_exact_equity_with_any_cube() {
        let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
        let position = Position::from_sides(&[(6, 2), (3, 1)], &[(5, 2), (2, 1)]).expect("legal");
        let exact = endings.cubeful(&position).expect("known");
        for (owner, equity) in [(CubeOwner::Own, exact.owned), (CubeOwner::Centred, exact.centred)]
        {
            let (scoring, cube) = money(1, owner);
            let search = Search::new(&endings, Plies::TWO, SearchSettings::FULL);
            let decision = search.cube(&position, &scoring, cube);
            assert!((decision.no_double - equity).abs() < 2e-3, "{owner:?} {decision:?}");
            assert!((decision.double_take - 2.0 * exact.opponent).abs() < 4e-3, "{decision:?}");
        }
    }

    #[test]
    fn with_a_5_and_a_2_to_go_and_one_roll_left_one_doubles_and_the_other_takes() {
        // The textbook's last roll: 19 of 36 throws win, so every double gains 2/36 and passing loses more.
        let position = Position::from_sides(&[(5, 1), (2, 1)], &[(1, 2)]).expect("legal");
        let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
        let (scoring, cube) = money(1, CubeOwner::Centred);
        for plies in [Plies::ONE, Plies::TWO] {
            let search = Search::new(&endings, plies, SearchSettings::NORMAL);
            let decision = search.cube(&position, &scoring, cube);
            assert_eq!(decision.to_string(), "Double, take");
            assert!((decision.no_double - 2.0 / 36.0).abs() < 1e-5, "{decision:?}");
            assert!((decision.double_take - 4.0 / 36.0).abs() < 1e-5, "{decision:?}");
        }
    }

    #[test]
    fn of_plays_that_are_all_doubled_out_the_best_without_the_cube_comes_first() {
        let position =
            Position::from_sides(&[(6, 1), (3, 1), (1, 1)], &[(3, 1), (1, 1)]).expect("legal");
        let endings = BearoffEvaluator::new(pips(), Arc::clone(&SMALL));
        let (scoring, cube) = money(1, CubeOwner::Centred);
        let mut results = Results::default();
        let found = results.of(&position, "31".parse().expect("a roll"));
        let order = Search::new(&endings, Plies::ONE, SearchSettings::NORMAL)
            .rank_with_cube(found, &scoring, cube);
        assert!(order.len() > 1 && order.iter().all(|play| play.equity == -1.0), "{order:?}");
        assert!(order.is_sorted_by(|a, b| a.value.equity() >= b.value.equity()), "{order:?}");
        assert!(order[0].value.equity() > order[order.len() - 1].value.equity(), "{order:?}");
    }

    #[test]
    fn a_ranking_with_a_dead_cube_is_the_cubeless_one() {
        let evaluator = ScriptedEvaluator(|position: &Position| {
            let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
            let win = 0.5 + lead / 1000.0;
            Evaluation { average: 0.0, outcomes: [win - 0.1, 0.1, 0.0, 0.9 - win, 0.1, 0.0] }
        });
        // Both need one point: doubles are impossible, and gammons have no value.
        let session = Scoring::of_match(1, 0, 0, false).expect("a score");
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        let cube = Cube::CENTRED;
        let mut results = Results::default();
        let found = results.of(&Position::START, "31".parse().expect("a roll"));
        let search = Search::new(evaluator, Plies::TWO, SearchSettings::NORMAL);
        for play in search.rank_with_cube(found, &scoring, cube) {
            let [a, b, c, d, e, f] = play.value.outcomes;
            let equity = a + b + c - d - e - f;
            assert!((play.equity - equity).abs() < 1e-4, "{play:?} for {equity}");
        }
    }
}
