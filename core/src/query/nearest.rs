//! The nearest polygon to a position (`navmesh-queries.md`, "Nearest polygon").

use super::checks::{checked_extents, checked_position};
use super::filter::PolygonFilter;
use super::plane::Vec3;
use super::surface::closest_point;
use crate::error::Result;
use crate::math::distance_squared;
use crate::mesh::boxes::each_meeting;
use crate::mesh::view::{Polygon, TileView};
use crate::mesh::{NavMesh, PolyRef, PolygonBox};

/// A polygon near a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The polygon.
    pub polygon: PolyRef,
    /// The point of it closest to the position.
    pub point: [f64; 3],
    /// The squared distance between the two.
    pub distance_squared: f64,
    /// Whether the position lies straight above or below the polygon, its boundary included.
    pub over_polygon: bool,
}

/// Finds the polygon nearest to a position, of those that a filter accepts and whose box of vertices meets the box
/// `center` plus and minus `half_extents`; none where there is none.
///
/// On floors one above the other the one vertically closest wins; equal distances go to the lowest tile column, row,
/// layer and polygon. Refused: a center that is not finite or not within 2^21, extents that are negative or not
/// finite. Source: `navmesh-queries.md`, "Nearest polygon".
pub fn nearest_polygon<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    center: [f64; 3],
    half_extents: [f64; 3],
    filter: &F,
) -> Result<Option<Nearest>> {
    checked_position(center, 0)?;
    checked_extents(half_extents)?;
    let low: Vec3 = core::array::from_fn(|axis| center[axis] - half_extents[axis]);
    let high: Vec3 = core::array::from_fn(|axis| center[axis] + half_extents[axis]);
    let mut best: Option<Candidate> = None;
    mesh.each_tile_near(low, high, |tile| {
        let region = PolygonBox::holding(tile.origin, low, high);
        each_meeting(tile.boxes, tile.polygons.len(), &region, |index| {
            let Some(polygon) = tile.polygons.get(index) else { return };
            if filter.accepts(polygon.flags, polygon.area) && meets_exactly(&tile, index, low, high) {
                Candidate::of(&tile, polygon, index as u32, center).challenge(&mut best);
            }
        });
    });
    Ok(best.map(|candidate| candidate.nearest))
}

/// Whether a polygon's box in world coordinates meets a world box. Adding the origin keeps the order, so the box of the
/// world positions is the tile's box moved.
fn meets_exactly(tile: &TileView<'_>, polygon: usize, low: Vec3, high: Vec3) -> bool {
    tile.boxes.get(polygon).is_some_and(|local| {
        (0..3).all(|axis| {
            let origin = tile.origin[axis];
            origin + f64::from(local.low[axis]) <= high[axis] && origin + f64::from(local.high[axis]) >= low[axis]
        })
    })
}

struct Candidate {
    nearest: Nearest,
    /// What a tie is decided by: tile column, row, layer, polygon index.
    rank: (i32, i32, i32, u32),
}

impl Candidate {
    fn of(tile: &TileView<'_>, polygon: &Polygon, index: u32, center: Vec3) -> Candidate {
        let closest = closest_point(tile, polygon, center);
        let nearest = Nearest {
            polygon: tile.reference.polygon(index),
            point: closest.point,
            distance_squared: distance_squared(center, closest.point),
            over_polygon: closest.over,
        };
        Candidate { nearest, rank: (tile.x, tile.z, tile.layer, index) }
    }

    /// Takes the place of the best if it is nearer, or as near and of lower rank.
    fn challenge(self, best: &mut Option<Candidate>) {
        let squared = self.nearest.distance_squared;
        let wins = best.as_ref().is_none_or(|other| {
            let known = other.nearest.distance_squared;
            squared < known || squared == known && self.rank < other.rank
        });
        if wins {
            *best = Some(self);
        }
    }
}
