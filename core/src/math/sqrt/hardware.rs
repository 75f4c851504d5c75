//! The processor's own square root: the only unsafe code of the library.
//!
//! The instructions are part of target features, so the compiler asks for a promise that the processor has them. Each
//! block is compiled only for builds that enable the feature for the whole program, which is that promise.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod processor {
    use core::arch::x86_64::{_mm_cvtsd_f64, _mm_cvtss_f32, _mm_set_sd, _mm_set_ss, _mm_sqrt_sd, _mm_sqrt_ss};

    #[inline(always)]
    pub fn sqrt(value: f64) -> f64 {
        // SAFETY: SSE2 is enabled for the whole build. Registers only: no memory is touched.
        unsafe { _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(value), _mm_set_sd(value))) }
    }

    #[inline(always)]
    pub fn sqrt32(value: f32) -> f32 {
        // SAFETY: SSE2, and so SSE, is enabled for the whole build. Registers only: no memory is touched.
        unsafe { _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(value))) }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod processor {
    use core::arch::aarch64::{vdup_n_f32, vdup_n_f64, vget_lane_f32, vget_lane_f64, vsqrt_f32, vsqrt_f64};

    #[inline(always)]
    pub fn sqrt(value: f64) -> f64 {
        // SAFETY: NEON is enabled for the whole build. Registers only: no memory is touched.
        unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(value))) }
    }

    #[inline(always)]
    pub fn sqrt32(value: f32) -> f32 {
        // SAFETY: NEON is enabled for the whole build. Registers only: no memory is touched.
        unsafe { vget_lane_f32::<0>(vsqrt_f32(vdup_n_f32(value))) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod processor {
    use core::arch::wasm32::{
        f32x4_extract_lane, f32x4_splat, f32x4_sqrt, f64x2_extract_lane, f64x2_splat, f64x2_sqrt,
    };

    // These calls are safe: WebAssembly refuses a module whose instructions it lacks.
    #[inline(always)]
    pub fn sqrt(value: f64) -> f64 {
        f64x2_extract_lane::<0>(f64x2_sqrt(f64x2_splat(value)))
    }

    #[inline(always)]
    pub fn sqrt32(value: f32) -> f32 {
        f32x4_extract_lane::<0>(f32x4_sqrt(f32x4_splat(value)))
    }
}

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod processor {
    pub use crate::math::sqrt::software::{sqrt, sqrt32};
}

pub(super) use processor::{sqrt, sqrt32};
