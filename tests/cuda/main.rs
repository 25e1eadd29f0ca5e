//! Kernels on CUDA devices: native kernels end to end, and what is said of
//! those that cannot be. Without NVRTC the tests are left out, unless `FLASH_REQUIRE` has `nvrtc`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

/// Declares kernels that take what a saxpy does, with code of these files.
macro_rules! declare {
    ($($name:ident: $options:tt;)*) => {
        $(#[flash::kernel(unsafe(cuda $options))]
        fn $name(a: f32, x: &[f32], y: &mut [f32]);)*
    };
}

mod absent;
mod adopted;
mod bad;
mod branches;
mod code;
mod conditions;
mod exchanged;
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
