//! Claims about queries, tested against independent oracles on random meshes.

mod areas;
mod dijkstra;
mod literal;
mod nearest;
mod paths;
mod refusals;
mod slices;
mod straight;
mod visibility;
mod world;
