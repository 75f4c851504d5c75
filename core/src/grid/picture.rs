//! Grids as text: `.` is open ground, `#` a wall, `1` to `9` areas (`grids.md`, "API tiers"; `getting-started.md`).

use super::{Cell, Grid, GridDef, WALL};
use crate::error::{Error, Result, Subject};
use crate::memory::Arena;

impl GridDef {
    /// The def of a picture's size, with everything else as [`of_size`](GridDef::of_size) has it. Rows end with LF or CR
    /// LF; the last may go without.
    ///
    /// # Errors
    /// A picture without cells; a row that is not as long as the first, by its number.
    pub fn of_picture(picture: &str) -> Result<GridDef> {
        let width = picture.lines().next().map_or(0, str::len);
        let mut height = 0;
        for row in picture.lines() {
            if row.len() != width {
                let error = Error::format(Subject::Picture).at(height);
                return Err(error.value(row.len() as f64).bound(width as f64));
            }
            height += 1;
        }
        let def = GridDef::of_size(side(width), side(height));
        def.validate()?;
        Ok(def)
    }
}

/// A length as a side; one past the range of a side stays past it.
fn side(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<'m> Grid<'m> {
    /// A grid of a picture's cells.
    ///
    /// `def` is that of [`GridDef::of_picture`], or one of the same size with other settings.
    ///
    /// ```
    /// use navarena::grid::{Cell, Grid, GridDef};
    /// # use navarena::memory::{Arena, Grain};
    /// let picture = "..1\n.#.\n";
    /// let def = GridDef { journal: 0, ..GridDef::of_picture(picture)? };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// let grid = Grid::from_picture(picture, &def, &mut Arena::new(&mut region))?;
    /// assert_eq!((grid.width(), grid.height(), grid.area(Cell::new(2, 0))), (3, 2, 1));
    /// assert!(!grid.is_walkable(Cell::new(1, 1)));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`GridDef::of_picture`] and [`Grid::new`]; a def of another size; a character that is no cell, by row
    /// and column.
    pub fn from_picture(picture: &str, def: &GridDef, arena: &mut Arena<'m>) -> Result<Self> {
        let own = GridDef::of_picture(picture)?;
        if (own.width, own.height) != (def.width, def.height) {
            return Err(Error::invalid(Subject::Picture).value(f64::from(own.height)).bound(f64::from(def.height)));
        }
        for (y, row) in picture.lines().enumerate() {
            if let Some(x) = row.bytes().position(|byte| area_of(byte).is_none()) {
                return Err(Error::format(Subject::Picture).at(y).part(x));
            }
        }
        let mut grid = Grid::new(def, arena)?;
        let bytes = picture.lines().flat_map(str::bytes);
        for (cell, byte) in grid.cells.iter_mut().zip(bytes) {
            *cell = area_of(byte).unwrap_or(WALL);
        }
        grid.recompute_clearance();
        Ok(grid)
    }

    /// The grid as a picture, row by row, each ended by LF. Areas from 10 on read `?`.
    pub fn picture(&self) -> impl Iterator<Item = char> + '_ {
        let width = self.width();
        (0..self.height()).flat_map(move |y| {
            let row = (0..width).map(move |x| match self.area(Cell::new(x, y)) {
                0 => '.',
                WALL => '#',
                area @ 1..=9 => char::from(b'0' + area),
                _ => '?',
            });
            row.chain(core::iter::once('\n'))
        })
    }
}

const fn area_of(byte: u8) -> Option<u8> {
    match byte {
        b'.' => Some(0),
        b'#' => Some(WALL),
        b'1'..=b'9' => Some(byte - b'0'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use std::string::String;

    #[test]
    fn a_picture_reads_back_as_it_was_written() {
        let picture = "..#9\n1...\n####\n";
        for text in [picture, "..#9\r\n1...\r\n####"] {
            let def = GridDef { area_costs: 0, ..GridDef::of_picture(text).unwrap() };
            let mut region = Memory::<2048>::new();
            let grid = Grid::from_picture(text, &def, &mut Arena::new(region.grains())).unwrap();
            assert_eq!(grid.picture().collect::<String>(), picture);
            assert_eq!((grid.version(), grid.clearance(Cell::new(0, 0)), grid.clearance(Cell::new(2, 0))), (0, 2, 0));
        }
    }

    #[test]
    fn what_is_no_picture_is_refused_where_it_goes_wrong() {
        let mut region = Memory::<4096>::new();
        let mut refusal = |text: &str| {
            let def = GridDef::of_picture(text)?;
            Grid::from_picture(text, &def, &mut Arena::new(region.grains())).map(|_| ())
        };
        let place = |error: Error| (error.subject(), error.index(), error.part_index());
        assert_eq!(refusal("..\n...\n").map_err(place), Err((Subject::Picture, Some(1), None)));
        assert_eq!(refusal("..\n\n..\n").map_err(place), Err((Subject::Picture, Some(1), None)));
        assert_eq!(refusal("..\n.0\n").map_err(place), Err((Subject::Picture, Some(1), Some(1))));
        assert_eq!(refusal("é.").map_err(place), Err((Subject::Picture, Some(0), Some(0))));
        assert_eq!(refusal("").map_err(place), Err((Subject::GridWidth, None, None)));
        assert_eq!(refusal("\n\n").map_err(place), Err((Subject::GridWidth, None, None)));
        let other = GridDef::of_size(3, 1);
        assert!(Grid::from_picture("..", &other, &mut Arena::new(Memory::<4096>::new().grains())).is_err());
    }
}
