//! What a build did: the stage it reached and what it counted.

use crate::geometry::region::RegionReport;

/// The stages of a build, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum FloorStage {
    /// Checking the input and making the walkable region of it.
    #[default]
    Resolve = 0,
    /// Keeping the agent's radius from walls.
    Shrink = 1,
    /// Cutting along the lines between tiles, and triangles.
    Slice = 2,
    /// Handing out tiles.
    Tiles = 3,
    /// All of it.
    Done = 4,
}

impl FloorStage {
    /// The stage's name, one word.
    pub const fn name(self) -> &'static str {
        match self {
            FloorStage::Resolve => "resolve",
            FloorStage::Shrink => "shrink",
            FloorStage::Slice => "slice",
            FloorStage::Tiles => "tiles",
            FloorStage::Done => "done",
        }
    }
}

/// What one build counted. After a refusal it holds what was known by then, and `stage` says where it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloorReport {
    /// The stage reached; [`FloorStage::Done`] once every tile was handed out.
    pub stage: FloorStage,
    /// What the operations on regions counted, each the largest.
    pub region: RegionReport,
    /// Lines that cut the region, along x and along z.
    pub lines: [u32; 2],
    /// Vertices of the sliced region.
    pub vertices: u32,
    /// Its triangles.
    pub triangles: u32,
    /// Tiles that have any.
    pub tiles: u32,
    /// Polygons of the tiles handed out so far.
    pub polygons: u32,
    /// The most bytes of work memory in use at once.
    pub memory_peak: usize,
}

impl FloorReport {
    /// Before anything was done.
    pub(super) const NONE: FloorReport = FloorReport {
        stage: FloorStage::Resolve,
        region: RegionReport::NONE,
        lines: [0; 2],
        vertices: 0,
        triangles: 0,
        tiles: 0,
        polygons: 0,
        memory_peak: 0,
    };
}

impl Default for FloorReport {
    fn default() -> Self {
        FloorReport::NONE
    }
}
