//! The page's algorithm word for word, in the slowest way: full minima everywhere, and the least key looked for among
//! all nodes. It shares the map's definition with the oracle and nothing with the library.

use super::*;
use crate::grid::tests::{rounds, with_grid};
use crate::search::PathStatus;
use std::cmp::Ordering;

const INF: f64 = f64::INFINITY;

fn compare(a: f64, b: f64) -> Ordering {
    let near = a == b || (a < INF && b < INF && (a - b).abs() <= 1e-11 * greater(greater(a, b), 1.0));
    if near { Ordering::Equal } else { a.partial_cmp(&b).unwrap() }
}

fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn compare_keys(a: (f64, f64), b: (f64, f64)) -> Ordering {
    compare(a.0, b.0).then(compare(a.1, b.1))
}

struct Literal {
    is_lpa: bool,
    g: Vec<f64>,
    rhs: Vec<f64>,
    queue: Vec<Option<(f64, f64)>>,
    km: f64,
    /// The ends when keys were last made.
    start: Cell,
    goal: Cell,
    iterations: u64,
    expanded: Vec<Cell>,
}

/// The page's order of neighbours.
const ORDER: [(i32, i32); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

impl Literal {
    fn new(story: &Story, is_lpa: bool) -> Literal {
        let n = story.plain.cells.len();
        let mut literal = Literal {
            is_lpa,
            g: std::vec![INF; n],
            rhs: std::vec![INF; n],
            queue: std::vec![None; n],
            km: 0.0,
            start: story.start,
            goal: story.goal,
            iterations: 0,
            expanded: Vec::new(),
        };
        literal.update(story, literal.root());
        literal
    }

    fn root(&self) -> Cell {
        if self.is_lpa { self.start } else { self.goal }
    }

    fn focus(&self) -> Cell {
        if self.is_lpa { self.goal } else { self.start }
    }

    fn key(&self, story: &Story, cell: Cell) -> (f64, f64) {
        let at = index(story, cell);
        let least = lesser(self.g[at], self.rhs[at]);
        (least + estimate(story, self.focus(), cell) + self.km, least)
    }

    fn update(&mut self, story: &Story, cell: Cell) {
        let at = index(story, cell);
        self.rhs[at] = if !story.stands(cell) {
            INF
        } else if cell == self.root() {
            0.0
        } else {
            let sums = neighbors(story, cell).map(|(next, cost)| self.g[index(story, next)] + cost);
            sums.fold(INF, lesser)
        };
        let is_consistent = compare(self.g[at], self.rhs[at]) == Ordering::Equal;
        self.queue[at] = if is_consistent { None } else { Some(self.key(story, cell)) };
    }

    fn replan(&mut self, story: &Story) {
        (self.iterations, self.expanded) = (0, Vec::new());
        loop {
            let waiting = (0..self.queue.len()).filter_map(|at| self.queue[at].map(|key| (key, at)));
            let top = waiting.min_by(|a, b| compare_keys(a.0, b.0).then(a.1.cmp(&b.1)));
            let focus = index(story, self.focus());
            let is_open = compare(self.g[focus], self.rhs[focus]) != Ordering::Equal;
            let Some((stored, at)) = top else { return };
            if compare_keys(stored, self.key(story, self.focus())) != Ordering::Less && !is_open {
                return;
            }
            self.iterations += 1;
            let cell = Cell::new(at as i32 % story.plain.width, at as i32 / story.plain.width);
            let key = self.key(story, cell);
            if compare_keys(stored, key) == Ordering::Less {
                self.queue[at] = Some(key);
                continue;
            }
            self.expanded.push(cell);
            if self.g[at] > self.rhs[at] {
                self.g[at] = self.rhs[at];
                self.queue[at] = None;
            } else {
                self.g[at] = INF;
                self.update(story, cell);
            }
            let around: Vec<Cell> = neighbors(story, cell).map(|(next, _)| next).collect();
            around.into_iter().for_each(|next| self.update(story, next));
        }
    }

    fn path(&self, story: &Story) -> Vec<Cell> {
        let mut path = [self.focus()].to_vec();
        while path[path.len() - 1] != self.root() {
            let is_settled = |at: usize| compare(self.g[at], self.rhs[at]) == Ordering::Equal;
            let nexts = neighbors(story, path[path.len() - 1]);
            let rated =
                nexts.map(|(next, cost)| (!is_settled(index(story, next)), self.g[index(story, next)] + cost, next));
            let best = rated.min_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
            path.push(best.unwrap().2);
        }
        if self.is_lpa {
            path.reverse();
        }
        path
    }

    fn change(&mut self, story: &Story, change: &Change) {
        match change {
            Change::Nothing => {}
            Change::Start(cell) if *cell == self.start => {}
            Change::Goal(cell) if *cell == self.goal => {}
            Change::Start(cell) if !self.is_lpa => {
                self.km += estimate(story, self.start, *cell);
                self.start = *cell;
            }
            Change::Start(_) | Change::Goal(_) | Change::Cost(..) => *self = Literal::new(story, self.is_lpa),
            Change::Cells(rect, _) => {
                let size = story.moves.size;
                let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
                let touched =
                    (rect.y - size..=bottom).flat_map(|y| (rect.x - size..=right).map(move |x| Cell { x, y }));
                let is_inside = |cell: &Cell| {
                    cell.x >= 0 && cell.y >= 0 && cell.x < story.plain.width && cell.y < story.plain.height
                };
                let touched: Vec<Cell> = touched.filter(is_inside).collect();
                if touched.len() * 4 > story.plain.cells.len() {
                    *self = Literal::new(story, self.is_lpa);
                } else {
                    touched.into_iter().for_each(|cell| self.update(story, cell));
                }
            }
        }
    }
}

fn index(story: &Story, cell: Cell) -> usize {
    (cell.y * story.plain.width + cell.x) as usize
}

fn neighbors(story: &Story, cell: Cell) -> impl Iterator<Item = (Cell, f64)> {
    ORDER.iter().filter_map(move |(dx, dy)| {
        let next = Cell::new(cell.x + dx, cell.y + dy);
        story.plain.step(story.moves, (cell.x, cell.y), (next.x, next.y)).map(|cost| (next, cost))
    })
}

fn estimate(story: &Story, a: Cell, b: Cell) -> f64 {
    let scale = story.plain.costs.iter().copied().fold(1.0, lesser);
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    let (more, less) = (f64::from(dx.max(dy)), f64::from(dx.min(dy)));
    if story.moves.eight { scale * ((more - less) + less * std::f64::consts::SQRT_2) } else { scale * (more + less) }
}

/// What the library's journal can't see as a change must be none here either: only cells that differ, and their
/// smallest rectangle.
fn as_seen(story: &Story, change: Change) -> Change {
    match change {
        Change::Cells(rect, areas) => {
            let differing = rect.cells().zip(&areas).filter(|(cell, area)| story.plain.area(cell.x, cell.y) != **area);
            let smallest = differing.fold(CellRect::default(), |all, (cell, _)| all.union(&CellRect::of(cell)));
            let inside = rect.cells().zip(&areas).filter(|(cell, _)| smallest.contains(*cell));
            let areas: Vec<u8> = inside.map(|(_, &area)| area).collect();
            if areas.is_empty() { Change::Nothing } else { Change::Cells(smallest, areas) }
        }
        Change::Cost(area, cost) if story.plain.costs[area as usize] == cost => Change::Nothing,
        other => other,
    }
}

#[test]
fn every_pop_expansion_and_path_is_that_of_the_page_word_for_word() {
    let mut compared = 0;
    for seed in 0..rounds(60, 3000) as u64 {
        let moves = Moves { size: 1 + (seed % 3) as i32, eight: seed % 4 != 0, rule: (seed / 3 % 3) as usize };
        for mode in [ReplanMode::LpaStar, ReplanMode::DStarLite] {
            let mut story = Story::new(seed + 1000, moves);
            with_grid(&story.grid_def(8), |grid| {
                story.load(grid);
                with_replanner(&def_of(mode, moves), |planner| {
                    planner.begin(grid, story.start, story.goal).unwrap();
                    let mut literal = Literal::new(&story, mode == ReplanMode::LpaStar);
                    for _ in 0..10 {
                        let outcome = planner.replan(grid, u64::MAX).unwrap();
                        if !matches!(outcome.status, PathStatus::Found | PathStatus::NoPath) {
                            break;
                        }
                        literal.replan(&story);
                        let (_, cells, expanded) = all_of(planner);
                        assert_eq!((expanded, outcome.iterations), (literal.expanded.clone(), literal.iterations));
                        if outcome.has_path() {
                            assert_eq!(cells, literal.path(&story));
                        }
                        compared += 1;
                        let change = story.next(&cells);
                        let change = as_seen(&story, change);
                        story.make(&change);
                        make(&change, grid, planner);
                        literal.change(&story, &change);
                    }
                });
            });
        }
    }
    assert!(compared > 300, "{compared} replans were compared");
}
