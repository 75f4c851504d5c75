//! The few nearest of many, kept in order in a fixed list.

use crate::memory::{Pod, Zeroable};

/// One of the nearest: how far, and who.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Near {
    /// The squared distance (or whatever the list is ordered by).
    pub distance: f64,
    /// The name by which ties are ordered.
    pub name: u32,
    /// Where it stands in the index that found it.
    pub place: u32,
}

/// The nearest so far, at most as many as there is room for, each nearer than a reach.
///
/// What is offered is inserted in order of distance; when the list is full the farthest drops out. Equal distances are
/// ordered by the caller's rule, so the outcome does not depend on the order of offers.
#[derive(Debug)]
pub struct Nearest<'a> {
    room: &'a mut [Near],
    len: usize,
    /// The largest distance that may still enter.
    bound: f64,
}

impl<'a> Nearest<'a> {
    /// An empty list over its room, for distances below `reach`.
    pub fn below(reach: f64, room: &'a mut [Near]) -> Self {
        // The next smaller number turns "below" into "at most"; of 0 and NaN nothing is below.
        Nearest::up_to(if reach > 0.0 { reach.next_down() } else { -1.0 }, room)
    }

    /// An empty list over its room, for distances up to `reach`.
    pub fn up_to(reach: f64, room: &'a mut [Near]) -> Self {
        let bound = if room.is_empty() { f64::NEG_INFINITY } else { reach };
        Nearest { room, len: 0, bound }
    }

    /// Whether something so far away could still enter.
    #[inline]
    pub fn admits(&self, distance: f64) -> bool {
        distance <= self.bound
    }

    /// Whether there are as many as there is room for.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len == self.room.len()
    }

    /// Inserts what is [admitted](Self::admits); `before(a, b)` says whether the name `a` comes first of two as near.
    #[inline]
    pub fn offer(&mut self, near: Near, before: impl Fn(u32, u32) -> bool) {
        let comes_first = |held: &Near| {
            near.distance < held.distance || (near.distance == held.distance && before(near.name, held.name))
        };
        // Of a full list the farthest drops out; else there is a place more.
        if self.len == self.room.len() {
            if !self.room.last().is_some_and(comes_first) {
                return;
            }
        } else {
            self.len += 1;
        }
        let Some((mut gap, held)) = self.room.get_mut(..self.len).and_then(<[Near]>::split_last_mut) else { return };
        for place in held.iter_mut().rev() {
            if !comes_first(place) {
                break;
            }
            *gap = *place;
            gap = place;
        }
        *gap = near;
        if self.len == self.room.len()
            && let Some(last) = self.room.last()
        {
            self.bound = last.distance;
        }
    }

    /// What the list holds, nearest first.
    pub fn as_slice(&self) -> &[Near] {
        &self.room[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;
    use std::vec::Vec;

    fn near(distance: f64, name: u32) -> Near {
        Near { distance, name, place: name }
    }

    #[test]
    fn the_smallest_pairs_are_kept_whatever_the_order_of_offers() {
        let mut random = SplitMix64::new(11);
        for room in [0, 1, 2, 7, 40] {
            let all: Vec<Near> = (0..30).map(|name| near(random.below(8) as f64, name)).collect();
            let mut sorted: Vec<Near> = all.iter().copied().filter(|near| near.distance < 6.0).collect();
            sorted.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.name.cmp(&b.name)));
            sorted.truncate(room);
            for _ in 0..20 {
                let mut shuffled = all.clone();
                (1..shuffled.len()).for_each(|i| shuffled.swap(i, random.below(i as u64 + 1) as usize));
                let mut memory = [Near::default(); 40];
                let mut list = Nearest::below(6.0, &mut memory[..room]);
                for offered in shuffled {
                    if list.admits(offered.distance) {
                        list.offer(offered, |a, b| a < b);
                    }
                }
                assert_eq!(list.as_slice(), sorted);
            }
        }
    }

    #[test]
    fn a_reach_of_nothing_admits_nothing() {
        let mut memory = [Near::default(); 2];
        for reach in [0.0, -1.0, f64::NAN] {
            assert!(!Nearest::below(reach, &mut memory).admits(0.0));
        }
        assert!(Nearest::up_to(0.0, &mut memory).admits(0.0));
        assert!(Nearest::below(f64::INFINITY, &mut memory).admits(f64::MAX));
    }
}
