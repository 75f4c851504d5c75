//! Plane geometry that never errs: exact signs, whatever the rounding.

mod expansion;
pub(crate) mod plane;
pub mod predicates;
