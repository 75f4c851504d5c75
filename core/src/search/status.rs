//! How a path query ended, whatever the world is made of (`path-results.md`, "PathStatus").

/// The outcome of a path query, with OnePath's numbers; zero is never success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum PathStatus {
    /// No query has produced a result.
    #[default]
    None = 0,
    /// A path to the goal.
    Found = 1,
    /// The start is outside the world, blocked, or far from any walkable surface.
    StartInvalid = 2,
    /// The goal is outside the world, blocked, or far from any walkable surface.
    GoalInvalid = 3,
    /// All that can be reached was searched, and the goal is not in it.
    NoPath = 4,
    /// The budget of iterations ran out; a sliced query may go on.
    BudgetExhausted = 5,
    /// The path leads to the closest place that can be reached.
    Partial = 6,
    /// Not finished; later steps go on with it.
    InProgress = 7,
}

impl PathStatus {
    /// Whether there is a path to walk: the whole one or a part.
    pub const fn has_path(self) -> bool {
        matches!(self, PathStatus::Found | PathStatus::Partial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_never_success_and_only_found_and_partial_have_a_path() {
        assert_eq!(PathStatus::default() as u8, 0);
        assert!(!PathStatus::default().has_path());
        let with_path = (1..=7u8).filter(|&n| n == PathStatus::Found as u8 || n == PathStatus::Partial as u8);
        assert!(with_path.eq([1, 6]));
        assert!(PathStatus::Found.has_path() && PathStatus::Partial.has_path());
        assert!(!PathStatus::NoPath.has_path() && !PathStatus::InProgress.has_path());
    }
}
