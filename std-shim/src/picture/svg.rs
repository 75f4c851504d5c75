//! A canvas that writes SVG.

use super::canvas::{Anchor, Canvas, Color, Label, Pen};
use std::fmt::Write;

/// Shapes as the text of an SVG file.
#[derive(Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// An empty picture of a size in pixels.
    pub fn new(width: f64, height: f64) -> Svg {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Inter, Helvetica, Arial, sans-serif\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
        );
        Svg { text }
    }

    /// The file's text.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// A circle whose center goes from point to point, at even times, in so many seconds, again and again.
    pub fn moving_circle(&mut self, points: &[[f64; 2]], radius: f64, fill: Color, outline: Pen, seconds: f64) {
        let [x, y] = points.first().copied().unwrap_or_default();
        let _ = write!(self.text, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Number(x), Number(y), Number(radius));
        self.paint(Some(fill), Some(outline));
        self.text.push('>');
        for (axis, name) in ["cx", "cy"].into_iter().enumerate() {
            let _ = write!(
                self.text,
                "<animate attributeName=\"{name}\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"",
                Number(seconds)
            );
            for (i, point) in points.iter().enumerate() {
                let between = if i == 0 { "" } else { ";" };
                let _ = write!(self.text, "{between}{}", Number(point[axis]));
            }
            self.text.push_str("\"/>");
        }
        self.text.push_str("</circle>\n");
    }

    fn paint(&mut self, fill: Option<Color>, pen: Option<Pen>) {
        match fill {
            Some(color) => self.color("fill", color),
            None => self.text.push_str(" fill=\"none\""),
        }
        if let Some(pen) = pen {
            self.color("stroke", pen.color);
            let _ = write!(self.text, " stroke-width=\"{}\"", Number(pen.width));
            if pen.flat {
                self.text.push_str(" stroke-linecap=\"butt\"");
            }
            if pen.dash > 0.0 {
                let _ = write!(self.text, " stroke-dasharray=\"{}\"", Number(pen.dash));
            }
        }
    }

    fn color(&mut self, name: &str, Color(r, g, b, cover): Color) {
        let _ = write!(self.text, " {name}=\"#{r:02x}{g:02x}{b:02x}\"");
        if cover < 255 {
            let _ = write!(self.text, " {name}-opacity=\"{}\"", Number(f64::from(cover) / 255.0));
        }
    }

    fn points(&mut self, points: &[[f64; 2]]) {
        for (i, [x, y]) in points.iter().enumerate() {
            let between = if i == 0 { "" } else { " " };
            let _ = write!(self.text, "{between}{},{}", Number(*x), Number(*y));
        }
    }
}

impl Canvas for Svg {
    fn polygon(&mut self, corners: &[[f64; 2]], fill: Option<Color>, outline: Option<Pen>) {
        self.text.push_str("<polygon points=\"");
        self.points(corners);
        self.text.push('"');
        self.paint(fill, outline);
        self.text.push_str("/>\n");
    }

    fn line(&mut self, points: &[[f64; 2]], pen: Pen) {
        self.text.push_str("<polyline points=\"");
        self.points(points);
        self.text.push('"');
        self.paint(None, Some(pen));
        self.text.push_str("/>\n");
    }

    fn circle(&mut self, [x, y]: [f64; 2], radius: f64, fill: Option<Color>, outline: Option<Pen>) {
        let _ = write!(self.text, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Number(x), Number(y), Number(radius));
        self.paint(fill, outline);
        self.text.push_str("/>\n");
    }

    fn label(&mut self, label: Label<'_>) {
        let [x, y] = label.at;
        let _ = write!(self.text, "<text x=\"{}\" y=\"{}\" font-size=\"{}\"", Number(x), Number(y), Number(label.size));
        self.text.push_str(match label.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        });
        if label.bold {
            self.text.push_str(" font-weight=\"700\"");
        }
        self.color("fill", label.color);
        self.text.push('>');
        for character in label.text.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                control if control.is_control() => self.text.push(' '),
                other => self.text.push(other),
            }
        }
        self.text.push_str("</text>\n");
    }
}

/// A number with at most two decimals and no more of them than it needs.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = (self.0 * 100.0).round();
        write!(f, "{}", if hundredths.is_finite() { hundredths / 100.0 + 0.0 } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_become_elements_and_text_is_escaped() {
        let mut svg = Svg::new(20.0, 10.0);
        svg.polygon(&[[0.0, 0.0], [1.234567, 0.0], [-0.001, 2.0]], Some(Color(255, 0, 16, 128)), None);
        svg.line(&[[0.0, 0.0], [1.0, 1.0]], Pen::new(Color::hex(0x00FF00), 1.5).dashed(2.0));
        svg.label(Label {
            at: [1.0, 2.0],
            size: 12.0,
            anchor: Anchor::Middle,
            color: Color::hex(0),
            bold: true,
            text: "a<b & c",
        });
        let text = svg.finish();
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains("<polygon points=\"0,0 1.23,0 0,2\" fill=\"#ff0010\" fill-opacity=\"0.5\"/>"), "{text}");
        assert!(text.contains("stroke=\"#00ff00\" stroke-width=\"1.5\" stroke-dasharray=\"2\"/>"));
        assert!(text.contains(">a&lt;b &amp; c</text>"));
    }
}
