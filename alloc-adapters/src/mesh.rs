//! The mesh that owns its memory.

use crate::bake::Baked;
use crate::block::{Block, Source};
use crate::crowd::Crowd;
use crate::follower::Follower;
use crate::geometry::Geometry;
use crate::grow;
use crate::path::{Path, PathOptions, RayHit};
use crate::searches::{Searches, Way};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use navarena::build3d::{BakeInput, TriangleMesh};
use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{
    AnyLink, LinkDef, LinkId, MeshDef, MeshLimits, NavFile, NavMesh as CoreMesh, NavSettings, OffMeshLinkDef, PolyRef,
    PortalRule, SavedMesh,
};
use navarena::query::{DEFAULT_EXTENTS, Filter, Nearest, Query, RandomPoint, nearest_polygon, random_point, raycast};
use self_cell::{MutBorrow, self_cell};

/// How a mesh without settings begins.
const BARE_MAGIC: [u8; 4] = *b"ONPM";

self_cell!(
    struct MeshCell {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: CoreMesh,
    }
);

impl MeshCell {
    fn make(def: &MeshDef, source: &Source) -> Result<MeshCell> {
        let block = Block::new(source, def.plan().bytes)?;
        MeshCell::try_new(MutBorrow::new(block), |block| {
            CoreMesh::new(def, &mut Arena::new(block.borrow_mut().grains()))
        })
    }
}

/// A navigation mesh that owns its memory: built from triangles or loaded from bytes, asked for paths by any number of
/// threads, changed tile by tile.
///
/// It has no limits to choose. Where the core's mesh would refuse a change for lack of room, this one is rebuilt in a
/// larger block, with the same slots and generations: references stay valid, and saved bytes are the same.
///
/// ```
/// use navarena_alloc::prelude::*;
/// // A floor of twenty by twenty meters.
/// let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0f32]];
/// let triangles = [[0, 1, 2], [0, 2, 3]];
/// let mesh = NavMesh::build(&(&vertices[..], &triangles[..]), &NavSettings::HUMANOID)?;
///
/// let path = mesh.find_path([3.0, 0.0, 3.0], [17.0, 0.0, 12.0])?;
/// assert!(path.is_complete());
///
/// let bytes = mesh.save()?;
/// let again = NavMesh::load(&bytes)?;
/// assert_eq!(again.find_path([3.0, 0.0, 3.0], [17.0, 0.0, 12.0])?, path);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
pub struct NavMesh {
    cell: MeshCell,
    settings: Option<NavSettings>,
    links: Vec<OffMeshLinkDef>,
    source: Source,
    searches: Searches,
}

