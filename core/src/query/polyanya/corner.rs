//! Where a way can turn: at a vertex with something in the way on the side it turns to.
//!
//! The polygons round a vertex are walked from the one the way is in, on the side of the turn, up to the first edge
//! that can't be crossed. That edge names the corner: two rooms that touch at a vertex alone have two corners there.

use super::cone::Point;
use crate::geometry::predicates::orient2d;
use crate::mesh::ground::Ground;
use crate::mesh::view::{Edge, NO_NEIGHBOR, NO_SIDE, Polygon};

/// More polygons than this round a vertex, and it is taken for a corner without looking further.
const MAX_AROUND: usize = 64;

/// To which side a way turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    Right = 0,
    Left = 1,
}

/// A turn looked at: where, to which side, coming from where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    /// The polygon the way is in.
    pub polygon: u32,
    /// The polygon of the tile it came from, where the walk has gone round without meeting anything.
    pub from: u32,
    /// Which of the polygon's corners it turns at.
    pub corner: usize,
    pub hand: Hand,
    /// Where the way comes from.
    pub before: Point,
}

/// The edge that blocks the side of a turn, counted in its tile; none where nothing does, and the way could as well
/// pass the vertex by.
pub(super) fn blocking_edge(ground: &Ground<'_>, accepts: impl Fn(&Polygon) -> bool, turning: Turning) -> Option<u32> {
    let Turning { corner, hand, before, .. } = turning;
    let start = ground.polygons.get(turning.polygon as usize)?;
    let (mut polygon, mut at) = (start, beside(start, corner, hand));
    let vertex = ground.edges_of(start).get(corner)?.vertex;
    for _ in 0..MAX_AROUND {
        let edges = ground.edges_of(polygon);
        let edge = edges.get(at)?;
        let number = polygon.first_edge + at as u32;
        let next = if edge.neighbor == NO_NEIGHBOR { None } else { ground.polygons.get(edge.neighbor as usize) };
        let Some(next) = next.filter(|next| accepts(next)) else {
            // Behind a tile side the walk is not gone on with: there may be something.
            if edge.neighbor == NO_NEIGHBOR && edge.side != NO_SIDE && polygon.link_count > 0 {
                return Some(number);
            }
            let far = match hand {
                Hand::Right => edges.get(at + 1).or(edges.first())?.vertex,
                Hand::Left => edge.vertex,
            };
            let turned = orient2d(before, ground.seen_from_above(vertex), ground.seen_from_above(far));
            let blocks = if hand == Hand::Right { turned.is_right() } else { turned.is_left() };
            return if blocks { Some(number) } else { None };
        };
        if edge.neighbor == turning.from || edge.neighbor == turning.polygon {
            return None;
        }
        let Some(corner) = corner_at(ground.edges_of(next), vertex) else { return Some(number) };
        at = beside(next, corner, hand);
        polygon = next;
    }
    Some(polygon.first_edge + at as u32)
}

/// The edge at a corner on one side: the one that begins there on the right, the one that ends there on the left.
#[inline]
fn beside(polygon: &Polygon, corner: usize, hand: Hand) -> usize {
    match (hand, corner) {
        (Hand::Right, _) => corner,
        (Hand::Left, 0) => (polygon.edge_count as usize).wrapping_sub(1),
        (Hand::Left, _) => corner - 1,
    }
}

fn corner_at(edges: &[Edge], vertex: u16) -> Option<usize> {
    edges.iter().position(|edge| edge.vertex == vertex)
}
