//! What comes before the walk: the corridor checked, replanned and shortened, links entered and the end noticed
//! (`corridors.md`, "Step", 1 to 6).

use super::record::{Follower, FollowerState, Scene, in_plane};
use super::steering::steering_corner;
use crate::corridor::CorridorCheck;
use crate::error::Result;
use crate::query::{POINT_END, POINT_OFF_MESH, PathPoint, PolygonFilter, QueryStatus};

/// In a crowd corridors of fewer polygons are always extended at once.
const ALWAYS_EXTENDED: usize = 16;

impl Follower<'_> {
    /// Makes the corridor good and tells whether there is somewhere to walk: then the query's path lends the corners. Does
    /// not touch the velocity.
    // What it needs of the stack is given back before the agent is moved.
    #[inline(never)]
    pub(super) fn keep_up<F: PolygonFilter>(
        &mut self,
        scene: &mut Scene<'_, '_, '_, F>,
        in_crowd: bool,
    ) -> Result<bool> {
        self.record.step_count = (self.record.step_count + 1) & (u64::MAX >> 1);
        Ok(self.check_mesh(scene)?
            && self.replan_if_needed(scene, in_crowd)?
            && self.find_corners(scene)?
            && self.shorten(scene)?
            && !self.enter_link(scene)
            && self.goes_on(scene))
    }

    /// Step 1: false when there is no polygon near the agent.
    fn check_mesh<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> Result<bool> {
        let look_ahead = self.options.validate_look_ahead as usize;
        let noted = scene.noted.as_deref();
        match self.corridor().validate_beside(scene.mesh, scene.filter, look_ahead, noted) {
            CorridorCheck::Invalid => self.relocate(scene),
            CorridorCheck::Trimmed | CorridorCheck::Valid => Ok(true),
        }
    }

    /// Moves onto the nearest polygon; false, without a path, when there is none.
    pub(super) fn relocate<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> Result<bool> {
        let extents = self.options.search_extents;
        let is_placed = self.corridor().relocate(scene.mesh, scene.filter, extents)?;
        if is_placed {
            self.follow_corridor();
        } else {
            self.halt(FollowerState::NoPath);
        }
        Ok(is_placed)
    }

    /// Step 2: false when the step ends here.
    fn replan_if_needed<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>, in_crowd: bool) -> Result<bool> {
        if self.corridor().needs_replan() && !(in_crowd && self.extension_waits()) {
            let budget = self.next_budget();
            match self.replan(scene, budget)? {
                QueryStatus::InvalidStartPoly => {
                    self.relocate(scene)?;
                    return Ok(false);
                }
                QueryStatus::NoEndNearby => {
                    self.halt(FollowerState::NoPath);
                    return Ok(false);
                }
                QueryStatus::InProgress => {
                    self.record.replan_rounds = self.record.replan_rounds.saturating_add(1);
                    if self.record.replan_rounds >= self.options.max_replan_rounds {
                        self.halt(FollowerState::NoPath);
                        return Ok(false);
                    }
                }
                _ => {}
            }
        }
        // The way of an unfinished search is a guess, and is not walked.
        let rounds = self.record.replan_rounds;
        let corridor = self.corridor();
        let is_guess = corridor.needs_replan() && corridor.replans_from_start() && !corridor.is_complete();
        if rounds > 0 && is_guess {
            self.wait();
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether a corridor that only needs to go on from its end is long enough for now.
    fn extension_waits(&mut self) -> bool {
        let corridor = self.corridor();
        let count = corridor.path().len();
        corridor.only_extends() && count >= ALWAYS_EXTENDED && 4 * count > 3 * corridor.capacity()
    }

    /// Step 3: false when the corridor does not hold together beyond the look-ahead.
    pub(super) fn find_corners<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> Result<bool> {
        let most = self.options.max_corners;
        let outcome = match &mut scene.noted {
            Some(noted) => self.corridor().find_corners_again(scene.mesh, scene.query, most, noted)?,
            None => self.corridor().find_corners(scene.mesh, scene.query, most)?,
        };
        if outcome.detail == QueryStatus::Success {
            return Ok(true);
        }
        if self.corridor().validate(scene.mesh, scene.filter, usize::MAX) == CorridorCheck::Invalid {
            self.relocate(scene)?;
        }
        Ok(false)
    }

    /// Step 4: false as in step 3.
    fn shorten<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> Result<bool> {
        let options = self.options;
        let is_due = |interval: u32, steps: u64| interval > 0 && steps.is_multiple_of(interval.into());
        let steps = self.record.step_count;
        let mut is_changed = false;
        if is_due(options.optimize_interval, steps)
            && let Some(aim) = self.shortcut_aim(scene.query.path().points())
        {
            let budget = options.optimize_budget as usize;
            let ray = (aim, options.optimize_range);
            is_changed = self.corridor().optimize_visibility(scene.mesh, scene.query, ray, scene.filter, budget)?;
        }
        if is_due(options.topology_interval, steps) {
            let budget = options.topology_budget;
            let window = (budget as usize / 2).max(crate::corridor::MIN_WINDOW);
            self.corridor().optimize_topology(scene.mesh, scene.query, scene.filter, budget.into(), window)?;
            // The search has taken the corners' place.
            is_changed = true;
        }
        if is_changed { self.find_corners(scene) } else { Ok(true) }
    }

    /// The farthest corner within the range of shortcuts that comes before a link.
    fn shortcut_aim(&self, corners: &[PathPoint]) -> Option<[f64; 3]> {
        let before_link = corners.iter().take_while(|corner| corner.flags & POINT_OFF_MESH == 0);
        let near = |corner: &&PathPoint| in_plane(self.record.position, corner.position) <= self.options.optimize_range;
        before_link.skip(1).filter(near).last().map(|corner| corner.position)
    }

    /// Step 6: false when the agent has arrived, or waits at the end for a way on.
    fn goes_on<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> bool {
        let corners = scene.query.path().points();
        let Some(corner) = steering_corner(self.record.position, corners) else { return false };
        let is_end = corner.flags & POINT_END != 0;
        if !is_end || in_plane(self.record.position, corner.position) > self.options.arrival_radius {
            return true;
        }
        if self.awaits_replan() {
            self.wait();
        } else {
            self.arrive();
            self.record.velocity = [0.0; 3];
        }
        false
    }

    /// Whether the end is not the target's yet, and a way on will be looked for.
    pub(super) fn awaits_replan(&mut self) -> bool {
        let corridor = self.corridor();
        !corridor.is_complete() && corridor.needs_replan()
    }

    pub(super) fn arrive(&mut self) {
        self.record.reached = self.corridor().is_complete().into();
        self.record.state = FollowerState::Arrived as u32;
        self.record.remaining = 0.0;
    }

    /// Stands still for now; that is not being stuck.
    fn wait(&mut self) {
        self.record.velocity = [0.0; 3];
        self.rest_clock();
    }
}
