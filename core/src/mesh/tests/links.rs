//! Links staged on the mesh: random histories against plain vectors and a snapping rule that tries every polygon.

use super::history::Staged;
use super::oracle::{Model, assert_same_tiles, links_of};
use super::*;
use crate::error::{ErrorKind, Subject};
use crate::mesh::view::{LINK_DISABLED, LINK_STAGED, LINK_STAGED_REVERSE, Link};
use proptest::prelude::*;
use std::collections::BTreeMap;

type V = [f64; 3];

/// Where a polygon of the plain model is nearest to a point: the point there, and whether it lies straight over it.
fn nearest_point(tile: &OwnedTile, polygon: usize, p: V) -> (V, bool) {
    let record = tile.polygons[polygon];
    let first = tile.first(polygon);
    let count = record.vertex_count as usize;
    let world = |v: [f32; 3]| -> V { core::array::from_fn(|k| tile.origin[k] + f64::from(v[k])) };
    let ring: Vec<V> = (0..count).map(|k| world(tile.vertices[tile.indices[first + k] as usize])).collect();
    let side = |a: V, b: V| (b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]);
    if (0..count).all(|i| side(ring[i], ring[(i + 1) % count]) >= 0.0) {
        let extra = |i: u8| match ring.get(i as usize) {
            Some(&corner) => corner,
            None => world(tile.detail_vertices[record.detail_vertex_base as usize + i as usize - count]),
        };
        let base = record.detail_triangle_base as usize;
        let detail = &tile.detail_triangles[base..base + record.detail_triangle_count as usize];
        let detail: Vec<[V; 3]> = detail.iter().map(|t| [extra(t[0]), extra(t[1]), extra(t[2])]).collect();
        let fan: Vec<[V; 3]> = (2..count).map(|i| [ring[0], ring[i - 1], ring[i]]).collect();
        return ([p[0], height(if detail.is_empty() { &fan } else { &detail }, p), p[2]], true);
    }
    let mut best: Option<(f64, V)> = None;
    for i in 0..count {
        let (a, b) = (ring[i], ring[(i + 1) % count]);
        let (ex, ez, px, pz) = (b[0] - a[0], b[2] - a[2], p[0] - a[0], p[2] - a[2]);
        let s = ((px * ex + pz * ez) / (ex * ex + ez * ez)).clamp(0.0, 1.0);
        let at = if s == 1.0 { b } else { core::array::from_fn(|k| a[k] + (b[k] - a[k]) * s) };
        let (dx, dz) = (p[0] - at[0], p[2] - at[2]);
        let squared = dx * dx + dz * dz;
        if best.is_none_or(|(known, _)| squared < known) {
            best = Some((squared, at));
        }
    }
    (best.unwrap().1, false)
}

/// The height of the first triangle that holds a point, seen from above, else of the one it misses least.
fn height(triangles: &[[V; 3]], p: V) -> f64 {
    let mut least: Option<(f64, f64)> = None;
    for [a, b, c] in triangles {
        let cross = |u: V, v: V| u[0] * v[2] - u[2] * v[0];
        let minus = |u: V, v: &V| -> V { core::array::from_fn(|k| u[k] - v[k]) };
        let (ab, ac, ap) = (minus(*b, a), minus(*c, a), minus(p, a));
        let area = cross(ab, ac);
        if area == 0.0 {
            continue;
        }
        let (u, v) = (cross(ap, ac) / area, cross(ab, ap) / area);
        let (missed, y) = ((-u).max(-v).max(u + v - 1.0), a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]));
        if missed <= 1e-9 {
            return y;
        }
        if least.is_none_or(|(known, _)| missed < known) {
            least = Some((missed, y));
        }
    }
    least.unwrap().1
}

