//! The owned mesh as a whole: every source of memory, growth, threads, hostile bytes.

use crate::host::tests::Ledger;
use crate::prelude::*;
use crate::searches::Way;
use crate::{Baked, Source};
use alloc::vec::Vec;
use core::sync::atomic::Ordering;
use navarena::build3d::rasterize::Vertices;
use navarena::build3d::{BakeInput, TriangleMesh};
use navarena::mesh::MeshLimits;
use navarena_fixtures::yard;
use std::thread;

const SETTINGS: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };

/// A ladder from the yard to the balcony.
const LADDER: OffMeshLinkDef = OffMeshLinkDef {
    start: [21.5, 0.0, 23.5],
    end: [23.9, yard::UPPER, 23.5],
    radius: 1.0,
    bidirectional: true,
    area: 5,
    flags: 1,
    user_id: 7,
};

fn tiles(links: &[OffMeshLinkDef]) -> Vec<Vec<u8>> {
    let level = yard::level();
    let vertices = Vertices::Single(&level.vertices);
    let meshes = [TriangleMesh { vertices, triangles: &level.triangles, areas: None }];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    Baked::bake(&input, &SETTINGS, links, &Source::Global).unwrap().tiles
}

fn mesh() -> NavMesh {
    NavMesh::build(&yard::level().soup(), &SETTINGS).unwrap()
}

#[test]
fn the_way_from_the_yard_to_the_balcony_is_found() {
    let path = mesh().find_path(yard::START, yard::GOAL).unwrap();
    assert!(path.is_complete() && path.has_path() && !path.is_partial());
    assert_eq!((path.status(), path.end()), (PathStatus::Found, PathEnd::Found));
    assert!(path.points().iter().any(|p| p[1] < 0.5) && path.points().iter().any(|p| p[1] > 3.5));
    let sum: f64 = path.points().windows(2).map(|pair| navarena::math::distance(pair[0], pair[1])).sum();
    assert_eq!(path.length(), sum);
    assert_eq!(path.corners().len(), path.points().len());
    assert!(path.corridor().len() > 10);
}

#[test]
fn a_goal_that_is_walled_in_gives_the_way_to_the_nearest_place() {
    // Two floors without a way between them.
    let floor = |x: f32| {
        [[[x, 0.0, 0.0], [x, 0.0, 8.0], [x + 8.0, 0.0, 8.0]], [[x, 0.0, 0.0], [x + 8.0, 0.0, 8.0], [x + 8.0, 0.0, 0.0]]]
    };
    let soup: Vec<_> = [floor(0.0), floor(12.0)].concat();
    let mesh = NavMesh::build(&soup, &NavSettings::HUMANOID).unwrap();
    let path = mesh.find_path([2.0, 0.0, 4.0], [18.0, 0.0, 4.0]).unwrap();
    assert!(path.is_partial() && path.end() == PathEnd::None);
    assert!(path.points().last().unwrap()[0] > 6.0);
    let off = mesh.find_path([2.0, 0.0, 4.0], [18.0, 50.0, 4.0]).unwrap();
    assert_eq!((off.status(), off.points().len()), (PathStatus::GoalInvalid, 0));
}

#[test]
fn every_form_of_the_level_gives_the_same_mesh() {
    let level = yard::level();
    let wide: Vec<[f64; 3]> = level.vertices.iter().map(|v| v.map(f64::from)).collect();
    let bytes = mesh().save().unwrap();
    let single = NavMesh::build(&(&level.vertices[..], &level.triangles[..]), &SETTINGS).unwrap();
    let double = NavMesh::build(&(&wide[..], &level.triangles[..]), &SETTINGS).unwrap();
    assert_eq!(single.save().unwrap(), bytes);
    assert_eq!(double.save().unwrap(), bytes);
}

#[test]
fn a_mesh_saved_and_loaded_is_the_same_mesh() {
    let level = yard::level();
    let mesh = NavMesh::build_with(&level.soup(), &SETTINGS, &[LADDER], &Source::Global).unwrap();
    let bytes = mesh.save().unwrap();
    let loaded = NavMesh::load(&bytes).unwrap();
    assert_eq!(loaded.save().unwrap(), bytes);
    assert_eq!((loaded.settings(), loaded.links()), (Some(&SETTINGS), &[LADDER][..]));
    let ask = |mesh: &NavMesh| mesh.find_path(yard::START, yard::GOAL).unwrap();
    assert_eq!(ask(&loaded), ask(&mesh));
}

