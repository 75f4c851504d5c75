//! A stroke font of our own, for pictures in pixels: each letter is a few lines and curves on a small grid.
//!
//! Capitals are 12 units tall, small letters 8; 12 is the baseline. A glyph is words of points, each point a digit for
//! x and one for y (base 17). A word is a line through its points, with `~` in front a quadratic B-spline from its
//! first point to its last, with `@` in front a closed one.

/// The units of a size of 1: a capital is 0.72 of the size tall.
const UNIT: f64 = 0.72 / 12.0;
/// The space between letters.
const SPACING: f64 = 3.2;
/// The height of the baseline on the grid.
const BASELINE: f64 = 12.0;

/// A part of a letter, relative to the text's place, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Stroke {
    /// A line through points.
    Line(Vec<[f64; 2]>),
    /// Quadratic curves: the first point, then a control point and an end for each.
    Curve([f64; 2], Vec<[[f64; 2]; 2]>),
}

/// The width of a text at a size.
pub fn width(text: &str, size: f64) -> f64 {
    let units: f64 = text.chars().map(|c| extent(glyph(c)) + SPACING).sum();
    (units - SPACING).max(0.0) * UNIT * size
}

/// The strokes of a text at a size, its left end on the baseline at the origin.
pub fn strokes(text: &str, size: f64) -> Vec<Stroke> {
    let scale = UNIT * size;
    let mut x = 0.0;
    let mut strokes = Vec::new();
    for character in text.chars() {
        let glyph = glyph(character);
        let place = |[px, py]: [f64; 2]| [(x + px) * scale, (py - BASELINE) * scale];
        strokes.extend(glyph.split_whitespace().map(|word| stroke(word, place)));
        x += extent(glyph) + SPACING;
    }
    strokes
}

fn stroke(word: &str, place: impl Fn([f64; 2]) -> [f64; 2]) -> Stroke {
    let at: Vec<[f64; 2]> = points(word).map(place).collect();
    let middle = |a: [f64; 2], b: [f64; 2]| [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5];
    let count = at.len();
    match word.as_bytes().first() {
        Some(b'@') => {
            let curves = (0..count).map(|i| [at[i], middle(at[i], at[(i + 1) % count])]);
            Stroke::Curve(middle(at[count - 1], at[0]), curves.collect())
        }
        Some(b'~') => {
            let curves = (1..count - 1).map(|i| {
                let end = if i + 2 == count { at[i + 1] } else { middle(at[i], at[i + 1]) };
                [at[i], end]
            });
            Stroke::Curve(at[0], curves.collect())
        }
        _ => Stroke::Line(at),
    }
}

fn points(word: &str) -> impl Iterator<Item = [f64; 2]> {
    let digits = word.trim_start_matches(['@', '~']).as_bytes();
    let value = |digit: u8| f64::from((digit as char).to_digit(17).unwrap_or(0));
    digits.chunks_exact(2).map(move |pair| [value(pair[0]), value(pair[1])])
}

fn extent(glyph: &str) -> f64 {
    if glyph.is_empty() {
        return 4.0;
    }
    glyph.split_whitespace().flat_map(points).map(|p| p[0]).fold(0.0, f64::max)
}

