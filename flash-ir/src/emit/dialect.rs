//! What the C of one kind of device calls the things that a kernel needs. It holds no text of a kernel
//! and decides nothing about meaning.

use crate::ir::AtomicOp;
use crate::ty::ScalarTy;

/// What a text needs of its language beyond the plain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// 64-bit floats.
    pub(super) f64: bool,
    /// Atomic operations of 64 bits.
    pub(super) atomics64: bool,
    /// Minima, maxima and bit operations of 64 bits among them.
    pub(super) atomics64_wide: bool,
}

/// How lanes reach each other's values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lanes {
    /// In memory of the work-group.
    Memory {
        /// What stands before it.
        local: &'static str,
        /// Waits for the work-group, which sees all of it then.
        barrier: &'static str,
    },
    /// At once: the value that a variable of a type has in the lane that is so much further.
    Values(fn(ScalarTy, &str, &str) -> String),
}

/// A dialect of C.
pub(super) trait Dialect {
    /// What a compiler has to be told first, each line ended.
    fn preamble(&self, needs: Needs) -> String;
    /// A scalar; 8 bits for `bool`.
    fn scalar(&self, ty: ScalarTy) -> &'static str;
    /// The ending of an integer literal.
    fn suffix(&self, ty: ScalarTy) -> &'static str;
    /// An initialiser of zeros for a structure.
    fn zeros(&self) -> &'static str;
    /// The float of the bits in an unsigned integer of its size.
    fn float_of(&self, ty: ScalarTy, bits: &str) -> String;
    /// The bits of a float.
    fn bits_of(&self, ty: ScalarTy, float: &str) -> String;
    /// `x * y + z` with one rounding.
    fn fused(&self, args: [&str; 3]) -> String;
    /// What the functions of `flash::math` stand on.
    fn math(&self) -> &'static str;
    /// Types in the text of those functions that have other names here.
    fn math_words(&self) -> &'static [(&'static str, &'static str)];

    /// What stands before a function that kernels call.
    fn function(&self) -> &'static str;
    /// What stands before the name of a kernel; `lanes` is the size of a work-group that has to be
    /// that of lanes.
    fn entry(&self, lanes: Option<usize>) -> String;
    /// What stands before an element type in device memory.
    fn global(&self) -> &'static str;
    /// What stands before the name of a pointer whose memory no other one reaches.
    fn restrict(&self) -> &'static str;
    /// Whether work items may take several neighbours at once.
    fn is_packed(&self) -> bool {
        false
    }
    /// What stands before a constant table.
    fn constant(&self) -> &'static str;
    /// How the lanes of a work-group reach each other's values.
    fn lanes(&self) -> Lanes;

    /// Number of the work item in a dimension.
    fn item(&self, dim: usize) -> String;
    /// Number of the work-group in dimension 0.
    fn group(&self) -> &'static str;
    /// Number of the work item within its group.
    fn lane(&self) -> &'static str;

    /// An atomic operation on `*pointer` with the old value as its result, where there is one that
    /// means what it has to; `is_fast` is for kernels with `fast_math`. Not for `Load` and `Store`.
    fn atomic(
        &self,
        op: AtomicOp,
        ty: ScalarTy,
        is_fast: bool,
        pointer: &str,
        args: &[&str],
    ) -> Option<String>;
    /// Orders what a work item does to device memory.
    fn fence(&self) -> &'static str;
}
