//! `Bound`: one long borrow of the caller's memory as a handle for several stages, and its parts. It is used in
//! place where the device shares the host's memory, and current again when `exec` returns.
#![allow(unsafe_code, reason = "hands the run time a pointer made from a borrow it keeps alive")]

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::arg::BoundArg;
use crate::buffer::IntoShape;
use crate::error::Result;
use crate::index::IntoBox;
use crate::packed::Packed;
use crate::part::Part;
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

/// A box of borrowed memory, of rank `D`: `&part` reads, `&mut part` writes. Parts may overlap; stages
/// that touch the same elements keep their order.
///
/// ```
/// use flash_rt::{Bound, NoBackends, Runtime, Task};
///
/// let mut values = [1_u32, 2, 3, 4];
/// let mut u = Bound::new(&mut values);
/// let (head, mut tail) = (u.view(..3), u.view_mut(2..));
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("double", (&mut tail,), |(mut tail,)| tail[[0]] *= 2));
/// pipeline.push(Task::new("look", (&head,), |(head,)| assert_eq!(head[[2]], 6)));
/// pipeline.exec()?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// The borrow lasts as long as they do:
///
/// ```compile_fail,E0506
/// use flash_rt::Bound;
///
/// let mut values = [0.0_f32; 4];
/// let part = Bound::new(&mut values).view(1..3);
/// values[0] = 1.0;
/// drop(part);
/// ```
#[derive(Debug)]
pub struct BoundPart<'a, T, const D: usize = 1> {
    pub(crate) part: Part<T, D>,
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

impl<'a, T> Bound<'a, T> {
    fn whole(&self) -> BoundPart<'a, T> {
        let section = Section::whole(&[self.allocation.len()]);
        BoundPart { part: Part::new(&self.allocation, Ok(section)), _borrow: PhantomData }
    }

    /// A handle to a range of the elements. One that is outside is reported where it is used.
    #[track_caller]
    pub fn view(&self, range: impl IntoBox<1>) -> BoundPart<'a, T> {
        self.whole().view(range)
    }

    /// A handle to a range of the elements, to be written.
    #[track_caller]
    pub fn view_mut(&mut self, range: impl IntoBox<1>) -> BoundPart<'a, T> {
        self.view(range)
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`](crate::Error::Shape) if the elements are not as many.
    #[track_caller]
    pub fn reshape<const E: usize>(&self, shape: impl IntoShape<E>) -> Result<BoundPart<'a, T, E>> {
        let part = self.whole().part.reshape(shape)?;
        Ok(BoundPart { part, _borrow: PhantomData })
    }
}

impl<'a, T, const D: usize> BoundPart<'a, T, D> {
    /// A handle to a box of this box.
    #[track_caller]
    pub fn view(&self, ranges: impl IntoBox<D>) -> Self {
        Self { part: self.part.view(ranges), _borrow: PhantomData }
    }

    /// A handle to a box of this box, to be written.
    #[track_caller]
    pub fn view_mut(&mut self, ranges: impl IntoBox<D>) -> Self {
        self.view(ranges)
    }

    /// The extents, slowest dimension first.
    pub fn shape(&self) -> [usize; D] {
        self.part.shape()
    }

    /// The index space with one item for each element: the extents, fastest dimension first.
    pub fn space(&self) -> [usize; D] {
        self.part.space()
    }
}
