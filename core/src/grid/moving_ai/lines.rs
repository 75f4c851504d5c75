//! Lines, fields and numbers of a text file, without a heap.

use crate::error::{Error, Result, Subject};

/// The lines of a file, numbered from 1, without their ends.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub number: usize,
    pub text: &'a [u8],
}

impl<'a> Lines<'a> {
    pub const fn of(bytes: &'a [u8]) -> Lines<'a> {
        Lines { rest: bytes, number: 0 }
    }

    /// The next line; a file that ends earlier is refused by the number of the line that is missing.
    pub fn expect(&mut self) -> Result<Line<'a>> {
        let missing = self.number + 1;
        self.next().ok_or(Error::format(Subject::Line).at(missing))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (text, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        self.number += 1;
        Some(Line { number: self.number, text: text.strip_suffix(b"\r").unwrap_or(text) })
    }
}

impl<'a> Line<'a> {
    /// The refusal of this line.
    pub const fn refused(self) -> Error {
        Error::format(Subject::Line).at(self.number)
    }

    /// Whether nothing but blanks is on it.
    pub fn is_blank(self) -> bool {
        self.fields().next().is_none()
    }

    /// What stands between blanks and tabs.
    pub fn fields(self) -> impl Iterator<Item = &'a [u8]> {
        self.text.split(|&byte| byte == b' ' || byte == b'\t').filter(|field| !field.is_empty())
    }

    /// The number behind a word, as the line's only two fields.
    pub fn number_after(self, word: &[u8]) -> Result<u32> {
        let mut fields = self.fields();
        if fields.next() != Some(word) {
            return Err(self.refused().part(0));
        }
        let number = fields.next().and_then(whole_number).ok_or(self.refused().part(1))?;
        if fields.next().is_some() { Err(self.refused().part(2)) } else { Ok(number) }
    }
}

/// A whole number of decimal digits, below 2^32.
pub(super) fn whole_number(field: &[u8]) -> Option<u32> {
    if field.is_empty() || field.len() > 10 {
        return None;
    }
    let digits = field
        .iter()
        .try_fold(0u64, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0')))?;
    u32::try_from(digits).ok()
}

/// A decimal number of digits and at most one point, rounded to the nearest double.
pub(super) fn decimal(field: &[u8]) -> Option<f64> {
    let is_plain = field.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.');
    let has_digit = field.iter().any(u8::is_ascii_digit);
    // A longer one is no length of a path, and parsing takes time by its digits.
    if !is_plain || !has_digit || field.len() > 32 {
        return None;
    }
    core::str::from_utf8(field).ok()?.parse().ok()
}
