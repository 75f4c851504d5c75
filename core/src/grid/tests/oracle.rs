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
}
