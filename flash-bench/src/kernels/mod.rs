//! The kernels that are measured, by topic, as a user would write them.

pub(crate) mod maps;
pub(crate) mod nodes;
pub(crate) mod programs;
pub(crate) mod stencils;
pub(crate) mod streams;
