//! What happens to small regions, and the final numbers (`build3d-regions.md`, section 5).

use super::components::{find, number_by_first_span};
use crate::build3d::compact::Compact;
use crate::error::{Result, Subject};
use crate::memory::{Arena, List, Pod, Zeroable};

/// A region while regions merge.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Region {
    spans: u32,
    /// One plus the place of its first and last seam, or 0.
    head: u32,
    tail: u32,
    /// Links counted towards it from the region that is looking for a neighbour; or [`TOUCHES`] before merging.
    links: u32,
}

const TOUCHES: u32 = 1;

/// A span that links to another region of its area.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Seam {
    span: u32,
    column: u32,
    /// One plus the place of the region's next seam, or 0.
    next: u32,
}

/// When it is decided that a region is an island: small, and with no other region beside it.
///
/// The watershed cuts an island into basins, each the other's neighbour. Before they merge none of them is alone, so
/// such an island stays however small it is: a ledge or a rooftop that nothing leads to. Afterwards it is one region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum IslandRule {
    /// Before regions merge: the order of `build3d-regions.md`, section 5.
    #[default]
    BeforeMerging,
    /// After they have merged, so that no island smaller than the least area stays, unless it has several areas.
    AfterMerging,
}

/// What happens to small regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Filtering {
    /// A region of fewer spans that touches no other is removed.
    pub min_area: u32,
    /// A region of fewer spans merges into a neighbour of its area; 0 merges nothing.
    pub merge_area: u32,
    /// When it is decided what is removed.
    pub islands: IslandRule,
}

/// Removes regions of fewer than `min_area` spans that touch no other, merges each of fewer than `merge_area` into the
/// neighbour of its area with which it shares most links (the smallest id on ties), and numbers the rest from 1 in
/// order of first span. Returns how many regions were removed.
///
/// Regions merge at once, in increasing id order, so that one pass leaves none that could still merge: a region that
/// is visited while small merges away if it has a neighbour of its area, and none ever gains one later.
/// Links must be mutual. Takes 20 bytes a region and 12 for every span at a seam.
pub fn filter_regions(field: &mut Compact<'_>, filtering: Filtering, arena: &mut Arena<'_>) -> Result<u32> {
    let Filtering { min_area, merge_area, islands } = filtering;
    let count = field.region_count as usize + 1;
    arena.scope(|desk| {
        let regions = desk.take_zeroed(count)?;
        let parents = desk.take::<u32>(count)?;
        (0..).zip(parents.iter_mut()).for_each(|(id, parent)| *parent = id);
        let mut seams = desk.list(field.spans.len());
        survey(field, regions, &mut seams)?;
        desk.settle(&seams);
        let mut removed = 0;
        for id in 1..count {
            if islands == IslandRule::BeforeMerging && regions[id].spans < min_area && regions[id].links != TOUCHES {
                parents[id] = 0;
                removed += 1;
            }
            regions[id].links = 0;
        }
        let mut merging = Merging { regions, parents, seams, steps: field.frame.steps() };
        for id in 1..count as u32 {
            if merging.parents[id as usize] == id && merging.regions[id as usize].spans < merge_area {
                merging.merge(field, id);
            }
        }
        if islands == IslandRule::AfterMerging {
            removed = merging.remove_islands(field, min_area);
        }
        number_by_first_span(field, merging.parents);
        Ok(removed)
    })
}

/// Counts every region's spans, notes which touch another region, and lists the spans at seams.
fn survey(field: &Compact<'_>, regions: &mut [Region], seams: &mut List<'_, Seam>) -> Result<()> {
    for (z, row) in field.rows().enumerate() {
        for around in row.cells() {
            for span in around.cell() {
                let id = field.regions[span];
                if id == 0 {
                    continue;
                }
                let region = &mut regions[id as usize];
                region.spans += 1;
                let links = field.spans[span].links;
                let mut seam = false;
                for dir in 0..4 {
                    let Some(to) = around.linked(links, dir) else { continue };
                    if field.regions[to] != id && field.regions[to] != 0 {
                        region.links = TOUCHES;
                        seam |= field.areas[to] == field.areas[span];
                    }
                }
                if seam {
                    let column = (around.x + z * field.frame.width as usize) as u32;
                    seams.push(Seam { span: span as u32, column, next: region.head }, Subject::Spans)?;
                    region.head = seams.len() as u32;
                    if region.tail == 0 {
                        region.tail = region.head;
                    }
                }
            }
        }
    }
    Ok(())
}

