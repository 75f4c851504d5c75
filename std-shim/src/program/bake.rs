//! `navarena bake`: a level into a mesh file.

use super::args::BakeArgs;
use super::info::{Counts, add_counts, counts_json, settings_json};
use super::table::{Table, count, milliseconds, size};
use super::{load, print};
use crate::bake::{Done, Job, bake};
use crate::failure::{Failure, Outcome};
use crate::obj::{self, Geometry};
use indicatif::{ProgressBar, ProgressStyle};
use navarena::build3d::rasterize::Vertices;
use navarena::build3d::{BakeInput, BakeReport, IslandRule, TriangleMesh};
use navarena::mesh::NavSettings;
use navarena_alloc::{NavMesh, Source};
use serde_json::json;
use std::io::IsTerminal;
use std::thread;
use std::time::{Duration, Instant};

/// A baked level and what it took.
pub struct Bakery {
    /// The mesh.
    pub mesh: NavMesh,
    /// What the tiles took.
    pub done: Done,
    /// The time of all bakes.
    pub baking: Duration,
    /// The time of checking, placing and stitching the tiles.
    pub stitching: Duration,
}

impl Bakery {
    /// Bakes a level's triangles.
    pub fn open(
        level: &Geometry,
        settings: &NavSettings,
        islands: IslandRule,
        threads: usize,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Outcome<Bakery> {
        let vertices = Vertices::Single(&level.vertices);
        let meshes = [TriangleMesh { vertices, triangles: &level.triangles, areas: None }];
        let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
        let (done, baking) = timed(|| bake(&input, Job { settings, links: &[], islands, threads }, progress));
        let done = done?;
        let (mesh, stitching) = timed(|| NavMesh::from_tiles(&done.baked.tiles, settings, &[], &Source::Global));
        let mesh = mesh.map_err(Failure::refused("mesh"))?;
        Ok(Bakery { mesh, done, baking, stitching })
    }
}

/// Runs something with a clock beside it. The clock is printed and decides nothing.
#[allow(clippy::disallowed_methods)]
pub fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Bakes the level, writes the mesh and reports.
pub fn run(args: &BakeArgs) -> Outcome<()> {
    let (level, reading) = timed(|| obj::read(&args.level));
    let level = level?;
    if level.triangles.is_empty() {
        return Err(Failure::Other(format!("{}: no triangles", args.level.display())));
    }
    let settings = args.settings.settings(level.bounds())?;
    let threads = match args.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let bar = (!args.json && std::io::stderr().is_terminal()).then(progress_bar);
    let bakery = Bakery::open(&level, &settings, args.islands.into(), threads, |done, all| {
        if let Some(bar) = &bar {
            bar.set_length(all as u64);
            // Threads finish in any order: a late small number moves nothing back.
            bar.set_position((done as u64).max(bar.position()));
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let bakery = bakery.map_err(|failure| name_level(failure, &args.level.display().to_string()))?;
    let bytes = bakery.mesh.save().map_err(Failure::refused("mesh"))?;
    std::fs::write(&args.output, &bytes).map_err(|reason| Failure::file(&args.output, reason))?;

    let counts = Counts::of(bakery.mesh.core().tiles());
    if args.json {
        return print(&json!({
            "level": args.level,
            "triangles": level.triangles.len(),
            "output": args.output,
            "bytes": bytes.len(),
            "sha256": load::digest(&bytes),
            "threads": bakery.done.threads,
            "tile_positions": bakery.done.places,
            "seconds": { "read": reading.as_secs_f64(), "bake": bakery.baking.as_secs_f64(), "stitch": bakery.stitching.as_secs_f64() },
            "memory": { "bake": bakery.done.memory, "mesh": bakery.mesh.memory() },
            "contents": counts_json(&counts),
            "report": report_rows(&bakery.done.baked.report).into_iter().map(|(n, v)| (n.replace(' ', "_"), json!(v))).collect::<serde_json::Map<_, _>>(),
            "settings": settings_json(&settings),
        }));
    }
    let mut table = Table::default();
    table.row("level", format!("{}, {} triangles", args.level.display(), count(level.triangles.len())));
    table.row("output", format!("{}, {}", args.output.display(), size(bytes.len())));
    table.row("sha256", load::digest(&bytes));
    let on = if bakery.done.threads == 1 { "1 thread".into() } else { format!("{} threads", bakery.done.threads) };
    table.row("bake", format!("{} on {on}, {} of work memory", milliseconds(bakery.baking), size(bakery.done.memory)));
    table.row("stitch", milliseconds(bakery.stitching));
    table.row("mesh memory", size(bakery.mesh.memory()));
    table.heading("bake");
    for (name, value) in report_rows(&bakery.done.baked.report) {
        table.row(name, count(value as usize));
    }
    table.heading("mesh");
    add_counts(&mut table, &counts);
    print(&table)
}

/// A refusal by the library with the level's name before it.
fn name_level(failure: Failure, level: &str) -> Failure {
    match failure {
        Failure::Refused { what, error } if what.is_empty() => Failure::Refused { what: level.into(), error },
        Failure::Refused { what, error } => Failure::Refused { what: format!("{level}: {what}"), error },
        other => other,
    }
}

fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("baking [{bar:40}] {pos} of {len} tiles, {eta} left");
    let bar = ProgressBar::new(0);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// What the bakes counted, with what they gave up on last.
fn report_rows(report: &BakeReport) -> Vec<(&'static str, u32)> {
    vec![
        ("triangles read", report.triangles),
        ("solid spans", report.solid_spans),
        ("open spans", report.spans),
        ("regions", report.regions),
        ("contours", report.contours),
        ("polygons", report.polygons),
        ("degenerate triangles", report.degenerate_triangles),
        ("dropped regions", report.dropped_regions),
        ("raw contours", report.raw_contours),
        ("dropped holes", report.dropped_holes),
        ("degenerate ears", report.degenerate_ears),
        ("capped details", report.capped_details),
        ("lost samples", report.lost_samples),
    ]
}
