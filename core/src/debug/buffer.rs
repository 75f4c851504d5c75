//! The debug buffer: vertices, triangles and lines over slices of the caller's.

use crate::error::{Error, Result, Subject};
use crate::memory::{Pod, Zeroable};

/// What a vertex belongs to. A renderer picks colors by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum DebugKind {
    /// A polygon's surface; the value is its area.
    #[default]
    Polygon = 0,
    /// An edge between two polygons of a tile; the value is the area of the first.
    InnerEdge = 1,
    /// An edge with nothing walkable behind it; the value is the polygon's area, or a listed wall's distance.
    Wall = 2,
    /// An edge on a tile's side; the value is the side (0 = +X, 1 = +Z, 2 = -X, 3 = -Z), or a listed wall's distance.
    TileSide = 3,
    /// The square on the ground that a tile covers; the value is its layer.
    TileBounds = 4,
    /// An off-mesh link crossed one way; the value is a staged link's kind, or the area of a tile's own.
    Link = 5,
    /// An off-mesh link crossed both ways; the value as for one way.
    LinkBothWays = 6,
    /// A path or a move; the value is a point's number, 0 the start.
    Path = 7,
    /// A polygon of a corridor; the value is its place in it.
    Corridor = 8,
    /// A flow field.
    Flow = 9,
    /// An agent.
    Agent = 10,
    /// A neighbour of an agent.
    Neighbor = 11,
    /// An obstacle.
    Obstacle = 12,
    /// A block of a flight volume.
    FlightBlock = 13,
    /// A polygon that a path search expanded; the value is its place in the order of expansion.
    Expanded = 14,
    /// A polygon that an area search found; the value is the distance in the plane at which it was reached.
    Reached = 15,
    /// A ray; the value is how far along it the vertex lies, 0 to 1. A hit's normal has the hit's value.
    Ray = 16,
}

impl DebugKind {
    /// All kinds by number.
    pub const ALL: [DebugKind; 17] = [
        DebugKind::Polygon,
        DebugKind::InnerEdge,
        DebugKind::Wall,
        DebugKind::TileSide,
        DebugKind::TileBounds,
        DebugKind::Link,
        DebugKind::LinkBothWays,
        DebugKind::Path,
        DebugKind::Corridor,
        DebugKind::Flow,
        DebugKind::Agent,
        DebugKind::Neighbor,
        DebugKind::Obstacle,
        DebugKind::FlightBlock,
        DebugKind::Expanded,
        DebugKind::Reached,
        DebugKind::Ray,
    ];
}

/// One vertex: 20 bytes, as a vertex buffer takes them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugVertex {
    /// Where it is, relative to the buffer's origin.
    pub position: [f32; 3],
    /// What it belongs to: a [`DebugKind`]'s number.
    pub kind: u32,
    /// What the kind says it is. Whole numbers up to 2^24 are exact.
    pub value: f32,
}

impl DebugVertex {
    /// What it belongs to; none for a number that is no kind's, which no buffer of this library holds.
    pub fn kind(&self) -> Option<DebugKind> {
        DebugKind::ALL.get(self.kind as usize).copied()
    }
}

/// How many elements of each sort there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugNeeds {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Lines.
    pub lines: usize,
}

/// Vertices, triangles and lines, appended to slices of the caller's.
///
/// Each slice holds the first elements of its sort. A triangle or line is only written when its vertices are, so that
/// whatever is in the buffer can be drawn; [`needed`](DebugBuffer::needed) counts all.
#[derive(Debug)]
pub struct DebugBuffer<'a> {
    origin: [f64; 3],
    vertices: &'a mut [DebugVertex],
    triangles: &'a mut [[u32; 3]],
    lines: &'a mut [[u32; 2]],
    needed: DebugNeeds,
    written: DebugNeeds,
}

