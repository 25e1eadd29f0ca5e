//! Launches on arrays where they are, in memory that a device shares with the host: nothing is copied,
//! and a launch is over when its call returns. It does not decide which devices do so. Fenced: the
//! device uses memory of the host that a launch vouches for.
#![allow(unsafe_code, reason = "lets the device use memory of the host")]

use std::sync::{Arc, Mutex, PoisonError};

use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, NativeCode, Queue, Ticket};
use flash_rt::entry::{ArraySlot, Slot, Tag};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::plain::refused;

use crate::cl::{Context, DeviceId, Failure};
use crate::device::OclDevice;
use crate::memory::{OclMemory, Storage};
use crate::module::OclModule;
use crate::nodes;
use crate::operation::{Extras, Held};

/// The queue of all launches, one at a time.
const QUEUE: Queue = Queue::Compute(0);

/// Whether a device is seen to write memory of the host itself, in place of a copy of its own: then
/// arrays of several launches may be parts of the same bytes.
pub(crate) fn is_direct(context: &Context, device: DeviceId) -> Result<bool, Failure> {
    /// As arrays are aligned, and no whole page.
    #[derive(Clone, Copy)]
    #[repr(align(64))]
    struct Line([u8; 64]);
    let probe = std::cell::UnsafeCell::new([Line([1; 64]); 65]);
    // Not at a page, as most arrays.
    let (start, len) = (probe.get().cast::<u8>().wrapping_add(64), 4032);
    // SAFETY: the bytes are there until the function returns, and the queue is finished before.
    let memory = unsafe { context.memory_in_place(start, len)? };
    let queue = context.queue(device, false)?;
    let filled = queue.zero(&memory, 0, len, &crate::cl::Waits::none());
    // Also after an error nothing is under way.
    queue.finish()?;
    filled?.wait()?;
    // SAFETY: the bytes are those of the probe, and nobody writes them any more.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast_const(), len) };
    let is_written = bytes.iter().all(|byte| *byte == 0);
    let [Line(before), ..] = probe.into_inner();
    Ok(is_written && before == [1; 64])
}

/// Bytes of the host: first address and end.
type Span = (usize, usize);

/// The bytes from the element of index zero, or the first one that is held, to the last one that is.
fn span(array: &ArraySlot, bytes: usize) -> Option<Span> {
    let rank = usize::from(array.rank);
    if array.held[..rank].contains(&0) {
        return None;
    }
    let (mut least, mut most) = (0_isize, 0_isize);
    for d in 0..rank {
        let reach = (array.held[d] - 1).cast_signed() * array.stride[d];
        (least, most) = (least + reach.min(0), most + reach.max(0));
    }
    let at =
        |elements: isize| array.base.addr().wrapping_add_signed(elements * bytes.cast_signed());
    Some((at(least).min(zero(array, bytes)), at(most) + bytes))
}

/// The address of the element of index zero.
fn zero(array: &ArraySlot, bytes: usize) -> usize {
    let before = |d: usize| array.origin[d].cast_signed() * array.stride[d];
    let before: isize = (0..usize::from(array.rank)).map(before).sum();
    array.base.addr().wrapping_add_signed(-before * bytes.cast_signed())
}

/// Refuses arrays at addresses that code was not compiled for: vectors are loaded as wholes.
fn check_addresses(
    module: &OclModule,
    launch: &LaunchInfo<'_, OclMemory>,
) -> Result<(), DriverError> {
    for (k, (slot, param)) in launch.slots.iter().zip(launch.kernel.params).enumerate() {
        let aligned = module.aligned(k);
        if matches!(slot.tag(), Tag::Value | Tag::Partials) || aligned == 1 {
            continue;
        }
        let array = slot.array_slot();
        let at = zero(array, param.elem.size());
        if array.rank > 0 && array.n_elems() > 0 && !at.is_multiple_of(aligned) {
            return Err(refused(format!(
                "`{}` is at an address of the host that is no multiple of {aligned}, and the kernel takes \
                 what is there in vectors of so many bytes or structures with such; leave out \
                 `zero_copy`, or pass an array that begins at such an address",
                param.name
            )));
        }
    }
    Ok(())
}

