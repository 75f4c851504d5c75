//! The memory of path searches: a few contexts kept for the next calls, each used by one call at a time.

use crate::block::{Block, Source};
use crate::grow::doubled;
use crate::path::{Path, PathOptions};
use alloc::boxed::Box;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};
use crossbeam_queue::ArrayQueue;
use navarena::error::Result;
use navarena::memory::Arena;
use navarena::mesh::NavMesh;
use navarena::query::{NodeModel, Query, QueryDef};
use self_cell::{MutBorrow, self_cell};

self_cell!(
    struct Context {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: Query,
    }
);

/// Which way is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The cheapest, by the options' node model.
    Cheapest,
    /// The shortest seen from above.
    Shortest,
}

/// Contexts that wait for a search. A thread takes one out, uses it alone, and lays it back; with none there it makes
/// its own. Nothing waits for anything.
#[derive(Debug)]
pub(crate) struct Searches {
    waiting: ArrayQueue<Box<Waiting>>,
    source: Source,
    // Only hints: any values give the same paths, by way of growing again.
    nodes: AtomicU32,
    places: AtomicU32,
}

struct Waiting {
    def: QueryDef,
    context: Context,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting").field("def", &self.def).finish_non_exhaustive()
    }
}

/// Contexts that are kept; more threads than this at once make some anew.
const KEPT: usize = 16;
/// The bound of a query's limits.
const MOST: u32 = 1 << 20;

impl Searches {
    pub(crate) fn new(source: &Source) -> Searches {
        Searches::with_room(source, 1024, 128)
    }

    /// Searches that begin with so many nodes, and polygons and points of a path.
    pub(crate) fn with_room(source: &Source, nodes: u32, places: u32) -> Searches {
        Searches {
            waiting: ArrayQueue::new(KEPT),
            source: *source,
            nodes: AtomicU32::new(nodes),
            places: AtomicU32::new(places),
        }
    }

    /// Finds a path with limits that grow until none was in its way.
    pub(crate) fn find_path(
        &self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        options: &PathOptions,
        way: Way,
    ) -> Result<Path> {
        let mut waiting = self.take(options.model)?;
        loop {
            let search = |_: &MutBorrow<Block>, query: &mut Query<'_>| -> Result<Path> {
                match way {
                    Way::Cheapest => {
                        query.find_path_within(mesh, start, goal, options.half_extents, &options.filter)?;
                    }
                    Way::Shortest => {
                        query.find_shortest_path_within(mesh, start, goal, options.half_extents, &options.filter)?;
                    }
                }
                Ok(Path::copy(&query.path()))
            };
            let path = waiting.context.with_dependent_mut(search)?;
            let outcome = path.outcome();
            let mut def = waiting.def;
            if outcome.node_limit_reached {
                def.nodes = doubled(def.nodes, MOST).unwrap_or(MOST);
            }
            if outcome.corridor_truncated || outcome.points_truncated {
                def.corridor = doubled(def.corridor, MOST).unwrap_or(MOST);
                def.points = def.corridor;
            }
            if def == waiting.def {
                self.keep(waiting);
                return Ok(path);
            }
            drop(waiting);
            waiting = self.make(def)?;
        }
    }

    /// Lends a context for one call's questions.
    pub(crate) fn with<R>(&self, ask: impl FnOnce(&mut Query<'_>) -> R) -> Result<R> {
        let mut waiting = self.take(NodeModel::default())?;
        let answer = waiting.context.with_dependent_mut(|_, query| ask(query));
        self.keep(waiting);
        Ok(answer)
    }

    fn take(&self, model: NodeModel) -> Result<Box<Waiting>> {
        let def = QueryDef {
            nodes: self.nodes.load(Ordering::Relaxed),
            corridor: self.places.load(Ordering::Relaxed),
            points: self.places.load(Ordering::Relaxed),
            model,
            ..QueryDef::DEFAULT
        };
        match self.waiting.pop().filter(|waiting| waiting.def == def) {
            Some(waiting) => Ok(waiting),
            None => self.make(def),
        }
    }

    fn make(&self, def: QueryDef) -> Result<Box<Waiting>> {
        let block = Block::new(&self.source, def.plan().bytes)?;
        let context = Context::try_new(MutBorrow::new(block), |block| {
            Query::new(&def, &mut Arena::new(block.borrow_mut().grains()))
        })?;
        Ok(Box::new(Waiting { def, context }))
    }

    fn keep(&self, waiting: Box<Waiting>) {
        self.nodes.fetch_max(waiting.def.nodes, Ordering::Relaxed);
        self.places.fetch_max(waiting.def.corridor, Ordering::Relaxed);
        // With enough kept already this one goes.
        drop(self.waiting.push(waiting));
    }
}
