//! The corridor: what it holds and the calls that need no mesh (`corridors.md`, "Corridor state").

use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::checks::checked_position;
use crate::query::corridors::closest_on;
use crate::query::noted_corners::{NotedCorners, Settled};
use crate::query::{Path, PathOutcome, Query, QueryStatus};

/// The fewest polygons that a corridor has room for.
pub const MIN_CORRIDOR: usize = 2;
/// The most polygons that a corridor has room for.
pub const MAX_CORRIDOR: usize = 4096;

/// The last polygon is the target's.
pub(super) const COMPLETE: u32 = 1;
/// The corridor asks for a replan.
pub(super) const NEEDS_REPLAN: u32 = 2;
/// The replan must begin at the agent.
pub(super) const FROM_START: u32 = 4;
/// The position is the point of the first polygon's surface straight above or below it: moving it there leaves it where it
/// is. No part of the state.
pub(super) const LIES_ON: u32 = 1 << 8;
pub(super) const ALL_FLAGS: u32 = COMPLETE | NEEDS_REPLAN | FROM_START;

/// What a corridor holds beside its polygons: 64 bytes, plain, that its caller keeps. All zero is an empty corridor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CorridorRecord {
    pub(super) position: [f64; 3],
    pub(super) target: [f64; 3],
    pub(super) target_polygon: PolyRef,
    pub(super) count: u16,
    /// So many of the last polygons are those that corners were found through and noted. No part of the state: who notes
    /// none finds the same.
    pub(super) settled: u16,
    pub(super) flags: u32,
}

/// The polygons from an agent's position toward its target, over memory of the caller's.
///
/// The first polygon holds the position; each is connected to the one before it; none is there twice. The last is the
/// target's when the corridor [is complete](Corridor::is_complete).
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// use navarena::corridor::Corridor;
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
/// # let mut region = vec![Grain::ZERO; Corridor::plan(64).grains()];
/// // Two rooms side by side, and the way from one into the other.
/// query.find_path(&mesh, [6.0, 0.0, 4.0], [10.0, 0.0, 4.0], &Filter::ALL)?;
/// let mut corridor = Corridor::new(64, &mut Arena::new(&mut region))?;
/// corridor.set_path(&query.path())?;
/// assert_eq!(corridor.path().len(), 2);
/// corridor.move_position(&mesh, &mut query, [9.0, 0.0, 4.0], &Filter::ALL)?;
/// assert_eq!((corridor.path().len(), corridor.position()), (1, [9.0, 0.0, 4.0]));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Corridor<'m> {
    pub(crate) record: &'m mut CorridorRecord,
    pub(crate) path: &'m mut [PolyRef],
}

impl CorridorRecord {
    /// How many polygons the corridor has.
    pub(crate) const fn len(&self) -> usize {
        self.count as usize
    }

    /// Takes over that there are so many polygons now, of which so many of the last are as they were.
    pub(super) fn rearrange(&mut self, count: usize, unchanged: usize) {
        self.count = count as u16;
        self.settled = self.settled.min(unchanged as u16);
    }
}

impl<'m> Corridor<'m> {
    /// The memory that a corridor of so many polygons takes.
    pub const fn plan(capacity: usize) -> Plan {
        Ruler::new().array::<CorridorRecord>(1).array::<PolyRef>(capacity).plan()
    }

    /// An empty corridor.
    ///
    /// # Errors
    /// A capacity out of 2 to 4096, or less memory than [`plan`](Corridor::plan) says.
    pub fn new(capacity: usize, arena: &mut Arena<'m>) -> Result<Self> {
        check_capacity(capacity)?;
        arena.check(Corridor::plan(capacity))?;
        let record: &'m mut [CorridorRecord] = arena.take_zeroed(1)?;
        let path = arena.take(capacity)?;
        let record = record.first_mut().ok_or(Error::capacity(Subject::Memory, 0))?;
        Ok(Corridor { record, path })
    }

