//! Kernels on CUDA devices: native kernels end to end, and what is said of
//! those that cannot be. Without NVRTC the tests are left out, unless `FLASH_REQUIRE` has `nvrtc`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod absent;
mod adopted;
mod bad;
mod branches;
mod code;
mod conditions;
mod facts;
mod graphs;
mod late;
mod loops;
mod native;
mod native_graphs;
mod peers;
mod ranges;
mod registered;
mod room;
mod shapes;
mod together;
mod tools;
mod variables;
mod wide;
