//! What an off-mesh link is made from, what is refused of it, and where it is crossed.

use crate::error::{Error, Result, Subject};
use crate::geometry::plane::Vec3;
use crate::math::{distance, sqrt};
use crate::mesh::params::is_in_world;

/// How many kinds of link there are: 0 to 63.
pub const LINK_KINDS: usize = 64;
/// The farthest that an end may reach for its polygon, in world units.
pub const MAX_LINK_RADIUS: f64 = 100.0;
/// The highest price of a crossing.
pub const MAX_LINK_COST: f64 = 1e9;
/// The widest edge link, in world units.
pub const MAX_LINK_WIDTH: f64 = 100.0;
/// The most crossings of one link.
pub const MAX_LINK_CROSSINGS: usize = 64;
/// The most crossings of a mesh.
pub const MAX_LINKS: u32 = 1 << 20;

/// The kinds that have a name; 6 to 63 are the host's own.
pub mod link_kind {
    /// A jump across a gap.
    pub const JUMP: u8 = 0;
    /// A drop off a ledge.
    pub const DROP: u8 = 1;
    /// A climb.
    pub const CLIMB: u8 = 2;
    /// A ladder.
    pub const LADDER: u8 = 3;
    /// A door.
    pub const DOOR: u8 = 4;
    /// A teleport.
    pub const TELEPORT: u8 = 5;
}

/// An off-mesh link to stage on a mesh with [`NavMesh::stage_link`](crate::mesh::NavMesh::stage_link).
///
/// A link of no width is crossed from its start to its end. A wider one is an edge link, a ledge for instance: it is
/// crossed along two segments of that width, level, centered on the ends and square to the way between them, at points
/// no farther apart than the agent's radius and at most 64, the outermost at the segments' ends.
///
/// ```
/// use navarena::mesh::{LinkDef, link_kind};
/// let ledge = LinkDef {
///     kind: link_kind::DROP,
///     width: 3.0,
///     cost: 2.0,
///     ..LinkDef::between([4.0, 3.0, 0.0], [6.0, 0.0, 0.0])
/// };
/// assert!(ledge.validate().is_ok() && !ledge.two_way);
/// assert_eq!(ledge.crossing_count(1.0), 4);
/// assert_eq!(ledge.crossing(0, 4), [[4.0, 3.0, 1.5], [6.0, 0.0, 1.5]]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkDef {
    /// Where it is entered, in world coordinates strictly within 2^21.
    pub start: [f64; 3],
    /// Where it arrives, likewise.
    pub end: [f64; 3],
    /// How far from an end, on the ground, its polygon may lie: 0 to 100.
    pub radius: f64,
    /// What a crossing costs, however long it is: 0 to 1e9.
    pub cost: f64,
    /// How wide it is: 0 for a point link, up to 100.
    pub width: f64,
    /// What kind of way it is, 0 to 63: see [`link_kind`].
    pub kind: u8,
    /// Whether it is crossed both ways.
    pub two_way: bool,
}

impl LinkDef {
    /// A jump one way between two points, half a unit of reach, priced as a walk of its length over an area of cost 1.
    pub fn between(start: [f64; 3], end: [f64; 3]) -> LinkDef {
        let cost = distance(start, end);
        LinkDef { start, end, radius: 0.5, cost, width: 0.0, kind: link_kind::JUMP, two_way: false }
    }

    /// Refuses what no mesh takes.
    ///
    /// # Errors
    /// [`Invalid`](crate::error::ErrorKind::Invalid): a coordinate that is NaN (position 0 is the start, 1 the end), a
    /// radius, cost or width that is NaN or below 0, a kind past 63, an edge link whose ends lie one above the other or
    /// so near that the square of their distance on the ground is 0. [`Limit`](crate::error::ErrorKind::Limit): a
    /// coordinate not strictly within 2^21, a radius, cost or width past its bound. The first in the order of the fields
    /// is named.
    pub fn validate(&self) -> Result<()> {
        for (which, point) in [self.start, self.end].into_iter().enumerate() {
            checked_point(point, which)?;
        }
        checked(self.radius, MAX_LINK_RADIUS, Subject::LinkRadius)?;
        checked(self.cost, MAX_LINK_COST, Subject::LinkCost)?;
        checked(self.width, MAX_LINK_WIDTH, Subject::LinkWidth)?;
        if usize::from(self.kind) >= LINK_KINDS {
            return Err(Error::invalid(Subject::LinkKind).value(self.kind.into()).bound((LINK_KINDS - 1) as f64));
        }
        if self.width > 0.0 && self.squared_run() == 0.0 {
            return Err(Error::invalid(Subject::LinkDirection));
        }
        Ok(())
    }

