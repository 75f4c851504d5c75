//! The rows of single questions: nearest polygon, raycast, distance to wall, random points, each against Detour's.
//!
//! The two sides ask meshes that each baked for itself, so answers agree within what a cell is worth, not to the bit.

use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::NavMesh;
use navarena::query::{Circle, Filter, Query, WallOptions, nearest_polygon, random_point, raycast};
use navarena_tests::detour_snap::DetourSnap;
use navarena_tests::ours::{self, Snapped};
use navarena_tests::recast::{Pair, SNAP};

use crate::clock::alternate;
use crate::recast::bake::Baked;
use crate::recast::path;
use crate::recast::queries::Queries;
use crate::rows::{PATHS, text};
use crate::table::{Agreement, Row};

/// How far walls are looked for, and random points may lie.
const RADIUS: f64 = 8.0;
/// How far apart two answers may lie: a cell and a half, on meshes whose walls are cut from cells each in its own way.
const CLOSE: f64 = 0.45;
/// The share of questions whose answers must lie that close.
const SHARE: f64 = 0.95;
/// Random points of a run.
const DRAWS: usize = 1000;

/// A place on both meshes.
type Place = (Snapped, path::Snapped);

/// Adds the rows of one level. Rays run between the pairs' ends; walls and points around are asked for at their starts.
pub fn add(
    mesh: &NavMesh<'_>,
    baked: &Baked,
    pairs: &[Pair],
    rule: &DetourSnap,
    name: impl Fn(&str) -> String,
    rows: &mut Vec<Row>,
) -> Result<(), String> {
    let mut theirs = Queries::new(baked)?;
    let mut memory = ours::region(ours::Paths::DEF.plan());
    let mut ours = Query::new(&ours::Paths::DEF, &mut Arena::new(&mut memory)).map_err(text)?;
    let places: Vec<[Place; 2]> = pairs
        .iter()
        .filter_map(|pair| {
            let place = |point| Some((rule.snap(mesh, point)?, theirs.nearest(point)?));
            Some([place(pair.start)?, place(pair.goal)?])
        })
        .collect();
    let starts: Vec<Place> = places.iter().map(|ends| ends[0]).collect();
    rows.push(Row { name: name("nearest"), ..nearest(mesh, &theirs, pairs)? });
    rows.push(Row { name: name("raycast"), ..rays(mesh, &mut theirs, &places)? });
    rows.push(Row { name: name("distance to wall"), ..walls(mesh, &mut ours, &theirs, &starts)? });
    rows.push(Row { name: name("random point"), ..random(mesh, &theirs)? });
    rows.push(Row { name: name("random point around"), ..around(mesh, &mut ours, &theirs, &starts)? });
    Ok(())
}

fn row(count: usize, best: crate::clock::Best, answers: Agreement) -> Row {
    let microseconds = |time: std::time::Duration| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    Row { name: String::new(), unit: "us", ours: microseconds(best.ours), theirs: microseconds(best.theirs), answers }
}

/// Agrees when enough answers lie close to each other.
fn close(gaps: &[f64]) -> Agreement {
    let share = gaps.iter().filter(|&&gap| gap <= CLOSE).count() as f64 / gaps.len().max(1) as f64;
    let how = format!("{:.1}% of {} within {CLOSE}", 100.0 * share, gaps.len());
    if share >= SHARE { Agreement::Agree(how) } else { Agreement::Differ(how) }
}

fn gap(ours: [f64; 3], theirs: [f32; 3]) -> f64 {
    let [x, z] = [0, 2].map(|axis| ours[axis] - f64::from(theirs[axis]));
    x.hypot(z)
}

fn nearest(mesh: &NavMesh<'_>, theirs: &Queries<'_>, pairs: &[Pair]) -> Result<Row, String> {
    let points: Vec<[f64; 3]> = pairs.iter().flat_map(|pair| [pair.start, pair.goal]).collect();
    let one = |point: [f64; 3]| nearest_polygon(mesh, point, SNAP, &Filter::ALL);
    let mut gaps = Vec::new();
    for &point in &points {
        // Detour's box reaches further (`detour_snap`): what only one side finds is no disagreement about the nearest.
        if let (Some(ours), Some(theirs)) = (one(point).map_err(text)?, theirs.nearest(point)) {
            gaps.push(gap(ours.point, theirs.point));
        }
    }
    let best = alternate(
        PATHS,
        || points.iter().filter(|&&point| one(point).is_ok_and(|found| found.is_some())).count(),
        || points.iter().filter(|&&point| theirs.nearest(point).is_some()).count(),
    );
    Ok(row(points.len(), best, close(&gaps)))
}

