//! A Moving AI scenario file, run and compared with the lengths that were published with it.

use super::args::{Algorithm, GridArgs};
use super::engine::{Engine, with_engine};
use crate::failure::{Failure, Outcome};
use crate::program::bake::timed;
use crate::program::table::{Table, count, milliseconds};
use crate::program::{load, print};
use navarena::grid::moving_ai::{Scenario, Scenarios};
use navarena::grid::{Cell, Grid as CoreGrid, GridPath, Movement, SquareTopology, step_between};
use navarena_alloc::Grid;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// One question and its published answer.
#[derive(Clone, Copy, Debug)]
struct Question {
    start: Cell,
    goal: Cell,
    /// None where the file says that there is no way: a length of 0 between different cells.
    length: Option<f64>,
}

/// What came of a scenario.
#[derive(Debug, Default)]
struct Report {
    instances: usize,
    mismatches: Vec<String>,
    unreachable: usize,
    expanded: u64,
    /// What the first search spends on making tables and bits.
    preparing: Duration,
    searching: Duration,
}

/// Mismatches that are listed one by one.
const LISTED: usize = 10;

/// Runs the file and prints the report.
pub fn run(args: &GridArgs, file: &Path, grid: &Grid) -> Outcome<()> {
    let questions = read(file, grid)?;
    let report = with_engine(args.alg, grid.core(), |engine| ask_all(args.alg, engine, grid.core(), &questions))?;
    if args.json {
        return print(&json!({
            "map": args.map,
            "algorithm": args.alg.name(),
            "instances": report.instances,
            "mismatches": report.mismatches.len(),
            "unreachable": report.unreachable,
            "expanded": report.expanded,
            "prepare_ms": report.preparing.as_secs_f64() * 1e3,
            "time_ms": report.searching.as_secs_f64() * 1e3,
        }));
    }
    let mut table = Table::default();
    table.row("algorithm", args.alg.name());
    table.row("instances", count(report.instances));
    table.row("mismatches", count(report.mismatches.len()));
    table.row("unreachable", count(report.unreachable));
    table.row("expanded", count(report.expanded as usize));
    table.row("preparing", milliseconds(report.preparing));
    table.row("time", milliseconds(report.searching));
    report.mismatches.iter().take(LISTED).for_each(|line| table.row("mismatch", line));
    print(&table)
}

fn read(file: &Path, grid: &Grid) -> Outcome<Vec<Question>> {
    let bytes = load::bytes(file)?;
    let scenarios = Scenarios::open(&bytes).map_err(Failure::refused(file.display().to_string()))?;
    let size = (grid.width() as u32, grid.height() as u32);
    let question = |(index, one): (usize, Scenario<'_>)| {
        if (one.width, one.height) != size {
            let wanted = format!("instance {index} is for a map of {} by {} cells", one.width, one.height);
            return Err(Failure::Other(format!("{}: {wanted}, not {} by {}", file.display(), size.0, size.1)));
        }
        let [start, goal] = [one.start, one.goal].map(|[x, y]| Cell::new(x as i32, y as i32));
        let length = (one.length > 0.0 || start == goal).then_some(one.length);
        Ok(Question { start, goal, length })
    };
    scenarios.enumerate().map(question).collect()
}

fn ask_all(
    algorithm: Algorithm,
    engine: &mut Engine<'_>,
    grid: &CoreGrid<'_>,
    questions: &[Question],
) -> Outcome<Report> {
    let mut report = Report { instances: questions.len(), ..Report::default() };
    let topology = grid.topology(Movement::DEFAULT)?;
    let rounding = Rounding::of(questions.iter().filter_map(|question| question.length));
    if let Some(first) = questions.first() {
        let (prepared, time) = timed(|| engine.find_path(grid, first.start, first.start).map(|_| ()));
        prepared?;
        report.preparing = time;
    }
    for (index, question) in questions.iter().enumerate() {
        let (found, time) = timed(|| engine.find_path(grid, question.start, question.goal));
        let path = found?;
        report.searching += time;
        report.expanded += path.outcome().expanded;
        report.unreachable += usize::from(!path.outcome().has_path());
        if let Some(wrong) = question.mismatch(algorithm, &path, &topology, rounding) {
            let Question { start, goal, .. } = question;
            let from_to = format!("{},{} to {},{}", start.x, start.y, goal.x, goal.y);
            report.mismatches.push(format!("instance {index}, {from_to}: {wrong}"));
        }
    }
    Ok(report)
}