#[test]
fn a_ladder_is_a_shorter_way() {
    let level = yard::level();
    let mesh = NavMesh::build_with(&level.soup(), &SETTINGS, &[LADDER], &Source::Global).unwrap();
    let ask = |mesh: &NavMesh| mesh.find_path(yard::START, yard::GOAL).unwrap();
    assert!(ask(&mesh).length() < ask(&self::mesh()).length());
}

#[test]
fn a_bare_mesh_loads_with_and_without_its_settings() {
    let mesh = mesh();
    let mut bare = alloc::vec![0; mesh.core().save_size()];
    mesh.core().save(&mut bare).unwrap();
    let without = NavMesh::load(&bare).unwrap();
    assert_eq!((without.settings(), without.save().unwrap()), (None, bare.clone()));
    let with = NavMesh::load_with(&bare, &SETTINGS, &[], &Source::Global).unwrap();
    assert_eq!(with.save().unwrap(), mesh.save().unwrap());
    assert_eq!(
        NavMesh::load_with(&with.save().unwrap(), &SETTINGS, &[], &Source::Global).unwrap().settings(),
        Some(&SETTINGS)
    );
    let other = NavMesh::load_with(&bare, &NavSettings::HUMANOID, &[], &Source::Global).unwrap_err();
    assert_eq!(other.subject(), Subject::Fingerprint);
}

#[test]
fn bytes_cut_short_or_changed_are_refused_or_a_mesh() {
    let bytes = mesh().save().unwrap();
    for length in (0..bytes.len()).step_by(37) {
        assert!(NavMesh::load(&bytes[..length]).is_err());
    }
    for place in (0..bytes.len()).step_by(11) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x41;
        if let Ok(mesh) = NavMesh::load(&changed) {
            assert_eq!(mesh.save().unwrap(), changed);
        }
    }
}

#[test]
fn a_hosts_memory_gives_the_same_bits_and_gets_all_of_it_back() {
    static LEDGER: Ledger = Ledger::new(1 << 30);
    let host = Source::Host(LEDGER.allocator());
    let mesh = NavMesh::build_with(&yard::level().soup(), &SETTINGS, &[], &host).unwrap();
    assert_eq!(mesh.save().unwrap(), self::mesh().save().unwrap());
    let path = mesh.find_path(yard::START, yard::GOAL).unwrap();
    assert_eq!(path, self::mesh().find_path(yard::START, yard::GOAL).unwrap());
    assert!(LEDGER.held.load(Ordering::Relaxed) >= mesh.memory());
    drop(mesh);
    assert_eq!(LEDGER.held.load(Ordering::Relaxed), 0);
}

#[test]
fn a_host_without_memory_is_a_refusal() {
    static LEDGER: Ledger = Ledger::new(100_000);
    let host = Source::Host(LEDGER.allocator());
    let error = NavMesh::build_with(&yard::level().soup(), &SETTINGS, &[], &host).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
    assert_eq!(LEDGER.held.load(Ordering::Relaxed), 0);
}

#[test]
fn a_mesh_grows_through_every_limit_and_references_stay_valid() {
    let none = MeshLimits {
        tiles: 1,
        vertices: 0,
        polygons: 0,
        edges: 0,
        portals: 0,
        links: 0,
        detail_vertices: 0,
        detail_triangles: 0,
        off_mesh_links: 0,
        link_crossings: 0,
        staged: 1,
        staged_edits: 1,
    };
    let tiles = tiles(&[LADDER]);
    let whole = NavMesh::from_tiles(&tiles, &SETTINGS, &[LADDER], &Source::Global).unwrap();
    let mut grown = NavMesh::empty(&SETTINGS, &[LADDER], &Source::Global, none).unwrap();
    let mut kept: Option<PolyRef> = None;
    for tile in &tiles {
        grown.add_tile(tile).unwrap();
        let first = kept.get_or_insert_with(|| grown.core().tiles().next().unwrap().reference.polygon(0));
        assert!(grown.core().is_valid(*first));
    }
    assert_eq!(grown.save().unwrap(), whole.save().unwrap());
    let ask = |mesh: &NavMesh| mesh.find_path(yard::START, yard::GOAL).unwrap();
    assert_eq!(ask(&grown), ask(&whole));
}

