//! The least cost of all ways through crossings at fixed positions, by Dijkstra's algorithm on the whole graph of
//! crossings: no heuristic, no open set, no order of exits.

use super::literal::{Exit, exits, length};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::PolygonFilter;
use std::vec::Vec;

type V = [f64; 3];

struct Crossing {
    from: PolyRef,
    to: PolyRef,
    /// Where the polygon left is left, and where the one entered is entered.
    near: V,
    far: V,
    /// What lies between the two.
    across: f64,
}

/// The least cost from a position in a polygon to another, or infinity.
pub fn least_cost(mesh: &NavMesh<'_>, start: (PolyRef, V), end: (PolyRef, V), filter: &impl PolygonFilter) -> f64 {
    let crossings = crossings(mesh, filter);
    let price = |polygon: PolyRef| filter.area_cost(mesh.polygon(polygon).unwrap().1.area);
    let mut cost = std::vec![f64::INFINITY; crossings.len()];
    let mut done = std::vec![false; crossings.len()];
    for (known, crossing) in cost.iter_mut().zip(&crossings) {
        if crossing.from == start.0 {
            *known = length(start.1, crossing.near) * price(start.0) + crossing.across;
        }
    }
    let mut best = if start.0 == end.0 { length(start.1, end.1) * price(start.0) } else { f64::INFINITY };
    loop {
        let open = (0..cost.len()).filter(|&i| !done[i] && cost[i] < f64::INFINITY);
        let Some(now) = open.min_by(|&a, &b| cost[a].total_cmp(&cost[b])) else { return best };
        done[now] = true;
        let (at, polygon) = (crossings[now].far, crossings[now].to);
        if polygon == end.0 {
            best = best.min(cost[now] + length(at, end.1) * price(polygon));
        }
        for (i, next) in crossings.iter().enumerate() {
            if next.from == polygon {
                cost[i] = cost[i].min(cost[now] + length(at, next.near) * price(polygon) + next.across);
            }
        }
    }
}

fn crossings(mesh: &NavMesh<'_>, filter: &impl PolygonFilter) -> Vec<Crossing> {
    let mut all = Vec::new();
    for tile in mesh.tiles() {
        for index in 0..tile.polygons.len() as u32 {
            let from = tile.reference.polygon(index);
            for exit in exits(mesh, from) {
                let to = exit.target();
                let (_, record) = mesh.polygon(to).unwrap();
                if !filter.accepts(record.flags, record.area) || !exit.is_taken(filter) {
                    continue;
                }
                let on = |a: V, b: V, s: f64| -> V { core::array::from_fn(|k| a[k] * (1.0 - s) + b[k] * s) };
                let (near, far, across) = match exit {
                    Exit::Edge(_, a, b) => (on(a, b, 0.5), on(a, b, 0.5), 0.0),
                    Exit::Portal(_, a, b, low, high) => {
                        let s = (low + high) / 510.0;
                        (on(a, b, s), on(a, b, s), 0.0)
                    }
                    Exit::OffMesh(_, near, far, _, area) => (near, far, length(near, far) * filter.area_cost(area)),
                    Exit::Staged(_, near, far, _, cost) => (near, far, cost),
                };
                all.push(Crossing { from, to, near, far, across });
            }
        }
    }
    all
}
