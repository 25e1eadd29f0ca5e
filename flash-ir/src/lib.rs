//! The constant kernel IR of FLASH: its types, analyses and interpreter.
//!
//! A kernel body becomes constant data whose leaves (types, constants, device functions) are paths
//! that rustc resolves. This crate names no vendor, holds no `unsafe` and never parses Rust.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod called;
pub mod complex;
mod dims;
mod display;
pub mod elements;
pub mod emit;
pub mod interp;
pub mod ir;
pub mod math;
pub mod probe;
pub mod reduction;
pub mod resolve;
pub mod shadow;
pub mod ty;

pub use dims::{Dims, NEAR};
pub use ir::{DeviceFn, FnIr, KernelIr};
pub use ty::{DevTy, FieldTy, ScalarTy, StructTy, Ty};
