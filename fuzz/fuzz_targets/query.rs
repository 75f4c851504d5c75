//! Every question between any points on a board of tiles with any polygons forbidden, any references and any staged
//! links: a typed error, or an answer that holds together.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{LinkDef, NavMesh, PolyRef};
use navarena::query::{
    Circle, Filter, NodeModel, Query, QueryDef, WallOptions, WallSegment, height_on, nearest_polygon, polygons_in_box,
};
use navarena_fuzz::{DEF, region, with_mesh};
use navarena_tests::checkerboard::Board;

#[derive(Arbitrary, Debug)]
struct Input {
    side: u8,
    link: Option<([u8; 2], [u8; 2], bool)>,
    flags: Vec<u16>,
    exclude: u16,
    nodes: u8,
    corridor: u8,
    points: u8,
    crossing: bool,
    reference: u64,
    links: Vec<([i8; 2], [i8; 2], f32, bool)>,
    asked: Vec<([f64; 3], [f64; 3])>,
    near: Vec<([i8; 2], [i8; 2])>,
}

fuzz_target!(|input: Input| with_mesh(|mesh| {
    let mut board = Board::new(&DEF.params, 1 + usize::from(input.side % 6)).with_detail(0.5);
    if let Some((start, end, both)) = input.link {
        let at = |[x, z]: [u8; 2]| [f32::from(x) / 4.0, 0.0, f32::from(z) / 4.0];
        board = board.with_link(at(start), at(end), both);
    }
    for (x, z) in [(0, 0), (1, 0), (0, 1)] {
        let _ = mesh.stage_tile(&board.bytes(&DEF.params, x, z));
    }
    let place = |[x, z]: [i8; 2]| [f64::from(x) / 2.0, 0.0, f64::from(z) / 2.0];
    for &(start, end, width, two_way) in input.links.iter().take(8) {
        let width = f64::from(width);
        let _ = mesh.stage_link(&LinkDef { width, two_way, ..LinkDef::between(place(start), place(end)) });
    }
    let _ = mesh.commit();
    let polygons: Vec<_> = mesh
        .tiles()
        .flat_map(|tile| (0..tile.polygons.len()).map(move |index| tile.reference.polygon(index as u32)))
        .collect();
    for (polygon, flags) in polygons.iter().zip(&input.flags) {
        mesh.set_flags(*polygon, *flags).expect("a polygon that is there");
    }
    let def = QueryDef {
        nodes: u32::from(input.nodes),
        corridor: u32::from(input.corridor),
        points: u32::from(input.points),
        model: if input.crossing { NodeModel::Crossing } else { NodeModel::Polygon },
        ..QueryDef::DEFAULT
    };
    let mut memory = region(def.plan());
    let Ok(mut query) = Query::new(&def, &mut Arena::new(&mut memory)) else { return };
    let filter = Filter::new().without_flags(input.exclude);
    let near = |[x, z]: [i8; 2]| [f64::from(x), 0.0, f64::from(z)];
    let close = input.near.iter().map(|&(a, b)| (near(a), near(b)));
    for (start, goal) in input.asked.iter().copied().chain(close).take(16) {
        let Ok(outcome) = query.find_path(mesh, start, goal, &filter) else { continue };
        let path = query.path();
        assert!(path.corridor().iter().all(|&polygon| mesh.is_valid(polygon)));
        assert!(path.points().iter().flat_map(|point| point.position).all(f64::is_finite));
        assert!(outcome.length.is_finite() && outcome.length >= 0.0);
        if query.find_shortest_path(mesh, start, goal, &filter).is_ok() {
            let path = query.path();
            assert!(path.points().iter().flat_map(|point| point.position).all(f64::is_finite));
        }
        ask_the_rest(mesh, &mut query, &filter, PolyRef(input.reference), (start, goal));
        let near_start = nearest_polygon(mesh, start, [4.0; 3], &filter);
        let polygon = near_start.ok().flatten().map_or(PolyRef::NONE, |nearest| nearest.polygon);
        ask_the_rest(mesh, &mut query, &filter, polygon, (start, goal));
    }
}));

/// Answers must be finite and name polygons that are there; nothing more is known of any input.
fn ask_the_rest(
    mesh: &NavMesh<'_>,
    query: &mut Query<'_>,
    filter: &Filter,
    polygon: PolyRef,
    (start, goal): ([f64; 3], [f64; 3]),
) {
    if let Ok(ray) = query.raycast(mesh, polygon, start, goal, filter) {
        assert!((0.0..=1.0).contains(&ray.t) && ray.normal.iter().all(|part| part.is_finite()));
    }
    for moved in [
        query.move_along_surface(mesh, polygon, start, goal, filter),
        query.walk_along_surface(mesh, polygon, start, goal, filter),
    ] {
        assert!(moved.is_ok_and(|moved| moved.position.iter().all(|part| part.is_finite())) || !is_fine(start, goal));
    }
    let circle = Circle { polygon, center: start, radius: (goal[0] - start[0]).abs() };
    let mut walls = [WallSegment::default(); 4];
    if let Ok(found) = query.find_walls(mesh, circle, filter, WallOptions::ALL, &mut walls) {
        // The count goes on when the buffer is full.
        let listed = found.count.min(walls.len());
        assert!(walls[..listed].is_sorted_by_key(|wall| wall.distance_squared));
    }
    if query.find_neighbourhood(mesh, circle, filter).is_ok() {
        assert!(query.area().polygons().all(|reached| mesh.is_valid(reached.polygon)));
    }
    let _ = query.find_shape(mesh, polygon, &[start, goal, [start[0], 0.0, goal[2]]], filter);
    let mut random = SplitMix64::new(goal[2].to_bits());
    if let Ok(Some(drawn)) = query.find_random_around(mesh, &mut random, circle, filter) {
        assert!(mesh.is_valid(drawn.polygon));
    }
    let _ = query.check_reachable(mesh, polygon, start, polygon, goal, filter);
    let mut listed = [PolyRef::NONE; 3];
    if let Ok(found) = polygons_in_box(mesh, start, [circle.radius; 3], filter, &mut listed) {
        assert!(listed.iter().take(found.count).all(|&polygon| mesh.is_valid(polygon)));
    }
    let _ = height_on(mesh, polygon, start[0], start[2]);
}

/// Whether both positions are ones that queries take.
fn is_fine(start: [f64; 3], goal: [f64; 3]) -> bool {
    start.iter().chain(&goal).all(|part| part.abs() < 2_097_152.0)
}
