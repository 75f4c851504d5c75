//! Queries over a navigation mesh: the nearest polygon, the way from here to there and its corners, and what lies near.
//!
//! A mesh is an argument of every call and is only read. Some calls need nothing else, and are functions of it:
//! [`nearest_polygon`], [`polygons_in_box`], [`raycast`], [`move_along_surface`], [`height_on`]. Searching takes work
//! memory, which a [`Query`] holds; it keeps no state of the mesh between searches, so one query serves any number of
//! meshes, one call at a time.
//!
//! [`Query::find_path`] does all that most callers want. Underneath it, in the order of a path's making: the search
//! over polygons ([`begin_path`](Query::begin_path), [`step`](Query::step), [`finish_path`](Query::finish_path)), which
//! gives a corridor, and the funnel ([`straight_path`](Query::straight_path)), which pulls a path through it tight.
//! [`Query::check_reachable`] only tells whether there is a way. [`Query::find_shortest_path`] looks at all ways and
//! finds the shortest on the ground, where all areas cost the same. [`Query::path_areas`] tells where along a path the
//! area changes.
//!
//! What stands where it is moves straight with [`move_along_surface`], or round what is in its way with
//! [`Query::walk_along_surface`].
//!
//! What lies near a position: [`find_circle`](Query::find_circle), [`find_shape`](Query::find_shape) and
//! [`find_neighbourhood`](Query::find_neighbourhood) give the polygons that can be reached there,
//! [`find_walls`](Query::find_walls) and [`find_wall_distance`](Query::find_wall_distance) where the walkable ground
//! ends, [`find_random_around`](Query::find_random_around) a random point of it, and [`random_point`] one of the whole
//! mesh. They work in the path search's memory: a query has one search open at a time, of either kind.
//!
//! What was searched and found can be drawn: [`Query::debug_path`], [`Query::debug_area`], [`debug_walls`],
//! [`Ray::debug`], [`SurfaceMove::debug`].
//!
//! Source: `navmesh-queries.md`; the limits and the reasons for an end, `maul-nav/query.md`.

mod area_runs;
mod area_search;
mod areas;
mod boxes;
pub(crate) mod checks;
pub(crate) mod corridors;
mod def;
mod drawing;
mod filter;
mod funnel;
mod move_along;
mod nearest;
mod node;
pub(crate) mod noted_corners;
mod off_mesh;
mod path_search;
mod paths;
mod polyanya;
mod polygon;
mod portals;
mod random;
mod raycast;
mod reachable;
mod results;
mod route;
mod shape;
mod shortest;
mod straight;
mod trace;
mod walk;
mod wall_distance;
mod wall_pieces;
mod walls;
mod world_box;

#[cfg(test)]
pub(crate) mod tests;

pub use area_runs::{AreaRun, RUN_LANDS};
pub use areas::{Area, AreaOutcome, AreaPolygon, AreaStatus, Circle};
pub use boxes::{BoxOutcome, polygons_in_box};
pub use def::{MAX_PATH_LENGTH, QueryDef};
pub use drawing::debug_walls;
pub use filter::{AREAS, AllPolygons, Filter, FilterAnd, PolygonFilter};
pub use move_along::{SurfaceMove, move_along_surface};
pub use nearest::{Nearest, NearestOutcome, NearestRule, nearest_polygon, nearest_polygon_by};
pub use node::NodeModel;
pub use paths::DEFAULT_EXTENTS;
pub use polygon::{closest_point_on, height_on, polygon_center, polygon_corners};
pub use random::{RANDOM_ATTEMPTS, RandomPoint, random_point};
pub use raycast::{Ray, raycast};
pub use results::{POINT_END, POINT_OFF_MESH, POINT_START, Path, PathEnd, PathLink};
pub use results::{PathOutcome, PathPoint, QueryStatus};
pub use shape::{MAX_RADIUS, MAX_SHAPE_POINTS};
pub use trace::{MoveEnd, RaycastStatus};
pub use wall_distance::WallDistance;
pub use walls::{FloorBand, WALL_NOT_LOADED, WallOptions, WallSegment, WallsFound};

