//! The run time of FLASH: buffers, pipelines, and the contract a backend fulfils.
//!
//! Internal crate: users name these items through `flash`. It knows no vendor and prints nothing.
#![deny(unsafe_code)]

pub mod access;
pub mod allocation;
pub mod arg;
pub mod atomic;
pub mod backend;
pub mod bound;
pub mod buffer;
pub mod builder;
pub mod call;
pub mod chain;
pub mod descriptor;
pub mod device;
mod engine;
pub mod entry;
pub mod env;
pub mod env_options;
pub mod error;
pub mod image;
pub mod launch;
pub mod lazy;
pub mod ledger;
mod modules;
pub mod part;
pub mod pipeline;
pub mod pod;
pub mod registry;
pub mod report;
pub mod runtime;
pub mod section;
pub mod space;
pub mod stage;
pub mod task;
pub mod value;
pub mod var;
pub mod view;

pub use access::{Access, Mode};
pub use allocation::Allocation;
pub use arg::{Arg, ArrayArg, BoundArg};
pub use atomic::{Atomic, AtomicElem};
pub use bound::{Bound, BoundRead};
pub use buffer::{Buffer, IntoShape};
pub use builder::Builder;
pub use call::{Call, IntoSpace, SpaceSource};
pub use chain::{Chain, Submission};
pub use descriptor::{KernelDescriptor, ParamDescriptor, Role};
pub use device::Device;
pub use env::Env;
pub use env_options::{Isa, Options};
pub use error::{DriverError, Error, Result};
pub use launch::Handle;
pub use part::Part;
pub use pipeline::Pipeline;
pub use pod::Pod;
pub use registry::{Backends, Registration, Registry};
pub use report::{Report, StageReport};
pub use runtime::Runtime;
pub use section::Section;
pub use space::{Block, MAX_RANK, Space};
pub use stage::{IntoStage, Stage};
pub use task::Task;
pub use value::Value;
pub use var::Var;
pub use view::{View, ViewMut};
