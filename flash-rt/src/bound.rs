//! `Bound`: one long borrow of the caller's memory as a handle for several stages. It is used in
//! place where the device shares the host's memory, and current again when `exec` returns.
#![allow(unsafe_code, reason = "hands the run time a pointer made from a borrow it keeps alive")]

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::arg::BoundArg;
use crate::packed::Packed;
use crate::pod::Pod;
use crate::section::Section;

/// Borrowed memory that several stages share: `&u` reads, `&mut u` writes.
///
/// The borrow lasts as long as anything made with the handle:
///
/// ```compile_fail,E0506
/// use flash_rt::{Arg, Bound};
///
/// let mut values = [0.0_f32; 4];
/// let mut u = Bound::new(&mut values);
/// let argument = Arg::<&mut [f32]>::bind(&mut u);
/// values[0] = 1.0;
/// drop(argument);
/// ```
#[derive(Debug)]
pub struct Bound<'a, T> {
    pub(crate) allocation: Arc<Allocation>,
    _borrow: PhantomData<&'a mut [T]>,
}

/// Borrowed memory that several stages read.
#[derive(Debug)]
pub struct BoundRead<'a, T> {
    pub(crate) allocation: Arc<Allocation>,
    _borrow: PhantomData<&'a [T]>,
}

/// Borrowed elements with strides as an argument.
///
/// # Safety
///
/// The elements that shape and stride reach from `base` are valid and unwritten for `'a`.
pub(crate) unsafe fn foreign<'a, T: Pod>(
    base: NonNull<T>,
    shape: &[usize],
    stride: &[usize],
) -> BoundArg<'a> {
    let section = Section::strided(shape, stride);
    let span = NonNull::slice_from_raw_parts(base, section.end());
    // SAFETY: only the elements of the section are touched, and they stay as the caller promises.
    let allocation = Arc::new(unsafe { Allocation::foreign::<T>(span.as_ptr()) });
    BoundArg::Array(Packed::new(allocation, &section))
}

/// Borrowed elements with strides as an argument that may be written.
///
/// # Safety
///
/// The elements that shape and stride reach from `base` are valid for `'a`, reached once, and by
/// nobody else.
pub(crate) unsafe fn foreign_mut<'a, T: Pod>(
    base: NonNull<T>,
    shape: &[usize],
    stride: &[usize],
) -> BoundArg<'a> {
    let section = Section::strided(shape, stride);
    let span = NonNull::slice_from_raw_parts(base, section.end());
    // SAFETY: only the elements of the section are touched, and they stay as the caller promises.
    let allocation = Arc::new(unsafe { Allocation::foreign_mut::<T>(span.as_ptr()) });
    BoundArg::Array(Packed::new(allocation, &section))
}

impl<'a, T: Pod> Bound<'a, T> {
    /// Borrows elements to read and write.
    pub fn new(values: &'a mut [T]) -> Self {
        // SAFETY: the elements are borrowed alone for `'a`; arguments made from the handle carry
        // `'a`, and so does all that runs with them.
        let allocation = unsafe { Allocation::foreign_mut::<T>(values) };
        Self { allocation: Arc::new(allocation), _borrow: PhantomData }
    }

    /// Borrows elements to read only.
    pub fn read(values: &'a [T]) -> BoundRead<'a, T> {
        // SAFETY: the elements are shared for `'a`; arguments made from the handle carry `'a`, and
        // are read only.
        let allocation = unsafe { Allocation::foreign::<T>(values) };
        BoundRead { allocation: Arc::new(allocation), _borrow: PhantomData }
    }
}
