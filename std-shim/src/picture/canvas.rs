//! What a picture is drawn on: a few shapes in pixels, y down.

/// A colour with its cover, 255 opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8, pub u8);

impl Color {
    /// An opaque colour from its 24 bits.
    pub const fn hex(rgb: u32) -> Color {
        Color((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8, 255)
    }

    /// The same colour with another cover, 0 to 1.
    pub fn cover(self, cover: f64) -> Color {
        Color(self.0, self.1, self.2, (cover.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
    }

    /// The colour at a part of the way to another, cover included.
    pub fn mix(self, to: Color, part: f64) -> Color {
        let part = part.clamp(0.0, 1.0);
        let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - part) + f64::from(b) * part + 0.5) as u8;
        Color(mix(self.0, to.0), mix(self.1, to.1), mix(self.2, to.2), mix(self.3, to.3))
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub color: Color,
    /// Its width in pixels.
    pub width: f64,
    /// The length of a dash and of the gap after it; 0 for a whole line.
    pub dash: f64,
    /// Whether its ends are cut off flat instead of round.
    pub flat: bool,
}

impl Pen {
    /// A whole line.
    pub const fn new(color: Color, width: f64) -> Pen {
        Pen { color, width, dash: 0.0, flat: false }
    }

    /// The same pen, dashed.
    pub const fn dashed(self, dash: f64) -> Pen {
        Pen { dash, ..self }
    }

    /// The same pen with flat ends: the pieces of one line do not reach over each other.
    pub const fn flat(self) -> Pen {
        Pen { flat: true, ..self }
    }
}

/// Which point of a text stands at its place; always the baseline's height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// A line of text.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// Where it stands.
    pub at: [f64; 2],
    /// Its size in pixels, as fonts count it.
    pub size: f64,
    /// Which point stands there.
    pub anchor: Anchor,
    /// Its colour.
    pub color: Color,
    /// Whether it is bold.
    pub bold: bool,
    /// What it says.
    pub text: &'a str,
}

/// A surface that shapes are drawn on, each over those before it.
pub trait Canvas {
    /// A polygon, filled and then outlined.
    fn polygon(&mut self, corners: &[[f64; 2]], fill: Option<Color>, outline: Option<Pen>);
    /// A line through points, with round bends, and round ends unless the pen is flat.
    fn line(&mut self, points: &[[f64; 2]], pen: Pen);
    /// A circle, filled and then outlined.
    fn circle(&mut self, center: [f64; 2], radius: f64, fill: Option<Color>, outline: Option<Pen>);
    /// A line of text.
    fn label(&mut self, label: Label<'_>);
}