/// A letter's strokes; a box for one the font does not have.
fn glyph(character: char) -> &'static str {
    match character {
        ' ' => "",
        'a' => "@04646c0c 646c",
        'b' => "000c @04646c0c",
        'c' => "~6664040c6c6a",
        'd' => "606c @04646c0c",
        'e' => "0868 ~6864040c6c6a",
        'f' => "~502023 232c 0454",
        'g' => "@04646c0c 646d ~6d6g0g0f",
        'h' => "000c ~08046468 686c",
        'i' => "040c 0001",
        'j' => "242d ~2d2g0g 2021",
        'k' => "000c 6409 276c",
        'l' => "000c",
        'm' => "040c ~08044448 484c ~48448488 888c",
        'n' => "040c ~08046468 686c",
        'o' => "@04646c0c",
        'p' => "040g @04646c0c",
        'q' => "646g @04646c0c",
        'r' => "040c ~080454",
        's' => "~55540408686c0c0b",
        't' => "202a ~2a2c5c 0454",
        'u' => "0408 ~080c6c68 646c",
        'v' => "043c64",
        'w' => "042c456c84",
        'x' => "046c 640c",
        'y' => "043c 641g",
        'z' => "04640c6c",
        'A' => "0c408c 1979",
        'B' => "000c 0040 ~40707646 0646 ~46868c4c 0c4c",
        'C' => "~8380000c8c89",
        'D' => "000c 0030 ~30808c3c 0c3c",
        'E' => "70000c7c 0656",
        'F' => "70000c 0656",
        'G' => "~8380000c8c87 8747",
        'H' => "000c 808c 0686",
        'I' => "000c",
        'J' => "6068 ~686c0c09",
        'K' => "000c 7007 257c",
        'L' => "000c7c",
        'M' => "0c0048808c",
        'N' => "0c008c80",
        'O' => "@00808c0c",
        'P' => "000c 0040 ~40808747 0747",
        'Q' => "@00808c0c 598d",
        'R' => "000c 0040 ~40808646 0646 368c",
        'S' => "~82800006868c0c0a",
        'T' => "0080 404c",
        'U' => "0007 ~070c8c87 8780",
        'V' => "004c80",
        'W' => "002c538ca0",
        'X' => "008c 800c",
        'Y' => "0046 8046 464c",
        'Z' => "00800c8c",
        '0' => "@00707c0c",
        '1' => "13404c",
        '2' => "~030070760c 0c7c",
        '3' => "~0200707636 ~36767c0c0a",
        '4' => "5c500878",
        '5' => "701006 ~0605757c0c0a",
        '6' => "~600208 @05757c0c",
        '7' => "00702c",
        '8' => "@10606616 @06767c0c",
        '9' => "@00707707 ~747a1c",
        '.' => "0b0c",
        ',' => "1b0e",
        ':' => "0506 0b0c",
        ';' => "1516 1b0e",
        '-' | '\u{2013}' => "0757",
        '+' => "0767 343a",
        '(' => "~30030a3d",
        ')' => "~00333a0d",
        '[' => "30000d3d",
        ']' => "00303d0d",
        '/' => "0d60",
        '%' => "0c80 @00303404 @58888c5c",
        '=' => "0565 0969",
        '\'' => "0003",
        '"' => "0003 3033",
        '#' => "201c 605c 0484 0888",
        '_' => "0d7d",
        '<' => "62076c",
        '>' => "02670c",
        '*' => "3036 0165 0561",
        '\u{d7}' => "056b 650b",
        '\u{b2}' => "~0100303205 0535",
        '\u{b7}' => "0607",
        '\u{b0}' => "@00303404",
        '\u{2192}' => "0787 54875a",
        '!' => "0008 0b0c",
        '?' => "~020070754547 4748 4b4c",
        _ => "00707c0c00",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_has_whole_points_and_enough_of_them() {
        for character in (' '..='~').chain("\u{b2}\u{d7}\u{2192}".chars()) {
            for word in glyph(character).split_whitespace() {
                let digits = word.trim_start_matches(['@', '~']);
                assert!(digits.len().is_multiple_of(2), "{character} {word}");
                assert!(digits.chars().all(|d| d.is_digit(17)), "{character} {word}");
                assert!(points(word).count() >= if word.starts_with(['@', '~']) { 3 } else { 2 }, "{character} {word}");
            }
        }
    }

    #[test]
    fn a_longer_text_is_wider_and_a_larger_one_too() {
        assert!(width("meters", 12.0) > width("meter", 12.0));
        assert_eq!(width("m", 24.0), 2.0 * width("m", 12.0));
        assert_eq!(width("", 12.0), 0.0);
    }

    #[test]
    fn capitals_stand_on_the_baseline() {
        assert_eq!(strokes("I", 100.0), [Stroke::Line(vec![[0.0, -72.0], [0.0, 0.0]])]);
    }
}
