//! A number for each dimension of an index space. It does not say of what.

use smallvec::SmallVec;

/// So many dimensions are in place; more of them need memory of their own.
pub const NEAR: usize = 6;

/// A number for each dimension, dimension 0 first.
pub type Dims = SmallVec<[usize; NEAR]>;
