//! The watershed: regions grow down the distance field from its peaks, level by level
//! (`build3d-regions.md`, section 2).

use super::distance::distance_field;
use crate::build3d::compact::Compact;
use crate::error::{Result, Subject};
use crate::memory::{Arena, List};

/// Cuts the walkable spans into the basins of their distance field, unfiltered; `region_count` is the last id.
///
/// Links must be mutual. Time is linear in spans. Takes 10 bytes a span of scratch and 4 for every span of the largest
/// level, beside what the distance field needs while it is made.
pub fn partition_watershed(field: &mut Compact<'_>, arena: &mut Arena<'_>) -> Result<()> {
    field.regions.fill(0);
    field.region_count = 0;
    arena.scope(|desk| {
        let distances = distance_field(field, desk)?;
        let order = desk.take(field.spans.len())?;
        let (walkable, largest) = sort_by_level(field, distances, order, desk)?;
        let columns = desk.take(field.spans.len())?;
        field.write_columns(columns);
        let mut flood =
            Flood { distances, columns, queue: List::over(desk.take(largest)?), steps: field.frame.steps() };
        let mut rest = &order[..walkable];
        while let Some(&first) = rest.first() {
            let level = distances[first as usize];
            let count = rest.iter().take_while(|&&span| distances[span as usize] == level).count();
            let (spans, lower) = rest.split_at(count);
            flood.grow(field, spans)?;
            flood.found_basins(field, spans, level)?;
            rest = lower;
        }
        Ok(())
    })
}

/// Orders the walkable spans from the farthest level down, by index within a level, and returns how many there are
/// and how many the largest level has.
fn sort_by_level(
    field: &Compact<'_>,
    distances: &[u16],
    order: &mut [u32],
    arena: &mut Arena<'_>,
) -> Result<(usize, usize)> {
    let top = distances.iter().copied().max().unwrap_or(0) as usize;
    arena.scope(|desk| {
        // Where the next span of each level goes.
        let places = desk.take_zeroed::<u32>(top + 1)?;
        let walkable = || distances.iter().zip(field.areas.iter()).enumerate().filter(|(_, (_, area))| **area != 0);
        for (_, (&distance, _)) in walkable() {
            places[distance as usize] += 1;
        }
        let largest = places.iter().copied().max().unwrap_or(0);
        let mut sum = 0;
        for place in places.iter_mut().rev() {
            sum += core::mem::replace(place, sum);
        }
        for (span, (&distance, _)) in walkable() {
            let place = &mut places[distance as usize];
            order[*place as usize] = span as u32;
            *place += 1;
        }
        Ok((sum as usize, largest as usize))
    })
}

/// Marks a region that a span joins at the end of the current round; until then the span counts as unassigned.
const JOINING: u32 = 1 << 31;

/// The state of growth and flooding.
struct Flood<'f, 'q> {
    distances: &'f [u16],
    columns: &'f [u32],
    queue: List<'q, u32>,
    steps: [usize; 4],
}

impl Flood<'_, '_> {
    #[inline]
    fn neighbor(&self, field: &Compact<'_>, span: usize, dir: usize) -> Option<usize> {
        field.linked_by(span, self.columns[span] as usize, dir, &self.steps)
    }

    /// Grows the regions there are over a level's spans, in synchronous rounds: each span that touches a region of its
    /// area joins the least of them, as they were when the round began.
    fn grow(&mut self, field: &mut Compact<'_>, spans: &[u32]) -> Result<()> {
        self.queue.clear();
        for &span in spans {
            let span = span as usize;
            let mut least = JOINING;
            for dir in 0..4 {
                let Some(to) = self.neighbor(field, span, dir) else { continue };
                let region = field.regions[to];
                // A joining neighbour's mark makes it larger than any region.
                if region != 0 && region < least && field.areas[to] == field.areas[span] {
                    least = region;
                }
            }
            if least != JOINING {
                field.regions[span] = least | JOINING;
                self.queue.push(span as u32, Subject::Spans)?;
            }
        }
        let level = spans.first().map_or(0, |&span| self.distances[span as usize]);
        let mut begin = 0;
        while begin < self.queue.len() {
            let end = self.queue.len();
            for &span in &self.queue[begin..end] {
                field.regions[span as usize] &= !JOINING;
            }
            // In the next round a span can only join what joined in this one: whatever else it touches, it would have
            // joined before.
            for at in begin..end {
                let span = self.queue[at] as usize;
                self.offer(field, span, level)?;
            }
            begin = end;
        }
        Ok(())
    }

    /// Lets the unassigned spans of the level around a span join its region, where it is the least offered.
    fn offer(&mut self, field: &mut Compact<'_>, span: usize, level: u16) -> Result<()> {
        let offered = field.regions[span] | JOINING;
        for dir in 0..4 {
            let Some(to) = self.neighbor(field, span, dir) else { continue };
            if self.distances[to] != level || field.areas[to] != field.areas[span] {
                continue;
            }
            let region = field.regions[to];
            if region == 0 {
                field.regions[to] = offered;
                self.queue.push(to as u32, Subject::Spans)?;
            } else if region & JOINING != 0 && offered < region {
                field.regions[to] = offered;
            }
        }
        Ok(())
    }

    /// Makes every span of the level that is still unassigned, in order, a new region, and floods what is connected to
    /// it at the same level and of the same area.
    fn found_basins(&mut self, field: &mut Compact<'_>, spans: &[u32], level: u16) -> Result<()> {
        for &seed in spans {
            if field.regions[seed as usize] != 0 {
                continue;
            }
            field.region_count += 1;
            field.regions[seed as usize] = field.region_count;
            self.queue.clear();
            self.queue.push(seed, Subject::Spans)?;
            let mut at = 0;
            while at < self.queue.len() {
                let span = self.queue[at] as usize;
                at += 1;
                for dir in 0..4 {
                    let Some(to) = self.neighbor(field, span, dir) else { continue };
                    let joins =
                        field.regions[to] == 0 && self.distances[to] == level && field.areas[to] == field.areas[span];
                    if joins {
                        field.regions[to] = field.region_count;
                        self.queue.push(to as u32, Subject::Spans)?;
                    }
                }
            }
        }
        Ok(())
    }
}
