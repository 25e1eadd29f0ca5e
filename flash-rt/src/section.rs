//! A box of an array with strides, in elements of its allocation. It names no memory.

use std::ops::Range;

use crate::entry::MAX_ARRAY_RANK;
use crate::error::{Error, Result, Site};

/// The elements `offset + Σ i[d] * stride[d]` with `i[d] < shape[d]`.
///
/// Made by cutting and merging dimensions of an array without gaps, so a step in one dimension is
/// beyond everything that dimensions of smaller stride reach. A stride of zero repeats elements; it
/// comes from broadcast views only, which are never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub(crate) offset: usize,
    pub(crate) rank: usize,
    pub(crate) shape: [usize; MAX_ARRAY_RANK],
    pub(crate) stride: [usize; MAX_ARRAY_RANK],
}

impl Section {
    /// A whole row-major array. The product of the extents must fit; [`Section::count`] checks it.
    #[inline]
    pub fn whole(shape: &[usize]) -> Self {
        let mut section = Self {
            offset: 0,
            rank: shape.len(),
            shape: [1; MAX_ARRAY_RANK],
            stride: [1; MAX_ARRAY_RANK],
        };
        section.shape[..shape.len()].copy_from_slice(shape);
        let mut stride = 1_usize;
        for (out, &extent) in section.stride[..shape.len()].iter_mut().zip(shape).rev() {
            *out = stride;
            stride = stride.wrapping_mul(extent);
        }
        section
    }

    /// The elements that shape and strides of equal length, at most four, reach from the first.
    pub(crate) fn strided(shape: &[usize], stride: &[usize]) -> Self {
        let mut section = Self::whole(shape);
        section.stride[..stride.len()].copy_from_slice(stride);
        section
    }

    /// Rows that are intervals, `stride` elements apart.
    #[inline]
    pub(crate) fn rows(start: usize, shape: [usize; 2], stride: usize) -> Self {
        let [rows, columns] = shape;
        Self { offset: start, rank: 2, shape: [rows, columns, 1, 1], stride: [stride, 1, 1, 1] }
    }

    const fn whole_of_one() -> Self {
        Self { offset: 0, rank: 1, shape: [1; MAX_ARRAY_RANK], stride: [1; MAX_ARRAY_RANK] }
    }

    /// The elements of a range.
    #[inline]
    pub fn of_range(range: &Range<usize>) -> Self {
        // Numbers that are written one by one and copied at once are waited for.
        let mut section = const { Self::whole_of_one() };
        (section.offset, section.shape[0]) = (range.start, range.len());
        section
    }

    /// The number of elements of an array of this shape, of `size` bytes each.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if it takes more than `isize::MAX` bytes.
    pub fn count(shape: &[usize], size: usize) -> Result<usize> {
        if shape.contains(&0) {
            return Ok(0);
        }
        shape
            .iter()
            .try_fold(1_usize, |product, &extent| product.checked_mul(extent))
            .filter(|&n| n.checked_mul(size).is_some_and(|bytes| bytes <= isize::MAX as usize - 64))
            .ok_or_else(|| Error::TooLarge { what: "array", extents: shape.to_vec() })
    }

