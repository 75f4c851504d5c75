//! What a floor builder is made from, and the snap grid that the cell size allows
//! (`build2d-tiles.md`, "Snap grid and the format").

use crate::error::{Error, Result, Subject};
use crate::geometry::convex::partition_plan;
use crate::geometry::region::{Edge, GridPoint, MAX_SNAP_BITS, RegionDef, SnapGrid};
use crate::geometry::triangulation::{RegionTriangle, triangulation_plan};
use crate::memory::{Plan, Ruler};
use crate::mesh::{NavSettings, OffMeshLinkDef};

/// A cell is at most this many grid units: then two grid points stay apart as a tile's floats, and none is pulled onto a
/// tile's side.
const UNITS_PER_CELL: f64 = 256.0;

/// The finest snap grid that a mesh of these cells can carry: the most bits up to 16 whose unit is at least 1/256 of a
/// cell; `None` where the cells are too large for any.
///
/// ```
/// use navarena::build2d::finest_snap_bits;
/// assert_eq!([0.3, 1.0, 256.0].map(finest_snap_bits), [Some(9), Some(8), Some(0)]);
/// assert_eq!([257.0, f64::NAN].map(finest_snap_bits), [None; 2]);
/// ```
pub const fn finest_snap_bits(cell_size: f64) -> Option<u32> {
    let mut bits = MAX_SNAP_BITS + 1;
    while bits > 0 {
        bits -= 1;
        if cell_size <= UNITS_PER_CELL / (1u64 << bits) as f64 {
            return Some(bits);
        }
    }
    None
}

/// The snap grid of a build with these settings: theirs, or the finest that the cell size allows. A finer one is refused
/// with the bits to use; cells too large for any grid are refused too.
pub const fn snap_grid_of(settings: &NavSettings) -> Result<SnapGrid> {
    let Some(finest) = finest_snap_bits(settings.cell_size) else {
        return Err(Error::limit(Subject::CellSize).value(settings.cell_size).bound(UNITS_PER_CELL));
    };
    match settings.snap_bits {
        None => SnapGrid::new(finest),
        Some(bits) if bits >= 0 && bits as u32 <= finest => SnapGrid::new(bits as u32),
        Some(bits) => Err(Error::invalid(Subject::SnapBits).value(bits as f64).bound(finest as f64)),
    }
}

/// How much a build may hold at most. Every limit reached is a capacity error with the limit's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloorLimits {
    /// The limits of each operation on regions: outlines, shrinking, slicing.
    pub region: RegionDef,
    /// Bytes of work memory.
    pub bytes: usize,
}

impl FloorLimits {
    /// A tile map or a floor plan of some thousand corners, in 32 MiB.
    pub const DEFAULT: FloorLimits = FloorLimits {
        region: RegionDef { edges: 1 << 15, crossings: 1 << 15, segments: 1 << 16, points: 1 << 16, rings: 1 << 13 },
        bytes: 32 << 20,
    };

    /// Bytes that are enough for any build within the limits of regions; most need far less, as the report says.
    pub const fn sufficient_bytes(region: &RegionDef) -> usize {
        let vertices = {
            let (by_edges, by_segments) =
                (region.edges.saturating_mul(2).saturating_add(region.crossings), region.segments.saturating_mul(2));
            if by_edges < by_segments { by_edges } else { by_segments }
        };
        let triangles = vertices.saturating_mul(2);
        let held = Ruler::new().array::<GridPoint>(region.points + 1).array::<u32>(region.rings + 8);
        let sliced = Ruler::new().array::<GridPoint>(vertices).array::<RegionTriangle>(triangles);
        let tile =
            Ruler::new().then(partition_plan(triangles)).array::<[u64; 16]>(vertices).array::<[u64; 8]>(triangles);
        Ruler::new()
            .then(held.plan())
            .then(held.plan())
            .then(held.plan())
            .array::<Edge>(region.edges)
            .then(region.plan())
            .then(sliced.plan())
            .array::<[u64; 3]>(triangles)
            .then(triangulation_plan(vertices))
            .then(tile.plan())
            .array::<u64>(4 << 12)
            .plan()
            .bytes
    }
}

impl Default for FloorLimits {
    fn default() -> Self {
        FloorLimits::DEFAULT
    }
}

/// What a floor builder is made from.
///
/// ```
/// use navarena::build2d::{FloorDef, FloorLimits};
/// const DEF: FloorDef = FloorDef { limits: FloorLimits { bytes: 256 << 10, ..FloorLimits::DEFAULT }, ..FloorDef::HUMANOID };
/// const BYTES: usize = DEF.plan().bytes;
/// assert_eq!(BYTES, 256 << 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloorDef<'d> {
    /// What shapes the mesh. Of the settings a floor has no use for slopes, climbs, heights and regions; they are part of
    /// the fingerprint all the same.
    pub settings: NavSettings,
    /// The off-mesh links that tiles carry; part of the settings' digest.
    pub links: &'d [OffMeshLinkDef],
    /// How much a build holds at most.
    pub limits: FloorLimits,
}

impl FloorDef<'static> {
    /// A builder for [`NavSettings::HUMANOID`].
    pub const HUMANOID: FloorDef<'static> = FloorDef::of(NavSettings::HUMANOID);

    /// A builder for settings, without authored links, with default limits. The settings are judged when the builder is
    /// made.
    pub const fn of(settings: NavSettings) -> FloorDef<'static> {
        FloorDef { settings, links: &[], limits: FloorLimits::DEFAULT }
    }
}

impl FloorDef<'_> {
    /// The memory that the builder takes: its limit of bytes.
    pub const fn plan(&self) -> Plan {
        Ruler::new().array::<u8>(self.limits.bytes).plan()
    }
}
