//! The OpenCL backend of FLASH: devices of every OpenCL driver of the machine, loaded at run time.
//!
//! Internal crate: users reach it through a runtime. It needs no OpenCL to be built, and where there
//! is none it has no devices.
#![deny(unsafe_code)]

mod adopted;
mod backend;
mod bitstreams;
mod cl;
mod copies;
mod device;
mod division;
mod emitted;
mod facts;
mod fill;
mod in_place;
mod kept;
mod lines;
mod memory;
mod module;
mod native;
mod nodes;
mod operation;
mod pool;
mod programs;
mod record;
mod registered;
pub mod report;
mod staging;
mod transfer;
mod vendors;
mod whole;

pub use adopted::{adopt_context, adopt_memory, adopt_queue};
pub use backend::{FPGA_KEY, KEY, OpenCl};
#[cfg(feature = "calls")]
pub use cl::calls;
pub use division::{Division, Shares, divided};
pub use memory::OclMemory;
pub use module::OclModule;
pub use nodes::{NodeArray, NodeContext, OnOpenCl};
pub use registered::{register, register_text};
