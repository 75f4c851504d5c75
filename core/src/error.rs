//! The one error of the library: what went wrong, with what, and by how much.
//!
//! The kinds carry Maul Nav's names and numbers (`maul-nav/types.md`, "Result codes"), so that a C API can hand them
//! out unchanged. Beside the kind stands the subject (a setting, an element of the input, a section of a file, a
//! limit), which one of many it was, and the value and the bound where there are any.

use core::fmt;

/// What kind of refusal this is, with Maul Nav's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(i8)]
pub enum ErrorKind {
    /// A mistake in the call: a value that is not a number, out of its range, or that fits nothing.
    Invalid = -1,
    /// A limit the caller set, or the memory the caller gave, ran out.
    Capacity = -2,
    /// A reference whose tile or link is gone.
    Stale = -3,
    /// The object's tier or form forbids the call.
    Unsupported = -4,
    /// A right call at the wrong moment.
    State = -6,
    /// Bytes of a format version that this reader does not know.
    Version = -7,
    /// Bytes that break a rule of their format.
    Format = -8,
    /// A value past a named bound of the library.
    Limit = -9,
    /// Called back in from a function of the caller's.
    Busy = -10,
    /// No tile is loaded there.
    NotLoaded = -32,
    /// A point outside the thing asked about.
    Outside = -33,
}

impl ErrorKind {
    /// The kind's name, one word or two.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::Invalid => "invalid",
            ErrorKind::Capacity => "capacity",
            ErrorKind::Stale => "stale",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::State => "state",
            ErrorKind::Version => "version",
            ErrorKind::Format => "format",
            ErrorKind::Limit => "limit",
            ErrorKind::Busy => "busy",
            ErrorKind::NotLoaded => "not loaded",
            ErrorKind::Outside => "outside",
        }
    }

    /// Maul Nav's number of the kind.
    pub const fn code(self) -> i32 {
        self as i8 as i32
    }
}

macro_rules! subjects {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What an error is about.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(u8)]
        #[allow(missing_docs)] // each name says what it is, and `name` spells it out
        pub enum Subject { $($(#[$doc])* $name,)* }

        impl Subject {
            /// The subject's name as it stands in a sentence.
            pub const fn name(self) -> &'static str {
                match self { $(Subject::$name => $text,)* }
            }
        }
    };
}

