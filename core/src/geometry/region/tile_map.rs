//! A map of square cells as a region: its boundary traced directly, since nothing crosses
//! (`build2d-geometry.md`, "Outlines, fill rule, regions").

use super::def::{RegionDef, RegionReport, raise};
use super::trace::{Directed, chain, take_region};
use super::{GridPoint, Region, SnapGrid};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List};

/// Which cells of a tile map belong to the region, row after row.
#[derive(Clone, Copy, Debug)]
pub enum TileCells<'a> {
    /// Those that are true.
    Where(&'a [bool]),
    /// All but those that hold the byte: a grid's cells and its wall, a picture's pixels and its ink.
    AllBut(&'a [u8], u8),
}

/// A map of square cells, as a game of tiles or a robot's occupancy grid has it.
#[derive(Clone, Copy, Debug)]
pub struct TileMap<'a> {
    /// The cells, row-major, x fastest.
    pub cells: TileCells<'a>,
    /// Cells along x, at least 1.
    pub width: u32,
    /// Cells along y, at least 1.
    pub height: u32,
    /// Side of a cell, world units; at least one unit of the snap grid.
    pub cell_size: f64,
    /// The low corner of cell (0, 0).
    pub origin: [f64; 2],
}

impl TileMap<'_> {
    /// Refuses sides of 0, cells that are not width times height, and a cell smaller than the grid's unit.
    fn check(&self, grid: SnapGrid) -> Result<()> {
        if self.width == 0 {
            return Err(Error::invalid(Subject::GridWidth).value(0.0).bound(1.0));
        }
        if self.height == 0 {
            return Err(Error::invalid(Subject::GridHeight).value(0.0).bound(1.0));
        }
        let len = match self.cells {
            TileCells::Where(cells) => cells.len(),
            TileCells::AllBut(cells, _) => cells.len(),
        };
        let wanted = u64::from(self.width) * u64::from(self.height);
        if len as u64 != wanted {
            return Err(Error::invalid(Subject::Cell).value(len as f64).bound(wanted as f64));
        }
        let unit = 1.0 / grid.per_unit();
        if !(self.cell_size >= unit && self.cell_size.is_finite()) {
            return Err(Error::invalid(Subject::CellSize).value(self.cell_size).bound(unit));
        }
        for (axis, lines) in [self.width, self.height].into_iter().enumerate() {
            self.check_lines(axis, lines, grid)?;
        }
        Ok(())
    }

    /// Refuses the first line along an axis that is out of range, or that the rounding puts onto the one before.
    fn check_lines(&self, axis: usize, cells: u32, grid: SnapGrid) -> Result<()> {
        let mut before = None;
        for i in 0..=cells {
            let line = self.line(axis, i, grid);
            let line = line.map_err(|e| e.about(Subject::GridLine).at(i as usize).part(axis))?;
            if before >= Some(line) {
                let error = Error::invalid(Subject::GridLine).at(i as usize).part(axis);
                return Err(error.value(grid.coordinate(line)));
            }
            before = Some(line);
        }
        Ok(())
    }

    /// A line of the map: computed once in double, then rounded to the grid like every coordinate.
    #[inline]
    fn line(&self, axis: usize, i: u32, grid: SnapGrid) -> Result<i64> {
        grid.snap_coordinate(self.origin[axis] + f64::from(i) * self.cell_size)
    }

    /// Whether a cell belongs to the region; the cells around the map, one before 0 included, do not.
    #[inline]
    fn holds(&self, x: u32, y: u32) -> bool {
        if x >= self.width || y >= self.height {
            return false;
        }
        let i = y as usize * self.width as usize + x as usize;
        match self.cells {
            TileCells::Where(cells) => cells.get(i) == Some(&true),
            TileCells::AllBut(cells, byte) => cells.get(i).is_some_and(|cell| *cell != byte),
        }
    }

    /// Calls for every corner of the boundary in (x, y) order with the four cells around it.
    fn each_corner(&self, mut each: impl FnMut(u32, u32, Around) -> Result<()>) -> Result<()> {
        for x in 0..=self.width {
            let mut below = [false; 2];
            for y in 0..=self.height {
                // A column or row of -1 wraps around to one that the map does not have.
                let above = [self.holds(x.wrapping_sub(1), y), self.holds(x, y)];
                let around = Around { below, above };
                if around.is_corner() {
                    each(x, y, around)?;
                }
                below = above;
            }
        }
        Ok(())
    }
}

