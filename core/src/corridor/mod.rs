//! Path corridors: the polygons of the way still ahead of an agent, trimmed as it moves, shortened where it can see ahead
//! and repaired when the mesh changes.
//!
//! A [`Corridor`] lies in memory of its caller's: a [`CorridorRecord`] of 64 bytes and 8 bytes a polygon. It holds
//! neither mesh nor query: both are arguments of every call that needs them, and so is the filter, which must be the same
//! one as long as the corridor is. Corners come from the query's funnel and are lent by [`Query::path`].
//!
//! Nothing here fails for a reference that is stale, forged or rejected: the call tells that it did nothing, or the
//! corridor is cut where it no longer holds.
//!
//! [`Query::path`]: crate::query::Query::path
//!
//! Source: `corridors.md`. The idea of a corridor is M. Mononen's; the funnel is Lee and Preparata's.

mod drawing;
mod joining;
mod moves;
mod record;
mod replan;
mod shortcuts;
mod state;
mod upkeep;

#[cfg(test)]
pub(crate) mod tests;

pub use record::{Corridor, CorridorRecord, MAX_CORRIDOR, MIN_CORRIDOR};
pub use replan::CorridorReplan;
pub use upkeep::CorridorCheck;

pub(crate) use shortcuts::MIN_WINDOW;
pub(crate) use state::{CORRIDOR_HEADER, SavedCorridor, finite_number, place_of, read_corridor, write_corridor};