subjects! {
    // Memory.
    Memory = "memory",
    Count = "count",
    Slots = "slots",
    Range = "range",
    // Bytes and formats.
    Bytes = "bytes",
    Magic = "magic",
    FormatVersion = "format version",
    FormatFlags = "format flags",
    Fingerprint = "build fingerprint",
    Header = "header",
    Sections = "sections",
    Reserved = "reserved field",
    StateKind = "kind of saved state",
    State = "saved state",
    StateNode = "saved node",
    StateQueue = "saved queue entry",
    Settings = "settings",
    // Settings.
    AgentRadius = "agent radius",
    AgentHeight = "agent height",
    WalkableClimb = "walkable climb",
    MaxSlope = "maximum slope",
    CellSize = "cell size",
    CellHeight = "cell height",
    TileSize = "tile size",
    Origin = "origin",
    Bounds = "bounds",
    MaxVertsPerPoly = "vertices per polygon",
    FloorY = "floor height",
    Area = "area",
    Flags = "flags",
    SnapBits = "snap bits",
    Partition = "partition",
    MinRegionArea = "minimum region area",
    MergeRegionArea = "merge region area",
    ContourMaxError = "contour error",
    MaxEdgeLength = "longest edge",
    DetailSampleDistance = "detail sample distance",
    DetailMaxError = "detail error",
    MaxLocalExtent = "vertical reach",
    // Elements of an input or a tile.
    Mesh = "mesh",
    Vertex = "vertex",
    Triangle = "triangle",
    Index = "index",
    Terrain = "terrain",
    Sample = "sample",
    Cell = "cell",
    Volume = "volume",
    Point = "point",
    Chunk = "voxel chunk",
    Run = "voxel run",
    Tile = "tile",
    TilePosition = "tile position",
    Layer = "layer",
    Polygon = "polygon",
    Edge = "edge of polygon",
    Neighbor = "edge neighbour of polygon",
    PortalSide = "portal side of polygon",
    DetailMesh = "detail of polygon",
    DetailVertex = "detail vertex",
    DetailTriangle = "detail triangle",
    OffMeshLink = "off-mesh link",
    Link = "link",
    LinkRadius = "snap radius of a link",
    LinkCost = "cost of a link",
    LinkWidth = "width of a link",
    LinkKind = "kind of link",
    LinkDirection = "direction of an edge link",
    Slot = "slot",
    TileContent = "content of the tile in slot",
    PolygonEdits = "polygon edits of slot",
    Salt = "salt",
    Reference = "reference",
    // Limits of a def.
    Tiles = "tiles",
    Staged = "staged changes",
    Vertices = "vertices",
    Polygons = "polygons",
    Edges = "edges",
    Links = "links",
    Portals = "portal edges",
    StagedEdits = "staged edits",
    DetailVertices = "detail vertices",
    DetailTriangles = "detail triangles",
    OffMeshLinks = "off-mesh links",
    LinkCrossings = "link crossings",
    Triangles = "triangles",
    TileTriangles = "triangles of a tile",
    Columns = "columns",
    Rows = "rows",
    Spans = "spans",
    Regions = "regions",
    Layers = "layers",
    Contours = "contours",
    ContourVertices = "contour vertices",
    TileBytes = "tile bytes",
    IndexEntries = "tile index entries",
    Nodes = "nodes",
    PathLength = "path length",
    Corridor = "corridor",
    Points = "points",
    // Queries.
    Position = "position",
    Extents = "search extents",
    Radius = "radius",
    AreaCost = "area cost",
    Search = "search",
    // Grids.
    GridWidth = "grid width",
    GridHeight = "grid height",
    Rectangle = "rectangle of cells",
    Journal = "journal entries",
    AreaCosts = "area costs",
    AgentSize = "agent size",
    Step = "step of the path",
    Picture = "picture row",
    OpenEntries = "open entries",
    Heuristic = "heuristic",
    HeuristicWeight = "heuristic weight",
    Expansions = "recorded expansions",
    Engine = "search engine",
    Budget = "budget",
    Pending = "pending changes",
    Goals = "goals",
    ChunkSide = "side of a chunk",
    EntranceThreshold = "entrance threshold",
    AbstractNodes = "nodes of the hierarchy",
    ChunkCosts = "costs within chunks",
    Crossings = "crossings between chunks",
    Hierarchy = "hierarchy",
    // Corridors and followers.
    CorridorCapacity = "corridor capacity",
    Acceleration = "maximum acceleration",
    SlowRadius = "slow radius",
    ArrivalMinSpeed = "least speed of arrival",
    ArrivalRadius = "arrival radius",
    MaxCorners = "most corners",
    LookAhead = "look-ahead",
    OptimizeInterval = "interval of shortcuts",
    OptimizeRange = "range of shortcuts",
    OptimizeBudget = "budget of shortcuts",
    TopologyInterval = "interval of topology searches",
    TopologyBudget = "budget of topology searches",
    Window = "window of a topology search",
    ReplanBudget = "budget of replans",
    ReplanRounds = "most rounds of replanning",
    StuckWindow = "stuck window",
    StuckProgress = "stuck progress",
    StuckRecoveries = "stuck recoveries",
    OffMeshMode = "off-mesh mode",
    OffMeshSpeed = "off-mesh speed",
    OffMeshTriggerRadius = "off-mesh trigger radius",
    RefineBudget = "budget of refining",
    CornerClearance = "corner clearance",
    FollowerState = "state of the follower",
    FollowerTime = "time of the follower",
    RemainingDistance = "remaining distance",
    // Text files.
    Line = "line",
    // Avoidance.
    Agent = "agent",
    Agents = "agents",
    Obstacle = "obstacle",
    Obstacles = "obstacles",
    ObstaclePoints = "obstacle points",
    ObstacleEdges = "avoided obstacle edges",
    Neighbors = "neighbours",
    NeighborDistance = "neighbour distance",
    TimeHorizon = "time horizon",
    ObstacleHorizon = "obstacle horizon",
    TimeStep = "time step",
    Speed = "maximum speed",
    Velocity = "velocity",
    PreferredVelocity = "preferred velocity",
    Priority = "priority",
    Sphere = "sphere",
    Constraints = "constraints",
    Workers = "workers",
    // Crowds.
    AgentNumber = "number of the agent",
    LowestFreeSlot = "lowest free slot",
    Walls = "walls",
    WallsAvoided = "walls avoided",
    WallRefresh = "refresh distance of walls",
    WallClearance = "wall clearance",
    SeparationDistance = "separation distance",
    SeparationWeight = "separation weight",
    SidePreference = "side preference",
    AvoidanceQuality = "avoidance quality",
    Velocities = "velocities",
    // Regions of the plane.
    Outline = "outline",
    GridLine = "line of the tile map",
    Rings = "rings",
    Segments = "segments",
    EdgeCrossings = "crossings of edges",
    ArrangementRounds = "rounds of noding",
    OffsetDistance = "offset distance",
    OffsetPoint = "point of an offset",
    ArcTolerance = "arc tolerance",
    // The 2D builder.
    TileLine = "line between tiles",
    TileLines = "lines between tiles",
    TileLineCrossings = "crossings of lines between tiles",
}

