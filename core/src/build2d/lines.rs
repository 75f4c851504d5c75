//! The lines between tiles, on the snap grid (`build2d-tiles.md`, "Tile lines").

use crate::error::{Error, Result, Subject};
use crate::geometry::region::{GridPoint, Region, SnapGrid};
use crate::math::{floor, round_half_even};
use crate::memory::Arena;
use crate::mesh::MeshParams;

/// The most lines that may cut a region along one axis.
pub const MAX_LINES: usize = 1 << 12;
/// The most crossings of lines along x with lines along z.
pub const MAX_LINE_CROSSINGS: usize = 1 << 20;
/// A line lies within this part of a cell of where it should.
const CELL_PART: f64 = 1024.0;
/// Tiles that the guess of a coordinate's tile may be off by, once rounding has moved the lines.
const GUESS_STEPS: u32 = 2;

/// The lines of one axis that cut a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxisLines<'a> {
    /// The tile below the first line.
    pub first_tile: i32,
    /// The lines in grid units, ascending, each strictly within the region's extent.
    pub cuts: &'a [i64],
}

impl AxisLines<'_> {
    /// How many lines lie at or below a triangle's centroid, given the sum of its corners' coordinates.
    #[inline]
    pub(super) fn lines_below(&self, sum: i128) -> u32 {
        self.cuts.partition_point(|&cut| 3 * i128::from(cut) <= sum) as u32
    }

    /// The tile that follows so many lines.
    #[inline]
    pub(super) fn tile(&self, lines: u32) -> i32 {
        self.first_tile + lines as i32
    }
}

/// The lines that cut a region into tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileLines<'a> {
    /// Those at an x of their own: vertical ones.
    pub x: AxisLines<'a>,
    /// Those at a z of their own: horizontal ones.
    pub z: AxisLines<'a>,
    /// The low and the high corner of the region's box.
    pub bounds: [GridPoint; 2],
}

impl<'a> TileLines<'a> {
    /// The lines that lie strictly within a region's box, for the tiles of a mesh. They lie at the front of the arena.
    ///
    /// # Errors
    /// Invalid for the first line that the grid has no place for within 1/1024 of a cell, with the value where it should
    /// lie and its axis as the part: the tile size or the origin is off the grid. Limit for more than [`MAX_LINES`] along
    /// an axis, for more than [`MAX_LINE_CROSSINGS`], and for tiles that 32 bits don't number. Memory.
    pub fn new(region: &Region<'_>, params: &MeshParams, arena: &mut Arena<'a>) -> Result<TileLines<'a>> {
        let Some(bounds) = bounds(region.points) else { return Ok(TileLines::default()) };
        let axis = |axis: usize, low: i64, high: i64, arena: &mut Arena<'a>| {
            let origin = params.origin[2 * axis];
            Axis { number: axis, origin, params, grid: region.grid }.cuts(low, high, arena)
        };
        let x = axis(0, bounds[0].x, bounds[1].x, arena)?;
        let z = axis(1, bounds[0].y, bounds[1].y, arena)?;
        let crossings = x.cuts.len() * z.cuts.len();
        if crossings > MAX_LINE_CROSSINGS {
            let error = Error::limit(Subject::TileLineCrossings).value(crossings as f64);
            return Err(error.bound(MAX_LINE_CROSSINGS as f64));
        }
        Ok(TileLines { x, z, bounds })
    }

    /// Each line as a segment across the box.
    pub fn segments(&self) -> impl Iterator<Item = [GridPoint; 2]> + use<'a> {
        let [low, high] = self.bounds;
        let vertical = self.x.cuts.iter().map(move |&x| [GridPoint { x, y: low.y }, GridPoint { x, y: high.y }]);
        let horizontal = self.z.cuts.iter().map(move |&y| [GridPoint { x: low.x, y }, GridPoint { x: high.x, y }]);
        vertical.chain(horizontal)
    }
}

fn bounds(points: &[GridPoint]) -> Option<[GridPoint; 2]> {
    points.iter().fold(None, |bounds, &point| {
        let [low, high] = bounds.unwrap_or([point; 2]);
        Some([
            GridPoint { x: low.x.min(point.x), y: low.y.min(point.y) },
            GridPoint { x: high.x.max(point.x), y: high.y.max(point.y) },
        ])
    })
}

/// An axis with its tile lines.
struct Axis<'p> {
    number: usize,
    origin: f64,
    params: &'p MeshParams,
    grid: SnapGrid,
}

impl Axis<'_> {
    /// Where a line should lie: computed once in double.
    fn place(&self, line: i64) -> f64 {
        self.origin + line as f64 * self.params.tile_size
    }

    /// Where it lies on the grid.
    fn units(&self, line: i64) -> i64 {
        round_half_even(self.place(line) * self.grid.per_unit()) as i64
    }

    /// Refuses a line that the grid has no place for near enough.
    fn check_on_grid(&self, line: i64) -> Result<()> {
        let apart = self.grid.coordinate(self.units(line)) - self.place(line);
        let is_near = apart.abs() <= self.params.cell_size / CELL_PART;
        if is_near { Ok(()) } else { Err(self.refusal(line)) }
    }

    fn refusal(&self, line: i64) -> Error {
        let error = Error::invalid(Subject::TileLine).part(self.number).value(self.place(line));
        error.bound(self.params.cell_size / CELL_PART)
    }

    /// The tile that holds a coordinate; one on a line belongs to the tile above.
    fn tile_of(&self, units: i64) -> Result<i64> {
        let guess = floor((self.grid.coordinate(units) - self.origin) / self.params.tile_size);
        let bound = f64::from(i32::MAX);
        // Not a number, where the tile size is tiny, is out of range too.
        let is_numbered = guess.abs() < bound;
        if !is_numbered {
            return Err(Error::limit(Subject::TilePosition).part(self.number).value(guess).bound(bound));
        }
        let mut tile = guess as i64;
        for _ in 0..GUESS_STEPS {
            if self.units(tile) > units {
                tile -= 1;
            } else if self.units(tile + 1) <= units {
                tile += 1;
            }
        }
        let holds = self.units(tile) <= units && units < self.units(tile + 1);
        if holds { Ok(tile) } else { Err(self.refusal(tile)) }
    }

    fn cuts<'a>(&self, low: i64, high: i64, arena: &mut Arena<'a>) -> Result<AxisLines<'a>> {
        let first = self.tile_of(low)?;
        // The tile of the last coordinate below the high one: its line is the last that cuts.
        let last = self.tile_of(high.max(low + 1) - 1)?;
        let count = last - first;
        if count > MAX_LINES as i64 {
            return Err(Error::limit(Subject::TileLines).part(self.number).value(count as f64).bound(MAX_LINES as f64));
        }
        // The first tile's own line cuts nothing, but off the grid its vertices' floats would not be exact.
        self.check_on_grid(first)?;
        let cuts = arena.take::<i64>(count as usize)?;
        let mut before = low;
        for (line, cut) in (first + 1..).zip(cuts.iter_mut()) {
            *cut = self.units(line);
            self.check_on_grid(line)?;
            // Lines closer than the grid fall together.
            if *cut <= before {
                return Err(self.refusal(line));
            }
            before = *cut;
        }
        Ok(AxisLines { first_tile: first as i32, cuts })
    }
}
