//! A follower as bytes (`corridors.md`, "State bytes").

use super::record::{Follower, FollowerRecord, FollowerState};
use crate::bytes::{Reader, Sink, Writer};
use crate::corridor::{CORRIDOR_HEADER, SavedCorridor, finite_number, place_of, read_corridor, write_corridor};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::hash::Fnv1a;
use crate::mesh::PolyRef;

const VERSION: u8 = 1;
/// How many bytes come before the corridor.
const HEADER: usize = 203;

/// A follower read from bytes and found good: nothing is changed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedFollower<'a> {
    record: FollowerRecord,
    corridor: SavedCorridor<'a>,
}

impl Follower<'_> {
    /// How many bytes [`save_state`](Follower::save_state) writes: 269 and 8 for each polygon of the corridor.
    pub fn state_size(&self) -> usize {
        HEADER + CORRIDOR_HEADER + 8 * self.path().len()
    }

    /// Writes the follower's state, its options left out, and gives how many bytes that took. The same state gives the same
    /// bytes everywhere. A step is whole: between two of them there is nothing else to save.
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
        write_follower(self.record, self.path, out);
    }

    /// The 64-bit FNV-1a hash of the saved bytes.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv1a::new();
        self.write_state(&mut hash);
        hash.finish()
    }

    /// Restores saved bytes of a follower with the same corridor capacity; with the same options too its next steps are
    /// those of the one that was saved.
    ///
    /// # Errors
    /// [`ErrorKind::Version`] for another version, [`ErrorKind::Format`] naming what is wrong. Both leave the follower as it
    /// is.
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<()> {
        let mut reader = Reader::new(bytes, Subject::State);
        let saved = read_follower(&mut reader, self.path.len())?;
        reader.finish()?;
        self.take_over(&saved);
        Ok(())
    }

    /// Becomes a follower that was read for this capacity.
    pub(crate) fn take_over(&mut self, saved: &SavedFollower<'_>) {
        *self.record = saved.record;
        self.corridor().take_over(&saved.corridor);
    }
}

/// Writes the follower that a record and its corridor's polygons are; the corridor's capacity is the slice's length.
pub(crate) fn write_follower(record: &FollowerRecord, path: &[PolyRef], out: &mut impl Sink) {
    out.u8(VERSION);
    out.u8(record.state as u8);
    out.u8(record.reached as u8);
    out.u64(record.step_count);
    out.u32(record.replan_rounds);
    out.u32(record.stuck_recoveries);
    out.f64(record.stuck_clock);
    let places = [record.stuck_anchor, record.position, record.velocity, record.destination];
    let link = [record.link_start, record.link_end];
    places.iter().chain(&link).flatten().for_each(|&value| out.f64(value));
    out.f64(record.link_elapsed);
    out.f64(record.link_duration);
    out.u64(record.link_exit.0);
    out.f64(record.remaining);
    write_corridor(&record.corridor, path, out);
}

/// Reads a follower with a corridor of a capacity and checks all of it.
pub(crate) fn read_follower<'a>(reader: &mut Reader<'a>, capacity: usize) -> Result<SavedFollower<'a>> {
    reader.section(Subject::State);
    let version = reader.u8()?;
    if version != VERSION {
        let error = Error::new(ErrorKind::Version, Subject::FormatVersion);
        return Err(error.value(version.into()).bound(VERSION.into()));
    }
    let state = u32::from(reader.u8()?);
    if FollowerState::from_number(state).is_none() {
        return Err(Error::format(Subject::FollowerState).value(state.into()));
    }
    let reached = u32::from(reader.u8()?);
    if reached > 1 {
        return Err(Error::format(Subject::Flags).value(reached.into()));
    }
    let step_count = reader.u64()?;
    if step_count > u64::MAX >> 1 {
        return Err(Error::format(Subject::Step).value(step_count as f64));
    }
    let replan_rounds = count(reader, Subject::ReplanRounds)?;
    let stuck_recoveries = count(reader, Subject::StuckRecoveries)?;
    let stuck_clock = time(reader, 0)?;
    let (stuck_anchor, position) = (place_of(reader, 0)?, place_of(reader, 1)?);
    let mut velocity = [0.0; 3];
    for (axis, part) in velocity.iter_mut().enumerate() {
        *part = finite_number(reader, Subject::Velocity, axis)?;
    }
    let (destination, link_start, link_end) = (place_of(reader, 2)?, place_of(reader, 3)?, place_of(reader, 4)?);
    let (link_elapsed, link_duration) = (time(reader, 1)?, time(reader, 2)?);
    reader.section(Subject::Reference);
    let link_exit = PolyRef(reader.u64()?);
    reader.section(Subject::RemainingDistance);
    let remaining = reader.f64()?;
    if remaining.is_nan() || remaining < 0.0 {
        return Err(reader.refuse().value(remaining));
    }
    let corridor = read_corridor(reader, capacity)?;
    let record = FollowerRecord {
        corridor: Default::default(),
        step_count,
        stuck_clock,
        stuck_anchor,
        position,
        velocity,
        destination,
        link_start,
        link_end,
        link_elapsed,
        link_duration,
        link_exit,
        remaining,
        replan_rounds,
        stuck_recoveries,
        state,
        reached,
    };
    Ok(SavedFollower { record, corridor })
}

/// Reads a count, which is never negative.
fn count(reader: &mut Reader<'_>, subject: Subject) -> Result<u32> {
    reader.section(subject);
    let value = reader.i32()?;
    u32::try_from(value).map_err(|_| reader.refuse().value(value.into()))
}

/// Reads a time, which is finite and not negative.
fn time(reader: &mut Reader<'_>, which: usize) -> Result<f64> {
    let value = finite_number(reader, Subject::FollowerTime, which)?;
    if value < 0.0 { Err(reader.refuse().value(value)) } else { Ok(value) }
}
