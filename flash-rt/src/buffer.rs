//! `Buffer`: a cheap handle to a whole array. Clones are the same array; parts are [`Part`]s. It
//! has no `Index`: a reference into it comes from a guard only.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::error::{Error, Result};
use crate::pod::Pod;
use crate::section::Section;

/// An array of rank `D` that every device can use. A handle: clones are the same array.
pub struct Buffer<T, const D: usize = 1> {
    pub(crate) allocation: Arc<Allocation>,
    pub(crate) shape: [usize; D],
    pub(crate) _elem: PhantomData<fn() -> T>,
}

/// What can be the shape of an array of rank `D`: `n` or `[h, w]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape of rank {D}",
    label = "expected `[usize; {D}]`, or `usize` for rank 1"
)]
pub trait IntoShape<const D: usize> {
    /// The extents, slowest dimension first.
    fn into_shape(self) -> [usize; D];
}

impl IntoShape<1> for usize {
    #[inline]
    fn into_shape(self) -> [usize; 1] {
        [self]
    }
}

impl<const D: usize> IntoShape<D> for [usize; D] {
    #[inline]
    fn into_shape(self) -> [usize; D] {
        self
    }
}

impl<T, const D: usize> Clone for Buffer<T, D> {
    #[inline]
    fn clone(&self) -> Self {
        Self { allocation: Arc::clone(&self.allocation), shape: self.shape, _elem: PhantomData }
    }
}

impl<T, const D: usize> fmt::Debug for Buffer<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer")
            .field("elem", &std::any::type_name::<T>())
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl<T: Pod, const D: usize> Buffer<T, D> {
    pub(crate) fn over(allocation: Allocation, shape: [usize; D]) -> Self {
        const { assert!(D >= 1 && D <= 4, "an array has a rank of 1 to 4") };
        Self { allocation: Arc::new(allocation), shape, _elem: PhantomData }
    }

    /// An array of zeros. Memory is taken at its first use.
    pub fn zeros(shape: impl IntoShape<D>) -> Self {
        let shape = shape.into_shape();
        Self::over(Allocation::zeros::<T>(&shape), shape)
    }

    /// An array with these elements, the last dimension fastest.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if there are not as many as the shape says.
    pub fn from_shape(shape: impl IntoShape<D>, values: impl AsRef<[T]>) -> Result<Self> {
        let shape = shape.into_shape();
        let values = values.as_ref();
        if Section::count(&shape, size_of::<T>())? != values.len() {
            return Err(Error::Shape {
                what: "elements of a buffer".to_owned(),
                expected: shape.to_vec(),
                found: vec![values.len()],
            });
        }
        Ok(Self::over(Allocation::from_slice(values), shape))
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
        self.allocation.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.allocation.is_empty()
    }

    /// The index space with one item for each element: the extents, fastest dimension first.
    #[inline]
    pub fn space(&self) -> [usize; D] {
        let mut space = self.shape;
        space.reverse();
        space
    }

    #[inline]
    pub(crate) fn section(&self) -> Section {
        Section::whole(&self.shape)
    }
}

impl<T: Pod> From<Vec<T>> for Buffer<T, 1> {
    fn from(values: Vec<T>) -> Self {
        let shape = [values.len()];
        Self::over(Allocation::from_slice(&values), shape)
    }
}

impl<T: Pod> From<&[T]> for Buffer<T, 1> {
    fn from(values: &[T]) -> Self {
        Self::over(Allocation::from_slice(values), [values.len()])
    }
}
