//! Triangles to solid spans: each triangle is cut by the grid into the pieces that cells hold, and each piece fills the
//! rows it reaches (`build3d-spans.md`, sections 2, 4 and 5).
//!
//! All arithmetic is float32 in cell units and in the page's order, after one float64 subtraction of the grid's origin;
//! where a shortcut is taken it gives the same bits, and says why.

use super::frame::{Frame, check_point};
use super::heightfield::{Heightfield, MAX_AREA, Run, WALKABLE_AREA};
pub use super::piece::MAX_PIECE_CORNERS;
use super::piece::{Piece, U, V, W, clip_to_grid, split};
use crate::error::{Error, Result, Subject};
use crate::math::sqrt32;

/// The corners of a triangle mesh, in world units.
#[derive(Clone, Copy, Debug)]
pub enum Vertices<'a> {
    /// Corners in float32.
    Single(&'a [[f32; 3]]),
    /// Corners in float64.
    Double(&'a [[f64; 3]]),
}

impl Vertices<'_> {
    /// How many corners there are.
    pub const fn len(&self) -> usize {
        match self {
            Vertices::Single(corners) => corners.len(),
            Vertices::Double(corners) => corners.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One corner; it must exist.
    #[inline]
    pub fn get(&self, index: usize) -> [f64; 3] {
        match self {
            Vertices::Single(corners) => corners[index].map(f64::from),
            Vertices::Double(corners) => corners[index],
        }
    }
}

/// Triangles over corners, each counter-clockwise seen from the side it faces.
#[derive(Clone, Copy, Debug)]
pub struct Soup<'a> {
    /// The corners.
    pub vertices: Vertices<'a>,
    /// The corners of each triangle.
    pub triangles: &'a [[u32; 3]],
    /// Which triangles are meant, in this order; all of them where it is `None`.
    pub selected: Option<&'a [u32]>,
}

impl<'a> Soup<'a> {
    /// All triangles over some corners.
    pub const fn new(vertices: Vertices<'a>, triangles: &'a [[u32; 3]]) -> Soup<'a> {
        Soup { vertices, triangles, selected: None }
    }

    /// Some of the triangles, named by their indices.
    pub const fn select(self, selected: &'a [u32]) -> Soup<'a> {
        Soup { selected: Some(selected), ..self }
    }

    /// How many triangles are meant.
    pub fn count(&self) -> usize {
        self.selected.map_or(self.triangles.len(), <[u32]>::len)
    }

    /// Checks the triangles that are meant and the corners they use, and names the first that is refused: an index past
    /// the corners or the triangles, a coordinate that is not finite or past [`super::frame::MAX_COORDINATE`].
    pub fn validate(&self) -> Result<()> {
        for nth in 0..self.count() {
            let triangle = self.triangle_index(nth);
            let corners = self
                .triangles
                .get(triangle)
                .ok_or(Error::invalid(Subject::Triangle).value(triangle as f64).bound(self.triangles.len() as f64))?;
            for (corner, &vertex) in corners.iter().enumerate() {
                if vertex as usize >= self.vertices.len() {
                    let past = Error::invalid(Subject::Index).at(triangle).part(corner);
                    return Err(past.value(f64::from(vertex)).bound(self.vertices.len() as f64));
                }
                let named = vertex as usize;
                let not_finite = Error::invalid(Subject::Vertex).at(named);
                check_point(self.vertices.get(named), not_finite, Error::limit(Subject::Vertex).at(named))?;
            }
        }
        Ok(())
    }

    fn triangle_index(&self, nth: usize) -> usize {
        self.selected.map_or(nth, |selected| selected[nth] as usize)
    }
}

/// Which area a triangle's surface gets.
#[derive(Clone, Copy, Debug)]
pub enum Areas<'a> {
    /// `area` where the surface is flat enough to walk, `ny > cosine * |n|`, else 0.
    Slope {
        /// The cosine of the steepest walkable slope.
        cosine: f32,
        /// The area of what is walkable.
        area: u8,
    },
    /// Each triangle's own area where it is flat enough, else 0.
    SlopeOf {
        /// The cosine of the steepest walkable slope.
        cosine: f32,
        /// An area for each triangle of the soup.
        areas: &'a [u8],
    },
    /// Each triangle's own area, whatever its slope.
    Given(&'a [u8]),
}

impl Areas<'_> {
    /// The page's classification: [`WALKABLE_AREA`] where the slope allows.
    pub const fn walkable(cosine: f32) -> Areas<'static> {
        Areas::Slope { cosine, area: WALKABLE_AREA }
    }

    /// Refuses an area past [`MAX_AREA`] and a list that has not one area for each triangle.
    fn validate(&self, triangles: usize) -> Result<()> {
        let refused = |area: u8| Error::invalid(Subject::Area).value(f64::from(area)).bound(f64::from(MAX_AREA));
        match *self {
            Areas::Slope { area, .. } if area > MAX_AREA => Err(refused(area)),
            Areas::Slope { .. } => Ok(()),
            Areas::SlopeOf { areas, .. } | Areas::Given(areas) => {
                if areas.len() != triangles {
                    return Err(Error::invalid(Subject::Area).value(areas.len() as f64).bound(triangles as f64));
                }
                match areas.iter().position(|&area| area > MAX_AREA) {
                    Some(at) => Err(refused(areas[at]).at(at)),
                    None => Ok(()),
                }
            }
        }
    }

    #[inline]
    fn of(&self, triangle: usize, normal: &Normal) -> u8 {
        match *self {
            Areas::Slope { cosine, area } => normal.walkable(cosine, area),
            Areas::SlopeOf { cosine, areas } => normal.walkable(cosine, areas[triangle]),
            Areas::Given(areas) => areas[triangle],
        }
    }
}

