//! Runs of polygons laid end to end without loops: a polygon met again cuts out everything between its two occurrences,
//! and the first one stays (`corridors.md`, "Topology", "Replanning").

use crate::mesh::PolyRef;

/// What is left of two runs, each without a repeated polygon, laid end to end: how much of the first one's beginning, and
/// where the rest of the second begins.
pub(super) fn join(first: &[PolyRef], second: &[PolyRef]) -> (usize, usize) {
    let (mut kept, mut from) = (first.len(), 0);
    for (at, polygon) in second.iter().enumerate() {
        if let Some(met) = first[..kept].iter().position(|earlier| earlier == polygon) {
            (kept, from) = (met + 1, at + 1);
        }
    }
    (kept, from)
}

/// Cuts the loops out of a run in place and returns how long it is then.
pub(super) fn cut_loops(run: &mut [PolyRef]) -> usize {
    let mut kept = 0;
    for at in 0..run.len() {
        match run[..kept].iter().position(|&earlier| earlier == run[at]) {
            Some(met) => kept = met + 1,
            None => {
                run[kept] = run[at];
                kept += 1;
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// A run of polygons by small numbers.
    fn run(numbers: &[u64]) -> Vec<PolyRef> {
        numbers.iter().map(|&number| PolyRef(number)).collect()
    }

    proptest! {
        #[test]
        fn joining_two_runs_is_cutting_the_loops_of_both_together(
            first in prop::collection::vec(0u64..12, 0..10),
            second in prop::collection::vec(0u64..12, 0..10),
        ) {
            let (mut first, mut second) = (run(&first), run(&second));
            let lengths = (cut_loops(&mut first), cut_loops(&mut second));
            first.truncate(lengths.0);
            second.truncate(lengths.1);
            let mut whole = [first.clone(), second.clone()].concat();
            let length = cut_loops(&mut whole);
            let (kept, from) = join(&first, &second);
            prop_assert_eq!([&first[..kept], &second[from..]].concat(), &whole[..length]);
        }

        #[test]
        fn a_run_without_loops_goes_from_start_to_end_over_its_own_steps(numbers in prop::collection::vec(0u64..6, 1..12)) {
            let mut cut = run(&numbers);
            let length = cut_loops(&mut cut);
            cut.truncate(length);
            prop_assert_eq!((cut[0].0, cut[length - 1].0), (numbers[0], numbers[numbers.len() - 1]));
            for pair in cut.windows(2) {
                prop_assert!(numbers.windows(2).any(|step| step == [pair[0].0, pair[1].0]));
            }
            for (at, polygon) in cut.iter().enumerate() {
                prop_assert!(!cut[..at].contains(polygon));
            }
        }
    }
}