/// The cells around a corner of cells, left and right.
#[derive(Clone, Copy)]
struct Around {
    below: [bool; 2],
    above: [bool; 2],
}

impl Around {
    /// Whether the boundary turns here: one cell differs from three, or two lie across from one another.
    #[inline]
    fn is_corner(&self) -> bool {
        let ([a, b], [c, d]) = (self.below, self.above);
        a ^ b ^ c ^ d || (a == d && a != b)
    }

    /// Edges that meet here: 2, or 4 where two cells touch only at this corner.
    #[inline]
    fn degree(&self) -> usize {
        if self.below[0] ^ self.below[1] ^ self.above[0] ^ self.above[1] { 2 } else { 4 }
    }
}

/// An end of a horizontal stretch of boundary: its row, its vertex, and whether it begins there and runs to the right.
/// In their order, ends that belong together follow one another.
type RowEnd = [u32; 3];
const BEGINS: u32 = 2;
const TO_THE_RIGHT: u32 = 1;

/// The corners of a map's boundary and the straight stretches between them.
struct Corners<'a> {
    map: &'a TileMap<'a>,
    grid: SnapGrid,
    vertices: List<'a, GridPoint>,
    edges: List<'a, Directed>,
}

impl Corners<'_> {
    /// Gathers all corners, the vertical stretches on the way, and the ends of the horizontal ones.
    fn gather(&mut self, row_ends: &mut List<'_, RowEnd>) -> Result<()> {
        let map = self.map;
        let mut start = 0;
        map.each_corner(|x, y, around| {
            let vertex = self.vertices.len() as u32;
            let point = GridPoint { x: map.line(0, x, self.grid)?, y: map.line(1, y, self.grid)? };
            self.vertices.push(point, Subject::Vertices)?;
            let Around { below, above } = around;
            if below[0] != below[1] {
                // The interior is on the left: upwards it is the left cell.
                let edge = if below[0] { [start, vertex] } else { [vertex, start] };
                self.edges.push(edge, Subject::Edges)?;
            }
            if above[0] != above[1] {
                start = vertex;
            }
            for (side, begins) in [(0, 0), (1, BEGINS)] {
                if below[side] != above[side] {
                    let way = if above[side] { TO_THE_RIGHT } else { 0 };
                    row_ends.push([y, vertex, begins | way], Subject::Edges)?;
                }
            }
            Ok(())
        })
    }

    /// Joins the ends of horizontal stretches, and puts all stretches in order.
    fn join(&mut self, row_ends: &mut [RowEnd]) -> Result<()> {
        row_ends.sort_unstable();
        for pair in row_ends.chunks_exact(2) {
            let [_, a, way] = pair[0];
            let [_, b, _] = pair[1];
            self.edges.push(if way & TO_THE_RIGHT != 0 { [a, b] } else { [b, a] }, Subject::Edges)?;
        }
        self.edges.sort_unstable();
        Ok(())
    }
}

