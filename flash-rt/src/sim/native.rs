//! Native nodes on the simulator: their code queues operations that run when the queue comes to them
//! and last as long as it says. An operation reaches the arrays of its node and nothing else.
//!
//! Fenced, as arrays are bytes of simulated memory.
#![allow(unsafe_code, reason = "copies elements of simulated memory")]

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::fault::driver_error;
use super::{KEY, SimMemory};
use crate::backend::LaunchInfo;
use crate::entry::{Outcome, Slot, Tag};
use crate::error::{DriverError, DriverErrorKind};
use crate::native::Native;
use crate::pod::Pod;
use crate::task::{BoxError, ClosureOutcome, words};

impl<'a, A> Native<'a, A> {
    /// What runs on the simulator: the code queues operations, as that for another device calls a
    /// library or a driver.
    ///
    /// ```
    /// use std::time::Duration;
    /// use flash_rt::{Buffer, NoBackends, Runtime};
    ///
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let mut x = Buffer::from(vec![3_u8, 1, 2]);
    /// let sort = rt.native("sort", (&mut x,)).on_sim(|cx| {
    ///     cx.enqueue(Duration::from_micros(50), |arrays| {
    ///         let mut x: Vec<u8> = arrays.read(0)?;
    ///         x.sort_unstable();
    ///         Ok(arrays.write(0, &x)?)
    ///     });
    /// });
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(sort);
    /// pipeline.exec()?;
    /// assert_eq!(x.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn on_sim<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NativeContext) -> R + Send + 'a,
    ) -> Self {
        self.on(KEY, code)
    }
}

/// What the code of a native node is given on the simulator; see [`Native::on_sim`].
pub struct NativeContext {
    device: usize,
    queue: u8,
    time: Duration,
    operations: Vec<Operation>,
}

/// What a node has queued.
type Operation = Box<dyn FnOnce(&mut NativeArrays<'_>) -> Result<(), BoxError> + Send>;

impl fmt::Debug for NativeContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeContext")
            .field("device", &self.device)
            .field("queue", &self.queue)
            .field("time", &self.time)
            .field("operations", &self.operations.len())
            .finish()
    }
}

impl NativeContext {
    pub(super) fn new(device: usize, queue: u8) -> Self {
        Self { device, queue, time: Duration::ZERO, operations: Vec::new() }
    }

    /// The number of the device in the simulator.
    pub fn device(&self) -> usize {
        self.device
    }

    /// The number of the compute queue.
    pub fn queue(&self) -> u8 {
        self.queue
    }

    /// Queues an operation that takes so long, behind those before it. It may call neither the
    /// simulator nor a runtime. An error or panic of it is one of the node, as that of a kernel is
    /// ([`Error::KernelPanic`](crate::Error::KernelPanic)), and the operations behind it do not run.
    pub fn enqueue<R: ClosureOutcome>(
        &mut self,
        time: Duration,
        operation: impl FnOnce(&mut NativeArrays<'_>) -> R + Send + 'static,
    ) {
        self.time = self.time.saturating_add(time);
        self.operations.push(Box::new(|arrays| operation(arrays).into_result()));
    }

    /// How long all that was queued takes.
    pub(super) fn time(&self) -> Duration {
        self.time
    }
}

/// The arrays of a native node while an operation of it runs. They count from 0, as they stand in the
/// tuple of the node, and are boxes of simulated memory; elements are in the order of their indices,
/// the last dimension fastest.
#[derive(Debug)]
pub struct NativeArrays<'o> {
    slots: &'o [Slot],
    memories: &'o [Option<SimMemory>],
}

