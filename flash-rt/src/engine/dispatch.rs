//! One launch on one device: data to where it runs, addresses into the slots, the launch, its
//! outcome. The caller's run holds all arrays in the ledger, which is what makes the slots true:
//! nobody else writes what they read or touches what they write. It does not choose the device.
#![allow(unsafe_code, reason = "starts what binding has validated")]

use std::sync::Arc;
use std::time::Instant;

use super::bind::{BoundLaunch, BoundParam};
use super::flights::Flight;
use super::native::{self, Code};
use super::plain::Scratch;
use super::room::{Patience, Room};
use super::{bind, outcome, reduce};
use crate::access::Access;
use crate::allocation::Allocation;
use crate::backend::{DynMemory, LaunchInfo, Queue, Ticket};
use crate::device::{Device, DeviceImage, Errand, Order, Pin};
use crate::entry::{FEW, Outcome, Shared, Tag, run_block};
use crate::error::{DriverError, DriverErrorKind, Error, Result};
use crate::image::{self, DeviceMemory, MemorySpace, Usage};
use crate::pod::ElemType;
use crate::progress::{self, Sent};
use crate::section::Section;
use crate::stage::LaunchStage;
use crate::trace::{Kind, Series};

/// What slots of `bool` values point to, as values are read only.
static FLAGS: [bool; 2] = [false, true];

/// Runs a plain launch on a device that uses the host's memory, one of a few items in place, and says
/// how many bytes its arrays have; `None` where one of them is in another memory too or the space is not
/// known yet, so that nothing has run.
#[inline]
pub(super) fn dispatch_plain(
    stage: &LaunchStage<'_>,
    scratch: &mut Scratch,
    device: &Arc<Device>,
    check_all: bool,
) -> Result<Option<u64>> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::is_on() {
        return Ok(None);
    }
    let Some(space) = stage.space.fixed().transpose()? else { return Ok(None) };
    scratch.prepare(stage, device)?;
    let Some(bytes) = scratch.fill(stage, &space)? else { return Ok(None) };
    let items = space.n_items();
    if items == 0 {
        return Ok(Some(0));
    }
    let begin = scratch.series.as_mut().map(Series::begin);
    let (slots, outcome) = (&scratch.slots[..], Outcome::new());
    if let (Some(entry), true) = (scratch.brief, items <= FEW) {
        let shared = Shared::new(slots, &space, &outcome, check_all);
        // SAFETY: the entry is for every processor. Preparing the pipeline checked kinds, types and
        // ranks, that own places differ where items do and that nothing written is touched by another
        // parameter; the slots were filled in just now from what `stage` keeps and the caller's run
        // holds. There is one block.
        unsafe { run_block(entry, &shared, &space.block(), 0) };
    } else if let Some((_, module)) = &scratch.module {
        let launch = LaunchInfo {
            kernel: stage.kernel,
            space: &space,
            part: None,
            geometry: None,
            slots,
            memories: &[],
            outcome: &outcome,
            check_all,
        };
        // SAFETY: as above; the launch is complete on return.
        let ran = unsafe { device.backend.launch(device.ordinal, 0, module, &launch, &[]) };
        ran.map_err(|error| {
            device.driver_error(format!("launch of kernel `{}`", stage.kernel.name), error)
        })?;
    }
    if let (Some(series), Some(begin)) = (&mut scratch.series, begin) {
        series.end(begin, bytes);
    }
    if !outcome.is_ok() {
        outcome::check((stage.kernel, stage.site), &space, &scratch.slots, &outcome)?;
    }
    Ok(Some(bytes))
}

