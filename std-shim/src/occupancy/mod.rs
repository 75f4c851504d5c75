//! Occupancy maps as robots save them (ROS `map_server`): a picture in PGM or PNG, and a YAML file that says what it means.
//!
//! A pixel's occupancy is `1 - shade` for shades from 0 (black) to 1 (white), or the shade itself with `negate: 1`. Above
//! `occupied_thresh` a cell is occupied, below `free_thresh` free, between them unknown (mode `trinary`, which is the default).
//! `origin` is the world position of the picture's lower left corner, `resolution` the side of a cell in meters. World y points
//! up in the picture, so the map's first row is the picture's lowest.

mod picture;
mod settings;

use crate::failure::{Failure, Outcome};
use navarena::grid::{GridDef, GridSpace, WALL};
use navarena_alloc::Grid;
use picture::Shades;
use settings::Settings;
use std::path::Path;

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occupancy {
    /// Nothing stands there.
    Free,
    /// Something does.
    Occupied,
    /// Nobody has looked.
    Unknown,
}

/// An occupancy map.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyMap {
    width: u32,
    height: u32,
    cells: Vec<Occupancy>,
    space: GridSpace,
}

impl OccupancyMap {
    /// Reads a map by its YAML file; the picture's path is relative to that file.
    ///
    /// # Errors
    /// A file that can't be read or breaks its format, a setting that is missing or out of its range, by name; a map that is
    /// turned; another mode than `trinary`; more cells than a grid may have.
    pub fn read(yaml: &Path) -> Outcome<OccupancyMap> {
        let text = std::fs::read_to_string(yaml).map_err(|reason| Failure::file(yaml, reason))?;
        let named = |path: &Path| {
            let path = path.display().to_string();
            move |what: String| Failure::Other(format!("{path}: {what}"))
        };
        let settings = Settings::parse(&text).map_err(named(yaml))?;
        let path = yaml.parent().unwrap_or(Path::new("")).join(&settings.image);
        let bytes = std::fs::read(&path).map_err(|reason| Failure::file(&path, reason))?;
        let shades = Shades::parse(&bytes).map_err(named(&path))?;
        OccupancyMap::of(&settings, &shades).map_err(Failure::refused(yaml.display().to_string()))
    }

