//! A grid search as bytes, and back (`grids-state.md`, kind 12).
//!
//! The handle saves which engine has the search, and the engine the rest: the specialised A* (mode 1) and jump point search
//! (mode 3) in forms of their own, the generic searches (mode 2) as the states of kinds 8, 9 and 10 that they are alone.

use super::{Asked, Engine, GridSearch};
use crate::bytes::{Reader, Sink, StateKind, Writer, read_state_header, write_state_header};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::jps::CheckedJumps;
use crate::grid::octile::{CheckedOctile, check};
use crate::grid::{Cell, Grid, GridAlgorithm, GridHooks, GridOptions, GridOutcome, HeuristicKind, NoHooks};
use crate::hash::Fnv1a;
use crate::search::{AStar, CheckedSearch, PathStatus, SearchState, SearchStatus};

/// Which engine a saved handle has, by the format's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Mode {
    Idle = 0,
    Octile = 1,
    Generic = 2,
    Jumps = 3,
}

/// A saved search that was checked, and waits to be taken over.
enum Checked<'a> {
    Octile(CheckedOctile<'a>),
    Generic(CheckedSearch<'a>),
    Jumps(CheckedJumps<'a>),
}

impl Engine {
    /// The mode an engine is saved in.
    fn mode(self) -> Result<Mode> {
        match self {
            Engine::Idle => Ok(Mode::Idle),
            Engine::Octile => Ok(Mode::Octile),
            Engine::Jumps => Ok(Mode::Jumps),
            Engine::General | Engine::GeneralJumps | Engine::AnyAngle => Ok(Mode::Generic),
            Engine::Hierarchy => Err(Error::new(ErrorKind::Unsupported, Subject::Engine)),
        }
    }

    /// What a generic engine's search is saved as, on a grid of so many cells.
    fn state(self, nodes: u32, weight: f64) -> SearchState {
        let kind = match self {
            Engine::GeneralJumps => StateKind::JumpSearch,
            Engine::AnyAngle => StateKind::ThetaSearch,
            _ => StateKind::AStar,
        };
        SearchState { kind, nodes, weight }
    }
}

impl GridSearch<'_> {
    /// How many bytes [`save_state`](GridSearch::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`save_state`](GridSearch::save_state) but the buffer's.
    pub fn state_size(&self, grid: &Grid<'_>) -> Result<usize> {
        let mut counter = Writer::counting();
        self.save_to(grid, &mut counter)?;
        Ok(counter.position())
    }

    /// Writes the search as it stands to the front of a buffer: before, amid or after its work, or that none has begun. Gives
    /// how many bytes that took. O(cells).
    ///
    /// # Errors
    /// A buffer too short; [`ErrorKind::State`] when the grid was edited since the search began, or is another one;
    /// [`ErrorKind::Unsupported`] for HPA*, which is begun anew instead.
    pub fn save_state(&self, grid: &Grid<'_>, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.save_to(grid, &mut writer)?;
        writer.finish(Subject::State)
    }

    /// The hash of the bytes that [`save_state`](GridSearch::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`save_state`](GridSearch::save_state) but the buffer's.
    pub fn state_hash(&self, grid: &Grid<'_>) -> Result<u64> {
        let mut hash = Fnv1a::new();
        self.save_to(grid, &mut hash)?;
        Ok(hash.finish())
    }

    /// Puts a saved search back, over the grid it was saved with, which was put back first, and with the options it began
    /// with. It then goes on to the bits it would have come to. The cells expanded so far are saved by the generic engines
    /// alone. O(cells + bytes log bytes).
    ///
    /// ```
    /// use navarena::grid::{Grid, GridDef, GridOptions, GridSearch, GridSearchDef};
    /// use navarena::memory::{Arena, Memory};
    /// const MAP: GridDef = GridDef::of_size(9, 9);
    /// const SEARCH: GridSearchDef = GridSearchDef::compact(81);
    /// let mut region = Memory::<{ MAP.plan().bytes + SEARCH.plan().bytes }>::new();
    /// let mut arena = Arena::new(region.grains());
    /// let (grid, mut search) = (Grid::new(&MAP, &mut arena)?, GridSearch::new(&SEARCH, &mut arena)?);
    /// search.begin(&grid, (0, 0), (8, 8), &GridOptions::DEFAULT)?;
    /// search.step(&grid, 3)?;
    /// let mut bytes = vec![0; search.state_size(&grid)?];
    /// search.save_state(&grid, &mut bytes)?;
    /// search.find_path(&grid, (4, 4), (5, 5), &GridOptions::DEFAULT)?;
    /// search.restore_state(&grid, &GridOptions::DEFAULT, &bytes)?;
    /// assert_eq!(search.outcome().iterations, 3);
    /// search.step(&grid, u64::MAX)?;
    /// assert_eq!(search.path().cells().len(), 9);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Bytes that break the format, or that another grid, other options or another engine were saved with, by the part; those
    /// of [`begin`](GridSearch::begin). Nothing has changed then.
    pub fn restore_state(&mut self, grid: &Grid<'_>, options: &GridOptions, bytes: &[u8]) -> Result<()> {
        self.restore_state_with(grid, options, &NoHooks, bytes)
    }

    /// As [`restore_state`](GridSearch::restore_state), for a search that began with hooks, which are the caller's to bring
    /// again.
    pub fn restore_state_with<H: GridHooks>(
        &mut self,
        grid: &Grid<'_>,
        options: &GridOptions,
        _hooks: &H,
        bytes: &[u8],
    ) -> Result<()> {
        let algorithm = self.check_options(grid, options, H::PRESENT)?;
        let engine = self.engine_for(grid, options, H::PRESENT, algorithm)?;
        let reader = &mut Reader::new(bytes, Subject::Header);
        read_state_header(reader, StateKind::GridSearch)?;
        reader.section(Subject::Engine);
        let mode = reader.u8()?;
        for (side, subject) in [(grid.width(), Subject::GridWidth), (grid.height(), Subject::GridHeight)] {
            reader.section(subject);
            let found = reader.i32()?;
            if found != side {
                return Err(reader.refuse().value(f64::from(found)).bound(f64::from(side)));
            }
        }
        if mode == Mode::Idle as u8 {
            reader.finish()?;
            self.forget();
            return Ok(());
        }
        reader.section(Subject::Engine);
        check(reader, mode == engine.mode()? as u8)?;
        let checked = self.check_saved(grid, options, engine, reader)?;
        reader.finish()?;
        if let (Engine::Jumps | Engine::GeneralJumps, Some(jumps)) = (engine, &mut self.jumps) {
            jumps.refresh(grid, algorithm)?;
        }
        self.take_over(grid, options, engine, &checked)?;
        self.outcome = GridOutcome::without_path(PathStatus::InProgress, algorithm);
        let topology = grid.topology(options.movement)?;
        self.note(grid, &topology, self.status());
        Ok(())
    }

    fn save_to(&self, grid: &Grid<'_>, out: &mut impl Sink) -> Result<()> {
        let Asked { engine, options, .. } = &self.asked;
        if *engine != Engine::Idle {
            self.check_open(grid)?;
        }
        let (mode, cells) = (engine.mode()?, grid.cell_count());
        write_state_header(out, StateKind::GridSearch);
        out.u8(mode as u8);
        out.i32(grid.width());
        out.i32(grid.height());
        match (engine, &self.octile, &self.general, &self.jumps) {
            (Engine::Octile, Some(octile), _, _) => octile.save(cells, out),
            (Engine::Jumps, _, _, Some(jumps)) => {
                out.u8(jumps.by_tables().into());
                jumps.search.save(cells, out);
            }
            (Engine::General | Engine::GeneralJumps | Engine::AnyAngle, _, Some(general), _) => {
                let state = engine.state(cells as u32, options.weight);
                let progress = general.progress();
                for node in [progress.start, progress.goal] {
                    let cell = grid.cell_of(node);
                    out.i32(cell.x);
                    out.i32(cell.y);
                }
                out.u32(general.state_size(&state)? as u32);
                general.save_to(&state, out)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn check_saved<'a>(
        &mut self,
        grid: &Grid<'_>,
        options: &GridOptions,
        engine: Engine,
        reader: &mut Reader<'a>,
    ) -> Result<Checked<'a>> {
        let is_zero = options.heuristic_kind() == HeuristicKind::Zero;
        let topology = grid.topology(options.movement)?;
        match (engine, &mut self.octile, &mut self.general, &mut self.jumps) {
            (Engine::Octile, Some(octile), _, _) => octile.check_saved(&topology, is_zero, reader).map(Checked::Octile),
            (Engine::Jumps, _, _, Some(jumps)) => {
                let by_tables = options.algorithm_on(grid, false) == GridAlgorithm::JpsPlus;
                let found = reader.u8()?;
                check(reader, found == u8::from(by_tables))?;
                jumps.search.check_saved(grid, is_zero, reader).map(Checked::Jumps)
            }
            (_, _, Some(general), _) => {
                let state = engine.state(grid.cell_count() as u32, options.weight);
                check_generic(general, grid, &state, reader).map(Checked::Generic)
            }
            _ => Err(Error::new(ErrorKind::Unsupported, Subject::Engine)),
        }
    }

    fn take_over(
        &mut self,
        grid: &Grid<'_>,
        options: &GridOptions,
        engine: Engine,
        checked: &Checked<'_>,
    ) -> Result<()> {
        self.forget();
        match (checked, &mut self.octile, &mut self.general, &mut self.jumps) {
            (Checked::Octile(checked), Some(octile), _, _) => octile.take_over(grid.width() as u32, checked),
            (Checked::Jumps(checked), _, _, Some(jumps)) => jumps.search.take_over(grid, checked)?,
            (Checked::Generic(checked), _, Some(general), _) => general.take_over(checked),
            _ => return Err(Error::new(ErrorKind::Unsupported, Subject::Engine)),
        }
        let (width, height) = (grid.width(), grid.height());
        self.asked = Asked { engine, options: *options, mark: grid.mark(), width, height };
        Ok(())
    }

    /// Where the engine of the present search stands.
    fn status(&self) -> SearchStatus {
        match (self.asked.engine, &self.octile, &self.general, &self.jumps) {
            (Engine::Octile, Some(octile), _, _) => octile.progress().status,
            (Engine::Jumps, _, _, Some(jumps)) => jumps.search.status(),
            (_, _, Some(general), _) => general.progress().status,
            _ => SearchStatus::NotStarted,
        }
    }
}

/// The ends, and the embedded state of a generic search between them.
fn check_generic<'a>(
    general: &mut AStar<'_>,
    grid: &Grid<'_>,
    state: &SearchState,
    reader: &mut Reader<'a>,
) -> Result<CheckedSearch<'a>> {
    reader.section(Subject::State);
    let mut ends = [0; 2];
    for end in &mut ends {
        let cell = Cell::new(reader.i32()?, reader.i32()?);
        *end = grid.index_of(cell).ok_or(reader.refuse())?;
    }
    let length = reader.count(1, Subject::Bytes)?;
    let mut embedded = Reader::new(reader.bytes(length)?, Subject::Header);
    let checked = general.check_saved(state, &mut embedded)?;
    embedded.finish()?;
    let progress = &checked.progress;
    check(reader, progress.status != SearchStatus::NotStarted && [progress.start, progress.goal] == ends)?;
    Ok(checked)
}
