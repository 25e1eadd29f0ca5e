//! What a `part_by` function says: which elements of each array argument a block of items needs.
//! Nothing is checked here; a launch that is split checks every range against its array.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};

/// The end of a range that goes up to the end of the array.
const OPEN: u64 = u64::MAX;

/// What one array argument needs of a block of items: a box of elements that the block reads, and
/// one that it writes.
///
/// A function that `part_by` names gets a block of items as half-open ranges, dimension 0 first. It
/// gives one `ArgRange` for each array argument in the order of the declaration; values, scratch
/// arrays and reductions are left out. Boxes are in the index order of the array, slowest dimension
/// first, so an image over `[width, height]` has `[block[1], block[0]]`. A box of fewer ranges than
/// the array has dimensions takes all of the others.
///
/// ```
/// use std::ops::Range;
/// use flash_rt::ArgRange;
///
/// /// A product of matrices, `c[[j, i]] = Σ a[[j, k]] · b[[k, i]]`, in blocks of `c`.
/// fn blocks(items: &[Range<u64>]) -> Vec<ArgRange> {
///     let (columns, rows) = (items[0].clone(), items[1].clone());
///     vec![
///         ArgRange::read(rows.clone()),
///         ArgRange::read((.., columns.clone())),
///         ArgRange::write([rows, columns]),
///     ]
/// }
///
/// /// `y[i]` of `x[i - 1]`, `x[i]` and `x[i + 1]`, where there are such.
/// fn smooth(items: &[Range<u64>]) -> Vec<ArgRange> {
///     let own = items[0].clone();
///     let halo = own.start.saturating_sub(1)..own.end + 1;
///     vec![ArgRange::read(halo).clipped(), ArgRange::write(own)]
/// }
///
/// let [a, b, c] = &blocks(&[0..100, 8..16])[..] else { panic!() };
/// assert_eq!(a.read.within(&[64, 50]), Some(vec![8..16, 0..50]));
/// assert_eq!(b.read.within(&[50, 100]), Some(vec![0..50, 0..100]));
/// assert_eq!(c.write.within(&[64, 100]), Some(vec![8..16, 0..100]));
/// assert!(c.read.is_nothing());
///
/// let [x, y] = &smooth(&[90..100])[..] else { panic!() };
/// assert_eq!(x.read.within(&[100]), Some(vec![89..100]));
/// assert_eq!(y.write.within(&[99]), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgRange {
    /// What the block reads.
    pub read: ArgBox,
    /// What the block writes.
    pub write: ArgBox,
}

impl ArgRange {
    /// Reads one box and writes another, as an array does that is updated and read around it.
    pub fn new(read: impl IntoArgBox, write: impl IntoArgBox) -> Self {
        Self { read: read.into_arg_box(), write: write.into_arg_box() }
    }

    /// Reads a box.
    pub fn read(range: impl IntoArgBox) -> Self {
        Self { read: range.into_arg_box(), write: ArgBox::NOTHING }
    }

    /// Writes a box, and reads nothing of what was there.
    pub fn write(range: impl IntoArgBox) -> Self {
        Self { read: ArgBox::NOTHING, write: range.into_arg_box() }
    }

    /// Reads and writes a box.
    pub fn both(range: impl IntoArgBox) -> Self {
        let range = range.into_arg_box();
        Self { read: range.clone(), write: range }
    }

    /// Reads all of the array, whatever the block.
    pub fn whole() -> Self {
        Self::read(..)
    }

    /// Needs nothing of the array.
    pub fn none() -> Self {
        Self::default()
    }

    /// What of the boxes lies outside of the array is left out, where else it would be an error:
    /// for halos, as the function does not know where an array ends.
    #[must_use]
    pub fn clipped(mut self) -> Self {
        self.read.clipped = true;
        self.write.clipped = true;
        self
    }
}

/// A box of elements of an array of any rank, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgBox {
    /// Ranges of the slowest dimensions; those that are left out are whole.
    ranges: Option<Vec<Range<u64>>>,
    clipped: bool,
}

impl ArgBox {
    /// No elements.
    pub const NOTHING: Self = Self { ranges: None, clipped: false };

    /// Whether no element is meant, whatever the array.
    pub fn is_nothing(&self) -> bool {
        self.ranges.is_none()
    }

    /// The ranges as given, slowest dimension first; empty for nothing and for all. The end of one
    /// that goes up to the end of the array is `u64::MAX`.
    pub fn ranges(&self) -> &[Range<u64>] {
        self.ranges.as_deref().unwrap_or_default()
    }

    /// Whether what lies outside of the array is left out.
    pub fn is_clipped(&self) -> bool {
        self.clipped
    }

    /// The box in an array of this shape, a range for each dimension; `None` where it has more
    /// dimensions than the array, a range runs backwards, or it is not inside of the array.
    pub fn within(&self, shape: &[u64]) -> Option<Vec<Range<u64>>> {
        let Some(ranges) = &self.ranges else {
            return Some(vec![0..0; shape.len()]);
        };
        if ranges.len() > shape.len() {
            return None;
        }
        let given = ranges.iter().cloned().chain(std::iter::repeat(0..OPEN));
        let inside = |(extent, range): (&u64, Range<u64>)| {
            let (start, end) = match range.end {
                OPEN => (range.start, (*extent).max(range.start)),
                end => (range.start, end),
            };
            if start > end {
                return None;
            }
            if self.clipped {
                return Some(start.min(*extent)..end.min(*extent));
            }
            (end <= *extent).then_some(start..end)
        };
        shape.iter().zip(given).map(inside).collect()
    }
}

