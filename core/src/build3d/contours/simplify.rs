//! Simplification of one traced loop: Douglas and Peucker (1973) between the vertices where the neighbour changes, then
//! long walls split in the middle.

use super::ring::{Corner, cross, crosses_itself, distance2, twice_area};
use super::{ContourSettings, ContourVertex, WALL};
use crate::error::{Result, Subject};
use crate::memory::List;

/// What decides how loops are simplified, and the scratch it needs.
pub(super) struct Simplifier<'t> {
    pub settings: &'t ContourSettings,
    /// Each region's area.
    pub areas: &'t [u8],
    /// Room for the longest loop: the ends of stretches still to be refined, then the order of a crossing sweep.
    pub stack: &'t mut [u32],
}

/// How one attempt treats stretches.
#[derive(Clone, Copy)]
struct Attempt {
    region: u32,
    max_error: f64,
    straight: bool,
}

impl Simplifier<'_> {
    /// Appends the simplified form of a raw loop to `out` and returns whether the raw loop had to be taken instead.
    pub fn simplify(&mut self, raw: &[ContourVertex], region: u32, out: &mut List<'_, ContourVertex>) -> Result<bool> {
        let start = out.len();
        let max_error = self.settings.max_error;
        let straight = self.settings.straight_region_borders && max_error > 0.0;
        let wanted = twice_area(raw).signum();
        let mut attempt = Attempt { region, max_error, straight };
        while !self.attempt(raw, attempt, wanted, out)? {
            if attempt.max_error == 0.0 {
                return take_raw(raw, start, out);
            }
            attempt = Attempt { region, max_error: 0.0, straight: false };
        }
        // Chords along region borders may cut across the loop: then every stretch is refined instead.
        if attempt.straight && crosses_itself(&out[start..], self.stack) {
            attempt.straight = false;
            out.truncate(start);
            let sound = self.attempt(raw, attempt, wanted, out)?;
            if !sound || crosses_itself(&out[start..], self.stack) {
                return take_raw(raw, start, out);
            }
        }
        Ok(false)
    }

    /// Appends one attempt at the loop. An attempt that lost the loop's shape is taken back.
    fn attempt(
        &mut self,
        raw: &[ContourVertex],
        attempt: Attempt,
        wanted: i64,
        out: &mut List<'_, ContourVertex>,
    ) -> Result<bool> {
        let start = out.len();
        self.refine_loop(raw, attempt, out)?;
        merge_coincident(start, out);
        let ring = &out[start..];
        let sound = ring.len() >= 3 && wanted != 0 && twice_area(ring).signum() == wanted;
        if !sound {
            out.truncate(start);
        }
        Ok(sound)
    }

    fn refine_loop(
        &mut self,
        raw: &[ContourVertex],
        attempt: Attempt,
        out: &mut List<'_, ContourVertex>,
    ) -> Result<()> {
        let count = raw.len();
        let start = out.len();
        let mut wrapped = 0;
        let is_portal = |index: usize| raw[index].neighbor != raw[(index + count - 1) % count].neighbor;
        match (0..count).find(|&index| is_portal(index)) {
            Some(first) => {
                let mut from = first;
                for to in first + 1..=first + count {
                    if is_portal(to % count) {
                        wrapped += self.refine_stretch(raw, from, to, attempt, out)?;
                        from = to;
                    }
                }
            }
            None => {
                let (low, high) = extremes(raw);
                let (first, second) = (low.min(high), low.max(high));
                wrapped += self.refine_stretch(raw, first, second, attempt, out)?;
                wrapped += self.refine_stretch(raw, second, first + count, attempt, out)?;
            }
        }
        // A simplified loop starts with the kept vertex that came first in the raw one.
        out[start..].rotate_right(wrapped);
        Ok(())
    }

    /// Appends the kept vertices of the stretch `from..to`, whose indices go on past the loop's end, and returns how many
    /// of them lie past it.
    fn refine_stretch(
        &mut self,
        raw: &[ContourVertex],
        from: usize,
        to: usize,
        attempt: Attempt,
        out: &mut List<'_, ContourVertex>,
    ) -> Result<usize> {
        let count = raw.len();
        let neighbor = raw[from % count].neighbor;
        let refined = !(attempt.straight && self.is_seam(attempt.region, neighbor));
        let longest = if neighbor == WALL { i64::from(self.settings.max_edge_length) } else { 0 };
        let limit = attempt.max_error * attempt.max_error;
        let mut wrapped = 0;
        let mut from = from;
        let mut depth = 1;
        self.stack[0] = to as u32;
        while depth > 0 {
            let to = self.stack[depth - 1] as usize;
            let mut split = None;
            if refined {
                split = farthest(raw, from, to).filter(|far| far.distance2 > limit).map(|far| far.index);
                let chord = distance2(raw[from % count].corner(), raw[to % count].corner());
                if split.is_none() && longest > 0 && chord > longest * longest {
                    split = Some((from + to) / 2);
                }
            }
            if let Some(middle) = split {
                self.stack[depth] = middle as u32;
                depth += 1;
            } else {
                wrapped += usize::from(from >= count);
                out.push(raw[from % count], Subject::ContourVertices)?;
                from = to;
                depth -= 1;
            }
        }
        Ok(wrapped)
    }

    /// Whether a border to `neighbor` is only a seam between two walkable regions of one area, where a chord is as good
    /// as any line.
    fn is_seam(&self, region: u32, neighbor: i32) -> bool {
        neighbor > 0
            && neighbor as u32 != self.settings.border_region
            && self.areas[neighbor as usize] == self.areas[region as usize]
    }
}