#[test]
fn growing_keeps_areas_flags_and_switches() {
    let tiles = tiles(&[LADDER]);
    let mut mesh = NavMesh::from_tiles(&tiles, &SETTINGS, &[LADDER], &Source::Global).unwrap();
    let owner = mesh.core().tiles().find(|tile| !tile.off_mesh.is_empty()).unwrap().reference;
    let polygon = owner.polygon(0);
    mesh.set_link_enabled((owner, 0), false).unwrap();
    mesh.set_area(polygon, 9).unwrap();
    mesh.set_flags(polygon, 0x30).unwrap();
    let before = mesh.find_path(yard::START, yard::GOAL).unwrap();
    let limits = MeshLimits { vertices: mesh.core().limits().vertices * 2, ..*mesh.core().limits() };
    mesh.rebuild(limits).unwrap();
    assert!(!mesh.core().is_link_enabled((owner, 0)).unwrap());
    let (_, edited) = mesh.core().polygon(polygon).unwrap();
    assert_eq!((edited.area, edited.flags), (9, 0x30));
    assert_eq!(mesh.find_path(yard::START, yard::GOAL).unwrap(), before);
    mesh.set_link_enabled((owner, 0), true).unwrap();
    assert!(mesh.find_path(yard::START, yard::GOAL).unwrap().length() < before.length());
}

#[test]
fn tiles_are_replaced_and_removed() {
    let tiles = tiles(&[]);
    let mut mesh = NavMesh::from_tiles(&tiles, &SETTINGS, &[], &Source::Global).unwrap();
    let whole = mesh.save().unwrap();
    let stale = mesh.core().tile_at(0, 0, 0).unwrap().reference.polygon(0);
    mesh.replace_tile(&tiles[0]).unwrap();
    assert!(!mesh.core().is_valid(stale));
    assert_eq!(mesh.core().polygon(stale).unwrap_err().kind(), ErrorKind::Stale);
    mesh.remove_tile(0, 0, 0).unwrap();
    assert_eq!(mesh.remove_tile(0, 0, 0).unwrap_err().kind(), ErrorKind::NotLoaded);
    assert_ne!(mesh.save().unwrap(), whole);
    mesh.add_tile(&tiles[0]).unwrap();
    assert_eq!(mesh.add_tile(&tiles[0]).unwrap_err().kind(), ErrorKind::State);
}

#[test]
fn many_threads_ask_one_mesh_at_once() {
    let mesh = mesh();
    let expected = mesh.find_path(yard::START, yard::GOAL).unwrap();
    let back = mesh.find_path(yard::GOAL, yard::START).unwrap();
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(mesh.find_path(yard::START, yard::GOAL).unwrap(), expected);
                    assert_eq!(mesh.find_path(yard::GOAL, yard::START).unwrap(), back);
                }
            });
        }
    });
}

#[test]
fn a_search_that_runs_out_of_room_is_made_again_with_more() {
    let mesh = mesh();
    let expected = mesh.find_path(yard::START, yard::GOAL).unwrap();
    assert!(expected.corridor().len() > 4);
    let cramped = crate::searches::Searches::with_room(&Source::Global, 1, 1);
    let path = cramped.find_path(mesh.core(), yard::START, yard::GOAL, &PathOptions::default(), Way::Cheapest).unwrap();
    assert_eq!(path, expected);
}

#[test]
fn what_can_not_be_built_is_named() {
    let mut soup = yard::level().soup();
    soup[5][1][2] = f32::NAN;
    let error = NavMesh::build(&soup, &SETTINGS).unwrap_err();
    assert_eq!((error.subject(), error.index()), (Subject::Vertex, Some(16)));
    let wrong = NavSettings { cell_size: 0.0, ..SETTINGS };
    assert_eq!(NavMesh::build(&yard::level().soup(), &wrong).unwrap_err().subject(), Subject::CellSize);
    let index = (&[[0.0f32; 3]; 3][..], &[[0, 1, 3]][..]);
    assert_eq!(NavMesh::build(&index, &SETTINGS).unwrap_err().subject(), Subject::Triangle);
    let empty: [[[f32; 3]; 3]; 0] = [];
    assert_eq!(NavMesh::build(&empty, &SETTINGS).unwrap().core().tile_count(), 0);
    assert!(mesh().find_path([f64::NAN; 3], yard::GOAL).is_err());
}

#[test]
fn owned_objects_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<NavMesh>();
    crosses::<Path>();
    crosses::<crate::Block>();
    crosses::<crate::TileBaker>();
}

