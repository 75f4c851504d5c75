//! A segment followed over a mesh in whole numbers: the page's raycast without rounding.
//!
//! Positions are counted in 2^-23 units, which the random meshes' vertices and the tests' positions are multiples of.
//! A parameter along the segment is a fraction of two such products, below 2^60, so that comparing two stays in 128
//! bits.

use super::world::corners;
use crate::mesh::view::{LINK_PORTAL, NO_NEIGHBOR, NO_SIDE};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{MoveEnd, PolygonFilter};
use std::vec::Vec;

pub type P = [i128; 2];

pub const UNIT: f64 = (1 << 23) as f64;

/// A position in whole numbers of units.
pub fn exact(p: [f64; 3]) -> P {
    [p[0], p[2]].map(|v| {
        let scaled = v * UNIT;
        assert_eq!(scaled, scaled.round(), "no multiple of the unit: {v}");
        scaled as i128
    })
}

/// A position moved onto a coarse lattice of 1/1024.
pub fn rounded(p: [f64; 3]) -> [f64; 3] {
    p.map(|v| (v * 1024.0).round() / 1024.0)
}

pub fn minus(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn cross(a: P, b: P) -> i128 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: P, b: P) -> i128 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn ring(mesh: &NavMesh<'_>, polygon: PolyRef) -> Vec<(P, P)> {
    let ring: Vec<P> = corners(mesh, polygon).into_iter().map(exact).collect();
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])).collect()
}

pub fn holds(mesh: &NavMesh<'_>, polygon: PolyRef, p: P) -> bool {
    ring(mesh, polygon).iter().all(|&(a, b)| cross(minus(b, a), minus(p, a)) >= 0)
}

/// A fraction with a positive lower part.
#[derive(Clone, Copy, Debug)]
pub struct Fraction(pub i128, pub i128);

impl Fraction {
    fn cmp(self, other: Fraction) -> std::cmp::Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

#[derive(Debug)]
pub struct Walk {
    pub end: MoveEnd,
    pub t: f64,
    pub polygon: PolyRef,
    pub edge: usize,
    pub visited: Vec<PolyRef>,
    /// Whether a crossing came so near a vertex or the end of a portal's range that the page's tolerances decide.
    pub close: bool,
    /// Whether a crossing lay within two steps of the end of a portal's range.
    pub slack: bool,
}

/// How far from a vertex, as a share of the edge, a crossing must be for its answer to be beyond doubt.
const NEAR: f64 = 1e-6;

pub fn walk(mesh: &NavMesh<'_>, start: PolyRef, from: P, to: P, filter: &impl PolygonFilter) -> Walk {
    let way = minus(to, from);
    let mut walk = Walk {
        end: MoveEnd::Reached,
        t: 1.0,
        polygon: start,
        edge: 0,
        visited: std::vec![start],
        close: false,
        slack: false,
    };
    for _ in 0..10_000 {
        let (tile, record) = mesh.polygon(walk.polygon).unwrap();
        let ring = ring(mesh, walk.polygon);
        let leaves: Vec<Option<Fraction>> = ring
            .iter()
            .map(|&(a, b)| {
                let down = -cross(minus(b, a), way);
                (down > 0).then(|| Fraction(cross(minus(b, a), minus(from, a)), down))
            })
            .collect();
        let Some(least) = leaves.iter().flatten().copied().min_by(|a, b| a.cmp(*b)) else { return walk };
        if least.0 >= least.1 {
            return walk;
        }
        // Where on an edge the crossing lies, as a share of its length: exact, because it is on the edge's line.
        let share = |(a, b): (P, P)| {
            let (edge, down) = (minus(b, a), least.1);
            let along = dot(minus(from, a), edge) * down + dot(way, edge) * least.0;
            Fraction(along, dot(edge, edge) * down)
        };
        let mut next = None;
        let mut wall = None;
        for (i, &side) in ring.iter().enumerate() {
            let Some(left) = leaves[i] else { continue };
            if left.cmp(least).is_ne() {
                walk.close |= left.value() - least.value() < 1e-8;
                continue;
            }
            let Fraction(at, of) = share(side);
            if at < 0 || at > of {
                continue;
            }
            let fraction = at as f64 / of as f64;
            walk.close |= (0.0 < fraction && fraction < NEAR) || (1.0 - NEAR < fraction && fraction < 1.0);
            wall = wall.or(Some(i));
            let edge = tile.edges_of(record)[i];
            if edge.neighbor != NO_NEIGHBOR {
                let target = tile.polygons[edge.neighbor as usize];
                if filter.accepts(target.flags, target.area) {
                    next = next.or(Some(tile.reference.polygon(edge.neighbor)));
                }
            }
            for link in tile.links_of(record) {
                if link.kind != LINK_PORTAL || link.edge as usize != i {
                    continue;
                }
                let (low, high) = (i128::from(link.range_min) - 1, i128::from(link.range_max) + 1);
                for end in [low, high] {
                    walk.close |= (fraction * 255.0 - end as f64).abs() < NEAR;
                    walk.slack |= (fraction * 255.0 - end as f64).abs() <= 2.0;
                }
                let (_, target) = mesh.polygon(link.target).unwrap();
                // Compared as shares: a product by 255 more would pass 128 bits.
                let share = fraction * 255.0;
                if low as f64 <= share && share <= high as f64 && filter.accepts(target.flags, target.area) {
                    next = next.or(Some(link.target));
                }
            }
        }
        walk.t = least.value();
        match next {
            Some(next) => {
                walk.polygon = next;
                walk.visited.push(next);
                walk.t = 1.0;
            }
            None => {
                let Some(wall) = wall else {
                    // A portal's range is rounded and has slack: the segment entered beside the polygon.
                    assert!(walk.slack, "a segment in a polygon leaves it over an edge");
                    walk.close = true;
                    return walk;
                };
                walk.edge = wall;
                let side = tile.edges_of(record)[walk.edge].side;
                let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][side as usize % 4];
                let missing = side != NO_SIDE && mesh.tiles_in_column(tile.x + dx, tile.z + dz).next().is_none();
                walk.end = if missing { MoveEnd::NotLoaded } else { MoveEnd::Wall };
                return walk;
            }
        }
    }
    panic!("the walk goes round in a ring");
}