    /// Index of the first element.
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The extents.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.rank()]
    }

    /// Distances of neighbours in elements.
    #[inline]
    pub fn stride(&self) -> &[usize] {
        &self.stride[..self.rank()]
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        // With a zero among them the others may be as large as they like.
        if self.is_empty() { 0 } else { self.shape.iter().product() }
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Index after the last element; the offset for an empty one.
    #[inline]
    pub fn end(&self) -> usize {
        if self.is_empty() {
            return self.offset;
        }
        let span: usize =
            self.shape.iter().zip(&self.stride).map(|(extent, stride)| (extent - 1) * stride).sum();
        self.offset + span + 1
    }

    /// Whether the elements follow each other without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        for d in (0..self.rank()).rev() {
            if self.shape[d] != 1 && self.stride[d] != expected {
                return self.is_empty();
            }
            expected *= self.shape[d];
        }
        true
    }

    /// Distance of an element from the start of the array, if the index is inside.
    #[inline]
    pub fn place(&self, index: &[usize]) -> Option<usize> {
        let mut at = self.offset;
        for ((&i, &extent), &stride) in index.iter().zip(self.shape()).zip(self.stride()) {
            if i >= extent {
                return None;
            }
            at += i * stride;
        }
        Some(at)
    }

    /// A box of the box.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] if a range is reversed or ends outside; `what` names the operation.
    #[inline]
    pub fn cut(&self, ranges: &[Range<usize>], what: Site) -> Result<Self> {
        if let [range] = ranges
            && range.start < range.end
            && range.end <= self.shape[0]
        {
            let offset = self.offset + range.start * self.stride[0];
            let shape = [range.end - range.start, self.shape[1], self.shape[2], self.shape[3]];
            return Ok(Self { offset, shape, ..*self });
        }
        self.cut_each(ranges, what)
    }

    /// As [`Section::cut`], of any rank.
    fn cut_each(&self, ranges: &[Range<usize>], what: Site) -> Result<Self> {
        let mut cut = *self;
        for (d, range) in ranges.iter().enumerate() {
            let extent = self.shape[d];
            if range.start > range.end || range.end > extent {
                return Err(Error::Range {
                    what: format!("box {range:?} in dimension {d}, asked for at {what}"),
                    index: range.end.max(range.start),
                    len: extent,
                });
            }
            cut.shape[d] = range.len();
        }
        // A box without elements, whichever dimension has none, stays at its place: an array
        // without elements has no other.
        if !cut.is_empty() {
            let starts =
                ranges.iter().zip(&self.stride).map(|(range, stride)| range.start * stride);
            cut.offset += starts.sum::<usize>();
        }
        Ok(cut)
    }

    /// The box with its first index fixed, of one rank less.
    ///
    /// # Errors
    ///
    /// [`Error::Range`] if the index is outside.
    pub fn fix_first(&self, index: usize, what: Site) -> Result<Self> {
        if index >= self.shape[0] {
            return Err(Error::Range {
                what: format!("index {index} of dimension 0, asked for at {what}"),
                index,
                len: self.shape[0],
            });
        }
        let mut fixed = *self;
        fixed.rank -= 1;
        fixed.shape.copy_within(1.., 0);
        fixed.stride.copy_within(1.., 0);
        fixed.shape[MAX_ARRAY_RANK - 1] = 1;
        fixed.stride[MAX_ARRAY_RANK - 1] = 1;
        if !fixed.is_empty() {
            fixed.offset += index * self.stride[0];
        }
        Ok(fixed)
    }

    /// Whether boxes whose first index differs share no element.
    pub(crate) fn has_rows_apart(&self) -> bool {
        self.rank > 0 && (self.shape[0] < 2 || self.stride[0] > 0)
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if the elements have gaps or are not as many.
    pub fn reshape(&self, shape: &[usize], what: Site) -> Result<Self> {
        let fits = Self::count(shape, 1).is_ok_and(|n| n == self.len());
        if !fits || !self.is_contiguous() {
            let gaps = if fits { " of a box with gaps" } else { "" };
            return Err(Error::Shape {
                what: format!("reshape{gaps}, asked for at {what}"),
                expected: shape.to_vec(),
                found: self.shape().to_vec(),
            });
        }
        Ok(Self { offset: self.offset, ..Self::whole(shape) })
    }

    /// Whether two boxes of one allocation share an element; exact.
    pub fn overlaps(&self, other: &Self) -> bool {
        if self.is_empty() || other.is_empty() {
            return false;
        }
        if self.end() <= other.offset || other.end() <= self.offset {
            return false;
        }
        if self.is_contiguous() && other.is_contiguous() {
            return true;
        }
        // Both lists of runs ascend, so one sweep meets every pair that can touch.
        let (mut left, mut right) = (self.runs(), other.runs());
        let (mut a, mut b) = (left.next(), right.next());
        while let (Some(x), Some(y)) = (&a, &b) {
            if x.start < y.end && y.start < x.end {
                return true;
            }
            if x.end <= y.start { a = left.next() } else { b = right.next() }
        }
        false
    }

    /// The contiguous runs in ascending order, neighbours merged where dimensions merge.
    pub fn runs(&self) -> Runs {
        Runs::new(self)
    }
}

/// The runs of a [`Section`].
#[derive(Clone, Debug)]
pub struct Runs {
    /// The outer dimensions, slowest first, with the position in each.
    outer: [(usize, usize, usize); MAX_ARRAY_RANK],
    n_outer: usize,
    start: usize,
    run: usize,
    left: usize,
}

impl Runs {
    fn new(section: &Section) -> Self {
        let mut run = 1;
        let mut outer = [(1, 0, 0); MAX_ARRAY_RANK];
        let mut n_outer = 0;
        let mut merging = true;
        let mut dims = [(1, 0); MAX_ARRAY_RANK];
        for (dim, (&extent, &stride)) in
            dims.iter_mut().zip(section.shape().iter().zip(section.stride()))
        {
            // A stride of zero adds no element.
            *dim = if stride == 0 { (1, 0) } else { (extent, stride) };
        }
        if !dims.is_sorted_by_key(|&(_, stride)| std::cmp::Reverse(stride)) {
            dims.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride));
        }
        // From the fastest dimension: merge while it continues the run.
        for &(extent, stride) in dims.iter().rev() {
            if extent == 1 {
                continue;
            }
            if merging && stride == run {
                run *= extent;
            } else {
                merging = false;
                outer[n_outer] = (extent, stride, 0);
                n_outer += 1;
            }
        }
        outer[..n_outer].reverse();
        let left = outer[..n_outer].iter().map(|(extent, ..)| extent).product();
        Self {
            outer,
            n_outer,
            start: section.offset,
            run,
            left: if section.is_empty() { 0 } else { left },
        }
    }
}

impl Iterator for Runs {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let start = self.start;
        for (extent, stride, at) in self.outer[..self.n_outer].iter_mut().rev() {
            *at += 1;
            self.start += *stride;
            if *at < *extent {
                break;
            }
            self.start -= *stride * *extent;
            *at = 0;
        }
        Some(start..start + self.run)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Runs {}
