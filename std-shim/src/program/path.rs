//! `navarena path`: a path across a saved mesh.

use super::args::PathArgs;
use super::table::{Table, point};
use super::{load, print};
use crate::failure::Outcome;
use navarena_alloc::Path;
use serde_json::{Value, json};

/// Finds the path and prints its points.
pub fn run(args: &PathArgs) -> Outcome<()> {
    let mesh = load::mesh(&args.file, args.search.portals)?;
    let path = load::find_path(&mesh, args.from, args.to, &args.search.options()?)?;
    if args.json {
        return print(&json(&path));
    }
    let mut table = Table::default();
    let complete = path.is_complete();
    table.row("path", if complete { "complete" } else { "partial" });
    if !complete {
        table.row("because", load::reason(path.end()));
    }
    table.row("length", format!("{:.3}", path.length()));
    table.row("cost", format!("{:.3}", path.cost()));
    table.row("polygons", path.corridor().len());
    table.row("nodes expanded", path.outcome().iterations);
    for (index, at) in path.points().iter().enumerate() {
        table.row(&format!("point {index}"), point(*at));
    }
    print(&table)
}

/// A path for a script.
pub fn json(path: &Path) -> Value {
    json!({
        "complete": path.is_complete(),
        "end": load::reason(path.end()),
        "length": path.length(),
        "cost": path.cost(),
        "polygons": path.corridor().iter().map(|polygon| polygon.0).collect::<Vec<u64>>(),
        "iterations": path.outcome().iterations,
        "points": path.points(),
    })
}
