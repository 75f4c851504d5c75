//! What the test does on the page, click by click, and the hash matrix on every machine.

use crate::page::{Action, Group};

/// A path, two pillars that close a door and one in the way, groups sent elsewhere; then a saved state from which the same forty steps
/// are walked twice, with other things done in between.
pub const SCRIPT: &[Action] = &[
    Action::Walk(20),
    Action::Path([45.5, 3.0]),
    Action::Send(Group::Left, [24.0, 8.0]),
    Action::Walk(30),
    Action::Pillar([34.0, 9.0]),
    Action::Pillar([34.0, 10.5]),
    Action::Walk(20),
    Action::Send(Group::Right, [18.0, 22.0]),
    Action::Pillar([17.0, 15.0]),
    Action::Walk(20),
    Action::Save,
    Action::Walk(40),
    Action::Pillar([34.0, 9.0]),
    Action::Send(Group::Left, [6.0, 27.5]),
    Action::Path([11.0, 2.0]),
    Action::Walk(20),
    Action::RollBack,
    Action::Walk(40),
];
