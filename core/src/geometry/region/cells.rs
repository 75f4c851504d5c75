//! Finding what may cross or meet: uniform cells, and a sweep where the input crowds into few of them
//! (`build2d-geometry.md`, "Finding crossings and nearby pixels").
//!
//! Only candidates are found here; exact tests decide, so no choice made here changes a result.

use super::exact::{Crossing, boxes_meet, proper_crossing, step};
use super::{Edge, GridPoint};
use crate::error::Result;
use crate::memory::{Arena, List};

/// Input is clustered when the squares of the cells' counts sum to more than this many times the items.
const CLUSTERED: u64 = 32;

/// Square cells over the box of all edges, column after column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    low: GridPoint,
    shift: u32,
    columns: i64,
    rows: i64,
}

/// The row range that an edge visits in a column.
struct Visit {
    column: i64,
    rows: [i64; 2],
}

impl Cells {
    /// Cells about as large as an edge is long, at most two an edge. Each edge has its smaller end first.
    pub fn over(edges: &[Edge]) -> Cells {
        let (mut low, mut high) = (GridPoint { x: i64::MAX, y: i64::MAX }, GridPoint { x: i64::MIN, y: i64::MIN });
        let mut extents = 0u128;
        for edge in edges {
            low = GridPoint { x: low.x.min(edge.a.x), y: low.y.min(edge.a.y.min(edge.b.y)) };
            high = GridPoint { x: high.x.max(edge.b.x), y: high.y.max(edge.a.y.max(edge.b.y)) };
            let [dx, dy] = step(edge.a, edge.b);
            extents += u128::from(dx.unsigned_abs().max(dy.unsigned_abs()));
        }
        if edges.is_empty() {
            return Cells { low: GridPoint::default(), shift: 1, columns: 1, rows: 1 };
        }
        let count = edges.len() as u128;
        let mut shift = 1;
        while shift < 40 && (count << shift) < extents {
            shift += 1;
        }
        loop {
            let (columns, rows) = (((high.x - low.x) >> shift) + 1, ((high.y - low.y) >> shift) + 1);
            if i128::from(columns) * i128::from(rows) <= 2 * count as i128 || shift >= 41 {
                return Cells { low, shift, columns, rows };
            }
            shift += 1;
        }
    }

    fn count(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    fn cell_of(&self, point: GridPoint) -> usize {
        let (column, row) = ((point.x - self.low.x) >> self.shift, (point.y - self.low.y) >> self.shift);
        (column * self.rows + row) as usize
    }

    /// The columns an edge passes and its rows in each, widened by `slack` units but never past the edge's own box.
    fn visits(&self, edge: &Edge, slack: i64) -> impl Iterator<Item = Visit> + use<> {
        let cells = *self;
        let (a, b) = (edge.a, edge.b);
        let (bottom, top) = (a.y.min(b.y), a.y.max(b.y));
        let column = move |x: i64| (x - cells.low.x) >> cells.shift;
        let row = move |y: i64| (y - cells.low.y) >> cells.shift;
        let (first, last) = (column(a.x), column(b.x));
        (first..=last).map(move |column| {
            if first == last {
                return Visit { column, rows: [row(bottom), row(top)] };
            }
            let left = cells.low.x + (column << cells.shift);
            let from = height_at(a, b, a.x.max(left - slack));
            let to = height_at(a, b, b.x.min(left + (1 << cells.shift)));
            let (low, high) = (from.min(to) - slack, from.max(to) + 2 * slack);
            Visit { column, rows: [row(low.max(bottom)), row(high.min(top))] }
        })
    }

    /// The cells an edge passes, as ranges of cell numbers.
    fn ranges(&self, edge: &Edge, slack: i64) -> impl Iterator<Item = core::ops::RangeInclusive<usize>> + use<> {
        let rows = self.rows;
        self.visits(edge, slack).map(move |visit| {
            let first = visit.column * rows;
            (first + visit.rows[0]) as usize..=(first + visit.rows[1]) as usize
        })
    }
}

/// The height of a line at an x between its ends, rounded down.
#[inline]
fn height_at(a: GridPoint, b: GridPoint, x: i64) -> i64 {
    let ([dx, dy], along) = (step(a, b), x - a.x);
    if (dx.unsigned_abs() | dy.unsigned_abs()) < 1 << 31 {
        a.y + (along * dy).div_euclid(dx.max(1))
    } else {
        a.y + (i128::from(along) * i128::from(dy)).div_euclid(i128::from(dx.max(1))) as i64
    }
}

/// Lists of item numbers, one a cell.
struct Listing<'a> {
    starts: &'a mut [u32],
    items: &'a mut [u32],
}

