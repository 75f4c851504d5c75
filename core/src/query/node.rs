//! The nodes of a path search, and the two models of what a node is (`navmesh-queries.md`, "Node model").

use super::plane::{Vec3, cross};
use crate::math::{lerp, sub};
use crate::memory::{Pod, Zeroable};
use crate::mesh::PolyRef;
use crate::mesh::view::NO_BACK;

/// What a node of the path search stands for. Fixed when a query is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NodeModel {
    /// A polygon, entered where the cheapest way found so far enters it, aimed at the end: about half the nodes
    /// expanded, and mostly shorter paths.
    #[default]
    Polygon,
    /// A crossing from one polygon to another at a fixed position: the least cost of all ways through edge midpoints,
    /// about three times the nodes.
    Crossing,
}

/// No node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A polygon's slot and index and the exit it was entered through, in one number.
///
/// The exit counts a polygon's edges first, then its links; a polygon has at most 16 and 2^20 of them. An edge leaves
/// room for which edge of the polygon entered leads back.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Entrance(u64);

const PART: u32 = 20;
const PART_MASK: u64 = (1 << PART) - 1;
/// Where the exit stands.
const EXIT: u32 = 2 * PART;
/// An edge's number takes that many bits, and above them stands the way back.
const EDGE: u32 = 4;
/// Set where the exit is known to be an edge.
const BY_EDGE: u64 = 1 << 63;

impl Entrance {
    /// No polygon in particular.
    pub const NONE: Entrance = Entrance(0);

    #[inline]
    pub fn new(slot: u32, index: u32, exit: u32) -> Entrance {
        Entrance((exit as u64) << EXIT | (slot as u64 & PART_MASK) << PART | (index as u64 & PART_MASK))
    }

    /// Of the first polygon of a tile, entered through exit 0: another polygon of it, below 2^20, and another exit.
    #[inline]
    pub fn at(self, index: u32, exit: u32) -> Entrance {
        debug_assert!(index >> PART == 0);
        Entrance(self.0 | (exit as u64) << EXIT | index as u64)
    }

    /// The same through an edge of which the way back is known, or [`NO_BACK`].
    #[inline]
    pub fn over_edge(self, index: u32, edge: u32, back: u8) -> Entrance {
        self.at(index, edge | u32::from(back) << EDGE | (BY_EDGE >> EXIT) as u32)
    }

    /// The edge that leads back to where the polygon was entered from; none where that is not known.
    #[inline]
    pub fn back(self) -> Option<u32> {
        let back = (self.0 >> (EXIT + EDGE)) as u32 & 31;
        if self.0 & BY_EDGE != 0 && back < u32::from(NO_BACK) { Some(back) } else { None }
    }

    /// The index of a polygon of the same tile; none for another tile's.
    #[inline]
    pub fn neighbor_of(self, polygon: u64) -> Option<u32> {
        let index = polygon & PART_MASK;
        if polygon >> PART == (self.0 >> PART & PART_MASK) { Some(index as u32) } else { None }
    }

    /// The polygon that a reference names, entered through an exit.
    #[inline]
    pub fn into(reference: PolyRef, exit: u32) -> Entrance {
        Entrance((exit as u64) << EXIT | reference.0 & ((1 << (2 * PART)) - 1))
    }

    #[inline]
    pub fn slot(self) -> u32 {
        (self.0 >> PART & PART_MASK) as u32
    }

    #[inline]
    pub fn index(self) -> u32 {
        (self.0 & PART_MASK) as u32
    }

    #[inline]
    pub fn exit(self) -> u32 {
        let exit = (self.0 >> EXIT) as u32;
        if self.0 & BY_EDGE == 0 { exit } else { exit & ((1 << EDGE) - 1) }
    }

    /// The polygon alone, in 40 bits.
    #[inline]
    pub fn polygon(self) -> u64 {
        self.0 & ((1 << (2 * PART)) - 1)
    }
}

/// One node: 64 bytes, so that what an expansion or a relaxation reads of it is one cache line.
///
/// No two numbers that an expansion reads side by side are doubles beyond the position's first two: the compiler would
/// read them as a pair, and the processor would wait where they were written singly just before.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Node {
    /// Where the route enters the polygon.
    pub position: Vec3,
    /// The polygon entered, and through which exit of the one left.
    pub entrance: Entrance,
    /// The route's cost to that position.
    pub cost: f64,
    /// The cost and the heuristic: what the open set orders by.
    pub total: f64,
    /// The route's length to that position.
    pub length: f64,
    /// The node that the route comes from, or [`NO_NODE`].
    pub parent: u32,
    pub ticket: Ticket,
}

