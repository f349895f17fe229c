//! The second hidden layer, which a net may have: every unit reads all units of the first.

use pulp::Simd;

use super::activation::Activation;
use super::aligned::Aligned;
use super::layers::LANES;

/// The largest number of units of the second hidden layer.
pub const MAX_SECOND: usize = 64;

/// The second layer's units have no sensitivities.
pub(super) const NO_BETAS: [f32; MAX_SECOND] = [1.0; MAX_SECOND];

/// Vectors of sums that are kept in registers, in two ways.
const TILE: usize = 4;
/// Partial sums over the first layer's units: in a single sum each addition would wait for the
/// previous one.
const WAYS: usize = 2;

/// The weights between the two hidden layers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SecondLayer {
    /// Units and padding; the weights of the padding are 0.
    pub(super) width: usize,
    /// `[first layer, width]`
    pub(super) weights: Aligned,
    /// `[width]`
    pub(super) biases: Aligned,
}

/// The values of the second layer in a forward pass, for a gradient step.
#[derive(Clone, Debug)]
pub(super) struct SecondUnits {
    /// The sums before the activation.
    pub(super) sums: [f32; MAX_SECOND],
    pub(super) activations: [f32; MAX_SECOND],
}

impl Default for SecondUnits {
    fn default() -> SecondUnits {
        SecondUnits { sums: [0.0; MAX_SECOND], activations: [0.0; MAX_SECOND] }
    }
}

impl SecondLayer {
    /// A layer of zeros between `first` units (padding included) and `units`.
    pub(super) fn zeros(first: usize, units: usize) -> SecondLayer {
        let width = units.next_multiple_of(LANES);
        SecondLayer { width, weights: Aligned::zeros(first * width), biases: Aligned::zeros(width) }
    }

    /// Computes the units from the activations of the first layer, padding included.
    #[inline(always)]
    pub(super) fn forward<S: Simd>(
        &self,
        simd: S,
        activation: Activation,
        first: &[f32],
        second: &mut SecondUnits,
    ) {
        let SecondUnits { sums, activations } = second;
        let (sums, activations) = (&mut sums[..self.width], &mut activations[..self.width]);
        let (rows, _) = S::as_simd_f32s(self.weights.as_slice());
        let (biases, _) = S::as_simd_f32s(self.biases.as_slice());
        let (vectors, _) = S::as_mut_simd_f32s(sums);
        let mut begin = 0;
        while begin < biases.len() {
            match biases.len() - begin {
                1 => sum_tile::<S, 1>(simd, first, rows, biases, begin, vectors),
                2 => sum_tile::<S, 2>(simd, first, rows, biases, begin, vectors),
                3 => sum_tile::<S, 3>(simd, first, rows, biases, begin, vectors),
                _ => sum_tile::<S, TILE>(simd, first, rows, biases, begin, vectors),
            }
            begin += TILE;
        }
        activation.apply(sums, &NO_BETAS[..self.width], activations);
    }

    /// [`SecondLayer::forward`] of two positions at once, which reads each weight once for both:
    /// the same bits in less time.
    #[inline(always)]
    pub(super) fn forward_two<S: Simd>(
        &self,
        simd: S,
        activation: Activation,
        first: [&[f32]; 2],
        second: [&mut SecondUnits; 2],
    ) {
        let (rows, _) = S::as_simd_f32s(self.weights.as_slice());
        let (biases, _) = S::as_simd_f32s(self.biases.as_slice());
        let [a, b] = second;
        {
            let (a, _) = S::as_mut_simd_f32s(&mut a.sums[..self.width]);
            let (b, _) = S::as_mut_simd_f32s(&mut b.sums[..self.width]);
            let mut begin = 0;
            while begin < biases.len() {
                match biases.len() - begin {
                    1 => sum_tile_of_two::<S, 1>(simd, first, rows, biases, begin, [a, b]),
                    _ => sum_tile_of_two::<S, 2>(simd, first, rows, biases, begin, [a, b]),
                }
                begin += TILE / 2;
            }
        }
        for SecondUnits { sums, activations } in [a, b] {
            let units = &mut activations[..self.width];
            activation.apply(&sums[..self.width], &NO_BETAS[..self.width], units);
        }
    }

