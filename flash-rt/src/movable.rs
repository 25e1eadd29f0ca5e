//! Handles of arrays as stages take them that exchange or move what is there: of all of one, or of a box. No
//! copy is made here.

use std::sync::Arc;

use crate::arg::ArrayArg;
use crate::buffer::Buffer;
use crate::error::Error;
use crate::part::{Part, PartMut};
use crate::section::Section;
use crate::var::Var;

mod sealed {
    /// Only handles that own what they name, so that nothing borrowed gets into a pipeline.
    pub trait Sealed {}
    impl<T, const D: usize> Sealed for crate::buffer::Buffer<T, D> {}
    impl<T> Sealed for crate::var::Var<T> {}
    impl<T, const D: usize> Sealed for crate::part::Part<T, D> {}
    impl<T, const D: usize> Sealed for crate::part::PartMut<T, D> {}
}

/// A handle to a whole array, as [`Pipeline::swap`](crate::Pipeline::swap) takes it.
#[diagnostic::on_unimplemented(
    message = "the contents of `{Self}` cannot be exchanged",
    label = "expected a `Buffer` or a `Var`",
    note = "a view is a part of an array and borrowed memory has its place; swap whole buffers"
)]
pub trait Whole: sealed::Sealed {
    #[doc(hidden)]
    fn whole(&self) -> ArrayArg;
}

/// An array or a box of one, as [`Pipeline::move_to`](crate::Pipeline::move_to) takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be moved",
    label = "expected a `Buffer`, a `Var` or a view of a buffer",
    note = "borrowed memory has its place; what kernels need of it is brought and given back anyway"
)]
pub trait Movable: sealed::Sealed {
    #[doc(hidden)]
    fn place(&self) -> Moved;
}

/// What is moved, and what was wrong where it was cut.
pub(crate) type Moved = (ArrayArg, Option<Arc<Error>>);

impl<T, const D: usize> Whole for Buffer<T, D> {
    fn whole(&self) -> ArrayArg {
        ArrayArg { allocation: Arc::clone(&self.allocation), section: Section::whole(&self.shape) }
    }
}

impl<T> Whole for Var<T> {
    fn whole(&self) -> ArrayArg {
        self.cell.whole()
    }
}

impl<T, const D: usize> Movable for Buffer<T, D> {
    fn place(&self) -> Moved {
        (self.whole(), None)
    }
}

impl<T> Movable for Var<T> {
    fn place(&self) -> Moved {
        (self.whole(), None)
    }
}

impl<T, const D: usize> Movable for PartMut<T, D> {
    fn place(&self) -> Moved {
        self.0.place()
    }
}

impl<T, const D: usize> Movable for Part<T, D> {
    fn place(&self) -> Moved {
        let allocation = Arc::clone(&self.allocation);
        (ArrayArg { allocation, section: self.section }, self.fault.clone())
    }
}
