//! Random histories of staging, committing and editing against plain vectors, and failures that change nothing.

use super::oracle::{Model, assert_same, links_of};
use super::*;
use crate::error::{ErrorKind, Subject};
use crate::mesh::view::{LINK_DISABLED, LINK_OFF_MESH, LINK_OFF_MESH_REVERSE};
use std::collections::BTreeMap;

type Key = (i32, i32, i32);

/// What is staged: each place's change and its turn.
#[derive(Clone, Default)]
pub struct Staged {
    pub changes: BTreeMap<Key, (usize, Option<OwnedTile>)>,
    turn: usize,
}

impl Staged {
    pub fn put(&mut self, key: Key, tile: Option<OwnedTile>) {
        let turn = self.changes.get(&key).map_or(self.turn, |change| change.0);
        self.changes.insert(key, (turn, tile));
        self.turn += 1;
    }

    /// The state after a commit, from the page's words.
    pub fn applied(&self, model: &Model) -> Model {
        let mut after = model.clone();
        let mut in_turn: Vec<_> = self.changes.iter().collect();
        in_turn.sort_by_key(|(_, change)| change.0);
        for (key, (_, tile)) in &in_turn {
            if let Some(slot) = model.slot_at(**key) {
                after.slots[slot] = (model.slots[slot].0 + 1, tile.clone());
            }
        }
        for (key, (_, tile)) in &in_turn {
            if let (None, Some(tile)) = (model.slot_at(**key), tile) {
                match after.slots.iter_mut().find(|slot| slot.1.is_none()) {
                    Some(slot) => slot.1 = Some(tile.clone()),
                    None => after.slots.push((1, Some(tile.clone()))),
                }
            }
        }
        after
    }
}

fn count_links(model: &Model) -> usize {
    model.links().iter().flatten().map(Vec::len).sum()
}

#[test]
fn random_histories_follow_the_model() {
    let (mut refused, mut committed) = (0, 0);
    for seed in 0..25 {
        let mut random = Random(500 + seed);
        let limits = MeshLimits { tiles: 9, links: 220, ..LIMITS };
        let def = MeshDef { limits, ..DEF };
        let mut region = region(&def);
        let mut mesh = make(&def, &mut region);
        let (mut model, mut staged) = (Model::default(), Staged::default());
        for _ in 0..60 {
            let key = (random.below(3) as i32, random.below(3) as i32, random.below(2) as i32);
            match random.below(10) {
                0..5 => {
                    let links = random.below(3);
                    let tile = random_tile(&mut random, key, links);
                    mesh.stage_tile(&tile.bytes()).unwrap();
                    staged.put(key, Some(tile));
                }
                5..7 => {
                    mesh.stage_tile_removal(key.0, key.1, key.2).unwrap();
                    staged.put(key, None);
                }
                7 if random.chance(30) => {
                    mesh.discard_staged();
                    staged = Staged::default();
                }
                _ => {
                    let after = staged.applied(&model);
                    let (tiles, links) = (after.tiles().count(), count_links(&after));
                    let before = mesh.version();
                    match mesh.commit() {
                        Ok(()) => {
                            assert!(tiles <= 9 && links <= 220);
                            assert_eq!(mesh.version() > before, !staged.changes.is_empty());
                            (model, staged) = (after, Staged::default());
                            committed += 1;
                        }
                        Err(error) => {
                            let (subject, wanted) =
                                if tiles > 9 { (Subject::Tiles, tiles) } else { (Subject::Links, links) };
                            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, subject));
                            assert_eq!(error.refused(), Some(wanted as f64));
                            assert_eq!(mesh.version(), before);
                            assert_eq!(mesh.staged_count(), staged.changes.len());
                            refused += 1;
                        }
                    }
                    assert_same(&mesh, &model);
                }
            }
        }
    }
    assert!(refused > 20 && committed > 100, "{refused} refused, {committed} committed");
}

/// A mesh's bytes and links: whatever a failure must leave as it was.
fn state(mesh: &NavMesh<'_>) -> (Vec<u8>, Vec<Vec<Vec<view::Link>>>, usize, u64) {
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes).unwrap();
    (bytes, links_of(mesh), mesh.staged_count(), mesh.version())
}

