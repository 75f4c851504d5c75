//! Regions: the walkable spans cut into connected pieces of one area, by one of three partitions
//! (`build3d-regions.md`, sections 1 to 5).
//!
//! Everything here walks mutual links only. [`partition`] sees to that; who calls a stage alone calls
//! [`Compact::keep_mutual_links`] first.

pub mod components;
pub mod distance;
pub mod filter;
pub mod layers;
pub mod monotone;
pub mod watershed;

#[cfg(test)]
mod tests;

use super::compact::Compact;
use crate::error::Result;
use crate::memory::Arena;
pub use crate::mesh::settings::Partition;
use filter::{Filtering, IslandRule};

/// How walkable spans are cut into regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RegionSettings {
    /// Which partition.
    pub partition: Partition,
    /// A region of fewer spans that touches no other is removed.
    pub min_region_area: u32,
    /// A region of fewer spans merges into a neighbour of its area; not for layers.
    pub merge_region_area: u32,
    /// When small regions that touch no other are removed.
    pub islands: IslandRule,
}

impl Default for RegionSettings {
    fn default() -> Self {
        RegionSettings {
            partition: Partition::Watershed,
            min_region_area: 64,
            merge_region_area: 400,
            islands: IslandRule::BeforeMerging,
        }
    }
}

/// Partitions the walkable spans, filters the regions and numbers them from 1 in order of their first span.
///
/// Drops one-way links on the way. Scratch comes from the arena and goes back to it. Returns how many regions were
/// removed for being small and alone.
pub fn partition(field: &mut Compact<'_>, settings: &RegionSettings, arena: &mut Arena<'_>) -> Result<u32> {
    field.keep_mutual_links();
    match settings.partition {
        Partition::Watershed => watershed::partition_watershed(field, arena)?,
        Partition::Monotone => monotone::partition_monotone(field, arena)?,
        Partition::Layers => layers::partition_layers(field, arena)?,
    }
    let merge_area = match settings.partition {
        Partition::Layers => 0,
        Partition::Watershed | Partition::Monotone => settings.merge_region_area,
    };
    let filtering = Filtering { min_area: settings.min_region_area, merge_area, islands: settings.islands };
    filter::filter_regions(field, filtering, arena)
}

/// Gives every region span outside the tile's own `tile_cells` squared cells, which begin `border` cells from the
/// grid's corner, the id after the largest (`build3d-polys.md`, section 2, step 3).
///
/// That id becomes the field's `region_count`, and is returned; `None` where no region has a span inside, so that the
/// tile is empty. Linear in spans.
pub fn cut_border(field: &mut Compact<'_>, border: u32, tile_cells: u32) -> Option<u32> {
    let border_id = field.region_count + 1;
    let core = border..border.saturating_add(tile_cells);
    let mut inside = false;
    for z in 0..field.frame.depth {
        for x in 0..field.frame.width {
            let column = field.frame.column(x, z);
            let cell = field.cell(column);
            let regions = &mut field.regions[cell];
            if core.contains(&x) && core.contains(&z) {
                inside |= regions.iter().any(|&region| region > 0);
            } else {
                regions.iter_mut().filter(|region| **region > 0).for_each(|region| *region = border_id);
            }
        }
    }
    field.region_count = border_id;
    inside.then_some(border_id)
}
