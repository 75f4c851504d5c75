//! Ours beside theirs: the same input and settings, the answers compared first, then strictly alternating runs in one
//! process, best of several after a warm-up. `docs/measuring.md` says how each number comes about.
//!
//! The peers stand behind features, so that building and testing the workspace needs neither a C++ compiler nor their
//! sources: `peers` brings those written in Rust, `cpp` Recast and Detour.

pub mod clock;
#[cfg(feature = "cpp")]
pub mod crowd_rows;
#[cfg(feature = "peers")]
pub mod dodgy;
#[cfg(feature = "cpp")]
pub mod floor_rows;
#[cfg(feature = "peers")]
pub mod grids;
#[cfg(feature = "peers")]
pub mod hierarchical;
#[cfg(feature = "peers")]
pub mod polyanya;
#[cfg(feature = "cpp")]
pub mod query_rows;
#[cfg(feature = "cpp")]
pub mod recast;
#[cfg(feature = "peers")]
pub mod rerecast;
#[cfg(feature = "cpp")]
pub mod rows;
pub mod table;