/// What can be a box of an [`ArgRange`]: a range of the slowest dimension, an array or a tuple of
/// ranges, slowest dimension first, `..` for all.
///
/// ```
/// use flash_rt::{ArgRange, IntoArgBox};
///
/// assert_eq!((2..5).into_arg_box().within(&[9, 4]), Some(vec![2..5, 0..4]));
/// assert_eq!([2..5, 0..3].into_arg_box().within(&[9, 4]), Some(vec![2..5, 0..3]));
/// assert_eq!((.., 1..3).into_arg_box().within(&[9, 4]), Some(vec![0..9, 1..3]));
/// assert_eq!((7..).into_arg_box().within(&[9]), Some(vec![7..9]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a box of an array argument",
    label = "expected ranges of `u64`, slowest dimension first",
    note = "rank 1: `a..b`; rank 2: `[a..b, c..d]`, or `(.., c..d)`; all of it: `..`"
)]
pub trait IntoArgBox {
    /// The box.
    fn into_arg_box(self) -> ArgBox;
}

impl IntoArgBox for ArgBox {
    fn into_arg_box(self) -> ArgBox {
        self
    }
}

/// A range of one dimension.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of an array argument",
    label = "expected a range of `u64`, or `..`"
)]
pub trait IntoArgAxis {
    /// First index and end; `u64::MAX` for the end of the array.
    fn into_arg_axis(self) -> Range<u64>;
}

macro_rules! axes {
    ($($range:ty: |$given:ident| $axis:expr;)*) => {
        $(
            impl IntoArgAxis for $range {
                fn into_arg_axis(self) -> Range<u64> {
                    let $given = self;
                    $axis
                }
            }

            impl IntoArgBox for $range {
                fn into_arg_box(self) -> ArgBox {
                    ArgBox { ranges: Some(vec![self.into_arg_axis()]), clipped: false }
                }
            }
        )*
    };
}
axes! {
    Range<u64>: |given| given;
    RangeFrom<u64>: |given| given.start..OPEN;
    RangeTo<u64>: |given| 0..given.end;
    RangeInclusive<u64>: |given| *given.start()..given.end().saturating_add(1);
}

impl IntoArgAxis for RangeFull {
    fn into_arg_axis(self) -> Range<u64> {
        0..OPEN
    }
}

impl IntoArgBox for RangeFull {
    fn into_arg_box(self) -> ArgBox {
        ArgBox { ranges: Some(Vec::new()), clipped: false }
    }
}

impl<A: IntoArgAxis, const D: usize> IntoArgBox for [A; D] {
    fn into_arg_box(self) -> ArgBox {
        ArgBox { ranges: Some(self.map(A::into_arg_axis).into()), clipped: false }
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {
        $(impl<$($name: IntoArgAxis),+> IntoArgBox for ($($name,)+) {
            #[allow(non_snake_case, reason = "a value is called as its type")]
            fn into_arg_box(self) -> ArgBox {
                let ($($name,)+) = self;
                ArgBox { ranges: Some(vec![$($name.into_arg_axis()),+]), clipped: false }
            }
        })*
    };
}
tuples! {
    A B;
    A B C;
    A B C E;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First indices and ends.
    fn inside(range: impl IntoArgBox, shape: &[u64]) -> Option<Vec<(u64, u64)>> {
        let found = range.into_arg_box().within(shape)?;
        Some(found.into_iter().map(|range| (range.start, range.end)).collect())
    }

    #[test]
    fn a_box_is_inside_or_none() {
        assert_eq!(inside(3..7, &[7, 2]), Some(vec![(3, 7), (0, 2)]));
        assert_eq!(inside(3..7, &[6, 2]), None);
        assert_eq!(inside(3..7, &[]), None);
        assert_eq!(inside(2..=4, &[5]), Some(vec![(2, 5)]));
        let backwards = ArgRange::read(Range { start: 5, end: 2 }).clipped();
        assert_eq!(backwards.read.within(&[9]), None);
    }

    #[test]
    fn what_is_open_ends_with_the_array() {
        assert_eq!(inside(4.., &[9]), Some(vec![(4, 9)]));
        assert_eq!(inside(9.., &[9]), Some(vec![(9, 9)]));
        assert_eq!(inside(10.., &[9]), None);
        assert_eq!(inside((.., ..2, 1..), &[4, 2, 3]), Some(vec![(0, 4), (0, 2), (1, 3)]));
        assert_eq!(inside(.., &[4, 2]), Some(vec![(0, 4), (0, 2)]));
    }

    #[test]
    fn what_is_clipped_is_cut_to_the_array() {
        let halo = ArgRange::new(7..11, 8..10).clipped();
        assert_eq!(inside(halo.read.clone(), &[10]), Some(vec![(7, 10)]));
        assert_eq!(inside(halo.write, &[9]), Some(vec![(8, 9)]));
        assert_eq!(inside(halo.read, &[5]), Some(vec![(5, 5)]));
        assert_eq!(inside(7..11, &[10]), None);
    }

    #[test]
    fn nothing_is_an_empty_box_of_any_array() {
        let none = ArgRange::none();
        assert!(none.read.is_nothing() && none.write.is_nothing());
        assert_eq!(inside(none.read, &[3, 4]), Some(vec![(0, 0), (0, 0)]));
        assert!(!ArgRange::whole().read.is_nothing() && ArgRange::whole().write.is_nothing());
    }
}
