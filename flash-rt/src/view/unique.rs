//! `ViewMut`: elements borrowed alone. Fenced: they are reached through a pointer.
#![allow(unsafe_code, reason = "a strided array cannot be a slice; each access is checked first")]

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

use super::layout::{Layout, Places, box_outside, no_slice, outside};
use super::shared::{Iter, Rows, View, check_count, debug};
use crate::arg::{Arg, BoundArg};
use crate::bound;
use crate::error::Result;
use crate::index::IntoBox;
use crate::pod::Pod;

/// Elements of rank `D`, borrowed alone for `'a`. In a kernel's signature: a written array.
///
/// ```
/// use flash_rt::ViewMut;
///
/// let mut elements = [0; 6];
/// let mut image = ViewMut::from_shape([2, 3], &mut elements)?;
/// image[[1, 2]] = 5;
/// image.row_mut(0).fill(1);
/// assert_eq!(elements, [1, 1, 1, 0, 0, 5]);
/// # Ok::<(), flash_rt::Error>(())
/// ```
pub struct ViewMut<'a, T, const D: usize> {
    pub(super) base: NonNull<T>,
    layout: Layout<D>,
    _borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: a `ViewMut` is a unique borrow of elements.
unsafe impl<T: Send, const D: usize> Send for ViewMut<'_, T, D> {}
// SAFETY: as a `&mut [T]`.
unsafe impl<T: Sync, const D: usize> Sync for ViewMut<'_, T, D> {}

impl<'a, T, const D: usize> ViewMut<'a, T, D> {
    /// # Safety
    ///
    /// Every element that `shape` and `stride` reach from `base` is valid for `'a`, reached once,
    /// and by nobody else.
    pub(crate) unsafe fn new(base: NonNull<T>, shape: [usize; D], stride: [usize; D]) -> Self {
        const { assert!(D >= 1 && D <= 4, "an array has a rank of 1 to 4") };
        Self { base, layout: Layout { shape, stride }, _borrow: PhantomData }
    }

    /// A slice as an array, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`](crate::Error::Shape) if the shape has another number of elements.
    pub fn from_shape(shape: [usize; D], values: &'a mut [T]) -> Result<Self> {
        check_count(&shape, values.len())?;
        let Layout { shape, stride } = Layout::row_major(shape);
        // SAFETY: the shape reaches each element of `values` once; it is borrowed alone for `'a`.
        Ok(unsafe { Self::new(NonNull::from(values).cast(), shape, stride) })
    }

