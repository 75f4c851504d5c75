//! `navarena view`: a picture of a saved mesh.

use super::args::{Side, ViewArgs};
use super::{load, print};
use crate::failure::Outcome;
use crate::obj;
use crate::picture::{self, Scene, View};
use serde_json::json;

/// Draws the mesh.
pub fn run(args: &ViewArgs) -> Outcome<()> {
    let mesh = load::mesh(&args.file, args.search.portals)?;
    let mut scene = Scene::of(mesh.core());
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy();
    scene.title = name.into_owned();
    scene.subtitle = super::info::sentence(&mesh);
    if let Some(level) = &args.level {
        scene.level = triangles(&obj::read(level)?);
    }
    if let (Some(from), Some(to)) = (args.from, args.to) {
        let path = load::find_path(&mesh, from, to, &args.search.options()?)?;
        add_path(&mut scene, &path);
    }
    let view = match args.side {
        Side::Top => View::Top,
        Side::Slanted => View::Oblique,
        Side::Both => View::Both,
    };
    picture::write(&scene, view, &args.output)?;
    if args.json {
        return print(&json!({ "picture": args.output, "polygons": scene.faces.len() }));
    }
    print(&format_args!("wrote {}", args.output.display()))
}

/// A level's triangles as a scene draws them.
pub fn triangles(level: &obj::Geometry) -> Vec<[[f64; 3]; 3]> {
    let corner = |index: u32| level.vertices[index as usize].map(f64::from);
    level.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// Adds a path to a scene and says in the subtitle how long it is.
pub fn add_path(scene: &mut Scene, path: &navarena_alloc::Path) {
    scene.path = path.points().to_vec();
    scene.partial = !path.is_complete();
    let kind = if path.is_complete() { "path" } else { "partial path" };
    scene.subtitle += &format!(" \u{b7} {kind} of {:.1} m", path.length());
}
