//! The elements of items around an interior, where the guards of a body are asked: which items have
//! one of each array is found once for all lines of a plane. Each element is looked up in a row that
//! was checked. It does not say what an item does.

use super::array::{Input, Own, zero};
use super::lin::{Interior, Lin};
use super::window::{Window, blank};
use crate::pod::Pod;

/// Where one access of the items of a plane finds its elements.
#[derive(Clone, Copy, Debug)]
pub struct Edge<const D: usize> {
    /// The first item of each line.
    lo: usize,
    /// The items and the lines that have an element.
    items: (usize, usize),
    lines: (usize, usize),
    index: [Lin; D],
    /// 1 for the components that grow from line to line.
    moves: [usize; D],
}

#[allow(clippy::needless_range_loop, reason = "indices of arrays become straight code")]
impl<const D: usize> Edge<D> {
    /// The access `index` of the lines from item `lo` on, whose elements are there for so many
    /// `items` of so many `lines`.
    #[inline(always)]
    pub fn new(
        lo: usize,
        items: Interior,
        lines: Interior,
        index: [Lin; D],
        moves: [usize; D],
    ) -> Self {
        Self { lo, items: items.range(lo), lines: lines.range(0), index, moves }
    }

    /// The first item that has an element.
    #[inline(always)]
    pub fn first(&self) -> usize {
        self.items.0
    }

    /// How many items have one.
    #[inline(always)]
    fn n(&self) -> usize {
        self.items.1 - self.items.0
    }

    /// Whether all items before `hi` have one.
    #[inline(always)]
    pub fn is_whole(&self, hi: usize) -> bool {
        self.items.0 == self.lo && self.items.1 == hi
    }

    /// The index of the first item of a line that has an element.
    #[inline(always)]
    pub fn index(&self, line: usize) -> [usize; D] {
        let mut index = [0; D];
        for d in 0..D {
            let at = if self.moves[d] == 0 { self.items.0 } else { line };
            index[d] = Interior::at(self.index[d], at);
        }
        index
    }

    /// `lines`, if all of those from `line` on have elements, and the items of an interior do.
    #[inline(always)]
    fn there(&self, line: usize, lines: usize, (start, end): (usize, usize)) -> usize {
        let items = self.items.0 <= start && end <= self.items.1;
        let found = self.lines.0 <= line && line <= self.lines.1 && lines <= self.lines.1 - line;
        if items && found { lines } else { 0 }
    }

    /// The elements of the `lines` lines from one on; no rows unless those of an interior are there.
    #[inline(always)]
    pub fn window<'s, T: Pod>(
        &self,
        array: &Input<'s, T, D>,
        line: usize,
        lines: usize,
        interior: (usize, usize),
    ) -> Window<'s, T> {
        let lines = self.there(line, lines, interior);
        array.window(self.index(line), self.moves, self.n(), lines)
    }

    /// As [`window`](Self::window) of places, with [`Own::hold`]. The first item that has one has
    /// these ids.
    #[inline(always)]
    pub fn hold<T: Pod>(
        &self,
        array: &mut Own<'_, T, D>,
        line: usize,
        lines: usize,
        ids: [usize; D],
        interior: (usize, usize),
    ) {
        let lines = self.there(line, lines, interior);
        array.hold(self.index(line), ids, self.moves, self.n(), lines);
    }

    /// A row of the window.
    #[inline(always)]
    pub fn row<'s, T>(&self, row: &'s [T]) -> EdgeRow<'s, T> {
        EdgeRow { row, from: self.items.0 - self.lo }
    }

    /// The elements of a line.
    #[inline(always)]
    pub fn line<'s, T: Pod>(&self, array: &Input<'s, T, D>, line: usize) -> EdgeRow<'s, T> {
        let there = self.there(line, 1, self.items) > 0;
        self.row(if there { array.row(self.index(line), self.n()) } else { &[] })
    }

    /// The places of a line, the first of which belongs to the item with these ids.
    #[inline(always)]
    pub fn own<'a, T: Pod>(
        &self,
        array: &'a mut Own<'_, T, D>,
        line: usize,
        ids: [usize; D],
    ) -> &'a mut [T] {
        let there = self.there(line, 1, self.items) > 0;
        if there { array.row(self.index(line), ids, self.n()) } else { &mut [] }
    }
}

/// The elements of a line: of the items from `from` on, as many as there are.
#[derive(Clone, Copy, Debug)]
pub struct EdgeRow<'s, T> {
    row: &'s [T],
    from: usize,
}

impl<'s, T: Pod> EdgeRow<'s, T> {
    /// Without the first items.
    #[inline(always)]
    pub fn skip(&self, items: usize) -> Self {
        Self { row: self.row, from: self.from.wrapping_sub(items) }
    }

