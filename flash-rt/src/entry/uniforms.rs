//! What is the same for all items of a launch: values, extents and the index space. Offsets of own
//! places and lengths of scratch arrays are functions of it.

use super::slot::{Slot, Tag};
use crate::space::Space;

/// The uniform facts of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Uniforms<'u> {
    pub(crate) slots: &'u [Slot],
    pub(crate) space: &'u Space,
}

impl Uniforms<'_> {
    /// The extent `dim` of the array parameter `param`; 0 where it is none.
    pub fn extent(&self, param: usize, dim: usize) -> usize {
        self.slots.get(param).map_or(0, |slot| {
            if slot.tag == Tag::Value { 0 } else { slot.array.shape.get(dim).copied().unwrap_or(0) }
        })
    }

    /// The number of elements of the array parameter `param`.
    pub fn len(&self, param: usize) -> usize {
        self.slots.get(param).map_or(0, |slot| slot.array.n_elems())
    }

    /// The extent of a dimension of the index space.
    pub fn global_size(&self, dim: usize) -> usize {
        self.space.extent(dim)
    }
}
