//! The list of the nodes of a pipeline, whose memory a thread keeps for its next one: a list that grows
//! copies what it has, and a page that is met anew takes as long as several nodes. It knows nothing of
//! what nodes do.

use std::cell::RefCell;
use std::mem;
use std::ops::{Deref, DerefMut};

use super::node::Node;

/// From so many nodes on a list takes what its thread keeps, and the arguments of those to come lie together.
pub(super) const SOME: usize = 16;
/// From so many on it grows to so many times its length, and they do so in large blocks.
pub(super) const MANY: usize = 1 << 15;
/// A list has room for so many times its nodes at most.
const GROWTH: usize = 8;
/// The most bytes that a thread keeps.
const MOST_BYTES: usize = 1 << 20;

thread_local! {
    /// The largest list without nodes that may be kept.
    static KEPT: RefCell<Vec<Node<'static>>> = const { RefCell::new(Vec::new()) };
}

/// Calls `change` with what this thread keeps; not where the thread is ending.
fn with<T>(change: impl FnOnce(&mut Vec<Node<'static>>) -> T) -> Option<T> {
    KEPT.try_with(|kept| kept.try_borrow_mut().ok().map(|mut kept| change(&mut kept))).ok()?
}

/// The nodes of a pipeline.
#[derive(Debug, Default)]
pub(crate) struct NodeList<'a>(Vec<Node<'a>>);

impl<'a> NodeList<'a> {
    /// Adds a node, which is made in its place from its number.
    #[inline(always)]
    pub(super) fn add(&mut self, node: impl FnOnce(usize) -> Node<'a>) -> usize {
        let at = self.0.len();
        if at == self.0.capacity() {
            self.grow();
        }
        self.0.extend(std::iter::once_with(|| node(at)));
        at
    }

    /// Makes room for more nodes: for one, for as many as a list of this thread had if those are not too many,
    /// for twice as many as there are, and of many for many times as many. Room that is not used costs
    /// nothing then, nodes are seldom moved, and the pages of those to come are large.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let n = self.0.len();
        let mut more = Vec::new();
        if n == 0 {
            // Most of those that are written out have one stage, and a node is large.
            self.0.reserve_exact(1);
        } else if (SOME..MANY).contains(&n) {
            let fits = |kept: &mut Vec<_>| (n + 1..=GROWTH * n).contains(&kept.capacity());
            more = emptied(
                with(|kept| fits(kept).then(|| mem::take(kept))).flatten().unwrap_or_default(),
            );
        } else if n >= MANY && more.try_reserve_exact(GROWTH * n).is_ok() {
            crate::host::advise(more.spare_capacity_mut());
        }
        if more.capacity() > n {
            more.append(&mut self.0);
            self.0 = more;
        }
    }
}

impl Drop for NodeList<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.0.capacity() > SOME {
            keep(mem::take(&mut self.0));
        }
    }
}

/// A list without nodes, of another lifetime, in the memory of one.
fn emptied<'a>(nodes: Vec<Node<'_>>) -> Vec<Node<'a>> {
    nodes.into_iter().map_while(|_| None).collect()
}

/// Keeps the memory of a list for the next one of this thread, if it has more than what is kept.
#[inline(never)]
fn keep(mut nodes: Vec<Node<'_>>) {
    // The last handle to an array may go with these: before anything is borrowed here.
    nodes.clear();
    if nodes.capacity() * size_of::<Node<'_>>() > MOST_BYTES {
        return;
    }
    let mut nodes = emptied(nodes);
    with(|kept| {
        if kept.capacity() < nodes.capacity() {
            mem::swap(kept, &mut nodes);
        }
    });
}

impl<'a> Deref for NodeList<'a> {
    type Target = Vec<Node<'a>>;

    #[inline]
    fn deref(&self) -> &Vec<Node<'a>> {
        &self.0
    }
}

impl<'a> DerefMut for NodeList<'a> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<Node<'a>> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::buffer::Buffer;
    use crate::movable::Whole;
    use crate::pipeline::{Kind, MoveNode, Place, Work};

    fn fill(list: &mut NodeList<'_>, n: usize, x: &Buffer<u32>) {
        for _ in 0..n {
            let site = std::panic::Location::caller();
            let array = Box::new(x.whole());
            let work = Work::Move(MoveNode { array, to: Place::Host, site, fault: None });
            list.add(|at| Node::new(at, Kind::Leaf, work));
        }
    }

    #[test]
    fn the_memory_of_a_list_is_kept_for_the_next_one_of_its_thread() {
        let x = Buffer::<u32>::zeros(1);
        let users = || Arc::strong_count(&x.allocation);
        let of = |n: usize| {
            let before = users();
            let mut list = NodeList::default();
            fill(&mut list, n, &x);
            assert_eq!((list.len(), users()), (n, before + n));
            assert!(list.iter().enumerate().all(|(at, node)| node.end() == at + 1));
            let memory = (list.as_ptr().cast::<u8>(), list.capacity());
            drop(list);
            assert_eq!(users(), before);
            memory
        };
        let first = of(100);
        assert_eq!(of(SOME + 1), first);
        assert!(first.1 <= GROWTH * SOME);
        // A short one does not take it, and two at once do not share it.
        assert_ne!(of(SOME), first);
        let mut other = NodeList::default();
        fill(&mut other, SOME + 1, &x);
        assert_eq!((other.as_ptr().cast(), other.capacity()), first);
        assert_ne!(of(SOME + 1), first);
        drop(other);
        // The larger of two stays.
        assert_eq!(of(SOME + 1), first);
        let larger = of(first.1 + 1);
        assert!(larger.1 > first.1);
        assert_eq!(of(50), larger);
        // One that is much too large for few is left to others.
        let largest = of(GROWTH * larger.1);
        assert!(of(SOME + 1).1 <= GROWTH * SOME);
        assert_eq!(of(largest.1), largest);
        // No more than was said.
        let many = MOST_BYTES / size_of::<Node<'_>>() + 1;
        assert!(of(many).1 >= many);
        assert!(with(|kept| kept.capacity()).is_some_and(|kept| kept < many));
    }

    #[test]
    fn a_list_that_another_thread_drops_is_kept_there() {
        let x = Buffer::<u32>::zeros(1);
        let mut list = NodeList::default();
        fill(&mut list, 100, &x);
        let there = std::thread::spawn(move || {
            drop(list);
            with(|kept| kept.capacity())
        });
        assert!(there.join().expect("no panic").is_some_and(|kept| kept >= 100));
        assert_eq!(with(|kept| kept.capacity()), Some(0));
        assert_eq!(Arc::strong_count(&x.allocation), 1);
    }
}