use crate::error::Result;
use crate::geometry::plane;
use crate::memory::Arena;
use crate::mesh::{PolyRef, surface};
use crate::search::{FrontedSet, NodeTable};
use area_search::AreaProgress;
use drawing::Expansions;
use path_search::{PathSearch, Progress};
use portals::Portal;
use shape::Point;
use shortest::ShortestSearch;

/// Searches for paths, polygons and walls in memory that its caller handed over.
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, NavMesh};
/// use navarena::query::{Filter, Query, QueryDef};
/// # let mut mesh_memory = vec![Grain::ZERO; MeshDef::HUMANOID.plan().grains()];
/// # let mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut mesh_memory))?;
/// # let (start, goal) = ([3.0, 0.0, 3.0], [36.0, 0.0, 36.0]);
/// const DEF: QueryDef = QueryDef { nodes: 512, ..QueryDef::DEFAULT };
/// # let mut region = vec![Grain::ZERO; DEF.plan().grains()];
/// let mut query = Query::new(&DEF, &mut Arena::new(&mut region))?;
/// if query.find_path(&mesh, start, goal, &Filter::ALL)?.has_path() {
///     for corner in query.path().points() {
///         println!("{:?}", corner.position);
///     }
/// }
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Query<'m> {
    search: PathSearch<'m>,
    area: AreaProgress,
    /// The points of a convex shape that is searched for.
    ring: &'m mut [Point],
    corridor: &'m mut [PolyRef],
    /// Through which exit of the polygon before it each polygon of the corridor was entered.
    exits: &'m mut [u32],
    portals: &'m mut [Portal],
    points: &'m mut [PathPoint],
    links: &'m mut [PathLink],
    shortest: ShortestSearch,
    expansions: Expansions,
    model: NodeModel,
    path_length: f64,
    outcome: PathOutcome,
    corridor_len: usize,
    /// How many of the exits are known: all of the corridor's or none.
    exit_count: usize,
    point_count: usize,
    link_count: usize,
    most: QueryUse,
}

/// How much of its limits a query has ever used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct QueryUse {
    /// Nodes of a search.
    pub nodes: u32,
    /// Polygons of a corridor.
    pub corridor: u32,
    /// Points of a path.
    pub points: u32,
}

impl<'m> Query<'m> {
    /// A query with the limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`QueryDef::plan`] says.
    pub fn new(def: &QueryDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let nodes = def.nodes as usize;
        let search = PathSearch {
            nodes: arena.take(nodes)?,
            table: NodeTable::over(arena.take(NodeTable::entries_for(nodes))?),
            open: FrontedSet::over(arena.take(PathSearch::entries_for(nodes))?),
            progress: Progress::NONE,
        };
        Ok(Query {
            search,
            area: AreaProgress::NONE,
            ring: arena.take(MAX_SHAPE_POINTS)?,
            corridor: arena.take(def.corridor as usize)?,
            exits: arena.take(def.corridor as usize)?,
            portals: arena.take(def.corridor as usize)?,
            points: arena.take(def.points as usize)?,
            links: arena.take(def.corridor as usize)?,
            shortest: ShortestSearch::NONE,
            expansions: Expansions::None,
            model: def.model,
            path_length: def.path_length,
            outcome: PathOutcome::default(),
            corridor_len: 0,
            exit_count: 0,
            point_count: 0,
            link_count: 0,
            most: QueryUse::default(),
        })
    }

    /// The last path, lent until the next search.
    pub fn path(&self) -> Path<'_> {
        Path {
            outcome: self.outcome,
            corridor: &self.corridor[..self.corridor_len],
            points: &self.points[..self.point_count],
            links: &self.links[..self.link_count],
        }
    }

    /// What its nodes stand for.
    pub const fn model(&self) -> NodeModel {
        self.model
    }

    /// The most of each limit ever used.
    pub fn high_water(&self) -> QueryUse {
        self.most
    }

    fn forget(&mut self) {
        self.search.progress.status = QueryStatus::None;
        self.area = AreaProgress::NONE;
        self.shortest = ShortestSearch::NONE;
        self.expansions = Expansions::None;
        self.outcome = PathOutcome::default();
        self.corridor_len = 0;
        self.exit_count = 0;
        self.point_count = 0;
        self.link_count = 0;
    }

    fn end_without_path(&mut self, detail: QueryStatus) -> PathOutcome {
        self.outcome = PathOutcome::without_path(detail);
        self.outcome
    }
}
