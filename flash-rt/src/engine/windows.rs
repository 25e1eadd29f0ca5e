//! How much of an array is on a device: all of it where there is room, and else what is needed there at
//! once. It evicts nothing by itself.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::bind::BoundLaunch;
use super::room::Room;
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::backend::INLINE_ARRAYS;
use crate::descriptor::KernelDescriptor;
use crate::device::{DeviceImage, Pin};
use crate::error::{Error, Result};
use crate::image::DeviceMemory;

/// A window begins at a multiple of so many bytes, so that what is in it is as aligned as in the array: for
/// vectors, and for parts that drivers take at such places only.
const ALIGN: u64 = 512;

/// The bytes of an allocation that have to be on a device at once.
#[derive(Clone, Debug)]
pub(super) struct Need {
    pub(super) allocation: Arc<Allocation>,
    pub(super) bytes: Range<u64>,
}

/// What a launch needs, ascending.
pub(super) type Needs = SmallVec<[Need; INLINE_ARRAYS]>;

impl Need {
    /// What a box needs.
    pub(super) fn of(array: &ArrayArg) -> Self {
        let size = array.allocation.elem().size;
        let (start, end) = (array.section.offset() * size, array.section.end() * size);
        let start = if array.section.is_empty() { end } else { start };
        let allocation = Arc::clone(&array.allocation);
        Self { allocation, bytes: start as u64 / ALIGN * ALIGN..end as u64 }
    }

    pub(super) fn id(&self) -> u64 {
        self.allocation.id()
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.bytes.end - self.bytes.start
    }

    /// What all boxes need, ascending.
    pub(super) fn all<'a>(arrays: impl Iterator<Item = &'a ArrayArg>) -> Needs {
        let mut all = Needs::new();
        arrays.for_each(|array| Self::of(array).add_to(&mut all));
        all
    }

    fn add_to(self, all: &mut Needs) {
        match all.binary_search_by_key(&self.id(), Self::id) {
            Ok(at) => {
                let known = &mut all[at].bytes;
                *known = known.start.min(self.bytes.start)..known.end.max(self.bytes.end);
            }
            Err(at) => all.insert(at, self),
        }
    }
}

/// What a launch needs of each allocation. Code of others is given the place of the element of index
/// zero, which then has to be there too.
pub(super) fn needs(kernel: &KernelDescriptor, bound: &BoundLaunch) -> Needs {
    let is_native = kernel.ir.is_none() || !kernel.implementations.is_empty();
    let mut all = Needs::new();
    for (param, slot) in bound.params.iter().zip(&bound.slots) {
        let Some((array, _)) = param.array() else { continue };
        let mut need = Need::of(array);
        if is_native {
            let slot = &slot.array;
            let dims = 0..usize::from(slot.rank);
            let before: isize =
                dims.map(|d| slot.stride[d].saturating_mul(slot.origin[d].cast_signed())).sum();
            let before = before.unsigned_abs() * array.allocation.elem().size;
            need.bytes.start = need.bytes.start.saturating_sub(before as u64) / ALIGN * ALIGN;
        }
        need.add_to(&mut all);
    }
    all
}

