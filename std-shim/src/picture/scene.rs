//! What a picture shows, in world units.

/// One polygon of the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// Its corners, in order.
    pub outline: Vec<[f64; 3]>,
    /// Its area, 0 to 63.
    pub area: u8,
    /// Its surface: the triangles of its height detail, or the fan of its corners.
    pub surface: Vec<[[f64; 3]; 3]>,
    /// Whether it is part of the answer to a query.
    pub marked: bool,
}

impl Face {
    /// A polygon whose surface is the fan of its corners.
    pub fn flat(outline: Vec<[f64; 3]>, area: u8) -> Face {
        let fan = outline.windows(2).skip(1).map(|pair| [outline[0], pair[0], pair[1]]);
        Face { surface: fan.collect(), area, outline, marked: false }
    }
}

/// A line in space.
pub type Segment = [[f64; 3]; 2];

/// What a picture shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The heading.
    pub title: String,
    /// The line under it.
    pub subtitle: String,
    /// The mesh's polygons.
    pub faces: Vec<Face>,
    /// Edges with nothing across.
    pub walls: Vec<Segment>,
    /// Edges between two polygons of a tile.
    pub seams: Vec<Segment>,
    /// The open parts of edges between two tiles.
    pub portals: Vec<Segment>,
    /// Off-mesh links, from where they leave to where they arrive.
    pub links: Vec<Segment>,
    /// The tiles' squares: x and z of the lowest corner, then of the highest.
    pub tiles: Vec<[f64; 4]>,
    /// The level's own triangles, drawn behind the mesh; may be empty.
    pub level: Vec<[[f64; 3]; 3]>,
    /// The path's corners; may be empty.
    pub path: Vec<[f64; 3]>,
    /// Whether the path ends short of its goal.
    pub partial: bool,
    /// Lines that answer a query: walls met, the way of a ray.
    pub answers: Vec<Segment>,
    /// Points that answer a query.
    pub marks: Vec<[f64; 3]>,
}

impl Scene {
    /// The lowest and the highest corner of the box around all that is drawn.
    pub fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let mut bounds = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut cover = |point: &[f64; 3]| {
            bounds.0 = std::array::from_fn(|axis| bounds.0[axis].min(point[axis]));
            bounds.1 = std::array::from_fn(|axis| bounds.1[axis].max(point[axis]));
        };
        self.faces.iter().flat_map(|face| &face.outline).for_each(&mut cover);
        self.level.iter().flatten().for_each(&mut cover);
        self.path.iter().for_each(&mut cover);
        self.links.iter().flatten().for_each(&mut cover);
        self.answers.iter().flatten().for_each(&mut cover);
        self.marks.iter().for_each(&mut cover);
        if bounds.0[0] > bounds.1[0] { ([0.0; 3], [1.0; 3]) } else { bounds }
    }

    /// The lowest and the highest point of the mesh.
    pub fn heights(&self) -> (f64, f64) {
        let heights = self.faces.iter().flat_map(|face| &face.outline).map(|corner| corner[1]);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
        if low > high { (0.0, 1.0) } else { (low, high) }
    }
}

/// The path laid on the mesh: points every `step` along it, each at the height of the polygon nearest to the point
/// before. A path's corners alone would cut through ramps that it climbs without turning.
pub fn drape(path: &[[f64; 3]], faces: &[Face], step: f64) -> Vec<[f64; 3]> {
    let Some(&first) = path.first() else { return Vec::new() };
    let mut draped = vec![first];
    let mut height = first[1];
    for pair in path.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let length = ((b[0] - a[0]) * (b[0] - a[0]) + (b[2] - a[2]) * (b[2] - a[2])).max(0.0);
        let pieces = (crate::sqrt(length) / step).ceil().clamp(1.0, 10_000.0) as u32;
        for piece in 1..pieces {
            let t = f64::from(piece) / f64::from(pieces);
            let [x, z] = [a[0] + (b[0] - a[0]) * t, a[2] + (b[2] - a[2]) * t];
            let near = |y: &f64| (y - height).abs();
            let surfaces = faces.iter().filter_map(|face| height_at(face, x, z));
            height = surfaces.min_by(|p, q| near(p).total_cmp(&near(q))).unwrap_or(height);
            draped.push([x, height, z]);
        }
        height = b[1];
        draped.push(b);
    }
    draped
}

/// The height of a face's surface over a point.
fn height_at(face: &Face, x: f64, z: f64) -> Option<f64> {
    let side = |a: [f64; 3], b: [f64; 3], p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]);
    face.surface.iter().find_map(|&[a, b, c]| {
        let whole = side(a, b, [c[0], c[2]]);
        let [u, v, w] = [side(b, c, [x, z]), side(c, a, [x, z]), side(a, b, [x, z])].map(|part| part / whole);
        let slack = -1e-9;
        (u >= slack && v >= slack && w >= slack).then_some(u * a[1] + v * b[1] + w * c[1])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Face {
        Face::flat(vec![[0.0, 0.0, 0.0], [4.0, 4.0, 0.0], [4.0, 4.0, 2.0], [0.0, 0.0, 2.0]], 0)
    }

    #[test]
    fn a_draped_path_climbs_a_ramp() {
        let draped = drape(&[[0.0, 0.0, 1.0], [4.0, 4.0, 1.0]], &[ramp()], 1.0);
        assert_eq!(draped.len(), 5);
        assert!(draped.iter().all(|p| (p[0] - p[1]).abs() < 1e-9));
    }

    #[test]
    fn a_draped_path_stays_on_its_floor() {
        let floor = |y: f64| Face::flat(ramp().outline.into_iter().map(|[x, _, z]| [x, y, z]).collect(), 0);
        let draped = drape(&[[0.5, 0.1, 1.0], [3.5, 0.1, 1.0]], &[floor(4.0), floor(0.2)], 0.5);
        assert!(draped.iter().all(|p| p[1] < 0.3));
    }

    #[test]
    fn an_empty_scene_has_bounds() {
        assert_eq!(Scene::default().bounds(), ([0.0; 3], [1.0; 3]));
        assert_eq!(Scene::default().heights(), (0.0, 1.0));
        assert!(drape(&[], &[], 1.0).is_empty());
    }
}