/// Spans of which none overlaps another one.
fn apart(mut all: Vec<Span>) -> Vec<Span> {
    all.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(all.len());
    for (start, end) in all {
        match merged.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Arrays of a launch as memory of the device over the same bytes, and its slots with offsets there.
struct Placed {
    slots: Vec<Slot>,
    memories: Vec<Option<OclMemory>>,
    /// What the host sees again afterwards.
    written: Vec<Arc<Storage>>,
}

/// Makes memory of the device over the arrays of a launch.
///
/// # Safety
///
/// The slots keep the promises of their makers until the memory is gone.
unsafe fn place(
    device: &OclDevice,
    launch: &LaunchInfo<'_, OclMemory>,
) -> Result<Placed, DriverError> {
    let is_array = |slot: &Slot| {
        !matches!(slot.tag(), Tag::Value | Tag::Partials) && slot.array_slot().rank > 0
    };
    let bytes = |k: usize| launch.kernel.params[k].elem.size();
    let spans: Vec<Option<Span>> = launch
        .slots
        .iter()
        .enumerate()
        .map(|(k, slot)| is_array(slot).then(|| span(slot.array_slot(), bytes(k))).flatten())
        .collect();
    let mut memories: Vec<(Span, Arc<Storage>)> = Vec::new();
    for (start, end) in apart(spans.iter().flatten().copied().collect()) {
        let of = spans.iter().position(|span| span.is_some_and(|(at, _)| at == start));
        let Some(base) = of.map(|k| launch.slots[k].array_slot().base) else { continue };
        // SAFETY: the bytes are those of arrays of the launch, as the caller vouches.
        let memory = unsafe { device.memory_in_place(base.with_addr(start), end - start)? };
        memories.push(((start, end), Arc::new(memory)));
    }
    let mut placed =
        Placed { slots: launch.slots.to_vec(), memories: Vec::new(), written: Vec::new() };
    for (k, slot) in launch.slots.iter().enumerate() {
        let memory = match spans[k] {
            Some((start, _)) => {
                let inside = |known: &&(Span, _)| (known.0.0..known.0.1).contains(&start);
                let Some(((first, _), memory)) = memories.iter().find(inside) else { continue };
                let offset = slot.array_slot().base.addr() - first;
                placed.slots[k] = slot.at(std::ptr::without_provenance_mut(offset));
                if launch.kernel.params[k].role.writes()
                    && !placed.written.iter().any(|known| Arc::ptr_eq(known, memory))
                {
                    placed.written.push(Arc::clone(memory));
                }
                Some(Arc::clone(memory))
            }
            None if is_array(slot) => {
                placed.slots[k] = slot.at(std::ptr::null_mut());
                Some(device.temporary(1)?)
            }
            None => None,
        };
        placed.memories.push(memory.map(OclMemory));
    }
    Ok(placed)
}

/// One launch at a time, as giving one up takes along whatever is under way on the device.
#[derive(Debug, Default)]
pub(crate) struct InPlace(Mutex<()>);

impl InPlace {
    /// Runs a launch to its end.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`, on a device that uses the memory of the host.
    pub(crate) unsafe fn launch(
        &self,
        device: &OclDevice,
        module: &OclModule,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Ticket, DriverError> {
        check_addresses(module, launch)?;
        let submit = |launch: &LaunchInfo<'_, OclMemory>| {
            // SAFETY: as the caller vouches.
            unsafe { module.launch(device, QUEUE, launch, &[]) }
        };
        // SAFETY: as the caller vouches.
        unsafe { self.run(device, launch, submit) }
    }

    /// Runs a native node to its end.
    ///
    /// # Safety
    ///
    /// As `Backend::native`, on a device that uses the memory of the host.
    pub(crate) unsafe fn native(
        &self,
        device: &OclDevice,
        launch: &LaunchInfo<'_, OclMemory>,
        code: &mut NativeCode<'_>,
    ) -> Result<Ticket, DriverError> {
        let submit = |launch: &LaunchInfo<'_, OclMemory>| {
            // SAFETY: as the caller vouches.
            unsafe { nodes::submit(device, QUEUE, launch, code, &[]) }
        };
        // SAFETY: as the caller vouches.
        unsafe { self.run(device, launch, submit) }
    }

    /// # Safety
    ///
    /// The slots keep the promises of their makers, and `submit` is of a launch that may run.
    unsafe fn run(
        &self,
        device: &OclDevice,
        launch: &LaunchInfo<'_, OclMemory>,
        submit: impl FnOnce(&LaunchInfo<'_, OclMemory>) -> Result<Ticket, DriverError>,
    ) -> Result<Ticket, DriverError> {
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as the caller vouches.
        let placed = unsafe { place(device, launch)? };
        let memories: Vec<Option<&OclMemory>> =
            placed.memories.iter().map(Option::as_ref).collect();
        let submitted = submit(&LaunchInfo {
            kernel: launch.kernel,
            space: launch.space,
            part: launch.part,
            slots: &placed.slots,
            geometry: launch.geometry,
            memories: &memories,
            outcome: launch.outcome,
            check_all: launch.check_all,
        })?;
        let ended = seen(device, &placed.written)
            .and_then(|seen| device.lines.wait(seen))
            .and_then(|()| device.lines.wait(submitted));
        ended.map_err(|error| {
            // Nothing of it touches the arrays any more. It may have written, so nobody else runs it.
            if let Err(again) = device.lines.reset() {
                tracing::warn!(device = device.facts.name, %error, %again, "it cannot be reset");
            }
            DriverError { kind: DriverErrorKind::Failed, ..error }
        })?;
        Ok(Ticket::DONE)
    }
}

/// Lets the host see what is written, after all that was submitted before.
fn seen(device: &OclDevice, written: &[Arc<Storage>]) -> Result<Ticket, DriverError> {
    let held = written.iter().map(|memory| Held::Memory(Arc::clone(memory))).collect();
    device.lines.submit(QUEUE, &[], Extras { held, noting: None }, |commands| {
        for memory in written {
            let mut place = std::ptr::null_mut();
            commands.add(|queue, waits| {
                let (event, at) = queue.map(&memory.mem, memory.bytes as usize, false, waits)?;
                place = at;
                Ok(event)
            })?;
            // SAFETY: it is where the memory was mapped, once.
            commands.add(|queue, waits| unsafe { queue.unmap(&memory.mem, place, waits) })?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_holds_what_a_slot_reaches() {
        let mut array =
            ArraySlot { base: std::ptr::without_provenance_mut(1000), ..ArraySlot::empty() };
        array.rank = 2;
        (array.held[0], array.held[1]) = (3, 4);
        (array.stride[0], array.stride[1]) = (10, 1);
        assert_eq!(span(&array, 4), Some((1000, 1000 + 4 * 24)));
        array.origin[0] = 2;
        assert_eq!(span(&array, 4), Some((1000 - 4 * 20, 1000 + 4 * 24)), "plain pointers too");
        array.stride[0] = -10;
        array.origin[0] = 0;
        assert_eq!(span(&array, 4), Some((1000 - 4 * 20, 1000 + 4 * 4)));
        array.held[1] = 0;
        assert_eq!(span(&array, 4), None);
    }

    #[test]
    fn spans_that_overlap_are_one() {
        assert_eq!(apart(vec![(8, 12), (0, 4), (3, 8)]), [(0, 8), (8, 12)]);
        assert_eq!(apart(vec![(0, 100), (10, 20)]), [(0, 100)]);
    }
}
