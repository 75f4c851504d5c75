//! Settings in cells: what a build counts in, made from the world units of [`NavSettings`]
//! (`build3d-polys.md`, section 1; `build3d-spans.md`, section 10).

use crate::error::{Error, Result, Subject};
use crate::math::{ceil, cosine_of_degrees, floor};
use crate::mesh::NavSettings;

/// The settings of a build in whole cells and rows, with the cell sizes that make them world units again.
///
/// Lengths of the agent are converted in float32, as the nominal cell sizes are stored: the same settings then give the
/// same counts everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BakeCells {
    /// Cells along a tile's side.
    pub tile_cells: u32,
    /// The side of a cell: the tile's side divided by its cells, so that cells fill a tile exactly.
    pub cell_size: f64,
    /// The height of a row.
    pub cell_height: f64,
    /// Rows of headroom the agent needs.
    pub height: u32,
    /// Rows of the highest step.
    pub climb: u32,
    /// Cells that walls keep the agent's center away.
    pub radius: u32,
    /// Cells around a tile that its build reads beside its own.
    pub border: u32,
    /// Cosine of the steepest slope.
    pub slope_cosine: f32,
    /// Contour error in cells.
    pub contour_error: f64,
    /// Cells of the longest wall edge; 0 never splits one.
    pub max_edge: u32,
    /// Distance of height samples in cells.
    pub detail_distance: f64,
    /// Height error in rows.
    pub detail_error: f64,
}

/// Cells around a tile beyond the agent's radius.
const BORDER_MARGIN: u32 = 3;
/// A tile that is this part of a cell more than whole cells is whole cells.
const TILE_TOLERANCE: f64 = 1e-4;
/// The widest grid a build takes (`build3d-spans.md`, section 1).
const MAX_SIDE: f64 = 65536.0;

impl BakeCells {
    /// Converts settings that `NavSettings::validate` accepts. A tile of more cells than a grid may have is refused with
    /// its cell count.
    pub fn new(settings: &NavSettings) -> Result<BakeCells> {
        settings.validate()?;
        let wanted = ceil(settings.tile_size / settings.cell_size - TILE_TOLERANCE).max(1.0);
        let radius = ceil(settings.agent_radius as f32 / settings.cell_size as f32);
        let side = wanted + 2.0 * (f64::from(radius) + f64::from(BORDER_MARGIN));
        if side > MAX_SIDE {
            return Err(Error::limit(Subject::TileSize).value(side).bound(MAX_SIDE));
        }
        let tile_cells = wanted as u32;
        let row = settings.cell_height as f32;
        let cell_size = settings.tile_size / f64::from(tile_cells);
        Ok(BakeCells {
            tile_cells,
            cell_size,
            cell_height: settings.cell_height,
            height: (ceil(settings.agent_height as f32 / row) as u32).max(1),
            climb: floor(settings.walkable_climb as f32 / row) as u32,
            radius: radius as u32,
            border: radius as u32 + BORDER_MARGIN,
            slope_cosine: cosine_of_degrees(f64::from(settings.max_slope_degrees as f32)),
            contour_error: f64::from(settings.contour_max_error as f32),
            max_edge: (settings.max_edge_length / settings.cell_size + 0.5) as u32,
            detail_distance: settings.detail_sample_distance / cell_size,
            detail_error: settings.detail_max_error / settings.cell_height,
        })
    }

    /// Cells along the side of the grid a tile is built on: its own and the border's on both sides.
    pub const fn grid_side(&self) -> u32 {
        self.tile_cells + 2 * self.border
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_humanoid_counts_what_the_pages_say() {
        let cells = BakeCells::new(&NavSettings::HUMANOID).unwrap();
        assert_eq!((cells.height, cells.climb, cells.radius, cells.border), (10, 4, 2, 5));
        assert_eq!((cells.tile_cells, cells.cell_size), (214, 64.0 / 214.0));
        assert_eq!((cells.slope_cosine, cells.max_edge), (0.70710677, 12));
    }

    #[test]
    fn a_tile_a_hair_over_whole_cells_is_whole_cells() {
        let settings = NavSettings { tile_size: f64::from(19.2f32), ..NavSettings::HUMANOID };
        let cells = BakeCells::new(&settings).unwrap();
        assert_eq!((cells.tile_cells, cells.grid_side()), (64, 74));
    }

    #[test]
    fn a_tile_wider_than_a_grid_is_refused() {
        let settings = NavSettings { cell_size: 0.001, tile_size: 64.0, agent_radius: 0.6, ..NavSettings::HUMANOID };
        assert!(BakeCells::new(&settings).is_err());
    }
}
