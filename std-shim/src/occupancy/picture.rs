//! The picture of an occupancy map: PGM, plain or binary, or PNG.

use std::io::Cursor;

/// Shades, row by row from the top: 0 is black.
#[derive(Clone, Debug, PartialEq)]
pub struct Shades {
    pub width: u32,
    pub height: u32,
    pub values: Vec<u32>,
    /// The value of white.
    pub white: u32,
}

/// The longest side of a picture.
const MOST: u64 = 65_536;

impl Shades {
    /// Reads a picture of either kind.
    pub fn parse(bytes: &[u8]) -> Result<Shades, String> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => png(bytes).map_err(|error| format!("PNG: {error}")),
            [b'P', b'5', rest @ ..] => Pgm { rest }.binary(),
            [b'P', b'2', rest @ ..] => Pgm { rest }.plain(),
            _ => Err("neither PGM nor PNG".into()),
        }
    }
}

/// The sum of a pixel's colours; how much it covers says nothing.
fn png(bytes: &[u8]) -> Result<Shades, png::DecodingError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info()?;
    let too_large = || png::DecodingError::LimitsExceeded;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or_else(too_large)?];
    let info = reader.next_frame(&mut pixels)?;
    let channels = info.color_type.samples();
    let colors = if channels > 2 { 3 } else { 1 };
    let shade = |pixel: &[u8]| pixel.iter().take(colors).map(|&value| u32::from(value)).sum();
    let values = pixels.get(..info.buffer_size()).unwrap_or(&[]).chunks(channels).map(shade).collect();
    Ok(Shades { width: info.width, height: info.height, values, white: 255 * colors as u32 })
}

/// What is left of a PGM file.
struct Pgm<'a> {
    rest: &'a [u8],
}

impl Pgm<'_> {
    fn binary(mut self) -> Result<Shades, String> {
        let [width, height, most] = self.head()?;
        // One blank, and then the pixels.
        let pixels = self.rest.get(1..).unwrap_or(&[]);
        let (bytes, cells) = (if most > 255 { 2 } else { 1 }, (width * height) as usize);
        let wanted = cells.checked_mul(bytes).filter(|&wanted| wanted <= pixels.len());
        let wanted = wanted.ok_or("the file ends before its last pixel")?;
        if wanted < pixels.len() {
            return Err(format!("{} bytes are left over", pixels.len() - wanted));
        }
        let value = |pixel: &[u8]| pixel.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
        shades([width, height, most], pixels.chunks(bytes).map(value))
    }

    fn plain(mut self) -> Result<Shades, String> {
        let head = self.head()?;
        let mut values = Vec::new();
        for _ in 0..head[0] * head[1] {
            values.push(self.number()?);
        }
        if self.skip_blanks() {
            return Err(format!("{} bytes are left over", self.rest.len()));
        }
        shades(head, values.into_iter())
    }

    /// Width, height and the value of white.
    fn head(&mut self) -> Result<[u64; 3], String> {
        let head = [self.number()?, self.number()?, self.number()?];
        for (value, most) in head.into_iter().zip([MOST, MOST, 65_535]) {
            if value == 0 || value > most {
                return Err(format!("{value} is not from 1 to {most}"));
            }
        }
        Ok(head)
    }

    /// Skips blanks and comments. Gives whether anything is left.
    fn skip_blanks(&mut self) -> bool {
        loop {
            self.rest = self.rest.trim_ascii_start();
            if self.rest.first() != Some(&b'#') {
                return !self.rest.is_empty();
            }
            let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
    }

    fn number(&mut self) -> Result<u64, String> {
        self.skip_blanks();
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (text, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let text = std::str::from_utf8(text).unwrap_or_default();
        text.parse().map_err(|_| "a number is wanted, or the file ends".to_string())
    }
}

fn shades([width, height, most]: [u64; 3], values: impl Iterator<Item = u64>) -> Result<Shades, String> {
    let shade = |value: u64| match value <= most {
        true => Ok(value as u32),
        false => Err(format!("{value} is whiter than {most}")),
    };
    let values = values.map(shade).collect::<Result<Vec<u32>, String>>()?;
    Ok(Shades { width: width as u32, height: height as u32, values, white: most as u32 })
}
