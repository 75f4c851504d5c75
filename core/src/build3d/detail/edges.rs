//! Edge points: where a polygon's edge must bend to follow the floor.

use super::heights::Heights;
use crate::build3d::local::TileCoordinates;
use crate::build3d::polygons::PolyVertex;
use crate::math::{ceil, sqrt};

/// The most steps an edge is walked in; one that needs more gets no points.
pub(super) const MOST_STEPS: usize = 4096;

/// Walks edges. Both polygons at an edge get the same points, since the walk starts at the lexicographically smaller end.
pub(super) struct EdgeWalker<'t> {
    pub heights: &'t Heights<'t>,
    pub coordinates: &'t TileCoordinates,
    /// The distance of samples, in cells.
    pub distance: f64,
    /// How far a row may stray, in rows.
    pub max_deviation: f64,
    /// The rows along an edge, both ends included; room for every edge's steps and one more.
    pub rows: &'t mut [f64],
    /// The ends of stretches still to be refined; as long as `rows`.
    pub stack: &'t mut [u32],
}

/// How many steps an edge is walked in; 0 for one that gets no points.
pub(super) fn steps(a: &PolyVertex, b: &PolyVertex, distance: f64) -> usize {
    let (x, z) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let length = sqrt(x * x + z * z);
    let steps = if length > distance { ceil(length / distance) } else { 0.0 };
    if steps <= MOST_STEPS as f64 { steps as usize } else { 0 }
}

impl EdgeWalker<'_> {
    /// Writes the kept points of the edge from `a` to `b`, in that direction, and returns how many there are; of those that
    /// find no room in `points` only the count matters.
    pub fn walk(&mut self, a: &PolyVertex, b: &PolyVertex, points: &mut [[f32; 3]]) -> usize {
        let forth = (a.x, a.z) <= (b.x, b.z);
        let (from, to) = if forth { (a, b) } else { (b, a) };
        let steps = steps(a, b, self.distance);
        if steps < 2 {
            return 0;
        }
        self.look_up_rows(from, to, steps);
        let mut count = 0;
        let mut start = 0;
        let mut depth = 1;
        self.stack[0] = steps as u32;
        while depth > 0 {
            let end = self.stack[depth - 1] as usize;
            match self.farthest(start, end) {
                Some((deviation, middle)) if deviation > self.max_deviation => {
                    self.stack[depth] = middle as u32;
                    depth += 1;
                }
                _ => {
                    depth -= 1;
                    start = end;
                    if depth > 0 {
                        if let Some(point) = points.get_mut(count) {
                            *point = self.point(from, to, steps, end);
                        }
                        count += 1;
                    }
                }
            }
        }
        if !forth && count <= points.len() {
            points[..count].reverse();
        }
        count
    }

    fn look_up_rows(&mut self, from: &PolyVertex, to: &PolyVertex, steps: usize) {
        for step in 0..=steps {
            let straight = along(from.y, to.y, step, steps);
            self.rows[step] = if step == 0 || step == steps {
                straight
            } else {
                let (x, z) = (along(from.x, to.x, step, steps), along(from.z, to.z, step, steps));
                self.heights.nearest_row(x, z, straight, None).map_or(straight, f64::from)
            };
        }
    }

    /// The step strictly between two others whose row deviates most from the straight line between theirs; the first of
    /// equal ones.
    fn farthest(&self, start: usize, end: usize) -> Option<(f64, usize)> {
        let (low, high) = (self.rows[start], self.rows[end]);
        let mut best: Option<(f64, usize)> = None;
        for step in start + 1..end {
            let straight = low + (high - low) * (step - start) as f64 / (end - start) as f64;
            let deviation = (self.rows[step] - straight).abs();
            if best.is_none_or(|best| deviation > best.0) {
                best = Some((deviation, step));
            }
        }
        best
    }

    fn point(&self, from: &PolyVertex, to: &PolyVertex, steps: usize, step: usize) -> [f32; 3] {
        let map = self.coordinates;
        let (x, z) = (along(from.x, to.x, step, steps), along(from.z, to.z, step, steps));
        [map.local_at(x), map.local_y(self.rows[step]), map.local_at(z)]
    }
}

/// The value at a step of the straight way between two.
fn along(from: i32, to: i32, step: usize, steps: usize) -> f64 {
    f64::from(from) + f64::from(to - from) * step as f64 / steps as f64
}