    /// The corridor that a record and its polygons are, as they are. Its capacity is the slice's length.
    ///
    /// # Errors
    /// A length out of 2 to 4096; a record that has more polygons.
    pub fn over(record: &'m mut CorridorRecord, path: &'m mut [PolyRef]) -> Result<Self> {
        check_capacity(path.len())?;
        if record.len() > path.len() {
            let error = Error::invalid(Subject::Corridor).value(record.count.into());
            return Err(error.bound(path.len() as f64));
        }
        Ok(Corridor { record, path })
    }

    /// The polygons ahead, that of the position first.
    pub fn path(&self) -> &[PolyRef] {
        &self.path[..self.count()]
    }

    /// How many polygons there is room for.
    pub fn capacity(&self) -> usize {
        self.path.len()
    }

    /// Where the agent is: on the surface of the first polygon.
    pub fn position(&self) -> [f64; 3] {
        self.record.position
    }

    /// Where it wants to go.
    pub fn target(&self) -> [f64; 3] {
        self.record.target
    }

    /// The target's polygon as it was last found, or none.
    pub fn target_polygon(&self) -> PolyRef {
        self.record.target_polygon
    }

    /// Whether the last polygon is the target's.
    pub fn is_complete(&self) -> bool {
        self.has(COMPLETE)
    }

    /// Whether it should be [replanned](Corridor::replan).
    pub fn needs_replan(&self) -> bool {
        self.has(NEEDS_REPLAN)
    }

    /// Whether the next replan begins at the agent and not at the corridor's end.
    pub fn replans_from_start(&self) -> bool {
        self.has(FROM_START)
    }

    /// Makes it the single polygon, with position and target at the point of it closest to a position. False, and
    /// unchanged, for a reference that is stale or names nothing.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21.
    pub fn reset(&mut self, mesh: &NavMesh<'_>, polygon: PolyRef, position: [f64; 3]) -> Result<bool> {
        checked_position(position, 0)?;
        let Some(point) = closest_on(mesh, polygon, position) else { return Ok(false) };
        self.path[0] = polygon;
        *self.record = CorridorRecord {
            position: point,
            target: point,
            target_polygon: polygon,
            count: 1,
            settled: 0,
            flags: COMPLETE,
        };
        Ok(true)
    }

    /// Takes over a path that a query found: its polygons, its first point as the position and its last as the target. A
    /// path that leads only part of the way makes a corridor that is not complete, toward the path's end.
    ///
    /// # Errors
    /// A path without points or polygons, or of which the query held only a part; a capacity error for more polygons than
    /// there is room for. All leave the corridor as it is.
    pub fn set_path(&mut self, path: &Path<'_>) -> Result<()> {
        let outcome = path.outcome();
        let (polygons, points) = (path.corridor(), path.points());
        let (Some(first), Some(last), Some(&polygon)) = (points.first(), points.last(), polygons.last()) else {
            return Err(Error::invalid(Subject::Corridor));
        };
        if outcome.corridor_truncated || outcome.points_truncated {
            return Err(Error::invalid(Subject::Corridor));
        }
        let capacity = self.capacity();
        let Some(room) = self.path.get_mut(..polygons.len()) else {
            return Err(Error::capacity(Subject::Corridor, capacity).value(polygons.len() as f64));
        };
        room.copy_from_slice(polygons);
        let is_whole = outcome.detail == QueryStatus::Success;
        *self.record = CorridorRecord {
            position: first.position,
            target: last.position,
            target_polygon: if is_whole { polygon } else { PolyRef::NONE },
            count: polygons.len() as u16,
            settled: 0,
            flags: if is_whole { COMPLETE } else { 0 },
        };
        Ok(())
    }

