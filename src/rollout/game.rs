//! One game of a rollout.

use rand::RngCore;
use rand_pcg::Pcg64;

use super::RolloutConfig;
use crate::backgammon::{Cube, Dice, Position, Results};
use crate::cube::{CubeDecision, CubeScoring};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::game::{MAX_TURNS, StreamPurpose, roll, stream};
use crate::search::{Plies, Replies, Reply, Search, SearchSettings};

/// Replies to a roll that the evaluator judges.
const BREADTH: usize = SearchSettings::NORMAL.max_replies;

/// What the games are played for.
#[derive(Clone, Copy)]
pub(super) struct CubePlay<'a> {
    /// Seen by the player on roll at the start, and by the other one.
    pub(super) stakes: [&'a CubeScoring; 2],
    /// At the start, seen by the player on roll.
    pub(super) cube: Cube,
}

/// Everything that the games of a rollout share.
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
    /// Cubeless, luck taken out.
    pub(super) value: Evaluation,
    /// Cubeful if the rollout is, luck taken out.
    pub(super) equity: f64,
    /// The same with the luck left in.
    pub(super) plain: f64,
}

/// The 36 throws in an order of the seed's, for second rolls.
pub(super) struct Stratification([u8; 36]);

impl Stratification {
    pub(super) fn new(seed: u64) -> Stratification {
        let (mut rng, mut order) = (stream(seed, StreamPurpose::Rollout, u64::MAX), [0; 36]);
        for (throw, place) in order.iter_mut().zip(0..) {
            *throw = place;
        }
        // Fisher and Yates, from the end.
        for last in (1..36).rev() {
            let other = (u64::from(rng.next_u32()) * (last as u64 + 1)) >> 32;
            order.swap(last, other as usize);
        }
        Stratification(order)
    }

    /// The roll of a game's turn, counted from 0.
    fn roll(&self, game: u64, turn: usize, rng: &mut Pcg64) -> Dice {
        let throw = match turn {
            0 => (game % 36) as u8,
            1 => self.0[((game / 36 + game) % 36) as usize],
            _ => return roll(rng),
        };
        Dice::new(throw / 6 + 1, throw % 6 + 1).unwrap_or_else(|| roll(rng))
    }
}

impl<E: Evaluator> RolloutGame<'_, E> {
    /// Plays one game.
    pub(super) fn play(&self, number: u64, replies: &mut Replies) -> RolloutOutcome {
        let mut rng = stream(self.config.seed, StreamPurpose::Rollout, number);
        let evaluator = *self.search.evaluator();
        let (mut position, mut results) = (self.position, Results::default());
        let mut value = Evaluation::ZERO;
        let mut cube = self.cubeful.map_or(Cube::CENTRED, |cubeful| cubeful.cube);
        // Luck of the player who began, without and with the cube.
        let (mut luck, mut cubeful_luck) = (Evaluation::ZERO, 0.0);
        let mut cashed = None;
        let last = self.config.truncate.map_or(MAX_TURNS, |plies| plies as usize).min(MAX_TURNS);
        let mut turn = 0;
        while turn < last {
            if turn > 0 && (position.outcome().is_some() || evaluator.cubeful(&position).is_some())
            {
                break;
            }
            if turn > 0 && cashed.is_none() {
                cashed = self.offer(turn, &position, &value, &mut cube);
            }
            let dice = self.order.roll(number, turn, &mut rng);
            let mut at_1_ply = None;
            if self.config.variance_reduction {
                let best = replies.of(self.search.evaluator(), &position, BREADTH).to_vec();
                let mine = best[replies.place_of(dice)];
                // The values are those of the other player, who is on roll in the replies.
                let mean = |sum: Evaluation, reply: &Reply| sum.plus(&reply.value, reply.weight);
                let good = mine.value.plus(&best.iter().fold(Evaluation::ZERO, mean), -1.0);
                luck = luck.plus(&if turn % 2 == 0 { good.flipped() } else { good }, 1.0);
                if cashed.is_none() {
                    cubeful_luck += self.cube_luck(turn, &best, &mine, cube);
                }
                at_1_ply = Some((mine.position, mine.value));
            }
            (position, value) = match (at_1_ply, self.search.plies()) {
                (Some(at_1_ply), Plies::ONE) => at_1_ply,
                _ => {
                    let found = results.of(&position, dice);
                    let best = self.search.rank(found).first().map_or(0, |play| play.index);
                    (found[best], evaluator.evaluate(&found[best]))
                }
            };
            cube = cube.flipped();
            turn += 1;
        }
        if turn == 0 {
            value = evaluator.evaluate(&position);
        }
        let begins = turn % 2 == 0;
        let plain_value = if begins { value } else { value.flipped() };
        let fair = plain_value.plus(&luck, -1.0);
        let (plain, equity) = match self.cubeful {
            None => (f64::from(plain_value.equity()), f64::from(fair.equity())),
            Some(CubePlay { stakes, cube: first }) => {
                let utility = cashed.unwrap_or_else(|| {
                    let utility = self.utility(turn, &position, &value, cube);
                    if begins { utility } else { stakes[1].opponent_utility(utility) }
                });
                let equity = |utility: f32| f64::from(stakes[0].equity(utility, first.value()));
                (equity(utility), equity(utility - cubeful_luck))
            }
        };
        RolloutOutcome { value: fair, equity, plain }
    }

    /// The player on roll doubles if that is right; if the other one passes, the worth of that to whoever began.
    fn offer(
        &self,
        turn: usize,
        position: &Position,
        value: &Evaluation,
        cube: &mut Cube,
    ) -> Option<f32> {
        let stakes = self.cubeful?.stakes;
        let own = stakes[turn % 2];
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

    /// The worth of a position to its player, who may double.
    fn utility(&self, turn: usize, position: &Position, value: &Evaluation, cube: Cube) -> f32 {
        let Some(CubePlay { stakes, .. }) = self.cubeful else { return 0.0 };
        let own = stakes[turn % 2];
        if let Some(outcome) = position.outcome() {
            return own.of_outcome(outcome, cube);
        }
        let no_double = self.search.utility(position, value, own, cube);
        if !own.may_double(cube) {
            return no_double;
        }
        own.with_double(no_double, self.search.utility(position, value, own, cube.doubled()), cube)
    }

    /// How much better a roll was than the mean over all, in worth to whoever began.
    fn cube_luck(&self, turn: usize, best: &[Reply], mine: &Reply, cube: Cube) -> f32 {
        let Some(CubePlay { stakes, .. }) = self.cubeful else { return 0.0 };
        let next = cube.flipped();
        let of = |reply: &Reply| {
            let theirs = self.utility(turn + 1, &reply.position, &reply.value, next);
            stakes[(turn + 1) % 2].opponent_utility(theirs)
        };
        let mean: f32 = best.iter().map(|reply| reply.weight * of(reply)).sum();
        let good = of(mine) - mean;
        if turn.is_multiple_of(2) { good } else { -good }
    }
}
