//! Where tiles lie: one range of each kind under the same number, committed and staged alike.

use super::boxes::{self, PolygonBox};
use super::clear::mark_clear;
use super::crisp::is_crisp;
use super::def::MeshLimits;
use super::islands;
use super::library::{AsBuilt, ContentId, NO_CONTENT};
use super::reference::TileRef;
use super::surface;
use super::tile::{TileCounts, TileHeader, TileSource};
use super::validate::{edges_on_sides, portals as portal_edges};
use super::view::{Edge, HAS_SLIVERS, IS_CRISP, NO_BACK, NO_NEIGHBOR, NO_SIDE, OffMeshSlot, Polygon, TileView};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Plan, RangePool, Ruler, SlotPool};
use core::ops::Range;

/// The number of a tile's ranges. It is no slot: a staged tile has one too, and keeps it when it is committed.
pub(super) type Storage = u32;
/// The storage of a slot that holds no tile.
pub(super) const NO_STORAGE: Storage = u32::MAX;

/// The content of every tile, without links.
#[derive(Debug)]
pub(super) struct Pools<'m> {
    limits: MeshLimits,
    ids: SlotPool<'m>,
    headers: &'m mut [TileHeader],
    pub vertices: RangePool<'m, [f32; 3]>,
    pub polygons: RangePool<'m, Polygon>,
    pub edges: RangePool<'m, Edge>,
    /// Derived of polygons, edges and vertices.
    boxes: RangePool<'m, PolygonBox>,
    /// Derived of polygons, edges and links: each part's island, in as many places as there are polygons.
    pub islands: RangePool<'m, u32>,
    /// What each polygon was before it was edited.
    as_built: RangePool<'m, AsBuilt>,
    /// The content ids that are known.
    contents: &'m mut [ContentId],
    detail_vertices: RangePool<'m, [f32; 3]>,
    detail_triangles: RangePool<'m, [u8; 4]>,
    pub off_mesh: RangePool<'m, OffMeshSlot>,
    portals: usize,
    storages: usize,
    /// A tile's side, exact as float32.
    side: f32,
    /// Whether a tile was ever stored that reaches beyond its cell of the grid.
    overhangs: bool,
}

/// How many elements of each kind are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub counts: TileCounts,
    pub portals: usize,
}

const fn storages(limits: &MeshLimits) -> usize {
    (limits.tiles as usize).saturating_add(limits.staged as usize)
}

impl<'m> Pools<'m> {
    pub(super) const fn plan(limits: &MeshLimits) -> Plan {
        let ids = storages(limits);
        Ruler::new()
            .then(SlotPool::plan(ids))
            .array::<TileHeader>(ids)
            .then(RangePool::<[f32; 3]>::plan(ids, limits.vertices as usize))
            .then(RangePool::<Polygon>::plan(ids, limits.polygons as usize))
            .then(RangePool::<Edge>::plan(ids, limits.edges as usize))
            .then(RangePool::<PolygonBox>::plan(ids, boxes::most_boxes(limits.polygons as usize)))
            .then(RangePool::<u32>::plan(ids, limits.polygons as usize))
            .then(RangePool::<AsBuilt>::plan(ids, limits.polygons as usize))
            .array::<ContentId>(ids)
            .then(RangePool::<[f32; 3]>::plan(ids, limits.detail_vertices as usize))
            .then(RangePool::<[u8; 4]>::plan(ids, limits.detail_triangles as usize))
            .then(RangePool::<OffMeshSlot>::plan(ids, limits.off_mesh_links as usize))
            .plan()
    }

    pub(super) fn new(limits: &MeshLimits, side: f32, arena: &mut Arena<'m>) -> Result<Self> {
        let ids = storages(limits);
        Ok(Pools {
            limits: *limits,
            ids: SlotPool::new(ids, arena)?,
            headers: arena.take(ids)?,
            vertices: RangePool::new(ids, limits.vertices as usize, arena)?,
            polygons: RangePool::new(ids, limits.polygons as usize, arena)?,
            edges: RangePool::new(ids, limits.edges as usize, arena)?,
            boxes: RangePool::new(ids, boxes::most_boxes(limits.polygons as usize), arena)?,
            islands: RangePool::new(ids, limits.polygons as usize, arena)?,
            as_built: RangePool::new(ids, limits.polygons as usize, arena)?,
            contents: arena.take(ids)?,
            detail_vertices: RangePool::new(ids, limits.detail_vertices as usize, arena)?,
            detail_triangles: RangePool::new(ids, limits.detail_triangles as usize, arena)?,
            off_mesh: RangePool::new(ids, limits.off_mesh_links as usize, arena)?,
            portals: 0,
            storages: ids,
            side,
            overhangs: false,
        })
    }

