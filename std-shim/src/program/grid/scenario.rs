//! A Moving AI scenario file, run and compared with the lengths that were published with it.

use super::args::{Algorithm, GridArgs};
use super::engine::{Answer, Engine, with_engine};
use super::map::Map;
use crate::failure::{Failure, Outcome};
use crate::program::bake::timed;
use crate::program::table::{Table, count, milliseconds};
use crate::program::{load, print};
use navarena::grid::moving_ai::{Scenario, Scenarios};
use navarena::grid::{Cell, Grid as CoreGrid, Movement, SquareTopology, step_between};
use navarena_alloc::Grid;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// One question and its published answer.
#[derive(Clone, Copy, Debug)]
struct Question {
    /// Its number in the file, from 0.
    index: usize,
    start: Cell,
    goal: Cell,
    /// None where the file says that there is no way: a length of 0 between different cells.
    length: Option<f64>,
}

/// What came of a scenario.
#[derive(Debug, Default)]
struct Report {
    instances: usize,
    /// By the number of their instance.
    mismatches: Vec<(usize, String)>,
    unreachable: usize,
    /// Instances from trees to trees, which are asked where trees alone are open.
    in_trees: usize,
    /// Those of them with a way that is shorter than the published one.
    in_trees_shorter: usize,
    expanded: u64,
    /// By how much ways are longer than their published lengths, where that is allowed.
    longer: Longer,
    /// What is spent on making tables, bits and hierarchies before the first question.
    preparing: Duration,
    searching: Duration,
}

/// By how much ways are longer than published, in percent of each.
#[derive(Clone, Copy, Debug, Default)]
struct Longer {
    sum: f64,
    most: f64,
    counted: usize,
}

impl Longer {
    fn note(&mut self, cost: f64, length: f64) {
        if length > 0.0 && cost.is_finite() {
            let percent = 100.0 * (cost / length - 1.0).max(0.0);
            self.sum += percent;
            self.most = self.most.max(percent);
            self.counted += 1;
        }
    }

    fn mean(&self) -> f64 {
        self.sum / self.counted.max(1) as f64
    }
}

/// Mismatches that are listed one by one.
const LISTED: usize = 10;

/// Runs the file and prints the report.
pub fn run(args: &GridArgs, file: &Path, map: &Map) -> Outcome<()> {
    let questions = read(file, &map.grid)?;
    let rounding = Rounding::of(questions.iter().filter_map(|question| question.length));
    let trees = map.trees()?;
    let [on_ground, in_trees] = apart(trees.as_ref(), questions);
    let mut report = Report::default();
    let mut ask = |grid: &CoreGrid<'_>, questions: &[Question], rule: Rule| {
        with_engine(args.alg, grid, |engine| report.ask_all(engine, grid, questions, rule))
    };
    ask(map.grid.core(), &on_ground, Rule { algorithm: args.alg, rounding, is_bound: false })?;
    if let Some(trees) = trees.filter(|_| !in_trees.is_empty()) {
        ask(trees.core(), &in_trees, Rule { algorithm: args.alg, rounding, is_bound: true })?;
    }
    report.mismatches.sort_by_key(|(index, _)| *index);
    if args.json {
        return print(&json!({
            "map": args.map,
            "algorithm": args.alg.name(),
            "instances": report.instances,
            "mismatches": report.mismatches.len(),
            "unreachable": report.unreachable,
            "in_trees": report.in_trees,
            "in_trees_shorter": report.in_trees_shorter,
            "expanded": report.expanded,
            "longer_mean_percent": report.longer.mean(),
            "longer_most_percent": report.longer.most,
            "prepare_ms": report.preparing.as_secs_f64() * 1e3,
            "time_ms": report.searching.as_secs_f64() * 1e3,
        }));
    }
    let mut table = Table::default();
    table.row("algorithm", args.alg.name());
    table.row("instances", count(report.instances));
    table.row("mismatches", count(report.mismatches.len()));
    table.row("unreachable", count(report.unreachable));
    if report.in_trees > 0 {
        let shorter = format!("{}, {} of them shorter than published", report.in_trees, report.in_trees_shorter);
        table.row("from trees to trees", shorter);
    }
    table.row("expanded", count(report.expanded as usize));
    if args.alg == Algorithm::Hpa {
        let Longer { most, .. } = report.longer;
        table.row("above the lengths", format!("{:.2}% on average, {most:.2}% at most", report.longer.mean()));
    }
    table.row("preparing", milliseconds(report.preparing));
    table.row("time", milliseconds(report.searching));
    report.mismatches.iter().take(LISTED).for_each(|(_, line)| table.row("mismatch", line));
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
        Ok(Question { index, start, goal, length })
    };
    scenarios.enumerate().map(question).collect()
}

