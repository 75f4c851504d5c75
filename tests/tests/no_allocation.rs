//! No call into the core allocates: every step of a level's life runs under an allocator that counts.

use allocation_counter::measure;
use navarena::build3d::{BakeDef, BakeInput, BakeLimits, Baker, TileIndex, TriangleMesh, rasterize::Vertices};
use navarena::crowd::{AgentId, AgentOptions, Crowd, CrowdDef};
use navarena::error::{ErrorKind, Result};
use navarena::follower::FollowerState;
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::{Cell, CellRect, Grid, GridDef, WALL};
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{LinkDef, MeshDef, NavMesh, NavSettings, PolyRef, SavedMesh, SnapshotMode, TileLibrary};
use navarena::query::{
    Circle, Filter, NearestRule, Query, QueryDef, WallOptions, WallSegment, height_on, nearest_polygon,
    nearest_polygon_by, polygons_in_box, random_point,
};
use navarena_fixtures::Kind;
use navarena_tests::ours::region;

/// Runs a step and panics when it allocated, or when it failed.
fn quietly<R>(step: &str, work: impl FnOnce() -> Result<R>) -> R {
    let mut result = None;
    let counted = measure(|| result = Some(work()));
    assert_eq!(counted.count_total, 0, "{step} allocated {} bytes", counted.bytes_total);
    match result {
        Some(Ok(value)) => value,
        Some(Err(error)) => panic!("{step}: {error}"),
        None => panic!("{step} did not run"),
    }
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!((counted.count_total, counted.bytes_total), (1, 100));
}

#[test]
fn baking_committing_finding_saving_and_restoring_allocate_nothing() {
    let level = Kind::Overlapping.generate(96, 1);
    let settings = NavSettings { tile_size: 32.0, ..NavSettings::HUMANOID };
    let meshes =
        [TriangleMesh { vertices: Vertices::Single(&level.vertices), triangles: &level.triangles, areas: None }];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let bake_def =
        BakeDef { settings, limits: BakeLimits { bytes: 8 << 20, ..BakeLimits::DEFAULT }, ..BakeDef::HUMANOID };
    let mesh_def = MeshDef::of(&settings);
    let plan = quietly("planning an index", || TileIndex::plan(&input, &settings));
    let (mut index_memory, mut bake_memory) = (region(plan), region(bake_def.plan()));
    let (mut mesh_memory, mut other_memory) = (region(mesh_def.plan()), region(mesh_def.plan()));
    let mut query_memory = region(QueryDef::DEFAULT.plan());

    let index = quietly("an index", || TileIndex::new(&input, &settings, &mut Arena::new(&mut index_memory)));
    let input = BakeInput { index: Some(&index), ..input };
    let mut baker = quietly("a baker", || Baker::new(&bake_def, &mut Arena::new(&mut bake_memory)));
    let mut mesh = quietly("a mesh", || NavMesh::new(&mesh_def, &mut Arena::new(&mut mesh_memory)));
    let range = index.range();
    for (x, z) in (0..range.count()).map(|tile| range.tile(tile)) {
        quietly("a bake", || baker.bake_tile(&input, x, z));
        quietly("staging", || baker.tiles().try_for_each(|tile| mesh.stage_tile(tile)));
    }
    quietly("a commit", || mesh.commit());
    assert!(mesh.tile_count() > 1);

    let mut query = quietly("a query", || Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut query_memory)));
    let points = navarena_fixtures::points_on(&level, 64, 1);
    let mut found = 0;
    for pair in points.chunks_exact(2) {
        let [start, goal] = [pair[0], pair[1]].map(|point| point.map(f64::from));
        quietly("the nearest polygon", || nearest_polygon(&mesh, start, [2.0, 4.0, 2.0], &Filter::ALL));
        let outcome = quietly("a path", || query.find_path(&mesh, start, goal, &Filter::ALL));
        found += usize::from(outcome.has_path());
    }
    assert!(found > 0);
    areas_allocate_nothing(&mesh, &mut query);
    ways_allocate_nothing(&mesh, &mut query);
    crowds_allocate_nothing(&mut mesh, &mut query);
    links_allocate_nothing(&mut mesh);

    let polygon = mesh.tiles().next().map(|tile| tile.reference.polygon(0)).expect("a tile");
    quietly("an edit", || mesh.set_area(polygon, 3));
    let mut bytes = vec![0; mesh.save_size()];
    quietly("saving", || mesh.save(&mut bytes));
    quietly("opening", || SavedMesh::open(&bytes).and_then(|saved| saved.limits()));
    let mut other = quietly("another mesh", || NavMesh::new(&mesh_def, &mut Arena::new(&mut other_memory)));
    quietly("restoring", || other.restore(&bytes));
    let mut again = vec![0; other.save_size()];
    quietly("saving again", || other.save(&mut again));
    assert!(bytes == again, "saved, restored and saved again is the same bytes");

    let (x, z, layer) = mesh.tiles().next().map(|tile| (tile.x, tile.z, tile.layer)).expect("a tile");
    quietly("a removal", || mesh.remove_tile(x, z, layer));
    quietly("a refusal, formatted", || {
        let error = mesh.stage_tile(&bytes).expect_err("a mesh is not a tile");
        assert_eq!(error.kind(), ErrorKind::Format);
        Ok(())
    });
}