/// Snapping by the rule's words: of all polygons of all tiles.
fn snap(model: &Model, p: V, radius: f64) -> Option<(usize, usize, V)> {
    let mut found = vec![];
    for (slot, tile) in model.tiles() {
        for polygon in 0..tile.polygons.len() {
            let (at, over) = nearest_point(tile, polygon, p);
            let [dx, dy, dz] = core::array::from_fn(|k| at[k] - p[k]);
            if dx * dx + dz * dz <= radius * radius && dy.abs() <= f64::from(PARAMS.walkable_climb) {
                let rank = (!over, dx * dx + dy * dy + dz * dz, (tile.key(), polygon));
                found.push((rank, (slot, polygon, at)));
            }
        }
    }
    found.into_iter().min_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap()).map(|(_, place)| place)
}

#[derive(Clone, Debug, PartialEq)]
struct PlainLink {
    def: LinkDef,
    committed: bool,
    going: bool,
    enabled: bool,
    crossings: Vec<LinkCrossing>,
}

impl PlainLink {
    fn wanted(&self) -> Vec<[V; 2]> {
        let count = self.def.crossing_count(PARAMS.agent_radius.into());
        (0..count).map(|i| self.def.crossing(i, count)).collect()
    }
}

/// A mesh and its links in plain vectors.
#[derive(Clone, Default)]
struct Plain {
    tiles: Model,
    /// Each slot's salt and link.
    links: Vec<(u32, Option<PlainLink>)>,
    staged: Staged,
    switches: BTreeMap<LinkId, bool>,
}

impl Plain {
    fn crossings(&self) -> usize {
        self.links.iter().flat_map(|(_, link)| link).map(|link| link.wanted().len()).sum()
    }

    fn add(&mut self, def: LinkDef) -> LinkId {
        let link = PlainLink { def, committed: false, going: false, enabled: true, crossings: vec![] };
        let slot = self.links.iter().position(|(_, link)| link.is_none()).unwrap_or(self.links.len());
        if slot == self.links.len() {
            self.links.push((1, None));
        }
        self.links[slot].1 = Some(link);
        LinkId::new(self.links[slot].0, slot as u32)
    }

    /// The link of an id, or the refusal.
    fn find(&mut self, id: LinkId) -> core::result::Result<&mut PlainLink, ErrorKind> {
        let Some((salt, link)) = self.links.get_mut(id.slot() as usize) else { return Err(ErrorKind::Invalid) };
        match link {
            _ if id.salt() < *salt => Err(ErrorKind::Stale),
            Some(link) if id.salt() == *salt => Ok(link),
            _ => Err(ErrorKind::Invalid),
        }
    }

    fn free(slot: &mut (u32, Option<PlainLink>)) {
        *slot = (slot.0 + 1, None);
    }

    fn remove(&mut self, id: LinkId) -> core::result::Result<(), ErrorKind> {
        let link = self.find(id)?;
        if link.committed {
            link.going = true;
        } else {
            Plain::free(&mut self.links[id.slot() as usize]);
        }
        Ok(())
    }

    fn switch(&mut self, id: LinkId, enabled: bool, most: usize) -> core::result::Result<(), ErrorKind> {
        if self.find(id)?.going {
            return Err(ErrorKind::Stale);
        }
        if !self.switches.contains_key(&id) && self.switches.len() >= most {
            return Err(ErrorKind::Capacity);
        }
        self.switches.insert(id, enabled);
        Ok(())
    }

    fn discard(&mut self) {
        (self.staged, self.switches) = Default::default();
        for slot in &mut self.links {
            match &mut slot.1 {
                Some(link) if !link.committed => Plain::free(slot),
                Some(link) => link.going = false,
                None => {}
            }
        }
    }

    fn is_changed(&self) -> bool {
        let links = self.links.iter().flat_map(|(_, link)| link).any(|link| link.going || !link.committed);
        links || !self.staged.changes.is_empty() || !self.switches.is_empty()
    }

