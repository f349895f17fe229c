//! Adam: steps whose length each weight finds for itself (Kingma & Ba 2015, arXiv 1412.6980, algorithm 1).

use pulp::Simd;

use super::backward::{HiddenGradients, LearningRates};
use super::mlp::{ForwardCache, MAX_OUTPUTS, Mlp, Outputs};
use super::weights::Weights;

/// Decay of the running means of the gradient and of its square, and what keeps a step finite: the paper's defaults.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// The gradients of a few examples, and what is left of all earlier ones. It moves weights and biases; sensitivities of
/// hidden units stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    gradient: Mlp,
    means: Mlp,
    squares: Mlp,
    /// Examples gathered since the last step.
    pending: u32,
    /// Steps made.
    steps: u64,
}

impl Adam {
    /// For a net of this shape, with nothing gathered yet.
    #[must_use]
    pub fn new(net: &Mlp) -> Adam {
        let zeros = Mlp::from_weights(&Weights::zeros(net.shape(), net.units()));
        Adam { gradient: zeros.clone(), means: zeros.clone(), squares: zeros, pending: 0, steps: 0 }
    }

    /// Examples gathered since the last step.
    #[must_use]
    pub const fn pending(&self) -> u32 {
        self.pending
    }

    /// Gathers what [`Mlp::sgd_step`] would do at once: the gradient of `sum over o of delta[o] * output[o]`, taken at the
    /// inputs and hidden units of the last [`Mlp::forward`] of `net`.
    #[inline(always)]
    pub fn accumulate<S: Simd>(
        &mut self,
        simd: S,
        net: &Mlp,
        index: &[u16],
        value: &[f32],
        hidden: &ForwardCache,
        delta: &Outputs,
    ) {
        let slopes =
            HiddenGradients::of(net.activations.activation, &net.beta, &net.w2, hidden, delta);
        let whole = LearningRates { alpha: 1.0, beta_alpha: 0.0 };
        self.gradient.apply_gradient(simd, index, value, hidden, delta, whole, slopes);
        self.pending += 1;
    }

    /// One step of `net` along the mean of what was gathered; none if that is nothing.
    #[inline(always)]
    pub fn step(&mut self, net: &mut Mlp, alpha: f32) {
        if self.pending == 0 {
            return;
        }
        self.steps += 1;
        let share = 1.0 / self.pending as f32;
        self.pending = 0;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let [unbiased_mean, unbiased_square] =
            BETAS.map(|decay| (1.0 / (1.0 - power(decay, steps))) as f32);
        let Adam { gradient, means, squares, .. } = self;
        let parts = net.parts_mut().into_iter().zip(gradient.parts_mut());
        for ((weights, gradient), (means, squares)) in
            parts.zip(means.parts_mut().into_iter().zip(squares.parts_mut()))
        {
            let rows = weights.iter_mut().zip(gradient).zip(means.iter_mut().zip(squares));
            for ((weight, gradient), (mean, square)) in rows {
                let slope = share * *gradient;
                *gradient = 0.0;
                *mean += (1.0 - BETAS[0]) * (slope - *mean);
                *square += (1.0 - BETAS[1]) * (slope * slope - *square);
                *weight += alpha * (*mean * unbiased_mean)
                    / ((*square * unbiased_square).sqrt() + EPSILON);
            }
        }
    }

    /// What it knows between two steps, in a form for files.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = [&self.means, &self.squares].map(|net| net.to_weights());
        let values = values.iter().flat_map(Weights::values).flat_map(f32::to_le_bytes);
        self.steps.to_le_bytes().into_iter().chain(values).collect()
    }

    /// What [`Adam::to_bytes`] wrote, for a net of the same shape, and what stands behind it; `None` where there is not
    /// enough.
    #[must_use]
    pub fn from_bytes<'a>(net: &Mlp, bytes: &'a [u8]) -> Option<(Adam, &'a [u8])> {
        let (steps, mut bytes) = bytes.split_first_chunk()?;
        let mut read = || {
            let size = Weights::zeros(net.shape(), net.units()).values().count() * 4;
            let (own, rest) = bytes.split_at_checked(size)?;
            bytes = rest;
            let (words, _) = own.as_chunks();
            let mut values = words.iter().map(|word| f32::from_le_bytes(*word));
            let dense = Weights::from_values(net.shape(), net.units(), &mut values)?;
            Some(Mlp::from_weights(&dense))
        };
        let (means, squares) = (read()?, read()?);
        let adam = Adam { means, squares, steps: u64::from_le_bytes(*steps), ..Adam::new(net) };
        Some((adam, bytes))
    }
}

/// `base` to the power of `exponent`, by sums of products alone: the same bits on every machine.
fn power(base: f32, exponent: i32) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, f64::from(base), exponent.max(0));
    while rest > 0 {
        if rest % 2 == 1 {
            result *= square;
        }
        square *= square;
        rest /= 2;
    }
    result
}

