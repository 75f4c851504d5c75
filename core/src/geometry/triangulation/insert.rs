//! Points into the net: find the triangle, split it, flip until every circle is empty (Lawson 1977).

use super::net::{NO_TRIANGLE, Net, Side};
use crate::error::{Error, Result, Subject};
use crate::geometry::predicates::Turn;
use crate::memory::List;

impl Net<'_> {
    /// The one triangle that encloses all points, with the last three vertices as its corners.
    pub(super) fn enclose(&mut self) {
        let first = self.points.len() as u32 - 3;
        let outside = (NO_TRIANGLE, 0);
        self.len = 1;
        self.put(0, [first, first + 1, first + 2], [outside; 3]);
    }

    /// Inserts a point, beginning to look for it at a triangle, and returns a triangle that has it.
    pub(super) fn insert(&mut self, point: u32, from: u32, pending: &mut List<'_, u32>) -> Result<u32> {
        let triangle = self.locate(point, from).ok_or(Error::invalid(Subject::Point).at(point as usize))?;
        let corners = self.get(triangle).vertices;
        let on_edge = (0..3).find(|&i| self.turn(corners[i], corners[(i + 1) % 3], point) == Turn::Straight);
        pending.clear();
        match on_edge.map(|edge| Side { triangle, edge }) {
            Some(side) => self.split_edge(side, point, pending)?,
            None => self.split_triangle(triangle, point, pending)?,
        }
        while let Some(triangle) = pending.pop() {
            let side = Side { triangle, edge: 0 };
            let Some(other) = self.across(side) else { continue };
            // Strictly inside: of points on one circle, the first inserted keep their edges.
            if self.is_inside(triangle, self.apex(other)) {
                self.flip(side, other);
                pending.push(triangle, Subject::Triangles)?;
                pending.push(other.triangle, Subject::Triangles)?;
            }
        }
        Ok(self.around[point as usize])
    }

    /// Walks towards a point, over the first edge that it lies right of. In a Delaunay net such a walk never comes back,
    /// so it ends within as many steps as there are triangles.
    fn locate(&self, point: u32, from: u32) -> Option<u32> {
        let mut triangle = from;
        for _ in 0..=self.len {
            let corners = self.get(triangle).vertices;
            let beyond = (0..3).find(|&i| self.turn(corners[i], corners[(i + 1) % 3], point).is_right());
            let Some(edge) = beyond else { return Some(triangle) };
            triangle = self.get(triangle).neighbors[edge];
            if triangle == NO_TRIANGLE {
                return None;
            }
        }
        None
    }

    fn split_triangle(&mut self, t: u32, p: u32, pending: &mut List<'_, u32>) -> Result<()> {
        let [a, b, c] = self.get(t).vertices;
        let [ab, bc, ca] = [0, 1, 2].map(|edge| self.beyond(t, edge));
        let [u, v] = self.grow()?;
        self.put(t, [a, b, p], [ab, (u, 0), (v, 0)]);
        self.put(u, [b, c, p], [bc, (v, 0), (t, 0)]);
        self.put(v, [c, a, p], [ca, (t, 0), (u, 0)]);
        self.reattach(bc, t, u);
        self.reattach(ca, t, v);
        [t, u, v].iter().try_for_each(|&triangle| pending.push(triangle, Subject::Triangles))
    }

    fn split_edge(&mut self, side: Side, p: u32, pending: &mut List<'_, u32>) -> Result<()> {
        let other = self.across(side).ok_or(Error::invalid(Subject::Point).at(p as usize))?;
        let (t, n) = (side.triangle, other.triangle);
        let [a, b, c] = [0, 1, 2].map(|i| self.get(t).vertices[(side.edge + i) % 3]);
        let d = self.apex(other);
        let (bc, ca) = (self.beyond(t, (side.edge + 1) % 3), self.beyond(t, (side.edge + 2) % 3));
        let (ad, db) = (self.beyond(n, (other.edge + 1) % 3), self.beyond(n, (other.edge + 2) % 3));
        let [u, v] = self.grow()?;
        self.put(t, [c, a, p], [ca, (n, 0), (u, 0)]);
        self.put(n, [a, d, p], [ad, (v, 0), (t, 0)]);
        self.put(v, [d, b, p], [db, (u, 0), (n, 0)]);
        self.put(u, [b, c, p], [bc, (t, 0), (v, 0)]);
        self.reattach(bc, t, u);
        self.reattach(db, n, v);
        [t, n, u, v].iter().try_for_each(|&triangle| pending.push(triangle, Subject::Triangles))
    }

    /// Two more triangles: what every point adds.
    fn grow(&mut self) -> Result<[u32; 2]> {
        let first = self.len;
        if first + 2 > self.triangles.len() {
            return Err(Error::capacity(Subject::Triangles, self.triangles.len()));
        }
        self.len += 2;
        Ok([first as u32, first as u32 + 1])
    }
}
