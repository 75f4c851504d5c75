//! The page: a heading, one or two views of the scene, and a legend.

use super::canvas::{Anchor, Canvas, Color, Label, Pen};
use super::scene::{Scene, drape};
use super::{oblique, sheet, top};

/// Which views a page has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// From straight above.
    #[default]
    Top,
    /// At a slant.
    Oblique,
    /// Both, side by side.
    Both,
}

pub(super) const MARGIN: f64 = 24.0;
pub(super) const HEADING: f64 = 78.0;
pub(super) const LEGEND: f64 = 64.0;
const PANEL_WIDTH: f64 = 860.0;
const PADDING: f64 = 26.0;

/// Where a view stands on the page: scene units to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    scale: f64,
    shift: [f64; 2],
}

impl Place {
    /// Pixels of a world unit.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The pixel of a projected point.
    pub fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x * self.scale + self.shift[0], y * self.scale + self.shift[1]]
    }
}

/// A box on the page: left, top, width, height.
pub(super) type Frame = [f64; 4];
type Projection = fn([f64; 3]) -> [f64; 2];

struct Panel {
    slanted: bool,
    frame: Frame,
    place: Place,
}

/// The page's size in pixels.
pub fn size(scene: &Scene, view: View) -> [f64; 2] {
    let panels = panels(scene, view);
    let right = panels.iter().map(|p| p.frame[0] + p.frame[2]).fold(0.0, f64::max);
    let bottom = panels.iter().map(|p| p.frame[1] + p.frame[3]).fold(0.0, f64::max);
    [(right + MARGIN).ceil(), (bottom + LEGEND).ceil()]
}

/// Where the view from above stands on a page with that view alone.
pub(super) fn place_from_above(scene: &Scene) -> Place {
    let panel = panels(scene, View::Top).pop();
    panel.map_or(Place { scale: 1.0, shift: [0.0; 2] }, |panel| panel.place)
}

/// Draws a scene as a page.
pub fn draw(scene: &Scene, view: View, canvas: &mut dyn Canvas) {
    let [width, height] = size(scene, view);
    rectangle(canvas, [0.0, 0.0, width, height], sheet::PAPER);
    heading(&scene.title, &scene.subtitle, canvas);
    let path = drape(&scene.path, &scene.faces, 0.25);
    for panel in panels(scene, view) {
        rectangle(canvas, panel.frame, sheet::PANEL);
        let project: Projection = if panel.slanted {
            oblique::draw(scene, &path, &panel.place, canvas);
            oblique::project
        } else {
            top::draw(scene, &path, &panel.place, canvas);
            top::project
        };
        marks(scene, |point| panel.place.at(project(point)), canvas);
        if !panel.slanted {
            scale_bar(&panel, canvas);
        }
        let name = if panel.slanted { "from the southwest" } else { "from above" };
        let at = [panel.frame[0] + 12.0, panel.frame[1] + 20.0];
        canvas.label(Label { at, size: 12.0, anchor: Anchor::Start, color: sheet::FAINT_INK, bold: false, text: name });
    }
    legend(scene, [MARGIN, height - LEGEND], canvas);
}

fn panels(scene: &Scene, view: View) -> Vec<Panel> {
    let slants: &[bool] = match view {
        View::Top => &[false],
        View::Oblique => &[true],
        View::Both => &[true, false],
    };
    let boxes: Vec<Frame> = slants.iter().map(|&slanted| projected_bounds(scene, slanted)).collect();
    // Panels are as wide as each other and as tall as the tallest drawing, within limits.
    let inner = PANEL_WIDTH - 2.0 * PADDING;
    let tall = boxes.iter().map(|b| inner * b[3] / b[2]).fold(0.0, f64::max).clamp(240.0, 900.0);
    let mut panels = Vec::new();
    for (index, (&slanted, &[left, top, wide, high])) in slants.iter().zip(&boxes).enumerate() {
        let frame = [MARGIN + index as f64 * (PANEL_WIDTH + 16.0), HEADING, PANEL_WIDTH, tall + 2.0 * PADDING];
        let scale = (inner / wide).min(tall / high);
        let shift = [
            frame[0] + (frame[2] - wide * scale) * 0.5 - left * scale,
            frame[1] + (frame[3] - high * scale) * 0.5 - top * scale,
        ];
        panels.push(Panel { slanted, frame, place: Place { scale, shift } });
    }
    panels
}

fn projected_bounds(scene: &Scene, slanted: bool) -> Frame {
    let (min, max) = scene.bounds();
    let project: Projection = if slanted { oblique::project } else { top::project };
    let corners =
        (0..8).map(|i| project(std::array::from_fn(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] })));
    let (low, high) = corners.fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), p| {
        (std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i])))
    });
    [low[0], low[1], (high[0] - low[0]).max(1e-6), (high[1] - low[1]).max(1e-6)]
}

pub(super) fn rectangle(canvas: &mut dyn Canvas, [left, top, width, height]: Frame, fill: Color) {
    let (right, bottom) = (left + width, top + height);
    canvas.polygon(&[[left, top], [right, top], [right, bottom], [left, bottom]], Some(fill), None);
}

pub(super) fn heading(title: &str, subtitle: &str, canvas: &mut dyn Canvas) {
    let label = |at, size, color, bold, text| Label { at, size, anchor: Anchor::Start, color, bold, text };
    canvas.label(label([MARGIN, 36.0], 23.0, sheet::INK, true, title));
    canvas.label(label([MARGIN, 60.0], 13.5, sheet::FAINT_INK, false, subtitle));
}

