//! Which slot stands where: the tiles' places in one sorted array, so that a column's layers and a row's columns lie
//! side by side.

use super::params::MeshParams;
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
    // Few have more than one.
    let count = places[first..].iter().take_while(|place| (place.z, place.x) == (z, x)).count();
    &places[first..first + count]
}

/// A rectangle of columns of the tile grid, its bounds included. 64 bits hold a column's neighbours too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    x: [i64; 2],
    z: [i64; 2],
}

impl Columns {
    /// The columns whose tiles could reach into a box of world coordinates, its heights aside; none where 32 bits don't
    /// number them. `overhangs` says whether tiles may reach beyond their cells.
    pub(super) fn near(params: &MeshParams, overhangs: bool, low: [f64; 3], high: [f64; 3]) -> Option<Columns> {
        // A side belongs to the tiles on both hands; a millionth of a tile is more than rounding moves it.
        let margin = params.tile_size * 1e-6;
        let (x0, z0) = params.world_to_tile(low[0] - margin, low[2] - margin)?;
        let (x1, z1) = params.world_to_tile(high[0] + margin, high[2] + margin)?;
        let reach = i64::from(overhangs);
        let wide = |from: i32, to: i32| [i64::from(from) - reach, i64::from(to) + reach];
        Some(Columns { x: wide(x0, x1), z: wide(z0, z1) })
    }

    /// How many there are, where that is a number.
    fn count(&self) -> Option<usize> {
        let columns = (self.x[1] - self.x[0] + 1).checked_mul(self.z[1] - self.z[0] + 1)?;
        usize::try_from(columns).ok()
    }

    /// Whether a column is one of them.
    pub(super) fn hold(&self, x: i32, z: i32) -> bool {
        let within = |[low, high]: [i64; 2], value: i32| (low..=high).contains(&i64::from(value));
        within(self.x, x) && within(self.z, z)
    }

    /// The columns, if there are at most so many.
    pub(super) fn few(self, most: usize) -> Option<impl Iterator<Item = (i32, i32)>> {
        self.count().filter(|&count| count <= most)?;
        let named = |(x, z): (i64, i64)| Some((i32::try_from(x).ok()?, i32::try_from(z).ok()?));
        Some((self.x[0]..=self.x[1]).flat_map(move |x| (self.z[0]..=self.z[1]).map(move |z| (x, z))).filter_map(named))
    }
}

/// Calls `visit` with the places in some columns, in no order that matters; with every place where no columns are given.
pub(super) fn each_near(places: &[Place], columns: Option<Columns>, mut visit: impl FnMut(&Place)) {
    if let Some(few) = columns.and_then(|columns| columns.few(places.len())) {
        return few.for_each(|(x, z)| column(places, x, z).iter().for_each(&mut visit));
    }
    places.iter().filter(|place| columns.is_none_or(|columns| columns.hold(place.x, place.z))).for_each(visit);
}
