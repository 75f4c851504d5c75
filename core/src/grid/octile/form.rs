//! What a form of the search's memory does.

use super::Pair;
use super::search::Aim;

/// What is known of a node that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The cheapest way found.
    pub pair: Pair,
    /// The step of arrival, of [`STEPS`](crate::grid::STEPS); of no meaning for the start.
    pub arrival: usize,
    /// Whether it was expanded, and is final.
    pub is_closed: bool,
}

/// A node that comes out of those that wait, with its way as the form writes it.
#[derive(Clone, Copy, Debug)]
pub struct Popped<W> {
    /// The node.
    pub node: u32,
    /// The step of arrival.
    pub arrival: usize,
    /// Its way.
    pub way: W,
}

/// A node that is expanded.
#[derive(Clone, Copy, Debug)]
pub struct Parent<W> {
    /// The node.
    pub node: u32,
    /// Its way.
    pub way: W,
    /// Columns and rows past the goal.
    pub off: (i32, i32),
}

/// A record for each node, and the nodes that wait.
pub trait Form {
    /// How a way is written.
    type Way: Copy;

    /// The most nodes that can wait; as many as there are nodes never run out.
    fn capacity(&self) -> usize;
    /// Forgets all nodes.
    fn forget(&mut self);
    /// Forgets which nodes wait.
    fn forget_waiting(&mut self);
    /// What is known of a node; nothing of one that was not reached.
    fn reached(&self, node: u32) -> Option<Reached>;
    /// Notes what is known of a node.
    fn note(&mut self, node: u32, reached: Reached);
    /// Lets a node wait that was just noted; there must be room, and the first to wait must come first.
    fn wait(&mut self, aim: &Aim, node: u32, pair: Pair);
    /// Takes out the node that comes first, and closes it.
    fn pop(&mut self, aim: &Aim) -> Option<Popped<Self::Way>>;
    /// Looks at steps from a node, which was popped last, in their order: each is a bit, and leads to what `offsets` adds.
    /// `false` when there is no room for those that shall wait.
    fn expand(&mut self, aim: &Aim, offsets: &[i32; 8], parent: Parent<Self::Way>, steps: u8) -> bool;
}