/// What rasterizing went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RasterStats {
    /// Triangles seen.
    pub triangles: usize,
    /// Triangles without a surface, which were skipped.
    pub degenerate: usize,
}

/// Rasterizes a soup's triangles in their order.
///
/// `threshold` is the rows within which merged tops share the larger area; the walkable climb, as a rule.
/// Checks everything first, so that nothing is added when something is refused. What can still be refused while
/// spans are added is the span limit, and a piece that rounding gave more than [`MAX_PIECE_CORNERS`].
/// Costs the cells that the triangles' bounds reach.
pub fn rasterize(
    solid: &mut Heightfield<'_>,
    soup: &Soup<'_>,
    areas: Areas<'_>,
    threshold: u32,
) -> Result<RasterStats> {
    soup.validate()?;
    areas.validate(soup.triangles.len())?;
    let mut rasterizer = Rasterizer::new(solid, threshold);
    for nth in 0..soup.count() {
        let index = soup.triangle_index(nth);
        let corners = soup.triangles[index].map(|vertex| soup.vertices.get(vertex as usize));
        rasterizer.triangle(index, corners, &areas)?;
    }
    Ok(rasterizer.stats)
}

/// A regular grid of heights over the ground.
#[derive(Clone, Copy, Debug)]
pub struct HeightGrid<'a> {
    /// Heights, x fastest.
    pub heights: &'a [f32],
    /// Samples along x, at least 2.
    pub count_x: u32,
    /// Samples along z, at least 2.
    pub count_z: u32,
    /// World x and z of the first sample.
    pub origin: [f64; 2],
    /// Distance of samples, above 0.
    pub spacing: f64,
}

impl HeightGrid<'_> {
    /// How many triangles it stands for: two for each square.
    pub const fn triangle_count(&self) -> usize {
        (self.count_x as usize).saturating_sub(1) * (self.count_z as usize).saturating_sub(1) * 2
    }

    /// A sample's point.
    #[inline]
    pub fn point(&self, i: usize, j: usize) -> [f64; 3] {
        let height = self.heights[j * self.count_x as usize + i];
        [self.origin[0] + i as f64 * self.spacing, f64::from(height), self.origin[1] + j as f64 * self.spacing]
    }

    /// Checks counts, spacing and every sample, and names the first that is refused.
    pub fn validate(&self) -> Result<()> {
        let counts = [self.count_x, self.count_z];
        if let Some(axis) = counts.iter().position(|&count| count < 2) {
            return Err(Error::invalid(Subject::Terrain).part(axis).value(f64::from(counts[axis])));
        }
        let samples = self.count_x as usize * self.count_z as usize;
        if self.heights.len() != samples {
            return Err(Error::invalid(Subject::Sample).value(self.heights.len() as f64).bound(samples as f64));
        }
        if !self.spacing.is_finite() || self.spacing <= 0.0 {
            return Err(Error::invalid(Subject::Terrain).value(self.spacing));
        }
        for j in 0..self.count_z as usize {
            for i in 0..self.count_x as usize {
                let nth = j * self.count_x as usize + i;
                let (not_finite, too_far) = (Error::invalid(Subject::Sample), Error::limit(Subject::Sample));
                check_point(self.point(i, j), not_finite.at(nth), too_far.at(nth))?;
            }
        }
        Ok(())
    }
}

