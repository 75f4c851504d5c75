//! Every kind of question that a mesh can be asked, drawn from a seed: what the committed answers and the storms of
//! random queries are made of.

use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena::memory::{Arena, Grain};
use navarena::mesh::{NavMesh, PolyRef};
use navarena::query::{
    Circle, Filter, NearestRule, NodeModel, Path, Query, QueryDef, WallOptions, WallSegment, closest_point_on,
    height_on, nearest_polygon, nearest_polygon_by, polygons_in_box, random_point,
};

use alloc::vec::Vec;

use crate::level::region;

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The nearest polygon.
    Nearest,
    /// The nearest polygon by the other rule, which looks at the agent's step.
    NearestByStep,
    /// The polygons in a box.
    InBox,
    /// The height on a polygon.
    Height,
    /// A path, searched by polygons.
    Path,
    /// A path, searched by crossings.
    CrossingPath,
    /// The shortest path.
    Shortest,
    /// The first corners of a path.
    Corners,
    /// Whether a place can be reached.
    Reachable,
    /// A ray.
    Ray,
    /// A move with one slide.
    Move,
    /// A move as far as the walls allow.
    Walk,
    /// The polygons in a circle.
    Circle,
    /// The polygons in a convex shape.
    Shape,
    /// The local neighbourhood.
    Neighbourhood,
    /// The nearest wall.
    WallDistance,
    /// All walls.
    Walls,
    /// A random point.
    Random,
    /// A random point around a position.
    RandomAround,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 19] = [
        Kind::Nearest,
        Kind::NearestByStep,
        Kind::InBox,
        Kind::Height,
        Kind::Path,
        Kind::CrossingPath,
        Kind::Shortest,
        Kind::Corners,
        Kind::Reachable,
        Kind::Ray,
        Kind::Move,
        Kind::Walk,
        Kind::Circle,
        Kind::Shape,
        Kind::Neighbourhood,
        Kind::WallDistance,
        Kind::Walls,
        Kind::Random,
        Kind::RandomAround,
    ];
}

/// An answer: everything it says, bit by bit, and the points that must lie on the polygons named beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The answer's numbers; the first is its headline.
    pub words: Vec<u64>,
    /// Points of the mesh.
    pub points: Vec<(PolyRef, [f64; 3])>,
}

impl Asked {
    fn number(&mut self, value: f64) {
        self.words.push(value.to_bits());
    }

    fn count(&mut self, value: impl Into<u64>) {
        self.words.push(value.into());
    }

    fn position(&mut self, value: [f64; 3]) {
        value.into_iter().for_each(|value| self.number(value));
    }

    fn polygons(&mut self, polygons: impl IntoIterator<Item = PolyRef>) {
        polygons.into_iter().for_each(|polygon| self.words.push(polygon.0));
    }

    fn on(&mut self, polygon: PolyRef, point: [f64; 3]) {
        self.words.push(polygon.0);
        self.position(point);
        self.points.push((polygon, point));
    }

    fn path(&mut self, path: &Path<'_>) {
        self.number(path.length());
        self.number(path.cost());
        let outcome = path.outcome();
        self.words.extend([outcome.detail as u64, outcome.end as u64, outcome.iterations]);
        self.polygons(path.corridor().iter().copied());
        for corner in path.points() {
            self.on(corner.polygon, corner.position);
            self.count(corner.flags);
        }
    }
}

/// What one asks with: a mesh and two queries, one for each node model.
pub struct Asker<'a, 'm> {
    mesh: &'a NavMesh<'m>,
    by_polygon: Query<'a>,
    by_crossing: Query<'a>,
    reach: f64,
}

/// Memory for an [`Asker`].
pub struct Room([Vec<Grain>; 2]);

impl Room {
    const DEF: QueryDef = QueryDef::DEFAULT;

    /// Room for an asker's queries.
    pub fn new() -> Room {
        Room([region(Self::DEF.plan()), region(Self::DEF.plan())])
    }
}

impl Default for Room {
    fn default() -> Self {
        Room::new()
    }
}

impl<'a, 'm> Asker<'a, 'm> {
    /// Asks a mesh. Positions lie on it or up to `reach` beside it.
    pub fn new(mesh: &'a NavMesh<'m>, room: &'a mut Room, reach: f64) -> Result<Self> {
        let [one, other] = &mut room.0;
        Ok(Asker {
            mesh,
            by_polygon: Query::new(&Room::DEF, &mut Arena::new(one))?,
            by_crossing: Query::new(&QueryDef { model: NodeModel::Crossing, ..Room::DEF }, &mut Arena::new(other))?,
            reach,
        })
    }

