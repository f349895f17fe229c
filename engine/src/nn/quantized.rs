//! The quantized net for play: faster than the trainable net, and not trainable.

use pulp::Simd;

use super::activation::Activations;
use super::forward::pairs;
use super::layers::{FirstLayer, OutputLayer};
use super::mlp::{Accumulator, ForwardCache, Mlp, Outputs};
use super::network::{ForwardPass, Network};
use super::quantized_layer::QuantizedLayer;
use super::weights::Shape;

/// A net for play. Its first layer is in 16-bit fixed point if two conditions hold. The number of
/// hidden units, rounded up to a multiple of 8, is 128 or more and a multiple of 64. All weights of
/// the layer are below 32 in absolute value. The outputs then differ from those of the [`Mlp`] by a
/// few thousandths of a point. Any other net keeps its f32 layers and gives the same bits as the
/// [`Mlp`].
///
/// A quantized net cannot be trained; this does not compile:
///
/// ```compile_fail,E0599
/// use nonet_engine::nn::{Activations, ForwardCache, LearningRates, Mlp, QuantizedMlp, Shape, Weights};
///
/// let shape = Shape { inputs: 4, hidden: 128, second: 0, outputs: 1 };
/// let mlp = Mlp::from_weights(&Weights::zeros(shape, Activations::default()));
/// let mut net = QuantizedMlp::from(&mlp);
/// let rates = LearningRates { alpha: 0.1, beta_alpha: 0.0 };
/// net.sgd_step(&[0], &[1.0], &ForwardCache::default(), &[0.0; 8], rates);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedMlp {
    first: PlayingLayer,
    output: OutputLayer,
}

/// The first layer of a quantized net.
#[derive(Clone, Debug, PartialEq)]
enum PlayingLayer {
    Quantized(QuantizedLayer),
    Float(FirstLayer),
}

impl From<&Mlp> for QuantizedMlp {
    fn from(net: &Mlp) -> QuantizedMlp {
        let quantized = match net.shape().hidden {
            0 => None,
            _ => QuantizedLayer::of(&net.first),
        };
        let unquantized = QuantizedMlp::unquantized(net);
        match quantized {
            Some(layer) => QuantizedMlp { first: PlayingLayer::Quantized(layer), ..unquantized },
            None => unquantized,
        }
    }
}

impl QuantizedMlp {
    /// A copy that keeps its f32 layers: for inputs that may be beyond the range of fixed point.
    #[must_use]
    pub fn unquantized(net: &Mlp) -> QuantizedMlp {
        let first = PlayingLayer::Float(net.first.clone());
        QuantizedMlp { first, output: net.output.clone() }
    }
}

impl Network for QuantizedMlp {
    #[inline(always)]
    fn shape(&self) -> Shape {
        self.output.shape
    }

    #[inline(always)]
    fn activations(&self) -> Activations {
        self.output.activations
    }

    #[inline(always)]
    fn is_quantized(&self) -> bool {
        matches!(self.first, PlayingLayer::Quantized(_))
    }
}

impl ForwardPass for QuantizedMlp {
    #[inline(always)]
    fn accumulate<S: Simd>(
        &self,
        simd: S,
        indices: &[u16],
        values: &[f32],
        sums: &mut Accumulator,
    ) {
        let inputs = pairs(indices, values);
        match &self.first {
            PlayingLayer::Float(layer) => layer.accumulate(simd, inputs, &mut sums.real),
            PlayingLayer::Quantized(layer) => layer.accumulate(inputs, &mut sums.fixed),
        }
    }

    #[inline(always)]
    fn accumulate_from<S: Simd>(
        &self,
        simd: S,
        start: &Accumulator,
        inputs: impl Iterator<Item = (usize, f32)> + Clone,
        sums: &mut Accumulator,
    ) {
        match &self.first {
            PlayingLayer::Float(layer) => {
                layer.accumulate_from(simd, &start.real, inputs, &mut sums.real);
            }
            PlayingLayer::Quantized(layer) => {
                layer.accumulate_from(&start.fixed, inputs, &mut sums.fixed);
            }
        }
    }

    #[inline(always)]
    fn output<S: Simd>(&self, simd: S, cache: &mut ForwardCache) -> Outputs {
        if let PlayingLayer::Quantized(layer) = &self.first {
            layer.dequantize(&cache.sums.fixed, &mut cache.sums.real);
        }
        self.output.output(simd, cache)
    }

