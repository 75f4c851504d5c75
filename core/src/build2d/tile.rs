//! One tile of a sliced region: its triangles joined to convex polygons, and those as tile data
//! (`build2d-tiles.md`, "Slicing rule", 5, and "Plane mapping").

use crate::error::{Error, Result, Subject};
use crate::geometry::convex::{ConvexPolygons, partition_convex};
use crate::geometry::region::{GridPoint, SnapGrid};
use crate::geometry::triangulation::RegionTriangle;
use crate::memory::Arena;
use crate::mesh::{MAX_TILE_VERTICES, MeshParams, NavSettings, TileData, TilePlace, WorldPolygons, from_polygons};

/// The convex polygons of one tile, over vertices of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TilePolygons<'a> {
    /// Which of the sliced region's vertices the tile uses, ascending.
    pub numbers: &'a [u32],
    /// Those vertices, so in (x, y) order.
    pub vertices: &'a [GridPoint],
    /// The tile's triangles over its own vertices.
    pub triangles: &'a [RegionTriangle],
    /// The polygons that they are joined to.
    pub polygons: ConvexPolygons<'a>,
}

/// Joins a tile's triangles to convex polygons of at most so many vertices. The product lies at the front of the arena.
///
/// # Errors
/// A triangle that names no vertex, and what [`partition_convex`] refuses; memory.
pub fn partition_tile<'a>(
    vertices: &[GridPoint],
    triangles: &[RegionTriangle],
    max_vertices: u32,
    arena: &mut Arena<'a>,
) -> Result<TilePolygons<'a>> {
    let is_foreign = |&v: &u32| v as usize >= vertices.len();
    if let Some(t) = triangles.iter().position(|triangle| triangle.vertices.iter().any(is_foreign)) {
        return Err(Error::invalid(Subject::Triangle).at(t));
    }
    let count = arena.scope(|desk| {
        let all = desk.take::<u32>(3 * triangles.len())?;
        all.iter_mut().zip(triangles.iter().flat_map(|triangle| triangle.vertices)).for_each(|(place, v)| *place = v);
        Ok(keep_each_once(all))
    })?;
    // What the scope left at the front.
    let numbers = &*arena.take::<u32>(count)?;
    let own = arena.take::<GridPoint>(count)?;
    own.iter_mut().zip(numbers).for_each(|(place, &number)| *place = vertices[number as usize]);
    let local = arena.take::<RegionTriangle>(triangles.len())?;
    for (place, triangle) in local.iter_mut().zip(triangles) {
        // Numbers of one's own rise with the shared ones, so vertices and triangles keep their order.
        place.vertices = triangle.vertices.map(|v| numbers.partition_point(|&number| number < v) as u32);
    }
    let polygons = partition_convex(own, local, max_vertices, arena)?;
    Ok(TilePolygons { numbers, vertices: own, triangles: local, polygons })
}

/// Sorts numbers and keeps each once; returns how many are left.
fn keep_each_once(numbers: &mut [u32]) -> usize {
    numbers.sort_unstable();
    let mut kept = 0;
    for i in 0..numbers.len() {
        if kept == 0 || numbers[kept - 1] != numbers[i] {
            numbers[kept] = numbers[i];
            kept += 1;
        }
    }
    kept
}

/// The polygons of the tile at a place as tile data: the plane's x is the world's x, its y the world's z, and the height is
/// the settings' floor, with their one area and flags. Without detail and without links.
///
/// It lies at the front of the arena, which also lends 24 bytes a vertex and 3 an edge at its back for as long.
///
/// # Errors
/// Limit for more than 65,535 vertices or edges that no tile holds; memory. The result is not judged: see
/// [`TileData::validate`].
pub fn tile_data<'a>(
    tile: &TilePolygons<'_>,
    grid: SnapGrid,
    [x, z]: [i32; 2],
    settings: &NavSettings,
    params: &MeshParams,
    arena: &mut Arena<'a>,
) -> Result<TileData<'a>> {
    if tile.vertices.len() > MAX_TILE_VERTICES {
        return Err(Error::limit(Subject::Vertices).value(tile.vertices.len() as f64).bound(MAX_TILE_VERTICES as f64));
    }
    let vertices = arena.take_back::<[f64; 3]>(tile.vertices.len())?;
    for (place, &point) in vertices.iter_mut().zip(tile.vertices) {
        let [x, z] = grid.position(point);
        *place = [x, settings.floor_y, z];
    }
    let indices = arena.take_back::<u16>(tile.polygons.indices.len())?;
    indices.iter_mut().zip(tile.polygons.indices).for_each(|(place, &index)| *place = index as u16);
    let count = tile.polygons.ends.len();
    let counts = arena.take_back::<u8>(count)?;
    counts.iter_mut().enumerate().for_each(|(p, place)| *place = tile.polygons.edges(p).len() as u8);
    let areas = arena.take_back::<u8>(count)?;
    areas.fill(settings.area);
    let place = TilePlace { x, z, layer: 0, origin_y: settings.floor_y };
    let polygons = WorldPolygons { vertices, counts, indices, areas, flags: &[], default_flags: settings.flags };
    from_polygons(params, place, &polygons, arena)
}