    /// Sets another target, to be planned to from the agent. The polygons stay until then.
    ///
    /// # Errors
    /// A target that is not finite or not within 2^21.
    pub fn set_target(&mut self, target: [f64; 3]) -> Result<()> {
        checked_position(target, 0)?;
        self.record.target = target;
        self.record.target_polygon = PolyRef::NONE;
        self.record.flags = NEEDS_REPLAN | FROM_START;
        Ok(())
    }

    /// Asks for a replan from the agent.
    pub fn request_replan(&mut self) {
        self.record.flags |= NEEDS_REPLAN | FROM_START;
    }

    /// Finds the corners ahead: the straight path from the position to the target through the corridor, its first
    /// `max_corners` points. [`Query::path`] lends them. It ends at the point of the last polygon nearest the target.
    ///
    /// The status is [`QueryStatus::Success`], or [`QueryStatus::InvalidCorridor`] when a polygon is stale or two
    /// neighbours no longer touch. Forgets the query's last path and any search that is open.
    ///
    /// # Errors
    /// A capacity error for a query with room for fewer polygons than the corridor's capacity, or for fewer points than
    /// `max_corners`.
    pub fn find_corners(&self, mesh: &NavMesh<'_>, query: &mut Query<'_>, max_corners: u32) -> Result<PathOutcome> {
        query.check_room(self.capacity(), max_corners as usize)?;
        query.straight_path(mesh, self.position(), self.target(), self.path(), Some(max_corners))
    }

    /// As [`find_corners`](Corridor::find_corners), by the help of the corners noted before, which are noted anew.
    ///
    /// Not inlined: who notes none does not pay its stack.
    #[inline(never)]
    pub(crate) fn find_corners_again(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        max_corners: u32,
        noted: &mut NotedCorners,
    ) -> Result<PathOutcome> {
        query.check_room(self.capacity(), max_corners as usize)?;
        let count = self.count();
        let ends = [self.position(), self.target()];
        let settled = self.record.settled.into();
        let corridor = Settled { polygons: &self.path[..count], settled, lies_on: self.has(LIES_ON), noted };
        let found = query.straight_path_again(mesh, ends, corridor, max_corners)?;
        self.record.settled = if found.is_noted { count as u16 } else { 0 };
        if found.is_anew {
            // What was known may have been known of the mesh as it was.
            self.record.flags &= !LIES_ON;
        }
        Ok(found.outcome)
    }

    pub(super) fn count(&self) -> usize {
        self.record.len()
    }

    /// Whether all it asks for is to go on from its end.
    pub(crate) fn only_extends(&self) -> bool {
        self.has(NEEDS_REPLAN) && !self.has(FROM_START)
    }

    /// Puts the agent at a place that is known to be the first polygon's, or the end of a link that leads there.
    pub(crate) fn put_at(&mut self, position: [f64; 3]) {
        self.record.position = position;
        self.record.flags &= !LIES_ON;
    }

    pub(super) fn has(&self, flag: u32) -> bool {
        self.record.flags & flag != 0
    }

    /// Cuts it to its first polygons, leading no longer to the target: it is replanned from its end.
    pub(super) fn cut_to(&mut self, count: usize) {
        self.record.rearrange(count, 0);
        self.record.flags = NEEDS_REPLAN;
    }

    /// Puts the agent at a place further along, on the polygon with this index.
    pub(crate) fn trim_to(&mut self, first: usize, position: [f64; 3]) {
        let count = self.count();
        self.path.copy_within(first..count, 0);
        self.record.rearrange(count - first, count - first);
        self.put_at(position);
    }
}

fn check_capacity(capacity: usize) -> Result<()> {
    if (MIN_CORRIDOR..=MAX_CORRIDOR).contains(&capacity) {
        return Ok(());
    }
    let bound = if capacity < MIN_CORRIDOR { MIN_CORRIDOR } else { MAX_CORRIDOR };
    Err(Error::limit(Subject::CorridorCapacity).value(capacity as f64).bound(bound as f64))
}
