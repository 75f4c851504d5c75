//! A sort for lists that are short or seldom sorted, in few bytes of code.
//!
//! The standard library's sort is faster on long lists, but is compiled anew for each type and order: 3 to 7 KB of flash each on a
//! microcontroller, with dozens of branches to a panic. This is some hundred bytes and has none.

/// Lists up to this long are sorted by insertion.
const SHORT: usize = 24;

/// Sorts in place: by insertion what is short, else by a heap. Equal elements come in any order, so an order that
/// results depend on must tell all elements apart.
///
/// # Cost
/// At most proportional to n log n, on no input more; no memory.
pub(crate) fn sort_compactly<T: Copy>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    if items.len() <= SHORT {
        (1..items.len()).for_each(|place| sink_back(items, place, &is_less));
        return;
    }
    for root in (0..items.len() / 2).rev() {
        sift_down(items, root, &is_less);
    }
    let mut rest = items;
    // The greatest is first: it goes behind the others, and the last of them takes its place.
    while let [first, .., last] = rest {
        core::mem::swap(first, last);
        let Some((_, others)) = rest.split_last_mut() else { return };
        rest = others;
        sift_down(rest, 0, &is_less);
    }
}

/// Moves an element back to where those before it, which are sorted, want it.
fn sink_back<T: Copy>(items: &mut [T], mut place: usize, is_less: &impl Fn(&T, &T) -> bool) {
    while let Some(before) = place.checked_sub(1)
        && let Some([low, high]) = items.get_mut(before..=place)
        && is_less(high, low)
    {
        core::mem::swap(low, high);
        place = before;
    }
}

/// Moves an element down a heap to below all that are greater.
fn sift_down<T: Copy>(items: &mut [T], mut place: usize, is_less: &impl Fn(&T, &T) -> bool) {
    while let Some((child, greater)) = greater_child(items, place, is_less)
        && let Some(parent) = items.get_mut(place)
        && is_less(parent, &greater)
    {
        let smaller = core::mem::replace(parent, greater);
        if let Some(room) = items.get_mut(child) {
            *room = smaller;
        }
        place = child;
    }
}

fn greater_child<T: Copy>(items: &[T], place: usize, is_less: &impl Fn(&T, &T) -> bool) -> Option<(usize, T)> {
    let left = 2 * place + 1;
    match items.get(left..)? {
        [one, other, ..] if is_less(one, other) => Some((left + 1, *other)),
        [one, ..] => Some((left, *one)),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #[test]
        fn a_list_comes_out_as_the_standard_library_sorts_it(
            mut items in proptest::collection::vec((0_u8..40, any::<u32>()), 0..300)
        ) {
            let mut expected = items.clone();
            expected.sort();
            sort_compactly(&mut items, |a, b| a < b);
            prop_assert_eq!(items, expected);
        }
    }

    #[test]
    fn a_comparison_that_is_no_order_ends_and_loses_nothing() {
        for count in [0, 1, 2, 24, 25, 200] {
            let items: Vec<u32> = (0..count).map(|i| i * 7919 % 211).collect();
            for is_less in [|_: &u32, _: &u32| true, |_: &u32, _: &u32| false, |a: &u32, b: &u32| (a ^ b) & 1 == 0] {
                let mut sorted = items.clone();
                sort_compactly(&mut sorted, is_less);
                sorted.sort();
                let mut expected = items.clone();
                expected.sort();
                assert_eq!(sorted, expected);
            }
        }
    }

    #[test]
    fn sorted_and_reversed_lists_take_few_comparisons() {
        let comparisons = core::cell::Cell::new(0);
        for count in [24_u32, 4096] {
            for is_reversed in [false, true] {
                let mut items: Vec<u32> = (0..count).map(|i| if is_reversed { count - i } else { i }).collect();
                comparisons.set(0);
                sort_compactly(&mut items, |a, b| {
                    comparisons.set(comparisons.get() + 1);
                    a < b
                });
                assert!(items.is_sorted());
                let bound = if count == 24 { 24 * 24 / 2 } else { 2 * 4096 * 13 };
                assert!(comparisons.get() <= bound, "{count}, {is_reversed}: {}", comparisons.get());
            }
        }
    }
}