/// Why a call was refused: a kind, a subject, which one, and the numbers.
///
/// It is small and `Copy`, and formats to one sentence:
///
/// ```
/// use navarena::error::{Error, ErrorKind, Subject};
/// let error = Error::limit(Subject::Vertex).at(3).value(4e6).bound(2097152.0);
/// assert_eq!(error.to_string(), "limit: vertex 3 is 4000000, past the bound of 2097152");
/// assert_eq!(error.kind(), ErrorKind::Limit);
/// assert_eq!(error.kind().code(), -9);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Error {
    value: f64,
    bound: f64,
    index: u32,
    part: u32,
    element: u32,
    kind: ErrorKind,
    subject: Subject,
    has: u8,
}

const HAS_VALUE: u8 = 1;
const HAS_BOUND: u8 = 2;
const NO_INDEX: u32 = u32::MAX;

impl Error {
    /// An error of a kind about a subject, with nothing more known yet.
    pub const fn new(kind: ErrorKind, subject: Subject) -> Error {
        Error { value: 0.0, bound: 0.0, index: NO_INDEX, part: NO_INDEX, element: NO_INDEX, kind, subject, has: 0 }
    }

    /// A mistake in the call.
    pub const fn invalid(subject: Subject) -> Error {
        Error::new(ErrorKind::Invalid, subject)
    }

    /// A limit the caller set is reached: `bound` is that limit.
    pub const fn capacity(subject: Subject, bound: usize) -> Error {
        Error::new(ErrorKind::Capacity, subject).bound(bound as f64)
    }

    /// A value past a bound of the library.
    pub const fn limit(subject: Subject) -> Error {
        Error::new(ErrorKind::Limit, subject)
    }

    /// Bytes that break a rule of their format.
    pub const fn format(subject: Subject) -> Error {
        Error::new(ErrorKind::Format, subject)
    }

    /// The same error, naming which of many the subject was.
    pub const fn at(mut self, index: usize) -> Error {
        self.index = if index >= NO_INDEX as usize { NO_INDEX - 1 } else { index as u32 };
        self
    }

    /// The same error, naming a part of the subject: an edge of a polygon, a corner of a volume.
    pub const fn part(mut self, part: usize) -> Error {
        self.part = if part >= NO_INDEX as usize { NO_INDEX - 1 } else { part as u32 };
        self
    }

    /// The same error, naming an element of the part: a vertex of an outline's ring.
    pub const fn element(mut self, element: usize) -> Error {
        self.element = if element >= NO_INDEX as usize { NO_INDEX - 1 } else { element as u32 };
        self
    }

