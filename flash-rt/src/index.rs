//! What names an element or a box of an array: `3`, `[j, i]`, `a..b`, `(a..b, ..)`. Nothing is
//! checked here.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// What can be the index of an element of an array of rank `D`: `i` or `[j, i]`.
///
/// ```
/// use flash_rt::Buffer;
///
/// let (line, image) = (Buffer::<u8>::zeros(4), Buffer::<u8, 2>::zeros([3, 4]));
/// assert_eq!((line.get(3)?, image.get([2, 3])?), (0, 0));
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index into an array of rank {D}",
    label = "expected `[usize; {D}]`, or `usize` for rank 1"
)]
pub trait IntoIndex<const D: usize> {
    /// The components, slowest dimension first.
    fn into_index(self) -> [usize; D];
}

impl IntoIndex<1> for usize {
    #[inline]
    fn into_index(self) -> [usize; 1] {
        [self]
    }
}

impl<const D: usize> IntoIndex<D> for [usize; D] {
    #[inline]
    fn into_index(self) -> [usize; D] {
        self
    }
}

/// What can be a box of an array of rank `D`: a range for each dimension, or `..` for all of it.
///
/// ```
/// use flash_rt::Buffer;
///
/// let (line, image) = (Buffer::<u8>::zeros(4), Buffer::<u8, 2>::zeros([3, 4]));
/// assert_eq!(line.view(1..).shape(), [3]);
/// assert_eq!(image.view((.., 1..=2)).shape(), [3, 2]);
/// assert_eq!(image.view(..).shape(), [3, 4]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a box of an array of rank {D}",
    label = "expected a range of `usize` for each of {D} dimensions",
    note = "rank 1: `a..b`; rank 2: `(a..b, c..d)`; all of it: `..`"
)]
pub trait IntoBox<const D: usize> {
    /// A range for each dimension of an array of this shape, slowest first. They may be outside.
    fn into_box(self, shape: [usize; D]) -> [Range<usize>; D];
}

impl<const D: usize> IntoBox<D> for RangeFull {
    #[inline]
    fn into_box(self, shape: [usize; D]) -> [Range<usize>; D] {
        shape.map(|extent| 0..extent)
    }
}

macro_rules! ranges {
    ($($range:ty: |$given:ident, $extent:ident| $start:expr, $end:expr;)*) => {
        $(impl IntoBox<1> for $range {
            #[inline]
            fn into_box(self, [$extent]: [usize; 1]) -> [Range<usize>; 1] {
                let $given = self;
                [$start..$end]
            }
        })*
    };
}
ranges! {
    Range<usize>: |given, _extent| given.start, given.end;
    RangeFrom<usize>: |given, extent| given.start, extent.max(given.start);
    RangeTo<usize>: |given, _extent| 0, given.end;
    RangeInclusive<usize>: |given, _extent| *given.start(), given.end().saturating_add(1);
    RangeToInclusive<usize>: |given, _extent| 0, given.end.saturating_add(1);
}

impl<A: IntoBox<1>, B: IntoBox<1>> IntoBox<2> for (A, B) {
    fn into_box(self, [a, b]: [usize; 2]) -> [Range<usize>; 2] {
        let ([a], [b]) = (self.0.into_box([a]), self.1.into_box([b]));
        [a, b]
    }
}

impl<A: IntoBox<1>, B: IntoBox<1>, C: IntoBox<1>> IntoBox<3> for (A, B, C) {
    fn into_box(self, [a, b, c]: [usize; 3]) -> [Range<usize>; 3] {
        let ([a], [b], [c]) = (self.0.into_box([a]), self.1.into_box([b]), self.2.into_box([c]));
        [a, b, c]
    }
}

impl<A, B, C, E> IntoBox<4> for (A, B, C, E)
where
    A: IntoBox<1>,
    B: IntoBox<1>,
    C: IntoBox<1>,
    E: IntoBox<1>,
{
    fn into_box(self, [a, b, c, e]: [usize; 4]) -> [Range<usize>; 4] {
        let ([a], [b]) = (self.0.into_box([a]), self.1.into_box([b]));
        let ([c], [e]) = (self.2.into_box([c]), self.3.into_box([e]));
        [a, b, c, e]
    }
}
