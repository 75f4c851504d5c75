//! Putting a saved state in place of a crowd's, all or nothing (`crowds.md`, "Reading").
//!
//! The bytes are read twice: first to judge all of them, then, when nothing can be refused any more, into the slots. So no
//! memory is needed beside the crowd's own.

use super::agent::{ACTIVE, Agent, SAVED_FLAGS, WALLS_FOUND};
use super::crowd::{Crowd, LAST_NUMBER, corridor_of};
use super::options::AgentOptions;
use super::state::{CROWD, CROWD_WITH_MESH, MAGIC, VERSION};
use super::step::Phase;
use super::walls::Wall;
use crate::bytes::{Reader, read_header};
use crate::corridor::{finite_number, place_of};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::follower::{Follower, SavedFollower, read_follower};
use crate::memory::Zeroable;
use crate::mesh::{NavMesh, PolyRef, TileLibrary};

/// Bytes of a wall.
const WALL_BYTES: usize = 48 + 8 + 4;
/// The farthest that an agent's walls lie, as for any position.
const WORLD: f64 = 2_097_152.0;

/// A saved crowd's counts.
struct Counts {
    slots: usize,
    agents: usize,
    lowest_free: usize,
    next_number: u64,
    steps: u64,
}

/// One agent of a saved state; its walls are still bytes.
struct SavedAgent<'a> {
    number: u64,
    priority: f64,
    flags: u32,
    preferred: [f64; 2],
    options: AgentOptions,
    walls: Option<SavedWalls<'a>>,
    follower: SavedFollower<'a>,
}

struct SavedWalls<'a> {
    center: [f64; 2],
    records: &'a [[u8; WALL_BYTES]],
}

