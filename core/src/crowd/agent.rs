//! What a crowd keeps of each agent, laid out by the phase that reads it.

use super::options::{AgentOptions, OptionsRecord};
use crate::follower::FollowerRecord;
use crate::memory::{Pod, Zeroable};

/// The slot holds an agent.
pub(super) const ACTIVE: u32 = 1;
/// It was on the way in the last step.
pub(super) const WALKING: u32 = 2;
/// It was crossing an off-mesh link in the last step.
pub(super) const CROSSING: u32 = 4;
/// The bits that a saved state has.
pub(super) const SAVED_FLAGS: u32 = ACTIVE | WALKING | CROSSING;
/// Its walls were looked up, for the mesh of the stamp.
pub(super) const WALLS_FOUND: u32 = 8;

/// Which agent: its number, which is never given again, and the slot that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AgentId {
    pub(super) number: u64,
    pub(super) slot: u32,
}

impl AgentId {
    /// How many agents were added before it.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Its slot: agents are stepped, listed and saved in the slots' order.
    pub const fn slot(self) -> usize {
        self.slot as usize
    }
}

/// One slot: what plan and move write, and the others read while everybody avoids.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Agent {
    pub number: u64,
    pub priority: f64,
    pub settings: OptionsRecord,
    pub follower: FollowerRecord,
    /// Where the walls were looked up, seen from above.
    pub wall_center: [f64; 2],
    /// The mesh's version then.
    pub wall_stamp: u64,
    pub wall_count: u32,
    pub flags: u32,
}

impl Agent {
    pub fn is_active(&self) -> bool {
        self.flags & ACTIVE != 0
    }

    pub fn is_walking(&self) -> bool {
        self.flags & WALKING != 0
    }

    pub fn is_crossing(&self) -> bool {
        self.flags & CROSSING != 0
    }

    pub fn options(&self) -> AgentOptions {
        (&self.settings).into()
    }

    /// How many polygons its corridor has room for: those of its slot's that it uses.
    pub fn capacity(&self) -> usize {
        self.options().follower().corridor_capacity as usize
    }

    /// Whether its walls are those of the mesh as it is.
    pub fn has_walls_of(&self, version: u64) -> bool {
        self.flags & WALLS_FOUND != 0 && self.wall_stamp == version
    }
}

/// What an agent wants and what it gets: written while everybody avoids.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Motion {
    /// The wanted velocity, side bias included.
    pub preferred: [f64; 2],
    /// The velocity that the constraints leave of it.
    pub solved: [f64; 2],
}

/// An agent as all see it during a step: as it was at its beginning.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Body {
    pub position: [f64; 2],
    pub velocity: [f64; 2],
}
