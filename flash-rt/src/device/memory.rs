//! Memory of a device, and the copies to it and from it: submitted, counted, written down. It does
//! not know what is in it.
#![allow(unsafe_code, reason = "submits copies of bytes that were lent")]

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Device, errand};
use crate::backend::{DynMemory, Queue, Region};
use crate::error::{DriverError, DriverErrorKind, Error, Result};
use crate::image::{DeviceMemory, MemorySpace, Watch};
use crate::progress::{Clock, Sent, Verdict};
use crate::report::Transfers;
use crate::trace::Kind;

/// What an operation comes after, as somebody saw it who looked at what is under way after `epoch`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    pub(crate) epoch: u64,
    pub(crate) after: Clock,
}

/// Bytes of the host that a copy reads or writes after the call that submits it.
#[derive(Clone, Copy, Debug)]
pub struct Lent(*mut [u8]);

impl Lent {
    /// Lends bytes.
    ///
    /// # Safety
    ///
    /// Until the copies that they are lent to are complete or given up, the bytes are valid and
    /// initialised, and nobody else writes them; where one writes them, nobody else touches them.
    pub(crate) unsafe fn new(bytes: *mut [u8]) -> Self {
        Self(bytes)
    }

    /// Copies them from or to other bytes of the same number, for memory that is no device's.
    #[cfg(test)]
    pub(crate) fn copy(self, other: &mut [u8], to_host: bool) {
        assert_eq!(self.0.len(), other.len());
        let (from, to) = (self.0.cast::<u8>(), other.as_mut_ptr());
        let (from, to) = if to_host { (to, from) } else { (from, to) };
        // SAFETY: both have so many bytes; `other` is borrowed, the rest is the promise of `new`.
        unsafe { std::ptr::copy_nonoverlapping(from, to, other.len()) };
    }
}

/// Memory of the host that holds an array.
#[derive(Clone, Copy, Debug)]
pub struct Staying(*const [u8]);

impl Staying {
    /// Memory that is about to be copied.
    ///
    /// # Safety
    ///
    /// It stays where it is until what [`keep`](crate::backend::staying::keep) was given for it is dropped.
    pub(crate) unsafe fn new(memory: *const [u8]) -> Self {
        Self(memory)
    }
}

thread_local! {
    static MOVED: Cell<Transfers> = const { Cell::new(Transfers::NONE) };
    /// The same by device, while somebody asks for it.
    static BY_DEVICE: RefCell<Option<ByDevice>> = const { RefCell::new(None) };
}

/// Transfers by the memory of their device.
type ByDevice = Vec<(MemorySpace, Transfers)>;

/// Counts by device what this thread moves from when it is made until it is dropped.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub(crate) struct MovedFor {
    before: Option<ByDevice>,
}

impl MovedFor {
    /// Counts from now on.
    pub(crate) fn begin() -> Self {
        Self { before: BY_DEVICE.replace(Some(Vec::new())) }
    }

    /// What was counted.
    pub(crate) fn take(self) -> ByDevice {
        BY_DEVICE.take().unwrap_or_default()
    }
}

impl Drop for MovedFor {
    fn drop(&mut self) {
        BY_DEVICE.set(self.before.take());
    }
}

/// Counts a transfer of this thread.
fn moved(change: impl FnOnce(&mut Transfers)) {
    MOVED.with(|cell| {
        let mut all = cell.get();
        change(&mut all);
        cell.set(all);
    });
}

/// Counts a copy to a device that this thread did not make, as all of it is overwritten.
pub(crate) fn elided() {
    moved(|all| all.elided += 1);
}

/// Counts a copy of this thread to a device or from it.
fn copied(device: &Device, change: impl Fn(&mut Transfers)) {
    moved(&change);
    by_device(device, change);
}

/// Counts for one device what it has of a copy of this thread.
fn by_device(device: &Device, change: impl Fn(&mut Transfers)) {
    let Some(space) = device.space() else { return };
    BY_DEVICE.with_borrow_mut(|all| {
        let Some(all) = all else { return };
        match all.iter_mut().find(|(known, _)| *known == space) {
            Some((_, known)) => change(known),
            None => {
                let mut new = Transfers::NONE;
                change(&mut new);
                all.push((space, new));
            }
        }
    });
}

