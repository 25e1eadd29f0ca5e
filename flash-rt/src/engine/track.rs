//! Who has to wait for whom: for each allocation the nodes that last wrote and read its elements,
//! by exact ranges. It knows numbers of nodes, nothing of what they do.

mod boxes;

use self::boxes::Boxes;
use super::missing::{Edge, Missing, Side};
use crate::access::Mode;
use crate::section::Section;

/// No node.
const NONE: u32 = u32::MAX;

/// The nodes that one has to wait for, found so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) nodes: Vec<u32>,
    /// Those of them that it does not only overwrite something for.
    pub(super) strong: Vec<u32>,
    /// What is not looked for, in tests of tests.
    pub(super) without: Option<Without>,
}

/// What is not looked for, and what tells it from the rest.
#[derive(Debug)]
pub(super) struct Without {
    pub(super) missing: Missing,
    /// What the nodes are, by their number modulo how many there are.
    pub(super) sides: Vec<Side>,
    /// What the node is whose accesses are noted, and whether they stand for the order of tasks.
    pub(super) to: Side,
    pub(super) tasks: bool,
}

impl Without {
    fn has(&self, node: u32, edge: Edge) -> bool {
        let from = self.sides[node as usize % self.sides.len()];
        let edge = if self.tasks { Edge::Tasks } else { edge };
        self.missing.has(edge, from, self.to)
    }
}

impl Found {
    #[inline]
    fn push(&mut self, node: u32, edge: Edge) {
        if node != NONE && !self.without.as_ref().is_some_and(|without| without.has(node, edge)) {
            self.nodes.push(node);
            if edge != Edge::WriteAfterRead {
                self.strong.push(node);
            }
        }
    }
}

/// The state of one allocation.
#[derive(Debug)]
pub(super) enum Track {
    /// Accesses are intervals: a list of disjoint segments.
    Segments(Segments),
    /// Some are boxes with gaps.
    Boxes(Boxes),
}

/// The states of those of a pipeline's allocations, by their number, that were touched so far.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    /// Where each of them is in `all`.
    places: Vec<u32>,
    all: Vec<(u32, Track)>,
    /// Memory of those forgotten.
    spare: Vec<Segments>,
}

impl Tracks {
    /// Becomes those of so many allocations, after it was [`clear`](Self::clear)ed.
    pub(super) fn prepare(&mut self, n: usize) {
        self.places.clear();
        self.places.resize(n, NONE);
    }

    /// How many allocations it has memory for.
    pub(super) fn size(&self) -> usize {
        let segments: usize = self.spare.iter().map(|one| one.list.capacity()).sum();
        segments.max(self.places.capacity())
    }

    /// Forgets all that was touched.
    pub(super) fn clear(&mut self) {
        for (array, track) in self.all.drain(..) {
            self.places[array as usize] = NONE;
            if let Track::Segments(segments) = track {
                self.spare.push(segments);
            }
        }
    }

    /// The state of one, which has `len` elements and is touched by intervals only, or not.
    #[inline]
    pub(super) fn of(&mut self, array: u32, len: usize, intervals: bool) -> &mut Track {
        let place = &mut self.places[array as usize];
        if *place == NONE {
            *place = self.all.len() as u32;
            let track = match intervals.then(|| self.spare.pop()).flatten() {
                Some(mut segments) => {
                    segments.reset(len);
                    Track::Segments(segments)
                }
                None => Track::new(len, intervals),
            };
            self.all.push((array, track));
        }
        &mut self.all[*place as usize].1
    }
}

impl Track {
    /// For an array of `len` elements that is touched by intervals only, or not.
    pub(super) fn new(len: usize, intervals: bool) -> Self {
        if intervals { Self::Segments(Segments::new(len)) } else { Self::Boxes(Boxes::default()) }
    }

    /// Notes an access and finds what it has to wait for. The reads of a node come before its
    /// writes.
    pub(super) fn access(&mut self, section: &Section, mode: Mode, node: u32, found: &mut Found) {
        if section.is_empty() {
            return;
        }
        match self {
            Self::Segments(segments) => match mode {
                Mode::Read => segments.read(section.offset(), section.end(), node, found),
                Mode::Write => segments.write(section.offset(), section.end(), node, found),
            },
            Self::Boxes(boxes) => boxes.access(section, mode, node, found),
        }
    }
}

/// A run of elements with the same history.
#[derive(Clone, Copy, Debug)]
struct Segment {
    start: usize,
    end: usize,
    writer: u32,
    /// The last of a list of readers since then.
    readers: u32,
}

/// Segments that cover an array, ascending.
#[derive(Debug)]
pub(super) struct Segments {
    list: Vec<Segment>,
    /// Lists of readers, each cell with the one before it. Segments that were one share them.
    readers: Vec<(u32, u32)>,
    cursor: usize,
}

