//! A level baked, committed and asked, on the core alone, in memory that is made once and used again.

use navarena::build3d::{
    BakeDef, BakeInput, BakeLimits, Baker, IslandRule, TileIndex, TriangleMesh, rasterize::Vertices,
};
use navarena::error::{Error, Result, Subject};
use navarena::memory::{Arena, Grain, Plan};
use navarena::mesh::view::TileView;
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings, PortalRule};
use navarena::query::{Filter, Nearest, NodeModel, Query, QueryDef, nearest_polygon};
use navarena_std::obj::Geometry;

use crate::recast::{Outcome, Pair, SNAP};

/// By which rules a level is baked and linked, where the page's differ from what Recast and Detour do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The page's: the defaults.
    Page,
    /// Those that leave no gap between tiles and no small island, as Recast and Detour leave none.
    Recast,
}

impl Rules {
    /// When islands are judged.
    pub const fn islands(self) -> IslandRule {
        match self {
            Rules::Page => IslandRule::BeforeMerging,
            Rules::Recast => IslandRule::AfterMerging,
        }
    }

    /// When portals are linked.
    pub const fn portals(self) -> PortalRule {
        match self {
            Rules::Page => PortalRule::Throughout,
            Rules::Recast => PortalRule::Somewhere,
        }
    }

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Page => "by the page's rules",
            Rules::Recast => "by Recast's rules",
        }
    }
}

/// Memory for baking one level with one set of settings, sized by a first bake.
pub struct Workshop<'l> {
    level: &'l Geometry,
    settings: NavSettings,
    rules: Rules,
    bake_limits: BakeLimits,
    mesh_limits: MeshLimits,
    index: Vec<Grain>,
    work: Vec<Grain>,
    mesh: Vec<Grain>,
}

/// What a bake took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The most work memory of any tile's bake, finished tiles included.
    pub work_bytes: usize,
    /// The tile index.
    pub index_bytes: usize,
    /// The mesh, at exactly the limits it fills.
    pub mesh_bytes: usize,
}

/// Most work memory that is tried.
const MOST_BYTES: usize = 1 << 30;

impl<'l> Workshop<'l> {
    /// Bakes the level once, in more and more memory until it suffices, and keeps what suffices.
    pub fn new(level: &'l Geometry, settings: &NavSettings, rules: Rules) -> Result<Self> {
        let mut shop = Workshop {
            level,
            settings: *settings,
            rules,
            bake_limits: BakeLimits { bytes: 1 << 18, ..BakeLimits::DEFAULT },
            mesh_limits: MeshLimits::DEFAULT,
            index: Vec::new(),
            work: Vec::new(),
            mesh: Vec::new(),
        };
        shop.index = region(shop.with_input(|input| TileIndex::plan(input, settings))?);
        loop {
            shop.work = region(shop.bake_def().plan());
            shop.mesh = region(shop.mesh_def().plan());
            match shop.bake(|mesh, taken| (mesh.high_water(), taken)) {
                Ok((used, taken)) => {
                    shop.mesh_limits = MeshLimits { staged_edits: 1, ..used };
                    shop.bake_limits.bytes = taken.work_bytes;
                    break;
                }
                Err(error) if error.subject() == Subject::Memory && shop.bake_limits.bytes < MOST_BYTES => {
                    shop.bake_limits.bytes *= 2;
                }
                Err(error) => return Err(error),
            }
        }
        shop.work = region(shop.bake_def().plan());
        shop.mesh = region(shop.mesh_def().plan());
        Ok(shop)
    }

