//! Arithmetic on several positions at once: vectors with one lane for each position.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

use pulp::Simd;

/// Lanes of the widest vectors.
pub(in crate::features) const MAX_LANES: usize = 16;

/// A mask or a small number for each position. Arithmetic wraps, and so do the distances of shifts.
#[derive(Clone, Copy)]
pub(in crate::features) struct U32Lanes<S: Simd> {
    simd: S,
    lanes: S::u32s,
}

/// A value for each position.
#[derive(Clone, Copy)]
pub(in crate::features) struct F32Lanes<S: Simd> {
    simd: S,
    lanes: S::f32s,
}

/// The lanes of a vector as a slice.
#[inline(always)]
pub(in crate::features) fn as_lanes<T: pulp::bytemuck::Pod, V: pulp::bytemuck::Pod>(
    vector: &mut V,
) -> &mut [T] {
    pulp::bytemuck::cast_slice_mut(std::slice::from_mut(vector))
}

impl<S: Simd> U32Lanes<S> {
    #[inline(always)]
    pub(in crate::features) fn new(simd: S, lanes: S::u32s) -> U32Lanes<S> {
        U32Lanes { simd, lanes }
    }

    #[inline(always)]
    pub(in crate::features) fn lanes(self) -> S::u32s {
        self.lanes
    }

    /// The same number in all lanes.
    #[inline(always)]
    pub(in crate::features) fn splat(self, number: u32) -> U32Lanes<S> {
        U32Lanes { lanes: self.simd.splat_u32s(number), ..self }
    }

    /// All bits set where the number is 0, none elsewhere.
    #[inline(always)]
    pub(in crate::features) fn is_zero(self) -> U32Lanes<S> {
        let simd = self.simd;
        let zero = simd.splat_u32s(0);
        let lanes =
            simd.select_u32s(simd.equal_u32s(self.lanes, zero), simd.splat_u32s(u32::MAX), zero);
        U32Lanes { lanes, ..self }
    }

    /// The smaller number.
    #[inline(always)]
    pub(in crate::features) fn min(self, other: u32) -> U32Lanes<S> {
        U32Lanes { lanes: self.simd.min_u32s(self.lanes, self.simd.splat_u32s(other)), ..self }
    }

    /// The larger number.
    #[inline(always)]
    pub(in crate::features) fn max(self, other: u32) -> U32Lanes<S> {
        U32Lanes { lanes: self.simd.max_u32s(self.lanes, self.simd.splat_u32s(other)), ..self }
    }

    /// The difference, 0 where `other` is larger.
    #[inline(always)]
    pub(in crate::features) fn saturating_sub(self, other: U32Lanes<S>) -> U32Lanes<S> {
        U32Lanes { lanes: self.simd.max_u32s(self.lanes, other.lanes), ..self } - other
    }

    /// The bits in reverse order.
    #[inline(always)]
    pub(in crate::features) fn reversed(self) -> U32Lanes<S> {
        let mut bits = self;
        for (by, low) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff)] {
            bits = (bits >> by & low) | (bits & low) << by;
        }
        bits >> 16 | bits << 16
    }

    /// The number of set bits in each byte.
    #[inline(always)]
    pub(in crate::features) fn ones_by_byte(self) -> U32Lanes<S> {
        let pairs = self - (self >> 1 & 0x5555_5555);
        let fours = (pairs & 0x3333_3333) + (pairs >> 2 & 0x3333_3333);
        (fours + (fours >> 4)) & 0x0f0f_0f0f
    }

    /// The sum of the four bytes, below 256.
    #[inline(always)]
    pub(in crate::features) fn sum_of_bytes(self) -> U32Lanes<S> {
        (self * 0x0101_0101) >> 24
    }

    /// The number of set bits.
    #[inline(always)]
    pub(in crate::features) fn ones(self) -> U32Lanes<S> {
        self.ones_by_byte().sum_of_bytes()
    }

    /// The number as a float; it must be below 2^23.
    #[inline(always)]
    pub(in crate::features) fn to_f32(self) -> F32Lanes<S> {
        // Within 2^23..2^24 the last bit of a float is worth 1.
        const TWO_23: f32 = 8_388_608.0;
        let simd = self.simd;
        let above = simd.transmute_f32s_u32s((self | TWO_23.to_bits()).lanes);
        F32Lanes { simd, lanes: simd.sub_f32s(above, simd.splat_f32s(TWO_23)) }
    }

    /// 1 where the number is not 0.
    #[inline(always)]
    pub(in crate::features) fn flag(self) -> F32Lanes<S> {
        let simd = self.simd;
        let ones = !self.is_zero() & 1f32.to_bits();
        F32Lanes { simd, lanes: simd.transmute_f32s_u32s(ones.lanes) }
    }

    /// Bitwise or of all lanes.
    #[inline(always)]
    pub(in crate::features) fn or_of_lanes(mut self) -> u32 {
        as_lanes::<u32, _>(&mut self.lanes).iter().fold(0, |all, bits| all | bits)
    }
}

