//! The mesh: numbered slots of tiles and what reads them (`navmesh-format.md`, "Concepts" and "References").

use super::def::{MeshDef, MeshLimits, PortalRule, Tier};
use super::edits::StagedEdit;
use super::off_mesh::{LinkTable, MAX_LINKS};
use super::params::{Fingerprint, MeshParams};
use super::places::{self, Columns, Place};
use super::pools::{Held, NO_STORAGE, Pools, Storage};
use super::reference::{PolyRef, TileRef};
use super::stage::StagedTile;
use super::view::{Link, Polygon, TileView};
use super::work;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Arena, Grain, List, Plan, RangePool, Ruler, SlotPool};

/// Most slots of a mesh.
pub const MAX_SLOTS: u32 = 1_048_575;

/// A tiled navigation mesh in memory that its caller handed over.
///
/// Tiles come as bytes, are checked as hostile, and lie in pools until they go. Changes are staged, and
/// [`commit`](NavMesh::commit) applies them all or not at all. Reading calls take `&self`: between changes any number
/// of threads may query.
///
/// ```
/// use navarena::memory::Arena;
/// use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// # use navarena::memory::Memory;
/// let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
/// # let mut region = vec![navarena::memory::Grain::ZERO; def.plan().grains()];
/// let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
/// let floor = TileData {
///     x: 0,
///     z: 0,
///     layer: 0,
///     origin: [0.0; 3],
///     vertices: &[[0.0, 0.0, 0.0], [64.0, 0.0, 0.0], [64.0, 0.0, 64.0], [0.0, 0.0, 64.0]],
///     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
///     indices: &[0, 1, 2, 3],
///     neighbors: &[0; 4],
///     portal_sides: &[3, 0, 1, 2],
///     detail_vertices: &[],
///     detail_triangles: &[],
///     off_mesh: &[],
/// };
/// let mut bytes = [0; 256];
/// let size = floor.write(mesh.params(), &mut bytes)?;
/// mesh.stage_tile(&bytes[..size])?;
/// assert!(mesh.tile_at(0, 0, 0).is_none()); // staged only
/// mesh.commit()?;
/// assert_eq!(mesh.tile_at(0, 0, 0).unwrap().polygons.len(), 1);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct NavMesh<'m> {
    pub(super) params: MeshParams,
    pub(super) fingerprint: Fingerprint,
    pub(super) tier: Tier,
    pub(super) portals: PortalRule,
    pub(super) limits: MeshLimits,
    pub(super) pools: Pools<'m>,
    /// Each storage's links.
    pub(super) links: RangePool<'m, Link>,
    /// The links staged on the mesh.
    pub(super) off_mesh: LinkTable<'m>,
    pub(super) slots: SlotPool<'m>,
    /// Each slot's storage, or none.
    pub(super) storages: &'m mut [Storage],
    /// Twice the ground area of the tiles up to each slot, its own included. Kept up to date by commits.
    pub(super) area_totals: &'m mut [f64],
    /// Whether any tile has a side with edges on it but no tile beyond it. Kept up to date by commits.
    pub(super) has_open_sides: bool,
    /// Whether any column has tiles in several layers. Kept up to date by commits.
    pub(super) has_layers: bool,
    /// Slots that ever held a tile: what a saved mesh lists.
    pub(super) slot_count: usize,
    pub(super) places: List<'m, Place>,
    /// Sorted by place.
    pub(super) staged: List<'m, StagedTile>,
    pub(super) sequence: u32,
    /// Sorted by what they change.
    pub(super) edits: List<'m, StagedEdit>,
    /// Work memory that each changing call carves anew.
    pub(super) work: &'m mut [Grain],
    pub(super) version: u64,
    pub(super) peak: Peak,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Peak {
    pub held: Held,
    pub tiles: usize,
    pub links: usize,
    pub link_crossings: usize,
    pub staged: usize,
    pub edits: usize,
}

impl<'m> NavMesh<'m> {
    pub(super) const fn plan(limits: &MeshLimits) -> Plan {
        let tiles = limits.tiles as usize;
        let storages = tiles.saturating_add(limits.staged as usize);
        Ruler::new()
            .then(Pools::plan(limits))
            .then(RangePool::<Link>::plan(storages, limits.links as usize))
            .then(LinkTable::plan(limits.link_crossings as usize))
            .then(SlotPool::plan(tiles))
            .array::<Storage>(tiles)
            .array::<f64>(tiles)
            .array::<Place>(tiles)
            .array::<StagedTile>(limits.staged as usize)
            .array::<StagedEdit>(limits.staged_edits as usize)
            .then(work::plan(limits))
            .plan()
    }

