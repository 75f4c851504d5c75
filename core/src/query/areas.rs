//! The area calls and what they give back: which polygons can be reached within a circle, a convex shape or a local
//! neighbourhood (`navmesh-queries.md`, "Polygon-set queries"; `path-results.md`, `AreaQueryStatus`).

use super::Query;
use super::area_search::{About, AreaNode, AreaProgress, AreaSearch, area_nodes, area_nodes_mut, expanded};
use super::checks::checked_position;
use super::filter::PolygonFilter;
use super::shape::{Shape, checked_radius, extent_of, mean_of, read_convex};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Pod, Zeroable};
use crate::mesh::{NavMesh, PolyRef};

/// The outcome of an area query, with OnePath's numbers; zero is never success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum AreaStatus {
    /// Nothing has run.
    #[default]
    None = 0,
    /// Every polygon that can be reached was found, the node limit allowing.
    Success = 1,
    /// The search has not ended.
    InProgress = 2,
    /// The start polygon's reference names none, is stale, or the filter rejects it.
    InvalidStartPoly = 3,
    /// The shape has fewer than 3 or more than 64 points, repeats one, has no area, or is not convex.
    InvalidShape = 4,
}

/// How an area query went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AreaOutcome {
    /// The outcome.
    pub status: AreaStatus,
    /// How many polygons were found.
    pub count: u32,
    /// Whether the node limit had polygons dropped.
    pub node_limit_reached: bool,
}

/// A circle on the ground, and the polygon to search it from.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Circle {
    /// Where the search begins; usually the polygon nearest to the center.
    pub polygon: PolyRef,
    /// The center; its height counts only for walls of one floor.
    pub center: [f64; 3],
    /// The radius in world units, 0 to 2^22.
    pub radius: f64,
}

/// One polygon that an area query found.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AreaPolygon {
    /// The polygon.
    pub polygon: PolyRef,
    /// The polygon it was reached from; [`PolyRef::NONE`] for the start.
    pub parent: PolyRef,
    /// The squared distance in the plane from the circle's center, or the mean of the shape's points, to the portal it
    /// was reached through; 0 for the start.
    pub distance_squared: f64,
}

/// The polygons of the last area query in the order they were expanded, lent until the next search.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    nodes: &'a [AreaNode],
    progress: &'a AreaProgress,
}

impl<'a> Area<'a> {
    /// How the query went, or how far it has come.
    pub fn outcome(&self) -> AreaOutcome {
        AreaOutcome {
            status: self.progress.status,
            count: self.progress.expanded,
            node_limit_reached: self.progress.node_limit_reached,
        }
    }

    /// How many polygons there are.
    pub fn len(&self) -> usize {
        self.progress.expanded as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The polygons, the start first, then by distance as the search met them.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = AreaPolygon> + use<'a> {
        let nodes = self.nodes;
        expanded(nodes, self.progress).map(move |node| AreaPolygon {
            polygon: node.polygon,
            parent: nodes.get(node.parent as usize).map_or(PolyRef::NONE, |parent| parent.polygon),
            distance_squared: node.key,
        })
    }

    /// Copies the first polygons, as many as there is room for, and returns how many there are in all.
    pub fn copy_into(&self, out: &mut [AreaPolygon]) -> usize {
        out.iter_mut().zip(self.polygons()).for_each(|(place, polygon)| *place = polygon);
        self.len()
    }
}