impl NativeArrays<'_> {
    /// The extents of an argument; none of one that is not there, or is a value.
    pub fn shape(&self, argument: usize) -> &[usize] {
        self.slots.get(argument).map_or(&[], |slot| &slot.array.shape[..rank(slot)])
    }

    /// The elements of an argument.
    ///
    /// # Errors
    ///
    /// There is no such array, or its elements are of another type.
    pub fn read<T: Pod>(&self, argument: usize) -> Result<Vec<T>, DriverError> {
        let (slot, first) = self.find::<T>(argument)?;
        let mut elements = Vec::new();
        each(slot, |at| {
            let from = first.wrapping_offset(at * size_of::<T>() as isize).cast::<T>();
            // SAFETY: an element of the box, which lies inside of its memory, as `find` has seen; every
            // bit pattern is a `T`, and no other operation writes what this one was promised.
            elements.push(unsafe { from.read_unaligned() });
        });
        Ok(elements)
    }

    /// Sets all elements of an argument that the node writes.
    ///
    /// # Errors
    ///
    /// As for [`NativeArrays::read`]; the node only reads it, or has another number of elements.
    pub fn write<T: Pod>(&mut self, argument: usize, elements: &[T]) -> Result<(), DriverError> {
        let (slot, first) = self.find::<T>(argument)?;
        if slot.tag != Tag::Own {
            return Err(wrong(format!("the node does not write argument {argument}; pass `&mut`")));
        }
        let len: usize = slot.array.shape[..rank(slot)].iter().product();
        if len != elements.len() {
            let found = elements.len();
            return Err(wrong(format!("argument {argument} has {len} elements, not {found}")));
        }
        let mut next = elements.iter();
        each(slot, |at| {
            let to = first.wrapping_offset(at * size_of::<T>() as isize).cast::<T>();
            if let Some(element) = next.next() {
                // SAFETY: an element of the box, which lies inside of its memory, as `find` has seen;
                // the node writes it, so no other operation touches it.
                unsafe { to.write_unaligned(*element) };
            }
        });
        Ok(())
    }

    /// The value of an argument that is a `&Var<bool>`.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub fn flag(&self, argument: usize) -> Result<bool, DriverError> {
        let slot = self.slots.get(argument).filter(|slot| slot.tag == Tag::Value);
        let slot = slot.ok_or_else(|| wrong(format!("argument {argument} is no value")))?;
        let from = slot.array.base.cast_const();
        // SAFETY: values of native nodes are those of cells of a `bool`, which slots point to a constant
        // for.
        Ok(unsafe { from.read() } != 0)
    }

    /// Where the first element of an argument is; null where there is no such array. What is read or
    /// written there is for who does so to vouch for: elements of the box, and writes only if the node
    /// writes it.
    pub fn pointer(&self, argument: usize) -> *mut u8 {
        match (self.slots.get(argument), self.memories.get(argument)) {
            (Some(slot), Some(Some(memory))) => {
                memory.0.base().wrapping_add(slot.array.base.addr())
            }
            _ => std::ptr::null_mut(),
        }
    }

    /// An array of `T`, all of whose box lies in its memory.
    fn find<T: Pod>(&self, argument: usize) -> Result<(&Slot, *mut u8), DriverError> {
        let (slot, memory) = match (self.slots.get(argument), self.memories.get(argument)) {
            (Some(slot), Some(Some(memory))) => (slot, memory),
            _ => return Err(wrong(format!("argument {argument} is no array"))),
        };
        if slot.elem != std::any::TypeId::of::<T>() {
            let name = std::any::type_name::<T>();
            return Err(wrong(format!("the elements of argument {argument} are no `{name}`")));
        }
        let (mut lowest, mut highest) = (0_isize, 0_isize);
        each(slot, |at| (lowest, highest) = (lowest.min(at), highest.max(at)));
        let start = slot.array.base.addr() as u64;
        let end = (highest as u64 + 1).checked_mul(size_of::<T>() as u64);
        let end = end.and_then(|bytes| start.checked_add(bytes));
        match end.filter(|&end| lowest == 0 && (slot_is_empty(slot) || end <= memory.0.len())) {
            Some(end) => memory.0.touch(start..end),
            None => return Err(wrong(format!("argument {argument} is not in its memory"))),
        }
        Ok((slot, self.pointer(argument)))
    }
}

fn rank(slot: &Slot) -> usize {
    usize::from(slot.array.rank).min(slot.array.shape.len())
}

fn slot_is_empty(slot: &Slot) -> bool {
    slot.array.shape[..rank(slot)].contains(&0)
}

/// How far each element of a box is from its first one, in elements.
fn each(slot: &Slot, mut found: impl FnMut(isize)) {
    let n = rank(slot);
    let (shape, stride) = (&slot.array.shape[..n], &slot.array.stride[..n]);
    for number in 0..shape.iter().product::<usize>() {
        let (mut rest, mut at) = (number, 0);
        for (&extent, &stride) in shape.iter().zip(stride).rev() {
            at += (rest % extent) as isize * stride;
            rest /= extent;
        }
        found(at);
    }
}

fn wrong(text: String) -> DriverError {
    driver_error("sim::native", DriverErrorKind::Failed, text)
}

/// The operations of a node, with all that they reach.
pub(super) struct Queued {
    name: &'static str,
    operations: Mutex<Vec<Operation>>,
    slots: Vec<Slot>,
    memories: Vec<Option<SimMemory>>,
    outcome: *const Outcome,
}

impl fmt::Debug for Queued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queued").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Queued {
    pub(super) fn new(context: NativeContext, launch: &LaunchInfo<'_, SimMemory>) -> Self {
        Self {
            name: launch.kernel.name,
            operations: Mutex::new(context.operations),
            slots: launch.slots.to_vec(),
            memories: launch.memories.iter().map(|memory| memory.cloned()).collect(),
            outcome: std::ptr::from_ref(launch.outcome),
        }
    }

    /// Runs the operations, once.
    ///
    /// # Safety
    ///
    /// The promises of `Backend::native` hold: the node is neither complete nor given up.
    pub(super) unsafe fn run(&self) {
        let operations = {
            let mut queued = self.operations.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *queued)
        };
        for memory in self.memories.iter().flatten() {
            // An operation may go by pointers.
            memory.0.touch_all();
        }
        let mut arrays = NativeArrays { slots: &self.slots, memories: &self.memories };
        for operation in operations {
            let ran = catch_unwind(AssertUnwindSafe(|| operation(&mut arrays)));
            let text = match ran {
                Ok(Ok(())) => continue,
                Ok(Err(error)) => error.to_string(),
                Err(payload) => {
                    let text = words(payload.as_ref()).to_owned();
                    // Dropped, it could panic again.
                    std::mem::forget(payload);
                    text
                }
            };
            // SAFETY: kept until the node is complete or given up.
            let outcome = unsafe { &*self.outcome };
            outcome.panic(0, text);
            break;
        }
    }
}