    /// The same error about another subject: what a stage refuses as a vertex may be an outline's.
    pub const fn about(mut self, subject: Subject) -> Error {
        self.subject = subject;
        self
    }

    /// The same error with the value that was refused.
    pub const fn value(mut self, value: f64) -> Error {
        self.value = value;
        self.has |= HAS_VALUE;
        self
    }

    /// The same error with the bound that the value passed.
    pub const fn bound(mut self, bound: f64) -> Error {
        self.bound = bound;
        self.has |= HAS_BOUND;
        self
    }

    /// The same error as one of another kind: what a setting is refused for is a format's fault where it was read.
    pub const fn of_kind(mut self, kind: ErrorKind) -> Error {
        self.kind = kind;
        self
    }

    /// What kind of refusal this is.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the error is about.
    pub const fn subject(&self) -> Subject {
        self.subject
    }

    /// Which of many subjects, where there are many.
    pub const fn index(&self) -> Option<u32> {
        if self.index == NO_INDEX { None } else { Some(self.index) }
    }

    /// Which part of the subject, where it has parts.
    pub const fn part_index(&self) -> Option<u32> {
        if self.part == NO_INDEX { None } else { Some(self.part) }
    }

    /// Which element of the part, where it has elements.
    pub const fn element_index(&self) -> Option<u32> {
        if self.element == NO_INDEX { None } else { Some(self.element) }
    }

    /// The value that was refused, where there is one.
    pub const fn refused(&self) -> Option<f64> {
        if self.has & HAS_VALUE == 0 { None } else { Some(self.value) }
    }

    /// The bound that was passed or reached, where there is one.
    pub const fn limit_value(&self) -> Option<f64> {
        if self.has & HAS_BOUND == 0 { None } else { Some(self.bound) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.subject.name())?;
        if let Some(index) = self.index() {
            write!(f, " {index}")?;
        }
        if let Some(part) = self.part_index() {
            write!(f, ", part {part}")?;
        }
        if let Some(element) = self.element_index() {
            write!(f, ", element {element}")?;
        }
        match (self.refused(), self.limit_value()) {
            (Some(value), Some(bound)) => write!(f, " is {value}, past the bound of {bound}"),
            (Some(value), None) => write!(f, " is {value}"),
            (None, Some(bound)) => write!(f, ": the limit of {bound} is reached"),
            (None, None) => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// What a fallible call of the library returns.
pub type Result<T> = core::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn kinds_carry_maul_navs_numbers() {
        let codes = [
            (ErrorKind::Invalid, -1),
            (ErrorKind::Capacity, -2),
            (ErrorKind::Stale, -3),
            (ErrorKind::Unsupported, -4),
            (ErrorKind::State, -6),
            (ErrorKind::Version, -7),
            (ErrorKind::Format, -8),
            (ErrorKind::Limit, -9),
            (ErrorKind::Busy, -10),
            (ErrorKind::NotLoaded, -32),
            (ErrorKind::Outside, -33),
        ];
        for (kind, code) in codes {
            assert_eq!(kind.code(), code, "{}", kind.name());
        }
    }

    #[test]
    fn a_sentence_names_subject_value_and_bound() {
        let nan = Error::invalid(Subject::Vertex).at(7).value(f64::NAN);
        assert_eq!(nan.to_string(), "invalid: vertex 7 is NaN");
        let full = Error::capacity(Subject::Nodes, 512);
        assert_eq!(full.to_string(), "capacity: nodes: the limit of 512 is reached");
        let edge = Error::format(Subject::Edge).at(3).part(2);
        assert_eq!(edge.to_string(), "format: edge of polygon 3, part 2");
        let vertex = Error::limit(Subject::Vertex).value(3e6).about(Subject::Outline).at(4).part(0).element(7);
        assert_eq!(vertex.to_string(), "limit: outline 4, part 0, element 7 is 3000000");
        assert_eq!(vertex.element_index(), Some(7));
    }

    #[test]
    fn an_error_stays_small() {
        assert!(core::mem::size_of::<Error>() <= 32);
    }
}
