//! Which way bytes of the host take to a device and back: as they are, or where they are many, and the device
//! has a memory of its own, through pinned memory. Fenced: it passes on what callers lend.
#![allow(unsafe_code, reason = "passes bytes on that were lent")]

use std::sync::Arc;

use flash_rt::DriverError;
use flash_rt::backend::{Queue, Region, Ticket};
use flash_rt::offload::staging::Way;

use crate::copies;
use crate::device::OclDevice;
use crate::memory::Storage;
use crate::operation::Extras;
use crate::staging::Job;

/// Whether a copy goes through pinned memory.
fn is_staged(device: &OclDevice, queue: Queue, region: &Region) -> bool {
    let is_long = !region.is_empty() && region.bytes() >= device.staged_from;
    is_long && device.lines.stages(queue)
}

/// Submits a copy from the host.
///
/// # Safety
///
/// As `Backend::upload`; the regions were checked.
pub(crate) unsafe fn upload(
    device: &OclDevice,
    dst: &Arc<Storage>,
    to: Region,
    src: *const u8,
    from: Region,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let extras = Extras::of(dst);
    if is_staged(device, Queue::Up, &to) {
        let context = device.context()?;
        return device.lines.submit_job(Queue::Up, context, after, extras, |ring, queue, after| {
            // SAFETY: the regions were checked; as the caller promises.
            unsafe { Job::new((Way::Up(src), ring, queue), dst, (&to, &from), after) }
        });
    }
    device.lines.submit(Queue::Up, after, extras, |commands| {
        // SAFETY: the regions were checked; as the caller promises.
        unsafe { copies::upload(commands, dst, to, src, from) }
    })
}

/// Submits a copy to the host.
///
/// # Safety
///
/// As `Backend::download`; the regions were checked.
pub(crate) unsafe fn download(
    device: &OclDevice,
    src: &Arc<Storage>,
    from: Region,
    dst: *mut u8,
    to: Region,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let extras = Extras::of(src);
    if is_staged(device, Queue::Down, &from) {
        let context = device.context()?;
        return device.lines.submit_job(
            Queue::Down,
            context,
            after,
            extras,
            |ring, queue, after| {
                // SAFETY: the regions were checked; as the caller promises.
                unsafe { Job::new((Way::Down(dst), ring, queue), src, (&from, &to), after) }
            },
        );
    }
    device.lines.submit(Queue::Down, after, extras, |commands| {
        // SAFETY: the regions were checked; as the caller promises.
        unsafe { copies::download(commands, src, from, dst, to) }
    })
}
