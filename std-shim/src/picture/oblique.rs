//! The view at a slant, from the southwest and above, in exact order of depth.
//!
//! Everything goes into a binary space partition (Fuchs, Kedem and Naylor 1980): each plane splits what crosses it, so
//! that drawing what lies behind a plane, then what lies on it, then what lies before it hides what must be hidden.
//! Faces turned away from the viewer are left out first, so the viewer is always on a plane's front side.

use super::canvas::{Canvas, Color, Pen};
use super::page::Place;
use super::scene::Scene;
use super::sheet;

/// To the right on the page.
const RIGHT: [f64; 3] = [0.88, 0.0, 0.474_973_683_481_516_7];
/// Up on the page: the ground away from the viewer, and height.
const UP: [f64; 3] = [0.339_935_213_968_219_7, 0.698_415_285_431_006, -0.629_809_605_659_288_7];
/// Towards the viewer.
const TOWARDS: [f64; 3] = [-0.331_728_880_720_959_7, 0.715_692_733_703_735_9, 0.614_605_451_179_285_2];
/// How near to a plane counts as on it.
const NEAR: f64 = 1e-7;
/// How far the mesh is lifted off the level, so that neither hides parts of the other.
const LIFT: f64 = 0.12;
/// How many planes are tried for the next split.
const TRIES: usize = 6;

#[derive(Clone, Debug)]
enum Shape {
    Face { corners: Vec<[f64; 3]>, fill: Color },
    Line { ends: [[f64; 3]; 2], pen: Pen },
}

/// A plane by its normal and the offset along it.
#[derive(Clone, Copy, Debug)]
struct Plane([f64; 3], f64);

/// Draws the scene at a place.
pub fn draw(scene: &Scene, path: &[[f64; 3]], place: &Place, canvas: &mut dyn Canvas) {
    for shape in in_order(shapes(scene, path)) {
        match shape {
            Shape::Face { corners, fill } => {
                let corners: Vec<_> = corners.iter().map(|&c| place.at(project(c))).collect();
                // The outline in its own colour closes the hair between two pieces of one face.
                canvas.polygon(&corners, Some(fill), Some(Pen::new(fill, 0.7)));
            }
            Shape::Line { ends, pen } => canvas.line(&ends.map(|end| place.at(project(end))), pen),
        }
    }
    // Points are drawn over all: one behind a house is an answer too.
    scene.marks.iter().for_each(|&mark| canvas.circle(place.at(project(mark)), 3.2, Some(sheet::ANSWER.color), None));
}