/// Rasterizes a height grid as two triangles for each square, `(a, c, d)` and `(a, d, b)` with `a` at `(i, j)`, `b` one
/// on along x, `c` one on along z and `d` across, squares in order of z, then x.
///
/// A list of `areas` has one for each triangle, in that order. Everything else is as in [`rasterize`].
pub fn rasterize_height_grid(
    solid: &mut Heightfield<'_>,
    grid: &HeightGrid<'_>,
    areas: Areas<'_>,
    threshold: u32,
) -> Result<RasterStats> {
    grid.validate()?;
    areas.validate(grid.triangle_count())?;
    let mut rasterizer = Rasterizer::new(solid, threshold);
    let mut index = 0;
    for j in 0..grid.count_z as usize - 1 {
        for i in 0..grid.count_x as usize - 1 {
            let [a, b] = [grid.point(i, j), grid.point(i + 1, j)];
            let [c, d] = [grid.point(i, j + 1), grid.point(i + 1, j + 1)];
            rasterizer.triangle(index, [a, c, d], &areas)?;
            rasterizer.triangle(index + 1, [a, d, b], &areas)?;
            index += 2;
        }
    }
    Ok(rasterizer.stats)
}

/// A triangle's normal in tile-local float32 units, not of unit length.
struct Normal {
    vector: [f32; 3],
    length: f32,
}

impl Normal {
    fn of(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> Normal {
        let e = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let f = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
        let vector = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        let [x, y, z] = vector;
        Normal { vector, length: sqrt32(x * x + y * y + z * z) }
    }

    fn walkable(&self, cosine: f32, area: u8) -> u8 {
        if self.vector[1] > cosine * self.length { area } else { 0 }
    }
}

/// The pieces a triangle is cut into on its way, kept so that they are cleared once.
struct Bench {
    /// What is left above the rows cut off, and the same after the next cut.
    rows: [Piece; 2],
    row: Piece,
    /// What is left beyond the cells cut off.
    rest: Piece,
    cell: Piece,
}

/// What a triangle's pieces have in common.
struct Surface {
    triangle: usize,
    area: u8,
    /// Whether the normal's y is above 0: a flat piece on a row's boundary then fills the row below.
    faces_up: bool,
    /// Whether the footprint has no area: a wall.
    vertical: bool,
}

/// Rasterizes one triangle after the other into a field.
pub(super) struct Rasterizer<'f, 'a> {
    solid: &'f mut Heightfield<'a>,
    threshold: u32,
    pub(super) stats: RasterStats,
    bench: Bench,
}

impl<'f, 'a> Rasterizer<'f, 'a> {
    pub(super) fn new(solid: &'f mut Heightfield<'a>, threshold: u32) -> Self {
        let bench = Bench { rows: [Piece::EMPTY; 2], row: Piece::EMPTY, rest: Piece::EMPTY, cell: Piece::EMPTY };
        Rasterizer { solid, threshold, stats: RasterStats::default(), bench }
    }

    pub(super) fn triangle(&mut self, triangle: usize, world: [[f64; 3]; 3], areas: &Areas<'_>) -> Result<()> {
        self.stats.triangles += 1;
        let frame = self.solid.frame;
        let local = world.map(|point| to_local(&frame, point));
        let normal = Normal::of(local[0], local[1], local[2]);
        if normal.length == 0.0 || !normal.length.is_finite() {
            self.stats.degenerate += 1;
            return Ok(());
        }
        let Bench { rows, row, .. } = &mut self.bench;
        let whole = &mut rows[0];
        whole.len = 0;
        for corner in local {
            let [u, v, w] = [corner[0] / frame.cell_size, corner[1] / frame.cell_height, corner[2] / frame.cell_size];
            whole.push_if([u, v, w, 0.0], true);
        }
        let surface = Surface {
            triangle,
            area: areas.of(triangle, &normal),
            faces_up: normal.vector[1] > 0.0,
            vertical: whole.fan_area() == 0.0,
        };
        let on_line = if surface.vertical { wall_on_grid_line(whole, &normal) } else { OnLine::default() };
        if clip_to_grid(whole, row, &frame) {
            check_corners(whole, whole, &surface)?;
            self.rows(&surface, on_line)?;
        }
        Ok(())
    }

