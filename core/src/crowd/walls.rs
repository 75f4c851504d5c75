//! The mesh's boundary as what an agent keeps off: looked up now and then, chosen from in each step (`crowds.md`, "Walls").

use super::agent::{Agent, WALLS_FOUND};
use super::def::CrowdDef;
use super::options::AgentOptions;
use crate::avoidance::{HalfPlane, Near, Nearest, for_boundary};
use crate::error::Result;
use crate::math::{add, clamp, dot, scale, sqrt, sub};
use crate::memory::{Pod, Zeroable};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{AreaStatus, Circle, MAX_RADIUS, PolygonFilter, Query, WallOptions, WallSegment};

/// A wall leads over another floor when its height differs by more than this and the slope times its distance.
const FLOOR_STEP: f64 = 1.0;
const FLOOR_SLOPE: f64 = 1.5;

/// A stretch of the mesh's boundary that an agent keeps: the walkable side lies to the left of the way from start to end.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Wall {
    /// Where it begins.
    pub start: [f64; 3],
    /// Where it ends.
    pub end: [f64; 3],
    /// The polygon whose edge it is.
    pub polygon: PolyRef,
    /// Which edge.
    pub edge: i32,
    /// Zero.
    pub reserved: u32,
}

impl From<&WallSegment> for Wall {
    fn from(segment: &WallSegment) -> Wall {
        let WallSegment { start, end, polygon, edge, .. } = *segment;
        Wall { start, end, polygon, edge: edge as i32, reserved: 0 }
    }
}

/// Whether an agent's walls must be looked up again.
pub(super) fn are_stale(agent: &Agent, position: [f64; 3], version: u64, def: &CrowdDef) -> bool {
    if !agent.has_walls_of(version) {
        return true;
    }
    let moved = sub([position[0], position[2]], agent.wall_center);
    dot(moved, moved) > def.wall_refresh * def.wall_refresh
}

/// Looks up the walls around an agent's position, on a polygon, into its slot.
// Seldom called, and deep: what calls it has the stack of the common way only.
#[inline(never)]
pub(super) fn look_up<F: PolygonFilter>(
    agent: &mut Agent,
    (polygon, center): (PolyRef, [f64; 3]),
    (mesh, query, filter): (&NavMesh<'_>, &mut Query<'_>, &F),
    def: &CrowdDef,
    (desk, walls): (&mut [WallSegment], &mut [Wall]),
) -> Result<()> {
    let reach = agent.options().wall_reach() + def.wall_refresh;
    let circle = Circle { polygon, center, radius: crate::math::min(reach, MAX_RADIUS) };
    let found = query.find_walls(mesh, circle, filter, WallOptions::ALL, desk)?;
    agent.wall_center = [center[0], center[2]];
    agent.wall_stamp = mesh.version();
    agent.flags &= !WALLS_FOUND;
    agent.wall_count = 0;
    if found.status == AreaStatus::Success {
        let kept = found.count.min(desk.len()).min(walls.len());
        walls.iter_mut().zip(&desk[..kept]).for_each(|(wall, segment)| *wall = segment.into());
        agent.wall_count = kept as u32;
        agent.flags |= WALLS_FOUND;
    }
    Ok(())
}

/// An agent among its walls.
pub(super) struct Facing<'a> {
    pub walls: &'a [Wall],
    pub options: &'a AgentOptions,
    pub position: [f64; 3],
}

impl Facing<'_> {
    /// The nearest walls within reach that face the agent and stand on its floor, as half-planes, nearest first. The list's
    /// entries hold each one's squared distance. Returns how many there are.
    pub fn choose(&self, list: &mut [Near], planes: &mut [HalfPlane]) -> usize {
        let reach = self.options.wall_reach();
        let mut nearest = Nearest::up_to(reach * reach, list);
        for (name, wall) in self.walls.iter().enumerate() {
            let [start, end] = self.seen(wall);
            let (distance, height) = nearest_point(wall, start, end);
            if !nearest.admits(distance)
                || (height - self.position[1]).abs() > FLOOR_STEP + FLOOR_SLOPE * sqrt(distance)
                || self.plane(wall).is_none()
            {
                continue;
            }
            let near = Near { distance, name: name as u32, place: name as u32 };
            nearest.offer(near, |a, b| self.order(a) < self.order(b));
        }
        let mut count = 0;
        for near in nearest.as_slice() {
            if let (Some(plane), Some(place)) = (self.plane(&self.walls[near.name as usize]), planes.get_mut(count)) {
                *place = plane;
                count += 1;
            }
        }
        count
    }

    fn seen(&self, wall: &Wall) -> [[f64; 2]; 2] {
        [wall.start, wall.end].map(|end| [end[0] - self.position[0], end[2] - self.position[2]])
    }

    fn plane(&self, wall: &Wall) -> Option<HalfPlane> {
        let [start, end] = self.seen(wall);
        for_boundary(start, end, self.options.wall_clearance, self.options.obstacle_horizon())
    }

    /// By what walls as near are ordered.
    fn order(&self, name: u32) -> (u64, i32, [u64; 2]) {
        let wall = &self.walls[name as usize];
        (wall.polygon.0, wall.edge, [ordered(wall.start[0]), ordered(wall.start[2])])
    }
}

/// The squared distance of the wall's point nearest the agent, seen from above, and its height.
fn nearest_point(wall: &Wall, start: [f64; 2], end: [f64; 2]) -> (f64, f64) {
    let edge = sub(end, start);
    let square = dot(edge, edge);
    let t = if square == 0.0 { 0.0 } else { clamp(-dot(start, edge) / square, 0.0, 1.0) };
    let nearest = add(start, scale(edge, t));
    (dot(nearest, nearest), wall.start[1] + (wall.end[1] - wall.start[1]) * t)
}

/// The bits of a double as an integer of the same order.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}
