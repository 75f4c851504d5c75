//! Scenarios: `version 1`, then a line of nine fields an instance.

use super::lines::{Line, Lines, decimal, whole_number};
use crate::error::{Error, Result, Subject};

/// One instance: a start, a goal, and the published length of the shortest way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario<'a> {
    /// The bucket of lengths it belongs to.
    pub bucket: u32,
    /// The map's path, as the file has it.
    pub map: &'a [u8],
    /// Cells in a row of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// Column and row of the start, within the map.
    pub start: [u32; 2],
    /// Column and row of the goal, within the map.
    pub goal: [u32; 2],
    /// Length of the shortest way with eight moves and no corner cutting.
    pub length: f64,
}

/// A scenario file that was checked to its end. Iterating gives its instances in order.
///
/// ```
/// use navarena::grid::moving_ai::Scenarios;
/// let file = b"version 1\n0\tmaps/arena.map\t49\t49\t1\t11\t1\t12\t1\n0\tmaps/arena.map\t49\t49\t1\t13\t4\t12\t3.41421\n";
/// let mut instances = Scenarios::open(file)?;
/// let first = instances.next().unwrap();
/// assert_eq!((first.start, first.goal, first.length), ([1, 11], [1, 12], 1.0));
/// assert_eq!(instances.count(), 1);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenarios<'a> {
    lines: Lines<'a>,
}

impl<'a> Scenarios<'a> {
    /// Reads a scenario file, checking every line of it. O(bytes).
    ///
    /// # Errors
    /// [`ErrorKind::Version`](crate::error::ErrorKind::Version) for another version than 1,
    /// [`ErrorKind::Format`](crate::error::ErrorKind::Format) naming the line, counted from 1, and the field, counted from 0.
    pub fn open(bytes: &'a [u8]) -> Result<Scenarios<'a>> {
        let mut lines = Lines::of(bytes);
        check_version(lines.expect()?)?;
        let scenarios = Scenarios { lines };
        for line in scenarios.lines.clone().filter(|line| !line.is_blank()) {
            instance(line)?;
        }
        Ok(scenarios)
    }
}

impl<'a> Iterator for Scenarios<'a> {
    type Item = Scenario<'a>;

    fn next(&mut self) -> Option<Scenario<'a>> {
        let line = self.lines.find(|line| !line.is_blank())?;
        // Every line was checked.
        instance(line).ok()
    }
}

fn check_version(line: Line<'_>) -> Result<()> {
    let mut fields = line.fields();
    if fields.next() != Some(b"version") {
        return Err(line.refused().part(0));
    }
    // Some sets write 1.0.
    let version = fields.next().and_then(decimal).ok_or(line.refused().part(1))?;
    if fields.next().is_some() {
        return Err(line.refused().part(2));
    }
    if version == 1.0 {
        return Ok(());
    }
    Err(Error::new(crate::error::ErrorKind::Version, Subject::Line).at(line.number).value(version).bound(1.0))
}

fn instance(line: Line<'_>) -> Result<Scenario<'_>> {
    const FIELDS: usize = 9;
    let mut fields = [&[][..]; FIELDS];
    let mut count = 0;
    for field in line.fields() {
        *fields.get_mut(count).ok_or(line.refused().part(FIELDS))? = field;
        count += 1;
    }
    if count < FIELDS {
        return Err(line.refused().part(count));
    }
    let number = |at: usize| whole_number(fields[at]).ok_or(line.refused().part(at));
    let (width, height) = (number(2)?, number(3)?);
    let within = |at: usize, side: u32| match number(at)? {
        inside if inside < side => Ok(inside),
        outside => Err(line.refused().part(at).value(outside.into()).bound(side.into())),
    };
    Ok(Scenario {
        bucket: number(0)?,
        map: fields[1],
        width,
        height,
        start: [within(4, width)?, within(5, height)?],
        goal: [within(6, width)?, within(7, height)?],
        length: decimal(fields[8]).ok_or(line.refused().part(8))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use proptest::prelude::*;
    use std::format;
    use std::vec::Vec;

    fn refused(text: &str) -> (ErrorKind, Option<u32>, Option<u32>) {
        let error = Scenarios::open(text.as_bytes()).unwrap_err();
        (error.kind(), error.index(), error.part_index())
    }

    #[test]
    fn blanks_and_tabs_and_both_line_ends_read_the_same() {
        let first = "12 maps/a.map 30 20 1 2 29 19 40.5";
        let whole = format!("version 1\n{first}\n{first}\n");
        let wanted: Vec<Scenario<'_>> = Scenarios::open(whole.as_bytes()).unwrap().collect();
        assert_eq!(wanted.len(), 2);
        let [one, _] = wanted[..] else { panic!("two instances") };
        assert_eq!((one.bucket, one.map, one.width, one.height), (12, &b"maps/a.map"[..], 30, 20));
        assert_eq!((one.start, one.goal, one.length), ([1, 2], [29, 19], 40.5));
        let tabs = whole.replace(' ', "\t").replace("version\t1", "version 1.0");
        for text in [whole.replace('\n', "\r\n"), tabs, format!("{whole}\n \n"), whole.trim_end().into()] {
            assert_eq!(Scenarios::open(text.as_bytes()).unwrap().collect::<Vec<_>>(), wanted);
        }
    }

    #[test]
    fn what_breaks_a_rule_is_named_by_its_line_and_field() {
        use ErrorKind::{Format, Version};
        assert_eq!(refused(""), (Format, Some(1), None));
        assert_eq!(refused("scenario 1\n"), (Format, Some(1), Some(0)));
        assert_eq!(refused("version\n"), (Format, Some(1), Some(1)));
        assert_eq!(refused("version 1 1\n"), (Format, Some(1), Some(2)));
        assert_eq!(refused("version 2\n"), (Version, Some(1), None));
        let line = |text: &str| refused(&format!("version 1\n0 m 9 9 1 1 2 2 1.5\n{text}\n"));
        assert_eq!(line("0 m 9 9 1 1 2 2"), (Format, Some(3), Some(8)));
        assert_eq!(line("0 m 9 9 1 1 2 2 1 1"), (Format, Some(3), Some(9)));
        assert_eq!(line("-1 m 9 9 1 1 2 2 1"), (Format, Some(3), Some(0)));
        assert_eq!(line("0 m 9 9 9 1 2 2 1"), (Format, Some(3), Some(4)));
        assert_eq!(line("0 m 9 9 1 1 2 9 1"), (Format, Some(3), Some(7)));
        for length in ["nan", "inf", "-1", "1e3", ".", "1.2.3", "111111111111111111111111111111111"] {
            assert_eq!(line(&format!("0 m 9 9 1 1 2 2 {length}")), (Format, Some(3), Some(8)), "{length}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            mut bytes in Just(b"version 1\n0 m 9 9 1 1 2 2 1.5\n1 m 9 9 8 8 0 0 11.31\n".to_vec()),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        ) {
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Ok(scenarios) = Scenarios::open(&bytes) {
                prop_assert!(scenarios.into_iter().all(|one| one.start[0] < one.width && one.length.is_finite()));
            }
        }
    }
}
