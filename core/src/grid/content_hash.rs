//! The hash of a grid's contents (`grids.md`, "Host API", `ContentHash`).
//!
//! The reference caches the value until the next edit; here a call computes it, since a borrowed grid can't note it. One
//! pass over the cells at eight a step.

use super::{Grid, WALL};

const P1: u64 = 0x9E37_79B1_85EB_CA87;
const P2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const P3: u64 = 0x1656_67B1_9E37_79F9;

impl Grid<'_> {
    /// A 64-bit hash of size, cells and the 255 area multipliers; not of versions, edits or the place in the world. O(cells).
    pub fn content_hash(&self) -> u64 {
        let mut hash = P1 ^ P2;
        let mut feed = |word: u64| {
            hash = (hash ^ word.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1).wrapping_add(P3);
        };
        feed(self.width() as u64 | (self.height() as u64) << 32);
        for cells in self.cells().chunks(8) {
            let mut word = [0; 8];
            word[..cells.len()].copy_from_slice(cells);
            feed(u64::from_le_bytes(word));
        }
        (0..WALL).for_each(|area| feed(self.areas().get(area).to_bits()));
        hash ^= hash >> 33;
        hash = hash.wrapping_mul(P2);
        hash ^= hash >> 29;
        hash = hash.wrapping_mul(P3);
        hash ^ hash >> 32
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::tests::with_grid;
    use crate::grid::{Cell, GridDef, GridSpace, WALL};
    use std::vec::Vec;

    /// The page's definition again, over a list of words and in 128-bit arithmetic.
    fn by_definition(width: u64, height: u64, cells: &[u8], costs: &[f64]) -> u64 {
        let (p1, p2, p3) = (0x9E37_79B1_85EB_CA87u128, 0xC2B2_AE3D_27D4_EB4Fu128, 0x1656_67B1_9E37_79F9u128);
        let modulus = 1u128 << 64;
        let mut words: Vec<u64> = std::vec![width + height * (1 << 32)];
        let mut padded = cells.to_vec();
        while !padded.len().is_multiple_of(8) {
            padded.push(0);
        }
        words.extend(
            padded.chunks(8).map(|eight| eight.iter().rev().fold(0, |word, &byte| word * 256 + u64::from(byte))),
        );
        words.extend(costs.iter().map(|cost| cost.to_bits()));
        let mut h = p1 ^ p2;
        for word in words {
            let mixed = h ^ (u128::from(word) * p2 % modulus);
            let turned = (mixed << 31) % modulus + (mixed >> 33);
            h = (turned * p1 + p3) % modulus;
        }
        h ^= h >> 33;
        h = h * p2 % modulus;
        h ^= h >> 29;
        h = h * p3 % modulus;
        h ^= h >> 32;
        h as u64
    }

    #[test]
    fn the_hash_is_that_of_the_definition_whatever_is_kept_in_memory() {
        for area_costs in [3, 255] {
            with_grid(&GridDef { area_costs, ..GridDef::of_size(5, 3) }, |grid| {
                let mut costs = [1.0; 255];
                assert_eq!(grid.content_hash(), by_definition(5, 3, &[0; 15], &costs));
                grid.set_area(Cell::new(4, 2), WALL).unwrap();
                grid.set_area_cost(2, 0.3).unwrap();
                grid.set_space(GridSpace::new([1.0, 2.0], 3.0).unwrap());
                costs[2] = 0.3;
                let mut cells = [0; 15];
                cells[14] = WALL;
                assert_eq!(grid.content_hash(), by_definition(5, 3, &cells, &costs));
            });
        }
    }
}
