//! The CPU backend of FLASH: a team of threads, the choice of the instruction set, kernels from
//! shared libraries.
//!
//! Internal crate: users reach it as the key `ALL_CPU` of a runtime. It validates no launch.
#![deny(unsafe_code)]

mod backend;
mod blocks;
mod cost;
pub mod isa;
mod launch;
pub mod library;
mod tables;
pub mod team;
mod trial;

pub use backend::{CpuBackend, CpuModule, NoMemory};
