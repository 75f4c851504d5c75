//! A bit a node.

/// A set of nodes as bits, listed by rising number.
#[derive(Debug)]
pub(super) struct Marks<'m>(&'m mut [u64]);

impl<'m> Marks<'m> {
    /// How many words hold the bits of that many nodes.
    pub const fn words_for(nodes: usize) -> usize {
        nodes.div_ceil(64)
    }

    pub fn over(words: &'m mut [u64]) -> Self {
        Marks(words)
    }

    /// Forgets all of the first `nodes`.
    pub fn clear(&mut self, nodes: usize) {
        self.0[..Marks::words_for(nodes)].fill(0);
    }

    #[inline]
    pub fn set(&mut self, node: u32) {
        self.0[node as usize / 64] |= 1 << (node % 64);
    }

    pub fn has(&self, node: u32) -> bool {
        self.0[node as usize / 64] >> (node % 64) & 1 != 0
    }

    /// The marked ones of a word of 64 nodes.
    pub fn in_word(&self, word: usize) -> impl Iterator<Item = u32> + use<> {
        let nth = |bits: &u64| Some(bits & (bits - 1)).filter(|&left| left != 0);
        let sets = core::iter::successors(Some(self.0[word]).filter(|&bits| bits != 0), nth);
        sets.map(move |bits| word as u32 * 64 + bits.trailing_zeros())
    }

    /// The marked ones below `nodes`.
    pub fn iter(&self, nodes: usize) -> impl Iterator<Item = u32> + '_ {
        (0..Marks::words_for(nodes)).flat_map(|word| self.in_word(word))
    }
}
