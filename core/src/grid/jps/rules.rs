//! Which directions a node of a jump point search goes on in (`grids.md`, "Pruned successors"; Harabor and Grastien,
//! *Online Graph Pruning for Pathfinding on Grid Maps*, 2011, for moves that cut no corners).
//!
//! Directions are the numbers of [`STEPS`](crate::grid::STEPS), sets of them bytes with bit `d` for direction `d`. The
//! surroundings of a cell are such a set too: the neighbours that are ground.

/// The diagonal between a straight direction and the next one clockwise.
#[inline]
pub const fn diagonal_after(straight: usize) -> usize {
    4 + (straight & 3)
}

/// The two straight directions that a diagonal one is made of.
#[inline]
pub const fn parts_of(diagonal: usize) -> (usize, usize) {
    (diagonal & 3, (diagonal + 1) & 3)
}

/// The steps that a cell with these surroundings allows: straight ones onto ground, diagonal ones where the cells
/// beside them are ground too.
pub const fn legal_steps(around: u8) -> u8 {
    let mut legal = around & 15;
    let mut diagonal = 4;
    while diagonal < 8 {
        let needed = run_mask(diagonal);
        if around & needed == needed {
            legal |= 1 << diagonal;
        }
        diagonal += 1;
    }
    legal
}

/// The neighbours that must be ground for a diagonal step: its target and the two cells beside it.
#[inline]
pub const fn run_mask(diagonal: usize) -> u8 {
    let (one, other) = parts_of(diagonal);
    1 << diagonal | 1 << one | 1 << other
}

/// Where a cell reached by a straight step must be left sideways because no other optimal way leads there: the side cell
/// is ground and the cell beside the one before is a wall. The set has the side's direction and the diagonal between it
/// and the step.
pub const fn forced_steps(arrival: usize, around: u8) -> u8 {
    let (right, left) = ((arrival + 1) & 3, (arrival + 3) & 3);
    // Seen from the cell, what lies beside the one before is behind it: diagonally back on either side.
    let (behind_right, behind_left) = (diagonal_after(right), diagonal_after(arrival + 2));
    let mut forced = 0;
    if around >> right & 1 != 0 && around >> behind_right & 1 == 0 {
        forced |= 1 << right | 1 << diagonal_after(arrival);
    }
    if around >> left & 1 != 0 && around >> behind_left & 1 == 0 {
        forced |= 1 << left | 1 << diagonal_after(left);
    }
    forced
}

/// The directions in which to go on from a cell that was reached by steps of direction `arrival`, 0 to 7.
pub const fn successors(arrival: usize, around: u8) -> u8 {
    let natural = match arrival {
        0..4 => 1 << arrival | forced_steps(arrival, around),
        // Both cells beside a diagonal step are ground, so that nothing can be forced.
        _ => {
            let (one, other) = parts_of(arrival);
            1 << arrival | 1 << one | 1 << other
        }
    };
    natural & legal_steps(around)
}

/// [`successors`] of every arrival and all surroundings.
pub static SUCCESSORS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut arrival = 0;
    while arrival < 8 {
        let mut around = 0;
        while around < 256 {
            table[arrival][around] = successors(arrival, around as u8);
            around += 1;
        }
        arrival += 1;
    }
    table
};

/// The direction in which one position lies from another, by the signs of the offsets; `None` for the same position.
#[inline]
pub const fn direction_of(columns: i32, rows: i32) -> Option<usize> {
    match (columns.signum(), rows.signum()) {
        (0, -1) => Some(0),
        (1, 0) => Some(1),
        (0, 1) => Some(2),
        (-1, 0) => Some(3),
        (1, -1) => Some(4),
        (1, 1) => Some(5),
        (-1, 1) => Some(6),
        (-1, -1) => Some(7),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{BESIDE, STEPS};

    fn number_of(step: (i32, i32)) -> usize {
        STEPS.iter().position(|&other| other == step).unwrap()
    }

    #[test]
    fn directions_fit_the_order_of_the_steps() {
        for straight in 0..4 {
            let (one, next) = (STEPS[straight], STEPS[(straight + 1) & 3]);
            assert_eq!(diagonal_after(straight), number_of((one.0 + next.0, one.1 + next.1)));
        }
        for diagonal in 4..8 {
            let (one, other) = parts_of(diagonal);
            let beside = BESIDE[diagonal - 4];
            assert!(beside == (one, other) || beside == (other, one));
        }
        for (number, &(dx, dy)) in STEPS.iter().enumerate() {
            assert_eq!(direction_of(dx * 9, dy * 5), Some(number));
        }
        assert_eq!(direction_of(0, 0), None);
    }

    /// The page's rule again, on a picture of three by three cells and by coordinates.
    #[test]
    fn successors_are_those_of_the_definition_for_every_arrival_and_surroundings() {
        for around in 0..=255u8 {
            let is_free = |(dx, dy): (i32, i32)| around >> number_of((dx, dy)) & 1 != 0;
            let is_legal = |(dx, dy): (i32, i32)| {
                is_free((dx, dy)) && (dx == 0 || dy == 0 || is_free((dx, 0)) && is_free((0, dy)))
            };
            for (arrival, &(dx, dy)) in STEPS.iter().enumerate() {
                let mut want = std::vec![(dx, dy)];
                if dx != 0 && dy != 0 {
                    want.extend([(dx, 0), (0, dy)]);
                } else {
                    for side in [(dy, dx), (-dy, -dx)] {
                        if is_free(side) && !is_free((side.0 - dx, side.1 - dy)) {
                            want.extend([side, (side.0 + dx, side.1 + dy)]);
                        }
                    }
                }
                let set = want.into_iter().filter(|&step| is_legal(step)).fold(0, |set, s| set | 1 << number_of(s));
                assert_eq!(SUCCESSORS[arrival][around as usize], set, "arrival {arrival}, surroundings {around:08b}");
            }
            let legal = STEPS.iter().filter(|&&step| is_legal(step)).fold(0, |set, &s| set | 1 << number_of(s));
            assert_eq!(legal_steps(around), legal);
        }
    }
}
