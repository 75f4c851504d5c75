//! A search with the memory that an algorithm needs on a grid.

use super::args::Algorithm;
use crate::failure::{Failure, Outcome};
use navarena::grid::jps::JumpMapDef;
use navarena::grid::{Cell, Grid, GridAlgorithm, GridOptions, GridPath, GridSearch, GridSearchDef, OctileMemory};
use navarena::memory::Arena;
use navarena_alloc::{Block, Source};

/// One algorithm's search.
#[derive(Debug)]
pub struct Engine<'m> {
    search: GridSearch<'m>,
    options: GridOptions,
}

/// Runs `work` with the engine of an algorithm on a grid, of whose memory nothing is taken later.
pub fn with_engine<R>(
    algorithm: Algorithm,
    grid: &Grid<'_>,
    work: impl FnOnce(&mut Engine<'_>) -> Outcome<R>,
) -> Outcome<R> {
    let not_built = || Failure::Other(format!("--alg {}: not built into this program", algorithm.name()));
    let def = algorithm.of_search().and_then(|asked| def_for(asked, grid)).ok_or_else(not_built)?;
    let options = GridOptions { algorithm: algorithm.of_search().unwrap_or_default(), ..GridOptions::DEFAULT };
    let mut block = Block::new(&Source::Global, def.plan().bytes)?;
    let search = GridSearch::new(&def, &mut Arena::new(block.grains()))?;
    work(&mut Engine { search, options })
}

/// The memory of an algorithm's engine; none where it is not built. The place where the others come in.
fn def_for(algorithm: GridAlgorithm, grid: &Grid<'_>) -> Option<GridSearchDef> {
    let cells = grid.cell_count() as u32;
    let (width, height) = (grid.width() as u32, grid.height() as u32);
    let bare = GridSearchDef {
        octile: OctileMemory::None,
        general: false,
        path: cells,
        expansions: cells,
        ..GridSearchDef::of_cells(cells)
    };
    let jumps = |blocks: bool| Some(JumpMapDef { width, height, blocks, tables: !blocks });
    match algorithm {
        GridAlgorithm::AStar => Some(GridSearchDef { octile: OctileMemory::Standard, ..bare }),
        GridAlgorithm::Jps => Some(GridSearchDef { jumps: jumps(true), ..bare }),
        GridAlgorithm::JpsPlus => Some(GridSearchDef { jumps: jumps(false), ..bare }),
        _ => None,
    }
}

impl Engine<'_> {
    /// Finds a path, which stays lent until the next one.
    pub fn find_path(&mut self, grid: &Grid<'_>, start: Cell, goal: Cell) -> Outcome<GridPath<'_>> {
        self.search.find_path(grid, start, goal, &self.options)?;
        Ok(self.search.path())
    }
}
