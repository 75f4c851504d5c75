//! The settings of a bake from the command line: a preset, and a flag for every field.

use super::args::{bits, numbers};
use crate::failure::{Failure, Outcome};
use clap::{Args, ValueEnum};
use navarena::mesh::{NavSettings, Partition};

/// Settings; what is not given stays as the preset has it.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings (lengths in world units; what is not given is the preset's)")]
pub struct SettingsArgs {
    /// Where the settings begin.
    #[arg(long, value_enum, default_value_t)]
    pub preset: Preset,
    /// How far walls keep the agent's center away.
    #[arg(long, value_name = "LENGTH")]
    pub agent_radius: Option<f64>,
    /// The headroom the agent needs.
    #[arg(long, value_name = "LENGTH")]
    pub agent_height: Option<f64>,
    /// The highest step it takes.
    #[arg(long, value_name = "LENGTH")]
    pub walkable_climb: Option<f64>,
    /// The steepest slope it walks.
    #[arg(long, value_name = "DEGREES")]
    pub max_slope: Option<f64>,
    /// Side of a cell on the ground.
    #[arg(long, value_name = "LENGTH")]
    pub cell_size: Option<f64>,
    /// Height of a row of cells.
    #[arg(long, value_name = "LENGTH")]
    pub cell_height: Option<f64>,
    /// Side of a tile, rounded to float32.
    #[arg(long, value_name = "LENGTH", conflicts_with_all = ["tile_cells", "solo"])]
    pub tile_size: Option<f64>,
    /// Side of a tile in cells, instead of its length.
    #[arg(long, value_name = "CELLS", conflicts_with = "solo")]
    pub tile_cells: Option<u32>,
    /// One tile over the level's bounds plus one cell.
    #[arg(long)]
    pub solo: bool,
    /// World x and z of the tile grid's corner.
    #[arg(long, value_name = "X,Z", value_parser = numbers::<2>, allow_hyphen_values = true)]
    pub origin: Option<[f64; 2]>,
    /// The tile grid's corner is the lowest corner of the level's bounds.
    #[arg(long, conflicts_with = "origin")]
    pub origin_from_bounds: bool,
    /// Most vertices of a polygon, 3 to 16.
    #[arg(long, value_name = "COUNT")]
    pub max_verts_per_poly: Option<u32>,
    /// World y of a 2D floor.
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    pub floor_y: Option<f64>,
    /// Area of polygons with no area of their own, 0 to 63.
    #[arg(long, value_name = "AREA")]
    pub area: Option<u8>,
    /// Flags of every polygon, 16 bits.
    #[arg(long, value_name = "BITS", value_parser = bits)]
    pub flags: Option<u16>,
    /// Snap grid of the 2D builder, 0 to 16 bits.
    #[arg(long, value_name = "BITS")]
    pub snap_bits: Option<i32>,
    /// How walkable spans are cut into regions.
    #[arg(long, value_enum)]
    pub partition: Option<Cut>,
    /// Regions of fewer cells that touch no other are dropped.
    #[arg(long, value_name = "CELLS")]
    pub min_region_area: Option<u32>,
    /// Regions of fewer cells merge into a neighbour.
    #[arg(long, value_name = "CELLS")]
    pub merge_region_area: Option<u32>,
    /// How far a simplified wall may stray from its cells, in cells.
    #[arg(long, value_name = "CELLS")]
    pub contour_max_error: Option<f64>,
    /// Longer wall edges are split; 0 never splits.
    #[arg(long, value_name = "LENGTH")]
    pub max_edge_length: Option<f64>,
    /// Distance of height samples; 0 turns height detail off.
    #[arg(long, value_name = "LENGTH")]
    pub detail_sample_distance: Option<f64>,
    /// How far the surface may stray from the samples.
    #[arg(long, value_name = "LENGTH")]
    pub detail_max_error: Option<f64>,
}

/// Where settings begin.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Preset {
    /// A person about two meters tall.
    #[default]
    Humanoid,
    /// Something half as large.
    Small,
    /// Something large.
    Large,
}

/// How walkable spans are cut into regions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Cut {
    /// Round regions, the best polygons.
    Watershed,
    /// Runs along x, fast.
    Monotone,
    /// Layers that never overlap themselves.
    Layers,
}

