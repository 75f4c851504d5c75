//! The shortest way on the ground: Polyanya, in slices.
//!
//! A node is an interval of a portal seen from a root: the start, a corner turned at, or where an off-mesh link lands.
//! Expanding one looks through the polygon behind the portal: what the root still sees through each exit is an
//! interval of the same root, and at the ends of the portal the way can turn, which makes the end a root. The estimate
//! of an interval is the least length of any way through it to the goal, so the first way to the goal that is taken
//! from the open set is the shortest of all, in the plane.
//!
//! Intervals are not cut at computed places: a [`Cone`] is bounded by rays through mesh points, and every choice is
//! made by the exact sign of three of them. Rounding is in the estimates alone.
//!
//! Everything lies in the arrays of the path search: intervals from the front of the node array, roots from its back,
//! both in the bytes of a node.
//!
//! Source: Cui, Harabor and Grastien, "Compromise-free pathfinding on a navigation mesh", 2017; what it does with
//! areas, links and ties, `maul-nav/query.md`, `mnavQuery_FindShortestPath`.

mod cone;
mod corner;
mod expand;
mod roots;

use super::filter::PolygonFilter;
use super::node::{Entrance, NO_NODE, Node};
use super::results::QueryStatus;
use crate::memory::{Pod, Zeroable};
use crate::mesh::NavMesh;
use crate::mesh::ground::Grounds;
use crate::search::{FloatEntry, FrontedSet, NodeTable, Place};
use cone::{Cone, Point, Ray};
use roots::Root;

const RIGHT_IS_BACK: u32 = 1;
const RIGHT_IS_END: u32 = 2;
const LEFT_IS_BACK: u32 = 4;
const LEFT_IS_END: u32 = 8;
/// The root lies in the polygon itself: no portal was passed, and all of the polygon is seen.
const AT_ROOT: u32 = 16;
/// The way ends here, at the goal.
const AT_GOAL: u32 = 32;
const WAS_EXPANDED: u32 = 64;
/// The root is an end of the portal passed.
const AT_PORTAL: u32 = 128;

/// An interval of a portal seen from a root, and the polygon behind it: a node's bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Interval {
    right: Point,
    left: Point,
    /// The estimate of the whole way, which never falls along it.
    estimate: f64,
    /// The polygon entered, and through which exit of the one left.
    entrance: Entrance,
    /// The interval before, or [`NO_NODE`].
    parent: u32,
    root: u32,
    flags: u32,
    /// How many were expanded up to this one, if it was.
    expansion: u32,
}

const _: () = assert!(size_of::<Interval>() == size_of::<Node>() && size_of::<Root>() == size_of::<Node>());

impl Interval {
    fn cone(&self, root: Point) -> Cone {
        let ray = |through, back, end| Ray { through, is_back: self.flags & back != 0, is_end: self.flags & end != 0 };
        Cone {
            root,
            right: ray(self.right, RIGHT_IS_BACK, RIGHT_IS_END),
            left: ray(self.left, LEFT_IS_BACK, LEFT_IS_END),
        }
    }
}

fn flags_of(cone: &Cone) -> u32 {
    let of = |ray: Ray, back, end| u32::from(ray.is_back) * back + u32::from(ray.is_end) * end;
    of(cone.right, RIGHT_IS_BACK, RIGHT_IS_END) | of(cone.left, LEFT_IS_BACK, LEFT_IS_END)
}

/// What a search is about: fixed from its begin to its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShortestQuestion {
    pub start: Point,
    pub start_polygon: Entrance,
    pub goal: Point,
    pub goal_polygon: u64,
    /// The one price of all areas. Within the search all is in units of length: a cost is divided by it.
    pub price: f64,
    /// The least cost of a link for each unit of length it spans, as a part of the price; 1 without cheap links.
    pub scale: f64,
    pub max_length: f64,
}

