//! An interpreter of kernels over any memory: the second reader of the IR, and the meaning that
//! other executors are tested against. It compiles a typed kernel to closures once and runs them
//! item by item; it allocates no arrays, starts no threads and knows no backend.
//!
//! Integers wrap, floats round once per operation, conversions saturate. An access out of range
//! reads zero or writes nothing and is noted; a division by zero, or an index outside a small
//! array, ends the item and is noted too. Reductions use the blocks and lanes of
//! [`crate::reduction`], whatever the order of the items.

mod compile;
mod exec;
mod expr;
mod functions;
mod ops;
mod place;
mod race;
mod run;
mod word;

use std::fmt;

use crate::ir::{KernelIr, Span};
use crate::resolve;
use crate::ty::Ty;

#[cfg(test)]
pub(crate) use functions::{Function, function};
pub use race::{Race, Recorder, Seen, Touch};
pub use run::{Order, Part, Run};

/// The largest rank of an array.
pub const MAX_ARRAY_RANK: usize = 4;

/// The memory of a launch: values and arrays by parameter. Arrays are indexed as the kernel does,
/// globally and slowest dimension first, whatever box of them is held.
pub trait Memory {
    /// Copies the value of a scalar parameter.
    fn value(&mut self, param: usize, out: &mut [u8]);

    /// The extents of an array parameter, unused dimensions 1.
    fn shape(&mut self, param: usize) -> [usize; MAX_ARRAY_RANK];

    /// Copies bytes from `offset` on of an element inside the shape. `false` where it is not held.
    fn read(&mut self, param: usize, index: &[usize], offset: usize, out: &mut [u8]) -> bool;

    /// Sets bytes from `offset` on of an element inside the shape. `false` where it is not held.
    fn write(&mut self, param: usize, index: &[usize], offset: usize, bytes: &[u8]) -> bool;

    /// Takes the result of reduction block `block` of a reduction parameter.
    fn partial(&mut self, param: usize, block: usize, bytes: &[u8]);
}

/// An access outside an array; ordered by item, then parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Linear number of the item, dimension 0 fastest.
    pub item: u64,
    /// The parameter.
    pub param: u16,
    /// The index, unused components zero.
    pub index: [usize; MAX_ARRAY_RANK],
}

/// What ended an item early, where Rust would panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Linear number of the item.
    pub item: u64,
    /// Where it was written.
    pub span: Span,
    /// What happened.
    pub what: FaultKind,
}

/// Why an item ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An integer division by zero.
    DivideByZero,
    /// The one quotient that does not fit.
    DivideOverflow,
    /// The remainder of a division by zero.
    RestOfZero,
    /// The remainder of the one division whose quotient does not fit.
    RestOverflow,
    /// An index outside a small array.
    Index,
    /// A `step_by(0)`.
    Step,
}

impl FaultKind {
    /// Of a division, or the remainder of one, whose result does not exist.
    pub const fn of_division(is_rest: bool, is_by_zero: bool) -> Self {
        match (is_rest, is_by_zero) {
            (false, true) => Self::DivideByZero,
            (false, false) => Self::DivideOverflow,
            (true, true) => Self::RestOfZero,
            (true, false) => Self::RestOverflow,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            FaultKind::DivideByZero => "division by zero",
            FaultKind::DivideOverflow => "division with overflow",
            FaultKind::RestOfZero => "remainder of a division by zero",
            FaultKind::RestOverflow => "remainder with overflow",
            FaultKind::Index => "index outside a small array",
            FaultKind::Step => "step of zero",
        };
        write!(f, "item {}: {what} at line {}", self.item, self.span.line)
    }
}

/// What is noted of a run: the first violation and the fault of the lowest item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The first access outside an array.
    pub violation: Option<Violation>,
    /// The first item that ended early.
    pub fault: Option<Fault>,
}

/// A kernel ready to run.
pub struct Program {
    ir: &'static KernelIr,
    /// Frees the result of the whole body.
    body: exec::Exec,
    n_regs: usize,
    n_bytes: usize,
    /// For each parameter where its value is kept.
    values: Vec<exec::Slot>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("kernel", &self.ir.name).finish_non_exhaustive()
    }
}

impl Program {
    /// Types a kernel and compiles it.
    ///
    /// # Errors
    ///
    /// What could not be typed, or has no meaning here.
    pub fn new(ir: &'static KernelIr) -> Result<Self, Vec<resolve::Unsaid>> {
        compile::program(&resolve::kernel(ir)?, false)
    }

    /// As [`Program::new`], with the strict functions of `flash::math` where the kernel says
    /// `fast_math`: what it computes where multiply-adds are not fused.
    ///
    /// # Errors
    ///
    /// As [`Program::new`].
    pub fn strict(ir: &'static KernelIr) -> Result<Self, Vec<resolve::Unsaid>> {
        compile::program(&resolve::kernel(ir)?, true)
    }

    /// The kernel.
    pub fn ir(&self) -> &'static KernelIr {
        self.ir
    }
}

/// The scalar of a type, if it is one.
fn scalar(ty: &Ty) -> Option<crate::ty::ScalarTy> {
    match ty {
        Ty::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}
