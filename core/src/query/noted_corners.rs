//! Corners found again: those of a corridor of which only the beginning has changed since they were last found.
//!
//! The funnel forgets what was before it at each corner, so the corners behind one are a matter of the corridor from there
//! on and of the target. Who notes them with how many portals are left behind each only pulls the way to the first corner
//! anew, and need not look at the polygons behind it: the answer is the same to the bit.

use super::Query;
use super::checks::checked_position;
use super::corridors::closest_on;
use super::funnel::{Corners, Funnel};
use super::portals::{Portal, Step};
use super::results::{POINT_END, POINT_START, PathOutcome, PathPoint, QueryStatus};
use super::straight::Pulled;
use super::surface::closest_point_on;
use crate::error::Result;
use crate::memory::{Pod, Zeroable};
use crate::mesh::ground::Ground;
use crate::mesh::{NavMesh, PolyRef};

/// How many corners are noted: those of a crowd's agent without the start.
const NOTED: usize = 7;

/// A corner, and how much of the corridor is behind it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct NotedCorner {
    position: [f64; 3],
    polygon: PolyRef,
    /// The portals that are still to pass.
    behind: u64,
}

/// The first corners of a corridor without links, from the last time that they were found. All zero are none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct NotedCorners {
    target: [f64; 3],
    /// The point of the last polygon nearest the target.
    end: [f64; 3],
    /// The mesh's.
    version: u64,
    corners: [NotedCorner; NOTED],
    count: u32,
    /// 1 when behind the last corner comes the end.
    is_whole: u32,
}

impl NotedCorners {
    /// Whether they are those of a mesh as it is.
    pub fn are_of(&self, mesh: &NavMesh<'_>) -> bool {
        self.version == mesh.version()
    }

    fn list(&self) -> &[NotedCorner] {
        &self.corners[..self.count as usize]
    }

    /// Puts corners before those from `kept` on, as many as there is room for.
    fn put_before(&mut self, ahead: &[NotedCorner], kept: usize) {
        let known = self.count as usize - kept;
        let rest = known.min(NOTED - ahead.len());
        if rest < known {
            self.is_whole = 0;
        }
        if kept != ahead.len() {
            self.corners.copy_within(kept..kept + rest, ahead.len());
        }
        self.corners[..ahead.len()].copy_from_slice(ahead);
        self.count = (ahead.len() + rest) as u32;
    }

    /// Where a corner stands among them.
    fn place_of(&self, corner: &NotedCorner, settled: usize) -> Option<usize> {
        let is_it = |known: &NotedCorner| known.behind == corner.behind && is_same(known.position, corner.position);
        if corner.behind as usize >= settled { None } else { self.list().iter().position(is_it) }
    }

    fn is_full(&self) -> bool {
        self.count as usize == NOTED
    }

    fn drop_last(&mut self) {
        self.count = self.count.saturating_sub(1);
    }

    fn push(&mut self, corner: NotedCorner) {
        match self.corners.get_mut(self.count as usize) {
            Some(place) => {
                *place = corner;
                self.count += 1;
            }
            None => self.is_whole = 0,
        }
    }
}

/// A corridor, and what is known of it.
pub(crate) struct Settled<'a> {
    pub polygons: &'a [PolyRef],
    /// So many of the last polygons are those that the corners were noted with.
    pub settled: usize,
    /// Whether the start lies on the first polygon's surface, if that is as it was then.
    pub lies_on: bool,
    pub noted: &'a mut NotedCorners,
}

/// What finding corners again came to.
pub(crate) struct FoundCorners {
    pub outcome: PathOutcome,
    /// Whether the corners are noted now: not where the corridor has a link or does not hold together.
    pub is_noted: bool,
    /// Whether all of the corridor was looked at.
    pub is_anew: bool,
}

