//! The path search: A* over polygons or over the crossings between them, in slices (`navmesh-queries.md`, "Path
//! search", "Partial paths", "Slicing").
//!
//! One loop serves both node models. Its memory is bounded by the node limit alone: an array of nodes, a hash table
//! that finds a node by its polygon (8 bytes a node, where a table indexed by polygon would take 8 bytes for each of
//! the mesh), and an open set from which entries that no longer count are swept when it is full.

use super::filter::PolygonFilter;
use super::node::{Entrance, Model, NO_NODE, Node, Ticket};
use super::off_mesh::OffMeshCrossing;
use super::plane::Vec3;
use super::results::QueryStatus;
use crate::math::{distance, distance_squared};
use crate::mesh::NavMesh;
use crate::mesh::ground::{Ground, Grounds};
use crate::mesh::view::{LINK_PORTAL, Link, Polygon};
use crate::search::{FloatEntry, FrontedSet, NodeTable, spread};
use core::hint::select_unpredictable;

/// Stands for the terminal node in the open set: the end position, reached.
const TERMINAL: u32 = u32::MAX - 1;
/// A filter whose least cost is wrong can have polygons expanded again and again; this many expansions a node end it.
/// A filter that keeps its promise expands a polygon anew only where rounding makes two totals differ.
const EXPANSIONS_PER_NODE: u64 = 16;

/// What a search is about: fixed from its begin to its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Question {
    pub goal: Vec3,
    /// The end polygon.
    pub goal_polygon: u64,
    /// The least price of any area and of any staged link that may be crossed.
    pub min_cost: f64,
    /// Routes longer than this are not followed.
    pub max_length: f64,
    /// The mesh's edit count at the begin.
    pub version: u64,
}

/// The last leg of the cheapest route found so far to the end position. It lies outside the node limit.
#[derive(Clone, Copy, Debug)]
struct Terminal {
    cost: f64,
    parent: u32,
    sequence: u32,
}

/// How far a search has come: everything but its arrays, so that it can pause between two expansions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub status: QueryStatus,
    pub question: Question,
    pub iterations: u64,
    /// Whether nodes were dropped for the node limit.
    pub node_limit_reached: bool,
    /// Whether routes were dropped for their length.
    pub too_long: bool,
    /// Whether a polygon expanded has an edge on a tile side behind which no tile is loaded.
    pub met_missing_tile: bool,
    pub node_count: u32,
    sequence: u32,
    terminal: Terminal,
    /// The expanded node closest to the end position, and its squared distance.
    closest: (f64, u32),
}

impl Progress {
    /// Nothing has run.
    pub const NONE: Progress = Progress {
        status: QueryStatus::None,
        question: Question { goal: [0.0; 3], goal_polygon: 0, min_cost: 0.0, max_length: 0.0, version: 0 },
        iterations: 0,
        node_limit_reached: false,
        too_long: false,
        met_missing_tile: false,
        node_count: 0,
        sequence: 0,
        terminal: Terminal { cost: f64::INFINITY, parent: NO_NODE, sequence: Ticket::LAST },
        closest: (f64::INFINITY, NO_NODE),
    };
}

/// The arrays of a search and how far it has come.
#[derive(Debug)]
pub(super) struct PathSearch<'m> {
    pub nodes: &'m mut [Node],
    pub table: NodeTable<'m>,
    pub open: FrontedSet<'m>,
    pub progress: Progress,
}

/// A polygon being left: what all its exits have in common.
#[derive(Clone, Copy)]
struct Leaving<'a> {
    ground: &'a Ground<'a>,
    entrance: Entrance,
    /// The node it was entered from.
    parent: u32,
    node: u32,
    position: Vec3,
    cost: f64,
    length: f64,
    /// The price of a unit of length in the polygon.
    price: f64,
}

/// An exit taken: where it leads and what the way there adds.
struct Arrival {
    entrance: Entrance,
    position: Vec3,
    cost: f64,
    length: f64,
}

impl<'m> PathSearch<'m> {
    /// How many open set entries a node limit takes: one a node and the terminal's, and a quarter more, so that
    /// sweeping out those that no longer count stays rare. The set's front, beside the heap, is more than the terminal's.
    pub const fn entries_for(nodes: usize) -> usize {
        FrontedSet::places_for(nodes.saturating_add(nodes / 4))
    }

