//! Erosion: what is nearer to a wall or an edge than the agent's radius stops being walkable
//! (`build3d-spans.md`, section 8), and the sweeps of exact distances that it shares with the watershed
//! (`build3d-regions.md`, section 1).
//!
//! A sweep visits spans in order and lowers each to what its steps towards earlier spans allow; the next one goes
//! backwards. Sweeps alternate until one changes nothing, so the result is the shortest path whatever the shape; since
//! every obstacle is a source, two sweeps and a look suffice as a rule. Distances fall by at least 2 along a path and
//! none is above 4096 half cells, which bounds the number of sweeps.

use super::compact::{Around, Compact, CompactSpan, NO_LINK};
use crate::error::{Error, Result, Subject};
use crate::memory::Arena;

/// The largest radius, in cells.
pub const MAX_RADIUS: u32 = 1 << 20;

/// A distance no span has: a grid of 2^24 columns is at most 4096 cells across one way, and links of one direction end
/// at the grid's side, so no span is farther than 4096 half cells from a boundary.
pub(super) const FAR: u16 = u16::MAX - 3;

/// Takes the area from every span whose distance to a boundary is below `2 * radius`: a step along a link counts 2, one
/// along two perpendicular links 3. A boundary span is one that lacks a walkable neighbour in some direction.
///
/// `radius` is in cells; 0 does nothing, and more than [`MAX_RADIUS`] is refused. Links count one way, so this comes
/// before [`Compact::keep_mutual_links`]. Takes 2 bytes of scratch a span and gives them back.
pub fn erode(field: &mut Compact<'_>, radius: u32, arena: &mut Arena<'_>) -> Result<()> {
    if radius > MAX_RADIUS {
        return Err(Error::limit(Subject::AgentRadius).value(f64::from(radius)).bound(f64::from(MAX_RADIUS)));
    }
    if radius == 0 {
        return Ok(());
    }
    arena.scope(|desk| {
        let distances = desk.take::<u16>(field.spans.len())?;
        let least = (2 * radius).min(u32::from(FAR)) as u16;
        start_at_boundary(field, distances, least);
        sweep_until_settled(field, distances);
        for (area, &distance) in field.areas.iter_mut().zip(distances.iter()) {
            if distance < least {
                *area = 0;
            }
        }
        Ok(())
    })
}

/// Sets the distance of boundary spans to 0 and of all others to `beyond`.
pub(super) fn start_at_boundary(field: &Compact<'_>, distances: &mut [u16], beyond: u16) {
    for row in field.rows() {
        for around in row.cells() {
            for span in around.cell() {
                let links = field.spans[span].links;
                let inner = !CompactSpan::lacks_a_link(links)
                    && field.areas[span] != 0
                    && (0..4).all(|dir| field.areas[around.target(links, dir)] != 0);
                distances[span] = if inner { beyond } else { 0 };
            }
        }
    }
}

/// Lowers distances, sweep after sweep, until every span has the least that its steps allow.
pub(super) fn sweep_until_settled(field: &Compact<'_>, distances: &mut [u16]) {
    // Steps forwards lead to -x and to the row at -z; backwards to +x and to the row at +z.
    let forwards = |distances: &mut [u16]| {
        field.rows().fold(false, |changed, row| sweep::<0, 3, 2>(field, distances, row.cells()) | changed)
    };
    let backwards = |distances: &mut [u16]| {
        field.rows().rev().fold(false, |changed, row| sweep::<2, 1, 0>(field, distances, row.cells().rev()) | changed)
    };
    forwards(distances);
    while backwards(distances) && forwards(distances) {}
}

/// Sweeps one row: a step along `SIDE` within the row, along `ROW` to the next row, and the diagonals between `ROW` and
/// both `SIDE` and `OTHER`, each by its two ways around. True where it lowered a distance.
#[inline]
fn sweep<'f, const SIDE: usize, const ROW: usize, const OTHER: usize>(
    field: &Compact<'_>,
    distances: &mut [u16],
    cells: impl Iterator<Item = Around<'f>>,
) -> bool {
    let mut changed = false;
    for around in cells {
        // Spans of one cell never step to one another, so their order is free.
        for span in around.cell() {
            let known = distances[span];
            if known <= 2 {
                continue; // a boundary, or one step from it: the least there is
            }
            // What is not a boundary has all four links.
            let links = field.spans[span].links;
            let [side, row, other] = [SIDE, ROW, OTHER].map(|dir| around.target(links, dir));
            let near = distances[side].min(distances[row]);
            let corners = [around.corner::<ROW, SIDE>(), around.corner::<ROW, OTHER>()];
            let diagonal = |middle: usize, dir: usize, corner: usize| match field.spans[middle].link(dir) {
                NO_LINK => FAR,
                link => distances[corner + link as usize],
            };
            let far = diagonal(row, SIDE, corners[0])
                .min(diagonal(row, OTHER, corners[1]))
                .min(diagonal(side, ROW, corners[0]))
                .min(diagonal(other, ROW, corners[1]));
            let least = (near + 2).min(far + 3);
            if least < known {
                distances[span] = least;
                changed = true;
            }
        }
    }
    changed
}
