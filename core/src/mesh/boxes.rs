//! Boxes of a tile's polygons, to find those that meet a region without looking at each one.
//!
//! Derived when a tile is stored, never saved. A tile has a box for each polygon, then one for every eight of those,
//! and so on until eight are left: polygons that follow one another in a tile lie near one another, since builders
//! number them by region, so the numbering itself serves as the tree.

use super::view::{Edge, Polygon};
use crate::memory::{Pod, Zeroable};

/// How many boxes one box of the next level holds.
const FANOUT: usize = 8;
/// More levels than any count of polygons has: 8^7 is past the most polygons of a tile.
const MAX_LEVELS: usize = 8;

/// More than the rounding of any sum of world coordinates within the bound: their last place is at most 2^-31.
const WORLD_ROUNDING: f64 = 1.0 / (1u64 << 28) as f64;

/// A box relative to the tile's origin, its bounds included.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PolygonBox {
    /// The least coordinates of the outline's vertices.
    pub low: [f32; 3],
    /// The greatest ones.
    pub high: [f32; 3],
}

impl PolygonBox {
    const EMPTY: PolygonBox = PolygonBox { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// A box in the float32 of a tile with this origin that holds a world box.
    pub(crate) fn holding(origin: [f64; 3], low: [f64; 3], high: [f64; 3]) -> PolygonBox {
        PolygonBox {
            low: core::array::from_fn(|k| ((low[k] - origin[k] - WORLD_ROUNDING) as f32).next_down()),
            high: core::array::from_fn(|k| ((high[k] - origin[k] + WORLD_ROUNDING) as f32).next_up()),
        }
    }

    /// Whether the two meet; touching is meeting.
    #[inline]
    pub fn meets(&self, other: &PolygonBox) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && self.high[axis] >= other.low[axis])
    }

    fn with(self, other: &PolygonBox) -> PolygonBox {
        PolygonBox {
            low: core::array::from_fn(|k| if other.low[k] < self.low[k] { other.low[k] } else { self.low[k] }),
            high: core::array::from_fn(|k| if other.high[k] > self.high[k] { other.high[k] } else { self.high[k] }),
        }
    }
}

/// How many boxes a tile of so many polygons has: never more than a quarter above their number.
pub(super) const fn box_count(polygons: usize) -> usize {
    let (mut level, mut total) = (polygons, polygons);
    while level > FANOUT {
        level = level.div_ceil(FANOUT);
        total += level;
    }
    total
}

/// How many boxes a mesh of so many polygons can have, however they lie in tiles.
pub(super) const fn most_boxes(polygons: usize) -> usize {
    polygons.saturating_add(polygons / 4)
}

/// Lays out the boxes of a tile, of [`box_count`] places.
pub(super) fn lay(boxes: &mut [PolygonBox], polygons: &[Polygon], edges: &[Edge], vertices: &[[f32; 3]]) {
    for (place, polygon) in boxes.iter_mut().zip(polygons) {
        let first = polygon.first_edge as usize;
        let ring = edges.get(first..first + polygon.edge_count as usize).unwrap_or(&[]);
        *place = ring.iter().fold(PolygonBox::EMPTY, |whole, edge| {
            let vertex = vertices.get(edge.vertex as usize).copied().unwrap_or_default();
            whole.with(&PolygonBox { low: vertex, high: vertex })
        });
    }
    let (mut start, mut count) = (0, polygons.len());
    while count > FANOUT {
        let (below, above) = boxes.split_at_mut((start + count).min(boxes.len()));
        for (place, run) in above.iter_mut().zip(below[start..].chunks(FANOUT)) {
            *place = run.iter().fold(PolygonBox::EMPTY, PolygonBox::with);
        }
        start += count;
        count = count.div_ceil(FANOUT);
    }
}

/// Calls `visit` with the index of each polygon whose box meets a region, in order of index.
#[inline]
pub(crate) fn each_meeting(boxes: &[PolygonBox], polygons: usize, region: &PolygonBox, mut visit: impl FnMut(usize)) {
    let mut starts = [0; MAX_LEVELS];
    let mut counts = [0; MAX_LEVELS];
    counts[0] = polygons;
    let mut top = 0;
    while counts[top] > FANOUT && top + 1 < MAX_LEVELS {
        starts[top + 1] = starts[top] + counts[top];
        counts[top + 1] = counts[top].div_ceil(FANOUT);
        top += 1;
    }
    if polygons == 0 {
        return;
    }
    let (mut level, mut at) = (top, 0);
    loop {
        if boxes.get(starts[level] + at).is_some_and(|place| place.meets(region)) {
            if level > 0 {
                level -= 1;
                at *= FANOUT;
                continue;
            }
            visit(at);
        }
        at += 1;
        // Up from a run that is done, to the box after its own.
        while level < top && (at.is_multiple_of(FANOUT) || at == counts[level]) {
            at = at.div_ceil(FANOUT);
            level += 1;
        }
        if level == top && at == counts[top] {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn the_boxes_of_a_mesh_fit_its_pool_however_polygons_lie_in_tiles() {
        // Both are sums over tiles, so it is enough that no tile alone is above its share, rounded down.
        for polygons in 0..20_000 {
            assert!(box_count(polygons) <= most_boxes(polygons));
        }
        for polygons in [65_535, 65_536, 1_048_575] {
            assert!(box_count(polygons) <= most_boxes(polygons));
        }
        assert_eq!((box_count(8), box_count(9), box_count(64), box_count(65)), (8, 11, 72, 76));
    }

    proptest! {
        #[test]
        fn the_boxes_find_what_a_scan_finds(
            triangles in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-9.0f32..9.0)), 0..200),
            near in prop::array::uniform3(-9.0f32..9.0),
            size in 0.0f32..4.0,
        ) {
            let vertices: Vec<[f32; 3]> = triangles.iter().flatten().copied().collect();
            let edges: Vec<Edge> = (0..vertices.len()).map(|i| Edge { vertex: i as u16, ..Edge::default() }).collect();
            let polygons: Vec<Polygon> = (0..triangles.len())
                .map(|i| Polygon { first_edge: i as u32 * 3, edge_count: 3, ..Polygon::default() })
                .collect();
            let mut boxes = std::vec![PolygonBox::default(); box_count(polygons.len())];
            lay(&mut boxes, &polygons, &edges, &vertices);
            let region = PolygonBox { low: near, high: near.map(|x| x + size) };
            let mut found = Vec::new();
            each_meeting(&boxes, polygons.len(), &region, |i| found.push(i));
            let is_met = |t: &[[f32; 3]; 3]| (0..3).all(|k| {
                t.iter().any(|v| v[k] <= region.high[k]) && t.iter().any(|v| v[k] >= region.low[k])
            });
            let scanned: Vec<usize> = (0..triangles.len()).filter(|&i| is_met(&triangles[i])).collect();
            prop_assert_eq!(found, scanned);
        }
    }
}
