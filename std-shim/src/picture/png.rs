//! A canvas of pixels, kept as PNG.

use super::canvas::{Anchor, Canvas, Color, Label, Pen};
use super::glyphs::{self, Stroke as GlyphStroke};
use crate::failure::{Failure, Outcome};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// Shapes as pixels; everything is drawn `scale` times as large as the same shapes in an SVG.
#[derive(Debug)]
pub struct Png {
    pixels: Pixmap,
    scale: f64,
}

impl Png {
    /// An empty picture of a size, scaled; refused past 16384 pixels a side.
    pub fn new(width: f64, height: f64, scale: f64) -> Outcome<Png> {
        let side = |length: f64| ((length * scale).ceil() as u32).clamp(1, 16384);
        let pixels = Pixmap::new(side(width), side(height))
            .ok_or_else(|| Failure::Other(format!("a picture of {width} by {height} pixels is too large")))?;
        Ok(Png { pixels, scale })
    }

    /// The file's bytes.
    pub fn finish(self) -> Outcome<Vec<u8>> {
        self.pixels.encode_png().map_err(|reason| Failure::Other(format!("the picture can't be encoded: {reason}")))
    }

    fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        [(x * self.scale) as f32, (y * self.scale) as f32]
    }

    fn draw(&mut self, path: PathBuilder, fill: Option<Color>, pen: Option<Pen>) {
        let Some(path) = path.finish() else { return };
        if let Some(color) = fill {
            self.pixels.fill_path(&path, &paint(color), FillRule::Winding, Transform::identity(), None);
        }
        if let Some(pen) = pen {
            let dash = (pen.dash * self.scale) as f32;
            let stroke = Stroke {
                width: (pen.width * self.scale) as f32,
                line_cap: if pen.flat { LineCap::Butt } else { LineCap::Round },
                line_join: LineJoin::Round,
                dash: if dash > 0.0 { StrokeDash::new(vec![dash, dash], 0.0) } else { None },
                ..Stroke::default()
            };
            self.pixels.stroke_path(&path, &paint(pen.color), &stroke, Transform::identity(), None);
        }
    }

    fn run(&self, path: &mut PathBuilder, points: &[[f64; 2]]) {
        for (i, &point) in points.iter().enumerate() {
            let [x, y] = self.at(point);
            if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
    }
}

fn paint(Color(r, g, b, cover): Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, cover);
    paint
}

impl Canvas for Png {
    fn polygon(&mut self, corners: &[[f64; 2]], fill: Option<Color>, outline: Option<Pen>) {
        let mut path = PathBuilder::new();
        self.run(&mut path, corners);
        path.close();
        self.draw(path, fill, outline);
    }

    fn line(&mut self, points: &[[f64; 2]], pen: Pen) {
        let mut path = PathBuilder::new();
        self.run(&mut path, points);
        self.draw(path, None, Some(pen));
    }

    fn circle(&mut self, center: [f64; 2], radius: f64, fill: Option<Color>, outline: Option<Pen>) {
        let mut path = PathBuilder::new();
        let [x, y] = self.at(center);
        path.push_circle(x, y, (radius * self.scale) as f32);
        self.draw(path, fill, outline);
    }

    fn label(&mut self, label: Label<'_>) {
        let width = glyphs::width(label.text, label.size);
        let left = match label.anchor {
            Anchor::Start => label.at[0],
            Anchor::Middle => label.at[0] - width * 0.5,
            Anchor::End => label.at[0] - width,
        };
        let place = |[x, y]: [f64; 2]| [x + left, y + label.at[1]];
        let mut path = PathBuilder::new();
        for stroke in glyphs::strokes(label.text, label.size) {
            match stroke {
                GlyphStroke::Line(points) => self.run(&mut path, &points.into_iter().map(place).collect::<Vec<_>>()),
                GlyphStroke::Curve(start, curves) => {
                    let [x, y] = self.at(place(start));
                    path.move_to(x, y);
                    for [control, end] in curves {
                        let ([cx, cy], [x, y]) = (self.at(place(control)), self.at(place(end)));
                        path.quad_to(cx, cy, x, y);
                    }
                }
            }
        }
        let width = label.size * if label.bold { 0.125 } else { 0.085 };
        self.draw(path, None, Some(Pen::new(label.color, width)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filled_square_covers_its_pixels() {
        let mut png = Png::new(4.0, 4.0, 2.0).unwrap();
        png.polygon(&[[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]], Some(Color::hex(0xFF0000)), None);
        let red = png.pixels.pixels().iter().filter(|p| (p.red(), p.alpha()) == (255, 255)).count();
        assert_eq!(red, 16);
        assert!(png.finish().unwrap().starts_with(b"\x89PNG"));
    }
}
