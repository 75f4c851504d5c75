//! The one-sided shrink by an agent's radius, with arcs of the disc's own area
//! (`build2d-geometry.md`, "Shrinking for the build" and "Equal-area arcs").

use super::arrangement::{EdgeList, check_bounds};
use super::circle::EqualArea;
use super::exact::{step, turn};
use super::offset::{Reach, checked_tolerance, left_normal};
use super::{Edge, GridPoint, Region, SnapGrid};
use crate::error::Result;

/// A shrink by one radius on one grid.
pub(super) struct Shrink {
    reach: Reach,
    circle: EqualArea,
}

impl Shrink {
    pub fn new(grid: SnapGrid, radius: f64, arc_tolerance: f64) -> Result<Shrink> {
        let reach = Reach::new(grid, radius)?;
        let tolerance = checked_tolerance(grid, arc_tolerance)?;
        Ok(Shrink { reach, circle: EqualArea::new(reach.radius, tolerance) })
    }

    /// Adds the region's own edges and those of the swept pieces that can matter.
    pub fn push_pieces(&self, region: &Region<'_>, list: &mut EdgeList<'_>) -> Result<()> {
        check_bounds(region.points)?;
        for ring in region.rings() {
            let count = ring.len();
            let at = |i: usize| ring[i % count];
            for i in 0..count {
                let (before, a, b, after) = (at(i + count - 1), at(i), at(i + 1), at(i + 2));
                // The piece's side along the boundary is the boundary's own edge, so it counts for both.
                list.push(Edge { a, b, delta: [1, 1] })?;
                let normal = left_normal(a, b);
                let (near_a, near_b) = (self.reach.tip(a, normal)?, self.reach.tip(b, normal)?);
                let mut side = |a, b| list.push(Edge { a, b, delta: [0, 1] });
                // Where a sector stands at an end, its straight side and the rectangle's cancel: neither is added.
                if !is_reflex(a, b, after) {
                    side(b, near_b)?;
                }
                side(near_b, near_a)?;
                if is_reflex(before, a, b) {
                    let incoming = left_normal(before, a);
                    self.push_arc(a, normal, incoming, [near_a, self.reach.tip(a, incoming)?], &mut side)?;
                } else {
                    side(near_a, a)?;
                }
            }
        }
        Ok(())
    }

    /// The arc about a reflex corner, counter-clockwise from one tip to the other.
    fn push_arc(
        &self,
        center: GridPoint,
        from: [f64; 2],
        to: [f64; 2],
        tips: [GridPoint; 2],
        side: &mut impl FnMut(GridPoint, GridPoint) -> Result<()>,
    ) -> Result<()> {
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let count = self.circle.count();
        let corner = |i: usize| self.circle.corner(i);
        let within = |i: usize| cross(from, corner(i)) > 0.0 && cross(corner(i), to) > 0.0;
        let mut last = tips[0];
        // The sector is less than a half turn, so the corners within it follow one another once around.
        let first = (0..count).find(|&i| within(i) && !within(i + count - 1));
        if let Some(first) = first {
            for i in (first..first + count).take_while(|&i| within(i)) {
                let next = self.reach.moved(center, corner(i))?;
                side(last, next)?;
                last = next;
            }
        }
        side(last, tips[1])
    }
}

/// Whether the boundary turns right at `a`: the interior, on its left, is wider than a half turn there.
fn is_reflex(before: GridPoint, a: GridPoint, b: GridPoint) -> bool {
    turn(step(before, a), step(a, b)) < 0
}
