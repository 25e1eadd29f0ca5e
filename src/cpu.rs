//! What is particular to the CPU: kernels from shared libraries by the interface of `flash.h`.
//! Everything else about it is reached through a runtime.

pub use flash_cpu::library::{ABI_VERSION, HEADER, register, register_library, signature};