    /// Lets go of everything.
    pub(super) fn reset(&mut self) {
        self.ids.reset();
        self.vertices.reset();
        self.polygons.reset();
        self.edges.reset();
        self.boxes.reset();
        self.islands.reset();
        self.as_built.reset();
        self.detail_vertices.reset();
        self.detail_triangles.reset();
        self.off_mesh.reset();
        self.portals = 0;
        self.overhangs = false;
    }

    /// How much is held now.
    pub(super) fn held(&self) -> Held {
        let limits = &self.limits;
        Held {
            counts: TileCounts {
                vertices: limits.vertices as usize - self.vertices.free_total(),
                polygons: limits.polygons as usize - self.polygons.free_total(),
                edges: limits.edges as usize - self.edges.free_total(),
                detail_vertices: limits.detail_vertices as usize - self.detail_vertices.free_total(),
                detail_triangles: limits.detail_triangles as usize - self.detail_triangles.free_total(),
                off_mesh: limits.off_mesh_links as usize - self.off_mesh.free_total(),
            },
            portals: self.portals,
        }
    }

    /// How much one storage holds; nothing for none.
    pub(super) fn held_by(&self, storage: Option<Storage>) -> Held {
        storage.map_or(Held::default(), |storage| {
            let id = storage as usize;
            Held {
                counts: TileCounts {
                    vertices: self.vertices.get(id).len(),
                    polygons: self.polygons.get(id).len(),
                    edges: self.edges.get(id).len(),
                    detail_vertices: self.detail_vertices.get(id).len(),
                    detail_triangles: self.detail_triangles.get(id).len(),
                    off_mesh: self.off_mesh.get(id).len(),
                },
                portals: self.header(storage).portals as usize,
            }
        })
    }

    /// Stores a tile that has been validated and measured, and returns its number.
    pub(super) fn store(&mut self, tile: &impl TileSource) -> Result<Storage> {
        let counts = tile.counts();
        let id = self.ids.take(Subject::Staged)?;
        self.vertices.take(id, counts.vertices, Subject::Vertices)?;
        self.polygons.take(id, counts.polygons, Subject::Polygons)?;
        self.edges.take(id, counts.edges, Subject::Edges)?;
        self.boxes.take(id, boxes::box_count(counts.polygons), Subject::Polygons)?;
        self.islands.take(id, counts.polygons, Subject::Polygons)?;
        self.as_built.take(id, counts.polygons, Subject::Polygons)?;
        self.detail_vertices.take(id, counts.detail_vertices, Subject::DetailVertices)?;
        self.detail_triangles.take(id, counts.detail_triangles, Subject::DetailTriangles)?;
        self.off_mesh.take(id, counts.off_mesh, Subject::OffMeshLinks)?;
        self.copy(id, tile);
        Ok(id as Storage)
    }

