//! `navarena info`: what is in a saved file, once all of it has been checked.

mod states;

use super::args::InfoArgs;
use super::table::{Table, count, hex, point, size};
use super::{load, print};
use crate::failure::{Failure, Outcome};
use navarena::mesh::view::TileView;
use navarena::mesh::{MeshParams, NavSettings, Partition};
use navarena_alloc::NavMesh;
use serde_json::{Value, json};

/// Checks the file and prints what is in it.
pub fn run(args: &InfoArgs) -> Outcome<()> {
    let bytes = load::bytes(&args.file)?;
    let name = args.file.display().to_string();
    let report = match bytes.first_chunk() {
        Some(b"ONNM" | b"ONPM") => {
            let mesh = NavMesh::load(&bytes).map_err(Failure::refused(name))?;
            let kind = if mesh.settings().is_some() { "mesh with its settings (ONNM)" } else { "mesh (ONPM)" };
            return if args.json { print(&mesh_json(&mesh, &bytes)) } else { print(&mesh_table(&mesh, &bytes, kind)) };
        }
        Some(b"ONPT") => states::tile(&bytes, states::Owner::of(args)?),
        Some(b"ONPS") => states::snapshot(&bytes, states::Owner::of(args)?),
        Some(b"OPCS") => states::crowd(&bytes, states::Owner::of(args)?),
        Some(b"OPGS") => states::grid(&bytes),
        _ => return Err(Failure::Other(format!("{name}: not a file of navarena: none of its magic numbers is there"))),
    };
    report.map_err(Failure::refused(name))?.print(&bytes, args.json)
}

/// How much a mesh holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub tiles: usize,
    pub polygons: usize,
    pub vertices: usize,
    pub edges: usize,
    pub detail_vertices: usize,
    pub detail_triangles: usize,
    pub links: usize,
    pub off_mesh: usize,
    /// The sum of the polygons' areas on the ground.
    pub coverage: f64,
    pub bounds: Option<([f64; 3], [f64; 3])>,
}

impl Counts {
    /// Counts a mesh's tiles.
    pub fn of<'a>(tiles: impl Iterator<Item = TileView<'a>>) -> Counts {
        let mut counts = Counts::default();
        for tile in tiles {
            counts.tiles += 1;
            counts.polygons += tile.polygons.len();
            counts.vertices += tile.vertices.len();
            counts.edges += tile.edges.len();
            counts.detail_vertices += tile.detail_vertices.len();
            counts.detail_triangles += tile.detail_triangles.len();
            counts.links += tile.links.len();
            counts.off_mesh += tile.off_mesh.len();
            for polygon in tile.polygons {
                let ring: Vec<[f64; 3]> = tile.edges_of(polygon).iter().map(|edge| tile.world(edge.vertex)).collect();
                let twice: f64 = (0..ring.len())
                    .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
                    .map(|(a, b)| a[0] * b[2] - b[0] * a[2])
                    .sum();
                counts.coverage += twice * 0.5;
                for corner in ring {
                    let (min, max) = counts.bounds.get_or_insert((corner, corner));
                    *min = std::array::from_fn(|axis| min[axis].min(corner[axis]));
                    *max = std::array::from_fn(|axis| max[axis].max(corner[axis]));
                }
            }
        }
        counts
    }
}

/// A mesh in one line.
pub fn sentence(mesh: &NavMesh) -> String {
    let counts = Counts::of(mesh.core().tiles());
    let tiles = if counts.tiles == 1 { "tile" } else { "tiles" };
    format!(
        "{} polygons in {} {tiles} \u{b7} {:.0} m\u{b2}",
        count(counts.polygons),
        count(counts.tiles),
        counts.coverage
    )
}

fn mesh_table(mesh: &NavMesh, bytes: &[u8], kind: &str) -> Table {
    let (core, counts) = (mesh.core(), Counts::of(mesh.core().tiles()));
    let mut table = Table::default();
    table.row("file", format!("{kind}, valid"));
    table.row("bytes", format!("{} ({})", count(bytes.len()), size(bytes.len())));
    table.row("sha256", load::digest(bytes));
    table.row("fingerprint", hex(&core.params().fingerprint()));
    table.heading("contents");
    add_counts(&mut table, &counts);
    table.row("memory", size(mesh.memory()));
    match mesh.settings() {
        Some(settings) => add_settings(&mut table, settings),
        None => add_params(&mut table, core.params()),
    }
    table
}

