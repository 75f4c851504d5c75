//! A region cut along the lines between tiles: one arrangement, one triangulation, and its triangles tile by tile
//! (`build2d-tiles.md`, "Slicing rule", 1 to 4).

use super::lines::TileLines;
use crate::error::Result;
use crate::geometry::region::{Arrangement, Edge, GridPoint, Region, RegionDef, RegionReport, SnapGrid};
use crate::geometry::region::{arrange_filled, push_region};
use crate::geometry::triangulation::{RegionTriangle, inside, triangulate};
use crate::memory::{Arena, Pod, Zeroable};

/// The triangles of one tile.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct TileRun {
    /// Row in the tile grid.
    pub z: i32,
    /// Column in the tile grid.
    pub x: i32,
    /// Where its triangles end; they begin where those of the tile before end.
    pub end: u32,
}

/// A region as triangles, none of which crosses a tile line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlicedRegion<'a> {
    /// The grid that the vertices count in.
    pub grid: SnapGrid,
    /// The vertices of the arrangement in (x, y) order.
    pub vertices: &'a [GridPoint],
    /// The triangles, tile after tile, those of a tile in the order of their vertices.
    pub triangles: &'a [RegionTriangle],
    /// The tiles that have any, by row, then column.
    pub tiles: &'a [TileRun],
}

impl<'a> SlicedRegion<'a> {
    /// The triangles of a tile; none for a tile there is not.
    pub fn triangles_of(&self, tile: usize) -> &'a [RegionTriangle] {
        let end = |tile: usize| self.tiles.get(tile).map_or(0, |run| run.end as usize);
        let start = tile.checked_sub(1).map_or(0, end);
        self.triangles.get(start..end(tile)).unwrap_or(&[])
    }
}

/// Where a sliced region lies while a scope makes it, and how much of everything there is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlicedPlaces {
    places: [usize; 3],
    /// Vertices, triangles, tiles.
    pub counts: [usize; 3],
}

impl SlicedPlaces {
    /// Takes the arrays that a scope left, one behind the other, to the front.
    pub fn take_up<'a>(&self, grid: SnapGrid, arena: &mut Arena<'a>) -> Result<SlicedRegion<'a>> {
        let [vertices, triangles, tiles] = self.places;
        Ok(SlicedRegion {
            grid,
            vertices: arena.take_what_lies_at(vertices, self.counts[0])?,
            triangles: arena.take_what_lies_at(triangles, self.counts[1])?,
            tiles: arena.take_what_lies_at(tiles, self.counts[2])?,
        })
    }

    /// Takes the same arrays again where [`take_up`](SlicedPlaces::take_up) left them, at the front.
    pub fn again<'a>(&self, grid: SnapGrid, arena: &mut Arena<'a>) -> Result<SlicedRegion<'a>> {
        Ok(SlicedRegion {
            grid,
            vertices: arena.take(self.counts[0])?,
            triangles: arena.take(self.counts[1])?,
            tiles: arena.take(self.counts[2])?,
        })
    }
}

/// Cuts a region along tile lines. The product lies at the front of the arena.
///
/// Lines and boundary become one arrangement, so that a crossing is rounded once and both sides of a line are cut at the
/// same vertices; its segments constrain one triangulation, so no triangle crosses a line; and a triangle belongs to the
/// tile of its centroid, compared in integers.
///
/// # Errors
/// A limit of the arrangement; memory.
pub fn slice<'a>(
    region: &Region<'_>,
    lines: &TileLines<'_>,
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'a>,
) -> Result<SlicedRegion<'a>> {
    let sliced = arena.scope(|desk| sliced_places(region, lines, limits, report, desk))?;
    sliced.take_up(region.grid, arena)
}

/// The same, left in a scope.
pub(super) fn sliced_places(
    region: &Region<'_>,
    lines: &TileLines<'_>,
    limits: &RegionDef,
    report: &mut RegionReport,
    desk: &mut Arena<'_>,
) -> Result<SlicedPlaces> {
    let vertices_place = desk.taken();
    let arrangement = arrange_filled(limits, report, desk, |list, _| {
        push_region(list, region, [1, 0])?;
        // A line has no inside: it counts for the other operand.
        lines.segments().try_for_each(|[a, b]| list.push(Edge { a, b, delta: [0, 1] }))
    })?;
    let Arrangement { vertices, segments } = arrangement;
    let (place, count) = desk.scope(|desk| {
        let net = triangulate(vertices, segments, desk)?;
        let place = desk.taken();
        inside(net, segments, desk).map(|triangles| (place, triangles.len()))
    })?;
    let triangles_place = desk.taken();
    let triangles = desk.take_what_lies_at::<RegionTriangle>(place, count)?;
    let tiles_place = desk.taken();
    let tiles = group(vertices, triangles, lines, desk)?;
    Ok(SlicedPlaces {
        places: [vertices_place, triangles_place, tiles_place],
        counts: [vertices.len(), triangles.len(), tiles],
    })
}

/// A triangle with its tile, counted by rows.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
struct Placed {
    tile: u32,
    triangle: RegionTriangle,
}

/// Puts triangles in the order of their tiles, leaves the runs at the front and returns how many there are.
fn group(
    vertices: &[GridPoint],
    triangles: &mut [RegionTriangle],
    lines: &TileLines<'_>,
    desk: &mut Arena<'_>,
) -> Result<usize> {
    let columns = lines.x.cuts.len() as u32 + 1;
    let run = |tile: u32, end: usize| TileRun {
        z: lines.z.tile(tile / columns),
        x: lines.x.tile(tile % columns),
        end: end as u32,
    };
    let all = desk.take_back::<Placed>(triangles.len())?;
    for (placed, &triangle) in all.iter_mut().zip(&*triangles) {
        let corners = triangle.vertices.map(|v| vertices[v as usize]);
        let sum = |of: fn(&GridPoint) -> i64| corners.iter().map(|corner| i128::from(of(corner))).sum();
        let (column, row) = (lines.x.lines_below(sum(|p| p.x)), lines.z.lines_below(sum(|p| p.y)));
        *placed = Placed { tile: row * columns + column, triangle };
    }
    all.sort_unstable();
    triangles.iter_mut().zip(&*all).for_each(|(place, placed)| *place = placed.triangle);
    let count = all.chunk_by(|a, b| a.tile == b.tile).count();
    let runs = desk.take::<TileRun>(count)?;
    let mut end = 0;
    for (place, same) in runs.iter_mut().zip(all.chunk_by(|a, b| a.tile == b.tile)) {
        end += same.len();
        *place = run(same[0].tile, end);
    }
    Ok(count)
}
