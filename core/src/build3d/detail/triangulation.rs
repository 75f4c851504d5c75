//! The triangulation of one polygon: its hull cut into ears, made Delaunay by flips (Lawson 1977), and refined by single
//! vertices, all with exact predicates.

use crate::error::Result;
use crate::geometry::predicates::{CircleSide, Turn, in_circle, orient2d};
use crate::memory::{Arena, Pod, Zeroable};

/// The most vertices: an index is a byte, and one value stays free.
pub(super) const MOST_VERTICES: usize = 255;
/// The most triangles: two for every vertex, less two and the hull.
const MOST_TRIANGLES: usize = 2 * MOST_VERTICES;
/// The edge across which there is no triangle, and the end of a list.
const NONE: u16 = u16::MAX;
/// More flips than a triangulation of so many points can need; a hull that crosses itself may ask for more.
const MOST_FLIPS: usize = MOST_VERTICES * MOST_VERTICES;

/// A triangle, counter-clockwise; its edge `k` runs from vertex `k` to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Triangle {
    pub vertices: [u16; 3],
    /// The triangle across each edge.
    pub neighbors: [u16; 3],
}

impl Triangle {
    fn edge_to(&self, neighbor: usize) -> usize {
        (0..3).find(|&k| self.neighbors[k] == neighbor as u16).unwrap_or(0)
    }

    /// The triangle as a tile stores it: its vertices, and a bit for every edge that has nothing across.
    pub fn stored(&self) -> [u8; 4] {
        let flag = |k: usize| u8::from(self.neighbors[k] == NONE) << k;
        let [a, b, c] = self.vertices.map(|vertex| vertex as u8);
        [a, b, c, flag(0) | flag(1) | flag(2)]
    }
}

/// The polygon in work.
pub(super) struct Triangulation<'t> {
    /// Places of the vertices: `x`, height, `z`, as the tile stores them.
    pub vertices: &'t mut [[f32; 3]],
    pub vertex_count: usize,
    triangles: &'t mut [Triangle],
    triangle_count: usize,
    /// Whether a triangle has changed since the marks were last cleared.
    changed: &'t mut [u8],
    /// The hull as a ring while it is cut: for each place the ones before and after.
    before: &'t mut [u16],
    after: &'t mut [u16],
    /// For each place the vertex there, and the triangle edge across the ring edge that starts there.
    ring: &'t mut [u16],
    across: &'t mut [u16],
    edges: EdgeStack<'t>,
    flips: usize,
}

