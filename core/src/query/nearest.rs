//! The nearest polygon to a position (`navmesh-queries.md`, "Nearest polygon").

use super::checks::{checked_extents, checked_position};
use super::filter::PolygonFilter;
use super::plane::Vec3;
use super::surface::closest_point;
use crate::error::Result;
use crate::math::distance_squared;
use crate::mesh::view::{Polygon, TileView};
use crate::mesh::{NavMesh, PolyRef};

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
    let region = Box3 {
        low: core::array::from_fn(|axis| center[axis] - half_extents[axis]),
        high: core::array::from_fn(|axis| center[axis] + half_extents[axis]),
    };
    let mut best: Option<Candidate> = None;
    for tile in mesh.tiles() {
        search_tile(&tile, center, &region, filter, &mut best);
    }
    Ok(best.map(|candidate| candidate.nearest))
}

struct Box3 {
    low: Vec3,
    high: Vec3,
}

impl Box3 {
    /// Whether the box of a polygon's vertices meets this one; touching is meeting.
    fn meets(&self, tile: &TileView<'_>, polygon: &Polygon) -> bool {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for edge in tile.edges_of(polygon) {
            let vertex = tile.vertices.get(edge.vertex as usize).copied().unwrap_or_default();
            for axis in 0..3 {
                low[axis] = if vertex[axis] < low[axis] { vertex[axis] } else { low[axis] };
                high[axis] = if vertex[axis] > high[axis] { vertex[axis] } else { high[axis] };
            }
        }
        // Adding the origin keeps the order, so the box of the world positions is the box moved.
        (0..3).all(|axis| {
            let origin = tile.origin[axis];
            origin + f64::from(low[axis]) <= self.high[axis] && origin + f64::from(high[axis]) >= self.low[axis]
        })
    }
}

struct Candidate {
    nearest: Nearest,
    /// What a tie is decided by: tile column, row, layer, polygon index.
    rank: (i32, i32, i32, u32),
}

fn search_tile<F: PolygonFilter>(
    tile: &TileView<'_>,
    center: Vec3,
    region: &Box3,
    filter: &F,
    best: &mut Option<Candidate>,
) {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        if !filter.accepts(polygon.flags, polygon.area) || !region.meets(tile, polygon) {
            continue;
        }
        let closest = closest_point(tile, polygon, center);
        let squared = distance_squared(center, closest.point);
        let rank = (tile.x, tile.z, tile.layer, index as u32);
        let wins = match best {
            Some(other) => {
                squared < other.nearest.distance_squared
                    || squared == other.nearest.distance_squared && rank < other.rank
            }
            None => true,
        };
        if wins {
            let nearest = Nearest {
                polygon: tile.reference.polygon(index as u32),
                point: closest.point,
                distance_squared: squared,
                over_polygon: closest.over,
            };
            *best = Some(Candidate { nearest, rank });
        }
    }
}