    /// Those of the `n` items from `first` on, where all of them have one or the line has none.
    #[inline(always)]
    pub fn packed(&self, first: usize, n: usize) -> Option<Packed<'s, T>> {
        let (row, is_missing) = match self.row {
            [] => (blank(), true),
            row => (row.get(first.checked_sub(self.from)?..)?, false),
        };
        Some(Packed { row: row.get(..n)?, is_missing })
    }
}

/// The elements of some items, all of which have one, or none has.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'s, T> {
    row: &'s [T],
    is_missing: bool,
}

/// The elements of items.
pub trait Elements<T> {
    /// That of an item; zero where it has none, which is then noted.
    fn at(&self, item: usize, missed: &mut bool) -> T;
}

impl<T: Pod> Elements<T> for EdgeRow<'_, T> {
    #[inline(always)]
    fn at(&self, item: usize, missed: &mut bool) -> T {
        match self.row.get(item.wrapping_sub(self.from)) {
            Some(element) => *element,
            None => {
                *missed = true;
                zero()
            }
        }
    }
}

impl<T: Pod> Elements<T> for Packed<'_, T> {
    #[inline(always)]
    fn at(&self, item: usize, missed: &mut bool) -> T {
        *missed |= self.is_missing;
        self.row.get(item).copied().unwrap_or_else(zero)
    }
}

/// What comes before an element of a row and what begins with it; nothing if there is none.
#[inline(always)]
pub fn split<T>(row: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    row.split_at_mut_checked(at).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(row: &impl Elements<u32>, items: &[usize]) -> (Vec<u32>, bool) {
        let mut missed = false;
        let elements = items.iter().map(|&item| row.at(item, &mut missed)).collect();
        (elements, missed)
    }

    #[test]
    fn an_item_without_an_element_is_noted() {
        let row = EdgeRow { row: &[5, 6, 7], from: 2 };
        assert_eq!(at(&row, &[2, 3, 4]), (vec![5, 6, 7], false));
        for item in [0, 1, 5, usize::MAX] {
            assert_eq!(at(&row, &[item, 3]), (vec![0, 6], true), "{item}");
        }
        assert_eq!(at(&row.skip(3), &[0, 1]), (vec![6, 7], false));
        assert_eq!(at(&row.skip(3), &[2]), (vec![0], true));
        assert_eq!(at(&EdgeRow { row: &[], from: 0 }, &[0]), (vec![0], true));
    }

    #[test]
    fn items_are_packed_where_all_or_none_have_an_element() {
        let row = EdgeRow { row: &[5, 6, 7_u32], from: 2 };
        let packed = |row: EdgeRow<'static, u32>, first, n: usize| {
            row.packed(first, n).map(|packed| at(&packed, &(0..n).collect::<Vec<_>>()))
        };
        assert_eq!(packed(row, 2, 3), Some((vec![5, 6, 7], false)));
        assert_eq!(packed(row, 3, 2), Some((vec![6, 7], false)));
        assert_eq!(
            [(1, 2), (3, 3), (6, 0)].map(|(first, n)| packed(row, first, n)),
            [(); 3].map(|()| None)
        );
        let none = EdgeRow { row: &[], from: 2 };
        assert_eq!(packed(none, 0, 16), Some((vec![0; 16], true)));
        assert!(none.packed(0, 129).is_none(), "there are not so many zeros");
        assert!(EdgeRow::<[u64; 80]> { row: &[], from: 0 }.packed(0, 1).is_none());
    }

    #[test]
    fn only_lines_and_items_that_are_there_have_rows() {
        let (mut items, mut lines) = (Interior::new(4, 20), Interior::new(2, 9));
        let (id, line, one) = (items.id(), lines.id(), items.uniform(1));
        let (before, above) = (items.sub(id, one), lines.sub(line, one));
        items.held(before, (4, 6));
        lines.held(above, (2, 5));
        let edge = Edge::new(4, items, lines, [above, before], [1, 0]);
        assert_eq!((edge.first(), edge.n(), edge.is_whole(20)), (5, 6, false));
        assert_eq!(edge.index(3), [2, 4]);
        assert_eq!(edge.there(3, 5, (5, 11)), 5);
        for (line, lines, items) in
            [(2, 1, (5, 11)), (3, 6, (5, 11)), (9, 1, (5, 11)), (3, 5, (4, 11)), (3, 5, (5, 12))]
        {
            assert_eq!(edge.there(line, lines, items), 0, "{line} {lines} {items:?}");
        }
    }

    #[test]
    fn a_row_is_split_or_nothing() {
        let mut row = [1, 2, 3];
        assert_eq!(split(&mut row, 1), (&mut [1][..], &mut [2, 3][..]));
        assert_eq!(split(&mut row, 4), (&mut [][..], &mut [][..]));
    }
}