    /// What a commit makes of it.
    fn applied(&self) -> Plain {
        let mut after =
            Plain { tiles: self.staged.applied(&self.tiles), links: self.links.clone(), ..Plain::default() };
        for slot in after.links.iter_mut().filter(|slot| slot.1.as_ref().is_some_and(|link| link.going)) {
            Plain::free(slot);
        }
        for (&id, &enabled) in &self.switches {
            if let Ok(link) = after.find(id) {
                link.enabled = enabled;
            }
        }
        let tiles = &after.tiles;
        for link in after.links.iter_mut().flat_map(|(_, link)| link) {
            link.committed = true;
            let radius = link.def.radius;
            link.crossings = link.wanted().iter().map(|wanted| crossing(tiles, wanted, radius)).collect();
        }
        after
    }

    fn mesh_links(&self) -> Vec<Vec<Vec<Link>>> {
        let mut all = self.tiles.links();
        for kind in [LINK_STAGED, LINK_STAGED_REVERSE] {
            for (slot, (_, link)) in self.links.iter().enumerate() {
                let Some(link) = link else { continue };
                if kind == LINK_STAGED_REVERSE && !link.def.two_way {
                    continue;
                }
                for (index, crossing) in link.crossings.iter().enumerate().filter(|(_, c)| c.is_attached()) {
                    let [start, end] = crossing.polygons;
                    let (from, target) = if kind == LINK_STAGED { (start, end) } else { (end, start) };
                    let off = if link.enabled { 0 } else { LINK_DISABLED };
                    let (owner_slot, index) = (slot as u32, index as u32);
                    let record = Link { target, owner_slot, index, kind: kind | off, ..Link::default() };
                    all[from.slot() as usize][from.index() as usize].push(record);
                }
            }
        }
        all
    }

    fn check(&mut self, mesh: &NavMesh<'_>, ids: &[LinkId]) {
        assert_same_tiles(mesh, &self.tiles);
        assert_eq!(links_of(mesh), self.mesh_links());
        let there = self.links.iter().enumerate().filter(|(_, (_, link))| link.as_ref().is_some_and(|l| l.committed));
        let there: Vec<LinkId> = there.map(|(slot, (salt, _))| LinkId::new(*salt, slot as u32)).collect();
        assert!(mesh.links().eq(there.iter().copied()));
        for &id in ids {
            let state = mesh.link_state(id).map_err(|error| error.kind());
            let known = self.find(id).cloned();
            assert_eq!(mesh.link_def(id).map_err(|error| error.kind()), known.clone().map(|link| link.def));
            match known {
                Ok(link) if !link.committed => assert_eq!(state, Err(ErrorKind::State)),
                Err(kind) => assert_eq!(state, Err(kind)),
                Ok(link) => {
                    let state = state.unwrap();
                    let attached: Vec<_> = link.crossings.iter().filter(|c| c.is_attached()).collect();
                    let shown = *attached.first().unwrap_or(&&link.crossings[0]);
                    assert_eq!(mesh.link_crossings(id).unwrap(), link.crossings);
                    assert_eq!(mesh.is_link_enabled(id), Ok(link.enabled));
                    let wanted = LinkState {
                        attached: !attached.is_empty(),
                        enabled: link.enabled,
                        polygons: shown.polygons,
                        points: shown.points,
                        attached_crossings: attached.len(),
                        crossings: link.crossings.len(),
                    };
                    assert_eq!(state, wanted);
                }
            }
        }
        for kind in 0..64 {
            let mut least = f64::INFINITY;
            for link in self.links.iter().flat_map(|(_, link)| link).filter(|l| l.committed && l.def.kind == kind) {
                for crossing in link.crossings.iter().filter(|c| c.is_attached() && link.enabled) {
                    let length = crate::math::distance(crossing.points[0], crossing.points[1]);
                    if length > 0.0 {
                        least = least.min(link.def.cost / length);
                    }
                }
            }
            assert_eq!(mesh.cheapest_link(kind), least);
            assert_eq!(mesh.open_link_kinds() >> kind & 1 == 1, least < f64::INFINITY);
        }
    }
}

fn crossing(model: &Model, wanted: &[V; 2], radius: f64) -> LinkCrossing {
    let ends = wanted.map(|point| snap(model, point, radius));
    LinkCrossing {
        points: [0, 1].map(|side: usize| ends[side].map_or(wanted[side], |(_, _, at)| at)),
        polygons: ends.map(|end| end.map_or(PolyRef::NONE, |(slot, p, _)| model.reference(slot, p))),
    }
}