/// Where a point of the scene stands in this view.
pub fn project(point: [f64; 3]) -> [f64; 2] {
    [dot(RIGHT, point), -dot(UP, point)]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn shapes(scene: &Scene, path: &[[f64; 3]]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for triangle in &scene.level {
        if let Some(Plane(normal, _)) = plane(triangle).filter(|plane| dot(plane.0, TOWARDS) > 0.0) {
            shapes.push(Shape::Face { corners: triangle.to_vec(), fill: shade(normal) });
        }
    }
    let (low, high) = scene.heights();
    let up = |[x, y, z]: [f64; 3], by: f64| [x, y + by, z];
    for face in &scene.faces {
        let middle = face.outline.iter().map(|c| c[1]).sum::<f64>() / face.outline.len().max(1) as f64;
        let fill = sheet::face_color(face.area, face.marked, (middle - low) / (high - low).max(1e-9));
        let mut add = |corners: &[[f64; 3]]| {
            shapes.push(Shape::Face { corners: corners.iter().map(|&c| up(c, LIFT)).collect(), fill });
        };
        // A level polygon is one piece; others are as many as their surface has.
        let height = face.outline.first().map(|corner| corner[1]);
        if face.surface.iter().flatten().all(|corner| Some(corner[1]) == height) {
            add(&face.outline);
        } else {
            face.surface.iter().for_each(|triangle| add(triangle));
        }
    }
    let mut lines = |segments: &[[[f64; 3]; 2]], pen: Pen, by: f64| {
        shapes.extend(segments.iter().map(|s| Shape::Line { ends: s.map(|end| up(end, LIFT + by)), pen }));
    };
    lines(&scene.seams, sheet::SEAM, 0.02);
    lines(&scene.walls, sheet::WALL, 0.03);
    lines(&scene.portals, sheet::PORTAL, 0.03);
    lines(&scene.links, sheet::LINK, 0.1);
    lines(&scene.answers, sheet::ANSWER, 0.15);
    let pieces: Vec<_> = path.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    lines(&pieces, sheet::PATH_CASING, 0.2);
    lines(&pieces, sheet::PATH, 0.2);
    shapes
}

/// Stone in the light: floors brightest, walls by which way they face.
fn shade(normal: [f64; 3]) -> Color {
    let light = [-0.25, 0.9, 0.36];
    let bright = (dot(normal, light)).clamp(0.0, 1.0);
    sheet::STONE.mix(sheet::FAINT_INK, 0.75 * (1.0 - bright)).mix(Color::hex(0xFFFFFF), 0.25 * bright)
}

fn plane(corners: &[[f64; 3]]) -> Option<Plane> {
    let &[a, b, c, ..] = corners else { return None };
    let (u, v): ([f64; 3], [f64; 3]) = (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = crate::sqrt(dot(normal, normal));
    if length <= 1e-12 {
        return None;
    }
    let mut normal = normal.map(|n| n / length);
    // A polygon of the mesh may wind either way; its plane faces the viewer.
    if dot(normal, TOWARDS) < 0.0 {
        normal = normal.map(|n| -n);
    }
    Some(Plane(normal, dot(normal, a)))
}

/// The shapes split and sorted from the farthest to the nearest.
fn in_order(shapes: Vec<Shape>) -> Vec<Shape> {
    let mut ordered = Vec::new();
    let mut waiting = vec![(shapes, false)];
    while let Some((shapes, done)) = waiting.pop() {
        let Some(plane) = (!done).then(|| choose(&shapes)).flatten() else {
            ordered.extend(shapes);
            continue;
        };
        let (mut behind, mut on, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for shape in shapes {
            split(shape, plane, &mut behind, &mut on, &mut before);
        }
        // The last one pushed is drawn first.
        waiting.push((before, false));
        waiting.push((on, true));
        waiting.push((behind, false));
    }
    ordered
}

/// The plane of one of a few faces: the one that splits the fewest others.
fn choose(shapes: &[Shape]) -> Option<Plane> {
    let planes = shapes.iter().filter_map(|shape| match shape {
        Shape::Face { corners, .. } => plane(corners),
        Shape::Line { .. } => None,
    });
    let step = (shapes.len() / TRIES).max(1);
    let crossed = |plane: &Plane| {
        let crosses = |(low, high): (f64, f64)| low < -NEAR && high > NEAR;
        shapes.iter().filter(|shape| crosses(reach(shape, plane))).count()
    };
    planes.step_by(step).take(TRIES).min_by_key(crossed)
}

fn points(shape: &Shape) -> &[[f64; 3]] {
    match shape {
        Shape::Face { corners, .. } => corners,
        Shape::Line { ends, .. } => ends,
    }
}

fn reach(shape: &Shape, &Plane(normal, offset): &Plane) -> (f64, f64) {
    let sides = points(shape).iter().map(|&p| dot(normal, p) - offset);
    sides.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), side| (low.min(side), high.max(side)))
}

fn split(shape: Shape, plane: Plane, behind: &mut Vec<Shape>, on: &mut Vec<Shape>, before: &mut Vec<Shape>) {
    let (low, high) = reach(&shape, &plane);
    if low >= -NEAR && high <= NEAR {
        on.push(shape);
    } else if high <= NEAR {
        behind.push(shape);
    } else if low >= -NEAR {
        before.push(shape);
    } else {
        match shape {
            Shape::Face { corners, fill } => {
                let part = |sign: f64| Shape::Face { corners: clip(&corners, plane, sign), fill };
                behind.push(part(-1.0));
                before.push(part(1.0));
            }
            Shape::Line { ends: [a, b], pen } => {
                let middle = cut(a, b, plane);
                let a_behind = dot(plane.0, a) < plane.1;
                let (far, near) = if a_behind { ([a, middle], [middle, b]) } else { ([middle, b], [a, middle]) };
                behind.push(Shape::Line { ends: far, pen });
                before.push(Shape::Line { ends: near, pen });
            }
        }
    }
}

/// The part of a convex face on one side of a plane.
fn clip(corners: &[[f64; 3]], plane: Plane, sign: f64) -> Vec<[f64; 3]> {
    let side = |p: [f64; 3]| (dot(plane.0, p) - plane.1) * sign;
    let mut kept = Vec::with_capacity(corners.len() + 2);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let (from, to) = (side(a), side(b));
        if from >= -NEAR {
            kept.push(a);
        }
        if (from > NEAR && to < -NEAR) || (from < -NEAR && to > NEAR) {
            kept.push(cut(a, b, plane));
        }
    }
    kept
}

fn cut(a: [f64; 3], b: [f64; 3], Plane(normal, offset): Plane) -> [f64; 3] {
    let (from, to) = (dot(normal, a) - offset, dot(normal, b) - offset);
    let t = from / (from - to);
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(corners: &[[f64; 3]], fill: u32) -> Shape {
        Shape::Face { corners: corners.to_vec(), fill: Color::hex(fill) }
    }

    #[test]
    fn the_axes_of_the_page_are_at_right_angles_and_of_length_one() {
        for (a, b) in [(RIGHT, UP), (RIGHT, TOWARDS), (UP, TOWARDS)] {
            assert!(dot(a, b).abs() < 1e-12, "{}", dot(a, b));
        }
        for a in [RIGHT, UP, TOWARDS] {
            assert!((dot(a, a) - 1.0).abs() < 1e-12, "{}", dot(a, a));
        }
    }

    #[test]
    fn a_floor_above_is_drawn_after_the_floor_below() {
        let floor = |y: f64| [[0.0, y, 0.0], [0.0, y, 4.0], [4.0, y, 4.0], [4.0, y, 0.0]];
        let shapes = vec![face(&floor(3.0), 2), face(&floor(0.0), 1)];
        let fills: Vec<_> =
            in_order(shapes).iter().map(|s| matches!(s, Shape::Face { fill, .. } if fill.2 == 2)).collect();
        assert_eq!(fills, [false, true]);
    }

    #[test]
    fn what_crosses_a_plane_is_split_and_loses_no_area() {
        let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
        let wall = [[2.0, -1.0, 0.0], [2.0, -1.0, 4.0], [2.0, 1.0, 4.0], [2.0, 1.0, 0.0]];
        let ordered = in_order(vec![face(&wall, 2), face(&floor, 1)]);
        assert_eq!(ordered.len(), 3);
        let area = |corners: &[[f64; 3]]| {
            let sums = (0..corners.len()).map(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                a[2] * b[0] - a[0] * b[2]
            });
            sums.sum::<f64>() * 0.5
        };
        let floors = ordered.iter().map(|shape| area(points(shape)));
        assert!((floors.sum::<f64>() - 16.0).abs() < 1e-9);
    }
}
