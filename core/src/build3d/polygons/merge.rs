//! Merging of one contour's triangles into convex polygons (Hertel & Mehlhorn 1983), longest shared edge first.
//!
//! Polygons are rings of half-edges, and a half-edge knows only where it starts. A merge takes a pair of opposite
//! half-edges out and joins the two rings; only the edges between the merged polygon and its neighbours are looked at
//! again, since nothing else can have changed.

use super::contest::{Contest, OUT};
use crate::build3d::contours::ring::{Corner, cross, distance2};
use crate::build3d::contours::{ContourVertex, WALL};
use crate::build3d::local::Turns;
use crate::error::Result;
use crate::memory::{Arena, Pod, Zeroable};

const NONE: u32 = u32::MAX;
/// The most vertices of a polygon.
pub(super) const MOST_VERTS: usize = 16;

/// One side of an edge, in the ring of its polygon.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct HalfEdge {
    /// Where it starts: a vertex of the contour, the first of those that were welded to one.
    origin: u32,
    next: u32,
    previous: u32,
    /// Its polygon, or none when it is gone.
    owner: u32,
    /// The opposite half-edge to merge over, where its own polygon is the lower of the two and the merge is valid.
    partner: u32,
    /// 1 for a wall of the contour and for what a dropped wall vertex left.
    wall: u32,
}

/// One polygon: a ring of half-edges.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Ring {
    /// The half-edge it starts with.
    first: u32,
    size: u32,
    /// The half-edge that it is best merged over.
    best: u32,
}

/// Scratch for contours of up to a number of vertices, hence two triangles fewer.
pub(super) struct MergeScratch<'t> {
    edges: &'t mut [HalfEdge],
    rings: &'t mut [Ring],
    /// The half-edges by origin, and where each origin's begin.
    fan: &'t mut [u32],
    fan_first: &'t mut [u32],
    keys: &'t mut [u64],
    winners: &'t mut [u32],
}

impl<'t> MergeScratch<'t> {
    pub fn new(most: usize, desk: &mut Arena<'t>) -> Result<Self> {
        let triangles = most.saturating_sub(2);
        Ok(MergeScratch {
            edges: desk.take_back(3 * triangles)?,
            rings: desk.take_back(triangles)?,
            fan: desk.take_back(3 * triangles)?,
            fan_first: desk.take_back(most + 1)?,
            keys: desk.take_back(triangles)?,
            winners: desk.take_back(Contest::winners_for(triangles))?,
        })
    }
}

/// What polygons are merged by.
#[derive(Clone, Copy)]
pub(super) struct Rule<'t> {
    pub turns: &'t Turns,
    pub max_verts: u32,
}

/// Merges the triangles of one contour and hands the polygons, as rings of contour vertices, to `emit`.
///
/// A triangle names vertices of `ring` by index, and `same` gives for each the first one that was welded to the same
/// vertex.
pub(super) fn merge(
    ring: &[ContourVertex],
    same: &[u32],
    triangles: &[[u32; 3]],
    rule: Rule<'_>,
    scratch: &mut MergeScratch<'_>,
    mut emit: impl FnMut(&[u32]) -> Result<()>,
) -> Result<()> {
    let mut merger = Merger::new(ring, same, triangles, rule, scratch);
    for edge in 0..merger.edges.len() {
        merger.find_partner(edge as u32);
    }
    for polygon in 0..triangles.len() {
        merger.choose_best(polygon as u32);
    }
    while let Some(polygon) = merger.contest.winner() {
        merger.merge_over(merger.rings[polygon].best);
    }
    for polygon in 0..triangles.len() {
        if merger.edges[merger.rings[polygon].first as usize].owner == polygon as u32 {
            let mut vertices = [0; MOST_VERTS];
            let size = merger.collect(polygon, &mut vertices);
            emit(&vertices[..size])?;
        }
    }
    Ok(())
}

