//! SHA-256 (FIPS 180-4) over a short message, in a `const fn`: the fingerprint of a def is known when compiling.
//!
//! Stands in until the library's own hash module can do this.

const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// A message fed in pieces.
#[derive(Clone, Copy)]
pub(super) struct Sha {
    state: [u32; 8],
    block: [u8; 64],
    len: u64,
}

impl Sha {
    pub(super) const fn new() -> Sha {
        Sha {
            state: [
                0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
            ],
            block: [0; 64],
            len: 0,
        }
    }

    pub(super) const fn with(mut self, bytes: &[u8]) -> Sha {
        let mut i = 0;
        while i < bytes.len() {
            self.block[(self.len % 64) as usize] = bytes[i];
            self.len += 1;
            if self.len % 64 == 0 {
                self.compress();
            }
            i += 1;
        }
        self
    }

    pub(super) const fn finish(self) -> [u8; 32] {
        let bits = self.len * 8;
        let mut padded = self.with(&[0x80]);
        while padded.len % 64 != 56 {
            padded = padded.with(&[0]);
        }
        padded = padded.with(&bits.to_be_bytes());
        let mut out = [0; 32];
        let mut i = 0;
        while i < 32 {
            out[i] = (padded.state[i / 4] >> (24 - 8 * (i % 4))) as u8;
            i += 1;
        }
        out
    }

    const fn compress(&mut self) {
        let mut w = [0u32; 64];
        let mut i = 0;
        while i < 64 {
            w[i] = if i < 16 {
                let b = &self.block;
                u32::from_be_bytes([b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]])
            } else {
                let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
                let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
                w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1)
            };
            i += 1;
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        i = 0;
        while i < 64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let t1 = h.wrapping_add(s1).wrapping_add((e & f) ^ (!e & g)).wrapping_add(K[i]).wrapping_add(w[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
            i += 1;
        }
        let add = [a, b, c, d, e, f, g, h];
        i = 0;
        while i < 8 {
            self.state[i] = self.state[i].wrapping_add(add[i]);
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standards_answers_come_out() {
        assert_eq!(Sha::new().with(b"abc").finish()[..4], [0xba, 0x78, 0x16, 0xbf]);
        let two_blocks = Sha::new().with(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").finish();
        assert_eq!(two_blocks[..4], [0x24, 0x8d, 0x6a, 0x61]);
        assert_eq!(two_blocks[28..], [0x19, 0xdb, 0x06, 0xc1]);
    }
}
