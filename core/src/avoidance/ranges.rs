//! The ranges of what a host hands in, each refusal named.

use crate::error::{Error, Result, Subject};

/// The shortest time step or horizon, in seconds (`maul-nav/types.md`, "Avoidance").
pub const MIN_TIME: f64 = 1e-6;
/// The most agents of a set or a simulator.
pub const MAX_AGENTS: u32 = 1 << 20;
/// The most neighbours an agent avoids.
pub const MAX_NEIGHBORS: u32 = 256;
/// The most obstacle points of a set, and segments of a simulator: as many as agents.
pub const MAX_OBSTACLE_POINTS: u32 = 1 << 20;
/// The most obstacle edges an agent avoids: as many as neighbours.
pub const MAX_OBSTACLE_EDGES: u32 = 256;
/// The most workers that a step is shared among.
pub const MAX_WORKERS: u32 = 256;

/// What a number may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Range {
    /// Either sign, a magnitude up to a bound.
    Within(f64),
    /// Either sign, a magnitude below a bound.
    Below(f64),
    /// From 0 to a bound.
    UpTo(f64),
    /// Above 0, up to a bound.
    Above0(f64),
    /// Above 0, and finite.
    Positive,
    /// A time: finite, at least [`MIN_TIME`].
    Time,
}

impl Range {
    /// Refuses a value: what is no number or of the wrong sign as `Invalid`, what is past a bound as `Limit`.
    pub fn check(self, value: f64, subject: Subject) -> Result<()> {
        let invalid = match self {
            Range::Within(_) | Range::Below(_) => value.is_nan(),
            Range::UpTo(_) => value.is_nan() || value < 0.0,
            Range::Above0(_) => value.is_nan() || value <= 0.0,
            Range::Positive => value.is_nan() || value <= 0.0 || value == f64::INFINITY,
            Range::Time => value.is_nan() || value == f64::INFINITY,
        };
        if invalid {
            return Err(Error::invalid(subject).value(value));
        }
        let (bound, past) = match self {
            Range::Within(bound) | Range::UpTo(bound) | Range::Above0(bound) => (bound, value.abs() > bound),
            Range::Below(bound) => (bound, value.abs() >= bound),
            Range::Positive => (f64::MAX, false),
            Range::Time => (MIN_TIME, value < MIN_TIME),
        };
        if past { Err(Error::limit(subject).value(value).bound(bound)) } else { Ok(()) }
    }

    /// The same for each component of a vector.
    pub fn check_all(self, values: &[f64], subject: Subject) -> Result<()> {
        values.iter().try_for_each(|&value| self.check(value, subject))
    }
}

/// Refuses a limit of a def that is out of its range.
pub(super) fn check_limit(value: u32, least: u32, most: u32, subject: Subject) -> Result<()> {
    if value < least {
        return Err(Error::invalid(subject).value(f64::from(value)));
    }
    if value > most {
        return Err(Error::limit(subject).value(f64::from(value)).bound(f64::from(most)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind::{self, Invalid, Limit};

    /// A value, and the kind of refusal it meets.
    type Case = (f64, Option<ErrorKind>);

    #[test]
    fn every_range_names_what_is_outside() {
        let nan = f64::NAN;
        let infinity = f64::INFINITY;
        let cases: [(Range, &[Case]); 6] = [
            (Range::Within(2.0), &[(-2.0, None), (2.1, Some(Limit)), (nan, Some(Invalid)), (-infinity, Some(Limit))]),
            (Range::Below(2.0), &[(-1.9, None), (2.0, Some(Limit)), (-2.0, Some(Limit)), (nan, Some(Invalid))]),
            (Range::UpTo(2.0), &[(0.0, None), (-0.0, None), (-1e-9, Some(Invalid)), (infinity, Some(Limit))]),
            (Range::Above0(2.0), &[(1e-300, None), (0.0, Some(Invalid)), (2.1, Some(Limit)), (nan, Some(Invalid))]),
            (Range::Positive, &[(1e300, None), (0.0, Some(Invalid)), (infinity, Some(Invalid)), (nan, Some(Invalid))]),
            (Range::Time, &[(1e-6, None), (9e-7, Some(Limit)), (-infinity, Some(Limit)), (infinity, Some(Invalid))]),
        ];
        for (range, values) in cases {
            for &(value, kind) in values {
                let got = range.check(value, Subject::Velocity).err();
                assert_eq!(got.map(|error| error.kind()), kind, "{range:?} {value}");
            }
        }
    }
}
