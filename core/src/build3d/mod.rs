//! The 3D builder: triangles in, one tile's bytes out, stage by stage, each stage public with its product.

pub mod compact;
pub mod contours;
pub mod detail;
pub mod erosion;
pub mod filters;
pub mod frame;
pub mod heightfield;
pub mod local;
pub mod polygons;
pub mod rasterize;
pub mod regions;
pub mod volumes;
pub mod voxel_chunk;

#[cfg(test)]
pub(crate) mod oracle;
#[cfg(test)]
mod stage_tests;
#[cfg(test)]
pub(crate) mod test_fields;
