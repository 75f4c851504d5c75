//! Everything a newcomer needs: `use navarena_alloc::prelude::*;`

pub use crate::{Error, ErrorKind, NavMesh, Path, PathOptions, Result, Subject};
pub use navarena::mesh::{NavSettings, OffMeshLinkDef, Partition, PolyRef};
pub use navarena::query::{Filter, PathEnd};
pub use navarena::search::PathStatus;
