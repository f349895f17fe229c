//! Sampling decisions from games: evenly by class from varied games, or as they occur.

use std::convert::Infallible;

use rand_pcg::Pcg64;

use super::results;
use crate::drawn_position::DrawnPosition;
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::class::{ByClass, Class};
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::{StreamPurpose, TurnDriver, below, chance, roll, stream, take_turns};
use nonet_engine::progress::Progress;

/// How decisions are gathered.
#[derive(Clone, Copy, Debug)]
pub struct SamplingConfig {
    /// Number of decisions.
    pub decisions: usize,
    /// Probability, 0..=1, that a play is not the best one but the next best; of that play again,
    /// and so on.
    pub epsilon: f32,
    /// The largest loss of the second best play in the decisions taken, exclusive, in points per
    /// game.
    pub close: f32,
    /// Whether all classes get the same number, as far as games allow; else they have as many as
    /// games have.
    pub by_class: bool,
    /// Whether games begin at drawn positions ([`DrawnPosition`], each kind in turn) and not at the
    /// start position.
    pub drawn: bool,
    /// Seed of the games.
    pub seed: u64,
}

impl SamplingConfig {
    /// Close decisions: the second best play loses less than 0.2 points. Their games leave the best
    /// play with probability 0.25.
    #[must_use]
    pub const fn new(decisions: usize, seed: u64) -> SamplingConfig {
        SamplingConfig { decisions, epsilon: 0.25, close: 0.2, by_class: true, drawn: false, seed }
    }

    /// Decisions as they occur in games without deviations, easy ones included.
    #[must_use]
    pub const fn natural(decisions: usize, seed: u64) -> SamplingConfig {
        SamplingConfig {
            decisions,
            epsilon: 0.0,
            close: f32::INFINITY,
            by_class: false,
            drawn: false,
            seed,
        }
    }
}

/// The chance that a decision of a game is taken if they are taken as they occur: about one of each
/// game.
pub(super) const TAKEN: f64 = 1.0 / 50.0;

/// Decisions from games of `player` against itself: evenly by class one of each game, as they occur
/// one of fifty. `progress` counts decisions; `None` if it was stopped before the last one.
///
/// ```
/// use nonet_engine::progress::Progress;
/// use nonet_training::benchmark::{SamplingConfig, sampled};
///
/// let player = nonet_engine::open::net("small")?.team;
/// let decisions = sampled(&player, &SamplingConfig::natural(5, 1), &Progress::default());
/// assert_eq!(decisions.map(|decisions| decisions.len()), Some(5));
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
pub fn sampled(
    player: &dyn Evaluator,
    config: &SamplingConfig,
    progress: &Progress,
) -> Option<Vec<(Position, Dice)>> {
    let mut found: Vec<(Position, Dice)> = Vec::new();
    let most = config.decisions.div_ceil(Class::all().count());
    let mut taken = ByClass::new(|_| 0);
    // Rare classes may not be filled before the patience ends.
    let (mut number, patience) = (0, 200_u64.saturating_mul(config.decisions as u64));
    while found.len() < config.decisions && number < patience {
        if progress.is_stopped() {
            return None;
        }
        let mut rng = stream(config.seed, StreamPurpose::Decisions, number);
        let start = match config.drawn {
            true => DrawnPosition::ALL[number as usize % DrawnPosition::ALL.len()].draw(&mut rng),
            false => Position::START,
        };
        let seen = close_decisions(player, start, config, &mut rng);
        number += 1;
        if !config.by_class {
            let left = config.decisions - found.len();
            let taken = seen.into_iter().filter(|_| chance(TAKEN, &mut rng));
            let taken: Vec<_> = taken.take(left).collect();
            progress.add(taken.len() as u64);
            found.extend(taken);
            continue;
        }
        // A random one of the decisions in the class that is rarest so far.
        let open = |&&(position, _): &&(Position, Dice)| taken[Class::of(&position)] < most;
        let rarest = seen.iter().filter(open).map(|(p, _)| taken[Class::of(p)]).min();
        let choices: Vec<_> = seen
            .iter()
            .filter(|(position, _)| Some(taken[Class::of(position)]) == rarest)
            .collect();
        if choices.is_empty() {
            continue;
        }
        let choice = *choices[below(choices.len(), &mut rng)];
        if !found.contains(&choice) {
            taken[Class::of(&choice.0)] += 1;
            found.push(choice);
            progress.add(1);
        }
    }
    Some(found)
}