/// Counts what another thread moved for this one.
pub(crate) fn add_moved(other: Transfers) {
    moved(|all| *all += other);
}

/// Takes the transfers that this thread made since it last asked. A run moves data on the thread
/// that drives it only.
pub(crate) fn take_moved() -> Transfers {
    MOVED.with(|cell| cell.replace(Transfers::NONE))
}

/// Memory of a device, given back to its limit on drop.
#[derive(Debug)]
pub(crate) struct DeviceImage {
    pub(crate) memory: DynMemory,
    /// What its device counts as used.
    bytes: u64,
    /// The first byte of the array that it has room for; `None` for memory of somebody else's, which has
    /// room for all of it.
    start: Option<u64>,
    /// How many memories an image may take turns in.
    copies: usize,
    device: Arc<Device>,
}

impl DeviceImage {
    /// The memory of an image as its backend knows it.
    pub(crate) fn memory_of(image: &Arc<dyn DeviceMemory>) -> Option<&DynMemory> {
        Some(&image.as_any().downcast_ref::<Self>()?.memory)
    }

    /// Memory for these bytes of an array, which its device counts as used.
    pub(super) fn new(memory: DynMemory, window: Range<u64>, device: &Arc<Device>) -> Self {
        let bytes = window.end.saturating_sub(window.start);
        let start = Some(window.start);
        Self { memory, bytes, start, copies: device.copies, device: Arc::clone(device) }
    }

    /// Where a region of the array is in this memory.
    fn place(&self, region: Region, what: &str) -> Result<Region> {
        let window = self.window();
        let is_inside =
            region.offset >= window.start && region.end().is_some_and(|end| end <= window.end);
        if !is_inside && !region.is_empty() {
            return Err(self.outside(region, what));
        }
        Ok(Region { offset: region.offset.saturating_sub(window.start), ..region })
    }

    #[cold]
    fn outside(&self, region: Region, what: &str) -> Error {
        let Range { start, end } = self.window();
        let text = format!(
            "bytes {}..{} of an array, of which {start}..{end} have room on the device",
            region.offset,
            region.end().unwrap_or(u64::MAX)
        );
        let kind = DriverErrorKind::Failed;
        self.device.driver_error(
            what.to_owned(),
            DriverError { api: "flash-rt", code: -1, text: text.into(), kind },
        )
    }

    /// Memory of somebody else's, in which an image stays.
    pub(crate) fn adopted(memory: DynMemory, device: &Arc<Device>) -> Self {
        Self { memory, bytes: 0, start: None, copies: 1, device: Arc::clone(device) }
    }
}

impl DeviceMemory for DeviceImage {
    fn window(&self) -> Range<u64> {
        self.start.map_or(0..u64::MAX, |start| start..start.saturating_add(self.bytes))
    }

    fn download(&self, from: Region, dst: Lent, to: Region, order: &Order) -> Result<Sent> {
        let from = self.place(from, "download")?;
        let (device, bytes) = (&self.device, to.bytes());
        let begun = device.begin();
        let sent = device
            // SAFETY: whoever lent the bytes keeps others from them, and who reads an image keeps
            // others from writing it, until the copy is complete.
            .submit(order, Queue::Down, |after| unsafe {
                device.backend.download(device.ordinal, &self.memory, from, dst.0, to, after)
            })
            .map_err(|error| not_copied(device, "download", bytes, error))?;
        if begun.is_some() {
            device.note_sent(begun, (Kind::Download, errand::name("download")), &sent, bytes);
        }
        tracing::trace!(device = device.name(), bytes, "download");
        copied(device, |all| {
            all.downloads += 1;
            all.downloaded += bytes;
        });
        Ok(sent)
    }

    fn upload(&self, to: Region, src: Lent, from: Region, order: &Order) -> Result<Sent> {
        let to = self.place(to, "upload")?;
        let (device, bytes) = (&self.device, to.bytes());
        let begun = device.begin();
        let sent = device
            // SAFETY: whoever lent the bytes keeps others from writing them, and who makes an image
            // current keeps others from using it, until the copy is complete.
            .submit(order, Queue::Up, |after| unsafe {
                device.backend.upload(device.ordinal, &self.memory, to, src.0, from, after)
            })
            .map_err(|error| not_copied(device, "upload", bytes, error))?;
        if begun.is_some() {
            device.note_sent(begun, (Kind::Upload, errand::name("upload")), &sent, bytes);
        }
        tracing::trace!(device = device.name(), bytes, "upload");
        copied(device, |all| {
            all.uploads += 1;
            all.uploaded += bytes;
        });
        Ok(sent)
    }

