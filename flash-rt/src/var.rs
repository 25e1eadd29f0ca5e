//! `Var`: a cell that kernels reduce into and that scalar arguments read at dispatch. It is an
//! array of one element, and ordered like one.

use crate::buffer::Buffer;
use crate::error::Result;
use crate::pod::Pod;

/// A cell: `&var` is a scalar argument, `&mut var` receives a reduction. A handle like `Buffer`.
#[derive(Clone, Debug)]
pub struct Var<T> {
    pub(crate) cell: Buffer<T>,
}

impl<T: Pod> Var<T> {
    /// A cell with this value.
    pub fn new(value: T) -> Self {
        Self { cell: Buffer::from(&[value][..]) }
    }

    /// The value, once those who write it are done.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`](crate::Error::GuardHeld) under a guard of this thread; what bringing it
    /// from a device says.
    #[track_caller]
    pub fn get(&self) -> Result<T> {
        self.cell.get(0)
    }

    /// Sets the value.
    ///
    /// # Errors
    ///
    /// [`Error::GuardHeld`](crate::Error::GuardHeld) under a guard of this thread.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<()> {
        self.cell.set(0, value)
    }
}
