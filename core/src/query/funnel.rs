//! The funnel: pulls a corridor's path tight (`navmesh-queries.md`, "Straight path").
//!
//! Source: Lee and Preparata, "Euclidean shortest paths in the presence of rectilinear barriers", 1984, in the form of
//! one triangle that Mononen made known as the simple stupid funnel. All turns are taken in the plane.

use super::plane::Vec3;
use super::portals::Portal;
use super::results::{POINT_END, POINT_OFF_MESH, POINT_START, PathLink, PathPoint};
use crate::mesh::PolyRef;

/// The points of a path as they are found: the first ones, up to a limit.
#[derive(Debug)]
pub(super) struct Corners<'a> {
    points: &'a mut [PathPoint],
    /// The links crossed, each noted by the number of its portal.
    links: &'a mut [PathLink],
    len: usize,
    link_count: usize,
    overflowed: bool,
}

impl<'a> Corners<'a> {
    pub fn into(points: &'a mut [PathPoint], links: &'a mut [PathLink]) -> Self {
        Corners { points, links, len: 0, link_count: 0, overflowed: false }
    }

    /// How many links were crossed.
    pub fn link_count(&self) -> usize {
        self.link_count
    }

    /// Notes that the link of a portal is entered at the last point.
    fn cross(&mut self, portal: usize) {
        if self.overflowed {
            return;
        }
        if let Some(place) = self.links.get_mut(self.link_count) {
            *place = PathLink::noted(portal, self.len.saturating_sub(1));
            self.link_count += 1;
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there was a point more than there was room for.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Adds a point. One at the place of the last is merged into it: its flags are added, and the polygon is the later.
    pub fn add(&mut self, position: Vec3, polygon: PolyRef, flags: u32) {
        if self.overflowed {
            return;
        }
        if let Some(last) = self.points[..self.len].last_mut()
            && last.position == position
        {
            last.flags |= flags;
            last.polygon = polygon;
            return;
        }
        match self.points.get_mut(self.len) {
            Some(place) => {
                *place = PathPoint { position, polygon, flags, reserved: 0 };
                self.len += 1;
            }
            None => self.overflowed = true,
        }
    }
}

/// Finds the corners of the shortest path in the plane from `start` to `end` through a corridor's portals, one between
/// every two of its polygons. Stops when `corners` has no room for one it found.
pub(super) fn pull(start: Vec3, end: Vec3, corridor: &[PolyRef], portals: &[Portal], corners: &mut Corners<'_>) {
    let (Some(&first), Some(&last)) = (corridor.first(), corridor.last()) else { return };
    corners.add(start, first, POINT_START);
    let (mut from, mut at) = (start, 0);
    while let Some(ahead) = portals[at..].iter().position(|portal| portal.off_mesh != 0) {
        let link = at + ahead;
        let (entry, exit) = (portals[link].right, portals[link].left);
        pull_stretch(from, entry, &portals[at..link], &corridor[at + 1..], corners);
        corners.add(entry, corridor[link + 1], POINT_OFF_MESH);
        corners.cross(link);
        corners.add(exit, corridor[link + 1], 0);
        (from, at) = (exit, link + 1);
        if corners.overflowed {
            return;
        }
    }
    pull_stretch(from, end, &portals[at..], &corridor[at + 1..], corners);
    corners.add(end, last, POINT_END);
}

/// The way in the plane from the apex to a point.
type Way = [f64; 2];

#[inline]
fn way(apex: Vec3, to: Vec3) -> Way {
    [to[0] - apex[0], to[2] - apex[2]]
}

/// Positive when `b` lies left of `a`, as the turn from the apex over the one point to the other.
#[inline]
fn turn(a: Way, b: Way) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
fn dot(a: Way, b: Way) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Whether a straight line from the apex along `other` passes beyond `side`, which bounds the funnel on the left for a
/// positive `outward` and on the right for a negative one.
///
/// In one line with the side, `other` is beyond it when it is no nearer to the apex on the same ray. The nearer point
/// comes first where a portal runs along the ray, and a point behind the apex bounds nothing: there the apex stands on
/// a portal.
#[inline]
fn is_beyond(side: Way, other: Way, outward: f64) -> bool {
    let turned = turn(side, other) * outward;
    if turned != 0.0 {
        return turned > 0.0;
    }
    let squared = dot(side, side);
    squared > 0.0 && dot(side, other) >= squared
}

/// Whether the apex stands on a portal between its ends, or past it by a rounding: then it is through already.
#[inline]
fn is_on(right: Way, left: Way) -> bool {
    dot(right, left) < 0.0 && turn(right, left) <= 0.0
}

/// One side of the funnel: its point, the way there from the apex, and how many portals led there.
#[derive(Clone, Copy)]
struct Side {
    point: Vec3,
    way: Way,
    passed: usize,
}

impl Side {
    /// A side at the apex: the funnel is open there.
    #[inline]
    fn open(apex: Vec3, passed: usize) -> Side {
        Side { point: apex, way: [0.0; 2], passed }
    }

    #[inline]
    fn is_open(&self) -> bool {
        self.way == [0.0; 2]
    }
}

/// The funnel at some place on the way: an apex, and two sides through all portals since.
#[derive(Clone, Copy)]
pub(super) struct Funnel {
    apex: Vec3,
    left: Side,
    right: Side,
}

impl Funnel {
    /// Open, at an apex to which so many portals led.
    #[inline]
    pub fn at(apex: Vec3, passed: usize) -> Funnel {
        Funnel { apex, left: Side::open(apex, passed), right: Side::open(apex, passed) }
    }

    /// Narrows it to a portal, the one behind which so many are passed; or gives the corner that must be turned at before
    /// it, a point of an earlier portal and how many portals led there.
    #[inline(always)]
    pub fn narrow(&mut self, portal: &Portal, passed: usize) -> Option<(Vec3, usize)> {
        let (left, right) = (&mut self.left, &mut self.right);
        let (to_right, to_left) = (way(self.apex, portal.right), way(self.apex, portal.left));
        let (is_right_open, is_left_open) = (right.is_open(), left.is_open());
        if is_right_open && is_left_open && is_on(to_right, to_left) {
            return None;
        }
        if turn(right.way, to_right) >= 0.0 {
            if !is_right_open && is_beyond(left.way, to_right, 1.0) {
                return Some((left.point, left.passed));
            }
            *right = Side { point: portal.right, way: to_right, passed };
        }
        if turn(left.way, to_left) <= 0.0 {
            if !is_left_open && is_beyond(right.way, to_left, -1.0) {
                return Some((right.point, right.passed));
            }
            *left = Side { point: portal.left, way: to_left, passed };
        }
        None
    }
}

/// The corners strictly between `start` and `target`, over portals without a link. `entered[i]` is the polygon behind
/// portal `i`.
fn pull_stretch(start: Vec3, target: Vec3, portals: &[Portal], entered: &[PolyRef], corners: &mut Corners<'_>) {
    let mut funnel = Funnel::at(start, 0);
    let closing = Portal { right: target, left: target, off_mesh: 0 };
    let mut at = 0;
    // The target closes the funnel as a last portal of no width.
    while at <= portals.len() {
        match funnel.narrow(portals.get(at).unwrap_or(&closing), at + 1) {
            // A corner past the last portal is the target.
            Some((point, passed)) if passed <= portals.len() => {
                corners.add(point, entered[passed.max(1) - 1], 0);
                if corners.overflowed {
                    return;
                }
                funnel = Funnel::at(point, passed);
                at = passed;
            }
            Some(_) => return,
            None => at += 1,
        }
    }
}
