//! The path over the hierarchy, written out cell by cell (`grids.md`, "HPA*", "Query").

use super::search::{HpaSearch, World};
use crate::error::{Error, Result, Subject};

impl HpaSearch<'_> {
    /// Writes the cells of the path that was found, start first. Each way within a chunk is searched for again as it was
    /// when it was priced, so that the cells are those that the price is of.
    pub(super) fn refine(&mut self, world: &World<'_, '_>) -> Result<()> {
        self.path_len = 0;
        self.push(self.goal.cell)?;
        let mut node = self.goal.node;
        // From the goal back; no path has more nodes than there are.
        for _ in 0..self.nodes.len() {
            let before = self.nodes.get(node).map(|known| known.parent);
            let Some(before) = before.filter(|&parent| self.nodes.is_reached(parent)) else { break };
            self.write_way_back(world, before, node)?;
            node = before;
        }
        self.path[..self.path_len].reverse();
        Ok(())
    }

    /// Writes the cells between two nodes from the later back to the earlier, without the later.
    fn write_way_back(&mut self, world: &World<'_, '_>, from: u32, to: u32) -> Result<()> {
        let (from_cell, to_cell) = (self.cell_of(world, from), self.cell_of(world, to));
        let chunk = world.chunk_of(from_cell);
        if chunk != world.chunk_of(to_cell) {
            return self.push(from_cell);
        }
        let view = world.view(chunk);
        let hierarchy = world.hierarchy;
        let place = |node: u32| node.wrapping_sub(hierarchy.first_node(chunk)) as usize;
        let of = |costs: &[f64], node: u32| costs.get(place(node)).copied().unwrap_or(f64::INFINITY);
        let (path, first) = (&mut *self.path, self.path_len);
        let mut at = first;
        let mut write = |cell: u32| {
            if let Some(place) = path.get_mut(at) {
                *place = cell;
            }
            at += 1;
        };
        let ends_at_goal = to == self.goal.node && self.by_goal;
        if ends_at_goal && from != self.start.node {
            // Priced from the goal: its way back is the way there.
            let cost = of(self.to_goal, from);
            self.work.visit_way_back(&view, to_cell, from_cell, cost, |cell| {
                if cell != to_cell {
                    write(cell);
                }
            });
        } else {
            let cost = match () {
                _ if from != self.start.node => of(hierarchy.costs_from(chunk, place(from) as u32), to),
                _ if ends_at_goal => self.direct,
                _ => of(self.from_start, to),
            };
            self.work.visit_way_back(&view, from_cell, to_cell, cost, |cell| {
                if cell != to_cell {
                    write(cell);
                }
            });
        }
        if at > self.path.len() {
            return Err(Error::capacity(Subject::PathLength, self.path.len()));
        }
        if ends_at_goal && from != self.start.node {
            self.path[first..at].reverse();
        }
        self.path_len = at;
        Ok(())
    }

    fn cell_of(&self, world: &World<'_, '_>, node: u32) -> u32 {
        match node {
            _ if node == self.start.node => self.start.cell,
            _ if node == self.goal.node => self.goal.cell,
            // The last is for another hierarchy than the search began with: a cell of the grid all the same.
            _ => world.hierarchy.cell_of(node).filter(|&cell| world.has(cell)).unwrap_or(self.start.cell),
        }
    }

    fn push(&mut self, cell: u32) -> Result<()> {
        let capacity = self.path.len();
        let place = self.path.get_mut(self.path_len).ok_or(Error::capacity(Subject::PathLength, capacity))?;
        *place = cell;
        self.path_len += 1;
        Ok(())
    }
}
