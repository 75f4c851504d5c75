//! `navarena query`: one question about a saved mesh, answered in text, as JSON, and in a picture.

use super::args::Side;
use super::questions::{CircleArgs, Common, PlaceArgs, QueryArgs, Question, RandomArgs, WayArgs};
use super::table::{Table, point};
use super::{load, print};
use crate::failure::{Failure, Outcome};
use crate::picture::{self, Scene, View};
use navarena::math::SplitMix64;
use navarena::mesh::{NavMesh as CoreMesh, PolyRef};
use navarena::query::{
    Circle, Filter, MoveEnd, Nearest, PathEnd, Query, WALL_NOT_LOADED, WallOptions, WallSegment, height_on,
    nearest_polygon, random_point,
};
use navarena_alloc::{NavMesh, PathOptions};
use serde_json::{Value, json};
use std::path::Path;

/// Where and in what a question is asked.
struct Asked<'a> {
    owned: &'a NavMesh,
    mesh: &'a CoreMesh<'a>,
    options: PathOptions,
    filter: Filter,
    half_extents: [f64; 3],
}

/// What came out, in three forms.
#[derive(Default)]
struct Answer {
    table: Table,
    json: Value,
    drawing: Drawing,
}

/// What is drawn over the mesh.
#[derive(Default)]
struct Drawing {
    polygons: Vec<PolyRef>,
    lines: Vec<[[f64; 3]; 2]>,
    points: Vec<[f64; 3]>,
    path: Vec<[f64; 3]>,
    partial: bool,
}

/// Asks, prints, and draws if that is wanted.
pub fn run(args: &QueryArgs) -> Outcome<()> {
    let common = args.question.common();
    let mesh = load::mesh(&args.file, common.search.portals)?;
    let options = common.search.options()?;
    let (filter, half_extents) = (options.filter, options.half_extents);
    let asked = Asked { owned: &mesh, mesh: mesh.core(), options, filter, half_extents };
    let answer = mesh.with_query(|_, query| asked.answer(&args.question, query));
    let answer = answer.map_err(Failure::refused("query"))??;
    if let Some(output) = &common.output {
        draw(asked.mesh, &args.file, common, &answer.drawing, output)?;
    }
    if common.json { print(&answer.json) } else { print(&answer.table) }
}

fn draw(mesh: &CoreMesh<'_>, file: &Path, common: &Common, drawing: &Drawing, output: &Path) -> Outcome<()> {
    let mut scene = Scene::of(mesh);
    scene.title = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    scene.mark(mesh, drawing.polygons.iter().copied());
    scene.answers = drawing.lines.clone();
    scene.marks = drawing.points.clone();
    scene.path = drawing.path.clone();
    scene.partial = drawing.partial;
    let view = match common.side {
        Side::Top => View::Top,
        Side::Slanted => View::Oblique,
        Side::Both => View::Both,
    };
    picture::write(&scene, view, output)
}

impl Question {
    fn common(&self) -> &Common {
        match self {
            Question::Nearest(args) | Question::Height(args) => &args.common,
            Question::Ray(args) | Question::Move(args) | Question::Shortest(args) | Question::Reachable(args) => {
                &args.common
            }
            Question::Walls(args) | Question::Circle(args) | Question::Neighbourhood(args) => &args.common,
            Question::Random(args) => &args.common,
        }
    }
}