    /// The node where the route found ends, and the route's cost: the end position's, or that of the expanded node
    /// closest to it; before any is expanded, the start.
    pub fn route_end(&self) -> (u32, f64) {
        if self.progress.status == QueryStatus::Success {
            return (self.progress.terminal.parent, self.progress.terminal.cost);
        }
        let node = if self.progress.closest.1 == NO_NODE { 0 } else { self.progress.closest.1 };
        (node, self.nodes.get(node as usize).map_or(f64::INFINITY, |node| node.cost))
    }

    /// Whether a way to the end position is known, if not yet that it is the cheapest.
    pub fn knows_a_way(&self) -> bool {
        self.progress.terminal.parent != NO_NODE
    }

    /// Begins at a polygon of a slot with the start position in it.
    pub fn begin(&mut self, question: Question, slot: u32, index: u32, start: Vec3) {
        self.table.begin();
        self.open.clear();
        self.progress = Progress { status: QueryStatus::InProgress, question, ..Progress::NONE };
        let total = question.min_cost * distance(start, question.goal);
        let entrance = Entrance::new(slot, index, 0);
        let node = Node {
            position: start,
            cost: 0.0,
            total,
            length: 0.0,
            entrance,
            parent: NO_NODE,
            ticket: Ticket::waiting(0),
        };
        if let Some(first) = self.nodes.first_mut() {
            *first = node;
            self.progress.node_count = 1;
            self.progress.sequence = 1;
            // By crossing the start is no crossing, and stays out of the table; a key that nothing asks for is harmless.
            if let Err(place) = self.table.find(spread(entrance.polygon()), |_| false) {
                self.table.insert(place, 0);
            }
            let _ = self.open.push(FloatEntry::new(total, 0, 0));
        }
    }

