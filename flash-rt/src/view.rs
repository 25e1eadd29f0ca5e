//! Borrowed arrays with strides: what kernel signatures name and host tasks get. Fenced: elements
//! are reached through a pointer. They own nothing and check every index.
#![allow(unsafe_code, reason = "a strided array cannot be a slice; each access is checked first")]

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

/// Elements of rank `D`, shared for `'a`. In a kernel's signature: an input array.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T, const D: usize> {
    base: NonNull<T>,
    shape: [usize; D],
    stride: [usize; D],
    _borrow: PhantomData<&'a [T]>,
}

/// Elements of rank `D`, borrowed alone for `'a`. In a kernel's signature: a written array.
#[derive(Debug)]
pub struct ViewMut<'a, T, const D: usize> {
    base: NonNull<T>,
    shape: [usize; D],
    stride: [usize; D],
    _borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: a `View` is a shared borrow of elements.
unsafe impl<T: Sync, const D: usize> Send for View<'_, T, D> {}
// SAFETY: as a `&[T]`.
unsafe impl<T: Sync, const D: usize> Sync for View<'_, T, D> {}
// SAFETY: a `ViewMut` is a unique borrow of elements.
unsafe impl<T: Send, const D: usize> Send for ViewMut<'_, T, D> {}
// SAFETY: as a `&mut [T]`.
unsafe impl<T: Sync, const D: usize> Sync for ViewMut<'_, T, D> {}

/// The distance of an element from the first, if the index is inside.
#[inline]
fn place<const D: usize>(
    index: [usize; D],
    shape: [usize; D],
    stride: [usize; D],
) -> Option<usize> {
    let mut at = 0;
    for d in 0..D {
        if index[d] >= shape[d] {
            return None;
        }
        at += index[d] * stride[d];
    }
    Some(at)
}

#[cold]
#[inline(never)]
/// Whether the elements are neighbours in row-major order.
fn is_contiguous<const D: usize>(shape: [usize; D], stride: [usize; D]) -> bool {
    let mut expected = 1_usize;
    for dim in (0..D).rev() {
        if shape[dim] != 1 && stride[dim] != expected {
            return shape.contains(&0);
        }
        expected = expected.saturating_mul(shape[dim]);
    }
    true
}

#[track_caller]
fn outside(index: &[usize], shape: &[usize]) -> ! {
    panic!("index {index:?} is outside a view of shape {shape:?}")
}

impl<'a, T, const D: usize> View<'a, T, D> {
    /// # Safety
    ///
    /// Every element that `shape` and `stride` reach from `base` is valid and unwritten for `'a`.
    pub(crate) unsafe fn new(base: NonNull<T>, shape: [usize; D], stride: [usize; D]) -> Self {
        Self { base, shape, stride, _borrow: PhantomData }
    }

    /// The extents, slowest dimension first.
    #[inline]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// The extent of a dimension.
    #[inline]
    pub fn extent(&self, dim: usize) -> usize {
        self.shape.get(dim).copied().unwrap_or(1)
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The element at an index, if it is inside.
    #[inline]
    pub fn get(&self, index: [usize; D]) -> Option<&'a T> {
        let at = place(index, self.shape, self.stride)?;
        // SAFETY: `place` found the index inside, so the element is valid for `'a`.
        unsafe { self.base.add(at).as_ref() }.into()
    }

    /// All elements, the last dimension fastest; `None` where they are not neighbours.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let neighbours = is_contiguous(self.shape, self.stride);
        // SAFETY: shape and stride reach `len` neighbours from `base`, all valid and unwritten
        // for `'a`.
        neighbours.then(|| unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.len()) })
    }
}

impl<'a, T, const D: usize> ViewMut<'a, T, D> {
    /// # Safety
    ///
    /// Every element that `shape` and `stride` reach from `base` is valid for `'a`, reached once,
    /// and by nobody else.
    pub(crate) unsafe fn new(base: NonNull<T>, shape: [usize; D], stride: [usize; D]) -> Self {
        Self { base, shape, stride, _borrow: PhantomData }
    }

    /// The same elements, shared while `self` is borrowed.
    #[inline]
    pub fn as_view(&self) -> View<'_, T, D> {
        View { base: self.base, shape: self.shape, stride: self.stride, _borrow: PhantomData }
    }

    /// All elements, the last dimension fastest; `None` where they are not neighbours.
    pub fn into_slice(self) -> Option<&'a mut [T]> {
        let len = self.shape.iter().product();
        let neighbours = is_contiguous(self.shape, self.stride);
        // SAFETY: shape and stride reach `len` neighbours from `base`, valid for `'a` and reached
        // by nobody else; `self` ends here.
        neighbours.then(|| unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr(), len) })
    }

    /// The extents, slowest dimension first.
    #[inline]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// The extent of a dimension.
    #[inline]
    pub fn extent(&self, dim: usize) -> usize {
        self.shape.get(dim).copied().unwrap_or(1)
    }
}

impl<T, const D: usize> Index<[usize; D]> for View<'_, T, D> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: [usize; D]) -> &T {
        self.get(index).unwrap_or_else(|| outside(&index, &self.shape))
    }
}

impl<T, const D: usize> Index<[usize; D]> for ViewMut<'_, T, D> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: [usize; D]) -> &T {
        match place(index, self.shape, self.stride) {
            // SAFETY: `place` found the index inside.
            Some(at) => unsafe { self.base.add(at).as_ref() },
            None => outside(&index, &self.shape),
        }
    }
}

impl<T, const D: usize> IndexMut<[usize; D]> for ViewMut<'_, T, D> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; D]) -> &mut T {
        match place(index, self.shape, self.stride) {
            // SAFETY: `place` found the index inside, and `self` is borrowed alone.
            Some(at) => unsafe { self.base.add(at).as_mut() },
            None => outside(&index, &self.shape),
        }
    }
}
