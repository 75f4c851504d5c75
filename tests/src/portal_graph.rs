//! The shortest way across a mesh, found by brute force: an oracle for paths.
//!
//! Each shared edge is sampled at evenly spread points, every two points of the same polygon are joined by a straight
//! step, and Dijkstra's algorithm runs over the points. What it finds can be walked, so the true shortest way is never
//! longer, and with many samples hardly shorter. It knows nothing of corridors, funnels or heuristics.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use navarena::mesh::PolyRef;
use navarena::mesh::view::{LINK_PORTAL, NO_NEIGHBOR, TileView};

/// The sampled crossings of a mesh.
pub struct PortalGraph {
    points: Vec<[f64; 3]>,
    /// The polygons that a point borders on: both sides of its edge.
    sides: Vec<[usize; 2]>,
    /// The points on each polygon's outline.
    around: Vec<Vec<usize>>,
    polygons: BTreeMap<PolyRef, usize>,
}

impl PortalGraph {
    /// Samples every crossing of a mesh's tiles at `samples` points, at least two.
    pub fn new<'a>(tiles: impl Iterator<Item = TileView<'a>>, samples: usize) -> PortalGraph {
        let tiles: Vec<TileView<'a>> = tiles.collect();
        let mut graph =
            PortalGraph { points: Vec::new(), sides: Vec::new(), around: Vec::new(), polygons: BTreeMap::new() };
        for tile in &tiles {
            for index in 0..tile.polygons.len() {
                let number = graph.polygons.len();
                graph.polygons.insert(tile.reference.polygon(index as u32), number);
                graph.around.push(Vec::new());
            }
        }
        for tile in &tiles {
            graph.add_tile(tile, samples.max(2));
        }
        graph
    }

    fn add_tile(&mut self, tile: &TileView<'_>, samples: usize) {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let from = tile.reference.polygon(index as u32);
            let edges = tile.edges_of(polygon);
            let ends =
                |edge: usize| (tile.world(edges[edge].vertex), tile.world(edges[(edge + 1) % edges.len()].vertex));
            for (edge, record) in edges.iter().enumerate() {
                if record.neighbor != NO_NEIGHBOR && record.neighbor as usize > index {
                    let (a, b) = ends(edge);
                    self.sample(from, tile.reference.polygon(record.neighbor), (a, b), (0.0, 1.0), samples);
                }
            }
            for link in tile.links_of(polygon).iter().filter(|link| link.kind == LINK_PORTAL && link.target > from) {
                let range = (f64::from(link.range_min) / 255.0, f64::from(link.range_max) / 255.0);
                self.sample(from, link.target, ends(link.edge as usize), range, samples);
            }
        }
    }

    fn sample(&mut self, a: PolyRef, b: PolyRef, edge: ([f64; 3], [f64; 3]), range: (f64, f64), samples: usize) {
        let (Some(&a), Some(&b)) = (self.polygons.get(&a), self.polygons.get(&b)) else { return };
        for step in 0..samples {
            let t = range.0 + (range.1 - range.0) * step as f64 / (samples - 1) as f64;
            let point = [0, 1, 2].map(|axis| edge.0[axis] + (edge.1[axis] - edge.0[axis]) * t);
            self.around[a].push(self.points.len());
            self.around[b].push(self.points.len());
            self.points.push(point);
            self.sides.push([a, b]);
        }
    }

    /// Length of the shortest way over the samples between two points of two polygons; `None` where there is none.
    pub fn shortest(&self, start: (PolyRef, [f64; 3]), goal: (PolyRef, [f64; 3])) -> Option<f64> {
        let (&from, &to) = (self.polygons.get(&start.0)?, self.polygons.get(&goal.0)?);
        if from == to {
            return Some(distance(start.1, goal.1));
        }
        let mut best = vec![f64::INFINITY; self.points.len()];
        let mut open = BinaryHeap::new();
        for &point in &self.around[from] {
            best[point] = distance(start.1, self.points[point]);
            open.push((Reverse(Length(best[point])), point));
        }
        let mut found = f64::INFINITY;
        while let Some((Reverse(Length(length)), point)) = open.pop() {
            if length > best[point] || length >= found {
                continue;
            }
            for &polygon in &self.sides[point] {
                if polygon == to {
                    found = found.min(length + distance(self.points[point], goal.1));
                }
                for &next in &self.around[polygon] {
                    let longer = length + distance(self.points[point], self.points[next]);
                    if longer < best[next] {
                        best[next] = longer;
                        open.push((Reverse(Length(longer)), next));
                    }
                }
            }
        }
        found.is_finite().then_some(found)
    }
}

/// A length as a key of a queue; never NaN.
#[derive(PartialEq)]
struct Length(f64);

impl Eq for Length {}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    crate::recast::length(&[a, b])
}
