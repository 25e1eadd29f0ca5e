//! The arguments of native nodes as their code gets them: boxes of arrays, and flags. It says nothing about
//! how a driver names memory. Fenced: it reads values of cells.
#![allow(unsafe_code, reason = "reads values that slots point to")]

use crate::backend::LaunchInfo;
use crate::descriptor::{ParamDescriptor, Role};
use crate::entry::Slot;

/// The arguments of a node, with arrays as a driver has them.
#[derive(Debug)]
pub struct Arguments<A>(Vec<Argument<A>>);

#[derive(Debug)]
enum Argument<A> {
    Array(A),
    Flag(bool),
}

/// A box of an array in a memory, whose element of the indices `i` is
/// `offset + size * (i[0] * strides[0] + ..)` bytes from the start of the memory.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Where the first element is, in bytes from the start of the memory.
    pub offset: usize,
    /// Its extents, the last one of neighbours.
    pub shape: Vec<usize>,
    /// How far neighbours are apart in each dimension, in elements.
    pub strides: Vec<usize>,
    /// Whether the node writes it.
    pub is_written: bool,
}

impl<A> Arguments<A> {
    /// Those of a node; `array` has the memory of an array, if it is in one, and its place there.
    ///
    /// # Safety
    ///
    /// Its values can be read.
    pub unsafe fn of<M>(
        launch: &LaunchInfo<'_, M>,
        array: impl Fn(Option<&M>, Extent) -> A,
    ) -> Self {
        let all = launch.slots.iter().zip(launch.kernel.params).enumerate();
        let argument = |(k, (slot, param)): (usize, (&Slot, &ParamDescriptor))| {
            let at = slot.array_slot();
            if matches!(param.role, Role::Value) {
                // SAFETY: the slot of a value of a native node points to a `bool`, a byte.
                return Argument::Flag(unsafe { at.base.cast_const().read() } != 0);
            }
            let rank = usize::from(at.rank);
            let extent = Extent {
                offset: at.base.addr(),
                shape: at.shape[..rank].to_vec(),
                strides: at.stride[..rank].iter().map(|stride| stride.unsigned_abs()).collect(),
                is_written: param.role.writes(),
            };
            Argument::Array(array(launch.memories.get(k).copied().flatten(), extent))
        };
        Self(all.map(argument).collect())
    }

    /// An array by its place, from 0; `None` of what is no array.
    pub fn array(&self, argument: usize) -> Option<&A> {
        match self.0.get(argument)? {
            Argument::Array(array) => Some(array),
            Argument::Flag(_) => None,
        }
    }

    /// The value of an argument that is a `&Var<bool>`.
    pub fn flag(&self, argument: usize) -> Option<bool> {
        match self.0.get(argument)? {
            Argument::Array(_) => None,
            Argument::Flag(flag) => Some(*flag),
        }
    }
}
