//! The polygons in a box (`maul-nav/query.md`, `FindPolygons`).

use super::checks::{checked_extents, checked_position};
use super::filter::PolygonFilter;
use super::world_box::WorldBox;
use crate::error::Result;
use crate::mesh::view::{Polygon, TileView};
use crate::mesh::{NavMesh, PolyRef};

/// How many polygons a box holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BoxOutcome {
    /// How many there are, also beyond what the buffer holds.
    pub count: usize,
    /// Whether the buffer was too short for all; it holds the first ones.
    pub truncated: bool,
    /// Whether part of the box lies where no tile is loaded.
    pub incomplete: bool,
}

/// Lists the polygons that a filter accepts whose bounds meet the box `center` plus and minus `half_extents`: the bounds
/// of their corners on the ground, and of the heights of corners and detail.
///
/// In order of their tile's column, then row, then layer, then of their index; a buffer too short for all receives the
/// first, and may be empty to count them.
///
/// # Errors
/// A center that is not finite or not within 2^21, extents that are negative or not finite.
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, NavMesh, PolyRef};
/// use navarena::query::{Filter, polygons_in_box};
/// # let mut region = vec![Grain::ZERO; MeshDef::HUMANOID.plan().grains()];
/// # let mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut region))?;
/// let mut polygons = [PolyRef::NONE; 64];
/// let found = polygons_in_box(&mesh, [8.0, 0.0, 8.0], [4.0, 2.0, 4.0], &Filter::ALL, &mut polygons)?;
/// for polygon in &polygons[..found.count.min(64)] {
///     println!("{polygon:?}");
/// }
/// assert!(found.incomplete); // nothing is loaded yet
/// # Ok::<(), navarena::error::Error>(())
/// ```
pub fn polygons_in_box<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    center: [f64; 3],
    half_extents: [f64; 3],
    filter: &F,
    polygons: &mut [PolyRef],
) -> Result<BoxOutcome> {
    checked_position(center, 0)?;
    checked_extents(half_extents)?;
    let region = WorldBox::round(center, half_extents);
    let mut first = First { mesh, list: polygons, count: 0, last: None, is_heap: false };
    // Detail can reach above and below the outline's box.
    region.at_any_height().each_polygon(mesh, |tile, index, polygon| {
        if filter.accepts(polygon.flags, polygon.area) && meets(&region, tile, index, polygon) {
            first.push(tile.reference.polygon(index as u32));
        }
    });
    let count = first.finish();
    let incomplete = mesh.misses_tile_in(region.low, region.high);
    Ok(BoxOutcome { count, truncated: count > polygons.len(), incomplete })
}

/// Whether a polygon's bounds meet a box.
fn meets(region: &WorldBox, tile: &TileView<'_>, index: usize, polygon: &Polygon) -> bool {
    let Some(mut bounds) = tile.boxes.get(index).copied() else { return false };
    let first = polygon.detail_vertex_base as usize;
    let extra = tile.detail_vertices.get(first..first + polygon.detail_vertex_count as usize).unwrap_or(&[]);
    for &[_, y, _] in extra {
        if y < bounds.low[1] {
            bounds.low[1] = y;
        } else if y > bounds.high[1] {
            bounds.high[1] = y;
        }
    }
    (0..3).all(|axis| region.meets_along(axis, tile.origin, &bounds))
}

/// Where a polygon stands in the order: its tile's column, row and layer, its index.
type Rank = ((i32, i32, i32), u32);

/// The first polygons in order, of any number that come in any order.
///
/// Tiles mostly come in order, and then what comes after the list is full is only counted. A box wider than the mesh has
/// its tiles come by slot: the full list becomes a heap, its last polygon on top to be replaced.
struct First<'a> {
    mesh: &'a NavMesh<'a>,
    list: &'a mut [PolyRef],
    count: usize,
    /// The last in order of the list.
    last: Option<Rank>,
    is_heap: bool,
}

impl First<'_> {
    fn rank(mesh: &NavMesh<'_>, polygon: PolyRef) -> Rank {
        (mesh.place_of(polygon.slot()), polygon.index())
    }

    fn push(&mut self, polygon: PolyRef) {
        let rank = First::rank(self.mesh, polygon);
        let is_last = self.last.is_none_or(|last| rank > last);
        self.count += 1;
        if let Some(place) = self.list.get_mut(self.count - 1) {
            *place = polygon;
            if is_last {
                self.last = Some(rank);
            }
        } else if !is_last {
            self.replace_last(polygon);
        }
    }

    #[cold]
    fn replace_last(&mut self, polygon: PolyRef) {
        if !self.is_heap {
            self.is_heap = true;
            for at in (0..self.list.len() / 2).rev() {
                self.sink(at);
            }
        }
        if let Some(top) = self.list.first_mut() {
            *top = polygon;
            self.sink(0);
        }
        self.last = self.list.first().map(|&top| First::rank(self.mesh, top));
    }

    /// Moves a polygon down its heap until none below comes after it.
    fn sink(&mut self, mut at: usize) {
        let (mesh, list) = (self.mesh, &mut *self.list);
        let rank = |polygon: PolyRef| First::rank(mesh, polygon);
        loop {
            let left = 2 * at + 1;
            if left >= list.len() {
                return;
            }
            let right = left + 1;
            let child = if right < list.len() && rank(list[right]) > rank(list[left]) { right } else { left };
            if rank(list[child]) <= rank(list[at]) {
                return;
            }
            list.swap(at, child);
            at = child;
        }
    }

    /// Puts the list in order and returns how many came.
    fn finish(self) -> usize {
        let written = self.count.min(self.list.len());
        let mesh = self.mesh;
        self.list[..written].sort_unstable_by_key(|&polygon| First::rank(mesh, polygon));
        self.count
    }
}
