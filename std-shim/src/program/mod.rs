//! The `navarena` program's commands.

mod args;
mod bake;
mod bake2d;
mod crowd;
mod demo;
mod diff;
mod grid;
mod info;
mod load;
mod path;
mod query;
mod questions;
mod settings;
mod table;
mod view;

pub use args::Arguments;

use crate::failure::{Failure, Outcome};
use args::Command;
use std::io::Write;

/// Does what the arguments ask; what is printed goes to standard output.
pub fn run(arguments: &Arguments) -> Outcome<()> {
    match &arguments.command {
        Command::Demo(demo) => demo::run(demo),
        Command::Bake(bake) => bake::run(bake),
        Command::Bake2d(bake) => bake2d::run(bake),
        Command::Path(path) => path::run(path),
        Command::Query(query) => query::run(query),
        Command::View(view) => view::run(view),
        Command::Info(info) => info::run(info),
        Command::Grid(grid) => grid::run(grid),
        Command::Crowd(crowd) => crowd::run(crowd),
        Command::Diff(diff) => diff::run(diff),
    }
}

/// Prints to standard output; a reader that has gone away is a failure like any other.
fn print(what: &impl std::fmt::Display) -> Outcome<()> {
    let text = what.to_string();
    writeln!(std::io::stdout(), "{}", text.trim_end())
        .map_err(|reason| Failure::Other(format!("standard output: {reason}")))
}
