//! The replanning lines, computed by the core alone.

use navarena::error::Result;
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::{CellRect, Grid, GridDef, WALL};
use navarena::memory::Arena;

use super::Outcome;
use crate::ours::region;

const YARD: GridDef = GridDef::of_size(16, 8);
const PLANNER: GridReplannerDef = GridReplannerDef::d_star_lite(16 * 8);

/// `replan-open`: D* Lite across the open yard.
pub fn open(want: &str) -> Outcome {
    after(0, want)
}

/// `replan-wall`: a wall with a gap at its end has come.
pub fn wall(want: &str) -> Outcome {
    after(1, want)
}

/// `replan-moved`: then the start moves.
pub fn moved(want: &str) -> Outcome {
    after(2, want)
}

/// The answer after so many of the changes, each of which the replanner saw.
fn after(changes: usize, want: &str) -> Outcome {
    match replanned(changes) {
        Ok(got) => Outcome::compare(&got, want),
        Err(error) => Outcome::Fail(error.to_string()),
    }
}

fn replanned(changes: usize) -> Result<String> {
    let (mut yard_memory, mut memory) = (region(YARD.plan()), region(PLANNER.plan()));
    let mut yard = Grid::new(&YARD, &mut Arena::new(&mut yard_memory))?;
    let mut planner = GridReplanner::new(&PLANNER, &mut Arena::new(&mut memory))?;
    planner.begin(&yard, (0, 0), (15, 0))?;
    planner.replan(&yard, u64::MAX)?;
    if changes >= 1 {
        yard.set_rect(CellRect::new(7, 0, 1, 7), WALL)?;
        planner.replan(&yard, u64::MAX)?;
    }
    if changes >= 2 {
        planner.move_start(&yard, (4, 5))?;
        planner.replan(&yard, u64::MAX)?;
    }
    let path = planner.path();
    Ok(format!("cost {:.4}, {} cells", path.cost(), path.cells().len()))
}