#[test]
fn a_limit_reached_is_named_and_changes_nothing() {
    let mut random = Random(9);
    let (first, second) = (random_tile(&mut random, (0, 0, 0), 2), random_tile(&mut random, (1, 0, 0), 2));
    let mut full = make_with(&[&first, &second]);
    let used = full.high_water();
    assert_eq!(used.tiles, 2);
    for (subject, less) in lowered(&used) {
        let def = MeshDef { limits: less, ..DEF };
        let mut region = region(&def);
        let mut mesh = make(&def, &mut region);
        let fits_staged = |mesh: &mut NavMesh<'_>| {
            mesh.stage_tile(&first.bytes())?;
            mesh.stage_tile(&second.bytes())
        };
        let result = fits_staged(&mut mesh);
        if let Err(error) = result {
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, subject), "{error}");
            assert_eq!(mesh.staged_count(), 1);
        } else {
            let before = state(&mesh);
            let error = mesh.commit().unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, subject));
            assert_eq!(state(&mesh), before);
        }
        // The object stays usable: one of the two fits, then the other in its stead.
        mesh.discard_staged();
        mesh.add_tile(&first.bytes()).unwrap();
        let before = state(&mesh);
        if mesh.add_tile(&second.bytes()).is_err() {
            assert_eq!(state(&mesh), before);
        }
        mesh.remove_tile(0, 0, 0).unwrap();
        if mesh.tile_count() == 0 {
            mesh.add_tile(&second.bytes()).unwrap();
        }
    }
    full.remove_tile(0, 0, 0).unwrap();
}

/// Each limit one below what was used, the others as used.
fn lowered(used: &MeshLimits) -> Vec<(Subject, MeshLimits)> {
    let used = MeshLimits { staged_edits: 2, ..*used };
    vec![
        (Subject::Tiles, MeshLimits { tiles: used.tiles - 1, ..used }),
        (Subject::Vertices, MeshLimits { vertices: used.vertices - 1, ..used }),
        (Subject::Polygons, MeshLimits { polygons: used.polygons - 1, ..used }),
        (Subject::Edges, MeshLimits { edges: used.edges - 1, ..used }),
        (Subject::Portals, MeshLimits { portals: used.portals - 1, ..used }),
        (Subject::Links, MeshLimits { links: used.links - 1, ..used }),
        (Subject::DetailVertices, MeshLimits { detail_vertices: used.detail_vertices - 1, ..used }),
        (Subject::DetailTriangles, MeshLimits { detail_triangles: used.detail_triangles - 1, ..used }),
        (Subject::OffMeshLinks, MeshLimits { off_mesh_links: used.off_mesh_links - 1, ..used }),
        (Subject::Staged, MeshLimits { staged: used.staged - 1, ..used }),
    ]
}

/// A mesh that owns its region for the length of a test.
fn make_with(tiles: &[&OwnedTile]) -> NavMesh<'static> {
    let mut mesh = make(&DEF, Vec::leak(region(&DEF)));
    tiles.iter().for_each(|tile| mesh.stage_tile(&tile.bytes()).unwrap());
    mesh.commit().unwrap();
    mesh
}

#[test]
fn exactly_the_used_limits_are_enough() {
    let mut random = Random(9);
    let (first, second) = (random_tile(&mut random, (0, 0, 0), 2), random_tile(&mut random, (1, 0, 0), 2));
    let limits = make_with(&[&first, &second]).high_water();
    let def = MeshDef { limits, ..DEF };
    let mut region = region(&def);
    let mut mesh = make(&def, &mut region);
    mesh.stage_tile(&first.bytes()).unwrap();
    mesh.stage_tile(&second.bytes()).unwrap();
    mesh.commit().unwrap();
    // Full: a tile restaged in place of itself still fits while it is only staged, and not beside its committed self.
    assert_eq!(mesh.stage_tile(&first.bytes()).unwrap_err().kind(), ErrorKind::Capacity);
    mesh.remove_tile(0, 0, 0).unwrap();
    mesh.stage_tile(&first.bytes()).unwrap();
    mesh.stage_tile(&first.bytes()).unwrap();
    mesh.commit().unwrap();
}

