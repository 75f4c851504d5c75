//! Claims about avoidance, against oracles written from the definitions.

mod neighbors;
mod obstacles;
mod programs;
mod set;
mod simulations;
mod space;

use crate::math::SplitMix64;

/// Rounds of a random test: the full count with `NAVARENA_LONG`, else a part that keeps the suite fast.
fn rounds(full: u32, part: u32) -> u32 {
    if std::env::var_os("NAVARENA_LONG").is_some() { full } else { part }
}

/// A number between two.
fn between(random: &mut SplitMix64, low: f64, high: f64) -> f64 {
    low + (high - low) * random.next_f64()
}

/// A vector in a square around the origin.
fn vector(random: &mut SplitMix64, size: f64) -> [f64; 2] {
    [between(random, -size, size), between(random, -size, size)]
}

/// A unit vector.
fn unit(random: &mut SplitMix64) -> [f64; 2] {
    let (sin, cos) = crate::math::sin_cos(between(random, 0.0, core::f64::consts::TAU));
    [cos, sin]
}
