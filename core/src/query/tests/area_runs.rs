//! Claims about the areas along a path, against a walk of its points through the corridor's polygons.

use super::links::stage_links;
use super::paths::kinds;
use super::world::{Kind, TileOf, World, corners, empty_mesh, query};
use crate::mesh::view::OffMeshSlot;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{AreaRun, Filter, NodeModel, Query, QueryDef};
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

/// How far above or below a polygon a leg may run, which goes straight from corner to corner; floors are four apart.
const SAME_FLOOR: f64 = 1.0;

/// The part of a leg that lies in a polygon seen from above, from 0 to 1: its edges cut the leg one after the other. None
/// on another floor: a leg to or from a link that begins beside its polygon may run above or below any.
fn part_within(ring: &[V], [a, b]: [V; 2]) -> Option<[f64; 2]> {
    let is_apart = |leg: [f64; 2], outline: &[V]| {
        let heights = || outline.iter().map(|corner| corner[1]);
        let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        leg[0].max(leg[1]) < low - SAME_FLOOR || leg[0].min(leg[1]) > high + SAME_FLOOR
    };
    if is_apart([a[1], b[1]], ring) {
        return None;
    }
    let mut part = [0.0f64, 1.0];
    for (i, p) in ring.iter().enumerate() {
        let q = ring[(i + 1) % ring.len()];
        let (ex, ez) = (q[0] - p[0], q[2] - p[2]);
        let side = |v: V| ex * (v[2] - p[2]) - ez * (v[0] - p[0]);
        let (from, to) = (side(a), side(b));
        let slack = 1e-9 * (ex.abs() + ez.abs());
        if from < -slack && to < -slack {
            return None;
        }
        if from < -slack {
            part[0] = if from / (from - to) > part[0] { from / (from - to) } else { part[0] };
        } else if to < -slack {
            part[1] = if from / (from - to) < part[1] { from / (from - to) } else { part[1] };
        }
    }
    (part[0] < part[1]).then_some(part)
}

fn lies_on([a, b]: [V; 2], point: V) -> Option<f64> {
    let way: V = core::array::from_fn(|k| b[k] - a[k]);
    let off: V = core::array::from_fn(|k| point[k] - a[k]);
    let dot = |u: V, v: V| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let along = dot(way, off) / dot(way, way);
    let gap: V = core::array::from_fn(|k| off[k] - way[k] * along);
    (dot(gap, gap) < 1e-12 && (-1e-9..=1.0 + 1e-9).contains(&along)).then_some(along)
}

/// Walks the query's path: at the middle of every piece of it that no polygon and no run begins or ends in, the run in
/// force has the area of a polygon that is there. Returns how many changes of area were walked over.
fn check(mesh: &NavMesh<'_>, query: &Query<'_>, runs: &[AreaRun]) -> usize {
    let path = query.path();
    let areas: Vec<(Vec<V>, u8)> =
        path.corridor().iter().map(|&p| (corners(mesh, p), mesh.polygon(p).unwrap().1.area)).collect();
    let points: Vec<V> = path.points().iter().map(|point| point.position).collect();
    assert_eq!(runs.iter().filter(|run| run.lands()).count(), path.links().len());
    for run in runs {
        assert_eq!(run.area, mesh.polygon(run.polygon).unwrap().1.area);
    }
    for pair in runs.windows(2) {
        assert!(pair[1].lands() || pair[0].area != pair[1].area, "{pair:?}");
        assert!(pair[1].lands() || pair[0].position != pair[1].position);
    }
    assert_eq!((runs[0].position, runs[0].lands()), (points[0], false));
    let (mut next, mut area, mut changes) = (1, runs[0].area, 0);
    for (leg, ends) in points.windows(2).map(|ends| [ends[0], ends[1]]).enumerate() {
        if let Some(link) = path.links().iter().position(|link| link.takeoff() == leg) {
            assert!(runs[next].lands() && runs[next].position == ends[1], "{link}");
            area = runs[next].area;
            next += 1;
            continue;
        }
        let mut begun = std::vec![(0.0, area)];
        while let Some(run) = runs.get(next).filter(|run| !run.lands()) {
            let Some(along) = lies_on(ends, run.position) else { break };
            assert!(along >= begun.last().unwrap().0 - 1e-9);
            begun.push((along, run.area));
            area = run.area;
            (next, changes) = (next + 1, changes + 1);
        }
        let parts: Vec<_> = areas.iter().filter_map(|(ring, area)| Some((part_within(ring, ends)?, *area))).collect();
        let mut cuts: Vec<f64> = parts.iter().flat_map(|part| part.0).chain(begun.iter().map(|at| at.0)).collect();
        cuts.extend([0.0, 1.0]);
        cuts.sort_by(f64::total_cmp);
        for cut in cuts.windows(2).filter(|cut| cut[1] - cut[0] > 1e-5) {
            let middle = (cut[0] + cut[1]) / 2.0;
            let here: Vec<u8> =
                parts.iter().filter(|([low, high], _)| *low <= middle && middle <= *high).map(|part| part.1).collect();
            let run = begun.iter().rfind(|(from, _)| *from <= middle).unwrap().1;
            // Legs of a hair's breadth and those over a gap between tiles are in no polygon.
            assert!(here.is_empty() || here.contains(&run), "leg {leg} at {middle}: {run} of {here:?}");
        }
    }
    assert_eq!(next, runs.len());
    changes
}

