//! What a root sees through the portals passed so far: a cone between two rays, in the plane.
//!
//! A ray is kept as the mesh point it goes through, never as a computed place where it meets an edge, so that every
//! sign is that of three points of the mesh and is exact, also where portals lie in one line.

use crate::geometry::predicates::{orient2d, turn_about};
use crate::math::{distance, dot, sub};

/// A position seen from above: x and z.
pub(super) type Point = [f64; 2];

/// One of the two rays that bound a cone; it begins at the cone's root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ray {
    /// A point on its line, not the root.
    pub through: Point,
    /// Whether the ray leads away from that point, not towards it.
    pub is_back: bool,
    /// Whether the point is an end of the portal passed last, where a way can turn.
    pub is_end: bool,
}

impl Ray {
    /// Through an end of the portal passed.
    #[inline]
    pub const fn to_end(through: Point) -> Ray {
        Ray { through, is_back: false, is_end: true }
    }

    /// Towards a point.
    #[inline]
    pub const fn to(through: Point) -> Ray {
        Ray { through, is_back: false, is_end: false }
    }

    /// Away from a point.
    #[inline]
    pub const fn back_from(through: Point) -> Ray {
        Ray { through, is_back: true, is_end: false }
    }

    /// The same ray behind another portal, which it crosses between the ends.
    #[inline]
    pub const fn inside(self) -> Ray {
        Ray { is_end: false, ..self }
    }

    /// On which side of the ray from `root` a point lies: positive on the left, negative on the right.
    #[inline]
    pub fn side(self, root: Point, point: Point) -> i32 {
        let sign = orient2d(root, self.through, point).sign();
        if self.is_back { -sign } else { sign }
    }

    /// The way it leads from `root`, of some length.
    #[inline]
    fn way(self, root: Point) -> Point {
        if self.is_back { sub(root, self.through) } else { sub(self.through, root) }
    }

    /// To which side of it another ray from `root`, less than a half turn away, leads: positive to the left.
    #[inline]
    fn turn_to(self, root: Point, other: Ray) -> i32 {
        if self.through == other.through && self.is_back == other.is_back {
            return 0;
        }
        let side = self.side(root, other.through);
        if other.is_back { -side } else { side }
    }

    /// Where the ray from `root` meets an edge that it is known to cross.
    #[inline]
    pub fn meets(self, root: Point, a: Point, b: Point) -> Point {
        let (along, edge) = (sub(self.through, root), sub(b, a));
        let s = cross(sub(root, a), along) / cross(edge, along);
        // Rounding can push it past an end, and an edge nearly along the ray has no quotient.
        if s >= 1.0 {
            b
        } else if s > 0.0 {
            [a[0] + edge[0] * s, a[1] + edge[1] * s]
        } else {
            a
        }
    }
}

/// What lies between two rays from a root, their rays included. The angle is at most a half turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cone {
    pub root: Point,
    pub right: Ray,
    pub left: Ray,
}

impl Cone {
    /// All that lies right of the way from a point to the root.
    pub const fn right_of_way(from: Point, root: Point) -> Cone {
        Cone { root, right: Ray::to(from), left: Ray::back_from(from) }
    }

    /// All that lies left of the way from a point to the root.
    pub const fn left_of_way(from: Point, root: Point) -> Cone {
        Cone { root, right: Ray::back_from(from), left: Ray::to(from) }
    }

    /// Whether all that another cone of the same root sees through a portal, and where it turns, is this one's as well.
    #[inline]
    pub fn holds(&self, other: &Cone) -> bool {
        // Both look through the portal, so neither ray lies a half turn or more beside the same one of the other.
        let reaches = |ray: Ray, others: Ray, outward: i32| match ray.turn_to(self.root, others) {
            0 => ray.is_end || !others.is_end,
            turn => turn != outward,
        };
        reaches(self.right, other.right, -1) && reaches(self.left, other.left, 1)
    }

    /// The length of the way from the root to a point of the polygon behind the portal: straight, or turning at the
    /// portal's end in its way. None where it would have to turn before.
    #[inline]
    pub fn way_to(&self, target: Point) -> Option<f64> {
        for (ray, side) in [(self.right, -1), (self.left, 1)] {
            if ray.side(self.root, target) == side {
                let bent = distance(self.root, ray.through) + distance(ray.through, target);
                return if ray.is_end { Some(bent) } else { None };
            }
        }
        Some(distance(self.root, target))
    }
}

/// A cone to ask much of: with the differences that every sign is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub cone: Cone,
    to_right: Point,
    to_left: Point,
}

impl Sight {
    #[inline]
    pub fn of(cone: Cone) -> Sight {
        Sight { cone, to_right: sub(cone.right.through, cone.root), to_left: sub(cone.left.through, cone.root) }
    }

    /// On which side of the right and of the left ray a point lies, as [`Ray::side`] has it. `way` leads there from the
    /// root.
    #[inline(always)]
    pub fn sides(&self, point: Point, way: Point) -> [i32; 2] {
        let Cone { root, right, left } = self.cone;
        let side = |ray: Ray, to: Point| {
            let sign = turn_about(root, (ray.through, to), (point, way));
            if ray.is_back { -sign } else { sign }
        };
        let sides = [side(right, self.to_right), side(left, self.to_left)];
        if sides == [0, 0] && point != root {
            // The angle is a half turn and the point on its line: on one of the two rays, and beside the other.
            return if (dot(self.to_right, way) > 0.0) != right.is_back { [0, -1] } else { [1, 0] };
        }
        sides
    }
}

/// A part of a portal as its root sees it: all of it, or up to the rays that cut it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The portal's right end and its left end.
    pub ends: [Point; 2],
    /// Whether the right and the left ray cross the portal between the ends.
    pub is_cut: [bool; 2],
}

impl Window {
    pub const fn whole(a: Point, b: Point) -> Window {
        Window { ends: [a, b], is_cut: [false; 2] }
    }

    /// The least length of a way from a cone's root through the window to a target on either side of the portal.
    #[inline]
    pub fn way_through(&self, cone: &Cone, target: Point) -> f64 {
        let (root, [a, b]) = (cone.root, self.ends);
        let along = sub(b, a);
        // The root lies left of the way from the right end to the left. A target on its side is mirrored.
        let beside = cross(along, sub(target, a));
        let squared = dot(along, along);
        let seen = if beside > 0.0 && squared > 0.0 {
            let scale = 2.0 * beside / squared;
            [target[0] + along[1] * scale, target[1] - along[0] * scale]
        } else {
            target
        };
        let way = sub(seen, root);
        let round = |turn: Point| distance(root, turn) + distance(turn, target);
        let limit = |ray: Ray, is_cut: bool, end: Point| if is_cut { ray.way(root) } else { sub(end, root) };
        let corner = |ray: Ray, is_cut: bool, end: Point| if is_cut { ray.meets(root, a, b) } else { end };
        if cross(limit(cone.right, self.is_cut[0], a), way) < 0.0 {
            round(corner(cone.right, self.is_cut[0], a))
        } else if cross(limit(cone.left, self.is_cut[1], b), way) > 0.0 {
            round(corner(cone.left, self.is_cut[1], b))
        } else {
            distance(root, seen)
        }
    }
}

#[inline]
fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
