//! The activation functions of hidden units and outputs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The activations of a net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activations {
    /// Of the hidden units.
    pub hidden: Activation,
    /// Of the outputs.
    pub output: OutputActivation,
}

/// The activation `f` of hidden units: `h = f(u)` with `u = beta * s`.
///
/// Here `s` is the sum of a unit's weighted inputs and its bias, and `beta` is the unit's
/// sensitivity.
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
    /// `u / (1 + exp(-u))`, -0.28 and more: the sigmoid-weighted linear unit (Elfwing, Uchibe &
    /// Doya, Neural Networks 107, 2018).
    Silu,
}

/// The activation of the outputs. As text, in net files for example, it is `linear`, `softmax`
/// (from output 1 on) or `softmax-from-N`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum OutputActivation {
    /// None: each output is its sum, as in the papers.
    #[default]
    Linear,
    /// The outputs before this one are linear. This one and the following ones are a softmax,
    /// `exp(o) / sum of exp(o)`, and add up to 1.
    ///
    /// A step of [`Mlp::sgd_step`](super::Mlp::sgd_step) by `target - output` is then that of the
    /// cross-entropy.
    SoftmaxFrom(usize),
}

/// The name of an unknown [`OutputActivation`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown output activation '{0}': expected linear, softmax or softmax-from-N")]
pub struct UnknownOutputActivation(String);

impl fmt::Display for OutputActivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputActivation::Linear => f.write_str("linear"),
            OutputActivation::SoftmaxFrom(1) => f.write_str("softmax"),
            OutputActivation::SoftmaxFrom(first) => write!(f, "softmax-from-{first}"),
        }
    }
}

impl FromStr for OutputActivation {
    type Err = UnknownOutputActivation;

    fn from_str(text: &str) -> Result<OutputActivation, UnknownOutputActivation> {
        let softmax = match text {
            "linear" => return Ok(OutputActivation::Linear),
            "softmax" => Some(1),
            _ => text.strip_prefix("softmax-from-").and_then(|first| first.parse().ok()),
        };
        let unknown = || UnknownOutputActivation(text.to_owned());
        softmax.map(OutputActivation::SoftmaxFrom).ok_or_else(unknown)
    }
}

impl From<OutputActivation> for String {
    fn from(activation: OutputActivation) -> String {
        activation.to_string()
    }
}

impl TryFrom<String> for OutputActivation {
    type Error = UnknownOutputActivation;

    fn try_from(text: String) -> Result<OutputActivation, UnknownOutputActivation> {
        text.parse()
    }
}

impl Activation {
    /// All activations.
    pub const ALL: [Activation; 4] =
        [Activation::Sigmoid, Activation::Rbf, Activation::Softsign, Activation::Silu];

    /// The name in net files.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Activation::Sigmoid => "sigmoid",
            Activation::Rbf => "rbf",
            Activation::Softsign => "softsign",
            Activation::Silu => "silu",
        }
    }

    /// The activation with this name.
    #[must_use]
    pub fn named(slug: &str) -> Option<Activation> {
        Activation::ALL.into_iter().find(|activation| activation.slug() == slug)
    }

    /// The sensitivity of untrained units: 1, and 3 for softsign (Wiering, Patist & Mannen, section
    /// 5.2).
    #[must_use]
    pub const fn initial_beta(self) -> f32 {
        match self {
            Activation::Sigmoid | Activation::Rbf | Activation::Silu => 1.0,
            Activation::Softsign => 3.0,
        }
    }

    /// The largest absolute slope of `f`.
    #[must_use]
    pub const fn max_slope(self) -> f32 {
        match self {
            Activation::Sigmoid => 0.25,
            // At u = 1 / sqrt(2): sqrt(2 / e).
            Activation::Rbf => 0.857_763_9,
            Activation::Softsign => 1.0,
            // At u = 2.39936, where u tanh(u / 2) = 2.
            Activation::Silu => 1.099_839_3,
        }
    }

    /// `f` in double precision, the reference for the fast version.
    #[must_use]
    pub fn exact(self, u: f64) -> f64 {
        match self {
            Activation::Sigmoid => 1.0 / (1.0 + (-u).exp()),
            Activation::Rbf => (-u * u).exp(),
            Activation::Softsign => u / (1.0 + u.abs()),
            Activation::Silu => u / (1.0 + (-u).exp()),
        }
    }

    /// `f(u)`.
    #[inline(always)]
    pub(super) fn of(self, u: f32) -> f32 {
        match self {
            Activation::Sigmoid => sigmoid(u),
            Activation::Rbf => exp(-u * u),
            Activation::Softsign => u / (1.0 + u.abs()),
            Activation::Silu => u * sigmoid(u),
        }
    }

    /// The activations of all units from their sums and sensitivities.
    #[inline(always)]
    pub(super) fn apply(self, sums: &[f32], beta: &[f32], units: &mut [f32]) {
        let each = sums.iter().zip(beta).zip(units);
        // The loops are inside of the branches, so that each is compiled with vectors.
        match self {
            Activation::Sigmoid => {
                for ((s, b), h) in each {
                    *h = Activation::Sigmoid.of(b * s);
                }
            }
            Activation::Rbf => {
                for ((s, b), h) in each {
                    *h = Activation::Rbf.of(b * s);
                }
            }
            Activation::Softsign => {
                for ((s, b), h) in each {
                    *h = Activation::Softsign.of(b * s);
                }
            }
            Activation::Silu => {
                for ((s, b), h) in each {
                    *h = Activation::Silu.of(b * s);
                }
            }
        }
    }

    /// For each unit, `back` times the slope of `f` at `u = beta * s`, where `f(u) = h`, written to
    /// `back`.
    #[inline(always)]
    pub(super) fn backward(self, sums: &[f32], beta: &[f32], units: &[f32], back: &mut [f32]) {
        let each = back.iter_mut().zip(units).zip(sums.iter().zip(beta));
        // The loops are inside of the branches, as in `apply`.
        match self {
            Activation::Sigmoid => {
                for ((back, h), _) in each {
                    *back = *back * h * (1.0 - h);
                }
            }
            Activation::Rbf => {
                for ((back, h), (s, b)) in each {
                    *back = *back * -2.0 * (b * s) * h;
                }
            }
            Activation::Softsign => {
                for ((back, h), _) in each {
                    *back = *back * (1.0 - h.abs()) * (1.0 - h.abs());
                }
            }
            Activation::Silu => {
                for ((back, h), (s, b)) in each {
                    let sigmoid = sigmoid(b * s);
                    *back *= sigmoid + h * (1.0 - sigmoid);
                }
            }
        }
    }
}