impl Crowd<'_> {
    /// Restores saved bytes of a crowd that was made from the same def: the next step is the one that followed when they were
    /// saved. The mesh is the one of that moment, restored first when it has changed since. Agents that are in the bytes keep
    /// their ids; those added since are gone, those removed since are back.
    ///
    /// # Errors
    /// [`ErrorKind::Version`] for another version, [`ErrorKind::Format`] naming what is wrong and the slot,
    /// [`ErrorKind::Capacity`] for more slots or longer corridors than there is room for. All leave the crowd as it is.
    /// Nothing is held against the mesh: ways and walls that do not fit it are mended by the steps.
    ///
    /// # Cost
    /// Linear in the bytes, read twice, but for a sort of the agents' numbers; no memory.
    pub fn restore_state(&mut self, mesh: &NavMesh<'_>, bytes: &[u8]) -> Result<()> {
        let counts = self.judge(bytes)?;
        self.install(mesh, &counts, bytes)
    }

    /// Restores bytes of [`save_state_with_mesh`](Crowd::save_state_with_mesh): the mesh, then the crowd.
    ///
    /// # Errors
    /// As for [`restore_state`](Crowd::restore_state) and [`NavMesh::restore_snapshot`]. All leave both as they are.
    pub fn restore_state_with_mesh(
        &mut self,
        mesh: &mut NavMesh<'_>,
        bytes: &[u8],
        library: &TileLibrary<'_>,
    ) -> Result<()> {
        let mut reader = Reader::new(bytes, Subject::Header);
        read_header(&mut reader, MAGIC, VERSION, CROWD_WITH_MESH)?;
        let snapshot = part(&mut reader)?;
        let state = part(&mut reader)?;
        reader.finish()?;
        let counts = self.judge(state)?;
        mesh.restore_snapshot(snapshot, library)?;
        self.install(mesh, &counts, state)
    }

    /// Judges all bytes and changes nothing that is state.
    fn judge(&mut self, bytes: &[u8]) -> Result<Counts> {
        let mut reader = Reader::new(bytes, Subject::Header);
        let counts = self.read_counts(&mut reader)?;
        let mut agents = 0;
        for slot in 0..counts.slots {
            let Some(agent) = self.read_slot(&mut reader, slot)? else {
                if slot < counts.lowest_free {
                    return Err(Error::format(Subject::LowestFreeSlot)
                        .value(counts.lowest_free as f64)
                        .bound(slot as f64));
                }
                continue;
            };
            if agent.number >= counts.next_number {
                let error = Error::format(Subject::AgentNumber).at(slot);
                return Err(error.value(agent.number as f64).bound(counts.next_number as f64));
            }
            // Bodies are no state: until the next step they are room to sort numbers in.
            bytemuck::cast_slice_mut::<_, u64>(self.bodies)[agents] = agent.number;
            agents += 1;
        }
        reader.finish()?;
        if agents != counts.agents {
            return Err(Error::format(Subject::Agents).value(counts.agents as f64).bound(agents as f64));
        }
        let numbers = &mut bytemuck::cast_slice_mut::<_, u64>(self.bodies)[..agents];
        numbers.sort_unstable();
        match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::format(Subject::AgentNumber).value(pair[0] as f64)),
            None => Ok(counts),
        }
    }

    /// Puts the state in place. Everything has been judged.
    fn install(&mut self, mesh: &NavMesh<'_>, counts: &Counts, bytes: &[u8]) -> Result<()> {
        let mut reader = Reader::new(bytes, Subject::Header);
        self.read_counts(&mut reader)?;
        for slot in 0..counts.slots {
            match self.read_slot(&mut reader, slot)? {
                Some(saved) => self.install_agent(mesh, slot, &saved),
                None => self.agents[slot] = Agent::zeroed(),
            }
            self.forget_constraints(slot);
        }
        self.slot_count = counts.slots;
        self.agent_count = counts.agents;
        self.lowest_free = counts.lowest_free;
        self.next_number = counts.next_number;
        self.steps = counts.steps;
        self.phase = Phase::None;
        self.most_agents = self.most_agents.max(counts.agents);
        Ok(())
    }

    fn install_agent(&mut self, mesh: &NavMesh<'_>, slot: usize, saved: &SavedAgent<'_>) {
        let agent = &mut self.agents[slot];
        *agent = Agent {
            number: saved.number,
            priority: saved.priority,
            settings: (&saved.options).into(),
            ..Agent::zeroed()
        };
        agent.flags = saved.flags;
        self.motions[slot].preferred = saved.preferred;
        if let Some(SavedWalls { center, records }) = saved.walls {
            agent.wall_center = center;
            agent.wall_stamp = mesh.version();
            agent.wall_count = records.len() as u32;
            agent.flags |= WALLS_FOUND;
            let first = slot * self.def.walls as usize;
            self.walls[first..].iter_mut().zip(records).for_each(|(wall, record)| *wall = unpack(record));
        }
        let path = corridor_of(self.corridors, slot, &self.def, &saved.options);
        Follower::of_slot(saved.options.follower(), &mut agent.follower, path).take_over(&saved.follower);
    }

    fn read_counts(&self, reader: &mut Reader<'_>) -> Result<Counts> {
        read_header(reader, MAGIC, VERSION, CROWD)?;
        let walls = reader.u32()?;
        if walls != self.def.walls {
            return Err(Error::format(Subject::Walls).value(walls.into()).bound(self.def.walls.into()));
        }
        // A slot has at least the byte that says whether it is taken; the rest of the header is 4 + 4 + 8 + 8 bytes.
        let slots = reader.count(1, Subject::Slots)?;
        let (agents, lowest_free) = (reader.u32()? as usize, reader.u32()? as usize);
        let (next_number, steps) = (reader.u64()?, reader.u64()?);
        if slots > self.agents.len() {
            return Err(Error::capacity(Subject::Agents, self.agents.len()).value(slots as f64));
        }
        for (count, subject) in [(agents, Subject::Agents), (lowest_free, Subject::LowestFreeSlot)] {
            if count > slots {
                return Err(Error::format(subject).value(count as f64).bound(slots as f64));
            }
        }
        for (number, subject) in [(next_number, Subject::AgentNumber), (steps, Subject::Step)] {
            if number > LAST_NUMBER {
                return Err(Error::format(subject).value(number as f64).bound(LAST_NUMBER as f64));
            }
        }
        Ok(Counts { slots, agents, lowest_free, next_number, steps })
    }

    fn read_slot<'a>(&self, reader: &mut Reader<'a>, slot: usize) -> Result<Option<SavedAgent<'a>>> {
        reader.element(Subject::Agent, slot);
        let active = reader.u8()?;
        match active {
            0 => Ok(None),
            1 => self.read_agent(reader, slot).map(Some).map_err(|error| in_slot(error, slot)),
            _ => Err(reader.refuse().value(active.into()).bound(1.0)),
        }
    }

    fn read_agent<'a>(&self, reader: &mut Reader<'a>, slot: usize) -> Result<SavedAgent<'a>> {
        let number = reader.u64()?;
        let priority = reader.f64()?;
        AgentOptions { priority, ..AgentOptions::HUMANOID }
            .validate()
            .map_err(|error| error.of_kind(ErrorKind::Format))?;
        let flags = u32::from(reader.u8()?);
        if flags & ACTIVE == 0 || flags & !SAVED_FLAGS != 0 {
            return Err(Error::format(Subject::Flags).at(slot).value(flags.into()));
        }
        let mut preferred = [0.0; 2];
        for (axis, part) in preferred.iter_mut().enumerate() {
            *part = finite_number(reader, Subject::PreferredVelocity, axis)?;
        }
        let options = AgentOptions::read(reader)?;
        self.check_corridor(&options)?;
        let walls = self.read_walls(reader, slot)?;
        let length = reader.u32()?;
        let mut rest = Reader::new(reader.bytes(length as usize)?, Subject::State);
        let follower = read_follower(&mut rest, options.follower().corridor_capacity as usize)?;
        rest.finish()?;
        Ok(SavedAgent { number, priority, flags, preferred, options, walls, follower })
    }

    fn read_walls<'a>(&self, reader: &mut Reader<'a>, slot: usize) -> Result<Option<SavedWalls<'a>>> {
        let valid = reader.u8()?;
        match valid {
            0 => return Ok(None),
            1 => {}
            _ => return Err(Error::format(Subject::Walls).at(slot).value(valid.into()).bound(1.0)),
        }
        let mut center = [0.0; 2];
        for part in &mut center {
            *part = finite_number(reader, Subject::Position, slot)?;
            check_place(*part, slot)?;
        }
        let count = reader.count(WALL_BYTES, Subject::Walls)?;
        if count > self.def.walls as usize {
            return Err(Error::format(Subject::Walls).at(slot).value(count as f64).bound(self.def.walls.into()));
        }
        let bytes = reader.bytes(count * WALL_BYTES)?;
        let mut places = Reader::new(bytes, Subject::Walls);
        for _ in 0..count {
            place_of(&mut places, slot)?;
            place_of(&mut places, slot)?;
            places.bytes(12)?;
        }
        Ok(Some(SavedWalls { center, records: bytes.as_chunks::<WALL_BYTES>().0 }))
    }
}

fn check_place(value: f64, slot: usize) -> Result<()> {
    if value.abs() < WORLD {
        return Ok(());
    }
    Err(Error::format(Subject::Position).at(slot).value(value).bound(WORLD))
}

/// A refusal within an agent's bytes: the slot is what must be known; what was refused says the subject.
fn in_slot(error: Error, slot: usize) -> Error {
    match error.index() {
        Some(part) if error.part_index().is_none() => error.at(slot).part(part as usize),
        _ => error.at(slot),
    }
}

fn unpack(record: &[u8; WALL_BYTES]) -> Wall {
    let (words, rest) = record.as_chunks::<8>();
    let double = |i: usize| f64::from_le_bytes(words[i]);
    Wall {
        start: [double(0), double(1), double(2)],
        end: [double(3), double(4), double(5)],
        polygon: PolyRef(u64::from_le_bytes(words[6])),
        edge: i32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]),
        reserved: 0,
    }
}

/// A part of a state that says its length.
fn part<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8]> {
    let length = reader.count(1, Subject::Bytes)?;
    reader.bytes(length)
}
