//! The length of the shortest way over a whole mesh, by Dijkstra's algorithm over all corners that touch a wall: one
//! corner sees another when the straight segment between them runs from polygon to polygon through what they share.

use super::literal::{Exit, exits, flat_length, length};
use super::straight::shared_parts;
use super::world::corners;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::PolygonFilter;
use std::collections::{BTreeSet, HashMap};
use std::vec::Vec;

type V = [f64; 3];

/// A place seen, the polygon it is seen in, and how far away it is.
type Seen = (usize, usize, f64);

/// Way out of a polygon: to which, and between which places; a link with what it costs.
enum Way {
    Portal(usize, V, V),
    Link(usize, V, V, f64),
}

pub struct FreeSpace {
    polygons: Vec<PolyRef>,
    rings: Vec<Vec<V>>,
    ways: Vec<Vec<Way>>,
    places: Vec<V>,
    /// Whether a straight way may be longer than one over a link.
    has_cheap_links: bool,
    /// What each place sees, in each polygon it was asked in: the same for every start and end.
    seen: HashMap<(usize, usize), Vec<Seen>>,
}

fn cross(o: V, u: V, v: V) -> f64 {
    (u[0] - o[0]) * (v[2] - o[2]) - (u[2] - o[2]) * (v[0] - o[0])
}

/// Whether two segments have a point in common, to within rounding.
fn touch(p: V, q: V, a: V, b: V) -> bool {
    let apart = |o: V, u: V, v: V, w: V| {
        let hair = 1e-9 * flat_length(o, u);
        let (s, t) = (cross(o, u, v), cross(o, u, w));
        s > hair && t > hair || s < -hair && t < -hair
    };
    let in_box =
        (0..3).step_by(2).all(|k| p[k].min(q[k]) <= a[k].max(b[k]) + 1e-9 && a[k].min(b[k]) <= p[k].max(q[k]) + 1e-9);
    in_box && !apart(p, q, a, b) && !apart(a, b, p, q)
}

