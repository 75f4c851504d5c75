//! Links between polygons: through portals on tile sides and over off-mesh links, a pure function of the tiles and
//! their slots (`navmesh-format.md`, "Stitching").
//!
//! The page compares every portal edge with every facing one. Here the facing edges of a side are sorted once by where
//! they begin, so that an edge meets only those that overlap it; what it meets is then put into the page's order.

use super::attach::{Reach, attach};
use super::def::PortalRule;
use super::params::MeshParams;
use super::places::{self, Place};
use super::pools::{NO_STORAGE, Storage};
use super::reference::PolyRef;
use super::tile::{TileHeader, TileSource};
use super::validate::portals;
use super::view::{LINK_DISABLED, LINK_OFF_MESH, LINK_OFF_MESH_REVERSE, LINK_PORTAL, Link};
use super::work::{NextSlot, Work};
use crate::error::{Error, Result, Subject};
use crate::math::vector;
use crate::memory::{Pod, SlotPool, Zeroable, sort_compactly};

/// Steps to the column across each side.
const ACROSS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The column across a side; `None` past the numbers that name columns.
pub(super) fn column_across(x: i32, z: i32, side: usize) -> Option<(i32, i32)> {
    Some((x.checked_add(ACROSS[side].0)?, z.checked_add(ACROSS[side].1)?))
}

/// An edge on a tile side.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Portal {
    /// World heights at the first and second vertex.
    height: [f64; 2],
    /// Where the first and second vertex lie along the side, in tile coordinates: tiles across share them.
    along: [f32; 2],
    /// The farthest end of this and all portals sorted before it.
    reach: f32,
    slot: u32,
    polygon: u32,
    layer: u16,
    edge: u8,
    reserved: u8,
}

impl Portal {
    fn low(&self) -> f32 {
        self.along[0].min(self.along[1])
    }

    fn high(&self) -> f32 {
        self.along[0].max(self.along[1])
    }

    /// How far along the edge a place on the side lies, 0 at its first vertex.
    fn parameter(&self, along: f32) -> f64 {
        let [first, second] = self.along.map(f64::from);
        (f64::from(along) - first) / (second - first)
    }

    fn height_at(&self, along: f32) -> f64 {
        self.height[0] + (self.height[1] - self.height[0]) * self.parameter(along)
    }

    /// The part of the side that two edges share, where their heights agree as `step` says.
    fn shared(&self, other: &Portal, step: Step) -> Option<[f32; 2]> {
        let (low, high) = (self.low().max(other.low()), self.high().min(other.high()));
        let apart = |along: f32| self.height_at(along) - other.height_at(along);
        (high > low && step.joins(apart(low), apart(high))).then_some([low, high])
    }

    /// A shared part in 1/255ths of this edge, rounded outwards.
    fn range(&self, shared: [f32; 2]) -> [u8; 2] {
        let [a, b] = shared.map(|along| self.parameter(along) * 255.0);
        let (low, high) = (a.min(b), a.max(b));
        // A cast drops the fraction and clamps: the floor of what is not negative.
        let (floor, ceil) = (low as u8, high as u8);
        [floor, if f64::from(ceil) < high { ceil.saturating_add(1) } else { ceil }]
    }
}

/// How far two portal edges may lie apart in height, and where along them that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub rule: PortalRule,
    pub climb: f64,
}

impl Step {
    /// Whether edges are linked that lie `low` apart at one end of what they share and `high` at the other, signed, and
    /// linearly between.
    fn joins(&self, low: f64, high: f64) -> bool {
        let (low_fits, high_fits) = (low.abs() <= self.climb, high.abs() <= self.climb);
        match self.rule {
            PortalRule::Throughout => low_fits && high_fits,
            PortalRule::Somewhere => low_fits || high_fits || (low < 0.0) != (high < 0.0),
        }
    }
}

/// An off-mesh link's way out of a polygon.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Exit {
    pub slot: u32,
    pub polygon: u32,
    /// The link's kind, without the mark of a disabled one.
    pub kind: u32,
    pub owner_slot: u32,
    pub index: u32,
    pub target_slot: u32,
    pub target_polygon: u32,
    /// Whether it is switched off.
    pub disabled: u32,
}

impl Exit {
    /// Forward links of a polygon by index, then reverse ones by owner slot and index.
    pub(super) fn order(&self) -> (u32, u32, u32, u32, u32) {
        (self.slot, self.polygon, self.kind, self.owner_slot, self.index)
    }

