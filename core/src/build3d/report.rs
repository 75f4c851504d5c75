//! What a bake did: the stage it reached, what it counted, and what it gave up on.

/// The stages of a bake, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum BakeStage {
    /// Checking the input and choosing the tile's triangles.
    #[default]
    Input = 0,
    /// Triangles into solid spans.
    Rasterize = 1,
    /// Solid spans into the open spans above floors, filtered.
    Compact = 2,
    /// Keeping the agent's radius from walls; volumes.
    Erode = 3,
    /// Cutting walkable spans into regions.
    Regions = 4,
    /// Tracing and simplifying their outlines.
    Contours = 5,
    /// Convex polygons.
    Polygons = 6,
    /// Height detail.
    Detail = 7,
    /// The tile's bytes.
    Encode = 8,
    /// All of it.
    Done = 9,
}

impl BakeStage {
    /// The stage's name, one word.
    pub const fn name(self) -> &'static str {
        match self {
            BakeStage::Input => "input",
            BakeStage::Rasterize => "rasterize",
            BakeStage::Compact => "compact",
            BakeStage::Erode => "erode",
            BakeStage::Regions => "regions",
            BakeStage::Contours => "contours",
            BakeStage::Polygons => "polygons",
            BakeStage::Detail => "detail",
            BakeStage::Encode => "encode",
            BakeStage::Done => "done",
        }
    }
}

/// What one tile's bake counted. After a refusal it holds what was known by then, and `stage` says where it stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BakeReport {
    /// The stage reached; [`BakeStage::Done`] after a success.
    pub stage: BakeStage,
    /// A number that changes with everything that shaped the tile: settings, triangles, areas, volumes, links.
    pub fingerprint: u64,
    /// Triangles that reach the tile's grid.
    pub triangles: u32,
    /// Of those, the ones with no area, which were skipped.
    pub degenerate_triangles: u32,
    /// Solid spans.
    pub solid_spans: u32,
    /// Open spans above walkable floors.
    pub spans: u32,
    /// Regions, the border's not counted.
    pub regions: u32,
    /// Regions dropped because they were small and touched no other.
    pub dropped_regions: u32,
    /// Contours of the tile's own regions.
    pub contours: u32,
    /// Contours kept unsimplified because simplifying would have broken them.
    pub raw_contours: u32,
    /// Holes that no bridge joined to their outline.
    pub dropped_holes: u32,
    /// Polygons.
    pub polygons: u32,
    /// Vertices.
    pub vertices: u32,
    /// Ears clipped although none was valid.
    pub degenerate_ears: u32,
    /// Vertices that height detail added.
    pub detail_vertices: u32,
    /// Triangles of the height detail.
    pub detail_triangles: u32,
    /// Polygons whose detail stopped at its vertex limit.
    pub capped_details: u32,
    /// Height samples that found no floor.
    pub lost_samples: u32,
    /// Tiles written: one a layer that has polygons.
    pub layers: u32,
    /// Bytes of those tiles.
    pub tile_bytes: usize,
    /// The most bytes of work memory in use at once.
    pub memory_peak: usize,
}
