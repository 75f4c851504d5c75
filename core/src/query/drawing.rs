//! Searches in a debug buffer: which polygons a search expanded, in that order, the corridor and the points it found; the
//! polygons of an area; walls; rays and moves (`navmesh-queries.md`, "Debug geometry"; `maul-nav/debug.md`).
//!
//! The order of expansion costs no memory. A node that is expanded keeps the number that the next node to wait would
//! have had, and later ones count on from there; listed by those numbers, in the arrays that the search is done with,
//! the nodes stand in the order they were expanded in.

use super::Query;
use super::move_along::SurfaceMove;
use super::node::Entrance;
use super::polyanya::{Shortest, entrance_in};
use super::raycast::Ray;
use super::results::Path;
use super::trace::MoveEnd;
use super::walls::WallSegment;
use crate::debug::{DebugBuffer, DebugKind};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::{add, sqrt};
use crate::mesh::{NavMesh, PolyRef};
use crate::search::{FloatEntry, spread};

/// Which search's nodes the arrays hold, once it is done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expansions {
    /// None's, or those of a search that keeps its own order.
    None,
    /// The path search's, of a mesh of this version.
    Path { version: u64 },
    /// The shortest path search's.
    Shortest { version: u64, search: Shortest },
}

impl Query<'_> {
    /// Appends how the last path was found: the outlines of the polygons that the search expanded, each once, in
    /// [expansion order](Query::expanded_polygons); the outlines of the corridor's polygons; and the lines between the
    /// path's points. What the last call did not make is left out.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
    /// use navarena::debug::{DebugBuffer, DebugKind, DebugVertex};
    /// use navarena::query::{Filter, Query, QueryDef};
    /// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
    /// # let floor = TileData {
    /// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
    /// #     vertices: &[[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [16.0, 0.0, 0.0], [16.0, 0.0, 8.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]],
    /// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }; 2],
    /// #     indices: &[0, 1, 4, 5, 1, 2, 3, 4], neighbors: &[0, 2, 0, 0, 0, 0, 0, 1], portal_sides: &[255; 8],
    /// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
    /// # };
    /// # mesh.stage_tile_data(&floor)?;
    /// # mesh.commit()?;
    /// # let mut region = vec![Grain::ZERO; QueryDef::DEFAULT.plan().grains()];
    /// # let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut region))?;
    /// // Two rooms side by side.
    /// query.find_path(&mesh, [6.0, 0.0, 4.0], [10.0, 0.0, 4.0], &Filter::ALL)?;
    /// let (mut vertices, mut lines) = ([DebugVertex::default(); 64], [[0; 2]; 64]);
    /// let mut buffer = DebugBuffer::over([0.0; 3], &mut vertices, &mut [], &mut lines)?;
    /// query.debug_path(&mesh, &mut buffer)?;
    /// // Two squares expanded, two in the corridor, one line between two points.
    /// assert_eq!((buffer.vertices().len(), buffer.lines().len()), (4 * 4 + 2, 4 * 4 + 1));
    /// assert_eq!(buffer.vertices()[4].kind(), Some(DebugKind::Expanded));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`expanded_polygons`](Query::expanded_polygons); nothing is appended.
    pub fn debug_path(&mut self, mesh: &NavMesh<'_>, buffer: &mut DebugBuffer<'_>) -> Result<()> {
        self.each_expanded(mesh, |place, polygon| {
            mesh.debug_outline(polygon, DebugKind::Expanded, place as f32, buffer);
        })?;
        for (place, &polygon) in self.corridor[..self.corridor_len].iter().enumerate() {
            mesh.debug_outline(polygon, DebugKind::Corridor, place as f32, buffer);
        }
        self.path().debug(buffer);
        Ok(())
    }

    /// Copies the polygons that the last path search expanded, each once, in the order of their expansion, and returns
    /// how many there are; a full buffer keeps the first. None after a search of another kind.
    ///
    /// A polygon expanded for several of its crossings or intervals stands where the first was expanded. One that was
    /// expanded and then found by a better way, which only rounding or a filter with a wrong least cost brings about,
    /// stands where it was expanded again, or found again.
    ///
    /// # Errors
    /// [`ErrorKind::State`] while a sliced search is open, or when the mesh has changed since the search.
    ///
    /// # Cost
    /// O(n log n) for n nodes expanded; the search's own arrays serve for it.
    pub fn expanded_polygons(&mut self, mesh: &NavMesh<'_>, polygons: &mut [PolyRef]) -> Result<usize> {
        self.each_expanded(mesh, |place, polygon| {
            if let Some(slot) = polygons.get_mut(place) {
                *slot = polygon;
            }
        })
    }

    fn each_expanded(&mut self, mesh: &NavMesh<'_>, mut show: impl FnMut(usize, PolyRef)) -> Result<usize> {
        let is_open = self.search.progress.status != super::QueryStatus::None;
        if is_open || self.shortest.is_open() || self.area.is_open {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        let version = match self.expansions {
            Expansions::None => return Ok(0),
            Expansions::Path { version } | Expansions::Shortest { version, .. } => version,
        };
        if version != mesh.version() {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        self.line_up_expansions();
        let mut count = 0;
        while let Some(entry) = self.search.open.pop() {
            let polygon = self.expanded_entrance(entry.node());
            if self.is_first_of_polygon(entry.node(), polygon) {
                let tile = mesh.tile_ref(polygon.slot()).unwrap_or_default();
                show(count, tile.polygon(polygon.index()));
                count += 1;
            }
        }
        Ok(count)
    }

    /// Puts the nodes expanded into the open set, in the order of their expansion, and empties the table.
    fn line_up_expansions(&mut self) {
        let search = &mut self.search;
        search.open.clear();
        search.table.begin();
        match &self.expansions {
            Expansions::None => {}
            Expansions::Path { .. } => {
                let nodes = &search.nodes[..search.progress.node_count as usize];
                for (number, node) in nodes.iter().enumerate().filter(|(_, node)| node.ticket.was_expanded()) {
                    let at = node.ticket.sequence();
                    let _ = search.open.push(FloatEntry::new(at.into(), at, number as u32));
                }
            }
            Expansions::Shortest { search: state, .. } => {
                for (number, at) in state.expansions(search.nodes) {
                    let _ = search.open.push(FloatEntry::new(at.into(), at, number));
                }
            }
        }
    }

    fn expanded_entrance(&self, node: u32) -> Entrance {
        let node = &self.search.nodes[node as usize];
        if matches!(self.expansions, Expansions::Shortest { .. }) { entrance_in(node) } else { node.entrance }
    }

    /// Whether no node of the same polygon came before; notes it.
    fn is_first_of_polygon(&mut self, node: u32, entrance: Entrance) -> bool {
        let key = entrance.polygon();
        let found = self.search.table.find(spread(key), |at| self.expanded_entrance(at).polygon() == key);
        match found {
            Ok(_) => false,
            Err(place) => {
                self.search.table.insert(place, node);
                true
            }
        }
    }

    /// Appends the outlines of the polygons of the last area search, in the order they were expanded, each with the
    /// distance in the plane at which it was reached. Polygons whose tile has gone are left out.
    pub fn debug_area(&self, mesh: &NavMesh<'_>, buffer: &mut DebugBuffer<'_>) {
        for polygon in self.area().polygons() {
            let distance = sqrt(polygon.distance_squared) as f32;
            mesh.debug_outline(polygon.polygon, DebugKind::Reached, distance, buffer);
        }
    }
}

impl Path<'_> {
    /// Appends the lines between the path's points, each vertex with its point's number.
    pub fn debug(&self, buffer: &mut DebugBuffer<'_>) {
        let mut before = None;
        for (number, point) in self.points.iter().enumerate() {
            let vertex = buffer.vertex(DebugKind::Path, number as f32, point.position);
            if let Some(before) = before.replace(vertex) {
                buffer.line([before, vertex]);
            }
        }
    }
}

