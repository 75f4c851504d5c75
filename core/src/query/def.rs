//! What a query is made from: its limits and its node model, and how much memory that takes.

use super::node::{Node, NodeModel};
use super::path_search::PathSearch;
use super::portals::Portal;
use super::results::{PathLink, PathPoint};
use super::shape::{MAX_SHAPE_POINTS, Point};
use crate::error::{Error, Result, Subject};
use crate::memory::{Plan, Ruler};
use crate::mesh::PolyRef;
use crate::search::{FloatEntry, MAX_NODES, NodeTable};

/// The longest path a query can be limited to, in world units.
pub const MAX_PATH_LENGTH: f64 = 1e7;

/// What a [`Query`](super::Query) is made from.
///
/// Bytes: 92 a node, 92 a corridor polygon, 40 a point, each array rounded up to 16, and 1536.
///
/// ```
/// use navarena::query::QueryDef;
/// const DEF: QueryDef = QueryDef { nodes: 512, corridor: 64, points: 64, ..QueryDef::DEFAULT };
/// assert_eq!(DEF.plan().bytes, 512 * 92 + 32 * 16 + 1024 + 64 * 92 + 64 * 40);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct QueryDef {
    /// The most nodes of a search, 1 to 2^20.
    pub nodes: u32,
    /// Routes longer than this many world units are not followed: above 0, up to 1e7.
    pub path_length: f64,
    /// The most polygons of a corridor, 1 to 2^20.
    pub corridor: u32,
    /// The most points of a path, 1 to 2^20.
    pub points: u32,
    /// What a node stands for.
    pub model: NodeModel,
}

impl QueryDef {
    /// 4096 nodes, paths of any length through up to 512 polygons with up to 512 points: some 430 KB.
    pub const DEFAULT: QueryDef =
        QueryDef { nodes: 4096, path_length: MAX_PATH_LENGTH, corridor: 512, points: 512, model: NodeModel::Polygon };

    /// The memory that the query takes.
    pub const fn plan(&self) -> Plan {
        let nodes = self.nodes as usize;
        Ruler::new()
            .array::<Node>(nodes)
            .array::<u32>(NodeTable::entries_for(nodes))
            .array::<FloatEntry>(PathSearch::entries_for(nodes))
            .array::<Point>(MAX_SHAPE_POINTS)
            .array::<PolyRef>(self.corridor as usize)
            .array::<u32>(self.corridor as usize)
            .array::<Portal>(self.corridor as usize)
            .array::<PathPoint>(self.points as usize)
            .array::<PathLink>(self.corridor as usize)
            .plan()
    }

    /// Refuses a limit out of its range, by name.
    pub(super) fn validate(&self) -> Result<()> {
        let limits = [(self.nodes, Subject::Nodes), (self.corridor, Subject::Corridor), (self.points, Subject::Points)];
        for (value, subject) in limits {
            if value == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
            if value as usize > MAX_NODES {
                return Err(Error::limit(subject).value(f64::from(value)).bound(MAX_NODES as f64));
            }
        }
        let longest = self.path_length;
        if longest.is_nan() || longest <= 0.0 {
            return Err(Error::invalid(Subject::PathLength).value(longest));
        }
        if longest > MAX_PATH_LENGTH {
            return Err(Error::limit(Subject::PathLength).value(longest).bound(MAX_PATH_LENGTH));
        }
        Ok(())
    }
}

impl Default for QueryDef {
    fn default() -> Self {
        QueryDef::DEFAULT
    }
}
