//! Shortest paths against the `polyanya` crate, on one and the same mesh: ours, its polygons handed over.
//!
//! The crate knows one layer of ground seen from above. So the levels are whole, and only pairs are asked whose ends lie
//! under no other polygon; the ways between them may lead over and under each other.

use std::path::Path;

use navarena::memory::Arena;
use navarena::mesh::view::{NO_NEIGHBOR, TileView};
use navarena::mesh::{NavMesh, PolyRef};
use navarena::query::{Filter, PathEnd, Query, random_point};
use navarena_tests::ours::{self, Rules, Workshop};
use navarena_tests::recast::{LEVELS, Tiling, settings};
use polyanya::{Coords, Mesh, Polygon, Vertex};

use crate::clock::{Rounds, alternate};
use crate::table::{Agreement, Row};

const ROUNDS: Rounds = Rounds { warm_up: 5, timed: 40 };
/// Pairs of random places.
const PAIRS: usize = 1000;
/// How far lengths may differ, as a share: the crate computes in 32 bits.
const CLOSE: f64 = 1e-3;

/// Ours and theirs of one end.
type End = (PolyRef, [f64; 3], Coords);

/// The rows of the three levels alone, each whole.
pub fn of_levels(data: &Path) -> Result<Vec<Row>, String> {
    let mut all = Vec::new();
    for facts in &LEVELS {
        let level = facts.load(data)?;
        let mut shop = Workshop::new(&level, &settings(&level, Tiling::Whole), Rules::Recast).map_err(text)?;
        let named = |row: Row| Row { name: format!("{}, {} whole", row.name, facts.name), ..row };
        all.extend(shop.bake(|mesh, _| rows(mesh)).map_err(text)??.into_iter().map(named));
    }
    Ok(all)
}

/// The rows of a mesh of one tile: of the pairs that have a way, and of those that have none.
///
/// They are two questions. Where there is no way, the crate says so, by the islands it was made with; ours goes on to
/// the place that is closest to the goal of all that can be reached, and gives the way there.
pub fn rows(mesh: &NavMesh<'_>) -> Result<[Row; 2], String> {
    let tile = mesh.tiles().next().ok_or("a mesh without a tile")?;
    let theirs = handed_over(&tile)?;
    let mut memory = ours::region(ours::Paths::DEF.plan());
    let mut query = Query::new(&ours::Paths::DEF, &mut Arena::new(&mut memory)).map_err(text)?;
    let mut ask = |[from, to]: &[End; 2]| -> Result<Option<f64>, String> {
        let (start, goal) = ((from.0, from.1), (to.0, to.1));
        let found = query.find_shortest_path_between(mesh, start.0, start.1, goal.0, goal.1, &Filter::ALL);
        let found = found.map_err(text)?;
        let steps = query.path().points().windows(2);
        let on_the_ground = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]);
        let length = steps.map(|pair| on_the_ground(pair[0].position, pair[1].position)).sum();
        Ok((found.end == PathEnd::Found).then_some(length))
    };
    let their_answer = |[from, to]: &[End; 2]| theirs.path(from.2, to.2).map(|path| f64::from(path.length));
    let (mut joined, mut apart) = (Vec::new(), Vec::new());
    for pair in pairs(mesh, &tile, &theirs) {
        let (ours, theirs) = (ask(&pair)?, their_answer(&pair));
        let side = if ours.is_some() || theirs.is_some() { &mut joined } else { &mut apart };
        side.push((pair, ours, theirs));
    }
    let mut row = |name: &str, asked: &[([End; 2], Option<f64>, Option<f64>)], answers: Agreement| {
        let best = alternate(
            ROUNDS,
            || asked.iter().filter(|(pair, ..)| ask(pair).is_ok_and(|length| length.is_some())).count(),
            || asked.iter().filter(|(pair, ..)| their_answer(pair).is_some()).count(),
        );
        let microseconds = |time: std::time::Duration| time.as_secs_f64() * 1e6 / asked.len().max(1) as f64;
        let name = format!("{name} against polyanya");
        Row { name, unit: "us", ours: microseconds(best.ours), theirs: microseconds(best.theirs), answers }
    };
    let answers = same_lengths(&joined);
    let none = Agreement::Agree(format!("{} pairs; ours lead to the closest place", apart.len()));
    Ok([row("shortest path", &joined, answers), row("no path", &apart, none)])
}