impl Mlp {
    /// All weights and biases: those of the hidden layer, then those of the outputs.
    #[inline(always)]
    fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        let b2: &mut [f32; MAX_OUTPUTS] = &mut self.b2;
        [self.w1.as_mut_slice(), self.b1.as_mut_slice(), self.w2.as_mut_slice(), b2]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Activations, Shape};
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    const SHAPE: Shape = Shape { inputs: 9, hidden: 5, outputs: 3 };

    fn net() -> Mlp {
        Mlp::from_weights(&Weights::random(
            SHAPE,
            Activations::default(),
            &mut Pcg64::seed_from_u64(1),
        ))
    }

    fn weights(net: &Mlp) -> Vec<f32> {
        net.to_weights().values().collect()
    }

    /// Gathers one example.
    fn accumulate(adam: &mut Adam, net: &Mlp, index: &[u16], delta: [f32; 3]) {
        let (mut hidden, value) = (ForwardCache::default(), vec![0.5; index.len()]);
        let simd = pulp::Scalar::new();
        let mut all = [0.0; MAX_OUTPUTS];
        all[..3].copy_from_slice(&delta);
        net.forward(simd, index, &value, &mut hidden);
        adam.accumulate(simd, net, index, &value, &hidden, &all);
    }

    /// What plain descent at rate 1 adds to each weight.
    fn gradient(net: &Mlp, index: &[u16], delta: [f32; 3]) -> Vec<f64> {
        let (mut hidden, value) = (ForwardCache::default(), vec![0.5; index.len()]);
        let simd = pulp::Scalar::new();
        let mut all = [0.0; MAX_OUTPUTS];
        all[..3].copy_from_slice(&delta);
        let mut moved = net.clone();
        net.forward(simd, index, &value, &mut hidden);
        moved.sgd_step(
            simd,
            index,
            &value,
            &hidden,
            &all,
            LearningRates { alpha: 1.0, beta_alpha: 0.0 },
        );
        let pairs = weights(&moved).into_iter().zip(weights(net));
        pairs.map(|(a, b)| f64::from(a) - f64::from(b)).collect()
    }

    const EXAMPLES: [(&[u16], [f32; 3]); 4] = [
        (&[0, 3], [0.3, -0.1, 0.2]),
        (&[1, 3, 8], [-0.2, 0.4, 0.1]),
        (&[0, 5], [0.1, 0.1, -0.5]),
        (&[2, 3], [0.6, 0.0, -0.1]),
    ];

    #[test]
    fn steps_are_those_of_the_papers_algorithm() {
        let mut net = net();
        let mut adam = Adam::new(&net);
        let mut slow: Vec<f64> = weights(&net).into_iter().map(f64::from).collect();
        let (mut m, mut v) = (vec![0.0; slow.len()], vec![0.0; slow.len()]);
        for (t, pair) in EXAMPLES.chunks_exact(2).enumerate() {
            let mut mean = vec![0.0; slow.len()];
            for (index, delta) in pair {
                accumulate(&mut adam, &net, index, *delta);
                for (sum, g) in mean.iter_mut().zip(gradient(&net, index, *delta)) {
                    *sum += g / 2.0;
                }
            }
            for i in 0..slow.len() {
                m[i] = 0.9 * m[i] + 0.1 * mean[i];
                v[i] = 0.999 * v[i] + 0.001 * mean[i] * mean[i];
                let (a, b) = (
                    m[i] / (1.0 - 0.9_f64.powi(t as i32 + 1)),
                    v[i] / (1.0 - 0.999_f64.powi(t as i32 + 1)),
                );
                // Of gradients near 0 the rounding decides how far they go.
                if mean[i].abs() > 1e-5 || mean[i] == 0.0 {
                    slow[i] += 0.01 * a / (b.sqrt() + 1e-8);
                }
            }
            adam.step(&mut net, 0.01);
            assert_eq!(adam.pending(), 0);
        }
        for (fast, slow) in weights(&net).into_iter().zip(slow) {
            assert!((f64::from(fast) - slow).abs() < 2e-3, "{fast} for {slow}");
        }
    }

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        let before = net();
        for scale in [1.0, 50.0] {
            let mut net = before.clone();
            let mut adam = Adam::new(&net);
            accumulate(&mut adam, &net, &[0, 3], [0.3 * scale, -0.1 * scale, 0.2 * scale]);
            adam.step(&mut net, 0.01);
            let moves: Vec<f32> =
                weights(&net).iter().zip(weights(&before)).map(|(a, b)| (a - b).abs()).collect();
            assert!(moves.iter().filter(|&&m| (m - 0.01).abs() < 1e-4).count() > 20, "{moves:?}");
            assert!(moves.iter().all(|&m| m < 0.0101), "{moves:?}");
        }
    }

    #[test]
    fn nothing_gathered_moves_nothing_and_rest_goes_on_where_it_stopped() {
        let mut net = net();
        let mut adam = Adam::new(&net);
        adam.step(&mut net, 0.01);
        assert_eq!(weights(&net), weights(&self::net()));
        accumulate(&mut adam, &net, EXAMPLES[0].0, EXAMPLES[0].1);
        adam.step(&mut net, 0.01);
        let mut bytes = adam.to_bytes();
        bytes.push(7);
        let (read, rest) = Adam::from_bytes(&net, &bytes).expect("enough");
        assert_eq!((&read, rest), (&adam, &[7][..]));
        assert_eq!(Adam::from_bytes(&net, &bytes[..bytes.len() - 9]), None);
    }
}
