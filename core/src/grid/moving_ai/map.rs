//! Grid maps: `type octile`, `height`, `width`, `map`, then one row of letters a line.

use super::lines::{Line, Lines};
use crate::error::{Error, Result, Subject};

/// Most cells along a side of a map file.
pub const MAX_SIDE: u32 = 65_536;
/// Most cells of a map file.
pub const MAX_CELLS: u64 = 1 << 28;

/// What a letter of a map stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Terrain {
    /// `.` and `G`: open ground.
    Ground,
    /// `@` and `O`: out of bounds.
    Outside,
    /// `T`: trees.
    Trees,
    /// `S`: swamp.
    Swamp,
    /// `W`: water.
    Water,
}

impl Terrain {
    /// The terrain of a letter; none for one that no map has.
    pub const fn of(letter: u8) -> Option<Terrain> {
        match letter {
            b'.' | b'G' => Some(Terrain::Ground),
            b'@' | b'O' => Some(Terrain::Outside),
            b'T' => Some(Terrain::Trees),
            b'S' => Some(Terrain::Swamp),
            b'W' => Some(Terrain::Water),
            _ => None,
        }
    }
}

/// Which area each terrain becomes: an area id, or 255 for a wall.
///
/// The default is what the published lengths of every set were computed with: ground and swamp open as area 0, the rest
/// walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TerrainRule {
    /// The area of open ground.
    pub ground: u8,
    /// The area of swamp.
    pub swamp: u8,
    /// The area of water.
    pub water: u8,
    /// The area of trees.
    pub trees: u8,
}

/// A cell that nothing walks on.
const WALL: u8 = 255;

impl TerrainRule {
    /// Ground and swamp are area 0, water and trees walls.
    pub const DEFAULT: TerrainRule = TerrainRule { ground: 0, swamp: 0, water: WALL, trees: WALL };

    /// The area of a terrain.
    pub const fn area(&self, terrain: Terrain) -> u8 {
        match terrain {
            Terrain::Ground => self.ground,
            Terrain::Outside => WALL,
            Terrain::Trees => self.trees,
            Terrain::Swamp => self.swamp,
            Terrain::Water => self.water,
        }
    }
}

impl Default for TerrainRule {
    fn default() -> Self {
        TerrainRule::DEFAULT
    }
}

/// A map file that was checked to its end.
///
/// ```
/// use navarena::grid::moving_ai::{GridMap, TerrainRule};
/// let map = GridMap::open(b"type octile\nheight 2\nwidth 3\nmap\n.@T\nGSW\n")?;
/// let mut areas = [0; 6];
/// map.write_areas(&TerrainRule::DEFAULT, &mut areas)?;
/// assert_eq!((map.width(), map.height(), areas), (3, 2, [0, 255, 255, 0, 0, 255]));
/// // A row that is too short is named by its line.
/// let error = GridMap::open(b"type octile\nheight 2\nwidth 3\nmap\n.@T\nGS\n").unwrap_err();
/// assert_eq!(error.index(), Some(6));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridMap<'a> {
    width: u32,
    height: u32,
    rows: Lines<'a>,
}

impl<'a> GridMap<'a> {
    /// Reads a map, checking every letter of it. O(bytes).
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::error::ErrorKind::Format) naming the line, counted from 1, and where a letter or a
    /// field is at fault its place in the line; [`ErrorKind::Limit`](crate::error::ErrorKind::Limit) for more than 65536
    /// cells on a side or 2^28 in all.
    pub fn open(bytes: &'a [u8]) -> Result<GridMap<'a>> {
        let mut lines = Lines::of(bytes);
        let kind = lines.expect()?;
        if !kind.fields().eq([&b"type"[..], &b"octile"[..]]) {
            return Err(kind.refused());
        }
        let height = side(lines.expect()?, b"height")?;
        let width = side(lines.expect()?, b"width")?;
        let cells = u64::from(width) * u64::from(height);
        if cells > MAX_CELLS {
            return Err(Error::limit(Subject::Cell).value(cells as f64).bound(MAX_CELLS as f64));
        }
        let heading = lines.expect()?;
        if !heading.fields().eq([&b"map"[..]]) {
            return Err(heading.refused());
        }
        let map = GridMap { width, height, rows: lines.clone() };
        for _ in 0..height {
            check_row(lines.expect()?, width)?;
        }
        match lines.find(|line| !line.is_blank()) {
            Some(line) => Err(line.refused()),
            None => Ok(map),
        }
    }

    /// Cells in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The rows of letters, the top one first.
    pub fn rows(&self) -> impl Iterator<Item = &'a [u8]> {
        self.rows.clone().take(self.height as usize).map(|line| line.text)
    }

    /// Writes each cell's area, row by row, into an array of exactly as many cells.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`](crate::error::ErrorKind::Invalid) of the count for an array of another length.
    pub fn write_areas(&self, rule: &TerrainRule, areas: &mut [u8]) -> Result<()> {
        let cells = self.width as usize * self.height as usize;
        if areas.len() != cells {
            return Err(Error::invalid(Subject::Count).value(areas.len() as f64).bound(cells as f64));
        }
        let letters = self.rows().flatten();
        for (area, &letter) in areas.iter_mut().zip(letters) {
            // Every letter was checked.
            *area = Terrain::of(letter).map_or(WALL, |terrain| rule.area(terrain));
        }
        Ok(())
    }
}

