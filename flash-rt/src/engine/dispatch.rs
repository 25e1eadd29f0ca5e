//! One launch on one device: data to where it runs, addresses into the slots, the launch, its
//! outcome. The caller's run holds all arrays in the ledger, which is what makes the slots true:
//! nobody else writes what they read or touches what they write. It does not choose the device.
#![allow(unsafe_code, reason = "starts what binding has validated")]

use std::sync::Arc;
use std::time::Instant;

use smallvec::SmallVec;

use super::bind::{BoundLaunch, BoundParam};
use super::flight::Flight;
use super::layout::Layout;
use super::native::{self, Code};
use super::place::{find_room, move_back, note_uses};
use super::plain::{Launch, Scratch, Whole};
use super::{bind, outcome, ready, reduce};
use crate::access::Access;
use crate::allocation::Allocation;
use crate::backend::{DynMemory, INLINE_ARRAYS, LaunchInfo, Prepared, Queue, Ticket};
use crate::device::{Device, DeviceImage, Errand, Order, Pin};
use crate::entry::{FEW, Outcome, Shared, Tag, run_block};
use crate::error::{DriverError, DriverErrorKind, Error, Result};
use crate::image::MemorySpace;
use crate::pod::ElemType;
use crate::progress::Sent;
use crate::section::Section;
use crate::space::Space;
use crate::stage::LaunchStage;
use crate::trace::{Kind, Series};

/// What slots of `bool` values point to, as values are read only.
static FLAGS: [bool; 2] = [false, true];

/// Runs a plain launch on a device that uses the host's memory, one of a few items in place, and says
/// how many bytes its arrays have. There is no error where one of them is in another memory too or the
/// space is not known yet, so that nothing has run. It is written down where that is done, if it is `TRACED`.
#[inline(always)]
pub(super) fn dispatch_plain<const TRACED: bool>(
    stage: &LaunchStage<'_>,
    scratch: &mut Scratch,
    device: &Arc<Device>,
    check_all: bool,
) -> Result<u64, Option<Box<Error>>> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::is_on() {
        return Err(None);
    }
    let mut launch = scratch.prepare(stage, device)?;
    let bytes = launch.fill(stage)?;
    let Launch { layout, whole, series, .. } = &mut launch;
    let Whole { space, block, items } = whole;
    if *items == 0 {
        return launch.reduce(stage).map_err(Some);
    }
    let begin = if TRACED { series.as_mut().map(Series::begin) } else { None };
    let outcome = Outcome::new();
    match layout.brief {
        Some(entry) if *items <= FEW => {
            let shared = Shared::new(&layout.slots, space, &outcome, check_all);
            // SAFETY: the entry is for every processor. Preparing the pipeline checked kinds, types and
            // ranks, that own places differ where items do and that nothing written is touched by another
            // parameter; the slots were filled in just now from what `stage` keeps and the caller's run
            // holds. There is one block.
            unsafe { run_block(entry, &shared, block, 0) };
        }
        // SAFETY: as above.
        _ => unsafe { launch_plain(stage, (layout, space), device, (&outcome, check_all)) }?,
    }
    if let (Some(series), Some(what), Some(begin)) = (series, layout.series, begin) {
        series.end((what, bytes), begin);
    }
    if !outcome.is_ok() {
        went_wrong(stage, (layout, space), &outcome)?;
    }
    launch.reduce(stage).map(|_| bytes).map_err(Some)
}

/// What a plain launch has noted.
#[cold]
#[inline(never)]
fn went_wrong(
    stage: &LaunchStage<'_>,
    (layout, space): (&Layout, &Space),
    outcome: &Outcome,
) -> Result<(), Option<Box<Error>>> {
    outcome::check((stage.kernel, stage.site), space, &layout.slots, outcome)
        .map_err(|error| Some(Box::new(error)))
}

