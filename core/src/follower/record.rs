//! The follower: what it holds, where it is put and where it is sent (`corridors.md`, "Following").

use super::options::FollowerOptions;
use crate::corridor::{Corridor, CorridorRecord};
use crate::error::{Error, Result, Subject};
use crate::geometry::plane::Vec3;
use crate::memory::{Arena, Pod, Zeroable};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::checks::checked_position;
use crate::query::noted_corners::NotedCorners;
use crate::query::{NodeModel, PolygonFilter, Query, QueryStatus, nearest_polygon};

/// The window of the search that shortens a way just found.
const REFINE_WINDOW: usize = 64;
/// The largest budget that doubling leads to.
const MOST_BUDGET: u64 = 1 << 20;

/// What a follower does, with OnePath's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum FollowerState {
    /// Nowhere to go, or not yet placed.
    #[default]
    Idle = 0,
    /// On the way.
    Moving = 1,
    /// Crossing an off-mesh link.
    OffMeshLink = 2,
    /// At the end of the way.
    Arrived = 3,
    /// It made no progress for too long. A new destination frees it.
    Stuck = 4,
    /// No polygon is near the destination or the agent, or no replan came to an end. A new destination frees it.
    NoPath = 5,
}

impl FollowerState {
    const ALL: [FollowerState; 6] = [
        FollowerState::Idle,
        FollowerState::Moving,
        FollowerState::OffMeshLink,
        FollowerState::Arrived,
        FollowerState::Stuck,
        FollowerState::NoPath,
    ];

    /// The state of a number; none for one that is no state's.
    pub fn from_number(number: u32) -> Option<FollowerState> {
        FollowerState::ALL.get(number as usize).copied()
    }
}

/// What a follower holds beside its corridor's polygons: 272 bytes, plain, that its caller keeps. All zero is a follower
/// that is not placed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FollowerRecord {
    pub(super) corridor: CorridorRecord,
    pub(super) step_count: u64,
    pub(super) stuck_clock: f64,
    pub(super) stuck_anchor: [f64; 3],
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) destination: [f64; 3],
    /// Where the link that is crossed is entered.
    pub(super) link_start: [f64; 3],
    pub(super) link_end: [f64; 3],
    pub(super) link_elapsed: f64,
    pub(super) link_duration: f64,
    /// The polygon where it arrives.
    pub(super) link_exit: PolyRef,
    pub(super) remaining: f64,
    pub(super) replan_rounds: u32,
    pub(super) stuck_recoveries: u32,
    /// A [`FollowerState`]'s number.
    pub(super) state: u32,
    /// 1 when it arrived at its destination, and not only as near as there is a way.
    pub(super) reached: u32,
}

/// What a step reads and works in: they travel together.
pub(super) struct Scene<'a, 'n, 'q, F> {
    pub mesh: &'a NavMesh<'n>,
    pub query: &'a mut Query<'q>,
    pub filter: &'a F,
    /// The corners found last, where they are kept.
    pub noted: Option<&'a mut NotedCorners>,
}

impl<'a, 'n, 'q, F> Scene<'a, 'n, 'q, F> {
    pub fn new(mesh: &'a NavMesh<'n>, query: &'a mut Query<'q>, filter: &'a F) -> Self {
        Scene { mesh, query, filter, noted: None }
    }
}

/// An agent that walks a corridor, over memory of the caller's.
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// use navarena::follower::{Follower, FollowerOptions, FollowerState};
/// use navarena::query::{Filter, Query, QueryDef};
/// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
/// # let mut region = vec![Grain::ZERO; def.plan().grains()];
/// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
/// # let floor = TileData {
/// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
/// #     vertices: &[[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [16.0, 0.0, 0.0], [16.0, 0.0, 8.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]],
/// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }; 2],
/// #     indices: &[0, 1, 4, 5, 1, 2, 3, 4], neighbors: &[0, 2, 0, 0, 0, 0, 0, 1], portal_sides: &[255; 8],
/// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
/// # };
/// # mesh.stage_tile_data(&floor)?;
/// # mesh.commit()?;
/// # let mut region = vec![Grain::ZERO; QueryDef::DEFAULT.plan().grains()];
/// # let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut region))?;
/// # let mut region = vec![Grain::ZERO; FollowerOptions::HUMANOID.plan().grains()];
/// // Two rooms side by side.
/// let mut follower = Follower::new(&FollowerOptions::HUMANOID, &mut Arena::new(&mut region))?;
/// follower.place(&mesh, [2.0, 0.0, 4.0], &Filter::ALL)?;
/// follower.set_destination(&mesh, &mut query, [14.0, 0.0, 4.0], &Filter::ALL)?;
/// while follower.state() == FollowerState::Moving {
///     follower.step(&mesh, &mut query, &Filter::ALL, 1.0 / 60.0)?;
/// }
/// // Within the arrival radius of a hundredth.
/// assert!(follower.has_reached_target() && (follower.position()[0] - 14.0).abs() <= 0.01);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Follower<'m> {
    pub(super) record: &'m mut FollowerRecord,
    pub(super) path: &'m mut [PolyRef],
    pub(super) options: FollowerOptions,
}