impl<'a> DebugBuffer<'a> {
    /// An empty buffer over slices, any of which may be empty.
    ///
    /// Positions are kept relative to the origin in single precision: choose one near what is looked at.
    ///
    /// # Errors
    /// An origin that is not finite, by its axis.
    pub fn over(
        origin: [f64; 3],
        vertices: &'a mut [DebugVertex],
        triangles: &'a mut [[u32; 3]],
        lines: &'a mut [[u32; 2]],
    ) -> Result<Self> {
        for (axis, value) in origin.into_iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::invalid(Subject::Origin).at(axis).value(value));
            }
        }
        let none = DebugNeeds::default();
        Ok(DebugBuffer { origin, vertices, triangles, lines, needed: none, written: none })
    }

    /// What everything appended takes, whether there was room or not.
    pub const fn needed(&self) -> DebugNeeds {
        self.needed
    }

    /// Whether something was left out.
    pub fn is_full(&self) -> bool {
        self.needed != self.written
    }

    /// The vertices written.
    pub fn vertices(&self) -> &[DebugVertex] {
        &self.vertices[..self.written.vertices]
    }

    /// The triangles written, by their vertices' numbers.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles[..self.written.triangles]
    }

    /// The lines written, by their vertices' numbers.
    pub fn lines(&self) -> &[[u32; 2]] {
        &self.lines[..self.written.lines]
    }

    /// Forgets everything appended.
    pub fn clear(&mut self) {
        (self.needed, self.written) = (DebugNeeds::default(), DebugNeeds::default());
    }

    /// Appends a vertex and returns its number.
    pub fn vertex(&mut self, kind: DebugKind, value: f32, position: [f64; 3]) -> usize {
        let number = self.needed.vertices;
        if let Some(place) = self.vertices.get_mut(number) {
            let position = core::array::from_fn(|axis| (position[axis] - self.origin[axis]) as f32);
            *place = DebugVertex { position, kind: kind as u32, value };
            self.written.vertices = number + 1;
        }
        self.needed.vertices = number + 1;
        number
    }

    /// Appends a triangle of vertices appended before.
    pub fn triangle(&mut self, corners: [usize; 3]) {
        let is_whole = self.written.triangles == self.needed.triangles;
        if let Some(place) = self.triangles.get_mut(self.written.triangles).filter(|_| is_whole)
            && let Some(corners) = numbers(corners, self.written.vertices)
        {
            *place = corners;
            self.written.triangles += 1;
        }
        self.needed.triangles += 1;
    }

    /// Appends a line between two vertices appended before.
    pub fn line(&mut self, ends: [usize; 2]) {
        let is_whole = self.written.lines == self.needed.lines;
        if let Some(place) = self.lines.get_mut(self.written.lines).filter(|_| is_whole)
            && let Some(ends) = numbers(ends, self.written.vertices)
        {
            *place = ends;
            self.written.lines += 1;
        }
        self.needed.lines += 1;
    }

    /// Appends a line with two vertices of its own.
    pub fn segment(&mut self, kind: DebugKind, value: f32, ends: [[f64; 3]; 2]) {
        self.polyline(kind, value, ends);
    }

    /// Appends lines from point to point.
    pub fn polyline(&mut self, kind: DebugKind, value: f32, points: impl IntoIterator<Item = [f64; 3]>) {
        let mut before = None;
        for point in points {
            let vertex = self.vertex(kind, value, point);
            if let Some(before) = before.replace(vertex) {
                self.line([before, vertex]);
            }
        }
    }

    /// Appends lines from point to point and back to the first.
    pub fn outline(&mut self, kind: DebugKind, value: f32, points: impl IntoIterator<Item = [f64; 3]>) {
        let first = self.needed.vertices;
        self.polyline(kind, value, points);
        if self.needed.vertices > first + 1 {
            self.line([self.needed.vertices - 1, first]);
        }
    }
}

