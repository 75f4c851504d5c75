//! Rays over the surface: whether one can go straight from here to there (`navmesh-queries.md`, "Raycast"; what ended
//! it, `maul-nav/query.md`).
//!
//! A ray needs no search memory, so [`raycast`] is a function of the mesh alone, as
//! [`nearest_polygon`](super::nearest_polygon) is, and any number of threads cast at once without a query each. The list
//! of polygons crossed is the caller's slice. [`Query::raycast`] is the same with the query's own list and its limit.

use super::Query;
use super::filter::PolygonFilter;
use super::plane::Vec3;
use super::surface::height_at;
use super::trace::{MoveEnd, RaycastStatus, TraceTask, Traced, Visited, trace};
use crate::error::Result;
use crate::math::sqrt;
use crate::mesh::{NavMesh, PolyRef};

/// How a ray ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ray {
    /// Whether it could begin.
    pub status: RaycastStatus,
    /// What ended it.
    pub end: MoveEnd,
    /// How far it came, 0 at the start to 1 at the end; 1 exactly when the end was reached.
    pub t: f64,
    /// For a hit, the unit normal of the edge in the plane, out of the polygon; else zero.
    pub normal: [f64; 3],
    /// The last polygon: where the ray ends, or whose edge it hit. None when the ray could not begin.
    pub polygon: PolyRef,
    /// For a hit, the edge of that polygon.
    pub edge: u32,
    /// How many polygons were written to the list, the start's first.
    pub visited: usize,
    /// Whether the list was too short for all polygons met; it holds the first ones.
    pub truncated: bool,
}

impl Ray {
    /// Whether a wall or the end of the loaded tiles stopped it.
    pub const fn is_hit(&self) -> bool {
        self.end.is_hit()
    }

    /// Where it ended, of the start and end that it was cast between: on the surface of its last polygon. None when the
    /// ray could not begin, or the mesh has changed since.
    pub fn point(&self, mesh: &NavMesh<'_>, start: [f64; 3], end: [f64; 3]) -> Option<[f64; 3]> {
        let (tile, polygon) = mesh.polygon(self.polygon).ok()?;
        // Exactly the end when it was reached.
        let on = if self.end == MoveEnd::Reached { end } else { crate::math::lerp(start, end, self.t) };
        Some([on[0], height_at(&tile, polygon, on), on[2]])
    }

    fn of(traced: &Traced, visited: &Visited<'_>) -> Ray {
        Ray {
            status: traced.status,
            end: traced.end,
            t: traced.t,
            normal: if traced.end.is_hit() { outward(traced.ends) } else { [0.0; 3] },
            polygon: traced.polygon,
            edge: traced.edge,
            visited: visited.written(),
            truncated: visited.is_truncated(),
        }
    }
}

/// The unit normal to the right of an edge: out of its polygon.
fn outward((a, b): (Vec3, Vec3)) -> Vec3 {
    let (x, z) = (b[2] - a[2], a[0] - b[0]);
    let length = sqrt(x * x + z * z);
    [x / length, 0.0, z / length]
}

/// Follows a straight line over the surface, seen from above, from a position in a polygon until it reaches the end or
/// something stops it.
///
/// It goes from polygon to polygon through shared edges and tile portals, never over off-mesh links; heights are not
/// looked at. A line through a corner goes on if any edge there leads on. A rejected or stale start polygon, or a start
/// outside of it, is a [`RaycastStatus`]; the polygons met go into `visited`, which may be empty.
///
/// # Errors
/// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
///
/// # Cost
/// The edges of the polygons crossed; no memory. Source: `navmesh-queries.md`, "Raycast".
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// use navarena::query::{Filter, MoveEnd, nearest_polygon, raycast};
/// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
/// # let mut region = vec![Grain::ZERO; def.plan().grains()];
/// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
/// # let floor = TileData {
/// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
/// #     vertices: &[[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 0.0, 20.0], [0.0, 0.0, 20.0]],
/// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
/// #     indices: &[0, 1, 2, 3], neighbors: &[0; 4], portal_sides: &[255; 4],
/// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
/// # };
/// # let mut bytes = [0; 256];
/// # let size = floor.write(mesh.params(), &mut bytes)?;
/// # mesh.stage_tile(&bytes[..size])?;
/// # mesh.commit()?;
/// // A floor of 20 by 20.
/// let start = nearest_polygon(&mesh, [4.0, 0.0, 4.0], [1.0; 3], &Filter::ALL)?.expect("a floor");
/// let ray = raycast(&mesh, start.polygon, start.point, [36.0, 0.0, 4.0], &Filter::ALL, &mut [])?;
/// assert_eq!((ray.end, ray.t, ray.normal), (MoveEnd::Wall, 0.5, [1.0, 0.0, 0.0]));
/// assert_eq!(ray.point(&mesh, start.point, [36.0, 0.0, 4.0]), Some([20.0, 0.0, 4.0]));
/// # Ok::<(), navarena::error::Error>(())
/// ```
pub fn raycast<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    start_polygon: PolyRef,
    start: [f64; 3],
    end: [f64; 3],
    filter: &F,
    visited: &mut [PolyRef],
) -> Result<Ray> {
    // No straight line meets more polygons than there can be.
    let task = TraceTask::new(start_polygon, [start, end], filter, mesh.limits().polygons as usize)?;
    let mut visited = Visited::into(visited);
    let traced = trace(mesh, &task, &mut visited);
    Ok(Ray::of(&traced, &visited))
}

impl Query<'_> {
    /// As [`raycast`], stopping at as many polygons as the def has nodes ([`MoveEnd::OutOfNodes`]).
    /// [`visited`](Query::visited) then lends the polygons met, as many as a corridor may have. Forgets the last path; a
    /// sliced search that is open stays open.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    pub fn raycast<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end: [f64; 3],
        filter: &F,
    ) -> Result<Ray> {
        let task = TraceTask::new(start_polygon, [start, end], filter, self.search.nodes.len())?;
        let mut visited = Visited::into(self.corridor);
        let traced = trace(mesh, &task, &mut visited);
        let ray = Ray::of(&traced, &visited);
        self.lend_visited(ray.visited);
        Ok(ray)
    }

    /// The polygons met by the last ray or move, the start's first; lent until the next search, ray or move.
    pub fn visited(&self) -> &[PolyRef] {
        &self.corridor[..self.corridor_len]
    }

    /// Takes so many polygons of the corridor's list as the result, in the last path's place.
    pub(super) fn lend_visited(&mut self, count: usize) {
        self.outcome = super::PathOutcome::default();
        self.point_count = 0;
        self.corridor_len = count;
        self.most.corridor = self.most.corridor.max(count as u32);
    }
}