/// Tells the questions between two ends in the trees from the others.
///
/// Some scenarios have such among them, as of units that move in trees alone. Trees are walls to all others, so these are
/// asked on a grid of their own.
fn apart(trees: Option<&Grid>, questions: Vec<Question>) -> [Vec<Question>; 2] {
    let is_in_trees = |question: &Question| {
        let ends = [question.start, question.goal];
        trees.is_some_and(|trees| ends.into_iter().all(|end| trees.is_walkable(end)))
    };
    let (in_trees, on_ground) = questions.into_iter().partition(is_in_trees);
    [on_ground, in_trees]
}

/// By what an answer is judged.
#[derive(Clone, Copy, Debug)]
struct Rule {
    algorithm: Algorithm,
    rounding: Rounding,
    /// Whether the published lengths only bound what is right from above.
    is_bound: bool,
}

impl Report {
    /// Asks all questions on a grid and judges the answers.
    fn ask_all(
        &mut self,
        engine: &mut Engine<'_>,
        grid: &CoreGrid<'_>,
        questions: &[Question],
        rule: Rule,
    ) -> Outcome<()> {
        let topology = grid.topology(Movement::DEFAULT)?;
        let (prepared, time) = timed(|| engine.prepare(grid));
        prepared?;
        self.preparing += time;
        for question in questions {
            let (found, time) = timed(|| engine.find_path(grid, question.start, question.goal));
            let answer = found?;
            self.searching += time;
            self.instances += 1;
            self.expanded += answer.expanded;
            self.unreachable += usize::from(!answer.has_path());
            if let Some(wrong) = question.mismatch(rule, &answer, &topology) {
                let Question { index, start, goal, .. } = *question;
                let from_to = format!("{},{} to {},{}", start.x, start.y, goal.x, goal.y);
                self.mismatches.push((index, format!("instance {index}, {from_to}: {wrong}")));
            }
            if let Some(length) = question.length.filter(|_| !rule.is_bound) {
                self.longer.note(answer.cost, length);
            }
            if rule.is_bound {
                self.in_trees += 1;
                let is_shorter = |length| answer.cost < length && !rule.is_answer(answer.cost, length);
                self.in_trees_shorter += usize::from(question.length.is_some_and(is_shorter));
            }
        }
        Ok(())
    }
}

impl Question {
    /// What is wrong with an answer, if anything.
    fn mismatch(&self, rule: Rule, answer: &Answer<'_>, topology: &SquareTopology<'_>) -> Option<String> {
        let cost = answer.cost;
        match (self.length, answer.has_path()) {
            (None, false) => None,
            (None, true) => Some(format!("a way of {cost} where none was published")),
            (Some(length), false) => Some(format!("no way where one of {length} was published")),
            (Some(length), true) if rule.accepts(cost, length) => {
                self.broken_step(rule.algorithm, answer.cells, topology)
            }
            (Some(length), true) => Some(format!("{cost}, published {length}")),
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

impl Rule {
    /// Whether a cost is right, or no worse than right where the published length is only a bound.
    fn accepts(self, cost: f64, length: f64) -> bool {
        self.is_answer(cost, length) || self.is_bound && cost < length
    }

    /// Whether a cost is what was published; at any angle, no more than that; over a hierarchy, no less.
    fn is_answer(self, cost: f64, length: f64) -> bool {
        let slack = 1e-6 * length + self.rounding.half_unit(length);
        match self.algorithm {
            Algorithm::Theta | Algorithm::LazyTheta => cost <= length + slack,
            Algorithm::Hpa => cost >= length - slack,
            _ => (cost - length).abs() <= slack,
        }
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
            let rounding = Rounding::of(lengths.iter().copied());
            Rule { algorithm: Algorithm::AStar, rounding, is_bound: false }.is_answer(cost, length)
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
        let rounding = Rounding { decimals: 8, digits: 9 };
        let is = |algorithm, cost| Rule { algorithm, rounding, is_bound: false }.is_answer(cost, 10.0);
        assert!(is(Algorithm::Theta, 9.5) && is(Algorithm::LazyTheta, 10.0) && !is(Algorithm::Theta, 10.1));
        assert!(is(Algorithm::Hpa, 10.5) && !is(Algorithm::Hpa, 9.9));
        assert!(!is(Algorithm::Jps, 9.9) && !is(Algorithm::Jps, 10.1) && is(Algorithm::Jps, 10.0));
    }
}