impl Segments {
    fn new(len: usize) -> Self {
        let mut segments = Self { list: Vec::new(), readers: Vec::new(), cursor: 0 };
        segments.reset(len);
        segments
    }

    /// As new.
    fn reset(&mut self, len: usize) {
        self.list.clear();
        self.list.push(Segment { start: 0, end: len.max(1), writer: NONE, readers: NONE });
        self.readers.clear();
        self.cursor = 0;
    }

    /// The segment of an element; accesses of neighbours follow each other.
    fn find(&mut self, at: usize) -> usize {
        for k in [self.cursor, self.cursor + 1] {
            if self.list.get(k).is_some_and(|s| s.start <= at && at < s.end) {
                self.cursor = k;
                return k;
            }
        }
        self.cursor = self.list.partition_point(|s| s.end <= at);
        self.cursor
    }

    /// Makes `at` a border and returns the segment that starts there, or the end.
    fn cut(&mut self, at: usize) -> usize {
        let k = self.find(at);
        match self.list.get_mut(k) {
            Some(segment) if segment.start < at => {
                let rest = Segment { start: at, ..*segment };
                segment.end = at;
                self.list.insert(k + 1, rest);
                k + 1
            }
            _ => k,
        }
    }

    fn read(&mut self, start: usize, end: usize, node: u32, found: &mut Found) {
        let mut k = self.cut(start);
        while k < self.list.len() && self.list[k].start < end {
            if self.list[k].end > end {
                self.cut(end);
            }
            let segment = &mut self.list[k];
            found.push(segment.writer, Edge::ReadAfterWrite);
            let known = self.readers.get(segment.readers as usize);
            if known.is_none_or(|(reader, _)| *reader != node) {
                self.readers.push((node, segment.readers));
                segment.readers = (self.readers.len() - 1) as u32;
            }
            k += 1;
        }
    }

    fn write(&mut self, start: usize, end: usize, node: u32, found: &mut Found) {
        let first = self.cut(start);
        let mut k = first;
        while k < self.list.len() && self.list[k].start < end {
            if self.list[k].end > end {
                self.cut(end);
            }
            let segment = self.list[k];
            let mut at = segment.readers;
            let mut alone = true;
            while let Some(&(reader, before)) = self.readers.get(at as usize) {
                if reader != node {
                    found.push(reader, Edge::WriteAfterRead);
                    alone = false;
                }
                at = before;
            }
            // Readers have waited for the writer already.
            if alone || found.without.is_some() {
                found.push(segment.writer, Edge::WriteAfterWrite);
            }
            k += 1;
        }
        if let Some(segment) = self.list.get_mut(first) {
            *segment = Segment { start, end, writer: node, readers: NONE };
            self.list.drain(first + 1..k.max(first + 1));
            self.cursor = first;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Step = (usize, usize, bool);

    fn ordered(steps: &[Vec<Step>], intervals: bool) -> Vec<Vec<bool>> {
        let mut track = Track::new(64, intervals);
        let mut before = vec![vec![false; steps.len()]; steps.len()];
        let mut found = Found::default();
        for (node, accesses) in steps.iter().enumerate() {
            found.nodes.clear();
            for wanted in [false, true] {
                for &(start, len, write) in accesses.iter().filter(|a| a.2 == wanted) {
                    let mode = if write { Mode::Write } else { Mode::Read };
                    let section = Section::of_range(&(start..start + len));
                    track.access(&section, mode, node as u32, &mut found);
                }
            }
            for &other in &found.nodes {
                let other = other as usize;
                assert!(other <= node);
                if other < node {
                    let (known, rest) = before.split_at_mut(node);
                    rest[0].iter_mut().zip(&known[other]).for_each(|(a, b)| *a |= b);
                    rest[0][other] = true;
                }
            }
        }
        before
    }

    proptest! {
        #[test]
        fn conflicts_are_ordered_and_nothing_else_is_asked_for(
            steps in prop::collection::vec(
                prop::collection::vec((0..40_usize, 1..12_usize, any::<bool>()), 1..4), 1..14),
        ) {
            let conflict = |a: &[Step], b: &[Step]| {
                a.iter().any(|x| b.iter().any(|y| {
                    (x.2 || y.2) && x.0 < y.0 + y.1 && y.0 < x.0 + x.1
                }))
            };
            // The order that all conflicts ask for.
            let mut wanted = vec![vec![false; steps.len()]; steps.len()];
            for later in 0..steps.len() {
                for earlier in 0..later {
                    if conflict(&steps[earlier], &steps[later]) {
                        let (known, rest) = wanted.split_at_mut(later);
                        rest[0].iter_mut().zip(&known[earlier]).for_each(|(a, b)| *a |= b);
                        rest[0][earlier] = true;
                    }
                }
            }
            prop_assert_eq!(&ordered(&steps, true), &wanted);
            prop_assert_eq!(&ordered(&steps, false), &wanted);
        }
    }
}
