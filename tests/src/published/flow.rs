//! The flow field's line, computed by the core alone.

use navarena::error::Result;
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::{Cell, CellRect, Grid, GridDef, WALL};
use navarena::memory::Arena;

use super::Outcome;
use crate::ours::region;

/// `flow-00, flow-36, flow-122`: one field to the yard's far corner, read by three units.
pub fn yard(want: &str) -> Outcome {
    match read_yard() {
        Ok(got) => Outcome::compare(&got, want),
        Err(error) => Outcome::Fail(error.to_string()),
    }
}

fn read_yard() -> Result<String> {
    let (map, def) = (GridDef::of_size(16, 8), GridFlowDef::of_cells(16 * 8));
    let (mut map_memory, mut field_memory) = (region(map.plan()), region(def.plan()));
    let mut yard = Grid::new(&map, &mut Arena::new(&mut map_memory))?;
    yard.set_rect(CellRect::new(7, 0, 1, 7), WALL)?;
    let mut field = GridFlowField::new(&def, &mut Arena::new(&mut field_memory))?;
    field.build(&yard, &[Cell::new(15, 0)], &FlowOptions::DEFAULT)?;
    let read = |(x, y): (i32, i32)| {
        let flow = field.flow_at(Cell::new(x, y))?;
        let next = flow.next.map_or("none".to_string(), |next| format!("({},{})", next.x, next.y));
        Ok(format!("({x},{y}): {:.4}, next {next}", flow.cost))
    };
    let units: Result<Vec<String>> = [(0, 0), (3, 6), (12, 2)].into_iter().map(read).collect();
    Ok(units?.join("; "))
}