impl<S: Simd> F32Lanes<S> {
    #[inline(always)]
    pub(in crate::features) fn new(simd: S, lanes: S::f32s) -> F32Lanes<S> {
        F32Lanes { simd, lanes }
    }

    #[inline(always)]
    pub(in crate::features) fn lanes(self) -> S::f32s {
        self.lanes
    }

    /// 1 divided by the value, 0 where the value is 0.
    #[inline(always)]
    pub(in crate::features) fn recip_or_zero(self) -> F32Lanes<S> {
        let simd = self.simd;
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let positive = simd.less_than_f32s(zero, self.lanes);
        let lanes = simd.select_f32s(positive, simd.div_f32s(one, self.lanes), zero);
        F32Lanes { lanes, ..self }
    }

    /// `marks`, with the bits of `mark` added in the lanes with a value above 0.
    #[inline(always)]
    pub(in crate::features) fn mark(self, marks: S::u32s, mark: u32) -> S::u32s {
        let simd = self.simd;
        let positive = simd.less_than_f32s(simd.splat_f32s(0.0), self.lanes);
        simd.or_u32s(marks, simd.select_u32s(positive, simd.splat_u32s(mark), simd.splat_u32s(0)))
    }

    /// The same value in all lanes.
    #[inline(always)]
    pub(in crate::features) fn splat(self, value: f32) -> F32Lanes<S> {
        F32Lanes { lanes: self.simd.splat_f32s(value), ..self }
    }
}

/// Operators between two vectors, and between a vector and one number for all lanes.
macro_rules! operator {
    ($vector:ident, $of:ty, $trait:ident, $name:ident, $lanes:ident) => {
        impl<S: Simd> $trait for $vector<S> {
            type Output = $vector<S>;
            #[inline(always)]
            fn $name(self, other: $vector<S>) -> $vector<S> {
                $vector { lanes: self.simd.$lanes(self.lanes, other.lanes), ..self }
            }
        }
        impl<S: Simd> $trait<$of> for $vector<S> {
            type Output = $vector<S>;
            #[inline(always)]
            fn $name(self, other: $of) -> $vector<S> {
                self.$name(self.splat(other))
            }
        }
    };
}
operator!(U32Lanes, u32, Add, add, add_u32s);
operator!(U32Lanes, u32, Sub, sub, sub_u32s);
operator!(U32Lanes, u32, Mul, mul, mul_u32s);
operator!(U32Lanes, u32, BitAnd, bitand, and_u32s);
operator!(U32Lanes, u32, BitOr, bitor, or_u32s);
operator!(U32Lanes, u32, BitXor, bitxor, xor_u32s);
operator!(U32Lanes, u32, Shl, shl, wrapping_dyn_shl_u32s);
operator!(U32Lanes, u32, Shr, shr, wrapping_dyn_shr_u32s);
operator!(F32Lanes, f32, Add, add, add_f32s);
operator!(F32Lanes, f32, Sub, sub, sub_f32s);
operator!(F32Lanes, f32, Mul, mul, mul_f32s);

impl<S: Simd> Not for U32Lanes<S> {
    type Output = U32Lanes<S>;
    #[inline(always)]
    fn not(self) -> U32Lanes<S> {
        U32Lanes { lanes: self.simd.not_u32s(self.lanes), ..self }
    }
}
