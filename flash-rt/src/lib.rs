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
pub mod descriptor;
pub mod entry;
pub mod env;
pub mod error;
pub mod image;
pub mod lazy;
pub mod ledger;
pub mod part;
pub mod pod;
pub mod section;
pub mod space;
pub mod value;
pub mod var;
pub mod view;

pub use access::{Access, Mode};
pub use allocation::Allocation;
pub use arg::{Arg, ArrayArg, BoundArg};
pub use atomic::{Atomic, AtomicElem};
pub use bound::{Bound, BoundRead};
pub use buffer::{Buffer, IntoShape};
pub use descriptor::{KernelDescriptor, ParamDescriptor, Role};
pub use env::Env;
pub use error::{DriverError, Error, Result};
pub use part::Part;
pub use pod::Pod;
pub use section::Section;
pub use space::{Block, MAX_RANK, Space};
pub use value::Value;
pub use var::Var;
pub use view::{View, ViewMut};
