//! The distance field: how far every span is from a boundary (`build3d-regions.md`, section 1).

use crate::build3d::compact::Compact;
use crate::build3d::erosion::{FAR, start_at_boundary, sweep_until_settled};
use crate::error::Result;
use crate::memory::Arena;

/// Each span's exact distance to a boundary, in half cells, as an array of 2 bytes a span at the arena's front.
///
/// A step along a mutual link counts 2, one along two perpendicular ones 3. Spans without an area and boundary spans
/// have 0. Time is linear in spans but for shapes no level has.
pub fn distance_field<'a>(field: &Compact<'_>, arena: &mut Arena<'a>) -> Result<&'a mut [u16]> {
    let distances = arena.take::<u16>(field.spans.len())?;
    start_at_boundary(field, distances, FAR);
    sweep_until_settled(field, distances);
    Ok(distances)
}
