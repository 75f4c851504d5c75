//! What there is to be drawn, as plain numbers.

use navarena::search::PathStatus;

use crate::level::walls;
use crate::page::Page;

/// Numbers that are written one after the other; what there is no room for is left out.
#[derive(Debug)]
pub struct Numbers<'n> {
    numbers: &'n mut [f64],
    count: usize,
}

impl<'n> Numbers<'n> {
    /// None yet, and room for as many as the slice has.
    pub fn new(numbers: &'n mut [f64]) -> Self {
        Numbers { numbers, count: 0 }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds some, all or none.
    pub fn add<const N: usize>(&mut self, numbers: [f64; N]) {
        if let Some(place) = self.numbers.get_mut(self.count..self.count + N) {
            place.copy_from_slice(&numbers);
            self.count += N;
        }
    }
}

fn add_ring(ring: &[[f64; 2]], out: &mut Numbers<'_>) {
    out.add([ring.len() as f64]);
    ring.iter().for_each(|&corner| out.add(corner));
}

impl Page<'_> {
    /// The rings of the walls: of each its corners' number, then x and z of each.
    pub fn draw_walls(&self, out: &mut Numbers<'_>) {
        walls().for_each(|ring| add_ring(ring, out));
    }

    /// The rings of the pillars that stand.
    pub fn draw_pillars(&self, out: &mut Numbers<'_>) {
        self.pillars.rings().for_each(|ring| add_ring(ring, out));
    }

    /// The mesh's polygons, as rings.
    pub fn draw_polygons(&self, out: &mut Numbers<'_>) {
        for tile in self.mesh.tiles() {
            for polygon in tile.polygons {
                let edges = tile.edges_of(polygon);
                out.add([edges.len() as f64]);
                for edge in edges {
                    let [x, _, z] = tile.world(edge.vertex);
                    out.add([x, z]);
                }
            }
        }
    }

    /// Those who walk: of each x, z, its velocity along both, its destination's x and z, its radius, and 1 if it has arrived.
    /// Those of the two groups alternate.
    pub fn draw_agents(&self, out: &mut Numbers<'_>) {
        for agent in self.crowd.agents() {
            let ([x, _, z], [vx, _, vz]) = (agent.position(), agent.velocity());
            let ([to_x, _, to_z], has_arrived) = (agent.destination(), agent.has_reached_target());
            out.add([x, z, vx, vz, to_x, to_z, agent.radius(), f64::from(u8::from(has_arrived))]);
        }
    }

    /// The path that was asked for: its length, 1 if it leads to its goal, the distance of the wall nearest to it and x and z of
    /// where that is; then x and z of the path's start and corners. Nothing if none was asked for.
    pub fn draw_path(&self, out: &mut Numbers<'_>) {
        let Some(asked) = self.asked else { return };
        let is_complete = asked.outcome.status == PathStatus::Found;
        let [wall_x, _, wall_z] = asked.wall.point;
        out.add([asked.outcome.length, f64::from(u8::from(is_complete)), asked.wall.distance, wall_x, wall_z]);
        for point in self.asking.path().points() {
            let [x, _, z] = point.position;
            out.add([x, z]);
        }
    }

    /// Bytes: of the region, of the mesh, the crowd and the queries, what the builder used at most, and the saved state's; then
    /// polygons now, the most nodes that a search took, and the crowd's steps.
    pub fn figures(&self, out: &mut Numbers<'_>) {
        out.add(self.bytes().map(|bytes| bytes as f64));
        let polygons: usize = self.mesh.tiles().map(|tile| tile.polygons.len()).sum();
        out.add([polygons as f64, self.nodes_used() as f64, self.crowd.step_count() as f64]);
    }
}
