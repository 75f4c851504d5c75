//! References: who a polygon or a tile is, in 64 bits that go stale when its tile goes.

use crate::memory::{Pod, Zeroable};

const INDEX_BITS: u32 = 20;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;

/// Names a polygon: salt (24 bits), tile slot (20 bits) and polygon index (20 bits), from the top.
///
/// Salt 0 is never issued, so the zero value names nothing. Source: `navmesh-format.md`, "References".
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PolyRef(pub u64);

impl PolyRef {
    /// The reference that names nothing.
    pub const NONE: PolyRef = PolyRef(0);

    /// The reference of a polygon of a tile slot with a salt; each part is reduced to its bits.
    pub const fn new(salt: u32, slot: u32, index: u32) -> PolyRef {
        let salt = (salt as u64 & 0xFF_FFFF) << (2 * INDEX_BITS);
        PolyRef(salt | (slot as u64 & INDEX_MASK) << INDEX_BITS | (index as u64 & INDEX_MASK))
    }

    /// The salt of the slot when the reference was made.
    pub const fn salt(self) -> u32 {
        (self.0 >> (2 * INDEX_BITS)) as u32
    }

    /// The tile's slot.
    pub const fn slot(self) -> u32 {
        (self.0 >> INDEX_BITS & INDEX_MASK) as u32
    }

    /// The polygon's index in its tile.
    pub const fn index(self) -> u32 {
        (self.0 & INDEX_MASK) as u32
    }

    /// Whether it names nothing.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The reference of the polygon's tile.
    pub const fn tile(self) -> TileRef {
        TileRef(self.0 >> INDEX_BITS)
    }
}

/// Names a tile: the salt and slot parts of its polygons' references.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TileRef(pub u64);

impl TileRef {
    /// The reference of a slot with a salt.
    pub const fn new(salt: u32, slot: u32) -> TileRef {
        TileRef(PolyRef::new(salt, slot, 0).0 >> INDEX_BITS)
    }

    /// The salt of the slot when the reference was made.
    pub const fn salt(self) -> u32 {
        (self.0 >> INDEX_BITS) as u32
    }

    /// The tile's slot.
    pub const fn slot(self) -> u32 {
        (self.0 & INDEX_MASK) as u32
    }

    /// The reference of one of the tile's polygons.
    pub const fn polygon(self, index: u32) -> PolyRef {
        PolyRef::new(self.salt(), self.slot(), index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_where_the_page_puts_them() {
        let poly = PolyRef::new(0xABCDEF, 0x12345, 0x54321);
        assert_eq!(poly.0, 0xABCDEF << 40 | 0x12345 << 20 | 0x54321);
        assert_eq!((poly.salt(), poly.slot(), poly.index()), (0xABCDEF, 0x12345, 0x54321));
        assert_eq!(poly.tile().polygon(7), PolyRef::new(0xABCDEF, 0x12345, 7));
        assert_eq!(PolyRef::new(1, 0, 0).0, 1 << 40);
        assert!(PolyRef::NONE.is_none());
    }
}
