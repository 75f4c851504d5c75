//! The settings a mesh is built with: the agent, the cells, the tiles, and how much detail to keep
//! (`migrating.md`, "Building a mesh"; `build2d-tiles.md`, "Presets"; `navmesh-format.md`, "Tier-1 envelopes").

use super::params::{MeshParams, WORLD_BOUND, is_in_world};
use super::tile::MAX_AREA;
use crate::error::{Error, Result, Subject};
use crate::hash::Sha256;

/// The finest snap grid of the 2D builder: 2^-16.
const MAX_SNAP_BITS: i32 = 16;

/// How walkable spans are cut into regions.
///
/// The numbers are ours where the pages give none: they stand in saved settings and in the settings digest
/// (`docs/decisions.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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

impl NavSettings {
    /// The parameters of a mesh built with these settings and authored links. The origin's y is 0. Nothing is judged
    /// here: see [`validate`](NavSettings::validate) and [`MeshParams::validate`].
    pub const fn to_params(&self, links: &[OffMeshLinkDef]) -> MeshParams {
        self.with_digest(self.digest(links))
    }

    /// The same for links that are not in a slice.
    pub(super) fn params_of(&self, count: usize, links: impl Iterator<Item = OffMeshLinkDef>) -> MeshParams {
        let mut hash = self.begin_digest(count as u32);
        links.for_each(|link| link.hash_into(&mut hash));
        self.with_digest(end_digest(hash))
    }

    const fn with_digest(&self, settings_digest: u64) -> MeshParams {
        MeshParams {
            origin: [self.origin_x, 0.0, self.origin_z],
            tile_size: self.tile_size,
            cell_size: self.cell_size,
            // Out of range stays out of range.
            max_verts_per_poly: if self.max_verts_per_poly > 16 { u16::MAX } else { self.max_verts_per_poly as u16 },
            walkable_climb: self.walkable_climb as f32,
            agent_radius: self.agent_radius as f32,
            agent_height: self.agent_height as f32,
            max_slope_degrees: self.max_slope_degrees as f32,
            settings_digest,
        }
    }

    /// The settings that shape tiles but are no parameter, in 64 bits (`navmesh-format.md`, "Settings digest").
    pub const fn digest(&self, links: &[OffMeshLinkDef]) -> u64 {
        let mut hash = self.begin_digest(links.len() as u32);
        let mut i = 0;
        while i < links.len() {
            links[i].hash_into(&mut hash);
            i += 1;
        }
        end_digest(hash)
    }

    /// All that the digest covers before the links themselves.
    const fn begin_digest(&self, links: u32) -> Sha256 {
        let mut hash = Sha256::new();
        hash.update(b"ONSD");
        hash.update(&self.cell_height.to_le_bytes());
        let snap_bits = match self.snap_bits {
            Some(bits) => bits,
            None => -1,
        };
        hash.update(&snap_bits.to_le_bytes());
        hash.update(&(self.partition as i32).to_le_bytes());
        hash.update(&self.min_region_area.to_le_bytes());
        hash.update(&self.merge_region_area.to_le_bytes());
        hash.update(&(self.contour_max_error as f32).to_le_bytes());
        hash.update(&self.max_edge_length.to_le_bytes());
        hash.update(&self.detail_sample_distance.to_le_bytes());
        hash.update(&self.detail_max_error.to_le_bytes());
        hash.update(&self.floor_y.to_le_bytes());
        hash.update(&[self.area]);
        hash.update(&self.flags.to_le_bytes());
        hash.update(&links.to_le_bytes());
        hash
    }

