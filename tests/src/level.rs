//! A level: an indexed triangle soup read from a Wavefront OBJ file, y up.

use std::fmt;
use std::path::Path;

/// An indexed triangle soup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Corners, world units.
    pub vertices: Vec<[f32; 3]>,
    /// Three indices of corners a triangle; counter-clockwise seen from above is a floor.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a file is no level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelError {
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for LevelError {}

impl Level {
    /// Reads the vertices and faces of an OBJ text; faces of more than three corners become fans, everything else
    /// that a file may hold (normals, materials, groups) is passed over.
    pub fn parse(text: &str) -> Result<Level, LevelError> {
        let mut level = Level::default();
        for (number, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace();
            let read = match words.next() {
                Some("v") => level.read_vertex(words),
                Some("f") => level.read_face(words),
                _ => Ok(()),
            };
            read.map_err(|what| LevelError { line: number + 1, what })?;
        }
        Ok(level)
    }

    /// Reads an OBJ file.
    pub fn load(path: &Path) -> Result<Level, LevelError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| LevelError { line: 0, what: format!("{}: {error}", path.display()) })?;
        Level::parse(&text)
    }

    /// The least and the greatest coordinates of the vertices.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let mut low = [f32::INFINITY; 3];
        let mut high = [f32::NEG_INFINITY; 3];
        for vertex in &self.vertices {
            for axis in 0..3 {
                low[axis] = low[axis].min(vertex[axis]);
                high[axis] = high[axis].max(vertex[axis]);
            }
        }
        (low, high)
    }

    fn read_vertex<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let numbers: Vec<f32> = words
            .take(3)
            .map(|word| word.parse().map_err(|_| format!("{word} is no number")))
            .collect::<Result<_, _>>()?;
        let vertex = numbers.try_into().map_err(|_| "a vertex has three coordinates".to_string())?;
        self.vertices.push(vertex);
        Ok(())
    }

    fn read_face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let corners: Vec<u32> = words.map(|word| self.corner(word)).collect::<Result<_, _>>()?;
        if corners.len() < 3 {
            return Err("a face has three corners or more".to_string());
        }
        for pair in corners[1..].windows(2) {
            self.triangles.push([corners[0], pair[0], pair[1]]);
        }
        Ok(())
    }

    /// A face's corner `v`, `v/t` or `v/t/n`; a negative index counts from the last vertex read.
    fn corner(&self, word: &str) -> Result<u32, String> {
        let index = word.split('/').next().unwrap_or(word);
        let index: i64 = index.parse().map_err(|_| format!("{word} is no corner"))?;
        let count = self.vertices.len() as i64;
        let at = if index < 0 { count + index } else { index - 1 };
        if (0..count).contains(&at) { Ok(at as u32) } else { Err(format!("corner {index} of {count} vertices")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_become_fans_and_negative_corners_count_from_the_end() {
        let text = "# a quad and a triangle\nv 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 2 0\nf 1/1/1 2//2 3 4\nf -1 -2 -3\n";
        let level = Level::parse(text).unwrap();
        assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 1]]);
        assert_eq!(level.bounds(), ([0.0, 0.0, 0.0], [1.0, 2.0, 1.0]));
    }

    #[test]
    fn a_bad_line_is_named() {
        assert_eq!(Level::parse("v 0 0 0\nv 1 x 2\n").unwrap_err().line, 2);
        assert_eq!(Level::parse("v 0 0 0\nf 1 1 2\n").unwrap_err().line, 2);
        assert_eq!(Level::parse("v 0 0\n").unwrap_err().line, 1);
    }
}
