//! SHA-256 as FIPS 180-4 defines it (sections 4.1.2, 5.1.1, 5.3.3 and 6.2).

const BLOCK: usize = 64;

/// Initial words: the fraction bits of the square roots of the first 8 primes (5.3.3).
const INITIAL: [u32; 8] =
    [0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19];

/// Round constants: the fraction bits of the cube roots of the first 64 primes (4.2.2), taken from the primes here.
const ROUND: [u32; 64] = cube_root_fractions();

/// A running SHA-256 hash. Its functions are `const`, so that what a constant's settings hash to is known when compiling.
///
/// ```
/// use navarena::hash::{Sha256, sha256};
/// let mut hash = Sha256::new();
/// hash.update(b"ab");
/// hash.update(b"c");
/// let digest = hash.finish();
/// assert_eq!(digest[..4], [0xBA, 0x78, 0x16, 0xBF]);
/// assert_eq!(digest, sha256(b"abc"));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sha256 {
    state: [u32; 8],
    block: [u8; BLOCK],
    /// Bytes so far; its lowest six bits say how many wait in the block.
    length: u64,
}

impl Sha256 {
    /// The hash of nothing.
    pub const fn new() -> Sha256 {
        Sha256 { state: INITIAL, block: [0; BLOCK], length: 0 }
    }

    /// Takes in more bytes.
    pub const fn update(&mut self, mut bytes: &[u8]) {
        let waiting = self.waiting();
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if waiting > 0 {
            let room = BLOCK - waiting;
            let (head, rest) = bytes.split_at(if bytes.len() < room { bytes.len() } else { room });
            self.keep(waiting, head);
            if head.len() < room {
                return;
            }
            compress(&mut self.state, &self.block);
            bytes = rest;
        }
        let (blocks, tail) = bytes.as_chunks::<BLOCK>();
        let mut i = 0;
        while i < blocks.len() {
            compress(&mut self.state, &blocks[i]);
            i += 1;
        }
        self.keep(0, tail);
    }

    /// The digest of all bytes so far.
    pub const fn finish(mut self) -> [u8; 32] {
        let bits = self.length.wrapping_mul(8);
        let mut padding = [0; BLOCK + 8];
        padding[0] = 0x80;
        // The length ends a block: its eight bytes begin at 56 of this block, or of the next when that is taken.
        let zeros = (BLOCK + 55 - self.waiting()) % BLOCK;
        self.update(padding.split_at(1 + zeros).0);
        self.update(&bits.to_be_bytes());
        let mut digest = [0; 32];
        let (words, _) = digest.as_chunks_mut::<4>();
        let mut i = 0;
        while i < words.len() {
            words[i] = self.state[i].to_be_bytes();
            i += 1;
        }
        digest
    }

    const fn waiting(&self) -> usize {
        (self.length % BLOCK as u64) as usize
    }

    /// Keeps bytes in the block from a place on.
    const fn keep(&mut self, at: usize, bytes: &[u8]) {
        self.block.split_at_mut(at).1.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
    }
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

/// The SHA-256 digest of some bytes.
pub const fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(bytes);
    hash.finish()
}

/// One block of the compression function (6.2.2). The message schedule keeps its last 16 words only.
const fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let mut words = [0u32; 16];
    let (chunks, _) = block.as_chunks::<4>();
    let mut v = *state;
    let mut t = 0;
    while t < 64 {
        if t < 16 {
            words[t] = u32::from_be_bytes(chunks[t]);
        } else if t % 16 == 0 {
            extend(&mut words);
        }
        round(&mut v, words[t % 16].wrapping_add(ROUND[t]));
        t += 1;
    }
    let mut i = 0;
    while i < 8 {
        state[i] = state[i].wrapping_add(v[i]);
        i += 1;
    }
}

/// The next 16 words of the message schedule in place of the last 16.
#[inline(always)]
const fn extend(words: &mut [u32; 16]) {
    let mut t = 0;
    while t < 16 {
        let (w1, w14) = (words[(t + 1) % 16], words[(t + 14) % 16]);
        let small0 = w1.rotate_right(7) ^ w1.rotate_right(18) ^ (w1 >> 3);
        let small1 = w14.rotate_right(17) ^ w14.rotate_right(19) ^ (w14 >> 10);
        words[t] = words[t].wrapping_add(small0).wrapping_add(words[(t + 9) % 16]).wrapping_add(small1);
        t += 1;
    }
}

#[inline(always)]
const fn round(v: &mut [u32; 8], input: u32) {
    let [a, b, c, d, e, f, g, h] = *v;
    let big1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
    let choice = (e & f) ^ (!e & g);
    let t1 = h.wrapping_add(big1).wrapping_add(choice).wrapping_add(input);
    let big0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
    let majority = (a & b) ^ (a & c) ^ (b & c);
    let t2 = big0.wrapping_add(majority);
    *v = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];
}

/// The first 32 fraction bits of the cube roots of the first 64 primes: `floor(cbrt(p * 2^96))` without its whole part.
const fn cube_root_fractions() -> [u32; 64] {
    let mut out = [0; 64];
    let mut found = 0;
    let mut number = 2u128;
    while found < 64 {
        if is_prime(number) {
            out[found] = cube_root(number << 96) as u32;
            found += 1;
        }
        number += 1;
    }
    out
}

const fn is_prime(number: u128) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// The greatest integer whose cube is at most `number`, which is below 2^108, bit by bit.
const fn cube_root(number: u128) -> u64 {
    let mut root = 0u128;
    let mut bit = 1u128 << 36;
    while bit > 0 {
        let tried = root | bit;
        if tried * tried * tried <= number {
            root = tried;
        }
        bit >>= 1;
    }
    root as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    fn hex(digest: [u8; 32]) -> String {
        digest.iter().map(|byte| std::format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_published_vectors_come_out() {
        let vectors = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
            ),
        ];
        for (text, want) in vectors {
            assert_eq!(hex(sha256(text.as_bytes())), want, "{text:?}");
        }
    }

    #[test]
    fn a_million_times_a_comes_out_in_any_slices() {
        let want = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        for size in [1, 63, 64, 65, 1000, 999_999] {
            let mut hash = Sha256::new();
            let slice = std::vec![b'a'; size];
            let mut left = 1_000_000;
            while left > 0 {
                let now = size.min(left);
                hash.update(&slice[..now]);
                left -= now;
            }
            assert_eq!(hex(hash.finish()), want, "slices of {size}");
        }
    }

    #[test]
    fn every_length_about_a_block_agrees_with_bytes_one_by_one() {
        let bytes: [u8; 200] = core::array::from_fn(|i| (i * 31) as u8);
        for length in 0..bytes.len() {
            let mut hash = Sha256::new();
            bytes[..length].iter().for_each(|byte| hash.update(&[*byte]));
            assert_eq!(hash.finish(), sha256(&bytes[..length]), "length {length}");
        }
    }

    #[test]
    fn the_round_constants_begin_and_end_as_published() {
        assert_eq!(ROUND[..4], [0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5]);
        assert_eq!(ROUND[60..], [0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2]);
    }
}
