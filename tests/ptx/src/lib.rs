//! PTX for tests: a parser and an interpreter, so that kernels for CUDA run without a GPU.
//!
//! It takes the PTX that NVRTC 13.0 writes for kernels in CUDA C++, and runs grids of it on memory
//! that the caller has. It is no model of a machine: nothing is timed, and what PTX leaves open (the
//! last bits of `.approx`, the order of warps) is decided here in one way.
//!
//! ```
//! use flash_test_ptx::{Arena, Launch, Module};
//!
//! let module = Module::parse(
//!     ".version 9.0 .target sm_75 .address_size 64
//!      .visible .entry double_it(.param .u64 p) {
//!          .reg .b64 %rd<4>; .reg .b32 %r<4>;
//!          ld.param.u64 %rd1, [p];
//!          mov.u32 %r1, %tid.x;
//!          mul.wide.u32 %rd2, %r1, 4;
//!          add.s64 %rd3, %rd1, %rd2;
//!          ld.global.u32 %r2, [%rd3];
//!          add.s32 %r3, %r2, %r2;
//!          st.global.u32 [%rd3], %r3;
//!          ret;
//!      }",
//! )?;
//! let memory = Arena::new();
//! let array = memory.place(&[1, 0, 0, 0, 20, 0, 0, 0]);
//! let launch = Launch { block: [2, 1, 1], params: &array.to_le_bytes(), ..Launch::default() };
//! module.run("double_it", &launch, &[], &memory)?;
//! assert_eq!(memory.read(array, 8), [2, 0, 0, 0, 40, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

mod arena;
mod exec;
mod fault;
mod flow;
mod lanes;
mod launch;
mod lex;
mod lower;
mod memory;
mod module;
mod number;
mod parse;
mod program;
mod syntax;
mod types;

pub use arena::Arena;
pub use fault::{Access, Fault, FaultKind, ParseError, Space};
pub use launch::Launch;
pub use memory::{Memory, OutOfBounds, Region};
pub use module::{AddressOf, Entry, Global, Module, Param};
