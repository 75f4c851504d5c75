//! The areas along a path: where it begins to be of which area, for hosts that change gait or sound there
//! (`maul-nav/query.md`, `FindCorridorAreas`; `maul-nav/types.md`, "Area run").

use super::Query;
use super::plane::{Vec3, between, turn};
use super::portals::Portal;
use super::results::{POINT_END, PathOutcome, PathPoint, QueryStatus};
use super::surface::fraction_along;
use crate::error::Result;
use crate::memory::{Pod, Zeroable};
use crate::mesh::{NavMesh, PolyRef};

/// The mark of a run that begins where an off-mesh link lands.
pub const RUN_LANDS: u8 = 1;

/// A stretch of a path of one area: it ends where the next one begins, the last with the path.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AreaRun {
    /// Where it begins: on the line between two points of the path.
    pub position: [f64; 3],
    /// The polygon that the path enters there.
    pub polygon: PolyRef,
    /// The polygon's area.
    pub area: u8,
    /// [`RUN_LANDS`] or 0.
    pub flags: u8,
    /// Zero.
    pub reserved: [u8; 6],
}

impl AreaRun {
    /// Whether the path comes there over an off-mesh link.
    pub const fn lands(&self) -> bool {
        self.flags & RUN_LANDS != 0
    }
}

impl Query<'_> {
    /// Finds the areas along the path that the query holds: a run where it starts, one wherever it crosses into a
    /// polygon of another area, and one where it lands from each off-mesh link, in order. A full buffer keeps the first
    /// runs; the count returned goes on.
    ///
    /// A run has a length: of polygons that the path only touches at a point none is made, so a path that turns at a
    /// corner where many polygons meet has one run from there on. Where the points were cut off, so are the runs. None
    /// without points or without a corridor.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
    /// use navarena::query::{AreaRun, Filter, Query, QueryDef};
    /// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
    /// # let floor = TileData {
    /// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
    /// #     vertices: &[[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [16.0, 0.0, 0.0], [16.0, 0.0, 8.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]],
    /// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() },
    /// #         TilePolygon { vertex_count: 4, flags: 1, area: 3, ..TilePolygon::default() }],
    /// #     indices: &[0, 1, 4, 5, 1, 2, 3, 4], neighbors: &[0, 2, 0, 0, 0, 0, 0, 1], portal_sides: &[255; 8],
    /// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
    /// # };
    /// # mesh.stage_tile_data(&floor)?;
    /// # mesh.commit()?;
    /// # let mut region = vec![Grain::ZERO; QueryDef::DEFAULT.plan().grains()];
    /// # let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut region))?;
    /// // Two rooms side by side, 8 units wide; the second is of area 3.
    /// query.find_path(&mesh, [6.0, 0.0, 4.0], [10.0, 0.0, 4.0], &Filter::ALL)?;
    /// let mut runs = [AreaRun::default(); 8];
    /// let count = query.path_areas(&mesh, &mut runs)?;
    /// assert_eq!(runs[..count].iter().map(|run| (run.position[0], run.area)).collect::<Vec<_>>(), [(6.0, 0), (8.0, 3)]);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A polygon of the corridor whose tile has gone since.
    ///
    /// # Cost
    /// The polygons of the corridor; no memory.
    pub fn path_areas(&self, mesh: &NavMesh<'_>, runs: &mut [AreaRun]) -> Result<usize> {
        self.areas_of(mesh, &self.corridor[..self.corridor_len], runs)
    }

    /// As [`straight_path`](Query::straight_path), whose points [`path`](Query::path) then lends, and with it the areas
    /// along it as [`path_areas`](Query::path_areas) has them. Returns the path's outcome and how many runs there are,
    /// of which a full buffer keeps the first.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    pub fn straight_path_areas(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        end: [f64; 3],
        corridor: &[PolyRef],
        max_corners: Option<u32>,
        runs: &mut [AreaRun],
    ) -> Result<(PathOutcome, usize)> {
        let outcome = self.straight_path(mesh, start, end, corridor, max_corners)?;
        if outcome.detail != QueryStatus::Success {
            return Ok((outcome, 0));
        }
        Ok((outcome, self.areas_of(mesh, corridor, runs)?))
    }

    /// The areas along the points that are held, which lead through a corridor whose portals are.
    fn areas_of(&self, mesh: &NavMesh<'_>, corridor: &[PolyRef], runs: &mut [AreaRun]) -> Result<usize> {
        let points = &self.points[..self.point_count];
        let (Some(&first), Some(start)) = (corridor.first(), points.first()) else { return Ok(0) };
        let portals = self.portals.get(..corridor.len() - 1).unwrap_or(&[]);
        let mut walk = AreaWalk::from(runs, entered(mesh, first, start.position)?);
        let mut from = start.position;
        let mut at = 0;
        for (number, point) in points.iter().enumerate() {
            let passed = passed_at(point, corridor, portals, at);
            let mut along = 0.0;
            while at < passed {
                let portal = &portals[at];
                at += 1;
                if portal.off_mesh == 0 {
                    along = crossed_at(from, point.position, portal, along);
                    walk.enter(entered(mesh, corridor[at], between(from, point.position, along))?);
                    continue;
                }
                // A path cut off where it takes off does not land.
                if number + 1 < points.len() || !self.outcome.points_truncated {
                    walk.land(entered(mesh, corridor[at], portal.left)?);
                }
                (from, along) = (portal.left, 0.0);
            }
            from = point.position;
        }
        Ok(walk.finish(from))
    }
}