    /// Checks every setting and names the first that is out of its range.
    ///
    /// Sizes and errors are finite and not negative, cell sizes above 0, the slope 0 to 90 degrees, origin and floor
    /// strictly within 2^21, 3 to 16 vertices a polygon, an area of at most 63, snap bits of 0 to 16, region areas of
    /// at most 2^31 - 1, and the tile size as [`MeshParams::validate`] has it.
    pub const fn validate(&self) -> Result<()> {
        if let Err(error) = self.to_params(&[]).validate() {
            return Err(error);
        }
        let sizes = [
            (self.agent_radius, Subject::AgentRadius),
            (self.agent_height, Subject::AgentHeight),
            (self.walkable_climb, Subject::WalkableClimb),
            (self.contour_max_error, Subject::ContourMaxError),
            (self.max_edge_length, Subject::MaxEdgeLength),
            (self.detail_sample_distance, Subject::DetailSampleDistance),
            (self.detail_max_error, Subject::DetailMaxError),
        ];
        let mut i = 0;
        while i < sizes.len() {
            // As float32 they must be finite too: that is what parameters and digest keep of them.
            let (value, subject) = sizes[i];
            if !(value >= 0.0 && (value as f32).is_finite()) {
                return Err(Error::invalid(subject).value(value));
            }
            i += 1;
        }
        self.validate_others()
    }

    const fn validate_others(&self) -> Result<()> {
        if !(self.max_slope_degrees >= 0.0 && self.max_slope_degrees <= 90.0) {
            return Err(Error::invalid(Subject::MaxSlope).value(self.max_slope_degrees).bound(90.0));
        }
        if !(self.cell_height > 0.0 && (self.cell_height as f32).is_finite() && self.cell_height as f32 > 0.0) {
            return Err(Error::invalid(Subject::CellHeight).value(self.cell_height));
        }
        if !is_in_world(self.floor_y) {
            return Err(Error::limit(Subject::FloorY).value(self.floor_y).bound(WORLD_BOUND));
        }
        if self.area > MAX_AREA {
            return Err(Error::invalid(Subject::Area).value(self.area as f64).bound(MAX_AREA as f64));
        }
        if let Some(bits) = self.snap_bits
            && (bits < 0 || bits > MAX_SNAP_BITS)
        {
            return Err(Error::invalid(Subject::SnapBits).value(bits as f64).bound(MAX_SNAP_BITS as f64));
        }
        if self.min_region_area > i32::MAX as u32 {
            return Err(Error::limit(Subject::MinRegionArea).value(self.min_region_area as f64).bound(i32::MAX as f64));
        }
        if self.merge_region_area > i32::MAX as u32 {
            let error = Error::limit(Subject::MergeRegionArea).value(self.merge_region_area as f64);
            return Err(error.bound(i32::MAX as f64));
        }
        Ok(())
    }
}

impl Default for NavSettings {
    fn default() -> Self {
        NavSettings::HUMANOID
    }
}

/// An authored off-mesh link, in world coordinates (`navmesh-format.md`, "Authoring").
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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

/// The first eight bytes of the hash, as a little-endian number.
const fn end_digest(hash: Sha256) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = hash.finish();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl OffMeshLinkDef {
    /// Checks that all coordinates lie strictly within 2^21, that the radius is above 0 and finite as float32, and the
    /// area at most 63. `index` is the link's number in its list.
    pub const fn validate(&self, index: usize) -> Result<()> {
        let error = Error::invalid(Subject::OffMeshLink).at(index);
        let mut axis = 0;
        while axis < 6 {
            let value = if axis < 3 { self.start[axis] } else { self.end[axis - 3] };
            if !is_in_world(value) {
                return Err(error.part(axis).value(value).bound(WORLD_BOUND));
            }
            axis += 1;
        }
        if !(self.radius > 0.0 && self.radius as f32 > 0.0 && (self.radius as f32).is_finite()) {
            return Err(error.part(6).value(self.radius));
        }
        if self.area > MAX_AREA {
            return Err(error.part(7).value(self.area as f64).bound(MAX_AREA as f64));
        }
        Ok(())
    }

    const fn hash_into(&self, hash: &mut Sha256) {
        let numbers = [self.start[0], self.start[1], self.start[2], self.end[0], self.end[1], self.end[2], self.radius];
        let mut i = 0;
        while i < numbers.len() {
            hash.update(&numbers[i].to_le_bytes());
            i += 1;
        }
        hash.update(&[self.bidirectional as u8, self.area]);
        hash.update(&self.flags.to_le_bytes());
        hash.update(&self.user_id.to_le_bytes());
    }
}