/// Where a node stands with the open set: waiting with a sequence number, or expanded, with a number that no entry has;
/// and whether it was ever expanded. The numbers of expanded nodes give the order of their expansion.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Ticket(u32);

const EXPANDED: u32 = 1 << 31;
const CLOSED: u32 = u32::MAX;

impl Ticket {
    /// Sequence numbers stay below this.
    pub const LAST: u32 = EXPANDED - 2;

    #[inline]
    pub fn waiting(sequence: u32) -> Ticket {
        Ticket(sequence)
    }

    /// The same node waiting again with another number.
    #[inline]
    pub fn again(self, sequence: u32) -> Ticket {
        Ticket(self.0 & EXPANDED | sequence)
    }

    /// Expanded when so many entries and expansions had been counted.
    #[inline]
    pub fn expanded(sequence: u32) -> Ticket {
        Ticket(EXPANDED | sequence)
    }

    /// The number it waits or was expanded with.
    #[inline]
    pub fn sequence(self) -> u32 {
        self.0 & !EXPANDED
    }

    /// Expanded for good, with no number.
    #[inline]
    pub fn closed() -> Ticket {
        Ticket(CLOSED)
    }

    #[inline]
    pub fn is_closed(self) -> bool {
        self.0 == CLOSED
    }

    /// Whether the node was expanded, even if it waits again.
    #[inline]
    pub fn was_expanded(self) -> bool {
        self.0 & EXPANDED != 0
    }

    /// Whether an entry of the open set is the one that counts.
    #[inline]
    pub fn is(self, sequence: u32) -> bool {
        self.0 & !EXPANDED == sequence
    }
}

/// What differs between the node models. Everything is static: the search loop is compiled once for each.
pub(super) trait Model {
    /// Whether a node is a polygon alone: found by it, and expanded anew when a lower total is found.
    const BY_POLYGON: bool;

    /// Where a route from `from` to `goal` crosses an edge between two polygons.
    fn edge_crossing(from: Vec3, a: Vec3, b: Vec3, goal: Vec3) -> Vec3;

    /// Where it crosses the part of an edge that a tile portal shares, in 1/255ths.
    fn portal_crossing(from: Vec3, a: Vec3, b: Vec3, goal: Vec3, range: (u8, u8)) -> Vec3;
}

pub(super) struct ByPolygon;
pub(super) struct ByCrossing;

/// Where along an edge the straight way to the goal meets its line; none where they are parallel.
#[inline]
fn aimed(from: Vec3, a: Vec3, b: Vec3, goal: Vec3) -> Option<f64> {
    let way = sub(goal, from);
    let denominator = cross(sub(b, a), way);
    // A zero of either sign.
    if denominator == 0.0 { None } else { Some(cross(sub(from, a), way) / denominator) }
}

#[inline]
fn clamp(s: f64, low: f64, high: f64) -> f64 {
    if s < low {
        low
    } else if s > high {
        high
    } else {
        s
    }
}

#[inline]
fn middle_of((min, max): (u8, u8)) -> f64 {
    (f64::from(min) + f64::from(max)) / 510.0
}

impl Model for ByPolygon {
    const BY_POLYGON: bool = true;

    #[inline]
    fn edge_crossing(from: Vec3, a: Vec3, b: Vec3, goal: Vec3) -> Vec3 {
        let s = aimed(from, a, b, goal).map_or(0.5, |s| clamp(s, 0.0, 1.0));
        lerp(a, b, s)
    }

    #[inline]
    fn portal_crossing(from: Vec3, a: Vec3, b: Vec3, goal: Vec3, range: (u8, u8)) -> Vec3 {
        // The same numbers without the quotients.
        if range == (0, 255) {
            return Self::edge_crossing(from, a, b, goal);
        }
        let s = match aimed(from, a, b, goal) {
            Some(s) => clamp(s, f64::from(range.0) / 255.0, f64::from(range.1) / 255.0),
            None => middle_of(range),
        };
        lerp(a, b, s)
    }
}

impl Model for ByCrossing {
    const BY_POLYGON: bool = false;

    #[inline]
    fn edge_crossing(_from: Vec3, a: Vec3, b: Vec3, _goal: Vec3) -> Vec3 {
        [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0, (a[2] + b[2]) / 2.0]
    }

    #[inline]
    fn portal_crossing(_from: Vec3, a: Vec3, b: Vec3, _goal: Vec3, range: (u8, u8)) -> Vec3 {
        lerp(a, b, middle_of(range))
    }
}