struct Merging<'f, 'q> {
    regions: &'f mut [Region],
    parents: &'f mut [u32],
    seams: List<'q, Seam>,
    steps: [usize; 4],
}

impl Merging<'_, '_> {
    /// Merges a region into the neighbour it shares most links with, if it has one.
    fn merge(&mut self, field: &Compact<'_>, id: u32) {
        self.drop_inner_seams(field, id);
        self.count_links(field, id);
        let Some(into) = self.most_linked(field, id) else { return };
        self.parents[id as usize] = into;
        let from = self.regions[id as usize];
        let region = &mut self.regions[into as usize];
        region.spans += from.spans;
        if from.head != 0 {
            self.seams[from.tail as usize - 1].next = region.head;
            region.head = from.head;
            if region.tail == 0 {
                region.tail = from.tail;
            }
        }
    }

    /// Removes what is small and alone now, and returns how many regions that were.
    fn remove_islands(&mut self, field: &Compact<'_>, min_area: u32) -> u32 {
        let count = self.regions.len();
        let is_small = |region: &Region| region.spans < min_area;
        if !(1..count).any(|id| self.parents[id] == id as u32 && is_small(&self.regions[id])) {
            return 0;
        }
        for row in field.rows() {
            for around in row.cells() {
                for span in around.cell().filter(|&span| field.regions[span] != 0) {
                    let id = find(self.parents, field.regions[span]);
                    let links = field.spans[span].links;
                    for to in (0..4).filter_map(|dir| around.linked(links, dir)) {
                        let other = field.regions[to];
                        if other != 0 && find(self.parents, other) != id {
                            self.regions[id as usize].links = TOUCHES;
                        }
                    }
                }
            }
        }
        let mut removed = 0;
        for id in 1..count {
            let region = self.regions[id];
            if self.parents[id] == id as u32 && is_small(&region) && region.links != TOUCHES {
                self.parents[id] = 0;
                removed += 1;
            }
        }
        removed
    }

    /// The regions of its area that a seam's span links to, by direction.
    fn across(&mut self, field: &Compact<'_>, seam: Seam, id: u32) -> [Option<u32>; 4] {
        core::array::from_fn(|dir| {
            let span = seam.span as usize;
            let to = field.linked_by(span, seam.column as usize, dir, &self.steps)?;
            if field.areas[to] != field.areas[span] {
                return None;
            }
            let other = find(self.parents, field.regions[to]);
            (other != id && other != 0).then_some(other)
        })
    }

    /// Unlists the seams that earlier merges closed, so that a region is only ever walked along its border.
    fn drop_inner_seams(&mut self, field: &Compact<'_>, id: u32) {
        let mut at = core::mem::take(&mut self.regions[id as usize].head);
        self.regions[id as usize].tail = 0;
        while at != 0 {
            let seam = self.seams[at as usize - 1];
            if self.across(field, seam, id).iter().any(Option::is_some) {
                let region = &mut self.regions[id as usize];
                self.seams[at as usize - 1].next = region.head;
                region.head = at;
                if region.tail == 0 {
                    region.tail = at;
                }
            }
            at = seam.next;
        }
    }

    fn count_links(&mut self, field: &Compact<'_>, id: u32) {
        let mut at = self.regions[id as usize].head;
        while at != 0 {
            let seam = self.seams[at as usize - 1];
            for other in self.across(field, seam, id).into_iter().flatten() {
                self.regions[other as usize].links += 1;
            }
            at = seam.next;
        }
    }

    /// The neighbour with most links, the smallest id on ties; sets the counts back to 0.
    fn most_linked(&mut self, field: &Compact<'_>, id: u32) -> Option<u32> {
        let mut best: Option<(u32, u32)> = None;
        let mut at = self.regions[id as usize].head;
        while at != 0 {
            let seam = self.seams[at as usize - 1];
            for other in self.across(field, seam, id).into_iter().flatten() {
                let links = core::mem::take(&mut self.regions[other as usize].links);
                if links > 0 && best.is_none_or(|(most, least)| links > most || links == most && other < least) {
                    best = Some((links, other));
                }
            }
            at = seam.next;
        }
        best.map(|(_, other)| other)
    }
}
