//! The view from straight above: x to the right, z down the page, lower floors under higher ones.

use super::canvas::{Canvas, Pen};
use super::page::Place;
use super::scene::{Scene, Segment};
use super::sheet;

enum Shape<'a> {
    Triangle(&'a [[f64; 3]; 3]),
    Face(usize),
    Line(Segment, Pen),
}

/// Draws the scene at a place.
pub fn draw(scene: &Scene, path: &[[f64; 3]], place: &Place, canvas: &mut dyn Canvas) {
    let project = |[x, _, z]: [f64; 3]| place.at([x, z]);
    let mut shapes: Vec<(f64, Shape)> = Vec::new();
    for triangle in scene.level.iter().filter(|t| faces_up(t)) {
        shapes.push((lowest(triangle) - 0.05, Shape::Triangle(triangle)));
    }
    for (index, face) in scene.faces.iter().enumerate() {
        shapes.push((lowest(&face.outline), Shape::Face(index)));
    }
    // An edge is drawn after the polygons it bounds and before the next floor.
    let lift = 0.3;
    for (segments, pen) in [(&scene.seams, sheet::SEAM), (&scene.walls, sheet::WALL), (&scene.portals, sheet::PORTAL)] {
        shapes.extend(segments.iter().map(|s| (lowest(s) + lift, Shape::Line(*s, pen))));
    }
    for pen in [sheet::PATH_CASING, sheet::PATH] {
        let pieces = path.windows(2).map(|pair| [pair[0], pair[1]]);
        shapes.extend(pieces.map(|s| (lowest(&s) + 1.2, Shape::Line(s, pen))));
    }
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));

    let (low, high) = scene.heights();
    let part = |y: f64| (y - low) / (high - low).max(1e-9);
    for (_, shape) in &shapes {
        match shape {
            Shape::Triangle(triangle) => {
                let tone = sheet::STONE.mix(sheet::FAINT_INK, 0.32 * part(lowest(&triangle[..])));
                canvas.polygon(&triangle.map(project), Some(tone), Some(Pen::new(tone, 0.6)));
            }
            Shape::Face(index) => {
                let face = &scene.faces[*index];
                let middle = face.outline.iter().map(|c| c[1]).sum::<f64>() / face.outline.len().max(1) as f64;
                let corners: Vec<_> = face.outline.iter().map(|&c| project(c)).collect();
                canvas.polygon(&corners, Some(sheet::face_color(face.area, part(middle)).cover(0.88)), None);
            }
            Shape::Line(segment, pen) => canvas.line(&segment.map(project), *pen),
        }
    }
    for &[x0, z0, x1, z1] in &scene.tiles {
        let ring = [[x0, z0], [x1, z0], [x1, z1], [x0, z1]].map(|corner| place.at(corner));
        canvas.polygon(&ring, None, Some(sheet::TILE));
    }
    for link in &scene.links {
        canvas.line(&link.map(project), sheet::LINK);
        link.iter().for_each(|&end| canvas.circle(project(end), 3.0, Some(sheet::LINK.color), None));
    }
}

/// Where a point of the scene stands in this view.
pub fn project(point: [f64; 3]) -> [f64; 2] {
    [point[0], point[2]]
}

fn lowest(points: &[[f64; 3]]) -> f64 {
    points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min)
}

fn faces_up([a, b, c]: &[[f64; 3]; 3]) -> bool {
    (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0.0
}
