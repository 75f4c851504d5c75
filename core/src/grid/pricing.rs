//! Exact integer costs of a path, and its steps counted (`grids.md`, "Exact integer costs").

use super::octile::Pair;
use super::{Cell, Grid, GridPath, SQRT_2, WALL, step_between};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::round_half_even;

/// 2^32: what a cost of 1 is in Q31.32.
const ONE: f64 = 4_294_967_296.0;

impl Grid<'_> {
    /// What a path of neighbouring cells costs in Q31.32.
    ///
    /// Each step is the double that a search charges without hooks, times 2^32, rounded half to even; the integers are
    /// added. So hosts without doubles agree on a path's price to the bit.
    ///
    /// # Errors
    /// A step to a cell that is no neighbour, a wall or outside, by its number from 0; a sum past the range of 64 bits.
    pub fn fixed_cost(&self, cells: &[Cell]) -> Result<i64> {
        let mut sum: i64 = 0;
        for (index, pair) in cells.windows(2).enumerate() {
            let refusal = |kind| Error::new(kind, Subject::Step).at(index);
            let step = step_between(pair[0], pair[1]).ok_or(refusal(ErrorKind::Invalid))?;
            let areas = [self.area(pair[0]), self.area(pair[1])];
            if areas.contains(&WALL) {
                return Err(refusal(ErrorKind::Invalid));
            }
            let length = if step < 4 { 1.0 } else { SQRT_2 };
            let cost = length * ((self.areas().get(areas[0]) + self.areas().get(areas[1])) * 0.5);
            let fixed = round_half_even(cost * ONE);
            // 2^63 is the first double that is too much.
            let fits = fixed < ONE * ONE * 0.5;
            let next = if fits { sum.checked_add(fixed as i64) } else { None };
            sum = next.ok_or(refusal(ErrorKind::Limit).value(cost))?;
        }
        Ok(sum)
    }
}

/// The straight and diagonal steps of a path of neighbouring cells.
///
/// # Errors
/// A step to a cell that is no neighbour, by its number from 0.
pub fn step_counts(cells: &[Cell]) -> Result<Pair> {
    let mut counts = Pair::default();
    for (index, pair) in cells.windows(2).enumerate() {
        let step = step_between(pair[0], pair[1]).ok_or(Error::invalid(Subject::Step).at(index))?;
        counts = counts.after(step);
    }
    Ok(counts)
}

impl GridPath<'_> {
    /// The straight and diagonal steps of the cells lent; see [`step_counts`].
    ///
    /// # Errors
    /// A path at any angle.
    pub fn step_counts(&self) -> Result<Pair> {
        step_counts(self.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridDef;
    use crate::grid::tests::with_grid;

    #[test]
    fn a_path_is_priced_step_by_step_in_integers() {
        with_grid(&GridDef::of_size(5, 5), |grid| {
            grid.set_area(Cell::new(1, 0), 3).unwrap();
            grid.set_area_cost(3, 0.1).unwrap();
            let cells = [(0, 0), (1, 0), (2, 1), (2, 2)].map(Cell::from);
            // (1 + 0.1) / 2 = 0.55, and the same times the root of two, each as the nearest multiple of 2^-32.
            let exact = |cost: f64| (cost * 4_294_967_296.0 + 0.5) as i64;
            assert_eq!(grid.fixed_cost(&cells), Ok(exact(0.55) + exact(0.55 * SQRT_2) + (1 << 32)));
            assert_eq!(grid.fixed_cost(&cells[..1]), Ok(0));
            assert_eq!(step_counts(&cells), Ok(Pair { straight: 2, diagonal: 1 }));
            let jump = [(0, 0), (0, 1), (0, 3)].map(Cell::from);
            assert_eq!(grid.fixed_cost(&jump).unwrap_err().index(), Some(1));
            assert_eq!(step_counts(&jump).unwrap_err().index(), Some(1));
            assert!(grid.fixed_cost(&[Cell::new(0, 0), Cell::new(-1, 0)]).is_err());
            grid.set_area_cost(3, 1e300).unwrap();
            assert_eq!(grid.fixed_cost(&cells).unwrap_err().kind(), ErrorKind::Limit);
            grid.set_area_cost(3, 2_147_483_647.0 * 2.0).unwrap();
            assert_eq!(grid.fixed_cost(&cells).unwrap_err().index(), Some(1), "the sum is past 64 bits");
        });
    }
}
