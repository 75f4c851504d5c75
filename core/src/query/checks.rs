//! What a query refuses before it looks at the mesh (`navmesh-queries.md`, "Inputs and errors").

use super::plane::Vec3;
use crate::error::{Error, Result, Subject};
use crate::mesh::WORLD_BOUND;

/// Refuses a position with a coordinate that is not finite or not strictly within 2^21; `which` of the call's positions
/// it is and the axis are named.
#[inline]
pub(crate) fn checked_position(position: Vec3, which: usize) -> Result<()> {
    // False for NaN too.
    if position.iter().all(|value| value.abs() < WORLD_BOUND) { Ok(()) } else { refused_position(position, which) }
}

#[cold]
fn refused_position(position: Vec3, which: usize) -> Result<()> {
    for (axis, value) in position.into_iter().enumerate() {
        let error = if !value.is_finite() {
            Error::invalid(Subject::Position).value(value)
        } else if value <= -WORLD_BOUND || value >= WORLD_BOUND {
            Error::limit(Subject::Position).value(value).bound(WORLD_BOUND)
        } else {
            continue;
        };
        return Err(error.at(which).part(axis));
    }
    Ok(())
}

/// Refuses search extents that are not finite or negative.
pub(crate) fn checked_extents(half_extents: Vec3) -> Result<()> {
    for (axis, value) in half_extents.into_iter().enumerate() {
        if !value.is_finite() || value < 0.0 {
            return Err(Error::invalid(Subject::Extents).at(axis).value(value));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn the_bound_of_positions_is_exclusive_and_the_axis_is_named() {
        let inside = f64::from_bits(WORLD_BOUND.to_bits() - 1);
        assert!(checked_position([inside, -inside, 0.0], 0).is_ok());
        for bad in [WORLD_BOUND, -WORLD_BOUND] {
            let error = checked_position([0.0, 0.0, bad], 1).unwrap_err();
            assert_eq!((error.kind(), error.index(), error.part_index()), (ErrorKind::Limit, Some(1), Some(2)));
        }
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(checked_position([0.0, bad, 0.0], 0).unwrap_err().kind(), ErrorKind::Invalid);
        }
    }

    #[test]
    fn extents_are_finite_and_not_negative() {
        assert!(checked_extents([0.0, -0.0, 1e300]).is_ok());
        for bad in [f64::NAN, f64::INFINITY, -1e-300] {
            let error = checked_extents([1.0, bad, 1.0]).unwrap_err();
            assert_eq!((error.kind(), error.subject(), error.index()), (ErrorKind::Invalid, Subject::Extents, Some(1)));
        }
    }
}
