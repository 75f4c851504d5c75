//! One path over a map, printed and drawn.

use super::args::GridArgs;
use super::engine::with_engine;
use crate::failure::{Failure, Outcome};
use crate::picture::{MapPage, write_map};
use crate::program::print;
use crate::program::table::{Table, count};
use navarena::grid::{Cell, GridPath};
use navarena::search::PathStatus;
use navarena_alloc::Grid;
use serde_json::{Value, json};

/// Finds the path that is asked for, if any, and draws what there is.
pub fn run(args: &GridArgs, grid: &Grid) -> Outcome<()> {
    match (args.from, args.to) {
        (Some(from), Some(to)) => with_engine(args.alg, grid.core(), |engine| {
            let path = engine.find_path(grid.core(), from, to)?;
            check(&path, [from, to])?;
            draw(args, grid, Some(&path), Some([from, to]))?;
            if args.json { print(&json(args, &path)) } else { print(&table(args, &path)) }
        }),
        _ => {
            draw(args, grid, None, None)?;
            if args.json { print(&json!({ "picture": args.output })) } else { print(&written(args)) }
        }
    }
}

/// Refuses a start or a goal that is no ground, by name. A goal out of reach is an answer, which can be drawn.
fn check(path: &GridPath<'_>, [from, to]: [Cell; 2]) -> Outcome<()> {
    let no_ground =
        |flag: &str, cell: Cell| Failure::Other(format!("{flag}: {},{} is a wall or outside the map", cell.x, cell.y));
    match path.outcome().status {
        PathStatus::StartInvalid => Err(no_ground("--from", from)),
        PathStatus::GoalInvalid => Err(no_ground("--to", to)),
        _ => Ok(()),
    }
}

fn draw(args: &GridArgs, grid: &Grid, path: Option<&GridPath<'_>>, ends: Option<[Cell; 2]>) -> Outcome<()> {
    let Some(file) = &args.output else { return Ok(()) };
    let expanded: Vec<Cell> = path.map(|path| path.expanded_cells().collect()).unwrap_or_default();
    let name = args.map.file_stem().unwrap_or_default().to_string_lossy();
    let mut subtitle = format!("{} by {} cells", grid.width(), grid.height());
    if let Some(path) = path {
        let outcome = path.outcome();
        let found = if outcome.has_path() { format!("path of {:.3}", outcome.cost) } else { "no path".into() };
        let expanded = count(outcome.expanded as usize);
        subtitle += &format!(" \u{b7} {} \u{b7} {found} \u{b7} {expanded} expanded", args.alg.name());
    }
    let page = MapPage {
        title: name.into_owned(),
        subtitle,
        width: grid.width(),
        areas: grid.core().cells(),
        expanded: &expanded,
        path: path.map_or(&[], GridPath::cells),
        ends,
    };
    write_map(&page, file)
}

fn written(args: &GridArgs) -> String {
    args.output.as_ref().map(|file| format!("wrote {}", file.display())).unwrap_or_default()
}

fn table(args: &GridArgs, path: &GridPath<'_>) -> Table {
    let outcome = path.outcome();
    let mut table = Table::default();
    table.row("path", if outcome.has_path() { "found" } else { "none" });
    table.row("algorithm", args.alg.name());
    if outcome.has_path() {
        table.row("cost", format!("{:.6}", outcome.cost));
        table.row("cells", path.cells().len());
    }
    table.row("expanded", count(outcome.expanded as usize));
    if let Some(file) = &args.output {
        table.row("wrote", file.display());
    }
    table
}

fn json(args: &GridArgs, path: &GridPath<'_>) -> Value {
    let outcome = path.outcome();
    json!({
        "found": outcome.has_path(),
        "algorithm": args.alg.name(),
        // No number in JSON is infinite.
        "cost": outcome.has_path().then_some(outcome.cost),
        "expanded": outcome.expanded,
        "cells": path.cells().iter().map(|cell| [cell.x, cell.y]).collect::<Vec<_>>(),
        "picture": args.output,
    })
}