/// A link somewhere over three by three tiles of two layers, or beside them.
fn random_def(random: &mut Random) -> LinkDef {
    let mut point = || -> V {
        let [x, y, z] = [random.eighth(-2, 26), random.eighth(0, 2), random.eighth(-2, 26)].map(f64::from);
        [PARAMS.origin[0] + x, y, PARAMS.origin[2] + z]
    };
    let (start, mut end) = (point(), point());
    if random.chance(10) {
        // Next to its start: often over the same polygon.
        end = [start[0] + 0.25, start[1], start[2]];
    }
    let radius = [0.0, 0.25, 1.0, 9.5][random.below(4)];
    let width = [0.0, 0.0, 0.5, 1.75][random.below(4)];
    // A wide link straight up has no direction to be wide across, and is refused.
    let width = if start[0] == end[0] && start[2] == end[2] { 0.0 } else { width };
    let (cost, kind) = (random.below(5) as f64, random.below(3) as u8);
    LinkDef { start, end, radius, cost, width, kind, two_way: random.chance(50) }
}

/// What must not change when a commit fails.
#[derive(Debug, PartialEq)]
struct State {
    bytes: Vec<u8>,
    links: Vec<Vec<Vec<Link>>>,
    staged: [usize; 2],
    version: u64,
}

impl State {
    fn of(mesh: &NavMesh<'_>) -> State {
        let mut bytes = vec![0; mesh.save_size()];
        mesh.save(&mut bytes).unwrap();
        let staged = [mesh.staged_count(), mesh.staged_link_count()];
        State { bytes, links: links_of(mesh), staged, version: mesh.version() }
    }
}

/// A mesh restored from another's bytes that takes over its links is as the other, to every id.
fn check_copy(mesh: &NavMesh<'_>, def: &MeshDef, ids: &[LinkId]) {
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes).unwrap();
    let mut other_region = region(def);
    let mut other = make(def, &mut other_region);
    other.stage_link(&LinkDef::between([0.0; 3], [1.0; 3])).unwrap();
    other.restore(&bytes).unwrap();
    other.stage_links_of(mesh).unwrap();
    other.commit().unwrap();
    assert_eq!(links_of(&other), links_of(mesh));
    assert!(other.links().eq(mesh.links()));
    for &id in ids {
        let state = mesh.link_state(id).map_err(|error| error.kind());
        let copied = other.link_state(id).map_err(|error| error.kind());
        // What was only staged there was never handed out here, or is gone.
        assert!(copied == state || state == Err(ErrorKind::State) && copied.is_err(), "{copied:?} {state:?}");
    }
    if mesh.links().next().is_some() {
        assert_eq!(other.stage_links_of(mesh).unwrap_err().kind(), ErrorKind::State);
        let none = MeshDef { limits: MeshLimits { link_crossings: 0, ..def.limits }, ..*def };
        let mut small_region = region(&none);
        let error = make(&none, &mut small_region).stage_links_of(mesh).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::LinkCrossings));
        assert!(error.refused() <= Some(24.0) && error.refused() > Some(0.0));
    }
}

