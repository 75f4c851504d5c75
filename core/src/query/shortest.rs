//! The shortest path on the ground, whole and in slices (`maul-nav/query.md`, `mnavQuery_FindShortestPath`).

use super::Query;
use super::checks::checked_position;
use super::drawing::Expansions;
use super::filter::{AREAS, PolygonFilter, least_price};
use super::nearest::nearest_polygon;
use super::node::Entrance;
use super::off_mesh::{OffMeshCrossing, Price};
use super::path_search::{PathSearch, Question};
use super::paths::{DEFAULT_EXTENTS, fill_corridor};
use super::polyanya::{Polyanya, Shortest, ShortestQuestion};
use super::results::{PathEnd, PathOutcome, QueryStatus};
use super::straight::PathPlace;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::geometry::plane::Vec3;
use crate::math::{distance, distance_squared};
use crate::mesh::surface::closest_point;
use crate::mesh::{NavMesh, PolyRef};

/// A shortest path search that is open: what it needs to go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortestSearch {
    search: Shortest,
    /// The start and the end, each on its polygon.
    ends: [PathPlace; 2],
    price: f64,
    version: u64,
    /// Whether no way can lead from the start to the end, so that the search over intervals is not worth running.
    is_cut_off: bool,
    /// Whether the search over intervals did not find the end and the path search has taken over.
    fell_back: bool,
}

impl ShortestSearch {
    /// Nothing has run.
    pub const NONE: ShortestSearch = ShortestSearch {
        search: Shortest::NONE,
        ends: [PathPlace::NOWHERE; 2],
        price: 1.0,
        version: 0,
        is_cut_off: false,
        fell_back: false,
    };

    pub const fn is_open(&self) -> bool {
        !matches!(self.search.status, QueryStatus::None)
    }
}

/// The price that all areas a filter uses have in common; 1 where it uses none.
///
/// All 64 areas are asked, whether the mesh has them or not: the answer is then the filter's alone.
fn one_price<F: PolygonFilter>(filter: &F) -> Result<f64> {
    let first = filter.area_cost(0);
    let is_one = (1..AREAS as u8).fold(true, |is_one, area| is_one & (filter.area_cost(area) == first));
    if is_one && first > 0.0 && first.is_finite() {
        return Ok(first);
    }
    let mut known = None;
    for area in 0..AREAS as u8 {
        let cost = filter.area_cost(area);
        if !cost.is_finite() {
            continue;
        }
        match known {
            None if cost > 0.0 => known = Some(cost),
            Some(price) if price == cost => {}
            _ => {
                let error = Error::invalid(Subject::AreaCost).at(area as usize).value(cost);
                return Err(error.bound(known.unwrap_or(0.0)));
            }
        }
    }
    Ok(known.unwrap_or(1.0))
}

