//! Looking through a polygon: the intervals that follow an interval.

use super::super::filter::PolygonFilter;
use super::super::node::{Entrance, Node};
use super::super::off_mesh::OffMeshCrossing;
use super::super::portals::both_sides;
use super::cone::{Cone, Point, Ray, Sight, Window};
use super::corner::{Hand, Turning, blocking_edge};
use super::roots::{Root, RootKey};
use super::{AT_GOAL, AT_PORTAL, AT_ROOT, Interval, Polyanya, flags_of, interval_in};
use crate::geometry::plane::Vec3;
use crate::geometry::predicates::{Turn, orient2d, turn_about};
use crate::math::{distance, distance_squared, dot, sub};
use crate::mesh::NavMesh;
use crate::mesh::ground::Ground;
use crate::mesh::view::{Edge, LINK_PORTAL, LINK_STAGED, LINK_STAGED_REVERSE, Link, NO_NEIGHBOR, Polygon};
use crate::search::spread;

#[inline]
fn seen_from_above(position: Vec3) -> Point {
    [position[0], position[2]]
}

/// One of a portal's ends, with the way there from the root, and what the current interval's rays say of it: on which
/// side of the right and of the left one it lies.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    at: Point,
    way: Point,
    right: i32,
    left: i32,
}

/// A portal out of the polygon, from its right end to its left.
#[derive(Clone, Copy, Debug)]
struct Exit {
    entrance: Entrance,
    a: End,
    b: End,
    /// The ends as the polygon left has them: on a tile side they may lie a rounding beside the others.
    here: [Point; 2],
    /// Which corners of the polygon left its ends are; none for those of tile portals.
    corners: Option<[usize; 2]>,
}

/// The interval being expanded, and the polygon behind it.
struct Room<'a, F> {
    filter: &'a F,
    ground: &'a Ground<'a>,
    slot: u32,
    index: u32,
    polygon: &'a Polygon,
    number: u32,
    /// The interval's estimate, which none that follows falls below.
    estimate: f64,
    root_number: u32,
    root: Root,
    sight: Sight,
    is_at_root: bool,
    /// Whether the root is a point of the polygon, if only an end of the portal passed.
    holds_root: bool,
    /// The polygon it was entered from.
    from: u64,
    /// The roots at the portal's right and left end: asked for once, and only when something lies beyond.
    turned: [Option<Option<(u32, Root)>>; 2],
}

impl<F: PolygonFilter> Room<'_, F> {
    #[inline(always)]
    fn end(&self, at: Point) -> End {
        let way = sub(at, self.root.position);
        if self.is_at_root {
            return End { at, way, right: 0, left: 0 };
        }
        let [right, left] = self.sight.sides(at, way);
        End { at, way, right, left }
    }

    /// Which of the polygon's corners lies at a place.
    fn corner_at(&self, place: Point) -> Option<usize> {
        let mut edges = self.ground.edges_of(self.polygon).iter();
        edges.position(|edge| self.ground.seen_from_above(edge.vertex) == place)
    }

    /// A bit for each edge that leads on: not back, not where the filter forbids it, and not into a polygon without
    /// another way out, unless the goal lies there.
    #[inline(always)]
    fn ways_on(&self, tile: Entrance, edges: &[Edge], goal: u64) -> u32 {
        let from = tile.neighbor_of(self.from).unwrap_or(NO_NEIGHBOR);
        let mut left = u32::from(self.polygon.joined) & !self.ground.edges_to(self.polygon, from);
        let mut ways = 0;
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            let Some(edge) = edges.get(at as usize) else { break };
            let Some(target) = self.ground.polygons.get(edge.neighbor as usize) else { continue };
            let is_dead_end = target.joined.is_power_of_two() & (target.link_count == 0);
            if is_dead_end && tile.at(edge.neighbor, 0).polygon() != goal {
                continue;
            }
            ways |= u32::from(self.filter.accepts(target.flags, target.area)) << at;
        }
        ways
    }
}

/// The length of the way to a point of the polygon behind a portal. From a root that the polygon holds it is straight,
/// also where the point is a rounding outside.
#[inline]
fn way_to(cone: &Cone, holds_root: bool, point: Point) -> Option<f64> {
    if holds_root { Some(distance(cone.root, point)) } else { cone.way_to(point) }
}

