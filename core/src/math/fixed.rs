//! Q31.32: what fixed-point hosts count positions in. Inside ±2^21 it fits a double exactly.

use crate::error::{Error, Result, Subject};
use crate::math::round_half_even;

const ONE: f64 = (1u64 << 32) as f64;
/// The largest magnitude that converts, itself included.
const BOUND: f64 = (1u64 << 21) as f64;

/// A Q31.32 number (a count of 2^-32) as a double, exactly.
///
/// `subject` names it in the refusal of one beyond ±2^21 (kind `Limit`), where a double has too few bits.
///
/// ```
/// use navarena::error::Subject;
/// use navarena::math::{from_fixed, to_fixed};
/// assert_eq!(from_fixed(3 << 31, Subject::Position), Ok(1.5));
/// assert_eq!(to_fixed(1.5, Subject::Position), Ok(3 << 31));
/// assert!(from_fixed(i64::MAX, Subject::Position).is_err());
/// ```
pub fn from_fixed(raw: i64, subject: Subject) -> Result<f64> {
    let value = raw as f64 * (1.0 / ONE);
    // The bound itself is 2^53, up to which every integer is a double.
    if raw.unsigned_abs() <= 1 << 53 { Ok(value) } else { Err(Error::limit(subject).value(value).bound(BOUND)) }
}

/// A double as Q31.32, rounded half to even where it has bits below 2^-32.
///
/// What [`from_fixed`] gave comes back exactly. Beyond ±2^21 the value is refused (kind `Limit`), and NaN too (kind
/// `Invalid`).
pub fn to_fixed(value: f64, subject: Subject) -> Result<i64> {
    let value = inside(value, subject)?;
    Ok(round_half_even(value * ONE) as i64)
}

fn inside(value: f64, subject: Subject) -> Result<f64> {
    if value.is_nan() {
        return Err(Error::invalid(subject).value(value));
    }
    if value.abs() <= BOUND { Ok(value) } else { Err(Error::limit(subject).value(value).bound(BOUND)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::math::SplitMix64;

    #[test]
    fn every_fixed_number_inside_the_bound_comes_back() {
        let mut random = SplitMix64::new(3);
        for _ in 0..10_000 {
            let raw = (random.next_u64() as i64) >> (10 + random.below(50));
            let value = from_fixed(raw, Subject::Position).unwrap();
            assert_eq!(to_fixed(value, Subject::Position), Ok(raw));
        }
        for raw in [0, 1, -1, 1 << 53, -(1 << 53), (1 << 53) - 1] {
            assert_eq!(from_fixed(raw, Subject::Position).and_then(|v| to_fixed(v, Subject::Position)), Ok(raw));
        }
    }

    #[test]
    fn what_is_finer_than_the_grain_rounds_half_to_even() {
        let grain = 1.0 / ONE;
        for (value, raw) in [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (0.75, 1), (-2.25, -2)] {
            assert_eq!(to_fixed(value * grain, Subject::Position), Ok(raw));
        }
    }

    #[test]
    fn beyond_the_bound_it_is_refused_by_name() {
        for raw in [(1 << 53) + 1, i64::MIN, i64::MAX, -(1 << 53) - 2] {
            let refused = from_fixed(raw, Subject::Point);
            assert_eq!(refused.map_err(|e| (e.kind(), e.subject())), Err((ErrorKind::Limit, Subject::Point)), "{raw}");
        }
        for value in [2097152.0000000005, f64::INFINITY, -1e300] {
            assert_eq!(to_fixed(value, Subject::Point).unwrap_err().kind(), ErrorKind::Limit);
        }
        assert_eq!(to_fixed(f64::NAN, Subject::Point).unwrap_err().kind(), ErrorKind::Invalid);
    }
}
