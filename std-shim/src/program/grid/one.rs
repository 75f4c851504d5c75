//! One path over a map, printed and drawn.

use super::args::GridArgs;
use super::engine::{Answer, Engine, with_engine};
use super::map::Map;
use crate::failure::{Failure, Outcome};
use crate::picture::{MapPage, write_map};
use crate::program::print;
use crate::program::table::{Table, count};
use navarena::grid::{Cell, Grid as CoreGrid};
use navarena::search::PathStatus;
use serde_json::{Value, json};

/// Finds the path that is asked for, if any, and draws what there is.
pub fn run(args: &GridArgs, map: &Map) -> Outcome<()> {
    let grid = &map.grid;
    match (args.from, args.to) {
        (Some(from), Some(to)) => with_engine(args.alg, grid.core(), |engine| {
            let answer = engine.find_path(grid.core(), from, to)?;
            check(&answer, [from, to])?;
            let said = if args.json { json(args, &answer).to_string() } else { table(args, &answer).to_string() };
            let drawn = Drawn::of(args, &answer, [from, to]);
            draw(args, map, Some((engine, drawn)))?;
            print(&said)
        }),
        _ => {
            draw(args, map, None)?;
            if args.json { print(&json!({ "picture": args.output })) } else { print(&written(args)) }
        }
    }
}

/// Refuses a start or a goal that is no ground, by name. A goal out of reach is an answer, which can be drawn.
fn check(answer: &Answer<'_>, [from, to]: [Cell; 2]) -> Outcome<()> {
    let no_ground =
        |flag: &str, cell: Cell| Failure::Other(format!("{flag}: {},{} is a wall or outside the map", cell.x, cell.y));
    match answer.status {
        PathStatus::StartInvalid => Err(no_ground("--from", from)),
        PathStatus::GoalInvalid => Err(no_ground("--to", to)),
        _ => Ok(()),
    }
}

/// What a picture shows of an answer.
struct Drawn {
    heading: String,
    path: Vec<Cell>,
    ends: [Cell; 2],
}

impl Drawn {
    fn of(args: &GridArgs, answer: &Answer<'_>, ends: [Cell; 2]) -> Drawn {
        let found = if answer.has_path() { format!("path of {:.3}", answer.cost) } else { "no path".into() };
        let expanded = count(answer.expanded as usize);
        let verb = if args.alg.is_field() { "settled" } else { "expanded" };
        let heading = format!(" \u{b7} {} \u{b7} {found} \u{b7} {expanded} {verb}", args.alg.name());
        Drawn { heading, path: answer.cells.to_vec(), ends }
    }
}

fn draw(args: &GridArgs, map: &Map, drawn: Option<(&Engine<'_>, Drawn)>) -> Outcome<()> {
    let grid = &map.grid;
    let Some(file) = &args.output else { return Ok(()) };
    let size = format!("{} by {} cells", grid.width(), grid.height());
    let mut page = MapPage {
        title: args.map.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        subtitle: size.clone(),
        width: grid.width(),
        areas: grid.core().cells(),
        is_upward: map.is_upward(),
        ..MapPage::default()
    };
    let Some((engine, drawn)) = drawn else { return write_map(&page, file) };
    let (expanded, flow) = (engine.expanded_cells(grid.core()), arrows(engine, grid.core()));
    page = MapPage { expanded: &expanded, flow: &flow, path: &drawn.path, ends: Some(drawn.ends), ..page };
    page.subtitle = size + &drawn.heading;
    write_map(&page, file)
}

/// Every cell of a field that has a next one, with that.
fn arrows(engine: &Engine<'_>, grid: &CoreGrid<'_>) -> Vec<[Cell; 2]> {
    let Some(field) = engine.field() else { return Vec::new() };
    let cells = (0..grid.cell_count() as u32).map(|index| grid.cell_of(index));
    cells.filter_map(|cell| Some([cell, field.next_of(cell)?])).collect()
}

fn written(args: &GridArgs) -> String {
    args.output.as_ref().map(|file| format!("wrote {}", file.display())).unwrap_or_default()
}

fn table(args: &GridArgs, answer: &Answer<'_>) -> Table {
    let mut table = Table::default();
    table.row("path", if answer.has_path() { "found" } else { "none" });
    table.row("algorithm", args.alg.name());
    if answer.has_path() {
        table.row("cost", format!("{:.6}", answer.cost));
        table.row("cells", answer.cells.len());
    }
    table.row("expanded", count(answer.expanded as usize));
    if let Some(file) = &args.output {
        table.row("wrote", file.display());
    }
    table
}

fn json(args: &GridArgs, answer: &Answer<'_>) -> Value {
    json!({
        "found": answer.has_path(),
        "algorithm": args.alg.name(),
        // No number in JSON is infinite.
        "cost": answer.has_path().then_some(answer.cost),
        "expanded": answer.expanded,
        "cells": answer.cells.iter().map(|cell| [cell.x, cell.y]).collect::<Vec<_>>(),
        "picture": args.output,
    })
}