/// Runs a bound launch on a device that uses the memory of the host, to its end.
pub(super) fn on_host(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    device: &Arc<Device>,
    check_all: bool,
) -> Result<()> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::skips(stage.kernel)? {
        return Ok(());
    }
    let module = device.module(stage.kernel, stage.site)?;
    if bound.space.n_items() > 0 {
        let outcome = Outcome::new();
        let mut pins = Vec::new();
        place_on_host(stage, bound, &mut pins)?;
        let slots = &bound.slots;
        #[cfg(feature = "sabotage")]
        let slots = &crate::sabotage::arguments(stage.kernel, slots, &mut Vec::new());
        let begun = device.begin();
        let since = device.measures().then(Instant::now);
        let mut boxes = std::mem::take(&mut bound.boxes);
        for phase in 0..bound.n_phases() {
            let part = bound.subspace(phase, &mut boxes);
            let launch = LaunchInfo {
                kernel: stage.kernel,
                space: &bound.space,
                part: part.as_ref(),
                geometry: stage.geometry(),
                slots,
                memories: &[],
                outcome: &outcome,
                check_all,
            };
            // SAFETY: binding checked kinds, types and ranks, that own places differ where items of
            // a phase do and that nothing written is touched by another parameter; the slots were
            // filled in above from what `bound` keeps and the caller's run holds. Without queues it
            // is complete on return.
            let ran = unsafe { device.backend.launch(device.ordinal, 0, module, &launch, &[]) };
            if let Err(error) = ran {
                if phase > 0 {
                    mark_written(bound, false);
                }
                return Err(not_launched(stage, device, (phase, error)));
            }
            if !outcome.is_ok() {
                break;
            }
        }
        bound.boxes = boxes;
        if let Some(since) = since {
            device.note_time(stage.kernel, bound.n_items(), since.elapsed());
        }
        device.note_sent(begun, (Kind::Kernel, stage.kernel.name.into()), &Sent::DONE, bound.bytes);
        // Also after a failure: what was written until then is what the array holds.
        let complete = outcome.is_ok() || !outcome.has_panicked();
        mark_written(bound, complete);
        drop(pins);
        #[cfg(feature = "sabotage")]
        keep_stale_host(stage, bound);
        if !outcome.is_ok() {
            let of = (stage.kernel, stage.site);
            outcome::check(of, bound.numbering(), &bound.slots, &outcome)?;
        }
    }
    reduce::finish_all(stage, bound)
}

/// Submits a bound launch to a device with a memory of its own, behind what it has to come after,
/// and fills in the flight; whether there was anything to run.
pub(super) fn submit(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    (device, space): (&Arc<Device>, MemorySpace),
    (accesses, check_all): (&[Access], bool),
    flight: &mut Flight,
) -> Result<bool> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::skips(stage.kernel)? {
        return Ok(false);
    }
    let mut code = Code::of(stage, device)?;
    if bound.space.n_items() == 0 {
        return Ok(false);
    }
    let (mut pins, mut order) = (Vec::new(), Order { epoch: device.epoch(), ..Order::default() });
    let placed = (&mut pins, &mut order, &mut flight.left);
    let (mut memories, queue) = find_room(stage, bound, (device, space), accesses, placed)?;
    let images: Vec<Option<&DynMemory>> = memories
        .iter()
        .map(|m| m.as_ref()?.as_any().downcast_ref::<DeviceImage>().map(|image| &image.memory))
        .collect();
    let slots = &bound.slots;
    #[cfg(feature = "sabotage")]
    let mut images = images;
    #[cfg(feature = "sabotage")]
    let slots = &crate::sabotage::arguments(stage.kernel, slots, &mut images);
    let (mut last, mut failed) = (None, None);
    let mut boxes = std::mem::take(&mut bound.boxes);
    for phase in 0..bound.n_phases() {
        let part = bound.subspace(phase, &mut boxes);
        let launch = LaunchInfo {
            kernel: stage.kernel,
            space: &bound.space,
            part: part.as_ref(),
            geometry: stage.geometry(),
            slots,
            memories: &images,
            outcome: &flight.outcome,
            check_all,
        };
        let run = |after: &[Ticket]| {
            // SAFETY: binding checked kinds, types and ranks, that own places differ where items of
            // a phase do and that nothing written is touched by another parameter; phases follow
            // each other in one queue. The slots were filled in above from what `bound` keeps and
            // the caller's run holds. Until it is complete or given up the flight keeps the outcome,
            // the device its temporaries, partial results are waited for, and whoever else would
            // touch its images finds it among their uses.
            unsafe { code.submit(device, queue, &launch, after) }
        };
        let begun = device.begin();
        match device.submit(&order, Queue::Compute(queue), run) {
            Ok(sent) => {
                let what = (Kind::Kernel, stage.kernel.name.into());
                device.note_sent(begun, what, &sent, bound.bytes);
                last = Some(sent);
            }
            Err(error) => {
                failed = Some((phase, device.refused(error)));
                break;
            }
        }
    }
    drop(images);
    bound.boxes = boxes;
    let Some(sent) = last else {
        move_back(bound, space, &mut flight.left);
        if let Some(failure) = code.failure(false) {
            return Err(native::error(stage, device, failure));
        }
        let failed = failed.unwrap_or_else(|| (0, device.given_up(None)));
        return Err(not_launched(stage, device, failed));
    };
    flight.sent = sent;
    note_uses(bound, (space, &memories), flight);
    for (param, memory) in bound.params.iter().zip(&mut memories) {
        if let (BoundParam::Scratch { .. }, Some(memory)) = (param, memory.take()) {
            device.keep(sent, memory);
        }
    }
    // Whoever waits for room finds by now that nothing is kept but by what is under way.
    drop((memories, pins));
    if let Some(failure) = code.failure(true) {
        return Err(native::failed(stage, (device, accesses), flight, failure));
    }
    if let Some((phase, error)) = failed {
        // Part of it has run: it counts as one that failed under way.
        device.give_up(&sent, &error);
        return Err(not_launched(stage, device, (phase, error)));
    }
    #[cfg(feature = "sabotage")]
    keep_stale_host(stage, bound);
    flight.slots.clear();
    flight.slots.extend_from_slice(&bound.slots);
    flight.numbering = *bound.numbering();
    // What is known of the last phase says nothing about a launch.
    flight.items = (bound.n_phases() == 1).then(|| bound.n_items());
    flight.kernel = Some(stage.kernel);
    flight.is_fickle = bound.cells || stage.space.cells().next().is_some();
    Ok(true)
}