    /// The gradients with respect to the first layer's activations from those with respect to this
    /// layer's sums.
    #[inline(always)]
    pub(super) fn backward<S: Simd>(
        &self,
        simd: S,
        gradients: &[f32; MAX_SECOND],
        first: &mut [f32],
    ) {
        if S::F32_LANES == LANES {
            let (rows, _) = S::as_simd_f32s(self.weights.as_slice());
            let (gradients, _) = S::as_simd_f32s(&gradients[..self.width]);
            for (row, first) in rows.chunks_exact(gradients.len()).zip(first) {
                let mut sum = simd.splat_f32s(0.0);
                for (weights, gradients) in row.iter().zip(gradients) {
                    sum = simd.add_f32s(sum, simd.mul_f32s(*weights, *gradients));
                }
                let mut sums = [0.0; LANES];
                S::as_mut_simd_f32s(&mut sums).0[0] = sum;
                *first = sum_of_lanes(sums);
            }
            return;
        }
        let rows = self.weights.as_slice().chunks_exact(self.width);
        for (row, first) in rows.zip(first) {
            let mut sums = [0.0; LANES];
            let (row, _) = row.as_chunks::<LANES>();
            let (gradients, _) = gradients.as_chunks::<LANES>();
            for (weights, gradients) in row.iter().zip(gradients) {
                for lane in 0..LANES {
                    sums[lane] += weights[lane] * gradients[lane];
                }
            }
            *first = sum_of_lanes(sums);
        }
    }

    /// Adds `alpha` times the gradient to the weights and biases; the padding stays 0.
    #[inline(always)]
    pub(super) fn step<S: Simd>(
        &mut self,
        simd: S,
        first: &[f32],
        gradients: &[f32; MAX_SECOND],
        alpha: f32,
    ) {
        let (gradients, _) = S::as_simd_f32s(&gradients[..self.width]);
        let (rows, _) = S::as_mut_simd_f32s(self.weights.as_mut_slice());
        for (row, unit) in rows.chunks_exact_mut(gradients.len()).zip(first) {
            let scale = simd.splat_f32s(alpha * unit);
            for (weight, gradient) in row.iter_mut().zip(gradients) {
                *weight = simd.add_f32s(*weight, simd.mul_f32s(scale, *gradient));
            }
        }
        let (biases, _) = S::as_mut_simd_f32s(self.biases.as_mut_slice());
        let scale = simd.splat_f32s(alpha);
        for (bias, gradient) in biases.iter_mut().zip(gradients) {
            *bias = simd.add_f32s(*bias, simd.mul_f32s(scale, *gradient));
        }
    }
}

/// The sum in a fixed order, so that it does not depend on the width of the vectors.
#[inline(always)]
fn sum_of_lanes([a, b, c, d, e, f, g, h]: [f32; LANES]) -> f32 {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Sums of `V` vectors of units, from vector `begin` on.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn sum_tile<S: Simd, const V: usize>(
    simd: S,
    first: &[f32],
    rows: &[S::f32s],
    biases: &[S::f32s],
    begin: usize,
    sums: &mut [S::f32s],
) {
    let vectors = biases.len();
    let mut ways = [[simd.splat_f32s(0.0); V]; WAYS];
    let (pairs, _) = first.as_chunks::<WAYS>();
    for (units, rows) in pairs.iter().zip(rows.chunks_exact(WAYS * vectors)) {
        for way in 0..WAYS {
            let unit = simd.splat_f32s(units[way]);
            if let Some(row) = rows[way * vectors + begin..].first_chunk::<V>() {
                for v in 0..V {
                    ways[way][v] = simd.add_f32s(ways[way][v], simd.mul_f32s(unit, row[v]));
                }
            }
        }
    }
    for v in 0..V {
        let both = simd.add_f32s(ways[0][v], ways[1][v]);
        sums[begin + v] = simd.add_f32s(both, biases[begin + v]);
    }
}

/// [`sum_tile`] for two positions.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn sum_tile_of_two<S: Simd, const V: usize>(
    simd: S,
    [a, b]: [&[f32]; 2],
    rows: &[S::f32s],
    biases: &[S::f32s],
    begin: usize,
    [sums_a, sums_b]: [&mut [S::f32s]; 2],
) {
    let vectors = biases.len();
    let zeros = [[simd.splat_f32s(0.0); V]; WAYS];
    let (mut ways_a, mut ways_b) = (zeros, zeros);
    let (a, _) = a.as_chunks::<WAYS>();
    let (b, _) = b.as_chunks::<WAYS>();
    for ((a, b), rows) in a.iter().zip(b).zip(rows.chunks_exact(WAYS * vectors)) {
        for way in 0..WAYS {
            let (unit_a, unit_b) = (simd.splat_f32s(a[way]), simd.splat_f32s(b[way]));
            if let Some(row) = rows[way * vectors + begin..].first_chunk::<V>() {
                for v in 0..V {
                    let (product_a, product_b) =
                        (simd.mul_f32s(unit_a, row[v]), simd.mul_f32s(unit_b, row[v]));
                    ways_a[way][v] = simd.add_f32s(ways_a[way][v], product_a);
                    ways_b[way][v] = simd.add_f32s(ways_b[way][v], product_b);
                }
            }
        }
    }
    for v in 0..V {
        let bias = biases[begin + v];
        sums_a[begin + v] = simd.add_f32s(simd.add_f32s(ways_a[0][v], ways_a[1][v]), bias);
        sums_b[begin + v] = simd.add_f32s(simd.add_f32s(ways_b[0][v], ways_b[1][v]), bias);
    }
}
