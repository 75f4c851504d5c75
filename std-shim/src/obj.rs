//! Wavefront OBJ: the positions and the faces of a level, polygons cut into fans.
//!
//! A navigation mesh needs two of the format's records, `v` and `f`. What the others say (normals, materials, groups,
//! lines, curves) is passed over, so that a level exported with all of it loads the same. Every refusal names its line.

use crate::failure::{Failure, Outcome};
use std::path::Path;

/// The triangles of a level, in the file's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// World positions, one for each `v` of the file.
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
    parse(&bytes).map_err(|(line, reason)| Failure::Line { path: path.into(), line, reason })
}

/// Reads a level from a file's bytes. A refusal is a line, counted from 1, and what is wrong with it.
///
/// A face of more than three corners becomes a fan around its first corner. An index may be negative and then counts
/// back from the last vertex so far. A coordinate may be any float, not-a-number included: the bake refuses those and
/// names the vertex. Time and memory are linear in the bytes.
///
/// ```
/// let level = navarena_std::obj::parse(b"v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n").unwrap();
/// assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3]]);
/// let wrong = navarena_std::obj::parse(b"v 0 0 0\nf 1 2 3\n").unwrap_err();
/// assert_eq!(wrong, (2, "a face names vertex 2, of 1 so far".into()));
/// ```
pub fn parse(bytes: &[u8]) -> Result<Geometry, (usize, String)> {
    let mut level = Geometry::default();
    let mut corners = Vec::new();
    for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace();
        let read = match words.next() {
            Some("v") => vertex(&mut words).map(|v| level.vertices.push(v)),
            Some("f") => face(&mut words, &mut level, &mut corners),
            _ => Ok(()),
        };
        read.map_err(|reason| (index + 1, reason))?;
    }
    Ok(level)
}

/// Three numbers; a weight or a colour may follow and says nothing here.
fn vertex<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<[f32; 3], String> {
    let mut position = [0.0; 3];
    for (axis, value) in position.iter_mut().enumerate() {
        let word = words.next().ok_or_else(|| format!("a vertex has {axis} coordinates, not 3"))?;
        *value = word.parse().map_err(|_| format!("{word:?} is no number"))?;
    }
    Ok(position)
}

fn face<'a>(
    words: &mut impl Iterator<Item = &'a str>,
    level: &mut Geometry,
    corners: &mut Vec<u32>,
) -> Result<(), String> {
    corners.clear();
    for word in words.take_while(|word| !word.starts_with('#')) {
        corners.push(corner(word, level.vertices.len())?);
    }
    let [first, rest @ ..] = &corners[..] else { return Err("a face has 0 corners".into()) };
    if rest.len() < 2 {
        return Err(format!("a face has {} corners", corners.len()));
    }
    level.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
    Ok(())
}

/// The vertex of a corner such as `7`, `7/1`, `7//3`, `7/1/3` or `-1`.
fn corner(word: &str, count: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or(word);
    let index: i64 = number.parse().map_err(|_| format!("{word:?} is no corner of a face"))?;
    let at = if index < 0 { i64::try_from(count).unwrap_or(i64::MAX).checked_add(index) } else { index.checked_sub(1) };
    match at.and_then(|at| u32::try_from(at).ok()) {
        Some(at) if (at as usize) < count => Ok(at),
        _ => Err(format!("a face names vertex {index}, of {count} so far")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn triangles_of(level: &Geometry) -> Vec<[[f32; 3]; 3]> {
        level.triangles.iter().map(|t| t.map(|i| level.vertices[i as usize])).collect()
    }

    /// The triangles that another reader finds.
    fn by_tobj(bytes: &[u8]) -> Vec<[[f32; 3]; 3]> {
        let options = tobj::LoadOptions { triangulate: true, single_index: true, ..Default::default() };
        let no_materials = |_: &Path| Ok(Default::default());
        let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, no_materials).unwrap();
        let mut triangles = Vec::new();
        for model in models {
            let at = |i: u32| std::array::from_fn(|axis| model.mesh.positions[i as usize * 3 + axis]);
            triangles.extend(model.mesh.indices.chunks(3).map(|t| [at(t[0]), at(t[1]), at(t[2])]));
        }
        triangles
    }

    #[test]
    fn a_written_level_reads_back() {
        let level = navarena_fixtures::yard::level();
        let read = parse(level.to_obj().as_bytes()).unwrap();
        assert_eq!(read, Geometry::from(level.clone()));
        assert_eq!(triangles_of(&read), by_tobj(level.to_obj().as_bytes()));
    }

    #[test]
    fn levels_from_elsewhere_read_as_another_reader_reads_them() {
        let Some(data) = std::env::var_os("NAVARENA_DATA") else {
            println!("NAVARENA_DATA is not set: levels from elsewhere are not read");
            return;
        };
        for (name, count) in [("nav_test", 1612), ("dungeon", 10133), ("undulating", 5202)] {
            let path = Path::new(&data).join("levels").join(name).with_extension("obj");
            let bytes = std::fs::read(&path).unwrap();
            let level = parse(&bytes).unwrap();
            assert_eq!(level.triangles.len(), count);
            assert_eq!(triangles_of(&level), by_tobj(&bytes));
        }
    }

    #[test]
    fn corners_come_in_every_form() {
        let text = b"v 0 0 0\r\nv 0 0 1 0.5 0.5 0.5\nv 1 0 0 1\nvt 0 0\nvn 0 1 0\nl 1 2 3\nf 1/1/1 2//1 3/1 # floor\nf -3 -2 -1\n";
        assert_eq!(parse(text).unwrap().triangles, [[0, 1, 2], [0, 1, 2]]);
    }

    #[test]
    fn a_refusal_names_its_line() {
        let reason = |text: &str| parse(text.as_bytes()).unwrap_err();
        assert_eq!(reason("v 0 0\n"), (1, "a vertex has 2 coordinates, not 3".into()));
        assert_eq!(reason("# x\nv 0 zero 0\n"), (2, "\"zero\" is no number".into()));
        assert_eq!(reason("v 0 0 0\nf 1 1\n"), (2, "a face has 2 corners".into()));
        assert_eq!(reason("v 0 0 0\nf 0 1 1\n"), (2, "a face names vertex 0, of 1 so far".into()));
        assert_eq!(reason("v 0 0 0\nf -2 1 1\n"), (2, "a face names vertex -2, of 1 so far".into()));
        assert_eq!(reason("f 1a 2 3\n"), (1, "\"1a\" is no corner of a face".into()));
        assert_eq!(reason("f 9223372036854775807 1 1\n").0, 1);
        assert_eq!(reason("f -9223372036854775808 1 1\n").0, 1);
    }

    #[test]
    fn bytes_that_are_no_level_have_no_triangles() {
        assert_eq!(parse(&[0xFF, 0xFE, b'\n', b'x']).unwrap(), Geometry::default());
        assert_eq!(parse(b"").unwrap().bounds(), ([0.0; 3], [0.0; 3]));
    }
}
