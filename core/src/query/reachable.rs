//! Whether there is a way at all: the path search without a path (`maul-nav/query.md`, `CheckReachable`).

use super::drawing::Expansions;
use super::filter::PolygonFilter;
use super::{PathEnd, Query, QueryStatus};
use crate::error::Result;
use crate::mesh::{NavMesh, PolyRef};

/// How many polygons are expanded before it is asked again whether the end was reached.
const SLICE: u64 = 32;

impl Query<'_> {
    /// Whether the end can be reached from the start: the path search with its limits, stopped as soon as any way is
    /// known, and no path made.
    ///
    /// [`PathEnd::Found`] when it can and [`PathEnd::None`] when it can't, or the limit that kept the search from
    /// telling; [`PathEnd::NotSearched`] for a polygon that is stale, names nothing or is rejected by the filter, with the
    /// detail in the outcome of [`path`](Query::path). Ends a sliced search that is open.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    ///
    /// # Cost
    /// At most that of [`begin_path`](Query::begin_path) and all its steps.
    pub fn check_reachable<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end_polygon: PolyRef,
        end: [f64; 3],
        filter: &F,
    ) -> Result<PathEnd> {
        if self.begin_path(mesh, start_polygon, start, end_polygon, end, filter)? != QueryStatus::InProgress {
            return Ok(PathEnd::NotSearched);
        }
        // A way that is known stays known: its end waits outside the node limit until it is the cheapest.
        while self.search.progress.status == QueryStatus::InProgress && !self.search.knows_a_way() {
            self.run(mesh, filter, SLICE);
        }
        let end = if self.search.knows_a_way() { PathEnd::Found } else { self.end_of() };
        self.most.nodes = self.most.nodes.max(self.search.progress.node_count);
        self.forget();
        self.expansions = Expansions::Path { version: mesh.version() };
        Ok(end)
    }
}
