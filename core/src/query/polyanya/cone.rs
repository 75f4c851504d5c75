//! What a root sees through the portals passed so far: a cone between two rays, in the plane.
//!
//! A ray is kept as the mesh point it goes through, never as a computed place where it meets an edge, so that every
//! sign is that of three points of the mesh and is exact, also where portals lie in one line.

use crate::geometry::predicates::orient2d;
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

    /// On which side of the right and of the left ray a point lies, as [`Ray::side`] has it.
    #[inline]
    pub fn sides(&self, point: Point) -> [i32; 2] {
        let sides = [self.right.side(self.root, point), self.left.side(self.root, point)];
        if sides == [0, 0] && point != self.root {
            // The angle is a half turn and the point on its line: on one of the two rays, and beside the other.
            let along = dot(sub(self.right.through, self.root), sub(point, self.root));
            return if (along > 0.0) != self.right.is_back { [0, -1] } else { [1, 0] };
        }
        sides
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

/// The least length of a way from a root through an interval, whose right end is `p` and left end `q`, to a target on
/// either side of it.
#[inline]
pub(super) fn through_interval(root: Point, p: Point, q: Point, target: Point) -> f64 {
    let along = sub(q, p);
    // The root lies left of the way from the right end to the left. A target on its side is mirrored.
    let beside = cross(along, sub(target, p));
    let squared = dot(along, along);
    let seen = if beside > 0.0 && squared > 0.0 {
        let scale = 2.0 * beside / squared;
        [target[0] + along[1] * scale, target[1] - along[0] * scale]
    } else {
        target
    };
    let way = sub(seen, root);
    if cross(sub(p, root), way) < 0.0 {
        distance(root, p) + distance(p, target)
    } else if cross(sub(q, root), way) > 0.0 {
        distance(root, q) + distance(q, target)
    } else {
        distance(root, seen)
    }
}

#[inline]
pub(super) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