    /// How many crossings it has on a mesh for agents of a radius: 1 for a point link, 2 to 64 for an edge link.
    pub fn crossing_count(&self, agent_radius: f64) -> usize {
        if self.width <= 0.0 {
            return 1;
        }
        // As many steps as make each no longer than the radius; a radius of 0 takes all there are.
        let steps = self.width / agent_radius;
        let most = MAX_LINK_CROSSINGS - 1;
        let whole = if steps < most as f64 { steps as usize } else { most };
        let steps = if (whole as f64) < steps { whole + 1 } else { whole };
        steps.clamp(1, most) + 1
    }

    /// Where one of so many crossings wants its start and its end: the leftmost is the first, looking from the start to
    /// the end.
    pub fn crossing(&self, index: usize, count: usize) -> [[f64; 3]; 2] {
        let squared = self.squared_run();
        if count < 2 || squared == 0.0 {
            return [self.start, self.end];
        }
        let length = sqrt(squared);
        let left = [-(self.end[2] - self.start[2]) / length, (self.end[0] - self.start[0]) / length];
        let aside = self.width * (0.5 - index as f64 / (count - 1) as f64);
        [self.start, self.end].map(|[x, y, z]| [x + left[0] * aside, y, z + left[1] * aside])
    }

    /// The squared distance of the ends on the ground.
    fn squared_run(&self) -> f64 {
        let (dx, dz) = (self.end[0] - self.start[0], self.end[2] - self.start[2]);
        dx * dx + dz * dz
    }
}

fn checked_point(point: Vec3, which: usize) -> Result<()> {
    for (axis, value) in point.into_iter().enumerate() {
        let error = if value.is_nan() {
            Error::invalid(Subject::Position).value(value)
        } else if !is_in_world(value) {
            Error::limit(Subject::Position).value(value).bound(crate::mesh::WORLD_BOUND)
        } else {
            continue;
        };
        return Err(error.at(which).part(axis));
    }
    Ok(())
}

