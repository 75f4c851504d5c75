//! A list that grows inside an arena, up to a limit that has a name.

use super::Pod;
use crate::error::{Error, Result, Subject};

/// Elements pushed one after the other into memory that an arena lent.
///
/// Reads like a slice. A push past its limit is refused with the limit's name; a push past the arena's memory is
/// refused as memory.
#[derive(Debug)]
pub struct List<'a, T> {
    items: &'a mut [T],
    len: usize,
    bounded: bool,
}

impl<'a, T: Pod> List<'a, T> {
    pub(super) fn new(items: &'a mut [T], bounded: bool) -> Self {
        List { items, len: 0, bounded }
    }

    /// An empty list over an array that was taken already; its limit is the array's length.
    pub fn over(items: &'a mut [T]) -> Self {
        List { items, len: 0, bounded: true }
    }

    /// A list that is full with an array's elements.
    pub fn full_of(items: &'a mut [T]) -> Self {
        let len = items.len();
        List { items, len, bounded: true }
    }

    /// How many elements it could hold.
    pub fn capacity(&self) -> usize {
        self.items.len()
    }

    /// Appends an element; `limit` names what has run out when it can't.
    pub fn push(&mut self, item: T, limit: Subject) -> Result<()> {
        match self.items.get_mut(self.len) {
            Some(place) => {
                *place = item;
                self.len += 1;
                Ok(())
            }
            None => Err(self.full(limit)),
        }
    }

    /// Removes and returns the last element.
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.items.get(self.len).copied()
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Forgets all elements.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The elements, for as long as the arena's memory lives.
    pub fn into_slice(self) -> &'a mut [T] {
        &mut self.items[..self.len]
    }

    fn full(&self, limit: Subject) -> Error {
        let subject = if self.bounded { limit } else { Subject::Memory };
        Error::capacity(subject, self.items.len())
    }
}

impl<T> core::ops::Deref for List<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T> core::ops::DerefMut for List<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_full_list_names_its_limit_and_keeps_what_it_has() {
        let mut room = [0u32; 2];
        let mut list = List::over(&mut room);
        list.push(5, Subject::Spans).unwrap();
        list.push(6, Subject::Spans).unwrap();
        let error = list.push(7, Subject::Spans).unwrap_err();
        assert_eq!(
            (error.kind(), error.subject(), error.limit_value()),
            (ErrorKind::Capacity, Subject::Spans, Some(2.0))
        );
        assert_eq!(&*list, [5, 6]);
        assert_eq!(list.pop(), Some(6));
        list.clear();
        assert_eq!(list.pop(), None);
    }
}