#[test]
fn a_ray_a_sample_and_a_random_place_are_the_cores() {
    let mesh = mesh();
    let core = mesh.core();
    let sample = mesh.sample_position(yard::START, 1.0).unwrap().unwrap();
    assert!(sample.distance_squared <= 1.0 && core.is_valid(sample.polygon));
    assert_eq!(mesh.sample_position([yard::START[0], 200.0, yard::START[2]], 3.0).unwrap(), None);
    // In a box of that size, but not within the distance in space.
    let corner = [sample.point[0], sample.point[1] + 0.9, sample.point[2]];
    assert!(
        mesh.sample_position(corner, 0.8).unwrap().is_none() && mesh.sample_position(corner, 0.95).unwrap().is_some()
    );

    let clear = mesh.raycast(sample.point, sample.point).unwrap();
    assert!(!clear.is_blocked() && clear.point == sample.point);
    let blocked = mesh.raycast(sample.point, [-500.0, 0.0, sample.point[2]]).unwrap();
    let ray = blocked.ray.unwrap();
    assert!(blocked.is_blocked() && ray.t < 1.0 && ray.normal[0] < 0.0);
    let off = mesh.raycast([900.0, 0.0, 900.0], sample.point).unwrap();
    assert!(off.is_blocked() && off.ray.is_none() && off.point == [900.0, 0.0, 900.0]);
    assert!(mesh.raycast([900.0, 0.0, 900.0], [f64::NAN, 0.0, 0.0]).is_err());

    let (mut one, mut other) = (SplitMix64::new(5), SplitMix64::new(5));
    for _ in 0..50 {
        let place = mesh.random_point(&mut one).unwrap();
        let near = mesh.sample_position(place.point, 0.01).unwrap().unwrap();
        assert!(near.distance_squared < 1e-12);
        assert_eq!(navarena::query::random_point(core, &mut other, &Filter::new()).unwrap(), place);
    }
}

#[test]
fn the_shortest_path_grows_to_what_it_needs_and_is_no_longer_than_any() {
    let mesh = mesh();
    let options = PathOptions::default();
    let on_the_ground = |path: &Path| {
        let step = |pair: &[[f64; 3]]| {
            let [x, z] = [0, 2].map(|axis| pair[0][axis] - pair[1][axis]);
            navarena::math::sqrt(x * x + z * z)
        };
        path.points().windows(2).map(step).sum::<f64>()
    };
    let shortest = mesh.find_shortest_path(yard::START, yard::GOAL, &options).unwrap();
    assert!(shortest.is_complete() && !shortest.outcome().node_limit_reached);
    assert!(on_the_ground(&shortest) <= on_the_ground(&mesh.find_path(yard::START, yard::GOAL).unwrap()) + 1e-9);
    let filter = Filter::new().with_area_cost(3, 2.0).unwrap();
    assert!(mesh.find_shortest_path(yard::START, yard::GOAL, &PathOptions { filter, ..options }).is_err());
}

#[test]
fn a_lent_query_answers_while_another_is_lent() {
    let mesh = mesh();
    let answer = mesh.with_query(|core, outer| {
        let path = mesh.find_path(yard::START, yard::GOAL).unwrap();
        let inner = mesh.with_query(|_, inner| inner.high_water()).unwrap();
        outer.find_path(core, yard::START, yard::GOAL, &Filter::new()).unwrap();
        assert_eq!(outer.path().length(), path.length());
        inner
    });
    assert!(answer.unwrap().nodes > 0);
}

#[test]
fn an_added_link_is_a_way_until_it_is_switched_off_or_removed_and_outlives_growth() {
    let mut mesh = mesh();
    let around = mesh.find_path(yard::START, yard::GOAL).unwrap();
    let lift = LinkDef { cost: 0.5, radius: 1.0, ..LinkDef::between(yard::START, yard::GOAL) };
    let link = mesh.add_link(&lift).unwrap();
    let by_lift = mesh.find_path(yard::START, yard::GOAL).unwrap();
    assert!(by_lift.cost() < around.cost());
    // More links than there is room for at first.
    for step in 1..40 {
        let [x, y, z] = yard::START;
        mesh.add_link(&LinkDef::between([x, y, z], [x - 0.02 * f64::from(step), y, z + 0.5])).unwrap();
    }
    assert_eq!(mesh.find_path(yard::START, yard::GOAL).unwrap().cost(), by_lift.cost());
    mesh.set_link_enabled(link, false).unwrap();
    assert!(mesh.find_path(yard::START, yard::GOAL).unwrap().cost() > by_lift.cost());
    mesh.set_link_enabled(link, true).unwrap();
    assert_eq!(mesh.find_path(yard::START, yard::GOAL).unwrap().cost(), by_lift.cost());
    mesh.remove_link(link).unwrap();
    assert!(mesh.remove_link(link).is_err());
    assert_eq!(mesh.find_path(yard::START, yard::GOAL).unwrap().length(), around.length());
}