/// The region of a tile map, at the front of the arena.
pub(super) fn region_of<'a>(
    map: &TileMap<'_>,
    grid: SnapGrid,
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'a>,
) -> Result<Region<'a>> {
    map.check(grid)?;
    let (mut corners, mut edges) = (0, 0);
    map.each_corner(|_, _, around| {
        corners += 1;
        edges += around.degree() / 2;
        Ok(())
    })?;
    // Each stretch begins at a point of its ring.
    if edges > limits.points {
        return Err(Error::capacity(Subject::Points, limits.points));
    }
    raise(&mut report.edges, edges);
    raise(&mut report.vertices, corners);
    let (place, counts) = arena.scope(|desk| {
        let mut all = Corners {
            map,
            grid,
            vertices: List::over(desk.take::<GridPoint>(corners)?),
            edges: List::over(desk.take::<Directed>(edges)?),
        };
        desk.scope(|desk| {
            let mut row_ends = List::over(desk.take_back::<RowEnd>(edges)?);
            all.gather(&mut row_ends)?;
            raise(&mut report.memory_peak, desk.high_water());
            all.join(&mut row_ends)
        })?;
        chain(&all.vertices, &all.edges, limits, report, desk)
    })?;
    raise(&mut report.points, counts.0);
    raise(&mut report.rings, counts.1);
    take_region(grid, place, counts, arena)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::geometry::region::{Outline, RegionBuilder};
    use crate::math::SplitMix64;
    use crate::memory::Grain;
    use std::vec;
    use std::vec::Vec;

    const DEF: RegionDef = RegionDef { edges: 4096, crossings: 512, segments: 8192, points: 1024, rings: 256 };

    fn of(cells: &[bool], width: u32, height: u32) -> TileMap<'_> {
        TileMap { cells: TileCells::Where(cells), width, height, cell_size: 0.75, origin: [-1.5, 2.0] }
    }

    #[test]
    fn a_map_is_the_union_of_its_cells() {
        let mut random = SplitMix64::new(21);
        let mut memory = vec![Grain::ZERO; 3 * DEF.plan().grains()];
        for round in 0..if std::env::var_os("NAVARENA_LONG").is_some() { 10_000 } else { 200 } {
            let [width, height] = [0; 2].map(|_| 1 + random.below(9) as u32);
            let open = random.below(11);
            let cells: Vec<bool> = (0..width * height).map(|_| random.below(10) < open).collect();
            let map = of(&cells, width, height);
            let corners = |i: u32| {
                let at =
                    |dx: u32, dy: u32| [f64::from(i % width + dx) * 0.75 - 1.5, f64::from(i / width + dy) * 0.75 + 2.0];
                [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
            };
            let squares: Vec<_> = (0..width * height).filter(|&i| cells[i as usize]).map(corners).collect();
            let rings: Vec<[&[[f64; 2]]; 1]> = squares.iter().map(|square| [square.as_slice()]).collect();
            let outlines: Vec<_> = rings.iter().map(|rings| Outline { rings }).collect();
            let mut arena = Arena::new(&mut memory);
            let mut builder = RegionBuilder::new(&DEF).unwrap();
            let made = builder.from_tile_map(&map, SnapGrid::new(8).unwrap(), &mut arena).unwrap();
            let united = builder.from_outlines(&outlines, SnapGrid::new(8).unwrap(), &mut arena).unwrap();
            assert_eq!(made, united, "round {round}");
            let bytes: Vec<u8> = cells.iter().map(|&open| if open { random.below(255) as u8 } else { 255 }).collect();
            let same = TileMap { cells: TileCells::AllBut(&bytes, 255), ..map };
            assert_eq!(builder.from_tile_map(&same, SnapGrid::new(8).unwrap(), &mut arena), Ok(made));
        }
    }

    #[test]
    fn a_map_that_fits_no_grid_is_refused_by_name() {
        let cells = [true; 6];
        let good = of(&cells, 3, 2);
        let mut memory = vec![Grain::ZERO; DEF.plan().grains()];
        let mut refused = |map: TileMap<'_>, bits: u32, limits: &RegionDef| {
            let grid = SnapGrid::new(bits).unwrap();
            let mut builder = RegionBuilder::new(limits).unwrap();
            let error = builder.from_tile_map(&map, grid, &mut Arena::new(&mut memory)).unwrap_err();
            (error.kind(), error.subject(), error.index(), error.part_index())
        };
        let cases = [
            (TileMap { width: 0, ..good }, 8, Subject::GridWidth, None, None),
            (TileMap { height: 0, ..good }, 8, Subject::GridHeight, None, None),
            (TileMap { width: 4, ..good }, 8, Subject::Cell, None, None),
            (TileMap { cell_size: f64::NAN, ..good }, 8, Subject::CellSize, None, None),
            (good, 0, Subject::CellSize, None, None),
            (TileMap { origin: [0.0, f64::NAN], ..good }, 8, Subject::GridLine, Some(0), Some(1)),
            // Half units go to the even line: 0.5 to 0, 1.5 and 2.5 both to 2.
            (TileMap { cell_size: 1.0, origin: [0.5, 0.0], ..good }, 0, Subject::GridLine, Some(2), Some(0)),
        ];
        for (map, bits, subject, index, part) in cases {
            assert_eq!(refused(map, bits, &DEF), (ErrorKind::Invalid, subject, index, part));
        }
        let far = TileMap { origin: [0.0, 2097151.0], ..good };
        assert_eq!(refused(far, 8, &DEF), (ErrorKind::Limit, Subject::GridLine, Some(2), Some(1)));
        let few = RegionDef { points: 3, ..DEF };
        assert_eq!(refused(good, 8, &few), (ErrorKind::Capacity, Subject::Points, None, None));
        let none = RegionDef { rings: 0, ..DEF };
        assert_eq!(refused(good, 8, &none), (ErrorKind::Capacity, Subject::Rings, None, None));
    }
}
