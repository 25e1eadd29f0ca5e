//! What operations do when their time has come. Fenced: it reaches host memory and kernels' slots
//! that the caller of the contract vouched for.
#![allow(unsafe_code, reason = "carries out copies and launches that were submitted")]

use std::sync::Arc;

use flash_ir::interp::Program;
use smallvec::SmallVec;

use super::memory::{SimMemory, Storage};
use super::native::Queued;
use super::{entries, interpret};
use crate::allocation::HOST_ALIGN;
use crate::backend::{INLINE_ARRAYS, LaunchInfo, OwnedSubspace, Region, Subspace};
use crate::descriptor::KernelDescriptor;
use crate::entry::{Outcome, Slot, Tag};
use crate::space::Space;

/// A loaded kernel.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) kernel: &'static KernelDescriptor,
    /// The kernel for the interpreter.
    pub(super) program: Option<Program>,
    /// Whether its launches fail.
    pub(super) corrupt: bool,
}

/// What an operation does.
#[derive(Debug)]
pub(super) enum Work {
    Upload {
        dst: Arc<Storage>,
        to: Region,
        src: *const u8,
        from: Region,
    },
    Download {
        src: Arc<Storage>,
        from: Region,
        dst: *mut u8,
        to: Region,
    },
    Peer {
        src: Arc<Storage>,
        from: Region,
        dst: Arc<Storage>,
        to: Region,
    },
    Zero {
        dst: Arc<Storage>,
        to: Region,
    },
    Launch(Arc<Launch>, Memories, *const Outcome),
    Native(Box<Queued>),
    /// A transfer that is forgotten.
    Nothing,
}

// SAFETY: the pointers are to memory that the caller of the unsafe submission keeps valid, from any
// thread, until the operation is complete or given up; nothing else here is bound to a thread.
unsafe impl Send for Work {}

impl Work {
    /// Does it; the poisoned bytes that were read.
    ///
    /// # Safety
    ///
    /// The promises of the submission hold: it is neither complete nor given up.
    pub(super) unsafe fn run(&self) -> u64 {
        match self {
            Self::Upload { dst, to, src, from } => {
                // SAFETY: the regions were checked at submission; the rest is its promise.
                unsafe { dst.write(*to, *src, *from) };
            }
            Self::Download { src, from, dst, to } => {
                // SAFETY: as above.
                return unsafe { src.read(*from, *dst, *to) };
            }
            Self::Peer { src, from, dst, to } => {
                src.touch_all_of(*from);
                // SAFETY: as above; what is read lies in a memory of its own.
                unsafe { dst.write(*to, src.base().cast_const(), *from) };
            }
            Self::Zero { dst, to } => {
                // SAFETY: as above.
                unsafe { dst.zero(*to) };
            }
            Self::Launch(launch, memories, outcome) => {
                // SAFETY: as the caller vouches.
                unsafe { launch.run(memories, *outcome) };
            }
            Self::Native(queued) => {
                // SAFETY: as the caller vouches.
                unsafe { queued.run() };
            }
            Self::Nothing => {}
        }
        0
    }
}

/// A launch, with all that the call lent but the memories and the outcome.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) module: Arc<Loaded>,
    space: Space,
    part: Option<OwnedSubspace>,
    slots: Vec<Slot>,
    /// What the slots of values point to.
    _values: Vec<Value>,
    check_all: bool,
}

/// The memories of a launch, by parameter; it keeps them while it is under way.
pub(super) type Memories = SmallVec<[Option<SimMemory>; INLINE_ARRAYS]>;

/// A value of a launch, aligned for any type.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Value([u8; HOST_ALIGN]);

impl Launch {
    /// Takes what a launch needs.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`.
    pub(super) unsafe fn new(module: &Arc<Loaded>, launch: &LaunchInfo<'_, SimMemory>) -> Self {
        let mut slots = launch.slots.to_vec();
        let mut values = Vec::new();
        let sizes = || launch.kernel.params.iter().map(|param| param.elem.size());
        for (slot, bytes) in slots.iter().zip(sizes()) {
            if slot.tag == Tag::Value {
                for start in (0..bytes.max(1)).step_by(HOST_ALIGN) {
                    let mut value = Value([0; HOST_ALIGN]);
                    let n = (bytes - start.min(bytes)).min(HOST_ALIGN);
                    let from = slot.array.base.wrapping_add(start).cast_const();
                    // SAFETY: the slot points to a value of the parameter's type, of `bytes` bytes.
                    unsafe { std::ptr::copy_nonoverlapping(from, value.0.as_mut_ptr(), n) };
                    values.push(value);
                }
            }
        }
        // Now that the values stay where they are.
        let mut next = values.as_mut_ptr();
        for (slot, bytes) in slots.iter_mut().zip(sizes()) {
            if slot.tag == Tag::Value {
                slot.array.base = next.cast();
                next = next.wrapping_add(bytes.max(1).div_ceil(HOST_ALIGN));
            }
        }
        Self {
            module: Arc::clone(module),
            space: launch.space.clone(),
            part: launch.part.map(Subspace::to_owned),
            slots,
            _values: values,
            check_all: launch.check_all,
        }
    }

    /// Runs it to its end.
    ///
    /// # Safety
    ///
    /// As [`Work::run`], with these memories and outcome.
    unsafe fn run(&self, memories: &Memories, outcome: *const Outcome) {
        let memories: SmallVec<[Option<&SimMemory>; INLINE_ARRAYS]> =
            memories.iter().map(Option::as_ref).collect();
        let part = self.part.as_ref().map(OwnedSubspace::get);
        let launch = LaunchInfo {
            kernel: self.module.kernel,
            space: &self.space,
            part: part.as_ref(),
            slots: &self.slots,
            geometry: None,
            memories: &memories,
            // SAFETY: kept until the launch is complete or given up.
            outcome: unsafe { &*outcome },
            check_all: self.check_all,
        };
        match &self.module.program {
            Some(program) => interpret::run(program, &launch),
            None => entries::run(&launch),
        }
    }
}
