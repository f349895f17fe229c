//! The vector instructions of the processor: one program runs on all of them.

use pulp::{Simd, WithSimd};

/// Runs `work` compiled for the vectors of this processor: eight numbers of 32 bits with AVX2
/// (x86-64-v3), four or one without. All code of `work` has to be `#[inline(always)]`.
#[inline(always)]
pub fn dispatch<Op: WithSimd>(work: Op) -> Op::Output {
    #[cfg(target_arch = "x86_64")]
    match pulp::Arch::new() {
        pulp::Arch::V4(simd) => pulp::Simd::vectorize(*simd, work),
        pulp::Arch::V3(simd) => pulp::Simd::vectorize(simd, work),
        _ => pulp::Simd::vectorize(pulp::Scalar::new(), work),
    }
    #[cfg(not(target_arch = "x86_64"))]
    pulp::Arch::new().dispatch(work)
}

/// [`dispatch`], if `is_wide` with the instructions of AVX-512 where the processor has them. The
/// vectors of `work` stay those of AVX2, so it gives the same bits. Its loops over arrays use
/// vectors of 512 bits: faster for wide nets in fixed point, slower for narrow nets.
#[inline(always)]
pub fn dispatch_wide<Op: WithSimd>(is_wide: bool, work: Op) -> Op::Output {
    #[cfg(target_arch = "x86_64")]
    if is_wide && let pulp::Arch::V4(simd) = pulp::Arch::new() {
        return simd.vectorize(WithAvx2 { simd: *simd, work });
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = is_wide;
    // A second call of `dispatch` would compile the work a second time.
    dispatch(work)
}

/// Runs a part of some `work` of [`dispatch`] with the same vectors.
///
/// In a release the part is inlined, which evaluates 3 % faster. In development it is a function
/// that is compiled once for all its callers. The compiler takes more than twice the time for a
/// function of twice the size.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn apart<S: Simd, Op: WithSimd>(simd: S, part: Op) -> Op::Output {
    if cfg!(debug_assertions) { simd.vectorize(part) } else { part.with_simd(simd) }
}

/// Work with the vectors of AVX2, compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
struct WithAvx2<Op> {
    simd: pulp::x86::V3,
    work: Op,
}

#[cfg(target_arch = "x86_64")]
impl<Op: WithSimd> pulp::NullaryFnOnce for WithAvx2<Op> {
    type Output = Op::Output;

    #[inline(always)]
    fn call(self) -> Op::Output {
        self.work.with_simd(self.simd)
    }
}
