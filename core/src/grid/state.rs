//! A grid as bytes, and back: `OPGS`, kind 1 (`grids-state.md`, "Grid").
//!
//! What is saved is the content: cells, what areas cost, versions, the place in the world. The journal is not: whoever derives
//! something from a grid sees after a restore that all may have changed. The clearance is made anew.

use super::{AREA_IDS, Grid, GridDef, GridSpace};
use crate::bytes::{Reader, Sink, StateKind, Writer, read_state_header, write_state_header};
use crate::error::{Error, Result, Subject};
use crate::hash::Fnv1a;

/// A saved grid that was checked but for what the grid it goes into has room for.
struct Saved<'a> {
    size: [u32; 2],
    version: u32,
    space: GridSpace,
    cost_version: u32,
    costs: &'a [[u8; 8]],
    cells: &'a [u8],
}

fn cost(bytes: &[u8; 8]) -> f64 {
    f64::from_le_bytes(*bytes)
}

impl<'a> Saved<'a> {
    fn read(bytes: &'a [u8]) -> Result<Saved<'a>> {
        let reader = &mut Reader::new(bytes, Subject::Header);
        read_state_header(reader, StateKind::Grid)?;
        reader.section(Subject::GridWidth);
        let width = reader.u32()?;
        reader.section(Subject::GridHeight);
        let height = reader.u32()?;
        GridDef::of_size(width, height).validate().map_err(|error| Error::format(error.subject()))?;
        let version = read_version(reader)?;
        let space = read_space(reader)?;
        let cost_version = read_version(reader)?;
        let costs = reader.bytes(AREA_IDS * 8)?.as_chunks::<8>().0;
        for (area, cost) in costs.iter().map(cost).enumerate() {
            if !(cost > 0.0 && cost < f64::INFINITY) {
                return Err(Error::format(Subject::AreaCost).at(area).value(cost));
            }
        }
        reader.section(Subject::Cell);
        let cells = reader.bytes(width as usize * height as usize)?;
        reader.finish()?;
        Ok(Saved { size: [width, height], version, space, cost_version, costs, cells })
    }

    /// How many ids from 0 on have a cost that the ids after them do not all share.
    fn own_costs(&self) -> usize {
        let last = self.costs.last();
        self.costs.iter().rposition(|cost| Some(cost) != last).map_or(0, |at| at + 1)
    }
}

/// A version: a signed integer that is not negative.
fn read_version(reader: &mut Reader<'_>) -> Result<u32> {
    reader.section(Subject::State);
    let version = reader.i32()?;
    u32::try_from(version).map_err(|_| reader.refuse().value(f64::from(version)).bound(0.0))
}

fn read_space(reader: &mut Reader<'_>) -> Result<GridSpace> {
    reader.section(Subject::Origin);
    let values = [reader.f64()?, reader.f64()?, reader.f64()?];
    if values.map(f64::to_bits) == [0; 3] {
        return Ok(GridSpace::UNASSIGNED);
    }
    let [x, y, size] = values;
    GridSpace::new([x, y], size).map_err(|error| Error::format(error.subject()))
}

impl GridDef {
    /// The def of a grid that saved bytes can be restored into, with clearance and a journal as
    /// [`of_size`](GridDef::of_size) has them.
    ///
    /// # Errors
    /// Bytes that break the format, by the part.
    pub fn of_state(bytes: &[u8]) -> Result<GridDef> {
        let saved = Saved::read(bytes)?;
        let [width, height] = saved.size;
        Ok(GridDef { area_costs: saved.own_costs() as u32, ..GridDef::of_size(width, height) })
    }
}

impl Grid<'_> {
    /// How many bytes [`save_state`](Grid::save_state) writes: 2088 and one a cell.
    pub fn state_size(&self) -> usize {
        let mut counter = Writer::counting();
        self.save_to(&mut counter);
        counter.position()
    }

    /// Writes the grid to the front of a buffer: cells, area costs, versions and place. Gives how many bytes that took.
    ///
    /// ```
    /// use navarena::grid::{Cell, Grid, GridDef, WALL};
    /// use navarena::memory::{Arena, Memory};
    /// const MAP: GridDef = GridDef::of_size(4, 4);
    /// let mut region = Memory::<{ MAP.plan().bytes }>::new();
    /// let mut grid = Grid::new(&MAP, &mut Arena::new(region.grains()))?;
    /// let mut bytes = vec![0; grid.state_size()];
    /// grid.save_state(&mut bytes)?;
    /// grid.set_area(Cell::new(1, 2), WALL)?;
    /// grid.restore_state(&bytes)?;
    /// assert!(grid.is_walkable(Cell::new(1, 2)) && grid.version() == 0);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A buffer too short.
    pub fn save_state(&self, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.save_to(&mut writer);
        writer.finish(Subject::State)
    }

