//! Layers: the partition whose regions never lie above one another, and the layer each region or span is on
//! (`build3d-regions.md`, section 4; `build3d-polys.md`, section 5).

use super::components::{find, partition_components};
use super::filter::{Filtering, filter_regions};
use super::monotone::partition_monotone;
use crate::build3d::compact::{Compact, NO_LINK};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List, Pod, Zeroable};

/// Most layers of a tile.
pub const MAX_LAYERS: usize = 1024;

/// Cuts the walkable spans into regions that hold at most one span of a column, so that two adjacent ones of an area
/// always overlap; unfiltered. Ids are those of the monotone regions that lived on, up to `region_count`.
///
/// Where no column holds two walkable spans, these are the connected components. Links must be mutual. Takes 20 bytes
/// a region, 8 for every run of links between two regions, and 8 for every walkable span of a column with several.
pub fn partition_layers(field: &mut Compact<'_>, arena: &mut Arena<'_>) -> Result<()> {
    if !has_overlap(field) {
        return partition_components(field, None, arena);
    }
    partition_monotone(field, arena)?;
    arena.scope(|desk| {
        let mut shelf = Shelf::survey(field, Adjacency::SameArea, desk)?;
        let count = field.region_count + 1;
        loop {
            let mut changed = false;
            for id in 1..count {
                if shelf.parents[id as usize] == id {
                    changed |= shelf.merge_least(field, id);
                }
            }
            if !changed {
                break;
            }
        }
        for region in field.regions.iter_mut() {
            *region = find(shelf.parents, *region);
        }
        Ok(())
    })
}

/// Decides each span's layer once, from geometry alone: the layer partition with every island kept, its regions set on
/// layers by [`layers_of_regions`]. Returns how many layers there are, at least 1.
///
/// A span that is not walkable goes with its first walkable neighbour in direction order -x, +z, +x, -z, else to layer
/// 0 (`build3d-runtime.md`, "Layer-first tiles"). The field's regions are scratch and come back as 0. `layers` has one
/// element a span. Links must be mutual.
pub fn layers_of_spans(field: &mut Compact<'_>, layers: &mut [u16], arena: &mut Arena<'_>) -> Result<usize> {
    partition_layers(field, arena)?;
    filter_regions(field, Filtering::default(), arena)?;
    let count = arena.scope(|desk| {
        let of_region = desk.take::<u16>(field.region_count as usize + 1)?;
        let count = layers_of_regions(field, 0, of_region, desk)?;
        for z in 0..field.frame.depth {
            for x in 0..field.frame.width {
                let column = field.frame.column(x, z);
                for span in field.cell(column) {
                    let walkable = |dir: usize| {
                        let to = field.linked(span, x, z, dir)?;
                        (field.areas[to] != 0).then_some(field.regions[to])
                    };
                    let region = match field.areas[span] {
                        0 => (0..4).find_map(walkable).unwrap_or(0),
                        _ => field.regions[span],
                    };
                    layers[span] = of_region[region as usize];
                }
            }
        }
        Ok(count)
    })?;
    field.regions.fill(0);
    field.region_count = 0;
    Ok(count)
}

/// The regions of a tile build by layers: the connected pieces of one area on one layer, without the islands of fewer
/// than `min_area` spans that touch no other region, numbered in order of first span. Returns how many were removed.
pub fn partition_on_layers(
    field: &mut Compact<'_>,
    layers: &[u16],
    min_area: u32,
    arena: &mut Arena<'_>,
) -> Result<u32> {
    partition_components(field, Some(layers), arena)?;
    filter_regions(field, Filtering { min_area, ..Filtering::default() }, arena)
}

