//! A lone follower's step (`corridors.md`, "Step", 7 to 10).

use super::record::{Follower, FollowerState, Scene, in_plane};
use super::steering::{Steering, accelerated, steering_corner, stops_at};
use crate::error::{Error, Result, Subject};
use crate::geometry::plane::Vec3;
use crate::math::{lerp, max, sqrt, vector};
use crate::mesh::{NavMesh, WORLD_BOUND};
use crate::query::{POINT_END, PathPoint, PolygonFilter, Query};

/// The most corners passed in a step.
const HOPS: usize = 4;
/// The largest coordinate that a position has.
const FARTHEST: f64 = f64::from_bits(WORLD_BOUND.to_bits() - 1);

/// How a walk ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    /// Somewhere on the way.
    OnTheWay,
    /// On the end corner.
    AtEnd,
    /// Nowhere: no polygon is near any more.
    Lost,
}

impl Follower<'_> {
    /// Walks for a time: keeps the corridor good, turns the velocity toward the next corner, moves along the surface, and
    /// notices arrival and being stuck. Crosses a link where that is [automatic](super::OffMeshMode::AUTOMATIC). Who is
    /// not on the way stands still.
    ///
    /// # Errors
    /// A time that is not finite or not above 0; a capacity error as for [`set_destination`](Follower::set_destination).
    pub fn step<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        dt: f64,
    ) -> Result<()> {
        self.check_step(query, dt)?;
        let mut scene = Scene::new(mesh, query, filter);
        match self.state() {
            FollowerState::Moving => {
                if self.keep_up(&mut scene, false)? {
                    self.walk(&mut scene, dt)?;
                } else {
                    self.record.velocity = [0.0; 3];
                }
            }
            FollowerState::OffMeshLink => self.cross(&mut scene, dt)?,
            _ => self.record.velocity = [0.0; 3],
        }
        Ok(())
    }

    /// Refuses a time step that is none, and a query that is too small.
    pub(super) fn check_step(&self, query: &Query<'_>, dt: f64) -> Result<()> {
        if !dt.is_finite() || dt <= 0.0 {
            return Err(Error::invalid(Subject::TimeStep).value(dt));
        }
        self.check_room(query)
    }

    fn walk<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>, dt: f64) -> Result<()> {
        let before = self.record.position;
        let corners = scene.query.path().points();
        let Some(steering) = Steering::along(before, corners, &self.options) else { return Ok(()) };
        let wanted = steering.velocity(before, steering.corner.position);
        let [x, _, z] = self.record.velocity;
        let velocity = accelerated([x, z], wanted, self.options.max_acceleration * dt);
        let length = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]) * dt;
        match self.hop(scene, steering.corner, length)? {
            Walk::Lost => return Ok(()),
            Walk::AtEnd if !self.awaits_replan() => {
                self.report(before, steering.length, dt);
                self.arrive();
            }
            _ => {
                self.report(before, steering.length, dt);
                self.count_stuck_time(steering.is_slowing, dt);
            }
        }
        Ok(())
    }

    /// Step 8: walks so far from corner to corner.
    fn hop<F: PolygonFilter>(
        &mut self,
        scene: &mut Scene<'_, '_, '_, F>,
        mut corner: PathPoint,
        mut left: f64,
    ) -> Result<Walk> {
        for hop in 0..HOPS {
            if hop > 0 {
                let most = self.options.max_corners;
                let outcome = self.corridor().find_corners(scene.mesh, scene.query, most)?;
                let corners = scene.query.path().points();
                match steering_corner(self.record.position, corners).filter(|_| outcome.has_path()) {
                    Some(next) => corner = next,
                    None => break,
                }
            }
            let distance = in_plane(self.record.position, corner.position);
            let is_reached = left >= distance;
            let to =
                if is_reached { corner.position } else { lerp(self.record.position, corner.position, left / distance) };
            if !self.move_to(scene, &corner, to)? && !self.relocate(scene)? {
                return Ok(Walk::Lost);
            }
            let is_there = self.record.position[0] == to[0] && self.record.position[2] == to[2];
            if !is_reached || !is_there {
                break;
            }
            if corner.flags & POINT_END != 0 {
                return Ok(Walk::AtEnd);
            }
            if stops_at(&corner) {
                break;
            }
            left -= distance;
        }
        Ok(Walk::OnTheWay)
    }

    /// Moves to a place on the leg to a corner: within the corridor's polygons up to the corner's, else along the surface.
    /// False when neither can be done.
    pub(super) fn move_to<F: PolygonFilter>(
        &mut self,
        scene: &mut Scene<'_, '_, '_, F>,
        corner: &PathPoint,
        to: Vec3,
    ) -> Result<bool> {
        let to = to.map(|value| crate::math::clamp(value, -FARTHEST, FARTHEST));
        let mut corridor = self.corridor();
        let place = corridor.path().iter().position(|&polygon| polygon == corner.polygon);
        let limit = place.map_or(corridor.path().len(), |place| place + 1);
        let is_moved = corridor.move_along(scene.mesh, to, limit)?
            || corridor.move_position(scene.mesh, scene.query, to, scene.filter)?;
        if is_moved {
            self.follow_corridor();
        }
        Ok(is_moved)
    }

    /// Moves along the surface.
    pub(super) fn slide_to<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>, to: Vec3) -> Result<()> {
        let to = to.map(|value| crate::math::clamp(value, -FARTHEST, FARTHEST));
        if self.corridor().move_position(scene.mesh, scene.query, to, scene.filter)? {
            self.follow_corridor();
        }
        Ok(())
    }

    /// Step 9: what the walk from a position came to.
    pub(super) fn report(&mut self, before: Vec3, length: f64, dt: f64) {
        self.set_velocity(before, dt);
        self.record.remaining = max(length - in_plane(before, self.record.position), 0.0);
    }

    /// The velocity is what was covered in the time. In next to no time it may be no number that can be kept: then it is 0.
    pub(super) fn set_velocity(&mut self, before: Vec3, dt: f64) {
        let position = self.record.position;
        let velocity: Vec3 = vector(|axis| (position[axis] - before[axis]) / dt);
        self.record.velocity = if velocity.iter().all(|part| part.is_finite()) { velocity } else { [0.0; 3] };
    }

    /// Step 10. A window of 0 and a slow walk keep the clock at rest.
    pub(super) fn count_stuck_time(&mut self, is_slowing: bool, dt: f64) {
        let window = self.options.stuck_window;
        if window == 0.0 || is_slowing {
            self.rest_clock();
            return;
        }
        self.record.stuck_clock += dt;
        if self.record.stuck_clock < window {
            return;
        }
        let moved = in_plane(self.record.stuck_anchor, self.record.position);
        self.rest_clock();
        if moved >= self.options.max_speed * window * self.options.stuck_progress {
            return;
        }
        self.record.stuck_recoveries = self.record.stuck_recoveries.saturating_add(1);
        if self.record.stuck_recoveries > self.options.max_stuck_recoveries {
            self.halt(FollowerState::Stuck);
        } else {
            self.corridor().request_replan();
        }
    }

    /// Begins to watch anew.
    pub(super) fn rest_clock(&mut self) {
        self.record.stuck_clock = 0.0;
        self.record.stuck_anchor = self.record.position;
    }
}
