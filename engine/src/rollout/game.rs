//! One game of a rollout.

use rand::RngCore;
use serde::{Deserialize, Serialize};

use super::RolloutConfig;
use super::dice::StratifiedDice;
use crate::backgammon::{Cube, Dice, Position, Results, Scoring};
use crate::cube::{Answer, CubeDecision, CubeEfficiency, CubeScoring};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::game::{MAX_TURNS, StreamPurpose, TakenTurns, TurnDriver, stream, take_turns};
use crate::search::{Plies, Ranked, Replies, Reply, ReplyRanking, Search, SearchSettings};
use crate::strength::{ComparedPlay, Fallible, HumanChoice, Strength};

/// The number of results of a roll that are evaluated.
const MAX_REPLIES: usize = SearchSettings::NORMAL.max_replies;

/// The score and the cube of a cubeful rollout.
#[derive(Clone, Copy)]
pub(super) struct CubePlay<'a> {
    /// Seen by the player on roll at the start, and by the other one.
    pub(super) scoring: [&'a CubeScoring; 2],
    /// The cube at the start, seen by the player on roll.
    pub(super) cube: Cube,
    /// Whether the player on roll at the start may double in the first turn.
    pub(super) doubles_at_once: bool,
    /// The value of the cube that equities are normalized to.
    pub(super) unit: u32,
}

/// The settings that all games of a rollout share.
pub(super) struct RolloutGame<'a, E> {
    pub(super) search: Search<&'a E>,
    pub(super) position: Position,
    pub(super) cubeful: Option<CubePlay<'a>>,
    pub(super) config: &'a RolloutConfig,
    pub(super) dice: &'a StratifiedDice,
    /// Of the player on roll at the start, and of the other one.
    pub(super) strengths: [Strength; 2],
}

/// The result of a game for the player on roll at its start.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct RolloutOutcome {
    /// Without the cube, with variance reduction.
    pub(super) value: Evaluation,
    /// Cubeful if the rollout is, with variance reduction.
    pub(super) equity: f64,
    /// The same without variance reduction.
    pub(super) plain: f64,
}

impl RolloutOutcome {
    /// The mean of two values of one game.
    fn mean(first: &RolloutOutcome, second: &RolloutOutcome) -> RolloutOutcome {
        RolloutOutcome {
            value: first.value.mixed(&second.value, 0.5),
            equity: 0.5 * (first.equity + second.equity),
            plain: 0.5 * (first.plain + second.plain),
        }
    }
}

/// The turns of one game of a rollout.
struct RolloutTurns<'a, E> {
    game: &'a RolloutGame<'a, E>,
    number: u64,
    /// The player on roll at the start, and the other one.
    players: [Fallible; 2],
    replies: &'a mut Replies,
    results: Results,
    state: GameSoFar,
    /// The value of the game at the first of its two horizons.
    at_first_horizon: Option<RolloutOutcome>,
}

/// The state of a game in a rollout.
struct GameSoFar {
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
            if self.game.cubeful.is_some_and(|cubeful| cubeful.doubles_at_once) {
                self.state.value = self.game.search.evaluator().evaluate(position);
                self.offer(turn, position);
            }
            return None;
        }
        // Known values are those of perfect play.
        if !self.game.errs() && self.game.search.evaluator().cubeful(position).is_some() {
            return Some(Known);
        }
        if self.game.config.truncate.is_some_and(|plies| plies as usize == turn) {
            self.at_first_horizon = Some(self.game.outcome(turn, position, &self.state));
        }
        self.offer(turn, position);
        None
    }

    fn roll(&mut self, turn: usize) -> Dice {
        self.game.dice.roll(self.number, turn)
    }

    fn play(&mut self, turn: usize, position: &Position, dice: Dice) -> Position {
        let search = &self.game.search;
        let state = &mut self.state;
        let mut at_1_ply = None;
        if self.game.config.variance_reduction {
            let ranking = self.game.ranking(turn + 1, state.cube.flipped());
            let best = self.replies.of(search.evaluator(), position, MAX_REPLIES, ranking).to_vec();
            let mine = best[self.replies.place_of(dice)];
            // The values are those of the other player, who is on roll in the replies.
            let mean = |sum: Evaluation, reply: &Reply| sum.plus(&reply.value, reply.weight);
            let good = mine.value.plus(&best.iter().fold(Evaluation::ZERO, mean), -1.0);
            state.luck =
                state.luck.plus(&if turn.is_multiple_of(2) { good.flipped() } else { good }, 1.0);
            if state.cashed.is_none() {
                state.cubeful_luck += self.game.cube_luck(turn, &best, &mine, state.cube);
            }
            at_1_ply = Some((mine.position, mine.value));
        }
        let player = &self.players[turn % 2];
        let (after, value) = match (at_1_ply, search.plies()) {
            _ if player.strength.errs() => {
                let found = self.results.of(position, dice);
                let chosen = self.game.choose(turn, position, dice, found, player, state);
                (found[chosen], search.evaluator().evaluate(&found[chosen]))
            }
            (Some(at_1_ply), Plies::ONE) => at_1_ply,
            _ => {
                let found = self.results.of(position, dice);
                let order = self.game.rank(turn, found, state.cube);
                let best = order.first().map_or(0, |play| play.index);
                (found[best], search.evaluator().evaluate(&found[best]))
            }
        };
        state.value = value;
        state.cube = state.cube.flipped();
        after
    }
}