    /// Bakes every tile of the level, commits them all, and lends the mesh.
    pub fn bake<R>(&mut self, ask: impl FnOnce(&NavMesh<'_>, Taken) -> R) -> Result<R> {
        let (bake_def, mesh_def) = (self.bake_def(), self.mesh_def());
        let mut taken = Taken {
            index_bytes: self.index.len() * size_of::<Grain>(),
            mesh_bytes: self.mesh.len() * size_of::<Grain>(),
            work_bytes: 0,
        };
        let meshes = [triangles(self.level)];
        let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
        let index = TileIndex::new(&input, &self.settings, &mut Arena::new(&mut self.index))?;
        let input = BakeInput { index: Some(&index), ..input };
        let mut baker = Baker::new(&bake_def, &mut Arena::new(&mut self.work))?;
        let mut mesh = NavMesh::new(&mesh_def, &mut Arena::new(&mut self.mesh))?;
        let range = index.range();
        for (x, z) in (0..range.count()).map(|tile| range.tile(tile)) {
            baker.bake_tile(&input, x, z)?;
            baker.tiles().try_for_each(|tile| mesh.stage_tile(tile))?;
        }
        mesh.commit()?;
        taken.work_bytes = baker.high_water();
        Ok(ask(&mesh, taken))
    }

    /// Bakes every tile of the level and gives their bytes, in the order of the tiles.
    pub fn tile_bytes(&mut self) -> Result<Vec<Vec<u8>>> {
        let bake_def = self.bake_def();
        let meshes = [triangles(self.level)];
        let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
        let index = TileIndex::new(&input, &self.settings, &mut Arena::new(&mut self.index))?;
        let input = BakeInput { index: Some(&index), ..input };
        let mut baker = Baker::new(&bake_def, &mut Arena::new(&mut self.work))?;
        let range = index.range();
        let mut tiles = Vec::new();
        for (x, z) in (0..range.count()).map(|tile| range.tile(tile)) {
            baker.bake_tile(&input, x, z)?;
            tiles.extend(baker.tiles().map(<[u8]>::to_vec));
        }
        Ok(tiles)
    }

    fn with_input<R>(&self, ask: impl FnOnce(&BakeInput<'_>) -> R) -> R {
        ask(&BakeInput { meshes: &[triangles(self.level)], ..BakeInput::default() })
    }

    fn bake_def(&self) -> BakeDef<'static> {
        BakeDef { islands: self.rules.islands(), limits: self.bake_limits, ..BakeDef::of(self.settings) }
    }

    fn mesh_def(&self) -> MeshDef {
        MeshDef { limits: self.mesh_limits, portals: self.rules.portals(), ..MeshDef::of(&self.settings) }
    }
}

fn triangles(level: &Geometry) -> TriangleMesh<'_> {
    TriangleMesh { vertices: Vertices::Single(&level.vertices), triangles: &level.triangles, areas: None }
}

/// A region that a plan fits.
pub fn region(plan: Plan) -> Vec<Grain> {
    vec![Grain::ZERO; plan.grains()]
}

/// Gathers the bytes of something whose size is known.
///
/// # Errors
/// What `save` refuses.
pub fn written(size: usize, save: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let length = save(&mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Sum of the polygons' ground areas, world units squared.
pub fn coverage(mesh: &NavMesh<'_>) -> f64 {
    mesh.tiles().map(|tile| (0..tile.polygons.len()).map(|index| ground_area(&tile, index)).sum::<f64>()).sum()
}

/// The ground area of one polygon.
pub fn ground_area(tile: &TileView<'_>, polygon: usize) -> f64 {
    let edges = tile.edges_of(&tile.polygons[polygon]);
    let at = |edge: usize| {
        let [x, _, z] = tile.vertices[edges[edge % edges.len()].vertex as usize];
        (f64::from(x), f64::from(z))
    };
    let crosses = (0..edges.len()).map(|edge| {
        let ((ax, az), (bx, bz)) = (at(edge), at(edge + 1));
        ax * bz - bx * az
    });
    crosses.sum::<f64>() / 2.0
}

/// How many polygons a mesh holds.
pub fn polygon_count(mesh: &NavMesh<'_>) -> usize {
    mesh.tiles().map(|tile| tile.polygons.len()).sum()
}

/// Snaps both ends of every pair; `None` where an end has no polygon near.
pub fn snap(mesh: &NavMesh<'_>, pairs: &[Pair]) -> Result<Vec<Option<[Nearest; 2]>>> {
    let one = |point: [f64; 3]| nearest_polygon(mesh, point, SNAP, &Filter::ALL);
    pairs.iter().map(|pair| Ok(one(pair.start)?.zip(one(pair.goal)?).map(|(start, goal)| [start, goal]))).collect()
}

/// A search.
pub struct Paths<'m> {
    query: Query<'m>,
}

impl<'m> Paths<'m> {
    /// The limits of the comparison: the node model that is the default, and Detour's 2048 nodes.
    pub const DEF: QueryDef = QueryDef { nodes: 2048, model: NodeModel::Polygon, ..QueryDef::DEFAULT };

    /// A search in a region of the plan of [`Paths::DEF`].
    pub fn new(region: &'m mut [Grain]) -> Result<Self> {
        Ok(Paths { query: Query::new(&Self::DEF, &mut Arena::new(region))? })
    }

    /// Finds one path and pulls it straight: how it ended and how long it is.
    pub fn find(&mut self, mesh: &NavMesh<'_>, &[start, goal]: &[Nearest; 2]) -> Result<(Outcome, f64)> {
        let found = self.query.find_path_between(mesh, start, goal, &Filter::ALL)?;
        if found.corridor_truncated {
            return Err(Error::capacity(Subject::Corridor, Self::DEF.corridor as usize));
        }
        let complete = self.query.path().corridor().last() == Some(&goal.polygon);
        Ok((if complete { Outcome::Found } else { Outcome::Partial }, found.length))
    }
}