impl Query<'_> {
    /// Finds the shortest path on the ground between two positions: the nearest polygon to each within
    /// [`DEFAULT_EXTENTS`], the shortest way between them that the mesh allows, measured in x and z, and its corners.
    /// [`path`](Query::path) lends the result.
    ///
    /// Where [`find_path`](Query::find_path) searches by one place in each polygon and then pulls the corridor found
    /// tight, this looks at all ways (Polyanya), so no other corridor has a shorter path. All areas that the filter
    /// uses must have one cost. Off-mesh links are crossed from end to end at their cost. Cost and length of the result
    /// are those of its points, in three dimensions.
    ///
    /// An end that is not found gives what [`find_path`](Query::find_path) gives: the way to the closest place, as
    /// [`PathStatus::Partial`](crate::search::PathStatus::Partial). When the node limit kept the search from it, the
    /// end is [`PathEnd::OutOfNodes`], unless the path search tells that there is no way at all; the partial path may
    /// then reach the end, by a way that is not known to be the shortest.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings, TileData, TilePolygon};
    /// use navarena::query::{Filter, Query, QueryDef};
    /// # let limits = MeshLimits { tiles: 1, staged: 1, ..MeshLimits::DEFAULT };
    /// # let def = MeshDef { limits, ..MeshDef::HUMANOID };
    /// # let mut mesh_memory = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut mesh_memory))?;
    /// # let square = |neighbor| [0, 0, 0, neighbor];
    /// # let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 1.0], [0.0, 0.0, 1.0],
    /// #     [4.0, 0.0, 4.0], [3.0, 0.0, 4.0], [3.0, 0.0, 1.0]];
    /// # let data = TileData {
    /// #     x: 0, z: 0, layer: 0, origin: [0.0; 3], vertices: &vertices,
    /// #     polygons: &[TilePolygon { vertex_count: 5, flags: 1, ..TilePolygon::default() },
    /// #         TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
    /// #     indices: &[0, 1, 2, 6, 3, 6, 2, 4, 5], neighbors: &[0, 0, 2, 0, 0, 1, 0, 0, 0],
    /// #     portal_sides: &[255; 9], detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
    /// # };
    /// # mesh.stage_tile_data(&data)?;
    /// # mesh.commit()?;
    /// let mut region = vec![Grain::ZERO; QueryDef::DEFAULT.plan().grains()];
    /// let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut region))?;
    /// // Round the inner corner of an L.
    /// let outcome = query.find_shortest_path(&mesh, [0.0, 0.0, 1.0], [3.0, 0.0, 4.0], &Filter::ALL)?;
    /// assert_eq!((outcome.has_path(), outcome.length), (true, 6.0));
    /// assert_eq!(query.path().points()[1].position, [3.0, 0.0, 1.0]);
    /// // Areas of different costs are another search's.
    /// let roads = Filter::new().with_area_cost(1, 0.5)?;
    /// assert!(query.find_shortest_path(&mesh, [0.0; 3], [3.0, 0.0, 4.0], &roads).is_err());
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the goal. A filter that uses areas at
    /// different costs: the first area that differs from those before it.
    pub fn find_shortest_path<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        filter: &F,
    ) -> Result<PathOutcome> {
        self.find_shortest_path_within(mesh, start, goal, DEFAULT_EXTENTS, filter)
    }

    /// As [`find_shortest_path`](Query::find_shortest_path), looking for the ends' polygons within other extents.
    pub fn find_shortest_path_within<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        half_extents: [f64; 3],
        filter: &F,
    ) -> Result<PathOutcome> {
        checked_position(start, 0)?;
        checked_position(goal, 1)?;
        self.forget();
        let price = one_price(filter)?;
        let Some(from) = nearest_polygon(mesh, start, half_extents, filter)? else {
            return Ok(self.end_without_path(QueryStatus::NoStartNearby));
        };
        let Some(to) = nearest_polygon(mesh, goal, half_extents, filter)? else {
            return Ok(self.end_without_path(QueryStatus::NoEndNearby));
        };
        self.open_shortest(mesh, filter, price, [from.polygon, to.polygon], [PathPlace::of(from), PathPlace::of(to)]);
        self.run_shortest(mesh, filter, u64::MAX);
        self.finish_shortest_path(mesh)
    }

    /// As [`find_shortest_path`](Query::find_shortest_path), from a position in one polygon to a position in another;
    /// each is first moved to the closest point of its polygon. Areas that the filter forbids are not entered, but the
    /// start polygon may be of one.
    ///
    /// Gives [`InvalidStartPoly`](QueryStatus::InvalidStartPoly) or [`InvalidEndPoly`](QueryStatus::InvalidEndPoly) for
    /// a reference that is stale or names nothing, and for an end polygon other than the start's that the filter
    /// rejects.
    pub fn find_shortest_path_between<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end_polygon: PolyRef,
        end: [f64; 3],
        filter: &F,
    ) -> Result<PathOutcome> {
        let begun = self.begin_shortest_path(mesh, start_polygon, start, end_polygon, end, filter)?;
        if begun != QueryStatus::InProgress {
            return Ok(self.outcome);
        }
        self.run_shortest(mesh, filter, u64::MAX);
        self.finish_shortest_path(mesh)
    }

    /// Begins [`find_shortest_path_between`](Query::find_shortest_path_between) in slices. Replaces any search that is
    /// open. Gives [`QueryStatus::InProgress`]; any other status has nothing to step.
    ///
    /// # Errors
    /// Those of [`find_shortest_path`](Query::find_shortest_path).
    pub fn begin_shortest_path<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end_polygon: PolyRef,
        end: [f64; 3],
        filter: &F,
    ) -> Result<QueryStatus> {
        checked_position(start, 0)?;
        checked_position(end, 1)?;
        self.forget();
        let price = one_price(filter)?;
        let Some(from) = PathPlace::on(mesh, start_polygon, start) else {
            return Ok(self.end_without_path(QueryStatus::InvalidStartPoly).detail);
        };
        let is_accepted = mesh
            .polygon(end_polygon)
            .is_ok_and(|(_, end)| end_polygon == start_polygon || filter.accepts(end.flags, end.area));
        let Some(to) = PathPlace::on(mesh, end_polygon, end).filter(|_| is_accepted) else {
            return Ok(self.end_without_path(QueryStatus::InvalidEndPoly).detail);
        };
        self.open_shortest(mesh, filter, price, [start_polygon, end_polygon], [from, to]);
        Ok(QueryStatus::InProgress)
    }

    /// Goes on with a shortest path search by at most `budget` expansions. The filter must be the one it began with.
    /// Any budgets give what one unlimited run gives.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no such search is open, or when the mesh has changed since it began: begin again. A
    /// budget of 0.
    pub fn step_shortest_path<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        budget: u64,
    ) -> Result<QueryStatus> {
        self.check_shortest_open(mesh)?;
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        Ok(self.run_shortest(mesh, filter, budget))
    }

    /// Ends a shortest path search and gives its outcome; [`path`](Query::path) then lends its polygons and points. A
    /// search that has not ended leads to the expanded polygon closest to the end, as [`QueryStatus::InProgress`].
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no such search is open, or when the mesh has changed since it began.
    pub fn finish_shortest_path(&mut self, mesh: &NavMesh<'_>) -> Result<PathOutcome> {
        self.check_shortest_open(mesh)?;
        let ShortestSearch { search, ends, price, version, fell_back, .. } = self.shortest;
        self.shortest = ShortestSearch::NONE;
        self.most.nodes = self.most.nodes.max(search.nodes());
        if fell_back {
            self.finish_path(mesh)?;
            if self.outcome.detail == QueryStatus::Success && search.ran_out() {
                self.outcome.status = QueryStatus::Partial.path_status();
                self.outcome.detail = QueryStatus::Partial;
                self.outcome.end = PathEnd::OutOfNodes;
                self.outcome.node_limit_reached = true;
            }
            self.outcome.iterations += search.iterations;
            self.pull_own_corridor(mesh, ends, false);
            return Ok(self.outcome);
        }
        self.expansions = Expansions::Shortest { version, search };
        let is_found = search.status == QueryStatus::Success;
        let mut state = search;
        let intervals = intervals(&mut self.search, &mut state);
        let last = if is_found { search.last } else { closest_expanded(mesh, &intervals, ends[1].position()) };
        let length = intervals.way_from(last).count();
        self.corridor_len = length.min(self.corridor.len());
        fill_corridor(mesh, self.corridor, self.exits, length, intervals.way_from(last));
        self.outcome = PathOutcome {
            status: search.status.path_status(),
            detail: search.status,
            end: if is_found { PathEnd::Found } else { PathEnd::Unfinished },
            corridor_truncated: length > self.corridor.len(),
            node_limit_reached: search.ran_out(),
            iterations: search.iterations,
            ..PathOutcome::default()
        };
        self.most.corridor = self.most.corridor.max(self.corridor_len as u32);
        self.exit_count = self.corridor_len;
        self.pull_own_corridor(mesh, ends, true);
        // A path cut off may have lost links.
        let has_links = self.link_count > 0 || self.outcome.points_truncated;
        let difference = if has_links { self.link_difference(mesh, price) } else { 0.0 };
        self.outcome.cost = self.outcome.length * price + difference;
        Ok(self.outcome)
    }

    /// By how much the links of the corridor cost more than their length at a price.
    fn link_difference(&self, mesh: &NavMesh<'_>, price: f64) -> f64 {
        let corridor = &self.corridor[..self.corridor_len];
        let steps = corridor.iter().zip(self.exits.iter().skip(1)).take(corridor.len().saturating_sub(1));
        steps.fold(0.0, |sum, (&from, &exit)| match crossing_through(mesh, from, exit) {
            Some(OffMeshCrossing { near, far, price: Price::Declared { cost, .. }, .. }) => {
                sum + (cost - distance(near, far) * price)
            }
            _ => sum,
        })
    }

    fn open_shortest<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        price: f64,
        polygons: [PolyRef; 2],
        ends: [PathPlace; 2],
    ) {
        let scale = least_price(mesh, filter) / price;
        let [start, goal] = ends.map(|end| seen_from_above(end.position()));
        let question = ShortestQuestion {
            start,
            start_polygon: Entrance::into(polygons[0], 0),
            goal,
            goal_polygon: Entrance::into(polygons[1], 0).polygon(),
            price,
            scale: if scale < 1.0 { scale } else { 1.0 },
            max_length: self.path_length,
        };
        let is_cut_off = !mesh.may_join(polygons[0], polygons[1]);
        self.shortest = ShortestSearch { ends, price, version: mesh.version(), is_cut_off, ..ShortestSearch::NONE };
        intervals(&mut self.search, &mut self.shortest.search).begin(question);
    }

    fn run_shortest<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) -> QueryStatus {
        let mut left = budget;
        if !self.shortest.fell_back {
            if !self.shortest.is_cut_off {
                left = intervals(&mut self.search, &mut self.shortest.search).run(mesh, filter, budget);
                if self.shortest.search.status != QueryStatus::Partial {
                    return self.shortest.search.status;
                }
            }
            self.fall_back(mesh, filter);
        }
        if left > 0 {
            self.run(mesh, filter, left);
        }
        self.search.progress.status
    }

    /// Leaves what was not found to the path search.
    fn fall_back<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F) {
        let ShortestSearch { search, ends, version, .. } = self.shortest;
        debug_assert!(version == mesh.version());
        let question = Question {
            goal: ends[1].position(),
            goal_polygon: search.question.goal_polygon,
            min_cost: least_price(mesh, filter),
            max_length: self.path_length,
            version,
        };
        let start = search.question.start_polygon;
        self.search.begin(question, start.slot(), start.index(), ends[0].position());
        self.shortest.fell_back = true;
    }

    fn check_shortest_open(&self, mesh: &NavMesh<'_>) -> Result<()> {
        if !self.shortest.is_open() || self.shortest.version != mesh.version() {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        Ok(())
    }
}

