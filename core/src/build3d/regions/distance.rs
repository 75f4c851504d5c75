//! The distance field: how far every span is from a boundary (`build3d-regions.md`, section 1).

use crate::build3d::compact::{Compact, CompactSpan, NO_LINK};
use crate::build3d::erosion::{Predecessors, Visit, push_boundary, settle_levels};
use crate::build3d::frame::Frame;
use crate::error::Result;
use crate::memory::Arena;

/// A distance no span has: a grid of 2^24 columns is at most 4096 cells across one way, so no span is farther than 4096
/// half cells from an end of a row.
const UNSETTLED: u16 = u16::MAX;

/// Each span's exact distance to a boundary, in half cells, as an array at the arena's front.
///
/// A step along a mutual link counts 2, one along two perpendicular ones 3. Spans without an area and boundary spans
/// have 0. Linear in spans; takes 2 bytes a span, and 8 of scratch.
pub fn distance_field<'a>(field: &Compact<'_>, arena: &mut Arena<'a>) -> Result<&'a mut [u16]> {
    let distances = arena.take::<u16>(field.spans.len())?;
    for (distance, &area) in distances.iter_mut().zip(field.areas.iter()) {
        *distance = if area == 0 { 0 } else { UNSETTLED };
    }
    arena.scope(|desk| {
        let mut queue = desk.list(field.spans.len());
        push_boundary(field, &mut queue)?;
        for &[span, _] in queue.iter() {
            distances[span as usize] = 0;
        }
        let links = Mutual { frame: field.frame, firsts: field.firsts, spans: field.spans };
        settle_levels(&links, &mut queue, u32::from(UNSETTLED), |span, distance| {
            let fresh = distances[span] == UNSETTLED;
            if fresh {
                distances[span] = distance as u16;
            }
            fresh
        })?;
        desk.settle(&queue);
        Ok(())
    })?;
    Ok(distances)
}

/// Links that all go both ways: who links to a span is whom it links to.
struct Mutual<'f> {
    frame: Frame,
    firsts: &'f [u32],
    spans: &'f [CompactSpan],
}

impl Predecessors for Mutual<'_> {
    #[inline]
    fn each(&self, [to, cell]: Visit, dir: usize, mut found: impl FnMut(Visit) -> Result<()>) -> Result<()> {
        let link = self.spans[to as usize].link(dir);
        if link == NO_LINK {
            return Ok(());
        }
        // The link exists, so the neighbour cell does, and neither half of the packed cell carries or borrows.
        let cell = cell.wrapping_add([u32::MAX, 1 << 16, 1, u32::MAX << 16][dir]);
        let column = self.frame.column(cell & 0xFFFF, cell >> 16);
        found([self.firsts[column] + link, cell])
    }
}