/// How far a search has come: everything but its arrays, so that it can pause between two expansions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortest {
    pub question: ShortestQuestion,
    pub status: QueryStatus,
    pub iterations: u64,
    /// The least estimate of what was dropped because there was no node left; infinite when nothing was. A way no
    /// longer than it is still the shortest.
    dropped: f64,
    /// The interval that ends at the goal, when found.
    pub last: u32,
    intervals: u32,
    /// The first interval that does not yet wait to be expanded.
    fresh: u32,
    roots: u32,
}

impl Shortest {
    /// Nothing has run.
    pub const NONE: Shortest = Shortest {
        question: ShortestQuestion {
            start: [0.0; 2],
            start_polygon: Entrance::NONE,
            goal: [0.0; 2],
            goal_polygon: 0,
            price: 1.0,
            scale: 1.0,
            max_length: 0.0,
        },
        status: QueryStatus::None,
        iterations: 0,
        dropped: f64::INFINITY,
        last: NO_NODE,
        intervals: 0,
        fresh: 0,
        roots: 0,
    };

    /// Whether something was dropped because there was no node left.
    pub const fn ran_out(&self) -> bool {
        self.dropped < f64::INFINITY
    }

    /// The intervals expanded of the nodes that a search has left: each one's number, and how many were expanded up to it.
    pub fn expansions<'n>(&self, nodes: &'n [Node]) -> impl Iterator<Item = (u32, u32)> + use<'n> {
        let intervals: &[Interval] = bytemuck::cast_slice(&nodes[..nodes.len().min(self.intervals as usize)]);
        let expanded = intervals.iter().enumerate().filter(|(_, interval)| interval.flags & WAS_EXPANDED != 0);
        expanded.map(|(number, interval)| (number as u32, interval.expansion))
    }

    /// Nodes used, by intervals and roots.
    pub const fn nodes(&self) -> u32 {
        self.intervals + self.roots
    }
}

/// The polygon of an interval that a search has left in a node.
pub(super) fn entrance_in(node: &Node) -> Entrance {
    interval_in(node).entrance
}

fn interval_in(node: &Node) -> &Interval {
    bytemuck::must_cast_ref(node)
}

/// A search with the arrays it borrows.
pub(super) struct Polyanya<'a, 'm> {
    pub nodes: &'a mut [Node],
    pub table: &'a mut NodeTable<'m>,
    pub open: &'a mut FrontedSet<'m>,
    pub state: &'a mut Shortest,
}

impl Polyanya<'_, '_> {
    /// Begins at the start position.
    pub fn begin(&mut self, question: ShortestQuestion) {
        self.table.begin();
        self.open.clear();
        *self.state = Shortest { question, status: QueryStatus::InProgress, ..Shortest::NONE };
        let root = Root::at_start(question.start);
        if let Some(number) = self.add_root(root) {
            self.begin_within(NO_NODE, question.start_polygon, (number, &root), 0.0);
        }
    }

