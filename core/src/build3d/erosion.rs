//! Erosion: what is nearer to a wall or an edge than the agent's radius stops being walkable
//! (`build3d-spans.md`, section 8), and the wave of exact distances that it shares with the watershed
//! (`build3d-regions.md`, section 1).
//!
//! Distances are whole half cells, so spans are settled level by level: those two half cells beyond a level by a step
//! along a link, those three beyond by a step along two perpendicular links. Every span is settled once, at its exact
//! distance, in time linear in spans.

use super::compact::{Compact, CompactSpan, DIR_X, DIR_Z, NO_LINK};
use super::frame::Frame;
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List};

/// The largest radius, in cells.
pub const MAX_RADIUS: u32 = 1 << 20;

/// Takes the area from every span whose distance to a boundary is below `2 * radius`: a step along a link counts 2, one
/// along two perpendicular links 3. A boundary span is one that lacks a walkable neighbour in some direction.
///
/// `radius` is in cells; 0 does nothing, and more than [`MAX_RADIUS`] is refused. Links count one way, so this comes
/// before [`Compact::keep_mutual_links`]. Takes 8 bytes of scratch for every span it erodes and gives them back.
pub fn erode(field: &mut Compact<'_>, radius: u32, arena: &mut Arena<'_>) -> Result<()> {
    if radius > MAX_RADIUS {
        return Err(Error::limit(Subject::AgentRadius).value(f64::from(radius)).bound(f64::from(MAX_RADIUS)));
    }
    if radius == 0 {
        return Ok(());
    }
    arena.scope(|desk| {
        let mut queue = desk.list(field.spans.len());
        push_boundary(field, &mut queue)?;
        // From here on an area of 0 marks what is settled. A span next to one that never was walkable is boundary
        // itself, so those need not be in the queue.
        for &[span, _] in queue.iter() {
            field.areas[span as usize] = 0;
        }
        let Compact { frame, firsts, spans, areas, .. } = field;
        let links = OneWay { frame: *frame, firsts, spans };
        settle_levels(&links, &mut queue, 2 * radius, |span, _| core::mem::take(&mut areas[span]) != 0)?;
        desk.settle(&queue);
        Ok(())
    })
}

/// A span and its cell, `x | z << 16`, on its way through a queue.
pub(super) type Visit = [u32; 2];

/// Queues the walkable boundary spans, in span order.
pub(super) fn push_boundary(field: &Compact<'_>, queue: &mut List<'_, Visit>) -> Result<()> {
    let frame = field.frame;
    for z in 0..frame.depth {
        for x in 0..frame.width {
            let column = frame.column(x, z);
            for span in field.firsts[column] as usize..field.firsts[column + 1] as usize {
                let walkable = |dir| field.linked(span, x, z, dir).is_some_and(|to| field.areas[to] != 0);
                if field.areas[span] != 0 && !(0..4).all(walkable) {
                    queue.push([span as u32, x | z << 16], Subject::Spans)?;
                }
            }
        }
    }
    Ok(())
}

/// Who can step to a span: its predecessors along links, by the direction in which their cell lies.
pub(super) trait Predecessors {
    /// Calls `found` with every span of the neighbour cell in direction `dir` that links to `to`, and its cell.
    fn each(&self, to: Visit, dir: usize, found: impl FnMut(Visit) -> Result<()>) -> Result<()>;
}

/// Links as they are, each one way.
struct OneWay<'f> {
    frame: Frame,
    firsts: &'f [u32],
    spans: &'f [CompactSpan],
}

impl Predecessors for OneWay<'_> {
    #[inline]
    fn each(&self, [to, cell]: Visit, dir: usize, mut found: impl FnMut(Visit) -> Result<()>) -> Result<()> {
        let (x, z) = (cell & 0xFFFF, cell >> 16);
        let (nx, nz) = (x.wrapping_add_signed(DIR_X[dir]), z.wrapping_add_signed(DIR_Z[dir]));
        let place = to - self.firsts[self.frame.column(x, z)];
        // A span past index 62 of its cell is nobody's target.
        if nx >= self.frame.width || nz >= self.frame.depth || place >= NO_LINK {
            return Ok(());
        }
        let column = self.frame.column(nx, nz);
        let first = self.firsts[column];
        let spans = &self.spans[first as usize..self.firsts[column + 1] as usize];
        for (nth, span) in spans.iter().enumerate() {
            if span.link((dir + 2) % 4) == place {
                found([first + nth as u32, nx | nz << 16])?;
            }
        }
        Ok(())
    }
}

/// Settles spans in order of distance, from those in `queue` at distance 0 up to below `limit`.
///
/// `settle` is told a span and its distance, marks it, and says whether it was not settled before.
pub(super) fn settle_levels(
    links: &impl Predecessors,
    queue: &mut List<'_, Visit>,
    limit: u32,
    mut settle: impl FnMut(usize, u32) -> bool,
) -> Result<()> {
    // Where the levels three, two and one before the current one begin in the queue, and where the current one does.
    let [mut third, mut second, mut first, mut current] = [0, 0, 0, queue.len()];
    for distance in 1..limit {
        if third == current {
            break; // three levels without a span: nothing can follow
        }
        for at in second..first {
            let from = queue[at];
            for dir in 0..4 {
                links.each(from, dir, |step| match settle(step[0] as usize, distance) {
                    true => queue.push(step, Subject::Spans),
                    false => Ok(()),
                })?;
            }
        }
        for at in third..second {
            let from = queue[at];
            for dir in 0..4 {
                links.each(from, dir, |middle| {
                    for turn in [(dir + 1) % 4, (dir + 3) % 4] {
                        links.each(middle, turn, |step| match settle(step[0] as usize, distance) {
                            true => queue.push(step, Subject::Spans),
                            false => Ok(()),
                        })?;
                    }
                    Ok(())
                })?;
            }
        }
        [third, second, first, current] = [second, first, current, queue.len()];
    }
    Ok(())
}