/// Sets each region on a layer where no region of that layer shares a column with it, in id order: the lowest layer of
/// an adjacent region that is free, else the lowest free one. Returns how many layers there are, at least 1.
///
/// `layers` has one element for each id from 0 to `region_count`; those of 0 and of `border`, which takes part in
/// nothing, are 0. More than [`MAX_LAYERS`] are refused. Links must be mutual.
pub fn layers_of_regions(field: &Compact<'_>, border: u32, layers: &mut [u16], arena: &mut Arena<'_>) -> Result<usize> {
    refuse_tall_columns(field, border)?;
    arena.scope(|desk| {
        let shelf = Shelf::survey(field, Adjacency::AnyArea { border }, desk)?;
        // One plus the region that a layer was last found taken for, and the same for an adjacent region's layer.
        let taken = desk.take_zeroed::<u32>(MAX_LAYERS)?;
        let beside = desk.take_zeroed::<u32>(MAX_LAYERS)?;
        let mut count = 1;
        layers.fill(0);
        for id in 1..=field.region_count {
            if id == border {
                continue;
            }
            shelf.each_overlap(field, id, usize::MAX, |other| {
                if other < id && other != border {
                    taken[layers[other as usize] as usize] = id;
                }
            });
            shelf.each_adjacent(id, |other| {
                if other < id {
                    beside[layers[other as usize] as usize] = id;
                }
            });
            let free = |layer: &usize| taken[*layer] != id;
            let preferred = (0..count).find(|layer| free(layer) && beside[*layer] == id);
            let layer = preferred.or_else(|| (0..MAX_LAYERS).find(free));
            let layer = layer.ok_or(Error::capacity(Subject::Layers, MAX_LAYERS).at(id as usize))?;
            layers[id as usize] = layer as u16;
            count = count.max(layer + 1);
        }
        Ok(count)
    })
}

/// Whether some column holds two walkable spans.
fn has_overlap(field: &Compact<'_>) -> bool {
    field.firsts.windows(2).any(|cell| {
        let areas = &field.areas[cell[0] as usize..cell[1] as usize];
        areas.len() > 1 && areas.iter().filter(|area| **area != 0).count() > 1
    })
}

/// A column with more regions than there can be layers needs no search to be refused, and would make one slow.
fn refuse_tall_columns(field: &Compact<'_>, border: u32) -> Result<()> {
    for (column, cell) in field.firsts.windows(2).enumerate() {
        let regions = &field.regions[cell[0] as usize..cell[1] as usize];
        if regions.len() > MAX_LAYERS && regions.iter().filter(|id| **id != 0 && **id != border).count() > MAX_LAYERS {
            return Err(Error::capacity(Subject::Layers, MAX_LAYERS).at(column));
        }
    }
    Ok(())
}

/// Which regions count as adjacent.
#[derive(Clone, Copy)]
enum Adjacency {
    /// Those of the same area, which may merge.
    SameArea,
    /// All but one.
    AnyArea { border: u32 },
}

/// An element of a region's list: a column that it shares, or a region beside it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Entry {
    value: u32,
    /// One plus the place of the next entry, or 0.
    next: u32,
}

/// A region's lists, by one plus the places of their first and last entries.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Lists {
    columns: [u32; 2],
    beside: [u32; 2],
}

/// What regions share and touch, as lists that can be joined.
struct Shelf<'q> {
    lists: &'q mut [Lists],
    /// What each region merged into; itself while it lives.
    parents: &'q mut [u32],
    /// The region whose visit last found this one above or below it, or beside it.
    marks: &'q mut [[u32; 2]],
    visit: u32,
    entries: List<'q, Entry>,
}

impl<'q> Shelf<'q> {
    fn survey(field: &Compact<'_>, adjacency: Adjacency, desk: &mut Arena<'q>) -> Result<Self> {
        let count = field.region_count as usize + 1;
        let lists = desk.take_zeroed(count)?;
        let parents = desk.take(count)?;
        let marks = desk.take_zeroed(count)?;
        let entries = desk.list(8 * field.spans.len());
        let mut shelf = Shelf { lists, parents, marks, visit: 0, entries };
        (0..).zip(shelf.parents.iter_mut()).for_each(|(id, parent)| *parent = id);
        for z in 0..field.frame.depth {
            for x in 0..field.frame.width {
                let column = field.frame.column(x, z);
                shelf.list_column(field, column)?;
                for span in field.cell(column) {
                    for dir in [0, 3] {
                        if let Some(to) = field.linked(span, x, z, dir) {
                            shelf.list_link(field, span, to, adjacency)?;
                        }
                    }
                }
            }
        }
        desk.settle(&shelf.entries);
        Ok(shelf)
    }

    /// Lists a column with every region in it, where there are several.
    fn list_column(&mut self, field: &Compact<'_>, column: usize) -> Result<()> {
        let regions = &field.regions[field.cell(column)];
        if regions.len() < 2 || regions.iter().filter(|region| **region != 0).count() < 2 {
            return Ok(());
        }
        for &region in regions.iter().filter(|region| **region != 0) {
            let mut list = self.lists[region as usize].columns;
            self.append(&mut list, column as u32)?;
            self.lists[region as usize].columns = list;
        }
        Ok(())
    }

