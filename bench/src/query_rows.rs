//! The rows of single questions: nearest polygon, raycast, distance to wall, random points, each against Detour's.
//!
//! The two sides ask meshes that each baked for itself, so answers agree within what a cell is worth, not to the bit.

use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::NavMesh;
use navarena::query::{Circle, Filter, Nearest, Query, WallOptions, nearest_polygon, random_point, raycast};
use navarena_tests::detour_snap::DetourSnap;
use navarena_tests::ours;
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
type Place = (Nearest, path::Snapped);

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
    let (mut gaps, mut nearer) = (Vec::new(), 0);
    for &point in &points {
        // Detour's box reaches further (`detour_snap`): what only one side finds is no disagreement about the nearest.
        if let (Some(ours), Some(theirs)) = (one(point).map_err(text)?, theirs.nearest(point)) {
            let apart = gap(ours.point, theirs.point);
            // Straight above or below a polygon, Detour counts heights within the climb as no distance, and so may take
            // one that is farther away than another.
            let their_distance = (0..3).map(|axis| (f64::from(theirs.point[axis]) - point[axis]).powi(2)).sum::<f64>();
            let is_nearer = apart > CLOSE && ours.distance_squared < their_distance;
            nearer += usize::from(is_nearer);
            gaps.push(if is_nearer { 0.0 } else { apart });
        }
    }
    let answers = close(&gaps).with(&format!(", of which ours is another and nearer {nearer} times"));
    let best = alternate(
        PATHS,
        || points.iter().filter(|&&point| one(point).is_ok_and(|found| found.is_some())).count(),
        || points.iter().filter(|&&point| theirs.nearest(point).is_some()).count(),
    );
    Ok(row(points.len(), best, answers))
}

fn rays(mesh: &NavMesh<'_>, theirs: &mut Queries<'_>, places: &[[Place; 2]]) -> Result<Row, String> {
    let one = |start: &Nearest, end: &Nearest| {
        raycast(mesh, start.polygon, start.point, end.point, &Filter::ALL, &mut []).map(|ray| ray.t)
    };
    let (mut gaps, mut farther) = (Vec::new(), [0; 2]);
    for [start, end] in places {
        let [x, z] = [0, 2].map(|axis| end.0.point[axis] - start.0.point[axis]);
        let (ours, theirs) = (one(&start.0, &end.0).map_err(text)?, theirs.ray(&start.1, end.1.point)?);
        let apart = (ours - f64::from(theirs)) * x.hypot(z);
        farther[0] += usize::from(apart > CLOSE);
        farther[1] += usize::from(apart < -CLOSE);
        gaps.push(apart.abs());
    }
    let answers = close(&gaps).with(&format!(", else ours comes farther {} times, theirs {}", farther[0], farther[1]));
    let best = alternate(
        PATHS,
        || places.iter().map(|[start, end]| one(&start.0, &end.0).unwrap_or(0.0)).sum::<f64>(),
        || places.iter().map(|[start, end]| theirs.ray(&start.1, end.1.point).unwrap_or(0.0)).sum::<f32>(),
    );
    Ok(row(places.len(), best, answers))
}

fn circle(place: &Nearest) -> Circle {
    Circle { polygon: place.polygon, center: place.point, radius: RADIUS }
}

fn walls(mesh: &NavMesh<'_>, query: &mut Query<'_>, theirs: &Queries<'_>, starts: &[Place]) -> Result<Row, String> {
    let mut one = |place: &Nearest| {
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

/// Detour picks a tile first, each with the same chance, and by area only within it: with tiles that are not equally full
/// the two distributions differ. So each side's mean is compared with what its own rule makes of our mesh.
fn random(mesh: &NavMesh<'_>, theirs: &Queries<'_>) -> Result<Row, String> {
    let mut ours = SplitMix64::new(1);
    let mut one = || random_point(mesh, &mut ours, &Filter::ALL).map_or([0.0; 3], |random| random.point);
    let (mut our_sum, mut their_sum) = ([0.0; 2], [0.0; 2]);
    for _ in 0..DRAWS {
        let (point, their) = (one(), theirs.random()?);
        for (place, axis) in [0, 2].into_iter().enumerate() {
            our_sum[place] += point[axis];
            their_sum[place] += f64::from(their[axis]);
        }
    }
    let expected = Means::of(mesh);
    let apart = |sum: [f64; 2], mean: [f64; 2]| {
        let axis = |k: usize| (sum[k] / DRAWS as f64 - mean[k]).abs() / expected.size[k];
        axis(0).max(axis(1))
    };
    let apart = [apart(our_sum, expected.by_area), apart(their_sum, expected.by_tile)];
    let how = format!("means {:.1}% and {:.1}% of the level off", 100.0 * apart[0], 100.0 * apart[1]);
    let agreement =
        if apart.iter().all(|&share| share <= 0.05) { Agreement::Agree(how) } else { Agreement::Differ(how) };
    let best = alternate(
        PATHS,
        || (0..DRAWS).map(|_| one()[0]).sum::<f64>(),
        || (0..DRAWS).map(|_| theirs.random().map_or(0.0, |point| point[0])).sum::<f32>(),
    );
    Ok(row(DRAWS, best, agreement))
}

/// Where the mean of random points of a mesh lies, by two rules.
struct Means {
    /// All ground is as likely: ours.
    by_area: [f64; 2],
    /// All tiles are as likely, and in a tile all ground: Detour's.
    by_tile: [f64; 2],
    /// How far the mesh reaches.
    size: [f64; 2],
}

impl Means {
    fn of(mesh: &NavMesh<'_>) -> Means {
        let (mut by_area, mut whole) = ([0.0; 2], 0.0);
        let (mut by_tile, mut tiles) = ([0.0; 2], 0.0);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for tile in mesh.tiles() {
            let (mut moment, mut area) = ([0.0; 2], 0.0);
            for polygon in tile.polygons {
                let corners: Vec<[f64; 2]> =
                    tile.edges_of(polygon).iter().map(|edge| tile.world(edge.vertex)).map(|[x, _, z]| [x, z]).collect();
                for corner in &corners {
                    low = [0, 1].map(|k| low[k].min(corner[k]));
                    high = [0, 1].map(|k| high[k].max(corner[k]));
                }
                for pair in corners[1..].windows(2) {
                    let (a, b, c) = (corners[0], pair[0], pair[1]);
                    let part = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0;
                    area += part;
                    moment = [0, 1].map(|k| moment[k] + part * (a[k] + b[k] + c[k]) / 3.0);
                }
            }
            if area > 0.0 {
                whole += area;
                by_area = [0, 1].map(|k| by_area[k] + moment[k]);
                tiles += 1.0;
                by_tile = [0, 1].map(|k| by_tile[k] + moment[k] / area);
            }
        }
        Means {
            by_area: by_area.map(|sum| sum / whole),
            by_tile: by_tile.map(|sum| sum / tiles),
            size: [0, 1].map(|k| high[k] - low[k]),
        }
    }
}

/// Detour's points may lie beyond the radius, by as much as a polygon reaches; ours never do.
fn around(mesh: &NavMesh<'_>, query: &mut Query<'_>, theirs: &Queries<'_>, starts: &[Place]) -> Result<Row, String> {
    let mut random = SplitMix64::new(2);
    let mut one = |place: &Nearest| query.find_random_around(mesh, &mut random, circle(place), &Filter::ALL);
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