struct Merger<'t> {
    ring: &'t [ContourVertex],
    rule: Rule<'t>,
    edges: &'t mut [HalfEdge],
    rings: &'t mut [Ring],
    fan: &'t [u32],
    fan_first: &'t [u32],
    contest: Contest<'t>,
}

/// Which of the two joints of a merge are taken out.
#[derive(Clone, Copy)]
struct Drops {
    /// The start of the shared edge, seen from the lower polygon.
    start: bool,
    end: bool,
}

impl<'t> Merger<'t> {
    fn new(
        ring: &'t [ContourVertex],
        same: &[u32],
        triangles: &[[u32; 3]],
        rule: Rule<'t>,
        scratch: &'t mut MergeScratch<'_>,
    ) -> Self {
        let edges = &mut scratch.edges[..3 * triangles.len()];
        let fan = &mut scratch.fan[..edges.len()];
        let fan_first = &mut scratch.fan_first[..ring.len() + 1];
        fan_first.fill(0);
        for (polygon, triangle) in triangles.iter().enumerate() {
            let base = 3 * polygon as u32;
            scratch.rings[polygon] = Ring { first: base, size: 3, best: NONE };
            for side in 0..3 {
                let (from, to) = (triangle[side] as usize, triangle[(side + 1) % 3] as usize);
                let follows = to == if from + 1 == ring.len() { 0 } else { from + 1 };
                edges[3 * polygon + side] = HalfEdge {
                    origin: same[from],
                    next: base + (side as u32 + 1) % 3,
                    previous: base + (side as u32 + 2) % 3,
                    owner: polygon as u32,
                    partner: NONE,
                    wall: u32::from(follows && ring[from].neighbor == WALL),
                };
                fan_first[same[from] as usize + 1] += 1;
            }
        }
        for vertex in 1..fan_first.len() {
            fan_first[vertex] += fan_first[vertex - 1];
        }
        // Filling moves each start to its end, which is the next one's start: shift them back afterwards.
        for (index, edge) in edges.iter().enumerate() {
            let slot = &mut fan_first[edge.origin as usize];
            fan[*slot as usize] = index as u32;
            *slot += 1;
        }
        fan_first.copy_within(0..ring.len(), 1);
        fan_first[0] = 0;
        Merger {
            ring,
            rule,
            edges,
            rings: &mut scratch.rings[..triangles.len()],
            fan,
            fan_first,
            contest: Contest::new(triangles.len(), &mut scratch.keys[..], &mut scratch.winners[..]),
        }
    }

    fn edge(&self, edge: u32) -> &HalfEdge {
        &self.edges[edge as usize]
    }

    fn origin(&self, edge: u32) -> u32 {
        self.edge(edge).origin
    }

    fn target(&self, edge: u32) -> u32 {
        self.origin(self.edge(edge).next)
    }

    fn corner(&self, vertex: u32) -> Corner {
        self.ring[vertex as usize].corner()
    }

    /// The half-edges from one vertex to another that are still there, starting to look at `at`; and where to go on.
    ///
    /// Looked for among those that start at `from`, or those before the ones that start at `to`, whichever are fewer.
    fn edge_between(&self, from: u32, to: u32, at: &mut usize) -> Option<u32> {
        let fan = |vertex: u32| self.fan_first[vertex as usize] as usize..self.fan_first[vertex as usize + 1] as usize;
        let outgoing = fan(from).len() <= fan(to).len();
        let candidates = &self.fan[fan(if outgoing { from } else { to })];
        while let Some(&candidate) = candidates.get(*at) {
            *at += 1;
            if self.edge(candidate).owner == NONE {
                continue;
            }
            let found = if outgoing { candidate } else { self.edge(candidate).previous };
            if self.origin(found) == from && self.target(found) == to {
                return Some(found);
            }
        }
        None
    }

