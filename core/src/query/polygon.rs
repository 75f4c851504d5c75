//! What can be asked of one polygon: its height, its closest point, its corners and middle (`maul-nav/query.md`,
//! `GetHeight`; `navmesh-queries.md`, "Nearest polygon").

use super::Nearest;
use super::checks::checked_position;
use super::surface::{closest_point, height_in};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::distance_squared;
use crate::mesh::{NavMesh, PolyRef};

/// The height of a polygon's surface at a place on the ground, height detail included.
///
/// # Errors
/// [`ErrorKind::Outside`] for a place outside its outline, whose boundary is inside; [`ErrorKind::Stale`] or
/// [`ErrorKind::Invalid`] for a reference that is stale or names nothing; a coordinate that is not finite or not within
/// 2^21.
pub fn height_on(mesh: &NavMesh<'_>, polygon: PolyRef, x: f64, z: f64) -> Result<f64> {
    checked_position([x, 0.0, z], 0)?;
    let (tile, record) = mesh.polygon(polygon)?;
    height_in(&tile, record, [x, 0.0, z]).ok_or(Error::new(ErrorKind::Outside, Subject::Position).at(0))
}

/// The point of a polygon closest to a position, by the rule of [`nearest_polygon`](super::nearest_polygon).
///
/// # Errors
/// [`ErrorKind::Stale`] or [`ErrorKind::Invalid`] for a reference that is stale or names nothing; a position that is not
/// finite or not within 2^21.
pub fn closest_point_on(mesh: &NavMesh<'_>, polygon: PolyRef, position: [f64; 3]) -> Result<Nearest> {
    checked_position(position, 0)?;
    let (tile, record) = mesh.polygon(polygon)?;
    let closest = closest_point(&tile, record, position);
    Ok(Nearest {
        polygon,
        point: closest.point,
        distance_squared: distance_squared(position, closest.point),
        over_polygon: closest.over,
    })
}

/// Writes a polygon's corners in world coordinates, counter-clockwise seen from above, and returns how many it has, 3 to
/// 16; a shorter buffer receives the first ones.
///
/// # Errors
/// [`ErrorKind::Stale`] or [`ErrorKind::Invalid`] for a reference that is stale or names nothing.
pub fn polygon_corners(mesh: &NavMesh<'_>, polygon: PolyRef, corners: &mut [[f64; 3]]) -> Result<usize> {
    let (tile, record) = mesh.polygon(polygon)?;
    let edges = tile.edges_of(record);
    for (corner, edge) in corners.iter_mut().zip(edges) {
        *corner = tile.world(edge.vertex);
    }
    Ok(edges.len())
}

/// The mean of a polygon's corners: inside its outline, on its surface only where that is flat.
///
/// # Errors
/// [`ErrorKind::Stale`] or [`ErrorKind::Invalid`] for a reference that is stale or names nothing.
pub fn polygon_center(mesh: &NavMesh<'_>, polygon: PolyRef) -> Result<[f64; 3]> {
    let (tile, record) = mesh.polygon(polygon)?;
    let edges = tile.edges_of(record);
    let mut sum = [0.0; 3];
    for edge in edges {
        sum = crate::math::add(sum, tile.world(edge.vertex));
    }
    Ok(sum.map(|total| total / edges.len() as f64))
}