impl FreeSpace {
    /// Of the polygons a filter accepts.
    pub fn new(mesh: &NavMesh<'_>, filter: &impl PolygonFilter) -> FreeSpace {
        let all = mesh.tiles().flat_map(|tile| (0..tile.polygons.len() as u32).map(move |i| tile.reference.polygon(i)));
        let accepted = |polygon: &PolyRef| {
            let (_, record) = mesh.polygon(*polygon).unwrap();
            filter.accepts(record.flags, record.area)
        };
        let polygons: Vec<PolyRef> = all.filter(accepted).collect();
        let numbers: HashMap<u64, usize> = polygons.iter().enumerate().map(|(i, polygon)| (polygon.0, i)).collect();
        let rings: Vec<Vec<V>> = polygons.iter().map(|&polygon| corners(mesh, polygon)).collect();
        let mut ways = Vec::new();
        let mut has_cheap_links = false;
        let mut places: Vec<V> = Vec::new();
        for &polygon in &polygons {
            let mut mine = Vec::new();
            for exit in exits(mesh, polygon) {
                let Some(&to) = numbers.get(&exit.target().0) else { continue };
                match exit {
                    Exit::Edge(_, a, b) => mine.push(Way::Portal(to, a, b)),
                    Exit::Portal(target, a, b, ..) => {
                        for part in shared_parts(mesh, (a, b), target).chunks(2) {
                            mine.push(Way::Portal(to, part[0], part[1]));
                            places.extend(part);
                        }
                    }
                    Exit::OffMesh(_, near, far, flags, area) if filter.accepts(flags, area) => {
                        mine.push(Way::Link(to, near, far, length(near, far)));
                        places.extend([near, far]);
                    }
                    Exit::Staged(_, near, far, kind, cost) if cost.is_finite() && filter.accepts_link_kind(kind) => {
                        mine.push(Way::Link(to, near, far, cost));
                        has_cheap_links |= cost < flat_length(near, far);
                        places.extend([near, far]);
                    }
                    Exit::OffMesh(..) | Exit::Staged(..) => {}
                }
            }
            ways.push(mine);
        }
        places.extend(rings.iter().flatten());
        // Floors lie four units above one another, and what meets at a place agrees to within less than one.
        places.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[2].total_cmp(&q[2])).then(p[1].total_cmp(&q[1])));
        places.dedup_by(|p, q| p[0] == q[0] && p[2] == q[2] && (p[1] - q[1]).abs() < 1.0);
        FreeSpace { polygons, rings, ways, places, has_cheap_links, seen: HashMap::new() }
    }

    pub fn number(&self, polygon: PolyRef) -> Option<usize> {
        self.polygons.iter().position(|&known| known == polygon)
    }

    /// Whether a polygon can be reached from another at all.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        let mut met = std::vec![from];
        let mut next = 0;
        while next < met.len() {
            for way in &self.ways[met[next]] {
                let (Way::Portal(to, ..) | Way::Link(to, ..)) = *way;
                if !met.contains(&to) {
                    met.push(to);
                }
            }
            next += 1;
        }
        met.contains(&to)
    }

    /// The polygons in which the segment from a place in a polygon to another place arrives there.
    fn arrive(&self, from: usize, p: V, q: V) -> Vec<usize> {
        let mut met = std::vec![from];
        let mut next = 0;
        while next < met.len() {
            for way in &self.ways[met[next]] {
                if let Way::Portal(to, a, b) = *way
                    && !met.contains(&to)
                    && touch(p, q, a, b)
                {
                    met.push(to);
                }
            }
            next += 1;
        }
        met.retain(|&polygon| self.holds(polygon, q));
        met
    }

    fn holds(&self, polygon: usize, p: V) -> bool {
        let ring = &self.rings[polygon];
        (0..ring.len()).all(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            cross(a, b, p) >= -1e-9 * flat_length(a, b)
        })
    }

    /// All places seen from one in a polygon, and those reached over links that begin there.
    fn look(&self, polygon: usize, p: V) -> Vec<Seen> {
        let mut seen = Vec::new();
        for way in &self.ways[polygon] {
            if let Way::Link(to, near, far, across) = *way
                && flat_length(near, p) == 0.0
            {
                let landing = self.places.iter().position(|&q| q[0] == far[0] && q[2] == far[2]).unwrap();
                seen.push((landing, to, across));
            }
        }
        for (number, &q) in self.places.iter().enumerate() {
            seen.extend(self.arrive(polygon, p, q).into_iter().map(|reached| (number, reached, flat_length(p, q))));
        }
        seen
    }

    /// The least length from a place in a polygon to another, a link counted at its cost; infinite without a way.
    pub fn shortest(&mut self, start: (usize, V), end: (usize, V)) -> f64 {
        let mut best = f64::INFINITY;
        if self.arrive(start.0, start.1, end.1).contains(&end.0) {
            best = flat_length(start.1, end.1);
            if !self.has_cheap_links {
                return best;
            }
        }
        let mut cost: HashMap<(usize, usize), f64> = HashMap::new();
        let mut open: BTreeSet<(u64, usize, usize)> = BTreeSet::new();
        let mut offer = |open: &mut BTreeSet<_>, seen: &[Seen], so_far: f64| {
            for &(place, polygon, leg) in seen {
                let known = cost.entry((place, polygon)).or_insert(f64::INFINITY);
                if so_far + leg < *known {
                    *known = so_far + leg;
                    open.insert((known.to_bits(), place, polygon));
                }
            }
        };
        offer(&mut open, &self.look(start.0, start.1), 0.0);
        while let Some((bits, place, polygon)) = open.pop_first() {
            let (cost, p) = (f64::from_bits(bits), self.places[place]);
            if cost >= best {
                break;
            }
            if self.arrive(polygon, p, end.1).contains(&end.0) {
                best = best.min(cost + flat_length(p, end.1));
            }
            if !self.seen.contains_key(&(place, polygon)) {
                let seen = self.look(polygon, p);
                self.seen.insert((place, polygon), seen);
            }
            offer(&mut open, &self.seen[&(place, polygon)], cost);
        }
        best
    }
}
