//! The stage itself: straighten walls, weld corners, then contour by contour clip ears and merge.

use super::ears::{EarScratch, clip};
use super::merge::{MOST_VERTS, MergeScratch, Rule, merge};
use super::walls::straighten;
use super::weld::{weld, write_vertices};
use super::{PolySettings, Polygon};
use crate::build3d::contours::{Contour, ContourVertex, Contours};
use crate::build3d::local::Turns;
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List, Twin};

const NONE: u32 = u32::MAX;

/// How much of each array lies at the arena's front, in the order of the fields, and what was given up.
pub(super) struct Made {
    pub vertices: usize,
    pub indices: usize,
    pub polygons: usize,
    pub degenerate_ears: u32,
}

/// Lays the product at the front of `desk`, its scratch at the back.
pub(super) fn build(contours: &Contours<'_>, settings: &PolySettings, desk: &mut Arena<'_>) -> Result<Made> {
    if !(3..=MOST_VERTS as u32).contains(&settings.max_verts) {
        return Err(Error::invalid(Subject::MaxVertsPerPoly).value(f64::from(settings.max_verts)));
    }
    let all = contours.vertices.len();
    // A welding key has 30 bits for a corner's number.
    if all >= 1 << 30 {
        return Err(Error::limit(Subject::ContourVertices).value(all as f64).bound(f64::from(1 << 30)));
    }
    let corners = desk.take_back::<ContourVertex>(all)?;
    let ends = desk.take_back::<u32>(contours.contours.len())?;
    let count = straighten_all(contours, corners, ends);
    let corners = &corners[..count];

    let welded = desk.take_back::<u32>(count)?;
    let vertices = desk.scope(|desk| Ok(weld(corners, desk.take_back(count)?, welded)))?;
    if vertices > settings.max_vertices {
        return Err(Error::capacity(Subject::Vertices, settings.max_vertices));
    }
    write_vertices(corners, welded, desk.take(vertices)?);

    let most = longest(ends);
    let mut stage = Stage {
        settings,
        turns: Turns::new(settings.coordinates),
        welded,
        first_of: desk.take_back(vertices)?,
        same: desk.take_back(most)?,
        triangles: List::over(desk.take_back(most.saturating_sub(2))?),
        ears: EarScratch::new(most, desk)?,
        rings: MergeScratch::new(most, desk)?,
        product: desk.twin(),
        degenerate_ears: 0,
    };
    stage.first_of.fill(NONE);
    let mut first = 0;
    for (contour, &end) in contours.contours.iter().zip(ends.iter()) {
        stage.cut(contour, &corners[first..end as usize], first)?;
        first = end as usize;
    }
    let Stage { product, degenerate_ears, .. } = stage;
    let (indices, polygons) = desk.settle_twin(product);
    Ok(Made { vertices, indices, polygons, degenerate_ears })
}

/// Copies the contours with their walls straightened, one behind the other, and returns how many corners there are.
fn straighten_all(contours: &Contours<'_>, corners: &mut [ContourVertex], ends: &mut [u32]) -> usize {
    let mut count = 0;
    for (contour, end) in contours.contours.iter().zip(ends) {
        let whole = contours.ring(contour);
        let ring = &mut corners[count..count + whole.len()];
        ring.copy_from_slice(whole);
        count += straighten(ring, whole);
        *end = count as u32;
    }
    count
}

/// The most corners between one end and the next.
fn longest(ends: &[u32]) -> usize {
    let mut first = 0;
    let lengths = ends.iter().map(|&end| end - core::mem::replace(&mut first, end));
    lengths.max().unwrap_or(0) as usize
}

/// The stage at work: scratch for one contour, and the product so far.
struct Stage<'t> {
    settings: &'t PolySettings,
    turns: Turns,
    /// The welded vertex of every corner.
    welded: &'t [u32],
    /// For each welded vertex the last corner that was the first of its contour there.
    first_of: &'t mut [u32],
    /// For each corner of the contour in work the first one that was welded to the same vertex.
    same: &'t mut [u32],
    triangles: List<'t, [u32; 3]>,
    ears: EarScratch<'t>,
    rings: MergeScratch<'t>,
    product: Twin<'t, u32, Polygon>,
    degenerate_ears: u32,
}

impl Stage<'_> {
    /// Cuts one contour, whose corners begin at `base` among all.
    fn cut(&mut self, contour: &Contour, ring: &[ContourVertex], base: usize) -> Result<()> {
        let Stage { settings, turns, welded, same, triangles, ears, rings, product, .. } = self;
        let welded = &welded[base..base + ring.len()];
        for (index, &vertex) in welded.iter().enumerate() {
            let first = &mut self.first_of[vertex as usize];
            // Corners of earlier contours lie below the base.
            if *first == NONE || (*first as usize) < base {
                *first = (base + index) as u32;
            }
            same[index] = *first - base as u32;
        }
        triangles.clear();
        let same = &same[..ring.len()];
        self.degenerate_ears += clip(ring, ears, |triangle| {
            let [a, b, c] = triangle.map(|index| ring[index].corner());
            let [i, j, k] = triangle.map(|index| same[index]);
            // Ears that welding or rounding to the stored positions made flat are left out.
            if i == j || j == k || k == i || !turns.turn(a, b, c).is_left() {
                return Ok(());
            }
            triangles.push(triangle.map(|index| index as u32), Subject::Triangles)
        })?;
        let rule = Rule { turns, max_verts: settings.max_verts };
        merge(ring, same, triangles, rule, rings, |vertices| {
            let polygon = Polygon {
                first: product.first_len() as u32,
                region: contour.region,
                count: vertices.len() as u16,
                area: contour.area as u16,
            };
            for &vertex in vertices {
                product.push_first(welded[vertex as usize], u32::MAX as usize, Subject::Polygons)?;
            }
            product.push_second(polygon, settings.max_polygons, Subject::Polygons)
        })
    }
}