    fn of(settings: &Settings, shades: &Shades) -> navarena::error::Result<OccupancyMap> {
        let (width, height) = (shades.width, shades.height);
        GridDef::of_size(width, height).validate()?;
        let space = GridSpace::new(settings.origin, settings.resolution)?;
        // The lowest row first.
        let rows = shades.values.chunks(width.max(1) as usize).rev();
        let cells = rows.flatten().map(|&shade| settings.occupancy(shade, shades.white)).collect();
        Ok(OccupancyMap { width, height, cells, space })
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// What is known of every cell, row by row, the lowest row first.
    pub fn cells(&self) -> &[Occupancy] {
        &self.cells
    }

    /// Where the map lies in the world.
    pub fn space(&self) -> GridSpace {
        self.space
    }

    /// A grid of the map: free cells are area 0, occupied ones walls, and unknown ones the area that is given, often
    /// [`WALL`].
    ///
    /// # Errors
    /// Memory.
    pub fn to_grid(&self, unknown: u8) -> navarena::error::Result<Grid> {
        let area = |&cell: &Occupancy| match cell {
            Occupancy::Free => 0,
            Occupancy::Occupied => WALL,
            Occupancy::Unknown => unknown,
        };
        let areas: Vec<u8> = self.cells.iter().map(area).collect();
        let mut grid = Grid::from_cells(self.width, self.height, &areas)?;
        grid.set_space(self.space);
        Ok(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: &str = "image: map.pgm\nresolution: 0.05\norigin: [-1.0, 2.5, 0.0]\nnegate: 0\noccupied_thresh: 0.65\n\
                        free_thresh: 0.196\n";

    fn read(yaml: &str, picture: &[u8], name: &str) -> Outcome<OccupancyMap> {
        let folder = std::env::temp_dir().join(format!("navarena-occupancy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("map.yaml"), yaml).unwrap();
        std::fs::write(folder.join("map.pgm"), picture).unwrap();
        let map = OccupancyMap::read(&folder.join("map.yaml"));
        std::fs::remove_dir_all(folder).unwrap();
        map
    }

    #[test]
    fn shades_become_what_map_server_makes_of_them_with_the_lowest_row_first() {
        use Occupancy::{Free, Occupied, Unknown};
        // White is free, 205 unknown and black occupied, as mapping tools write them.
        let map = read(YAML, b"P5\n# by hand\n3 2\n255\n\xFE\xCD\x00\x00\xFE\xFE", "shades").unwrap();
        assert_eq!(map.cells(), [Occupied, Free, Free, Free, Unknown, Occupied]);
        assert_eq!((map.space().origin(), map.space().cell_size()), ([-1.0, 2.5], 0.05));
        let grid = map.to_grid(WALL).unwrap();
        assert_eq!(grid.to_text(), "#..\n.##\n");
        assert_eq!(grid.center((1, 0)), [-1.0 + 1.5 * 0.05, 2.5 + 0.5 * 0.05]);
        assert_eq!(map.to_grid(7).unwrap().to_text(), "#..\n.7#\n");
        let negated = read(&YAML.replace("negate: 0", "negate: 1"), b"P2 3 1 255 254 205 0", "negated").unwrap();
        assert_eq!(negated.cells(), [Occupied, Occupied, Free]);
        // The thresholds themselves are unknown: only beyond them is anything sure.
        let even = YAML.replace("0.65", "0.8").replace("0.196", "0.2");
        let edge = read(&even, b"P2 5 1 10 8 9 2 1 0", "edge").unwrap();
        assert_eq!(edge.cells(), [Unknown, Free, Unknown, Occupied, Occupied]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_file() {
        let refusal = |yaml: &str, picture: &[u8], name: &str| read(yaml, picture, name).unwrap_err().to_string();
        let good = b"P5 1 1 255\n\xFE";
        for (from, to, word) in [
            ("resolution: 0.05", "", "resolution"),
            ("resolution: 0.05", "resolution: -1", "cell size"),
            ("[-1.0, 2.5, 0.0]", "[-1.0, 2.5]", "origin"),
            ("[-1.0, 2.5, 0.0]", "[-1.0, 2.5, 0.5]", "turned"),
            ("[-1.0, 2.5, 0.0]", "[.nan, 2.5, 0]", "origin"),
            ("negate: 0", "negate: 2", "negate"),
            ("0.196", "0.9", "free_thresh"),
            ("0.65", "1.5", "occupied_thresh"),
            ("negate: 0", "negate: 0\nmode: raw", "mode"),
            ("negate: 0", "negate: 0\nmode: scale", "mode"),
            ("image: map.pgm", "image: other.pgm", "other.pgm"),
            ("image: map.pgm", "", "image"),
            ("negate: 0", "negate: [", "line"),
        ] {
            let said = refusal(&YAML.replace(from, to), good, "wrong");
            assert!(said.contains(word) && said.contains("navarena-occupancy"), "{said}");
        }
        for (picture, word) in [
            (&b"P5 2 1 255\n\xFE"[..], "end"),
            (b"P5 1 1 255\n\xFE\xFE", "left over"),
            (b"P2 1 1 255 256", "256"),
            (b"P2 1 1 255 x", "number"),
            (b"P5 1 1 65536\n\xFE", "65536"),
            (b"P6 1 1 255\n\xFE\xFE\xFE", "PGM"),
            (b"P5 99999999 1 255\n", "99999999"),
            (b"\x89PNG\r\n\x1a\n broken", "PNG"),
            (b"P5 0 1 255\n", "0"),
            (b"", "PGM"),
        ] {
            let said = refusal(YAML, picture, "picture");
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn a_png_says_the_same_as_a_pgm() {
        for (color, channels) in [(png::ColorType::Grayscale, 1), (png::ColorType::Rgb, 3), (png::ColorType::Rgba, 4)] {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
            encoder.set_color(color);
            let mut writer = encoder.write_header().unwrap();
            let pixel = |shade: u8| (0..channels).map(move |channel| if channel == 3 { 9 } else { shade });
            let data: Vec<u8> = [0xFE, 0xCD, 0, 0, 0xFE, 0xFE].into_iter().flat_map(pixel).collect();
            writer.write_image_data(&data).unwrap();
            writer.finish().unwrap();
            let map = read(YAML, &bytes, "png").unwrap();
            assert_eq!(map, read(YAML, b"P5 3 2 255\n\xFE\xCD\x00\x00\xFE\xFE", "pgm").unwrap());
        }
    }
}
