//! Connected components: the partition of spans whose layers are known, or whose columns hold one walkable span each
//! (`build3d-regions.md`, section 4).

use crate::build3d::compact::Compact;
use crate::error::{Result, Subject};
use crate::memory::{Arena, List};

/// Cuts the walkable spans into the connected pieces of one area, unfiltered, numbered in order of first span;
/// `region_count` is the last id. Where `layers` gives each span a layer, pieces are of one layer too.
///
/// Links must be mutual. Takes 4 bytes for every run along x that is not linked to what came before it.
pub fn partition_components(field: &mut Compact<'_>, layers: Option<&[u16]>, arena: &mut Arena<'_>) -> Result<()> {
    field.regions.fill(0);
    field.region_count = 0;
    let joined = |a: usize, b: usize| layers.is_none_or(|layers| layers.get(a) == layers.get(b));
    arena.scope(|desk| {
        let mut parents = desk.list::<u32>(field.spans.len() + 1);
        parents.push(0, Subject::Regions)?; // label 0 is no region
        for z in 0..field.frame.depth {
            for x in 0..field.frame.width {
                let column = field.frame.column(x, z);
                for span in field.cell(column) {
                    let area = field.areas[span];
                    if area == 0 {
                        continue;
                    }
                    let mut label = 0;
                    for dir in [0, 3] {
                        let Some(to) = field.linked(span, x, z, dir) else { continue };
                        if field.areas[to] == area && joined(span, to) {
                            label = union(&mut parents, label, field.regions[to]);
                        }
                    }
                    if label == 0 {
                        label = parents.len() as u32;
                        parents.push(label, Subject::Regions)?;
                    }
                    field.regions[span] = label;
                }
            }
        }
        desk.settle(&parents);
        number_by_first_span(field, &mut parents);
        Ok(())
    })
}

/// The set a label belongs to, with the path to it halved.
pub(super) fn find(parents: &mut [u32], mut label: u32) -> u32 {
    while parents[label as usize] != label {
        let above = parents[parents[label as usize] as usize];
        parents[label as usize] = above;
        label = above;
    }
    label
}

/// Joins the sets of two labels, of which the first may be none, under the smaller; returns it.
fn union(parents: &mut List<'_, u32>, known: u32, label: u32) -> u32 {
    let b = find(parents, label);
    if known == 0 {
        return b;
    }
    let a = find(parents, known);
    let (low, high) = (a.min(b), a.max(b));
    parents[high as usize] = low;
    low
}

/// Replaces labels by their sets, numbered from 1 in order of first span. A set that is 0 stays so.
pub(super) fn number_by_first_span(field: &mut Compact<'_>, parents: &mut [u32]) {
    // A root becomes its own number with a mark; labels below it then resolve to it as well.
    const NUMBERED: u32 = 1 << 31;
    for label in 1..parents.len() as u32 {
        parents[label as usize] = find(parents, label);
    }
    field.region_count = 0;
    for region in field.regions.iter_mut().filter(|region| **region != 0) {
        let root = match parents[*region as usize] {
            direct if direct & NUMBERED != 0 => direct,
            root => {
                if root != 0 && parents[root as usize] & NUMBERED == 0 {
                    field.region_count += 1;
                    parents[root as usize] = field.region_count | NUMBERED;
                }
                parents[root as usize]
            }
        };
        *region = root & !NUMBERED;
    }
}
