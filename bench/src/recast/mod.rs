//! Recast and Detour 1.6, driven through their C++ interface.
//!
//! This is the only module of the repository outside the core's square root that holds unsafe code, and it is never
//! part of a product: the two libraries can be called in no other way. What keeps it sound is written at each block;
//! in general, every pointer that comes from a library is checked for null, lives in an owner that frees it with that
//! library's own function, and lengths come from the structure that holds the array.
#![allow(unsafe_code)]

pub mod bake;
pub mod check;
pub mod crowd;
pub mod memory;
pub mod path;
pub mod queries;

use recastnavigation_sys as sys;

/// Makes a type that owns what a library made: it frees it when dropped.
macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $type:ident, $make:expr, $free:expr) => {
        $(#[$doc])*
        pub(crate) struct $name(*mut sys::$type);

        impl $name {
            /// Asks the library for a new object.
            fn new() -> Result<Self, String> {
                // SAFETY: the library's own constructor, which takes nothing and gives a valid object or null.
                let made = unsafe { $make };
                if made.is_null() { Err(concat!("no memory for a ", stringify!($type)).to_string()) } else { Ok($name(made)) }
            }

            /// The object, for a call of the library.
            fn get(&self) -> *mut sys::$type {
                self.0
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the pointer came from `new`, is freed once, here, by the library that made it.
                unsafe { $free(self.0) }
            }
        }
    };
}
owner!(Context, rcContext, sys::CreateContext(false), sys::DeleteContext);
owner!(Heightfield, rcHeightfield, sys::rcAllocHeightfield(), sys::rcFreeHeightField);
owner!(Compact, rcCompactHeightfield, sys::rcAllocCompactHeightfield(), sys::rcFreeCompactHeightfield);
owner!(Contours, rcContourSet, sys::rcAllocContourSet(), sys::rcFreeContourSet);
owner!(Polygons, rcPolyMesh, sys::rcAllocPolyMesh(), sys::rcFreePolyMesh);
owner!(Detail, rcPolyMeshDetail, sys::rcAllocPolyMeshDetail(), sys::rcFreePolyMeshDetail);
owner!(Mesh, dtNavMesh, sys::dtAllocNavMesh(), sys::dtFreeNavMesh);
owner!(Query, dtNavMeshQuery, sys::dtAllocNavMeshQuery(), sys::dtFreeNavMeshQuery);
owner!(CrowdOwner, dtCrowd, sys::dtAllocCrowd(), sys::dtFreeCrowd);

/// What a call of Recast's that says only "it worked" means.
fn worked(step: &str, ok: bool) -> Result<(), String> {
    if ok { Ok(()) } else { Err(format!("Recast failed: {step}")) }
}

/// What a status of Detour's means.
fn succeeded(step: &str, status: sys::dtStatus) -> Result<(), String> {
    if status & sys::DT_SUCCESS != 0 { Ok(()) } else { Err(format!("Detour failed: {step} ({status:#x})")) }
}