    /// Finds the half-edge to merge a half-edge's polygon over it with; of several the one of the lowest polygon.
    fn find_partner(&mut self, edge: u32) {
        let polygon = self.edge(edge).owner;
        let (a, b) = (self.origin(edge), self.target(edge));
        let mut partner = NONE;
        let mut at = 0;
        while let Some(opposite) = self.edge_between(b, a, &mut at) {
            let other = self.edge(opposite).owner;
            let lowest = partner == NONE || other < self.edge(partner).owner;
            if other > polygon && lowest && self.joints(edge, opposite).is_some() {
                partner = opposite;
            }
        }
        self.edges[edge as usize].partner = partner;
    }

    /// Finds the longest edge that a polygon can be merged over, the first of equal ones, and enters it in the contest.
    fn choose_best(&mut self, polygon: u32) {
        let ring = self.rings[polygon as usize];
        let mut best = (0, NONE);
        let mut edge = ring.first;
        for _ in 0..ring.size {
            if self.edge(edge).partner != NONE {
                let length2 = distance2(self.corner(self.origin(edge)), self.corner(self.target(edge))) as u64;
                if length2 > best.0 {
                    best = (length2, edge);
                }
            }
            edge = self.edge(edge).next;
        }
        self.rings[polygon as usize].best = best.1;
        // The contest is won by the smallest key.
        self.contest.set(polygon as usize, if best.1 == NONE { OUT } else { !best.0 });
    }

    /// Whether the polygons on both sides of an edge may be merged, and which of the two joints goes with it.
    ///
    /// `edge` runs `a` to `b` and has `x` before and `z` after it; `opposite` runs `b` to `a` and has `y` before and `w`
    /// after it. The merged ring turns `x a w` and `y b z`.
    fn joints(&self, edge: u32, opposite: u32) -> Option<Drops> {
        let (ours, theirs) = (self.edge(edge), self.edge(opposite));
        let sizes = self.rings[ours.owner as usize].size + self.rings[theirs.owner as usize].size;
        if sizes - 2 > self.rule.max_verts {
            return None;
        }
        let start = self.joint(ours.previous, theirs.next)?;
        let end = self.joint(theirs.previous, ours.next)?;
        let drops = Drops { start, end };
        if self.has_common_vertex(edge, opposite) || ((start || end) && !self.is_convex_without(edge, opposite, drops))
        {
            return None;
        }
        Some(drops)
    }

    /// Whether the joint of two half-edges is dropped; none when it forbids the merge.
    fn joint(&self, into: u32, out_of: u32) -> Option<bool> {
        let [a, b, c] = [self.origin(into), self.origin(out_of), self.target(out_of)].map(|vertex| self.corner(vertex));
        let turn = cross(a, b, c);
        if turn == 0 {
            // A path that turns back on itself turns right as much as left: the ring would be no polygon.
            if (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) <= 0 {
                return None;
            }
            // A vertex of a straight wall goes: rounding to float32 could tip it to the wrong side.
            if self.edge(into).wall != 0 && self.edge(out_of).wall != 0 {
                return Some(true);
            }
        }
        (turn >= 0 && !self.rule.turns.turn(a, b, c).is_right()).then_some(false)
    }

    /// Whether two polygons have a vertex in common besides the ends of their shared edge.
    fn has_common_vertex(&self, edge: u32, opposite: u32) -> bool {
        let mut ours = self.edge(self.edge(edge).next).next;
        while ours != edge {
            let vertex = self.origin(ours);
            let mut theirs = self.edge(self.edge(opposite).next).next;
            while theirs != opposite {
                if self.origin(theirs) == vertex {
                    return true;
                }
                theirs = self.edge(theirs).next;
            }
            ours = self.edge(ours).next;
        }
        false
    }

    /// Whether the merged ring still turns nowhere right, in the stored positions, once its dropped joints are gone.
    fn is_convex_without(&self, edge: u32, opposite: u32, drops: Drops) -> bool {
        let mut ring = [[0; 2]; 2 * MOST_VERTS];
        let mut count = 0;
        for (shared, drop) in [(edge, drops.end), (opposite, drops.start)] {
            let mut at = self.edge(shared).next;
            let mut skip = drop;
            while at != shared {
                if !skip {
                    ring[count] = self.corner(self.origin(at));
                    count += 1;
                }
                skip = false;
                at = self.edge(at).next;
            }
        }
        let turn = |i: usize| self.rule.turns.turn(ring[i], ring[(i + 1) % count], ring[(i + 2) % count]);
        count >= 3 && (0..count).all(|i| !turn(i).is_right())
    }

