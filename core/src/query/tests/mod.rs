//! Claims about queries, tested against independent oracles on random meshes.

mod area_runs;
mod areas;
mod boxes;
mod dijkstra;
mod drawing;
mod exact;
mod free_space;
mod islands;
mod links;
pub(crate) mod literal;
mod nearest;
mod paths;
mod random;
mod rays;
mod reachable;
mod refusals;
mod shortest;
mod slices;
mod storm;
mod straight;
mod visibility;
mod walks;
mod wall_distance;
mod walls;
pub(crate) mod world;