impl Asked<'_> {
    fn answer(&self, question: &Question, query: &mut Query<'_>) -> Outcome<Answer> {
        match question {
            Question::Nearest(args) => self.nearest(args),
            Question::Height(args) => self.height(args),
            Question::Ray(args) => self.ray(args, query),
            Question::Move(args) => self.step(args, query),
            Question::Shortest(args) => self.shortest(args),
            Question::Reachable(args) => self.reachable(args, query),
            Question::Walls(args) => self.walls(args, query),
            Question::Circle(args) => self.circle(args, query, false),
            Question::Neighbourhood(args) => self.circle(args, query, true),
            Question::Random(args) => self.random(args, query),
        }
    }

    /// The place on the mesh that a position of the command line stands for.
    fn place(&self, what: &str, at: [f64; 3]) -> Outcome<Nearest> {
        let found = nearest_polygon(self.mesh, at, self.half_extents, &self.filter);
        let [x, y, z] = self.half_extents;
        found
            .map_err(Failure::refused(what))?
            .ok_or_else(|| Failure::Other(format!("{what}: no polygon within {x}, {y}, {z} of {}", point(at))))
    }

    fn nearest(&self, args: &PlaceArgs) -> Outcome<Answer> {
        let found = self.place("--at", args.at)?;
        let distance = crate::sqrt(found.distance_squared);
        let mut answer = Answer::default();
        answer.table.row("polygon", name(found.polygon));
        answer.table.row("point", point(found.point));
        answer.table.row("distance", format!("{distance:.3}"));
        answer.table.row("straight above or below", found.over_polygon);
        answer.json = json!({
            "polygon": found.polygon.0, "point": found.point, "distance": distance, "over": found.over_polygon,
        });
        answer.drawing.polygons.push(found.polygon);
        answer.drawing.points.push(found.point);
        answer.drawing.lines.push([args.at, found.point]);
        Ok(answer)
    }

    fn height(&self, args: &PlaceArgs) -> Outcome<Answer> {
        let found = self.place("--at", args.at)?;
        let height = height_on(self.mesh, found.polygon, args.at[0], args.at[2]).map_err(Failure::refused("--at"))?;
        let mut answer = Answer::default();
        answer.table.row("polygon", name(found.polygon));
        answer.table.row("height", format!("{height:.6}"));
        answer.json = json!({ "polygon": found.polygon.0, "height": height });
        answer.drawing.polygons.push(found.polygon);
        answer.drawing.points.push([args.at[0], height, args.at[2]]);
        Ok(answer)
    }

    fn ray(&self, args: &WayArgs, query: &mut Query<'_>) -> Outcome<Answer> {
        let from = self.place("--from", args.from)?;
        let ray = query.raycast(self.mesh, from.polygon, from.point, args.to, &self.filter);
        let ray = ray.map_err(Failure::refused("--to"))?;
        let end = ray.point(self.mesh, from.point, args.to).unwrap_or(from.point);
        let mut answer = Answer::default();
        answer.table.row("end", reason(ray.end));
        answer.table.row("part of the way", format!("{:.6}", ray.t));
        answer.table.row("point", point(end));
        if ray.is_hit() {
            answer.table.row("wall's normal", point(ray.normal));
        }
        answer.table.row("polygons", query.visited().len());
        answer.json = json!({
            "end": reason(ray.end), "t": ray.t, "point": end, "normal": ray.normal, "polygon": ray.polygon.0,
            "polygons": numbers(query.visited()),
        });
        answer.drawing.polygons.extend(query.visited());
        answer.drawing.lines.push([from.point, end]);
        answer.drawing.points.extend([from.point, end]);
        Ok(answer)
    }

    fn step(&self, args: &WayArgs, query: &mut Query<'_>) -> Outcome<Answer> {
        let from = self.place("--from", args.from)?;
        let moved = query.move_along_surface(self.mesh, from.polygon, from.point, args.to, &self.filter);
        let moved = moved.map_err(Failure::refused("--to"))?;
        let mut answer = Answer::default();
        answer.table.row("end", reason(moved.end));
        answer.table.row("position", point(moved.position));
        answer.table.row("polygon", name(moved.polygon));
        answer.json = json!({ "end": reason(moved.end), "position": moved.position, "polygon": moved.polygon.0 });
        answer.drawing.polygons.extend(query.visited());
        answer.drawing.lines.push([from.point, moved.position]);
        answer.drawing.points.extend([from.point, moved.position]);
        Ok(answer)
    }

    fn shortest(&self, args: &WayArgs) -> Outcome<Answer> {
        self.place("--from", args.from)?;
        self.place("--to", args.to)?;
        let path = self.owned.find_shortest_path(args.from, args.to, &self.options);
        let path = path.map_err(Failure::refused("shortest"))?;
        let mut answer = Answer::default();
        answer.table.row("end", load::reason(path.end()));
        answer.table.row("length", format!("{:.6}", path.length()));
        answer.table.row("cost", format!("{:.6}", path.cost()));
        answer.table.row("polygons", path.corridor().len());
        for (index, at) in path.points().iter().enumerate() {
            answer.table.row(&format!("point {index}"), point(*at));
        }
        answer.json = super::path::json(&path);
        answer.drawing.polygons.extend(path.corridor());
        answer.drawing.path = path.points().to_vec();
        answer.drawing.partial = !path.is_complete();
        Ok(answer)
    }

    fn reachable(&self, args: &WayArgs, query: &mut Query<'_>) -> Outcome<Answer> {
        let (from, to) = (self.place("--from", args.from)?, self.place("--to", args.to)?);
        let end = query.check_reachable(self.mesh, from.polygon, from.point, to.polygon, to.point, &self.filter);
        let end = end.map_err(Failure::refused("reachable"))?;
        let mut answer = Answer::default();
        answer.table.row("reachable", end == PathEnd::Found);
        answer.table.row("because", load::reason(end));
        answer.json = json!({ "reachable": end == PathEnd::Found, "end": load::reason(end) });
        answer.drawing.points.extend([from.point, to.point]);
        Ok(answer)
    }

    fn circle_at(&self, at: [f64; 3], radius: f64) -> Outcome<Circle> {
        let place = self.place("--at", at)?;
        Ok(Circle { polygon: place.polygon, center: place.point, radius })
    }

    fn walls(&self, args: &CircleArgs, query: &mut Query<'_>) -> Outcome<Answer> {
        let circle = self.circle_at(args.at, args.radius)?;
        let options = if args.on_floor { WallOptions::on_floor(self.mesh) } else { WallOptions::ALL };
        let mut walls = vec![WallSegment::default(); args.most.min(1 << 20)];
        let found = query.find_walls(self.mesh, circle, &self.filter, options, &mut walls);
        let found = found.map_err(Failure::refused("walls"))?;
        walls.truncate(found.count);
        let mut answer = Answer::default();
        answer.table.row("walls", found.count);
        if found.truncated {
            answer.table.row("more", "there are walls farther away; --most lists more");
        }
        for (index, wall) in walls.iter().enumerate() {
            let kind = if is_loaded_beyond(wall) { "" } else { ", no tile loaded behind it" };
            let [from, to] = [wall.start, wall.end].map(point);
            answer.table.row(&format!("wall {index}"), format!("{:.3} away, {from} to {to}{kind}", wall.distance()));
        }
        let listed = walls.iter().map(|wall| {
            json!({
                "distance": wall.distance(), "start": wall.start, "end": wall.end, "polygon": wall.polygon.0,
                "edge": wall.edge, "loaded": is_loaded_beyond(wall),
            })
        });
        answer.json = json!({ "walls": listed.collect::<Vec<_>>(), "truncated": found.truncated });
        answer.drawing.polygons.extend(query.area().polygons().map(|reached| reached.polygon));
        answer.drawing.lines = walls.iter().map(|wall| [wall.start, wall.end]).collect();
        answer.drawing.points.push(circle.center);
        Ok(answer)
    }

    fn circle(&self, args: &CircleArgs, query: &mut Query<'_>, is_neighbourhood: bool) -> Outcome<Answer> {
        let circle = self.circle_at(args.at, args.radius)?;
        let found = match is_neighbourhood {
            true => query.find_neighbourhood(self.mesh, circle, &self.filter),
            false => query.find_circle(self.mesh, circle, &self.filter),
        };
        let found = found.map_err(Failure::refused("circle"))?;
        let reached: Vec<_> = query.area().polygons().collect();
        let mut answer = Answer::default();
        answer.table.row("polygons", found.count);
        for polygon in reached.iter().take(args.most) {
            let distance = crate::sqrt(polygon.distance_squared);
            answer.table.row(&name(polygon.polygon), format!("entered {distance:.3} away"));
        }
        let listed = reached.iter().take(args.most).map(|polygon| {
            let distance = crate::sqrt(polygon.distance_squared);
            json!({ "polygon": polygon.polygon.0, "from": polygon.parent.0, "distance": distance })
        });
        answer.json = json!({ "count": found.count, "polygons": listed.collect::<Vec<_>>() });
        answer.drawing.polygons.extend(reached.iter().map(|polygon| polygon.polygon));
        answer.drawing.points.push(circle.center);
        Ok(answer)
    }

    fn random(&self, args: &RandomArgs, query: &mut Query<'_>) -> Outcome<Answer> {
        let mut random = SplitMix64::new(args.seed);
        let circle = args.at.map(|at| self.circle_at(at, args.radius)).transpose()?;
        let mut answer = Answer::default();
        let mut points = Vec::new();
        for index in 0..args.count {
            let drawn = match circle {
                Some(circle) => query.find_random_around(self.mesh, &mut random, circle, &self.filter),
                None => Ok(random_point(self.mesh, &mut random, &self.filter)),
            };
            let Some(drawn) = drawn.map_err(Failure::refused("random"))? else {
                answer.table.row(&format!("point {index}"), "none");
                continue;
            };
            answer.table.row(&format!("point {index}"), point(drawn.point));
            points.push(json!({ "polygon": drawn.polygon.0, "point": drawn.point }));
            answer.drawing.points.push(drawn.point);
        }
        answer.json = json!({ "points": points });
        Ok(answer)
    }
}

/// Whether a wall is one, and not merely the end of what is loaded.
fn is_loaded_beyond(wall: &WallSegment) -> bool {
    wall.flags & WALL_NOT_LOADED == 0
}

/// A polygon's slot and index.
fn name(polygon: PolyRef) -> String {
    format!("{}:{}", polygon.slot(), polygon.index())
}

fn numbers(polygons: &[PolyRef]) -> Vec<u64> {
    polygons.iter().map(|polygon| polygon.0).collect()
}

/// How a ray or a move ended, in words.
fn reason(end: MoveEnd) -> &'static str {
    match end {
        MoveEnd::NotMoved => "it could not begin",
        MoveEnd::Reached => "the end was reached",
        MoveEnd::Wall => "a wall is in the way",
        MoveEnd::NotLoaded => "the way leads over a tile that is not in the mesh",
        MoveEnd::OutOfNodes => "too many polygons lie on the way",
    }
}
