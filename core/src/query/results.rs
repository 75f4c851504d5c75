//! What path queries give back: statuses, ends, points and the path itself (`path-results.md`; `maul-nav/types.md`,
//! "Queries").

use super::off_mesh::{OffMeshCrossing, Price};
use crate::memory::{Pod, Zeroable};
use crate::mesh::{AnyLink, LinkId, PolyRef, TileRef};
use crate::search::PathStatus;

/// The outcome of a mesh query in detail, with OnePath's numbers; zero is never success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum QueryStatus {
    /// Nothing has run.
    #[default]
    None = 0,
    /// The end was reached.
    Success = 1,
    /// The end was not reached; the corridor leads to the place closest to it.
    Partial = 2,
    /// The search has not ended.
    InProgress = 3,
    /// The start polygon's reference names none, is stale, or the filter rejects it.
    InvalidStartPoly = 4,
    /// The end polygon's reference names none, is stale, or the filter rejects it.
    InvalidEndPoly = 5,
    /// No accepted polygon lies near the start.
    NoStartNearby = 6,
    /// No accepted polygon lies near the end.
    NoEndNearby = 7,
    /// A corridor is empty, has a stale reference, or neighbours in it do not touch.
    InvalidCorridor = 8,
}

impl QueryStatus {
    /// The status in the words that all families share.
    pub const fn path_status(self) -> PathStatus {
        match self {
            QueryStatus::None => PathStatus::None,
            QueryStatus::Success => PathStatus::Found,
            QueryStatus::Partial => PathStatus::Partial,
            QueryStatus::InProgress => PathStatus::InProgress,
            QueryStatus::InvalidStartPoly | QueryStatus::NoStartNearby => PathStatus::StartInvalid,
            QueryStatus::InvalidEndPoly | QueryStatus::NoEndNearby => PathStatus::GoalInvalid,
            QueryStatus::InvalidCorridor => PathStatus::NoPath,
        }
    }
}

/// Why a search ended as it did. Where several hold, the first in this order is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum PathEnd {
    /// No search has run.
    #[default]
    NotSearched = 0,
    /// The end was reached.
    Found = 1,
    /// The node limit kept the search from going on everywhere.
    OutOfNodes = 2,
    /// Ways longer than the longest path were not followed.
    TooLong = 3,
    /// The search met a tile side with no tile loaded behind it.
    NotLoaded = 4,
    /// There is no way.
    None = 5,
    /// The search was finished before it had ended.
    Unfinished = 6,
}

/// The point is the path's start.
pub const POINT_START: u32 = 1;
/// The point is the path's end.
pub const POINT_END: u32 = 2;
/// An off-mesh link begins at the point; the next point is where it arrives.
pub const POINT_OFF_MESH: u32 = 4;

/// One point of a straight path.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PathPoint {
    /// Where it is, in world coordinates.
    pub position: [f64; 3],
    /// The corridor polygon entered after the point; the last polygon for the end.
    pub polygon: PolyRef,
    /// Any of [`POINT_START`], [`POINT_END`] and [`POINT_OFF_MESH`].
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
}

/// An off-mesh link that a path crosses.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PathLink {
    /// The id of a staged link, or the tile of one of its own.
    name: u64,
    /// Which crossing of a staged link, or which slot of the tile.
    index: u32,
    takeoff: u32,
    marks: u32,
    reserved: u32,
}

const KIND: u32 = 0xFF;
const STAGED: u32 = 1 << 8;
const REVERSE: u32 = 1 << 9;

impl PathLink {
    /// A link to be named later: for now by the number of its portal.
    pub(super) fn noted(portal: usize, takeoff: usize) -> PathLink {
        PathLink { index: portal as u32, takeoff: takeoff as u32, ..PathLink::default() }
    }

    /// The number of its portal, before it is named.
    pub(super) fn portal(&self) -> usize {
        self.index as usize
    }

    pub(super) fn named(&self, crossing: &OffMeshCrossing) -> PathLink {
        let (name, index, sort) = match crossing.link {
            AnyLink::Staged(id) => (id.0, crossing.index, STAGED),
            AnyLink::Authored(tile, slot) => (tile.0, slot as u32, 0),
        };
        let kind = match crossing.price {
            Price::Declared { kind, .. } => u32::from(kind),
            Price::Area { .. } => 0,
        };
        let marks = kind | sort | if crossing.is_reverse { REVERSE } else { 0 };
        PathLink { name, index, marks, ..*self }
    }

