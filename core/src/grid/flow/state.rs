//! A flow field as bytes: `OPGS`, kind 7 (`grids-state.md`, "Flow field search", "GridFlowField").

use super::GridFlowField;
use super::field::{FlowStatus, node_in};
use super::wave::{GOAL, IDLE};
use crate::bytes::{Reader, Sink, StateKind, Writer, read_state_header, write_state_header};
use crate::error::{Result, Subject};
use crate::grid::Grid;
use crate::grid::jps::seen::Seen;
use crate::hash::Fnv1a;
use crate::search::NO_NODE;

impl GridFlowField<'_> {
    /// How many bytes [`save_state`](GridFlowField::save_state) writes.
    ///
    /// # Errors
    /// Those of [`save_state`](GridFlowField::save_state) but the last.
    pub fn state_size(&mut self, grid: &Grid<'_>) -> Result<usize> {
        let mut counter = Writer::counting();
        self.write_to(grid, &mut counter)?;
        Ok(counter.position())
    }

    /// Writes the field as it is, also amid its work, with the edits of the grid that it has not taken over. Gives how many
    /// bytes that took. Where the field is of a region, its bytes are those of a grid of that size.
    ///
    /// # Errors
    /// [`ErrorKind::State`](crate::error::ErrorKind::State) when nothing has begun. A grid in which the field does not lie. A capacity error with the bytes
    /// that are needed when `out` is too short.
    pub fn save_state(&mut self, grid: &Grid<'_>, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.write_to(grid, &mut writer)?;
        writer.finish(Subject::Bytes)
    }

    /// The hash of the bytes that [`save_state`](GridFlowField::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`state_size`](GridFlowField::state_size).
    pub fn state_hash(&mut self, grid: &Grid<'_>) -> Result<u64> {
        let mut hash = Fnv1a::new();
        self.write_to(grid, &mut hash)?;
        Ok(hash.finish())
    }

    /// Writes the saved bytes to any sink.
    ///
    /// # Errors
    /// Those of [`state_size`](GridFlowField::state_size).
    pub fn write_to(&mut self, grid: &Grid<'_>, out: &mut impl Sink) -> Result<()> {
        self.check_begun()?;
        self.check_grid(grid)?;
        self.note_edits(grid);
        write_state_header(out, StateKind::GridFlowField);
        out.i32(self.region.width);
        out.i32(self.region.height);
        out.u32(self.seen.area_version());
        out.u32(self.given_nodes().count() as u32);
        self.given_nodes().for_each(|node| out.u32(node));
        out.u32(self.noted_nodes().count() as u32);
        self.noted_nodes().for_each(|node| out.u32(node));
        self.write_search(out);
        Ok(())
    }

    fn write_search(&self, out: &mut impl Sink) {
        let wave = &self.wave;
        out.u32(wave.nodes as u32);
        out.u8(self.status as u8);
        out.i32(i32::try_from(self.settled).unwrap_or(i32::MAX));
        out.u8(self.in_repair.into());
        let targets = &self.targets[..self.target_count];
        out.u32(targets.len() as u32);
        targets.iter().for_each(|&target| out.u32(target));
        let nodes = 0..wave.nodes as u32;
        let reached = nodes.clone().filter(|&node| wave.costs[node as usize] < f64::INFINITY);
        out.u32(reached.clone().count() as u32);
        for node in reached {
            out.u32(node);
            out.f64(wave.costs[node as usize]);
        }
        let directed = nodes.filter(|&node| wave.next[node as usize] < GOAL);
        out.u32(directed.clone().count() as u32);
        for node in directed {
            out.u32(node);
            out.u32(wave.next[node as usize]);
        }
        out.u32(wave.waiting as u32);
        for &node in &wave.order[..wave.waiting] {
            out.u32(node);
            // f and g are both the cost.
            out.f64(wave.costs[node as usize]);
            out.f64(wave.costs[node as usize]);
        }
        if self.in_repair {
            out.u32(wave.stale.iter(wave.nodes).count() as u32);
            wave.stale.iter(wave.nodes).for_each(|node| out.u32(node));
        }
    }

    /// Restores saved bytes into a field that was begun in the same way: on the same grid, restored first, with the same
    /// goals, options and hooks. The work then goes on to the same bits.
    ///
    /// The bytes are checked for what could lead out of range or into an endless walk, as every number and their order;
    /// that the costs are those of the grid is trusted.
    ///
    /// # Errors
    /// [`ErrorKind::State`](crate::error::ErrorKind::State) when nothing has begun; a grid in which the field does not lie. Both leave the field as it is.
    /// [`ErrorKind::Version`](crate::error::ErrorKind::Version) for another version, [`ErrorKind::Format`](crate::error::ErrorKind::Format) naming what is wrong: the field then holds nothing
    /// until it is restored again, or [`refresh`](GridFlowField::refresh) makes it anew.
    pub fn restore_state(&mut self, grid: &Grid<'_>, bytes: &[u8]) -> Result<()> {
        self.check_begun()?;
        self.check_grid(grid)?;
        let result = self.read(grid, &mut Reader::new(bytes, Subject::Header));
        if result.is_err() {
            self.spoil(grid);
        }
        result
    }

    fn read(&mut self, grid: &Grid<'_>, reader: &mut Reader<'_>) -> Result<()> {
        read_state_header(reader, StateKind::GridFlowField)?;
        reader.section(Subject::GridWidth);
        expect(reader, self.region.width as u32)?;
        reader.section(Subject::GridHeight);
        expect(reader, self.region.height as u32)?;
        reader.section(Subject::AreaCosts);
        let area_version = reader.u32()?;
        check(reader, area_version <= i32::MAX as u32)?;
        expect_list(reader, self.given_nodes())?;
        self.wave.begin(self.wave.nodes);
        self.read_edits(reader)?;
        self.read_search(reader)?;
        reader.finish()?;
        self.seen = Seen::of(grid).with_area_version(area_version);
        Ok(())
    }

    fn read_edits(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let count = reader.count(4, Subject::Cell)?;
        self.has_noted_edits = count > 0;
        for index in 0..count {
            reader.element(Subject::Cell, index);
            let node = self.read_node(reader)?;
            check(reader, !self.wave.edited.has(node))?;
            self.wave.edited.set(node);
        }
        Ok(())
    }

    fn read_search(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        reader.section(Subject::Nodes);
        expect(reader, self.wave.nodes as u32)?;
        reader.section(Subject::Search);
        let status = reader.u8()?;
        // What has not begun holds nothing to go on with.
        check(reader, status == FlowStatus::Running as u8 || status == FlowStatus::Complete as u8)?;
        let settled = reader.i32()?;
        let in_repair = reader.u8()?;
        check(reader, settled >= 0 && in_repair <= 1 && (in_repair == 0 || status == FlowStatus::Running as u8))?;
        self.status = if status == FlowStatus::Running as u8 { FlowStatus::Running } else { FlowStatus::Complete };
        (self.settled, self.in_repair) = (settled as u64, in_repair == 1);
        expect_list(reader, self.targets[..self.target_count].iter().copied())?;
        self.read_costs(reader)?;
        self.read_steps(reader)?;
        self.read_heap(reader)?;
        if self.in_repair { self.read_stale(reader) } else { Ok(()) }
    }

    fn read_costs(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let mut last = None;
        for index in 0..reader.count(12, Subject::Nodes)? {
            reader.element(Subject::Nodes, index);
            let node = self.read_node(reader)?;
            let cost = reader.f64()?;
            let is_cost = (0.0..f64::INFINITY).contains(&cost) && cost.is_sign_positive();
            check(reader, is_cost && last.replace(node).is_none_or(|last| last < node))?;
            self.wave.costs[node as usize] = cost;
        }
        for index in 0..self.target_count {
            let target = self.targets[index] as usize;
            if self.wave.costs[target] < f64::INFINITY {
                reader.element(Subject::Goals, index);
                check(reader, self.wave.costs[target] == 0.0)?;
                self.wave.next[target] = GOAL;
            }
        }
        Ok(())
    }

    fn read_steps(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let mut last = None;
        for index in 0..reader.count(8, Subject::Step)? {
            reader.element(Subject::Step, index);
            let (node, next) = (self.read_node(reader)?, self.read_node(reader)?);
            let (from, to) = (self.cell_of(node), self.cell_of(next));
            let is_step = node != next && (to.x - from.x).abs() <= 1 && (to.y - from.y).abs() <= 1;
            let (cost, rest) = (self.wave.costs[node as usize], self.wave.costs[next as usize]);
            let leads_on = cost < f64::INFINITY && rest <= cost && self.wave.next[node as usize] == NO_NODE;
            check(reader, is_step && leads_on && last.replace(node).is_none_or(|last| last < node))?;
            self.wave.next[node as usize] = next;
        }
        Ok(())
    }

    fn read_heap(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let count = reader.count(20, Subject::OpenEntries)?;
        check(reader, count == 0 || self.status == FlowStatus::Running)?;
        for index in 0..count {
            reader.element(Subject::OpenEntries, index);
            let node = self.read_node(reader)?;
            let cost = self.wave.costs[node as usize].to_bits();
            let is_keyed = reader.u64()? == cost && reader.u64()? == cost && cost != f64::INFINITY.to_bits();
            check(reader, is_keyed && self.wave.slots[node as usize] == IDLE)?;
            check(reader, self.wave.wait_as_it_lay(node))?;
        }
        Ok(())
    }

    fn read_stale(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        for index in 0..reader.count(4, Subject::Cell)? {
            reader.element(Subject::Cell, index);
            let node = self.read_node(reader)?;
            check(reader, !self.wave.stale.has(node))?;
            self.wave.stale.set(node);
        }
        Ok(())
    }

    fn read_node(&self, reader: &mut Reader<'_>) -> Result<u32> {
        let node = reader.u32()?;
        check(reader, (node as usize) < self.wave.nodes)?;
        Ok(node)
    }

    /// The nodes of the goals that lie in the region, as they were given.
    fn given_nodes(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let region = self.region;
        self.goals().iter().filter_map(move |&goal| node_in(&region, goal))
    }

    fn noted_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.wave.edited.iter(self.wave.nodes)
    }
}

/// Refuses what was read last unless all is well with it.
fn check(reader: &Reader<'_>, is_well: bool) -> Result<()> {
    if is_well { Ok(()) } else { Err(reader.refuse()) }
}

/// Reads a number that must be this one.
fn expect(reader: &mut Reader<'_>, wanted: u32) -> Result<()> {
    let value = reader.u32()?;
    if value == wanted { Ok(()) } else { Err(reader.refuse().value(f64::from(value)).bound(f64::from(wanted))) }
}

/// Reads a counted list that must be this one.
fn expect_list(reader: &mut Reader<'_>, wanted: impl Iterator<Item = u32> + Clone) -> Result<()> {
    let count = reader.count(4, Subject::Goals)?;
    reader.section(Subject::Goals);
    check(reader, count == wanted.clone().count())?;
    for (index, node) in wanted.enumerate() {
        reader.element(Subject::Goals, index);
        expect(reader, node)?;
    }
    Ok(())
}
