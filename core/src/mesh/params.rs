//! The parameters that tie a mesh's tiles together: the grid, the agent, and the fingerprint that every tile carries
//! (`navmesh-format.md`, "Coordinate rule", "Mesh", "Build fingerprint").

use crate::error::{Error, Result, Subject};
use crate::hash::Sha256;

/// World coordinates lie strictly within plus and minus this.
pub const WORLD_BOUND: f64 = 2_097_152.0;
/// The version of the tile and mesh layouts.
pub const FORMAT_VERSION: u16 = 2;
/// Bytes of the parameter block, as the mesh header stores it.
pub const PARAMS_BYTES: usize = 68;
/// The most cells along a tile's side.
pub const MAX_TILE_CELLS: f64 = 8192.0;

/// 128 bits that name every setting that shapes a tile's content.
pub type Fingerprint = [u8; 16];

/// What a mesh and its tiles agree on: the 68 bytes of the parameter block.
///
/// World units throughout. [`validate`](MeshParams::validate) states the ranges; a mesh refuses parameters that break
/// them, and a tile that was built for other parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeshParams {
    /// The tile grid's corner in x and z; y is only recorded.
    pub origin: [f64; 3],
    /// Side of a tile, exact as float32 and at most 8192 cells.
    pub tile_size: f64,
    /// Side of a cell: the resolution that vertices keep.
    pub cell_size: f64,
    /// Most vertices of a polygon, 3 to 16.
    pub max_verts_per_poly: u16,
    /// The highest step between polygons that stitching joins.
    pub walkable_climb: f32,
    /// The agent's radius.
    pub agent_radius: f32,
    /// The agent's height.
    pub agent_height: f32,
    /// The agent's steepest slope, 0 to 90 degrees.
    pub max_slope_degrees: f32,
    /// The builder's settings that are no parameter, in 64 bits; 0 for parameters made by hand.
    pub settings_digest: u64,
}

impl MeshParams {
    /// Checks every rule: finite origins strictly within the world bound, a positive finite cell size, a positive tile
    /// size that float32 holds exactly and that is at most 8192 cells, 3 to 16 vertices a polygon, finite and
    /// non-negative climb, radius and height, a slope of 0 to 90 degrees.
    pub const fn validate(&self) -> Result<()> {
        let mut axis = 0;
        while axis < 3 {
            let value = self.origin[axis];
            if !value.is_finite() {
                return Err(Error::invalid(Subject::Origin).at(axis).value(value));
            }
            if !is_in_world(value) {
                return Err(Error::limit(Subject::Origin).at(axis).value(value).bound(WORLD_BOUND));
            }
            axis += 1;
        }
        if !is_positive(self.cell_size) {
            return Err(Error::invalid(Subject::CellSize).value(self.cell_size));
        }
        let side = self.tile_size;
        if !is_positive(side) || (side as f32) as f64 != side {
            return Err(Error::invalid(Subject::TileSize).value(side));
        }
        if side > MAX_TILE_CELLS * self.cell_size {
            return Err(Error::limit(Subject::TileSize).value(side).bound(MAX_TILE_CELLS * self.cell_size));
        }
        if self.max_verts_per_poly < 3 {
            return Err(Error::invalid(Subject::MaxVertsPerPoly).value(self.max_verts_per_poly as f64).bound(3.0));
        }
        if self.max_verts_per_poly > 16 {
            return Err(Error::invalid(Subject::MaxVertsPerPoly).value(self.max_verts_per_poly as f64).bound(16.0));
        }
        if let Err(error) = non_negative(self.walkable_climb, Subject::WalkableClimb) {
            return Err(error);
        }
        if let Err(error) = non_negative(self.agent_radius, Subject::AgentRadius) {
            return Err(error);
        }
        if let Err(error) = non_negative(self.agent_height, Subject::AgentHeight) {
            return Err(error);
        }
        if !(self.max_slope_degrees >= 0.0 && self.max_slope_degrees <= 90.0) {
            return Err(Error::invalid(Subject::MaxSlope).value(self.max_slope_degrees as f64).bound(90.0));
        }
        Ok(())
    }

    /// How far a tile's coordinates may lie from its origin: 16384 cells.
    pub const fn max_local_extent(&self) -> f64 {
        16384.0 * self.cell_size
    }

    /// The tile's far side in its own coordinates, as float32 and exact.
    pub const fn far_side(&self) -> f32 {
        self.tile_size as f32
    }

