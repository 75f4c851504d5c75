//! The limits of an avoidance set, and how much memory they take.

use super::super::NeighborIndex;
use super::super::box_index::BoxIndex;
use super::super::crew::DeskSize;
use super::super::ranges::{
    MAX_AGENTS, MAX_NEIGHBORS, MAX_OBSTACLE_EDGES, MAX_OBSTACLE_POINTS, MAX_WORKERS, Range, check_limit,
};
use super::Piece;
use crate::error::{Result, Subject};
use crate::memory::{Plan, Ruler};

/// What an [`Avoidance`](super::Avoidance) is made from.
///
/// Bytes: 59 an agent, 94 an obstacle point, for each worker 176 for each neighbour and each edge, and a hundredth of that
/// for what stands above them.
///
/// ```
/// use navarena::avoidance::AvoidanceDef;
/// const DEF: AvoidanceDef = AvoidanceDef { agents: 1000, obstacle_points: 0, ..AvoidanceDef::DEFAULT };
/// assert!(DEF.plan().bytes <= 1000 * 60 + 26 * 176);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AvoidanceDef {
    /// The most agents of a call, 1 to 2^20.
    pub agents: u32,
    /// How many neighbours each avoids at most, the nearest: 1 to 256.
    pub neighbors: u32,
    /// Agents whose centers are nearer than this are neighbours: above 0, finite.
    pub neighbor_distance: f64,
    /// For how long an agent means not to collide with others: finite, at least 1e-6.
    pub time_horizon: f64,
    /// The most obstacle points of a call, or spheres: up to 2^20.
    pub obstacle_points: u32,
    /// How many obstacle edges, circles or spheres each agent avoids at most, the nearest: 1 to 256.
    pub edges: u32,
    /// For how long an agent means not to collide with obstacles: finite, at least 1e-6.
    pub obstacle_horizon: f64,
    /// Among how many workers a call may be shared, 1 to 256.
    pub workers: u32,
}

impl AvoidanceDef {
    /// 4096 agents, each with its 10 nearest neighbours within 10 m, 2 s ahead; 4096 obstacle points, of which each agent
    /// avoids the 16 nearest edges, 2 s ahead; one worker. Some 620 KiB.
    pub const DEFAULT: AvoidanceDef = AvoidanceDef {
        agents: 4096,
        neighbors: 10,
        neighbor_distance: 10.0,
        time_horizon: 2.0,
        obstacle_points: 4096,
        edges: 16,
        obstacle_horizon: 2.0,
        workers: 1,
    };

    /// The memory that the set takes.
    pub const fn plan(&self) -> Plan {
        let (agents, points) = (self.agents as usize, self.obstacle_points as usize);
        Ruler::new()
            .then(NeighborIndex::plan(agents))
            .array::<Piece>(points)
            .then(BoxIndex::plan(points))
            .array::<[f64; 3]>(agents)
            .then(self.desk().plan())
            .plan()
    }

    pub(super) const fn desk(&self) -> DeskSize {
        DeskSize {
            neighbors: self.neighbors as usize,
            edges: self.edges as usize,
            space: true,
            workers: self.workers as usize,
        }
    }

    /// Refuses what is out of its range, by name.
    pub(super) fn validate(&self) -> Result<()> {
        check_limit(self.agents, 1, MAX_AGENTS, Subject::Agents)?;
        check_limit(self.neighbors, 1, MAX_NEIGHBORS, Subject::Neighbors)?;
        Range::Positive.check(self.neighbor_distance, Subject::NeighborDistance)?;
        Range::Time.check(self.time_horizon, Subject::TimeHorizon)?;
        check_limit(self.obstacle_points, 0, MAX_OBSTACLE_POINTS, Subject::ObstaclePoints)?;
        check_limit(self.edges, 1, MAX_OBSTACLE_EDGES, Subject::ObstacleEdges)?;
        Range::Time.check(self.obstacle_horizon, Subject::ObstacleHorizon)?;
        check_limit(self.workers, 1, MAX_WORKERS, Subject::Workers)
    }
}

impl Default for AvoidanceDef {
    fn default() -> Self {
        AvoidanceDef::DEFAULT
    }
}