impl Question {
    /// What is wrong with a path, if anything.
    fn mismatch(
        &self,
        algorithm: Algorithm,
        path: &GridPath<'_>,
        topology: &SquareTopology<'_>,
        rounding: Rounding,
    ) -> Option<String> {
        let cost = path.cost();
        match (self.length, path.outcome().has_path()) {
            (None, false) => None,
            (None, true) => Some(format!("a way of {cost} where none was published")),
            (Some(length), false) => Some(format!("no way where one of {length} was published")),
            (Some(length), true) if !is_answer(algorithm, cost, length, rounding) => {
                Some(format!("{cost}, published {length}"))
            }
            (Some(_), true) => self.broken_step(algorithm, path.cells(), topology),
        }
    }

    /// Where the path does not lead from start to goal by steps that are allowed.
    fn broken_step(&self, algorithm: Algorithm, cells: &[Cell], topology: &SquareTopology<'_>) -> Option<String> {
        if (cells.first(), cells.last()) != (Some(&self.start), Some(&self.goal)) {
            return Some("the path does not lead from start to goal".into());
        }
        let is_free = |from: Cell, to: Cell| match step_between(from, to) {
            // A diagonal step needs both cells beside it.
            Some(_) => [(from.x, from.y), (to.x, from.y), (from.x, to.y), (to.x, to.y)]
                .into_iter()
                .all(|cell| topology.fits(cell.into())),
            None => algorithm.is_any_angle() && topology.fits(from) && topology.fits(to),
        };
        let broken = cells.windows(2).find(|pair| !is_free(pair[0], pair[1]))?;
        Some(format!("no step leads from {},{} to {},{}", broken[0].x, broken[0].y, broken[1].x, broken[1].y))
    }
}

/// Whether a cost is what was published; at any angle, no more than that; over a hierarchy, no less.
fn is_answer(algorithm: Algorithm, cost: f64, length: f64, rounding: Rounding) -> bool {
    let slack = 1e-6 * length + rounding.half_unit(length);
    match algorithm {
        Algorithm::Theta | Algorithm::LazyTheta => cost <= length + slack,
        Algorithm::Hpa => cost >= length - slack,
        _ => (cost - length).abs() <= slack,
    }
}

/// To how many digits a file's lengths are rounded: as many as its longest has, which are six in most files and two
/// decimals in some. What is rounded to six digits is by that alone up to 5e-6 off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rounding {
    decimals: i32,
    digits: i32,
}

impl Rounding {
    fn of(lengths: impl Iterator<Item = f64>) -> Rounding {
        lengths.fold(Rounding::default(), |most, length| {
            // The shortest text that reads back: what the file has, without zeros at its end.
            let text = length.to_string();
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let digits = text.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
            Rounding { decimals: most.decimals.max(decimals as i32), digits: most.digits.max(digits as i32) }
        })
    }

    /// Half a unit of the last digit that a length may have.
    fn half_unit(self, length: f64) -> f64 {
        let before_point = (length.trunc() as u64).checked_ilog10().map_or(0, |digits| digits as i32 + 1);
        let decimals = self.decimals.min(self.digits - before_point).max(0);
        (0..decimals).fold(0.5, |unit, _| unit / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_stands_for_all_that_read_so_with_the_files_digits() {
        let answers = |lengths: &[f64], cost: f64, length: f64| {
            is_answer(Algorithm::AStar, cost, length, Rounding::of(lengths.iter().copied()))
        };
        let six = [3.41421, 173.764, 1234.57, 2.0];
        assert!(answers(&six, 173.76450198781714, 173.764) && !answers(&six, 173.7648, 173.764));
        assert!(answers(&six, 3.41421356, 3.41421) && !answers(&six, 3.41423, 3.41421));
        assert!(answers(&six, 1234.5747, 1234.57) && !answers(&six, 1234.58, 1234.57));
        // A round length of such a file is as sharp as its others.
        assert!(!answers(&six, 2.0001, 2.0));
        let two = [244.95, 12.0];
        assert!(answers(&two, 244.9538, 244.95) && !answers(&two, 244.96, 244.95) && !answers(&two, 12.01, 12.0));
        let whole = [8.071_067_811_865_476];
        assert!(answers(&whole, 8.0710678118, whole[0]) && !answers(&whole, 8.07108, whole[0]));
    }

    #[test]
    fn any_angle_may_be_shorter_and_a_hierarchy_longer() {
        let is = |algorithm, cost| is_answer(algorithm, cost, 10.0, Rounding { decimals: 8, digits: 9 });
        assert!(is(Algorithm::Theta, 9.5) && is(Algorithm::LazyTheta, 10.0) && !is(Algorithm::Theta, 10.1));
        assert!(is(Algorithm::Hpa, 10.5) && !is(Algorithm::Hpa, 9.9));
        assert!(!is(Algorithm::Jps, 9.9) && !is(Algorithm::Jps, 10.1) && is(Algorithm::Jps, 10.0));
    }
}