/// Has a backend run a plain launch.
///
/// # Safety
///
/// What a backend's [`launch`](crate::backend::Backend::launch) asks of whoever calls it holds for the slots of
/// `layout` and the space.
#[inline(never)]
unsafe fn launch_plain(
    stage: &LaunchStage<'_>,
    (layout, space): (&Layout, &Space),
    device: &Device,
    (outcome, check_all): (&Outcome, bool),
) -> Result<(), Box<Error>> {
    let Some((_, module)) = &layout.module else { return Ok(()) };
    let launch = LaunchInfo {
        kernel: stage.kernel,
        space,
        part: None,
        geometry: None,
        slots: &layout.slots,
        memories: &[],
        outcome,
        check_all,
    };
    // SAFETY: the caller vouches for it; the launch is complete on return.
    let ran = unsafe { device.backend.launch(device.ordinal, 0, module, &launch, &[]) };
    ran.map(drop).map_err(|error| Box::new(not_launched(stage, device, (0, error))))
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
    (accesses, n_ahead, check_all): (&[Access], usize, bool),
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
    let mut ready = std::mem::take(&mut bound.ready);
    let is_kept = code.is_module() && bound.may_be_kept();
    let mut held = std::mem::take(&mut bound.held);
    let mut order = Order { epoch: device.epoch(), ..Order::default() };
    let placed = (&mut held, &mut order, &mut flight.left);
    let queue = find_room(stage, bound, (device, space), accesses, placed)?;
    let memories = &mut held.memories;
    let n_phases = bound.n_phases();
    let known = if is_kept { ready.find(memories, &bound.values) } else { None };
    let is_due = is_kept && known.is_none() && ready.is_due(n_phases);
    let mut made = Vec::new();
    let mut images = SmallVec::<[Option<&DynMemory>; INLINE_ARRAYS]>::new();
    if known.as_ref().is_none_or(|known| known.iter().any(Option::is_none)) {
        let each = memories.iter();
        images.extend(each.map(|memory| memory.as_ref().and_then(DeviceImage::memory_of)));
    }
    let slots = &bound.slots;
    #[cfg(feature = "sabotage")]
    let slots = &crate::sabotage::arguments(stage.kernel, slots, &mut images);
    let (mut last, mut failed) = (None, None);
    let mut boxes = std::mem::take(&mut bound.boxes);
    let mut mark = None;
    for phase in 0..n_phases {
        // What was under way at the last mark is over at the next one. Meeting the ends of phases costs the
        // host something, which it does while the device has others to run.
        if phase > 0
            && phase.is_multiple_of(n_ahead)
            && let Some(before) = std::mem::replace(&mut mark, last)
        {
            // What went wrong is met by the next phase, or by whoever waits for the launch.
            let _ = device.wait(&before);
        }
        let prepared = known.as_ref().and_then(|known| known.get(phase)?.as_ref());
        // One that is kept has its items.
        let part = if prepared.is_some() { None } else { bound.subspace(phase, &mut boxes) };
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
        let more = flight.more || phase + 1 < n_phases;
        let run = |after: &[Ticket]| match prepared {
            // SAFETY: binding checked kinds, types and ranks, that own places differ where items of
            // a phase do and that nothing written is touched by another parameter; phases follow
            // each other in one queue. The slots were filled in above from what `bound` keeps and
            // the caller's run holds. Until it is complete or given up the flight keeps the outcome,
            // the device its temporaries, partial results are waited for, and whoever else would
            // touch its images finds it among their uses.
            None => unsafe { code.submit(device, queue, &launch, after) },
            // SAFETY: as above; it was made from this binding, of which nothing else can differ but what
            // the slots say of partial results, and for these memories.
            Some(prepared) => unsafe {
                Arc::clone(prepared).submit(queue, slots, &flight.outcome, after, more)
            },
        };
        let begun = device.begin();
        match device.submit(&order, Queue::Compute(queue), run) {
            Ok(sent) => {
                let what = (Kind::Kernel, stage.kernel.name.into());
                device.note_sent(begun, what, &sent, bound.bytes);
                last = Some(sent);
                if is_due {
                    // SAFETY: as above.
                    made.push(ready::made(unsafe { code.prepare(device, &launch) }));
                }
            }
            Err(error) => {
                failed = Some((phase, device.refused(error)));
                break;
            }
        }
    }
    let notes = |prepared: &Option<Arc<dyn Prepared>>| prepared.as_ref().is_none_or(|p| p.notes());
    let may_note = known.is_none_or(|known| known.iter().any(notes));
    if made.len() == n_phases {
        ready.keep((memories, bound.values.clone()), made);
    }
    drop(images);
    (bound.boxes, bound.ready) = (boxes, ready);
    let Some(sent) = last else {
        move_back(bound, space, &mut flight.left);
        if let Some(failure) = code.failure(false) {
            return Err(native::error(stage, device, failure));
        }
        let failed = failed.unwrap_or_else(|| (0, device.given_up(None)));
        return Err(not_launched(stage, device, failed));
    };
    flight.sent = sent;
    note_uses(bound, (space, memories), flight);
    for (param, memory) in bound.params.iter().zip(&mut *memories) {
        if let (BoundParam::Scratch { .. }, Some(memory)) = (param, memory.take()) {
            device.keep(sent, memory);
        }
    }
    // Whoever waits for room finds by now that nothing is kept but by what is under way.
    held.memories.clear();
    held.pins.clear();
    bound.held = held;
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
    flight.is_of(stage, bound, may_note);
    Ok(true)
}

/// The error of a phase that was not launched. Where others were before it nothing can run it anew,
/// so it is one of a launch under way.
#[cold]
pub(super) fn not_launched(
    stage: &LaunchStage<'_>,
    device: &Device,
    (phase, mut error): (usize, DriverError),
) -> Error {
    if phase == 0 && error.kind == DriverErrorKind::Library {
        // It was made ready for this launch, or was to be.
        return Error::NoImplementation {
            kernel: stage.kernel.name,
            node: None,
            site: stage.site,
            device: device.name().to_owned(),
            why: error.text.to_string(),
        };
    }
    if phase == 0 && error.kind == DriverErrorKind::OutOfMemory {
        let (device, used) = (device.name().to_owned(), device.bytes_used());
        let (param, at, source) = (None, None, Some(Arc::new(error)));
        return Error::OutOfMemory { param, device, bytes: 0, at, used, limit: None, source };
    }
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
                let base = partials.resized(n_partials * desc.elem.size());
                bind::fill_line(&mut slot.array, base, n_partials);
            }
            _ => {}
        }
    }
    // Lengths of scratch arrays and offsets of own places may depend on cells, known only now.
    if bound.cells { bind::bind_places(stage, bound) } else { Ok(()) }
}

#[inline]
pub(super) fn host_address(allocation: &Allocation, section: &Section) -> Result<*mut u8> {
    Ok(address_in(allocation.host()?.as_ptr(), allocation, section))
}

/// Where a box begins in memory of all elements that starts there.
pub(super) fn address_in(start: *mut u8, of: &Allocation, section: &Section) -> *mut u8 {
    start.wrapping_add(section.offset() * of.elem().size)
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
