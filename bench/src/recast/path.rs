//! Detour's paths: both ends snapped once, then `findPath` and `findStraightPath`.

use navarena_tests::recast::{Outcome, Pair};

use super::bake::{Baked, HALF_EXTENTS};
use super::{Query, succeeded, sys};

/// Most nodes of a search; the library's own sample takes this number.
const NODES: i32 = 2048;
/// Most polygons of a corridor and points of a path.
const ROOM: usize = 512;

/// A point on the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Snapped {
    /// The polygon.
    pub polygon: sys::dtPolyRef,
    /// The point.
    pub point: [f32; 3],
}

/// The answer to one pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// How the search ended.
    pub outcome: Outcome,
    /// Length of the string-pulled path.
    pub length: f64,
}

/// A search over one mesh, with its buffers.
pub struct Paths<'a> {
    query: Query,
    filter: sys::dtQueryFilter,
    corridor: Vec<sys::dtPolyRef>,
    points: Vec<f32>,
    mesh: &'a Baked,
}

impl<'a> Paths<'a> {
    /// A search over a baked mesh.
    pub fn new(mesh: &'a Baked) -> Result<Paths<'a>, String> {
        let query = Query::new()?;
        // SAFETY: the mesh outlives the query, by this type's lifetime.
        succeeded("query", unsafe { sys::dtNavMeshQuery_init(query.get(), mesh.mesh.get(), NODES) })?;
        let filter = sys::dtQueryFilter { m_areaCost: [1.0; 64], m_includeFlags: 0xffff, m_excludeFlags: 0 };
        Ok(Paths { query, filter, corridor: vec![0; ROOM], points: vec![0.0; ROOM * 3], mesh })
    }

    /// What the mesh holds.
    pub fn counts(&self) -> super::bake::Counts {
        self.mesh.counts
    }

    /// Snaps both ends of every pair; `None` where an end has no polygon near.
    pub fn snap(&self, pairs: &[Pair]) -> Vec<Option<[Snapped; 2]>> {
        pairs.iter().map(|pair| Some([self.snap_one(pair.start)?, self.snap_one(pair.goal)?])).collect()
    }

    fn snap_one(&self, point: [f64; 3]) -> Option<Snapped> {
        let center = point.map(|number| number as f32);
        let mut snapped = Snapped::default();
        // SAFETY: an initialized query, arrays of three numbers, and two places for the answer.
        let status = unsafe {
            let (query, reference, at) = (self.query.get(), &mut snapped.polygon, snapped.point.as_mut_ptr());
            sys::dtNavMeshQuery_findNearestPoly(
                query,
                center.as_ptr(),
                HALF_EXTENTS.as_ptr(),
                &self.filter,
                reference,
                at,
            )
        };
        (succeeded("nearest", status).is_ok() && snapped.polygon != 0).then_some(snapped)
    }

    /// Finds one path and pulls it straight.
    pub fn find(&mut self, ends: &[Snapped; 2]) -> Result<Answer, String> {
        let [start, goal] = ends;
        let mut corridor = 0;
        // SAFETY: an initialized query, references that it gave itself, and a buffer as long as is said.
        let status = unsafe {
            sys::dtNavMeshQuery_findPath(
                self.query.get(),
                start.polygon,
                goal.polygon,
                start.point.as_ptr(),
                goal.point.as_ptr(),
                &self.filter,
                self.corridor.as_mut_ptr(),
                &mut corridor,
                ROOM as i32,
            )
        };
        succeeded("path", status)?;
        let last = self.corridor[..corridor as usize].last().copied().unwrap_or(0);
        let complete = last == goal.polygon && status & sys::DT_PARTIAL_RESULT == 0;
        let end = if complete { goal.point } else { self.nearest_on(last, goal.point)? };
        let count = self.pull(start.point, end, corridor)?;
        let outcome = if complete { Outcome::Found } else { Outcome::Partial };
        Ok(Answer { outcome, length: length(&self.points[..count * 3]) })
    }

    fn nearest_on(&self, polygon: sys::dtPolyRef, point: [f32; 3]) -> Result<[f32; 3], String> {
        let mut nearest = [0.0; 3];
        // SAFETY: an initialized query, arrays of three numbers; a null place asks for no flag back.
        let status = unsafe {
            let (at, answer) = (point.as_ptr(), nearest.as_mut_ptr());
            sys::dtNavMeshQuery_closestPointOnPoly(self.query.get(), polygon, at, answer, std::ptr::null_mut())
        };
        succeeded("end of a partial path", status).map(|()| nearest)
    }

    fn pull(&mut self, start: [f32; 3], end: [f32; 3], corridor: i32) -> Result<usize, String> {
        let mut count = 0;
        // SAFETY: an initialized query, a corridor of the length it reported, room for as many points as is said,
        // and null where neither flags nor references are wanted back.
        let status = unsafe {
            sys::dtNavMeshQuery_findStraightPath(
                self.query.get(),
                start.as_ptr(),
                end.as_ptr(),
                self.corridor.as_ptr(),
                corridor,
                self.points.as_mut_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &mut count,
                ROOM as i32,
                0,
            )
        };
        succeeded("straight path", status).map(|()| count as usize)
    }
}

/// Length of a line of points in space.
fn length(points: &[f32]) -> f64 {
    let corners: Vec<[f64; 3]> =
        points.chunks_exact(3).map(|point| [f64::from(point[0]), f64::from(point[1]), f64::from(point[2])]).collect();
    navarena_tests::recast::length(&corners)
}
