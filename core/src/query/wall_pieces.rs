//! The stretches of a polygon's edges with nothing walkable behind them (`navmesh-queries.md`, "Distance to wall").

use super::area_search::{is_entered, leads_on, portal_links};
use super::filter::PolygonFilter;
use super::plane::Vec3;
use super::surface::fraction_along;
use crate::mesh::NavMesh;
use crate::mesh::ground::Ground;
use crate::mesh::view::{NO_NEIGHBOR, NO_SIDE, Polygon};

/// A stretch of an edge with nothing walkable behind it.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// Which edge.
    pub number: u32,
    /// The ends of the edge.
    pub a: Vec3,
    pub b: Vec3,
    /// Where along the edge it begins and ends.
    pub part: [f64; 2],
    /// The tile side that the edge lies on, or [`NO_SIDE`].
    pub side: u8,
}

impl Piece {
    /// Whether it is a tile side with no tile loaded behind it.
    pub fn is_not_loaded(&self, ground: &Ground<'_>) -> bool {
        self.side != NO_SIDE && ground.open_sides >> (self.side & 31) & 1 == 1
    }

    /// Where along the edge the piece's point nearest to a position lies.
    #[inline]
    pub fn nearest_to(&self, position: Vec3) -> f64 {
        let [low, high] = self.part;
        let at = fraction_along(self.a, self.b, position);
        if at < low {
            low
        } else if at > high {
            high
        } else {
            at
        }
    }
}

/// Calls `visit` with a polygon's wall pieces, edge by edge and along each.
pub(super) fn each_piece<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    ground: &Ground<'_>,
    polygon: &Polygon,
    filter: &F,
    mut visit: impl FnMut(Piece),
) {
    for (at, edge) in ground.edges_of(polygon).iter().enumerate() {
        if edge.neighbor != NO_NEIGHBOR && leads_on(ground, edge, filter) {
            continue;
        }
        let Some((a, b)) = ground.edge_ends(polygon, at) else { continue };
        let whole = Piece { number: at as u32, a, b, part: [0.0, 1.0], side: NO_SIDE };
        if edge.neighbor != NO_NEIGHBOR || edge.side == NO_SIDE {
            visit(whole);
        } else {
            each_gap(mesh, ground, polygon, filter, Piece { side: edge.side, ..whole }, &mut visit);
        }
    }
}

/// Calls `visit` with the pieces of an edge on a tile side: what its links leave of the whole.
pub(super) fn each_gap<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    ground: &Ground<'_>,
    polygon: &Polygon,
    filter: &F,
    whole: Piece,
    mut visit: impl FnMut(Piece),
) {
    let mut covered = Covered::default();
    for link in portal_links(ground, polygon, whole.number as usize).filter(|link| is_entered(mesh, link, filter)) {
        if (link.range_min, link.range_max) == (0, 255) {
            return;
        }
        covered.add(link.range_min, link.range_max);
    }
    let mut from = 0;
    while let Some((low, high)) = covered.gap(from) {
        let part = [low, high].map(|part| f64::from(part) / 255.0);
        visit(Piece { part, ..whole });
        from = high;
    }
}

/// Which of an edge's 255 parts have something walkable behind them: bit `k` is the part from `k` to `k + 1`.
#[derive(Default)]
struct Covered([u64; 4]);

impl Covered {
    fn add(&mut self, low: u8, high: u8) {
        for (word, first) in self.0.iter_mut().zip([0, 64, 128, 192]) {
            // The parts of this word, from a bit to one past the last.
            let [from, to] = [low, high].map(|part| u32::from(part).saturating_sub(first).min(64));
            if from < to {
                *word |= (u64::MAX >> (64 - (to - from))) << from;
            }
        }
    }

    /// The first part at or after a part that is covered, or is not; 255 when there is none.
    fn next(&self, from: u8, is_covered: bool) -> u8 {
        let mut at = u32::from(from);
        while at < 255 {
            let word = self.0[at as usize / 64] ^ if is_covered { 0 } else { u64::MAX };
            let rest = word >> (at % 64);
            if rest != 0 {
                return (at + rest.trailing_zeros()).min(255) as u8;
            }
            at = (at / 64 + 1) * 64;
        }
        255
    }

    /// The first run of parts with nothing behind, at or after a part.
    fn gap(&self, from: u8) -> Option<(u8, u8)> {
        let low = self.next(from, false);
        if low == 255 { None } else { Some((low, self.next(low, true))) }
    }
}
