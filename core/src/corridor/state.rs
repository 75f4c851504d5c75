//! A corridor as bytes (`corridors.md`, "State bytes").

use super::record::{ALL_FLAGS, CorridorRecord};
use super::{Corridor, MAX_CORRIDOR};
use crate::bytes::{Reader, Sink, Writer};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::hash::Fnv1a;
use crate::mesh::{PolyRef, WORLD_BOUND};

const VERSION: u8 = 1;
/// How many bytes come before the polygons.
pub(crate) const CORRIDOR_HEADER: usize = 1 + 1 + 4 + 4 + 48 + 8;

/// A corridor read from bytes and found good: nothing is changed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedCorridor<'a> {
    record: CorridorRecord,
    /// Eight bytes a polygon.
    polygons: &'a [u8],
}

impl Corridor<'_> {
    /// How many bytes [`save_state`](Corridor::save_state) writes: 66 and 8 a polygon.
    pub fn state_size(&self) -> usize {
        CORRIDOR_HEADER + 8 * self.count()
    }

    /// Writes the corridor's state and gives how many bytes that took. The same state gives the same bytes everywhere.
    ///
    /// # Errors
    /// A capacity error with the bytes that are needed when `out` is too short.
    pub fn save_state(&self, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.write_state(&mut writer);
        writer.finish(Subject::Bytes)
    }

    /// Writes the saved bytes to any sink.
    pub fn write_state(&self, out: &mut impl Sink) {
        write_corridor(self.record, self.path, out);
    }

    /// The 64-bit FNV-1a hash of the saved bytes.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv1a::new();
        self.write_state(&mut hash);
        hash.finish()
    }

    /// Restores saved bytes of a corridor of the same capacity. The polygons are not held against any mesh: stale ones are
    /// found as those of any corridor are.
    ///
    /// # Errors
    /// [`ErrorKind::Version`] for another version, [`ErrorKind::Format`] naming what is wrong. Both leave the corridor as
    /// it is.
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<()> {
        let mut reader = Reader::new(bytes, Subject::Corridor);
        let saved = read_corridor(&mut reader, self.capacity())?;
        reader.finish()?;
        self.take_over(&saved);
        Ok(())
    }

    /// Becomes a corridor that was read for this capacity.
    pub(crate) fn take_over(&mut self, saved: &SavedCorridor<'_>) {
        *self.record = saved.record;
        for (place, bytes) in self.path.iter_mut().zip(saved.polygons.chunks_exact(8)) {
            *place = PolyRef(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)));
        }
    }
}

/// Writes the corridor that a record and its polygons are; its capacity is the slice's length.
pub(crate) fn write_corridor(record: &CorridorRecord, path: &[PolyRef], out: &mut impl Sink) {
    out.u8(VERSION);
    out.u8(record.flags as u8);
    out.i32(path.len() as i32);
    out.i32(i32::from(record.count));
    record.position.iter().chain(&record.target).for_each(|&value| out.f64(value));
    out.u64(record.target_polygon.0);
    path.iter().take(record.len()).for_each(|polygon| out.u64(polygon.0));
}

/// Reads a corridor of a capacity and checks all of it.
pub(crate) fn read_corridor<'a>(reader: &mut Reader<'a>, capacity: usize) -> Result<SavedCorridor<'a>> {
    reader.section(Subject::Corridor);
    let version = reader.u8()?;
    if version != VERSION {
        let error = Error::new(ErrorKind::Version, Subject::FormatVersion);
        return Err(error.value(version.into()).bound(VERSION.into()));
    }
    let flags = u32::from(reader.u8()?);
    if flags & !ALL_FLAGS != 0 {
        return Err(Error::format(Subject::FormatFlags).value(flags.into()));
    }
    let found = reader.i32()?;
    if usize::try_from(found) != Ok(capacity) {
        return Err(Error::format(Subject::CorridorCapacity).value(found.into()).bound(capacity as f64));
    }
    let count = reader.u32()?;
    if count as usize > capacity.min(MAX_CORRIDOR) {
        return Err(Error::format(Subject::Corridor).value(count.into()).bound(capacity as f64));
    }
    let (position, target) = (place_of(reader, 0)?, place_of(reader, 1)?);
    reader.section(Subject::Reference);
    let target_polygon = PolyRef(reader.u64()?);
    let polygons = reader.bytes(8 * count as usize)?;
    let record = CorridorRecord { position, target, target_polygon, count: count as u16, settled: 0, flags };
    Ok(SavedCorridor { record, polygons })
}

/// Reads a position, which must be finite and within 2^21; `which` of those of its object it is stands in the refusal.
pub(crate) fn place_of(reader: &mut Reader<'_>, which: usize) -> Result<[f64; 3]> {
    let mut place = [0.0; 3];
    for (axis, value) in place.iter_mut().enumerate() {
        *value = finite_number(reader, Subject::Position, which)?;
        if value.abs() >= WORLD_BOUND {
            return Err(Error::format(Subject::Position).at(which).part(axis).value(*value).bound(WORLD_BOUND));
        }
    }
    Ok(place)
}

/// Reads a number, which must be finite.
pub(crate) fn finite_number(reader: &mut Reader<'_>, subject: Subject, which: usize) -> Result<f64> {
    reader.element(subject, which);
    let value = reader.f64()?;
    if value.is_finite() { Ok(value) } else { Err(reader.refuse().value(value)) }
}
