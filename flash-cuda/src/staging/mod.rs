//! Copies of memory of the host that devices cannot reach themselves: through pinned memory, which somebody
//! fills before and empties after. Short ones go through a slot each, long ones piece by piece through a
//! ring that a few threads serve.

mod job;
mod ring;
mod slots;

pub(crate) use job::{Job, Stage};
pub(crate) use slots::{Landing, SLOT, Slot, Slots};
