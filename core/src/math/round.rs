//! Rounding to integers and comparing, for floats and doubles, the same everywhere.
//!
//! `core` has no rounding, and its `min` and `max` leave open which zero comes out of -0 and 0.

/// The two floating-point types, and what rounding them takes.
pub trait Float: Copy + PartialOrd + core::ops::Add<Output = Self> + core::ops::Sub<Output = Self> {
    /// From here on every number is an integer: 2^52 for a double, 2^23 for a float.
    const WHOLE: Self;
    /// One.
    const ONE: Self;
    /// The value without its sign.
    fn magnitude(self) -> Self;
    /// The value with another's sign.
    fn with_sign_of(self, other: Self) -> Self;
}

impl Float for f64 {
    const WHOLE: f64 = (1u64 << 52) as f64;
    const ONE: f64 = 1.0;
    #[inline]
    fn magnitude(self) -> f64 {
        self.abs()
    }
    #[inline]
    fn with_sign_of(self, other: f64) -> f64 {
        self.copysign(other)
    }
}

impl Float for f32 {
    const WHOLE: f32 = (1u32 << 23) as f32;
    const ONE: f32 = 1.0;
    #[inline]
    fn magnitude(self) -> f32 {
        self.abs()
    }
    #[inline]
    fn with_sign_of(self, other: f32) -> f32 {
        self.copysign(other)
    }
}

/// The nearest integer, the even one of two as near. Exact; the sign of zero, infinities and NaN stay.
///
/// ```
/// use navarena::math::round_half_even;
/// assert_eq!([0.5, 1.5, 2.5, -2.6].map(round_half_even::<f64>), [0.0, 2.0, 2.0, -3.0]);
/// ```
#[inline]
pub fn round_half_even<F: Float>(value: F) -> F {
    // Adding 2^52 leaves no bits for a fraction, so the addition's own rounding is the one wanted.
    let magnitude = value.magnitude();
    if magnitude < F::WHOLE { ((magnitude + F::WHOLE) - F::WHOLE).with_sign_of(value) } else { value }
}

/// The largest integer not above. Exact; the sign of zero, infinities and NaN stay.
///
/// ```
/// use navarena::math::floor;
/// assert_eq!([1.9, -1.1, 3.0].map(floor::<f32>), [1.0, -2.0, 3.0]);
/// ```
#[inline]
pub fn floor<F: Float>(value: F) -> F {
    let near = round_half_even(value);
    if near > value { (near - F::ONE).with_sign_of(value) } else { near }
}

/// The smallest integer not below. Exact; the sign of zero, infinities and NaN stay, so just below zero gives -0.
///
/// ```
/// use navarena::math::ceil;
/// assert_eq!([1.1, -1.9, 3.0].map(ceil::<f32>), [2.0, -1.0, 3.0]);
/// ```
#[inline]
pub fn ceil<F: Float>(value: F) -> F {
    let near = round_half_even(value);
    if near < value { (near + F::ONE).with_sign_of(value) } else { near }
}

/// The smaller of two; the first when they are equal or one is NaN.
#[inline]
pub fn min<F: Float>(a: F, b: F) -> F {
    if b < a { b } else { a }
}

/// The larger of two; the first when they are equal or one is NaN.
#[inline]
pub fn max<F: Float>(a: F, b: F) -> F {
    if b > a { b } else { a }
}

/// The value, or the end of `low..=high` that it is beyond; NaN stays. Should `low` be above `high`, `high` wins.
///
/// ```
/// use navarena::math::clamp;
/// assert_eq!([-1.0, 0.5, 2.0].map(|x| clamp(x, 0.0, 1.0)), [0.0, 0.5, 1.0]);
/// ```
#[inline]
pub fn clamp<F: Float>(value: F, low: F, high: F) -> F {
    min(max(value, low), high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;

    fn check(value: f64) {
        assert_eq!(floor(value).to_bits(), value.floor().to_bits(), "floor {value:e}");
        assert_eq!(ceil(value).to_bits(), value.ceil().to_bits(), "ceil {value:e}");
        assert_eq!(round_half_even(value).to_bits(), value.round_ties_even().to_bits(), "round {value:e}");
    }

    fn check32(value: f32) {
        assert_eq!(floor(value).to_bits(), value.floor().to_bits(), "floor {value:e}");
        assert_eq!(ceil(value).to_bits(), value.ceil().to_bits(), "ceil {value:e}");
        assert_eq!(round_half_even(value).to_bits(), value.round_ties_even().to_bits(), "round {value:e}");
    }

    #[test]
    fn rounding_agrees_with_the_standard_library() {
        let mut random = SplitMix64::new(5);
        for _ in 0..200_000 {
            let bits = random.next_u64();
            if !f64::from_bits(bits).is_nan() {
                check(f64::from_bits(bits));
            }
            if !f32::from_bits(bits as u32).is_nan() {
                check32(f32::from_bits(bits as u32));
            }
            check((random.next_f64() - 0.5) * 1e4);
            check(((bits >> 40) as f64 - 8e6) * 0.25);
            check32(((bits >> 50) as f32 - 8e3) * 0.25);
        }
    }

    #[test]
    fn the_edges_round_as_they_must() {
        for exponent in 0..0x800u64 {
            for fraction in [0, 1, (1 << 51) - 1, 1 << 51, (1 << 51) + 1, (1 << 52) - 1] {
                let value = f64::from_bits(exponent << 52 | fraction);
                if !value.is_nan() {
                    check(value);
                    check(-value);
                }
            }
        }
        for exponent in 0..0x100u32 {
            for fraction in [0, 1, (1 << 22) - 1, 1 << 22, (1 << 22) + 1, (1 << 23) - 1] {
                let value = f32::from_bits(exponent << 23 | fraction);
                if !value.is_nan() {
                    check32(value);
                    check32(-value);
                }
            }
        }
        assert!(floor(f64::NAN).is_nan() && ceil(f32::NAN).is_nan() && round_half_even(f64::NAN).is_nan());
    }

    #[test]
    fn comparing_keeps_the_first_of_equals() {
        assert!(min(-0.0f64, 0.0).is_sign_negative() && min(0.0f64, -0.0).is_sign_positive());
        assert!(max(-0.0f64, 0.0).is_sign_negative() && max(0.0f64, -0.0).is_sign_positive());
        assert_eq!((min(1.0f32, 2.0), max(1.0f32, 2.0)), (1.0, 2.0));
        assert!(min(f64::NAN, 1.0).is_nan() && max(1.0, f64::NAN) == 1.0 && clamp(f64::NAN, 0.0, 1.0).is_nan());
        assert_eq!(clamp(5.0, 2.0, 1.0), 1.0);
    }
}