    /// Splits a triangle, clipped to the grid, into rows of cells.
    fn rows(&mut self, surface: &Surface, on_line: OnLine) -> Result<()> {
        let Rasterizer { solid, threshold, bench: Bench { rows: [first, second], row, rest: spare, cell }, .. } = self;
        let (width, depth) = (solid.frame.width, solid.frame.depth);
        let range = match on_line.row {
            Some(row) => CellRange::only(row, depth),
            None => CellRange::of(first.bounds::<W>(), surface.vertical, depth),
        };
        let mut cells = Cells { solid, threshold: *threshold, surface, on_line, width, column: 0 };
        let (mut rest, mut next) = (first, second);
        for z in range.from..range.to {
            cells.column = z as usize * width as usize;
            if z + 1 == range.to {
                return cells.cut(rest, spare, cell);
            }
            split::<W>(rest, (z + 1) as f32, row, next);
            core::mem::swap(&mut rest, &mut next);
            check_corners(row, rest, surface)?;
            cells.cut(row, spare, cell)?;
        }
        Ok(())
    }
}

/// One row's piece on its way into cells.
struct Cells<'f, 'a> {
    solid: &'f mut Heightfield<'a>,
    threshold: u32,
    surface: &'f Surface,
    on_line: OnLine,
    width: u32,
    /// The row's first column.
    column: usize,
}

impl Cells<'_, '_> {
    /// Splits a row's piece into cells, and fills the rows each reaches.
    fn cut(&mut self, row: &mut Piece, spare: &mut Piece, cell: &mut Piece) -> Result<()> {
        if row.len == 0 {
            return Ok(());
        }
        let range = match self.on_line.cell {
            Some(cell) => CellRange::only(cell, self.width),
            None => CellRange::of(row.bounds::<U>(), self.surface.vertical, self.width),
        };
        let (mut rest, mut next) = (row, spare);
        for x in range.from..range.to {
            let column = self.column + x as usize;
            if x + 1 == range.to {
                return self.fill(rest, column);
            }
            split::<U>(rest, (x + 1) as f32, cell, next);
            core::mem::swap(&mut rest, &mut next);
            check_corners(cell, rest, self.surface)?;
            self.fill(cell, column)?;
        }
        Ok(())
    }

    /// Fills the rows that a cell's piece reaches, if the piece touches the cell.
    #[inline]
    fn fill(&mut self, piece: &Piece, column: usize) -> Result<()> {
        if piece.len == 0 {
            return Ok(());
        }
        let touches = if self.surface.vertical {
            let ((low_u, high_u), (low_w, high_w)) = (piece.bounds::<U>(), piece.bounds::<W>());
            high_u - low_u > 0.0 || high_w - low_w > 0.0
        } else {
            piece.fan_area() != 0.0
        };
        if !touches {
            return Ok(());
        }
        let rows = self.solid.frame.rows as i32;
        let (low, high) = piece.bounds::<V>();
        let (mut lo, mut hi) = (floor_row(low), ceil_row(high));
        if lo == hi {
            // A flat piece on a row's boundary: the solid is behind the surface.
            if self.surface.faces_up {
                lo -= 1;
            } else {
                hi += 1;
            }
        }
        if hi <= 0 || lo >= rows {
            return Ok(());
        }
        let run = Run { min: lo.max(0) as u16, max: hi.min(rows) as u16, area: self.surface.area };
        self.solid.insert(column, run, self.threshold)
    }
}

/// The half-open range of cells along one axis that a piece can touch.
struct CellRange {
    from: u32,
    to: u32,
}

impl CellRange {
    fn only(cell: i64, count: u32) -> CellRange {
        match u32::try_from(cell) {
            Ok(cell) if cell < count => CellRange { from: cell, to: cell + 1 },
            _ => CellRange { from: 0, to: 0 },
        }
    }

