//! CUDA as it is called here: a driver that is known to be there, objects that go when nobody has them,
//! errors that say which call failed. It knows no kernels, arrays or tickets.

mod adopted;
mod alive;
mod context;
mod copy;
mod cycle;
mod functions;
mod graph;
mod info;
mod memory;
mod module;
mod peers;
mod probe;
mod status;
mod stream;

pub(crate) use context::Context;
pub(crate) use copy::Plane;
pub(crate) use cycle::{Cycle, Open, Step, alone};
pub(crate) use graph::{Chain, Link};
pub(crate) use info::{Attribute, DeviceId};
pub(crate) use memory::{DeviceMemory, Pinned, Registered};
pub(crate) use module::{Function, FunctionAttribute, Image, Launch, Module};
pub use probe::Tried;
pub(crate) use probe::{Driver, driver, has_conditions, is_there, search};
pub(crate) use status::Failure;
pub(crate) use stream::{Event, Progress, Stream};
