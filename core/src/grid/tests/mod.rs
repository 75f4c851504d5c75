//! Searches over square grids against an oracle that knows only the page's definitions.

pub(crate) mod oracle;
mod searches;
mod states;

use crate::grid::{Grid, GridDef, GridSearch, GridSearchDef};
use crate::memory::{Arena, Grain};

/// Rounds of a random test: the full count with `NAVARENA_LONG`, else a part that keeps the suite fast.
pub(crate) fn rounds(part: usize, full: usize) -> usize {
    if std::env::var_os("NAVARENA_LONG").is_some() { full } else { part }
}

/// Runs a test over a grid of a def, in memory of just the planned size.
pub(crate) fn with_grid<R>(def: &GridDef, work: impl FnOnce(&mut Grid<'_>) -> R) -> R {
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    work(&mut Grid::new(def, &mut Arena::new(&mut region)).unwrap())
}

/// Runs a test with a search of a def, in memory of just the planned size, full of rubbish.
pub(crate) fn with_search<R>(def: &GridSearchDef, work: impl FnOnce(&mut GridSearch<'_>) -> R) -> R {
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    let mut arena = Arena::new(&mut region);
    let mut search = GridSearch::new(def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut search)
}
