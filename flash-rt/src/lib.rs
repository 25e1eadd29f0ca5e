//! The run time of FLASH: buffers, pipelines, and the contract a backend fulfils.
//!
//! Internal crate: users name these items through `flash`. It knows no vendor and prints nothing.
#![deny(unsafe_code)]

pub mod backend;
pub mod descriptor;
pub mod entry;
pub mod env;
pub mod error;
pub mod lazy;
pub mod space;

pub use descriptor::{KernelDescriptor, ParamDescriptor, Role};
pub use env::Env;
pub use error::{DriverError, Error, Result};
pub use space::{Block, MAX_RANK, Space};
