//! The square grid that owns its memory.

mod path;
mod searches;
#[cfg(test)]
mod tests;

pub use path::GridPath;

use crate::block::{Block, Source};
use alloc::string::String;
use alloc::vec;
use core::fmt;
use navarena::error::Result;
use navarena::grid::moving_ai::{GridMap, TerrainRule};
use navarena::grid::{
    Cell, CellRect, Grid as CoreGrid, GridDef, GridHooks, GridOptions, GridSpace, NearestOptions, NoHooks,
};
use navarena::memory::Arena;
use searches::{Question, Searches};
use self_cell::{MutBorrow, self_cell};

self_cell!(
    struct GridCell {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: CoreGrid,
    }
);

/// A square grid that owns its memory: made from text, cells or a map file, asked for paths by any number of threads,
/// edited cell by cell.
///
/// ```
/// use navarena_alloc::prelude::*;
/// let grid = Grid::from_text("........\n.#####..\n.#...#..\n.#.#.#..\n...#....\n")?;
/// let path = grid.find_path((0, 0), (4, 3))?;
/// assert!(path.is_found());
/// assert_eq!((path.cost(), path.cells().len()), (11.0, 12));
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
///
/// Algorithms, agents of any size, and ground that costs more:
///
/// ```
/// use navarena_alloc::prelude::*;
/// // A wall with a gap of two cells at its lower end.
/// let mut map = Grid::new(64, 64)?;
/// map.set_rect(CellRect::new(32, 0, 1, 62), WALL)?;
///
/// let jumps = GridOptions { algorithm: GridAlgorithm::Jps, ..GridOptions::DEFAULT };
/// let path = map.find_path_with((2, 2), (60, 4), &jumps)?;
/// assert_eq!((path.algorithm(), path.cells().len()), (GridAlgorithm::Jps, 121));
///
/// // Three cells by three do not fit through the gap.
/// let wide = map.find_path_with((2, 2), (60, 4), &GridOptions::for_agent_size(3))?;
/// assert_eq!(wide.status(), PathStatus::NoPath);
///
/// // A swamp costs three times as much. Jumps need one cost everywhere, so A* runs, and the path says so.
/// map.set_rect(CellRect::new(10, 50, 22, 12), 2)?;
/// map.set_area_cost(2, 3.0)?;
/// let around = map.find_path_with((2, 2), (60, 4), &jumps)?;
/// assert_eq!(around.algorithm(), GridAlgorithm::AStar);
/// assert!(around.cost() > path.cost());
///
/// // Over a hierarchy of chunks few nodes are expanded, and paths are near the cheapest. It knows areas and sizes.
/// let chunks = GridOptions { algorithm: GridAlgorithm::Hpa, ..GridOptions::DEFAULT };
/// let near = map.find_path_with((2, 2), (60, 4), &chunks)?;
/// assert_eq!(near.algorithm(), GridAlgorithm::Hpa);
/// assert!(near.expanded() < 100 && near.cost() < 1.05 * around.cost());
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
///
/// The memory of searches is kept for the next ones, with what they have made of the grid (the tables of JPS+): about 44
/// bytes a cell for A*, 52 for A* with options, 46 for JPS, 61 for JPS+ and up to 66 for HPA*, which the system hands out
/// as they are used. A hierarchy is kept for each kind of agent and side of chunks, eight at most.
pub struct Grid {
    cell: GridCell,
    searches: Searches,
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = (self.width(), self.height());
        f.debug_struct("Grid").field("size", &size).field("version", &self.core().version()).finish_non_exhaustive()
    }
}

impl Grid {
    /// A grid of open ground (area 0).
    ///
    /// # Errors
    /// A side of 0, more than 2^28 cells, and memory.
    pub fn new(width: u32, height: u32) -> Result<Grid> {
        Grid::from_def(&GridDef::of_size(width, height), &Source::Global)
    }

    /// A grid of open ground with settings of the core's, with memory from a source.
    ///
    /// # Errors
    /// A setting out of its range, and memory.
    pub fn from_def(def: &GridDef, source: &Source) -> Result<Grid> {
        Grid::made(def, source, |arena| CoreGrid::new(def, arena))
    }

    /// A grid of rows of text: `.` is open ground, `#` a wall, `1` to `9` areas.
    ///
    /// # Errors
    /// Text without cells, a row that is not as long as the first, a character that is no cell, by row and column.
    pub fn from_text(text: &str) -> Result<Grid> {
        let def = GridDef::of_picture(text)?;
        Grid::made(&def, &Source::Global, |arena| CoreGrid::from_picture(text, &def, arena))
    }

