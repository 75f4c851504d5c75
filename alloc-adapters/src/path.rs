//! A path that owns its points, and how to ask for one.

use alloc::vec::Vec;
use navarena::mesh::PolyRef;
use navarena::query::{self, DEFAULT_EXTENTS, Filter, MoveEnd, NodeModel, PathEnd, PathOutcome, PathPoint, Ray};
use navarena::search::PathStatus;

/// How a path is searched.
///
/// ```
/// use navarena_alloc::prelude::*;
/// // Roads (area 1) at half the price, and nothing that is flagged as a door.
/// let filter = Filter::new().with_area_cost(1, 0.5)?.without_flags(0x2);
/// let options = PathOptions { filter, ..PathOptions::default() };
/// assert_eq!(options.half_extents, [2.0, 4.0, 2.0]);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PathOptions {
    /// Which polygons may be used and what travel over them costs.
    pub filter: Filter,
    /// How far a start or a goal may lie from the mesh along x, y and z.
    pub half_extents: [f64; 3],
    /// What a node of the search stands for.
    pub model: NodeModel,
}

impl Default for PathOptions {
    fn default() -> Self {
        PathOptions { filter: Filter::new(), half_extents: DEFAULT_EXTENTS, model: NodeModel::Polygon }
    }
}

/// Where a ray over the surface ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// What the ray met; `None` when it began off the mesh, where it is blocked at once.
    pub ray: Option<Ray>,
    /// Where it ended, on the surface; its start when it began off the mesh.
    pub point: [f64; 3],
}

impl RayHit {
    /// Whether it was stopped before its end.
    pub fn is_blocked(&self) -> bool {
        self.ray.is_none_or(|ray| ray.end != MoveEnd::Reached)
    }
}

/// A path that was found, or why none was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    outcome: PathOutcome,
    points: Vec<[f64; 3]>,
    corners: Vec<PathPoint>,
    corridor: Vec<PolyRef>,
}

impl Path {
    pub(crate) fn copy(path: &query::Path<'_>) -> Path {
        Path {
            outcome: path.outcome(),
            points: path.points().iter().map(|corner| corner.position).collect(),
            corners: path.points().to_vec(),
            corridor: path.corridor().to_vec(),
        }
    }

    /// The points to walk through, the start and the end included; none without a path.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }

    /// The same points with the polygons they lead into and where off-mesh links begin.
    pub fn corners(&self) -> &[PathPoint] {
        &self.corners
    }

    /// The polygons along the way.
    pub fn corridor(&self) -> &[PolyRef] {
        &self.corridor
    }

    /// Whether the path leads all the way to the goal.
    pub fn is_complete(&self) -> bool {
        self.outcome.status == PathStatus::Found
    }

    /// Whether the path leads only to the place nearest to the goal that can be reached.
    pub fn is_partial(&self) -> bool {
        self.outcome.is_partial()
    }

    /// Whether there is anything to walk: the whole way or a part.
    pub fn has_path(&self) -> bool {
        self.outcome.has_path()
    }

    /// How the search went.
    pub fn status(&self) -> PathStatus {
        self.outcome.status
    }

    /// Why the search ended.
    pub fn end(&self) -> PathEnd {
        self.outcome.end
    }

    /// All that the search says about itself.
    pub fn outcome(&self) -> &PathOutcome {
        &self.outcome
    }

    /// The length of the points in world units.
    pub fn length(&self) -> f64 {
        self.outcome.length
    }

    /// The price of the way under the filter; infinite without a path.
    pub fn cost(&self) -> f64 {
        self.outcome.cost
    }
}
