//! Winding labels by a plane sweep over segments that never cross (`build2d-geometry.md`, "Labelling").

use super::exact::{side, step, turn};
use super::{Arrangement, GridPoint, Segment};
use crate::error::Result;
use crate::memory::Arena;

/// For each segment and operand the winding number just above it: left of the way from its smaller to its larger end.
/// Below it is that less the segment's own count. The labels lie at the front of the arena.
///
/// A vertical segment's left side counts as above. Time grows with the segments and, for each, the memory that the list of
/// segments under the sweep line moves.
///
/// # Errors
/// What [`Arrangement::check`] refuses; memory.
pub fn label<'a>(arrangement: &Arrangement<'_>, arena: &mut Arena<'a>) -> Result<&'a [[i32; 2]]> {
    arrangement.check()?;
    let Arrangement { vertices, segments } = *arrangement;
    let above = arena.take_zeroed::<[i32; 2]>(segments.len())?;
    arena.scope(|desk| {
        let status = desk.take::<u32>(segments.len())?;
        let starting = desk.take::<u32>(segments.len())?;
        let (mut cut, mut next) = (0, 0);
        for (number, &vertex) in vertices.iter().enumerate() {
            let block = ending_at(vertex, &status[..cut], vertices, segments);
            let mut winding = block.start.checked_sub(1).map_or([0, 0], |under| above[status[under] as usize]);
            let first = next;
            while next < segments.len() && segments[next].a as usize == number {
                starting[next - first] = next as u32;
                next += 1;
            }
            let starting = &mut starting[..next - first];
            starting.sort_unstable_by(|&i, &j| {
                // Bottom to top: all run to the right, so the lower of two has the other on its left.
                let way = |i: u32| step(vertex, vertices[segments[i as usize].b as usize]);
                0.cmp(&turn(way(i), way(j)))
            });
            for &segment in starting.iter() {
                let delta = segments[segment as usize].delta;
                winding = [winding[0] + delta[0], winding[1] + delta[1]];
                above[segment as usize] = winding;
            }
            status.copy_within(block.end..cut, block.start + starting.len());
            status[block.start..block.start + starting.len()].copy_from_slice(starting);
            cut = cut - block.len() + starting.len();
        }
        Ok(())
    })?;
    Ok(above)
}

/// The segments of the status that end at a vertex: below them lie those that the vertex is left of.
fn ending_at(
    vertex: GridPoint,
    status: &[u32],
    vertices: &[GridPoint],
    segments: &[Segment],
) -> core::ops::Range<usize> {
    let side_of = |&i: &u32| {
        let segment = segments[i as usize];
        side([vertices[segment.a as usize], vertices[segment.b as usize]], vertex)
    };
    let start = status.partition_point(|i| side_of(i) > 0);
    let end = start + status[start..].iter().take_while(|i| side_of(i) == 0).count();
    start..end
}