impl<E: Evaluator> RolloutTurns<'_, E> {
    /// The player on roll may double, unless the cube is out of the game.
    fn offer(&mut self, turn: usize, position: &Position) {
        let GameSoFar { value, cube, cashed, .. } = &mut self.state;
        if cashed.is_none() {
            *cashed = self.game.offer(turn, position, value, cube, &self.players);
        }
    }
}

impl<E: Evaluator> RolloutGame<'_, E> {
    /// Plays one game.
    pub(super) fn play(&self, number: u64, replies: &mut Replies) -> RolloutOutcome {
        let state = GameSoFar {
            value: Evaluation::ZERO,
            cube: self.cubeful.map_or(Cube::CENTRED, |cubeful| cubeful.cube),
            luck: Evaluation::ZERO,
            cubeful_luck: 0.0,
            cashed: None,
        };
        let results = Results::default();
        let at_first_horizon = None;
        let mut driver = RolloutTurns {
            game: self,
            number,
            players: self.players(number),
            replies,
            results,
            state,
            at_first_horizon,
        };
        // One ply more than the first horizon: that is the second one.
        let limit = self.config.truncate.map_or(MAX_TURNS, |plies| plies as usize + 1);
        let TakenTurns { position, turns, .. } =
            take_turns(self.position, limit.min(MAX_TURNS), &mut driver);
        let RolloutTurns { state, at_first_horizon, .. } = driver;
        let end = self.outcome(turns, &position, &state);
        at_first_horizon.map_or(end, |first| RolloutOutcome::mean(&first, &end))
    }

    /// Whether a side may err.
    fn errs(&self) -> bool {
        self.strengths.iter().any(Strength::errs)
    }

    /// The players of a game. Each line has the same errors in the same positions.
    fn players(&self, number: u64) -> [Fallible; 2] {
        let mut seeds = stream(self.config.seed, StreamPurpose::Choice, number);
        self.strengths.map(|strength| Fallible { strength, seed: seeds.next_u64() })
    }

    /// The index of the result that a player who may err chooses.
    ///
    /// Variance reduction also subtracts the luck of the choice, where the chances of all plays are
    /// known. This luck is the value of the choice minus the mean over all plays.
    fn choose(
        &self,
        turn: usize,
        position: &Position,
        dice: Dice,
        results: &[Position],
        player: &Fallible,
        state: &mut GameSoFar,
    ) -> usize {
        let order = self.rank(turn, results, state.cube);
        let plays: Vec<ComparedPlay> = order
            .iter()
            .map(|play| ComparedPlay { after: results[play.index], equity: play.equity })
            .collect();
        let Some(chosen) = player.choose(position, dice, state.cube, &plays) else { return 0 };
        if let (true, Some(people)) =
            (self.config.variance_reduction, player.strength.people.map(HumanChoice::of_pr))
        {
            let chances = people.chances(position, dice, &plays);
            let own = |luck: Evaluation| {
                if turn.is_multiple_of(2) { luck } else { luck.flipped() }
            };
            let mean = |sum: Evaluation, (play, chance): (&Ranked, &f64)| {
                sum.plus(&play.value, *chance as f32)
            };
            let expected = order.iter().zip(&chances).fold(Evaluation::ZERO, mean);
            state.luck = state.luck.plus(&own(order[chosen].value.plus(&expected, -1.0)), 1.0);
            if state.cashed.is_none() && self.cubeful.is_some() {
                let of = |play: &Ranked| {
                    let (after, value) = (&results[play.index], play.value.flipped());
                    self.utility_after(turn, after, &value, state.cube)
                };
                let mean: f32 = order
                    .iter()
                    .zip(&chances)
                    .map(|(play, chance)| *chance as f32 * of(play))
                    .sum();
                let good = of(&order[chosen]) - mean;
                state.cubeful_luck += if turn.is_multiple_of(2) { good } else { -good };
            }
        }
        order[chosen].index
    }

    /// The value of a game after `turns` turns.
    fn outcome(&self, turns: usize, position: &Position, state: &GameSoFar) -> RolloutOutcome {
        let GameSoFar { value, cube, luck, cubeful_luck, cashed } = state;
        let begins = turns.is_multiple_of(2);
        let plain_value = if begins { *value } else { value.flipped() };
        let fair = plain_value.plus(luck, -1.0);
        let (plain, equity) = match self.cubeful {
            None => (f64::from(plain_value.equity()), f64::from(fair.equity())),
            Some(CubePlay { scoring, unit, .. }) => {
                let utility = cashed.unwrap_or_else(|| {
                    let utility = self.utility(turns, position, value, *cube);
                    if begins { utility } else { scoring[1].opponent_utility(utility) }
                });
                let equity = |utility: f32| f64::from(scoring[0].equity(utility, unit));
                (equity(utility), equity(utility - cubeful_luck))
            }
        };
        RolloutOutcome { value: fair, equity, plain }
    }

    /// How the plays before turn `turn` are chosen; `cube` is seen by the player on roll in that
    /// turn.
    fn ranking(&self, turn: usize, cube: Cube) -> ReplyRanking {
        self.cubeful.map_or(ReplyRanking::Money, |CubePlay { scoring, .. }| {
            ReplyRanking::of(scoring[turn % 2], cube)
        })
    }

    /// The results of a roll, the best first: for money without the cube, in a match at the score.
    fn rank(&self, turn: usize, results: &[Position], cube: Cube) -> Vec<Ranked> {
        match self.cubeful {
            Some(CubePlay { scoring, .. }) if matches!(scoring[0].session(), Scoring::Match(_)) => {
                self.search.rank_with_cube(results, scoring[turn % 2], cube)
            }
            _ => self.search.rank(results),
        }
    }

    /// The player on roll doubles if the cube model says so. If the opponent passes: the utility of
    /// that for the player who began.
    fn offer(
        &self,
        turn: usize,
        position: &Position,
        value: &Evaluation,
        cube: &mut Cube,
        players: &[Fallible; 2],
    ) -> Option<f32> {
        let scoring = self.cubeful?.scoring;
        let own = scoring[turn % 2];
        if !own.may_double(*cube) {
            return None;
        }
        let efficiency = CubeEfficiency::of(position);
        let [no_double, double_take] = [*cube, cube.doubled()]
            .map(|cube| self.search.utility(position, value, own, cube, efficiency));
        let decision = CubeDecision::new(own, *cube, *value, no_double, double_take);
        let (player, other) = (&players[turn % 2], &players[(turn + 1) % 2]);
        if !player.doubles(&decision, position, *cube) {
            return None;
        }
        if other.answer(&decision, position, *cube, false) == Answer::Pass {
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
        let efficiency = CubeEfficiency::of(position);
        let of = |cube| self.search.utility(position, value, own, cube, efficiency);
        let no_double = of(cube);
        if !own.may_double(cube) {
            return no_double;
        }
        own.with_double(no_double, of(cube.doubled()), cube)
    }

    /// The utility for the player on roll in a turn of a board after it; `value` is that of the
    /// other player.
    fn utility_after(&self, turn: usize, after: &Position, value: &Evaluation, cube: Cube) -> f32 {
        let Some(CubePlay { scoring, .. }) = self.cubeful else { return 0.0 };
        let theirs = self.utility(turn + 1, after, value, cube.flipped());
        scoring[(turn + 1) % 2].opponent_utility(theirs)
    }

    /// The luck of a roll: its utility minus the mean over all rolls, for the player who began.
    fn cube_luck(&self, turn: usize, best: &[Reply], mine: &Reply, cube: Cube) -> f32 {
        if self.cubeful.is_none() {
            return 0.0;
        }
        let of = |reply: &Reply| self.utility_after(turn, &reply.position, &reply.value, cube);
        let mean: f32 = best.iter().map(|reply| reply.weight * of(reply)).sum();
        let good = of(mine) - mean;
        if turn.is_multiple_of(2) { good } else { -good }
    }
}
