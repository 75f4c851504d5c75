//! Boundary segments chained into rings (`build2d-geometry.md`, "Outlines, fill rule, regions").

use super::def::{RegionDef, RegionReport, raise};
use super::exact::{Step, step, turn};
use super::{Arrangement, GridPoint, Region, SnapGrid};
use crate::error::{Result, Subject};
use crate::memory::{Arena, List, Twin};

/// A directed edge of the boundary between two vertices.
pub(super) type Directed = [u32; 2];

/// The region whose boundary is every segment with an inside and an outside, at the front of the arena.
///
/// `above` are the winding numbers of [`label`](super::label), and `inside` says which of them lie inside.
///
/// # Errors
/// What [`Arrangement::check`] refuses; a limit of points or rings; memory.
pub fn trace<'a>(
    arrangement: &Arrangement<'_>,
    above: &[[i32; 2]],
    inside: impl Fn([i32; 2]) -> bool,
    grid: SnapGrid,
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'a>,
) -> Result<Region<'a>> {
    arrangement.check()?;
    let (place, counts) = arena.scope(|desk| {
        let mut edges = List::over(desk.take::<Directed>(arrangement.segments.len())?);
        for (segment, &winding) in arrangement.segments.iter().zip(above) {
            let below = [0, 1].map(|k| winding[k].wrapping_sub(segment.delta[k]));
            match (inside(winding), inside(below)) {
                (true, false) => edges.push([segment.a, segment.b], Subject::Segments)?,
                (false, true) => edges.push([segment.b, segment.a], Subject::Segments)?,
                _ => {}
            }
        }
        edges.sort_unstable();
        chain(arrangement.vertices, &edges, limits, report, desk)
    })?;
    raise(&mut report.points, counts.0);
    raise(&mut report.rings, counts.1);
    take_region(grid, place, counts, arena)
}

/// Takes a region to the front whose points a scope left at a place, so many of them, and its ends behind them.
pub(super) fn take_region<'a>(
    grid: SnapGrid,
    place: usize,
    counts: (usize, usize),
    arena: &mut Arena<'a>,
) -> Result<Region<'a>> {
    let points = arena.take_what_lies_at::<GridPoint>(place, counts.0)?;
    // A grid point is one grain, so nothing lies between the points and the ends.
    let ends = arena.take_what_lies_at::<u32>(place + size_of_val(points), counts.1)?;
    Ok(Region { grid, points, ends })
}

/// Chains directed edges, in order, into rings; both arrays lie behind one another at the place returned.
pub(super) fn chain(
    vertices: &[GridPoint],
    edges: &[Directed],
    limits: &RegionDef,
    report: &mut RegionReport,
    desk: &mut Arena<'_>,
) -> Result<(usize, (usize, usize))> {
    let starts = desk.take_zeroed::<u32>(vertices.len() + 1)?;
    edges.iter().for_each(|edge| starts[edge[0] as usize + 1] += 1);
    (1..starts.len()).for_each(|v| starts[v] += starts[v - 1]);
    let used = desk.take_zeroed::<u8>(edges.len())?;
    let boundary = Boundary { vertices, edges, starts };
    let place = desk.taken();
    let mut rings = desk.twin::<GridPoint, u32>();
    for first in 0..edges.len() {
        if used[first] == 0 {
            boundary.ring_from(first, used, limits, &mut rings)?;
        }
    }
    let counts = desk.settle_twin(rings);
    raise(&mut report.memory_peak, desk.high_water());
    Ok((place, counts))
}

struct Boundary<'d> {
    vertices: &'d [GridPoint],
    edges: &'d [Directed],
    starts: &'d [u32],
}

impl Boundary<'_> {
    /// Follows the ring of one edge, which is the smallest of it, and writes its points. Straight passages are left out.
    fn ring_from(
        &self,
        first: usize,
        used: &mut [u8],
        limits: &RegionDef,
        rings: &mut Twin<'_, GridPoint, u32>,
    ) -> Result<()> {
        rings.push_first(self.vertices[self.edges[first][0] as usize], limits.points, Subject::Points)?;
        let mut at = first;
        // Every step uses up an edge, so there are at most as many as edges.
        loop {
            used[at] = 1;
            let [next, passes] = self.next(at);
            if next == first || used[next] != 0 {
                break;
            }
            let straight = passes == 1 && turn(self.way(at), self.way(next)) == 0;
            if !straight {
                rings.push_first(self.vertices[self.edges[next][0] as usize], limits.points, Subject::Points)?;
            }
            at = next;
        }
        let end = rings.first_len() as u32;
        rings.push_second(end, limits.rings, Subject::Rings)
    }

    fn way(&self, edge: usize) -> Step {
        let [from, to] = self.edges[edge];
        step(self.vertices[from as usize], self.vertices[to as usize])
    }

    /// The edge that follows in the ring, and how many begin where the edge ends: of several, the one first met turning
    /// clockwise from the way back.
    fn next(&self, edge: usize) -> [usize; 2] {
        let vertex = self.edges[edge][1] as usize;
        let (start, end) = (self.starts[vertex] as usize, self.starts[vertex + 1] as usize);
        let back = self.way(edge).map(|d| -d);
        let mut best = start;
        for other in start + 1..end {
            if is_first_clockwise(back, self.way(other), self.way(best)) {
                best = other;
            }
        }
        [best.min(self.edges.len() - 1), end - start]
    }
}

/// Whether, turning clockwise from a direction, `e` is met before `f`. Neither points along the direction itself.
fn is_first_clockwise(from: Step, e: Step, f: Step) -> bool {
    let (to_e, to_f) = (turn(from, e), turn(from, f));
    // Right of the direction comes first, then straight back, then left of it.
    if to_e != to_f { to_e < to_f } else { turn(e, f) < 0 }
}