fn seen_from_above(position: Vec3) -> [f64; 2] {
    [position[0], position[2]]
}

fn intervals<'a, 'm>(search: &'a mut PathSearch<'m>, state: &'a mut Shortest) -> Polyanya<'a, 'm> {
    Polyanya { nodes: search.nodes, table: &mut search.table, open: &mut search.open, state }
}

/// The off-mesh link that a polygon's exit leads over; none for an edge or a tile portal.
fn crossing_through(mesh: &NavMesh<'_>, from: PolyRef, exit: u32) -> Option<OffMeshCrossing> {
    let ground = mesh.ground_of(from)?;
    let polygon = ground.polygons.get(from.index() as usize)?;
    let at = exit.checked_sub(polygon.edge_count.into())? as usize;
    OffMeshCrossing::of(mesh, ground.links_of(polygon).get(at)?)
}

/// The interval expanded whose polygon is closest to a position, the first of those as close; before any, the start's.
fn closest_expanded(mesh: &NavMesh<'_>, intervals: &Polyanya<'_, '_>, position: Vec3) -> u32 {
    let mut closest = (f64::INFINITY, 0);
    for (number, entrance) in intervals.expanded() {
        let Some(tile) = mesh.tile(entrance.slot() as usize) else { continue };
        let Some(polygon) = tile.polygons.get(entrance.index() as usize) else { continue };
        let squared = distance_squared(closest_point(&tile, polygon, position).point, position);
        if squared < closest.0 {
            closest = (squared, number);
        }
    }
    closest.1
}
