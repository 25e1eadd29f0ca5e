//! OpenCL as it is called here: functions that are loaded at run time, objects that count their
//! owners, errors that say which call failed. It knows no kernels, arrays or tickets.

mod adopted;
#[cfg(feature = "calls")]
pub mod calls;
mod enqueue;
mod info;
mod object;
mod pinned;
mod program;
mod status;
mod table;

pub(crate) use enqueue::{Rect, Waits};
pub(crate) use info::{DeviceId, DeviceKind, PlatformId};
pub(crate) use object::{
    Context, Event, Kernel, Mem, PartDevice, Program, Progress, Queue, SetArguments,
};
pub(crate) use pinned::Pinned;
pub(crate) use program::{AddressSpace, ArgInfo};
pub(crate) use status::{Failure, name};
pub use table::Tried;
pub(crate) use table::{Table, open, search, table};
