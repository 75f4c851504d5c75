//! The stage itself: trace everything, then region by region simplify, give holes to outlines, join, and check.

use super::holes::{Hole, NO_OUTLINE, Shape, join, outline_around, sort_by_leftmost};
use super::ring::{crosses_itself, leftmost, twice_area};
use super::simplify::Simplifier;
use super::trace::Tracer;
use super::{Contour, ContourSettings, ContourVertex, RawLoop};
use crate::build3d::compact::Compact;
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List};

/// How much of each array lies at the arena's front, in the order of the fields, and what was given up.
#[derive(Default)]
pub(super) struct Made {
    pub raw_vertices: usize,
    pub raw_loops: usize,
    pub contours: usize,
    pub vertices: usize,
    pub raw_fallbacks: u32,
    pub dropped_holes: u32,
}

/// Lays the product at the front of `desk`, its scratch at the back.
pub(super) fn build(field: &Compact<'_>, settings: &ContourSettings, desk: &mut Arena<'_>) -> Result<Made> {
    let tracer = Tracer { field, skipped: settings.border_region };
    let masks = desk.take_back::<u8>(field.spans.len())?;
    let edges = tracer.mark_edges(masks)?;
    let raw = if settings.keep_raw { desk.take(edges)? } else { desk.take_back(edges)? };
    let loops = desk.take_back::<RawLoop>(edges / 4)?;
    let regions = field.region_count as usize;
    let areas = desk.take_back::<u8>(regions + 1)?;
    areas.fill(0);
    let loop_count = tracer.trace(masks, raw, loops, areas)?;
    let loops = &mut loops[..loop_count];
    let kept_loops = desk.take::<RawLoop>(if settings.keep_raw { loop_count } else { 0 })?;

    let ends = desk.take_back::<u32>(regions + 2)?;
    let order = desk.take_back::<u32>(loop_count)?;
    sort_by_region(loops, ends, order);

    let outlines = loops.iter().filter(|traced| twice_area(raw_ring(raw, traced)) > 0).count();
    if outlines > settings.max_contours {
        return Err(Error::capacity(Subject::Contours, settings.max_contours));
    }
    let most = Most::of(loops, order, ends);
    let mut stage = Stage {
        raw,
        loops,
        simplifier: Simplifier { settings, areas, stack: desk.take_back(most.vertices + 2 * most.loops + 1)? },
        shapes: desk.take_back(most.loops)?,
        holes: desk.take_back(most.loops)?,
        shaped: List::over(desk.take_back(most.vertices)?),
        contours: List::over(desk.take(outlines)?),
        vertices: desk.list(settings.max_vertices),
        made: Made::default(),
    };
    for region in 1..=regions {
        stage.outline_region(region as u32, &order[ends[region - 1] as usize..ends[region] as usize])?;
    }
    let Stage { made, contours, vertices, loops, .. } = stage;
    let made = Made { contours: contours.len(), vertices: vertices.len(), ..made };
    desk.settle(&vertices);
    kept_loops.iter_mut().zip(loops.iter()).for_each(|(to, from)| *to = *from);
    let raw_vertices = if settings.keep_raw { edges } else { 0 };
    Ok(Made { raw_vertices, raw_loops: kept_loops.len(), ..made })
}

fn raw_ring<'t>(raw: &'t [ContourVertex], traced: &RawLoop) -> &'t [ContourVertex] {
    &raw[traced.first as usize..(traced.first + traced.count) as usize]
}

/// Orders loops by region and then by discovery; `ends[r]` becomes the end of region `r` and the start of the next.
fn sort_by_region(loops: &[RawLoop], ends: &mut [u32], order: &mut [u32]) {
    ends.fill(0);
    for traced in loops {
        ends[traced.region as usize + 1] += 1;
    }
    for region in 1..ends.len() {
        ends[region] += ends[region - 1];
    }
    // Each entry is its region's start and moves to its end while the region's loops are put in place.
    for (index, traced) in loops.iter().enumerate() {
        let slot = &mut ends[traced.region as usize];
        order[*slot as usize] = index as u32;
        *slot += 1;
    }
}

/// The most that one region has of each.
struct Most {
    vertices: usize,
    loops: usize,
}

impl Most {
    fn of(loops: &[RawLoop], order: &[u32], ends: &[u32]) -> Most {
        let mut most = Most { vertices: 0, loops: 0 };
        for pair in ends.windows(2) {
            let region = &order[pair[0] as usize..pair[1] as usize];
            let vertices = region.iter().map(|&index| loops[index as usize].count as usize).sum();
            most = Most { vertices: most.vertices.max(vertices), loops: most.loops.max(region.len()) };
        }
        most
    }
}

/// The stage at work: what was traced, scratch for one region, and the product so far.
struct Stage<'t> {
    raw: &'t [ContourVertex],
    loops: &'t mut [RawLoop],
    simplifier: Simplifier<'t>,
    /// The loops of the region in work.
    shapes: &'t mut [Shape],
    /// The holes of the outline in work, in the order of joining.
    holes: &'t mut [u32],
    /// The simplified loops of the region in work.
    shaped: List<'t, ContourVertex>,
    contours: List<'t, Contour>,
    vertices: List<'t, ContourVertex>,
    made: Made,
}