    /// Expands intervals until the search has ended or the budget of expansions is used up.
    pub fn run<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) -> u64 {
        let mut left = budget;
        let mut grounds = Grounds::default();
        while left > 0 && self.state.status == QueryStatus::InProgress {
            let Some(number) = self.next_interval() else {
                self.state.status = QueryStatus::Partial;
                break;
            };
            let interval = self.interval(number);
            if interval.flags & AT_GOAL != 0 {
                self.state.last = number;
                self.state.status = QueryStatus::Success;
                break;
            }
            let root = *self.root(interval.root);
            if root.is_outdone != 0 {
                continue;
            }
            left -= 1;
            self.state.iterations += 1;
            let expansion = self.state.iterations as u32;
            let kept = self.interval_mut(number);
            kept.flags |= WAS_EXPANDED;
            kept.expansion = expansion;
            if let Some(ground) = grounds.of(mesh, interval.entrance.slot()) {
                self.expand(mesh, filter, ground, (number, &interval), &root);
            }
        }
        left
    }

    /// The interval to look through next. One that alone follows another is not put among those that wait: whatever
    /// there is behind the other lies behind it.
    fn next_interval(&mut self) -> Option<u32> {
        let first = core::mem::replace(&mut self.state.fresh, self.state.intervals);
        if self.state.intervals == first + 1 {
            let alone = self.interval(first);
            if alone.flags & AT_GOAL == 0 && alone.estimate <= self.state.dropped {
                return Some(first);
            }
        }
        for number in first..self.state.intervals {
            let estimate = self.interval(number).estimate;
            if !self.open.push(FloatEntry::new(estimate, number, number)) {
                self.drop_at(estimate);
            }
        }
        self.open.pop().filter(|entry| entry.cost() <= self.state.dropped).map(FloatEntry::node)
    }

    /// The polygons of the way that ends at an interval, the last one first.
    pub fn way_from(&self, last: u32) -> impl Iterator<Item = Entrance> + '_ {
        let at = move |number: u32| if number < self.state.intervals { Some(self.interval(number)) } else { None };
        let chain = core::iter::successors(at(last), move |interval| at(interval.parent));
        chain.take(self.state.intervals as usize).map(|interval| interval.entrance)
    }

    /// The polygons of the intervals expanded, with their numbers, in the order made.
    pub fn expanded(&self) -> impl Iterator<Item = (u32, Entrance)> + '_ {
        let all = (0..self.state.intervals).map(|number| (number, self.interval(number)));
        all.filter(|(_, interval)| interval.flags & WAS_EXPANDED != 0).map(|(number, one)| (number, one.entrance))
    }

    #[inline]
    fn interval(&self, number: u32) -> Interval {
        *bytemuck::must_cast_ref(&self.nodes[number as usize])
    }

    #[inline]
    fn interval_mut(&mut self, number: u32) -> &mut Interval {
        bytemuck::must_cast_mut(&mut self.nodes[number as usize])
    }

    #[inline]
    fn root(&self, number: u32) -> &Root {
        bytemuck::must_cast_ref(&self.nodes[number as usize])
    }

    #[inline]
    fn root_mut(&mut self, number: u32) -> &mut Root {
        bytemuck::must_cast_mut(&mut self.nodes[number as usize])
    }

    /// Whether a node of the table is an interval; else it is a root.
    #[inline]
    fn is_interval(&self, number: u32) -> bool {
        number < self.state.intervals
    }

    /// The polygon that an interval was entered from.
    #[inline]
    fn polygon_before(&self, interval: &Interval) -> u64 {
        self.nodes.get(interval.parent as usize).map_or(u64::MAX, |parent| interval_in(parent).entrance.polygon())
    }

    /// Adds an interval to be expanded, and to the table that tells which are held by others.
    #[inline]
    fn add_at(&mut self, place: Place, interval: Interval, estimate: f64, least: f64) {
        let number = self.state.intervals;
        self.add(interval, estimate, least);
        if self.state.intervals > number {
            self.table.insert(place, number);
        }
    }

    /// Adds an interval to be expanded. Its number is its place in the order of ties.
    #[inline]
    fn add(&mut self, interval: Interval, estimate: f64, least: f64) {
        // Rounding can take an estimate below that of the interval before; the true one never is.
        let estimate = if estimate < least { least } else { estimate };
        if self.state.nodes() as usize >= self.nodes.len() {
            return self.drop_at(estimate);
        }
        let number = self.state.intervals;
        *self.interval_mut(number) = Interval { estimate, ..interval };
        self.state.intervals += 1;
    }

    fn drop_at(&mut self, estimate: f64) {
        if estimate < self.state.dropped {
            self.state.dropped = estimate;
        }
    }

    /// Adds a root at the back of the nodes.
    fn add_root(&mut self, root: Root) -> Option<u32> {
        if self.state.nodes() as usize >= self.nodes.len() {
            // No way through it can cost less than the way to it.
            self.drop_at(root.cost);
            return None;
        }
        self.state.roots += 1;
        let number = self.nodes.len() as u32 - self.state.roots;
        *self.root_mut(number) = root;
        Some(number)
    }
}