    /// An empty mesh.
    ///
    /// # Errors
    /// Parameters that [`MeshParams::validate`] refuses, more than [`MAX_SLOTS`] tiles or none, more than [`MAX_LINKS`]
    /// link crossings, or less memory than [`MeshDef::plan`] says.
    pub fn new(def: &MeshDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.params.validate()?;
        let limits = def.limits;
        if limits.tiles == 0 || limits.tiles > MAX_SLOTS {
            return Err(Error::limit(Subject::Tiles).value(limits.tiles.into()).bound(MAX_SLOTS.into()));
        }
        if limits.link_crossings > MAX_LINKS {
            let error = Error::limit(Subject::LinkCrossings).value(limits.link_crossings.into());
            return Err(error.bound(MAX_LINKS.into()));
        }
        arena.check(def.plan())?;
        let tiles = limits.tiles as usize;
        let pools = Pools::new(&limits, def.params.far_side(), arena)?;
        let mesh = NavMesh {
            params: def.params,
            fingerprint: def.params.fingerprint(),
            tier: def.tier,
            portals: def.portals,
            limits,
            links: RangePool::new(pools.storages(), limits.links as usize, arena)?,
            pools,
            off_mesh: LinkTable::new(limits.link_crossings as usize, arena)?,
            slots: SlotPool::new(tiles, arena)?,
            storages: arena.take(tiles)?,
            area_totals: arena.take(tiles)?,
            has_open_sides: false,
            has_layers: false,
            slot_count: 0,
            places: List::over(arena.take(tiles)?),
            staged: List::over(arena.take(limits.staged as usize)?),
            sequence: 0,
            edits: List::over(arena.take(limits.staged_edits as usize)?),
            work: arena.take_grains(work::plan(&limits).bytes)?,
            version: 0,
            peak: Peak::default(),
        };
        mesh.storages.fill(NO_STORAGE);
        Ok(mesh)
    }

    /// What the mesh and its tiles agree on.
    pub fn params(&self) -> &MeshParams {
        &self.params
    }

    /// What may change in it.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// When portals are linked.
    pub fn portal_rule(&self) -> PortalRule {
        self.portals
    }

    /// How much it holds at most.
    pub fn limits(&self) -> &MeshLimits {
        &self.limits
    }

    /// A number that grows with every change that a query could see.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// One more than the highest slot that ever held a tile.
    pub fn slot_count(&self) -> usize {
        self.slot_count
    }

    /// How many tiles are loaded.
    pub fn tile_count(&self) -> usize {
        self.places.len()
    }

