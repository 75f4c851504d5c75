//! Ways between jump points, cell by cell.

use super::jumper::Spot;
use super::rules::direction_of;

/// The cells of a way whose turns are listed from the goal back, each cell once, from the goal back.
///
/// Two turns lie on a line, or, with improved pruning, a diagonal run and then a straight one apart; the cells between
/// are then those of the run as it was looked at, the diagonal steps first.
pub fn walk_back(turns: impl Iterator<Item = u32>, width: u32) -> impl Iterator<Item = u32> {
    let mut turns = turns.map(move |node| Spot::of(node, width));
    let mut target = turns.next();
    let mut at = None;
    core::iter::from_fn(move || {
        let before: Option<Spot> = at;
        let next = match before {
            None => target,
            Some(here) => {
                if target == Some(here) {
                    target = turns.next();
                }
                target.map(|target| step_back(here, target, width))
            }
        };
        at = next.or(before);
        next.map(|spot| spot.node)
    })
}

/// One step from a turn back to the one before it: straight ones until the rest is diagonal.
fn step_back(from: Spot, to: Spot, width: u32) -> Spot {
    let (columns, rows) = (to.x.wrapping_sub(from.x) as i32, to.y.wrapping_sub(from.y) as i32);
    let (dx, dy) = match columns.unsigned_abs().cmp(&rows.unsigned_abs()) {
        core::cmp::Ordering::Less => (0, rows),
        core::cmp::Ordering::Equal => (columns, rows),
        core::cmp::Ordering::Greater => (columns, 0),
    };
    direction_of(dx, dy).map_or(to, |direction| from.after(direction, 1, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn a_way_is_walked_back_straight_steps_first_and_each_cell_once() {
        // Ten columns: from (1, 1) two diagonal and three straight steps to (6, 3), then straight down to (6, 5).
        let cells: Vec<u32> = walk_back([56, 36, 11].into_iter(), 10).collect();
        assert_eq!(cells, [56, 46, 36, 35, 34, 33, 22, 11]);
        assert_eq!(walk_back([7].into_iter(), 10).collect::<Vec<_>>(), [7]);
        assert_eq!(walk_back([].into_iter(), 10).count(), 0);
    }
}