/// A root with its place among the nodes.
#[derive(Clone, Copy)]
struct Seen {
    number: u32,
    cone: Cone,
    /// The part of the portal that is seen.
    window: Window,
}

impl Polyanya<'_, '_> {
    /// Adds all that follows an interval.
    pub(super) fn expand<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        ground: &Ground<'_>,
        (number, interval): (u32, &Interval),
        root: &Root,
    ) {
        let index = interval.entrance.index();
        let Some(polygon) = ground.polygons.get(index as usize) else { return };
        let is_at_root = interval.flags & AT_ROOT != 0;
        // Back through the portal passed leads no way, but one that has landed may go on to where the link began.
        let from = if is_at_root { u64::MAX } else { self.polygon_before(interval) };
        let edges = ground.edges_of(polygon);
        let cone = interval.cone(root.position);
        let mut room = Room {
            filter,
            ground,
            slot: interval.entrance.slot(),
            index,
            polygon,
            number,
            estimate: interval.estimate,
            root_number: interval.root,
            root: *root,
            sight: Sight::of(cone),
            is_at_root,
            holds_root: interval.flags & (AT_ROOT | AT_PORTAL) != 0,
            from,
            turned: [None; 2],
        };
        let tile = Entrance::new(room.slot, 0, 0);
        let mut ways = room.ways_on(tile, edges, self.state.question.goal_polygon);
        // Edges that follow one another share an end.
        let mut known = (usize::MAX, End::default());
        while ways != 0 {
            let at = ways.trailing_zeros() as usize;
            ways &= ways - 1;
            let Some(edge) = edges.get(at) else { break };
            let next = if at + 1 < edges.len() { at + 1 } else { 0 };
            let a = if known.0 == at { known.1 } else { room.end(ground.seen_from_above(edge.vertex)) };
            let b = room.end(ground.seen_from_above(edges[next].vertex));
            known = (next, b);
            let entrance = tile.at(edge.neighbor, at as u32);
            let exit = Exit { entrance, a, b, here: [a.at, b.at], corners: Some([at, next]) };
            self.leave(&mut room, &exit);
        }
        for (at, link) in ground.links_of(polygon).iter().enumerate() {
            let entrance = Entrance::into(link.target, polygon.edge_count as u32 + at as u32);
            self.leave_by_link(mesh, &mut room, link, entrance);
        }
    }

    fn leave_by_link<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        room: &mut Room<'_, F>,
        link: &Link,
        entrance: Entrance,
    ) {
        let Some(target) = mesh.polygon_in(link.target.slot(), link.target.index()) else { return };
        if !room.filter.accepts(target.flags, target.area) {
            return;
        }
        if link.kind == LINK_PORTAL {
            if entrance.polygon() == room.from {
                return;
            }
            let Some(facing) = mesh.ground(link.target.slot()) else { return };
            let Some([here, there]) = both_sides(room.ground, room.polygon, link, &facing, target) else { return };
            let [here, there] = [here, there].map(|(a, b)| [seen_from_above(a), seen_from_above(b)]);
            if here[0] == here[1] || there[0] == there[1] {
                return;
            }
            let exit = Exit { entrance, a: room.end(there[0]), b: room.end(there[1]), here, corners: None };
            self.leave(room, &exit);
        } else if let Some(crossing) = OffMeshCrossing::of(mesh, link) {
            self.cross(room, link, &crossing, entrance);
        }
    }

    /// Over an off-mesh link: the place where it lands is a root, from which all of its polygon is seen.
    fn cross<F: PolygonFilter>(
        &mut self,
        room: &Room<'_, F>,
        link: &Link,
        crossing: &OffMeshCrossing,
        entrance: Entrance,
    ) {
        let (takeoff, landing) = (seen_from_above(crossing.near), seen_from_above(crossing.far));
        let Some(walk) = way_to(&room.sight.cone, room.holds_root, takeoff) else { return };
        let length = distance(crossing.near, crossing.far);
        let Some(toll) = crossing.cost(length, room.filter) else { return };
        let landed = room.root.crossed(walk + length, walk + toll / self.state.question.price, landing);
        let is_staged = matches!(link.kind, LINK_STAGED | LINK_STAGED_REVERSE);
        let key = RootKey::landing(link.owner_slot, link.index, is_staged, crossing.is_reverse);
        let Some(number) = self.arrive(key, landed) else { return };
        let root = *self.root(number);
        self.begin_within(room.number, entrance, (number, &root), room.estimate);
    }

    /// Adds an interval whose root lies in its polygon, all of which it sees.
    pub(super) fn begin_within(&mut self, parent: u32, entrance: Entrance, (number, root): (u32, &Root), least: f64) {
        let question = &self.state.question;
        let left = distance(root.position, question.goal);
        let (estimate, is_cheap) = (root.cost + left * question.scale, question.scale < 1.0);
        let interval = Interval { entrance, parent, root: number, flags: AT_ROOT, ..Interval::default() };
        if entrance.polygon() == question.goal_polygon {
            if root.length + left <= question.max_length {
                self.add(Interval { flags: AT_GOAL, ..interval }, root.cost + left, least);
            }
            // A straight way through one polygon is the shortest, unless a cheap link leads on from it.
            if !is_cheap {
                return;
            }
        }
        // Seen whole is seen whole, whichever way the polygon was entered.
        let key = spread(u64::from(number) << 40 ^ entrance.polygon());
        let held = self.table.find(key, |other| {
            self.is_interval(other)
                && self.nodes.get(other as usize).map(interval_in).is_some_and(|other| {
                    other.flags & AT_ROOT != 0 && other.root == number && other.entrance.polygon() == entrance.polygon()
                })
        });
        if let Err(place) = held {
            self.add_at(place, interval, estimate, least);
        }
    }

    /// Through a portal: what the root sees of it, and what lies beyond a turn at the ends of the one before.
    #[inline]
    fn leave<F: PolygonFilter>(&mut self, room: &mut Room<'_, F>, exit: &Exit) {
        let Exit { a, b, here, .. } = *exit;
        if room.is_at_root {
            return self.leave_from_within(room, exit);
        }
        let Cone { root, right, left } = room.sight.cone;
        if here[0] == root || here[1] == root {
            return self.leave_round_root(room, exit);
        }
        if a.right == 0 && b.right == 0 || a.left == 0 && b.left == 0 {
            return self.graze(room, exit, room.root);
        }
        if b.right > 0 && a.left < 0 {
            match turn_about(root, (a.at, a.way), (b.at, b.way)) {
                1 => {
                    let is_cut = [a.right < 0, b.left > 0];
                    let cone = Cone {
                        root,
                        right: if is_cut[0] { right.inside() } else { Ray::to_end(a.at) },
                        left: if is_cut[1] { left.inside() } else { Ray::to_end(b.at) },
                    };
                    let window = Window { ends: [a.at, b.at], is_cut };
                    self.enter(room, exit, room.root, Seen { number: room.root_number, cone, window });
                }
                0 => self.graze(room, exit, room.root),
                _ => {}
            }
        }
        if right.is_end && a.right <= 0 {
            self.turn_right(room, exit);
        }
        if left.is_end && b.left >= 0 {
            self.turn_left(room, exit);
        }
    }

    /// From a root in the polygon itself, its boundary included: all of each exit is seen.
    fn leave_from_within<F: PolygonFilter>(&mut self, room: &Room<'_, F>, exit: &Exit) {
        let root = room.root.position;
        let (a, b) = (exit.a.at, exit.b.at);
        if exit.here[0] == root || exit.here[1] == root {
            // It is a corner of the next polygon as well, all of which it sees: also what lies past a half turn.
            let corner = if exit.here[0] == root { a } else { b };
            let moved = if corner == root {
                Some((room.root_number, room.root))
            } else {
                let moved = room.root.walked_to(corner);
                self.arrive(RootKey::MOVED, moved).map(|number| (number, *self.root(number)))
            };
            let Some((number, moved)) = moved else { return };
            return self.begin_within(room.number, exit.entrance, (number, &moved), room.estimate);
        }
        let cone = if orient2d(root, a, b).is_left() {
            Cone { root, right: Ray::to_end(a), left: Ray::to_end(b) }
        } else if dot(sub(a, root), sub(b, root)) <= 0.0 {
            // The root stands on the exit, or a rounding beyond it: it is within the next polygon as well.
            return self.begin_within(room.number, exit.entrance, (room.root_number, &room.root), room.estimate);
        } else {
            return self.graze(room, exit, room.root);
        };
        self.enter_from_seen(room, exit, (room.root_number, room.root), cone);
    }

    /// Through an exit that begins or ends at the root: on round it, on the side the cone is open to.
    fn leave_round_root<F: PolygonFilter>(&mut self, room: &Room<'_, F>, exit: &Exit) {
        let (a, b) = (exit.a, exit.b);
        let Cone { right, left, .. } = room.sight.cone;
        let cone = if exit.here[0] == room.sight.cone.root {
            if b.right <= 0 || b.left > 0 {
                return;
            }
            Cone { root: a.at, right: right.inside(), left: Ray::to_end(b.at) }
        } else {
            if a.left >= 0 || a.right < 0 {
                return;
            }
            Cone { root: b.at, right: Ray::to_end(a.at), left: left.inside() }
        };
        self.enter_from_seen(room, exit, (room.root_number, room.root), cone);
    }

    /// Into a polygon through a portal that is seen whole, by a root that may have to move a rounding's width onto it.
    fn enter_from_seen<F: PolygonFilter>(
        &mut self,
        room: &Room<'_, F>,
        exit: &Exit,
        (mut number, mut root): (u32, Root),
        cone: Cone,
    ) {
        if cone.root != root.position {
            root = root.walked_to(cone.root);
            let Some(moved) = self.add_root(root) else { return };
            number = moved;
        }
        self.enter(room, exit, root, Seen { number, cone, window: Window::whole(exit.a.at, exit.b.at) });
    }

    fn turn_right<F: PolygonFilter>(&mut self, room: &mut Room<'_, F>, exit: &Exit) {
        let (a, b) = (exit.a, exit.b);
        let (before, corner) = (room.sight.cone.root, room.sight.cone.right.through);
        let begins_there = exit.here[0] == corner;
        if exit.here[1] == corner || !(a.right < 0 || begins_there && b.right < 0) {
            return;
        }
        let Some((number, root)) = self.turned(room, Hand::Right) else { return };
        let half = Cone::right_of_way(before, corner);
        if begins_there {
            let cone = Cone { root: a.at, right: half.right, left: Ray::to_end(b.at) };
            return self.enter_from_seen(room, exit, (number, root), cone);
        }
        match orient2d(corner, a.at, b.at) {
            Turn::Left if a.right < 0 => {
                let is_cut = b.right > 0;
                let left = if is_cut { half.left } else { Ray::to_end(b.at) };
                let cone = Cone { root: corner, right: Ray::to_end(a.at), left };
                let window = Window { ends: [a.at, b.at], is_cut: [false, is_cut] };
                self.enter(room, exit, root, Seen { number, cone, window });
            }
            Turn::Straight => self.graze(room, exit, root),
            _ => {}
        }
    }

    fn turn_left<F: PolygonFilter>(&mut self, room: &mut Room<'_, F>, exit: &Exit) {
        let (a, b) = (exit.a, exit.b);
        let (before, corner) = (room.sight.cone.root, room.sight.cone.left.through);
        let ends_there = exit.here[1] == corner;
        if exit.here[0] == corner || !(b.left > 0 || ends_there && a.left > 0) {
            return;
        }
        let Some((number, root)) = self.turned(room, Hand::Left) else { return };
        let half = Cone::left_of_way(before, corner);
        if ends_there {
            let cone = Cone { root: b.at, right: Ray::to_end(a.at), left: half.left };
            return self.enter_from_seen(room, exit, (number, root), cone);
        }
        match orient2d(corner, a.at, b.at) {
            Turn::Left if b.left > 0 => {
                let is_cut = a.left < 0;
                let right = if is_cut { half.right } else { Ray::to_end(a.at) };
                let cone = Cone { root: corner, right, left: Ray::to_end(b.at) };
                let window = Window { ends: [a.at, b.at], is_cut: [is_cut, false] };
                self.enter(room, exit, root, Seen { number, cone, window });
            }
            Turn::Straight => self.graze(room, exit, root),
            _ => {}
        }
    }

    /// Through an exit in one line with the root: along it to the nearer end, and there round it.
    fn graze<F: PolygonFilter>(&mut self, room: &Room<'_, F>, exit: &Exit, root: Root) {
        let (a, b, before) = (exit.a.at, exit.b.at, root.position);
        let is_right = distance_squared(before, a) < distance_squared(before, b);
        let (hand, end, which) = if is_right { (Hand::Right, a, 0) } else { (Hand::Left, b, 1) };
        let corner = exit.corners.map(|corners| corners[which]);
        let Some((number, root)) = self.root_at(room, hand, end, corner, &root) else { return };
        let cone = if is_right { Cone::right_of_way(before, end) } else { Cone::left_of_way(before, end) };
        self.enter(room, exit, root, Seen { number, cone, window: Window::whole(a, b) });
    }

    /// The root at the right or left end of the portal passed; none when no way turns there.
    fn turned<F: PolygonFilter>(&mut self, room: &mut Room<'_, F>, hand: Hand) -> Option<(u32, Root)> {
        if let Some(known) = room.turned[hand as usize] {
            return known;
        }
        let end = if hand == Hand::Right { room.sight.cone.right.through } else { room.sight.cone.left.through };
        let corner = room.corner_at(end);
        let root = room.root;
        let found = self.root_at(room, hand, end, corner, &root);
        room.turned[hand as usize] = Some(found);
        found
    }

    /// The root for a way that goes straight from another to a place and turns there. The place is a corner of the
    /// polygon, or the end of a tile portal, which is always taken for one where ways turn.
    fn root_at<F: PolygonFilter>(
        &mut self,
        room: &Room<'_, F>,
        hand: Hand,
        end: Point,
        corner: Option<usize>,
        from: &Root,
    ) -> Option<(u32, Root)> {
        let is_left = hand == Hand::Left;
        let key = match corner {
            Some(corner) => {
                let from_here = room.from >> 20 == u64::from(room.slot);
                let turning = Turning {
                    polygon: room.index,
                    from: if from_here { (room.from & 0xF_FFFF) as u32 } else { NO_NEIGHBOR },
                    corner,
                    hand,
                    before: from.position,
                };
                let accepts = |polygon: &Polygon| room.filter.accepts(polygon.flags, polygon.area);
                RootKey::corner(room.slot, blocking_edge(room.ground, accepts, turning)?, is_left)
            }
            None => RootKey::portal_end(room.slot, room.polygon.first_edge, is_left),
        };
        let number = self.arrive(key, from.walked_to(end))?;
        Some((number, *self.root(number)))
    }

    /// Adds the interval behind a portal, or the last leg when the goal's polygon lies there.
    #[inline]
    fn enter<F: PolygonFilter>(&mut self, room: &Room<'_, F>, exit: &Exit, root: Root, seen: Seen) {
        let question = &self.state.question;
        let (entrance, goal) = (exit.entrance, question.goal);
        let Seen { number, cone, window } = seen;
        let stands_on_portal = window.ends.contains(&cone.root);
        let next = Interval {
            right: cone.right.through,
            left: cone.left.through,
            entrance,
            parent: room.number,
            root: number,
            flags: flags_of(&cone) | if stands_on_portal { AT_PORTAL } else { 0 },
            ..Interval::default()
        };
        if entrance.polygon() == question.goal_polygon {
            let (is_cheap, most) = (question.scale < 1.0, question.max_length);
            if let Some(way) = way_to(&cone, stands_on_portal, goal)
                && root.length + way <= most
            {
                self.add(Interval { flags: AT_GOAL, ..next }, root.cost + way, room.estimate);
            }
            if !is_cheap {
                return;
            }
        }
        let question = &self.state.question;
        let estimate = root.cost + window.way_through(&cone, goal) * question.scale;
        // Ways of one length meet at a root. What it sees through an exit need not be looked at twice.
        let left = Entrance::new(room.slot, room.index, 0).polygon();
        let key = spread(u64::from(number) << 40 ^ left << 5 ^ u64::from(entrance.exit()));
        let held = self.table.find(key, |other| {
            self.is_interval(other)
                && self.nodes.get(other as usize).map(interval_in).is_some_and(|other| {
                    other.root == number
                        && other.entrance == entrance
                        && other.flags & AT_ROOT == 0
                        && self.polygon_before(other) == left
                        && other.cone(cone.root).holds(&cone)
                })
        });
        if let Err(place) = held {
            self.add_at(place, next, estimate, room.estimate);
        }
    }
}

const _: () = assert!(size_of::<Node>() == 64);
