//! The settings a mesh is built with: the agent, the cells, the tiles, and how much detail to keep
//! (`migrating.md`, "Building a mesh"; `build2d-tiles.md`, "Presets"; `navmesh-format.md`, "Tier-1 envelopes").

/// How walkable spans are cut into regions.
///
/// The numbers are ours where the pages give none: they stand in saved settings and in the settings digest
/// (`docs/decisions.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Partition {
    /// Basins of the distance field: round regions, the best polygons, the slowest.
    #[default]
    Watershed = 0,
    /// Runs along x: fast, long thin regions.
    Monotone = 1,
    /// Height layers that never overlap themselves: the cheapest to rebuild.
    Layers = 2,
}

/// What shapes a mesh, in world units where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavSettings {
    /// How far walls keep the agent's center away.
    pub agent_radius: f64,
    /// The headroom the agent needs.
    pub agent_height: f64,
    /// The highest step it takes.
    pub walkable_climb: f64,
    /// The steepest slope it walks, 0 to 90 degrees.
    pub max_slope_degrees: f64,
    /// Side of a cell on the ground.
    pub cell_size: f64,
    /// Height of a row of cells.
    pub cell_height: f64,
    /// Side of a tile; must be exact as float32.
    pub tile_size: f64,
    /// World x of the tile grid's corner.
    pub origin_x: f64,
    /// World z of the tile grid's corner.
    pub origin_z: f64,
    /// Most vertices of a polygon, 3 to 16.
    pub max_verts_per_poly: u32,
    /// World y of a 2D floor.
    pub floor_y: f64,
    /// Area of polygons with no area of their own, 0 to 63.
    pub area: u8,
    /// Flags of every polygon.
    pub flags: u16,
    /// The 2D builder's snap grid; `None` chooses the finest that the cell size allows.
    pub snap_bits: Option<i32>,
    /// How regions are cut.
    pub partition: Partition,
    /// Regions of fewer cells that touch no other are dropped; a count of cells.
    pub min_region_area: u32,
    /// Regions of fewer cells merge into a neighbour; a count of cells.
    pub merge_region_area: u32,
    /// How far a simplified wall may stray from its cells, in cells.
    pub contour_max_error: f64,
    /// Longer wall edges are split; 0 never splits.
    pub max_edge_length: f64,
    /// Distance of height samples; 0 turns height detail off.
    pub detail_sample_distance: f64,
    /// How far the surface may stray from the samples.
    pub detail_max_error: f64,
}

impl NavSettings {
    /// A person about two meters tall.
    pub const HUMANOID: NavSettings = NavSettings {
        agent_radius: 0.6,
        agent_height: 2.0,
        walkable_climb: 0.9,
        max_slope_degrees: 45.0,
        cell_size: 0.3,
        cell_height: 0.2,
        tile_size: 64.0,
        origin_x: 0.0,
        origin_z: 0.0,
        max_verts_per_poly: 6,
        floor_y: 0.0,
        area: 0,
        flags: 1,
        snap_bits: None,
        partition: Partition::Watershed,
        min_region_area: 64,
        merge_region_area: 400,
        contour_max_error: 1.3,
        max_edge_length: 3.6,
        detail_sample_distance: 1.8,
        detail_max_error: 0.2,
    };

    /// Something half as large: a child, a dog, a small robot.
    pub const SMALL: NavSettings = NavSettings {
        agent_radius: 0.3,
        agent_height: 1.0,
        walkable_climb: 0.4,
        cell_size: 0.15,
        tile_size: 32.0,
        ..NavSettings::HUMANOID
    };

    /// Something large: a troll, a truck.
    pub const LARGE: NavSettings = NavSettings {
        agent_radius: 1.5,
        agent_height: 4.0,
        walkable_climb: 1.2,
        max_slope_degrees: 40.0,
        cell_size: 0.5,
        tile_size: 128.0,
        ..NavSettings::HUMANOID
    };
}

impl Default for NavSettings {
    fn default() -> Self {
        NavSettings::HUMANOID
    }
}

/// An authored off-mesh link, in world coordinates (`navmesh-format.md`, "Authoring").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffMeshLinkDef {
    /// Where it leaves the ground.
    pub start: [f64; 3],
    /// Where it arrives.
    pub end: [f64; 3],
    /// How far a polygon may lie from an end to be attached to it; above 0.
    pub radius: f64,
    /// Whether it is crossed both ways.
    pub bidirectional: bool,
    /// Its area, 0 to 63.
    pub area: u8,
    /// Its flags.
    pub flags: u16,
    /// The caller's number.
    pub user_id: u32,
}