/// A way that is shorter than theirs on the same mesh is not a wrong one: the oracles of the tests judge ours.
fn same_lengths(asked: &[([End; 2], Option<f64>, Option<f64>)]) -> Agreement {
    let (mut found, mut same, mut longer, mut shorter) = (0, 0, 0, 0);
    for (_, ours, theirs) in asked {
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            found += 1;
            let apart = (ours - theirs) / theirs.max(1.0);
            longer += usize::from(apart > CLOSE);
            shorter += usize::from(apart < -CLOSE);
            same += usize::from(apart.abs() <= CLOSE);
        }
    }
    let how = format!("{same} of {} the same, {found} found by both, {shorter} shorter, {longer} longer", asked.len());
    let agrees = longer == 0 && same as f64 >= 0.98 * asked.len() as f64;
    if agrees { Agreement::Agree(how) } else { Agreement::Differ(how) }
}

fn text(error: navarena::error::Error) -> String {
    error.to_string()
}

/// Pairs of random places under which and over which nothing else lies.
fn pairs(mesh: &NavMesh<'_>, tile: &TileView<'_>, theirs: &Mesh) -> Vec<[End; 2]> {
    let mut random = navarena::math::SplitMix64::new(1);
    let mut end = || {
        let drawn = random_point(mesh, &mut random, &Filter::ALL)?;
        let [x, _, z] = drawn.point;
        let is_alone = (0..tile.polygons.len()).filter(|&polygon| holds(tile, polygon, [x, z])).count() == 1;
        let located = theirs.get_point_layer(glam_point([x, z]));
        let coords = located.first().copied().filter(|_| is_alone && located.len() == 1)?;
        Some((drawn.polygon, drawn.point, coords))
    };
    let mut pairs = Vec::new();
    // A level with hardly any such place gives fewer pairs.
    for _ in 0..8 * PAIRS {
        if pairs.len() < PAIRS
            && let (Some(from), Some(to)) = (end(), end())
        {
            pairs.push([from, to]);
        }
    }
    pairs
}

fn glam_point([x, z]: [f64; 2]) -> glam::Vec2 {
    glam::Vec2::new(x as f32, z as f32)
}

/// Whether a polygon's outline holds a point, its boundary included and a little more: 32 bits may put it there.
fn holds(tile: &TileView<'_>, polygon: usize, [x, z]: [f64; 2]) -> bool {
    let edges = tile.edges_of(&tile.polygons[polygon]);
    (0..edges.len()).all(|at| {
        let [a, b] = [at, (at + 1) % edges.len()].map(|at| tile.world(edges[at].vertex));
        (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]) >= -1e-2
    })
}

/// A tile's polygons as the crate wants them.
fn handed_over(tile: &TileView<'_>) -> Result<Mesh, String> {
    let vertices = (0..tile.vertices.len() as u16).map(|vertex| {
        let [x, _, z] = tile.world(vertex);
        Vertex::new(glam_point([x, z]), around(tile, vertex))
    });
    let polygons = tile.polygons.iter().map(|polygon| {
        let edges = tile.edges_of(polygon);
        let ways = edges.iter().filter(|edge| edge.neighbor != NO_NEIGHBOR).count();
        Polygon::new(edges.iter().map(|edge| edge.vertex.into()).collect(), ways == 1)
    });
    Mesh::new(vertices.collect(), polygons.collect()).map_err(|error| error.to_string())
}

/// The polygons around a vertex, counter-clockwise, with the greatest number where there is none.
fn around(tile: &TileView<'_>, vertex: u16) -> Vec<u32> {
    // The polygons on which the vertex is a corner, each with the neighbours over the edge that leads to it and over the
    // one that leads on.
    let corners: Vec<(u32, u32, u32)> = tile
        .polygons
        .iter()
        .enumerate()
        .filter_map(|(index, polygon)| {
            let edges = tile.edges_of(polygon);
            let at = edges.iter().position(|edge| edge.vertex == vertex)?;
            Some((index as u32, edges[(at + edges.len() - 1) % edges.len()].neighbor, edges[at].neighbor))
        })
        .collect();
    let next = |polygon: u32| corners.iter().find(|corner| corner.0 == polygon).map(|corner| corner.1);
    let mut listed = Vec::new();
    let is_first = |corner: &&(u32, u32, u32)| corner.2 == NO_NEIGHBOR;
    let mut starts: Vec<u32> = corners.iter().filter(is_first).map(|corner| corner.0).collect();
    let is_closed = starts.is_empty();
    starts.extend(corners.first().filter(|_| is_closed).map(|corner| corner.0));
    for start in starts {
        let mut at = start;
        // No vertex has more corners than there are.
        for _ in 0..corners.len() {
            listed.push(at);
            match next(at) {
                Some(other) if other != NO_NEIGHBOR && other != start => at = other,
                _ => break,
            }
        }
        if !is_closed {
            listed.push(u32::MAX);
        }
    }
    listed
}