    /// A place on the mesh, each as likely as any other.
    fn place(&self, random: &mut SplitMix64) -> (PolyRef, [f64; 3]) {
        random_point(self.mesh, random, &Filter::ALL).map_or((PolyRef::NONE, [0.0; 3]), |one| (one.polygon, one.point))
    }

    /// A position near the mesh: over it, under it or beside it.
    fn position(&self, random: &mut SplitMix64) -> [f64; 3] {
        let (_, [x, y, z]) = self.place(random);
        let mut off = |reach: f64| (2.0 * random.next_f64() - 1.0) * reach;
        [x + off(self.reach), y + off(2.0), z + off(self.reach)]
    }

    /// Asks one question of a kind, drawn from a generator.
    pub fn ask(&mut self, kind: Kind, random: &mut SplitMix64) -> Result<Asked> {
        let mut asked = Asked::default();
        match kind {
            Kind::Nearest | Kind::NearestByStep => self.ask_nearest(kind, random, &mut asked)?,
            Kind::InBox => self.ask_box(random, &mut asked)?,
            Kind::Height => {
                let (polygon, [x, y, z]) = self.place(random);
                let height = height_on(self.mesh, polygon, x, z)?;
                asked.number(height);
                asked.on(polygon, [x, y, z]);
            }
            Kind::Path | Kind::CrossingPath | Kind::Shortest | Kind::Corners | Kind::Reachable => {
                self.ask_path(kind, random, &mut asked)?;
            }
            Kind::Ray | Kind::Move | Kind::Walk => self.ask_way(kind, random, &mut asked)?,
            Kind::Circle | Kind::Shape | Kind::Neighbourhood => self.ask_area(kind, random, &mut asked)?,
            Kind::WallDistance | Kind::Walls => self.ask_walls(kind, random, &mut asked)?,
            Kind::Random => {
                if let Some(drawn) = random_point(self.mesh, random, &Filter::ALL) {
                    asked.on(drawn.polygon, drawn.point);
                }
            }
            Kind::RandomAround => {
                let circle = self.circle(random);
                let drawn = self.by_polygon.find_random_around(self.mesh, random, circle, &Filter::ALL)?;
                asked.count(drawn.is_some());
                if let Some(drawn) = drawn {
                    asked.on(drawn.polygon, drawn.point);
                }
            }
        }
        Ok(asked)
    }

    fn ask_nearest(&self, kind: Kind, random: &mut SplitMix64, asked: &mut Asked) -> Result<()> {
        let position = self.position(random);
        let extents = [self.reach, 4.0, self.reach];
        let rule = if kind == Kind::Nearest { NearestRule::Distance } else { NearestRule::BeyondStep };
        let found = nearest_polygon_by(self.mesh, rule, position, extents, &Filter::ALL)?;
        if kind == Kind::Nearest {
            assert_eq!(found.nearest, nearest_polygon(self.mesh, position, extents, &Filter::ALL)?);
        }
        asked.number(found.nearest.map_or(f64::INFINITY, |nearest| nearest.distance_squared));
        asked.count(found.incomplete);
        if let Some(nearest) = found.nearest {
            asked.count(nearest.over_polygon);
            asked.on(nearest.polygon, nearest.point);
        }
        Ok(())
    }

    fn ask_box(&self, random: &mut SplitMix64, asked: &mut Asked) -> Result<()> {
        let (center, mut polygons) = (self.position(random), [PolyRef::NONE; 64]);
        let size = 8.0 * random.next_f64();
        let found = polygons_in_box(self.mesh, center, [size, 2.0, size], &Filter::ALL, &mut polygons)?;
        asked.count(found.count as u64);
        asked.count(found.incomplete);
        asked.polygons(polygons.into_iter().take(found.count));
        Ok(())
    }

    fn ask_path(&mut self, kind: Kind, random: &mut SplitMix64, asked: &mut Asked) -> Result<()> {
        let (mesh, filter) = (self.mesh, Filter::ALL);
        let ((from, start), (to, goal)) = (self.place(random), self.place(random));
        match kind {
            Kind::Path => {
                self.by_polygon.find_path(mesh, start, goal, &filter)?;
                asked.path(&self.by_polygon.path());
            }
            Kind::CrossingPath => {
                self.by_crossing.find_path(mesh, start, goal, &filter)?;
                asked.path(&self.by_crossing.path());
            }
            Kind::Shortest => {
                self.by_polygon.find_shortest_path(mesh, start, goal, &filter)?;
                asked.path(&self.by_polygon.path());
            }
            Kind::Corners => {
                self.by_polygon.begin_path(mesh, from, start, to, goal, &filter)?;
                self.by_polygon.step(mesh, &filter, u64::MAX)?;
                self.by_polygon.finish_path(mesh)?;
                let corridor = self.by_polygon.path().corridor().to_vec();
                self.by_polygon.straight_path(mesh, start, goal, &corridor, Some(3))?;
                asked.path(&self.by_polygon.path());
            }
            _ => {
                let end = self.by_polygon.check_reachable(mesh, from, start, to, goal, &filter)?;
                asked.count(end as u64);
            }
        }
        Ok(())
    }