fn entered(mesh: &NavMesh<'_>, polygon: PolyRef, position: Vec3) -> Result<AreaRun> {
    let (_, record) = mesh.polygon(polygon)?;
    Ok(AreaRun { position, polygon, area: record.area, ..AreaRun::default() })
}

/// How many of the portals lie before a point of the path: those up to its polygon, of which `at` lie before the last
/// point. A polygon that a corridor has several times is told by the portal that leads into it and holds the point.
fn passed_at(point: &PathPoint, corridor: &[PolyRef], portals: &[Portal], at: usize) -> usize {
    if point.flags & POINT_END != 0 {
        return portals.len();
    }
    let is_at = |place: &usize| {
        let holds = |portal: &Portal| portal.right == point.position || portal.left == point.position;
        corridor[*place] == point.polygon && (*place == 0 || portals.get(*place - 1).is_some_and(holds))
    };
    (at..=portals.len()).find(is_at).unwrap_or(at)
}

/// How far along a leg of the path, 0 to 1, it crosses a portal, and no nearer than the portal before.
fn crossed_at(from: Vec3, to: Vec3, portal: &Portal, before: f64) -> f64 {
    let turns = [from, to].map(|end| turn(portal.right, portal.left, end));
    let across = turns[0] - turns[1];
    let along = if across == 0.0 {
        // Along the portal's line, or over a portal of no width: where the portal is first met.
        let ends = [portal.right, portal.left].map(|end| fraction_along(from, to, end));
        crate::math::min(ends[0], ends[1])
    } else {
        turns[0] / across
    };
    if along > 1.0 {
        1.0
    } else if along > before {
        along
    } else {
        before
    }
}

/// A walk along a path: the run that goes on until the next is known.
struct AreaWalk<'a> {
    runs: &'a mut [AreaRun],
    count: usize,
    current: AreaRun,
    /// The area of the run before, if the current one is only made for another area.
    before: Option<u8>,
}

impl<'a> AreaWalk<'a> {
    fn from(runs: &'a mut [AreaRun], first: AreaRun) -> Self {
        AreaWalk { runs, count: 0, current: first, before: None }
    }

    /// Enters a polygon over a portal.
    fn enter(&mut self, run: AreaRun) {
        if run.position == self.current.position {
            // What was entered here before has no length.
            self.current = AreaRun { flags: self.current.flags, ..run };
        } else if run.area != self.current.area {
            if self.before != Some(self.current.area) {
                self.add();
            }
            self.before = Some(self.current.area);
            self.current = run;
        }
    }

    /// Lands from a link: a run of its own, whatever its area and length.
    fn land(&mut self, run: AreaRun) {
        if self.before != Some(self.current.area) {
            self.add();
        }
        self.before = None;
        self.current = AreaRun { flags: RUN_LANDS, ..run };
    }

    /// Ends the walk and gives the count.
    fn finish(mut self, end: Vec3) -> usize {
        // The first run and those from a link have no area before.
        let is_needed = self.before.is_none() || self.current.position != end;
        if is_needed && self.before != Some(self.current.area) {
            self.add();
        }
        self.count
    }

    fn add(&mut self) {
        if let Some(place) = self.runs.get_mut(self.count) {
            *place = self.current;
        }
        self.count += 1;
    }
}