    #[inline(always)]
    fn output_two<S: Simd>(&self, simd: S, caches: [&mut ForwardCache; 2]) -> [Outputs; 2] {
        let [a, b] = caches;
        if let PlayingLayer::Quantized(layer) = &self.first {
            layer.dequantize(&a.sums.fixed, &mut a.sums.real);
            layer.dequantize(&b.sums.fixed, &mut b.sums.real);
        }
        self.output.output_two(simd, [a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Activation, OutputActivation, Weights};
    use super::*;
    use ndarray::Array1;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    const SHAPE: Shape = Shape { inputs: 90, hidden: 256, second: 0, outputs: 7 };

    /// A net with weights as large as trained ones, up to `largest` in every ninth row.
    fn net(shape: Shape, largest: f32) -> (Weights, Mlp) {
        net_of(shape, Activation::Sigmoid, largest)
    }

    fn net_of(shape: Shape, hidden: Activation, largest: f32) -> (Weights, Mlp) {
        let activations = Activations { hidden, output: OutputActivation::SoftmaxFrom(1) };
        let mut weights = Weights::random(shape, activations, &mut Pcg64::seed_from_u64(5));
        for (i, mut row) in weights.w1.outer_iter_mut().enumerate() {
            row *= if i % 9 == 0 { 10.0 * largest } else { 7.0 };
        }
        let mlp = Mlp::from_weights(&weights);
        (weights, mlp)
    }

    #[test]
    fn quantization_changes_outputs_by_at_most_five_thousandths() {
        // Inputs of 3 times weights of 10 exceed the range of a single entry.
        let two_layers = net_of(Shape { second: 32, ..SHAPE }, Activation::Silu, 0.5);
        // Three blocks of columns and a half.
        let half = net(Shape { hidden: 448, ..SHAPE }, 0.5);
        for (weights, mlp) in [0.5, 6.0, 10.0]
            .map(|largest| net(SHAPE, largest))
            .into_iter()
            .chain([two_layers, half])
        {
            let quantized = QuantizedMlp::from(&mlp);
            assert!(matches!(quantized.first, PlayingLayer::Quantized(_)));
            let mut rng = Pcg64::seed_from_u64(6);
            for _ in 0..50 {
                let indices: Vec<u16> = (0..90).filter(|_| rng.random_bool(0.8)).collect();
                let values: Vec<f32> = indices
                    .iter()
                    .map(|_| if rng.random_bool(0.05) { 3.0 } else { rng.random_range(0.0..1.0) })
                    .collect();
                let mut inputs = Array1::zeros(90);
                indices.iter().zip(&values).for_each(|(&i, &x)| inputs[usize::from(i)] = x);
                let exact = weights.forward(inputs.view());
                let rounded = quantized.forward(&indices, &values, &mut ForwardCache::default());
                for (rounded, exact) in rounded.iter().zip(&exact) {
                    assert!((f64::from(*rounded) - exact).abs() < 5e-3, "{rounded} for {exact}");
                }
            }
        }
    }

    #[test]
    fn wide_vectors_give_the_bits_of_single_numbers() {
        let two_layers = Shape { second: 32, ..SHAPE };
        for shape in [SHAPE, two_layers, Shape { hidden: 448, ..two_layers }] {
            let (_, mlp) = net_of(shape, Activation::Silu, 0.5);
            let quantized = QuantizedMlp::from(&mlp);
            let indices: Vec<u16> = (0..90).step_by(2).collect();
            let values: Vec<f32> = indices.iter().map(|&i| f32::from(i) / 50.0).collect();
            let [mut one, mut other] = [ForwardCache::default(), ForwardCache::default()];
            let scalar = pulp::Scalar::new();
            assert_eq!(
                quantized.forward(&indices, &values, &mut one).map(f32::to_bits),
                quantized.forward_with(scalar, &indices, &values, &mut other).map(f32::to_bits)
            );
        }
    }

    #[test]
    fn sums_too_large_for_sixteen_bits_saturate() {
        let (weights, mlp) = net(SHAPE, 31.0);
        let mut cache = ForwardCache::default();
        let indices: Vec<u16> = (0..90).collect();
        QuantizedMlp::from(&mlp).forward(&indices, &[30.0; 90], &mut cache);
        assert!(cache.sums.real[..256].iter().all(|sum| sum.abs() <= 64.0));
        let exact = |unit: usize| 30.0 * weights.w1.column(unit).sum();
        assert!((0..256).any(|unit| exact(unit) > 200.0 && cache.sums.real[unit] > 30.0));
    }

    #[test]
    fn narrow_nets_and_nets_with_large_weights_keep_their_f32_layer() {
        let narrow = [0, 40].map(|hidden| (Shape { hidden, ..SHAPE }, 1.0));
        for (shape, largest) in narrow.into_iter().chain([(SHAPE, 40.0)]) {
            let (_, mlp) = net(shape, largest);
            let quantized = QuantizedMlp::from(&mlp);
            assert_eq!(quantized.first, PlayingLayer::Float(mlp.first.clone()));
            let [fast, slow] = [&mut ForwardCache::default(), &mut ForwardCache::default()];
            let inputs: (&[u16], &[f32]) = (&[1, 4], &[0.7, 1.0]);
            assert_eq!(
                quantized.forward(inputs.0, inputs.1, fast).map(f32::to_bits),
                mlp.forward(inputs.0, inputs.1, slow).map(f32::to_bits)
            );
        }
    }
}
