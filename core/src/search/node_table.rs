//! The node table: finds a search's node by its key in memory bounded by the number of nodes.
//!
//! An open-addressing hash table of node numbers with linear probing. The keys stay in the search's own nodes; the
//! table holds 4 bytes a place. Each entry carries the number of the search it belongs to, so that beginning a search
//! is a count, and the table is wiped once in 4095 searches. Where an entry lies decides nothing but speed: lookups
//! compare whole keys, and nothing ever lists the table.

const INDEX_BITS: u32 = 20;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
const LAST_GENERATION: u32 = (1 << (32 - INDEX_BITS)) - 1;

/// The most nodes a search can have: their numbers take 20 bits of a table entry.
pub const MAX_NODES: usize = 1 << INDEX_BITS;

/// Spreads a key over the bits that choose a place.
#[inline]
pub const fn spread(key: u64) -> u32 {
    // Knuth's multiplicative hash with the golden ratio's bits: runs of keys, as a tile's polygons are, spread evenly.
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// Where in the table a key that was not found belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Place(usize);

/// Node numbers by key. See the module's text.
#[derive(Debug)]
pub struct NodeTable<'m> {
    entries: &'m mut [u32],
    generation: u32,
}

impl<'m> NodeTable<'m> {
    /// How many entries a table of that many nodes has: two a node.
    pub const fn entries_for(nodes: usize) -> usize {
        nodes.saturating_mul(2)
    }

    /// An empty table over an array of [`entries_for`](NodeTable::entries_for) the nodes. O(n).
    pub fn over(entries: &'m mut [u32]) -> Self {
        entries.fill(0);
        NodeTable { entries, generation: 1 }
    }

    /// Forgets all nodes. Constant time but for one call in 4095.
    pub fn begin(&mut self) {
        self.generation += 1;
        if self.generation > LAST_GENERATION {
            self.entries.fill(0);
            self.generation = 1;
        }
    }

    /// The node of a key, or the place where to [`insert`](NodeTable::insert) it. `hash` is [`spread`] of the key,
    /// and `is_same` tells whether a node has the key. A table without room gives a place that takes nothing.
    #[inline]
    pub fn find(&self, hash: u32, mut is_same: impl FnMut(u32) -> bool) -> Result<u32, Place> {
        let size = self.entries.len();
        let mut at = ((hash as u64 * size as u64) >> 32) as usize;
        for _ in 0..size {
            let entry = self.entries[at];
            if entry >> INDEX_BITS != self.generation {
                return Err(Place(at));
            }
            if is_same(entry & INDEX_MASK) {
                return Ok(entry & INDEX_MASK);
            }
            at += 1;
            if at == size {
                at = 0;
            }
        }
        Err(Place(size))
    }

    /// Enters a node, below [`MAX_NODES`], at the place that [`find`](NodeTable::find) gave for its key.
    #[inline]
    pub fn insert(&mut self, place: Place, node: u32) {
        debug_assert!(node <= INDEX_MASK);
        if let Some(entry) = self.entries.get_mut(place.0) {
            *entry = self.generation << INDEX_BITS | node & INDEX_MASK;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    proptest! {
        #[test]
        fn a_table_finds_what_a_map_finds(
            searches in prop::collection::vec(prop::collection::vec((0u64..60, any::<bool>()), 0..90), 1..4),
            poor_hash in any::<bool>(),
        ) {
            let mut memory = std::vec![u32::MAX; NodeTable::entries_for(64)];
            let mut table = NodeTable::over(&mut memory);
            for keys in searches {
                table.begin();
                let mut nodes: Vec<u64> = Vec::new();
                let mut map = BTreeMap::new();
                for (key, high) in keys {
                    let key = if high { key << 20 } else { key };
                    let hash = if poor_hash { (key & 3) as u32 } else { spread(key) };
                    let found = table.find(hash, |node| nodes[node as usize] == key);
                    prop_assert_eq!(found.ok(), map.get(&key).copied());
                    if let (Err(place), true) = (found, nodes.len() < 64) {
                        table.insert(place, nodes.len() as u32);
                        map.insert(key, nodes.len() as u32);
                        nodes.push(key);
                    }
                }
            }
        }
    }

    #[test]
    fn a_new_search_finds_nothing_of_the_old_ones_however_many_there_were() {
        let mut memory = [0u32; 4];
        let mut table = NodeTable::over(&mut memory);
        for _ in 0..9000 {
            table.begin();
            let place = table.find(spread(5), |_| true).unwrap_err();
            table.insert(place, 1);
            assert_eq!(table.find(spread(5), |node| node == 1), Ok(1));
        }
    }

    #[test]
    fn a_full_table_ends_its_probing() {
        let mut memory = [0u32; 2];
        let mut table = NodeTable::over(&mut memory);
        table.begin();
        for node in 0..2 {
            let place = table.find(0, |_| false).unwrap_err();
            table.insert(place, node);
        }
        let nowhere = table.find(0, |_| false).unwrap_err();
        table.insert(nowhere, 2);
        assert_eq!(table.find(0, |node| node == 2), Err(nowhere));
        let mut none = NodeTable::over(&mut []);
        none.begin();
        assert!(none.find(7, |_| true).is_err());
    }
}