fn take_raw(raw: &[ContourVertex], start: usize, out: &mut List<'_, ContourVertex>) -> Result<bool> {
    out.truncate(start);
    for &vertex in raw {
        out.push(vertex, Subject::ContourVertices)?;
    }
    Ok(true)
}

/// Removes vertices at the position of the one before them. In the pair of the last and the first, the loop's first stays.
fn merge_coincident(start: usize, out: &mut List<'_, ContourVertex>) {
    let ring = &mut out[start..];
    let mut kept = 0;
    for index in 0..ring.len() {
        if kept == 0 || ring[index].corner() != ring[kept - 1].corner() {
            ring[kept] = ring[index];
            kept += 1;
        }
    }
    while kept > 1 && ring[kept - 1].corner() == ring[0].corner() {
        kept -= 1;
    }
    out.truncate(start + kept);
}

/// The lexicographically smallest and largest vertices, the first of each.
fn extremes(raw: &[ContourVertex]) -> (usize, usize) {
    let (mut low, mut high) = (0, 0);
    for (index, vertex) in raw.iter().enumerate() {
        if vertex.corner() < raw[low].corner() {
            low = index;
        }
        if vertex.corner() > raw[high].corner() {
            high = index;
        }
    }
    (low, high)
}

/// The raw vertex farthest from a chord.
struct Far {
    distance2: f64,
    corner: Corner,
    index: usize,
}

impl Far {
    /// Ties go to the lexicographically smaller corner, so that both sides of a shared boundary choose alike, and then to
    /// the lower index.
    fn beats(&self, other: &Far) -> bool {
        self.distance2 > other.distance2
            || (self.distance2 == other.distance2 && (self.corner, self.index) < (other.corner, other.index))
    }
}

/// The vertex strictly inside the stretch `from..to` that is farthest from the segment between its ends.
fn farthest(raw: &[ContourVertex], from: usize, to: usize) -> Option<Far> {
    let count = raw.len();
    let chord = (raw[from % count].corner(), raw[to % count].corner());
    let mut beside = None;
    let mut beyond = None;
    let inside = from + 1..to;
    for (shift, part) in [(0, inside.start..inside.end.min(count)), (count, inside.start.max(count)..inside.end)] {
        if part.start < part.end {
            scan(&raw[part.start - shift..part.end - shift], part.start, chord, &mut beside, &mut beyond);
        }
    }
    let length2 = distance2(chord.0, chord.1) as f64;
    let beside = beside.map(|(twice_area, corner, index): (i64, Corner, usize)| {
        let twice_area = twice_area as f64;
        Far { distance2: twice_area * twice_area / length2, corner, index }
    });
    let beyond = beyond.map(|(distance2, corner, index)| Far { distance2: distance2 as f64, corner, index });
    match (beside, beyond) {
        (Some(a), Some(b)) => Some(if b.beats(&a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// A candidate for the farthest vertex: what grows with its distance, its corner, and its index.
type Candidate = Option<(i64, Corner, usize)>;

/// Finds the farthest vertices whose foot falls within the chord (compared by the area they span with it, which orders
/// them as their distances as doubles do: two squares of integers below 2^35 never round to one quotient) and those
/// nearest to one of its ends (compared by their squared distances).
fn scan(
    part: &[ContourVertex],
    first: usize,
    (a, b): (Corner, Corner),
    beside: &mut Candidate,
    beyond: &mut Candidate,
) {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length2 = distance2(a, b);
    for (offset, vertex) in part.iter().enumerate() {
        let point = vertex.corner();
        let foot = (point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1];
        let (best, size) = if foot <= 0 {
            (&mut *beyond, distance2(a, point))
        } else if foot >= length2 {
            (&mut *beyond, distance2(b, point))
        } else {
            (&mut *beside, cross(a, b, point).abs())
        };
        // Ties: the lexicographically smaller corner, then the lower index.
        if best.is_none_or(|(most, corner, _)| size > most || (size == most && point < corner)) {
            *best = Some((size, point, first + offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn ring(corners: &[(i32, i32, i32)]) -> Vec<ContourVertex> {
        corners.iter().map(|&(x, z, neighbor)| ContourVertex { x, z, y: 0, neighbor }).collect()
    }

    #[test]
    fn areas_beside_a_chord_order_as_the_quotients_do() {
        // The largest areas that corners below 2^17 can span, and chords of any length.
        for length2 in [1i64, 3, 7, 1 << 20, (1 << 34) - 1, 1 << 35] {
            for area in [1i64, 2, 1000, (1 << 26) + 1, (1 << 34) + 12345, (1 << 35) - 2] {
                let quotient = |area: i64| area as f64 * area as f64 / length2 as f64;
                assert!(quotient(area) < quotient(area + 1));
            }
        }
    }

    #[test]
    fn a_tie_in_distance_goes_to_the_smaller_corner() {
        let raw = ring(&[(0, 0, 1), (2, 2, 1), (4, 2, 1), (6, 0, 1), (3, 5, 2)]);
        assert_eq!(farthest(&raw, 0, 3).map(|far| (far.index, far.distance2)), Some((1, 4.0)));
        let back = ring(&[(6, 0, 1), (4, 2, 1), (2, 2, 1), (0, 0, 1), (3, 5, 2)]);
        assert_eq!(farthest(&back, 0, 3).map(|far| far.index), Some(2));
        // A stretch that goes on past the loop's end; its last candidate is nearest to the chord's end.
        assert_eq!(farthest(&raw, 3, 6).map(|far| (far.index, far.distance2)), Some((4, 10.0)));
    }
}
