//! Every Moving AI map as a floor of radius 0, its scenarios asked for shortest ways: as long as the straight line at least,
//! as the published way from cell to cell at most, and reachable exactly where that is.

use std::path::Path;

use navarena::error::Result;
use navarena::grid::Cell;
use navarena::memory::Arena;
use navarena::mesh::{NavMesh as CoreMesh, NavSettings};
use navarena::query::{Filter, Query, QueryDef, nearest_polygon};
use navarena_alloc::NavMesh;

use crate::moving_ai::{Benchmark, Instance};
use crate::ours::{polygon_count, region};

/// A cell is a unit, and whoever walks has no width.
const SETTINGS: NavSettings = NavSettings { agent_radius: 0.0, cell_size: 1.0, ..NavSettings::HUMANOID };
const QUERY: QueryDef = QueryDef { nodes: 1 << 18, corridor: 1 << 16, points: 1 << 16, ..QueryDef::DEFAULT };
/// How far rounding may carry a length past a bound, as a part of it.
const ROUNDING: f64 = 1e-9;

/// What was found on one map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The map.
    pub map: String,
    /// Tiles and polygons of its floor.
    pub floor: [usize; 2],
    /// Instances asked.
    pub asked: usize,
    /// Those with a way.
    pub reachable: usize,
    /// Our ways together, as a part of the published ones together.
    pub ratio: f64,
    /// What was answered otherwise, in words.
    pub wrong: Vec<String>,
}

/// Asks at most so many instances of one map, evenly spread over its file.
///
/// # Errors
/// A file that can't be read; a refusal by the library.
pub fn ask_map(data: &Path, name: &str, most: usize) -> std::result::Result<Found, String> {
    let benchmark = Benchmark::load(data, name)?;
    let mut found = Found { map: name.to_string(), ..Found::default() };
    let mut lengths = [0.0; 2];
    let parts = [(&benchmark.areas, &benchmark.instances), (&benchmark.trees, &benchmark.in_trees)];
    for (areas, instances) in parts.into_iter().filter(|(_, instances)| !instances.is_empty()) {
        let sample = instances.iter().step_by(instances.len().div_ceil(most).max(1));
        ask_cells(&benchmark, areas, sample, &mut found, &mut lengths).map_err(|error| format!("{name}: {error}"))?;
    }
    found.ratio = lengths[0] / lengths[1];
    Ok(found)
}

fn ask_cells<'i>(
    benchmark: &Benchmark,
    areas: &[u8],
    instances: impl Iterator<Item = &'i Instance>,
    found: &mut Found,
    lengths: &mut [f64; 2],
) -> Result<()> {
    let grid = navarena_alloc::Grid::from_cells(benchmark.width, benchmark.height, areas)?;
    let mesh = NavMesh::build_2d(&grid, &SETTINGS)?;
    found.floor[0] += mesh.core().tile_count();
    found.floor[1] += polygon_count(mesh.core());
    let mut memory = region(QUERY.plan());
    let mut query = Query::new(&QUERY, &mut Arena::new(&mut memory))?;
    for instance in instances {
        found.asked += 1;
        let way = way(mesh.core(), &mut query, instance)?;
        found.reachable += usize::from(way.is_some());
        let published = (instance.length > 0.0 || instance.start == instance.goal).then_some(instance.length);
        let is_right = match (way, published) {
            (None, None) => true,
            (Some(length), Some(octile)) => {
                lengths[0] += length;
                lengths[1] += octile;
                let straight = straight(instance);
                let is_short = length <= octile * (1.0 + ROUNDING) || benchmark.is_length(instance, length);
                is_short && length >= straight * (1.0 - ROUNDING)
            }
            _ => false,
        };
        if !is_right {
            found.wrong.push(format!("{instance:?}: {way:?}"));
        }
    }
    Ok(())
}

/// The length of the shortest way between two cells' centers; none where there is no way, or no floor under an end.
fn way(mesh: &CoreMesh<'_>, query: &mut Query<'_>, instance: &Instance) -> Result<Option<f64>> {
    let center = |cell: Cell| [f64::from(cell.x) + 0.5, 0.0, f64::from(cell.y) + 0.5];
    let [start, goal] = [center(instance.start), center(instance.goal)];
    let under = |at: [f64; 3]| -> Result<_> {
        let nearest = nearest_polygon(mesh, at, [0.25; 3], &Filter::ALL)?;
        Ok(nearest.filter(|nearest| nearest.point == at).map(|nearest| nearest.polygon))
    };
    let (Some(from), Some(to)) = (under(start)?, under(goal)?) else { return Ok(None) };
    let outcome = query.find_shortest_path_between(mesh, from, start, to, goal, &Filter::ALL)?;
    let is_whole = outcome.has_path() && query.path().corridor().last() == Some(&to);
    Ok(is_whole.then_some(outcome.length))
}

fn straight(instance: &Instance) -> f64 {
    let [dx, dy] = [instance.goal.x - instance.start.x, instance.goal.y - instance.start.y].map(f64::from);
    navarena::math::sqrt(dx * dx + dy * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_ways_over_a_floor_lie_between_straight_and_octile() {
        let Some(data) = crate::data::folder() else { return };
        let found = ask_map(&data, "dao-lak303d", 12).unwrap();
        assert!(found.wrong.is_empty(), "{:?}", found.wrong);
        assert!(found.reachable > 8 && found.ratio < 1.0 && found.ratio > 0.8, "{found:?}");
    }
}
