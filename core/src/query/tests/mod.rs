//! Claims about queries, tested against independent oracles on random meshes.

mod areas;
mod dijkstra;
mod exact;
mod literal;
mod nearest;
mod paths;
mod random;
mod rays;
mod refusals;
mod slices;
mod straight;
mod visibility;
mod walls;
mod world;