fn areas_allocate_nothing(mesh: &NavMesh<'_>, query: &mut Query<'_>) {
    let mut random = SplitMix64::new(1);
    let mut walls = [WallSegment::default(); 8];
    let (mut walls_found, mut drawn) = (0, 0);
    for _ in 0..32 {
        let start = quietly("a random point", || Ok(random_point(mesh, &mut random, &Filter::ALL)));
        let start = start.expect("a point");
        let [x, y, z] = start.point;
        let circle = Circle { polygon: start.polygon, center: start.point, radius: 6.0 };
        let triangle = [[x - 5.0, y, z], [x + 5.0, y, z], [x, y, z + 5.0]];
        quietly("a circle", || query.find_circle(mesh, circle, &Filter::ALL));
        quietly("a neighbourhood", || query.find_neighbourhood(mesh, circle, &Filter::ALL));
        quietly("a shape", || query.find_shape(mesh, start.polygon, &triangle, &Filter::ALL));
        let options = WallOptions::on_floor(mesh);
        quietly("the nearest wall", || query.find_wall_distance(mesh, circle, &Filter::ALL, options));
        walls_found += quietly("walls", || query.find_walls(mesh, circle, &Filter::ALL, options, &mut walls)).count;
        let around = quietly("a point around", || query.find_random_around(mesh, &mut random, circle, &Filter::ALL));
        drawn += usize::from(around.is_some());
    }
    assert!(walls_found > 0 && drawn > 0);
}

/// Someone who has nowhere to go.
fn idle_agent(crowd: &Crowd<'_>) -> Option<AgentId> {
    let is_idle = |state: FollowerState| !matches!(state, FollowerState::Moving | FollowerState::OffMeshLink);
    let mut agents = crowd.agents();
    agents.find(|agent| is_idle(agent.state())).map(|agent| agent.id())
}

/// Ten thousand steps of a crowd whose agents are sent on when they are there, with saves and rollbacks between.
fn crowds_allocate_nothing(mesh: &mut NavMesh<'_>, query: &mut Query<'_>) {
    let (mut random, filter) = (SplitMix64::new(3), Filter::ALL);
    let def = CrowdDef { agents: 12, ..CrowdDef::DEFAULT };
    let mut memory = region(def.plan());
    let mut crowd = quietly("a crowd", || Crowd::new(&def, &mut Arena::new(&mut memory)));
    let mut somewhere = |mesh: &NavMesh<'_>| random_point(mesh, &mut random, &filter).map_or([0.0; 3], |at| at.point);
    for _ in 0..12 {
        let from = somewhere(mesh);
        quietly("an agent", || crowd.add(mesh, from, &AgentOptions::SMALL, &filter));
    }
    let mut arrived = 0;
    let mut bytes = vec![0; 1 << 20];
    for round in 0..10 {
        for _ in 0..1000 {
            quietly("a step of a crowd", || crowd.step(mesh, query, &filter, 1.0 / 30.0));
            while let Some(idle) = idle_agent(&crowd) {
                let to = somewhere(mesh);
                arrived += 1;
                let state = quietly("a destination", || crowd.set_destination(mesh, query, idle, to, &filter));
                if state != FollowerState::Moving {
                    break;
                }
            }
        }
        let mode = if round % 2 == 0 { SnapshotMode::Full } else { SnapshotMode::Referenced };
        let size = quietly("saving a crowd and its mesh", || crowd.save_state_with_mesh(mesh, mode, &mut bytes));
        let hash = crowd.state_hash(mesh);
        quietly("steps ahead", || (0..20).try_for_each(|_| crowd.step(mesh, query, &filter, 1.0 / 30.0)));
        if mode == SnapshotMode::Full {
            let saved = &bytes[..size];
            quietly("a rollback", || crowd.restore_state_with_mesh(mesh, saved, &TileLibrary::NONE));
            assert_eq!(crowd.state_hash(mesh), hash);
        }
    }
    assert!(arrived > 100, "{arrived} arrivals");
}