/// Adds a row for each count.
pub fn add_counts(table: &mut Table, counts: &Counts) {
    table.row("tiles", count(counts.tiles));
    table.row("polygons", count(counts.polygons));
    table.row("vertices", count(counts.vertices));
    table.row("edges", count(counts.edges));
    table.row("links", count(counts.links));
    table.row("off-mesh links", count(counts.off_mesh));
    table.row("detail vertices", count(counts.detail_vertices));
    table.row("detail triangles", count(counts.detail_triangles));
    table.row("coverage", format!("{:.3}", counts.coverage));
    if let Some((min, max)) = counts.bounds {
        table.row("lowest corner", point(min));
        table.row("highest corner", point(max));
    }
}

fn add_settings(table: &mut Table, settings: &NavSettings) {
    table.heading("settings");
    for (name, value) in fields(settings) {
        table.row(&name.replace('_', " "), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
}

fn add_params(table: &mut Table, params: &MeshParams) {
    table.heading("parameters (the settings are not in the file)");
    table.row("agent radius", params.agent_radius);
    table.row("agent height", params.agent_height);
    table.row("walkable climb", params.walkable_climb);
    table.row("max slope degrees", params.max_slope_degrees);
    table.row("cell size", params.cell_size);
    table.row("tile size", params.tile_size);
    table.row("origin", point(params.origin));
    table.row("max verts per poly", params.max_verts_per_poly);
}

/// Every setting with its name, in the order of their declaration.
fn fields(settings: &NavSettings) -> [(&'static str, Value); 21] {
    let partition = match settings.partition {
        Partition::Watershed => "watershed",
        Partition::Monotone => "monotone",
        Partition::Layers => "layers",
    };
    [
        ("agent_radius", json!(settings.agent_radius)),
        ("agent_height", json!(settings.agent_height)),
        ("walkable_climb", json!(settings.walkable_climb)),
        ("max_slope_degrees", json!(settings.max_slope_degrees)),
        ("cell_size", json!(settings.cell_size)),
        ("cell_height", json!(settings.cell_height)),
        ("tile_size", json!(settings.tile_size)),
        ("origin_x", json!(settings.origin_x)),
        ("origin_z", json!(settings.origin_z)),
        ("max_verts_per_poly", json!(settings.max_verts_per_poly)),
        ("floor_y", json!(settings.floor_y)),
        ("area", json!(settings.area)),
        ("flags", json!(settings.flags)),
        ("snap_bits", settings.snap_bits.map_or(json!("automatic"), |bits| json!(bits))),
        ("partition", json!(partition)),
        ("min_region_area", json!(settings.min_region_area)),
        ("merge_region_area", json!(settings.merge_region_area)),
        ("contour_max_error", json!(settings.contour_max_error)),
        ("max_edge_length", json!(settings.max_edge_length)),
        ("detail_sample_distance", json!(settings.detail_sample_distance)),
        ("detail_max_error", json!(settings.detail_max_error)),
    ]
}

fn mesh_json(mesh: &NavMesh, bytes: &[u8]) -> Value {
    let settings = mesh.settings().map(settings_json);
    json!({
        "valid": true,
        "bytes": bytes.len(),
        "sha256": load::digest(bytes),
        "fingerprint": hex(&mesh.core().params().fingerprint()),
        "contents": counts_json(&Counts::of(mesh.core().tiles())),
        "memory": mesh.memory(),
        "settings": settings,
    })
}

/// Settings for a script.
pub fn settings_json(settings: &NavSettings) -> Value {
    fields(settings).into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<serde_json::Map<_, _>>().into()
}

/// Counts for a script.
pub fn counts_json(counts: &Counts) -> Value {
    json!({
        "tiles": counts.tiles,
        "polygons": counts.polygons,
        "vertices": counts.vertices,
        "edges": counts.edges,
        "links": counts.links,
        "off_mesh_links": counts.off_mesh,
        "detail_vertices": counts.detail_vertices,
        "detail_triangles": counts.detail_triangles,
        "coverage": counts.coverage,
        "bounds": counts.bounds.map(|(min, max)| json!([min, max])),
    })
}
