//! Jump point search: cheapest paths where every step costs the same, by looking only at the cells where ways may turn.
//!
//! A node is left only in the directions that no other way serves as well ([`successors`]), and in each of them up to the
//! next cell where that matters ([`Jumper`]). Three jumpers find it: [`CellJumper`] cell by cell, without memory;
//! [`BlockJumper`] by words of bits (JPS); [`TableJumper`] in tables (JPS+). The two last read a [`JumpMap`] of the grid,
//! which follows its edits.
//!
//! A [`GridSearch`](crate::grid::GridSearch) with memory for it runs it when it is asked for:
//!
//! ```
//! use navarena::grid::{CellRect, Grid, GridAlgorithm, GridDef, GridOptions, GridSearch, GridSearchDef, WALL};
//! use navarena::memory::{Arena, Grain};
//!
//! let (map, def) = (GridDef::of_size(64, 64), GridSearchDef::of_size(64, 64));
//! let mut region = vec![Grain::ZERO; map.plan().grains() + def.plan().grains()];
//! let mut arena = Arena::new(&mut region);
//! let mut grid = Grid::new(&map, &mut arena)?;
//! let mut search = GridSearch::new(&def, &mut arena)?;
//! grid.set_rect(CellRect::new(32, 0, 1, 62), WALL)?;
//!
//! let options = GridOptions { algorithm: GridAlgorithm::JpsPlus, ..GridOptions::DEFAULT };
//! let found = search.find_path(&grid, (2, 2), (60, 4), &options)?;
//! assert_eq!((found.length, found.expanded), (121, 6)); // A* expands 2072
//! # Ok::<(), navarena::error::Error>(())
//! ```
//!
//! It applies to eight neighbours, no corner cutting, agents of one cell and one cost for every area
//! ([`GridOptions::allows_jumps`](crate::grid::GridOptions::allows_jumps)).
//!
//! Source: `grids.md`, "Jump point search (JPS, JPS+)" and "The specialised octile searches".

mod engine;
mod frontier;
mod jumper;
mod lines;
mod map;
mod rules;
mod search;
pub(super) mod seen;
mod state;
mod surroundings;
mod tables;
mod topology;
mod walk;

pub(in crate::grid) use engine::JumpEngine;
pub use jumper::{BlockJumper, CellJumper, Jumper, Spot, TableJumper};
pub use map::{JumpMap, JumpMapDef};
pub use rules::{SUCCESSORS, direction_of, forced_steps, legal_steps, successors};
pub use search::{JumpOptions, JumpSearch, JumpSearchDef, Pruning};
pub(in crate::grid) use state::CheckedJumps;
pub use tables::JumpDistances;
pub use topology::JumpTopology;
pub use walk::walk_back;

#[cfg(test)]
pub(in crate::grid) mod tests;
