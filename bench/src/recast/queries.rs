//! Detour's other queries: nearest polygon, raycast, distance to wall, random points.

use std::cell::Cell;

use super::bake::{Baked, HALF_EXTENTS};
use super::path::Snapped;
use super::{Query, succeeded, sys};

/// Most nodes of a search; the library's own sample takes this number.
const NODES: i32 = 2048;
/// Most polygons that a ray lists.
const ROOM: usize = 512;

/// A query over one mesh.
pub struct Queries<'a> {
    query: Query,
    filter: sys::dtQueryFilter,
    visited: Vec<sys::dtPolyRef>,
    _mesh: &'a Baked,
}

thread_local! {
    /// Detour takes its random numbers from a function without a context.
    static SEED: Cell<u64> = const { Cell::new(1) };
}

/// Uniform in 0 to 1, the end excluded: the upper 24 bits of a linear congruential generator (Knuth's constants), which
/// costs as little as a generator can.
unsafe extern "C" fn uniform() -> f32 {
    SEED.with(|seed| {
        let next = seed.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed.set(next);
        (next >> 40) as f32 / (1u32 << 24) as f32
    })
}

impl<'a> Queries<'a> {
    /// A query over a baked mesh.
    pub fn new(mesh: &'a Baked) -> Result<Queries<'a>, String> {
        let query = Query::new()?;
        // SAFETY: the mesh outlives the query, by this type's lifetime.
        succeeded("query", unsafe { sys::dtNavMeshQuery_init(query.get(), mesh.mesh.get(), NODES) })?;
        let filter = sys::dtQueryFilter { m_areaCost: [1.0; 64], m_includeFlags: 0xffff, m_excludeFlags: 0 };
        Ok(Queries { query, filter, visited: vec![0; ROOM], _mesh: mesh })
    }

    /// The polygon nearest to a point; `None` where none is near.
    pub fn nearest(&self, point: [f64; 3]) -> Option<Snapped> {
        let center = point.map(|number| number as f32);
        let mut snapped = Snapped::default();
        // SAFETY: an initialized query, arrays of three numbers, and two places for the answer.
        let status = unsafe {
            let (at, extents) = (center.as_ptr(), HALF_EXTENTS.as_ptr());
            let (polygon, place) = (&mut snapped.polygon, snapped.point.as_mut_ptr());
            sys::dtNavMeshQuery_findNearestPoly(self.query.get(), at, extents, &self.filter, polygon, place)
        };
        (succeeded("nearest", status).is_ok() && snapped.polygon != 0).then_some(snapped)
    }

    /// How far along the way to `end` a ray gets: 1 when it gets there.
    pub fn ray(&mut self, start: &Snapped, end: [f32; 3]) -> Result<f32, String> {
        let (mut t, mut normal, mut count) = (0.0, [0.0_f32; 3], 0);
        // SAFETY: an initialized query, a reference that it gave itself, and a buffer as long as is said.
        let status = unsafe {
            sys::dtNavMeshQuery_raycast(
                self.query.get(),
                start.polygon,
                start.point.as_ptr(),
                end.as_ptr(),
                &self.filter,
                &mut t,
                normal.as_mut_ptr(),
                self.visited.as_mut_ptr(),
                &mut count,
                ROOM as i32,
            )
        };
        // The largest float stands for a ray that hits nothing.
        succeeded("ray", status).map(|()| t.min(1.0))
    }

    /// The distance from a point to the nearest wall within a radius; the radius where there is none.
    pub fn wall(&self, center: &Snapped, radius: f32) -> Result<f32, String> {
        let (mut distance, mut at, mut normal) = (0.0, [0.0_f32; 3], [0.0_f32; 3]);
        // SAFETY: an initialized query, a reference that it gave itself, and places for the answer.
        let status = unsafe {
            sys::dtNavMeshQuery_findDistanceToWall(
                self.query.get(),
                center.polygon,
                center.point.as_ptr(),
                radius,
                &self.filter,
                &mut distance,
                at.as_mut_ptr(),
                normal.as_mut_ptr(),
            )
        };
        succeeded("wall", status).map(|()| distance)
    }

    /// A random point of the mesh.
    pub fn random(&self) -> Result<[f32; 3], String> {
        let (mut polygon, mut point) = (0, [0.0_f32; 3]);
        // SAFETY: an initialized query, a function that takes nothing, and places for the answer.
        let status = unsafe {
            let place = point.as_mut_ptr();
            sys::dtNavMeshQuery_findRandomPoint(self.query.get(), &self.filter, Some(uniform), &mut polygon, place)
        };
        succeeded("random point", status).map(|()| point)
    }

    /// A random point that is reached from a center within a radius, or a little beyond it.
    pub fn random_around(&self, center: &Snapped, radius: f32) -> Result<[f32; 3], String> {
        let (mut polygon, mut point) = (0, [0.0_f32; 3]);
        // SAFETY: as above; the reference is one that the query gave itself.
        let status = unsafe {
            sys::dtNavMeshQuery_findRandomPointAroundCircle(
                self.query.get(),
                center.polygon,
                center.point.as_ptr(),
                radius,
                &self.filter,
                Some(uniform),
                &mut polygon,
                point.as_mut_ptr(),
            )
        };
        succeeded("random point around", status).map(|()| point)
    }
}
