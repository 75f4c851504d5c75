//! Reading a mesh file, and searching paths as the command line asks.

use super::args::{Model, Portals, SearchArgs};
use crate::failure::{Failure, Outcome};
use navarena::hash::Sha256;
use navarena::mesh::PortalRule;
use navarena::query::NodeModel;
use navarena_alloc::prelude::*;
use std::path::Path as FilePath;

/// Reads a file's bytes.
pub fn bytes(path: &FilePath) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|reason| Failure::file(path, reason))
}

/// Reads and checks a mesh, and links its tiles as asked.
pub fn mesh(path: &FilePath, portals: Portals) -> Outcome<NavMesh> {
    let mesh = NavMesh::load(&bytes(path)?);
    let linked = match portals {
        Portals::Throughout => mesh,
        Portals::Somewhere => mesh.and_then(|mesh| mesh.with_portals(PortalRule::Somewhere)),
    };
    linked.map_err(Failure::refused(path.display().to_string()))
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    super::table::hex(&hash.finish())
}

impl SearchArgs {
    /// The options of a search.
    pub fn options(&self) -> Outcome<PathOptions> {
        let mut filter = Filter::new();
        for &(area, cost) in &self.cost {
            filter = filter.with_area_cost(area, cost).map_err(Failure::refused("--cost"))?;
        }
        if let Some(flags) = self.include {
            filter = filter.with_flags(flags);
        }
        if let Some(flags) = self.exclude {
            filter = filter.without_flags(flags);
        }
        let model = match self.model {
            Model::Polygon => NodeModel::Polygon,
            Model::Crossing => NodeModel::Crossing,
        };
        let half_extents = self.extents.unwrap_or(PathOptions::default().half_extents);
        Ok(PathOptions { filter, half_extents, model })
    }
}

/// Finds a path or says why there is none.
pub fn find_path(mesh: &NavMesh, from: [f64; 3], to: [f64; 3], options: &PathOptions) -> Outcome<Path> {
    let path = mesh.find_path_with(from, to, options).map_err(Failure::refused("path"))?;
    let off_the_mesh = |end: &str, at: [f64; 3]| {
        let [x, y, z] = options.half_extents;
        let place = super::table::point(at);
        Failure::Other(format!("path: no polygon within {x}, {y}, {z} of the {end} at {place}"))
    };
    match path.status() {
        PathStatus::StartInvalid => Err(off_the_mesh("start", from)),
        PathStatus::GoalInvalid => Err(off_the_mesh("goal", to)),
        _ if !path.has_path() => Err(Failure::Other("path: none".into())),
        _ => Ok(path),
    }
}

/// Why a partial path ends where it does, in words.
pub fn reason(end: PathEnd) -> &'static str {
    match end {
        PathEnd::NotSearched => "no search has run",
        PathEnd::Found => "the goal was reached",
        PathEnd::OutOfNodes => "the search ran out of nodes",
        PathEnd::TooLong => "longer ways were not followed",
        PathEnd::NotLoaded => "the way may lead over tiles that are not in the mesh",
        PathEnd::None => "the goal can't be reached",
        PathEnd::Unfinished => "the search was not finished",
    }
}
