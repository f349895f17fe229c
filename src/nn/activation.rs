//! What the units of a net do with their sums.

use serde::{Deserialize, Serialize};

/// What the units of a net do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activations {
    /// The hidden ones.
    pub activation: Activation,
    /// The outputs.
    #[serde(default)]
    pub readout: OutputActivation,
}

/// The activation `f` of hidden units: `h = f(u)` with `u = beta * s`, where `s` is the sum of a unit's weighted inputs
/// and its bias, and `beta` its sensitivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// `1 / (1 + exp(-u))`, 0..1.
    #[default]
    Sigmoid,
    /// `exp(-u^2)`, 0..1: the radial basis of Wiering, Patist & Mannen, section 4.2.
    Rbf,
    /// `u / (1 + |u|)`, -1..1: that of their draughts and chess nets, section 5.
    Softsign,
}

/// What the outputs do with their sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputActivation {
    /// Nothing, as in the papers.
    #[default]
    Linear,
    /// All but the first are shares of 1: `exp(o) / sum of exp(o)`. A step of [`crate::nn::Mlp::sgd_step`] by
    /// `target - output` is then that of the cross-entropy.
    Softmax,
}

impl Activation {
    /// All known ones.
    pub const ALL: [Activation; 3] = [Activation::Sigmoid, Activation::Rbf, Activation::Softsign];

    /// The name in commands and files.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Activation::Sigmoid => "sigmoid",
            Activation::Rbf => "rbf",
            Activation::Softsign => "softsign",
        }
    }

    /// That of a name.
    #[must_use]
    pub fn named(slug: &str) -> Option<Activation> {
        Activation::ALL.into_iter().find(|activation| activation.slug() == slug)
    }

    /// The sensitivity that units begin with: 1, and 3 where the paper says so (section 5.2).
    #[must_use]
    pub const fn initial_beta(self) -> f32 {
        match self {
            Activation::Sigmoid | Activation::Rbf => 1.0,
            Activation::Softsign => 3.0,
        }
    }

    /// The steepest slope of `f`.
    #[must_use]
    pub const fn max_slope(self) -> f32 {
        match self {
            Activation::Sigmoid => 0.25,
            // At u = 1 / sqrt(2): sqrt(2 / e).
            Activation::Rbf => 0.857_763_9,
            Activation::Softsign => 1.0,
        }
    }

    /// `f` in double precision: slow, and right.
    #[must_use]
    pub fn exact(self, u: f64) -> f64 {
        match self {
            Activation::Sigmoid => 1.0 / (1.0 + (-u).exp()),
            Activation::Rbf => (-u * u).exp(),
            Activation::Softsign => u / (1.0 + u.abs()),
        }
    }

    /// The activations of all units from their sums and sensitivities.
    #[inline(always)]
    pub(super) fn apply(self, sums: &[f32], beta: &[f32], units: &mut [f32]) {
        let each = sums.iter().zip(beta).zip(units);
        match self {
            Activation::Sigmoid => {
                for ((s, b), h) in each {
                    *h = sigmoid(b * s);
                }
            }
            Activation::Rbf => {
                for ((s, b), h) in each {
                    *h = exp(-(b * s) * (b * s));
                }
            }
            Activation::Softsign => {
                for ((s, b), h) in each {
                    *h = b * s / (1.0 + (b * s).abs());
                }
            }
        }
    }

    /// `back` times the slope of `f` at `u`, where it is `h`.
    #[inline(always)]
    pub(super) fn backward(self, back: f32, u: f32, h: f32) -> f32 {
        match self {
            Activation::Sigmoid => back * h * (1.0 - h),
            Activation::Rbf => back * -2.0 * u * h,
            Activation::Softsign => back * (1.0 - h.abs()) * (1.0 - h.abs()),
        }
    }
}

impl OutputActivation {
    /// The outputs from their sums, of which `of` are in use.
    #[inline(always)]
    pub(super) fn read<const N: usize>(self, sums: [f32; N], of: usize) -> [f32; N] {
        let shares = 1..of.clamp(1, N);
        if self == OutputActivation::Linear || shares.is_empty() {
            return sums;
        }
        let mut outputs = sums;
        let (mut top, mut all) = (f32::MIN, 0.0);
        for o in shares.clone() {
            top = top.max(sums[o]);
        }
        for o in shares.clone() {
            outputs[o] = exp(sums[o] - top);
            all += outputs[o];
        }
        for o in shares {
            outputs[o] /= all;
        }
        outputs
    }
}

/// The logistic function 1 / (1 + exp(-x)), to about 2 units in the last place.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent, to about 2 units in the last place of 1.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    2.0 * sigmoid(2.0 * x) - 1.0
}

/// The exponential function within -80..80, to about 2 units in the last place, from products and sums alone so that it
/// vectorises and gives the same bits everywhere.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // exp(x) = 2^t = 2^n * 2^f with |f| <= 1/2.
    let t = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    // Adding 1.5 * 2^23 rounds to the nearest integer, which then stands in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let rounded = t + ROUND;
    let f = t - (rounded - ROUND);
    // Taylor series of 2^f: ln(2)^k / k!; the first term left out is below 2e-8 at |f| = 1/2.
    let mut power = 1.540_353e-4_f32;
    for c in [1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 2.402_265e-1, 6.931_472e-1, 1.0] {
        power = power * f + c;
    }
    let scale = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    power * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_agree_with_double_precision() {
        for activation in Activation::ALL {
            assert_eq!(Activation::named(activation.slug()), Some(activation));
            for i in -12_000..=12_000 {
                let x = i as f32 / 1000.0;
                let mut unit = [0.0];
                activation.apply(&[x], &[1.0], &mut unit);
                let exact = activation.exact(f64::from(x));
                assert!(
                    (f64::from(unit[0]) - exact).abs() < 2.5e-7,
                    "{activation:?} at {x}: {} for {exact}",
                    unit[0]
                );
            }
        }
        assert_eq!(sigmoid(0.0), 0.5);
        assert!(sigmoid(1e9) > 0.999_999 && sigmoid(-1e9) < 1e-6 && sigmoid(-1e9) >= 0.0);
    }

    #[test]
    fn slopes_are_those_of_finite_differences_and_never_steeper_than_said() {
        for activation in Activation::ALL {
            let mut max_slope = 0.0_f64;
            for i in -300..=300 {
                let u = f64::from(i) / 100.0 + 0.003;
                let slope = (activation.exact(u + 1e-6) - activation.exact(u - 1e-6)) / 2e-6;
                let ours = activation.backward(1.0, u as f32, activation.exact(u) as f32);
                assert!((f64::from(ours) - slope).abs() < 1e-5, "{activation:?} at {u}");
                max_slope = max_slope.max(slope.abs());
            }
            let said = f64::from(activation.max_slope());
            assert!(
                max_slope <= said + 1e-6 && max_slope > 0.98 * said,
                "{activation:?} {max_slope}"
            );
        }
    }

    #[test]
    fn shares_add_up_to_one_and_leave_the_first_output_alone() {
        let outputs = OutputActivation::Softmax.read([5.0, 1.0, 2.0, -100.0, 3.0, 0.0], 5);
        assert_eq!((outputs[0], outputs[5]), (5.0, 0.0));
        assert!((outputs[1..5].iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((outputs[4] / outputs[2] - std::f32::consts::E).abs() < 1e-5);
        assert_eq!(OutputActivation::Linear.read([1.0, 2.0], 2), [1.0, 2.0]);
    }
}
