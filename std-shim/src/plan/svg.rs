//! Filled shapes of an SVG picture as outlines.

use super::{FloorPlan, Rings};
use crate::sqrt;
use navarena::math::ceil;
use usvg::tiny_skia_path::{PathSegment, Point};
use usvg::{Node, Options, Tree};

/// How far a chord may stray from its curve, in units of the picture.
const CURVE_TOLERANCE: f64 = 0.01;
/// The most chords of one curve.
const MAX_CHORDS: f64 = 256.0;

/// Reads a picture's filled paths.
pub fn parse(text: &str) -> Result<FloorPlan, String> {
    let tree = Tree::from_str(text, &Options::default()).map_err(|error| error.to_string())?;
    let (mut walkable, mut obstacles) = (Vec::new(), Vec::new());
    let mut pending: Vec<(&Node, bool)> = tree.root().children().iter().map(|node| (node, false)).collect();
    while let Some((node, within_obstacle)) = pending.pop() {
        let is_obstacle = within_obstacle || names_obstacle(node.id());
        match node {
            Node::Group(group) => pending.extend(group.children().iter().map(|child| (child, is_obstacle))),
            Node::Path(path) if path.is_visible() && path.fill().is_some() => {
                let Some(data) = path.data().clone().transform(path.abs_transform()) else { continue };
                let list = if is_obstacle { &mut obstacles } else { &mut walkable };
                list.push(rings(data.segments()));
            }
            _ => {}
        }
    }
    Ok(FloorPlan::Outlines { walkable, obstacles })
}

fn names_obstacle(id: &str) -> bool {
    let id = id.to_ascii_lowercase();
    id.starts_with("obstacle") || id.starts_with("wall")
}

/// The rings of a path, each closed; those of fewer than three points enclose nothing and are left out.
fn rings(segments: impl Iterator<Item = PathSegment>) -> Rings {
    let mut rings: Rings = vec![Vec::new()];
    for segment in segments {
        if let PathSegment::MoveTo(to) = segment {
            rings.push(vec![at(to)]);
            continue;
        }
        let Some(ring) = rings.last_mut() else { continue };
        let from = ring.last().copied().unwrap_or_default();
        match segment {
            PathSegment::MoveTo(_) | PathSegment::Close => {}
            PathSegment::LineTo(to) => ring.push(at(to)),
            PathSegment::QuadTo(control, to) => {
                let [a, b, c] = [from, at(control), at(to)];
                let bend = second_difference(a, b, c) / 4.0;
                chords(bend, |t| blend(blend(a, b, t), blend(b, c, t), t), ring);
            }
            PathSegment::CubicTo(first, second, to) => {
                let [a, b, c, d] = [from, at(first), at(second), at(to)];
                let bend = 0.75 * navarena::math::max(second_difference(a, b, c), second_difference(b, c, d));
                let on_curve = |t: f64| {
                    let [ab, bc, cd] = [blend(a, b, t), blend(b, c, t), blend(c, d, t)];
                    blend(blend(ab, bc, t), blend(bc, cd, t), t)
                };
                chords(bend, on_curve, ring);
            }
        }
    }
    rings.retain(|ring| ring.len() >= 3);
    rings
}

fn at(point: Point) -> [f64; 2] {
    [f64::from(point.x), f64::from(point.y)]
}

fn blend(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

fn second_difference(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let [dx, dy] = [0, 1].map(|axis| a[axis] - 2.0 * b[axis] + c[axis]);
    sqrt(dx * dx + dy * dy)
}

/// Adds a curve's chords: as many as keep a curve that bends so much within the tolerance.
fn chords(bend: f64, on_curve: impl Fn(f64) -> [f64; 2], ring: &mut Vec<[f64; 2]>) {
    let count = navarena::math::clamp(ceil(sqrt(bend / CURVE_TOLERANCE)), 1.0, MAX_CHORDS);
    ring.extend((1..=count as u32).map(|i| on_curve(f64::from(i) / count)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_shapes_are_outlines_and_named_ones_are_obstacles() {
        let text = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">
            <rect x="1" y="2" width="30" height="20" fill="#eee"/>
            <g id="Walls" transform="translate(5 5)"><path d="M0 0h2v3h-2z M9 9"/></g>
            <path d="M0 0L5 5" fill="none" stroke="black"/>
            <circle cx="20" cy="10" r="4" id="obstacle-1"/></svg>"##;
        let Ok(FloorPlan::Outlines { walkable, obstacles }) = parse(text) else { panic!("no plan") };
        assert_eq!(walkable, [[[[1.0, 2.0], [31.0, 2.0], [31.0, 22.0], [1.0, 22.0]]]]);
        assert_eq!(obstacles.len(), 2);
        let of_length = |rings: &&Rings| rings[0].len() == 4;
        assert_eq!(obstacles.iter().find(of_length).unwrap()[0][2], [7.0, 8.0]);
        let circle = obstacles.iter().find(|rings| !of_length(rings)).unwrap();
        for &[x, y] in &circle[0] {
            let off = sqrt((x - 20.0) * (x - 20.0) + (y - 10.0) * (y - 10.0)) - 4.0;
            assert!(off.abs() < 2.0 * CURVE_TOLERANCE, "{off}");
        }
        assert!(circle[0].len() > 16);
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(parse("<svg").is_err() && parse("").is_err());
    }
}
