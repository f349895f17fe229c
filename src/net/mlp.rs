//! A net laid out for speed: sparse inputs, hidden units in vectors of sixteen.

use super::activation::sigmoid;
use super::dense::{Dense, Shape};

/// Hidden units that travel together: one AVX-512 register, two of AVX2, four of SSE.
const LANES: usize = 16;
/// Hidden units of the widest net.
pub const MAX_HIDDEN: usize = 256;
/// Outputs of any net: one vector of eight.
pub const MAX_OUTPUTS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Lane([f32; LANES]);

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
struct Outputs([f32; MAX_OUTPUTS]);

impl Lane {
    const ZERO: Lane = Lane([0.0; LANES]);

    #[inline(always)]
    fn add_scaled(&mut self, scale: f32, other: &Lane) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a += scale * b;
        }
    }
}

/// The hidden units of one forward pass, kept for the gradient.
#[derive(Clone, Debug)]
pub struct Hidden([Lane; MAX_HIDDEN / LANES]);

impl Default for Hidden {
    fn default() -> Hidden {
        Hidden([Lane::ZERO; MAX_HIDDEN / LANES])
    }
}

/// One hidden layer of sigmoid units and linear outputs, as Wiering, Patist & Mannen describe in section 3.3.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    shape: Shape,
    /// Vectors of hidden units; units beyond the last are padding with zero weights.
    blocks: usize,
    /// One row of `blocks` vectors for each input.
    w1: Vec<Lane>,
    b1: Vec<Lane>,
    /// One row for each hidden unit.
    w2: Vec<Outputs>,
    b2: Outputs,
}

impl Mlp {
    /// Lays out a net for speed.
    ///
    /// # Panics
    /// If it has more than [`MAX_HIDDEN`] hidden units or [`MAX_OUTPUTS`] outputs.
    #[must_use]
    pub fn from_dense(dense: &Dense) -> Mlp {
        let shape = dense.shape();
        assert!(
            shape.hidden <= MAX_HIDDEN && shape.outputs <= MAX_OUTPUTS,
            "a net of {shape:?} does not fit"
        );
        let blocks = shape.hidden.div_ceil(LANES);
        let pack = |row: &[f32]| -> Vec<Lane> {
            let mut lanes = vec![Lane::ZERO; blocks];
            for (i, &w) in row.iter().enumerate() {
                lanes[i / LANES].0[i % LANES] = w;
            }
            lanes
        };
        let outputs = |row: &[f32]| {
            let mut outputs = Outputs([0.0; MAX_OUTPUTS]);
            outputs.0[..row.len()].copy_from_slice(row);
            outputs
        };
        Mlp {
            shape,
            blocks,
            w1: dense.w1.rows().into_iter().flat_map(|row| pack(&row.to_vec())).collect(),
            b1: pack(&dense.b1.to_vec()),
            w2: dense.w2.rows().into_iter().map(|row| outputs(&row.to_vec())).collect(),
            b2: outputs(&dense.b2.to_vec()),
        }
    }

    /// The same net as plain matrices.
    #[must_use]
    pub fn to_dense(&self) -> Dense {
        let mut dense = Dense::zeros(self.shape);
        for ((i, h), w) in dense.w1.indexed_iter_mut() {
            *w = self.w1[i * self.blocks + h / LANES].0[h % LANES];
        }
        for (h, b) in dense.b1.indexed_iter_mut() {
            *b = self.b1[h / LANES].0[h % LANES];
        }
        for ((h, o), w) in dense.w2.indexed_iter_mut() {
            *w = self.w2[h].0[o];
        }
        for (o, b) in dense.b2.indexed_iter_mut() {
            *b = self.b2.0[o];
        }
        dense
    }

    /// The size of the net.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The outputs for sparse inputs; `hidden` keeps what [`Mlp::descend`] needs. Outputs beyond the shape's are 0.
    #[inline(always)]
    pub fn forward(&self, index: &[u16], value: &[f32], hidden: &mut Hidden) -> [f32; MAX_OUTPUTS] {
        let mut first = 0;
        while first < self.blocks {
            // Up to four vectors at a time, so that their sums stay in registers over all inputs.
            let taken = (self.blocks - first).min(4);
            match taken {
                1 => self.sum_inputs::<1>(first, index, value, hidden),
                2 => self.sum_inputs::<2>(first, index, value, hidden),
                3 => self.sum_inputs::<3>(first, index, value, hidden),
                _ => self.sum_inputs::<4>(first, index, value, hidden),
            }
            first += taken;
        }
        for lane in &mut hidden.0[..self.blocks] {
            for x in &mut lane.0 {
                *x = sigmoid(*x);
            }
        }
        // Four sums side by side, because one would wait for itself at every unit.
        let mut sums = [self.b2, Outputs([0.0; 8]), Outputs([0.0; 8]), Outputs([0.0; 8])];
        let (rows, rest) = self.w2.as_chunks::<4>();
        for (i, rows) in rows.iter().enumerate() {
            let units = &hidden.0[i / 4].0;
            for k in 0..4 {
                let h = units[4 * (i % 4) + k];
                for (sum, w) in sums[k].0.iter_mut().zip(&rows[k].0) {
                    *sum += h * w;
                }
            }
        }
        for (i, row) in rest.iter().enumerate() {
            let unit = self.w2.len() - rest.len() + i;
            let h = hidden.0[unit / LANES].0[unit % LANES];
            for (sum, w) in sums[i].0.iter_mut().zip(&row.0) {
                *sum += h * w;
            }
        }
        std::array::from_fn(|o| (sums[0].0[o] + sums[1].0[o]) + (sums[2].0[o] + sums[3].0[o]))
    }

