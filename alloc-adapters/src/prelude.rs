//! Everything a newcomer needs: `use navarena_alloc::prelude::*;`

pub use crate::{
    Crowd, Error, ErrorKind, Follower, Grid, GridPath, NavMesh, Path, PathOptions, RayHit, Region, Result, Subject,
};
pub use navarena::crowd::{AgentId, AgentOptions};
pub use navarena::follower::{FollowerOptions, FollowerState};
pub use navarena::grid::{
    Blocked, Cell, CellRect, Connectivity, DiagonalRule, GridAlgorithm, GridOptions, GridSpace, HeuristicKind,
    Movement, StepCosts, WALL,
};
pub use navarena::math::SplitMix64;
pub use navarena::mesh::{LinkDef, LinkId, NavSettings, OffMeshLinkDef, Partition, PolyRef};
pub use navarena::query::{Filter, Nearest, PathEnd, RandomPoint};
pub use navarena::search::PathStatus;
