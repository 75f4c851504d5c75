//! Dijkstra's algorithm in O(n^2) over cells, from the definitions of `grids.md` alone: it shares no code with the grid.

use std::vec::Vec;

/// A grid as plain data.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub width: i32,
    pub height: i32,
    pub cells: Vec<u8>,
    /// Costs of the areas; those past the end cost `rest`.
    pub costs: Vec<f64>,
    pub rest: f64,
}

/// How an agent moves, as plain data: `rule` 0 lets no corner be cut, 1 no squeezing, 2 all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    pub size: i32,
    pub eight: bool,
    pub rule: usize,
}

impl Plain {
    pub fn area(&self, x: i32, y: i32) -> u8 {
        let is_inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        if is_inside { self.cells[(y * self.width + x) as usize] } else { 255 }
    }

    pub fn cost(&self, x: i32, y: i32) -> f64 {
        self.costs.get(self.area(x, y) as usize).copied().unwrap_or(self.rest)
    }

    pub fn stands(&self, x: i32, y: i32, size: i32) -> bool {
        (0..size).all(|dy| (0..size).all(|dx| self.area(x + dx, y + dy) != 255))
    }

    /// What a step costs; `None` where there is none.
    pub fn step(&self, moves: Moves, from: (i32, i32), to: (i32, i32)) -> Option<f64> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let is_near = dx.abs() <= 1 && dy.abs() <= 1 && (dx, dy) != (0, 0);
        if !is_near || !self.stands(to.0, to.1, moves.size) || !self.stands(from.0, from.1, moves.size) {
            return None;
        }
        let mean = (self.cost(from.0, from.1) + self.cost(to.0, to.1)) * 0.5;
        if dx == 0 || dy == 0 {
            return Some(mean);
        }
        let beside = [(to.0, from.1), (from.0, to.1)].map(|(x, y)| self.stands(x, y, moves.size));
        let is_free = match moves.rule {
            0 => beside[0] && beside[1],
            1 => beside[0] || beside[1],
            _ => true,
        };
        (moves.eight && is_free).then_some(f64::from_bits(0x3FF6_A09E_667F_3BCD) * mean)
    }

    /// The least cost from a cell to every cell, row by row; infinite where there is no way.
    pub fn dijkstra(&self, moves: Moves, from: (i32, i32)) -> Vec<f64> {
        let index = |(x, y): (i32, i32)| (y * self.width + x) as usize;
        let mut costs = std::vec![f64::INFINITY; self.cells.len()];
        let mut is_settled = std::vec![false; self.cells.len()];
        costs[index(from)] = 0.0;
        loop {
            let open = (0..costs.len()).filter(|&n| !is_settled[n] && costs[n] < f64::INFINITY);
            let Some(least) = open.min_by(|&a, &b| costs[a].total_cmp(&costs[b])) else { return costs };
            is_settled[least] = true;
            let (x, y) = (least as i32 % self.width, least as i32 / self.width);
            for to in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy))) {
                if let Some(step) = self.step(moves, (x, y), to) {
                    let cost = costs[least] + step;
                    if cost < costs[index(to)] {
                        costs[index(to)] = cost;
                    }
                }
            }
        }
    }

    /// Whether two cells of ground see each other: whether the segment between their centres is apart from every wall, a
    /// closed square, along one of the axes or across the segment. In half cells, all walls one by one.
    pub fn sees(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        if self.area(from.0, from.1) == 255 || self.area(to.0, to.1) == 255 {
            return false;
        }
        let [(x0, y0), (x1, y1)] = [from, to].map(|(x, y)| (2 * i64::from(x), 2 * i64::from(y)));
        let is_wall = |index: &usize| self.cells[*index] == 255;
        !(0..self.cells.len()).filter(is_wall).any(|index| {
            let (x, y) = (2 * (index as i64 % i64::from(self.width)), 2 * (index as i64 / i64::from(self.width)));
            let apart = |one: i64, other: i64, middle: i64| one.max(other) < middle - 1 || one.min(other) > middle + 1;
            let sides = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
                .map(|(cx, cy)| ((x1 - x0) * (y + cy - y0) - (y1 - y0) * (x + cx - x0)).signum());
            let is_across = sides != [1; 4] && sides != [-1; 4];
            !apart(x0, x1, x) && !apart(y0, y1, y) && is_across
        })
    }

    /// The cost of the shortest path that turns only at centres of cells, when length 1 costs 1.
    pub fn shortest_by_sight(&self, from: (i32, i32), to: (i32, i32)) -> f64 {
        let cells: Vec<(i32, i32)> = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).collect();
        let mut open: Vec<((i32, i32), f64)> = cells
            .into_iter()
            .filter(|&(x, y)| self.area(x, y) != 255)
            .map(|cell| (cell, if cell == from { 0.0 } else { f64::INFINITY }))
            .collect();
        while let Some(least) = (0..open.len()).min_by(|&a, &b| open[a].1.total_cmp(&open[b].1)) {
            let (at, cost) = open.swap_remove(least);
            if at == to || cost == f64::INFINITY {
                return cost;
            }
            for (next, known) in &mut open {
                let way = cost + crate::math::sqrt(f64::from((next.0 - at.0).pow(2) + (next.1 - at.1).pow(2)));
                if way < *known && self.sees(at, *next) {
                    *known = way;
                }
            }
        }
        f64::INFINITY
    }
}
