//! Constrained Delaunay triangulation of grid points, exact and the same on every machine
//! (`build2d-geometry.md`, "Constrained Delaunay triangulation").
//!
//! Points enter by Lawson's flips in a biased randomised order, constraints by Sloan's. All signs are exact, so the result
//! depends on nothing but the points and the constraints.

mod constrain;
mod insert;
mod inside;
mod net;
mod order;

#[cfg(test)]
pub(crate) mod tests;

pub use inside::{RegionTriangle, inside};
pub use net::{NO_TRIANGLE, Triangle};

use super::region::{Arrangement, GridPoint, Segment};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List, Plan, Ruler};
use constrain::Queue;
use net::Net;

/// Half the bounding triangle's reach: its corners are (-c, -c), (3c, -c) and (-c, 3c).
const CORNER: f64 = (1u64 << 45) as f64;
/// The most points: their triangles have numbers of 31 bits.
pub const MAX_POINTS: usize = (1 << 30) - 4;

/// Triangles of a net over so many points.
const fn triangle_count(points: usize) -> usize {
    points.saturating_mul(2).saturating_add(1)
}

/// The memory that [`triangulate`] takes for so many points, its product included: about 140 bytes a point.
pub const fn triangulation_plan(points: usize) -> Plan {
    let vertices = points.saturating_add(3);
    let insertion = Ruler::new().array::<u32>(points).array::<u32>(triangle_count(points)).array::<u64>(points);
    Ruler::new()
        .array::<Triangle>(triangle_count(points))
        .array::<[f64; 2]>(vertices)
        .array::<u32>(vertices)
        .then(insertion.or(Ruler::new().array::<[u32; 2]>(vertices.saturating_mul(3))).plan())
        .plan()
}

/// The constrained Delaunay triangulation of points in (x, y) order, each once, with segments in the order of their ends
/// that meet only at their ends: what an arrangement gives. The segments' deltas play no part.
///
/// The net has `2n + 1` triangles and reaches far beyond the points: vertices `n`, `n + 1` and `n + 2` are the corners of
/// the triangle that encloses them all. [`inside`] picks those of a region.
///
/// # Errors
/// The first point that is out of order or reaches 2^39; the first segment that is out of order, names no point, runs through a
/// point or crosses another; memory, of which [`triangulation_plan`] is always enough.
///
/// ```
/// use navarena::geometry::region::{GridPoint, Segment};
/// use navarena::geometry::triangulation::{triangulate, triangulation_plan};
/// use navarena::memory::{Arena, Grain};
/// let points = [[0, 0], [0, 2], [2, -9], [2, 9]].map(|[x, y]| GridPoint { x, y });
/// let mut region = vec![Grain::ZERO; triangulation_plan(4).grains()];
/// let net = triangulate(&points, &[Segment { a: 2, b: 3, delta: [1, 0] }], &mut Arena::new(&mut region))?;
/// let mut inner = net.iter().filter(|triangle| triangle.vertices.iter().all(|&v| v < 4));
/// assert!(inner.all(|triangle| triangle.vertices.contains(&2) || triangle.vertices.contains(&3)));
/// # Ok::<(), navarena::error::Error>(())
/// ```
pub fn triangulate<'a>(points: &[GridPoint], segments: &[Segment], arena: &mut Arena<'a>) -> Result<&'a [Triangle]> {
    if points.len() > MAX_POINTS {
        return Err(Error::limit(Subject::Points).value(points.len() as f64).bound(MAX_POINTS as f64));
    }
    Arrangement { vertices: points, segments }.check()?;
    let triangles = arena.take::<Triangle>(triangle_count(points.len()))?;
    arena.scope(|desk| {
        let mut net = Net {
            points: coordinates(points, desk)?,
            triangles: &mut *triangles,
            len: 0,
            around: desk.take_back(points.len() + 3)?,
        };
        insert_all(&mut net, points, desk)?;
        constrain_all(&mut net, segments, desk)
    })?;
    triangles.iter_mut().for_each(|triangle| triangle.marks &= 7);
    Ok(triangles)
}

/// The points as doubles, which hold them exactly, and the corners of the bounding triangle.
fn coordinates<'a>(points: &[GridPoint], desk: &mut Arena<'a>) -> Result<&'a [[f64; 2]]> {
    let all = desk.take_back::<[f64; 2]>(points.len() + 3)?;
    let (ours, corners) = all.split_at_mut(points.len());
    ours.iter_mut().zip(points).for_each(|(place, point)| *place = [point.x as f64, point.y as f64]);
    corners.copy_from_slice(&[[-CORNER, -CORNER], [3.0 * CORNER, -CORNER], [-CORNER, 3.0 * CORNER]]);
    Ok(all)
}

fn insert_all(net: &mut Net<'_>, points: &[GridPoint], desk: &mut Arena<'_>) -> Result<()> {
    desk.scope(|desk| {
        let order = desk.take_back::<u32>(points.len())?;
        order::insertion_order(points, order, desk)?;
        let mut pending = List::over(desk.take_back::<u32>(triangle_count(points.len()))?);
        net.enclose();
        let mut last = 0;
        for &point in &*order {
            last = net.insert(point, last, &mut pending)?;
        }
        Ok(())
    })
}

fn constrain_all(net: &mut Net<'_>, segments: &[Segment], desk: &mut Arena<'_>) -> Result<()> {
    desk.scope(|desk| {
        let mut queue = Queue::over(desk.take_back(3 * net.points.len())?);
        for (i, segment) in segments.iter().enumerate() {
            let inserted = net.constrain([segment.a, segment.b], &mut queue)?;
            inserted.ok_or(Error::invalid(Subject::Constraints).at(i))?;
        }
        net.restore_delaunay();
        Ok(())
    })
}