    /// The hash of the bytes that [`save_state`](Grid::save_state) writes.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv1a::new();
        self.save_to(&mut hash);
        hash.finish()
    }

    /// Puts a saved grid back in place. What was built over this one then sees that everything may have changed; what was
    /// saved of it can be restored after this. O(cells).
    ///
    /// # Errors
    /// Bytes that break the format or are of a grid of another size, by the part; more ids with a cost of their own than the
    /// def's `area_costs`. Nothing has changed then.
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<()> {
        let saved = Saved::read(bytes)?;
        let sides = [(self.width(), Subject::GridWidth), (self.height(), Subject::GridHeight)];
        for (found, (side, subject)) in saved.size.into_iter().zip(sides) {
            if found != side as u32 {
                return Err(Error::format(subject).value(f64::from(found)).bound(f64::from(side)));
            }
        }
        self.areas_mut().restore(saved.costs.len(), |area| cost(&saved.costs[area]), saved.cost_version)?;
        self.set_space(saved.space);
        self.replace(saved.cells, saved.version);
        Ok(())
    }

    fn save_to(&self, out: &mut impl Sink) {
        write_state_header(out, StateKind::Grid);
        out.i32(self.width());
        out.i32(self.height());
        out.u32(self.version());
        let ([x, y], size) = (self.space().origin(), self.space().saved_size());
        [x, y, size].into_iter().for_each(|value| out.f64(value));
        out.u32(self.areas().version());
        (0..AREA_IDS as u8).for_each(|area| out.f64(self.areas().get(area)));
        out.bytes(self.cells());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::grid::tests::{rounds, with_grid};
    use crate::grid::{Cell, CellRect, Edits, WALL};
    use crate::math::SplitMix64;
    use std::vec::Vec;

    const DEF: GridDef = GridDef { area_costs: 3, journal: 4, ..GridDef::of_size(7, 5) };

    fn saved(grid: &Grid<'_>) -> Vec<u8> {
        let mut bytes = std::vec![0; grid.state_size()];
        assert_eq!(grid.save_state(&mut bytes), Ok(bytes.len()));
        assert_eq!(grid.state_hash(), crate::hash::fnv1a(&bytes));
        assert!(grid.save_state(&mut bytes[1..].to_vec()).is_err());
        bytes
    }

    fn edit(grid: &mut Grid<'_>, random: &mut SplitMix64) {
        let cell = Cell::new(random.below(7) as i32, random.below(5) as i32);
        grid.set_area(cell, [0, 1, 2, WALL][random.below(4) as usize]).unwrap();
        if random.below(5) == 0 {
            grid.set_area_cost(random.below(3) as u8, 0.5 + random.below(4) as f64).unwrap();
        }
        if random.below(9) == 0 {
            grid.set_space(GridSpace::new([random.below(9) as f64 - 4.0, -0.0], 0.25).unwrap());
        }
    }

    #[test]
    fn the_bytes_stand_where_the_page_has_them() {
        with_grid(&DEF, |grid| {
            let plain = saved(grid);
            assert_eq!(plain[..8], *b"OPGS\x01\x00\x01\x00");
            assert_eq!((plain.len(), &plain[8..12], &plain[12..16]), (2088 + 35, &[7, 0, 0, 0][..], &[5, 0, 0, 0][..]));
            assert_eq!(plain[16..48], [0; 32], "version, place and version of the costs");
            grid.set_area(Cell::new(2, 1), WALL).unwrap();
            grid.set_area_cost(2, 3.5).unwrap();
            grid.set_space(GridSpace::new([-1.5, 2.0], 0.25).unwrap());
            let bytes = saved(grid);
            assert_eq!((bytes[16], bytes[44]), (1, 1));
            let float = |at: usize| f64::from_le_bytes(*bytes[at..].first_chunk().unwrap());
            assert_eq!([float(20), float(28), float(36)], [-1.5, 2.0, 0.25]);
            assert_eq!([float(48), float(64), float(48 + 8 * 254)], [1.0, 3.5, 1.0]);
            assert_eq!(bytes[2088 + 9], WALL);
        });
    }

    #[test]
    fn who_is_restored_has_the_bytes_the_clearance_and_the_hash_and_marks_see_all() {
        let mut random = SplitMix64::new(7);
        with_grid(&DEF, |grid| {
            with_grid(&GridDef { clearance: false, journal: 0, ..DEF }, |other| {
                for _ in 0..rounds(60, 2000) {
                    edit(grid, &mut random);
                    let (bytes, mark) = (saved(grid), other.mark());
                    other.restore_state(&bytes).unwrap();
                    assert_eq!(saved(other), bytes);
                    assert_eq!(other.content_hash(), grid.content_hash());
                    assert_eq!(
                        (other.areas().min_cost(), other.areas().uniform()),
                        (grid.areas().min_cost(), grid.areas().uniform())
                    );
                    assert!(matches!(other.edits_since(&mark), Edits::All) && other.costs_changed_since(&mark));
                    for cell in CellRect::new(0, 0, 7, 5).cells() {
                        assert_eq!(other.clearance(cell), grid.clearance(cell));
                    }
                    // Back in time, and forth again on another way.
                    edit(grid, &mut random);
                    grid.restore_state(&bytes).unwrap();
                    assert_eq!(saved(grid), bytes);
                    other.set_area(Cell::new(0, 0), WALL).unwrap();
                    with_grid(&GridDef::of_state(&bytes).unwrap(), |third| {
                        third.restore_state(&bytes).unwrap();
                        assert_eq!(saved(third), bytes);
                    });
                }
            });
        });
    }

    #[test]
    fn hostile_bytes_are_refused_by_the_part_and_change_nothing() {
        let mut random = SplitMix64::new(8);
        with_grid(&DEF, |grid| {
            (0..20).for_each(|_| edit(grid, &mut random));
            grid.set_space(GridSpace::new([1.0, 2.0], 3.0).unwrap());
            let bytes = saved(grid);
            let refused = |grid: &mut Grid<'_>, at: usize, value: &[u8]| {
                let mut hostile = bytes.clone();
                hostile[at..at + value.len()].copy_from_slice(value);
                let error = grid.restore_state(&hostile).unwrap_err();
                assert_eq!(saved(grid), bytes);
                (error.kind(), error.subject())
            };
            let format = |subject| (ErrorKind::Format, subject);
            assert_eq!(refused(grid, 0, b"X"), format(Subject::Magic));
            assert_eq!(refused(grid, 4, &[2]), (ErrorKind::Version, Subject::FormatVersion));
            assert_eq!(refused(grid, 6, &[2]), format(Subject::StateKind));
            assert_eq!(refused(grid, 8, &[5, 0, 0, 0, 7]), format(Subject::GridWidth));
            assert_eq!(refused(grid, 8, &[255; 8]), format(Subject::Cell));
            assert_eq!(refused(grid, 8, &[0; 8]), format(Subject::GridWidth));
            assert_eq!(refused(grid, 19, &[255]), format(Subject::State));
            assert_eq!(refused(grid, 20, &f64::NAN.to_le_bytes()), format(Subject::Origin));
            assert_eq!(refused(grid, 36, &(-1.0f64).to_le_bytes()), format(Subject::CellSize));
            assert_eq!(refused(grid, 36, &[0; 8]), format(Subject::CellSize));
            assert_eq!(refused(grid, 47, &[128]), format(Subject::State));
            for cost in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert_eq!(refused(grid, 48 + 8 * 9, &cost.to_le_bytes()), format(Subject::AreaCost));
            }
            // This grid keeps the costs of three ids.
            assert_eq!(refused(grid, 48 + 8 * 9, &5.0f64.to_le_bytes()), (ErrorKind::Capacity, Subject::AreaCost));
            for cut in 0..bytes.len() {
                assert!(grid.restore_state(&bytes[..cut]).is_err());
            }
            assert_eq!(grid.restore_state(&[&bytes[..], &[0]].concat()).unwrap_err().subject(), Subject::Bytes);
            assert_eq!(saved(grid), bytes);
            for _ in 0..rounds(1000, 300_000) {
                let mut hostile = bytes.clone();
                for _ in 0..1 + random.below(3) {
                    let bound = if random.below(2) == 0 { 100 } else { bytes.len() as u64 };
                    let at = random.below(bound) as usize;
                    hostile[at] = random.below(256) as u8;
                }
                match grid.restore_state(&hostile) {
                    Ok(()) => assert_eq!(saved(grid), hostile),
                    Err(_) => {
                        grid.restore_state(&bytes).unwrap();
                    }
                }
            }
        });
    }
}
