//! What a level may come as.

use alloc::vec::Vec;
use navarena::build3d::rasterize::Vertices;

/// Triangles in one of the forms that engines and files have them in. Y is up; a triangle is walked on from the side
/// its corners run around counter-clockwise.
///
/// - `[[[x, y, z]; 3]]`, `f32` or `f64`: triangles one after the other;
/// - `(vertices, triangles)` with `[[x, y, z]]`, `f32` or `f64`, and `[[u32; 3]]`;
/// - `(vertices, indices)` with flat `[f32]` or `[f64]` and flat `[u32]`, as engines hold them. What does not fill a
///   vertex or a triangle at the end is not read.
pub trait Geometry {
    /// Calls `work` with the vertices and the triangles.
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R;
}

/// Triangles that name every corner in turn.
fn in_turn(corners: usize) -> Vec<[u32; 3]> {
    // More corners than an index counts are left out; so large a soup is refused for its count of triangles anyway.
    (0..u32::try_from(corners / 3).unwrap_or(u32::MAX / 3)).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()
}

impl Geometry for [[[f32; 3]; 3]] {
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        work(Vertices::Single(self.as_flattened()), &in_turn(self.len() * 3))
    }
}

impl Geometry for [[[f64; 3]; 3]] {
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        work(Vertices::Double(self.as_flattened()), &in_turn(self.len() * 3))
    }
}

impl<T> Geometry for Vec<T>
where
    [T]: Geometry,
{
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        self.as_slice().with(work)
    }
}

impl<T, const N: usize> Geometry for [T; N]
where
    [T]: Geometry,
{
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        self.as_slice().with(work)
    }
}

impl Geometry for (&[[f32; 3]], &[[u32; 3]]) {
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        work(Vertices::Single(self.0), self.1)
    }
}

impl Geometry for (&[[f64; 3]], &[[u32; 3]]) {
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        work(Vertices::Double(self.0), self.1)
    }
}

impl Geometry for (&[f32], &[u32]) {
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        work(Vertices::Single(self.0.as_chunks().0), self.1.as_chunks().0)
    }
}

impl Geometry for (&[f64], &[u32]) {
    fn with<R>(&self, work: impl FnOnce(Vertices<'_>, &[[u32; 3]]) -> R) -> R {
        work(Vertices::Double(self.0.as_chunks().0), self.1.as_chunks().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of every triangle.
    fn corners<G: Geometry + ?Sized>(geometry: &G) -> Vec<[[f64; 3]; 3]> {
        geometry.with(|vertices, triangles| triangles.iter().map(|t| t.map(|i| vertices.get(i as usize))).collect())
    }

    #[test]
    fn every_form_says_the_same() {
        let soup = [
            [[0.0f32, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.5, 1.0]],
        ];
        let wide = soup.map(|t| t.map(|v| v.map(f64::from)));
        let vertices = [[0.0f32, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.5, 1.0]];
        let triangles = [[0, 1, 2], [2, 1, 3]];
        let wide_vertices = vertices.map(|v| v.map(f64::from));
        assert_eq!(corners(&soup), wide);
        assert_eq!(corners(&soup.to_vec()), wide);
        assert_eq!(corners(&wide), wide);
        assert_eq!(corners(&(&vertices[..], &triangles[..])), wide);
        assert_eq!(corners(&(&wide_vertices[..], &triangles[..])), wide);
        assert_eq!(corners(&(vertices.as_flattened(), triangles.as_flattened())), wide);
        assert_eq!(corners(&(wide_vertices.as_flattened(), triangles.as_flattened())), wide);
    }
}
