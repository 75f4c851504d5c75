//! A crowd as bytes (`OPCS`), its size and its hash (`crowds.md`, "State and snapshots").

use super::agent::{Agent, SAVED_FLAGS};
use super::crowd::Crowd;
use super::walls::Wall;
use crate::bytes::{Sink, Writer, write_header};
use crate::error::{Error, Result, Subject};
use crate::follower::write_follower;
use crate::hash::Fnv1a;
use crate::mesh::{NavMesh, SnapshotMode};

pub(super) const MAGIC: [u8; 4] = *b"OPCS";
pub(super) const VERSION: u16 = 1;
/// What the bytes hold: a crowd.
pub(super) const CROWD: u16 = 1;
/// A crowd behind the mesh that it walks.
pub(super) const CROWD_WITH_MESH: u16 = 2;

impl Crowd<'_> {
    /// How many bytes [`save_state`](Crowd::save_state) writes for a mesh as it is.
    pub fn state_size(&self, mesh: &NavMesh<'_>) -> usize {
        let mut counter = Writer::counting();
        self.write_state(mesh, &mut counter);
        counter.position()
    }

    /// Writes everything that the next step depends on, and gives how many bytes that took. The same state gives the same
    /// bytes everywhere. The def and the filter are not part of it, and the mesh is not: who changes it saves it too, with
    /// [`save_state_with_mesh`](Crowd::save_state_with_mesh) or apart.
    ///
    /// # Errors
    /// A capacity error with the bytes that are needed when `out` is too short.
    pub fn save_state(&self, mesh: &NavMesh<'_>, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.write_state(mesh, &mut writer);
        writer.finish(Subject::Bytes)
    }

    /// The 64-bit FNV-1a hash of the saved bytes, made as they are: a fingerprint to compare with that of another machine.
    pub fn state_hash(&self, mesh: &NavMesh<'_>) -> u64 {
        let mut hash = Fnv1a::new();
        self.write_state(mesh, &mut hash);
        hash.finish()
    }

    /// Writes the saved bytes to any sink.
    pub fn write_state(&self, mesh: &NavMesh<'_>, out: &mut impl Sink) {
        write_header(out, MAGIC, VERSION, CROWD);
        out.u32(self.def.walls);
        out.u32(self.slot_count as u32);
        out.u32(self.agent_count as u32);
        out.u32(self.lowest_free as u32);
        out.u64(self.next_number);
        out.u64(self.steps);
        for (slot, agent) in self.agents[..self.slot_count].iter().enumerate() {
            out.u8(agent.is_active().into());
            if agent.is_active() {
                self.write_agent(slot, agent, mesh, out);
            }
        }
    }

    fn write_agent(&self, slot: usize, agent: &Agent, mesh: &NavMesh<'_>, out: &mut impl Sink) {
        out.u64(agent.number);
        out.f64(agent.priority);
        out.u8((agent.flags & SAVED_FLAGS) as u8);
        self.motions[slot].preferred.into_iter().for_each(|part| out.f64(part));
        agent.options().write(out);
        // Walls of another mesh than the one there is are looked up again by the next step in any case.
        let is_valid = agent.has_walls_of(mesh.version());
        out.u8(is_valid.into());
        if is_valid {
            agent.wall_center.into_iter().for_each(|part| out.f64(part));
            out.u32(agent.wall_count);
            self.walls_of(slot).iter().for_each(|wall| write_wall(wall, out));
        }
        let first = slot * self.def.corridor as usize;
        let path = &self.corridors[first..first + agent.capacity()];
        let mut counter = Writer::counting();
        write_follower(&agent.follower, path, &mut counter);
        out.u32(counter.position() as u32);
        write_follower(&agent.follower, path, out);
    }

    /// How many bytes [`save_state_with_mesh`](Crowd::save_state_with_mesh) writes.
    pub fn state_size_with_mesh(&self, mesh: &NavMesh<'_>, mode: SnapshotMode) -> usize {
        8 + 4 + mesh.snapshot_size(mode) + 4 + self.state_size(mesh)
    }

    /// Writes a [snapshot](NavMesh::snapshot) of the mesh and the crowd's state behind it, and gives how many bytes that
    /// took.
    ///
    /// # Errors
    /// Those of [`NavMesh::snapshot`]; a capacity error with the bytes that are needed when `out` is too short.
    pub fn save_state_with_mesh(&self, mesh: &NavMesh<'_>, mode: SnapshotMode, out: &mut [u8]) -> Result<usize> {
        let sizes = [mesh.snapshot_size(mode), self.state_size(mesh)];
        if let Some(&size) = sizes.iter().find(|&&size| i32::try_from(size).is_err()) {
            return Err(Error::limit(Subject::Bytes).value(size as f64).bound(i32::MAX.into()));
        }
        let mut writer = Writer::new(out);
        write_header(&mut writer, MAGIC, VERSION, CROWD_WITH_MESH);
        writer.u32(sizes[0] as u32);
        mesh.write_snapshot(mode, &mut writer)?;
        writer.u32(sizes[1] as u32);
        self.write_state(mesh, &mut writer);
        writer.finish(Subject::Bytes)
    }

    /// The walls that the agent in a slot keeps.
    pub(super) fn walls_of(&self, slot: usize) -> &[Wall] {
        let first = slot * self.def.walls as usize;
        &self.walls[first..first + self.agents[slot].wall_count as usize]
    }
}

fn write_wall(wall: &Wall, out: &mut impl Sink) {
    wall.start.into_iter().chain(wall.end).for_each(|part| out.f64(part));
    out.u64(wall.polygon.0);
    out.i32(wall.edge);
}