impl<'t> Triangulation<'t> {
    pub fn new(desk: &mut Arena<'t>) -> Result<Self> {
        Ok(Triangulation {
            vertices: desk.take_back(MOST_VERTICES)?,
            vertex_count: 0,
            triangles: desk.take_back(MOST_TRIANGLES)?,
            triangle_count: 0,
            changed: desk.take_back(MOST_TRIANGLES)?,
            before: desk.take_back(MOST_VERTICES)?,
            after: desk.take_back(MOST_VERTICES)?,
            ring: desk.take_back(MOST_VERTICES)?,
            across: desk.take_back(MOST_VERTICES)?,
            edges: EdgeStack::new(desk.take_back(3 * MOST_TRIANGLES)?),
            flips: 0,
        })
    }

    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles[..self.triangle_count]
    }

    /// Whether a triangle has changed since [`clear_changes`](Self::clear_changes).
    pub fn has_changed(&self, triangle: u32) -> bool {
        self.changed[triangle as usize] != 0
    }

    pub fn clear_changes(&mut self) {
        self.changed[..self.triangle_count].fill(0);
    }

    /// Begins a polygon whose hull is cut next; its ring of vertices is given to [`push_ring`](Self::push_ring).
    pub fn begin(&mut self) {
        self.vertex_count = 0;
        self.triangle_count = 0;
        self.flips = 0;
    }

    /// Sets one place of the ring, in order.
    pub fn set_ring(&mut self, place: usize, vertex: usize) {
        self.ring[place] = vertex as u16;
    }

    fn place(&self, vertex: u16) -> [f64; 2] {
        let [x, _, z] = self.vertices[usize::from(vertex)];
        [f64::from(x), f64::from(z)]
    }

    fn turn(&self, a: u16, b: u16, c: u16) -> Turn {
        orient2d(self.place(a), self.place(b), self.place(c))
    }

    /// Cuts the ring of `count` vertices into ears and makes the triangles Delaunay.
    ///
    /// The first ear from the head is cut; the head starts at the first vertex and moves on when its own is cut.
    pub fn cut_hull(&mut self, count: usize) {
        for place in 0..count {
            self.before[place] = if place == 0 { count - 1 } else { place - 1 } as u16;
            self.after[place] = if place + 1 == count { 0 } else { place + 1 } as u16;
            self.across[place] = NONE;
        }
        let mut head = 0;
        for left in (4..=count).rev() {
            let ear = self.find_ear(head, left);
            let (p, q) = (self.before[ear], self.after[ear]);
            let triangle = self.push_ear(usize::from(p), ear, usize::from(q));
            self.across[usize::from(p)] = 3 * triangle + 2;
            self.after[usize::from(p)] = q;
            self.before[usize::from(q)] = p;
            if ear == head {
                head = usize::from(q);
            }
        }
        let (p, q) = (usize::from(self.before[head]), usize::from(self.after[head]));
        let last = self.push_ear(p, head, q);
        self.join(3 * last + 2, self.across[q]);
        for edge in 0..3 * self.triangle_count {
            self.push_edge(edge / 3, edge % 3);
        }
        self.legalize();
    }

    /// The first ear from the head on: strictly convex, else straight as well, else the head itself.
    fn find_ear(&self, head: usize, left: usize) -> usize {
        for least in [Turn::Left, Turn::Straight] {
            let mut place = head;
            for _ in 0..left {
                let (p, q) = (self.before[place], self.after[place]);
                let [a, b, c] = [usize::from(p), place, usize::from(q)].map(|place| self.ring[place]);
                if self.turn(a, b, c).sign() >= least.sign() && self.is_empty(p, place as u16, q) {
                    return place;
                }
                place = usize::from(q);
            }
        }
        head
    }

    /// Whether no other ring vertex lies in the closed triangle of three places.
    fn is_empty(&self, p: u16, place: u16, q: u16) -> bool {
        let [a, b, c] = [p, place, q].map(|place| self.place(self.ring[usize::from(place)]));
        let mut other = self.after[usize::from(q)];
        while other != p {
            let d = self.place(self.ring[usize::from(other)]);
            if [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| !orient2d(from, to, d).is_right()) {
                return false;
            }
            other = self.after[usize::from(other)];
        }
        true
    }

    fn push_ear(&mut self, p: usize, place: usize, q: usize) -> u16 {
        let triangle =
            self.push(Triangle { vertices: [p, place, q].map(|place| self.ring[place]), neighbors: [NONE; 3] });
        self.join(3 * triangle, self.across[p]);
        self.join(3 * triangle + 1, self.across[place]);
        triangle
    }

    fn push(&mut self, triangle: Triangle) -> u16 {
        self.triangles[self.triangle_count] = triangle;
        self.changed[self.triangle_count] = 1;
        self.triangle_count += 1;
        (self.triangle_count - 1) as u16
    }

    /// Makes two triangle edges, each three times its triangle and its own number, neighbours.
    fn join(&mut self, edge: u16, other: u16) {
        if other != NONE {
            self.triangles[usize::from(edge / 3)].neighbors[usize::from(edge % 3)] = other / 3;
            self.triangles[usize::from(other / 3)].neighbors[usize::from(other % 3)] = edge / 3;
        }
    }

    fn push_edge(&mut self, triangle: usize, edge: usize) {
        if self.triangles[triangle].neighbors[edge] != NONE {
            self.edges.push(3 * triangle + edge);
        }
    }

    /// Flips edges until every one that can be flipped is locally Delaunay, the last pushed first.
    fn legalize(&mut self) {
        while let Some(edge) = self.edges.pop() {
            if self.flips < MOST_FLIPS && self.should_flip(edge / 3, edge % 3) {
                self.flips += 1;
                self.flip(edge / 3, edge % 3);
            }
        }
    }

    /// The four vertices around an edge: its start, its end, the one on this side and the one across.
    fn quad(&self, triangle: usize, edge: usize) -> Option<[u16; 4]> {
        let this = &self.triangles[triangle];
        let across = this.neighbors[edge];
        let other = self.triangles.get(usize::from(across))?;
        let far = other.vertices[(other.edge_to(triangle) + 2) % 3];
        Some([this.vertices[edge], this.vertices[(edge + 1) % 3], this.vertices[(edge + 2) % 3], far])
    }

    /// Whether the vertex across an edge lies strictly within the triangle's circle, and the two triangles form a strictly
    /// convex quad.
    fn should_flip(&self, triangle: usize, edge: usize) -> bool {
        let Some([a, b, c, d]) = self.quad(triangle, edge) else { return false };
        let turns = [(c, a, d), (d, b, c), (b, c, a), (a, d, b)];
        turns.iter().all(|&(p, q, r)| self.turn(p, q, r).is_left())
            && in_circle(self.place(a), self.place(b), self.place(c), self.place(d)) == CircleSide::Inside
    }

    /// Replaces the triangles `a b c` and `b a d` by `c a d` and `d b c`, which keep their numbers, and puts the four edges
    /// around them on the stack.
    fn flip(&mut self, triangle: usize, edge: usize) {
        let Some([a, b, c, d]) = self.quad(triangle, edge) else { return };
        let this = self.triangles[triangle];
        let across = usize::from(this.neighbors[edge]);
        let other = self.triangles[across];
        let back = other.edge_to(triangle);
        let [bc, ca] = [1, 2].map(|k| this.neighbors[(edge + k) % 3]);
        let [ad, db] = [1, 2].map(|k| other.neighbors[(back + k) % 3]);
        self.set(triangle, [c, a, d], [ca, ad, across as u16]);
        self.set(across, [d, b, c], [db, bc, triangle as u16]);
        self.renew(ad, across, triangle);
        self.renew(bc, triangle, across);
        for (triangle, edge) in [(triangle, 0), (triangle, 1), (across, 0), (across, 1)] {
            self.push_edge(triangle, edge);
        }
    }

    fn set(&mut self, triangle: usize, vertices: [u16; 3], neighbors: [u16; 3]) {
        self.triangles[triangle] = Triangle { vertices, neighbors };
        self.changed[triangle] = 1;
    }

    /// Tells a triangle that its neighbour has another number now.
    fn renew(&mut self, triangle: u16, old: usize, new: usize) {
        if let Some(triangle) = self.triangles[..self.triangle_count].get_mut(usize::from(triangle)) {
            let edge = triangle.edge_to(old);
            triangle.neighbors[edge] = new as u16;
        }
    }

    /// The first triangle that contains a place, its boundary included.
    pub fn locate(&self, place: [f64; 2]) -> Option<usize> {
        (0..self.triangle_count)
            .find(|&triangle| self.turns_around(triangle, place).iter().all(|turn| !turn.is_right()))
    }

    fn turns_around(&self, triangle: usize, place: [f64; 2]) -> [Turn; 3] {
        let corners = self.triangles[triangle].vertices.map(|vertex| self.place(vertex));
        [0, 1, 2].map(|k| orient2d(corners[k], corners[(k + 1) % 3], place))
    }

    /// Adds a vertex to the triangle that contains it and flips the edges around until they are Delaunay.
    ///
    /// On an edge it splits the triangles on both sides. On the hull or at a vertex it is dropped.
    pub fn insert(&mut self, triangle: usize, vertex: [f32; 3]) -> bool {
        let turns = self.turns_around(triangle, [f64::from(vertex[0]), f64::from(vertex[2])]);
        let on = |k: usize| turns[k] == Turn::Straight;
        let p = self.vertex_count as u16;
        match (0..3).filter(|&k| on(k)).count() {
            0 => {
                self.push_vertex(vertex);
                self.split_triangle(triangle, p);
            }
            1 => {
                let edge = (0..3).find(|&k| on(k)).unwrap_or(0);
                if self.triangles[triangle].neighbors[edge] == NONE {
                    return false;
                }
                self.push_vertex(vertex);
                self.split_edge(triangle, edge, p);
            }
            _ => return false,
        }
        self.legalize();
        true
    }

    fn push_vertex(&mut self, vertex: [f32; 3]) {
        self.vertices[self.vertex_count] = vertex;
        self.vertex_count += 1;
    }

    /// `a b c` keeps its number as `a b p`; `b c p` and `c a p` are new.
    fn split_triangle(&mut self, triangle: usize, p: u16) {
        let Triangle { vertices: [a, b, c], neighbors: [ab, bc, ca] } = self.triangles[triangle];
        let first = self.push(Triangle { vertices: [b, c, p], neighbors: [bc, NONE, triangle as u16] });
        let second = self.push(Triangle { vertices: [c, a, p], neighbors: [ca, triangle as u16, first] });
        self.triangles[usize::from(first)].neighbors[1] = second;
        self.set(triangle, [a, b, p], [ab, first, second]);
        self.renew(bc, triangle, first.into());
        self.renew(ca, triangle, second.into());
        for triangle in [triangle, first.into(), second.into()] {
            self.push_edge(triangle, 0);
        }
    }

    /// `a b c` with `p` on its edge from `a` to `b` keeps its number as `c a p`, and `b a d` across as `d b p`; `b c p` and
    /// `a d p` are new.
    fn split_edge(&mut self, triangle: usize, edge: usize, p: u16) {
        let Some([a, b, c, d]) = self.quad(triangle, edge) else { return };
        let this = self.triangles[triangle];
        let across = usize::from(this.neighbors[edge]);
        let other = self.triangles[across];
        let back = other.edge_to(triangle);
        let [bc, ca] = [1, 2].map(|k| this.neighbors[(edge + k) % 3]);
        let [ad, db] = [1, 2].map(|k| other.neighbors[(back + k) % 3]);
        let first = self.push(Triangle { vertices: [b, c, p], neighbors: [bc, triangle as u16, across as u16] });
        let second = self.push(Triangle { vertices: [a, d, p], neighbors: [ad, across as u16, triangle as u16] });
        self.set(triangle, [c, a, p], [ca, second, first]);
        self.set(across, [d, b, p], [db, first, second]);
        self.renew(bc, triangle, first.into());
        self.renew(ad, across, second.into());
        for triangle in [triangle, first.into(), across, second.into()] {
            self.push_edge(triangle, 0);
        }
    }

    /// The height of a triangle's plane at a place; its first vertex's where the triangle is flat seen from above.
    pub fn height_at(&self, triangle: usize, [x, z]: [f64; 2]) -> f64 {
        let [a, b, c] = self.triangles[triangle].vertices.map(|v| self.vertices[usize::from(v)].map(f64::from));
        let (b, c) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        let (x, z) = (x - a[0], z - a[2]);
        let area = b[0] * c[2] - b[2] * c[0];
        if area == 0.0 {
            return a[1];
        }
        let along_b = (x * c[2] - z * c[0]) / area;
        let along_c = (b[0] * z - b[2] * x) / area;
        a[1] + along_b * b[1] + along_c * c[1]
    }
}