/// A side's line: a word and 1 to 65536.
fn side(line: Line<'_>, word: &[u8]) -> Result<u32> {
    let cells = line.number_after(word)?;
    match cells {
        0 => Err(line.refused().part(1)),
        1..=MAX_SIDE => Ok(cells),
        _ => Err(Error::limit(Subject::Line).at(line.number).value(cells.into()).bound(MAX_SIDE.into())),
    }
}

fn check_row(row: Line<'_>, width: u32) -> Result<()> {
    if row.text.len() != width as usize {
        return Err(row.refused().value(row.text.len() as f64).bound(width.into()));
    }
    match row.text.iter().position(|&letter| Terrain::of(letter).is_none()) {
        Some(column) => Err(row.refused().part(column)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use proptest::prelude::*;
    use std::format;
    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    fn text(height: &str, width: &str, rows: &[&str], end: &str) -> String {
        let mut text = format!("type octile{end}height {height}{end}width {width}{end}map{end}");
        rows.iter().for_each(|row| text.push_str(&format!("{row}{end}")));
        text
    }

    fn refused(text: &str) -> (ErrorKind, Option<u32>, Option<u32>) {
        let error = GridMap::open(text.as_bytes()).unwrap_err();
        (error.kind(), error.index(), error.part_index())
    }

    #[test]
    fn both_line_ends_give_the_same_map_and_a_missing_last_end_too() {
        for end in ["\n", "\r\n"] {
            let whole = text("2", "3", &[".@T", "GSW"], end);
            for text in [whole.trim_end(), &whole, &format!("{whole}{end}  {end}")] {
                let map = GridMap::open(text.as_bytes()).unwrap();
                let mut areas = vec![9; 6];
                map.write_areas(&TerrainRule { water: 7, ..TerrainRule::DEFAULT }, &mut areas).unwrap();
                assert_eq!(areas, [0, 255, 255, 0, 0, 7]);
                assert_eq!(map.rows().collect::<Vec<_>>(), [b".@T", b"GSW"]);
            }
        }
    }

    #[test]
    fn what_breaks_a_rule_is_named_by_its_line() {
        use ErrorKind::{Format, Limit};
        let rows = [".@T", "GSW"];
        assert_eq!(refused(""), (Format, Some(1), None));
        assert_eq!(refused("type tile\n"), (Format, Some(1), None));
        assert_eq!(refused("type octile\nheight 2\n"), (Format, Some(3), None));
        assert_eq!(refused("type octile\nwidth 2\nheight 3\n"), (Format, Some(2), Some(0)));
        for height in ["0", "-1", "2x", "", "99999999999", "2.0"] {
            assert_eq!(refused(&text(height, "3", &rows, "\n")), (Format, Some(2), Some(1)));
        }
        assert_eq!(refused(&text("2 2", "3", &rows, "\n")), (Format, Some(2), Some(2)));
        assert_eq!(refused(&text("65537", "3", &rows, "\n")), (Limit, Some(2), None));
        assert_eq!(refused(&text("65536", "65536", &rows, "\n")), (Limit, None, None));
        assert_eq!(refused(&text("2", "3", &[".@T", "GSWW"], "\n")), (Format, Some(6), None));
        assert_eq!(refused(&text("2", "3", &[".@T", "GxW"], "\n")), (Format, Some(6), Some(1)));
        assert_eq!(refused(&text("3", "3", &rows, "\n")), (Format, Some(7), None));
        assert_eq!(refused(&text("1", "3", &rows, "\n")), (Format, Some(6), None));
        assert_eq!(refused("type octile\nheight 1\nwidth 1\n.\n"), (Format, Some(4), None));
    }

    #[test]
    fn an_array_of_another_length_is_refused() {
        let text = text("2", "3", &[".@T", "GSW"], "\n");
        let map = GridMap::open(text.as_bytes()).unwrap();
        for length in [0, 5, 7] {
            let error = map.write_areas(&TerrainRule::DEFAULT, &mut vec![0; length]).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Invalid, Subject::Count));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic_and_what_it_accepts_is_whole(
            mut bytes in Just(text("3", "4", &[".@T.", "GSW.", "OOOO"], "\n").into_bytes()),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        ) {
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Ok(map) = GridMap::open(&bytes) {
                let mut areas = vec![1; map.width() as usize * map.height() as usize];
                map.write_areas(&TerrainRule::DEFAULT, &mut areas).unwrap();
                prop_assert!(areas.iter().all(|&area| area == 0 || area == 255));
                prop_assert!(map.rows().all(|row| row.len() == map.width() as usize));
            }
        }
    }
}
