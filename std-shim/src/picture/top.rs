//! The view from straight above: x to the right, z down the page, lower floors under higher ones.

use super::canvas::{Canvas, Color, Pen};
use super::page::Place;
use super::scene::{Scene, Segment};
use super::sheet;

enum Shape<'a> {
    Surface(&'a [[f64; 3]; 3], Color),
    Line(Segment, Pen),
}

/// Draws the scene at a place.
pub fn draw(scene: &Scene, path: &[[f64; 3]], place: &Place, canvas: &mut dyn Canvas) {
    let project = |[x, _, z]: [f64; 3]| place.at([x, z]);
    let mut shapes: Vec<(f64, Shape)> = Vec::new();
    let (floor, roof) = scene.bounds();
    for triangle in scene.level.iter().filter(|t| faces_up(t)) {
        let part = (lowest(triangle) - floor[1]) / (roof[1] - floor[1]).max(1e-9);
        let tone = sheet::STONE.mix(sheet::FAINT_INK, 0.45 * part);
        shapes.push((lowest(triangle), Shape::Surface(triangle, tone)));
    }
    let (low, high) = scene.heights();
    for face in &scene.faces {
        let middle = face.outline.iter().map(|c| c[1]).sum::<f64>() / face.outline.len().max(1) as f64;
        let fill = sheet::face_color(face.area, face.marked, (middle - low) / (high - low).max(1e-9));
        // What the level has just under the mesh, a step that pokes through included, is drawn before it.
        shapes.extend(face.surface.iter().map(|triangle| (highest(triangle) + 0.25, Shape::Surface(triangle, fill))));
    }
    // An edge is drawn after the polygons it bounds and before the next floor.
    for (segments, pen) in [(&scene.seams, sheet::SEAM), (&scene.walls, sheet::WALL), (&scene.portals, sheet::PORTAL)] {
        shapes.extend(segments.iter().map(|s| (highest(s) + 0.5, Shape::Line(*s, pen))));
    }
    shapes.extend(scene.answers.iter().map(|s| (highest(s) + 1.3, Shape::Line(*s, sheet::ANSWER))));
    for (pen, lift) in [(sheet::PATH_CASING, 0.9), (sheet::PATH, 1.3)] {
        let pieces = path.windows(2).map(|pair| [pair[0], pair[1]]);
        shapes.extend(pieces.map(|s| (highest(&s) + lift, Shape::Line(s, pen))));
    }
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));

    for (_, shape) in &shapes {
        match shape {
            // The outline in its own colour closes the hair between two triangles.
            Shape::Surface(triangle, fill) => {
                canvas.polygon(&triangle.map(project), Some(*fill), Some(Pen::new(*fill, 0.7)))
            }
            Shape::Line(segment, pen) => canvas.line(&segment.map(project), *pen),
        }
    }
    for line in scene.tiles.iter().flat_map(|tile| sides_within(*tile, (floor, roof))) {
        canvas.line(&line.map(|corner| place.at(corner)), sheet::TILE);
    }
    for link in &scene.links {
        canvas.line(&link.map(project), sheet::LINK);
        link.iter().for_each(|&end| canvas.circle(project(end), 3.0, Some(sheet::LINK.color), None));
    }
    scene.marks.iter().for_each(|&mark| canvas.circle(project(mark), 3.2, Some(sheet::ANSWER.color), None));
}

/// Where a point of the scene stands in this view.
pub fn project(point: [f64; 3]) -> [f64; 2] {
    [point[0], point[2]]
}

/// The parts of a tile's four sides that lie over what is drawn: a tile may be much larger than what it holds.
fn sides_within([x0, z0, x1, z1]: [f64; 4], (min, max): ([f64; 3], [f64; 3])) -> Vec<[[f64; 2]; 2]> {
    let inside = |value: f64, axis: usize| (min[axis]..=max[axis]).contains(&value);
    let held = |value: f64, axis: usize| value.clamp(min[axis], max[axis]);
    let along_z = [x0, x1].into_iter().filter(|&x| inside(x, 0)).map(|x| [[x, held(z0, 2)], [x, held(z1, 2)]]);
    let along_x = [z0, z1].into_iter().filter(|&z| inside(z, 2)).map(|z| [[held(x0, 0), z], [held(x1, 0), z]]);
    along_z.chain(along_x).collect()
}

fn lowest(points: &[[f64; 3]]) -> f64 {
    points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min)
}

fn highest(points: &[[f64; 3]]) -> f64 {
    points.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max)
}

fn faces_up([a, b, c]: &[[f64; 3]; 3]) -> bool {
    (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_sides_end_where_the_drawing_does() {
        let bounds = ([0.0, 0.0, 0.0], [10.0, 5.0, 10.0]);
        assert_eq!(sides_within([-5.0, -5.0, 5.0, 20.0], bounds), [[[5.0, 0.0], [5.0, 10.0]]]);
        assert_eq!(sides_within([2.0, 3.0, 4.0, 6.0], bounds).len(), 4);
        assert!(sides_within([-64.0, -64.0, 64.0, 64.0], bounds).is_empty());
    }
}
