//! The square grid: cells of area ids, what areas cost, and edits (`grids.md`, "Layout", "Tile edits").

use super::clearance;
use super::journal::{Journal, history_after};
use super::{AreaCosts, Cell, CellRect, Edits, GridDef, GridMark, GridSpace, WALL};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::Arena;

/// A square grid in memory its caller handed over.
///
/// One byte a cell, row by row: 0 to 254 are kinds of ground, [`WALL`] is a wall. Nothing that is built over a grid
/// holds it: searches, tables and fields take it as an argument of every call, and read from its journal what changed
/// in between ([`edits_since`](Grid::edits_since)).
///
/// ```
/// use navarena::grid::{Cell, CellRect, Grid, GridDef, WALL};
/// use navarena::memory::{Arena, Memory};
///
/// const MAP: GridDef = GridDef { area_costs: 3, journal: 8, ..GridDef::of_size(64, 64) };
/// let mut region = Memory::<{ MAP.plan().bytes }>::new();
/// let mut grid = Grid::new(&MAP, &mut Arena::new(region.grains()))?;
/// grid.set_rect(CellRect::new(32, 0, 1, 62), WALL)?;
/// grid.set_area_cost(2, 3.0)?;
/// assert_eq!(grid.area(Cell::new(32, 61)), WALL);
/// assert_eq!(grid.clearance(Cell::new(31, 63)), 1);
/// assert!(grid.can_fit(Cell::new(32, 62), 2) && !grid.can_fit(Cell::new(31, 61), 2));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Grid<'m> {
    pub(super) cells: &'m mut [u8],
    /// One a cell, or none when the grid keeps no clearance.
    clearance: &'m mut [u8],
    areas: AreaCosts<'m>,
    journal: Journal<'m>,
    space: GridSpace,
    width: i32,
    height: i32,
}

impl<'m> Grid<'m> {
    /// A grid of open ground (area 0), every multiplier 1.
    ///
    /// # Errors
    /// A setting out of its range, or less memory than [`GridDef::plan`] says.
    pub fn new(def: &GridDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let cells = def.cells();
        let mut grid = Grid {
            cells: arena.take_zeroed(cells)?,
            clearance: arena.take(if def.clearance { cells } else { 0 })?,
            areas: AreaCosts::over(arena.take(def.area_costs as usize)?),
            journal: Journal::over(arena.take(def.journal as usize)?),
            space: def.space,
            width: def.width as i32,
            height: def.height as i32,
        };
        grid.recompute_clearance();
        Ok(grid)
    }

    /// Columns.
    #[inline]
    pub const fn width(&self) -> i32 {
        self.width
    }

    /// Rows.
    #[inline]
    pub const fn height(&self) -> i32 {
        self.height
    }

    /// How many cells there are, at most 2^28.
    pub const fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// The area ids of all cells, row by row.
    #[inline]
    pub const fn cells(&self) -> &[u8] {
        self.cells
    }

    /// Where the grid lies in the world.
    pub const fn space(&self) -> GridSpace {
        self.space
    }

    /// Moves the grid in the world. Nothing that is made of cells changes.
    pub fn set_space(&mut self, space: GridSpace) {
        self.space = space;
    }

