//! The activation of hidden units.

/// The logistic function 1 / (1 + exp(-x)), to about 2 units in the last place, from products and sums alone so that
/// it vectorises and gives the same bits everywhere.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    // exp(-x) = 2^t = 2^n * 2^f with |f| <= 1/2.
    let t = x.clamp(-80.0, 80.0) * -std::f32::consts::LOG2_E;
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
    1.0 / (1.0 + power * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sigmoid_agrees_with_double_precision() {
        for i in -12_000..=12_000 {
            let x = i as f32 / 1000.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!(
                (f64::from(sigmoid(x)) - exact).abs() < 2.5e-7,
                "{x}: {} for {exact}",
                sigmoid(x)
            );
        }
        assert_eq!(sigmoid(0.0), 0.5);
        assert!(sigmoid(1e9) > 0.999_999 && sigmoid(-1e9) < 1e-6 && sigmoid(-1e9) >= 0.0);
    }
}