/// The error of a phase that was not launched. Where others were before it nothing can run it anew,
/// so it is one of a launch under way.
#[cold]
fn not_launched(
    stage: &LaunchStage<'_>,
    device: &Device,
    (phase, mut error): (usize, DriverError),
) -> Error {
    let mut what = format!("launch of kernel `{}`", stage.kernel.name);
    if phase > 0 {
        what = format!("launch of phase {phase} of kernel `{}`", stage.kernel.name);
        if error.kind != DriverErrorKind::DeviceLost {
            error.kind = DriverErrorKind::Failed;
        }
    }
    device.driver_error(what, error)
}

/// Waits for a launch that was submitted and finishes it.
pub(super) fn finish(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    (device, accesses): (&Arc<Device>, &[Access]),
    flight: &mut Flight,
) -> Result<()> {
    let waited = device.wait(&flight.sent);
    device.sweep();
    waited.map_err(|error| {
        // Of several that were given up at once each says why, as any of them may be the first one
        // of the program.
        let why = device.failure(&flight.sent).unwrap_or(error);
        device.driver_error(format!("launch of kernel `{}`", stage.kernel.name), why)
    })?;
    flight.measure(device);
    if !flight.outcome.is_ok() {
        settle(accesses);
        let of = (stage.kernel, stage.site);
        outcome::check(of, bound.numbering(), &bound.slots, &flight.outcome)?;
    }
    reduce::finish_all(stage, bound)
}

/// Looks at all images, so that those know what is complete or was given up.
#[cold]
pub(super) fn settle(accesses: &[Access]) {
    for access in accesses {
        drop(access.allocation.images());
    }
}

/// Lets all images forget what was given up of one owner, or of all: whether there was anything, and
/// whether some of it cannot run again.
#[cold]
pub(super) fn bury(accesses: &[Access], owner: Option<u64>) -> (bool, bool) {
    let mut all = (false, false);
    for access in accesses {
        let (found, overtaken) = access.allocation.images().bury(owner);
        all = (all.0 | found, all.1 | overtaken);
    }
    all
}

