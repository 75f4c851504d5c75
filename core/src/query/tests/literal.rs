//! The path search as the page's sentences say it, with a hash map, a heap that keeps stale entries, and no care for
//! time or memory. Knows both node models.

use super::world::corners;
use crate::mesh::view::{LINK_DISABLED, LINK_OFF_MESH, LINK_OFF_MESH_REVERSE, LINK_PORTAL, Link, NO_NEIGHBOR};
use crate::mesh::view::{LINK_STAGED, LINK_STAGED_REVERSE};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{NodeModel, PolygonFilter};
use std::collections::{BinaryHeap, HashMap};
use std::vec::Vec;

type V = [f64; 3];

pub struct Task {
    pub model: NodeModel,
    pub start: (PolyRef, V),
    pub end: (PolyRef, V),
    pub nodes: usize,
}

#[derive(Debug, PartialEq)]
pub struct Answer {
    pub found: bool,
    pub node_limit: bool,
    pub corridor: Vec<PolyRef>,
    pub cost: f64,
    pub iterations: u64,
}

pub fn squared_length(a: V, b: V) -> f64 {
    let (x, y, z) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    x * x + y * y + z * z
}

pub fn length(a: V, b: V) -> f64 {
    crate::math::sqrt(squared_length(a, b))
}

/// The length seen from above.
pub fn flat_length(a: V, b: V) -> f64 {
    length([a[0], 0.0, a[2]], [b[0], 0.0, b[2]])
}

/// One way out of a polygon.
pub enum Exit {
    Edge(PolyRef, V, V),
    Portal(PolyRef, V, V, f64, f64),
    /// Target, near end, far end, flags, area.
    OffMesh(PolyRef, V, V, u16, u8),
    /// Target, near end, far end, kind, cost.
    Staged(PolyRef, V, V, u8, f64),
}

/// A polygon's exits in order.
pub fn exits(mesh: &NavMesh<'_>, polygon: PolyRef) -> Vec<Exit> {
    let (tile, record) = mesh.polygon(polygon).unwrap();
    let ring = corners(mesh, polygon);
    let side = |i: usize| (ring[i], ring[(i + 1) % ring.len()]);
    let mut exits = Vec::new();
    for (i, edge) in tile.edges_of(record).iter().enumerate() {
        if edge.neighbor != NO_NEIGHBOR {
            exits.push(Exit::Edge(tile.reference.polygon(edge.neighbor), side(i).0, side(i).1));
        }
    }
    for link in tile.links_of(record) {
        // One that is switched off has a number too, but leads nowhere.
        if link.kind & LINK_DISABLED != 0 {
            exits.push(Exit::Staged(polygon, [0.0; 3], [0.0; 3], 0, f64::INFINITY));
            continue;
        }
        exits.push(exit_of(mesh, link, &side));
    }
    exits
}

fn exit_of(mesh: &NavMesh<'_>, link: &Link, side: &dyn Fn(usize) -> (V, V)) -> Exit {
    if link.kind == LINK_PORTAL {
        let (a, b) = side(link.edge as usize);
        return Exit::Portal(link.target, a, b, link.range_min as f64, link.range_max as f64);
    }
    if matches!(link.kind, LINK_STAGED | LINK_STAGED_REVERSE) {
        let id = mesh.links().find(|id| id.slot() == link.owner_slot).unwrap();
        let (def, [a, b]) = (mesh.link_def(id).unwrap(), mesh.link_crossings(id).unwrap()[link.index as usize].points);
        let (near, far) = if link.kind == LINK_STAGED { (a, b) } else { (b, a) };
        return Exit::Staged(link.target, near, far, def.kind, def.cost);
    }
    let owner = mesh.tile(link.owner_slot as usize).unwrap();
    let slot = owner.off_mesh[link.index as usize];
    let world = |p: [f32; 3]| -> V { core::array::from_fn(|k| owner.origin[k] + p[k] as f64) };
    let (near, far) = match link.kind {
        LINK_OFF_MESH => (world(slot.start), world(slot.end)),
        LINK_OFF_MESH_REVERSE => (world(slot.end), world(slot.start)),
        _ => panic!("no link is switched off here"),
    };
    Exit::OffMesh(link.target, near, far, slot.flags, slot.area)
}

