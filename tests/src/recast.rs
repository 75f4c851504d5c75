//! What Recast and Detour 1.6 answered on the three levels: the settings, the figures and the thousand paths of each.
//!
//! These are facts that were measured elsewhere, with which ours are compared; nothing here is a result of ours. The
//! paths are read from `vectors/recast/LEVEL-0.csv` (one tile) and `LEVEL-64.csv` (tiles of 64 cells).

use std::path::Path;

use navarena::mesh::{NavSettings, Partition};
use navarena_std::obj::{self, Geometry};

/// A tile of 64 cells of 0.3, as a float32 holds it.
pub const TILE_SIZE: f64 = 19.200000762939453;
/// How far along each axis an end of a path may be from the mesh.
pub const SNAP: [f64; 3] = [2.0, 4.0, 2.0];

/// One tile over the whole level, or tiles of 64 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// One tile.
    Whole,
    /// Tiles of 64 cells.
    Tiled,
}

impl Tiling {
    /// Both, in the order of the figures.
    pub const BOTH: [Tiling; 2] = [Tiling::Whole, Tiling::Tiled];

    /// The name of the rows.
    pub const fn name(self) -> &'static str {
        match self {
            Tiling::Whole => "whole",
            Tiling::Tiled => "tiled",
        }
    }

    const fn file_suffix(self) -> &'static str {
        match self {
            Tiling::Whole => "0",
            Tiling::Tiled => "64",
        }
    }
}

/// What came out of Recast's bake and Detour's thousand paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Sum of the polygons' ground areas.
    pub coverage: f64,
    /// Polygons.
    pub polygons: usize,
    /// Vertices, over all tiles.
    pub vertices: usize,
    /// Tiles that hold a polygon.
    pub tiles: usize,
    /// Pairs with a path to the goal.
    pub found: usize,
    /// Pairs with a path that ends before it.
    pub partial: usize,
}

/// One of the three levels, and Recast's figures of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelFacts {
    /// The file's name without its ending.
    pub name: &'static str,
    /// One tile.
    pub whole: Figures,
    /// Tiles of 64 cells.
    pub tiled: Figures,
}

impl LevelFacts {
    /// The figures of one of the two meshes.
    pub const fn figures(&self, tiling: Tiling) -> Figures {
        match tiling {
            Tiling::Whole => self.whole,
            Tiling::Tiled => self.tiled,
        }
    }

    /// Reads the level itself.
    pub fn load(&self, data: &Path) -> Result<Geometry, String> {
        obj::read(&data.join("levels").join(self.name).with_extension("obj")).map_err(|failure| failure.to_string())
    }
}

const fn figures(coverage: f64, counts: [usize; 3], found: usize, partial: usize) -> Figures {
    Figures { coverage, polygons: counts[0], vertices: counts[1], tiles: counts[2], found, partial }
}

/// The levels and their figures.
pub const LEVELS: [LevelFacts; 3] = [
    LevelFacts {
        name: "nav_test",
        whole: figures(4002.030, [155, 349, 1], 288, 636),
        tiled: figures(4003.245, [204, 506, 18], 287, 658),
    },
    LevelFacts {
        name: "dungeon",
        whole: figures(1585.305, [118, 223, 1], 330, 286),
        tiled: figures(1582.425, [111, 254, 12], 324, 277),
    },
    LevelFacts {
        name: "undulating",
        whole: figures(8795.521, [216, 374, 1], 1000, 0),
        tiled: figures(8793.901, [273, 518, 36], 1000, 0),
    },
];