    /// A grid of area ids, row by row; 255 ([`WALL`](navarena::grid::WALL)) is a wall.
    ///
    /// ```
    /// use navarena_alloc::prelude::*;
    /// let grid = Grid::from_cells(3, 2, &[0, WALL, 0, 0, 0, 0])?;
    /// assert_eq!(grid.find_path((0, 0), (2, 0))?.cost(), 4.0);
    /// # Ok::<(), navarena_alloc::Error>(())
    /// ```
    ///
    /// # Errors
    /// A list that has not one area for each cell; a side of 0, more than 2^28 cells, and memory.
    pub fn from_cells(width: u32, height: u32, areas: &[u8]) -> Result<Grid> {
        let mut grid = Grid::new(width, height)?;
        grid.set_rect_areas(CellRect::new(0, 0, grid.width(), grid.height()), areas)?;
        Ok(grid)
    }

    /// A grid of a map of the Moving AI benchmarks: ground and swamp are open, all else is walls, as the published
    /// lengths have it.
    ///
    /// ```
    /// use navarena_alloc::prelude::*;
    /// let grid = Grid::from_moving_ai(b"type octile\nheight 2\nwidth 3\nmap\n.@S\n..T\n")?;
    /// assert!(grid.is_walkable((2, 0)) && !grid.is_walkable((2, 1)));
    /// # Ok::<(), navarena_alloc::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first line that breaks the format, and memory.
    pub fn from_moving_ai(bytes: &[u8]) -> Result<Grid> {
        Grid::from_moving_ai_with(bytes, &TerrainRule::DEFAULT)
    }

    /// A grid of a map of the Moving AI benchmarks, with an area for each terrain.
    ///
    /// # Errors
    /// The first line that breaks the format, and memory.
    pub fn from_moving_ai_with(bytes: &[u8], rule: &TerrainRule) -> Result<Grid> {
        let map = GridMap::open(bytes)?;
        // The map has a letter in its bytes for every cell.
        let mut areas = vec![0; map.width() as usize * map.height() as usize];
        map.write_areas(rule, &mut areas)?;
        Grid::from_cells(map.width(), map.height(), &areas)
    }

