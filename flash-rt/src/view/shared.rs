//! `View`: shared elements. Fenced: they are reached through a pointer.
#![allow(unsafe_code, reason = "a strided array cannot be a slice; each access is checked first")]

use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::ptr::NonNull;

use super::layout::{Layout, Places, box_outside, no_slice, outside};
use crate::arg::{Arg, BoundArg};
use crate::bound;
use crate::error::{Error, Result};
use crate::index::IntoBox;
use crate::pod::Pod;
use crate::section::Section;

/// Elements of rank `D`, shared for `'a`. In a kernel's signature: an input array.
///
/// ```
/// use flash_rt::View;
///
/// let elements = [0, 1, 2, 3, 4, 5];
/// let image = View::from_shape([2, 3], &elements)?; // two rows of three
/// assert_eq!((image[[1, 0]], image.get([2, 0])), (3, None));
/// assert_eq!(image.row(1), [3, 4, 5]);
/// assert_eq!(image.view((.., 1..)).to_vec(), [1, 2, 4, 5]);
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct View<'a, T, const D: usize> {
    pub(super) base: NonNull<T>,
    pub(super) layout: Layout<D>,
    pub(super) _borrow: PhantomData<&'a [T]>,
}

impl<T, const D: usize> Clone for View<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const D: usize> Copy for View<'_, T, D> {}

// SAFETY: a `View` is a shared borrow of elements.
unsafe impl<T: Sync, const D: usize> Send for View<'_, T, D> {}
// SAFETY: as a `&[T]`.
unsafe impl<T: Sync, const D: usize> Sync for View<'_, T, D> {}

impl<'a, T, const D: usize> View<'a, T, D> {
    /// # Safety
    ///
    /// Every element that `shape` and `stride` reach from `base` is valid and unwritten for `'a`.
    pub(crate) unsafe fn new(base: NonNull<T>, shape: [usize; D], stride: [usize; D]) -> Self {
        const { assert!(D >= 1 && D <= 4, "an array has a rank of 1 to 4") };
        Self { base, layout: Layout { shape, stride }, _borrow: PhantomData }
    }

    /// A slice as an array, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if the shape has another number of elements.
    pub fn from_shape(shape: [usize; D], values: &'a [T]) -> Result<Self> {
        check_count(&shape, values.len())?;
        let Layout { shape, stride } = Layout::row_major(shape);
        // SAFETY: the shape reaches just the elements of `values`, which are shared for `'a`.
        Ok(unsafe { Self::new(NonNull::from(values).cast(), shape, stride) })
    }

    /// The extents, slowest dimension first.
    #[inline]
    pub fn shape(&self) -> [usize; D] {
        self.layout.shape
    }

    /// Distances of neighbours in elements.
    #[inline]
    pub fn strides(&self) -> [usize; D] {
        self.layout.stride
    }

    /// The extent of a dimension.
    #[inline]
    pub fn extent(&self, dim: usize) -> usize {
        self.layout.shape.get(dim).copied().unwrap_or(1)
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.layout.is_empty()
    }

    /// The element at an index, if it is inside.
    #[inline]
    pub fn get(&self, index: [usize; D]) -> Option<&'a T> {
        let at = self.layout.place(index)?;
        // SAFETY: `at` is the place of an element of the view, inside the memory of the view.
        let element = unsafe { self.base.add(at) };
        // SAFETY: elements of a view are valid and unwritten for `'a`.
        Some(unsafe { element.as_ref() })
    }

    /// All elements, the last dimension fastest; `None` where they are not neighbours.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let neighbours = self.layout.is_contiguous();
        // SAFETY: shape and stride reach `len` neighbours from `base`, all valid and unwritten
        // for `'a`.
        neighbours.then(|| unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.len()) })
    }

    /// A box of the view: `v.view(a..b)`, `v.view((a..b, ..))`.
    ///
    /// # Panics
    ///
    /// If it is outside.
    #[track_caller]
    pub fn view(&self, ranges: impl IntoBox<D>) -> Self {
        let ranges = ranges.into_box(self.layout.shape);
        let Some((at, layout)) = self.layout.cut(&ranges) else {
            box_outside(&ranges, &self.layout.shape)
        };
        // SAFETY: the box starts at an element of the view, or is empty and starts at its start.
        Self { base: unsafe { self.base.add(at) }, layout, _borrow: PhantomData }
    }

    /// The rows along the last dimension, whose elements must be neighbours, as they are in every
    /// view of a buffer.
    ///
    /// # Panics
    ///
    /// If they are not.
    #[track_caller]
    pub fn rows(&self) -> Rows<'a, T, D> {
        let Some(n) = self.layout.row_len() else {
            no_slice(&self.layout.shape, &self.layout.stride)
        };
        Rows { base: self.base, places: self.layout.places(true), n, _borrow: PhantomData }
    }

    /// All elements, the last dimension fastest.
    pub fn iter(&self) -> Iter<'a, T, D> {
        Iter { base: self.base, places: self.layout.places(false), _borrow: PhantomData }
    }

    /// A copy of all elements, the last dimension fastest.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        match self.as_slice() {
            Some(values) => values.to_vec(),
            None => self.iter().cloned().collect(),
        }
    }
}

impl<'a, T> View<'a, T, 2> {
    /// A row, whose elements must be neighbours, as they are in every view of a buffer.
    ///
    /// # Panics
    ///
    /// If there is no such row, or its elements are not neighbours.
    #[inline]
    #[track_caller]
    pub fn row(&self, index: usize) -> &'a [T] {
        let Layout { shape, stride } = self.layout;
        if index >= shape[0] {
            outside(&[index], &shape);
        }
        let Some(n) = self.layout.row_len() else { no_slice(&shape, &stride) };
        if n == 0 {
            return &[];
        }
        // SAFETY: the row has an element, and this is the place of the first.
        let start = unsafe { self.base.add(index * stride[0]) };
        // SAFETY: the `n` elements of the row are neighbours, valid and unwritten for `'a`.
        unsafe { std::slice::from_raw_parts(start.as_ptr(), n) }
    }
}

