//! One game of a rollout.

use rand_pcg::Pcg64;

use super::RolloutConfig;
use crate::backgammon::{Cube, Dice, Position, Results};
use crate::cube::{CubeDecision, CubeScoring};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::game::{
    MAX_TURNS, StreamPurpose, TakenTurns, TurnDriver, roll, shuffle, stream, take_turns, throw,
};
use crate::search::{Plies, Replies, Reply, Search, SearchSettings};

/// The number of results of a roll that are evaluated.
const MAX_REPLIES: usize = SearchSettings::NORMAL.max_replies;

/// The score and the cube of a cubeful rollout.
#[derive(Clone, Copy)]
pub(super) struct CubePlay<'a> {
    /// Seen by the player on roll at the start, and by the other one.
    pub(super) scoring: [&'a CubeScoring; 2],
    /// The cube at the start, seen by the player on roll.
    pub(super) cube: Cube,
}

/// The settings that all games of a rollout share.
pub(super) struct RolloutGame<'a, E> {
    pub(super) search: Search<&'a E>,
    pub(super) position: Position,
    pub(super) cubeful: Option<CubePlay<'a>>,
    pub(super) config: &'a RolloutConfig,
    pub(super) order: &'a Stratification,
}

/// The result of a game for the player on roll at its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct RolloutOutcome {
    /// Without the cube, with variance reduction.
    pub(super) value: Evaluation,
    /// Cubeful if the rollout is, with variance reduction.
    pub(super) equity: f64,
    /// The same without variance reduction.
    pub(super) plain: f64,
}

/// The 36 throws in a random order that depends on the seed, for second rolls.
pub(super) struct Stratification([u8; 36]);

impl Stratification {
    pub(super) fn new(seed: u64) -> Stratification {
        let mut order = std::array::from_fn(|index| index as u8);
        shuffle(&mut order, &mut stream(seed, StreamPurpose::Rollout, u64::MAX));
        Stratification(order)
    }

    /// The roll of a turn, counted from 0, of a game.
    fn roll(&self, game: u64, turn: usize, rng: &mut Pcg64) -> Dice {
        match turn {
            0 => throw((game % 36) as u8),
            1 => throw(self.0[((game / 36 + game) % 36) as usize]),
            _ => roll(rng),
        }
    }
}

/// The turns of one game of a rollout.
struct RolloutTurns<'a, E> {
    game: &'a RolloutGame<'a, E>,
    number: u64,
    rng: Pcg64,
    replies: &'a mut Replies,
    results: Results,
    /// The static evaluation of the position, seen by the player on roll.
    value: Evaluation,
    /// Seen by the player on roll.
    cube: Cube,
    /// Luck of the player who began, without and with the cube.
    luck: Evaluation,
    cubeful_luck: f32,
    /// The utility of a refused double for the player who began. The game goes on without the cube.
    cashed: Option<f32>,
}

/// The equity of a position is known exactly.
struct Known;

impl<E: Evaluator> TurnDriver for RolloutTurns<'_, E> {
    type Stop = Known;

    fn before_roll(&mut self, turn: usize, position: &Position) -> Option<Known> {
        if turn == 0 {
            return None;
        }
        if self.game.search.evaluator().cubeful(position).is_some() {
            return Some(Known);
        }
        if self.cashed.is_none() {
            self.cashed = self.game.offer(turn, position, &self.value, &mut self.cube);
        }
        None
    }

    fn roll(&mut self, turn: usize) -> Dice {
        self.game.order.roll(self.number, turn, &mut self.rng)
    }

    fn play(&mut self, turn: usize, position: &Position, dice: Dice) -> Position {
        let search = &self.game.search;
        let mut at_1_ply = None;
        if self.game.config.variance_reduction {
            let best = self.replies.of(search.evaluator(), position, MAX_REPLIES).to_vec();
            let mine = best[self.replies.place_of(dice)];
            // The values are those of the other player, who is on roll in the replies.
            let mean = |sum: Evaluation, reply: &Reply| sum.plus(&reply.value, reply.weight);
            let good = mine.value.plus(&best.iter().fold(Evaluation::ZERO, mean), -1.0);
            self.luck =
                self.luck.plus(&if turn.is_multiple_of(2) { good.flipped() } else { good }, 1.0);
            if self.cashed.is_none() {
                self.cubeful_luck += self.game.cube_luck(turn, &best, &mine, self.cube);
            }
            at_1_ply = Some((mine.position, mine.value));
        }
        let (after, value) = match (at_1_ply, search.plies()) {
            (Some(at_1_ply), Plies::ONE) => at_1_ply,
            _ => {
                let found = self.results.of(position, dice);
                let best = search.rank(found).first().map_or(0, |play| play.index);
                (found[best], search.evaluator().evaluate(&found[best]))
            }
        };
        self.value = value;
        self.cube = self.cube.flipped();
        after
    }
}