impl Stage<'_> {
    /// Makes the contours of one region from its loops.
    fn outline_region(&mut self, region: u32, loops: &[u32]) -> Result<()> {
        self.shaped.clear();
        for (slot, &index) in loops.iter().enumerate() {
            self.shapes[slot] = self.shape(region, index)?;
        }
        self.give_holes_to_outlines(loops.len());
        for (outline, &index) in loops.iter().enumerate() {
            if self.shapes[outline].is_hole == 0 {
                self.loops[index as usize].contour = self.contours.len() as u32;
                self.emit(region, outline, loops.len())?;
            }
        }
        Ok(())
    }

    /// Simplifies one loop. A loop that encloses nothing counts as a hole.
    fn shape(&mut self, region: u32, index: u32) -> Result<Shape> {
        let raw = raw_ring(self.raw, &self.loops[index as usize]);
        let first = self.shaped.len();
        let fell_back = self.simplifier.simplify(raw, region, &mut self.shaped)?;
        self.made.raw_fallbacks += u32::from(fell_back);
        let ring = &self.shaped[first..];
        Ok(Shape {
            twice_area: twice_area(ring),
            raw: index,
            first: first as u32,
            count: ring.len() as u32,
            outline: NO_OUTLINE,
            is_hole: u32::from(twice_area(raw) <= 0),
            leftmost: leftmost(ring) as u32,
        })
    }

    fn give_holes_to_outlines(&mut self, count: usize) {
        for slot in 0..count {
            let shape = self.shapes[slot];
            if shape.is_hole != 0 {
                let corner = self.shaped[(shape.first + shape.leftmost) as usize].corner();
                let outline = outline_around(corner, &self.shapes[..count], &self.shaped);
                self.shapes[slot].outline = outline;
                self.made.dropped_holes += u32::from(outline == NO_OUTLINE);
            }
        }
    }

    /// Appends one outline with its holes as a contour.
    fn emit(&mut self, region: u32, outline: usize, count: usize) -> Result<()> {
        let start = self.vertices.len();
        let mut holes = 0;
        for slot in 0..count {
            if self.shapes[slot].outline == outline as u32 {
                self.holes[holes] = slot as u32;
                holes += 1;
                self.loops[self.shapes[slot].raw as usize].contour = self.contours.len() as u32;
            }
        }
        let mut is_raw = false;
        self.append(outline, is_raw)?;
        if holes > 0 {
            let mut dropped = self.join_holes(region, start, holes, is_raw)?;
            if crosses_itself(&self.vertices[start..], self.simplifier.stack) {
                self.made.raw_fallbacks += 1;
                is_raw = true;
                self.take_raw_holes(holes);
                self.vertices.truncate(start);
                self.append(outline, is_raw)?;
                dropped = self.join_holes(region, start, holes, is_raw)?;
            }
            if twice_area(&self.vertices[start..]) <= 0 {
                dropped = holes as u32;
                self.vertices.truncate(start);
                self.append(outline, is_raw)?;
            }
            self.made.dropped_holes += dropped;
        }
        let count = (self.vertices.len() - start) as u32;
        let area = u32::from(self.simplifier.areas[region as usize]);
        self.contours.push(Contour { region, area, first: start as u32, count }, Subject::Contours)
    }

    /// Appends the vertices of an outline, raw or simplified.
    fn append(&mut self, outline: usize, is_raw: bool) -> Result<()> {
        let ring = form(self.raw, self.loops, &self.shaped, &self.shapes[outline], is_raw);
        for &vertex in ring {
            self.vertices.push(vertex, Subject::ContourVertices)?;
        }
        Ok(())
    }

    /// Joins the holes of an outline that was just appended, and returns how many were dropped.
    fn join_holes(&mut self, region: u32, start: usize, holes: usize, is_raw: bool) -> Result<u32> {
        let Stage { raw, loops, shapes, shaped, vertices, .. } = self;
        let hole = |slot: u32| {
            let shape = &shapes[slot as usize];
            Hole { ring: form(raw, loops, shaped, shape, is_raw), leftmost: shape.leftmost as usize }
        };
        let order = &mut self.holes[..holes];
        sort_by_leftmost(order, hole);
        join(vertices, start, order, hole, region)
    }

    /// Notes where the raw forms of the holes are leftmost.
    fn take_raw_holes(&mut self, holes: usize) {
        for &slot in &self.holes[..holes] {
            let shape = &mut self.shapes[slot as usize];
            shape.leftmost = leftmost(raw_ring(self.raw, &self.loops[shape.raw as usize])) as u32;
        }
    }
}

/// The vertices of a loop in one of its two forms.
fn form<'t>(
    raw: &'t [ContourVertex],
    loops: &[RawLoop],
    shaped: &'t [ContourVertex],
    shape: &Shape,
    is_raw: bool,
) -> &'t [ContourVertex] {
    if is_raw {
        raw_ring(raw, &loops[shape.raw as usize])
    } else {
        &shaped[shape.first as usize..(shape.first + shape.count) as usize]
    }
}