    /// What areas cost.
    pub const fn areas(&self) -> &AreaCosts<'m> {
        &self.areas
    }

    /// Whether the grid has a cell.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x >= 0 && cell.x < self.width && cell.y >= 0 && cell.y < self.height
    }

    /// The number of a cell, row by row; `None` outside.
    #[inline]
    pub fn index_of(&self, cell: Cell) -> Option<u32> {
        self.contains(cell).then(|| cell.y as u32 * self.width as u32 + cell.x as u32)
    }

    /// The cell of a number.
    #[inline]
    pub const fn cell_of(&self, index: u32) -> Cell {
        let width = self.width as u32; // at least 1
        Cell::new((index % width) as i32, (index / width) as i32)
    }

    /// A cell's area id; a wall outside the grid.
    #[inline]
    pub fn area(&self, cell: Cell) -> u8 {
        self.index_of(cell).map_or(WALL, |index| self.cells[index as usize])
    }

    /// Whether a cell is ground.
    pub fn is_walkable(&self, cell: Cell) -> bool {
        self.area(cell) != WALL
    }

    /// The cell at a world position; `None` where the grid has none.
    ///
    /// # Errors
    /// A coordinate (0 is x, 1 is y) that is no number or past 2^21.
    pub fn cell_at(&self, position: [f64; 2]) -> Result<Option<Cell>> {
        let cell = self.space.cell_at(position)?;
        Ok(self.contains(cell).then_some(cell))
    }

    /// Goes up by one with every edit that changed a cell. A restore can take it back; compare a
    /// [`mark`](Grid::mark), which can't be fooled.
    pub fn version(&self) -> u32 {
        self.journal.version()
    }

    /// What there is to be seen now; kept by whoever derives something from the grid.
    pub fn mark(&self) -> GridMark {
        self.journal.mark(self.areas.version())
    }

    /// The rectangles edited since a mark, oldest first, or that all may have changed.
    pub fn edits_since(&self, mark: &GridMark) -> Edits<'_> {
        self.journal.since(mark)
    }

    /// Whether a multiplier has changed since a mark (or the grid was restored).
    pub fn costs_changed_since(&self, mark: &GridMark) -> bool {
        mark.restores != self.journal.restores() || mark.costs != self.areas.version()
    }

    /// Sets an area's multiplier, above 0 and finite. [`AreaCosts::version`] goes up if it changes.
    ///
    /// # Errors
    /// A value that is no cost, the wall's id, or an id past the def's `area_costs`.
    pub fn set_area_cost(&mut self, area: u8, cost: f64) -> Result<()> {
        self.areas.set(area, cost)
    }

    /// Sets the multiplier of all 255 areas, those past the def's `area_costs` included.
    ///
    /// # Errors
    /// A value that is no cost.
    pub fn set_all_area_costs(&mut self, cost: f64) -> Result<()> {
        self.areas.set_all(cost)
    }

    /// Sets one cell's area. Gives whether that changed anything.
    ///
    /// # Errors
    /// A cell outside the grid.
    pub fn set_area(&mut self, cell: Cell, area: u8) -> Result<bool> {
        self.write(CellRect::of(cell), |_| area)
    }

    /// Sets all cells of a rectangle to one area, as one edit. Gives whether that changed anything. An empty rectangle
    /// within the grid changes nothing.
    ///
    /// # Errors
    /// A rectangle that is not wholly inside the grid. Then no cell is written.
    pub fn set_rect(&mut self, rect: CellRect, area: u8) -> Result<bool> {
        self.write(rect, |_| area)
    }

    /// Sets the cells of a rectangle to areas listed row by row, as one edit. Gives whether that changed anything.
    ///
    /// # Errors
    /// A rectangle that is not wholly inside the grid, or a list that has not one area for each of its cells. Then no
    /// cell is written.
    pub fn set_rect_areas(&mut self, rect: CellRect, areas: &[u8]) -> Result<bool> {
        self.check_rect(rect)?;
        let wanted = rect.width as usize * rect.height as usize;
        if areas.len() != wanted {
            return Err(Error::invalid(Subject::Count).value(areas.len() as f64).bound(wanted as f64));
        }
        self.write(rect, |at| areas[at])
    }

    /// The side of the largest square of ground whose top-left cell is this one: the largest agent that can stand
    /// there. 0 for a wall and outside the grid, at most 255.
    ///
    /// Constant time when the grid keeps clearance, else O(n^2) for a side of n.
    pub fn clearance(&self, cell: Cell) -> u8 {
        match self.index_of(cell) {
            None => 0,
            Some(index) => match self.clearance.get(index as usize) {
                Some(&side) => side,
                None => clearance::measured(self.cells, self.width, self.height, cell),
            },
        }
    }

    /// The same by the reference's name: the size of the largest agent that can stand on a cell.
    pub fn max_agent_size_at(&self, cell: Cell) -> u8 {
        self.clearance(cell)
    }

    /// Whether an agent of a size, in cells, can stand with its top-left cell there. No agent of size 0 can.
    pub fn can_fit(&self, cell: Cell, agent_size: u8) -> bool {
        agent_size > 0 && self.clearance_up_to(cell, agent_size) >= agent_size
    }

    /// All clearances, where they are kept.
    pub(super) fn kept_clearance(&self) -> Option<&[u8]> {
        (!self.clearance.is_empty()).then_some(&*self.clearance)
    }

    fn clearance_up_to(&self, cell: Cell, bound: u8) -> u8 {
        match self.kept_clearance() {
            Some(_) => self.clearance(cell),
            None => clearance::measured_up_to(self.cells, self.width, self.height, cell, bound),
        }
    }

    pub(super) fn recompute_clearance(&mut self) {
        if !self.clearance.is_empty() {
            let whole = CellRect::new(0, 0, self.width, self.height);
            clearance::recompute(self.cells, self.clearance, whole);
        }
    }

    pub(super) const fn areas_mut(&mut self) -> &mut AreaCosts<'m> {
        &mut self.areas
    }

    /// Replaces all cells by as many others, as a restore to a version does.
    pub(super) fn replace(&mut self, cells: &[u8], version: u32) {
        self.cells.copy_from_slice(cells);
        self.recompute_clearance();
        let history = self.content_hash();
        self.journal.restored(version, history);
    }

    fn check_rect(&self, rect: CellRect) -> Result<()> {
        let fits = |at: i32, length: i32, side: i32| at >= 0 && length >= 0 && at <= side && length <= side - at;
        if fits(rect.x, rect.width, self.width) && fits(rect.y, rect.height, self.height) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Outside, Subject::Rectangle))
        }
    }

    /// The one edit that all others are: writes, notes the smallest rectangle that changed, repairs the clearance.
    fn write(&mut self, rect: CellRect, area_at: impl Fn(usize) -> u8) -> Result<bool> {
        self.check_rect(rect)?;
        let mut changed = CellRect::default();
        let mut history = self.journal.history();
        let mut at = 0;
        for y in rect.y..rect.bottom() {
            let row = y as usize * self.width as usize;
            for x in rect.x..rect.right() {
                let area = area_at(at);
                at += 1;
                let cell = &mut self.cells[row + x as usize];
                if *cell != area {
                    *cell = area;
                    history = history_after(history, (row + x as usize) as u64, area);
                    changed = changed.union(&CellRect::of(Cell { x, y }));
                }
            }
        }
        if changed.is_empty() {
            return Ok(false);
        }
        self.journal.enter(changed, history);
        if !self.clearance.is_empty() {
            clearance::repair(self.cells, self.clearance, (self.width, self.height), changed);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use std::vec::Vec;

    crate::memory::assert_portable!(Grid);

    const DEF: GridDef = GridDef { area_costs: 4, journal: 4, ..GridDef::of_size(7, 5) };

    #[test]
    fn a_grid_takes_just_what_its_plan_says() {
        for def in [DEF, GridDef { clearance: false, ..DEF }, GridDef::of_size(3, 1), GridDef { journal: 0, ..DEF }] {
            let mut region = Memory::<4096>::new();
            let mut arena = Arena::new(region.grains());
            Grid::new(&def, &mut arena).unwrap();
            assert_eq!(arena.taken(), def.plan().bytes);
            let mut small = Memory::<4096>::new();
            let grains = def.plan().grains();
            assert!(Grid::new(&def, &mut Arena::new(&mut small.grains()[..grains - 1])).is_err());
        }
    }

    #[test]
    fn an_edit_outside_writes_nothing_and_one_that_changes_nothing_is_no_edit() {
        let mut region = Memory::<4096>::new();
        let mut grid = Grid::new(&DEF, &mut Arena::new(region.grains())).unwrap();
        let bad = [(6, 0, 2, 1), (0, 4, 1, 2), (-1, 0, 1, 1), (0, 0, -1, 1), (0, 0, i32::MAX, 1), (8, 0, 0, 0)];
        for (x, y, width, height) in bad {
            let rect = CellRect::new(x, y, width, height);
            assert_eq!(grid.set_rect(rect, WALL).unwrap_err().kind(), ErrorKind::Outside);
        }
        assert!(grid.set_area(Cell::new(i32::MIN, i32::MAX), 3).is_err());
        assert_eq!(grid.set_rect(CellRect::new(0, 0, 7, 5), 0), Ok(false));
        assert_eq!(grid.set_rect(CellRect::new(7, 5, 0, 0), 9), Ok(false));
        assert_eq!(grid.set_rect_areas(CellRect::new(0, 0, 2, 2), &[1, 2, 3]).unwrap_err().subject(), Subject::Count);
        assert_eq!((grid.version(), grid.cells().iter().max()), (0, Some(&0)));
    }

    #[test]
    fn a_rectangle_is_one_edit_whose_journal_entry_holds_what_changed() {
        let mut region = Memory::<4096>::new();
        let mut grid = Grid::new(&DEF, &mut Arena::new(region.grains())).unwrap();
        let mark = grid.mark();
        assert_eq!(grid.set_rect_areas(CellRect::new(1, 1, 3, 2), &[0, 7, 0, 0, 7, 7]), Ok(true));
        assert_eq!(grid.version(), 1);
        let Edits::Rects(rects) = grid.edits_since(&mark) else { panic!("one edit") };
        assert_eq!(rects.collect::<Vec<_>>(), [CellRect::new(2, 1, 2, 2)]);
        assert_eq!((grid.area(Cell::new(2, 1)), grid.area(Cell::new(3, 1)), grid.area(Cell::new(3, 2))), (7, 0, 7));
        assert!(!grid.costs_changed_since(&mark));
        grid.set_area_cost(1, 2.0).unwrap();
        assert!(grid.costs_changed_since(&mark));
    }

    #[test]
    fn absurd_sizes_are_refused_by_name() {
        let mut region = Memory::<64>::new();
        let mut arena = Arena::new(region.grains());
        let refusal = |def: GridDef, arena: &mut Arena<'_>| Grid::new(&def, arena).unwrap_err().subject();
        assert_eq!(refusal(GridDef::of_size(0, 4), &mut arena), Subject::GridWidth);
        assert_eq!(refusal(GridDef::of_size(4, 0), &mut arena), Subject::GridHeight);
        assert_eq!(refusal(GridDef::of_size(u32::MAX, u32::MAX), &mut arena), Subject::Cell);
        assert_eq!(refusal(GridDef::of_size(1 << 14, (1 << 14) + 1), &mut arena), Subject::Cell);
        assert_eq!(refusal(GridDef { area_costs: 256, ..DEF }, &mut arena), Subject::AreaCosts);
        assert_eq!(refusal(GridDef { journal: u32::MAX, ..DEF }, &mut arena), Subject::Journal);
        assert_eq!(refusal(GridDef::of_size(1 << 14, 1 << 14), &mut arena), Subject::Memory);
    }
}
