//! Regions out of a `bumpalo` arena, for the core's own objects.

use bumpalo::Bump;
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::memory::{Grain, Plan};

/// A region for a plan, all zero, that lives as long as the bump arena.
///
/// Errors: [`ErrorKind::Capacity`] when the bump arena can't grow that far.
///
/// ```
/// use navarena::memory::{Arena, Ruler};
/// use navarena_alloc::region_in;
/// let bump = bumpalo::Bump::new();
/// let mut arena = Arena::new(region_in(&bump, Ruler::new().array::<f64>(10).plan())?);
/// assert_eq!(arena.take::<f64>(10)?.len(), 10);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
pub fn region_in(bump: &Bump, plan: Plan) -> Result<&mut [Grain]> {
    let refusal = Error::new(ErrorKind::Capacity, Subject::Memory).value(plan.bytes as f64);
    bump.try_alloc_slice_fill_copy(plan.grains(), Grain::ZERO).map_err(|_| refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_apart_and_a_plan_without_end_is_refused() {
        let bump = Bump::new();
        let plan = Plan { bytes: 64 };
        let (a, b) = (region_in(&bump, plan).unwrap(), region_in(&bump, plan).unwrap());
        assert_eq!((a.len(), b.len()), (4, 4));
        assert!(region_in(&bump, Plan { bytes: usize::MAX }).is_err());
    }
}