/// The image of an allocation on a device with all that is needed of it, made if there is none, which
/// stays while it is pinned.
pub(super) fn image(
    allocation: &Arc<Allocation>,
    room: &Room<'_>,
    pins: &mut Vec<Pin>,
) -> Result<Arc<dyn DeviceMemory>> {
    let whole = 0..allocation.bytes() as u64;
    let need = room.need(allocation);
    let needed = need.map_or(whole.clone(), |need| need.bytes.clone());
    // How much there may be beyond that.
    let own = need.map_or(0, |need| excess_there(room, need));
    let beyond = lacking(room).map(|lacking| u64::try_from(i128::from(own) - lacking).unwrap_or(0));
    let is_in = |window: &Range<u64>| {
        needed.is_empty() || window.start <= needed.start && needed.end <= window.end
    };
    let will_do = |window: &Range<u64>| {
        is_in(window) && beyond.is_none_or(|beyond| excess(window, &needed) <= beyond)
    };
    let full = || room.device.full(needed.end - needed.start, None);
    let window = allocation.images().find(room.space).map(|image| image.memory.window());
    let is_unfit = window.as_ref().is_some_and(|window| !will_do(window));
    // An image that will not do leaves once nobody uses it.
    if is_unfit && !room.evict(allocation)? {
        return Err(full());
    }
    if window.is_none() || is_unfit {
        let memory = allocate(room, (&needed, &whole), beyond, window)?;
        allocation.add_image(room.space, memory);
        room.device.note(allocation);
    }
    // Another launch that uses the array may have been faster; then its image is the one, if it is enough.
    match Pin::on(room.device, room.space, allocation) {
        Some((pin, memory)) if is_in(&memory.window()) => {
            pins.push(pin);
            Ok(memory)
        }
        _ => Err(full()),
    }
}

/// How much of a window is not needed.
fn excess(window: &Range<u64>, needed: &Range<u64>) -> u64 {
    // Memory of somebody else's has no end that is known, and stays.
    let has = if window.end == u64::MAX { 0 } else { window.end - window.start };
    has.saturating_sub(needed.end - needed.start)
}

/// How many bytes of what a launch needs, and of what else is there of the same arrays, are more than the
/// device has; negative where so many are free. Nothing where there is room for all of everything.
fn lacking(room: &Room<'_>) -> Option<i128> {
    let capacity = room.device.capacity()?;
    let whole = |need: &Need| need.allocation.bytes() as u64;
    if room.needed.iter().map(whole).sum::<u64>() <= capacity {
        return None;
    }
    let taken = |need: &Need| i128::from(need.n_bytes() + excess_there(room, need));
    Some(room.needed.iter().map(taken).sum::<i128>() - i128::from(capacity))
}

/// How much is there of an array beyond what is needed.
fn excess_there(room: &Room<'_>, need: &Need) -> u64 {
    let images = need.allocation.images();
    images.find(room.space).map_or(0, |image| excess(&image.memory.window(), &need.bytes))
}

/// Has images leave of which there is so much that the rest has no room.
pub(super) fn shrink(room: &Room<'_>) -> Result<()> {
    let mut most: SmallVec<[(u64, &Need); INLINE_ARRAYS]> = SmallVec::new();
    if lacking(room).is_some_and(|lacking| lacking > 0) {
        most.extend(room.needed.iter().map(|need| (excess_there(room, need), need)));
        most.sort_unstable_by_key(|(excess, _)| std::cmp::Reverse(*excess));
    }
    for (excess, need) in most {
        if excess > 0 && lacking(room).is_some_and(|lacking| lacking > 0) {
            room.evict(&need.allocation)?;
        }
    }
    Ok(())
}

/// Memory for an array, or for as much of it as is needed; `before` is what there was, and would not do.
fn allocate(
    room: &Room<'_>,
    (needed, whole): (&Range<u64>, &Range<u64>),
    beyond: Option<u64>,
    before: Option<Range<u64>>,
) -> Result<Arc<DeviceImage>> {
    let device = room.device;
    let may_be = |window: &Range<u64>| beyond.is_none_or(|beyond| excess(window, needed) <= beyond);
    let is_all = needed == whole;
    if is_all || before.is_none() && may_be(whole) {
        match room.make(|| device.allocate(whole.clone())) {
            Err(Error::OutOfMemory { .. }) if !is_all => {}
            other => return other,
        }
    }
    // Who goes to and fro between two boxes has both there, if nobody has to leave for that.
    let both = before.map(|before| before.start.min(needed.start)..before.end.max(needed.end));
    if let Some(memory) = both.filter(may_be).and_then(|both| device.allocate(both).ok()) {
        return Ok(memory);
    }
    room.make(|| device.allocate(needed.clone()))
}