#[test]
fn one_call_adds_replaces_and_removes() {
    let mut mesh = make_with(&[]);
    let mut random = Random(3);
    let tile = random_tile(&mut random, (0, 0, 0), 0).bytes();
    assert_eq!(mesh.replace_tile(&tile).unwrap_err().kind(), ErrorKind::NotLoaded);
    assert_eq!(mesh.remove_tile(0, 0, 0).unwrap_err().kind(), ErrorKind::NotLoaded);
    mesh.add_tile(&tile).unwrap();
    assert_eq!(mesh.add_tile(&tile).unwrap_err().kind(), ErrorKind::State);
    let old = mesh.tile(0).unwrap().reference.polygon(0);
    mesh.replace_tile(&tile).unwrap();
    assert_eq!(mesh.polygon(old).unwrap_err().kind(), ErrorKind::Stale);
    assert!(mesh.is_valid(PolyRef::new(2, 0, 0)));
    mesh.stage_tile_removal(5, 5, 5).unwrap();
    assert_eq!(mesh.add_tile(&tile).unwrap_err().kind(), ErrorKind::State);
    assert_eq!(mesh.staged_count(), 1);
    mesh.commit().unwrap();
    mesh.remove_tile(0, 0, 0).unwrap();
    assert_eq!(mesh.polygon(PolyRef::new(2, 0, 0)).unwrap_err().kind(), ErrorKind::Stale);
    for never in [PolyRef::NONE, PolyRef::new(3, 0, 0), PolyRef::new(1, 1, 0), PolyRef::new(0xFFFFFF, 0, 0)] {
        assert_eq!(mesh.polygon(never).unwrap_err().kind(), ErrorKind::Invalid);
    }
    mesh.add_tile(&tile).unwrap();
    assert!(mesh.is_valid(PolyRef::new(3, 0, 0)));
    assert_eq!(mesh.polygon(PolyRef::new(3, 0, 0xFFFFF)).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(mesh.tile_of(TileRef(3 << 20 | 1 << 44)).unwrap_err().kind(), ErrorKind::Invalid);
}

#[test]
fn a_tier_says_what_may_change() {
    let mut random = Random(4);
    let tile = random_tile(&mut random, (0, 0, 0), 1).bytes();
    for tier in [Tier::Static, Tier::Modifiers, Tier::Dynamic] {
        let mut mesh = make(&MeshDef { tier, ..DEF }, Vec::leak(region(&DEF)));
        mesh.add_tile(&tile).unwrap();
        let reference = mesh.tile(0).unwrap().reference;
        let kind = |result: crate::error::Result<()>| result.err().map(|error| error.kind());
        let unsupported = |below: Tier| (tier < below).then_some(ErrorKind::Unsupported);
        assert_eq!(kind(mesh.stage_tile(&tile)), unsupported(Tier::Dynamic));
        mesh.discard_staged();
        assert_eq!(kind(mesh.set_area(reference.polygon(0), 5)), unsupported(Tier::Modifiers));
        assert_eq!(kind(mesh.stage_flags(reference.polygon(0), 5)), unsupported(Tier::Modifiers));
        assert_eq!(kind(mesh.set_link_enabled((reference, 0), false)), unsupported(Tier::Modifiers));
        mesh.discard_staged();
        mesh.remove_tile(0, 0, 0).unwrap();
        mesh.add_tile(&tile).unwrap();
    }
}

#[test]
fn staged_edits_show_at_the_commit_and_go_with_their_tile() {
    let mut random = Random(6);
    let tiles = [random_tile(&mut random, (0, 0, 0), 0), random_tile(&mut random, (3, 0, 0), 0)];
    let mut mesh = make_with(&[&tiles[0], &tiles[1]]);
    let [first, second] = [0, 1].map(|slot| mesh.tile(slot).unwrap().reference.polygon(1));
    let area = |mesh: &NavMesh<'_>, polygon| mesh.polygon(polygon).unwrap().1.area;
    let built = area(&mesh, first);
    mesh.stage_area(first, 11).unwrap();
    mesh.stage_area(first, 12).unwrap();
    mesh.stage_flags(first, 77).unwrap();
    mesh.stage_area(second, 13).unwrap();
    assert_eq!(mesh.stage_area(first, 64).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(area(&mesh, first), built);
    mesh.stage_tile(&tiles[1].bytes()).unwrap();
    mesh.commit().unwrap();
    assert_eq!((area(&mesh, first), mesh.polygon(first).unwrap().1.flags), (12, 77));
    assert_eq!(mesh.stage_area(second, 1).unwrap_err().kind(), ErrorKind::Stale);
    assert!(tiles[1].is_shown_by(&mesh.tile(1).unwrap()));
    // Current areas are what is saved, and what a restored mesh is built with.
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes).unwrap();
    let mut other = make_with(&[]);
    other.restore(&bytes).unwrap();
    assert_eq!(area(&other, first), 12);
    // Too many edits are refused, and those staged stay.
    let polygons = mesh.tile(0).unwrap().polygons.len().min(8) as u32;
    (0..polygons).for_each(|p| mesh.stage_area(first.tile().polygon(p), 1).unwrap());
    let mut room = 8 - polygons;
    while room > 0 {
        mesh.stage_flags(first.tile().polygon(room - 1), 1).unwrap();
        room -= 1;
    }
    let more = mesh.tile(1).unwrap().reference.polygon(0);
    assert_eq!(mesh.stage_flags(more, 1).unwrap_err().subject(), Subject::StagedEdits);
    mesh.commit().unwrap();
    assert_eq!(area(&mesh, first), 1);
}

#[test]
fn a_switched_off_link_stays_attached_and_is_marked_both_ways() {
    let mut found = 0;
    for seed in 0..60 {
        let mut random = Random(800 + seed);
        let mut tiles = [random_tile(&mut random, (0, 0, 0), 3), random_tile(&mut random, (1, 0, 0), 3)];
        for link in tiles.iter_mut().flat_map(|tile| tile.off_mesh.iter_mut()) {
            (link.end, link.radius) = ([random.eighth(0, 16), 0.25, random.eighth(0, 8)], 3.0);
        }
        let mut mesh = make_with(&[&tiles[0], &tiles[1]]);
        let before = links_of(&mesh);
        let reference = mesh.tile(0).unwrap().reference;
        mesh.set_link_enabled((reference, 1), false).unwrap();
        assert!(!mesh.is_link_enabled((reference, 1)).unwrap() && mesh.is_link_enabled((reference, 0)).unwrap());
        let marked = |links: &[Vec<Vec<view::Link>>]| {
            let mut links = links.to_vec();
            for link in links.iter_mut().flatten().flatten() {
                let over = matches!(link.kind, LINK_OFF_MESH | LINK_OFF_MESH_REVERSE);
                if over && (link.owner_slot, link.index) == (0, 1) {
                    link.kind |= LINK_DISABLED;
                }
            }
            links
        };
        assert_eq!(links_of(&mesh), marked(&before));
        found += usize::from(before != marked(&before));
        // Stitched again with its neighbour, it is still off; its saved bytes do not say so.
        mesh.replace_tile(&tiles[1].bytes()).unwrap();
        assert!(!mesh.is_link_enabled((reference, 1)).unwrap());
        let off = links_of(&mesh);
        let mut bytes = vec![0; mesh.save_size()];
        mesh.save(&mut bytes).unwrap();
        mesh.stage_link_enabled((reference, 1), true).unwrap();
        mesh.commit().unwrap();
        let on = links_of(&mesh);
        assert_eq!(marked(&on), off);
        let mut other = make_with(&[]);
        other.restore(&bytes).unwrap();
        assert_eq!(links_of(&other), on);
        assert_eq!(mesh.set_link_enabled((reference, 3), true).unwrap_err().kind(), ErrorKind::Invalid);
        mesh.set_link_enabled((reference, 1), false).unwrap();
        mesh.replace_tile(&tiles[0].bytes()).unwrap();
        assert!(mesh.is_link_enabled((mesh.tile(0).unwrap().reference, 1)).unwrap());
        assert_eq!(mesh.is_link_enabled((reference, 1)).unwrap_err().kind(), ErrorKind::Stale);
    }
    assert!(found > 10);
}