fn all_runs(query: &Query<'_>, mesh: &NavMesh<'_>) -> Vec<AreaRun> {
    let mut runs = std::vec![AreaRun::default(); 512];
    let count = query.path_areas(mesh, &mut runs).unwrap();
    runs.truncate(count);
    runs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_run_in_force_has_the_area_that_is_walked_on(kind in kinds(), links in 0usize..8, crossing in any::<bool>()) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        stage_links(&mut world, kind.tiles, links);
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        tell_what_is_walked_on(&mut world, kind.tiles, model);
    }
}

fn tell_what_is_walked_on(world: &mut World, tiles: i32, model: NodeModel) {
    let mut query = query(QueryDef { nodes: 8192, corridor: 4096, points: 4096, model, ..QueryDef::DEFAULT });
    for _ in 0..8 {
        let (start, end) = (world.position(tiles), world.position(tiles));
        query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
        if query.path().points().is_empty() {
            continue;
        }
        let runs = all_runs(&query, &world.mesh);
        check(&world.mesh, &query, &runs);
        // The same of the bare corridor, where that leads over the same links.
        let (corridor, points) = (query.path().corridor().to_vec(), query.path().points().to_vec());
        let [start, end] = [points[0].position, points[points.len() - 1].position];
        let mut bare = std::vec![AreaRun::default(); 512];
        let (_, count) = query.straight_path_areas(&world.mesh, start, end, &corridor, None, &mut bare).unwrap();
        if query.path().points() == points {
            assert_eq!(&bare[..count], &runs[..]);
        }
        // Of fewer points, the first runs.
        let whole = bare[..count].to_vec();
        for most in 1..query.path().points().len() as u32 {
            let (_, count) =
                query.straight_path_areas(&world.mesh, start, end, &corridor, Some(most), &mut bare).unwrap();
            assert!(count >= 1);
            // What is walked on from the last point, where a start or a landing may be, is not known.
            let (last, cut) = (bare[count - 1], query.path().points()[most as usize - 1].position);
            let known = count - usize::from(last.position == cut);
            assert_eq!(&bare[..known], &whole[..known]);
            assert_eq!((last.position, last.flags), (whole[count - 1].position, whole[count - 1].flags));
        }
    }
}

/// A leg leads to a link that begins beside its polygon, there below a polygon of the floor above.
#[test]
fn a_leg_beside_its_polygon_is_not_on_the_floor_above() {
    let kind = Kind { seed: 15516787572973712368, tiles: 2, holes: 32, merged: true, floors: 2, links: 2 };
    let mut world = World::new(kind);
    stage_links(&mut world, kind.tiles, 4);
    tell_what_is_walked_on(&mut world, kind.tiles, NodeModel::Polygon);
}

#[test]
fn random_paths_cross_many_areas() {
    let mut changes = 0;
    for seed in 0..4 {
        let mut world = World::new(Kind { seed, tiles: 3, holes: 20, merged: seed % 2 == 0, floors: 1, links: 2 });
        let mut query = query(QueryDef { nodes: 8192, corridor: 4096, points: 4096, ..QueryDef::DEFAULT });
        for _ in 0..20 {
            let (start, end) = (world.position(3), world.position(3));
            query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
            if !query.path().points().is_empty() {
                changes += check(&world.mesh, &query, &all_runs(&query, &world.mesh));
            }
        }
    }
    assert!(changes > 200, "{changes}");
}

/// Three squares round the inner corner (4, 4), of these areas, and a fourth that a link leads to.
fn bend(areas: [u8; 4]) -> NavMesh<'static> {
    let mut tile = TileOf::default();
    for z in [0.0, 4.0, 8.0] {
        tile.vertices.extend([[0.0, 0.0, z], [4.0, 0.0, z], [8.0, 0.0, z]]);
    }
    for z in [9.0, 11.0] {
        tile.vertices.extend([[5.0, 0.0, z], [8.0, 0.0, z]]);
    }
    for (ring, area) in [[3, 4, 7, 6], [0, 1, 4, 3], [1, 2, 5, 4], [9, 10, 12, 11]].iter().zip(areas) {
        tile.polygon(ring, area, 1);
    }
    tile.connect(12.0);
    tile.off_mesh.push(OffMeshSlot {
        start: [6.0, 0.0, 3.0],
        end: [6.0, 0.0, 10.0],
        radius: 0.5,
        user_id: 1,
        flags: 1,
        area: 0,
        bidirectional: 0,
    });
    let mut mesh = empty_mesh();
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

fn runs_between(mesh: &NavMesh<'_>, start: V, end: V) -> Vec<(V, u8, bool)> {
    let mut query = query(QueryDef::DEFAULT);
    query.find_path(mesh, start, end, &Filter::ALL).unwrap();
    all_runs(&query, mesh).iter().map(|run| (run.position, run.area, run.lands())).collect()
}

