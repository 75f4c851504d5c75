//! The monotone partition: runs along x, continued from row to row (`build3d-regions.md`, section 3).

use crate::build3d::compact::Compact;
use crate::error::{Result, Subject};
use crate::memory::{Arena, List, Pod, Zeroable};

/// A run of linked spans of one area along x.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Sweep {
    /// The one region it touches in the row before; 0 where it touches none, [`SEVERAL`] where it touches more.
    region: u32,
    /// The id it gets.
    id: u32,
}

const SEVERAL: u32 = u32::MAX;
/// Marks a region that two sweeps of the row touch.
const CONTESTED: u32 = 1 << 31;

/// Cuts the walkable spans into regions of at most one sweep a row, unfiltered; `region_count` is the last id.
///
/// Links must be mutual. Time is linear in spans. Takes 8 bytes for every span of the fullest row and 4 a region.
pub fn partition_monotone(field: &mut Compact<'_>, arena: &mut Arena<'_>) -> Result<()> {
    field.regions.fill(0);
    field.region_count = 0;
    let (width, depth) = (field.frame.width as usize, field.frame.depth as usize);
    let row_spans = |z: usize| (field.firsts[(z + 1) * width] - field.firsts[z * width]) as usize;
    let most = (0..depth).map(row_spans).max().unwrap_or(0);
    arena.scope(|desk| {
        let mut rows =
            Rows { sweeps: List::over(desk.take(most)?), before: 0, touched: desk.list(field.spans.len() + 1) };
        rows.touched.push(0, Subject::Regions)?; // no region has id 0
        for z in 0..field.frame.depth {
            rows.find_sweeps(field, z)?;
            rows.number_sweeps(field)?;
            let row = field.firsts[z as usize * width] as usize..field.firsts[(z as usize + 1) * width] as usize;
            for region in field.regions[row].iter_mut().filter(|region| **region != 0) {
                *region = rows.sweeps[*region as usize - 1].id;
            }
        }
        desk.settle(&rows.touched);
        Ok(())
    })
}

struct Rows<'q> {
    /// The sweeps of the current row, in the order in which they begin.
    sweeps: List<'q, Sweep>,
    /// How many sweeps the rows before had.
    before: u32,
    /// For each region, one plus the number over all rows of the last sweep that touched it, with [`CONTESTED`] where
    /// another of the same row had before.
    touched: List<'q, u32>,
}

impl Rows<'_> {
    /// Finds the row's sweeps and what they touch; each span's region becomes its sweep's place in the row plus one.
    fn find_sweeps(&mut self, field: &mut Compact<'_>, z: u32) -> Result<()> {
        self.before += self.sweeps.len() as u32;
        self.sweeps.clear();
        for x in 0..field.frame.width {
            let column = field.frame.column(x, z);
            for span in field.cell(column) {
                let area = field.areas[span];
                if area == 0 {
                    continue;
                }
                let same_area = |to: &usize| field.areas[*to] == area;
                let sweep = match field.linked(span, x, z, 0).filter(same_area) {
                    Some(left) => field.regions[left] as usize - 1,
                    None => {
                        self.sweeps.push(Sweep::default(), Subject::Spans)?;
                        self.sweeps.len() - 1
                    }
                };
                if let Some(below) = field.linked(span, x, z, 3).filter(same_area) {
                    self.touch(sweep, field.regions[below]);
                }
                field.regions[span] = sweep as u32 + 1;
            }
        }
        Ok(())
    }

    fn touch(&mut self, sweep: usize, region: u32) {
        let known = &mut self.sweeps[sweep].region;
        *known = if *known == 0 || *known == region { region } else { SEVERAL };
        let number = self.before + sweep as u32 + 1;
        let touched = &mut self.touched[region as usize];
        let last = *touched & !CONTESTED;
        if last <= self.before {
            *touched = number;
        } else if last != number {
            *touched |= CONTESTED;
        }
    }

    /// Continues the region of each sweep that touches just one that no other sweep touches; numbers the others.
    fn number_sweeps(&mut self, field: &mut Compact<'_>) -> Result<()> {
        for sweep in self.sweeps.iter_mut() {
            let touched = match sweep.region {
                0 | SEVERAL => CONTESTED,
                region => self.touched[region as usize],
            };
            if touched & CONTESTED == 0 {
                sweep.id = sweep.region;
            } else {
                field.region_count += 1;
                sweep.id = field.region_count;
                self.touched.push(0, Subject::Regions)?;
            }
        }
        Ok(())
    }
}