    fn ask_way(&mut self, kind: Kind, random: &mut SplitMix64, asked: &mut Asked) -> Result<()> {
        let (mesh, filter) = (self.mesh, Filter::ALL);
        let ((from, start), (_, goal)) = (self.place(random), self.place(random));
        // Moves are short, rays are long.
        let part = if kind == Kind::Ray { 1.0 } else { 0.2 * random.next_f64() };
        let end = core::array::from_fn(|axis| start[axis] + (goal[axis] - start[axis]) * part);
        if kind == Kind::Ray {
            let ray = self.by_polygon.raycast(mesh, from, start, end, &filter)?;
            asked.number(ray.t);
            asked.words.extend([ray.end as u64, ray.edge.into()]);
            asked.position(ray.normal);
            if let Some(point) = ray.point(mesh, start, end) {
                asked.on(ray.polygon, point);
            }
        } else {
            let moved = match kind {
                Kind::Move => self.by_polygon.move_along_surface(mesh, from, start, end, &filter)?,
                _ => self.by_polygon.walk_along_surface(mesh, from, start, end, &filter)?,
            };
            asked.count(moved.end as u64);
            asked.on(moved.polygon, moved.position);
        }
        asked.polygons(self.by_polygon.visited().iter().copied());
        Ok(())
    }

    fn circle(&self, random: &mut SplitMix64) -> Circle {
        let (polygon, center) = self.place(random);
        Circle { polygon, center, radius: 1.0 + 12.0 * random.next_f64() }
    }

    fn ask_area(&mut self, kind: Kind, random: &mut SplitMix64, asked: &mut Asked) -> Result<()> {
        let circle = self.circle(random);
        let found = match kind {
            Kind::Circle => self.by_polygon.find_circle(self.mesh, circle, &Filter::ALL)?,
            Kind::Neighbourhood => self.by_polygon.find_neighbourhood(self.mesh, circle, &Filter::ALL)?,
            _ => {
                let ([x, y, z], r) = (circle.center, circle.radius);
                let shape = [[x - r, y, z - r], [x + r, y, z - 0.5 * r], [x + 0.3 * r, y, z + r]];
                self.by_polygon.find_shape(self.mesh, circle.polygon, &shape, &Filter::ALL)?
            }
        };
        asked.words.extend([u64::from(found.count), found.status as u64]);
        for reached in self.by_polygon.area().polygons() {
            asked.polygons([reached.polygon, reached.parent]);
            asked.number(reached.distance_squared);
        }
        Ok(())
    }

    fn ask_walls(&mut self, kind: Kind, random: &mut SplitMix64, asked: &mut Asked) -> Result<()> {
        let circle = self.circle(random);
        if kind == Kind::WallDistance {
            let wall = self.by_polygon.find_wall_distance(
                self.mesh,
                circle,
                &Filter::ALL,
                WallOptions::on_floor(self.mesh),
            )?;
            asked.number(wall.distance);
            asked.count(wall.found);
            if wall.found {
                asked.on(wall.wall.polygon, wall.point);
                asked.position(wall.normal);
            }
            return Ok(());
        }
        let mut walls = [WallSegment::default(); 24];
        let found = self.by_polygon.find_walls(self.mesh, circle, &Filter::ALL, WallOptions::ALL, &mut walls)?;
        asked.words.extend([found.count as u64, found.truncated.into()]);
        for wall in walls.iter().take(found.count) {
            asked.number(wall.distance_squared);
            asked.words.extend([u64::from(wall.edge), wall.flags.into()]);
            asked.on(wall.polygon, wall.start);
            asked.on(wall.polygon, wall.end);
        }
        Ok(())
    }
}

/// How far beside its polygon a point may lie: what a few roundings move it.
const BESIDE: f64 = 1e-6;

/// The first point of an answer that does not lie on the polygon named with it, seen from above.
pub fn off_the_mesh(mesh: &NavMesh<'_>, asked: &Asked) -> Option<(PolyRef, [f64; 3])> {
    asked.points.iter().copied().find(|&(polygon, point)| {
        let Ok(nearest) = closest_point_on(mesh, polygon, point) else { return true };
        let [x, z] = [0, 2].map(|axis| nearest.point[axis] - point[axis]);
        // Not a number is off the mesh too.
        let is_on = x * x + z * z <= BESIDE * BESIDE;
        !is_on
    })
}