impl<'m> Follower<'m> {
    /// A follower that is not placed yet.
    ///
    /// # Errors
    /// Options out of range, or less memory than [`FollowerOptions::plan`] says.
    pub fn new(options: &FollowerOptions, arena: &mut Arena<'m>) -> Result<Self> {
        options.validate()?;
        arena.check(options.plan())?;
        let record: &'m mut [FollowerRecord] = arena.take_zeroed(1)?;
        let path = arena.take(options.corridor_capacity as usize)?;
        let record = record.first_mut().ok_or(Error::capacity(Subject::Memory, 0))?;
        Ok(Follower { record, path, options: *options })
    }

    /// The follower that a record and its corridor's polygons are, as they are.
    ///
    /// # Errors
    /// Options out of range; a slice of another length than the options' corridor capacity; a record that has more polygons,
    /// or is in no state.
    pub fn over(options: &FollowerOptions, record: &'m mut FollowerRecord, path: &'m mut [PolyRef]) -> Result<Self> {
        options.validate()?;
        let capacity = options.corridor_capacity as usize;
        if path.len() != capacity {
            return Err(Error::invalid(Subject::CorridorCapacity).value(path.len() as f64).bound(capacity as f64));
        }
        if FollowerState::from_number(record.state).is_none() {
            return Err(Error::invalid(Subject::FollowerState).value(record.state.into()));
        }
        Corridor::over(&mut record.corridor, path)?;
        Ok(Follower { record, path, options: *options })
    }

