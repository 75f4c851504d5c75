//! The specialised A* with exact costs (`grids.md`, "The specialised octile searches").
//!
//! A way over eight neighbours costs `a + b * SQRT_2` for `a` straight and `b` diagonal steps. The search keeps the two
//! integers, the standard form as one (`scale`), so that ways of equal cost tie exactly, where sums of doubles would differ in the last bits. Order: smaller
//! `f`, then larger `g` rounded to a float, then smaller node. The estimate is consistent: a closed node is final.
//!
//! The search itself ([`OctileSearch`]) is written over two forms of its memory that give the same results:
//! [`standard`] for speed, [`compact`] for small maps. Neither remembers anything of a grid: which steps a node has is
//! read from the grid's cells, 3 rows of 3 bytes, when it is expanded. (The reference keeps walls in its records and a
//! wall all round the map; reading the cells needs neither, and no repair after an edit.)

mod compact;
mod form;
mod pair;
mod scale;
mod search;
mod standard;
mod state;

pub use compact::{Compact, CompactRecord};
pub use pair::Pair;
pub use search::{Aim, OctileProgress, OctileSearch, onward};
pub use standard::{LISTS, Standard, StandardEntry};
pub use state::CheckedOctile;
pub(in crate::grid) use state::check;