    /// Expands nodes until the search has ended or the budget of expansions is used up.
    pub fn run<N: Model, F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) {
        let most = (self.nodes.len() as u64).saturating_mul(EXPANSIONS_PER_NODE);
        let mut left = budget;
        let mut grounds = Grounds::default();
        while left > 0 && self.progress.status == QueryStatus::InProgress {
            let Some(entry) = self.open.pop() else {
                self.progress.status = QueryStatus::Partial;
                break;
            };
            if entry.node() == TERMINAL {
                if entry.sequence() == self.progress.terminal.sequence {
                    self.progress.status = QueryStatus::Success;
                }
                continue;
            }
            let Some(node) = self.nodes.get_mut(entry.node() as usize) else { continue };
            if !node.ticket.is(entry.sequence()) {
                continue;
            }
            if self.progress.iterations >= most {
                self.progress.node_limit_reached = true;
                self.progress.status = QueryStatus::Partial;
                break;
            }
            // No entry has this number: the ones to come count on from it.
            node.ticket = Ticket::expanded(self.progress.sequence);
            self.progress.sequence += u32::from(self.progress.sequence < Ticket::LAST);
            // Number by number, as they were written: a node is often read just after, and a copy of it would be read in
            // pairs, for which the processor would have to wait until both have left for memory.
            let (position, entrance, parent) = (node.position, node.entrance, node.parent);
            let (cost, length) = (node.cost, node.length);
            left -= 1;
            self.progress.iterations += 1;
            let squared = distance_squared(position, self.progress.question.goal);
            // Strictly less: of nodes as close, the earliest expanded.
            let is_closer = squared < self.progress.closest.0;
            let (least, closest) = self.progress.closest;
            self.progress.closest = (
                select_unpredictable(is_closer, squared, least),
                select_unpredictable(is_closer, entry.node(), closest),
            );
            if let Some(ground) = grounds.of(mesh, entrance.slot())
                && let Some(polygon) = ground.polygons.get(entrance.index() as usize)
            {
                let (node, price) = (entry.node(), filter.area_cost(polygon.area));
                let leaving = Leaving { ground, entrance, parent, node, position, cost, length, price };
                self.expand::<N, F>(mesh, filter, leaving, polygon);
            }
        }
    }

    #[inline(always)]
    fn expand<N: Model, F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        leaving: Leaving<'_>,
        polygon: &Polygon,
    ) {
        let Leaving { ground, entrance, parent, .. } = leaving;
        self.progress.met_missing_tile |= ground.open_sides & u32::from(polygon.sides) != 0;
        if entrance.polygon() == self.progress.question.goal_polygon {
            self.reach_goal(leaving);
        }
        let ways_back = match entrance.back() {
            _ if !N::BY_POLYGON => 0,
            Some(edge) => 1 << edge,
            None => self.edges_back(ground, polygon, entrance, parent),
        };
        self.leave_by_edges::<N, F>(&leaving, polygon, ways_back, filter);
        if polygon.link_count > 0 {
            // A copy, so that the polygon's own stays in registers.
            let by_links = leaving;
            let from = if N::BY_POLYGON { self.polygon_of(parent) } else { None };
            for (number, link) in ground.links_of(polygon).iter().enumerate() {
                let entrance = Entrance::into(link.target, polygon.edge_count as u32 + number as u32);
                if from != Some(entrance.polygon()) {
                    self.leave_by_link::<N, F>(mesh, &by_links, polygon, filter, (entrance, link));
                }
            }
        }
    }

    /// A node's polygon. That of a node's parent is the one that a search by polygon does not go back to.
    fn polygon_of(&self, node: u32) -> Option<u64> {
        Some(self.nodes.get(node as usize)?.entrance.polygon())
    }

    /// A bit for each edge that leads back there: a polygon can share several with it.
    #[inline(never)]
    fn edges_back(&self, ground: &Ground<'_>, polygon: &Polygon, entrance: Entrance, parent: u32) -> u32 {
        let from = self.polygon_of(parent).and_then(|from| entrance.neighbor_of(from));
        from.map_or(0, |from| ground.edges_to(polygon, from))
    }

    /// Adds the terminal node, or lowers it.
    #[inline(never)]
    fn reach_goal(&mut self, leaving: Leaving<'_>) {
        let leg = distance(leaving.position, self.progress.question.goal);
        let cost = leaving.cost + leg * leaving.price;
        if leaving.length + leg > self.progress.question.max_length {
            self.progress.too_long = true;
        } else if cost < self.progress.terminal.cost
            && let Some(sequence) = self.wait(cost, TERMINAL)
        {
            self.progress.terminal = Terminal { cost, parent: leaving.node, sequence };
        }
    }

    #[inline(always)]
    fn leave_by_edges<N: Model, F: PolygonFilter>(
        &mut self,
        leaving: &Leaving<'_>,
        polygon: &Polygon,
        ways_back: u32,
        filter: &F,
    ) {
        let ground = leaving.ground;
        let goal = self.progress.question.goal;
        let edges = ground.edges_of(polygon);
        let tile = Entrance::new(leaving.entrance.slot(), 0, 0);
        let mut ways = u32::from(polygon.joined) & !ways_back;
        while ways != 0 {
            let at = ways.trailing_zeros() as usize;
            ways &= ways - 1;
            let Some(edge) = edges.get(at) else { return };
            let Some(target) = ground.polygons.get(edge.neighbor as usize) else { continue };
            if !filter.accepts(target.flags, target.area) {
                continue;
            }
            let entrance = tile.over_edge(edge.neighbor, at as u32, edge.back);
            let next = edges.get(at + 1).unwrap_or(&edges[0]);
            let (a, b) = (ground.world(edge.vertex), ground.world(next.vertex));
            let position = N::edge_crossing(leaving.position, a, b, goal);
            self.walk_to::<N>(leaving, entrance, position);
        }
    }

    #[inline(never)]
    fn leave_by_link<N: Model, F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        leaving: &Leaving<'_>,
        polygon: &Polygon,
        filter: &F,
        (entrance, link): (Entrance, &Link),
    ) {
        let Some(target) = mesh.polygon_in(link.target.slot(), link.target.index()) else { return };
        if !filter.accepts(target.flags, target.area) {
            return;
        }
        if link.kind == LINK_PORTAL {
            let Some((a, b)) = leaving.ground.edge_ends(polygon, link.edge as usize) else { return };
            let goal = self.progress.question.goal;
            let range = (link.range_min, link.range_max);
            let position = N::portal_crossing(leaving.position, a, b, goal, range);
            self.walk_to::<N>(leaving, entrance, position);
            return;
        }
        // None for a link that is switched off.
        let Some(crossing) = OffMeshCrossing::of(mesh, link) else { return };
        let (walk, across) = (distance(leaving.position, crossing.near), distance(crossing.near, crossing.far));
        let Some(toll) = crossing.cost(across, filter) else { return };
        let cost = leaving.cost + walk * leaving.price + toll;
        let length = leaving.length + walk + across;
        self.arrive::<N>(leaving, Arrival { entrance, position: crossing.far, cost, length });
    }

    #[inline(always)]
    fn walk_to<N: Model>(&mut self, leaving: &Leaving<'_>, entrance: Entrance, position: Vec3) {
        let leg = distance(leaving.position, position);
        let cost = leaving.cost + leg * leaving.price;
        self.arrive::<N>(leaving, Arrival { entrance, position, cost, length: leaving.length + leg });
    }

    /// Makes the node that an exit leads to, or relaxes it.
    #[inline(always)]
    fn arrive<N: Model>(&mut self, leaving: &Leaving<'_>, arrival: Arrival) {
        let question = &self.progress.question;
        let total = arrival.cost + question.min_cost * distance(arrival.position, question.goal);
        if arrival.length > question.max_length {
            self.progress.too_long = true;
            return;
        }
        // A filter that answers with no number, or with infinity for a polygon it accepted, forbids the way.
        if total.is_nan() | (total == f64::INFINITY) {
            return;
        }
        let (nodes, entrance) = (&*self.nodes, arrival.entrance);
        let found = if N::BY_POLYGON {
            let key = entrance.polygon();
            self.table.find(spread(key), |at| nodes[at as usize].entrance.polygon() == key)
        } else {
            // A crossing is the polygon left and the exit. The polygon left is its parent's, whichever parent that is.
            let left = nodes[leaving.node as usize].entrance.polygon();
            self.table.find(spread(left << 24 | entrance.exit() as u64), |at| {
                let node = &nodes[at as usize];
                node.entrance.exit() == entrance.exit()
                    && nodes.get(node.parent as usize).is_some_and(|parent| parent.entrance.polygon() == left)
            })
        };
        let Arrival { position, cost, length, .. } = arrival;
        match found {
            Ok(at) => {
                let ticket = Ticket::default();
                let node = Node { position, cost, total, length, entrance, parent: leaving.node, ticket };
                self.relax::<N>(at, node);
            }
            Err(place) => {
                let at = self.progress.node_count;
                if at as usize >= self.nodes.len() {
                    self.progress.node_limit_reached = true;
                    return;
                }
                let Some(sequence) = self.wait(total, at) else { return };
                self.table.insert(place, at);
                let ticket = Ticket::waiting(sequence);
                self.nodes[at as usize] =
                    Node { position, cost, total, length, entrance, parent: leaving.node, ticket };
                self.progress.node_count += 1;
            }
        }
    }

    /// Takes the new route to a node that has one, if it is better.
    #[inline(never)]
    fn relax<N: Model>(&mut self, at: u32, new: Node) {
        let old = self.nodes[at as usize];
        let is_better = if N::BY_POLYGON {
            new.total < old.total && !(old.ticket.was_expanded() && self.is_on_route(at, new.parent))
        } else {
            !old.ticket.was_expanded() && new.cost < old.cost
        };
        if !is_better {
            return;
        }
        let mut ticket = old.ticket;
        // With an equal total (a lower cost that rounding hides) the older entry is popped first and stands.
        if new.total < old.total {
            let Some(sequence) = self.wait(new.total, at) else { return };
            ticket = ticket.again(sequence);
        }
        self.nodes[at as usize] = Node { ticket, ..new };
    }

    /// Whether a node lies on the route to another. Giving such a node the other as its parent would close the route
    /// to a ring: it happens by rounding, where a route turns on a point, and when a filter's least cost is wrong.
    fn is_on_route(&self, at: u32, mut end: u32) -> bool {
        for _ in 0..self.progress.node_count {
            if end == at {
                return true;
            }
            match self.nodes.get(end as usize) {
                Some(node) => end = node.parent,
                None => return false,
            }
        }
        false
    }

    /// Puts a node into the open set and gives its sequence number; none when those run out.
    #[inline(always)]
    fn wait(&mut self, total: f64, node: u32) -> Option<u32> {
        let sequence = self.progress.sequence;
        if sequence >= Ticket::LAST {
            self.progress.node_limit_reached = true;
            return None;
        }
        let entry = FloatEntry::new(total, sequence, node);
        if !self.open.push(entry) && !self.push_after_sweep(entry) {
            self.progress.node_limit_reached = true;
            return None;
        }
        self.progress.sequence = sequence + 1;
        Some(sequence)
    }

    /// Drops the open set's entries that no longer count. Each node waits at most once, so room is made.
    #[cold]
    #[inline(never)]
    fn push_after_sweep(&mut self, entry: FloatEntry) -> bool {
        let (nodes, terminal) = (&*self.nodes, self.progress.terminal.sequence);
        self.open.retain(|entry| match entry.node() {
            TERMINAL => entry.sequence() == terminal,
            node => nodes.get(node as usize).is_some_and(|node| node.ticket.is(entry.sequence())),
        });
        self.open.push(entry)
    }
}