impl SettingsArgs {
    /// The settings for a level of these bounds (lowest and highest corner).
    pub fn settings(&self, (min, max): ([f32; 3], [f32; 3])) -> Outcome<NavSettings> {
        let preset = match self.preset {
            Preset::Humanoid => NavSettings::HUMANOID,
            Preset::Small => NavSettings::SMALL,
            Preset::Large => NavSettings::LARGE,
        };
        let cell_size = self.cell_size.unwrap_or(preset.cell_size);
        let [low_x, low_z] = [f64::from(min[0]), f64::from(min[2])];
        let from_bounds = self.origin_from_bounds || (self.solo && self.origin.is_none());
        let [origin_x, origin_z] =
            if from_bounds { [low_x, low_z] } else { self.origin.unwrap_or([preset.origin_x, preset.origin_z]) };
        let tile_size = match (self.tile_size, self.tile_cells) {
            _ if self.solo => {
                let far = (f64::from(max[0]) - origin_x).max(f64::from(max[2]) - origin_z);
                up_to_float32(far + cell_size)
            }
            (Some(size), _) => f64::from(size as f32),
            (None, Some(cells)) => f64::from((f64::from(cells) * cell_size) as f32),
            (None, None) => preset.tile_size,
        };
        if self.solo && !(low_x >= origin_x && low_z >= origin_z) {
            return Err(Failure::Other("--solo: the level reaches below the origin that was given".into()));
        }
        let settings = NavSettings {
            agent_radius: self.agent_radius.unwrap_or(preset.agent_radius),
            agent_height: self.agent_height.unwrap_or(preset.agent_height),
            walkable_climb: self.walkable_climb.unwrap_or(preset.walkable_climb),
            max_slope_degrees: self.max_slope.unwrap_or(preset.max_slope_degrees),
            cell_size,
            cell_height: self.cell_height.unwrap_or(preset.cell_height),
            tile_size,
            origin_x,
            origin_z,
            max_verts_per_poly: self.max_verts_per_poly.unwrap_or(preset.max_verts_per_poly),
            floor_y: self.floor_y.unwrap_or(preset.floor_y),
            area: self.area.unwrap_or(preset.area),
            flags: self.flags.unwrap_or(preset.flags),
            snap_bits: self.snap_bits.or(preset.snap_bits),
            partition: self.partition.map_or(preset.partition, |cut| match cut {
                Cut::Watershed => Partition::Watershed,
                Cut::Monotone => Partition::Monotone,
                Cut::Layers => Partition::Layers,
            }),
            min_region_area: self.min_region_area.unwrap_or(preset.min_region_area),
            merge_region_area: self.merge_region_area.unwrap_or(preset.merge_region_area),
            contour_max_error: self.contour_max_error.unwrap_or(preset.contour_max_error),
            max_edge_length: self.max_edge_length.unwrap_or(preset.max_edge_length),
            detail_sample_distance: self.detail_sample_distance.unwrap_or(preset.detail_sample_distance),
            detail_max_error: self.detail_max_error.unwrap_or(preset.detail_max_error),
        };
        settings.validate().map_err(Failure::refused("settings"))?;
        Ok(settings)
    }
}

/// The least float32 that is not below a value.
fn up_to_float32(value: f64) -> f64 {
    let near = value as f32;
    f64::from(if f64::from(near) < value { near.next_up() } else { near })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: ([f32; 3], [f32; 3]) = ([-5.0, 0.0, 1.0], [45.1, 9.0, 31.0]);

    #[test]
    fn without_flags_the_preset_stands() {
        assert_eq!(SettingsArgs::default().settings(BOUNDS).unwrap(), NavSettings::HUMANOID);
        let large = SettingsArgs { preset: Preset::Large, ..SettingsArgs::default() };
        assert_eq!(large.settings(BOUNDS).unwrap(), NavSettings::LARGE);
    }

    #[test]
    fn a_solo_tile_covers_the_bounds_and_one_cell() {
        let solo = SettingsArgs { solo: true, ..SettingsArgs::default() };
        let settings = solo.settings(BOUNDS).unwrap();
        assert_eq!([settings.origin_x, settings.origin_z], [-5.0, 1.0]);
        assert!(settings.tile_size >= f64::from(45.1f32) + 5.0 + 0.3 && settings.tile_size < 50.5);
        assert_eq!(f64::from(settings.tile_size as f32), settings.tile_size);
    }

    #[test]
    fn a_tile_of_cells_is_a_float32() {
        let tiled = SettingsArgs { tile_cells: Some(64), origin_from_bounds: true, ..SettingsArgs::default() };
        let settings = tiled.settings(BOUNDS).unwrap();
        assert_eq!(settings.tile_size, 19.200000762939453);
        assert_eq!(settings.origin_x, -5.0);
    }

    #[test]
    fn a_setting_out_of_range_is_named() {
        let wrong = SettingsArgs { cell_size: Some(-1.0), ..SettingsArgs::default() };
        assert!(wrong.settings(BOUNDS).unwrap_err().to_string().starts_with("settings: "));
        let below = SettingsArgs { solo: true, origin: Some([0.0, 0.0]), ..SettingsArgs::default() };
        assert!(below.settings(BOUNDS).is_err());
    }
}
