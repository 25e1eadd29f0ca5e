//! Sets of elements as sorted intervals: which elements of an image are current. It knows no
//! memory.

use std::ops::Range;

use smallvec::SmallVec;

use crate::section::Section;

/// Most sets are one interval, or two beside a halo, and take no allocation.
type Intervals = SmallVec<[Range<usize>; 2]>;

/// Disjoint, ascending, non-empty intervals with a gap between any two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Intervals);

impl Ranges {
    /// The elements `0..len`.
    pub fn all(len: usize) -> Self {
        Self((len > 0).then_some(0..len).into_iter().collect())
    }

    /// The elements of a box.
    pub fn of(section: &Section) -> Self {
        Self(union(&[], section.runs()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The intervals in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.0.iter().cloned()
    }

    /// The number of elements.
    pub fn n_elems(&self) -> usize {
        self.0.iter().map(ExactSizeIterator::len).sum()
    }

    /// Whether every element of a box is in the set.
    pub fn covers(&self, section: &Section) -> bool {
        let mut from = 0;
        section.runs().all(|run| {
            // Runs ascend, so the search never goes back.
            from += self.0[from..].partition_point(|range| range.end < run.end);
            self.0.get(from).is_some_and(|range| range.start <= run.start)
        })
    }

    /// Adds the elements of a box.
    pub fn add(&mut self, section: &Section) {
        if let Some(whole) = self.single(section) {
            self.0.clear();
            self.0.push(whole);
        } else if !self.covers(section) {
            self.0 = union(&self.0, section.runs());
        }
    }

    /// Takes the elements of a box away.
    pub fn remove(&mut self, section: &Section) {
        if self.single(section).is_some() {
            self.0.clear();
        } else if !self.is_empty() {
            self.0 = difference(self.0.iter().cloned(), section.runs());
        }
    }

    /// The elements of a box that are not in the set.
    pub fn missing(&self, section: &Section) -> Self {
        if self.covers(section) {
            return Self::default();
        }
        Self(difference(section.runs(), self.0.iter().cloned()))
    }

    /// The elements in both sets.
    pub fn common(&self, other: &Self) -> Self {
        let mut out = Intervals::new();
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let both = a.start.max(b.start)..a.end.min(b.end);
            if both.start < both.end {
                out.push(both);
            }
            let _ = if a.end <= b.end { left.next() } else { right.next() };
        }
        Self(out)
    }

    /// Adds the elements of another set.
    pub fn extend(&mut self, other: &Self) {
        self.0 = union(&self.0, other.0.iter().cloned());
    }

    /// The one interval of a box that holds the whole set.
    fn single(&self, section: &Section) -> Option<Range<usize>> {
        let all = section.offset()..section.end();
        let first = self.0.first().map_or(all.start, |range| range.start);
        let last = self.0.last().map_or(all.end, |range| range.end);
        (!all.is_empty() && section.is_contiguous() && all.start <= first && last <= all.end)
            .then_some(all)
    }
}

fn union(a: &[Range<usize>], b: impl Iterator<Item = Range<usize>>) -> Intervals {
    let mut out = Intervals::with_capacity(a.len() + b.size_hint().0);
    let mut push = |range: Range<usize>| match out.last_mut() {
        Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
        _ => out.push(range),
    };
    let (mut a, mut b) = (a.iter().cloned().peekable(), b.peekable());
    loop {
        let take_a = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.start <= y.start,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return out,
        };
        let next = if take_a { a.next() } else { b.next() };
        next.into_iter().for_each(&mut push);
    }
}

fn difference(
    a: impl Iterator<Item = Range<usize>>,
    b: impl Iterator<Item = Range<usize>>,
) -> Intervals {
    let mut out = Intervals::new();
    let mut push = |range: Range<usize>| match out.last_mut() {
        Some(last) if range.start == last.end => last.end = range.end,
        _ if range.is_empty() => {}
        _ => out.push(range),
    };
    let mut b = b.peekable();
    for mut range in a {
        while let Some(cut) = b.peek() {
            if cut.end <= range.start {
                b.next();
                continue;
            }
            if cut.start >= range.end {
                break;
            }
            push(range.start..cut.start.max(range.start));
            range.start = cut.end.min(range.end);
            if cut.end > range.end {
                break;
            }
        }
        push(range);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A box of a `6 x 9` array.
    fn section() -> impl Strategy<Value = Section> {
        (0..6_usize, 0..9_usize).prop_flat_map(|(j, i)| {
            (0..=6 - j, 0..=9 - i).prop_map(move |(h, w)| {
                let mut section = Section::whole(&[6, 9]);
                section.offset = j * 9 + i;
                section.shape[..2].copy_from_slice(&[h, w]);
                section
            })
        })
    }

    fn elements(section: &Section) -> BTreeSet<usize> {
        let (stride, shape) = (section.stride(), section.shape());
        let rows = 0..shape[0];
        rows.flat_map(|j| (0..shape[1]).map(move |i| (j, i)))
            .map(|(j, i)| section.offset() + j * stride[0] + i * stride[1])
            .collect()
    }

    fn contents(ranges: &Ranges) -> BTreeSet<usize> {
        let apart = ranges.0.windows(2).all(|pair| pair[0].end < pair[1].start);
        assert!(apart && ranges.iter().all(|range| !range.is_empty()), "{ranges:?}");
        ranges.iter().flatten().collect()
    }

    proptest! {
        #[test]
        fn like_sets_of_numbers(
            steps in prop::collection::vec((any::<bool>(), section()), 0..12),
            other in prop::collection::vec(section(), 0..4),
        ) {
            let (mut ranges, mut model) = (Ranges::default(), BTreeSet::new());
            for (add, section) in &steps {
                let touched = elements(section);
                prop_assert_eq!(ranges.covers(section), touched.is_subset(&model));
                prop_assert_eq!(contents(&ranges.missing(section)), &touched - &model);
                if *add {
                    ranges.add(section);
                    model.extend(touched);
                } else {
                    ranges.remove(section);
                    model = &model - &touched;
                }
                prop_assert_eq!(contents(&ranges), model.clone());
            }
            let mut more = Ranges::default();
            other.iter().for_each(|section| more.add(section));
            let others = contents(&more);
            prop_assert_eq!(contents(&ranges.common(&more)), &model & &others);
            for section in &other {
                prop_assert_eq!(contents(&Ranges::of(section)), elements(section));
            }
            ranges.extend(&more);
            prop_assert_eq!(contents(&ranges), &model | &others);
            prop_assert_eq!(ranges.n_elems(), (&model | &others).len());
        }

        #[test]
        fn boxes_overlap_exactly(a in section(), b in section()) {
            prop_assert_eq!(a.overlaps(&b), !elements(&a).is_disjoint(&elements(&b)));
        }
    }
}
