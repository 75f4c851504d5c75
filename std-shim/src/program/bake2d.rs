//! `navarena bake2d`: a floor plan or a map into a mesh file.

use super::args::Bake2dArgs;
use super::bake::timed;
use super::info::{Counts, add_counts, counts_json, settings_json};
use super::table::{Table, count, milliseconds, size};
use super::{load, print};
use crate::failure::{Failure, Outcome};
use crate::plan::FloorPlan;
use navarena::build2d::{FloorReport, snap_grid_of};
use navarena_alloc::{BakedFloor, NavMesh, Source};
use serde_json::json;

/// Builds the mesh, writes it and reports.
pub fn run(args: &Bake2dArgs) -> Outcome<()> {
    let (plan, reading) = timed(|| FloorPlan::read(&args.plan, args.scale));
    let plan = plan?;
    let corner = |[x, z]: [f64; 2]| [x as f32, 0.0, z as f32];
    // Whole units lie on every snap grid, as a tile's corner must.
    let [low, high] = plan.bounds();
    let (low, high) = (corner(low.map(navarena::math::floor)), corner(high));
    let settings = args.settings.settings((low, high))?;
    let name = || Failure::refused(args.plan.display().to_string());
    let (baked, building) = timed(|| BakedFloor::bake(&plan, &settings, &[], &Source::Global));
    let baked = baked.map_err(name())?;
    let (mesh, stitching) = timed(|| NavMesh::from_tiles(&baked.tiles, &settings, &[], &Source::Global));
    let mesh = mesh.map_err(name())?;
    let bytes = mesh.save().map_err(Failure::refused("mesh"))?;
    std::fs::write(&args.output, &bytes).map_err(|reason| Failure::file(&args.output, reason))?;

    let counts = Counts::of(mesh.core().tiles());
    let bits = snap_grid_of(&settings).map_err(name())?.bits();
    if args.json {
        return print(&json!({
            "plan": args.plan,
            "output": args.output,
            "bytes": bytes.len(),
            "sha256": load::digest(&bytes),
            "snap_bits": bits,
            "seconds": { "read": reading.as_secs_f64(), "build": building.as_secs_f64(), "stitch": stitching.as_secs_f64() },
            "memory": { "build": baked.report.memory_peak, "mesh": mesh.memory() },
            "contents": counts_json(&counts),
            "report": rows(&baked.report).into_iter().map(|(n, v)| (n.replace(' ', "_"), json!(v))).collect::<serde_json::Map<_, _>>(),
            "settings": settings_json(&settings),
        }));
    }
    let mut table = Table::default();
    table.row("plan", format!("{}, {}", args.plan.display(), plan.describe()));
    table.row("output", format!("{}, {}", args.output.display(), size(bytes.len())));
    table.row("sha256", load::digest(&bytes));
    table.row("build", format!("{}, {} of work memory", milliseconds(building), size(baked.report.memory_peak)));
    table.row("stitch", milliseconds(stitching));
    table.row("snap grid", format!("1/{} of a unit", 1u64 << bits));
    table.row("mesh memory", size(mesh.memory()));
    table.heading("build");
    for (name, value) in rows(&baked.report) {
        table.row(name, count(value));
    }
    table.heading("mesh");
    add_counts(&mut table, &counts);
    print(&table)
}

/// What the build counted.
fn rows(report: &FloorReport) -> Vec<(&'static str, usize)> {
    vec![
        ("edges", report.region.edges),
        ("crossings", report.region.crossings),
        ("lines along x", report.lines[0] as usize),
        ("lines along z", report.lines[1] as usize),
        ("vertices", report.vertices as usize),
        ("triangles", report.triangles as usize),
        ("polygons", report.polygons as usize),
        ("tiles", report.tiles as usize),
    ]
}