    fn copy(&mut self, id: usize, tile: &impl TileSource) {
        let portals = edges_on_sides(tile);
        self.portals += portals;
        let sides = portal_edges(tile).fold(0, |sides, edge| sides | 1 << (tile.side(edge) & 3));
        self.headers[id] = TileHeader { portals: portals as u32, sides, ..tile.header() };
        fill(self.vertices.get_mut(id), |i| tile.vertex(i));
        fill(self.detail_vertices.get_mut(id), |i| tile.detail_vertex(i));
        fill(self.detail_triangles.get_mut(id), |i| tile.detail_triangle(i));
        fill(self.off_mesh.get_mut(id), |i| tile.off_mesh(i));
        fill(self.edges.get_mut(id), |i| Edge {
            neighbor: match tile.neighbor(i) {
                0 => NO_NEIGHBOR,
                neighbor => neighbor as u32 - 1,
            },
            vertex: tile.index(i),
            side: tile.side(i),
            back: NO_BACK,
        });
        let mut first_edge = 0;
        fill(self.polygons.get_mut(id), |i| {
            let record = tile.polygon(i);
            let first = first_edge;
            first_edge += u32::from(record.vertex_count);
            let joins = |edge: u32| u16::from(tile.neighbor(edge as usize) != 0) << ((edge - first) & 15);
            let sides = (first..first_edge).map(|edge| tile.side(edge as usize)).filter(|&side| side != NO_SIDE);
            Polygon {
                first_edge: first,
                first_link: 0,
                link_count: 0,
                detail_vertex_base: record.detail_vertex_base,
                detail_triangle_base: record.detail_triangle_base,
                detail_vertex_count: record.detail_vertex_count,
                detail_triangle_count: record.detail_triangle_count,
                flags: record.flags,
                area: record.area,
                edge_count: record.vertex_count,
                joined: (first..first_edge).fold(0, |bits, edge| bits | joins(edge)),
                sides: sides.fold(0, |bits, side| bits | 1 << (side & 3)),
                shape: 0,
                part: 0,
            }
        });
        fill(self.as_built.get_mut(id), |i| AsBuilt::of(&tile.polygon(i)));
        self.contents[id] = NO_CONTENT;
        note_ways_back(self.polygons.get(id), self.edges.get_mut(id));
        for at in 0..self.polygons.len(id) {
            let tile = self.view(id as Storage);
            let polygon = &tile.polygons[at];
            let slivers = if surface::has_slivers(&tile, polygon) { HAS_SLIVERS } else { 0 };
            let crisp = if is_crisp(polygon, tile.edges, tile.vertices) { IS_CRISP } else { 0 };
            self.polygons.get_mut(id)[at].shape = slivers | crisp;
        }
        let (polygons, edges, vertices) = (self.polygons.get(id), self.edges.get(id), self.vertices.get(id));
        boxes::lay(self.boxes.get_mut(id), polygons, edges, vertices);
        mark_clear(self.polygons.get_mut(id), edges, vertices, self.boxes.get(id));
        let is_out = |v: &[f32; 3]| v[0] < 0.0 || v[0] > self.side || v[2] < 0.0 || v[2] > self.side;
        self.overhangs |= vertices.iter().any(is_out);
        let sets = self.islands.get_mut(id);
        self.headers[id].parts = islands::number_parts(self.polygons.get_mut(id), self.edges.get(id), sets);
    }

    /// Lets go of a storage's ranges and its number.
    pub(super) fn release(&mut self, storage: Storage) {
        let id = storage as usize;
        self.portals -= self.headers[id].portals as usize;
        self.vertices.release(id);
        self.polygons.release(id);
        self.edges.release(id);
        self.boxes.release(id);
        self.islands.release(id);
        self.as_built.release(id);
        self.detail_vertices.release(id);
        self.detail_triangles.release(id);
        self.off_mesh.release(id);
        self.ids.release(id);
    }

    pub(super) fn header(&self, storage: Storage) -> TileHeader {
        self.headers.get(storage as usize).copied().unwrap_or_default()
    }

    /// Notes the sides with edges behind which a storage's tile has no neighbours.
    /// The sides with edges behind which a storage's tile has no neighbours.
    pub(super) fn open_sides(&self, storage: Storage) -> u32 {
        self.headers.get(storage as usize).map_or(0, |header| header.open_sides)
    }

    pub(super) fn set_open_sides(&mut self, storage: Storage, sides: u32) {
        if let Some(header) = self.headers.get_mut(storage as usize) {
            header.open_sides = sides;
        }
    }

    /// The world origin of a storage's tile, and its open sides.
    #[inline]
    pub(super) fn origin_and_open_sides(&self, id: usize) -> ([f64; 3], u32) {
        self.headers.get(id).map_or(([0.0; 3], 0), |header| (header.origin, header.open_sides))
    }

    /// The vertices and triangles of a storage's height detail.
    #[inline]
    pub(super) fn detail(&self, storage: Storage) -> (&[[f32; 3]], &[[u8; 4]]) {
        (self.detail_vertices.get(storage as usize), self.detail_triangles.get(storage as usize))
    }

