//! The exponential moving average of weights (option `--ema`).

use super::{Mlp, Network};

impl Mlp {
    /// Moves every weight by the fraction `step` (0..=1) towards `other`: one step of an
    /// exponential moving average.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn ema_towards(&mut self, other: &Mlp, step: f32) {
        assert_eq!(self.shape(), other.shape(), "only nets of the same shape can be averaged");
        let near = |ours: &mut [f32], theirs: &[f32]| {
            ours.iter_mut().zip(theirs).for_each(|(a, b)| *a += step * (b - *a));
        };
        near(self.first.w1.as_mut_slice(), other.first.w1.as_slice());
        near(self.first.b1.as_mut_slice(), other.first.b1.as_slice());
        near(self.output.beta.as_mut_slice(), other.output.beta.as_slice());
        if let (Some(ours), Some(theirs)) = (&mut self.output.second, &other.output.second) {
            near(ours.weights.as_mut_slice(), theirs.weights.as_slice());
            near(ours.biases.as_mut_slice(), theirs.biases.as_slice());
        }
        near(self.output.w2.as_mut_slice(), other.output.w2.as_slice());
        near(&mut self.output.b2, &other.output.b2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::{Activations, Shape, Weights};
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn an_average_with_step_one_is_the_other_net() {
        let shape = Shape { inputs: 31, hidden: 64, second: 0, outputs: 8 };
        for shape in [shape, Shape { second: 16, ..shape }] {
            let random = &mut Pcg64::seed_from_u64(3);
            let weights = Weights::random(shape, Activations::default(), random);
            let goal = Mlp::from_weights(&weights);
            let mut mlp = Mlp::from_weights(&Weights::zeros(shape, Activations::default()));
            mlp.ema_towards(&goal, 0.5);
            mlp.ema_towards(&goal, 1.0);
            let gap = mlp
                .to_weights()
                .values()
                .zip(weights.values())
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f32::max);
            assert!(gap < 1e-7);
        }
    }
}