    /// World x and z of a tile's corner: the product, then the sum, in double.
    pub const fn tile_origin(&self, x: i32, z: i32) -> [f64; 2] {
        [self.origin[0] + x as f64 * self.tile_size, self.origin[2] + z as f64 * self.tile_size]
    }

    /// The tile column under a world position: `floor((v - origin) / tile size)` along each axis; `None` where that is
    /// no 32-bit number.
    pub fn world_to_tile(&self, x: f64, z: f64) -> Option<(i32, i32)> {
        let column = floor_to_i32((x - self.origin[0]) / self.tile_size)?;
        let row = floor_to_i32((z - self.origin[2]) / self.tile_size)?;
        Some((column, row))
    }

    /// The parameter block, as the mesh header stores it.
    pub const fn to_bytes(&self) -> [u8; PARAMS_BYTES] {
        let mut block = [0; PARAMS_BYTES];
        put(&mut block, 0, &self.origin[0].to_le_bytes());
        put(&mut block, 8, &self.origin[1].to_le_bytes());
        put(&mut block, 16, &self.origin[2].to_le_bytes());
        put(&mut block, 24, &self.tile_size.to_le_bytes());
        put(&mut block, 32, &self.cell_size.to_le_bytes());
        put(&mut block, 40, &self.max_verts_per_poly.to_le_bytes());
        put(&mut block, 44, &self.walkable_climb.to_le_bytes());
        put(&mut block, 48, &self.agent_radius.to_le_bytes());
        put(&mut block, 52, &self.agent_height.to_le_bytes());
        put(&mut block, 56, &self.max_slope_degrees.to_le_bytes());
        put(&mut block, 60, &self.settings_digest.to_le_bytes());
        block
    }

    /// Reads a parameter block and checks it; every refusal is one of format.
    pub fn from_bytes(block: &[u8; PARAMS_BYTES]) -> Result<MeshParams> {
        let [double0, double1, double2, double3, double4] =
            [0, 8, 16, 24, 32].map(|at| f64::from_le_bytes(get(block, at)));
        let [climb, radius, height, slope] = [44, 48, 52, 56].map(|at| f32::from_le_bytes(get(block, at)));
        if block[42] != 0 || block[43] != 0 {
            return Err(Error::format(Subject::Reserved).value(u16::from_le_bytes(get(block, 42)).into()));
        }
        let params = MeshParams {
            origin: [double0, double1, double2],
            tile_size: double3,
            cell_size: double4,
            max_verts_per_poly: u16::from_le_bytes(get(block, 40)),
            walkable_climb: climb,
            agent_radius: radius,
            agent_height: height,
            max_slope_degrees: slope,
            settings_digest: u64::from_le_bytes(get(block, 60)),
        };
        params.validate().map_err(super::format::as_format)?;
        Ok(params)
    }

    /// The first 16 bytes of SHA-256 over `ONFP`, the format version and the parameter block.
    pub const fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(b"ONFP");
        hash.update(&FORMAT_VERSION.to_le_bytes());
        hash.update(&self.to_bytes());
        let hash = hash.finish();
        let mut fingerprint = [0; 16];
        let mut i = 0;
        while i < 16 {
            fingerprint[i] = hash[i];
            i += 1;
        }
        fingerprint
    }
}

/// Whether a coordinate lies strictly within the world's bound; NaN does not.
pub(super) const fn is_in_world(value: f64) -> bool {
    value.abs() < WORLD_BOUND
}

const fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

const fn non_negative(value: f32, subject: Subject) -> Result<()> {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { Err(Error::invalid(subject).value(value as f64)) }
}

const fn put<const N: usize>(block: &mut [u8; PARAMS_BYTES], at: usize, bytes: &[u8; N]) {
    let mut i = 0;
    while i < N {
        block[at + i] = bytes[i];
        i += 1;
    }
}

fn get<const N: usize>(block: &[u8; PARAMS_BYTES], at: usize) -> [u8; N] {
    core::array::from_fn(|i| block[at + i])
}

/// The largest integer not above a number, where 32 bits hold it.
fn floor_to_i32(value: f64) -> Option<i32> {
    if !(-2147483648.0..2147483648.0).contains(&value) {
        return None;
    }
    let towards_zero = value as i32;
    Some(if f64::from(towards_zero) > value { towards_zero - 1 } else { towards_zero })
}