    /// The cells between two bounds that lie in `0..=count`.
    ///
    /// A piece that only reaches a cell's edge lies on a line there and has no area, so such cells are left out; a
    /// wall's pieces are judged by their length, so for walls they are kept and judged.
    #[inline]
    fn of((low, high): (f32, f32), closed: bool, count: u32) -> CellRange {
        let (floor, whole) = (low as u32, high as u32);
        let ceil = whole + u32::from(whole as f32 != high);
        if closed {
            let from = if floor as f32 == low { floor.saturating_sub(1) } else { floor };
            CellRange { from, to: (whole + 1).min(count) }
        } else {
            CellRange { from: floor, to: ceil.min(count) }
        }
    }
}

/// The row and cell of a wall that stands exactly on a grid line: those behind its surface.
#[derive(Clone, Copy, Default)]
struct OnLine {
    cell: Option<i64>,
    row: Option<i64>,
}

fn wall_on_grid_line(triangle: &Piece, normal: &Normal) -> OnLine {
    let on = |(low, high): (f32, f32), facing: f32| {
        // Past 2^24 every float is whole, and far outside of any grid.
        let line = low as i64;
        (low == high && line as f32 == low).then(|| if facing > 0.0 { line - 1 } else { line })
    };
    OnLine { cell: on(triangle.bounds::<U>(), normal.vector[0]), row: on(triangle.bounds::<W>(), normal.vector[2]) }
}

/// Refuses two parts of a piece if rounding gave one too many corners.
#[inline]
fn check_corners(one: &Piece, other: &Piece, surface: &Surface) -> Result<()> {
    let most = one.len.max(other.len);
    if most <= MAX_PIECE_CORNERS {
        return Ok(());
    }
    let refused = Error::limit(Subject::Triangle).at(surface.triangle);
    Err(refused.value(most as f64).bound(MAX_PIECE_CORNERS as f64))
}

#[inline]
fn to_local(frame: &Frame, point: [f64; 3]) -> [f32; 3] {
    core::array::from_fn(|axis| (point[axis] - frame.origin[axis]) as f32)
}

/// Rows past these are outside of any grid, so that a height of any size converts.
const BELOW: f32 = -2.0;
const ABOVE: f32 = 65_537.0;

#[inline]
fn floor_row(v: f32) -> i32 {
    let v = v.clamp(BELOW, ABOVE);
    let whole = v as i32;
    whole - i32::from(whole as f32 > v)
}

#[inline]
fn ceil_row(v: f32) -> i32 {
    let v = v.clamp(BELOW, ABOVE);
    let whole = v as i32;
    whole + i32::from((whole as f32) < v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Arena, Grain};
    use std::vec::Vec;

    /// Every span of a field as (column, min, max, area).
    fn spans(solid: &Heightfield<'_>) -> Vec<(usize, u16, u16, u8)> {
        let columns = 0..solid.frame.columns();
        columns
            .flat_map(|c| solid.column(c).map(move |s| (c, s.min(), s.max(), s.area())).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn a_square_floor_fills_its_cells_and_no_neighbour() {
        let mut region = std::vec![Grain::ZERO; 1000];
        let frame = Frame::new([-1.0, 0.0, -1.0], 0.5, 0.25, 6, 6, 10).unwrap();
        let mut solid = Heightfield::new(frame, 100, &mut Arena::new(&mut region)).unwrap();
        let corners = [[-0.5f32, 1.0, -0.5], [0.5, 1.0, -0.5], [0.5, 1.0, 0.5], [-0.5, 1.0, 0.5]];
        let soup = Soup::new(Vertices::Single(&corners), &[[0, 2, 1], [0, 3, 2]]);
        let stats = rasterize(&mut solid, &soup, Areas::walkable(0.7), 1).unwrap();
        assert_eq!(stats, RasterStats { triangles: 2, degenerate: 0 });
        assert_eq!(spans(&solid), [7, 8, 13, 14].map(|c| (c, 3, 4, WALKABLE_AREA)));
    }
}
