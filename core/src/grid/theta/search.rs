//! The search at any angle that owns its memory (`grids.md`, "Any-angle search", `ThetaSearch`).

use super::any_angle::{AnyAngle, ThetaVariant};
use crate::bytes::StateKind;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::{Cell, Grid, GridMark};
use crate::memory::Arena;
use crate::search::{AStar, AStarDef, PathStatus, SearchProgress, SearchState, SearchStatus};

/// What is asked of a [`ThetaSearch`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ThetaOptions {
    /// When it looks whether cells see each other.
    pub variant: ThetaVariant,
    /// Whether to search without an estimate; else it is the straight line to the goal.
    pub is_zero: bool,
    /// What the estimate is multiplied with, 0 or more.
    pub weight: f64,
}

impl ThetaOptions {
    /// A variant with the straight line as it is.
    pub const fn of(variant: ThetaVariant) -> ThetaOptions {
        ThetaOptions { variant, is_zero: false, weight: 1.0 }
    }
}

impl Default for ThetaOptions {
    fn default() -> Self {
        ThetaOptions::of(ThetaVariant::Theta)
    }
}

/// Theta* and Lazy Theta* in slices, over grids whose areas all cost the same.
///
/// Made from an [`AStarDef`], since it keeps what A* keeps: 20 bytes a cell, 24 an open entry, 4 a recorded expansion. One
/// iteration pops one node; any budgets give what one run gives.
///
/// ```
/// use navarena::grid::theta::{ThetaOptions, ThetaSearch};
/// use navarena::grid::{Cell, Grid, GridDef};
/// use navarena::memory::{Arena, Memory};
/// use navarena::search::{AStarDef, SearchStatus};
///
/// const PICTURE: &str = ".....\n..#..\n.....\n";
/// let map = GridDef::of_picture(PICTURE)?;
/// let def = AStarDef::of_nodes(15);
/// let mut region = Memory::<8192>::new();
/// let mut arena = Arena::new(region.grains());
/// let grid = Grid::from_picture(PICTURE, &map, &mut arena)?;
/// let mut search = ThetaSearch::new(&def, &mut arena)?;
/// search.begin(&grid, (0, 1), (4, 1), ThetaOptions::default())?;
/// assert_eq!(search.step(&grid, u64::MAX)?, SearchStatus::Found);
/// let waypoints: Vec<Cell> = search.path_back().map(|node| grid.cell_of(node)).collect();
/// // Around the wall in one turn, right over it.
/// assert_eq!(waypoints, [(4, 1), (2, 0), (0, 1)].map(Cell::from));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct ThetaSearch<'m> {
    search: AStar<'m>,
    options: ThetaOptions,
    mark: GridMark,
    size: (i32, i32),
}

impl<'m> ThetaSearch<'m> {
    /// A search with the limits of a def, in the memory that its [`plan`](AStarDef::plan) says.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than that.
    pub fn new(def: &AStarDef, arena: &mut Arena<'m>) -> Result<Self> {
        let search = AStar::new(def, arena)?;
        Ok(ThetaSearch { search, options: ThetaOptions::default(), mark: GridMark::NEVER, size: (0, 0) })
    }

    /// Begins between two cells. Gives [`PathStatus::InProgress`], or [`StartInvalid`](PathStatus::StartInvalid) or
    /// [`GoalInvalid`](PathStatus::GoalInvalid) for a cell that is no ground; a search that is running then goes on.
    ///
    /// # Errors
    /// A grid of more cells than the def's nodes, or whose areas cost differently; a weight that is negative or not finite.
    pub fn begin(
        &mut self,
        grid: &Grid<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: ThetaOptions,
    ) -> Result<PathStatus> {
        let world = AnyAngle::new(grid, options.variant, options.is_zero)?;
        let node_of = |cell: Cell| grid.index_of(cell).filter(|_| grid.is_walkable(cell));
        let Some(start) = node_of(start.into()) else { return Ok(PathStatus::StartInvalid) };
        let Some(goal) = node_of(goal.into()) else { return Ok(PathStatus::GoalInvalid) };
        let status = world.begin(&mut self.search, start, goal, options.weight)?;
        (self.options, self.mark, self.size) = (options, grid.mark(), (grid.width(), grid.height()));
        Ok(status)
    }

    /// Goes on by at most `budget` pops. A search that has ended stays as it is.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no search has begun, or when the grid was edited or is another one. More nodes wait than
    /// the def's `open`: the search is over, without a result.
    pub fn step(&mut self, grid: &Grid<'_>, budget: u64) -> Result<SearchStatus> {
        if (self.size, self.mark) != ((grid.width(), grid.height()), grid.mark()) {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        AnyAngle::new(grid, self.options.variant, self.options.is_zero)?.step(&mut self.search, budget)
    }

    /// How many bytes [`save_state`](ThetaSearch::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`save_state`](ThetaSearch::save_state) but the buffer's.
    pub fn state_size(&self, grid: &Grid<'_>) -> Result<usize> {
        self.search.state_size(&self.saved_as(grid)?)
    }

    /// Writes the search as it stands to the front of a buffer, in the `OPGS` format's kind 10. Gives how many bytes that
    /// took. O(cells).
    ///
    /// # Errors
    /// A buffer too short; [`ErrorKind::State`] when the grid was edited since the search began, or is another one.
    pub fn save_state(&self, grid: &Grid<'_>, out: &mut [u8]) -> Result<usize> {
        self.search.save_state(&self.saved_as(grid)?, out)
    }

    /// The hash of the bytes that [`save_state`](ThetaSearch::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`save_state`](ThetaSearch::save_state) but the buffer's.
    pub fn state_hash(&self, grid: &Grid<'_>) -> Result<u64> {
        self.search.state_hash(&self.saved_as(grid)?)
    }

    /// Puts a saved search back, over the grid it was saved with, which was put back first, and with the options it began
    /// with. It then goes on to the bits it would have come to. O(cells + bytes log bytes).
    ///
    /// # Errors
    /// Bytes that break the format or fit another grid or weight, by the part; a grid whose areas cost differently. Nothing
    /// has changed then.
    pub fn restore_state(&mut self, grid: &Grid<'_>, options: ThetaOptions, bytes: &[u8]) -> Result<()> {
        AnyAngle::new(grid, options.variant, options.is_zero)?;
        let state =
            SearchState { kind: StateKind::ThetaSearch, nodes: grid.cell_count() as u32, weight: options.weight };
        self.search.restore_state(&state, bytes)?;
        (self.options, self.mark, self.size) = (options, grid.mark(), (grid.width(), grid.height()));
        Ok(())
    }

    fn saved_as(&self, grid: &Grid<'_>) -> Result<SearchState> {
        let is_same = (self.size, self.mark) == ((grid.width(), grid.height()), grid.mark());
        if !is_same && self.progress().status != SearchStatus::NotStarted {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        Ok(SearchState { kind: StateKind::ThetaSearch, nodes: grid.cell_count() as u32, weight: self.options.weight })
    }

    /// Where the search stands.
    pub const fn progress(&self) -> &SearchProgress {
        self.search.progress()
    }

    /// The nodes expanded, in order, as far as the def's `expansions` hold them.
    pub fn expansions(&self) -> &[u32] {
        self.search.expansions()
    }

    /// The waypoints of the path found, from the goal back to the start; nothing without one.
    pub fn path_back(&self) -> impl Iterator<Item = u32> + '_ {
        self.search.path_back()
    }
}
