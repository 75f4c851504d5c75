//! Which obstacles an agent may reach: boxes packed where they stand, sixteen to a group, sixteen groups to a block.

use super::neighbor_index::NeighborIndex;
use crate::error::Result;
use crate::math::{max, min, vector};
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};

const FAN: usize = 16;
/// What a box is wider than its content: more than any rounding on the way can lose. A box only decides what is looked at.
const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// A box along the axes, its sides included.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Bounds {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

impl Bounds {
    pub const NONE: Bounds = Bounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// The box of two points of the plane.
    pub fn of_segment(a: [f64; 2], b: [f64; 2]) -> Bounds {
        let low = [min(a[0], b[0]), min(a[1], b[1]), 0.0];
        Bounds { low, high: [max(a[0], b[0]), max(a[1], b[1]), 0.0] }
    }

    /// The box around a point.
    pub fn around(point: [f64; 3]) -> Bounds {
        Bounds { low: point, high: point }
    }

    /// The box, so much larger on every side.
    pub fn grown(self, by: f64) -> Bounds {
        Bounds { low: self.low.map(|low| low - by), high: self.high.map(|high| high + by) }
    }

    fn with_slack(self) -> Bounds {
        let largest = self.low.iter().chain(&self.high).fold(0.0, |most, side| max(most, side.abs()));
        self.grown(largest * SLACK)
    }

    fn center(&self) -> [f64; 3] {
        vector(|axis| self.low[axis] * 0.5 + self.high[axis] * 0.5)
    }

    fn joined(self, other: &Bounds) -> Bounds {
        Bounds {
            low: vector(|axis| min(self.low[axis], other.low[axis])),
            high: vector(|axis| max(self.high[axis], other.high[axis])),
        }
    }

    #[inline]
    fn distance_squared(&self, point: [f64; 3]) -> f64 {
        let mut square = 0.0;
        for (axis, &at) in point.iter().enumerate() {
            let outside = max(max(self.low[axis] - at, at - self.high[axis]), 0.0);
            square += outside * outside;
        }
        square
    }
}

/// Boxes to find by where they stand. Made for so many.
///
/// Bytes: 51 for each box and the groups above it, and the order's 35.
#[derive(Debug)]
pub(super) struct BoxIndex<'m> {
    order: NeighborIndex<'m>,
    boxes: &'m mut [Bounds],
    groups: &'m mut [Bounds],
    blocks: &'m mut [Bounds],
}

impl<'m> BoxIndex<'m> {
    pub const fn plan(boxes: usize) -> Plan {
        Ruler::new()
            .then(NeighborIndex::plan(boxes))
            .array::<Bounds>(boxes)
            .array::<Bounds>(boxes.div_ceil(FAN))
            .array::<Bounds>(boxes.div_ceil(FAN * FAN))
            .plan()
    }

    pub fn new(boxes: usize, arena: &mut Arena<'m>) -> Result<Self> {
        Ok(BoxIndex {
            order: NeighborIndex::new(boxes, arena)?,
            boxes: arena.take(boxes)?,
            groups: arena.take(boxes.div_ceil(FAN))?,
            blocks: arena.take(boxes.div_ceil(FAN * FAN))?,
        })
    }

    /// Packs boxes 0 to less than `count`, as `bounds` gives them.
    pub fn pack(&mut self, count: usize, bounds: impl Fn(usize) -> Bounds) -> Result<()> {
        self.order.sort_in_space((0..count).map(|name| (name as u32, bounds(name).center())))?;
        for place in 0..count {
            self.boxes[place] = bounds(self.order.name(place) as usize).with_slack();
        }
        join(&self.boxes[..count], self.groups);
        join(&self.groups[..count.div_ceil(FAN)], self.blocks);
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Visits every box within a distance of a point, and perhaps some a little farther.
    pub fn visit(&self, point: [f64; 3], reach: f64, mut found: impl FnMut(u32)) {
        let limit = reach * reach * (1.0 + SLACK);
        let near = |bounds: &Bounds| bounds.distance_squared(point) <= limit;
        let count = self.order.len();
        for block in (0..count.div_ceil(FAN * FAN)).filter(|&block| near(&self.blocks[block])) {
            let groups = block * FAN..count.div_ceil(FAN).min((block + 1) * FAN);
            for group in groups.filter(|&group| near(&self.groups[group])) {
                let places = group * FAN..count.min((group + 1) * FAN);
                for place in places.filter(|&place| near(&self.boxes[place])) {
                    found(self.order.name(place));
                }
            }
        }
    }
}

fn join(boxes: &[Bounds], above: &mut [Bounds]) {
    for (part, joined) in boxes.chunks(FAN).zip(above) {
        *joined = part.iter().fold(Bounds::NONE, |all, one| all.joined(one));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;
    use crate::memory::Grain;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn all_boxes_within_reach_are_visited_once_and_few_others() {
        let mut random = SplitMix64::new(71);
        for count in [0, 1, 15, 16, 17, 255, 257, 700] {
            let mut region = vec![Grain::ZERO; BoxIndex::plan(count).grains()];
            let mut arena = Arena::new(&mut region);
            let mut index = BoxIndex::new(count, &mut arena).unwrap();
            assert_eq!(arena.remaining(), 0);
            let mut point = || [0.0; 3].map(|_: f64| random.next_f64() * 100.0);
            let boxes: Vec<Bounds> = (0..count).map(|_| Bounds::around(point()).grown(2.0)).collect();
            index.pack(count, |name| boxes[name]).unwrap();
            assert_eq!(index.is_empty(), count == 0);
            for from in (0..40).map(|_| point()) {
                let mut found = Vec::new();
                index.visit(from, 15.0, |name| found.push(name as usize));
                found.sort_unstable();
                let near: Vec<usize> = (0..count).filter(|&i| boxes[i].distance_squared(from) <= 225.0).collect();
                assert_eq!(found, near);
            }
        }
    }
}