    /// A follower whose parts are known to fit: those of a crowd's slot.
    pub(crate) fn of_slot(
        options: FollowerOptions,
        record: &'m mut FollowerRecord,
        path: &'m mut [PolyRef],
    ) -> Follower<'m> {
        Follower { record, path, options }
    }

    /// What it is tuned by.
    pub fn options(&self) -> &FollowerOptions {
        &self.options
    }

    /// Tunes it anew in place: position, velocity, destination and corridor stay.
    ///
    /// # Errors
    /// Options out of range, or of another corridor capacity.
    pub fn set_options(&mut self, options: &FollowerOptions) -> Result<()> {
        options.validate()?;
        let (wanted, capacity) = (options.corridor_capacity, self.options.corridor_capacity);
        if wanted != capacity {
            return Err(Error::invalid(Subject::CorridorCapacity).value(wanted.into()).bound(capacity.into()));
        }
        self.options = *options;
        Ok(())
    }

    /// What it does.
    pub fn state(&self) -> FollowerState {
        self.record.state()
    }

    /// Where it is.
    pub fn position(&self) -> [f64; 3] {
        self.record.position
    }

    /// How it moved in the last step, in units a second.
    pub fn velocity(&self) -> [f64; 3] {
        self.record.velocity
    }

    /// Where it was sent last.
    pub fn destination(&self) -> [f64; 3] {
        self.record.destination
    }

    /// How far the end is along the corners, infinite when it is not among them.
    pub fn remaining_distance(&self) -> f64 {
        self.record.remaining
    }

    /// Whether it arrived at its destination, and not only as near as there is a way.
    pub fn has_reached_target(&self) -> bool {
        self.record.has_reached_target()
    }

    /// How many steps it has been on the way since it was placed.
    pub fn step_count(&self) -> u64 {
        self.record.step_count
    }

    /// The ends of the link that it crosses, while it does.
    pub fn crossing(&self) -> Option<[[f64; 3]; 2]> {
        self.record.crossing()
    }

    /// The polygons ahead.
    pub fn path(&self) -> &[PolyRef] {
        &self.path[..self.record.corridor_len()]
    }

    /// Its corridor, to look at or to change.
    pub fn corridor(&mut self) -> Corridor<'_> {
        Corridor { record: &mut self.record.corridor, path: self.path }
    }

    /// Puts it on the accepted polygon nearest to a position, standing still with nowhere to go. False, and unchanged, when
    /// there is none within the search extents.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21.
    pub fn place<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, position: [f64; 3], filter: &F) -> Result<bool> {
        let near = nearest_polygon(mesh, position, self.options.search_extents, filter)?;
        let Some(near) = near else { return Ok(false) };
        if !self.corridor().reset(mesh, near.polygon, near.point)? {
            return Ok(false);
        }
        let corridor = self.record.corridor;
        *self.record = FollowerRecord {
            corridor,
            position: near.point,
            destination: near.point,
            stuck_anchor: near.point,
            ..FollowerRecord::default()
        };
        self.corridor().put_at(near.point);
        Ok(true)
    }

    /// Sends it somewhere: plans the way, in one replan from where it is, and sets it [moving](FollowerState::Moving); or
    /// finds [no path](FollowerState::NoPath) when no polygon is near the target, or it was not placed. During a crossing
    /// the target is only noted, and the replan follows the crossing.
    ///
    /// # Errors
    /// A target that is not finite or not within 2^21; a capacity error for a query with room for fewer polygons than the
    /// corridor's capacity, or for fewer points than the most corners. All leave it as it is.
    pub fn set_destination<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        target: [f64; 3],
        filter: &F,
    ) -> Result<FollowerState> {
        checked_position(target, 0)?;
        self.check_room(query)?;
        self.corridor().set_target(target)?;
        let record = &mut *self.record;
        record.destination = target;
        record.replan_rounds = 0;
        record.stuck_recoveries = 0;
        record.stuck_clock = 0.0;
        record.stuck_anchor = record.position;
        record.reached = 0;
        record.remaining = f64::INFINITY;
        if self.state() == FollowerState::OffMeshLink {
            return Ok(self.state());
        }
        let budget = self.options.replan_budget.into();
        let was_placed = !self.path().is_empty();
        let status = match was_placed {
            true => self.replan(&mut Scene::new(mesh, query, filter), budget)?,
            false => QueryStatus::NoStartNearby,
        };
        match status {
            QueryStatus::NoStartNearby | QueryStatus::NoEndNearby => self.halt(FollowerState::NoPath),
            _ => self.record.state = FollowerState::Moving as u32,
        }
        if status == QueryStatus::InProgress {
            self.record.replan_rounds = 1;
        }
        Ok(self.state())
    }

    /// Refuses a query that is too small.
    pub(super) fn check_room(&self, query: &Query<'_>) -> Result<()> {
        query.check_room(self.path.len(), self.options.max_corners as usize)
    }

    /// One replan, and where nodes are polygons the search that shortens what it found.
    pub(super) fn replan<F: PolygonFilter>(
        &mut self,
        scene: &mut Scene<'_, '_, '_, F>,
        budget: u64,
    ) -> Result<QueryStatus> {
        let Scene { mesh, query, filter, .. } = scene;
        let (extents, refining) = (self.options.search_extents, self.options.refine_budget);
        let mut corridor = self.corridor();
        let status = corridor.replan(mesh, query, extents, *filter, budget)?;
        if status == QueryStatus::Success && query.model() == NodeModel::Polygon && refining > 0 {
            corridor.optimize_topology(mesh, query, *filter, refining.into(), REFINE_WINDOW)?;
        }
        Ok(status)
    }

    /// The budget of the next replan: doubled for each that was not finished.
    pub(super) fn next_budget(&self) -> u64 {
        let budget = u64::from(self.options.replan_budget);
        // Twenty doublings of 1 are the most there can be.
        let doubled = budget << self.record.replan_rounds.min(20);
        doubled.min(MOST_BUDGET)
    }

    /// Stands still in a state.
    pub(super) fn halt(&mut self, state: FollowerState) {
        self.record.state = state as u32;
        self.record.velocity = [0.0; 3];
    }

    /// Takes over the corridor's position.
    pub(super) fn follow_corridor(&mut self) {
        self.record.position = self.corridor().position();
    }
}

impl FollowerRecord {
    /// What it does.
    pub fn state(&self) -> FollowerState {
        FollowerState::from_number(self.state).unwrap_or_default()
    }

    /// Where it is.
    pub fn position(&self) -> [f64; 3] {
        self.position
    }

    /// How it moved in the last step, in units a second.
    pub fn velocity(&self) -> [f64; 3] {
        self.velocity
    }

    /// Where it was sent last.
    pub fn destination(&self) -> [f64; 3] {
        self.destination
    }

    /// How far the end is along the corners, infinite when it is not among them.
    pub fn remaining_distance(&self) -> f64 {
        self.remaining
    }

    /// Whether it arrived at its destination, and not only as near to it as there is a way.
    pub fn has_reached_target(&self) -> bool {
        self.reached != 0
    }

    /// How many steps it has been on the way since it was placed.
    pub fn step_count(&self) -> u64 {
        self.step_count
    }

    /// The ends of the link that it crosses, while it does.
    pub fn crossing(&self) -> Option<[[f64; 3]; 2]> {
        let is_crossing = self.state() == FollowerState::OffMeshLink;
        is_crossing.then_some([self.link_start, self.link_end])
    }

    /// How many polygons are ahead.
    pub fn corridor_len(&self) -> usize {
        self.corridor.len()
    }
}

/// The distance between two positions in the plane.
#[inline]
pub(super) fn in_plane(a: Vec3, b: Vec3) -> f64 {
    let (x, z) = (b[0] - a[0], b[2] - a[2]);
    crate::math::sqrt(x * x + z * z)
}