/// Triangle edges to look at, the last pushed first.
///
/// An edge that is pushed again moves to the top: below it, by the time it would come up again, there would be nothing left
/// to do, because whatever changes its surroundings pushes it anew. So there is room for each once.
struct EdgeStack<'t> {
    /// For each edge the ones below and above it on the stack, [`NONE`] at the ends; both [`ABSENT`] when it is not on it.
    links: &'t mut [[u16; 2]],
    top: u16,
}

/// A link of an edge that is not on the stack.
const ABSENT: u16 = u16::MAX - 1;

impl<'t> EdgeStack<'t> {
    fn new(links: &'t mut [[u16; 2]]) -> Self {
        links.fill([ABSENT; 2]);
        EdgeStack { links, top: NONE }
    }

    fn push(&mut self, edge: usize) {
        self.remove(edge);
        self.links[edge] = [self.top, NONE];
        if let Some(under) = self.links.get_mut(usize::from(self.top)) {
            under[1] = edge as u16;
        }
        self.top = edge as u16;
    }

    fn pop(&mut self) -> Option<usize> {
        let edge = usize::from(self.top);
        (self.top != NONE).then(|| self.remove(edge))?;
        Some(edge)
    }

    fn remove(&mut self, edge: usize) {
        let [below, above] = self.links[edge];
        if below == ABSENT {
            return;
        }
        self.links[edge] = [ABSENT; 2];
        if let Some(under) = self.links.get_mut(usize::from(below)) {
            under[1] = above;
        }
        match self.links.get_mut(usize::from(above)) {
            Some(over) => over[0] = below,
            None => self.top = below,
        }
    }
}
