//! The order that points are inserted in: random rounds, each along a Hilbert curve
//! (`build2d-geometry.md`, "Constrained Delaunay triangulation", step 2; Amenta, Choi and Rote, *Incremental constructions
//! con BRIO*, 2003).

use crate::error::Result;
use crate::geometry::region::GridPoint;
use crate::math::SplitMix64;
use crate::memory::Arena;

/// Below this many points their own order serves.
const SHUFFLED_FROM: usize = 64;
/// The curve runs through 2^12 cells along each axis.
const HILBERT_ORDER: u32 = 12;

/// Fills `order` with the numbers of the points in the order of insertion. The arena lends eight bytes a point.
pub(super) fn insertion_order(points: &[GridPoint], order: &mut [u32], arena: &mut Arena<'_>) -> Result<()> {
    if points.len() < SHUFFLED_FROM {
        order.iter_mut().zip(0..).for_each(|(place, i)| *place = i);
        return Ok(());
    }
    arena.scope(|desk| {
        let keys = desk.take_back::<u64>(points.len())?;
        let curve = Curve::over(points);
        let top = points.len().ilog2().saturating_sub(3);
        for (i, (key, &point)) in keys.iter_mut().zip(points).enumerate() {
            let later_rounds = top - round_of(i, top);
            *key = u64::from(later_rounds) << 56 | u64::from(curve.place(point)) << 32 | i as u64;
        }
        keys.sort_unstable();
        order.iter_mut().zip(keys).for_each(|(place, key)| *place = *key as u32);
        Ok(())
    })
}

/// The round of a point by its number; the highest are inserted first.
fn round_of(i: usize, top: u32) -> u32 {
    SplitMix64::mix((i as u64).wrapping_add(SplitMix64::GAMMA)).trailing_zeros().min(top)
}

/// A Hilbert curve over the points' bounding box.
struct Curve {
    corner: GridPoint,
    shift: u32,
}

impl Curve {
    fn over(points: &[GridPoint]) -> Curve {
        let first = points.first().copied().unwrap_or_default();
        let (mut low, mut high) = (first, first);
        for p in points {
            low = GridPoint { x: low.x.min(p.x), y: low.y.min(p.y) };
            high = GridPoint { x: high.x.max(p.x), y: high.y.max(p.y) };
        }
        let extent = high.x.abs_diff(low.x).max(high.y.abs_diff(low.y));
        Curve { corner: low, shift: (u64::BITS - extent.leading_zeros()).saturating_sub(HILBERT_ORDER) }
    }

    /// How far along the curve a point's cell lies. The curve begins at the low corner and ends at the high end of x.
    fn place(&self, point: GridPoint) -> u32 {
        let mut x = (point.x.abs_diff(self.corner.x) >> self.shift) as u32;
        let mut y = (point.y.abs_diff(self.corner.y) >> self.shift) as u32;
        let mut along = 0;
        for level in (0..HILBERT_ORDER).rev() {
            let (right, up) = (x >> level & 1, y >> level & 1);
            along = along << 2 | ((3 * right) ^ up);
            let within = (1 << level) - 1;
            (x, y) = (x & within, y & within);
            if up == 0 {
                if right == 1 {
                    (x, y) = (within - x, within - y);
                }
                (x, y) = (y, x);
            }
        }
        along
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Grain;
    use std::collections::BTreeSet;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn the_curve_visits_every_cell_once_and_steps_to_a_neighbour() {
        let side = 64;
        let curve = Curve { corner: GridPoint::default(), shift: 0 };
        let mut cells: Vec<_> =
            (0..side * side).map(|i| GridPoint { x: i % side, y: i / side }).map(|p| (curve.place(p), p)).collect();
        cells.sort();
        assert!(cells.iter().zip(0..).all(|(&(along, _), i)| along == i));
        for pair in cells.windows(2) {
            assert_eq!(pair[0].1.x.abs_diff(pair[1].1.x) + pair[0].1.y.abs_diff(pair[1].1.y), 1);
        }
    }

    #[test]
    fn cells_stay_below_4096_by_the_least_shift() {
        for (extent, shift) in [(0, 0), (4095, 0), (4096, 1), (8191, 1), (8192, 2), (1 << 39, 28)] {
            let curve = Curve::over(&[GridPoint { x: -5, y: 7 }, GridPoint { x: extent - 5, y: 7 }]);
            assert_eq!(curve.shift, shift);
        }
    }

    #[test]
    fn every_point_comes_once_and_rounds_come_highest_first() {
        let points: Vec<_> = (0..500).map(|i| GridPoint { x: i, y: i * i % 97 }).collect();
        let mut region = vec![Grain::ZERO; 1000];
        let mut order = vec![0; points.len()];
        insertion_order(&points, &mut order, &mut Arena::new(&mut region)).unwrap();
        assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), points.len());
        let rounds: Vec<_> = order.iter().map(|&i| round_of(i as usize, 5)).collect();
        assert!(rounds.is_sorted_by(|a, b| a >= b) && rounds[0] > 0);
    }
}