    /// The tile in a slot.
    pub fn tile(&self, slot: usize) -> Option<TileView<'_>> {
        let storage = self.storage(slot)?;
        let links = self.links.get(storage as usize);
        Some(TileView {
            reference: TileRef::new(self.slots.salt(slot), slot as u32),
            links,
            ..self.pools.view(storage)
        })
    }

    /// The tile at a place.
    pub fn tile_at(&self, x: i32, z: i32, layer: i32) -> Option<TileView<'_>> {
        let found = places::find(&self.places, x, z, layer).ok()?;
        self.tile(self.places[found].slot as usize)
    }

    /// The tiles of a column, lowest layer first.
    pub fn tiles_in_column(&self, x: i32, z: i32) -> impl Iterator<Item = TileView<'_>> {
        places::column(&self.places, x, z).iter().filter_map(|place| self.tile(place.slot as usize))
    }

    /// Calls `visit` with each tile that could reach into a box of world coordinates, in no order that matters.
    #[inline]
    pub(crate) fn each_tile_near<'a>(&'a self, low: [f64; 3], high: [f64; 3], mut visit: impl FnMut(TileView<'a>)) {
        self.each_slot_near(low, high, |slot| {
            if let Some(tile) = self.tile(slot as usize) {
                visit(tile);
            }
        });
    }

    /// As [`each_tile_near`](NavMesh::each_tile_near), with the tiles' slots.
    #[inline]
    pub(crate) fn each_slot_near(&self, low: [f64; 3], high: [f64; 3], mut visit: impl FnMut(u32)) {
        if let [only] = self.places[..] {
            return visit(only.slot);
        }
        let columns = Columns::near(&self.params, self.pools.overhangs(), low, high);
        places::each_near(&self.places, columns, |place| visit(place.slot));
    }

    /// The column, row and layer of the tile in a slot.
    pub(crate) fn place_of(&self, slot: u32) -> (i32, i32, i32) {
        let header = self.storage(slot as usize).map(|storage| self.pools.header(storage)).unwrap_or_default();
        (header.x, header.z, header.layer)
    }

    /// Whether part of a box of world coordinates lies in a column of the tile grid without a tile. A side that the box
    /// only touches from below belongs to the column before it.
    pub(crate) fn misses_tile_in(&self, low: [f64; 3], high: [f64; 3]) -> bool {
        let from = self.params.world_to_tile(low[0], low[2]);
        let to = self.params.world_to_tile(high[0], high[2]);
        let (Some((x0, z0)), Some((mut x1, mut z1))) = (from, to) else { return true };
        let [side_x, side_z] = self.params.tile_origin(x1, z1);
        x1 -= i32::from(x1 > x0 && side_x >= high[0]);
        z1 -= i32::from(z1 > z0 && side_z >= high[2]);
        let columns = (i64::from(x1) - i64::from(x0) + 1).checked_mul(i64::from(z1) - i64::from(z0) + 1);
        // Each column with tiles has at least one.
        columns.is_none_or(|columns| columns > self.tile_count() as i64)
            || (z0..=z1).any(|z| (x0..=x1).any(|x| places::column(&self.places, x, z).is_empty()))
    }

    /// The loaded tiles in slot order.
    pub fn tiles(&self) -> impl Iterator<Item = TileView<'_>> {
        (0..self.slot_count).filter_map(|slot| self.tile(slot))
    }

    /// A polygon and its tile.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`] when its tile has been replaced or removed, [`ErrorKind::Invalid`] for a reference that was
    /// never handed out.
    pub fn polygon(&self, reference: PolyRef) -> Result<(TileView<'_>, &Polygon)> {
        let part = reference.index() as usize;
        let tile = self.tile_of(reference.tile()).map_err(|error| error.part(part))?;
        let missing = Error::invalid(Subject::Reference).at(reference.slot() as usize).part(part);
        Ok((tile, tile.polygons.get(part).ok_or(missing)?))
    }

    /// The tile that a reference names; refusals as for [`polygon`](NavMesh::polygon).
    pub fn tile_of(&self, reference: TileRef) -> Result<TileView<'_>> {
        let slot = reference.slot() as usize;
        let salt = self.slots.salt(slot);
        let never = Error::invalid(Subject::Reference).at(slot);
        if reference.salt() == 0 || reference.0 >> 44 != 0 || slot >= self.slot_count || reference.salt() > salt {
            return Err(never);
        }
        if reference.salt() < salt {
            return Err(Error::new(ErrorKind::Stale, Subject::Reference).at(slot));
        }
        self.tile(slot).ok_or(never)
    }

    /// A polygon of the tile in a slot, whatever its salt: for the targets of links, which are never stale.
    #[inline]
    pub(crate) fn polygon_in(&self, slot: u32, index: u32) -> Option<&Polygon> {
        let storage = self.storage(slot as usize)?;
        self.pools.polygons.get(storage as usize).get(index as usize)
    }

    /// Whether a reference names a polygon that is loaded.
    pub fn is_valid(&self, reference: PolyRef) -> bool {
        self.polygon(reference).is_ok()
    }

    /// The most of each limit ever used at once, staged tiles included.
    pub fn high_water(&self) -> MeshLimits {
        let (held, peak) = (&self.peak.held, &self.peak);
        let counts = &held.counts;
        MeshLimits {
            tiles: peak.tiles as u32,
            vertices: counts.vertices as u32,
            polygons: counts.polygons as u32,
            edges: counts.edges as u32,
            portals: held.portals as u32,
            links: peak.links as u32,
            detail_vertices: counts.detail_vertices as u32,
            detail_triangles: counts.detail_triangles as u32,
            off_mesh_links: counts.off_mesh as u32,
            link_crossings: peak.link_crossings as u32,
            staged: peak.staged as u32,
            staged_edits: peak.edits as u32,
        }
    }

    /// The storage of a slot that holds a tile.
    #[inline]
    pub(super) fn storage(&self, slot: usize) -> Option<Storage> {
        self.storages.get(slot).copied().filter(|&storage| storage != NO_STORAGE)
    }

    /// Notes what is used now, for the high-water mark.
    pub(super) fn note(&mut self) {
        let links = self.limits.links as usize - self.links.free_total();
        self.peak = Peak {
            held: self.peak.held.most(&self.pools.held()),
            tiles: self.peak.tiles.max(self.slot_count),
            links: self.peak.links.max(links),
            link_crossings: self.peak.link_crossings.max(self.off_mesh.crossing_count()),
            staged: self.peak.staged.max(self.staged.len()),
            edits: self.peak.edits.max(self.edits.len()),
        };
    }
}
