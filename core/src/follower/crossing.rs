//! Off-mesh links: entered, crossed and left (`corridors.md`, "Off-mesh links").

use super::options::OffMeshMode;
use super::record::{Follower, FollowerState, Scene, in_plane};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::{distance, sub, vector};
use crate::mesh::{AnyLink, NavMesh};
use crate::query::corridors::{closest_on, find_crossing};
use crate::query::{POINT_OFF_MESH, PolygonFilter, Query};

/// How far beside its polygon a link may begin: staged ones are snapped onto it.
fn attachment_radius(mesh: &NavMesh<'_>, link: AnyLink) -> f64 {
    let AnyLink::Authored(tile, slot) = link else { return 0.0 };
    mesh.tile_of(tile).ok().and_then(|tile| tile.off_mesh.get(slot)).map_or(0.0, |slot| slot.radius.into())
}

impl Follower<'_> {
    /// Step 5: begins to cross the link whose entry is the first corner or the next, if it is near enough.
    ///
    /// A tile's own link may begin beside the polygon it is attached to, out of reach of who stays on the mesh. Then one
    /// is near enough who is as near as the polygon comes to it, within the same distance.
    pub(super) fn enter_link<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> bool {
        let path = scene.query.path();
        let is_entry = |corner: &crate::query::PathPoint| corner.flags & POINT_OFF_MESH != 0;
        let Some(at) = path.points().iter().take(2).position(is_entry) else { return false };
        let Some(link) = path.links().iter().find(|link| link.takeoff() == at) else { return false };
        let near = self.options.off_mesh_trigger_radius;
        let away = in_plane(self.record.position, path.points()[at].position);
        if away > near + attachment_radius(scene.mesh, link.link()) {
            return false;
        }
        let Some(crossing) = find_crossing(scene.mesh, self.path(), link) else { return false };
        let [start, end] = crossing.ends;
        if away > near {
            let closest = closest_on(scene.mesh, self.path()[crossing.place], start);
            let beside = closest.map_or(0.0, |closest| in_plane(closest, start));
            if beside <= near || away > beside + near {
                return false;
            }
        }
        let exit = self.path()[crossing.place + 1];
        self.corridor().trim_to(crossing.place, start);
        let duration = distance(start, end) / self.options.off_mesh_speed;
        let record = &mut *self.record;
        record.position = start;
        record.link_start = start;
        record.link_end = end;
        record.link_exit = exit;
        record.link_elapsed = 0.0;
        record.link_duration = duration;
        record.state = FollowerState::OffMeshLink as u32;
        true
    }

    /// A step of a crossing.
    pub(super) fn cross<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>, dt: f64) -> Result<()> {
        if self.options.off_mesh_mode == OffMeshMode::HOST {
            self.record.velocity = [0.0; 3];
            return Ok(());
        }
        let before = self.record.position;
        let elapsed = self.record.link_elapsed + dt;
        let duration = self.record.link_duration;
        if elapsed >= duration {
            self.finish_crossing(scene)?;
            if self.state() == FollowerState::NoPath {
                return Ok(());
            }
        } else {
            self.record.link_elapsed = elapsed;
            let (start, way) = (self.record.link_start, sub(self.record.link_end, self.record.link_start));
            self.record.position = vector(|axis| start[axis] + way[axis] * elapsed / duration);
        }
        self.set_velocity(before, dt);
        Ok(())
    }

    /// Says that a crossing that the host animates is over: the agent is at the link's end and on the way again.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no link is being crossed.
    pub fn complete_off_mesh_link<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
    ) -> Result<()> {
        if self.state() != FollowerState::OffMeshLink {
            return Err(Error::new(ErrorKind::State, Subject::OffMeshLink));
        }
        self.finish_crossing(&mut Scene::new(mesh, query, filter))
    }

    fn finish_crossing<F: PolygonFilter>(&mut self, scene: &mut Scene<'_, '_, '_, F>) -> Result<()> {
        let record = &mut *self.record;
        record.link_elapsed = record.link_duration;
        record.state = FollowerState::Moving as u32;
        record.position = record.link_end;
        let (exit, end) = (record.link_exit, record.link_end);
        let mut corridor = self.corridor();
        match corridor.path().iter().position(|&polygon| polygon == exit) {
            Some(at) => corridor.trim_to(at, end),
            None => {
                corridor.put_at(end);
                self.relocate(scene)?;
            }
        }
        Ok(())
    }
}