/// What fixes the first index of a view of rank `$from`.
macro_rules! lower_rank {
    ($($from:literal => $to:literal),*) => {$(
        impl<'a, T> View<'a, T, $from> {
            /// The elements whose first index is `index`.
            ///
            /// # Panics
            ///
            /// If it is outside.
            #[track_caller]
            pub fn at(&self, index: usize) -> View<'a, T, $to> {
                let Layout { shape, stride } = self.layout;
                if index >= shape[0] {
                    outside(&[index], &shape);
                }
                let layout = Layout {
                    shape: std::array::from_fn(|d| shape[d + 1]),
                    stride: std::array::from_fn(|d| stride[d + 1]),
                };
                let at = if layout.is_empty() { 0 } else { index * stride[0] };
                // SAFETY: the place of an element of the view, or of its start if it has none.
                View { base: unsafe { self.base.add(at) }, layout, _borrow: PhantomData }
            }
        }
    )*};
}
lower_rank!(2 => 1, 3 => 2, 4 => 3);

impl<'a, T> From<&'a [T]> for View<'a, T, 1> {
    fn from(values: &'a [T]) -> Self {
        let base = NonNull::from(values).cast();
        let layout = Layout { shape: [values.len()], stride: [1] };
        Self { base, layout, _borrow: PhantomData }
    }
}

impl<T, const D: usize> Index<[usize; D]> for View<'_, T, D> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: [usize; D]) -> &T {
        self.get(index).unwrap_or_else(|| outside(&index, &self.layout.shape))
    }
}

impl<T> Index<usize> for View<'_, T, 1> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        &self[[index]]
    }
}

impl<T: fmt::Debug, const D: usize> fmt::Debug for View<'_, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "View", self)
    }
}

/// The shape, and the first elements.
pub(super) fn debug<T: fmt::Debug, const D: usize>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    view: &View<'_, T, D>,
) -> fmt::Result {
    const SHOWN: usize = 64;
    let first: Vec<_> = view.iter().take(SHOWN).collect();
    let mut out = f.debug_struct(name);
    out.field("shape", &view.shape()).field("elements", &first);
    if view.len() > SHOWN { out.finish_non_exhaustive() } else { out.finish() }
}

/// [`Error::Shape`] unless the shape has `n` elements.
pub(super) fn check_count(shape: &[usize], n: usize) -> Result<()> {
    if Section::count(shape, 1)? == n {
        return Ok(());
    }
    Err(Error::Shape {
        what: "elements of a view".to_owned(),
        expected: shape.to_vec(),
        found: vec![n],
    })
}

/// The elements of a [`View`].
#[derive(Clone, Debug)]
pub struct Iter<'a, T, const D: usize> {
    base: NonNull<T>,
    places: Places<D>,
    _borrow: PhantomData<&'a [T]>,
}

impl<'a, T, const D: usize> Iterator for Iter<'a, T, D> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        let at = self.places.next()?;
        // SAFETY: the place of an element of the view.
        let element = unsafe { self.base.add(at) };
        // SAFETY: elements of a view are valid and unwritten for `'a`.
        Some(unsafe { element.as_ref() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<T, const D: usize> ExactSizeIterator for Iter<'_, T, D> {}

impl<'a, T, const D: usize> IntoIterator for View<'a, T, D> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T, D>;

    fn into_iter(self) -> Iter<'a, T, D> {
        self.iter()
    }
}

impl<'a, T, const D: usize> IntoIterator for &View<'a, T, D> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T, D>;

    fn into_iter(self) -> Iter<'a, T, D> {
        self.iter()
    }
}

/// The rows of a [`View`].
#[derive(Clone, Debug)]
pub struct Rows<'a, T, const D: usize> {
    base: NonNull<T>,
    places: Places<D>,
    n: usize,
    _borrow: PhantomData<&'a [T]>,
}

impl<'a, T, const D: usize> Iterator for Rows<'a, T, D> {
    type Item = &'a [T];

    #[inline]
    fn next(&mut self) -> Option<&'a [T]> {
        let at = self.places.next()?;
        // SAFETY: the place of an element of the view: rows without elements are not listed.
        let start = unsafe { self.base.add(at) };
        // SAFETY: the `n` elements of a row are neighbours, valid and unwritten for `'a`.
        Some(unsafe { std::slice::from_raw_parts(start.as_ptr(), self.n) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<T, const D: usize> ExactSizeIterator for Rows<'_, T, D> {}

// SAFETY: as for `View`.
unsafe impl<T: Sync, const D: usize> Send for Iter<'_, T, D> {}
// SAFETY: as for `View`.
unsafe impl<T: Sync, const D: usize> Sync for Iter<'_, T, D> {}
// SAFETY: as for `View`.
unsafe impl<T: Sync, const D: usize> Send for Rows<'_, T, D> {}
// SAFETY: as for `View`.
unsafe impl<T: Sync, const D: usize> Sync for Rows<'_, T, D> {}

impl<'a, T: Pod, const D: usize> Arg<'a, Self> for View<'a, T, D> {
    fn bind(self) -> BoundArg<'a> {
        // SAFETY: the elements are shared for `'a`, which the argument carries.
        unsafe { bound::foreign(self.base, &self.layout.shape, &self.layout.stride) }
    }
}
