//! Pictures: a mesh seen from above or at a slant, or a map of square cells, drawn as SVG or PNG.
//!
//! A [`Scene`] is plain data in world units. [`draw`] lays it out on a [`Canvas`]; what is drawn does not depend on
//! which canvas it is. A [`MapPage`] does the same for grids.

pub mod canvas;
mod from_mesh;
pub mod glyphs;
mod map;
mod oblique;
mod page;
mod png;
mod scene;
mod sheet;
mod stage;
mod svg;
mod top;

pub use canvas::{Anchor, Canvas, Color, Label, Pen};
pub use map::MapPage;
pub use page::{View, draw, size};
pub use png::Png;
pub use scene::{Face, Scene, drape};
pub use stage::{Walk, animate};
pub use svg::Svg;

use crate::failure::{Failure, Outcome};
use std::path::Path;

/// Writes a scene to a file, as SVG or PNG by the file's ending.
pub fn write(scene: &Scene, view: View, path: &Path) -> Outcome<()> {
    write_page(size(scene, view), path, |canvas| draw(scene, view, canvas))
}

/// Writes a map to a file, as SVG or PNG by the file's ending.
pub fn write_map(map: &MapPage<'_>, path: &Path) -> Outcome<()> {
    write_page(map.size(), path, |canvas| map.draw(canvas))
}

/// Writes a page of a size.
fn write_page([width, height]: [f64; 2], path: &Path, draw: impl FnOnce(&mut dyn Canvas)) -> Outcome<()> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    let bytes = match ending.as_str() {
        "svg" => {
            let mut svg = Svg::new(width, height);
            draw(&mut svg);
            svg.finish().into_bytes()
        }
        "png" => {
            let mut png = Png::new(width, height, 2.0)?;
            draw(&mut png);
            png.finish()?
        }
        _ => return Err(Failure::Other(format!("{}: a picture ends in .svg or .png", path.display()))),
    };
    std::fs::write(path, bytes).map_err(|reason| Failure::file(path, reason))
}