    /// The same elements, shared while `self` is borrowed.
    #[inline]
    pub fn as_view(&self) -> View<'_, T, D> {
        View { base: self.base, layout: self.layout, _borrow: PhantomData }
    }

    /// The same elements, while `self` is borrowed.
    #[inline]
    pub fn as_view_mut(&mut self) -> ViewMut<'_, T, D> {
        ViewMut { base: self.base, layout: self.layout, _borrow: PhantomData }
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
    pub fn get(&self, index: [usize; D]) -> Option<&T> {
        self.as_view().get(index)
    }

    /// The element at an index, if it is inside.
    #[inline]
    pub fn get_mut(&mut self, index: [usize; D]) -> Option<&mut T> {
        let at = self.layout.place(index)?;
        // SAFETY: `at` is the place of an element of the view, inside the memory of the view.
        let mut element = unsafe { self.base.add(at) };
        // SAFETY: the view, which is borrowed alone, has the element alone.
        Some(unsafe { element.as_mut() })
    }

    /// All elements, the last dimension fastest; `None` where they are not neighbours.
    pub fn as_slice(&self) -> Option<&[T]> {
        self.as_view().as_slice()
    }

    /// All elements, the last dimension fastest; `None` where they are not neighbours.
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        self.as_view_mut().into_slice()
    }

    /// All elements, the last dimension fastest; `None` where they are not neighbours.
    pub fn into_slice(self) -> Option<&'a mut [T]> {
        let neighbours = self.layout.is_contiguous();
        // SAFETY: shape and stride reach `len` neighbours from `base`, valid for `'a` and reached
        // by nobody else; `self` ends here.
        neighbours
            .then(|| unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr(), self.len()) })
    }

    /// A box of the view, shared.
    ///
    /// # Panics
    ///
    /// If it is outside.
    #[track_caller]
    pub fn view(&self, ranges: impl IntoBox<D>) -> View<'_, T, D> {
        self.as_view().view(ranges)
    }

    /// A box of the view.
    ///
    /// # Panics
    ///
    /// If it is outside.
    #[track_caller]
    pub fn view_mut(&mut self, ranges: impl IntoBox<D>) -> ViewMut<'_, T, D> {
        let ranges = ranges.into_box(self.layout.shape);
        let Some((at, layout)) = self.layout.cut(&ranges) else {
            box_outside(&ranges, &self.layout.shape)
        };
        // SAFETY: the box starts at an element of the view, or is empty and starts at its start.
        ViewMut { base: unsafe { self.base.add(at) }, layout, _borrow: PhantomData }
    }

    /// Two views: the first `k` of the first dimension, and the rest.
    ///
    /// # Panics
    ///
    /// If there are fewer than `k`.
    #[track_caller]
    pub fn split_at_mut(self, k: usize) -> (Self, Self) {
        let n = self.layout.shape[0];
        if k > n {
            outside(&[k], &self.layout.shape);
        }
        let (mut head, mut tail) = (self.layout, self.layout);
        head.shape[0] = k;
        tail.shape[0] = n - k;
        let at = if tail.is_empty() { 0 } else { k * self.layout.stride[0] };
        // SAFETY: the place of an element of the view, or of its start if the rest is empty.
        let rest = unsafe { self.base.add(at) };
        (
            Self { base: self.base, layout: head, _borrow: PhantomData },
            Self { base: rest, layout: tail, _borrow: PhantomData },
        )
    }

    /// All elements, the last dimension fastest.
    pub fn iter(&self) -> Iter<'_, T, D> {
        self.as_view().iter()
    }

    /// All elements, the last dimension fastest.
    pub fn iter_mut(&mut self) -> IterMut<'_, T, D> {
        IterMut { base: self.base, places: self.layout.places(false), _borrow: PhantomData }
    }

    /// The rows along the last dimension, as for [`View::rows`].
    ///
    /// # Panics
    ///
    /// If their elements are not neighbours.
    #[track_caller]
    pub fn rows(&self) -> Rows<'_, T, D> {
        self.as_view().rows()
    }

    /// The rows along the last dimension, as for [`View::rows`].
    ///
    /// # Panics
    ///
    /// If their elements are not neighbours.
    #[track_caller]
    pub fn rows_mut(&mut self) -> RowsMut<'_, T, D> {
        let Some(n) = self.layout.row_len() else {
            no_slice(&self.layout.shape, &self.layout.stride)
        };
        RowsMut { base: self.base, places: self.layout.places(true), n, _borrow: PhantomData }
    }

    /// Sets all elements to one value.
    pub fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        for element in self.iter_mut() {
            element.clone_from(&value);
        }
    }

    /// A copy of all elements, the last dimension fastest.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.as_view().to_vec()
    }
}

impl<T> ViewMut<'_, T, 2> {
    /// A row, as [`View::row`].
    ///
    /// # Panics
    ///
    /// If there is no such row, or its elements are not neighbours.
    #[inline]
    #[track_caller]
    pub fn row(&self, index: usize) -> &[T] {
        self.as_view().row(index)
    }

    /// A row, as [`View::row`].
    ///
    /// # Panics
    ///
    /// If there is no such row, or its elements are not neighbours.
    #[inline]
    #[track_caller]
    pub fn row_mut(&mut self, index: usize) -> &mut [T] {
        let Layout { shape, stride } = self.layout;
        if index >= shape[0] {
            outside(&[index], &shape);
        }
        let Some(n) = self.layout.row_len() else { no_slice(&shape, &stride) };
        if n == 0 {
            return &mut [];
        }
        // SAFETY: the row has an element, and this is the place of the first.
        let start = unsafe { self.base.add(index * stride[0]) };
        // SAFETY: the view, which is borrowed alone, has the `n` neighbours of the row alone.
        unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), n) }
    }
}