    /// Sums of the vectors `first..first + B`, even and odd inputs apart so that additions overlap.
    #[inline(always)]
    fn sum_inputs<const B: usize>(
        &self,
        first: usize,
        index: &[u16],
        value: &[f32],
        hidden: &mut Hidden,
    ) {
        let mut even: [Lane; B] = std::array::from_fn(|b| self.b1[first + b]);
        let mut odd = [Lane::ZERO; B];
        let row = |i: u16| &self.w1[usize::from(i) * self.blocks + first..][..B];
        let (pairs, rest) = index.as_chunks::<2>();
        let (values, last) = value.as_chunks::<2>();
        for (pair, x) in pairs.iter().zip(values) {
            let (a, b) = (row(pair[0]), row(pair[1]));
            for k in 0..B {
                even[k].add_scaled(x[0], &a[k]);
                odd[k].add_scaled(x[1], &b[k]);
            }
        }
        if let ([i], [x]) = (rest, last) {
            let a = row(*i);
            for k in 0..B {
                even[k].add_scaled(*x, &a[k]);
            }
        }
        for k in 0..B {
            even[k].add_scaled(1.0, &odd[k]);
            hidden.0[first + k] = even[k];
        }
    }

    /// One step along the gradient: every weight `w` gains `alpha * sum over o of delta[o] * d output[o] / d w`, taken
    /// at the inputs and hidden units of the last [`Mlp::forward`]. With `delta = target - output` this is the
    /// backpropagation step of section 3.3.
    #[inline(always)]
    pub fn descend(
        &mut self,
        index: &[u16],
        value: &[f32],
        hidden: &Hidden,
        delta: &[f32; MAX_OUTPUTS],
        alpha: f32,
    ) {
        let mut slopes = [Lane::ZERO; MAX_HIDDEN / LANES];
        for (unit, row) in self.w2.iter_mut().enumerate() {
            let h = hidden.0[unit / LANES].0[unit % LANES];
            let products: [f32; MAX_OUTPUTS] = std::array::from_fn(|o| delta[o] * row.0[o]);
            let [a, b, c, d, e, f, g, i] = products;
            let back = ((a + e) + (c + g)) + ((b + f) + (d + i));
            slopes[unit / LANES].0[unit % LANES] = back * h * (1.0 - h);
            let step = alpha * h;
            for (w, d) in row.0.iter_mut().zip(delta) {
                *w += step * d;
            }
        }
        for (b, d) in self.b2.0.iter_mut().zip(delta) {
            *b += alpha * d;
        }
        let slopes = &slopes[..self.blocks];
        for (b, slope) in self.b1.iter_mut().zip(slopes) {
            b.add_scaled(alpha, slope);
        }
        for (&i, &x) in index.iter().zip(value) {
            let row = &mut self.w1[usize::from(i) * self.blocks..][..self.blocks];
            for (w, slope) in row.iter_mut().zip(slopes) {
                w.add_scaled(alpha * x, slope);
            }
        }
    }