    fn list_link(&mut self, field: &Compact<'_>, span: usize, to: usize, adjacency: Adjacency) -> Result<()> {
        let [a, b] = [field.regions[span], field.regions[to]];
        let counts = match adjacency {
            Adjacency::SameArea => field.areas[span] == field.areas[to],
            Adjacency::AnyArea { border } => a != border && b != border,
        };
        if a == b || a == 0 || b == 0 || !counts {
            return Ok(());
        }
        for [from, beside] in [[a, b], [b, a]] {
            let mut list = self.lists[from as usize].beside;
            // Regions meet along runs, so most repetitions follow one another.
            if list[1] == 0 || self.entries[list[1] as usize - 1].value != beside {
                self.append(&mut list, beside)?;
                self.lists[from as usize].beside = list;
            }
        }
        Ok(())
    }

    fn append(&mut self, list: &mut [u32; 2], value: u32) -> Result<()> {
        self.entries.push(Entry { value, next: 0 }, Subject::Regions)?;
        let place = self.entries.len() as u32;
        match list[1] {
            0 => list[0] = place,
            last => self.entries[last as usize - 1].next = place,
        }
        list[1] = place;
        Ok(())
    }

    fn each(&self, list: [u32; 2], mut found: impl FnMut(u32)) {
        let mut at = list[0];
        while at != 0 {
            let entry = self.entries[at as usize - 1];
            found(entry.value);
            at = entry.next;
        }
    }

    /// Calls `found` with the region of every span, among the lowest `depth` of its column, that shares a column with a
    /// region.
    fn each_overlap(&self, field: &Compact<'_>, id: u32, depth: usize, mut found: impl FnMut(u32)) {
        self.each(self.lists[id as usize].columns, |column| {
            let cell = field.cell(column as usize);
            field.regions[cell].iter().take(depth).filter(|region| **region != 0).for_each(|region| found(*region));
        });
    }

    fn each_adjacent(&self, id: u32, found: impl FnMut(u32)) {
        self.each(self.lists[id as usize].beside, found);
    }

    /// Merges a region with the least one beside it that does not overlap it, under the smaller id. False where there
    /// is none.
    ///
    /// Overlap outlives every merge of either, so a neighbour found to overlap is unlisted for good. A region with a
    /// neighbour has mutual links, so its spans are among the lowest of their columns that links can name.
    fn merge_least(&mut self, field: &Compact<'_>, id: u32) -> bool {
        if self.lists[id as usize].beside[0] == 0 {
            return false;
        }
        self.visit += 1;
        self.mark_overlaps(field, id);
        let Some(other) = self.prune_beside(id) else { return false };
        let (low, high) = (id.min(other), id.max(other));
        self.parents[high as usize] = low;
        let gone = core::mem::take(&mut self.lists[high as usize]);
        let mut kept = self.lists[low as usize];
        self.join(&mut kept.columns, gone.columns);
        self.join(&mut kept.beside, gone.beside);
        self.lists[low as usize] = kept;
        true
    }

    fn mark_overlaps(&mut self, field: &Compact<'_>, id: u32) {
        let mut at = self.lists[id as usize].columns[0];
        while at != 0 {
            let Entry { value: column, next } = self.entries[at as usize - 1];
            let cell = field.cell(column as usize);
            for &region in field.regions[cell].iter().take(NO_LINK as usize) {
                let region = find(self.parents, region);
                self.marks[region as usize][0] = self.visit;
            }
            at = next;
        }
    }

    /// Keeps one entry for each neighbour that a region could merge with, and returns the least.
    fn prune_beside(&mut self, id: u32) -> Option<u32> {
        let mut at = core::mem::take(&mut self.lists[id as usize].beside)[0];
        let mut kept = [0; 2];
        let mut least: Option<u32> = None;
        while at != 0 {
            let Entry { value, next } = self.entries[at as usize - 1];
            let other = find(self.parents, value);
            let [overlaps, seen] = self.marks[other as usize];
            if other != id && overlaps != self.visit && seen != self.visit {
                self.marks[other as usize][1] = self.visit;
                self.entries[at as usize - 1] = Entry { value: other, next: 0 };
                self.join(&mut kept, [at, at]);
                least = Some(least.map_or(other, |least| least.min(other)));
            }
            at = next;
        }
        self.lists[id as usize].beside = kept;
        least
    }

    fn join(&mut self, list: &mut [u32; 2], other: [u32; 2]) {
        if other[0] == 0 {
            return;
        }
        match list[1] {
            0 => list[0] = other[0],
            last => self.entries[last as usize - 1].next = other[0],
        }
        list[1] = other[1];
    }
}