    /// The way back over a link that is crossed both ways.
    pub(super) fn reversed(self) -> Exit {
        Exit {
            slot: self.target_slot,
            polygon: self.target_polygon,
            kind: LINK_OFF_MESH_REVERSE.into(),
            target_slot: self.slot,
            target_polygon: self.polygon,
            ..self
        }
    }

    fn link(&self, salts: &SlotPool<'_>) -> Link {
        Link {
            target: PolyRef::new(salts.salt(self.target_slot as usize), self.target_slot, self.target_polygon),
            owner_slot: self.owner_slot,
            index: self.index,
            kind: self.kind as u8 | if self.disabled != 0 { LINK_DISABLED } else { 0 },
            ..Link::default()
        }
    }
}

/// Where the tiles of the slots are found: in the mesh's pools, or still in bytes.
pub(super) trait Tiles {
    type Tile<'t>: TileSource
    where
        Self: 't;
    fn open(&self, storage: Storage) -> Self::Tile<'_>;
}

/// The tiles as they will be, to be stitched.
pub(super) struct Stitcher<'a, S> {
    pub params: &'a MeshParams,
    pub rule: PortalRule,
    pub source: &'a S,
    pub next: &'a [NextSlot],
    pub places: &'a [Place],
}

/// Takes the links of one tile, or only counts them.
pub(super) struct LinkRoom<'a> {
    room: Option<&'a mut [Link]>,
    len: usize,
}

impl<'a> LinkRoom<'a> {
    pub(super) fn counting() -> Self {
        LinkRoom { room: None, len: 0 }
    }

    pub(super) fn writing(room: &'a mut [Link]) -> Self {
        LinkRoom { room: Some(room), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn push(&mut self, link: impl FnOnce() -> Link) {
        if let Some(place) = self.room.as_mut().and_then(|room| room.get_mut(self.len)) {
            *place = link();
        }
        self.len += 1;
    }

    /// Puts the portal links since `first` into the order of the facing portals: layer, polygon, edge.
    fn sort_since(&mut self, first: usize) {
        if let Some(links) = self.room.as_mut().and_then(|room| room.get_mut(first..self.len)) {
            let order = |link: &Link| (link.owner_slot, link.target.index(), link.index);
            sort_compactly(links, |a, b| order(a) < order(b));
            links.iter_mut().for_each(|link| link.owner_slot = 0);
        }
    }
}

impl<S: Tiles> Stitcher<'_, S> {
    /// The tile that a slot will hold.
    fn tile(&self, slot: u32) -> Option<S::Tile<'_>> {
        let storage = self.next.get(slot as usize)?.storage;
        (storage != NO_STORAGE).then(|| self.source.open(storage))
    }

    /// The column under the end of an off-mesh link.
    pub(super) fn end_column(&self, tile: &impl TileSource, index: usize) -> Option<(i32, i32)> {
        let end = world(&tile.header(), tile.off_mesh(index).end);
        self.params.world_to_tile(end[0], end[2])
    }

    /// The forward way out over an off-mesh link, when both of its ends are attached.
    pub(super) fn resolve(&self, owner_slot: u32, index: usize) -> Option<Exit> {
        let tile = self.tile(owner_slot)?;
        let slot = tile.off_mesh(index);
        let reach = Reach { radius: slot.radius, climb: self.params.walkable_climb };
        let start = attach(&tile, slot.start.map(f64::from), reach)?;
        let end = world(&tile.header(), slot.end);
        let (x, z) = self.end_column(&tile, index)?;
        let mut best: Option<(f64, u32, u32)> = None;
        for place in places::column(self.places, x, z) {
            let Some(layer) = self.tile(place.slot) else { continue };
            let origin = layer.header().origin;
            let local = [end[0] - origin[0], end[1] - origin[1], end[2] - origin[2]];
            if let Some(found) = attach(&layer, local, reach)
                // Only a smaller score wins: ties stay with the lower layer.
                && best.is_none_or(|(score, ..)| found.score < score)
            {
                best = Some((found.score, place.slot, found.polygon));
            }
        }
        let (_, target_slot, target_polygon) = best?;
        Some(Exit {
            slot: owner_slot,
            polygon: start.polygon,
            kind: LINK_OFF_MESH.into(),
            owner_slot,
            index: index as u32,
            target_slot,
            target_polygon,
            disabled: tile.is_disabled(index).into(),
        })
    }

