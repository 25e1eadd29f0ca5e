//! One suite for every backend: what the contract promises, checked on device memory directly and
//! through pipelines. Each function panics where a promise is broken; none times anything.
//!
//! [`all`] runs everything on the devices of a runtime. The kernels are those of [`kernels`], or
//! ones of the same meaning that `#[flash::kernel]` made, which a backend without CPU entries needs.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a broken promise is a panic")]

mod copies;
mod kept;
pub mod kernels;
mod launches;
mod memory;
mod queues;

use crate::descriptor::KernelDescriptor;
use crate::runtime::Runtime;

pub use kept::reductions_under_way;
pub use launches::{
    empty_launches, failures_name_the_lowest_item, full_outputs, order_of_submissions, panics,
    reductions_in_the_fixed_tree, refusals, scratch_starts_from_zero, sizes, strides,
};
pub use memory::{memory_info, peers, regions, two_memories};
pub use queues::{compute_queues, giving_up, order_of_queues, tickets};

/// Kernels of the meaning of those in [`kernels`].
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each is the kernel of its name")]
pub struct Kernels {
    pub saxpy: &'static KernelDescriptor,
    pub affine: &'static KernelDescriptor,
    pub transpose: &'static KernelDescriptor,
    pub sum: &'static KernelDescriptor,
    pub sum_into: &'static KernelDescriptor,
    pub scratch: &'static KernelDescriptor,
    pub divide: &'static KernelDescriptor,
}

impl Kernels {
    /// Those of [`kernels`], for backends that run CPU entries.
    pub fn by_hand() -> Self {
        Self {
            saxpy: &kernels::SAXPY,
            affine: &kernels::AFFINE,
            transpose: &kernels::TRANSPOSE,
            sum: &kernels::SUM,
            sum_into: &kernels::SUM_INTO,
            scratch: &kernels::SCRATCH,
            divide: &kernels::DIVIDE,
        }
    }
}

/// Everything.
pub fn all<B>(rt: &Runtime<B>, kernels: &Kernels) {
    for device in rt.devices() {
        regions(device);
        two_memories(device);
        memory_info(device);
        tickets(device);
        order_of_queues(device);
        compute_queues(device);
        giving_up(device);
        reductions_under_way(device, kernels);
    }
    peers(rt);
    sizes(rt, kernels);
    strides(rt, kernels);
    empty_launches(rt, kernels);
    order_of_submissions(rt, kernels);
    full_outputs(rt, kernels);
    scratch_starts_from_zero(rt, kernels);
    reductions_in_the_fixed_tree(rt, kernels);
    failures_name_the_lowest_item(rt, kernels);
    panics(rt, kernels);
    refusals(rt, kernels);
}
