//! What is in a tile, a snapshot, a crowd or a state of a grid, found by restoring it: whatever the library would refuse,
//! `info` refuses.

use super::super::args::InfoArgs;
use super::super::table::{Table, count, hex, size};
use super::super::{load, print};
use super::{Counts, counts_json};
use crate::failure::{Failure, Outcome};
use crate::fields::{self, Format, fields};
use navarena::bytes::{Reader, StateKind};
use navarena::crowd::{Crowd, CrowdDef};
use navarena::error::{Error, Result, Subject};
use navarena::follower::FollowerState;
use navarena::grid::{Grid, GridDef, WALL};
use navarena::memory::{Arena, Grain};
use navarena::mesh::{LibraryTile, MeshDef, NavMesh as CoreMesh, SavedSnapshot, TileLibrary};
use navarena_alloc::NavMesh;
use serde_json::{Map, Value, json};

/// The mesh that a file belongs to, where one was named.
pub struct Owner(Option<NavMesh>);

impl Owner {
    /// Loads what `--of` names.
    pub fn of(args: &InfoArgs) -> Outcome<Owner> {
        let load = |path: &std::path::PathBuf| {
            NavMesh::load(&load::bytes(path)?).map_err(Failure::refused(path.display().to_string()))
        };
        args.of.as_ref().map(load).transpose().map(Owner)
    }

    /// The tiles of the mesh as they were built.
    fn tiles(&self) -> Result<Vec<Vec<u8>>> {
        let Some(mesh) = self.0.as_ref().map(NavMesh::core) else { return Ok(Vec::new()) };
        (0..mesh.slot_count())
            .filter_map(|slot| Some((slot, mesh.tile_size(slot)?)))
            .map(|(slot, size)| {
                let mut bytes = vec![0; size];
                mesh.save_tile(slot, &mut bytes)?;
                Ok(bytes)
            })
            .collect()
    }
}

/// What a file was found to hold: names and figures.
pub struct Report {
    kind: String,
    /// Whether all of it was judged, or why not.
    left: Option<&'static str>,
    rows: Map<String, Value>,
}

impl Report {
    fn new(kind: impl Into<String>) -> Report {
        Report { kind: kind.into(), left: None, rows: Map::new() }
    }

    fn row(&mut self, name: &str, value: impl Into<Value>) {
        self.rows.insert(name.into(), value.into());
    }

    fn counts(&mut self, counts: &Counts) {
        if let Value::Object(rows) = counts_json(counts) {
            self.rows.extend(rows);
        }
    }

