//! The nearest cell an agent can stand on (`grids.md`, "Host API", "Large agents").

use super::{Cell, Grid, GridHooks, Movement};
use crate::error::{Error, Result, Subject};

/// Which cells a snap may end on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NearestOptions {
    /// The agent that must fit, 1 to 255.
    pub agent_size: u8,
    /// How many columns or rows away it may be at most; `None` for any.
    pub radius: Option<u32>,
}

impl NearestOptions {
    /// An agent of one cell, any distance.
    pub const DEFAULT: NearestOptions = NearestOptions { agent_size: 1, radius: None };
}

impl Default for NearestOptions {
    fn default() -> Self {
        NearestOptions::DEFAULT
    }
}

impl Grid<'_> {
    /// The cell nearest to another, which may be outside the grid, on which the agent fits and that is not blocked.
    ///
    /// Nearest by the squared distance between cell indexes; of cells as near the one in the smaller row, then in the
    /// smaller column. Looks at square rings outwards until a ring is farther than the best: O(cells) at worst.
    ///
    /// ```
    /// # use navarena::grid::{Cell, Grid, GridDef, NearestOptions, NoHooks};
    /// # use navarena::memory::{Arena, Grain};
    /// let picture = "..#\n.##\n";
    /// # let def = GridDef::of_picture(picture)?;
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// let grid = Grid::from_picture(picture, &def, &mut Arena::new(&mut region))?;
    /// let nearest = grid.nearest_walkable(Cell::new(2, 1), &NearestOptions::DEFAULT, &NoHooks)?;
    /// assert_eq!(nearest, Some(Cell::new(1, 0)));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// An agent of size 0.
    pub fn nearest_walkable<H: GridHooks>(
        &self,
        cell: Cell,
        options: &NearestOptions,
        hooks: &H,
    ) -> Result<Option<Cell>> {
        if options.agent_size == 0 {
            return Err(Error::invalid(Subject::AgentSize).value(0.0));
        }
        let topology = self.topology(Movement { agent_size: options.agent_size, ..Movement::DEFAULT })?;
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let (last_x, last_y) = (i64::from(self.width() - 1), i64::from(self.height() - 1));
        // The rings that meet the grid at all.
        let nearest = (-x).max(x - last_x).max(-y).max(y - last_y).max(0);
        let farthest = x.abs().max((x - last_x).abs()).max(y.abs()).max((y - last_y).abs());
        let farthest = options.radius.map_or(farthest, |radius| farthest.min(i64::from(radius)));
        let mut best: Option<(u64, i64, i64)> = None;
        for ring in nearest..=farthest {
            if best.is_some_and(|(distance, ..)| ring.unsigned_abs().pow(2) > distance) {
                break;
            }
            let mut look = |column: i64, row: i64| {
                let distance = column.abs_diff(x).pow(2) + row.abs_diff(y).pow(2);
                let candidate = (distance, row, column);
                if best.is_none_or(|best| candidate < best) {
                    let cell = Cell::new(column as i32, row as i32);
                    if topology.fits(cell) && !hooks.is_blocked(cell) {
                        best = Some(candidate);
                    }
                }
            };
            let columns = (x - ring).max(0)..=(x + ring).min(last_x);
            for row in [y - ring, y + ring] {
                if (0..=last_y).contains(&row) {
                    columns.clone().for_each(|column| look(column, row));
                }
            }
            let rows = (y - ring + 1).max(0)..=(y + ring - 1).min(last_y);
            for column in [x - ring, x + ring] {
                if (0..=last_x).contains(&column) {
                    rows.clone().for_each(|row| look(column, row));
                }
            }
        }
        Ok(best.map(|(_, row, column)| Cell::new(column as i32, row as i32)))
    }

    /// The same for a world position.
    ///
    /// # Errors
    /// A coordinate that is no number or past 2^21; an agent of size 0.
    pub fn nearest_walkable_to<H: GridHooks>(
        &self,
        position: [f64; 2],
        options: &NearestOptions,
        hooks: &H,
    ) -> Result<Option<Cell>> {
        self.nearest_walkable(self.space().cell_at(position)?, options, hooks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::tests::{rounds, with_grid};
    use crate::grid::{Blocked, CellRect, GridDef, NoHooks, WALL};
    use crate::math::SplitMix64;

    #[test]
    fn rings_find_what_a_look_at_every_cell_finds() {
        let mut random = SplitMix64::new(12);
        for _ in 0..rounds(400, 20_000) {
            let (width, height) = (1 + random.below(9) as u32, 1 + random.below(9) as u32);
            with_grid(&GridDef::of_size(width, height), |grid| {
                let all = CellRect::new(0, 0, width as i32, height as i32);
                let walls = random.below(101);
                for cell in all.cells() {
                    if random.below(100) < walls {
                        grid.set_area(cell, WALL).unwrap();
                    }
                }
                let from = Cell::new(random.below(25) as i32 - 8, random.below(25) as i32 - 8);
                let agent_size = 1 + random.below(2) as u8;
                let radius = (random.below(2) == 0).then(|| random.below(12) as u32);
                let salt = random.below(50) as i32;
                let hooks = Blocked(|cell: Cell| (cell.x * 5 + cell.y * 3 + salt) % 7 == 0);
                let fits = |cell: &Cell| grid.can_fit(*cell, agent_size) && !hooks.is_blocked(*cell);
                let reach = radius.map_or(i32::MAX, |radius| radius as i32);
                let near = |cell: &Cell| (cell.x - from.x).abs().max((cell.y - from.y).abs()) <= reach;
                let order = |cell: &Cell| ((cell.x - from.x).pow(2) + (cell.y - from.y).pow(2), cell.y, cell.x);
                let want = all.cells().filter(fits).filter(near).min_by_key(order);
                let options = NearestOptions { agent_size, radius };
                assert_eq!(grid.nearest_walkable(from, &options, &hooks), Ok(want));
            });
        }
    }

    #[test]
    fn cells_at_the_ends_of_the_number_range_have_a_nearest_one_too() {
        with_grid(&GridDef::of_size(3, 3), |grid| {
            let from = |x, y| grid.nearest_walkable(Cell::new(x, y), &NearestOptions::DEFAULT, &NoHooks).unwrap();
            assert_eq!(from(i32::MIN, i32::MAX), Some(Cell::new(0, 2)));
            assert_eq!(from(i32::MAX, 1), Some(Cell::new(2, 1)));
            assert_eq!(
                grid.nearest_walkable_to([-7.0, 1.5], &NearestOptions::DEFAULT, &NoHooks),
                Ok(Some(Cell::new(0, 1)))
            );
            let none = NearestOptions { agent_size: 0, ..NearestOptions::DEFAULT };
            assert!(grid.nearest_walkable(Cell::new(0, 0), &none, &NoHooks).is_err());
        });
    }
}
