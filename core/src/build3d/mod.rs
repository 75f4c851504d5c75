//! The 3D builder: triangles in, one tile's bytes out, stage by stage, each stage public with its product.

pub mod compact;
pub mod frame;