    /// Moves every weight the share `step` (0..1) of the way to `other`: a running average of weights.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn approach(&mut self, other: &Mlp, step: f32) {
        assert_eq!(self.shape, other.shape, "only nets of one shape can be averaged");
        let near = |a: &mut f32, b: &f32| *a += step * (b - *a);
        for (a, b) in self.w1.iter_mut().chain(&mut self.b1).zip(other.w1.iter().chain(&other.b1)) {
            a.0.iter_mut().zip(&b.0).for_each(|(a, b)| near(a, b));
        }
        for (a, b) in self.w2.iter_mut().zip(&other.w2) {
            a.0.iter_mut().zip(&b.0).for_each(|(a, b)| near(a, b));
        }
        self.b2.0.iter_mut().zip(&other.b2.0).for_each(|(a, b)| near(a, b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array1;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    /// Widths that fill a vector, overflow one, fill four and need a second round.
    const SHAPES: [Shape; 5] = [
        Shape { inputs: 9, hidden: 1, outputs: 7 },
        Shape { inputs: 30, hidden: 16, outputs: 7 },
        Shape { inputs: 30, hidden: 20, outputs: 7 },
        Shape { inputs: 31, hidden: 64, outputs: 8 },
        Shape { inputs: 12, hidden: 83, outputs: 1 },
    ];

    fn sample(shape: Shape) -> (Dense, Vec<u16>, Vec<f32>) {
        let dense = Dense::random(shape, &mut Pcg64::seed_from_u64(3));
        let index: Vec<u16> = (0..shape.inputs as u16).filter(|i| i % 3 != 1).collect();
        let value = index.iter().map(|&i| 0.25 + f32::from(i) / 8.0).collect();
        (dense, index, value)
    }

    fn spread(shape: Shape, index: &[u16], value: &[f32]) -> Array1<f32> {
        let mut inputs = Array1::zeros(shape.inputs);
        index.iter().zip(value).for_each(|(&i, &x)| inputs[usize::from(i)] = x);
        inputs
    }

    #[test]
    fn the_fast_forward_pass_agrees_with_plain_matrices() {
        for shape in SHAPES {
            let (dense, index, value) = sample(shape);
            let mlp = Mlp::from_dense(&dense);
            assert_eq!(mlp.to_dense(), dense);
            let fast = mlp.forward(&index, &value, &mut Hidden::default());
            let slow = dense.forward(spread(shape, &index, &value).view());
            for (o, slow) in slow.iter().enumerate() {
                assert!(
                    (f64::from(fast[o]) - slow).abs() < 2e-6,
                    "{shape:?} output {o}: {} for {slow}",
                    fast[o]
                );
            }
            assert!(fast[shape.outputs..].iter().all(|&x| x == 0.0));
        }
    }

    #[test]
    fn the_step_is_the_gradient_of_finite_differences() {
        for shape in SHAPES {
            let (dense, index, value) = sample(shape);
            let inputs = spread(shape, &index, &value);
            let mut delta = [0.0; MAX_OUTPUTS];
            for (o, d) in delta.iter_mut().enumerate().take(shape.outputs) {
                *d = 0.3 - 0.2 * o as f32;
            }
            let mut mlp = Mlp::from_dense(&dense);
            let mut hidden = Hidden::default();
            mlp.forward(&index, &value, &mut hidden);
            mlp.descend(&index, &value, &hidden, &delta, 1.0);
            let stepped: Vec<f32> = mlp.to_dense().values().collect();
            let start: Vec<f32> = dense.values().collect();
            let goal = |values: &[f32]| -> f64 {
                let dense = Dense::from_values(shape, &mut values.iter().copied()).expect("enough");
                dense
                    .forward(inputs.view())
                    .iter()
                    .zip(&delta)
                    .map(|(y, &d)| y * f64::from(d))
                    .sum()
            };
            for i in 0..start.len() {
                let h = 1.0 / 256.0;
                let mut moved = start.clone();
                moved[i] = start[i] + h;
                let up = goal(&moved);
                moved[i] = start[i] - h;
                let slope = (up - goal(&moved)) / (2.0 * f64::from(h));
                let step = f64::from(stepped[i] - start[i]);
                assert!(
                    (step - slope).abs() < 2e-5 + 1e-3 * slope.abs(),
                    "{shape:?} weight {i}: {step} for {slope}"
                );
            }
        }
    }

    #[test]
    fn repeated_steps_reach_the_target() {
        let (dense, index, value) = sample(SHAPES[2]);
        let mut mlp = Mlp::from_dense(&dense);
        let mut hidden = Hidden::default();
        let target = [1.5, 0.7, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0];
        for _ in 0..500 {
            let out = mlp.forward(&index, &value, &mut hidden);
            let delta = std::array::from_fn(|o| target[o] - out[o]);
            mlp.descend(&index, &value, &hidden, &delta, 0.01);
        }
        let out = mlp.forward(&index, &value, &mut hidden);
        assert!(out.iter().zip(&target).all(|(a, b)| (a - b).abs() < 1e-3), "{out:?}");
    }

    #[test]
    fn averaging_goes_the_whole_way_with_a_step_of_one() {
        let (dense, ..) = sample(SHAPES[3]);
        let goal = Mlp::from_dense(&dense);
        let mut mlp = Mlp::from_dense(&Dense::zeros(SHAPES[3]));
        mlp.approach(&goal, 0.5);
        mlp.approach(&goal, 1.0);
        let gap = mlp
            .to_dense()
            .values()
            .zip(dense.values())
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        assert!(gap < 1e-7);
    }
}
