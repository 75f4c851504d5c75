//! The colours and pens that every view shares.

use super::canvas::{Color, Pen};

pub const PAPER: Color = Color::hex(0xFBFAF7);
pub const PANEL: Color = Color::hex(0xF1EEE7);
pub const INK: Color = Color::hex(0x23303A);
pub const FAINT_INK: Color = Color::hex(0x6C7780);
pub const STONE: Color = Color::hex(0xE4DFD4);
pub const PATH: Pen = Pen::new(Color::hex(0xD7263D), 3.2);
pub const PATH_CASING: Pen = Pen::new(Color::hex(0xFFFFFF), 6.0).flat();
pub const WALL: Pen = Pen::new(Color::hex(0x1F4E5F), 1.3);
pub const SEAM: Pen = Pen::new(Color(255, 255, 255, 150), 0.8);
pub const PORTAL: Pen = Pen::new(Color::hex(0x7B2D8B), 1.3);
pub const TILE: Pen = Pen::new(Color(35, 48, 58, 90), 0.8).dashed(5.0);
pub const LINK: Pen = Pen::new(Color::hex(0xE07A1F), 1.8).dashed(4.0);
pub const ANSWER: Pen = Pen::new(Color::hex(0xD7263D), 2.6);
pub const MARKED: Color = Color::hex(0xF2C14E);
pub const START: Color = Color::hex(0x2A9D5C);
pub const GOAL: Color = Color::hex(0xD7263D);

/// From the lowest floor to the highest.
const HEIGHTS: [Color; 5] =
    [Color::hex(0x5B8DB8), Color::hex(0x58A9A5), Color::hex(0x86BF86), Color::hex(0xD3C872), Color::hex(0xE9A66B)];
/// Areas after 0 take these in turn.
const AREAS: [Color; 8] = [
    Color::hex(0x8E6BBF),
    Color::hex(0xC2557A),
    Color::hex(0x4F9D4F),
    Color::hex(0xB8860B),
    Color::hex(0x3A7CA5),
    Color::hex(0xA0522D),
    Color::hex(0x708238),
    Color::hex(0x5F6F7A),
];

/// The colour of a part of the way from the lowest floor to the highest.
pub fn height_color(part: f64) -> Color {
    let place = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 } * (HEIGHTS.len() - 1) as f64;
    let index = (place as usize).min(HEIGHTS.len() - 2);
    HEIGHTS[index].mix(HEIGHTS[index + 1], place - index as f64)
}

/// The colour of an area; none for area 0, which shows its height alone.
pub fn area_color(area: u8) -> Option<Color> {
    (area > 0).then(|| AREAS[usize::from(area - 1) % AREAS.len()])
}

/// The colour of a polygon: its height's, half its area's, and mostly the answer's where it is part of one.
pub fn face_color(area: u8, marked: bool, part: f64) -> Color {
    let height = height_color(part);
    let color = area_color(area).map_or(height, |color| height.mix(color, 0.6));
    if marked { color.mix(MARKED, 0.75) } else { color }
}