fn checked(value: f64, most: f64, subject: Subject) -> Result<()> {
    if value.is_nan() || value < 0.0 {
        return Err(Error::invalid(subject).value(value));
    }
    if value > most { Err(Error::limit(subject).value(value).bound(most)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use proptest::prelude::*;

    const GOOD: LinkDef = LinkDef {
        start: [1.0, 2.0, 3.0],
        end: [4.0, 5.0, 6.0],
        radius: 1.0,
        cost: 2.0,
        width: 1.0,
        kind: 63,
        two_way: true,
    };

    #[test]
    fn every_field_out_of_its_range_is_refused_by_name() {
        let (invalid, limit) = (ErrorKind::Invalid, ErrorKind::Limit);
        assert_eq!(GOOD.validate(), Ok(()));
        let good = [
            LinkDef { radius: 0.0, cost: 0.0, width: 0.0, kind: 0, ..GOOD },
            LinkDef { radius: 100.0, cost: 1e9, width: 100.0, ..GOOD },
            LinkDef { start: GOOD.end, width: 0.0, ..GOOD },
        ];
        assert!(good.iter().all(|def| def.validate().is_ok()));
        let cases = [
            (LinkDef { radius: -1e-300, ..GOOD }, invalid, Subject::LinkRadius),
            (LinkDef { radius: f64::NAN, ..GOOD }, invalid, Subject::LinkRadius),
            (LinkDef { radius: 100.1, ..GOOD }, limit, Subject::LinkRadius),
            (LinkDef { radius: f64::INFINITY, ..GOOD }, limit, Subject::LinkRadius),
            (LinkDef { cost: -1.0, ..GOOD }, invalid, Subject::LinkCost),
            (LinkDef { cost: f64::NAN, ..GOOD }, invalid, Subject::LinkCost),
            (LinkDef { cost: 1.1e9, ..GOOD }, limit, Subject::LinkCost),
            (LinkDef { cost: f64::INFINITY, ..GOOD }, limit, Subject::LinkCost),
            (LinkDef { width: f64::NEG_INFINITY, ..GOOD }, invalid, Subject::LinkWidth),
            (LinkDef { width: f64::NAN, ..GOOD }, invalid, Subject::LinkWidth),
            (LinkDef { width: 100.5, ..GOOD }, limit, Subject::LinkWidth),
            (LinkDef { kind: 64, ..GOOD }, invalid, Subject::LinkKind),
            (LinkDef { kind: 255, ..GOOD }, invalid, Subject::LinkKind),
            (LinkDef { end: [1.0, 9.0, 3.0], ..GOOD }, invalid, Subject::LinkDirection),
            (LinkDef { start: [0.0; 3], end: [1e-170, 0.0, 1e-170], ..GOOD }, invalid, Subject::LinkDirection),
        ];
        for (def, kind, subject) in cases {
            let error = def.validate().unwrap_err();
            assert_eq!((error.kind(), error.subject()), (kind, subject), "{def:?}");
        }
        for (value, kind) in [(f64::NAN, invalid), (f64::INFINITY, limit), (2_097_152.0, limit), (-2_097_152.0, limit)]
        {
            for which in 0..2 {
                for axis in 0..3 {
                    let mut def = GOOD;
                    [&mut def.start, &mut def.end][which][axis] = value;
                    let error = def.validate().unwrap_err();
                    assert_eq!((error.kind(), error.subject()), (kind, Subject::Position));
                    assert_eq!((error.index(), error.part_index()), (Some(which as u32), Some(axis as u32)));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn crossings_lie_square_to_the_link_and_no_farther_apart_than_the_radius(
            x in -9.0..9.0, z in -9.0..9.0, width in 0.001..100.0, radius in 0.01..5.0,
        ) {
            let def = LinkDef { start: [3.0, 1.0, 4.0], end: [3.0 + x, 7.0, 4.0 + z], width, ..GOOD };
            prop_assume!(x * x + z * z > 1e-3);
            let count = def.crossing_count(radius);
            prop_assert!((2..=64).contains(&count));
            // One crossing fewer would be too far apart.
            prop_assert!(count == 2 || width / (count - 2) as f64 > radius * (1.0 - 1e-12));
            let all: std::vec::Vec<_> = (0..count).map(|i| def.crossing(i, count)).collect();
            let flat = |a: Vec3, b: Vec3| sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[2] - b[2]) * (a[2] - b[2]));
            let run = flat(def.start, def.end);
            for [start, end] in &all {
                prop_assert!((flat(*start, *end) - run).abs() < 1e-9);
                prop_assert!((start[1], end[1]) == (1.0, 7.0));
                let along: f64 = (start[0] - 3.0) * x + (start[2] - 4.0) * z;
                prop_assert!(along.abs() < 1e-9);
            }
            for pair in all.windows(2) {
                let apart = flat(pair[0][0], pair[1][0]);
                prop_assert!(apart <= radius * (1.0 + 1e-9) || count == 64);
            }
            let (first, last) = (all[0][0], all[count - 1][0]);
            prop_assert!((flat(first, last) - width).abs() < 1e-9);
            // The first is on the left: the way there turns counter-clockwise from the link's.
            prop_assert!(x * (first[2] - 4.0) - z * (first[0] - 3.0) > 0.0);
        }
    }

    #[test]
    fn the_crossings_are_limited_whatever_the_radius() {
        for radius in [0.0, 1e-300, 0.5] {
            assert_eq!(LinkDef { width: 100.0, ..GOOD }.crossing_count(radius), 64);
            assert_eq!(LinkDef { width: 0.0, ..GOOD }.crossing_count(radius), 1);
        }
        assert_eq!(LinkDef { width: 2.0, ..GOOD }.crossing_count(0.5), 5);
        assert_eq!(LinkDef { width: 2.1, ..GOOD }.crossing_count(0.5), 6);
        assert_eq!(LinkDef { width: 1e-300, ..GOOD }.crossing_count(0.5), 2);
    }
}
