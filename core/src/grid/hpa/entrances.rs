//! Where chunks open into each other (`grids.md`, "HPA*", "Entrances and transitions").

use super::chunks::Chunks;
use crate::grid::{Cell, CellRect, SquareTopology};
use crate::memory::{Pod, Zeroable};

/// A step from a node of a chunk across the chunk's border.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Crossing {
    /// The node, by its place among its chunk's.
    pub node: u32,
    /// The cell that the step leads to, a node of the chunk beside.
    pub target: u32,
    /// What the step costs.
    pub cost: f64,
}

/// A transition as one of its chunks sees it: the number of its own cell and that of the other's.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub(super) struct Transition {
    pub own: u32,
    pub other: u32,
}

/// Writes the transitions of a chunk to the front of `out`, sorted by own cell, then by the other, and gives how many
/// there are: at most one for each place of the chunk's border, four times its side.
pub(super) fn write_transitions(
    topology: &SquareTopology<'_>,
    chunks: &Chunks,
    chunk: u32,
    threshold: u32,
    out: &mut [Transition],
) -> usize {
    let mut count = 0;
    for border in borders(chunks.rect(chunk)) {
        let mut note = |at: i32| {
            if let Some(place) = out.get_mut(count) {
                *place = border.transition(at, topology.width());
                count += 1;
            }
        };
        let mut first = None;
        for at in 0..=border.length {
            match first {
                None if border.is_open(at, topology) => first = Some(at),
                Some(low) if !border.is_open(at, topology) => {
                    let (high, width) = (at - 1, at - low);
                    if width as u32 >= threshold && high != low {
                        note(low);
                        note(high);
                    } else {
                        note(low + (width - 1) / 2);
                    }
                    first = None;
                }
                _ => {}
            }
        }
    }
    out[..count].sort_unstable();
    count
}

/// A side of a chunk: where it begins, how it goes on, and which way is out.
#[derive(Clone, Copy, Debug)]
struct Border {
    start: Cell,
    along: (i32, i32),
    out: (i32, i32),
    length: i32,
}

/// The four sides of a chunk. Those at the edge of the grid have no cell outside that can be stood on.
fn borders(rect: CellRect) -> [Border; 4] {
    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
    let side = |x, y, along, out, length| Border { start: Cell::new(x, y), along, out, length };
    [
        side(rect.x, rect.y, (1, 0), (0, -1), rect.width),
        side(right, rect.y, (0, 1), (1, 0), rect.height),
        side(rect.x, bottom, (1, 0), (0, 1), rect.width),
        side(rect.x, rect.y, (0, 1), (-1, 0), rect.height),
    ]
}

impl Border {
    /// The two cells that face each other at a place.
    fn cells(&self, at: i32) -> [Cell; 2] {
        let own = Cell::new(self.start.x + self.along.0 * at, self.start.y + self.along.1 * at);
        [own, Cell::new(own.x + self.out.0, own.y + self.out.1)]
    }

    /// Whether both can be stood on; past the end none can.
    fn is_open(&self, at: i32, topology: &SquareTopology<'_>) -> bool {
        at < self.length && self.cells(at).into_iter().all(|cell| topology.fits(cell))
    }

    fn transition(&self, at: i32, width: i32) -> Transition {
        let [own, other] = self.cells(at).map(|cell| (cell.y * width + cell.x) as u32);
        Transition { own, other }
    }
}
