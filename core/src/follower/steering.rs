//! Where to walk and how fast (`corridors.md`, "Step", 6 and 7).

use super::options::FollowerOptions;
use super::record::in_plane;
use crate::geometry::plane::Vec3;
use crate::math::{max, min, sqrt};
use crate::query::{POINT_END, POINT_OFF_MESH, PathPoint};

/// Corners nearer than this are behind.
const BEHIND: f64 = 1e-9;

/// The way to the next corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steering {
    pub corner: PathPoint,
    /// The corner after it, if it is among those found.
    pub next: Option<Vec3>,
    /// The wanted speed.
    pub speed: f64,
    /// Whether that is less than the greatest.
    pub is_slowing: bool,
    /// How far the end is along the corners, infinite when it is not among them.
    pub length: f64,
}

/// The first corner after the position that is not where the agent is, or the last.
pub(super) fn steering_corner(position: Vec3, corners: &[PathPoint]) -> Option<PathPoint> {
    Some(corners[steering_index(position, corners)?])
}

fn steering_index(position: Vec3, corners: &[PathPoint]) -> Option<usize> {
    let last = corners.len().checked_sub(1)?;
    let ahead = (1..corners.len()).find(|&at| in_plane(position, corners[at].position) > BEHIND);
    Some(ahead.unwrap_or(last))
}

/// Whether one must stop at a corner: the end and a link's entry are never passed.
#[inline]
pub(super) fn stops_at(corner: &PathPoint) -> bool {
    corner.flags & (POINT_END | POINT_OFF_MESH) != 0
}

impl Steering {
    /// How to walk from a position along the corners found from there; none without corners.
    pub fn along(position: Vec3, corners: &[PathPoint], options: &FollowerOptions) -> Option<Steering> {
        let at = steering_index(position, corners)?;
        let (mut travelled, mut to_stop, mut to_end) = (0.0, None, f64::INFINITY);
        let mut from = position;
        for corner in &corners[at..] {
            travelled += in_plane(from, corner.position);
            from = corner.position;
            if stops_at(corner) && to_stop.is_none() {
                to_stop = Some(travelled);
            }
            if corner.flags & POINT_END != 0 {
                to_end = travelled;
            }
        }
        let mut speed = options.max_speed;
        if options.slow_radius > 0.0
            && let Some(distance) = to_stop
        {
            let slowed = options.max_speed * min(1.0, distance / options.slow_radius);
            speed = max(slowed, options.arrival_min_speed);
        }
        let next = corners.get(at + 1).map(|corner| corner.position);
        let is_slowing = speed < options.max_speed;
        Some(Steering { corner: corners[at], next, speed, is_slowing, length: to_end })
    }

    /// The wanted velocity from a position toward a point, in the plane.
    pub fn velocity(&self, position: Vec3, toward: Vec3) -> [f64; 2] {
        let distance = in_plane(position, toward);
        if distance <= BEHIND {
            return [0.0; 2];
        }
        [0, 2].map(|axis| (toward[axis] - position[axis]) / distance * self.speed)
    }

    /// The point that a crowd's agent aims at: past a corner that is turned at, so that who keeps clear of the corner gets
    /// round it.
    pub fn aim(&self, position: Vec3, clearance: f64) -> Vec3 {
        let corner = self.corner.position;
        let Some(next) = self.next.filter(|_| clearance > 0.0 && !stops_at(&self.corner)) else { return corner };
        let (Some(to), Some(on)) = (direction(position, corner), direction(corner, next)) else { return corner };
        let bend = [to[0] - on[0], to[1] - on[1]];
        let length = sqrt(bend[0] * bend[0] + bend[1] * bend[1]);
        if length < 1e-6 {
            return corner;
        }
        let [x, z] = bend.map(|part| part / length * clearance);
        [corner[0] + x, corner[1], corner[2] + z]
    }
}

fn direction(from: Vec3, to: Vec3) -> Option<[f64; 2]> {
    let distance = in_plane(from, to);
    if distance > 0.0 { Some([0, 2].map(|axis| (to[axis] - from[axis]) / distance)) } else { None }
}

/// A velocity moved toward a wanted one by at most so much.
pub(crate) fn accelerated(velocity: [f64; 2], wanted: [f64; 2], most: f64) -> [f64; 2] {
    let change = [wanted[0] - velocity[0], wanted[1] - velocity[1]];
    let length = sqrt(change[0] * change[0] + change[1] * change[1]);
    if length <= most {
        return wanted;
    }
    let part = most / length;
    [velocity[0] + change[0] * part, velocity[1] + change[1] * part]
}
