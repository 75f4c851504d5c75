//! `navarena grid`: paths over maps of square cells.

mod args;
mod engine;
mod map;
mod one;
mod scenario;

pub use args::GridArgs;

use super::print;
use super::table::{Table, count};
use crate::failure::Outcome;
use map::Map;
use navarena::grid::WALL;
use navarena_alloc::Grid;
use serde_json::json;

/// Runs a scenario, finds a path, or says what the map is.
pub fn run(args: &GridArgs) -> Outcome<()> {
    let map = Map::read(&args.map)?;
    match &args.scen {
        Some(file) => scenario::run(args, file, &map),
        None if args.from.is_some() || args.output.is_some() => one::run(args, &map),
        None => describe(args, &map.grid),
    }
}

fn describe(args: &GridArgs, grid: &Grid) -> Outcome<()> {
    let ground = grid.core().cells().iter().filter(|&&area| area != WALL).count();
    if args.json {
        let ([x, y], size) = (grid.space().origin(), grid.space().cell_size());
        let (width, height) = (grid.width(), grid.height());
        let map = json!({ "width": width, "height": height, "ground": ground, "origin": [x, y], "cell_size": size });
        return print(&map);
    }
    let mut table = Table::default();
    table.row("columns", grid.width());
    table.row("rows", grid.height());
    table.row("cells of ground", count(ground));
    if !grid.space().is_unassigned() {
        let ([x, y], size) = (grid.space().origin(), grid.space().cell_size());
        table.row("in the world", format!("cells of {size} from {x}, {y}"));
    }
    print(&table)
}
