//! The reader: takes values off the front of hostile bytes, each only when it is all there.

use crate::error::{Error, Result, Subject};

/// Reads little-endian values one after the other and refuses to read past the end.
///
/// A refusal is of kind `Format` and names the section being read, with the bytes that were wanted and those that
/// remained. A failed read takes nothing. Each read costs constant time.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    total: usize,
    section: Subject,
    element: Option<usize>,
}

macro_rules! numbers {
    ($($name:ident: $type:ty, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline]
            pub fn $name(&mut self) -> Result<$type> {
                Ok(<$type>::from_le_bytes(self.array()?))
            }
        )*
    };
}

impl<'a> Reader<'a> {
    /// A reader of all the bytes, beginning in a section.
    pub const fn new(bytes: &'a [u8], section: Subject) -> Self {
        Reader { rest: bytes, total: bytes.len(), section, element: None }
    }

    /// Says what is read from here on, for the errors.
    pub fn section(&mut self, section: Subject) {
        self.section = section;
        self.element = None;
    }

    /// Says which element of which section is read from here on, for the errors.
    #[inline]
    pub fn element(&mut self, section: Subject, index: usize) {
        self.section = section;
        self.element = Some(index);
    }

    /// How many bytes have been read.
    pub const fn position(&self) -> usize {
        self.total - self.rest.len()
    }

    /// How many bytes remain.
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    numbers! {
        u8: u8, "The next byte.";
        u16: u16, "The next two bytes.";
        u32: u32, "The next four bytes.";
        u64: u64, "The next eight bytes.";
        i8: i8, "The next byte, signed.";
        i16: i16, "The next two bytes, signed.";
        i32: i32, "The next four bytes, signed.";
        i64: i64, "The next eight bytes, signed.";
        f32: f32, "The next four bytes as the bits of a float; it may be NaN or infinite.";
        f64: f64, "The next eight bytes as the bits of a double; it may be NaN or infinite.";
    }

    /// The next `N` bytes: a magic, a digest.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(*bytes)
            }
            None => Err(self.too_short(N)),
        }
    }

    /// The next `count` bytes, where they stand.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => Err(self.too_short(count)),
        }
    }

    /// A count of four bytes, whose elements of `element_size` bytes each must all be there after it.
    ///
    /// So a count can be trusted with memory and time: it is at most the bytes that remain. An `element_size` of 0 is
    /// taken as 1. A count too large is refused with the subject, the count and how many elements could follow.
    pub fn count(&mut self, element_size: usize, subject: Subject) -> Result<usize> {
        let mut ahead = self.clone();
        ahead.section(subject);
        let count = ahead.u32()? as usize;
        let bound = ahead.remaining() / element_size.max(1);
        if count > bound {
            return Err(Error::format(subject).value(count as f64).bound(bound as f64));
        }
        self.rest = ahead.rest;
        Ok(count)
    }

    /// Refuses bytes that are left over.
    pub fn finish(&self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Error::format(Subject::Bytes).value(self.total as f64).bound(self.position() as f64))
    }

    /// A refusal of what was just read, naming the section and the element.
    pub fn refuse(&self) -> Error {
        let error = Error::format(self.section);
        self.element.map_or(error, |index| error.at(index))
    }

    #[cold]
    fn too_short(&self, wanted: usize) -> Error {
        self.refuse().value(wanted as f64).bound(self.rest.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use std::string::ToString;

    #[test]
    fn values_come_back_in_order_and_by_bits() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0xC0, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0x80];
        let mut reader = Reader::new(&bytes, Subject::Header);
        assert_eq!(reader.u8(), Ok(1));
        assert_eq!(reader.u16(), Ok(0x0302));
        assert_eq!(reader.u32(), Ok(0x0706_0504));
        assert_eq!(reader.i32(), Ok(-2));
        assert_eq!(reader.f32().map(f32::to_bits), Ok(0x7FC0_0000));
        assert_eq!((reader.position(), reader.remaining()), (15, 8));
        assert_eq!(reader.f64().map(f64::to_bits), Ok(1 << 63));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn a_read_past_the_end_names_section_and_element_and_takes_nothing() {
        let mut reader = Reader::new(&[1, 2, 3], Subject::Header);
        reader.element(Subject::Vertex, 5);
        let error = reader.u32().unwrap_err();
        assert_eq!((error.kind(), error.subject(), error.index()), (ErrorKind::Format, Subject::Vertex, Some(5)));
        assert_eq!((error.refused(), error.limit_value()), (Some(4.0), Some(3.0)));
        assert!(reader.bytes(usize::MAX).is_err());
        assert_eq!(reader.array(), Ok([1, 2, 3]));
    }

    #[test]
    fn a_count_is_held_against_the_bytes_that_remain() {
        let bytes = [2, 0, 0, 0, 10, 11, 12, 13, 14, 15];
        assert_eq!(Reader::new(&bytes, Subject::Header).count(3, Subject::Vertices), Ok(2));
        let mut reader = Reader::new(&bytes, Subject::Header);
        let error = reader.count(4, Subject::Vertices).unwrap_err();
        assert_eq!(error.to_string(), "format: vertices is 2, past the bound of 1");
        assert_eq!(reader.position(), 0);
        let huge = [0xFF; 8];
        for size in [0, 1, 2, usize::MAX] {
            assert!(Reader::new(&huge, Subject::Header).count(size, Subject::Polygons).is_err());
        }
        assert!(Reader::new(&huge[..3], Subject::Header).count(1, Subject::Polygons).is_err());
    }

    #[test]
    fn bytes_left_over_are_refused() {
        let mut reader = Reader::new(&[1, 2], Subject::Header);
        reader.u8().unwrap();
        let error = reader.finish().unwrap_err();
        assert_eq!(error.to_string(), "format: bytes is 2, past the bound of 1");
    }
}