    /// Merges the polygons on both sides of an edge into the lower one.
    fn merge_over(&mut self, edge: u32) {
        let opposite = self.edge(edge).partner;
        let (polygon, other) = (self.edge(edge).owner, self.edge(opposite).owner);
        let Some(drops) = self.joints(edge, opposite) else { return self.contest.set(polygon as usize, OUT) };
        let (ours, theirs) = (*self.edge(edge), *self.edge(opposite));
        let (a, b) = (ours.origin, theirs.origin);
        self.contest.set(other as usize, OUT);
        self.edges[edge as usize].owner = NONE;
        self.edges[opposite as usize].owner = NONE;
        self.link(ours.previous, theirs.next);
        self.link(theirs.previous, ours.next);
        // The merged ring starts at `b`, goes on with this polygon's vertices up to `a`, then with the other's.
        let mut first = ours.next;
        if drops.end {
            first = self.edge(first).next;
            self.drop_start(ours.next);
        }
        if drops.start {
            self.drop_start(theirs.next);
        }
        let mut size = 0;
        let mut at = first;
        loop {
            self.edges[at as usize].owner = polygon;
            size += 1;
            at = self.edge(at).next;
            if at == first {
                break;
            }
        }
        self.rings[polygon as usize] = Ring { first, size, best: NONE };
        self.look_again(polygon);
        // What faced an edge that a dropped joint took away has lost its partner.
        for (joint, dropped) in [(a, drops.start), (b, drops.end)] {
            if dropped {
                self.look_again_at(joint);
            }
        }
    }

    fn link(&mut self, from: u32, to: u32) {
        self.edges[from as usize].next = to;
        self.edges[to as usize].previous = from;
    }

    /// Takes a half-edge out of its ring, so that the one before it leads on to where it led; that one is a wall.
    fn drop_start(&mut self, edge: u32) {
        let HalfEdge { previous, next, .. } = *self.edge(edge);
        self.link(previous, next);
        self.edges[edge as usize].owner = NONE;
        self.edges[previous as usize].wall = 1;
    }

    /// Looks again at every edge of a polygon, from both sides.
    fn look_again(&mut self, polygon: u32) {
        let ring = self.rings[polygon as usize];
        let mut edge = ring.first;
        for _ in 0..ring.size {
            self.find_partner(edge);
            let (a, b) = (self.origin(edge), self.target(edge));
            let mut at = 0;
            while let Some(opposite) = self.edge_between(b, a, &mut at) {
                self.find_partner(opposite);
                self.choose_best(self.edge(opposite).owner);
            }
            edge = self.edge(edge).next;
        }
        self.choose_best(polygon);
    }

    /// Looks again at every edge that starts or ends at a vertex.
    fn look_again_at(&mut self, vertex: u32) {
        for slot in self.fan_first[vertex as usize]..self.fan_first[vertex as usize + 1] {
            let edge = self.fan[slot as usize];
            if self.edge(edge).owner != NONE {
                for edge in [edge, self.edge(edge).previous] {
                    self.find_partner(edge);
                    self.choose_best(self.edge(edge).owner);
                }
            }
        }
    }

    /// Writes a polygon's vertices and returns how many there are.
    fn collect(&self, polygon: usize, vertices: &mut [u32; MOST_VERTS]) -> usize {
        let Ring { first, size, .. } = self.rings[polygon];
        let mut edge = first;
        for vertex in &mut vertices[..size as usize] {
            *vertex = self.origin(edge);
            edge = self.edge(edge).next;
        }
        size as usize
    }
}