/// Turns after which a game is given up.
const TURNS_OF_A_GAME: usize = 400;

/// The close decisions of a game.
fn close_decisions(
    player: &dyn Evaluator,
    start: Position,
    config: &SamplingConfig,
    rng: &mut Pcg64,
) -> Vec<(Position, Dice)> {
    let mut turns = SampledTurns { player, config, rng, close: Vec::new(), values: Vec::new() };
    take_turns(start, TURNS_OF_A_GAME, &mut turns);
    turns.close
}

/// The turns of a game of an evaluator against itself that now and then leaves the best play.
struct SampledTurns<'a> {
    player: &'a dyn Evaluator,
    config: &'a SamplingConfig,
    rng: &'a mut Pcg64,
    /// The close decisions so far.
    close: Vec<(Position, Dice)>,
    values: Vec<Evaluation>,
}

impl TurnDriver for SampledTurns<'_> {
    type Stop = Infallible;

    fn before_roll(&mut self, _: usize, _: &Position) -> Option<Infallible> {
        None
    }

    fn roll(&mut self, _: usize) -> Dice {
        roll(self.rng)
    }

    fn play(&mut self, _: usize, position: &Position, dice: Dice) -> Position {
        let found = results(position, dice);
        if let [only] = found[..] {
            return only;
        }
        self.player.evaluate_into(&found, &mut self.values);
        // The values are the opponent's: the least is best.
        let equity = |i: usize| self.values[i].equity();
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by(|&a, &b| equity(a).total_cmp(&equity(b)));
        if equity(order[1]) - equity(order[0]) < self.config.close {
            self.close.push((*position, dice));
        }
        let mut place = 0;
        while place + 1 < order.len() && chance(f64::from(self.config.epsilon), self.rng) {
            place += 1;
        }
        found[order[place]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::eval::{Architecture, Specialists};

    /// Sampled decisions, all of which are counted.
    fn all(player: &dyn Evaluator, config: &SamplingConfig) -> Vec<(Position, Dice)> {
        let progress = Progress::default();
        let found = sampled(player, config, &progress).expect("not stopped");
        assert_eq!(progress.done(), found.len() as u64);
        found
    }

    #[test]
    fn no_decision_is_taken_once_the_work_is_stopped() {
        let progress = Progress::default();
        progress.stop();
        let player =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        assert_eq!(sampled(&player, &SamplingConfig::new(40, 3), &progress), None);
    }

    #[test]
    fn decisions_are_of_many_classes_and_the_same_every_time() {
        let team =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        let config = SamplingConfig { epsilon: 0.2, close: 0.5, ..SamplingConfig::new(40, 3) };
        let found = all(&team, &config);
        assert_eq!(found, all(&team, &config));
        assert_eq!(found.len(), 40);
        let classes: std::collections::BTreeSet<&str> =
            found.iter().map(|(position, _)| Class::of(position).slug()).collect();
        assert!(classes.len() >= 6, "{classes:?}");
        for (position, dice) in found {
            assert!(results(&position, dice).len() > 1, "a choice");
        }
    }

    #[test]
    fn natural_decisions_have_the_classes_of_games_and_lose_any_amount() {
        let player =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        let config = SamplingConfig::natural(300, 3);
        let found = all(&player, &config);
        assert_eq!(found, all(&player, &config));
        assert_eq!(found.len(), 300);
        // Evenly by class there would be 33 or 34 of each.
        let mut of_class = ByClass::new(|_| 0);
        found.iter().for_each(|(position, _)| of_class[Class::of(position)] += 1);
        let most = of_class.values().max().expect("classes");
        assert!(*most > 60, "{of_class:?}");
        let clear = |(position, dice): &&(Position, Dice)| {
            let mut values = Vec::new();
            player.evaluate_into(&results(position, *dice), &mut values);
            let mut equities: Vec<f32> = values.iter().map(Evaluation::equity).collect();
            equities.sort_by(f32::total_cmp);
            equities[1] - equities[0] > 0.01
        };
        assert!(found.iter().filter(clear).count() > 10, "also decisions that are not close");
    }
}
