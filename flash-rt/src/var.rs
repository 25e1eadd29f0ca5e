//! `Var`: a cell that kernels write or reduce into and that scalar arguments read at dispatch. It is
//! an array of one element, and ordered like one.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::buffer::Buffer;
use crate::error::Result;
use crate::pod::Pod;

/// A cell: `&var` is a scalar argument, an operand of a condition, a bound of a loop or an extent of
/// a space. `&mut var` receives a reduction, is an array of one element for a kernel that writes it
/// over one item, and the value for a host task. A `Var<bool>` is reduced by `&`, `|` or `^`. A
/// handle like `Buffer`.
///
/// ```
/// # use flash_rt::{NoBackends, Runtime, Task, Var};
/// let (count, rate) = (Var::<u64>::default(), Var::from(0.5_f32));
/// count.set(3)?;
/// assert_eq!((count.get()?, rate.get()?), (3, 0.5));
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let mut goes = Var::new(false);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("decide", (&count, &mut goes), |(count, goes)| *goes = count > 2));
/// pipeline.exec()?;
/// assert!(goes.get()?);
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Var<T> {
    pub(crate) cell: Buffer<T>,
}

/// What a cell may hold: what an array may, and `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of a cell",
    label = "neither `flash::Pod` nor `bool`",
    note = "scalars, arrays of numbers and `#[repr(C)]` structs with \
            `#[derive(Clone, Copy, flash::Pod)]` can"
)]
pub trait CellValue: Sized {
    /// A cell with this value.
    #[doc(hidden)]
    fn cell(self) -> Buffer<Self>;
    /// Its value.
    ///
    /// # Errors
    ///
    /// As [`Buffer::get`].
    #[doc(hidden)]
    fn get(cell: &Buffer<Self>) -> Result<Self>;
    /// Sets it.
    ///
    /// # Errors
    ///
    /// As [`Buffer::set`].
    #[doc(hidden)]
    fn set(self, cell: &Buffer<Self>) -> Result<()>;
}

impl<T: Pod> CellValue for T {
    fn cell(self) -> Buffer<T> {
        Buffer::from(&[self][..])
    }

    #[track_caller]
    fn get(cell: &Buffer<T>) -> Result<T> {
        cell.get(0)
    }

    #[track_caller]
    fn set(self, cell: &Buffer<T>) -> Result<()> {
        cell.set(0, self)
    }
}

/// As a byte. No array has elements of this type, so only those who know it for a `bool` reach it.
impl CellValue for bool {
    fn cell(self) -> Buffer<Self> {
        let allocation = Arc::new(Allocation::flag(self));
        Buffer { allocation, shape: [1], _elem: PhantomData }
    }

    #[track_caller]
    fn get(cell: &Buffer<Self>) -> Result<Self> {
        Ok(renamed::<Self, u8>(cell).get(0)? != 0)
    }

    #[track_caller]
    fn set(self, cell: &Buffer<Self>) -> Result<()> {
        renamed::<Self, u8>(cell).set(0, u8::from(self))
    }
}

/// The same array as a handle of another type; what it holds is in the allocation.
fn renamed<T, U>(cell: &Buffer<T>) -> Buffer<U> {
    let allocation = Arc::clone(&cell.allocation);
    Buffer { allocation, shape: cell.shape, _elem: PhantomData }
}

impl<T: CellValue> Var<T> {
    /// A cell with this value.
    pub fn new(value: T) -> Self {
        Self { cell: value.cell() }
    }

    /// The value, once those who write it are done.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`](crate::Error::GuardHeld) under a guard of this thread; what bringing it
    /// from a device says.
    #[track_caller]
    pub fn get(&self) -> Result<T> {
        T::get(&self.cell)
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`](crate::Error::GuardHeld) under a guard of this thread.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<()> {
        value.set(&self.cell)
    }
}

impl<T: CellValue> From<T> for Var<T> {
    /// A cell with this value.
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: CellValue + Default> Default for Var<T> {
    /// A cell with the default value: 0, or `false`.
    fn default() -> Self {
        Self::new(T::default())
    }
}
