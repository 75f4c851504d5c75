//! Ear clipping of one ring (O'Rourke, *Computational Geometry in C*, chapter 1), shortest diagonal first.

use super::contest::{Contest, OUT};
use crate::build3d::contours::ContourVertex;
use crate::build3d::contours::ring::{Corner, cross, distance2, in_cone, touch};
use crate::error::Result;
use crate::memory::Arena;

const NONE: u32 = u32::MAX;

/// Scratch for rings of up to a number of vertices.
pub(super) struct EarScratch<'t> {
    before: &'t mut [u32],
    after: &'t mut [u32],
    /// For each vertex the first one whose ear is blocked by the edge that starts here.
    blocked: &'t mut [u32],
    /// For each blocked vertex the next one blocked by the same edge.
    also: &'t mut [u32],
    /// For each blocked vertex the edge it waits for.
    waits_for: &'t mut [u32],
    /// What each vertex is now.
    states: &'t mut [u8],
    keys: &'t mut [u64],
    winners: &'t mut [u32],
}

impl<'t> EarScratch<'t> {
    pub fn new(most: usize, desk: &mut Arena<'t>) -> Result<Self> {
        Ok(EarScratch {
            before: desk.take_back(most)?,
            after: desk.take_back(most)?,
            blocked: desk.take_back(most)?,
            also: desk.take_back(most)?,
            waits_for: desk.take_back(most)?,
            states: desk.take_back(most)?,
            keys: desk.take_back(most)?,
            winners: desk.take_back(Contest::winners_for(most))?,
        })
    }
}

/// What a vertex is.
mod state {
    /// A turn to the right, a cone that hides the diagonal, or a vertex that was clipped.
    pub const NO_EAR: u8 = 0;
    /// A left turn with a diagonal.
    pub const EAR: u8 = 1;
    /// No turn, but a diagonal, when it was last looked at.
    pub const FLAT: u8 = 2;
    /// No right turn and within the cones, but an edge is in the way.
    pub const BLOCKED: u8 = 3;
}

/// Cuts a ring into triangles of ring indices, handing each to `emit`, and returns how many vertices were clipped that
/// were no ears.
///
/// Among all ears the one with the shortest diagonal goes first, ties to the lowest ring index. A blocked ear remembers the
/// edge in its way and is looked at again only when that edge is gone or a cone at its diagonal's end has changed: no other
/// change can free it.
pub(super) fn clip(
    ring: &[ContourVertex],
    scratch: &mut EarScratch<'_>,
    mut emit: impl FnMut([usize; 3]) -> Result<()>,
) -> Result<u32> {
    let count = ring.len();
    if count < 3 {
        return Ok(0);
    }
    let mut clipper = Clipper::new(ring, scratch);
    for vertex in 0..count {
        clipper.judge(vertex);
    }
    let mut degenerate = 0;
    for _ in 3..count {
        let ear = match clipper.ears.winner() {
            Some(ear) => ear,
            None => {
                degenerate += 1;
                clipper.flat_or_head()
            }
        };
        emit([clipper.before(ear), ear, clipper.after(ear)])?;
        clipper.remove(ear);
    }
    let head = clipper.head;
    emit([clipper.before(head), head, clipper.after(head)])?;
    Ok(degenerate)
}

struct Clipper<'t> {
    ring: &'t [ContourVertex],
    before: &'t mut [u32],
    after: &'t mut [u32],
    blocked: &'t mut [u32],
    also: &'t mut [u32],
    waits_for: &'t mut [u32],
    states: &'t mut [u8],
    ears: Contest<'t>,
    /// Starts at the first vertex, and moves on to the next one when its own is clipped.
    head: usize,
    flats: usize,
}

impl<'t> Clipper<'t> {
    fn new(ring: &'t [ContourVertex], scratch: &'t mut EarScratch<'_>) -> Self {
        let count = ring.len();
        for index in 0..count {
            scratch.before[index] = if index == 0 { count - 1 } else { index - 1 } as u32;
            scratch.after[index] = if index + 1 == count { 0 } else { index + 1 } as u32;
        }
        scratch.blocked[..count].fill(NONE);
        scratch.states[..count].fill(state::NO_EAR);
        Clipper {
            ring,
            before: &mut scratch.before[..count],
            after: &mut scratch.after[..count],
            blocked: &mut scratch.blocked[..count],
            also: &mut scratch.also[..count],
            waits_for: &mut scratch.waits_for[..count],
            states: &mut scratch.states[..count],
            ears: Contest::new(count, scratch.keys, scratch.winners),
            head: 0,
            flats: 0,
        }
    }

    fn before(&self, vertex: usize) -> usize {
        self.before[vertex] as usize
    }

    fn after(&self, vertex: usize) -> usize {
        self.after[vertex] as usize
    }

    fn corner(&self, vertex: usize) -> Corner {
        self.ring[vertex].corner()
    }