    /// Stitches one tile. `exits` are all tiles' ways out, sorted; `desk` is room for the portals that face the tile.
    /// While writing, each link's `reserved` names its polygon.
    pub(super) fn stitch(
        &self,
        slot: u32,
        exits: &[Exit],
        desk: &mut [Portal],
        salts: &SlotPool<'_>,
        out: &mut LinkRoom<'_>,
    ) -> Result<()> {
        let Some(tile) = self.tile(slot) else { return Ok(()) };
        let ends = self.gather_facing(&tile.header(), desk)?;
        let step = Step { rule: self.rule, climb: f64::from(self.params.walkable_climb) };
        let mut exits = &exits[exits.partition_point(|exit| exit.slot < slot)..];
        let mut ring = Ring::first(&tile);
        let mut edge = tile.next_portal(0);
        // From one polygon that has links to the next.
        while let Some(p) = next_polygon(&tile, &mut ring, edge, exits.first().filter(|exit| exit.slot == slot)) {
            let run_end = ring.first + ring.count;
            for side in 0..4 {
                let facing = &desk[ends[side]..ends[side + 1]];
                for edge in (ring.first..run_end).filter(|&edge| usize::from(tile.side(edge)) == side) {
                    meet(&portal(&tile, slot, &ring, edge), facing, step, salts, out);
                }
            }
            edge = edge.and_then(|edge| if edge < run_end { tile.next_portal(run_end) } else { Some(edge) });
            while let Some((exit, rest)) = exits.split_first().filter(|(e, _)| (e.slot, e.polygon) == (slot, p)) {
                out.push(|| Link { reserved: p, ..exit.link(salts) });
                exits = rest;
            }
            ring.advance(&tile);
        }
        Ok(())
    }

    /// Lays out the portals across each side, sorted by where they begin: side `s` lies at `ends[s]..ends[s + 1]`.
    fn gather_facing(&self, header: &TileHeader, desk: &mut [Portal]) -> Result<[usize; 5]> {
        let mut ends = [0; 5];
        for side in 0..4 {
            let begin = ends[side];
            let mut end = begin;
            if let Some((x, z)) = column_across(header.x, header.z, side) {
                for place in places::column(self.places, x, z) {
                    end = self.gather(place.slot, side as u8 ^ 2, desk, end)?;
                }
            }
            sort_by_low(&mut desk[begin..end]);
            ends[side + 1] = end;
        }
        Ok(ends)
    }

    /// Appends a tile's portals of one side.
    fn gather(&self, slot: u32, side: u8, desk: &mut [Portal], mut len: usize) -> Result<usize> {
        let Some(tile) = self.tile(slot) else { return Ok(len) };
        let mut ring = Ring::first(&tile);
        for edge in portals(&tile).filter(|&edge| tile.side(edge) == side) {
            ring.advance_to_edge(&tile, edge);
            let limit = desk.len();
            *desk.get_mut(len).ok_or(Error::capacity(Subject::Portals, limit))? = portal(&tile, slot, &ring, edge);
            len += 1;
        }
        Ok(len)
    }
}

/// One polygon's run of edges, found by walking the polygons: a tile's bytes don't say where each run begins.
struct Ring {
    polygon: usize,
    first: usize,
    count: usize,
}

impl Ring {
    fn first(tile: &impl TileSource) -> Ring {
        Ring { polygon: 0, first: 0, count: tile.vertex_count(0) }
    }

    fn advance(&mut self, tile: &impl TileSource) {
        let polygon = self.polygon + 1;
        *self = Ring { polygon, first: self.first + self.count, count: tile.vertex_count(polygon) };
    }

    /// Walks on to the polygon that has an edge, at or after this one. A run of none is past the last.
    fn advance_to_edge(&mut self, tile: &impl TileSource, edge: usize) {
        while self.first + self.count <= edge && self.count > 0 {
            self.advance(tile);
        }
    }
}