    /// The link.
    pub const fn link(&self) -> AnyLink {
        if self.marks & STAGED != 0 {
            AnyLink::Staged(LinkId(self.name))
        } else {
            AnyLink::Authored(TileRef(self.name), self.index as usize)
        }
    }

    /// A staged link's kind.
    pub const fn kind(&self) -> Option<u8> {
        if self.marks & STAGED != 0 { Some((self.marks & KIND) as u8) } else { None }
    }

    /// Which of a staged link's crossings it is; 0 for a tile's own link.
    pub const fn crossing(&self) -> usize {
        if self.marks & STAGED != 0 { self.index as usize } else { 0 }
    }

    /// Whether it is crossed from its end to its start.
    pub const fn is_reverse(&self) -> bool {
        self.marks & REVERSE != 0
    }

    /// The index among the path's points of the one where the link is entered. Where it arrives is the next, if the link
    /// leads anywhere else and the path's points were not cut off there.
    pub const fn takeoff(&self) -> usize {
        self.takeoff as usize
    }
}

/// How a path query went: small, and no borrow of the query.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PathOutcome {
    /// The outcome in the words that all families share.
    pub status: PathStatus,
    /// The outcome in detail.
    pub detail: QueryStatus,
    /// Why the search ended.
    pub end: PathEnd,
    /// Whether the corridor was longer than the def's, which holds its first part.
    pub corridor_truncated: bool,
    /// Whether the path had more points than asked for or than the def's, which holds the first ones.
    pub points_truncated: bool,
    /// Whether the search had to drop nodes.
    pub node_limit_reached: bool,
    /// The route's cost under the filter; infinite without a route.
    pub cost: f64,
    /// The length of the path's points in world units; 0 without points.
    pub length: f64,
    /// How many nodes the search expanded.
    pub iterations: u64,
}

impl PathOutcome {
    /// An outcome without a path.
    pub(crate) fn without_path(detail: QueryStatus) -> PathOutcome {
        PathOutcome { status: detail.path_status(), detail, cost: f64::INFINITY, ..PathOutcome::default() }
    }

    /// Whether there is a path to walk: the whole one or a part.
    pub const fn has_path(&self) -> bool {
        self.status.has_path()
    }

    /// Whether the path leads only to the place closest to the goal.
    pub const fn is_partial(&self) -> bool {
        matches!(self.status, PathStatus::Partial)
    }
}

/// The last path of a query, lent until its next search.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    pub(crate) outcome: PathOutcome,
    pub(crate) corridor: &'a [PolyRef],
    pub(crate) points: &'a [PathPoint],
    pub(crate) links: &'a [PathLink],
}

impl<'a> Path<'a> {
    /// How the query went.
    pub const fn outcome(&self) -> PathOutcome {
        self.outcome
    }

    /// The polygons along the route, the start's first, each once.
    pub const fn corridor(&self) -> &'a [PolyRef] {
        self.corridor
    }

    /// The corners of the path, its start and end included.
    pub const fn points(&self) -> &'a [PathPoint] {
        self.points
    }

    /// The off-mesh links crossed between the points, in order.
    pub const fn links(&self) -> &'a [PathLink] {
        self.links
    }

    /// The length of the points in world units; 0 without points.
    pub const fn length(&self) -> f64 {
        self.outcome.length
    }

    /// The route's cost under the filter; infinite without a route.
    pub const fn cost(&self) -> f64 {
        self.outcome.cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_map_to_the_shared_words() {
        use QueryStatus as Q;
        let pairs = [
            (Q::None, PathStatus::None),
            (Q::Success, PathStatus::Found),
            (Q::Partial, PathStatus::Partial),
            (Q::InProgress, PathStatus::InProgress),
            (Q::InvalidStartPoly, PathStatus::StartInvalid),
            (Q::InvalidEndPoly, PathStatus::GoalInvalid),
            (Q::NoStartNearby, PathStatus::StartInvalid),
            (Q::NoEndNearby, PathStatus::GoalInvalid),
            (Q::InvalidCorridor, PathStatus::NoPath),
        ];
        for (number, (detail, status)) in pairs.into_iter().enumerate() {
            assert_eq!((detail as usize, detail.path_status()), (number, status));
        }
    }
}