    /// Prints it for a person or for a script.
    pub fn print(self, bytes: &[u8], json: bool) -> Outcome<()> {
        let digest = load::digest(bytes);
        if json {
            return print(&json!({
                "valid": self.left.is_none(),
                "unjudged": self.left,
                "kind": self.kind,
                "bytes": bytes.len(),
                "sha256": digest,
                "contents": self.rows,
            }));
        }
        let mut table = Table::default();
        table.row("file", format!("{}, {}", self.kind, self.left.unwrap_or("valid")));
        table.row("bytes", format!("{} ({})", count(bytes.len()), size(bytes.len())));
        table.row("sha256", digest);
        table.heading("contents");
        for (name, value) in &self.rows {
            table.row(&name.replace('_', " "), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        print(&table)
    }
}

/// A tile, judged by the mesh that it was built for.
pub fn tile(bytes: &[u8], owner: Owner) -> Result<Report> {
    let mut report = Report::new("tile (ONPT)");
    let Some(mut mesh) = owner.0 else {
        report.left = Some("unjudged: it needs the mesh that it was built for (--of)");
        return Ok(report);
    };
    // Where the mesh has such a tile, this one takes its place.
    mesh.add_tile(bytes).or_else(|_| mesh.replace_tile(bytes))?;
    let id = navarena::hash::sha256(bytes);
    let core = mesh.core();
    let slot = (0..core.slot_count()).find(|&slot| core.content_id(slot) == Some(id));
    if let Some(tile) = slot.and_then(|slot| core.tile(slot)) {
        report.row("column", tile.x);
        report.row("row", tile.z);
        report.row("layer", tile.layer);
        report.row("content_id", hex(&id));
        report.counts(&Counts::of(std::iter::once(tile)));
    }
    Ok(report)
}

/// A mesh's snapshot, restored; the tiles that it names are looked for in the mesh that owns it.
pub fn snapshot(bytes: &[u8], owner: Owner) -> Result<Report> {
    let tiles = owner.tiles()?;
    let mut entries = entries(&tiles);
    let library = TileLibrary::new(&mut entries);
    let mut region = Vec::new();
    let mesh = restored(bytes, &library, &mut region)?;
    let mut report = Report::new("snapshot of a mesh (ONPS)");
    report.row("slots", mesh.slot_count());
    report.counts(&Counts::of(mesh.tiles()));
    Ok(report)
}

fn entries(tiles: &[Vec<u8>]) -> Vec<LibraryTile<'_>> {
    tiles.iter().map(|tile| LibraryTile::new(tile)).collect()
}

/// The mesh of a snapshot, in memory of its size.
fn restored<'m>(bytes: &[u8], library: &TileLibrary<'_>, region: &'m mut Vec<Grain>) -> Result<CoreMesh<'m>> {
    let saved = SavedSnapshot::open(bytes, library)?;
    let def = MeshDef { params: *saved.params(), limits: saved.limits()?, ..MeshDef::HUMANOID };
    region.resize(def.plan().grains(), Grain::ZERO);
    let mut mesh = CoreMesh::new(&def, &mut Arena::new(region))?;
    mesh.restore_snapshot(bytes, library)?;
    Ok(mesh)
}

/// A crowd, with its mesh before it or walking the mesh that owns it.
pub fn crowd(bytes: &[u8], owner: Owner) -> Result<Report> {
    let tiles = owner.tiles()?;
    let mut entries = entries(&tiles);
    let library = TileLibrary::new(&mut entries);
    let mut regions = [Vec::new(), Vec::new()];
    let [of_mesh, of_crowd] = &mut regions;
    let def = crowd_def(bytes)?;
    of_crowd.resize(def.plan().grains(), Grain::ZERO);
    let mut crowd = Crowd::new(&def, &mut Arena::new(of_crowd))?;
    if Format::of(bytes) == Format::CrowdWithMesh {
        let snapshot = mesh_part(bytes)?;
        let mut mesh = restored(snapshot, &library, of_mesh)?;
        crowd.restore_state_with_mesh(&mut mesh, bytes, &library)?;
        let mut report = Report::new("crowd behind its mesh (OPCS)");
        agents(&mut report, &crowd, crowd.state_hash(&mesh));
        report.counts(&Counts::of(mesh.tiles()));
        return Ok(report);
    }
    let mut report = Report::new("crowd (OPCS)");
    let Some(mesh) = &owner.0 else {
        report.left = Some("unjudged: it needs the mesh that it walks (--of)");
        return Ok(report);
    };
    crowd.restore_state(mesh.core(), bytes)?;
    agents(&mut report, &crowd, crowd.state_hash(mesh.core()));
    Ok(report)
}

/// The bytes of the mesh, which stand before a crowd's.
fn mesh_part(bytes: &[u8]) -> Result<&[u8]> {
    let mut reader = Reader::new(bytes, Subject::Header);
    reader.bytes(8)?;
    let size = reader.u32()?;
    reader.bytes(size as usize)
}

/// The def of a crowd that has room for what the bytes say; the crowd itself judges whether they may.
fn crowd_def(bytes: &[u8]) -> Result<CrowdDef> {
    let fields = fields(bytes).map_err(|at| Error::format(Subject::Bytes).at(at))?;
    let most = |name: &str, least: u32| {
        let values = fields.iter().filter(|field| field.name == name || field.name.ends_with(&format!(": {name}")));
        let counts = values.filter_map(|field| match field.value {
            fields::Value::Count(count) => u32::try_from(count).ok(),
            _ => None,
        });
        counts.max().unwrap_or(0).max(least)
    };
    Ok(CrowdDef {
        agents: most("slots", 1),
        walls: most("walls that an agent keeps", 1),
        corridor: most("corridor capacity", 2),
        ..CrowdDef::DEFAULT
    })
}

fn agents(report: &mut Report, crowd: &Crowd<'_>, hash: u64) {
    report.row("agents", crowd.len());
    report.row("agent_slots", crowd.slot_count());
    report.row("steps", crowd.step_count());
    report.row("state_hash", format!("{hash:016x}"));
    let states = [
        ("idle", FollowerState::Idle),
        ("moving", FollowerState::Moving),
        ("on_a_link", FollowerState::OffMeshLink),
        ("arrived", FollowerState::Arrived),
        ("stuck", FollowerState::Stuck),
        ("without_a_way", FollowerState::NoPath),
    ];
    for (name, state) in states {
        report.row(name, crowd.agents().filter(|agent| agent.state() == state).count());
    }
}

/// A grid, restored; of a search over one only what it is, since it is judged by the grid and the options that it is
/// restored with.
pub fn grid(bytes: &[u8]) -> Result<Report> {
    let mut reader = Reader::new(bytes, Subject::Header);
    reader.bytes(6)?;
    let kind = reader.u16()?;
    if kind != StateKind::Grid as u16 {
        let mut report = Report::new(format!("{} (OPGS)", search_name(kind)?));
        report.left = Some("unjudged: its grid and options judge it when it is restored");
        return Ok(report);
    }
    let def = GridDef::of_state(bytes)?;
    let mut region = vec![Grain::ZERO; def.plan().grains()];
    let mut grid = Grid::new(&def, &mut Arena::new(&mut region))?;
    grid.restore_state(bytes)?;
    let mut report = Report::new("square grid (OPGS)");
    let walls = grid.cells().iter().filter(|&&cell| cell == WALL).count();
    report.row("width", grid.width());
    report.row("height", grid.height());
    report.row("open_cells", grid.cell_count() - walls);
    report.row("walls", walls);
    report.row("version", grid.version());
    report.row("state_hash", format!("{:016x}", grid.state_hash()));
    Ok(report)
}

/// The name of a saved state's kind. Errors: a kind that there is not.
fn search_name(kind: u16) -> Result<&'static str> {
    let names = [
        (StateKind::GridReplanner, "replanner over a grid"),
        (StateKind::GridFlowField, "flow field"),
        (StateKind::AStar, "A* search"),
        (StateKind::JumpSearch, "jump point search"),
        (StateKind::ThetaSearch, "search at any angle"),
        (StateKind::GridSearch, "search of a grid"),
    ];
    let named = names.iter().find(|&&(known, _)| known as u16 == kind);
    named.map(|&(_, name)| name).ok_or(Error::format(Subject::StateKind).value(kind.into()))
}
