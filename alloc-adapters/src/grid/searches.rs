//! The memory of grid searches: a few for each engine, kept for the next calls, each used by one call at a time.

use super::GridPath;
use crate::block::{Block, Source};
use alloc::boxed::Box;
use core::fmt;
use crossbeam_queue::ArrayQueue;
use navarena::error::Result;
use navarena::grid::hpa::HierarchyDef;
use navarena::grid::jps::JumpMapDef;
use navarena::grid::{
    Cell, Grid as CoreGrid, GridAlgorithm, GridHooks, GridOptions, GridSearch, GridSearchDef, Movement, OctileMemory,
};
use navarena::memory::Arena;
use self_cell::{MutBorrow, self_cell};

self_cell!(
    struct SearchCell {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: GridSearch,
    }
);

/// What is asked of a search.
pub(super) struct Question<'a, H> {
    pub start: Cell,
    pub goal: Cell,
    pub options: &'a GridOptions,
    pub hooks: &'a H,
    /// Whether the expanded cells are wanted.
    pub records: bool,
}

/// What one search has memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    /// The specialised A*.
    Octile,
    /// The generic A*.
    General,
    /// Jump point search by blocks.
    Blocks,
    /// Jump point search by tables.
    Tables,
    /// HPA*.
    Hierarchy,
}

const ENGINES: usize = 5;
/// Searches that are kept for each engine; more threads than this at once make some anew, and more kinds of hierarchies
/// replace the oldest.
const KEPT: usize = 8;

/// Searches that wait for a call. A thread takes one out, uses it alone, and lays it back; with none there it makes its
/// own. Nothing waits for anything.
pub(super) struct Searches {
    waiting: [ArrayQueue<Box<Waiting>>; ENGINES],
    source: Source,
}

struct Waiting {
    def: GridSearchDef,
    /// The agent that its hierarchy is made for. Other searches serve all alike.
    agent: Option<Movement>,
    search: SearchCell,
}

impl fmt::Debug for Searches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Searches {
    pub fn new(source: &Source) -> Searches {
        Searches { waiting: core::array::from_fn(|_| ArrayQueue::new(KEPT)), source: *source }
    }

    /// Finds a path with as much memory as any path on the grid needs.
    pub fn find_path<H: GridHooks>(&self, grid: &CoreGrid<'_>, question: &Question<'_, H>) -> Result<GridPath> {
        let engine = engine_for(grid, question.options, H::PRESENT);
        let def = def_for(grid, engine, question)?;
        let agent = (engine == Engine::Hierarchy).then_some(question.options.movement);
        let waiting = &self.waiting[engine as usize];
        let mut kept = match take_out(waiting, |kept| kept.def == def && kept.agent == agent) {
            Some(kept) => kept,
            None => self.make(def, agent)?,
        };
        let path = kept.search.with_dependent_mut(|_, search| {
            let Question { start, goal, options, hooks, .. } = *question;
            search.find_path_with(grid, start, goal, options, hooks)?;
            Ok(GridPath::copy(&search.path(), grid.space()))
        });
        if !question.records {
            // With enough kept already the oldest goes.
            drop(waiting.force_push(kept));
        }
        path
    }

    fn make(&self, def: GridSearchDef, agent: Option<Movement>) -> Result<Box<Waiting>> {
        let block = Block::new(&self.source, def.plan().bytes)?;
        let search = SearchCell::try_new(MutBorrow::new(block), |block| {
            GridSearch::new(&def, &mut Arena::new(block.borrow_mut().grains()))
        })?;
        Ok(Box::new(Waiting { def, agent, search }))
    }
}

/// The first that is as wanted; others go to the end.
fn take_out(waiting: &ArrayQueue<Box<Waiting>>, is_wanted: impl Fn(&Waiting) -> bool) -> Option<Box<Waiting>> {
    for _ in 0..waiting.len() {
        let kept = waiting.pop()?;
        if is_wanted(&kept) {
            return Some(kept);
        }
        drop(waiting.force_push(kept));
    }
    None
}

/// The engine that answers; the place where the other algorithms' memory comes in. One that has none yet is refused by
/// the search.
fn engine_for(grid: &CoreGrid<'_>, options: &GridOptions, has_hooks: bool) -> Engine {
    match options.algorithm_on(grid, has_hooks) {
        GridAlgorithm::Jps => Engine::Blocks,
        GridAlgorithm::JpsPlus => Engine::Tables,
        GridAlgorithm::Hpa => Engine::Hierarchy,
        GridAlgorithm::AStar if options.specialized && options.allows_jumps(grid, has_hooks) => Engine::Octile,
        _ => Engine::General,
    }
}

fn def_for<H>(grid: &CoreGrid<'_>, engine: Engine, question: &Question<'_, H>) -> Result<GridSearchDef> {
    let cells = grid.cell_count() as u32;
    let (width, height) = (grid.width() as u32, grid.height() as u32);
    let jumps = |blocks: bool| JumpMapDef { width, height, blocks, tables: !blocks };
    let is_generic = matches!(engine, Engine::Blocks | Engine::Tables) && !question.options.specialized;
    let hierarchy = match engine {
        Engine::Hierarchy => Some(hierarchy_for(width, height, question.options)?),
        _ => None,
    };
    Ok(GridSearchDef {
        octile: if engine == Engine::Octile { OctileMemory::Standard } else { OctileMemory::None },
        general: engine == Engine::General || is_generic,
        jumps: match engine {
            Engine::Blocks => Some(jumps(true)),
            Engine::Tables => Some(jumps(false)),
            Engine::Octile | Engine::General | Engine::Hierarchy => None,
        },
        hierarchy,
        path: cells,
        expansions: if question.records { cells } else { 0 },
        ..GridSearchDef::of_cells(cells)
    })
}

/// A hierarchy of chunks as asked for, with room for any map, refused before memory is asked for.
fn hierarchy_for(width: u32, height: u32, options: &GridOptions) -> Result<HierarchyDef> {
    let chunk = if options.hpa_chunk == 0 { HierarchyDef::CHUNK } else { u32::from(options.hpa_chunk) };
    let def = HierarchyDef::of_chunks(width, height, chunk, HierarchyDef::THRESHOLD);
    def.validate().map(|()| def)
}
