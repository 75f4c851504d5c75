//! The writer and what it shares with hashes: a sink for little-endian values.

use crate::error::{Error, ErrorKind, Result, Subject};
use crate::hash::{Fnv1a, Sha256};

macro_rules! numbers {
    ($($name:ident: $type:ty, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            fn $name(&mut self, value: $type) {
                self.bytes(&value.to_le_bytes());
            }
        )*
    };
}

/// Takes values as little-endian bytes. Whoever saves to a sink can be written, counted and hashed.
pub trait Sink {
    /// Takes bytes as they are.
    fn bytes(&mut self, bytes: &[u8]);

    numbers! {
        u8: u8, "Takes one byte.";
        u16: u16, "Takes two bytes.";
        u32: u32, "Takes four bytes.";
        u64: u64, "Takes eight bytes.";
        i8: i8, "Takes one byte, signed.";
        i16: i16, "Takes two bytes, signed.";
        i32: i32, "Takes four bytes, signed.";
        i64: i64, "Takes eight bytes, signed.";
        f32: f32, "Takes the bits of a float.";
        f64: f64, "Takes the bits of a double.";
    }
}

impl Sink for Fnv1a {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

impl Sink for Sha256 {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// Writes into a buffer and goes on counting past its end, so that a caller learns what was needed.
///
/// Nothing is refused until [`finish`](Writer::finish). What does not fit is not written, and a value is written whole
/// or not at all.
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    position: usize,
}

impl<'a> Writer<'a> {
    /// A writer at the beginning of a buffer.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Writer { buffer, position: 0 }
    }

    /// A writer that only counts.
    pub fn counting() -> Writer<'static> {
        Writer { buffer: &mut [], position: 0 }
    }

    /// How many bytes were taken, written or not.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many bytes were written, or a refusal of kind `Capacity` that names the subject, the bytes needed and the
    /// buffer's length.
    pub fn finish(self, subject: Subject) -> Result<usize> {
        if self.position <= self.buffer.len() {
            return Ok(self.position);
        }
        let refusal = Error::new(ErrorKind::Capacity, subject);
        Err(refusal.value(self.position as f64).bound(self.buffer.len() as f64))
    }
}

impl Sink for Writer<'_> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        let end = self.position.saturating_add(bytes.len());
        if let Some(place) = self.buffer.get_mut(self.position..end) {
            place.copy_from_slice(bytes);
        }
        self.position = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Reader;

    fn write_one_of_each(out: &mut impl Sink) {
        out.bytes(b"ONPT");
        out.u8(1);
        out.u16(2);
        out.u32(3);
        out.u64(u64::MAX);
        out.i8(-1);
        out.i16(-2);
        out.i32(-3);
        out.i64(i64::MIN);
        out.f32(f32::NEG_INFINITY);
        out.f64(-0.0);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut bytes = [0; 64];
        let mut writer = Writer::new(&mut bytes);
        write_one_of_each(&mut writer);
        let length = writer.finish(Subject::Bytes).unwrap();
        let mut counted = Writer::counting();
        write_one_of_each(&mut counted);
        assert_eq!((length, counted.position()), (46, 46));

        let mut reader = Reader::new(&bytes[..length], Subject::Header);
        assert_eq!(reader.bytes(4), Ok(&b"ONPT"[..]));
        assert_eq!((reader.u8(), reader.u16(), reader.u32(), reader.u64()), (Ok(1), Ok(2), Ok(3), Ok(u64::MAX)));
        assert_eq!((reader.i8(), reader.i16(), reader.i32(), reader.i64()), (Ok(-1), Ok(-2), Ok(-3), Ok(i64::MIN)));
        assert_eq!(reader.f32(), Ok(f32::NEG_INFINITY));
        assert_eq!(reader.f64().map(f64::to_bits), Ok(1 << 63));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn a_buffer_too_small_says_what_is_needed() {
        for size in 0..46 {
            let mut bytes = std::vec![0; size];
            let mut writer = Writer::new(&mut bytes);
            write_one_of_each(&mut writer);
            let error = writer.finish(Subject::TileBytes).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::TileBytes));
            assert_eq!((error.refused(), error.limit_value()), (Some(46.0), Some(size as f64)));
        }
    }

    #[test]
    fn a_hash_of_what_is_saved_is_the_hash_of_its_bytes() {
        let mut bytes = [0; 46];
        write_one_of_each(&mut Writer::new(&mut bytes));
        let (mut fnv, mut sha) = (Fnv1a::new(), Sha256::new());
        write_one_of_each(&mut fnv);
        write_one_of_each(&mut sha);
        assert_eq!(fnv.finish(), crate::hash::fnv1a(&bytes));
        assert_eq!(sha.finish(), crate::hash::sha256(&bytes));
    }
}
