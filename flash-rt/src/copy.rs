//! Copies from array to array. They go through the host and hold one range at a time, so that two
//! threads that copy in opposite directions never wait for each other. Nothing is queued: a copy
//! that is to run with kernels is a kernel.

use std::panic::Location;

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::part::{Part, PartMut};
use crate::pod::Pod;

impl<T: Pod, const D: usize> From<&Buffer<T, D>> for Part<T, D> {
    /// The whole array.
    fn from(buffer: &Buffer<T, D>) -> Self {
        buffer.part()
    }
}

impl<T, const D: usize> From<&Self> for Part<T, D> {
    /// The same part.
    fn from(part: &Self) -> Self {
        part.clone()
    }
}

impl<T, const D: usize> From<&PartMut<T, D>> for Part<T, D> {
    /// The same part.
    fn from(part: &PartMut<T, D>) -> Self {
        part.0.clone()
    }
}

impl<T, const D: usize> From<PartMut<T, D>> for Part<T, D> {
    /// The same part.
    fn from(part: PartMut<T, D>) -> Self {
        part.0
    }
}

impl<T: Pod, const D: usize> Buffer<T, D> {
    /// Sets all elements to those of a buffer or part of the same shape, which may overlap.
    ///
    /// It waits for those who write `other`, then for those who use `self`.
    ///
    /// ```
    /// # use flash_rt::Buffer;
    /// let m = Buffer::<u32, 2>::from_shape([2, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// let row = Buffer::<u32>::zeros(3);
    /// row.copy_from(m.row(1))?;
    /// assert_eq!(row.to_vec()?, [4, 5, 6]);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if the shapes differ; [`Error::GuardHeld`] under a guard of this thread on
    /// `self`, or a `write` guard on `other`; what bringing elements from a device says.
    #[track_caller]
    pub fn copy_from(&self, other: impl Into<Part<T, D>>) -> Result<()> {
        self.part().copy_from(other)
    }

    /// A new array with the same elements. (`clone` is another handle to this one.)
    ///
    /// ```
    /// # use flash_rt::Buffer;
    /// let x = Buffer::from(vec![1, 2, 3]);
    /// let (handle, array) = (x.clone(), x.to_buffer()?);
    /// x.fill(0)?;
    /// assert_eq!(handle.to_vec()?, [0, 0, 0]);
    /// assert_eq!(array.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::to_vec`].
    #[track_caller]
    pub fn to_buffer(&self) -> Result<Self> {
        self.part().to_buffer()
    }
}

impl<T: Pod, const D: usize> Part<T, D> {
    /// Sets all elements to those of a buffer or part of the same shape, which may overlap.
    ///
    /// ```
    /// # use flash_rt::Buffer;
    /// let x = Buffer::from(vec![1, 2, 3, 4]);
    /// x.view(1..).copy_from(x.view(..3))?;
    /// assert_eq!(x.to_vec()?, [1, 1, 2, 3]);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Buffer::copy_from`], and [`Error::Range`] of a part that is outside of its array.
    #[track_caller]
    pub fn copy_from(&self, other: impl Into<Self>) -> Result<()> {
        let other = other.into();
        self.section()?;
        other.section()?;
        if self.shape() != other.shape() {
            return Err(Error::Shape {
                what: format!("the array given to `copy_from` at {}", Location::caller()),
                expected: self.shape().to_vec(),
                found: other.shape().to_vec(),
            });
        }
        self.copy_from_slice(&other.to_vec()?)
    }

    /// A new array with these elements, without gaps.
    ///
    /// ```
    /// # use flash_rt::Buffer;
    /// let m = Buffer::<u32, 2>::from_shape([2, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// let right = m.view((.., 1..)).to_buffer()?;
    /// assert_eq!((right.shape(), right.to_vec()?), ([2, 2], vec![2, 3, 5, 6]));
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::to_vec`].
    #[track_caller]
    pub fn to_buffer(&self) -> Result<Buffer<T, D>> {
        Buffer::from(self.to_vec()?).reshape(self.shape())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_must_agree() {
        let (x, m) = (Buffer::<f32, 2>::zeros([2, 3]), Buffer::<f32, 2>::zeros([3, 2]));
        let error = x.copy_from(&m).expect_err("another shape");
        let Error::Shape { expected, found, .. } = &error else { panic!("{error}") };
        assert_eq!((expected.as_slice(), found.as_slice()), ([2, 3].as_slice(), [3, 2].as_slice()));
        let outside = Buffer::<f32>::zeros(3).view(2..5);
        assert!(matches!(outside.to_buffer(), Err(Error::Range { .. })));
    }

    #[test]
    fn a_column_is_copied_to_another_of_the_same_array() {
        let m = Buffer::<u32, 2>::from_shape([3, 3], (0..9).collect::<Vec<_>>()).expect("nine");
        m.view((.., 0..2)).copy_from(m.view((.., 1..3))).expect("parts of an array");
        assert_eq!(m.to_vec().expect("its elements"), [1, 2, 2, 4, 5, 5, 7, 8, 8]);
    }

    #[test]
    fn guards_of_this_thread_are_respected() {
        let (x, y) = (Buffer::from(vec![1, 2]), Buffer::from(vec![3, 4]));
        let held = x.read(..).expect("a guard");
        assert!(matches!(x.copy_from(&y), Err(Error::GuardHeld { .. })));
        y.copy_from(&x).expect("reading beside a reader");
        assert_eq!(*held, *y.read(..).expect("a guard"));
    }
}