impl Query<'_> {
    /// As [`straight_path`](Query::straight_path), and notes the corners.
    pub(crate) fn straight_path_again(
        &mut self,
        mesh: &NavMesh<'_>,
        [start, target]: [[f64; 3]; 2],
        corridor: Settled<'_>,
        max_corners: u32,
    ) -> Result<FoundCorners> {
        checked_position(start, 0)?;
        checked_position(target, 1)?;
        let is_known = corridor.settled > 0 && corridor.noted.are_of(mesh) && is_same(corridor.noted.target, target);
        let Settled { polygons, settled, lies_on, noted } = corridor;
        let again = Settled { polygons, settled, lies_on, noted: &mut *noted };
        if is_known && let Some(pulled) = self.pull_to_noted(mesh, start, again, max_corners) {
            self.forget();
            self.outcome = PathOutcome {
                status: QueryStatus::Success.path_status(),
                detail: QueryStatus::Success,
                cost: f64::INFINITY,
                ..PathOutcome::default()
            };
            self.take_points(pulled);
            return Ok(FoundCorners { outcome: self.outcome, is_noted: true, is_anew: false });
        }
        let outcome = self.straight_path(mesh, start, target, polygons, Some(max_corners))?;
        let portals = &self.portals[..polygons.len().saturating_sub(1)];
        let is_plain = outcome.has_path() && portals.iter().all(|portal| portal.off_mesh == 0);
        if is_plain {
            let end = polygons.last().and_then(|&last| closest_on(mesh, last, target)).unwrap_or(target);
            *noted = NotedCorners { target, end, version: mesh.version(), ..NotedCorners::default() };
            note(noted, &self.points[..self.point_count], polygons);
        }
        Ok(FoundCorners { outcome, is_noted: is_plain, is_anew: true })
    }

    /// The corners up to the first that is noted, and those noted behind it; none where a link or a break is met, which
    /// the whole corridor must be looked at for.
    fn pull_to_noted(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        Settled { polygons, settled, lies_on, noted }: Settled<'_>,
        max_corners: u32,
    ) -> Option<Pulled> {
        let (&first, &last) = (polygons.first()?, polygons.last()?);
        let most = max_corners as usize;
        let room = most.min(self.points.len());
        let mut portals = Ahead::of(mesh, polygons, self.portals.get_mut(..polygons.len() - 1)?)?;
        let start = match lies_on {
            true => start,
            false => {
                let record = portals.ground.polygons.get(first.index() as usize)?;
                closest_point_on(mesh, &portals.ground, record, start)
            }
        };
        // What is new must hold together.
        portals.make(polygons.len() - settled)?;
        let total = polygons.len() - 1;
        let mut corners = Corners::into(&mut self.points[..room], self.links);
        corners.add(start, first, POINT_START);
        let closing = Portal { right: noted.end, left: noted.end, off_mesh: 0 };
        let mut funnel = Funnel::at(start, 0);
        let mut ahead = NotedCorners::default();
        let (mut at, mut is_met) = (0, false);
        while at <= total {
            let portal = if at < total { portals.get(at)? } else { &closing };
            let Some((point, passed)) = funnel.narrow(portal, at + 1) else {
                at += 1;
                continue;
            };
            if passed > total {
                break;
            }
            let polygon = *polygons.get(passed.max(1))?;
            let before = corners.len();
            corners.add(point, polygon, 0);
            if corners.overflowed() {
                break;
            }
            (funnel, at) = (Funnel::at(point, passed), passed);
            let corner = NotedCorner { position: point, polygon, behind: (total - passed) as u64 };
            let list = if is_met { &mut *noted } else { &mut ahead };
            if corners.len() == before {
                // It lies where the one before it does, and takes its place; at the start it is not told apart.
                list.drop_last();
            }
            let known = if is_met { None } else { noted.place_of(&corner, settled) };
            if let Some(known) = known {
                for corner in &noted.list()[known + 1..] {
                    corners.add(corner.position, corner.polygon, 0);
                }
                let (is_whole, last) = (noted.is_whole != 0, noted.list().last().copied().unwrap_or(corner));
                noted.put_before(ahead.list(), known);
                is_met = true;
                if is_whole || corners.overflowed() {
                    break;
                }
                at = total - last.behind as usize;
                funnel = Funnel::at(last.position, at);
                portals.go_to(at)?;
            } else if corners.len() > 1 {
                let list = if is_met { &mut *noted } else { &mut ahead };
                list.push(corner);
            }
        }
        if !is_met {
            (noted.corners, noted.count) = (ahead.corners, ahead.count);
            noted.is_whole = (!corners.overflowed() && !ahead.is_full()).into();
        }
        corners.add(noted.end, last, POINT_END);
        let truncated = corners.overflowed() || corners.len() == most;
        Some(Pulled::without_links(corners.len(), truncated))
    }
}

/// The portals of a corridor as far as they are asked for.
struct Ahead<'a, 'm> {
    mesh: &'a NavMesh<'m>,
    polygons: &'a [PolyRef],
    portals: &'a mut [Portal],
    made: usize,
    /// That of the first polygon whose portal is not made.
    ground: Ground<'a>,
}

impl<'a, 'm> Ahead<'a, 'm> {
    fn of(mesh: &'a NavMesh<'m>, polygons: &'a [PolyRef], portals: &'a mut [Portal]) -> Option<Self> {
        let ground = mesh.ground_of(*polygons.first()?)?;
        Some(Ahead { mesh, polygons, portals, made: 0, ground })
    }

    /// The portal behind a polygon; none where there is a link or nothing.
    fn get(&mut self, at: usize) -> Option<&Portal> {
        self.make(at + 1)?;
        self.portals.get(at)
    }

    /// Makes the first so many.
    fn make(&mut self, count: usize) -> Option<()> {
        while self.made < count.min(self.portals.len()) {
            let (from, to) = (self.polygons[self.made], self.polygons[self.made + 1]);
            let step = Step { from, to, exit: None, is_exact: false, toward: [[0.0; 3]; 2] };
            let portal = if to.tile() == self.ground.tile && (to.index() as usize) < self.ground.polygons.len() {
                let polygon = self.ground.polygons.get(from.index() as usize)?;
                match Portal::over_edge(&self.ground, polygon, to.index(), None) {
                    Some(portal) => portal,
                    None => Portal::between(self.mesh, &self.ground, &self.ground, step)?,
                }
            } else {
                let next = self.mesh.ground_of(to)?;
                let portal = Portal::between(self.mesh, &self.ground, &next, step)?;
                self.ground = next;
                portal
            };
            if portal.off_mesh != 0 {
                return None;
            }
            self.portals[self.made] = portal;
            self.made += 1;
        }
        Some(())
    }

    /// Goes on from a polygon further along; those between are not made.
    fn go_to(&mut self, at: usize) -> Option<()> {
        if at > self.made {
            self.ground = self.mesh.ground_of(*self.polygons.get(at)?)?;
            self.made = at;
        }
        Some(())
    }
}

/// Notes the corners among a path's points; there is nothing behind the end to be noted.
fn note(noted: &mut NotedCorners, points: &[PathPoint], polygons: &[PolyRef]) {
    noted.is_whole = points.last().is_some_and(|last| last.flags & POINT_END != 0).into();
    let mut at = 0;
    for point in points.iter().skip(1).take_while(|point| point.flags & POINT_END == 0) {
        let Some(on) = polygons[at..].iter().position(|&polygon| polygon == point.polygon) else { return };
        at += on;
        let behind = (polygons.len() - 1 - at) as u64;
        noted.push(NotedCorner { position: point.position, polygon: point.polygon, behind });
    }
}

fn is_same(a: [f64; 3], b: [f64; 3]) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}