    /// A storage's tile, as yet without reference and links.
    pub(super) fn view(&self, storage: Storage) -> TileView<'_> {
        let (id, header) = (storage as usize, self.header(storage));
        TileView {
            reference: TileRef::default(),
            x: header.x,
            z: header.z,
            layer: header.layer,
            origin: header.origin,
            polygons: self.polygons.get(id),
            edges: self.edges.get(id),
            boxes: self.boxes.get(id),
            vertices: self.vertices.get(id),
            detail_vertices: self.detail_vertices.get(id),
            detail_triangles: self.detail_triangles.get(id),
            links: &[],
            off_mesh: self.off_mesh.get(id),
        }
    }

    /// What a storage's polygons were before they were edited.
    pub(super) fn as_built(&self, storage: Storage) -> &[AsBuilt] {
        self.as_built.get(storage as usize)
    }

    /// A storage's content id, where it is known.
    pub(super) fn content(&self, storage: Storage) -> Option<ContentId> {
        self.contents.get(storage as usize).copied().filter(|&id| id != NO_CONTENT)
    }

    pub(super) fn set_content(&mut self, storage: Storage, id: ContentId) {
        if let Some(content) = self.contents.get_mut(storage as usize) {
            *content = id;
        }
    }

    /// A storage's boxes, and of how many polygons.
    #[inline]
    pub(super) fn boxes_of(&self, storage: Storage) -> (&[PolygonBox], usize) {
        (self.boxes.get(storage as usize), self.polygons.len(storage as usize))
    }

    /// Whether a tile may reach beyond its cell of the grid.
    pub(super) fn overhangs(&self) -> bool {
        self.overhangs
    }

    /// How many storages there are.
    pub(super) fn storages(&self) -> usize {
        self.storages
    }
}

/// Notes for each edge which one of its neighbour leads back, where it is the only one that the two share.
fn note_ways_back(polygons: &[Polygon], edges: &mut [Edge]) {
    for (number, polygon) in polygons.iter().enumerate() {
        for at in edge_range(polygon) {
            let to = edges[at].neighbor;
            let Some(neighbor) = polygons.get(to as usize) else { continue };
            if only_edge_to(polygon, to, edges).is_some() {
                edges[at].back = only_edge_to(neighbor, number as u32, edges).unwrap_or(NO_BACK);
            }
        }
    }
}

/// The only edge of a polygon that leads to another.
fn only_edge_to(polygon: &Polygon, neighbor: u32, edges: &[Edge]) -> Option<u8> {
    let mut ways = (0..).zip(edge_range(polygon)).filter(|&(_, at)| edges[at].neighbor == neighbor);
    let (edge, _) = ways.next()?;
    if ways.next().is_none() { Some(edge) } else { None }
}

fn edge_range(polygon: &Polygon) -> Range<usize> {
    let first = polygon.first_edge as usize;
    first..first + polygon.edge_count as usize
}

fn fill<T>(items: &mut [T], mut element: impl FnMut(usize) -> T) {
    items.iter_mut().enumerate().for_each(|(i, item)| *item = element(i));
}

impl Held {
    /// Whether so much would fit the limits; the first limit that is passed is named.
    pub(super) fn check(&self, limits: &MeshLimits) -> Result<()> {
        let counts = &self.counts;
        let pairs = [
            (counts.vertices, limits.vertices, Subject::Vertices),
            (counts.polygons, limits.polygons, Subject::Polygons),
            (counts.edges, limits.edges, Subject::Edges),
            (self.portals, limits.portals, Subject::Portals),
            (counts.detail_vertices, limits.detail_vertices, Subject::DetailVertices),
            (counts.detail_triangles, limits.detail_triangles, Subject::DetailTriangles),
            (counts.off_mesh, limits.off_mesh_links, Subject::OffMeshLinks),
        ];
        pairs.into_iter().try_for_each(|(count, limit, subject)| check_limit(count, limit, subject))
    }

    pub(super) fn plus(&self, other: &Held) -> Held {
        self.with(other, |a, b| a.saturating_add(b))
    }

    pub(super) fn minus(&self, other: &Held) -> Held {
        self.with(other, |a, b| a.saturating_sub(b))
    }

    pub(super) fn most(&self, other: &Held) -> Held {
        self.with(other, |a, b| a.max(b))
    }

    fn with(&self, other: &Held, op: impl Fn(usize, usize) -> usize) -> Held {
        let (a, b) = (&self.counts, &other.counts);
        Held {
            counts: TileCounts {
                vertices: op(a.vertices, b.vertices),
                polygons: op(a.polygons, b.polygons),
                edges: op(a.edges, b.edges),
                detail_vertices: op(a.detail_vertices, b.detail_vertices),
                detail_triangles: op(a.detail_triangles, b.detail_triangles),
                off_mesh: op(a.off_mesh, b.off_mesh),
            },
            portals: op(self.portals, other.portals),
        }
    }
}

/// Refuses a count past its limit, with both numbers.
pub(super) fn check_limit(count: usize, limit: u32, subject: Subject) -> Result<()> {
    if count > limit as usize {
        return Err(Error::capacity(subject, limit as usize).value(count as f64));
    }
    Ok(())
}
