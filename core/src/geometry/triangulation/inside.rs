//! Which triangles of a net lie inside: the winding of every triangle, flooded from outside
//! (`build2d-geometry.md`, "Region.Triangulate").

use super::net::{NO_TRIANGLE, Triangle};
use crate::error::{Error, Result, Subject};
use crate::geometry::region::Segment;
use crate::memory::{Arena, List, Pod, Zeroable};

/// A triangle of a region: it begins at its smallest vertex and runs counter-clockwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RegionTriangle {
    /// Numbers of its vertices.
    pub vertices: [u32; 3],
}

/// The triangles of a net whose winding by the segments' first delta is above 0, in the order of their vertices.
///
/// `segments` are the constraints that the net was made with: the winding left of one from `a` to `b` is its delta more
/// than right of it. The arena lends twelve bytes a triangle of the net.
///
/// # Errors
/// A triangle with a neighbour that there is not, or with a winding past 32 bits; a constraint of the net that is not among
/// the segments; memory.
pub fn inside<'a>(net: &[Triangle], segments: &[Segment], arena: &mut Arena<'a>) -> Result<&'a [RegionTriangle]> {
    let count = arena.scope(|desk| {
        let windings = flood(net, segments, desk)?;
        let count = windings.iter().filter(|&&winding| winding > 0).count();
        let kept = desk.take::<RegionTriangle>(count)?;
        let chosen = net.iter().zip(windings).filter(|&(_, &winding)| winding > 0);
        for (place, (triangle, _)) in kept.iter_mut().zip(chosen) {
            *place = RegionTriangle { vertices: from_smallest(triangle.vertices) };
        }
        kept.sort_unstable();
        Ok(count)
    })?;
    arena.take(count).map(|kept| &*kept)
}

/// Each triangle's winding. The first vertices beyond the points bound the net, so a triangle with no neighbour is outside.
fn flood<'a>(net: &[Triangle], segments: &[Segment], desk: &mut Arena<'a>) -> Result<&'a [i32]> {
    const UNKNOWN: i32 = i32::MIN;
    let windings = desk.take_back::<i32>(net.len())?;
    windings.fill(UNKNOWN);
    let mut pending = List::over(desk.take_back::<u32>(net.len())?);
    if let Some(outer) = net.iter().position(|triangle| triangle.neighbors.contains(&NO_TRIANGLE)) {
        windings[outer] = 0;
        pending.push(outer as u32, Subject::Triangles)?;
    }
    while let Some(t) = pending.pop() {
        let triangle = &net[t as usize];
        for edge in 0..3 {
            let neighbor = triangle.neighbors[edge];
            if neighbor == NO_TRIANGLE {
                continue;
            }
            let Some(&beyond) = windings.get(neighbor as usize) else {
                return Err(Error::invalid(Subject::Triangle).at(t as usize).part(edge));
            };
            if beyond != UNKNOWN {
                continue;
            }
            let winding = windings[t as usize].checked_sub(delta(triangle, edge, segments)?);
            windings[neighbor as usize] = winding.ok_or(Error::limit(Subject::Triangle).at(t as usize).part(edge))?;
            pending.push(neighbor, Subject::Triangles)?;
        }
    }
    Ok(windings)
}

/// How much more the winding is within a triangle than beyond one of its edges.
fn delta(triangle: &Triangle, edge: usize, segments: &[Segment]) -> Result<i32> {
    if !triangle.is_constraint(edge) {
        return Ok(0);
    }
    let [a, b] = [triangle.vertices[edge], triangle.vertices[(edge + 1) % 3]];
    let found = segments.binary_search_by_key(&(a.min(b), a.max(b)), |segment| (segment.a, segment.b));
    let segment = segments[found.map_err(|at| Error::invalid(Subject::Constraints).at(at))?];
    Ok(if a < b { segment.delta[0] } else { segment.delta[0].wrapping_neg() })
}

fn from_smallest([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
