//! Decisions from varied play, as many of each class as there are.

use rand::RngCore;
use rand_pcg::Pcg64;

use super::results;
use crate::backgammon::{Dice, Position, Results};
use crate::class::{ByClass, Class};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::game::{StreamPurpose, stream};

/// How decisions are gathered.
#[derive(Clone, Copy, Debug)]
pub struct SamplingConfig {
    /// How many in all.
    pub decisions: usize,
    /// Chance that a play of the games is not the best but another one, the better the likelier.
    pub epsilon: f32,
    /// Only decisions are taken whose second best play loses less than this, in points per game.
    pub close: f32,
    /// Seed of the games.
    pub seed: u64,
}

/// Decisions from games of `player` against itself that stray now and then, as evenly by class as they come; each belongs to
/// a game of its own.
pub fn sampled(player: &dyn Evaluator, recipe: &SamplingConfig) -> Vec<(Position, Dice)> {
    let mut found: Vec<(Position, Dice)> = Vec::new();
    let most = recipe.decisions.div_ceil(Class::all().count());
    let mut taken = ByClass::new(|_| 0);
    // Rare classes may never be full; the others then are.
    let (mut number, patience) = (0, 200 * recipe.decisions as u64);
    while found.len() < recipe.decisions && number < patience {
        let mut dice = stream(recipe.seed, StreamPurpose::Decisions, number);
        let seen = game(player, recipe, &mut dice);
        number += 1;
        // The rarest class that this game shows, at a place of its own choosing.
        let open = |&&(position, _): &&(Position, Dice)| taken[Class::of(&position)] < most;
        let rarest = seen.iter().filter(open).map(|(p, _)| taken[Class::of(p)]).min();
        let choices: Vec<_> = seen
            .iter()
            .filter(|(position, _)| Some(taken[Class::of(position)]) == rarest)
            .collect();
        if choices.is_empty() {
            continue;
        }
        let choice = *choices[dice.next_u32() as usize % choices.len()];
        if !found.contains(&choice) {
            taken[Class::of(&choice.0)] += 1;
            found.push(choice);
        }
    }
    found
}

/// The close decisions of a game.
fn game(player: &dyn Evaluator, recipe: &SamplingConfig, rng: &mut Pcg64) -> Vec<(Position, Dice)> {
    let (mut seen, mut values, mut buffer) = (Vec::new(), Vec::new(), Results::default());
    let mut position = Position::START;
    for _ in 0..400 {
        let dice = Dice::ALL[roll(rng)];
        let next = if buffer.of(&position, dice).len() < 2 {
            buffer.of(&position, dice)[0]
        } else {
            let found = results(&position, dice);
            player.evaluate_batch(&found, &mut values);
            let mut order: Vec<usize> = (0..found.len()).collect();
            let equity = |value: &Evaluation| value.equity();
            order.sort_by(|&a, &b| equity(&values[a]).total_cmp(&equity(&values[b])));
            if equity(&values[order[1]]) - equity(&values[order[0]]) < recipe.close {
                seen.push((position, dice));
            }
            let mut place = 0;
            while place + 1 < order.len()
                && f64::from(rng.next_u32()) < f64::from(recipe.epsilon) * 2.0_f64.powi(32)
            {
                place += 1;
            }
            found[order[place]]
        };
        position = next;
        if position.outcome().is_some() {
            break;
        }
    }
    seen
}

/// One of the 21 rolls, doublets half as often.
fn roll(rng: &mut Pcg64) -> usize {
    let (a, b) = (rng.next_u32() % 6, rng.next_u32() % 6);
    let (high, low) = (a.max(b) as u8 + 1, a.min(b) as u8 + 1);
    Dice::ALL.iter().position(|dice| (dice.high(), dice.low()) == (high, low)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Architecture, Specialists};

    #[test]
    fn decisions_are_of_many_classes_and_the_same_every_time() {
        let team =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        let recipe = SamplingConfig { decisions: 40, epsilon: 0.2, close: 0.5, seed: 3 };
        let found = sampled(&team, &recipe);
        assert_eq!(found, sampled(&team, &recipe));
        assert_eq!(found.len(), 40);
        let classes: std::collections::BTreeSet<&str> =
            found.iter().map(|(position, _)| Class::of(position).slug()).collect();
        assert!(classes.len() >= 6, "{classes:?}");
        for (position, dice) in found {
            assert!(results(&position, dice).len() > 1, "a choice");
        }
    }
}
