//! The roots of a search: the best way known to each place where ways turn or land.

use super::Polyanya;
use super::cone::Point;
use crate::math::distance;
use crate::memory::{Pod, Zeroable};
use crate::search::spread;

/// By how much of its length a way must be longer to be worse than another: more than the rounding of sums, so that two
/// ways of one length that run through different portals are both followed.
const ROUNDING: f64 = 1.0 / (1u64 << 44) as f64;

/// What two ways must have in common to be compared at a root: a corner's blocking edge and side, or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RootKey(u64);

impl RootKey {
    const NONE: RootKey = RootKey(u64::MAX);
    /// Where a start or a landing on a tile side is seen to lie from the tile beyond.
    pub const MOVED: RootKey = RootKey(u64::MAX - 1);

    /// A corner by the edge that blocks it, 2^32 of a tile, and the side of the turn.
    pub fn corner(slot: u32, edge: u32, is_left: bool) -> RootKey {
        RootKey(u64::from(is_left) << 63 | u64::from(slot) << 32 | u64::from(edge))
    }

    /// An end of a tile portal within an edge of a polygon that begins with an edge.
    pub fn portal_end(slot: u32, first_edge: u32, is_left: bool) -> RootKey {
        RootKey(1 << 62 | Self::corner(slot, first_edge, is_left).0)
    }

    /// Where an off-mesh link lands.
    pub fn landing(owner: u32, index: u32, is_staged: bool, is_reverse: bool) -> RootKey {
        RootKey(1 << 61 | u64::from(is_staged) << 60 | Self::corner(owner, index, is_reverse).0)
    }
}

/// A place from which intervals are seen: a node's bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Root {
    pub position: Point,
    /// The cost of the way to it, divided by the price.
    pub cost: f64,
    /// The length of that way.
    pub length: f64,
    key: u64,
    /// Of the first root with a key: the best one.
    best: u32,
    /// 1 when a better way to the same place is known.
    pub is_outdone: u32,
    reserved: [u64; 2],
}

impl Root {
    pub fn at_start(position: Point) -> Root {
        Root { position, key: RootKey::NONE.0, ..Root::default() }
    }

    /// The same way gone on in a straight line.
    pub fn walked_to(&self, position: Point) -> Root {
        let leg = distance(self.position, position);
        Root { position, cost: self.cost + leg, length: self.length + leg, ..Root::at_start(position) }
    }

    /// The same way gone on over a link.
    pub fn crossed(&self, length: f64, cost: f64, landing: Point) -> Root {
        Root { cost: self.cost + cost, length: self.length + length, ..Root::at_start(landing) }
    }
}

impl Polyanya<'_, '_> {
    /// The root for a way that arrives at the place of a key. None when a better way there is known, when the way is
    /// too long, or when there is no node left.
    pub(super) fn arrive(&mut self, key: RootKey, root: Root) -> Option<u32> {
        if root.length > self.state.question.max_length {
            return None;
        }
        let (nodes, known) =
            (&*self.nodes, |number: u32| -> &Root { bytemuck::must_cast_ref(&self.nodes[number as usize]) });
        debug_assert!(nodes.len() <= 1 << 20);
        let hash = spread(key.0);
        let intervals = self.state.intervals;
        let found = self.table.find(hash, |number| {
            let other = known(number);
            number >= intervals && other.key == key.0 && other.position == root.position
        });
        match found {
            Ok(first) => {
                let best = known(first).best;
                let cost = known(best).cost;
                if root.cost > cost + cost * ROUNDING {
                    return None;
                }
                if root.cost >= cost - cost * ROUNDING {
                    return Some(best);
                }
                let better = self.add_root(Root { key: key.0, ..root })?;
                self.root_mut(best).is_outdone = 1;
                self.root_mut(first).best = better;
                Some(better)
            }
            Err(place) => {
                let number = self.add_root(Root { key: key.0, ..root })?;
                self.root_mut(number).best = number;
                self.table.insert(place, number);
                Some(number)
            }
        }
    }
}