/// Start and goal, over everything.
fn marks(scene: &Scene, project: impl Fn([f64; 3]) -> [f64; 2], canvas: &mut dyn Canvas) {
    if let (Some(&start), Some(&goal)) = (scene.path.first(), scene.path.last()) {
        let goal_name = if scene.partial { "as near as it gets" } else { "goal" };
        mark(project(start), sheet::START, "start", canvas);
        mark(project(goal), sheet::GOAL, goal_name, canvas);
    }
}

/// A named point.
pub(super) fn mark([x, y]: [f64; 2], color: Color, name: &str, canvas: &mut dyn Canvas) {
    let white = Color::hex(0xFFFFFF);
    canvas.circle([x, y], 7.0, Some(color), Some(Pen::new(white, 2.0)));
    let halo = 13.0 * 0.5 * name.len() as f64 + 8.0;
    rectangle(canvas, [x + 11.0, y - 20.0, halo + 6.0, 19.0], white.cover(0.85));
    let at = [x + 16.0, y - 6.0];
    canvas.label(Label { at, size: 13.0, anchor: Anchor::Start, color: sheet::INK, bold: true, text: name });
}

/// A bar of a round length, at most a quarter of the panel's width, in its lower right corner.
fn scale_bar(panel: &Panel, canvas: &mut dyn Canvas) {
    let most = panel.frame[2] * 0.25 / panel.place.scale;
    let mut length = 1.0;
    while length * 10.0 <= most {
        length *= 10.0;
    }
    while length > most {
        length *= 0.1;
    }
    length *= [5.0, 2.0, 1.0].into_iter().find(|step| length * step <= most).unwrap_or(1.0);
    let pixels = length * panel.place.scale;
    let right = panel.frame[0] + panel.frame[2] - 14.0;
    let y = panel.frame[1] + panel.frame[3] - 14.0;
    let pen = Pen::new(sheet::INK, 1.6);
    canvas.line(&[[right - pixels, y - 4.0], [right - pixels, y], [right, y], [right, y - 4.0]], pen);
    let text = format!("{length} m");
    let at = [right - pixels * 0.5, y - 8.0];
    canvas.label(Label { at, size: 12.0, anchor: Anchor::Middle, color: sheet::INK, bold: false, text: &text });
}

/// What the colours and lines mean; only of what the scene has.
fn legend(scene: &Scene, [left, top]: [f64; 2], canvas: &mut dyn Canvas) {
    let middle = top + LEGEND * 0.5;
    let mut x = left;
    let text = |canvas: &mut dyn Canvas, x: &mut f64, text: &str| {
        let at = [*x, middle + 4.5];
        canvas.label(Label { at, size: 12.5, anchor: Anchor::Start, color: sheet::INK, bold: false, text });
        *x += super::glyphs::width(text, 12.5) + 22.0;
    };
    let (low, high) = scene.heights();
    text(canvas, &mut x, &format!("height {low:.1} m"));
    // A browser's font may be wider than ours.
    x -= 4.0;
    let steps = 40;
    for step in 0..steps {
        let color = sheet::height_color(f64::from(step) / f64::from(steps - 1));
        rectangle(canvas, [x + f64::from(step) * 3.0, middle - 6.0, 3.4, 12.0], color);
    }
    x += f64::from(steps) * 3.0 + 8.0;
    text(canvas, &mut x, &format!("{high:.1} m"));
    let mut areas: Vec<u8> = scene.faces.iter().map(|face| face.area).filter(|&area| area > 0).collect();
    areas.sort_unstable();
    areas.dedup();
    for &area in areas.iter().take(6) {
        rectangle(canvas, [x, middle - 6.0, 16.0, 12.0], sheet::face_color(area, false, 0.5));
        x += 22.0;
        text(canvas, &mut x, &format!("area {area}"));
    }
    let entries = [
        (!scene.path.is_empty(), sheet::PATH, "path"),
        (!scene.answers.is_empty() || !scene.marks.is_empty(), sheet::ANSWER, "answer"),
        (!scene.walls.is_empty(), sheet::WALL, "wall"),
        (!scene.portals.is_empty(), sheet::PORTAL, "portal between tiles"),
        (!scene.links.is_empty(), sheet::LINK, "off-mesh link"),
        (!scene.tiles.is_empty(), sheet::TILE, "tile"),
    ];
    for (_, pen, name) in entries.into_iter().filter(|entry| entry.0) {
        canvas.line(&[[x, middle], [x + 24.0, middle]], pen);
        x += 32.0;
        text(canvas, &mut x, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Svg;
    use crate::picture::scene::Face;

    fn scene() -> Scene {
        Scene {
            title: "A square".into(),
            faces: vec![Face::flat(vec![[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0]], 3)],
            path: vec![[1.0, 0.0, 0.5], [7.0, 0.0, 5.0]],
            ..Scene::default()
        }
    }

    #[test]
    fn a_page_names_what_it_shows_and_nothing_else() {
        let mut svg = Svg::new(100.0, 100.0);
        draw(&scene(), View::Both, &mut svg);
        let text = svg.finish();
        for word in ["A square", ">area 3<", ">path<", ">start<", ">goal<", ">2 m<"] {
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains("off-mesh") && !text.contains("portal"));
    }

    #[test]
    fn two_views_are_twice_as_wide_as_one() {
        let [one, _] = size(&scene(), View::Top);
        let [two, _] = size(&scene(), View::Both);
        assert_eq!(two - one, PANEL_WIDTH + 16.0);
    }

    #[test]
    fn an_empty_scene_is_a_page_too() {
        let mut svg = Svg::new(100.0, 100.0);
        draw(&Scene::default(), View::Both, &mut svg);
        assert!(!svg.finish().contains("NaN"));
    }
}
