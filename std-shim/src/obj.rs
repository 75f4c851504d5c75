//! Wavefront OBJ: the positions and the faces of a level, polygons cut into fans. The `tobj` crate reads the format; here
//! its models become one list of triangles in the file's order.

use crate::failure::{Failure, Outcome};
use std::io::Cursor;
use std::path::Path;

/// The triangles of a level, in the file's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// World positions.
    pub vertices: Vec<[f32; 3]>,
    /// Three indices into the vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl Geometry {
    /// The lowest and the highest corner of the box around all vertices that triangles use; zeros without triangles.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let mut used = self.triangles.iter().flatten().filter_map(|&i| self.vertices.get(i as usize));
        let Some(&first) = used.next() else { return ([0.0; 3], [0.0; 3]) };
        used.fold((first, first), |(min, max), v| {
            (std::array::from_fn(|i| min[i].min(v[i])), std::array::from_fn(|i| max[i].max(v[i])))
        })
    }
}

impl From<navarena_fixtures::Level> for Geometry {
    fn from(level: navarena_fixtures::Level) -> Geometry {
        Geometry { vertices: level.vertices, triangles: level.triangles }
    }
}

/// Reads a level from a file.
pub fn read(path: &Path) -> Outcome<Geometry> {
    let bytes = std::fs::read(path).map_err(|reason| Failure::file(path, reason))?;
    parse(&bytes).map_err(|reason| Failure::Level { path: path.into(), reason })
}

/// Reads a level from a file's bytes.
///
/// A face of more than three corners becomes a fan around its first corner; lines and points are passed over, and so
/// are materials, normals and texture coordinates. A coordinate may be any float, not-a-number included: the bake refuses
/// those and names the vertex.
///
/// ```
/// let level = navarena_std::obj::parse(b"v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n").unwrap();
/// assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3]]);
/// assert!(navarena_std::obj::parse(b"v 0 0 0\nf 1 2 3\n").is_err());
/// ```
pub fn parse(bytes: &[u8]) -> Result<Geometry, tobj::LoadError> {
    let options =
        tobj::LoadOptions { triangulate: true, ignore_lines: true, ignore_points: true, ..Default::default() };
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, no_materials)?;
    let mut level = Geometry::default();
    for tobj::Model { mesh, .. } in models {
        let first = level.vertices.len() as u32;
        level.vertices.extend(mesh.positions.as_chunks::<3>().0);
        level
            .triangles
            .extend(mesh.indices.as_chunks::<3>().0.iter().map(|corners| corners.map(|corner| first + corner)));
    }
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(level: &Geometry) -> Vec<[[f32; 3]; 3]> {
        level.triangles.iter().map(|t| t.map(|i| level.vertices[i as usize])).collect()
    }

    #[test]
    fn a_written_level_reads_back() {
        let level = navarena_fixtures::yard::level();
        let read = parse(level.to_obj().as_bytes()).unwrap();
        assert_eq!(corners(&read), corners(&Geometry::from(level)));
    }

    #[test]
    fn levels_from_elsewhere_have_the_triangles_they_are_known_to_have() {
        let Some(data) = std::env::var_os("NAVARENA_DATA") else {
            println!("NAVARENA_DATA is not set: levels from elsewhere are not read");
            return;
        };
        for (name, count) in [("nav_test", 1612), ("dungeon", 10133), ("undulating", 5202)] {
            let path = Path::new(&data).join("levels").join(name).with_extension("obj");
            assert_eq!(read(&path).unwrap().triangles.len(), count);
        }
    }

    #[test]
    fn corners_come_in_every_form_and_groups_are_one_level() {
        let text =
            b"o a\r\nv 0 0 0\r\nv 0 0 1\r\nv 1 0 0\nvt 0 0\nvn 0 1 0\nl 1 2\nf 1/1/1 2//1 3/1\ng b\nf -3 -2 -1\n";
        let level = parse(text).unwrap();
        let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert_eq!(corners(&level), [floor, floor]);
    }

    #[test]
    fn what_is_no_level_is_refused_or_empty() {
        for text in ["v 0 0\n", "v 0 zero 0\n", "v 0 0 0\nf 1 2 3\n", "f 1a 2 3\n"] {
            assert!(parse(text.as_bytes()).is_err(), "{text:?}");
        }
        assert_eq!(parse(b"").unwrap().bounds(), ([0.0; 3], [0.0; 3]));
    }
}
