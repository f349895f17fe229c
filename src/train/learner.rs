//! What a finished game teaches. A learner never sees dice thrown.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::returns::lambda_returns;
use crate::backgammon::{Position, View};
use crate::class::{ByClass, Class};
use crate::eval::{Evaluator, Net, Specialists};
use crate::features::Inputs;
use crate::net::Hidden;
use crate::play::Game;
use crate::value::{Evaluation, HEADS};

/// A team in training, and the running average of its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// The team.
    pub team: Specialists,
    /// Its running average, if wanted.
    pub average: Option<Specialists>,
}

/// What a batch of games taught.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lessons {
    /// Examples learned by class.
    pub examples: ByClass<u64>,
    /// Sum by class of the squared differences between target and prediction, in points squared.
    pub squared_error: ByClass<f64>,
}

/// One position with its desired value.
struct Example {
    position: Position,
    class: Class,
    target: Evaluation,
}

impl Learner {
    /// Learns from games in order, each from its last position to its first, with one gradient step an example.
    ///
    /// Targets come from the weights as they were when the call began. Each net sees its own examples in that order,
    /// whatever the other nets do, so nets learn side by side and the result does not depend on the number of threads.
    ///
    /// `average_step` (0..1) is how far the running average moves towards the new weights afterwards.
    pub fn learn(&mut self, games: &[Game], alpha: f32, lambda: f32, average_step: f32) -> Lessons {
        let team = &self.team;
        let lessons: Vec<Vec<Example>> = games
            .par_iter()
            .map_init(<(Vec<_>, Vec<_>)>::default, |(values, targets), game| {
                team.evaluate_batch(&game.positions, values);
                lambda_returns(values, game.outcome, lambda, targets);
                let pairs = game.positions.iter().zip(targets.iter());
                pairs
                    .map(|(&position, &target)| Example {
                        position,
                        class: Class::of(&position),
                        target,
                    })
                    .collect()
            })
            .collect();
        let owner = ByClass::new(|class| team.net_of(class));
        let average = self.average.as_mut().map(Specialists::nets_mut).unwrap_or_default();
        let learned: Vec<Lessons> = self
            .team
            .nets_mut()
            .par_iter_mut()
            .enumerate()
            .map(|(place, net)| {
                let mine = |example: &&Example| owner[example.class] == place;
                let examples = lessons.iter().flat_map(|game| game.iter().rev()).filter(mine);
                pulp::Arch::new().dispatch(Descent { net, examples, alpha })
            })
            .collect();
        average.par_iter_mut().zip(self.team.nets()).for_each(|(average, net)| {
            average.mlp.approach(&net.mlp, average_step);
        });
        let mut all = Lessons::default();
        for lessons in learned {
            all.add(&lessons);
        }
        all
    }
}

impl Lessons {
    /// Adds those of other games.
    pub fn add(&mut self, other: &Lessons) {
        for class in Class::all() {
            self.examples[class] += other.examples[class];
            self.squared_error[class] += other.squared_error[class];
        }
    }
}

/// One net's way through its examples.
struct Descent<'a, I> {
    net: &'a mut Net,
    examples: I,
    alpha: f32,
}

impl<'a, I: Iterator<Item = &'a Example>> WithSimd for Descent<'_, I> {
    type Output = Lessons;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Lessons {
        let Descent { net, examples, alpha } = self;
        let mut lessons = Lessons::default();
        let (mut inputs, mut hidden) = (Inputs::default(), Hidden::default());
        for Example { position, class, target } in examples {
            net.encoding.encode_view(&View::of(position), &mut inputs);
            let (index, value) = (inputs.indices(), inputs.values());
            let out = net.mlp.forward(simd, index, value, &mut hidden);
            let mut delta = [0.0; 8];
            let heads = target.heads();
            for o in 0..HEADS {
                delta[o] = heads[o] - out[o];
            }
            net.mlp.descend(simd, index, value, &hidden, &delta, alpha);
            let [a, b, c, d, e, f, g, _] = delta;
            // Both sides of the difference are linear in the heads, so this is that of the equities.
            let error = f64::from(Evaluation::from_heads(&[a, b, c, d, e, f, g]).equity());
            lessons.examples[*class] += 1;
            lessons.squared_error[*class] += error * error;
        }
        lessons
    }
}