/// Appends walls as lines, each with its distance; those with no tile loaded behind as [`DebugKind::TileSide`].
pub fn debug_walls(walls: &[WallSegment], buffer: &mut DebugBuffer<'_>) {
    for wall in walls {
        let kind = if wall.is_not_loaded() { DebugKind::TileSide } else { DebugKind::Wall };
        buffer.segment(kind, wall.distance() as f32, [wall.start, wall.end]);
    }
}

impl Ray {
    /// Appends a ray, of the start and end it was cast between: the line from its start to where it ended, on the surface
    /// of its last polygon; and for a hit the edge it hit and a line of length 1 from there along the normal, away from
    /// the walkable side. Nothing of a ray that could not begin, or of a mesh that has changed since. The polygons
    /// it met are for [`NavMesh::debug_outlines`].
    pub fn debug(&self, mesh: &NavMesh<'_>, start: [f64; 3], end: [f64; 3], buffer: &mut DebugBuffer<'_>) {
        let Some(point) = self.point(mesh, start, end) else { return };
        let from = buffer.vertex(DebugKind::Ray, 0.0, start);
        let to = buffer.vertex(DebugKind::Ray, self.t as f32, point);
        buffer.line([from, to]);
        let ends = mesh.ground_of(self.polygon).and_then(|ground| {
            let polygon = ground.polygons.get(self.polygon.index() as usize)?;
            ground.edge_ends(polygon, self.edge as usize)
        });
        if let Some((a, b)) = ends.filter(|_| self.is_hit()) {
            let kind = if self.end == MoveEnd::NotLoaded { DebugKind::TileSide } else { DebugKind::Wall };
            buffer.segment(kind, self.t as f32, [a, b]);
            let tip = buffer.vertex(DebugKind::Ray, self.t as f32, add(point, self.normal));
            buffer.line([to, tip]);
        }
    }
}

impl SurfaceMove {
    /// Appends a move from its start as a line to where it ended. The polygons it met are for
    /// [`NavMesh::debug_outlines`].
    pub fn debug(&self, start: [f64; 3], buffer: &mut DebugBuffer<'_>) {
        let from = buffer.vertex(DebugKind::Path, 0.0, start);
        let to = buffer.vertex(DebugKind::Path, 1.0, self.position);
        buffer.line([from, to]);
    }
}
