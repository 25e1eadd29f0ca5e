//! Long copies of memory of the host that a device copies slowly, or that its driver blocks for: piece by
//! piece through pinned memory, of which each direction has a ring, and threads that fill and empty it.

mod job;
mod ring;

pub(crate) use job::{Job, Missing};
pub(crate) use ring::{MakeQueue, Ring};
