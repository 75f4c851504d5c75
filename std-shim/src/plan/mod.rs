//! Floor plans and maps from files: what the 2D builder makes meshes of.
//!
//! | file | what is walked on |
//! |---|---|
//! | `.map`, Moving AI | open cells, one unit each |
//! | `.yaml`, `.yml`, a robot's occupancy map | free cells, in the robot's meters; what is unknown is a wall |
//! | `.svg` | what is filled, less what is filled within an element named as an obstacle (see below) |
//! | `.geojson`, `.json` | polygons, less those of features with the property `"obstacle": true` |
//!
//! An SVG element or group is an obstacle when its id begins with `obstacle` or `wall`, in any case. A filled path is one
//! outline, read by the even-odd rule; curves become chords that stray from them by at most 1/100 of a unit, and units are
//! those of the picture's width and height. The plane's x is the world's x, its y the world's z, as both files have it.

mod geojson;
mod svg;

use crate::failure::{Failure, Outcome};
use crate::occupancy::OccupancyMap;
use navarena::build2d::FloorInput;
use navarena::grid::{GridSpace, WALL};
use navarena_alloc::{Floor, Grid, with_outlines};
use std::path::Path;

/// Rings of positions: an outline with its holes.
pub type Rings = Vec<Vec<[f64; 2]>>;

/// A floor plan or a map, as a file has it.
#[derive(Debug)]
pub enum FloorPlan {
    /// A map of square cells.
    Cells(Box<Grid>),
    /// Outlines, and those to keep out of.
    Outlines {
        /// What is walked on.
        walkable: Vec<Rings>,
        /// What is not.
        obstacles: Vec<Rings>,
    },
}

impl FloorPlan {
    /// Reads a plan; the file's ending says what it is, and any other ending is a Moving AI map. Lengths are multiplied by
    /// `scale`.
    ///
    /// # Errors
    /// A file that can't be read or breaks its format; a plan that holds nothing to walk on.
    pub fn read(path: &Path, scale: f64) -> Outcome<FloorPlan> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
        let text = || std::fs::read_to_string(path).map_err(|reason| Failure::file(path, reason));
        let named = |what: String| Failure::Other(format!("{}: {what}", path.display()));
        let refused = || Failure::refused(path.display().to_string());
        match ending.as_str() {
            "svg" => svg::parse(&text()?).and_then(|plan| plan.scaled(scale)).map_err(named),
            "geojson" | "json" => geojson::parse(&text()?).and_then(|plan| plan.scaled(scale)).map_err(named),
            "yaml" | "yml" => {
                let grid = OccupancyMap::read(path)?.to_grid(WALL).map_err(refused())?;
                with_scale(grid, scale).map(|grid| FloorPlan::Cells(Box::new(grid))).map_err(refused())
            }
            _ => {
                let bytes = std::fs::read(path).map_err(|reason| Failure::file(path, reason))?;
                let grid = Grid::from_moving_ai(&bytes).map_err(refused())?;
                with_scale(grid, scale).map(|grid| FloorPlan::Cells(Box::new(grid))).map_err(refused())
            }
        }
    }

    fn scaled(mut self, scale: f64) -> Result<FloorPlan, String> {
        if let FloorPlan::Outlines { walkable, obstacles } = &mut self {
            if walkable.is_empty() {
                return Err("no filled outline to walk on".into());
            }
            for point in walkable.iter_mut().chain(obstacles).flatten().flatten() {
                *point = point.map(|v| v * scale);
            }
        }
        Ok(self)
    }

    /// The lowest and the highest corner.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        match self {
            FloorPlan::Cells(grid) => {
                let (space, core) = (grid.core().space(), grid.core());
                let low = space.origin();
                let sides = [core.width(), core.height()].map(f64::from);
                [low, [0, 1].map(|axis| low[axis] + sides[axis] * space.cell_size())]
            }
            FloorPlan::Outlines { walkable, .. } => {
                let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
                for point in walkable.iter().flatten().flatten() {
                    for axis in 0..2 {
                        bounds[0][axis] = navarena::math::min(bounds[0][axis], point[axis]);
                        bounds[1][axis] = navarena::math::max(bounds[1][axis], point[axis]);
                    }
                }
                bounds
            }
        }
    }

    /// What it holds, in words.
    pub fn describe(&self) -> String {
        match self {
            FloorPlan::Cells(grid) => format!("{} x {} cells", grid.core().width(), grid.core().height()),
            FloorPlan::Outlines { walkable, obstacles } => {
                let corners = walkable.iter().chain(obstacles).flatten().map(Vec::len).sum::<usize>();
                format!("{} outlines, {} obstacles, {corners} corners", walkable.len(), obstacles.len())
            }
        }
    }
}

impl Floor for FloorPlan {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        match self {
            FloorPlan::Cells(grid) => grid.with(work),
            FloorPlan::Outlines { walkable, obstacles } => with_outlines(walkable, |walkable| {
                with_outlines(obstacles, |obstacles| work(&FloorInput::Outlines { walkable, obstacles }))
            }),
        }
    }
}

fn with_scale(mut grid: Grid, scale: f64) -> navarena::error::Result<Grid> {
    let space = grid.core().space();
    grid.set_space(GridSpace::new(space.origin().map(|v| v * scale), space.cell_size() * scale)?);
    Ok(grid)
}
