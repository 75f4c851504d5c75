//! Boxes of a tile's polygons, to find those that meet a region without looking at each one, and their areas.
//!
//! Derived when a tile is stored, never saved. A tile has a box for each polygon, then one for every eight of those,
//! and so on until eight are left: polygons that follow one another in a tile lie near one another, since builders
//! number them by region, so the numbering itself serves as the tree.

use super::view::{Edge, Polygon};
use crate::geometry::plane::twice_area;
use crate::math::vector;
use crate::memory::{Pod, Zeroable};

/// How many boxes one box of the next level holds.
const FANOUT: usize = 8;
/// More levels than any count of polygons has: 8^7 is past the most polygons of a tile.
const MAX_LEVELS: usize = 8;

/// More than the rounding of any sum of world coordinates within the bound: their last place is at most 2^-31.
pub(crate) const WORLD_ROUNDING: f64 = 1.0 / (1u64 << 28) as f64;

/// A box relative to the tile's origin, its bounds included.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PolygonBox {
    /// The least coordinates of the outline's vertices.
    pub low: [f32; 3],
    /// The greatest ones.
    pub high: [f32; 3],
    /// Twice the ground area of the polygon, summed over the fan from its first corner; of a box of boxes, their sum.
    pub twice_area: f64,
}

impl PolygonBox {
    const EMPTY: PolygonBox = PolygonBox { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3], twice_area: 0.0 };

    /// A box in the float32 of a tile with this origin that holds a world box.
    pub(crate) fn holding(origin: [f64; 3], low: [f64; 3], high: [f64; 3]) -> PolygonBox {
        PolygonBox {
            low: vector(|k| ((low[k] - origin[k] - WORLD_ROUNDING) as f32).next_down()),
            high: vector(|k| ((high[k] - origin[k] + WORLD_ROUNDING) as f32).next_up()),
            twice_area: 0.0,
        }
    }

    fn with(self, other: &PolygonBox) -> PolygonBox {
        PolygonBox {
            low: vector(|k| if other.low[k] < self.low[k] { other.low[k] } else { self.low[k] }),
            high: vector(|k| if other.high[k] > self.high[k] { other.high[k] } else { self.high[k] }),
            twice_area: self.twice_area + other.twice_area,
        }
    }
}

/// A box as many are compared with it: four numbers at a time, as they lie in a [`PolygonBox`].
struct Region {
    /// The greatest that the low bounds and one more number may be.
    most: [f32; 4],
    /// The least that one number more and the high bounds may be.
    least: [f32; 4],
}

impl Region {
    fn of(&PolygonBox { low, high, .. }: &PolygonBox) -> Region {
        Region { most: [high[0], high[1], high[2], f32::INFINITY], least: [f32::NEG_INFINITY, low[0], low[1], low[2]] }
    }