/// The least price of a unit of length, over ground or over a staged link that the filter takes.
pub fn least_price(mesh: &NavMesh<'_>, filter: &impl PolygonFilter) -> f64 {
    let mut least = filter.min_area_cost();
    for id in mesh.links() {
        let def = mesh.link_def(id).unwrap();
        for crossing in mesh.link_crossings(id).unwrap().iter().filter(|crossing| crossing.is_attached()) {
            let across = length(crossing.points[0], crossing.points[1]);
            if mesh.is_link_enabled(id).unwrap() && filter.accepts_link_kind(def.kind) && across > 0.0 {
                least = least.min(def.cost / across);
            }
        }
    }
    least
}

impl Exit {
    pub fn target(&self) -> PolyRef {
        match self {
            Exit::Edge(target, ..) | Exit::Portal(target, ..) | Exit::OffMesh(target, ..) => *target,
            Exit::Staged(target, ..) => *target,
        }
    }

    /// Whether a filter takes it, the polygon that it leads to aside.
    pub fn is_taken(&self, filter: &impl PolygonFilter) -> bool {
        match *self {
            Exit::Edge(..) | Exit::Portal(..) => true,
            Exit::OffMesh(_, _, _, flags, area) => filter.accepts(flags, area),
            Exit::Staged(_, _, _, kind, cost) => filter.accepts_link_kind(kind) && cost < f64::INFINITY,
        }
    }

    /// Where a route from `c` to the end `e` crosses it, and what the way there costs.
    fn cross(&self, model: NodeModel, c: V, e: V, price: f64, filter: &impl PolygonFilter) -> (V, f64) {
        let on = |a: V, b: V, s: f64| -> V { core::array::from_fn(|k| a[k] + s * (b[k] - a[k])) };
        let aim = |a: V, b: V, low: f64, high: f64, otherwise: f64| {
            let w = [e[0] - c[0], e[2] - c[2]];
            let down = (b[0] - a[0]) * w[1] - (b[2] - a[2]) * w[0];
            if down == 0.0 {
                return otherwise;
            }
            let s = ((c[0] - a[0]) * w[1] - (c[2] - a[2]) * w[0]) / down;
            s.max(low).min(high)
        };
        let walked = |to: V| (to, length(c, to) * price);
        match (self, model) {
            (&Exit::Edge(_, a, b), NodeModel::Crossing) => walked(core::array::from_fn(|k| (a[k] + b[k]) / 2.0)),
            (&Exit::Edge(_, a, b), NodeModel::Polygon) => walked(on(a, b, aim(a, b, 0.0, 1.0, 0.5))),
            (&Exit::Portal(_, a, b, low, high), NodeModel::Crossing) => walked(on(a, b, (low + high) / 510.0)),
            (&Exit::Portal(_, a, b, low, high), NodeModel::Polygon) => {
                walked(on(a, b, aim(a, b, low / 255.0, high / 255.0, (low + high) / 510.0)))
            }
            (&Exit::OffMesh(_, near, far, _, area), _) => {
                (far, length(c, near) * price + length(near, far) * filter.area_cost(area))
            }
            (&Exit::Staged(_, near, far, _, toll), _) => (far, length(c, near) * price + toll),
        }
    }
}

struct Node {
    polygon: PolyRef,
    at: V,
    cost: f64,
    total: f64,
    parent: Option<usize>,
    expanded: bool,
    ever: bool,
}

