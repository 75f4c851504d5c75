//! True clearance: how large an agent can stand on a cell (`grids.md`, "Clearance and agent sizes", "Clearance repair").
//!
//! The reference repairs what edits made stale at the next read. A grid that is only borrowed can't write, so here the
//! repair runs at the edit; the values are the same.

use super::{Cell, CellRect, WALL};

/// Computes all clearances from the bottom-right corner. O(cells).
pub(super) fn recompute(cells: &[u8], clearance: &mut [u8], whole: CellRect) {
    repair(cells, clearance, (whole.width, whole.height), whole);
}

/// Repairs the clearances after an edit within `rect`: from its lowest row upwards, each row from right to left, going
/// on past the rectangle only while values change.
pub(super) fn repair(cells: &[u8], clearance: &mut [u8], (width, height): (i32, i32), rect: CellRect) {
    // The columns that changed in the row below, if any.
    let mut below: Option<(i32, i32)> = None;
    for y in (0..rect.bottom()).rev() {
        let edited = (y >= rect.y).then_some((rect.x, rect.right() - 1));
        // A value is read by the cells left of it, above it, and above to the left.
        let moved = below.map(|(first, last)| (first - 1, last));
        let (first, last) = match (edited, moved) {
            (Some(a), Some(b)) => (a.0.min(b.0), a.1.max(b.1)),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => break,
        };
        below = repair_row(cells, clearance, (width, height), y, first.max(0), last);
    }
}

/// Repairs one row from column `last` down to `first`, and further left while values change.
fn repair_row(
    cells: &[u8],
    clearance: &mut [u8],
    (width, height): (i32, i32),
    y: i32,
    first: i32,
    last: i32,
) -> Option<(i32, i32)> {
    let row = y as usize * width as usize;
    let under = row + width as usize;
    let mut changed: Option<(i32, i32)> = None;
    let mut x = last;
    while x >= 0 {
        let at = row + x as usize;
        let has_right = x + 1 < width;
        let side = if cells[at] == WALL {
            0
        } else if !has_right || y + 1 >= height {
            1
        } else {
            let below = under + x as usize;
            1u8.saturating_add(clearance[at + 1].min(clearance[below]).min(clearance[below + 1]))
        };
        let is_new = clearance[at] != side;
        if is_new {
            clearance[at] = side;
            changed = Some((x, changed.map_or(x, |(_, last)| last)));
        } else if x < first {
            break;
        }
        x -= 1;
    }
    changed
}

/// The clearance of one cell of a grid that keeps none: grown ring by ring.
pub(super) fn measured(cells: &[u8], width: i32, height: i32, cell: Cell) -> u8 {
    measured_up_to(cells, width, height, cell, u8::MAX)
}

/// As [`measured`], but no more than `bound`.
pub(super) fn measured_up_to(cells: &[u8], width: i32, height: i32, cell: Cell, bound: u8) -> u8 {
    if cell.x < 0 || cell.y < 0 || cell.x >= width || cell.y >= height {
        return 0;
    }
    let room = (width - cell.x).min(height - cell.y).min(i32::from(bound)) as usize;
    let width = width as usize;
    let corner = cell.y as usize * width + cell.x as usize;
    for side in 0..room {
        let right = (0..=side).any(|down| cells[corner + down * width + side] == WALL);
        let lowest = corner + side * width;
        if right || cells[lowest..lowest + side].contains(&WALL) {
            return side as u8;
        }
    }
    room as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// The definition itself: the largest square of ground below and right of a cell.
    fn by_definition(cells: &[u8], width: i32, height: i32, cell: Cell) -> u8 {
        let is_ground = |x: i32, y: i32| x < width && y < height && cells[(y * width + x) as usize] != WALL;
        let fits = |side: i32| (0..side).all(|dy| (0..side).all(|dx| is_ground(cell.x + dx, cell.y + dy)));
        (1..=255).take_while(|&side| fits(side)).last().unwrap_or(0) as u8
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn clearance_repaired_at_each_edit_is_that_of_the_definition(
            width in 1i32..14, height in 1i32..14,
            edits in prop::collection::vec((0i32..14, 0i32..14, 1i32..6, 1i32..6, prop::sample::select(std::vec![0u8, WALL])), 1..12),
        ) {
            let mut cells = std::vec![0u8; (width * height) as usize];
            let mut kept = cells.clone();
            recompute(&cells, &mut kept, CellRect::new(0, 0, width, height));
            for (x, y, w, h, area) in edits {
                let (x, y) = (x % width, y % height);
                let rect = CellRect::new(x, y, w.min(width - x), h.min(height - y));
                rect.cells().for_each(|cell| cells[(cell.y * width + cell.x) as usize] = area);
                repair(&cells, &mut kept, (width, height), rect);
                let all = CellRect::new(0, 0, width, height).cells();
                let want: Vec<u8> = all.map(|cell| by_definition(&cells, width, height, cell)).collect();
                prop_assert_eq!(&kept, &want);
                let all = CellRect::new(0, 0, width, height).cells();
                let grown: Vec<u8> = all.map(|cell| measured(&cells, width, height, cell)).collect();
                prop_assert_eq!(&grown, &want);
            }
        }
    }

    #[test]
    fn clearance_is_capped_at_255() {
        let (width, height) = (300, 300);
        let mut cells = std::vec![0u8; 300 * 300];
        let mut kept = cells.clone();
        recompute(&cells, &mut kept, CellRect::new(0, 0, width, height));
        assert_eq!((kept[0], kept[45], kept[46], kept[299]), (255, 255, 254, 1));
        assert_eq!(measured(&cells, width, height, Cell::new(0, 0)), 255);
        cells[299 * 300 + 299] = WALL;
        repair(&cells, &mut kept, (width, height), CellRect::of(Cell::new(299, 299)));
        assert_eq!((kept[0], kept[45 * 300 + 45]), (255, 254));
        assert_eq!(measured_up_to(&cells, width, height, Cell::new(0, 0), 9), 9);
    }
}
