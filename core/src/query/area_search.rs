//! The area search: which polygons can be reached near here, best-first over the portals that touch a shape, without
//! costs (`navmesh-queries.md`, "Polygon-set queries", "Local neighbourhood").
//!
//! It works in the memory of the path search: its nodes lie in the path's node array, and table and open set are the
//! same. A node is a polygon. The order of expansion is kept in the nodes themselves: node `i` holds the number of the
//! node that was expanded `i`-th.

use super::areas::AreaStatus;
use super::filter::PolygonFilter;
use super::node::{NO_NODE, Node, Ticket};
use super::plane::{Vec3, between};
use super::shape::{Extent, Point, Shape, boxes_overlap, extent_of, interiors_meet, seen_from_above};
use crate::memory::{Pod, Zeroable};
use crate::mesh::ground::{Ground, Grounds};
use crate::mesh::view::{Edge, LINK_PORTAL, Link, NO_NEIGHBOR, NO_SIDE, Polygon};
use crate::mesh::{NavMesh, PolyRef};
use crate::search::{FloatEntry, FrontedSet, NodeTable, Place, spread};

/// One polygon of an area search.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct AreaNode {
    /// The squared distance from the shape's reference point to the portal it was reached through; 0 for the start.
    pub key: f64,
    pub polygon: PolyRef,
    /// In a neighbourhood the polygon's box; a random draw, which ends the search, keeps its running total of areas here.
    extent: Extent,
    /// The node it was reached from, or [`NO_NODE`].
    pub parent: u32,
    ticket: Ticket,
    /// Which node was expanded as the how-manieth this node's own number says.
    expanded: u32,
    reserved: u32,
}

// The same memory holds either kind of node.
const _: () = assert!(size_of::<AreaNode>() == size_of::<Node>() && align_of::<AreaNode>() == align_of::<Node>());

impl AreaNode {
    /// The clipped area of the polygons expanded up to this node's own number.
    pub fn running_total(&self) -> f64 {
        self.extent[0]
    }

    pub fn set_running_total(&mut self, total: f64) {
        self.extent[0] = total;
    }
}

/// What an area search is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum About {
    Circle {
        center: Vec3,
        radius: f64,
    },
    /// A convex polygon: how many points the context's ring holds, and their mean.
    Convex {
        points: u32,
        reference: Vec3,
    },
}

/// How far an area search has come: everything but its arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct AreaProgress {
    pub status: AreaStatus,
    /// Whether it was begun and not finished.
    pub is_open: bool,
    pub about: About,
    /// Whether polygons that overlap one already met are left out.
    pub is_neighbourhood: bool,
    /// The mesh's edit count at the begin.
    pub version: u64,
    pub node_limit_reached: bool,
    pub node_count: u32,
    /// How many nodes were expanded, each once.
    pub expanded: u32,
    pub sequence: u32,
}

impl AreaProgress {
    /// Nothing has run.
    pub const NONE: AreaProgress = AreaProgress {
        status: AreaStatus::None,
        is_open: false,
        about: About::Circle { center: [0.0; 3], radius: 0.0 },
        is_neighbourhood: false,
        version: 0,
        node_limit_reached: false,
        node_count: 0,
        expanded: 0,
        sequence: 0,
    };
}

/// A path search's nodes as an area search's.
pub(super) fn area_nodes(nodes: &[Node]) -> &[AreaNode] {
    bytemuck::cast_slice(nodes)
}

/// A path search's nodes as an area search's.
pub(super) fn area_nodes_mut(nodes: &mut [Node]) -> &mut [AreaNode] {
    bytemuck::cast_slice_mut(nodes)
}

/// The polygons expanded, in that order.
pub(super) fn expanded<'a>(
    nodes: &'a [AreaNode],
    progress: &AreaProgress,
) -> impl ExactSizeIterator<Item = &'a AreaNode> + Clone + use<'a> {
    let order = nodes.get(..progress.expanded as usize).unwrap_or(&[]);
    order.iter().map(move |place| &nodes[place.expanded as usize % nodes.len()])
}

/// The polygon expanded `at`-th, which an iterator would walk to.
pub(super) fn nth_expanded<'a>(nodes: &'a [AreaNode], progress: &AreaProgress, at: usize) -> Option<&'a AreaNode> {
    let place = nodes.get(..progress.expanded as usize)?.get(at)?;
    nodes.get(place.expanded as usize)
}

/// An area search at work, in a context's memory.
pub(super) struct AreaSearch<'a, 'm> {
    pub nodes: &'a mut [AreaNode],
    pub table: &'a mut NodeTable<'m>,
    pub open: &'a mut FrontedSet<'m>,
    pub progress: &'a mut AreaProgress,
    pub shape: Shape<'a>,
}

