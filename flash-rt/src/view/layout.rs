//! Shape and strides of a view: which elements there are, as distances from the first. It reaches
//! no memory.

use std::ops::Range;

/// Shape and strides of rank `D`, the last dimension fastest in every order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout<const D: usize> {
    pub(super) shape: [usize; D],
    pub(super) stride: [usize; D],
}

impl<const D: usize> Layout<D> {
    /// A whole row-major array.
    pub(super) fn row_major(shape: [usize; D]) -> Self {
        let mut stride = [1_usize; D];
        for d in (1..D).rev() {
            stride[d - 1] = stride[d].wrapping_mul(shape[d]);
        }
        Self { shape, stride }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        // With a zero among them the others may be as large as they like.
        if self.is_empty() { 0 } else { self.shape.iter().product() }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The distance of an element from the first, if the index is inside.
    #[inline]
    pub(super) fn place(&self, index: [usize; D]) -> Option<usize> {
        let mut at = 0;
        for (d, &i) in index.iter().enumerate() {
            if i >= self.shape[d] {
                return None;
            }
            at += i * self.stride[d];
        }
        Some(at)
    }

    /// Whether the elements are neighbours in row-major order.
    #[inline]
    pub(super) fn is_contiguous(&self) -> bool {
        let mut expected = 1_usize;
        for d in (0..D).rev() {
            if self.shape[d] != 1 && self.stride[d] != expected {
                return self.is_empty();
            }
            expected = expected.saturating_mul(self.shape[d]);
        }
        true
    }

    /// The length of a row along the last dimension, if its elements are neighbours.
    #[inline]
    pub(super) fn row_len(&self) -> Option<usize> {
        let n = self.shape[D - 1];
        (n <= 1 || self.stride[D - 1] == 1).then_some(n)
    }

    /// A box, and the distance of its first element, if it is inside.
    pub(super) fn cut(&self, ranges: &[Range<usize>; D]) -> Option<(usize, Self)> {
        let mut cut = *self;
        for (d, range) in ranges.iter().enumerate() {
            if range.start > range.end || range.end > self.shape[d] {
                return None;
            }
            cut.shape[d] = range.len();
        }
        // A box without elements, whichever dimension has none, stays at the first.
        let starts = ranges.iter().zip(&self.stride).map(|(range, stride)| range.start * stride);
        Some((if cut.is_empty() { 0 } else { starts.sum() }, cut))
    }

    /// The distances of all elements, or with `rows` of the first elements of all rows.
    pub(super) fn places(&self, rows: bool) -> Places<D> {
        let mut shape = self.shape;
        if rows {
            shape[D - 1] = shape[D - 1].min(1);
        }
        let layout = Self { shape, stride: self.stride };
        Places { layout, index: [0; D], at: 0, left: layout.len() }
    }
}

/// Distances in row-major order.
#[derive(Clone, Debug)]
pub(super) struct Places<const D: usize> {
    layout: Layout<D>,
    index: [usize; D],
    at: usize,
    left: usize,
}

impl<const D: usize> Iterator for Places<D> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let at = self.at;
        for d in (0..D).rev() {
            self.index[d] += 1;
            self.at += self.layout.stride[d];
            if self.index[d] < self.layout.shape[d] {
                break;
            }
            self.at -= self.index[d] * self.layout.stride[d];
            self.index[d] = 0;
        }
        Some(at)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn outside(index: &[usize], shape: &[usize]) -> ! {
    panic!("index {index:?} is outside a view of shape {shape:?}")
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn box_outside(ranges: &[Range<usize>], shape: &[usize]) -> ! {
    panic!("box {ranges:?} is outside a view of shape {shape:?}")
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn no_slice(shape: &[usize], stride: &[usize]) -> ! {
    panic!(
        "a row of a view of shape {shape:?} and strides {stride:?} is no slice: its elements are \
         not neighbours; index it, or iterate"
    )
}
