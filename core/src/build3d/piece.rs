//! Convex pieces of a triangle, and how planes of the grid cut them (`build3d-spans.md`, section 2, "Cells touched").

use super::frame::Frame;

/// Most corners of a piece.
///
/// A triangle cut by the grid's four sides, one row's two and one cell's two is the meeting of a triangle with a
/// rectangle, so it has at most seven; each cut of a convex piece adds at most one corner to what it had. Only rounding
/// can make a piece that is not quite convex and so grows further, and past this bound it is refused.
pub const MAX_PIECE_CORNERS: usize = 12;

/// A corner in cell units: u along x, v in rows, w along z, and a lane that fills the vector.
pub(super) type Corner = [f32; 4];
pub(super) const U: usize = 0;
pub(super) const V: usize = 1;
pub(super) const W: usize = 2;

/// Places of a piece's buffer: a piece within the bound, cut once, gets at most a corner of its own and a cut for each
/// corner it has, which fits. A power of two, so that masking an index replaces checking it.
const PLACES: usize = 32;
const _: () = assert!(2 * MAX_PIECE_CORNERS <= PLACES);

/// A convex piece of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) corners: [Corner; PLACES],
    pub(super) len: usize,
}

impl Piece {
    pub(super) const EMPTY: Piece = Piece { corners: [[0.0; 4]; PLACES], len: 0 };

    #[inline]
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.len.min(MAX_PIECE_CORNERS)]
    }

    /// Writes a corner behind the last and keeps it if it is `kept`: what is not is overwritten by the next.
    #[inline]
    pub(super) fn push_if(&mut self, corner: Corner, kept: bool) {
        self.corners[self.len & (PLACES - 1)] = corner;
        self.len += usize::from(kept);
    }

    /// Least and largest value along an axis.
    #[inline]
    pub(super) fn bounds<const AXIS: usize>(&self) -> (f32, f32) {
        let first = self.corners[0][AXIS];
        let (mut low, mut high) = (first, first);
        for corner in self.corners().iter().skip(1) {
            let value = corner[AXIS];
            low = if value < low { value } else { low };
            high = if value > high { value } else { high };
        }
        (low, high)
    }

    /// Twice the footprint's area by the fan at the first corner, in float32.
    #[inline]
    pub(super) fn fan_area(&self) -> f32 {
        let Some((origin, rest)) = self.corners().split_first() else { return 0.0 };
        let from_origin = |corner: &Corner| (corner[U] - origin[U], corner[W] - origin[W]);
        let Some((first, rest)) = rest.split_first() else { return 0.0 };
        let mut sum = 0.0;
        let mut p = from_origin(first);
        for corner in rest {
            let q = from_origin(corner);
            sum += p.0 * q.1 - p.1 * q.0;
            p = q;
        }
        sum
    }
}

/// Cuts a piece at `axis = at` into the part at or below and the part at or above; corners on the plane belong to both.
/// Each part begins with the piece's first corner that it holds, and a cut edge is walked in the piece's direction.
#[inline]
pub(super) fn split<const AXIS: usize>(piece: &Piece, at: f32, low: &mut Piece, high: &mut Piece) {
    (low.len, high.len) = (0, 0);
    let corners = piece.corners();
    let Some(first) = corners.first() else { return };
    let (mut p, mut dp) = (first, first[AXIS] - at);
    for nth in 1..=corners.len() {
        let q = corners.get(nth).unwrap_or(first);
        let dq = q[AXIS] - at;
        low.push_if(*p, dp <= 0.0);
        high.push_if(*p, dp >= 0.0);
        if (dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0) {
            let t = dp / (dp - dq);
            let mut cut: Corner = core::array::from_fn(|lane| p[lane] + (q[lane] - p[lane]) * t);
            cut[AXIS] = at;
            low.push_if(cut, true);
            high.push_if(cut, true);
        }
        (p, dp) = (q, dq);
    }
}

/// Clips a triangle to the grid's rectangle: u from below and above, then w. False where nothing is left.
pub(super) fn clip_to_grid(piece: &mut Piece, beyond: &mut Piece, frame: &Frame) -> bool {
    let (width, depth) = (frame.width as f32, frame.depth as f32);
    clip::<U>(piece, beyond, width) && clip::<W>(piece, beyond, depth)
}

/// Clips to `0..=limit` along one axis; a side that nothing passes is not cut, which changes no corner.
fn clip<const AXIS: usize>(piece: &mut Piece, beyond: &mut Piece, limit: f32) -> bool {
    let (low, high) = piece.bounds::<AXIS>();
    if high < 0.0 || low > limit {
        return false;
    }
    let mut kept = Piece::EMPTY;
    if low < 0.0 {
        split::<AXIS>(piece, 0.0, beyond, &mut kept);
        *piece = kept;
    }
    if high > limit {
        split::<AXIS>(piece, limit, &mut kept, beyond);
        *piece = kept;
    }
    piece.len > 0
}