    fn is_peer(&self, other: &dyn DeviceMemory) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| self.device.is_peer(&other.device))
    }

    fn peer_copy(
        &self,
        dst: &dyn DeviceMemory,
        region: Region,
        order: &Order,
    ) -> Result<Option<Sent>> {
        let Some(dst) = dst.as_any().downcast_ref::<Self>() else { return Ok(None) };
        let (device, other, bytes) = (&self.device, &dst.device, region.bytes());
        let src = (&self.memory, self.place(region, "peer copy")?);
        let there = (&dst.memory, dst.place(region, "peer copy")?);
        let begun = device.begin();
        let sent = device
            // SAFETY: who makes an image current by a copy keeps others from using it, and from writing
            // the one that it comes from, until the copy is complete; both are kept by its use.
            .submit(order, Queue::Down, |after| unsafe {
                device.backend.peer_copy(device.ordinal, src, other.ordinal, there, after)
            })
            .map_err(|error| not_copied(device, "peer copy", bytes, error))?;
        if begun.is_some() {
            device.note_sent(begun, (Kind::Peer, errand::name("peer")), &sent, bytes);
        }
        tracing::trace!(device = device.name(), to = other.name(), bytes, "peer copy");
        moved(|all| {
            all.peer_copies += 1;
            all.peer_copied += bytes;
        });
        by_device(device, |all| all.downloaded += bytes);
        by_device(other, |all| all.uploaded += bytes);
        Ok(Some(sent))
    }

    fn zero(&self, to: Region, order: &Order) -> Result<Sent> {
        let to = self.place(to, "zeroing")?;
        let (device, bytes) = (&self.device, to.bytes());
        let queue = device.compute_queue(order);
        device
            // SAFETY: who makes an image current keeps others from using it until that is complete.
            .submit(order, Queue::Compute(queue), |after| unsafe {
                device.backend.zero(device.ordinal, queue, &self.memory, to, after)
            })
            .map_err(|error| device.driver_error(format!("zeroing of {bytes} bytes"), error))
    }

    fn stays(&self, memory: Staying) {
        // SAFETY: whoever made it promised that it stays.
        unsafe { self.device.backend.stays(self.device.ordinal, memory.0) };
    }

    fn refused(&self, error: Error) -> Error {
        match error {
            Error::Driver { what, source, .. } | Error::DeviceLost { what, source, .. } => {
                let source = self.device.refused(source);
                self.device.driver_error(what, source)
            }
            other => other,
        }
    }

    fn epoch(&self) -> u64 {
        self.device.epoch()
    }

    fn verdict(&self, sent: &Sent) -> Verdict {
        self.device.verdict(sent)
    }

    fn watch(&self) -> Arc<dyn Watch> {
        Arc::<Device>::clone(&self.device)
    }

    fn copies(&self) -> usize {
        self.copies
    }

    fn another(&self) -> Result<Arc<dyn DeviceMemory>> {
        let memory: Arc<dyn DeviceMemory> = self.device.allocate(self.window())?;
        Ok(memory)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Watch for Device {
    fn wait(&self, sent: &Sent) -> Result<()> {
        let waited = Device::wait(self, sent);
        waited.map_err(|error| self.driver_error(format!("wait{}", errand::whose("for")), error))
    }

    fn lost(&self) -> Option<Error> {
        self.is_lost().then(|| Error::DeviceLost {
            device: self.name().to_owned(),
            what: "reading elements that are current nowhere else".to_owned(),
            at: None,
            given_up: None,
            source: DriverError {
                api: "flash-rt",
                code: -1,
                text: "an earlier call said that the device is lost; write these elements again before \
                       they are read"
                    .into(),
                kind: DriverErrorKind::DeviceLost,
            },
        })
    }
}

/// The error of a copy that was not submitted.
#[cold]
fn not_copied(device: &Device, direction: &str, bytes: u64, error: DriverError) -> Error {
    let what = format!("{direction} of {bytes} bytes{}", errand::whose("of"));
    device.driver_error(what, error)
}

impl Drop for DeviceImage {
    fn drop(&mut self) {
        self.device.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