impl<'a, T> From<&'a mut [T]> for ViewMut<'a, T, 1> {
    fn from(values: &'a mut [T]) -> Self {
        let layout = Layout { shape: [values.len()], stride: [1] };
        Self { base: NonNull::from(values).cast(), layout, _borrow: PhantomData }
    }
}

impl<T, const D: usize> Index<[usize; D]> for ViewMut<'_, T, D> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: [usize; D]) -> &T {
        self.get(index).unwrap_or_else(|| outside(&index, &self.layout.shape))
    }
}

impl<T, const D: usize> IndexMut<[usize; D]> for ViewMut<'_, T, D> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; D]) -> &mut T {
        let shape = self.layout.shape;
        self.get_mut(index).unwrap_or_else(|| outside(&index, &shape))
    }
}

impl<T> Index<usize> for ViewMut<'_, T, 1> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        &self[[index]]
    }
}

impl<T> IndexMut<usize> for ViewMut<'_, T, 1> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self[[index]]
    }
}

impl<T: fmt::Debug, const D: usize> fmt::Debug for ViewMut<'_, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "ViewMut", &self.as_view())
    }
}

/// The elements of a [`ViewMut`].
#[derive(Debug)]
pub struct IterMut<'a, T, const D: usize> {
    base: NonNull<T>,
    places: Places<D>,
    _borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T, const D: usize> Iterator for IterMut<'a, T, D> {
    type Item = &'a mut T;

    #[inline]
    fn next(&mut self) -> Option<&'a mut T> {
        let at = self.places.next()?;
        // SAFETY: the place of an element of the view.
        let mut element = unsafe { self.base.add(at) };
        // SAFETY: the view has the element alone for `'a`, and each place comes once.
        Some(unsafe { element.as_mut() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<T, const D: usize> ExactSizeIterator for IterMut<'_, T, D> {}

impl<'a, T, const D: usize> IntoIterator for &'a mut ViewMut<'_, T, D> {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T, D>;

    fn into_iter(self) -> IterMut<'a, T, D> {
        self.iter_mut()
    }
}

impl<'a, T, const D: usize> IntoIterator for &'a ViewMut<'_, T, D> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T, D>;

    fn into_iter(self) -> Iter<'a, T, D> {
        self.iter()
    }
}

/// The rows of a [`ViewMut`].
#[derive(Debug)]
pub struct RowsMut<'a, T, const D: usize> {
    base: NonNull<T>,
    places: Places<D>,
    n: usize,
    _borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T, const D: usize> Iterator for RowsMut<'a, T, D> {
    type Item = &'a mut [T];

    #[inline]
    fn next(&mut self) -> Option<&'a mut [T]> {
        let at = self.places.next()?;
        // SAFETY: the place of an element of the view: rows without elements are not listed.
        let start = unsafe { self.base.add(at) };
        // SAFETY: the view has the `n` neighbours of the row alone for `'a`, and each row comes
        // once.
        Some(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), self.n) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<T, const D: usize> ExactSizeIterator for RowsMut<'_, T, D> {}

// SAFETY: as for `ViewMut`.
unsafe impl<T: Send, const D: usize> Send for IterMut<'_, T, D> {}
// SAFETY: as for `ViewMut`.
unsafe impl<T: Sync, const D: usize> Sync for IterMut<'_, T, D> {}
// SAFETY: as for `ViewMut`.
unsafe impl<T: Send, const D: usize> Send for RowsMut<'_, T, D> {}
// SAFETY: as for `ViewMut`.
unsafe impl<T: Sync, const D: usize> Sync for RowsMut<'_, T, D> {}

impl<'a, T: Pod, const D: usize> Arg<'a, Self> for ViewMut<'a, T, D> {
    fn bind(self) -> BoundArg<'a> {
        // SAFETY: the elements are borrowed alone for `'a`, which the argument carries.
        unsafe { bound::foreign_mut(self.base, &self.layout.shape, &self.layout.stride) }
    }
}
