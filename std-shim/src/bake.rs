//! Baking on several threads: a baker a thread, one tile index for all, and the same file for any number of them.

use crate::failure::{Failure, Outcome};
use navarena::build3d::{BakeInput, IslandRule, TileRange};
use navarena::mesh::{NavSettings, OffMeshLinkDef};
use navarena_alloc::{Baked, BakedTile, Source, TileBaker, with_index};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// What to bake with.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What shapes the mesh.
    pub settings: &'a NavSettings,
    /// The authored off-mesh links.
    pub links: &'a [OffMeshLinkDef],
    /// When small islands are dropped.
    pub islands: IslandRule,
    /// Threads, at least 1; more than there are tiles are not started.
    pub threads: usize,
}

/// Tiles and what baking them took.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The tiles in row-major order and what was counted.
    pub baked: Baked,
    /// The tiles of the level's range, with and without something to walk on.
    pub places: usize,
    /// The threads that baked.
    pub threads: usize,
    /// The most work memory in use at once, all threads together, in bytes.
    pub memory: usize,
}

/// Bakes every tile of an input. `progress` is told how many tiles are done, from any thread.
///
/// Tiles are handed out in row-major order and put together in it, so the result does not depend on the threads. A
/// refusal is that of the first tile, in that order, that was refused.
pub fn bake(input: &BakeInput<'_>, job: Job<'_>, progress: impl Fn(usize, usize) + Sync) -> Outcome<Done> {
    with_index(input, job.settings, &Source::Global, |input, range| match range {
        Some(range) => bake_range(input, job, range, progress),
        None => Ok(Done { threads: 1, ..Done::default() }),
    })
}

/// A tile and its place in the order.
type Placed<T> = (usize, T);

fn bake_range(
    input: &BakeInput<'_>,
    job: Job<'_>,
    range: TileRange,
    progress: impl Fn(usize, usize) + Sync,
) -> Outcome<Done> {
    let places = range.count();
    let threads = job.threads.clamp(1, places);
    let (next, done, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let work = || -> (Vec<Placed<BakedTile>>, usize, Option<Placed<Failure>>) {
        let mut tiles = Vec::new();
        let mut baker = match TileBaker::new(&Source::Global) {
            Ok(baker) => baker.with_islands(job.islands),
            Err(error) => return (tiles, 0, Some((0, Failure::from(error)))),
        };
        // Whoever takes a tile finishes it: every tile before one that was refused is done as well.
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= places {
                break;
            }
            let (x, z) = range.tile(index);
            match baker.bake(input, job.settings, job.links, (x, z)) {
                Ok(tile) => tiles.push((index, tile)),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    let failure = Failure::Refused { what: format!("tile {x}, {z}"), error };
                    return (tiles, baker.high_water(), Some((index, failure)));
                }
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, places);
        }
        (tiles, baker.high_water(), None)
    };
    let results: Vec<_> = thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = handles.into_iter().map(|handle| handle.join().expect("a baking thread does not panic"));
        std::iter::once(own).chain(others.collect::<Vec<_>>()).collect()
    });
    let mut tiles = Vec::with_capacity(places);
    let mut refusals = Vec::new();
    let mut memory = 0;
    for (baked, high_water, refusal) in results {
        tiles.extend(baked);
        refusals.extend(refusal);
        memory += high_water;
    }
    if let Some((_, failure)) = refusals.into_iter().min_by_key(|(index, _)| *index) {
        return Err(failure);
    }
    tiles.sort_by_key(|(index, _)| *index);
    let mut baked = Baked::default();
    tiles.into_iter().for_each(|(_, tile)| baked.push(tile));
    Ok(Done { baked, places, threads, memory })
}