impl OutputActivation {
    /// The outputs from their sums, of which the first `count` are in use.
    #[inline(always)]
    pub(super) fn apply<const N: usize>(self, sums: [f32; N], count: usize) -> [f32; N] {
        let OutputActivation::SoftmaxFrom(first) = self else { return sums };
        let softmax = first.min(N)..count.min(N);
        let mut outputs = sums;
        let (mut top, mut all) = (f32::MIN, 0.0);
        for o in softmax.clone() {
            top = top.max(sums[o]);
        }
        for o in softmax.clone() {
            outputs[o] = exp(sums[o] - top);
            all += outputs[o];
        }
        for o in softmax {
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
#[must_use]
pub fn tanh(x: f32) -> f32 {
    2.0 * sigmoid(2.0 * x) - 1.0
}

/// The exponential function within -80..80, to about 2 units in the last place. It uses only
/// products and sums, so it vectorises and gives the same bits on every processor.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // exp(x) = 2^t = 2^n * 2^f with |f| <= 1/2.
    let t = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    // Adding 1.5 * 2^23 rounds to the nearest integer, which is then in the low bits.
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
                    (f64::from(unit[0]) - exact).abs() < 2.5e-7 * exact.abs().max(1.0),
                    "{activation:?} at {x}: {} for {exact}",
                    unit[0]
                );
            }
        }
        assert_eq!(sigmoid(0.0), 0.5);
        assert!(sigmoid(1e9) > 0.999_999 && sigmoid(-1e9) < 1e-6 && sigmoid(-1e9) >= 0.0);
    }

    #[test]
    fn slopes_are_those_of_finite_differences_and_never_steeper_than_max_slope() {
        for activation in Activation::ALL {
            let mut max_slope = 0.0_f64;
            for i in -300..=300 {
                let u = f64::from(i) / 100.0 + 0.003;
                let slope = (activation.exact(u + 1e-6) - activation.exact(u - 1e-6)) / 2e-6;
                // Half of the weighted sum, at a sensitivity of 2.
                let (sum, unit) = (0.5 * u as f32, activation.exact(u) as f32);
                let mut ours = [1.0];
                activation.backward(&[sum], &[2.0], &[unit], &mut ours);
                assert!((f64::from(ours[0]) - slope).abs() < 1e-5, "{activation:?} at {u}");
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
    fn softmax_outputs_add_up_to_one_and_the_first_output_stays_linear() {
        let outputs = OutputActivation::SoftmaxFrom(1).apply([5.0, 1.0, 2.0, -100.0, 3.0, 0.0], 5);
        assert_eq!((outputs[0], outputs[5]), (5.0, 0.0));
        assert!((outputs[1..5].iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((outputs[4] / outputs[2] - std::f32::consts::E).abs() < 1e-5);
        assert_eq!(OutputActivation::Linear.apply([1.0, 2.0], 2), [1.0, 2.0]);
    }

    #[test]
    fn output_activations_are_read_as_they_are_written() {
        for (activation, text) in [
            (OutputActivation::Linear, "linear"),
            (OutputActivation::SoftmaxFrom(1), "softmax"),
            (OutputActivation::SoftmaxFrom(3), "softmax-from-3"),
        ] {
            assert_eq!(activation.to_string(), text);
            assert_eq!(text.parse(), Ok(activation));
        }
        assert_eq!(
            "relu".parse::<OutputActivation>().expect_err("unknown").to_string(),
            "unknown output activation 'relu': expected linear, softmax or softmax-from-N"
        );
    }
}