#[test]
fn a_polygon_touched_at_a_corner_has_no_run() {
    let (start, end) = ([4.0, 0.0, 8.0], [8.0, 0.0, 4.0]);
    let corner = [4.0, 0.0, 4.0];
    assert_eq!(runs_between(&bend([1, 2, 3, 0]), start, end), [(start, 1, false), (corner, 3, false)]);
    assert_eq!(runs_between(&bend([1, 2, 1, 0]), start, end), [(start, 1, false)]);
}

#[test]
fn neighbours_of_one_area_are_one_run() {
    let (start, end) = ([1.0, 0.0, 7.0], [7.0, 0.0, 1.0]);
    assert_eq!(runs_between(&bend([2, 2, 2, 0]), start, end), [(start, 2, false)]);
    let runs = runs_between(&bend([1, 2, 2, 0]), start, end);
    assert_eq!(runs, [(start, 1, false), ([4.0, 0.0, 4.0], 2, false)]);
    let start = [0.0, 0.0, 7.0];
    let runs = runs_between(&bend([1, 2, 2, 0]), start, [2.0, 0.0, 1.0]);
    assert_eq!(runs, [(start, 1, false), ([1.0, 0.0, 4.0], 2, false)]);
}

#[test]
fn a_run_begins_where_a_link_lands_whatever_its_area() {
    let (start, landing, end) = ([6.0, 0.0, 1.0], [6.0, 0.0, 10.0], [7.0, 0.0, 10.0]);
    assert_eq!(runs_between(&bend([0, 0, 5, 5]), start, end), [(start, 5, false), (landing, 5, true)]);
    assert_eq!(runs_between(&bend([0, 0, 5, 6]), start, landing), [(start, 5, false), (landing, 6, true)]);
    // Off at once.
    let near = [6.0, 0.0, 3.0];
    assert_eq!(runs_between(&bend([0, 0, 5, 5]), near, landing), [(near, 5, false), (landing, 5, true)]);
}

#[test]
fn a_path_that_only_ends_on_a_border_does_not_enter_what_is_behind_it() {
    let mesh = bend([1, 2, 3, 0]);
    let mut query = query(QueryDef::DEFAULT);
    let corridor = [1, 0].map(|index| PolyRef::new(1, 0, index));
    let (start, end) = ([1.0, 0.0, 1.0], [1.0, 0.0, 4.0]);
    let mut runs = [AreaRun::default(); 4];
    let (_, count) = query.straight_path_areas(&mesh, start, end, &corridor, None, &mut runs).unwrap();
    assert_eq!((count, runs[0].area), (1, 2));
    // Begun on it, it is in the other at once.
    let corridor = [0, 1].map(|index| PolyRef::new(1, 0, index));
    let (_, count) = query.straight_path_areas(&mesh, end, start, &corridor, None, &mut runs).unwrap();
    assert_eq!((count, runs[0].area, runs[0].position), (1, 2, end));
    let (_, count) = query.straight_path_areas(&mesh, end, end, &corridor[..1], None, &mut runs).unwrap();
    assert_eq!((count, runs[0].area), (1, 1));
}

#[test]
fn a_full_buffer_keeps_the_first_runs_and_counts_on() {
    let mesh = bend([1, 2, 3, 4]);
    let mut query = query(QueryDef::DEFAULT);
    query.find_path(&mesh, [0.0, 0.0, 4.5], [7.0, 0.0, 10.0], &Filter::ALL).unwrap();
    let all = all_runs(&query, &mesh);
    assert_eq!(all.iter().map(|run| run.area).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for room in 0..all.len() {
        let mut runs = [AreaRun { area: 77, ..AreaRun::default() }; 8];
        assert_eq!(query.path_areas(&mesh, &mut runs[..room]), Ok(all.len()));
        assert_eq!(runs[..room], all[..room]);
        assert!(runs[room..].iter().all(|run| run.area == 77));
    }
}

#[test]
fn without_a_path_there_are_no_runs_and_a_tile_that_went_is_named() {
    let mut mesh = bend([1, 2, 3, 4]);
    let mut query = query(QueryDef::DEFAULT);
    let mut runs = [AreaRun::default(); 4];
    assert_eq!(query.path_areas(&mesh, &mut runs), Ok(0));
    let stale = PolyRef::new(2, 0, 0);
    let (outcome, count) = query.straight_path_areas(&mesh, [0.0; 3], [1.0; 3], &[stale], None, &mut runs).unwrap();
    assert_eq!((outcome.has_path(), count), (false, 0));
    query.find_path(&mesh, [1.0, 0.0, 7.0], [1.0, 0.0, 1.0], &Filter::ALL).unwrap();
    mesh.stage_tile_removal(0, 0, 0).unwrap();
    mesh.commit().unwrap();
    assert_eq!(query.path_areas(&mesh, &mut runs).unwrap_err().kind(), crate::error::ErrorKind::Stale);
}
