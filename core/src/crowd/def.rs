//! What a crowd is made from: its limits, and how much memory that takes.

use super::agent::{Agent, Body, Motion};
use super::options::{AvoidanceQuality, CROWD_CORRIDOR};
use super::walls::Wall;
use crate::avoidance::{HalfPlane, MAX_WORKERS, Near, NeighborIndex};
use crate::corridor::{MAX_CORRIDOR, MIN_CORRIDOR};
use crate::error::{Error, Result, Subject};
use crate::follower::WalkPlan;
use crate::memory::{Grain, Plan, Ruler};
use crate::mesh::PolyRef;
use crate::query::noted_corners::NotedCorners;
use crate::query::{QueryDef, WallSegment};

/// The most agents of a crowd.
pub const MAX_AGENTS: u32 = 1 << 20;
/// The most walls that an agent keeps or avoids.
pub const MAX_WALLS: u32 = 1024;
/// The farthest that an agent walks before it looks for walls again.
const MAX_REFRESH: f64 = 1_048_576.0;

/// The limits of a [`Crowd`](super::Crowd).
///
/// Bytes: 731 an agent, 344 more if its corners are kept, 64 for each wall that it keeps and 8 for each polygon of its corridor; for each worker 960 and 80
/// for each wall that is avoided, or 72 for each wall that is kept if that is more. Each worker brings a query besides:
/// [`query`](CrowdDef::query).
///
/// ```
/// use navarena::crowd::CrowdDef;
/// use navarena::query::QueryDef;
/// const CROWD: CrowdDef = CrowdDef { agents: 16, walls: 12, keeps_corners: false, ..CrowdDef::DEFAULT };
/// const QUERY: QueryDef = QueryDef { nodes: 256, ..CROWD.query() };
/// assert!(CROWD.plan().bytes + QUERY.plan().bytes <= 64 << 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CrowdDef {
    /// The most agents, 1 to 2^20.
    pub agents: u32,
    /// The most polygons of an agent's corridor, 2 to 4096.
    pub corridor: u32,
    /// The most walls that an agent keeps, the nearest, 1 to 1024. Saved states are of crowds with the same number.
    pub walls: u32,
    /// How far an agent walks before it looks for walls again: 0 to 2^20.
    pub wall_refresh: f64,
    /// The most walls that an agent avoids at once, the nearest, 1 to 1024.
    pub walls_avoided: u32,
    /// Among how many workers a step may be shared, 1 to 256.
    pub workers: u32,
    /// Whether the half-planes of the last step are kept to be looked at: 32 bytes for each wall and neighbour avoided.
    pub records_constraints: bool,
    /// Whether the corners of an agent's way are kept from step to step, which makes a step half as long on ways of many
    /// polygons, at 344 bytes an agent. The results are the same.
    pub keeps_corners: bool,
}

impl CrowdDef {
    /// 1024 agents, corridors of 64, 48 walls kept and 8 avoided, looked for every unit, one worker: some 4.4 MB.
    pub const DEFAULT: CrowdDef = CrowdDef {
        agents: 1024,
        corridor: CROWD_CORRIDOR,
        walls: 48,
        wall_refresh: 1.0,
        walls_avoided: 8,
        workers: 1,
        records_constraints: false,
        keeps_corners: true,
    };

    /// The memory that the crowd takes.
    pub const fn plan(&self) -> Plan {
        let agents = self.agents as usize;
        Ruler::new()
            .array::<Agent>(agents)
            .array::<WalkPlan>(agents)
            .array::<Motion>(agents)
            .array::<Body>(agents)
            .array::<Wall>(agents.saturating_mul(self.walls as usize))
            .array::<PolyRef>(agents.saturating_mul(self.corridor as usize))
            .then(NeighborIndex::plan(agents))
            .array::<HalfPlane>(self.recorded(agents))
            .array::<u32>(if self.records_constraints { agents } else { 0 })
            .array::<NotedCorners>(self.noted())
            .array::<Grain>(self.desk_grains().saturating_mul(self.workers as usize))
            .array::<u32>(self.workers as usize)
            .plan()
    }

    /// A query for a worker of this crowd: 16384 nodes, as OnePath has it.
    pub const fn query(&self) -> QueryDef {
        QueryDef { nodes: 16_384, corridor: self.corridor, points: 8, ..QueryDef::DEFAULT }
    }

    pub(super) const fn constraints(&self) -> usize {
        (self.walls_avoided as usize).saturating_add(AvoidanceQuality::MAX_NEIGHBORS)
    }

    pub(super) const fn recorded(&self, agents: usize) -> usize {
        if self.records_constraints { agents.saturating_mul(self.constraints()) } else { 0 }
    }

    pub(super) const fn noted(&self) -> usize {
        if self.keeps_corners { self.agents as usize } else { 0 }
    }

    /// The work memory of a worker: for a search of walls or for an agent's constraints, in turns.
    pub(super) const fn desk_grains(&self) -> usize {
        let avoiding = Ruler::new()
            .array::<Near>(AvoidanceQuality::MAX_NEIGHBORS)
            .array::<Near>(self.walls_avoided as usize)
            .array::<HalfPlane>(self.constraints())
            .array::<HalfPlane>(self.constraints());
        Ruler::new().array::<WallSegment>(self.walls as usize).or(avoiding).plan().grains()
    }

    /// Refuses a limit out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        let counts = [
            (self.agents, 1, MAX_AGENTS, Subject::Agents),
            (self.corridor, MIN_CORRIDOR as u32, MAX_CORRIDOR as u32, Subject::CorridorCapacity),
            (self.walls, 1, MAX_WALLS, Subject::Walls),
            (self.walls_avoided, 1, MAX_WALLS, Subject::WallsAvoided),
            (self.workers, 1, MAX_WORKERS, Subject::Workers),
        ];
        for (value, least, most, subject) in counts {
            if value < least || value > most {
                let bound = if value < least { least } else { most };
                return Err(Error::limit(subject).value(value.into()).bound(bound.into()));
            }
        }
        let refresh = self.wall_refresh;
        if !refresh.is_finite() || refresh < 0.0 {
            return Err(Error::invalid(Subject::WallRefresh).value(refresh));
        }
        if refresh > MAX_REFRESH {
            return Err(Error::limit(Subject::WallRefresh).value(refresh).bound(MAX_REFRESH));
        }
        Ok(())
    }
}

impl Default for CrowdDef {
    fn default() -> Self {
        CrowdDef::DEFAULT
    }
}