/// The numbers of vertices that are written, as the buffer keeps them.
fn numbers<const N: usize>(vertices: [usize; N], written: usize) -> Option<[u32; N]> {
    let is_there = vertices.iter().all(|&vertex| vertex < written && u32::try_from(vertex).is_ok());
    is_there.then(|| vertices.map(|vertex| vertex as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// A few shapes, by number.
    fn draw(shapes: &[u8], buffer: &mut DebugBuffer<'_>) {
        for (n, shape) in shapes.iter().enumerate() {
            let at = |k: usize| [n as f64, k as f64, f64::from(*shape)];
            match shape % 4 {
                0 => buffer.outline(DebugKind::Corridor, n as f32, (0..4).map(at)),
                1 => buffer.polyline(DebugKind::Path, n as f32, (0..3).map(at)),
                2 => buffer.segment(DebugKind::Ray, n as f32, [at(0), at(1)]),
                _ => {
                    let corners: [usize; 3] = core::array::from_fn(|k| buffer.vertex(DebugKind::Polygon, 1.0, at(k)));
                    buffer.triangle(corners);
                    buffer.line([corners[0], corners[2]]);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_smaller_buffer_has_the_first_of_each_and_the_counts_of_the_whole(
            shapes in prop::collection::vec(any::<u8>(), 0..12),
            room in (0usize..40, 0usize..10, 0usize..40),
        ) {
            let mark = DebugVertex { kind: 99, ..DebugVertex::default() };
            let (mut v, mut t, mut l) = (std::vec![mark; 64], std::vec![[77; 3]; 64], std::vec![[77; 2]; 64]);
            let mut whole = DebugBuffer::over([0.5, 0.0, 0.0], &mut v, &mut t, &mut l).unwrap();
            draw(&shapes, &mut whole);
            prop_assert!(!whole.is_full());
            prop_assert_eq!(whole.needed().vertices, whole.vertices().len());
            let (mut v, mut t, mut l) = (std::vec![mark; 64], std::vec![[77; 3]; 64], std::vec![[77; 2]; 64]);
            let mut part =
                DebugBuffer::over([0.5, 0.0, 0.0], &mut v[..room.0], &mut t[..room.1], &mut l[..room.2]).unwrap();
            draw(&shapes, &mut part);
            prop_assert_eq!(part.needed(), whole.needed());
            prop_assert_eq!(part.vertices(), &whole.vertices()[..whole.vertices().len().min(room.0)]);
            prop_assert!(whole.triangles().starts_with(part.triangles()) && whole.lines().starts_with(part.lines()));
            // As many as there is room for, up to the first whose vertices there is none for.
            let fits = |numbers: &[u32]| numbers.iter().all(|&n| (n as usize) < room.0);
            let lines = whole.lines().iter().take_while(|line| fits(&line[..])).count().min(room.2);
            let triangles = whole.triangles().iter().take_while(|one| fits(&one[..])).count().min(room.1);
            prop_assert_eq!((part.lines().len(), part.triangles().len()), (lines, triangles));
            let is_whole = part.vertices().len() == whole.vertices().len()
                && lines == whole.lines().len() && triangles == whole.triangles().len();
            prop_assert_eq!(part.is_full(), !is_whole);
            part.clear();
            prop_assert_eq!(part.needed(), DebugNeeds::default());
            prop_assert!(v[room.0..].iter().all(|vertex| *vertex == mark));
            prop_assert!(t[room.1..].iter().all(|one| *one == [77; 3]) && l[room.2..].iter().all(|one| *one == [77; 2]));
        }
    }

    #[test]
    fn kinds_keep_their_numbers() {
        for (number, kind) in DebugKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert_eq!(DebugVertex { kind: number as u32, ..DebugVertex::default() }.kind(), Some(kind));
        }
        assert_eq!(DebugVertex { kind: 17, ..DebugVertex::default() }.kind(), None);
    }

    #[test]
    fn an_origin_is_finite() {
        for bad in [f64::NAN, f64::INFINITY] {
            let error = DebugBuffer::over([0.0, bad, 0.0], &mut [], &mut [], &mut []).unwrap_err();
            assert_eq!((error.kind(), error.subject(), error.index()), (ErrorKind::Invalid, Subject::Origin, Some(1)));
        }
        let mut vertices = [DebugVertex::default(); 2];
        let mut far = DebugBuffer::over([2e6, 0.0, -2e6], &mut vertices, &mut [], &mut []).unwrap();
        let ends: Vec<_> = [[2e6 + 0.125, 0.0, -2e6]; 1].to_vec();
        far.polyline(DebugKind::Path, 0.0, ends);
        assert_eq!(far.vertices()[0].position, [0.125, 0.0, 0.0]);
    }
}