fn ways_allocate_nothing(mesh: &NavMesh<'_>, query: &mut Query<'_>) {
    let (mut random, filter) = (SplitMix64::new(2), Filter::ALL);
    let (mut listed, mut shortest) = ([PolyRef::NONE; 16], 0);
    for _ in 0..32 {
        let ends = [(); 2].map(|()| random_point(mesh, &mut random, &filter).expect("a point"));
        let [(from, start), (to, goal)] = ends.map(|end| (end.polygon, end.point));
        quietly("a nearest by the step", || {
            nearest_polygon_by(mesh, NearestRule::BeyondStep, start, [2.0; 3], &filter)
        });
        quietly("a box", || polygons_in_box(mesh, start, [4.0; 3], &filter, &mut listed));
        quietly("a height", || height_on(mesh, from, start[0], start[2]));
        quietly("a ray", || query.raycast(mesh, from, start, goal, &filter));
        quietly("a move", || query.move_along_surface(mesh, from, start, goal, &filter));
        quietly("a walk", || query.walk_along_surface(mesh, from, start, goal, &filter));
        quietly("a look for a way", || query.check_reachable(mesh, from, start, to, goal, &filter));
        let found = quietly("a shortest path", || query.find_shortest_path(mesh, start, goal, &filter));
        shortest += usize::from(found.has_path());
    }
    assert!(shortest > 0);
}

fn links_allocate_nothing(mesh: &mut NavMesh<'_>) {
    let mut random = SplitMix64::new(3);
    let ends = [(); 2].map(|()| random_point(mesh, &mut random, &Filter::ALL).expect("a point").point);
    let link = quietly("staging a link", || mesh.stage_link(&LinkDef::between(ends[0], ends[1])));
    quietly("a commit of a link", || mesh.commit());
    assert!(quietly("a link's state", || mesh.link_state(link)).attached);
    quietly("switching it off", || mesh.set_link_enabled(link, false));
    quietly("staging its removal", || mesh.stage_link_removal(link));
    quietly("a commit without it", || mesh.commit());
}

#[test]
fn a_flow_field_is_built_repaired_and_read_without_allocating() {
    let (map, def) = (GridDef::of_size(64, 64), GridFlowDef::of_cells(64 * 64));
    let (mut map_memory, mut field_memory) = (region(map.plan()), region(def.plan()));
    let mut grid = quietly("a grid", || Grid::new(&map, &mut Arena::new(&mut map_memory)));
    let mut field = quietly("a field", || GridFlowField::new(&def, &mut Arena::new(&mut field_memory)));
    let goals = [Cell::new(60, 4), Cell::new(2, 60)];
    quietly("a build", || field.build(&grid, &goals, &FlowOptions::DEFAULT));
    quietly("a repair", || {
        grid.set_rect(CellRect::new(32, 0, 1, 62), WALL)?;
        field.refresh(&grid)?;
        field.step(&grid, 100)?;
        field.set_goals(&grid, &goals[..1])?;
        field.finish(&grid)
    });
    let cells = quietly("a way", || Ok(field.follow(Cell::new(2, 2)).count()));
    assert_eq!(cells, 121);
}