/// Walks on to the next polygon that has the portal edge or the way out, whichever comes first.
fn next_polygon(tile: &impl TileSource, ring: &mut Ring, edge: Option<usize>, exit: Option<&Exit>) -> Option<u32> {
    while ring.count > 0 {
        let p = ring.polygon as u32;
        if edge.is_some_and(|edge| edge < ring.first + ring.count) || exit.is_some_and(|exit| exit.polygon == p) {
            return Some(p);
        }
        if edge.is_none() && exit.is_none() {
            return None;
        }
        ring.advance(tile);
    }
    None
}

/// Links an edge to every facing edge that it meets, in the order of the facing portals.
fn meet(portal: &Portal, facing: &[Portal], step: Step, salts: &SlotPool<'_>, out: &mut LinkRoom<'_>) {
    let since = out.len();
    let begin_before = facing.partition_point(|other| other.low() < portal.high());
    for other in facing[..begin_before].iter().rev() {
        if other.reach <= portal.low() {
            break;
        }
        let Some(shared) = portal.shared(other, step) else { continue };
        out.push(|| {
            let [range_min, range_max] = portal.range(shared);
            Link {
                target: PolyRef::new(salts.salt(other.slot as usize), other.slot, other.polygon),
                // Held here until the links are in order.
                owner_slot: other.layer.into(),
                index: other.edge.into(),
                edge: portal.edge,
                kind: LINK_PORTAL,
                range_min,
                range_max,
                reserved: portal.polygon,
            }
        });
    }
    out.sort_since(since);
}

fn sort_by_low(portals: &mut [Portal]) {
    sort_compactly(portals, |a, b| {
        let by_place = a.low().total_cmp(&b.low());
        by_place.then_with(|| (a.layer, a.polygon, a.edge).cmp(&(b.layer, b.polygon, b.edge))).is_lt()
    });
    let mut reach = f32::NEG_INFINITY;
    for portal in portals {
        reach = reach.max(portal.high());
        portal.reach = reach;
    }
}

/// The portal of one edge of a polygon.
fn portal(tile: &impl TileSource, slot: u32, ring: &Ring, edge: usize) -> Portal {
    let header = tile.header();
    let along = if tile.side(edge).is_multiple_of(2) { 2 } else { 0 };
    let next = if edge + 1 == ring.first + ring.count { ring.first } else { edge + 1 };
    let ends = [edge, next].map(|edge| tile.vertex(tile.index(edge).into()));
    Portal {
        height: ends.map(|end| header.origin[1] + f64::from(end[1])),
        along: ends.map(|end| end[along]),
        reach: 0.0,
        slot,
        polygon: ring.polygon as u32,
        layer: header.layer as u16,
        edge: (edge - ring.first) as u8,
        reserved: 0,
    }
}

fn world(header: &TileHeader, point: [f32; 3]) -> [f64; 3] {
    vector(|axis| header.origin[axis] + f64::from(point[axis]))
}

/// Adds a forward way out, and the way back over a link that is crossed both ways.
pub(super) fn push_exits(exits: &mut [Exit], owner: &impl TileSource, forward: Exit, count: usize) -> Result<usize> {
    let both_ways = owner.off_mesh(forward.index as usize).bidirectional != 0;
    let ways = if both_ways { 2 } else { 1 };
    let limit = exits.len();
    let room = exits.get_mut(count..count + ways).ok_or(Error::capacity(Subject::OffMeshLinks, limit / 2))?;
    room[0] = forward;
    room.iter_mut().skip(1).for_each(|exit| *exit = forward.reversed());
    Ok(count + ways)
}

/// Counts the links of every tile that is marked to be stitched, notes each tile's, and returns their sum. `made` says
/// how many of the work memory's places and ways out count.
pub(super) fn count_links<S: Tiles>(
    (params, rule): (&MeshParams, PortalRule),
    source: &S,
    work: &mut Work<'_>,
    made: (usize, usize),
    salts: &SlotPool<'_>,
) -> Result<usize> {
    let mut total = 0usize;
    for slot in 0..work.next.len() {
        let next = work.next[slot];
        if next.storage == NO_STORAGE || next.marks & NextSlot::STITCH == 0 {
            continue;
        }
        let stitcher = Stitcher { params, rule, source, next: work.next, places: &work.places[..made.0] };
        let mut counted = LinkRoom::counting();
        stitcher.stitch(slot as u32, &work.exits[..made.1], work.portals, salts, &mut counted)?;
        work.next[slot].links = u32::try_from(counted.len()).unwrap_or(u32::MAX);
        total = total.saturating_add(counted.len());
    }
    Ok(total)
}
