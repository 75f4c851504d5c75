//! Moving along the surface with one slide: the ray's trace, and where it hits, the nearest point of the wall
//! (`navmesh-queries.md`, "Move along surface").

use super::Query;
use super::filter::PolygonFilter;
use super::plane::between;
use super::surface::{closest_point, fraction_along, height_at};
use super::trace::{MoveEnd, RaycastStatus, TraceTask, Traced, Visited, trace};
use crate::error::Result;
use crate::math::lerp;
use crate::mesh::{NavMesh, PolyRef};

/// Where a move along the surface led.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SurfaceMove {
    /// Whether it could begin.
    pub status: RaycastStatus,
    /// What ended it.
    pub end: MoveEnd,
    /// Where it ended: always on that polygon's surface; the start when the move could not begin.
    pub position: [f64; 3],
    /// The polygon it ended on; none when the move could not begin.
    pub polygon: PolyRef,
    /// How many polygons were written to the list, the start's first.
    pub visited: usize,
    /// Whether the list was too short for all polygons; it holds the first ones.
    pub truncated: bool,
}

impl SurfaceMove {
    /// Whether a wall or the end of the loaded tiles stopped it.
    pub const fn is_blocked(&self) -> bool {
        self.end.is_hit()
    }
}

/// Moves from a position in a polygon straight toward an end, as [`raycast`](super::raycast) does; stopped by a wall, it
/// slides to the point of that wall's edge nearest the end.
///
/// One slide only: call it again from the result to slide on. A rejected or stale start polygon, or a start outside of
/// it, is a [`RaycastStatus`]; the polygons met go into `visited`, which may be empty.
///
/// # Errors
/// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
///
/// # Cost
/// The edges of the polygons crossed and one surface height; no memory. Source: `navmesh-queries.md`, "Move along
/// surface".
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// use navarena::query::{Filter, move_along_surface, nearest_polygon};
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
/// let moved = move_along_surface(&mesh, start.polygon, start.point, [36.0, 0.0, 8.0], &Filter::ALL, &mut [])?;
/// assert_eq!((moved.is_blocked(), moved.position), (true, [20.0, 0.0, 8.0]));
/// # Ok::<(), navarena::error::Error>(())
/// ```
pub fn move_along_surface<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    start_polygon: PolyRef,
    start: [f64; 3],
    end: [f64; 3],
    filter: &F,
    visited: &mut [PolyRef],
) -> Result<SurfaceMove> {
    let task = TraceTask::new(start_polygon, [start, end], filter, mesh.limits().polygons as usize)?;
    Ok(slide(mesh, &task, Visited::into(visited)))
}

impl Query<'_> {
    /// As [`move_along_surface`], stopping at as many polygons as the def has nodes ([`MoveEnd::OutOfNodes`]).
    /// [`visited`](Query::visited) then lends the polygons met, as many as a corridor may have. Forgets the last path; a
    /// sliced search that is open stays open.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    pub fn move_along_surface<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end: [f64; 3],
        filter: &F,
    ) -> Result<SurfaceMove> {
        let task = TraceTask::new(start_polygon, [start, end], filter, self.search.nodes.len())?;
        let moved = slide(mesh, &task, Visited::into(self.corridor));
        self.lend_visited(moved.visited);
        Ok(moved)
    }
}

pub(super) fn slide<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    task: &TraceTask<'_, F>,
    mut visited: Visited<'_>,
) -> SurfaceMove {
    let traced = trace(mesh, task, &mut visited);
    SurfaceMove {
        status: traced.status,
        end: traced.end,
        position: place(mesh, task, &traced),
        polygon: traced.polygon,
        visited: visited.written(),
        truncated: visited.is_truncated(),
    }
}

/// Where a trace leaves who moved along it.
fn place<F>(mesh: &NavMesh<'_>, task: &TraceTask<'_, F>, traced: &Traced) -> [f64; 3] {
    if traced.end.is_hit() {
        let (a, b) = traced.ends;
        return between(a, b, fraction_along(a, b, task.end));
    }
    let Ok((tile, polygon)) = mesh.polygon(traced.polygon) else { return task.start };
    match traced.end {
        MoveEnd::Reached => [task.end[0], height_at(&tile, polygon, task.end), task.end[2]],
        // Where it would have left the last polygon, which rounding can have put next to it.
        _ => closest_point(&tile, polygon, lerp(task.start, task.end, traced.t)).point,
    }
}
