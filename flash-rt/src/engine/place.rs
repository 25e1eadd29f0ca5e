//! The arrays of a launch on a device with a memory of its own: brought there, found there, noted as used
//! there. It submits no launch.

use std::sync::Arc;

use super::bind::{BoundLaunch, BoundParam, Use};
use super::dispatch::place_values;
use super::flight::Flight;
use super::room::{Patience, Room};
use super::windows::{image, needs, shrink};
use crate::access::Access;
use crate::arg::ArrayArg;
use crate::device::{Device, Errand, Order, Pin};
use crate::error::{Error, Result};
use crate::image::{self, DeviceMemory, Images, MemorySpace, Usage};
use crate::progress;
use crate::stage::LaunchStage;

/// Where a launch has its arrays, by parameter.
pub(super) type Memories = Vec<Option<Arc<dyn DeviceMemory>>>;

/// What a launch holds on a device while it is submitted.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) memories: Memories,
    pub(super) pins: Vec<Pin>,
}

/// Images that have left memory for a launch, by parameter.
pub(super) type Moved = Vec<(usize, Arc<dyn DeviceMemory>)>;

/// As [`place_on_device`]. Where there is no room because others use the device, it waits for them,
/// with nothing of its own there meanwhile, and tries again.
#[cold]
pub(super) fn find_room(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    (device, space): (&Arc<Device>, MemorySpace),
    accesses: &[Access],
    (held, order, left): (&mut Held, &mut Order, &mut Moved),
) -> Result<u8> {
    place_values(stage, bound)?;
    bound.note_values()?;
    // In the steady state all of it is there.
    if let Some(placed) = find_there(bound, (device, space), (held, order, left)) {
        return Ok(placed);
    }
    // Until the images are pinned, or the caller hears that there is no room for them.
    let mut patience = Patience::new(device, space, accesses);
    loop {
        let to = (&mut *held, &mut *order, &mut *left);
        let placed = place_on_device(stage, bound, (device, space), accesses, to);
        if placed.is_err() {
            move_back(bound, space, left);
        }
        match placed {
            Err(Error::OutOfMemory { bytes, .. }) if patience.wait(&mut held.pins, bytes) => {
                order.epoch = device.epoch()
            }
            other => return other,
        }
    }
}

/// As [`place_on_device`] where all arrays are on the device and current there; nothing, and nothing is
/// done, where one of them is not, or something else has to be worked out. Values are in place already.
pub(super) fn find_there(
    bound: &mut BoundLaunch,
    (device, space): (&Arc<Device>, MemorySpace),
    (Held { memories, pins }, order, left): (&mut Held, &mut Order, &mut Moved),
) -> Option<u8> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::is_on() {
        return None;
    }
    if bound.has_scratch() {
        return None;
    }
    memories.clear();
    memories.resize(bound.params.len(), None);
    for (k, array, use_) in arrays(&bound.params) {
        let found = Pin::there(device, space, &array.allocation, &array.section);
        let Some((pin, mut images)) = found else {
            move_back(bound, space, left);
            pins.clear();
            order.after = Default::default();
            return None;
        };
        pins.push(pin);
        let to = (k, &mut *order, &mut *left);
        let memory = comes_after(&mut images, space, (array, use_), to);
        bound.slots[k].array.base =
            memory.as_deref().map_or(std::ptr::null_mut(), |m| offset(array, m));
        memories[k] = memory;
    }
    Some(device.compute_queue(order))
}

/// Brings arrays to a device and fills in their offsets in its memory; the memory of each parameter,
/// and the queue for the launch.
fn place_on_device(
    stage: &LaunchStage<'_>,
    bound: &mut BoundLaunch,
    (device, space): (&Arc<Device>, MemorySpace),
    accesses: &[Access],
    (Held { memories, pins }, order, left): (&mut Held, &mut Order, &mut Moved),
) -> Result<u8> {
    let needed = needs(stage.kernel, bound);
    let room = Room { device, space, accesses, needed: &needed };
    shrink(&room)?;
    memories.clear();
    for (param, desc) in bound.params.iter().zip(stage.kernel.params) {
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
                Some(memory)
            }
            _ => None,
        });
    }
    for (k, array, use_) in arrays(&bound.params) {
        let mut images = array.allocation.images();
        images.check(&array.section, use_.writes)?;
        let to = (k, &mut *order, &mut *left);
        // It may also have gone on elsewhere when it was brought.
        if let Some(memory) = comes_after(&mut images, space, (array, use_), to) {
            memories[k] = Some(memory);
        }
        if let Some(memory) = &memories[k] {
            bound.slots[k].array.base = offset(array, &**memory);
        }
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
    Ok(queue)
}

/// The arrays of a launch, by parameter. Those that it overwrites come last, as to go on in other memory is for
/// nothing where the launch waits for whoever uses theirs anyway.
fn arrays(params: &[BoundParam]) -> impl Iterator<Item = (usize, &ArrayArg, Use)> {
    let those = move |is_last| {
        params.iter().enumerate().filter_map(move |(k, param)| match param {
            BoundParam::Array { array, use_ } if is_overwritten(array, *use_) == is_last => {
                Some((k, array, *use_))
            }
            _ => None,
        })
    };
    those(false).chain(those(true))
}

/// Whether a launch overwrites all of an array, which may go on in other memory then.
fn is_overwritten(array: &ArrayArg, use_: Use) -> bool {
    use_.writes && !use_.reads && array.section.len() == array.allocation.len()
}

/// What an access to an array on a device comes after, which is added to the order; the memory that the
/// image is in from now on.
fn comes_after(
    images: &mut Images,
    space: MemorySpace,
    (array, use_): (&ArrayArg, Use),
    (param, order, left): (usize, &mut Order, &mut Moved),
) -> Option<Arc<dyn DeviceMemory>> {
    if is_overwritten(array, use_) {
        let before = images.go_on_elsewhere(space, &order.after);
        left.extend(before.map(|before| (param, before)));
    }
    images.after(space, &array.section, use_.writes, &mut order.after);
    images.find(space).map(|image| Arc::clone(&image.memory))
}

/// Where an array begins in the memory of its image.
fn offset(array: &ArrayArg, memory: &dyn DeviceMemory) -> *mut u8 {
    let at = array.section.offset() * array.allocation.elem().size;
    let start = memory.window().start as usize;
    debug_assert!(start <= at || array.section.is_empty(), "{start} {at}");
    // A box without elements may be anywhere.
    std::ptr::without_provenance_mut(at.saturating_sub(start))
}

/// Undoes what was done for a launch that was not submitted.
#[cold]
pub(super) fn move_back(bound: &BoundLaunch, space: MemorySpace, left: &mut Moved) {
    for (param, before) in left.drain(..).rev() {
        if let Some(BoundParam::Array { array, .. }) = bound.params.get(param) {
            array.allocation.images().move_back(space, Some(before));
        }
    }
}

/// Notes what a launch that was submitted uses, and where elements will be current.
pub(super) fn note_uses(
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
