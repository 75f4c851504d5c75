//! Interior samples of one polygon, and where they are: the surface is refined where it strays most from them.

use super::heights::Heights;
use super::triangulation::{MOST_VERTICES, Triangulation};
use crate::build3d::local::TileCoordinates;
use crate::build3d::polygons::{PolyVertex, Polygon};
use crate::error::{Result, Subject};
use crate::math::sqrt;
use crate::memory::{List, Pod, Zeroable};

/// The triangle of a sample that was used or that lies in none.
const NONE: u32 = u32::MAX;

/// A place on the floor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Sample {
    /// How far the surface is above or below.
    error: f64,
    /// `x`, height, `z`, as the tile would store them.
    place: [f32; 3],
    /// The triangle it lies in.
    triangle: u32,
}

/// The corners of a polygon, and what samples keep away from.
pub(super) struct Outline<'t> {
    pub polygon: &'t Polygon,
    pub ring: &'t [PolyVertex],
}

impl Outline<'_> {
    /// The corners' box: lowest and highest x, then z.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let range = |value: fn(&PolyVertex) -> i32| {
            let low = self.ring.iter().map(value).min().unwrap_or(0);
            let high = self.ring.iter().map(value).max().unwrap_or(0);
            [f64::from(low), f64::from(high)]
        };
        [range(|vertex| vertex.x), range(|vertex| vertex.z)]
    }

    /// A bound on the samples: each has a disc of half their distance for itself, and all discs lie within the polygon.
    pub fn most_samples(&self, distance: f64) -> usize {
        let [first, rest @ ..] = self.ring else { return 0 };
        let area2 = rest.windows(2).map(|pair| {
            let [b, c] = [&pair[0], &pair[1]].map(|v| [f64::from(v.x - first.x), f64::from(v.z - first.z)]);
            b[0] * c[1] - b[1] * c[0]
        });
        // 4 / pi is below 1.2733, and half of that goes with twice the area.
        (area2.sum::<f64>() * 0.637 / (distance * distance)) as usize + 1
    }

    /// Collects the grid points farther than half the distance inside of every edge that have a floor below, and returns
    /// how many had none.
    pub fn collect(
        &self,
        distance: f64,
        heights: &Heights<'_>,
        coordinates: &TileCoordinates,
        samples: &mut List<'_, Sample>,
    ) -> Result<u32> {
        let [[min_x, max_x], [min_z, max_z]] = self.bounds();
        let rows: f64 = self.ring.iter().map(|vertex| f64::from(vertex.y)).sum();
        let expected = rows / self.ring.len() as f64;
        let mut edges = [Edge::default(); 16];
        let count = self.write_edges(&mut edges);
        let edges = &edges[..count];
        let mut missing = 0;
        for z in grid(min_z, max_z, distance) {
            for x in grid(min_x, max_x, distance) {
                if edges.iter().any(|edge| edge.distance_inside(x, z) <= distance / 2.0) {
                    continue;
                }
                match heights.nearest_row(x, z, expected, Some(self.polygon.region)) {
                    Some(row) => {
                        let place = [coordinates.local_at(x), coordinates.local_y(row.into()), coordinates.local_at(z)];
                        samples.push(Sample { error: 0.0, place, triangle: NONE }, Subject::Sample)?;
                    }
                    None => missing += 1,
                }
            }
        }
        Ok(missing)
    }

    fn write_edges(&self, edges: &mut [Edge; 16]) -> usize {
        let count = self.ring.len().min(edges.len());
        for (k, edge) in edges[..count].iter_mut().enumerate() {
            let [a, b] = [&self.ring[k], &self.ring[if k + 1 == count { 0 } else { k + 1 }]];
            let along = [f64::from(b.x - a.x), f64::from(b.z - a.z)];
            let length = sqrt(along[0] * along[0] + along[1] * along[1]);
            *edge = Edge { start: [f64::from(a.x), f64::from(a.z)], along, length };
        }
        count
    }
}

/// The places between two ends, a distance apart, from the first one after the low end.
fn grid(low: f64, high: f64, distance: f64) -> impl Iterator<Item = f64> {
    (1..u32::MAX).map(move |i| low + f64::from(i) * distance).take_while(move |&at| at < high)
}

/// A polygon's edge, in cells.
#[derive(Clone, Copy, Default)]
struct Edge {
    start: [f64; 2],
    along: [f64; 2],
    length: f64,
}

impl Edge {
    /// How far a place lies on the inner side of the edge's line.
    fn distance_inside(&self, x: f64, z: f64) -> f64 {
        (self.along[0] * (z - self.start[1]) - self.along[1] * (x - self.start[0])) / self.length
    }
}

impl Sample {
    fn ground(&self) -> [f64; 2] {
        [f64::from(self.place[0]), f64::from(self.place[2])]
    }

    /// Finds the triangle and the error anew. A sample that no triangle contains is left out.
    fn measure(&mut self, surface: &Triangulation<'_>) {
        self.triangle = NONE;
        if let Some(triangle) = surface.locate(self.ground()) {
            self.triangle = triangle as u32;
            self.error = (f64::from(self.place[1]) - surface.height_at(triangle, self.ground())).abs();
        }
    }
}

/// Adds the worst sample to the surface until none strays by more than `max_error`; returns whether the vertices ran out
/// before that.
pub(super) fn refine(surface: &mut Triangulation<'_>, samples: &mut [Sample], max_error: f64) -> bool {
    samples.iter_mut().for_each(|sample| sample.measure(surface));
    surface.clear_changes();
    while let Some(worst) = worst_of(samples) {
        let Sample { error, place, triangle } = samples[worst];
        if error <= max_error {
            return false;
        }
        if surface.vertex_count >= MOST_VERTICES {
            return true;
        }
        samples[worst].triangle = NONE;
        if surface.insert(triangle as usize, place) {
            // Only what lies in a changed triangle can have another error now.
            for sample in samples.iter_mut() {
                if sample.triangle != NONE && surface.has_changed(sample.triangle) {
                    sample.measure(surface);
                }
            }
            surface.clear_changes();
        }
    }
    false
}

/// The live sample with the largest error, the first of equal ones.
fn worst_of(samples: &[Sample]) -> Option<usize> {
    let mut worst: Option<usize> = None;
    for (index, sample) in samples.iter().enumerate() {
        if sample.triangle != NONE && worst.is_none_or(|worst| sample.error > samples[worst].error) {
            worst = Some(index);
        }
    }
    worst
}
