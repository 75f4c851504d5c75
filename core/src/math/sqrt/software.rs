//! The exact square root in integers, for processors without one.
//!
//! Newton's iteration for the reciprocal root, in 32-bit fixed point, gives some thirty bits; one step of Newton's for
//! the root itself brings them near 54 (25 for a float); the exact remainder then settles the last unit. The root of a
//! double can't lie exactly between two doubles (its square would need a bit below the number's own last), so the bit
//! behind the last decides the rounding alone.
#![cfg_attr(not(test), allow(dead_code))] // the hardware's stands in where there is one

/// The correctly rounded root of a double that is zero or positive, infinity included.
pub fn sqrt(value: f64) -> f64 {
    if value == 0.0 || value == f64::INFINITY {
        return value;
    }
    let bits = value.to_bits();
    let (exponent, mantissa) = normalized::<52>(bits >> 52, bits & ((1 << 52) - 1));
    let exponent = exponent - 1023;
    // The number is `radicand / 2^62`, in [1, 4), times an even power of two.
    let radicand = mantissa << (10 + (exponent & 1));
    let reciprocal = reciprocal_root(radicand >> 32);
    let coarse = ((radicand >> 32) * reciprocal) >> 31;
    // What the coarse root's square misses of the radicand is below 2^36: it survives the wrapping.
    let missing = radicand.wrapping_sub(coarse * coarse) as i64;
    let step = ((missing >> 6) * reciprocal as i64) >> 36;
    let root = (coarse << 22).wrapping_add_signed(step);
    let root = settled(root, (radicand << 44).wrapping_sub(root.wrapping_mul(root)));
    // The mantissa's leading bit carries into the exponent, which is set one short for it.
    f64::from_bits(((((exponent >> 1) + 1022) as u64) << 52) + root.div_ceil(2))
}

/// The correctly rounded root of a float that is zero or positive, infinity included.
pub fn sqrt32(value: f32) -> f32 {
    if value == 0.0 || value == f32::INFINITY {
        return value;
    }
    let bits = u64::from(value.to_bits());
    let (exponent, mantissa) = normalized::<23>(bits >> 23, bits & ((1 << 23) - 1));
    let exponent = exponent - 127;
    // The number is `radicand / 2^30`, in [1, 4), times an even power of two.
    let radicand = mantissa << (7 + (exponent & 1));
    let root = (radicand * reciprocal_root(radicand)) >> 38;
    let root = settled(root, (radicand << 18).wrapping_sub(root * root));
    f32::from_bits(((((exponent >> 1) + 126) as u32) << 23) + root.div_ceil(2) as u32)
}

/// Exponent field and mantissa with its leading bit at place `BITS`; a subnormal is shifted up to it.
fn normalized<const BITS: u32>(exponent: u64, fraction: u64) -> (i32, u64) {
    if exponent > 0 {
        return (exponent as i32, fraction | 1 << BITS);
    }
    let shift = fraction.leading_zeros() - (63 - BITS);
    (1 - shift as i32, fraction << shift)
}

/// About `2^32 / sqrt(x / 2^30)` for x in [2^30, 2^32), to some thirty bits and below 2^32.
///
/// The line it starts from is within 0.086 of the reciprocal root, relatively; each round squares that and takes it
/// one and a half times: 1e-2, 2e-4, 5e-8, then the fixed point's own grain.
fn reciprocal_root(x: u64) -> u64 {
    const SLOPE: u64 = 40_893_857; // 2 / 13.1284 in units of 2^-28
    let mut y = (((7 << 30) - x) * SLOPE) >> 26;
    for _ in 0..4 {
        let product = (x * ((y * y) >> 32)) >> 32;
        y = ((y * ((3 << 30) - product)) >> 31).min(u64::from(u32::MAX));
    }
    y
}

/// The whole root below an exact one, given a near root and the radicand minus its square, modulo 2^64.
///
/// The near root is off by two at most, so each loop runs twice at most.
fn settled(mut root: u64, remainder: u64) -> u64 {
    let mut remainder = remainder as i64;
    while remainder < 0 {
        root -= 1;
        remainder += 2 * root as i64 + 1;
    }
    while remainder > 2 * root as i64 {
        remainder -= 2 * root as i64 + 1;
        root += 1;
    }
    root
}
