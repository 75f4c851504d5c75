//! Whether two cells of a grid see each other: exact, in integers (`grids.md`, "Any-angle search", "Line of sight").

use super::{Cell, Grid, WALL};
use core::cmp::Ordering;

impl Grid<'_> {
    /// Whether two cells see each other: both are ground, and the segment between their centres touches no wall.
    ///
    /// A wall is a closed square, so that touching its corner blocks, and cells outside the grid are walls. Neighbours see
    /// each other just when a step without corner cutting leads from one to the other. Symmetric; exact; O(columns + rows
    /// between them), without memory.
    ///
    /// ```
    /// use navarena::grid::{Cell, Grid, GridDef};
    /// use navarena::memory::{Arena, Memory};
    ///
    /// const PICTURE: &str = "....\n..#.\n....\n";
    /// let def = GridDef::of_picture(PICTURE)?;
    /// let mut region = Memory::<4096>::new();
    /// let grid = Grid::from_picture(PICTURE, &def, &mut Arena::new(region.grains()))?;
    /// assert!(grid.has_line_of_sight((0, 0), (3, 0)));
    /// assert!(!grid.has_line_of_sight((0, 0), (3, 2)));
    /// assert!(!grid.has_line_of_sight((1, 1), (2, 0)), "past the wall's corner");
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn has_line_of_sight(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        let (from, to) = (from.into(), to.into());
        self.contains(from) && self.contains(to) && in_sight(self.cells(), self.width(), from, to)
    }
}

/// The same for cells inside the grid, from its areas row by row and its columns.
///
/// Walks the cells that the segment crosses. After `ix` columns and `iy` rows of `nx` and `ny` the sign of
/// `d = (2 * ix + 1) * ny - (2 * iy + 1) * nx` tells whether the segment leaves the cell by its side (`d < 0`), by its top
/// or bottom (`d > 0`), or through a corner, where the two cells beside it must be ground as well.
pub(super) fn in_sight(cells: &[u8], width: i32, from: Cell, to: Cell) -> bool {
    // The walk stays in the rectangle that the two cells span, so that all it looks at is inside.
    let is_ground = |at: usize| cells.get(at).is_some_and(|&area| area != WALL);
    let (columns, rows) = (to.x - from.x, to.y - from.y);
    let (nx, ny) = (i64::from(columns.abs()), i64::from(rows.abs()));
    let (along, down) = (columns.signum() as isize, rows.signum() as isize * width as isize);
    let mut at = from.y as usize * width as usize + from.x as usize;
    let mut d = ny - nx;
    let mut steps = nx + ny;
    if !is_ground(at) {
        return false;
    }
    while steps > 0 {
        let next = match d.cmp(&0) {
            Ordering::Less => {
                d += 2 * ny;
                steps -= 1;
                at.wrapping_add_signed(along)
            }
            Ordering::Greater => {
                d -= 2 * nx;
                steps -= 1;
                at.wrapping_add_signed(down)
            }
            Ordering::Equal => {
                if !is_ground(at.wrapping_add_signed(along)) || !is_ground(at.wrapping_add_signed(down)) {
                    return false;
                }
                d += 2 * (ny - nx);
                steps -= 2;
                at.wrapping_add_signed(along + down)
            }
        };
        if !is_ground(next) {
            return false;
        }
        at = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridDef;
    use crate::grid::jps::tests::{load, random_cell, random_plain};
    use crate::grid::tests::{oracle::Plain, rounds, with_grid};
    use crate::math::SplitMix64;

    /// Compares pairs of cells of random maps with the oracle, in both directions.
    fn compare(seed: u64, grids: usize, side: u64) {
        let mut random = SplitMix64::new(seed);
        let (mut seen, mut hidden) = (0, 0);
        for _ in 0..grids {
            let walls = random.below(31);
            let plain = random_plain(&mut random, side, walls);
            with_grid(&GridDef::of_size(plain.width as u32, plain.height as u32), |grid| {
                load(&plain, grid);
                for _ in 0..60 {
                    let (from, to) = (random_cell(&mut random, &plain), random_cell(&mut random, &plain));
                    let want = plain.sees((from.x, from.y), (to.x, to.y));
                    assert_eq!(grid.has_line_of_sight(from, to), want, "{from:?} {to:?} {plain:?}");
                    assert_eq!(grid.has_line_of_sight(to, from), want, "{to:?} {from:?} {plain:?}");
                    *(if want { &mut seen } else { &mut hidden }) += 1;
                }
            });
        }
        assert!(seen > 9 * grids && hidden > 9 * grids, "both answers are tested");
    }

    #[test]
    fn two_cells_see_each_other_just_when_their_segment_touches_no_closed_wall() {
        compare(11, rounds(60, 3000), 12);
        compare(12, rounds(6, 300), 40);
    }

    #[test]
    fn neighbours_see_each_other_just_when_a_step_without_corner_cutting_joins_them() {
        let mut random = SplitMix64::new(13);
        for _ in 0..rounds(40, 1000) {
            let plain = random_plain(&mut random, 6, 30);
            with_grid(&GridDef::of_size(plain.width as u32, plain.height as u32), |grid| {
                load(&plain, grid);
                let topology = grid.topology(crate::grid::Movement::DEFAULT).unwrap();
                for node in 0..grid.cell_count() as u32 {
                    let Cell { x, y } = grid.cell_of(node);
                    for (step, (dx, dy)) in crate::grid::STEPS.into_iter().enumerate() {
                        let can_step = grid.is_walkable(Cell { x, y }) && topology.steps_from(node) >> step & 1 != 0;
                        assert_eq!(grid.has_line_of_sight((x, y), (x + dx, y + dy)), can_step);
                    }
                }
            });
        }
    }

    #[test]
    fn nothing_outside_is_seen_and_a_cell_of_ground_sees_itself() {
        let plain = Plain { width: 3, height: 1, cells: [0, 255, 0].into(), costs: [].into(), rest: 1.0 };
        with_grid(&GridDef::of_size(3, 1), |grid| {
            load(&plain, grid);
            assert!(grid.has_line_of_sight((2, 0), (2, 0)) && !grid.has_line_of_sight((1, 0), (1, 0)));
            for outside in [(3, 0), (-1, 0), (0, 1), (i32::MIN, i32::MAX), (i32::MAX, i32::MIN)] {
                assert!(!grid.has_line_of_sight((0, 0), outside) && !grid.has_line_of_sight(outside, (0, 0)));
            }
        });
    }

    #[test]
    fn the_widest_segments_are_exact() {
        // 2^28 cells would be too much memory: the two rows of a long map, where the segment changes rows in the middle.
        let width = 100_001;
        with_grid(&GridDef { clearance: false, ..GridDef::of_size(width, 2) }, |grid| {
            let ends = [(0, 0), (width as i32 - 1, 1)];
            assert!(grid.has_line_of_sight(ends[0], ends[1]));
            // It crosses from row 0 to row 1 at the centre of column 50000, so touches both cells of it and no corner.
            for (cell, blocks) in [((50_000, 0), true), ((50_000, 1), true), ((50_001, 0), false), ((49_999, 1), false)]
            {
                grid.set_area(Cell::from(cell), WALL).unwrap();
                assert_eq!(grid.has_line_of_sight(ends[0], ends[1]), !blocks);
                assert_eq!(grid.has_line_of_sight(ends[1], ends[0]), !blocks);
                grid.set_area(Cell::from(cell), 0).unwrap();
            }
        });
    }
}
