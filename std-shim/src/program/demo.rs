//! `navarena demo`: the whole way from triangles to a picture of a path and a crowd, on a level of our own.

use super::args::DemoArgs;
use super::bake::{Bakery, timed};
use super::crowd::Stroll;
use super::info::Counts;
use super::table::{count, milliseconds, size};
use super::{load, path, print, view};
use crate::failure::{Failure, Outcome};
use crate::obj::Geometry;
use crate::picture::{self, Scene, View, animate};
use navarena::build3d::IslandRule;
use navarena::crowd::AgentOptions;
use navarena::mesh::NavSettings;
use navarena_alloc::PathOptions;
use navarena_fixtures::yard;
use serde_json::json;

/// Tiles small enough that the picture shows several.
const SETTINGS: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };

/// Agents that walk the level at the end.
const AGENTS: u32 = 10;
/// How long they walk.
const SECONDS: u32 = 20;
/// Their steps a second.
const RATE: u32 = 30;

/// Bakes, searches, walks, draws, and says what happened.
pub fn run(args: &DemoArgs) -> Outcome<()> {
    let level = Geometry::from(yard::level());
    let bakery = Bakery::open(&level, &SETTINGS, IslandRule::BeforeMerging, 1, |_, _| ())?;
    let mesh = &bakery.mesh;
    let options = PathOptions::default();
    // The first search makes its memory; the second is what a program's searches take.
    load::find_path(mesh, yard::START, yard::GOAL, &options)?;
    let (path, searching) = timed(|| load::find_path(mesh, yard::START, yard::GOAL, &options));
    let path = path?;
    let bytes = mesh.save().map_err(Failure::refused("mesh"))?;

    let counts = Counts::of(mesh.core().tiles());
    let mut scene = Scene::of(mesh.core());
    scene.title = "Yard and balcony".into();
    scene.subtitle = format!("{} \u{b7} agent radius {} m", super::info::sentence(mesh), SETTINGS.agent_radius);
    scene.level = view::triangles(&level);
    view::add_path(&mut scene, &path);
    let pictures = ["svg", "png"].map(|ending| args.out_dir.join(format!("navarena-demo.{ending}")));
    for picture in &pictures {
        picture::write(&scene, View::Both, picture)?;
    }
    let mut stroll = Stroll::begin(mesh, AGENTS, &AgentOptions::HUMANOID, 1, 1)?;
    (0..SECONDS * RATE).try_for_each(|_| stroll.step(1.0 / f64::from(RATE), true))?;
    let walked = args.out_dir.join("navarena-demo-crowd.svg");
    scene.path.clear();
    scene.subtitle = format!("{AGENTS} agents, {SECONDS} s");
    let animation = animate(&scene, &stroll.walks, SECONDS.into());
    std::fs::write(&walked, animation).map_err(|reason| Failure::file(&walked, reason))?;
    let hash = stroll.crowd.state_hash(mesh);

    if args.json {
        return print(&json!({
            "triangles": level.triangles.len(),
            "polygons": counts.polygons,
            "tiles": counts.tiles,
            "coverage": counts.coverage,
            "seconds": { "bake": bakery.baking.as_secs_f64(), "stitch": bakery.stitching.as_secs_f64(), "path": searching.as_secs_f64() },
            "bytes": { "file": bytes.len(), "mesh": mesh.memory(), "bake": bakery.done.memory },
            "sha256": load::digest(&bytes),
            "path": path::json(&path),
            "crowd": { "agents": AGENTS, "arrived": stroll.arrived(), "steps": stroll.crowd.step_count(), "hash": format!("{hash:016x}") },
            "pictures": pictures,
            "animation": walked,
        }));
    }
    print(&format_args!(
        "A yard, a house of two floors, a bridge and a balcony: {triangles} triangles.\n\
         Baked    {polygons} polygons in {tiles} tiles, {bake}; work memory {work}.\n\
         Stitched {stitch}; the mesh takes {memory}, its file {file}.\n\
         Path     {points} points, {length:.1} m, {from} to {to}, {search}.\n\
         Crowd    {arrived} of {AGENTS} agents arrive within {SECONDS} s; a step takes {step}, and the state's hash is {hash:016x}.\n\
         Picture  {svg}\n         {png}\n         {walked}",
        triangles = count(level.triangles.len()),
        polygons = count(counts.polygons),
        tiles = count(counts.tiles),
        bake = milliseconds(bakery.baking),
        work = size(bakery.done.memory),
        stitch = milliseconds(bakery.stitching),
        memory = size(mesh.memory()),
        file = size(bytes.len()),
        points = path.points().len(),
        length = path.length(),
        from = "from the yard",
        to = if path.is_complete() { "the balcony" } else { "as near to the balcony as it gets" },
        search = milliseconds(searching),
        arrived = stroll.arrived(),
        step = milliseconds(stroll.median_step()),
        walked = walked.display(),
        svg = pictures[0].display(),
        png = pictures[1].display(),
    ))
}