impl<'m> Query<'m> {
    /// Finds the polygons that can be reached from a polygon over portals that touch a circle. [`area`](Query::area)
    /// lends them.
    ///
    /// The filter decides which polygons are entered; its prices don't count, and off-mesh links are not followed. The
    /// start is in the result even if the circle misses it. Ends a sliced search that is open. Takes O(n log n) for n
    /// polygons found.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
    /// use navarena::query::{AreaStatus, Circle, Filter, Query, QueryDef, nearest_polygon};
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
    /// # let def = QueryDef { nodes: 64, ..QueryDef::DEFAULT };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut query = Query::new(&def, &mut Arena::new(&mut region))?;
    /// // Two rooms side by side, 8 units wide.
    /// let center = [6.0, 0.0, 4.0];
    /// let start = nearest_polygon(&mesh, center, [1.0; 3], &Filter::ALL)?.unwrap();
    /// let circle = Circle { polygon: start.polygon, center, radius: 3.0 };
    /// let outcome = query.find_circle(&mesh, circle, &Filter::ALL)?;
    /// assert_eq!((outcome.status, outcome.count), (AreaStatus::Success, 2));
    /// let other = query.area().polygons().nth(1).unwrap();
    /// assert_eq!((other.parent, other.distance_squared), (start.polygon, 4.0));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A center that is not finite or not within 2^21; a radius that is not finite, negative or above 2^22.
    pub fn find_circle<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
    ) -> Result<AreaOutcome> {
        self.begin_circle(mesh, circle, filter)?;
        Ok(self.finish_whole_area(mesh, filter))
    }

    /// Finds the polygons that can be reached from a polygon over portals that touch a convex shape of 3 to 64 points,
    /// whichever way round; their heights don't count. Otherwise as [`find_circle`](Query::find_circle).
    ///
    /// # Errors
    /// A point that is not finite or not within 2^21, by its number.
    pub fn find_shape<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: PolyRef,
        points: &[[f64; 3]],
        filter: &F,
    ) -> Result<AreaOutcome> {
        self.begin_shape(mesh, start, points, filter)?;
        Ok(self.finish_whole_area(mesh, filter))
    }

    /// As [`find_circle`](Query::find_circle), without polygons that overlap one met before: of floors above one another
    /// each place appears once. Polygons left out are not searched through.
    ///
    /// Each polygon met is compared with all met before, so it is for small circles.
    ///
    /// # Errors
    /// As for [`find_circle`](Query::find_circle).
    pub fn find_neighbourhood<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
    ) -> Result<AreaOutcome> {
        self.begin_neighbourhood(mesh, circle, filter)?;
        Ok(self.finish_whole_area(mesh, filter))
    }

    /// Begins [`find_circle`](Query::find_circle) in slices. Replaces any search that is open.
    ///
    /// Gives [`AreaStatus::InProgress`], or [`AreaStatus::InvalidStartPoly`] with nothing to step.
    ///
    /// # Errors
    /// As for [`find_circle`](Query::find_circle).
    pub fn begin_circle<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
    ) -> Result<AreaStatus> {
        self.begin_round(mesh, circle, false, filter)
    }

    /// Begins [`find_neighbourhood`](Query::find_neighbourhood) in slices, as [`begin_circle`](Query::begin_circle).
    ///
    /// # Errors
    /// As for [`find_circle`](Query::find_circle).
    pub fn begin_neighbourhood<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
    ) -> Result<AreaStatus> {
        self.begin_round(mesh, circle, true, filter)
    }

    /// Begins [`find_shape`](Query::find_shape) in slices. Replaces any search that is open.
    ///
    /// Gives [`AreaStatus::InProgress`], or [`AreaStatus::InvalidShape`] or [`AreaStatus::InvalidStartPoly`] with
    /// nothing to step.
    ///
    /// # Errors
    /// As for [`find_shape`](Query::find_shape).
    pub fn begin_shape<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: PolyRef,
        points: &[[f64; 3]],
        filter: &F,
    ) -> Result<AreaStatus> {
        for (which, &point) in points.iter().enumerate() {
            checked_position(point, which)?;
        }
        self.forget();
        let Some(count) = read_convex(points, self.ring) else {
            self.area.status = AreaStatus::InvalidShape;
            return Ok(AreaStatus::InvalidShape);
        };
        let about = About::Convex { points: count as u32, reference: mean_of(points) };
        Ok(self.begin_area(mesh, start, AreaProgress { about, ..AreaProgress::NONE }, filter))
    }

    /// Goes on with an area search by at most `budget` expansions of polygons. The filter must be the one it began
    /// with. Any budgets give what one unlimited run gives.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no area search is open, or when the mesh has changed since it began: begin again. A
    /// budget of 0.
    pub fn step_area<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) -> Result<AreaStatus> {
        self.check_area_open(mesh)?;
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        self.area_search().run(mesh, filter, budget);
        Ok(self.area.status)
    }

    /// Ends an area search and gives its outcome; [`area`](Query::area) then lends the polygons. A search that has not
    /// ended has those expanded so far, as [`AreaStatus::InProgress`].
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no area search is open, or when the mesh has changed since it began.
    pub fn finish_area(&mut self, mesh: &NavMesh<'_>) -> Result<AreaOutcome> {
        self.check_area_open(mesh)?;
        Ok(self.close_area())
    }

    /// The polygons of the last area query, lent until the next search of any kind; those of a search that is open as
    /// far as it has come.
    pub fn area(&self) -> Area<'_> {
        Area { nodes: area_nodes(self.search.nodes), progress: &self.area }
    }

    /// Runs a search that was begun to its end, if it could be, and ends it.
    pub(super) fn finish_whole_area<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F) -> AreaOutcome {
        self.area_search().run(mesh, filter, u64::MAX);
        self.close_area()
    }

    /// Ends the search that is open, if one is.
    pub(super) fn close_area(&mut self) -> AreaOutcome {
        self.area.is_open = false;
        self.most.nodes = self.most.nodes.max(self.area.node_count);
        self.area().outcome()
    }

    pub(super) fn check_area_open(&self, mesh: &NavMesh<'_>) -> Result<()> {
        if !self.area.is_open || self.area.version != mesh.version() {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        Ok(())
    }

    fn begin_round<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        is_neighbourhood: bool,
        filter: &F,
    ) -> Result<AreaStatus> {
        checked_position(circle.center, 0)?;
        checked_radius(circle.radius)?;
        let about = About::Circle { center: circle.center, radius: circle.radius };
        let progress = AreaProgress { about, is_neighbourhood, ..AreaProgress::NONE };
        Ok(self.begin_area(mesh, circle.polygon, progress, filter))
    }

    fn begin_area<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: PolyRef,
        progress: AreaProgress,
        filter: &F,
    ) -> AreaStatus {
        self.forget();
        let ground = mesh.ground_of(start);
        let polygon = ground.and_then(|ground| ground.polygons.get(start.index() as usize));
        if !polygon.is_some_and(|polygon| filter.accepts(polygon.flags, polygon.area)) {
            self.area.status = AreaStatus::InvalidStartPoly;
            return self.area.status;
        }
        self.area = AreaProgress { status: AreaStatus::InProgress, is_open: true, version: mesh.version(), ..progress };
        self.area_search().begin(mesh, start);
        self.area.status
    }

    fn area_search(&mut self) -> AreaSearch<'_, 'm> {
        let shape = match self.area.about {
            About::Circle { center, radius } => Shape::Circle { center, radius },
            About::Convex { points, reference } => {
                let ring = self.ring.get(..points as usize).unwrap_or(&[]);
                Shape::Convex { ring, extent: extent_of(ring), reference }
            }
        };
        AreaSearch {
            nodes: area_nodes_mut(self.search.nodes),
            table: &mut self.search.table,
            open: &mut self.search.open,
            progress: &mut self.area,
            shape,
        }
    }
}