pub fn search(mesh: &NavMesh<'_>, task: &Task, filter: &impl PolygonFilter) -> Answer {
    let (start, end) = (task.start, task.end);
    let least = least_price(mesh, filter);
    let heuristic = |at: V| least * length(at, end.1);
    let accepts = |polygon: PolyRef| {
        let (_, record) = mesh.polygon(polygon).unwrap();
        filter.accepts(record.flags, record.area)
    };
    let mut nodes = std::vec![Node {
        polygon: start.0,
        at: start.1,
        cost: 0.0,
        total: heuristic(start.1),
        parent: None,
        expanded: false,
        ever: false,
    }];
    let mut by_key: HashMap<(PolyRef, usize), usize> = HashMap::new();
    if task.model == NodeModel::Polygon {
        by_key.insert((start.0, 0), 0);
    }
    // Least total first, then the earliest; `None` stands for the terminal node.
    let mut open = BinaryHeap::new();
    let mut sequence = 0u64;
    let mut wait = |open: &mut BinaryHeap<_>, total: f64, node: Option<usize>| {
        open.push(std::cmp::Reverse((total.to_bits(), sequence, node)));
        sequence += 1;
    };
    wait(&mut open, nodes[0].total, Some(0));
    let mut terminal: Option<(f64, usize)> = None;
    let mut answer = Answer { found: false, node_limit: false, corridor: Vec::new(), cost: 0.0, iterations: 0 };
    let mut closest = (f64::INFINITY, 0);
    while let Some(std::cmp::Reverse((_, _, node))) = open.pop() {
        let Some(now) = node else {
            answer.found = true;
            break;
        };
        if nodes[now].expanded {
            continue;
        }
        nodes[now].expanded = true;
        nodes[now].ever = true;
        answer.iterations += 1;
        let (polygon, c, cost) = (nodes[now].polygon, nodes[now].at, nodes[now].cost);
        let squared = squared_length(c, end.1);
        if squared < closest.0 {
            closest = (squared, now);
        }
        let price = filter.area_cost(mesh.polygon(polygon).unwrap().1.area);
        if polygon == end.0 {
            let total = cost + length(c, end.1) * price;
            if terminal.is_none_or(|(known, _)| total < known) {
                terminal = Some((total, now));
                wait(&mut open, total, None);
            }
        }
        let came_from = nodes[now].parent.map(|parent| nodes[parent].polygon);
        for (number, exit) in exits(mesh, polygon).iter().enumerate() {
            let target = exit.target();
            if !accepts(target) || task.model == NodeModel::Polygon && came_from == Some(target) {
                continue;
            }
            if !exit.is_taken(filter) {
                continue;
            }
            let (at, leg) = exit.cross(task.model, c, end.1, price, filter);
            // The sum's order is the route's: the walk, then the link.
            let cost = match *exit {
                Exit::OffMesh(_, near, far, _, area) => {
                    cost + length(c, near) * price + length(near, far) * filter.area_cost(area)
                }
                Exit::Staged(_, near, _, _, toll) => cost + length(c, near) * price + toll,
                _ => cost + leg,
            };
            let total = cost + heuristic(at);
            let key = match task.model {
                NodeModel::Polygon => (target, 0),
                NodeModel::Crossing => (polygon, number),
            };
            let found = by_key.get(&key).copied();
            let better = match found.map(|f| (f, &nodes[f])) {
                None => true,
                Some((f, known)) if task.model == NodeModel::Polygon => {
                    total < known.total && !(known.ever && is_before(&nodes, f, now))
                }
                Some((_, known)) => !known.expanded && cost < known.cost,
            };
            if !better {
                continue;
            }
            let fresh = Node { polygon: target, at, cost, total, parent: Some(now), expanded: false, ever: false };
            let id = match found {
                Some(id) => {
                    nodes[id] = Node { ever: nodes[id].ever, ..fresh };
                    id
                }
                None if nodes.len() == task.nodes => {
                    answer.node_limit = true;
                    continue;
                }
                None => {
                    nodes.push(fresh);
                    by_key.insert(key, nodes.len() - 1);
                    nodes.len() - 1
                }
            };
            wait(&mut open, total, Some(id));
        }
    }
    let (cost, tail) = match terminal {
        Some((cost, tail)) if answer.found => (cost, tail),
        _ => (nodes[closest.1].cost, closest.1),
    };
    answer.cost = cost;
    let mut route = Vec::new();
    let mut at = Some(tail);
    while let Some(node) = at {
        route.push(nodes[node].polygon);
        at = nodes[node].parent;
    }
    route.reverse();
    for polygon in route {
        if let Some(first) = answer.corridor.iter().position(|&known| known == polygon) {
            answer.corridor.truncate(first);
        }
        answer.corridor.push(polygon);
    }
    answer
}

fn is_before(nodes: &[Node], node: usize, mut of: usize) -> bool {
    loop {
        if of == node {
            return true;
        }
        match nodes[of].parent {
            Some(parent) => of = parent,
            None => return false,
        }
    }
}
