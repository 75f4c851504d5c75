//! The mathematics that gives the same bits on every machine: square roots, rounding, sine and cosine, random numbers.
//!
//! Everything is made of IEEE additions, products, quotients and square roots in the written order, or of integers.
//! `core` itself brings none of these, and what `std` brings differs from platform to platform.

mod exact;
mod fixed;
mod random;
mod round;
mod sqrt;
mod trig;
mod vector;

pub(crate) use exact::two_sum;
pub use fixed::{from_fixed, to_fixed};
pub use random::SplitMix64;
pub use round::{Float, ceil, clamp, floor, max, min, round_half_even};
pub use sqrt::{sqrt, sqrt32};
pub use trig::{MAX_ANGLE, cosine_of_degrees, sin_cos};
pub(crate) use vector::vector;
pub use vector::{add, cross, distance, distance_squared, dot, length, lerp, scale, sub};