impl<E: Evaluator> RolloutGame<'_, E> {
    /// Plays one game.
    pub(super) fn play(&self, number: u64, replies: &mut Replies) -> RolloutOutcome {
        let mut driver = RolloutTurns {
            game: self,
            number,
            rng: stream(self.config.seed, StreamPurpose::Rollout, number),
            replies,
            results: Results::default(),
            value: Evaluation::ZERO,
            cube: self.cubeful.map_or(Cube::CENTRED, |cubeful| cubeful.cube),
            luck: Evaluation::ZERO,
            cubeful_luck: 0.0,
            cashed: None,
        };
        let limit = self.config.truncate.map_or(MAX_TURNS, |plies| plies as usize).min(MAX_TURNS);
        let TakenTurns { position, turns, .. } = take_turns(self.position, limit, &mut driver);
        let RolloutTurns { mut value, cube, luck, cubeful_luck, cashed, .. } = driver;
        if turns == 0 {
            value = self.search.evaluator().evaluate(&position);
        }
        let begins = turns % 2 == 0;
        let plain_value = if begins { value } else { value.flipped() };
        let fair = plain_value.plus(&luck, -1.0);
        let (plain, equity) = match self.cubeful {
            None => (f64::from(plain_value.equity()), f64::from(fair.equity())),
            Some(CubePlay { scoring, cube: first }) => {
                let utility = cashed.unwrap_or_else(|| {
                    let utility = self.utility(turns, &position, &value, cube);
                    if begins { utility } else { scoring[1].opponent_utility(utility) }
                });
                let equity = |utility: f32| f64::from(scoring[0].equity(utility, first.value()));
                (equity(utility), equity(utility - cubeful_luck))
            }
        };
        RolloutOutcome { value: fair, equity, plain }
    }

    /// The player on roll doubles if the cube model says so. If the opponent passes: the utility of that for the player who
    /// began.
    fn offer(
        &self,
        turn: usize,
        position: &Position,
        value: &Evaluation,
        cube: &mut Cube,
    ) -> Option<f32> {
        let scoring = self.cubeful?.scoring;
        let own = scoring[turn % 2];
        if !own.may_double(*cube) {
            return None;
        }
        let [no_double, double_take] =
            [*cube, cube.doubled()].map(|cube| self.search.utility(position, value, own, cube));
        let decision = CubeDecision::new(own, *cube, *value, no_double, double_take);
        if !decision.is_double() {
            return None;
        }
        if !decision.is_take() {
            let passed = decision.utility[2];
            return Some(if turn.is_multiple_of(2) {
                passed
            } else {
                own.opponent_utility(passed)
            });
        }
        *cube = cube.doubled();
        None
    }

    /// The utility of a position for the player on roll, who may double.
    fn utility(&self, turn: usize, position: &Position, value: &Evaluation, cube: Cube) -> f32 {
        let Some(CubePlay { scoring, .. }) = self.cubeful else { return 0.0 };
        let own = scoring[turn % 2];
        if let Some(outcome) = position.outcome() {
            return own.of_outcome(outcome, cube);
        }
        let no_double = self.search.utility(position, value, own, cube);
        if !own.may_double(cube) {
            return no_double;
        }
        own.with_double(no_double, self.search.utility(position, value, own, cube.doubled()), cube)
    }

    /// The luck of a roll: its utility minus the mean over all rolls, for the player who began.
    fn cube_luck(&self, turn: usize, best: &[Reply], mine: &Reply, cube: Cube) -> f32 {
        let Some(CubePlay { scoring, .. }) = self.cubeful else { return 0.0 };
        let next = cube.flipped();
        let of = |reply: &Reply| {
            let theirs = self.utility(turn + 1, &reply.position, &reply.value, next);
            scoring[(turn + 1) % 2].opponent_utility(theirs)
        };
        let mean: f32 = best.iter().map(|reply| reply.weight * of(reply)).sum();
        let good = of(mine) - mean;
        if turn.is_multiple_of(2) { good } else { -good }
    }
}