impl fmt::Debug for NavMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NavMesh").field("core", self.core()).field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl NavMesh {
    /// Builds a mesh from triangles, on this thread, with memory from the global allocator.
    ///
    /// Errors: the first setting, vertex or triangle that can't be used, by name; a tile with more polygons or vertices
    /// than the format holds (choose a smaller tile size); [`ErrorKind::Capacity`](crate::ErrorKind::Capacity) of
    /// [`Subject::Memory`](crate::Subject::Memory) when there is no more.
    pub fn build<G: Geometry + ?Sized>(geometry: &G, settings: &NavSettings) -> Result<NavMesh> {
        NavMesh::build_with(geometry, settings, &[], &Source::Global)
    }

    /// Builds a mesh from triangles with authored off-mesh links, with memory from a source.
    pub fn build_with<G: Geometry + ?Sized>(
        geometry: &G,
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<NavMesh> {
        geometry.with(|vertices, triangles| {
            let meshes = [TriangleMesh { vertices, triangles, areas: None }];
            NavMesh::build_from(&BakeInput { meshes: &meshes, ..BakeInput::default() }, settings, links, source)
        })
    }

    /// Builds a mesh from all that a bake reads: triangle meshes with areas, terrains, volumes.
    pub fn build_from(
        input: &BakeInput<'_>,
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<NavMesh> {
        NavMesh::from_tiles(&Baked::bake(input, settings, links, source)?.tiles, settings, links, source)
    }

    /// A mesh of tiles that were baked with these settings and links, committed at once, in this order.
    pub fn from_tiles<T: AsRef<[u8]>>(
        tiles: &[T],
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<NavMesh> {
        let count = tiles.len().max(1) as u32;
        let bytes: usize = tiles.iter().map(|tile| tile.as_ref().len()).sum();
        let mut mesh = NavMesh::empty(settings, links, source, first_limits(count, bytes))?;
        mesh.change(|core| {
            let staged = tiles.iter().try_for_each(|tile| core.stage_tile(tile.as_ref()));
            staged.and_then(|()| core.commit()).inspect_err(|_| core.discard_staged())
        })?;
        Ok(mesh)
    }

    /// The same mesh with its tiles linked by a rule: [`PortalRule::Somewhere`] suits hilly ground in tiles. References
    /// stay valid.
    pub fn with_portals(mut self, rule: PortalRule) -> Result<NavMesh> {
        self.rebuild_with(*self.core().limits(), rule)?;
        Ok(self)
    }

    pub(crate) fn empty(
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
        limits: MeshLimits,
    ) -> Result<NavMesh> {
        settings.validate()?;
        let def = MeshDef { params: settings.to_params(links), limits, ..MeshDef::HUMANOID };
        Ok(NavMesh {
            cell: MeshCell::make(&def, source)?,
            settings: Some(*settings),
            links: links.to_vec(),
            source: *source,
            searches: Searches::new(source),
        })
    }

    /// Loads a mesh from saved bytes, with memory from the global allocator: what [`save`](NavMesh::save) wrote (`ONNM`),
    /// or a bare mesh (`ONPM`), which then has no settings.
    ///
    /// Errors: the first thing in the bytes that breaks a rule, by name. Any bytes may be given.
    pub fn load(bytes: &[u8]) -> Result<NavMesh> {
        NavMesh::load_from(bytes, &Source::Global)
    }

    /// Loads a mesh from saved bytes, with memory from a source.
    pub fn load_from(bytes: &[u8], source: &Source) -> Result<NavMesh> {
        if bytes.starts_with(&BARE_MAGIC) {
            return NavMesh::of_saved(&SavedMesh::open(bytes)?, bytes, None, Vec::new(), source);
        }
        let file = NavFile::open(bytes)?;
        NavMesh::of_saved(file.mesh(), file.mesh_bytes(), Some(*file.settings()), file.links().collect(), source)
    }

    /// Loads a bare mesh (`ONPM`) with the settings and links it was built with, or a mesh with settings (`ONNM`) that
    /// must be these.
    pub fn load_with(
        bytes: &[u8],
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<NavMesh> {
        let saved = NavFile::open_mesh(bytes, settings, links)?;
        let bare = if bytes.starts_with(&BARE_MAGIC) { bytes } else { NavFile::open(bytes)?.mesh_bytes() };
        NavMesh::of_saved(&saved, bare, Some(*settings), links.to_vec(), source)
    }

    fn of_saved(
        saved: &SavedMesh<'_>,
        bytes: &[u8],
        settings: Option<NavSettings>,
        links: Vec<OffMeshLinkDef>,
        source: &Source,
    ) -> Result<NavMesh> {
        let def = MeshDef { params: *saved.params(), limits: saved.limits()?, ..MeshDef::HUMANOID };
        let cell = restored(def, source, bytes)?;
        Ok(NavMesh { cell, settings, links, source: *source, searches: Searches::new(source) })
    }

    /// The mesh as bytes that [`load`](NavMesh::load) reads: with its settings where it has them (`ONNM`), else bare
    /// (`ONPM`). A mesh saved, loaded and saved again gives the same bytes.
    pub fn save(&self) -> Result<Vec<u8>> {
        let core = self.core();
        let size = match self.settings {
            Some(_) => NavFile::save_size(core, &self.links),
            None => core.save_size(),
        };
        let mut bytes = vec![0; size];
        match &self.settings {
            Some(settings) => NavFile::save(core, settings, &self.links, &mut bytes)?,
            None => core.save(&mut bytes)?,
        };
        Ok(bytes)
    }

    /// Finds a path between two positions, each looked for on the mesh within two meters sideways and four up or down.
    ///
    /// A goal that can't be reached gives the path to the place nearest to it: see [`Path::is_partial`]. An end that is
    /// off the mesh gives a path without points, whose [`Path::status`] names the end.
    ///
    /// Errors: a position that is not finite or past 2^21, and memory.
    pub fn find_path(&self, start: [f64; 3], goal: [f64; 3]) -> Result<Path> {
        self.find_path_with(start, goal, &PathOptions::default())
    }

    /// Finds a path with a filter, other extents or another node model.
    pub fn find_path_with(&self, start: [f64; 3], goal: [f64; 3], options: &PathOptions) -> Result<Path> {
        self.searches.find_path(self.core(), start, goal, options, Way::Cheapest)
    }

    /// Finds the shortest path seen from above, around every corner as tight as can be, by Polyanya; what the cheapest
    /// search gives for a goal that can't be reached. Every area must have the same cost or be forbidden.
    ///
    /// Errors: also a filter whose areas differ in cost.
    pub fn find_shortest_path(&self, start: [f64; 3], goal: [f64; 3], options: &PathOptions) -> Result<Path> {
        self.searches.find_path(self.core(), start, goal, options, Way::Shortest)
    }

    /// Casts a ray over the surface, from a position that is first snapped to the mesh as the start of a path is.
    ///
    /// A start that is off the mesh is blocked where it stands. Errors: a position that is not finite or past 2^21.
    pub fn raycast(&self, start: [f64; 3], end: [f64; 3]) -> Result<RayHit> {
        let core = self.core();
        let Some(from) = nearest_polygon(core, start, DEFAULT_EXTENTS, &Filter::ALL)? else {
            // The end is judged as it would be on the mesh.
            nearest_polygon(core, end, [0.0; 3], &Filter::ALL)?;
            return Ok(RayHit { ray: None, point: start });
        };
        let ray = raycast(core, from.polygon, from.point, end, &Filter::ALL, &mut [])?;
        Ok(RayHit { ray: Some(ray), point: ray.point(core, from.point, end).unwrap_or(from.point) })
    }

    /// The place on the mesh nearest to a position, at most `max_distance` away in space; `None` where there is none.
    ///
    /// Errors: a position that is not finite or past 2^21, a distance that is negative or not finite.
    pub fn sample_position(&self, position: [f64; 3], max_distance: f64) -> Result<Option<Nearest>> {
        let found = nearest_polygon(self.core(), position, [max_distance; 3], &Filter::ALL)?;
        Ok(found.filter(|nearest| nearest.distance_squared <= max_distance * max_distance))
    }

    /// A random place on the mesh, each as likely as any other seen from above; `None` on a mesh without ground. The same
    /// state of the generator gives the same place on every machine.
    pub fn random_point(&self, random: &mut SplitMix64) -> Option<RandomPoint> {
        random_point(self.core(), random, &Filter::ALL)
    }

    /// Lends a query context, for all that the core can be asked and this type has no call for: walls, circles, slices,
    /// corridors. It has room for the largest path that this mesh's own calls have met, and 1024 nodes at first.
    ///
    /// ```
    /// use navarena_alloc::prelude::*;
    /// use navarena::query::{Circle, WallOptions};
    /// # let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0f32]];
    /// # let mesh = NavMesh::build(&(&vertices[..], &[[0, 1, 2], [0, 2, 3]][..]), &NavSettings::HUMANOID)?;
    /// let here = mesh.sample_position([4.0, 0.0, 9.0], 1.0)?.expect("a floor");
    /// let circle = Circle { polygon: here.polygon, center: here.point, radius: 5.0 };
    /// let wall = mesh.with_query(|core, query| query.find_wall_distance(core, circle, &Filter::new(), WallOptions::ALL))??;
    /// assert!(wall.found && wall.distance < 4.0);
    /// # Ok::<(), navarena_alloc::Error>(())
    /// ```
    ///
    /// Errors: memory.
    pub fn with_query<R>(&self, ask: impl FnOnce(&CoreMesh<'_>, &mut Query<'_>) -> R) -> Result<R> {
        self.searches.with(|query| ask(self.core(), query))
    }

    /// An empty crowd to walk this mesh, with memory from the mesh's source. Errors: memory.
    pub fn create_crowd(&self) -> Result<Crowd> {
        Crowd::new(&self.source)
    }

    /// A follower to walk this mesh alone, with memory from the mesh's source. Errors: memory.
    pub fn create_follower(&self) -> Result<Follower> {
        Follower::new(&self.source)
    }

    /// The core's mesh, for everything it can be asked.
    pub fn core(&self) -> &CoreMesh<'_> {
        self.cell.borrow_dependent()
    }

    /// The settings that the mesh was built with; `None` for a mesh loaded from bare bytes (`ONPM`), which have none.
    pub fn settings(&self) -> Option<&NavSettings> {
        self.settings.as_ref()
    }

    /// The authored off-mesh links that the mesh was built with.
    pub fn links(&self) -> &[OffMeshLinkDef] {
        &self.links
    }

    /// Bytes of memory that the mesh holds; what its searches hold is not counted.
    pub fn memory(&self) -> usize {
        MeshDef { limits: *self.core().limits(), ..MeshDef::HUMANOID }.plan().bytes
    }

    /// Adds a tile at a place that holds none. Errors: as the core's call of the same name, limits excepted.
    pub fn add_tile(&mut self, bytes: &[u8]) -> Result<()> {
        self.change(|core| core.add_tile(bytes))
    }

    /// Replaces the tile of a place. Errors: as the core's call of the same name, limits excepted.
    pub fn replace_tile(&mut self, bytes: &[u8]) -> Result<()> {
        self.change(|core| core.replace_tile(bytes))
    }

    /// Removes the tile of a place. Errors: as the core's call of the same name.
    pub fn remove_tile(&mut self, x: i32, z: i32, layer: i32) -> Result<()> {
        self.change(|core| core.remove_tile(x, z, layer))
    }

    /// Adds an off-mesh link, snapped to the mesh now and at every later change. Errors: as the core's `stage_link`, limits
    /// excepted.
    pub fn add_link(&mut self, def: &LinkDef) -> Result<LinkId> {
        let added = Cell::new(None);
        self.change(|core| {
            added.set(Some(core.stage_link(def)?));
            core.commit().inspect_err(|_| core.discard_staged())
        })?;
        added.get().ok_or(navarena::error::Error::invalid(navarena::error::Subject::OffMeshLink))
    }

    /// Removes an off-mesh link that was added. Errors: as the core's `stage_link_removal`.
    pub fn remove_link(&mut self, link: LinkId) -> Result<()> {
        self.change(|core| {
            core.stage_link_removal(link)?;
            core.commit().inspect_err(|_| core.discard_staged())
        })
    }

    /// Gives a polygon another area, 0 to 63. Errors: as the core's call of the same name.
    pub fn set_area(&mut self, polygon: PolyRef, area: u8) -> Result<()> {
        self.change(|core| core.set_area(polygon, area))
    }

    /// Gives a polygon other flags. Errors: as the core's call of the same name.
    pub fn set_flags(&mut self, polygon: PolyRef, flags: u16) -> Result<()> {
        self.change(|core| core.set_flags(polygon, flags))
    }

    /// Switches an off-mesh link, one that was added or one of a tile, on or off. Errors: as the core's call of the same
    /// name.
    pub fn set_link_enabled(&mut self, link: impl Into<AnyLink>, enabled: bool) -> Result<()> {
        let link = link.into();
        self.change(|core| core.set_link_enabled(link, enabled))
    }

    /// Makes a change, in a larger block as often as it names a limit. The change must leave nothing staged behind when
    /// it is refused.
    fn change(&mut self, change: impl Fn(&mut CoreMesh<'_>) -> Result<()>) -> Result<()> {
        loop {
            let refused = match self.cell.with_dependent_mut(|_, core| change(core)) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            match grow::mesh_limits(self.core().limits(), &refused) {
                Some(limits) => self.rebuild(limits)?,
                None => return Err(refused),
            }
        }
    }

    /// The same mesh in a block for other limits: slots, generations, areas, flags and link switches.
    pub(crate) fn rebuild(&mut self, limits: MeshLimits) -> Result<()> {
        self.rebuild_with(limits, self.core().portal_rule())
    }

    fn rebuild_with(&mut self, limits: MeshLimits, portals: PortalRule) -> Result<()> {
        let old = self.core();
        let mut bytes = vec![0; old.save_size()];
        old.save(&mut bytes)?;
        let def = MeshDef { params: *old.params(), tier: old.tier(), portals, limits };
        let mut cell = restored(def, &self.source, &bytes)?;
        for tile in old.tiles() {
            for link in 0..tile.off_mesh.len() {
                if !old.is_link_enabled((tile.reference, link))? {
                    cell.with_dependent_mut(|_, core| core.set_link_enabled((tile.reference, link), false))?;
                }
            }
        }
        cell.with_dependent_mut(|_, core| core.stage_links_of(old).and_then(|()| core.commit()))?;
        self.cell = cell;
        Ok(())
    }
}

/// A mesh of saved bytes, in a block that is larger than the def's limits if it must be.
fn restored(mut def: MeshDef, source: &Source, bytes: &[u8]) -> Result<MeshCell> {
    loop {
        let mut cell = MeshCell::make(&def, source)?;
        match cell.with_dependent_mut(|_, core| core.restore(bytes)) {
            Ok(()) => return Ok(cell),
            Err(error) => def.limits = grow::mesh_limits(&def.limits, &error).ok_or(error)?,
        }
    }
}

/// Limits to begin with for so many tiles of so many bytes in all: no vertex, polygon or edge takes less than this.
fn first_limits(tiles: u32, bytes: usize) -> MeshLimits {
    let most = |least: usize| (bytes / least).clamp(16, 1 << 22) as u32;
    MeshLimits {
        tiles,
        staged: tiles,
        vertices: most(24),
        polygons: most(64),
        edges: most(20),
        portals: most(128),
        links: most(96),
        detail_vertices: most(48),
        detail_triangles: most(24),
        off_mesh_links: 16,
        link_crossings: 16,
        staged_edits: 16,
    }
}
