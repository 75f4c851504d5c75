//! Which slot stands where: the tiles' places in one sorted array, so that a column's layers and a row's columns lie
//! side by side.

use crate::memory::{Pod, Zeroable};

/// A tile's place and its slot; ordered by row, column and layer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub(super) struct Place {
    pub z: i32,
    pub x: i32,
    pub layer: i32,
    pub slot: u32,
}

impl Place {
    pub(super) fn key(&self) -> (i32, i32, i32) {
        (self.z, self.x, self.layer)
    }
}

/// The entry of a place in an array sorted by place, or where it would have to stand.
pub(super) fn find(places: &[Place], x: i32, z: i32, layer: i32) -> Result<usize, usize> {
    places.binary_search_by_key(&(z, x, layer), Place::key)
}

/// A column's entries, in layer order.
pub(super) fn column(places: &[Place], x: i32, z: i32) -> &[Place] {
    let first = places.partition_point(|place| (place.z, place.x) < (z, x));
    let count = places[first..].partition_point(|place| (place.z, place.x) == (z, x));
    &places[first..first + count]
}
