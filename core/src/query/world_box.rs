//! A box of world coordinates, and the polygons that could meet it.

use super::plane::Vec3;
use crate::math::vector;
use crate::mesh::boxes::{WORLD_ROUNDING, each_meeting};
use crate::mesh::ground::Ground;
use crate::mesh::view::{Polygon, TileView};
use crate::mesh::{NavMesh, PolygonBox};

/// By what a sum of squares is made less, for the rounding of its last places.
const BELOW: f64 = 1.0 - 1e-12;

/// How far a position lies beside a box along an axis, at least: rounding may have moved either.
#[inline]
fn least_along(axis: usize, position: Vec3, origin: Vec3, local: &PolygonBox) -> f64 {
    let (low, high) = (f64::from(local.low[axis]), f64::from(local.high[axis]));
    let at = position[axis] - origin[axis];
    let away = if at < low { low - at } else { at - high };
    if away > WORLD_ROUNDING { away - WORLD_ROUNDING } else { 0.0 }
}

/// A box with its bounds.
#[derive(Clone, Copy)]
pub(super) struct WorldBox {
    pub low: Vec3,
    pub high: Vec3,
}

impl WorldBox {
    /// `center` plus and minus `half_extents`.
    #[inline]
    pub fn round(center: Vec3, half_extents: Vec3) -> WorldBox {
        WorldBox {
            low: vector(|axis| center[axis] - half_extents[axis]),
            high: vector(|axis| center[axis] + half_extents[axis]),
        }
    }

    /// The same box without floor and ceiling.
    pub fn at_any_height(mut self) -> WorldBox {
        self.low[1] = f64::NEG_INFINITY;
        self.high[1] = f64::INFINITY;
        self
    }

    pub fn holds(&self, point: Vec3) -> bool {
        (0..3).all(|axis| self.low[axis] <= point[axis] && point[axis] <= self.high[axis])
    }

    /// Calls `visit` with each polygon whose box of vertices meets this, and some that only nearly do: by tile in no
    /// order that matters, then by index.
    #[inline]
    pub fn each_polygon<'a>(&self, mesh: &'a NavMesh<'_>, mut visit: impl FnMut(&TileView<'a>, usize, &'a Polygon)) {
        mesh.each_tile_near(self.low, self.high, |tile| {
            let region = PolygonBox::holding(tile.origin, self.low, self.high);
            each_meeting(tile.boxes, tile.polygons.len(), &region, |index| {
                if let Some(polygon) = tile.polygons.get(index) {
                    visit(&tile, index, polygon);
                }
            });
        });
    }

    /// The same with no more of each tile than most need.
    #[inline]
    pub fn each_on_ground<'a>(&self, mesh: &'a NavMesh<'_>, mut visit: impl FnMut(&Ground<'a>, &PolygonBox, u32)) {
        mesh.each_slot_near(self.low, self.high, |slot| {
            let Some(ground) = mesh.ground(slot) else { return };
            let boxes = mesh.boxes(slot);
            let region = PolygonBox::holding(ground.origin(), self.low, self.high);
            each_meeting(boxes, ground.polygons.len(), &region, |index| {
                if let Some(local) = boxes.get(index) {
                    visit(&ground, local, index as u32);
                }
            });
        });
    }

    /// Whether the box of a polygon's vertices meets this one, in world coordinates: adding the origin keeps the order,
    /// so the box of the world positions is the tile's box moved.
    pub fn meets(&self, origin: Vec3, local: &PolygonBox) -> bool {
        (0..3).all(|axis| self.meets_along(axis, origin, local))
    }

    /// A lower bound of the squared distance between a position and any point of a polygon's surface: that to the box of
    /// its vertices; straight above and below that box, where detail may reach out of it, 0.
    #[inline]
    pub fn least_squared(position: Vec3, origin: Vec3, local: &PolygonBox) -> f64 {
        let along = |axis: usize| least_along(axis, position, origin, local);
        let (x, y, z) = (along(0), along(1), along(2));
        let beside = x * x + z * z;
        if beside > 0.0 { (beside + y * y) * BELOW } else { 0.0 }
    }

    /// A lower bound of the squared distance seen from above between a position and any point of a polygon.
    #[inline]
    pub fn least_squared_in_plane(position: Vec3, origin: Vec3, local: &PolygonBox) -> f64 {
        let along = |axis: usize| least_along(axis, position, origin, local);
        let (x, z) = (along(0), along(2));
        (x * x + z * z) * BELOW
    }

    /// Whether they meet along one axis.
    #[inline]
    pub fn meets_along(&self, axis: usize, origin: Vec3, local: &PolygonBox) -> bool {
        let origin = origin[axis];
        origin + f64::from(local.low[axis]) <= self.high[axis] && origin + f64::from(local.high[axis]) >= self.low[axis]
    }
}