/// Fills in addresses of host images, which are made current.
#[inline]
pub(super) fn place_on_host(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    pins: &mut Vec<Pin>,
) -> Result<()> {
    place_values(stage, bound)?;
    // Bringing one array may take the image of another to other memory of the host.
    for (k, param) in bound.params.iter().enumerate() {
        let BoundParam::Array { array, use_ } = param else { continue };
        pins.extend(Pin::of_launch(&array.allocation));
        if use_.reads && array.allocation.has_images() {
            let desc = &stage.kernel.params[k];
            array.allocation.note_parameter(&array.section, (stage.kernel.name, desc));
            let _errand = Errand::argument(desc.name);
            array.allocation.to_host(&array.section)?;
        }
        if use_.writes {
            array.allocation.await_host(&array.section)?;
        }
    }
    let slots = bound.slots.iter_mut();
    for ((slot, param), desc) in slots.zip(&mut bound.params).zip(stage.kernel.params) {
        match param {
            BoundParam::Array { array, .. } => {
                slot.array.base = host_address(&array.allocation, &array.section)
                    .map_err(|error| error.of_parameter(desc.name))?;
            }
            BoundParam::Scratch { len, block } => {
                slot.array.base = block.zeroed(*len * desc.elem.size());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Fills in what is in host memory on every device: values of cells and partial results.
#[inline]
pub(super) fn place_values(stage: &LaunchStage<'_>, bound: &mut BoundLaunch) -> Result<()> {
    if !bound.reduces && !bound.cells {
        return Ok(());
    }
    let n_partials = if bound.reduces { bound.n_partials() } else { 0 };
    let slots = bound.slots.iter_mut();
    for ((slot, param), desc) in slots.zip(&mut bound.params).zip(stage.kernel.params) {
        match param {
            BoundParam::Cell(array) => {
                array.allocation.to_host(&array.section)?;
                slot.tag = Tag::Value;
                slot.array.base = match array.allocation.elem().id == ElemType::FLAG.id {
                    false => host_address(&array.allocation, &array.section)?,
                    // Whatever the byte is, a `bool` is one of two.
                    true => {
                        let [byte, ..] = array.allocation.element(array.section.offset())?;
                        (&raw const FLAGS[usize::from(byte != 0)]).cast::<u8>().cast_mut()
                    }
                };
            }
            BoundParam::Reduce { partials, .. } => {
                let n = n_partials;
                slot.array.rank = 1;
                (slot.array.held[0], slot.array.shape[0], slot.array.stride[0]) = (n, n, 1);
                slot.array.base = partials.resized(n * desc.elem.size());
            }
            _ => {}
        }
    }
    // Lengths of scratch arrays and offsets of own places may depend on cells, known only now.
    if bound.cells { bind::bind_places(stage, bound) } else { Ok(()) }
}

#[inline]
pub(super) fn host_address(allocation: &Allocation, section: &Section) -> Result<*mut u8> {
    let start = allocation.host()?.as_ptr();
    Ok(start.wrapping_add(section.offset() * allocation.elem().size))
}

/// As [`place_on_device`]. Where there is no room because others use the device, it waits for them,
/// with nothing of its own there meanwhile, and tries again.
#[cold]
fn find_room(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    (device, space): (&Arc<Device>, MemorySpace),
    accesses: &[Access],
    (pins, order, left): (&mut Vec<Pin>, &mut Order, &mut Moved),
) -> Result<(Memories, u8)> {
    // Until the images are pinned, or the caller hears that there is no room for them.
    let mut patience = Patience::new(device);
    loop {
        let placed = place_on_device(stage, bound, (device, space), accesses, (pins, order, left));
        if placed.is_err() {
            move_back(bound, space, left);
        }
        match placed {
            Err(Error::OutOfMemory { .. }) if patience.wait(pins) => order.epoch = device.epoch(),
            other => return other,
        }
    }
}

/// Brings arrays to a device and fills in their offsets in its memory; the memory of each parameter,
/// and the queue for the launch.
fn place_on_device(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    (device, space): (&Arc<Device>, MemorySpace),
    accesses: &[Access],
    (pins, order, left): (&mut Vec<Pin>, &mut Order, &mut Moved),
) -> Result<(Memories, u8)> {
    place_values(stage, bound)?;
    let mut needed: Vec<u64> =
        bound.params.iter().filter_map(|p| p.array()).map(|(a, _)| a.allocation.id()).collect();
    needed.sort_unstable();
    let room = Room { device, space, accesses, needed: &needed };
    let mut memories = Vec::with_capacity(bound.slots.len());
    let slots = bound.slots.iter_mut();
    for ((slot, param), desc) in slots.zip(&mut bound.params).zip(stage.kernel.params) {
        memories.push(match param {
            BoundParam::Array { array, use_ } => {
                let memory = image(&array.allocation, &room, pins)
                    .map_err(|error| error.of_parameter(desc.name))?;
                #[cfg(feature = "sabotage")]
                if crate::sabotage::keeps_stale_device(stage.kernel, desc) {
                    array.allocation.images().received(space, &array.section);
                }
                if use_.reads {
                    array.allocation.note_parameter(&array.section, (stage.kernel.name, desc));
                    let _errand = Errand::argument(desc.name);
                    array.allocation.to_memory(space, &array.section)?;
                } else if !array.allocation.images().is_valid(space, &array.section) {
                    crate::device::elided();
                }
                let mut images = array.allocation.images();
                images.check(&array.section, use_.writes)?;
                if use_.writes && !use_.reads && array.section.len() == array.allocation.len() {
                    let make = || memory.another().ok();
                    let before = images.go_on_elsewhere(space, memory.copies(), make);
                    left.extend(before.map(|before| (memories.len(), before)));
                }
                // It may also have gone on elsewhere when it was brought.
                let memory = match device.copies() > 1 {
                    true => images.find(space).map_or(memory, |image| Arc::clone(&image.memory)),
                    false => memory,
                };
                images.after(space, &array.section, use_.writes, &mut order.after);
                drop(images);
                let offset = array.section.offset() * array.allocation.elem().size;
                slot.array.base = std::ptr::without_provenance_mut(offset);
                Some(memory)
            }
            _ => None,
        });
    }
    // Where the launch goes is known by what it comes after. Temporaries are zeroed there.
    let queue = device.compute_queue(order);
    for (k, (param, desc)) in bound.params.iter().zip(stage.kernel.params).enumerate() {
        let BoundParam::Scratch { len, .. } = param else { continue };
        let bytes = (*len * desc.elem.size()) as u64;
        let memory = room.make(|| device.allocate_zeroed(bytes, (order.epoch, queue)));
        let (memory, sent) = memory.map_err(|error| error.of_parameter(desc.name))?;
        progress::join(&mut order.after, &sent.clock);
        bound.slots[k].array.base = std::ptr::null_mut();
        memories[k] = Some(memory);
    }
    Ok((memories, queue))
}

/// The image of an allocation on a device, made if there is none, which stays while it is pinned.
pub(super) fn image(
    allocation: &Arc<Allocation>,
    room: &Room<'_>,
    pins: &mut Vec<Pin>,
) -> Result<Arc<dyn DeviceMemory>> {
    let found = |pins: &mut Vec<Pin>| {
        let (pin, memory) = Pin::on(room.device, room.space, allocation)?;
        pins.push(pin);
        Some(memory)
    };
    if let Some(memory) = found(pins) {
        return Ok(memory);
    }
    let memory = room.make(|| room.device.allocate(allocation.bytes() as u64))?;
    allocation.add_image(room.space, memory);
    room.device.note(allocation);
    // Another launch that reads the array may have been faster; then its image is the one.
    found(pins).ok_or_else(|| room.device.full(allocation.bytes() as u64, None))
}

/// Notes that the host has the current elements now. After a panic a launch is not `complete`: what
/// it would have overwritten entirely, and so was not brought before, may hold elements of no
/// meaning.
#[inline]
pub(super) fn mark_written(bound: &BoundLaunch, complete: bool) {
    for (k, param) in bound.params.iter().enumerate() {
        if let BoundParam::Array { array, use_ } = param
            && use_.writes
            && array.allocation.has_images()
        {
            let written = bound.written(k, array);
            if !complete && !use_.reads {
                array.allocation.images().spoiled(None, &written);
            } else {
                array.allocation.host_wrote(&written);
            }
        }
    }
}

/// Where a launch has its arrays, by parameter.
type Memories = Vec<Option<Arc<dyn DeviceMemory>>>;

/// Images that have left memory for a launch, by parameter.
type Moved = Vec<(usize, Arc<dyn DeviceMemory>)>;

/// Undoes what was done for a launch that was not submitted.
#[cold]
fn move_back(bound: &BoundLaunch, space: MemorySpace, left: &mut Moved) {
    for (param, before) in left.drain(..).rev() {
        if let Some(BoundParam::Array { array, .. }) = bound.params.get(param) {
            array.allocation.images().move_back(space, Some(before));
        }
    }
}

/// Notes what a launch that was submitted uses, and where elements will be current.
fn note_uses(
    bound: &BoundLaunch,
    (space, memories): (MemorySpace, &Memories),
    flight: &mut Flight,
) {
    for (k, (param, memory)) in bound.params.iter().zip(memories).enumerate() {
        if let (BoundParam::Array { array, use_ }, Some(memory)) = (param, memory) {
            let of = (space, memory);
            let usage = if use_.writes { Usage::Write } else { Usage::Read };
            let written = bound.written(k, array);
            if written != array.section {
                let mut read = image::Use::new(of, flight.sent, array.section, Usage::Read);
                read.owner = flight.owner;
                array.allocation.images().add_use(read);
            }
            let mut new = image::Use::new(of, flight.sent, written, usage);
            new.owner = flight.owner;
            if use_.writes && !use_.reads {
                new.outcome = Some(Arc::clone(&flight.outcome));
            }
            let at = flight.left.iter().position(|(param, _)| *param == k);
            let before = at.map(|at| flight.left.swap_remove(at).1);
            let mut images = array.allocation.images();
            if use_.writes { images.will_write(new, before) } else { images.add_use(new) }
        }
    }
}

#[cfg(feature = "sabotage")]
fn keep_stale_host(stage: &LaunchStage<'_>, bound: &BoundLaunch) {
    for (param, desc) in bound.params.iter().zip(stage.kernel.params) {
        if let BoundParam::Array { array, use_ } = param
            && use_.writes
            && crate::sabotage::keeps_stale_host(stage.kernel, desc)
        {
            array.allocation.images().host_received(&array.section);
        }
    }
}