/// How a polygon was reached.
struct Reached {
    parent: u32,
    key: f64,
    extent: Extent,
}

impl AreaSearch<'_, '_> {
    /// Begins at a polygon, which is in the result whatever the shape.
    pub fn begin(&mut self, mesh: &NavMesh<'_>, start: PolyRef) {
        self.table.begin();
        self.open.clear();
        let mut extent = Extent::default();
        if self.progress.is_neighbourhood {
            extent = extent_of(Ring::of(mesh, start).unwrap_or_default().points());
        }
        if let Err(place) = self.table.find(spread(start.0), |_| false) {
            self.add(place, start, Reached { parent: NO_NODE, key: 0.0, extent });
        }
    }

    /// Expands polygons until all are found or the budget of expansions is used up.
    pub fn run<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) {
        let mut left = budget;
        let mut grounds = Grounds::default();
        while left > 0 && self.progress.status == AreaStatus::InProgress {
            let Some(entry) = self.open.pop() else {
                self.progress.status = AreaStatus::Success;
                break;
            };
            let Some(node) = self.nodes.get_mut(entry.node() as usize) else { continue };
            if !node.ticket.is(entry.sequence()) {
                continue;
            }
            node.ticket = Ticket::closed();
            let polygon = node.polygon;
            if let Some(place) = self.nodes.get_mut(self.progress.expanded as usize) {
                place.expanded = entry.node();
                self.progress.expanded += 1;
            }
            left -= 1;
            if let Some(ground) = grounds.of(mesh, polygon.slot())
                && let Some(record) = ground.polygons.get(polygon.index() as usize)
            {
                self.expand(mesh, filter, ground, record, entry.node());
            }
        }
    }

    fn expand<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        ground: &Ground<'_>,
        polygon: &Polygon,
        number: u32,
    ) {
        each_portal(mesh, ground, polygon, filter, |target, ends| self.reach(mesh, target, ends, number));
    }

    /// Makes the node of a polygon behind a portal that touches the shape, or lowers its key.
    fn reach(&mut self, mesh: &NavMesh<'_>, polygon: PolyRef, (a, b): (Vec3, Vec3), parent: u32) {
        let nodes = &*self.nodes;
        let found = self.table.find(spread(polygon.0), |at| nodes[at as usize].polygon == polygon);
        if found.is_ok_and(|at| nodes[at as usize].ticket.is_closed()) {
            return;
        }
        let Some(key) = self.shape.reached_by(a, b) else { return };
        match found {
            // Only a larger key is lowered.
            Ok(at) => {
                if key < nodes[at as usize].key
                    && let Some(sequence) = self.wait(key, at)
                {
                    let node = &mut self.nodes[at as usize];
                    node.key = key;
                    node.parent = parent;
                    node.ticket = Ticket::waiting(sequence);
                }
            }
            Err(place) => {
                let extent = if self.progress.is_neighbourhood {
                    self.extent_beside_all(mesh, polygon)
                } else {
                    Some(Extent::default())
                };
                if let Some(extent) = extent {
                    self.add(place, polygon, Reached { parent, key, extent });
                }
            }
        }
    }

    /// The box of a polygon whose inside meets that of no polygon met so far; none for another.
    fn extent_beside_all(&self, mesh: &NavMesh<'_>, polygon: PolyRef) -> Option<Extent> {
        let ring = Ring::of(mesh, polygon)?;
        let extent = extent_of(ring.points());
        let met = self.nodes.get(..self.progress.node_count as usize)?;
        let mut close = met.iter().filter(|node| boxes_overlap(&node.extent, &extent));
        let overlaps = |node: &AreaNode| {
            Ring::of(mesh, node.polygon).is_some_and(|other| interiors_meet(ring.points(), other.points()))
        };
        if close.any(overlaps) { None } else { Some(extent) }
    }

    /// Makes a polygon's node, which belongs at that place of the table.
    fn add(&mut self, place: Place, polygon: PolyRef, reached: Reached) {
        let at = self.progress.node_count;
        if at as usize >= self.nodes.len() {
            self.progress.node_limit_reached = true;
            return;
        }
        let Reached { parent, key, extent } = reached;
        let Some(sequence) = self.wait(key, at) else { return };
        self.table.insert(place, at);
        let ticket = Ticket::waiting(sequence);
        self.nodes[at as usize] = AreaNode { key, polygon, extent, parent, ticket, expanded: 0, reserved: 0 };
        self.progress.node_count += 1;
    }

    /// Puts a node into the open set and gives its sequence number; none when those run out.
    fn wait(&mut self, key: f64, node: u32) -> Option<u32> {
        let sequence = self.progress.sequence;
        let entry = FloatEntry::new(key, sequence, node);
        if sequence >= Ticket::LAST || !self.open.push(entry) && !self.push_after_sweep(entry) {
            self.progress.node_limit_reached = true;
            return None;
        }
        self.progress.sequence = sequence + 1;
        Some(sequence)
    }

    /// Drops the open set's entries that no longer count. Each node waits at most once, so room is made.
    #[cold]
    fn push_after_sweep(&mut self, entry: FloatEntry) -> bool {
        let nodes = &*self.nodes;
        self.open.retain(|entry| nodes.get(entry.node() as usize).is_some_and(|node| node.ticket.is(entry.sequence())));
        self.open.push(entry)
    }
}

