//! A follower's step in a crowd, in two parts: what it wants, and what it then walks (`crowds.md`, "Step", 1 and 3).

use super::record::{Follower, FollowerState, Scene, in_plane};
use super::steering::{Steering, stops_at};
use crate::error::{Error, Result, Subject};
use crate::memory::{Pod, Zeroable};
use crate::mesh::NavMesh;
use crate::query::noted_corners::NotedCorners;
use crate::query::{POINT_END, PathPoint, PolygonFilter, Query};

const WALKING: u64 = 1;
const CROSSING: u64 = 2;
const SLOWING: u64 = 4;

/// What a follower wants of a step: plain data, for a crowd to keep from its first phase to its last.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct WalkPlan {
    /// The wanted velocity in the plane; 0 for who is not walking.
    pub wanted: [f64; 2],
    /// The corner it is bound for.
    corner: PathPoint,
    /// How far the end is along the corners.
    length: f64,
    flags: u64,
}

impl WalkPlan {
    /// Whether it is on the way and not on a link.
    pub const fn is_walking(&self) -> bool {
        self.flags & WALKING != 0
    }

    /// Whether it is crossing a link, or was until this step.
    pub const fn is_crossing(&self) -> bool {
        self.flags & CROSSING != 0
    }
}

impl Follower<'_> {
    /// The first part: keeps the corridor good and says where the agent wants to go. A crossing is walked here, whole step.
    ///
    /// # Errors
    /// Those of [`step`](Follower::step).
    pub(crate) fn plan_walk<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        (noted, dt): (Option<&mut NotedCorners>, f64),
    ) -> Result<WalkPlan> {
        self.check_step(query, dt)?;
        let mut scene = Scene { noted, ..Scene::new(mesh, query, filter) };
        match self.state() {
            FollowerState::Moving => {
                if self.keep_up(&mut scene, true)? {
                    return Ok(self.wish(&scene));
                }
                let is_crossing = self.state() == FollowerState::OffMeshLink;
                if is_crossing {
                    self.record.velocity = [0.0; 3];
                }
                Ok(WalkPlan { flags: if is_crossing { CROSSING } else { 0 }, ..WalkPlan::default() })
            }
            FollowerState::OffMeshLink => {
                self.cross(&mut scene, dt)?;
                Ok(WalkPlan { flags: CROSSING, ..WalkPlan::default() })
            }
            _ => Ok(WalkPlan::default()),
        }
    }

    /// Toward the steering corner, past it where it is turned at; no limit of acceleration.
    fn wish<F: PolygonFilter>(&self, scene: &Scene<'_, '_, '_, F>) -> WalkPlan {
        let position = self.record.position;
        let corners = scene.query.path().points();
        let Some(steering) = Steering::along(position, corners, &self.options) else { return WalkPlan::default() };
        let aim = steering.aim(position, self.options.corner_clearance);
        WalkPlan {
            wanted: steering.velocity(position, aim),
            corner: steering.corner,
            length: steering.length,
            flags: WALKING | if steering.is_slowing { SLOWING } else { 0 },
        }
    }

    /// The last part, for who is walking: moves by a velocity along the surface, lands on the end or on a link's entry rather
    /// than pass it, and arrives or counts stuck time.
    ///
    /// # Errors
    /// A velocity or a time that is not finite; those of [`step`](Follower::step).
    pub(crate) fn apply_walk<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        plan: &WalkPlan,
        (velocity, dt): ([f64; 2], f64),
    ) -> Result<()> {
        self.check_step(query, dt)?;
        check_velocity(velocity)?;
        let mut scene = Scene::new(mesh, query, filter);
        let before = self.record.position;
        let corner = plan.corner;
        let [x, z] = velocity.map(|part| part * dt);
        let passes = stops_at(&corner) && {
            let distance = in_plane(before, corner.position);
            let [cx, _, cz] = crate::math::sub(corner.position, before);
            // How far the move goes in the corner's direction, times its distance.
            x * cx + z * cz >= distance * distance
        };
        let to = if passes { corner.position } else { [before[0] + x, before[1], before[2] + z] };
        if !self.move_to(&mut scene, &corner, to)? && !self.relocate(&mut scene)? {
            return Ok(());
        }
        self.report(before, plan.length, dt);
        let is_there = self.record.position[0] == to[0] && self.record.position[2] == to[2];
        if passes && is_there && corner.flags & POINT_END != 0 && !self.awaits_replan() {
            self.arrive();
        } else {
            self.count_stuck_time(plan.flags & SLOWING != 0, dt);
        }
        Ok(())
    }

    /// The last part, for who is not walking: is pushed by a velocity along the surface.
    ///
    /// # Errors
    /// As for [`apply_walk`](Follower::apply_walk).
    pub(crate) fn nudge<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        (velocity, dt): ([f64; 2], f64),
    ) -> Result<()> {
        self.check_step(query, dt)?;
        check_velocity(velocity)?;
        let before = self.record.position;
        if velocity != [0.0; 2] {
            let [x, z] = velocity.map(|part| part * dt);
            let to = [before[0] + x, before[1], before[2] + z];
            self.slide_to(&mut Scene::new(mesh, query, filter), to)?;
        }
        self.set_velocity(before, dt);
        Ok(())
    }
}

fn check_velocity(velocity: [f64; 2]) -> Result<()> {
    match velocity.into_iter().enumerate().find(|(_, part)| !part.is_finite()) {
        Some((axis, part)) => Err(Error::invalid(Subject::Velocity).part(axis).value(part)),
        None => Ok(()),
    }
}
