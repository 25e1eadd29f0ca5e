//! Which elements of an array nobody has written. They count as current on the host, where they are zeros
//! as its memory is. It makes none of them zero elsewhere.

use std::ops::Range;

use super::{Images, MemorySpace};
use crate::ranges::Ranges;
use crate::section::Section;

impl Images {
    /// Nobody has written any of so many elements.
    pub(crate) fn begin_unwritten(&mut self, len: usize) {
        self.unwritten = Ranges::all(len);
    }

    /// Which elements of a box nobody has written.
    pub(crate) fn unwritten(&self, section: &Section) -> Ranges {
        match self.unwritten.is_empty() {
            true => Ranges::default(),
            false => self.unwritten.common(&Ranges::of(section)),
        }
    }

    /// Whether the elements of a box are current in a memory, and all of them written, and nothing has
    /// been given up that has not run again.
    #[inline]
    pub(crate) fn is_there(&self, space: MemorySpace, section: &Section) -> bool {
        self.unwritten.is_empty()
            && !self.uses.iter().any(|known| known.is_gone)
            && self.is_valid(space, section)
    }

    /// The first elements of a range, as many as are alike, and whether nobody has written them.
    pub(crate) fn cut_unwritten(&self, range: Range<usize>) -> (Range<usize>, bool) {
        match self.unwritten(&Section::of_range(&range)).iter().next() {
            None => (range, false),
            Some(first) if first.start == range.start => (first, true),
            Some(first) => (range.start..first.start, false),
        }
    }

    /// How much there is to keep in mind beside the host's image.
    pub(crate) fn n_known(&self) -> usize {
        self.others.len() + usize::from(!self.unwritten.is_empty())
    }
}
