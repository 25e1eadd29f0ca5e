//! Kernels as text for compilers of devices: OpenCL C and CUDA C++. It calls no compiler and knows no
//! device; what one cannot do is said in [`Options`], what a text needs in [`Emitted`].
//!
//! **The function.** An emitted kernel takes, in this order: a pointer for each array parameter
//! (also of temporaries and atomic cells), in the order of declaration; for each reduction, in that
//! order, a pointer to partial results, one for each reduction block; a pointer to a [`status`]
//! record, where [`Emitted::may_fail`]; a pointer to a table of ids, where [`Options::table`]; and
//! the words of [`Emitted::words`] as one structure by value.
//!
//! **Items.** One launch of it runs one box of ids, or the rows of a table; the grid begins at zero.
//! Without a reduction work item `(x, y, z)` runs the item at `x`, `y` and, of all further dimensions
//! together, `z` of the box, and none where that is beyond it, so a grid may be rounded up; with a
//! table, item `x` of it. With a reduction a work-group of [`LANES`](crate::reduction::LANES) work
//! items, one for each lane, runs one reduction block, of at most
//! [`BLOCK_ITEMS`](crate::reduction::BLOCK_ITEMS) items; the grid has one dimension and no group too
//! many, and the result of a group is the partial result of its own number, from 0 in each launch. In
//! CUDA that work-group is a warp, whose lanes shuffle their values in the order of the tree.
//!
//! **Compilers** have to round `/` and `sqrt` of `f32` correctly, for which OpenCL has an option, and must
//! neither relax floats nor flush subnormal ones. Contraction is off in the text of OpenCL C; CUDA C++
//! needs [`cuda::options`].
//!
//! **Accesses** are element by element, but in CUDA where [`Options::together`] says that work items may do
//! several items: then they take 16 bytes at once of arrays that items use at their own place. What a loop of
//! one item may take together is left to the compiler, which sees that arrays are apart.
//!
//! Meaning is that of [`crate::interp`], bit for bit: integers wrap, floats round once, conversions
//! saturate, an access out of range reads zero or writes nothing and is noted.

mod atomic;
mod body;
mod changed;
mod code;
mod convert;
pub mod cuda;
mod dialect;
mod expr;
mod function;
mod items;
mod kernel;
mod layout;
mod loops;
mod math;
mod module;
mod names;
mod number;
mod opencl;
mod operator;
mod place;
mod ranges;
mod record;
mod reduce;
pub mod status;
mod stmt;
mod together;
mod turns;
mod types;
mod words;
mod writer;

pub use layout::Word;
pub use together::{Together, together};

use std::sync::Arc;

use crate::resolve::{Unsaid, typed};

/// What a text may rely on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// By the number of an access ([`Access::site`](crate::ir::Access::site)): whether it is known to
    /// be in range for all items of the launch.
    pub inside: Vec<bool>,
    /// By parameter: whether neighbours along the last dimension of the array are neighbours in
    /// memory.
    pub unit_stride: Vec<bool>,
    /// Whether addresses may need more than 31 bits: shifts, strides, index times stride, and the sums
    /// of these from the left. Where not, they are computed in 32, which devices other than CPUs like, but for
    /// what follows a counted loop.
    pub wide: bool,
    /// `FLASH_CHECK=all`: accesses in `unsafe` are checked too.
    pub check_all: bool,
    /// The numbers of a table that ids come from, dimension after dimension, where they do not come from a
    /// box; of a reduction, those of its blocks: first ids of all dimensions and ends of all dimensions,
    /// block after block. Dimensions are those of the kernel's rank.
    pub table: Option<TableIds>,
    /// Whether no work item of a grid is too many, so that none has to look whether it is; without a
    /// reduction.
    pub exact: bool,
    /// Whether a work item may do several items, as [`together()`] says: the arrays named there have
    /// neighbours along their last dimension as neighbours in memory, and the first element that a work item
    /// takes of one is where an access of that length can be. Only in CUDA C++, and where nothing can go
    /// wrong: see [`Emitted::together`].
    pub together: bool,
}

/// How wide the numbers of a table of ids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableIds {
    /// Four bytes each.
    U32,
    /// Eight.
    U64,
}

impl TableIds {
    /// The least that numbers up to this one fit in.
    pub fn up_to(most: u64) -> Self {
        if u32::try_from(most).is_ok() { Self::U32 } else { Self::U64 }
    }

    fn scalar(self) -> crate::ScalarTy {
        match self {
            Self::U32 => crate::ScalarTy::U32,
            Self::U64 => crate::ScalarTy::U64,
        }
    }
}

/// A kernel as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The whole text, to be compiled as it is.
    pub text: Arc<str>,
    /// The name of the function.
    pub entry: String,
    /// What the words of the structure are, of which there is at least one; each has eight bytes.
    pub words: Vec<Word>,
    /// Whether it takes a status record: whether anything it does can go wrong.
    pub may_fail: bool,
    /// How many items along dimension 0 a work item does; the last one of a line may do fewer.
    pub together: usize,
    /// Whether it has 64-bit floats, also inside of functions of `flash::math`.
    pub has_f64: bool,
    /// Whether it may divide `f32` or take a root of one, also inside of functions of `flash::math`.
    pub divides_f32: bool,
    /// Whether it has atomic operations of 64 bits.
    pub has_atomics64: bool,
    /// Whether it was written with `fast_math`. Products that are fused are written so, and a compiler
    /// must fuse no others; quotients and roots need not be exact.
    pub is_fast: bool,
}

/// A kernel as CUDA C++, for NVRTC with [`cuda::options`].
///
/// # Errors
///
/// What the kernel has that cannot be said in it.
pub fn cuda(kernel: &typed::Kernel, options: &Options) -> Result<Emitted, Vec<Unsaid>> {
    kernel::text(kernel, options, &cuda::Cuda)
}

/// A kernel as OpenCL C 1.2.
///
/// # Errors
///
/// What the kernel has that cannot be said in it.
pub fn opencl(kernel: &typed::Kernel, options: &Options) -> Result<Emitted, Vec<Unsaid>> {
    kernel::text(kernel, options, &opencl::OpenCl)
}