/// Calls `visit` with each polygon that a filter accepts behind an edge of a polygon, and the ends of the portal to it:
/// edge by edge, the neighbour in the tile, or the portal links in link order.
#[inline]
pub(super) fn each_portal<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    ground: &Ground<'_>,
    polygon: &Polygon,
    filter: &F,
    mut visit: impl FnMut(PolyRef, (Vec3, Vec3)),
) {
    let edges = ground.edges_of(polygon);
    let Some(first) = edges.first() else { return };
    let mut a = ground.world(first.vertex);
    for (at, edge) in edges.iter().enumerate() {
        let b = ground.world(edges.get(at + 1).unwrap_or(first).vertex);
        if edge.neighbor != NO_NEIGHBOR {
            if leads_on(ground, edge, filter) {
                visit(ground.tile.polygon(edge.neighbor), (a, b));
            }
        } else if edge.side != NO_SIDE {
            for link in portal_links(ground, polygon, at).filter(|link| is_entered(mesh, link, filter)) {
                let end = |part: u8| between(a, b, f64::from(part) / 255.0);
                visit(link.target, (end(link.range_min), end(link.range_max)));
            }
        }
        a = b;
    }
}

/// Whether a filter accepts the polygon of the same tile across an edge.
#[inline]
pub(super) fn leads_on<F: PolygonFilter>(ground: &Ground<'_>, edge: &Edge, filter: &F) -> bool {
    let neighbor = ground.polygons.get(edge.neighbor as usize);
    neighbor.is_some_and(|neighbor| filter.accepts(neighbor.flags, neighbor.area))
}

/// The portal links of one edge of a polygon, in link order.
pub(super) fn portal_links<'a>(
    ground: &Ground<'a>,
    polygon: &Polygon,
    edge: usize,
) -> impl Iterator<Item = &'a Link> + use<'a> {
    ground.links_of(polygon).iter().filter(move |link| link.kind == LINK_PORTAL && link.edge as usize == edge)
}

/// Whether a filter accepts the polygon that a link leads to.
#[inline]
pub(super) fn is_entered<F: PolygonFilter>(mesh: &NavMesh<'_>, link: &Link, filter: &F) -> bool {
    // The target of a link is never stale.
    let accepts = |target: &Polygon| filter.accepts(target.flags, target.area);
    filter.accepts_all() || mesh.polygon_in(link.target.slot(), link.target.index()).is_some_and(accepts)
}

/// The part of an edge that a portal link shares, from its range in 1/255ths.
pub(super) fn portal_ends(ground: &Ground<'_>, polygon: &Polygon, link: &Link) -> Option<(Vec3, Vec3)> {
    let (a, b) = ground.edge_ends(polygon, link.edge as usize)?;
    let at = |part: u8| between(a, b, f64::from(part) / 255.0);
    Some((at(link.range_min), at(link.range_max)))
}

/// The most vertices a polygon has.
const MAX_VERTICES: usize = 16;

/// A polygon's corners seen from above, in world coordinates, as the exact tests read them.
#[derive(Clone, Copy, Default)]
struct Ring {
    corners: [Point; MAX_VERTICES],
    len: usize,
}

impl Ring {
    fn of(mesh: &NavMesh<'_>, reference: PolyRef) -> Option<Ring> {
        let ground = mesh.ground(reference.slot())?;
        let polygon = ground.polygons.get(reference.index() as usize)?;
        let edges = ground.edges_of(polygon);
        let mut ring = Ring { len: edges.len().min(MAX_VERTICES), ..Ring::default() };
        for (corner, edge) in ring.corners.iter_mut().zip(edges) {
            *corner = seen_from_above(ground.world(edge.vertex));
        }
        Some(ring)
    }

    fn points(&self) -> &[Point] {
        &self.corners[..self.len]
    }
}