/// Runs a random history and counts links that were full, commits, refused commits, and crossings that were attached
/// anew or lost.
fn run_history(seed: u64, steps: usize) -> [usize; 5] {
    let mut random = Random(seed);
    let def = MeshDef { limits: MeshLimits { tiles: 14, links: 90, link_crossings: 24, ..LIMITS }, ..DEF };
    let mut region = region(&def);
    let mut mesh = make(&def, &mut region);
    let (mut plain, mut ids) = (Plain::default(), vec![LinkId::new(1, 3), LinkId::new(7, 0), LinkId(u64::MAX)]);
    let mut seen = [0; 5];
    let kind = |error: crate::error::Error| error.kind();
    for _ in 0..steps {
        let key = (random.below(3) as i32, random.below(3) as i32, random.below(2) as i32);
        let id = ids[random.below(ids.len())];
        match random.below(24) {
            20..24 | 0..4 => {
                let off_mesh = random.below(2);
                let tile = random_tile(&mut random, key, off_mesh);
                mesh.stage_tile(&tile.bytes()).unwrap();
                plain.staged.put(key, Some(tile));
            }
            4 => {
                mesh.stage_tile_removal(key.0, key.1, key.2).unwrap();
                plain.staged.put(key, None);
            }
            5..10 => {
                let def = random_def(&mut random);
                let wanted = plain.crossings() + def.crossing_count(PARAMS.agent_radius.into());
                match mesh.stage_link(&def) {
                    Ok(id) => {
                        assert!(wanted <= 24);
                        assert_eq!(id, plain.add(def));
                        ids.push(id);
                    }
                    Err(error) => {
                        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::LinkCrossings));
                        assert_eq!((error.refused(), error.limit_value()), (Some(wanted as f64), Some(24.0)));
                        assert!(wanted > 24);
                        seen[0] += 1;
                    }
                }
            }
            10..13 => assert_eq!(mesh.stage_link_removal(id).map_err(kind), plain.remove(id)),
            13..15 => {
                let enabled = random.chance(50);
                let result = mesh.stage_link_enabled(id, enabled).map_err(kind);
                assert_eq!(result, plain.switch(id, enabled, LIMITS.staged_edits as usize));
            }
            15 if random.chance(20) => {
                mesh.discard_staged();
                plain.discard();
            }
            15 if random.chance(50) => {
                let enabled = random.chance(50);
                let known = plain.find(id).map(|link| (link.going, &mut link.enabled));
                let wanted = match known {
                    Ok((true, _)) => Err(ErrorKind::Stale),
                    Ok((false, now)) => {
                        *now = enabled;
                        Ok(())
                    }
                    Err(kind) => Err(kind),
                };
                assert_eq!(mesh.set_link_enabled(id, enabled).map_err(kind), wanted);
                plain.check(&mesh, &ids);
            }
            _ => {
                let after = plain.applied();
                let links: usize = after.mesh_links().iter().flatten().map(Vec::len).sum();
                let before = State::of(&mesh);
                match mesh.commit() {
                    Ok(()) => {
                        assert!(after.tiles.tiles().count() <= 14 && links <= 90);
                        assert_eq!(mesh.version() > before.version, plain.is_changed());
                        assert_eq!(mesh.staged_link_count(), 0);
                        for (old, new) in plain.links.iter().zip(&after.links) {
                            let (Some(old), Some(new)) = (&old.1, &new.1) else { continue };
                            for (old, new) in old.crossings.iter().zip(&new.crossings) {
                                seen[3] += usize::from(!old.is_attached() && new.is_attached());
                                seen[4] += usize::from(old.is_attached() && !new.is_attached());
                            }
                        }
                        plain = after;
                        seen[1] += 1;
                    }
                    Err(error) => {
                        let over = if after.tiles.tiles().count() > 14 { Subject::Tiles } else { Subject::Links };
                        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, over));
                        assert!(over == Subject::Tiles || links > 90);
                        assert_eq!(State::of(&mesh), before);
                        seen[2] += 1;
                    }
                }
                plain.check(&mesh, &ids);
            }
        }
    }
    check_copy(&mesh, &def, &ids);
    assert!(mesh.high_water().link_crossings <= 24 && mesh.high_water().links <= 90);
    seen
}

#[test]
fn histories_of_links_follow_the_plain_model() {
    let runs: Vec<[usize; 5]> = (0..20).map(|seed| run_history(9000 + seed, 120)).collect();
    let seen: [usize; 5] = core::array::from_fn(|i| runs.iter().map(|seen| seen[i]).sum());
    assert!(seen.into_iter().zip([20, 200, 10, 50, 10]).all(|(seen, least)| seen > least), "{seen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn any_history_of_links_follows_the_plain_model(seed in any::<u64>()) {
        run_history(seed, 60);
    }
}