    /// Finds out what a vertex is now.
    fn judge(&mut self, vertex: usize) {
        let (p, q) = (self.before(vertex), self.after(vertex));
        let (p_corner, q_corner) = (self.corner(p), self.corner(q));
        let turn = cross(p_corner, self.corner(vertex), q_corner);
        let mut now = state::NO_EAR;
        if turn >= 0 && self.in_both_cones(p, vertex, q) {
            match self.edge_in_the_way(p, q) {
                Some(edge) => {
                    now = state::BLOCKED;
                    self.block(vertex, edge);
                }
                None => now = if turn > 0 { state::EAR } else { state::FLAT },
            }
        }
        self.set_state(vertex, now);
        let key = if now == state::EAR { distance2(p_corner, q_corner) as u64 } else { OUT };
        self.ears.set(vertex, key);
    }

    fn set_state(&mut self, vertex: usize, now: u8) {
        self.flats -= usize::from(self.states[vertex] == state::FLAT);
        self.flats += usize::from(now == state::FLAT);
        self.states[vertex] = now;
    }

    /// Whether the diagonal from `p` to `q` past `vertex` leaves both ends through the inside. The ring's neighbours decide
    /// the cones, so a bridge, which passes a place twice, is looked at from the right side.
    fn in_both_cones(&self, p: usize, vertex: usize, q: usize) -> bool {
        let (p_corner, corner, q_corner) = (self.corner(p), self.corner(vertex), self.corner(q));
        in_cone(self.corner(self.before(p)), p_corner, corner, q_corner)
            && in_cone(corner, q_corner, self.corner(self.after(q)), p_corner)
    }

    /// The first ring edge from `q` on that touches the diagonal `p q` and has no end at the place of either.
    fn edge_in_the_way(&self, p: usize, q: usize) -> Option<usize> {
        let (p_corner, q_corner) = (self.corner(p), self.corner(q));
        let low = [p_corner[0].min(q_corner[0]), p_corner[1].min(q_corner[1])];
        let high = [p_corner[0].max(q_corner[0]), p_corner[1].max(q_corner[1])];
        let mut from = q;
        let mut a = q_corner;
        while from != p {
            let to = self.after(from);
            let b = self.corner(to);
            let apart = a[0].max(b[0]) < low[0]
                || a[0].min(b[0]) > high[0]
                || a[1].max(b[1]) < low[1]
                || a[1].min(b[1]) > high[1];
            if !apart {
                let exempt = a == p_corner || a == q_corner || b == p_corner || b == q_corner;
                if !exempt && touch(p_corner, q_corner, a, b) {
                    return Some(from);
                }
            }
            from = to;
            a = b;
        }
        None
    }

    /// Notes that a vertex waits for an edge to go.
    fn block(&mut self, vertex: usize, edge: usize) {
        self.waits_for[vertex] = edge as u32;
        self.also[vertex] = self.blocked[edge];
        self.blocked[edge] = vertex as u32;
    }

    /// Takes a blocked vertex off the list of those that wait for its edge.
    fn unblock(&mut self, vertex: usize) {
        let edge = self.waits_for[vertex] as usize;
        let next = self.also[vertex];
        let mut at = self.blocked[edge];
        if at == vertex as u32 {
            self.blocked[edge] = next;
            return;
        }
        while at != NONE {
            let link = &mut self.also[at as usize];
            if *link == vertex as u32 {
                *link = next;
                return;
            }
            at = *link;
        }
    }

    /// Looks again at the vertices that waited for an edge.
    fn free(&mut self, edge: usize) {
        let mut waiting = core::mem::replace(&mut self.blocked[edge], NONE);
        while waiting != NONE {
            let vertex = waiting as usize;
            waiting = self.also[vertex];
            self.judge(vertex);
        }
    }

    /// Clips a vertex and looks again at what that may have changed.
    fn remove(&mut self, vertex: usize) {
        let (p, q) = (self.before(vertex), self.after(vertex));
        if self.states[vertex] == state::BLOCKED {
            self.unblock(vertex);
        }
        self.after[p] = q as u32;
        self.before[q] = p as u32;
        self.set_state(vertex, state::NO_EAR);
        self.ears.set(vertex, OUT);
        if self.head == vertex {
            self.head = q;
        }
        self.free(p);
        self.free(vertex);
        self.rejudge(p);
        self.rejudge(q);
        // The cones at `p` and `q` also bound the diagonals of the vertices beyond them. An ear stays one.
        for beyond in [self.before(p), self.after(q)] {
            if !self.ears.is_in(beyond) {
                self.rejudge(beyond);
            }
        }
    }

    /// Judges a vertex that may be waiting for an edge.
    fn rejudge(&mut self, vertex: usize) {
        if self.states[vertex] == state::BLOCKED {
            self.unblock(vertex);
        }
        self.judge(vertex);
    }

    /// The first vertex from the head on that turns nowhere but has a diagonal, else the head.
    fn flat_or_head(&mut self) -> usize {
        let mut vertex = self.head;
        loop {
            if self.flats == 0 {
                return self.head;
            }
            if self.states[vertex] == state::FLAT {
                self.judge(vertex);
                if self.states[vertex] == state::FLAT {
                    return vertex;
                }
            }
            vertex = self.after(vertex);
            if vertex == self.head {
                return self.head;
            }
        }
    }
}