fn rays(mesh: &NavMesh<'_>, theirs: &mut Queries<'_>, places: &[[Place; 2]]) -> Result<Row, String> {
    let one = |start: &Snapped, end: &Snapped| {
        raycast(mesh, start.polygon, start.point, end.point, &Filter::ALL, &mut []).map(|ray| ray.t)
    };
    let mut gaps = Vec::new();
    for [start, end] in places {
        let [x, z] = [0, 2].map(|axis| end.0.point[axis] - start.0.point[axis]);
        let (ours, theirs) = (one(&start.0, &end.0).map_err(text)?, theirs.ray(&start.1, end.1.point)?);
        gaps.push((ours - f64::from(theirs)).abs() * x.hypot(z));
    }
    let best = alternate(
        PATHS,
        || places.iter().map(|[start, end]| one(&start.0, &end.0).unwrap_or(0.0)).sum::<f64>(),
        || places.iter().map(|[start, end]| theirs.ray(&start.1, end.1.point).unwrap_or(0.0)).sum::<f32>(),
    );
    Ok(row(places.len(), best, close(&gaps)))
}

fn circle(place: &Snapped) -> Circle {
    Circle { polygon: place.polygon, center: place.point, radius: RADIUS }
}

fn walls(mesh: &NavMesh<'_>, query: &mut Query<'_>, theirs: &Queries<'_>, starts: &[Place]) -> Result<Row, String> {
    let mut one = |place: &Snapped| {
        query.find_wall_distance(mesh, circle(place), &Filter::ALL, WallOptions::ALL).map(|wall| wall.distance)
    };
    let mut gaps = Vec::new();
    for (ours, their) in starts {
        gaps.push((one(ours).map_err(text)? - f64::from(theirs.wall(their, RADIUS as f32)?)).abs());
    }
    let best = alternate(
        PATHS,
        || starts.iter().map(|(ours, _)| one(ours).unwrap_or(0.0)).sum::<f64>(),
        || starts.iter().map(|(_, place)| theirs.wall(place, RADIUS as f32).unwrap_or(0.0)).sum::<f32>(),
    );
    Ok(row(starts.len(), best, close(&gaps)))
}

/// Detour picks a tile first, each with the same chance, and by area only within it: with tiles that are not equally
/// full the two distributions differ, which the mean of the points shows.
fn random(mesh: &NavMesh<'_>, theirs: &Queries<'_>) -> Result<Row, String> {
    let mut ours = SplitMix64::new(1);
    let mut one = || random_point(mesh, &mut ours, &Filter::ALL).map_or([0.0; 3], |random| random.point);
    let (mut our_sum, mut their_sum) = ([0.0; 2], [0.0; 2]);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for _ in 0..DRAWS {
        let (point, their) = (one(), theirs.random()?);
        for (place, axis) in [0, 2].into_iter().enumerate() {
            our_sum[place] += point[axis];
            their_sum[place] += f64::from(their[axis]);
            low[place] = low[place].min(point[axis]);
            high[place] = high[place].max(point[axis]);
        }
    }
    let apart = [0, 1].map(|axis| ((our_sum[axis] - their_sum[axis]) / DRAWS as f64 / (high[axis] - low[axis])).abs());
    let how = format!("means {:.1}% and {:.1}% of the level apart", 100.0 * apart[0], 100.0 * apart[1]);
    let agreement =
        if apart.iter().all(|&share| share <= 0.05) { Agreement::Agree(how) } else { Agreement::Differ(how) };
    let best = alternate(
        PATHS,
        || (0..DRAWS).map(|_| one()[0]).sum::<f64>(),
        || (0..DRAWS).map(|_| theirs.random().map_or(0.0, |point| point[0])).sum::<f32>(),
    );
    Ok(row(DRAWS, best, agreement))
}

/// Detour's points may lie beyond the radius, by as much as a polygon reaches; ours never do.
fn around(mesh: &NavMesh<'_>, query: &mut Query<'_>, theirs: &Queries<'_>, starts: &[Place]) -> Result<Row, String> {
    let mut random = SplitMix64::new(2);
    let mut one = |place: &Snapped| query.find_random_around(mesh, &mut random, circle(place), &Filter::ALL);
    let (mut found, mut within, mut their_within) = (0, 0, 0);
    for (ours, their) in starts {
        if let Some(point) = one(ours).map_err(text)? {
            found += 1;
            let [x, z] = [0, 2].map(|axis| point.point[axis] - ours.point[axis]);
            within += usize::from(x.hypot(z) <= RADIUS * (1.0 + 1e-9));
        }
        let point = theirs.random_around(their, RADIUS as f32)?;
        their_within += usize::from(gap(ours.point, point) <= RADIUS + CLOSE);
    }
    let how = format!("{found} of {} found, {within} within the radius, {their_within} of theirs", starts.len());
    let agreement =
        if found == starts.len() && within == found { Agreement::Agree(how) } else { Agreement::Differ(how) };
    let best = alternate(
        PATHS,
        || starts.iter().filter(|(ours, _)| one(ours).is_ok_and(|point| point.is_some())).count(),
        || starts.iter().filter(|(_, place)| theirs.random_around(place, RADIUS as f32).is_ok()).count(),
    );
    Ok(row(starts.len(), best, agreement))
}