/// The settings both sides bake a level with.
///
/// Tiled, the grid's corner is the bounds' least corner. Whole, the one tile begins there too and covers the bounds
/// and one cell more, so that no triangle lies on its far side; it is made of whole cells, because a tile that is not
/// would be cut into slightly smaller ones, and the two sides would no longer bake with the same cell.
pub fn settings(level: &Geometry, tiling: Tiling) -> NavSettings {
    let (low, high) = level.bounds();
    let cell_size = 0.3;
    let tile_size = match tiling {
        Tiling::Whole => {
            let extent = f64::from(high[0] - low[0]).max(f64::from(high[2] - low[2]));
            let cells = (extent / cell_size).ceil() + 1.0;
            f64::from((cells * cell_size) as f32)
        }
        Tiling::Tiled => TILE_SIZE,
    };
    NavSettings {
        cell_size,
        cell_height: 0.2,
        agent_height: 2.0,
        agent_radius: 0.6,
        walkable_climb: 0.9,
        max_slope_degrees: 45.0,
        tile_size,
        origin_x: f64::from(low[0]),
        origin_z: f64::from(low[2]),
        max_verts_per_poly: 6,
        partition: Partition::Watershed,
        min_region_area: 64,
        merge_region_area: 400,
        contour_max_error: 1.3,
        max_edge_length: 12.0,
        detail_sample_distance: 1.8,
        detail_max_error: 0.2,
        ..NavSettings::HUMANOID
    }
}

/// How a search of Detour's ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At the goal.
    Found,
    /// At the reachable point nearest to it.
    Partial,
    /// An end has no polygon near.
    Unsnapped,
}

/// One of the thousand pairs and Detour's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Where the path starts, before it is snapped.
    pub start: [f64; 3],
    /// Where it should end.
    pub goal: [f64; 3],
    /// How the search ended.
    pub outcome: Outcome,
    /// Length of the string-pulled path, world units.
    pub length: f64,
}

/// Reads the pairs of a level; a line that does not parse is named.
pub fn pairs(vectors: &Path, level: &LevelFacts, tiling: Tiling) -> Result<Vec<Pair>, String> {
    let path = vectors.join("recast").join(format!("{}-{}.csv", level.name, tiling.file_suffix()));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.lines().enumerate().skip(1).map(|(number, line)| {
        parse_pair(line).ok_or_else(|| format!("{} line {}: not a pair", path.display(), number + 1))
    });
    parsed.collect()
}

fn parse_pair(line: &str) -> Option<Pair> {
    let words: Vec<&str> = line.trim().split(',').collect();
    let [ax, ay, az, bx, by, bz, outcome, length] = words[..] else { return None };
    let point = |x: &str, y: &str, z: &str| Some([x.parse().ok()?, y.parse().ok()?, z.parse().ok()?]);
    let outcome = match outcome {
        "found" => Outcome::Found,
        "partial" => Outcome::Partial,
        "unsnapped" => Outcome::Unsnapped,
        _ => return None,
    };
    Some(Pair {
        start: point(ax, ay, az)?,
        goal: point(bx, by, bz)?,
        outcome,
        length: if length.is_empty() { 0.0 } else { length.parse().ok()? },
    })
}

/// Length of a line of points in space.
#[expect(clippy::disallowed_methods, reason = "measures answers from outside, and must not lean on what it measures")]
pub fn length(points: &[[f64; 3]]) -> f64 {
    let step = |pair: &[[f64; 3]]| {
        let [dx, dy, dz] = [0, 1, 2].map(|axis| pair[1][axis] - pair[0][axis]);
        (dx * dx + dy * dy + dz * dz).sqrt()
    };
    points.windows(2).map(step).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_hold_the_counts_of_the_table() {
        let Some(vectors) = crate::data::vectors() else { return };
        for level in &LEVELS {
            for tiling in Tiling::BOTH {
                let pairs = pairs(&vectors, level, tiling).unwrap();
                let count = |outcome| pairs.iter().filter(|pair| pair.outcome == outcome).count();
                let figures = level.figures(tiling);
                assert_eq!(pairs.len(), 1000);
                assert_eq!((count(Outcome::Found), count(Outcome::Partial)), (figures.found, figures.partial));
            }
        }
    }

    #[test]
    fn a_tile_of_64_cells_is_a_float32() {
        assert_eq!(f64::from(TILE_SIZE as f32), TILE_SIZE);
        assert_eq!(TILE_SIZE as f32, 64.0 * 0.3_f32);
    }
}
