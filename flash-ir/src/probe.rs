//! How the types of locals are read off rustc: a body is compiled, never called, with a [`Slot`] for
//! each local and an [`Array`] for each array parameter. Nothing here is ever run with a value.

use crate::ty::{DevTy, Ty};

/// Takes the type of a local by inference.
#[derive(Debug)]
pub struct Slot<T>(Vec<T>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Slot<T> {
    /// A slot of a type that is not known yet.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The local has the type of the slot.
    pub fn is(&self, _: &T) {}

    /// A value for a local that is declared without one.
    pub fn any(&self) -> T
    where
        T: Copy,
    {
        self.0[0]
    }

    /// The type.
    pub fn ty(&self) -> Ty
    where
        T: DevTy,
    {
        T::TY
    }
}

/// Whether every kind of device has the operators of a type: of scalars and of complex numbers.
#[diagnostic::on_unimplemented(
    message = "only the CPU has operators of `{Self}`, and this body is declared `portable`",
    label = "of type `{Self}`",
    note = "write what the operator computes with its fields, or in a type that devices compute with"
)]
pub trait Computes {}

/// An operand in a body that every kind of device is to run.
pub fn operand<T: Computes>(value: T) -> T {
    value
}

/// As [`operand`], of a place that is changed.
pub fn computes<T: Computes>(_: &T) {}

/// Stands for an array parameter of rank `D`.
#[derive(Debug)]
pub struct Array<T, const D: usize>(Vec<T>);

impl<T, const D: usize> Array<T, D> {
    /// An element that is assigned or changed.
    pub fn place(&mut self, _: [usize; D]) -> &mut T {
        &mut self.0[0]
    }

    /// An element that is read.
    pub fn load(&self, _: [usize; D]) -> T
    where
        T: Copy,
    {
        self.0[0]
    }

    /// A cell that is changed through a shared reference.
    pub fn cell(&self, _: [usize; D]) -> &T {
        &self.0[0]
    }

    /// The number of elements.
    #[expect(clippy::len_without_is_empty, reason = "the body language has `len` only")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The extent of a dimension.
    pub fn extent(&self, _: usize) -> usize {
        self.0.len()
    }
}

/// The index of the work item in dimension `dim` of the index space, from 0.
///
/// A word of the kernel language: `let i = global_id(0);`. `dim` is a literal, 0 to 7, and the
/// highest one that a body names says the rank of the kernel's index space.
pub fn global_id(dim: usize) -> usize {
    dim
}

/// The number of work items in dimension `dim` of the index space.
///
/// A word of the kernel language: `let n = global_size(0);`. `dim` is a literal below the rank of
/// the kernel's index space.
pub fn global_size(dim: usize) -> usize {
    dim
}

/// The number of the phase that the work item belongs to, from 0.
///
/// A word of the kernel language: `let old = phase() % 2;`. Phases are what `sort_by` and `group_by`
/// cut a launch into; without them it has one. All items of a phase see the same number.
pub fn phase() -> usize {
    0
}

/// The number of the part that the work item belongs to, from 0.
///
/// A word of the kernel language: `let own = partition();`. Parts are what a launch with `part_by` is
/// split into over devices; one that is not split is part 0. All items of a part see the same number.
pub fn partition() -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::ScalarTy;

    #[test]
    fn inference_fills_the_slots() {
        let (whole, part, late) = (Slot::new(), Slot::new(), Slot::new());
        let _ = |mut x: Array<f32, 1>| {
            let a = 7;
            whole.is(&a);
            let b = [0.0; 3];
            part.is(&b);
            let c = late.any();
            let _: u8 = c;
            *x.place([a]) += 1.0;
            *x.place([0]) = b[1];
        };
        assert_eq!(whole.ty(), Ty::Scalar(ScalarTy::Usize));
        assert_eq!(part.ty(), Ty::Array(&Ty::Scalar(ScalarTy::F32), 3));
        assert_eq!(late.ty(), Ty::Scalar(ScalarTy::U8));
    }
}
