//! The CUDA backend of FLASH: every NVIDIA device of the machine, through a driver that is loaded at run
//! time.
//!
//! Internal crate: users reach it through a runtime. It needs no CUDA to be built, and where there is no
//! driver it has no devices.
#![deny(unsafe_code)]

mod adopted;
mod ask;
mod backend;
mod batches;
mod code;
mod copies;
mod cu;
mod cycles;
mod device;
mod emitted;
mod facts;
mod fill;
mod image;
mod instance;
mod kept;
mod lines;
mod memory;
mod module;
mod moments;
mod native;
mod nodes;
mod nvrtc;
mod nvtx;
mod operation;
mod pinned;
mod record;
mod registered;
pub mod report;
mod staging;
mod transfer;

pub use adopted::{adopt_memory, adopt_stream, adopt_stream_with};
pub use backend::{Cuda, KEY};
pub use memory::CudaMemory;
pub use module::CudaModule;
pub use nodes::{NodeArray, NodeContext, OnCuda};
pub use registered::{register, register_code};