    /// Whether a box meets it; touching is meeting.
    ///
    /// Without branches: which axis parts two boxes is anyone's guess.
    #[inline(always)]
    fn meets(&self, place: &PolygonBox) -> bool {
        let numbers: &[f32; 8] = bytemuck::must_cast_ref(place);
        // The sign of a difference tells which is greater; equal numbers have none. So one bit of them all together tells.
        let beyond = |k: usize| (self.most[k] - numbers[k]).to_bits() | (numbers[k + 2] - self.least[k]).to_bits();
        (beyond(0) | beyond(1) | beyond(2) | beyond(3)) >> 31 == 0
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
        let corner = |edge: &Edge| vertices.get(edge.vertex as usize).copied().unwrap_or_default();
        *place = ring.iter().map(corner).fold(PolygonBox::EMPTY, |whole, vertex| {
            whole.with(&PolygonBox { low: vertex, high: vertex, twice_area: 0.0 })
        });
        place.twice_area = twice_fan_area(ring.iter().map(corner));
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

/// Twice the area of the fan from a ring's first corner, in the tile's own coordinates.
fn twice_fan_area(mut ring: impl Iterator<Item = [f32; 3]>) -> f64 {
    let mut next = || ring.next().map(|[x, _, z]| [f64::from(x), f64::from(z)]);
    let (Some(a), Some(mut b)) = (next(), next()) else { return 0.0 };
    let mut sum = 0.0;
    while let Some(c) = next() {
        sum += twice_area([a, b, c]);
        b = c;
    }
    sum
}

/// Where the levels of a tile's boxes lie: each level's first box and how many it has, the polygons' own first.
struct Levels {
    starts: [usize; MAX_LEVELS],
    counts: [usize; MAX_LEVELS],
    top: usize,
}

impl Levels {
    #[inline]
    fn of(polygons: usize) -> Levels {
        let mut levels = Levels { starts: [0; MAX_LEVELS], counts: [0; MAX_LEVELS], top: 0 };
        let Levels { starts, counts, top } = &mut levels;
        counts[0] = polygons;
        while counts[*top] > FANOUT && *top + 1 < MAX_LEVELS {
            starts[*top + 1] = starts[*top] + counts[*top];
            counts[*top + 1] = counts[*top].div_ceil(FANOUT);
            *top += 1;
        }
        levels
    }
}

/// Twice the ground area of a tile's polygons, summed over the boxes at the top.
pub(super) fn whole_area(boxes: &[PolygonBox], polygons: usize) -> f64 {
    let Levels { starts, counts, top } = Levels::of(polygons);
    let tops = boxes.get(starts[top]..starts[top] + counts[top]).unwrap_or(&[]);
    tops.iter().fold(0.0, |sum, place| sum + place.twice_area)
}

/// The polygon at which the running sum of the areas passes a share, and the sum before and behind it; summed down the
/// levels, so not to the last bit the sum one after the other. None where rounding leaves none.
pub(super) fn polygon_at(boxes: &[PolygonBox], polygons: usize, share: f64, mut before: f64) -> Option<AreaShare> {
    let Levels { starts, counts, top } = Levels::of(polygons);
    let (mut first, mut level) = (0, top);
    loop {
        let end = if level == top { counts[level] } else { counts[level].min(first + FANOUT) };
        let run = boxes.get(starts[level] + first..starts[level] + end)?;
        let passes = |place: &PolygonBox| {
            let behind = before + place.twice_area;
            let is_passed = behind > share;
            before = if is_passed { before } else { behind };
            is_passed
        };
        let at = first + run.iter().position(passes)?;
        if level == 0 {
            return Some(AreaShare { polygon: at as u32, before, behind: before + boxes[at].twice_area });
        }
        level -= 1;
        first = at * FANOUT;
    }
}

/// A polygon in the running sum of areas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AreaShare {
    pub polygon: u32,
    /// The sum without it.
    pub before: f64,
    /// The sum with it.
    pub behind: f64,
}

/// Calls `visit` with the index of each polygon whose box meets a region, in order of index.
#[inline]
pub(crate) fn each_meeting(boxes: &[PolygonBox], polygons: usize, region: &PolygonBox, mut visit: impl FnMut(usize)) {
    let Levels { starts, counts, top } = Levels::of(polygons);
    // Of a run of boxes at each level: the first one's number, and a bit for each that meets the region and is still to
    // be gone down to.
    let mut runs = [(0usize, 0u32); MAX_LEVELS];
    // All of a run are compared before any is asked about: which ones meet is anyone's guess.
    let region = Region::of(region);
    let run = |level: usize, first: usize| {
        let end = counts[level].min(first + FANOUT);
        let run = boxes.get(starts[level] + first..starts[level] + end).unwrap_or(&[]);
        let bit = |(at, place): (usize, &PolygonBox)| u32::from(region.meets(place)) << (at & 31);
        (first, run.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit))
    };
    let mut level = top;
    runs[top] = run(top, 0);
    loop {
        let (first, left) = &mut runs[level];
        if *left == 0 {
            if level == top {
                return;
            }
            level += 1;
            continue;
        }
        let at = *first + left.trailing_zeros() as usize;
        *left &= *left - 1;
        if level == 0 {
            visit(at);
        } else {
            level -= 1;
            runs[level] = run(level, at * FANOUT);
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
            let region = PolygonBox { low: near, high: near.map(|x| x + size), twice_area: 0.0 };
            let mut found = Vec::new();
            each_meeting(&boxes, polygons.len(), &region, |i| found.push(i));
            let is_met = |t: &[[f32; 3]; 3]| (0..3).all(|k| {
                t.iter().any(|v| v[k] <= region.high[k]) && t.iter().any(|v| v[k] >= region.low[k])
            });
            let scanned: Vec<usize> = (0..triangles.len()).filter(|&i| is_met(&triangles[i])).collect();
            prop_assert_eq!(found, scanned);

            // Where a share falls in the sum, one polygon after the other.
            let areas = triangles.iter().map(|[a, b, c]| {
                let [a, b, c] = [a, b, c].map(|v| [f64::from(v[0]), f64::from(v[2])]);
                ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).max(0.0)
            });
            let areas: Vec<f64> = areas.collect();
            prop_assert!(areas.iter().zip(&boxes).all(|(area, place)| area.to_bits() == place.twice_area.to_bits()));
            let whole: f64 = areas.iter().sum();
            prop_assert!((whole_area(&boxes, triangles.len()) - whole).abs() <= 1e-9 * whole);
            let mut before = 3.0;
            for (at, &area) in areas.iter().enumerate() {
                if area > 1e-3 {
                    let found = polygon_at(&boxes, triangles.len(), before + area / 2.0, 3.0).unwrap();
                    prop_assert_eq!(found.polygon, at as u32);
                    prop_assert!((found.before - before).abs() < 1e-6 && (found.behind - before - area).abs() < 1e-6);
                }
                before += area;
            }
        }
    }
}
