//! The ground area of a mesh, and where a share of it falls: what a random point is drawn by.
//!
//! Each polygon's area is kept with its box, and each slot's running total here, so that the polygon of a draw is found
//! without summing them all.

use super::boxes::{self, AreaShare};
use super::nav_mesh::NavMesh;

impl NavMesh<'_> {
    /// Sums the areas of the tiles, slot by slot, and notes whether any tile has an open side or any column several layers.
    pub(super) fn sum_up(&mut self) {
        let mut running = 0.0;
        self.has_open_sides = false;
        self.has_layers = self.places.windows(2).any(|pair| (pair[0].x, pair[0].z) == (pair[1].x, pair[1].z));
        for slot in 0..self.slot_count {
            if let Some(storage) = self.storage(slot) {
                let (boxes, polygons) = self.pools.boxes_of(storage);
                running += boxes::whole_area(boxes, polygons);
                self.has_open_sides |= self.pools.open_sides(storage) != 0;
            }
            self.area_totals[slot] = running;
        }
    }

    /// The slot and index of the first polygon at which the running sum of areas, in slot and polygon order from 0 on, one
    /// added after the other, exceeds a fraction of the whole.
    ///
    /// None where the sum of all would have to be made to tell: where the fraction falls next to the border of two
    /// polygons, nearer than rounding could move it. Logarithmic in slots and polygons.
    pub(crate) fn polygon_at_fraction(&self, fraction: f64) -> Option<(u32, u32)> {
        let totals = self.area_totals.get(..self.slot_count)?;
        let whole = totals.last().copied()?;
        let share = fraction * whole;
        let slot = totals.partition_point(|&total| total <= share);
        let before = slot.checked_sub(1).map_or(0.0, |at| totals[at]);
        let (boxes, polygons) = self.pools.boxes_of(self.storage(slot)?);
        let AreaShare { polygon, before, behind } = boxes::polygon_at(boxes, polygons, share, before)?;
        // A sum of n terms, in any order, is off by at most n times half an epsilon of the whole: so are the whole, the
        // share of it and the sums at the border, on the long way and on this one. This is more than twice that.
        let terms = self.pools.polygons.used() as f64;
        let slack = (4.0 * terms + 512.0) * f64::EPSILON * whole;
        (before + slack < share && share + slack < behind).then_some((slot as u32, polygon))
    }
}