    fn made(
        def: &GridDef,
        source: &Source,
        make: impl for<'m> FnOnce(&mut Arena<'m>) -> Result<CoreGrid<'m>>,
    ) -> Result<Grid> {
        // Before memory is asked for, which would hide the reason.
        def.validate()?;
        let block = Block::new(source, def.plan().bytes)?;
        let cell =
            GridCell::try_new(MutBorrow::new(block), |block| make(&mut Arena::new(block.borrow_mut().grains())))?;
        Ok(Grid { cell, searches: Searches::new(source) })
    }

    /// Finds a cheapest path between two cells by A*: eight neighbours, no corner cutting.
    ///
    /// A cell that is a wall or outside gives a path without cells, whose [`status`](GridPath::status) names the end; so
    /// does a goal that can't be reached.
    ///
    /// # Errors
    /// Memory.
    pub fn find_path(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<GridPath> {
        self.find_path_with(start, goal, &GridOptions::DEFAULT)
    }

    /// Finds a path by another algorithm, for another agent, with another estimate.
    ///
    /// # Errors
    /// An option out of its range, and memory.
    pub fn find_path_with(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
    ) -> Result<GridPath> {
        self.find_path_hooked(start, goal, options, &NoHooks)
    }

    /// Finds a path with closures that block cells or price steps for this search alone.
    ///
    /// ```
    /// use navarena_alloc::prelude::*;
    /// let grid = Grid::new(8, 3)?;
    /// let plain = GridOptions::DEFAULT;
    /// // Someone stands in the way.
    /// let path = grid.find_path_hooked((0, 1), (7, 1), &plain, &Blocked(|cell| cell == Cell::new(4, 1)))?;
    /// assert!(!path.cells().contains(&Cell::new(4, 1)));
    /// // It is seen on the upper row, and the lower one is dear.
    /// let hooks = (Blocked(|cell: Cell| cell.y == 0), StepCosts(|_, to: Cell, cost| cost * f64::from(to.y)));
    /// assert!(grid.find_path_hooked((0, 1), (7, 1), &plain, &hooks)?.cells().iter().all(|cell| cell.y == 1));
    /// # Ok::<(), navarena_alloc::Error>(())
    /// ```
    ///
    /// # Errors
    /// An option out of its range, and memory.
    pub fn find_path_hooked<H: GridHooks>(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
        hooks: &H,
    ) -> Result<GridPath> {
        let question = Question { start: start.into(), goal: goal.into(), options, hooks, records: false };
        self.searches.find_path(self.core(), &question)
    }

    /// Finds a path and records the cells that were expanded for it, in order: see
    /// [`GridPath::expanded_cells`]. Its memory is not kept.
    ///
    /// # Errors
    /// An option out of its range, and memory.
    pub fn find_path_recorded(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
    ) -> Result<GridPath> {
        let question = Question { start: start.into(), goal: goal.into(), options, hooks: &NoHooks, records: true };
        self.searches.find_path(self.core(), &question)
    }

    /// Finds a path between the cells that two world positions lie in; [`GridPath::points`] leads through the world.
    ///
    /// ```
    /// use navarena_alloc::prelude::*;
    /// let mut grid = Grid::new(20, 20)?;
    /// grid.set_space(GridSpace::new([-5.0, -5.0], 0.5)?);
    /// let path = grid.find_path_between([-4.9, -4.9], [4.9, -4.9], &GridOptions::DEFAULT)?;
    /// assert_eq!((path.points().next(), path.points().len()), (Some([-4.75, -4.75]), 20));
    /// # Ok::<(), navarena_alloc::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is no number or past 2^21, an option out of its range, and memory.
    pub fn find_path_between(&self, start: [f64; 2], goal: [f64; 2], options: &GridOptions) -> Result<GridPath> {
        let space = self.space();
        self.find_path_with(space.cell_at(start)?, space.cell_at(goal)?, options)
    }

    /// The cell nearest to another on which an agent of one cell stands; `None` on a grid of walls.
    pub fn nearest_walkable(&self, cell: impl Into<Cell>) -> Option<Cell> {
        self.core().nearest_walkable(cell.into(), &NearestOptions::DEFAULT, &NoHooks).ok().flatten()
    }

    /// Columns.
    pub fn width(&self) -> i32 {
        self.core().width()
    }

    /// Rows.
    pub fn height(&self) -> i32 {
        self.core().height()
    }

    /// A cell's area; a wall outside the grid.
    pub fn area(&self, cell: impl Into<Cell>) -> u8 {
        self.core().area(cell.into())
    }

    /// Whether a cell is ground.
    pub fn is_walkable(&self, cell: impl Into<Cell>) -> bool {
        self.core().is_walkable(cell.into())
    }

    /// Whether an agent of a size, in cells, can stand with its top-left cell there.
    pub fn can_fit(&self, cell: impl Into<Cell>, agent_size: u8) -> bool {
        self.core().can_fit(cell.into(), agent_size)
    }

    /// The cell at a world position; `None` where the grid has none.
    ///
    /// # Errors
    /// A coordinate that is no number or past 2^21.
    pub fn cell_at(&self, position: [f64; 2]) -> Result<Option<Cell>> {
        self.core().cell_at(position)
    }

    /// The world position of a cell's centre.
    pub fn center(&self, cell: impl Into<Cell>) -> [f64; 2] {
        self.space().center(cell.into())
    }

    /// Where the grid lies in the world.
    pub fn space(&self) -> GridSpace {
        self.core().space()
    }

    /// Moves the grid in the world.
    pub fn set_space(&mut self, space: GridSpace) {
        self.edit(|grid| grid.set_space(space));
    }

    /// Sets one cell's area. Gives whether that changed anything.
    ///
    /// # Errors
    /// A cell outside the grid.
    pub fn set_area(&mut self, cell: impl Into<Cell>, area: u8) -> Result<bool> {
        self.edit(|grid| grid.set_area(cell.into(), area))
    }

    /// Sets all cells of a rectangle to one area, as one edit. Gives whether that changed anything.
    ///
    /// # Errors
    /// A rectangle that is not wholly inside the grid. Then no cell is written.
    pub fn set_rect(&mut self, rect: CellRect, area: u8) -> Result<bool> {
        self.edit(|grid| grid.set_rect(rect, area))
    }

    /// Sets the cells of a rectangle to areas listed row by row, as one edit. Gives whether that changed anything.
    ///
    /// # Errors
    /// A rectangle that is not wholly inside the grid, or a list that has not one area for each of its cells. Then no
    /// cell is written.
    pub fn set_rect_areas(&mut self, rect: CellRect, areas: &[u8]) -> Result<bool> {
        self.edit(|grid| grid.set_rect_areas(rect, areas))
    }

    /// Sets what an area costs, above 0 and finite; all cost 1 at first.
    ///
    /// # Errors
    /// A value that is no cost, and the wall's id.
    pub fn set_area_cost(&mut self, area: u8, cost: f64) -> Result<()> {
        self.edit(|grid| grid.set_area_cost(area, cost))
    }

    /// The grid as rows of text, as [`from_text`](Grid::from_text) reads them; areas from 10 on read `?`.
    pub fn to_text(&self) -> String {
        self.core().picture().collect()
    }

    /// The core's grid, for all that it can be asked and this type has no call for.
    pub fn core(&self) -> &CoreGrid<'_> {
        self.cell.borrow_dependent()
    }

    /// Changes the core's grid.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut CoreGrid<'_>) -> R) -> R {
        self.cell.with_dependent_mut(|_, grid| change(grid))
    }
}
