//! FNV-1a with 64 bits (Fowler, Noll, Vo; RFC 9923): one xor and one product a byte.

const OFFSET: u64 = 14_695_981_039_346_656_037;
const PRIME: u64 = 1_099_511_628_211;

/// A running FNV-1a hash of 64 bits.
///
/// ```
/// use navarena::hash::{Fnv1a, fnv1a};
/// let mut hash = Fnv1a::new();
/// hash.update(b"foo");
/// hash.update(b"bar");
/// assert_eq!(hash.finish(), 0x8594_4171_F739_67E8);
/// assert_eq!(hash.finish(), fnv1a(b"foobar"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fnv1a(u64);

impl Fnv1a {
    /// The hash of nothing.
    pub const fn new() -> Fnv1a {
        Fnv1a(OFFSET)
    }

    /// Takes in more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// The hash of all bytes so far; more may follow.
    pub const fn finish(&self) -> u64 {
        self.0
    }
}

impl Default for Fnv1a {
    fn default() -> Self {
        Self::new()
    }
}

/// The FNV-1a hash of some bytes.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    hash.update(bytes);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_come_out() {
        let vectors: [(&[u8], u64); 8] = [
            (b"", 0xCBF2_9CE4_8422_2325),
            (b"a", 0xAF63_DC4C_8601_EC8C),
            (b"b", 0xAF63_DF4C_8601_F1A5),
            (b"c", 0xAF63_DE4C_8601_EFF2),
            (b"foob", 0xDD12_0E79_0C25_12AF),
            (b"fooba", 0xCAC1_65AF_A2FE_F40A),
            (b"foobar", 0x8594_4171_F739_67E8),
            (b"\0", 0xAF63_BD4C_8601_B7DF),
        ];
        for (bytes, want) in vectors {
            assert_eq!(fnv1a(bytes), want, "{bytes:?}");
        }
    }

    #[test]
    fn any_slicing_gives_the_same_hash() {
        let bytes: [u8; 100] = core::array::from_fn(|i| (i * 37) as u8);
        for cut in 0..bytes.len() {
            let mut hash = Fnv1a::new();
            hash.update(&bytes[..cut]);
            hash.update(&bytes[cut..]);
            assert_eq!(hash.finish(), fnv1a(&bytes));
        }
    }
}
