//! A crew of threads for the hash matrix.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use navarena_matrix::Crew;

/// Threads that take the next part each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads(usize);

impl Threads {
    /// So many threads; as many as the machine runs at once for 0.
    pub fn new(count: usize) -> Threads {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        Threads(if count == 0 { all() } else { count })
    }
}

impl Crew for Threads {
    fn workers(&self) -> usize {
        self.0
    }

    fn share(&self, count: usize, part: &(dyn Fn(usize) -> Vec<u8> + Sync)) -> Vec<Vec<u8>> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); count]));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return;
                }
                let result = part(number);
                done.lock().expect("no part panics")[number] = result;
            }
        };
        std::thread::scope(|scope| (0..self.0).for_each(|_| drop(scope.spawn(work))));
        done.into_inner().expect("no part panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_in_their_order() {
        let part = |number: usize| vec![number as u8; number];
        assert_eq!(Threads::new(4).share(50, &part), (0..50).map(part).collect::<Vec<_>>());
        assert!(Threads::new(0).workers() >= 1);
    }
}