impl<'a> Listing<'a> {
    /// The listing of `count` items, each in the cells that `cells_of` names; none when the cells are too unevenly filled.
    fn new<R, I>(cells: &Cells, count: usize, cells_of: R, arena: &mut Arena<'a>) -> Result<Option<Listing<'a>>>
    where
        R: Fn(usize) -> I,
        I: Iterator<Item = core::ops::RangeInclusive<usize>>,
    {
        let starts = arena.take_zeroed::<u32>(cells.count() + 1)?;
        for item in 0..count {
            cells_of(item).flatten().for_each(|cell| starts[cell] += 1);
        }
        let squares: u64 = starts.iter().map(|&n| u64::from(n) * u64::from(n)).sum();
        if squares > CLUSTERED * count as u64 {
            return Ok(None);
        }
        let mut total = 0;
        for start in starts.iter_mut() {
            total += *start;
            *start = total;
        }
        let items = arena.take::<u32>(total as usize)?;
        for item in (0..count).rev() {
            for cell in cells_of(item).flatten() {
                starts[cell] -= 1;
                items[starts[cell] as usize] = item as u32;
            }
        }
        Ok(Some(Listing { starts, items }))
    }

    fn of(&self, cell: usize) -> &[u32] {
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// Calls `found` once for every pair of edges that properly cross. Edges have their smaller end first and are in order.
/// Returns whether the input was clustered.
pub(super) fn each_crossing(
    edges: &[Edge],
    arena: &mut Arena<'_>,
    mut found: impl FnMut(usize, usize, Crossing) -> Result<()>,
) -> Result<bool> {
    let cells = Cells::over(edges);
    arena.scope(|desk| {
        let Some(listing) = Listing::new(&cells, edges.len(), |i| cells.ranges(&edges[i], 0), desk)? else {
            return sweep(edges, desk, found).map(|()| true);
        };
        for cell in 0..cells.count() {
            let items = listing.of(cell);
            for (k, &i) in items.iter().enumerate() {
                let line = edges[i as usize].line();
                for &j in &items[k + 1..] {
                    if let Some(crossing) = crossing_of(&line, &edges[j as usize]) {
                        // Both edges are listed in the cell the crossing lies in: it is counted there alone.
                        if cells.cell_of(crossing.floor) == cell {
                            found(i as usize, j as usize, crossing)?;
                        }
                    }
                }
            }
        }
        Ok(false)
    })
}

#[inline]
fn crossing_of(line: &[GridPoint; 2], other: &Edge) -> Option<Crossing> {
    let other = other.line();
    if boxes_meet(line, &other) { proper_crossing(*line, other) } else { None }
}

/// All pairs that share an x, by an active list in the order of least x.
fn sweep(
    edges: &[Edge],
    arena: &mut Arena<'_>,
    mut found: impl FnMut(usize, usize, Crossing) -> Result<()>,
) -> Result<()> {
    let mut active = List::over(arena.take::<u32>(edges.len())?);
    for (i, edge) in edges.iter().enumerate() {
        let (line, mut kept) = (edge.line(), 0);
        for k in 0..active.len() {
            let j = active[k];
            if edges[j as usize].b.x < edge.a.x {
                continue;
            }
            active[kept] = j;
            kept += 1;
            if let Some(crossing) = crossing_of(&line, &edges[j as usize]) {
                found(j as usize, i, crossing)?;
            }
        }
        active.truncate(kept);
        active.push(i as u32, crate::error::Subject::Edges)?;
    }
    Ok(())
}

/// Points in order, to be found near an edge.
pub(super) struct PointIndex<'a> {
    cells: Cells,
    listing: Option<Listing<'a>>,
}

impl<'a> PointIndex<'a> {
    /// An index of points that all lie in the box of the edges.
    pub fn new(edges: &[Edge], points: &[GridPoint], arena: &mut Arena<'a>) -> Result<PointIndex<'a>> {
        let cells = Cells::over(edges);
        let cell = |i: usize| {
            let cell = cells.cell_of(points[i]);
            core::iter::once(cell..=cell)
        };
        let listing = Listing::new(&cells, points.len(), cell, arena)?;
        Ok(PointIndex { cells, listing })
    }

    /// Whether the points were too clustered for cells.
    pub fn is_clustered(&self) -> bool {
        self.listing.is_none()
    }

    /// Calls `visit` once for every point whose pixel an edge may meet.
    pub fn near(&self, edge: &Edge, points: &[GridPoint], mut visit: impl FnMut(u32) -> Result<()>) -> Result<()> {
        match &self.listing {
            Some(listing) => {
                for range in self.cells.ranges(edge, 1) {
                    let (first, last) = (listing.starts[*range.start()], listing.starts[range.end() + 1]);
                    listing.items[first as usize..last as usize].iter().try_for_each(|&point| visit(point))?;
                }
                Ok(())
            }
            None => {
                let first = points.partition_point(|p| p.x < edge.a.x);
                let count = points[first..].partition_point(|p| p.x <= edge.b.x);
                (first..first + count).try_for_each(|point| visit(point as u32))
            }
        }
    }
}
