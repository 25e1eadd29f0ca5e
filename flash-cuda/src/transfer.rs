//! Which way bytes of the host take to a device and back: at once where the device reaches them itself, else
//! through pinned memory. Fenced: it passes on what callers lend.
#![allow(unsafe_code, reason = "passes bytes on that were lent")]

use std::sync::Arc;

use flash_rt::DriverError;
use flash_rt::backend::{Queue, Region, Ticket};
use flash_rt::offload::staging::{Way, packed};

use crate::copies;
use crate::cu::Failure;
use crate::device::CudaDevice;
use crate::memory::Storage;
use crate::operation::{Extras, Held, is_short};
use crate::pinned;
use crate::staging::{Job, Landing};

/// Whether a device reaches the bytes of a region itself.
fn is_pinned(start: *const u8, region: &Region) -> bool {
    let end = region.end().unwrap_or(region.offset);
    pinned::has(start.wrapping_add(region.offset as usize), (end - region.offset) as usize)
}

/// Submits a copy from the host.
///
/// # Safety
///
/// As `Backend::upload`; the regions were checked.
pub(crate) unsafe fn upload(
    device: &CudaDevice,
    dst: &Arc<Storage>,
    to: Region,
    src: *const u8,
    from: Region,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let (most_pitch, mut extras) = (device.facts.most_pitch, Extras::of(dst));
    if is_pinned(src, &from) || to.is_empty() {
        let pieces = copies::pieces(&to, &from, most_pitch);
        return device.lines.submit(Queue::Up, after, extras, |commands| {
            // SAFETY: the regions were checked; as the caller promises.
            unsafe { copies::upload(commands, dst, src, &pieces) }
        });
    }
    if is_short(&to) {
        let slot = device.slots.take(&dst.context).map_err(|failure| device.error(failure))?;
        let gone = || device.error(Failure::gone("memory"));
        let _in_use = dst.context.keep().ok_or_else(gone)?;
        // SAFETY: the region is short, and its bytes can be read now as later; the slot is of a context that stays.
        unsafe { slot.fill(src, &from) };
        let (start, pieces) = (slot.start(), copies::pieces(&to, &packed(&from), most_pitch));
        extras.held.push(Held::Slot(slot));
        return device.lines.submit(Queue::Up, after, extras, |commands| {
            // SAFETY: the slot is held until the copy is over, and nobody writes it.
            unsafe { copies::upload(commands, dst, start, &pieces) }
        });
    }
    device.lines.submit_job(Queue::Up, after, extras, |stream, end| {
        // SAFETY: the regions were checked; as the caller promises.
        unsafe { Job::new((Way::Up(src), stream, end), dst, (&to, &from), most_pitch) }
    })
}

/// Submits a copy to the host.
///
/// # Safety
///
/// As `Backend::download`; the regions were checked.
pub(crate) unsafe fn download(
    device: &CudaDevice,
    src: &Arc<Storage>,
    from: Region,
    dst: *mut u8,
    to: Region,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let (most_pitch, mut extras) = (device.facts.most_pitch, Extras::of(src));
    if is_pinned(dst, &to) || from.is_empty() {
        let pieces = copies::pieces(&from, &to, most_pitch);
        return device.lines.submit(Queue::Down, after, extras, |commands| {
            // SAFETY: the regions were checked; as the caller promises.
            unsafe { copies::download(commands, src, dst, &pieces) }
        });
    }
    if is_short(&from) {
        let slot = device.slots.take(&src.context).map_err(|failure| device.error(failure))?;
        let pieces = copies::pieces(&from, &packed(&to), most_pitch);
        let landing = Landing::new(slot, dst, to);
        let start = landing.start();
        extras.landings.push(landing);
        return device.lines.submit(Queue::Down, after, extras, |commands| {
            // SAFETY: the slot is held until the copy is over, and nobody else uses it.
            unsafe { copies::download(commands, src, start, &pieces) }
        });
    }
    device.lines.submit_job(Queue::Down, after, extras, |stream, end| {
        // SAFETY: the regions were checked; as the caller promises.
        unsafe { Job::new((Way::Down(dst), stream, end), src, (&from, &to), most_pitch) }
    })
}
