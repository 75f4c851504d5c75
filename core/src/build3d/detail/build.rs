//! The stage itself: polygon by polygon edge points, hull, samples, refinement.

use super::edges::{EdgeWalker, steps};
use super::heights::Heights;
use super::samples::{Outline, Sample, refine};
use super::triangulation::{MOST_VERTICES, Triangulation};
use super::{DetailRange, DetailSettings};
use crate::build3d::compact::Compact;
use crate::build3d::local::TileCoordinates;
use crate::build3d::polygons::{PolyMesh, PolyVertex, Polygon};
use crate::error::{Result, Subject};
use crate::memory::{Arena, List, Twin};

/// The sample distance, in cells, up to which detail is off.
const OFF: f64 = 0.9;

/// How much of each array lies at the arena's front, in the order of the fields, and what was given up.
pub(super) struct Made {
    pub ranges: usize,
    pub vertices: usize,
    pub triangles: usize,
    pub capped: u32,
    pub samples_without_height: u32,
}

/// Lays the product at the front of `desk`, its scratch at the back.
pub(super) fn build(
    field: &Compact<'_>,
    mesh: &PolyMesh<'_>,
    coordinates: &TileCoordinates,
    settings: &DetailSettings,
    desk: &mut Arena<'_>,
) -> Result<Made> {
    let distance = settings.sample_distance / coordinates.cell_size;
    let sampled = distance > OFF;
    let (mut most_steps, mut most_samples) = (0, 0);
    let mut ring = [PolyVertex::default(); 16];
    for polygon in mesh.polygons.iter().filter(|_| sampled) {
        let outline = outline(mesh, polygon, &mut ring);
        most_samples = most_samples.max(outline.most_samples(distance));
        for (a, b) in edges(outline.ring) {
            most_steps = most_steps.max(steps(a, b, distance));
        }
    }
    let heights = Heights::new(field, settings.walkable_climb);
    let ranges = desk.take(mesh.polygons.len())?;
    let mut stage = Stage {
        settings,
        coordinates,
        distance,
        surface: Triangulation::new(desk)?,
        edge_points: desk.take_back(MOST_VERTICES)?,
        edge_counts: [0; 16],
        samples: List::over(desk.take_back(most_samples)?),
        walker: EdgeWalker {
            heights: &heights,
            coordinates,
            distance,
            max_deviation: settings.max_error / coordinates.cell_height,
            rows: desk.take_back(most_steps + 1)?,
            stack: desk.take_back(most_steps + 1)?,
        },
        product: desk.twin(),
        capped: 0,
        samples_without_height: 0,
    };
    for (polygon, range) in mesh.polygons.iter().zip(ranges.iter_mut()) {
        let outline = outline(mesh, polygon, &mut ring);
        *range = stage.lay(&outline, sampled)?;
    }
    let Stage { product, capped, samples_without_height, .. } = stage;
    let (vertices, triangles) = desk.settle_twin(product);
    Ok(Made { ranges: ranges.len(), vertices, triangles, capped, samples_without_height })
}

/// A polygon with its corners gathered in `ring`.
fn outline<'t>(mesh: &PolyMesh<'_>, polygon: &'t Polygon, ring: &'t mut [PolyVertex; 16]) -> Outline<'t> {
    let indices = mesh.ring(polygon);
    for (corner, &index) in ring.iter_mut().zip(indices) {
        *corner = mesh.vertices[index as usize];
    }
    Outline { polygon, ring: &ring[..indices.len().min(16)] }
}

/// The edges of a ring, from each corner to the next.
fn edges(ring: &[PolyVertex]) -> impl Iterator<Item = (&PolyVertex, &PolyVertex)> {
    ring.iter().zip(ring.iter().cycle().skip(1))
}

/// The stage at work: scratch for one polygon, and the product so far.
struct Stage<'t> {
    settings: &'t DetailSettings,
    coordinates: &'t TileCoordinates,
    distance: f64,
    surface: Triangulation<'t>,
    /// The points of all edges of the polygon, and how many each edge has.
    edge_points: &'t mut [[f32; 3]],
    edge_counts: [usize; 16],
    samples: List<'t, Sample>,
    walker: EdgeWalker<'t>,
    product: Twin<'t, [f32; 3], [u8; 4]>,
    capped: u32,
    samples_without_height: u32,
}

impl Stage<'_> {
    /// Lays the detail of one polygon.
    fn lay(&mut self, outline: &Outline<'_>, sampled: bool) -> Result<DetailRange> {
        let mut capped = false;
        self.edge_counts = [0; 16];
        if sampled {
            capped = !self.walk_edges(outline.ring);
        }
        self.triangulate(outline.ring);
        if sampled {
            self.samples.clear();
            let (heights, coordinates) = (self.walker.heights, self.coordinates);
            self.samples_without_height += outline.collect(self.distance, heights, coordinates, &mut self.samples)?;
            capped |= refine(&mut self.surface, &mut self.samples, self.settings.max_error);
        }
        self.capped += u32::from(capped);
        self.emit(outline.ring.len())
    }

    /// Finds the points of every edge; gives all of them up, and says so, when they and the corners are too many.
    fn walk_edges(&mut self, ring: &[PolyVertex]) -> bool {
        let mut count = 0;
        for ((a, b), on_edge) in edges(ring).zip(&mut self.edge_counts) {
            *on_edge = self.walker.walk(a, b, &mut self.edge_points[count..]);
            count += *on_edge;
            if ring.len() + count > MOST_VERTICES {
                self.edge_counts = [0; 16];
                return false;
            }
        }
        true
    }

    /// Sets the ring of corners and edge points and cuts it. Corners come first among the vertices, then the edge points.
    fn triangulate(&mut self, ring: &[PolyVertex]) {
        let surface = &mut self.surface;
        surface.begin();
        let (mut place, mut point) = (0, 0);
        for (k, corner) in ring.iter().enumerate() {
            let map = self.coordinates;
            surface.vertices[k] = [map.local(corner.x), map.local_y(corner.y.into()), map.local(corner.z)];
            surface.set_ring(place, k);
            place += 1;
            for _ in 0..self.edge_counts[k] {
                surface.vertices[ring.len() + point] = self.edge_points[point];
                surface.set_ring(place, ring.len() + point);
                place += 1;
                point += 1;
            }
        }
        surface.vertex_count = ring.len() + point;
        surface.cut_hull(place);
    }

    /// Appends the extra vertices and the triangles to the product.
    fn emit(&mut self, corners: usize) -> Result<DetailRange> {
        let (surface, product) = (&self.surface, &mut self.product);
        let (vertex_base, triangle_base) = (product.first_len() as u32, product.second_len() as u32);
        for &vertex in &surface.vertices[corners..surface.vertex_count] {
            product.push_first(vertex, self.settings.max_vertices, Subject::DetailVertices)?;
        }
        for triangle in surface.triangles() {
            product.push_second(triangle.stored(), self.settings.max_triangles, Subject::DetailTriangles)?;
        }
        Ok(DetailRange {
            vertex_base,
            triangle_base,
            vertex_count: (surface.vertex_count - corners) as u16,
            triangle_count: surface.triangles().len() as u16,
        })
    }
}
