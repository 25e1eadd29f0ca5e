//! One device of a runtime: its backend, its memory, the kernels loaded for it. It decides nothing
//! about what runs there.
#![allow(unsafe_code, reason = "copies are submitted and waited for here")]

mod behind;
mod errand;
mod memory;
mod pin;
mod pins;
pub(crate) mod remembered;
mod temporaries;
mod times;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError, Weak};
use std::time::Duration;

use crate::allocation::Allocation;
use crate::backend::{DeviceInfo, DynBackend, DynModule, Queue, Region, Ticket};
use crate::descriptor::KernelDescriptor;
use crate::error::{At, DriverError, DriverErrorKind, Site};
use crate::image::MemorySpace;
use crate::modules::Modules;
use crate::progress::{MOST_COMPUTE, Progress, Sent, Verdict};
use crate::search;
use crate::trace::{Kind, Recorder, Unit};
use crate::{Error, Result};

pub(crate) use errand::Errand;
pub(crate) use memory::{DeviceImage, MovedFor, add_moved, elided, take_moved};
pub use memory::{Lent, Order, Staying};
pub(crate) use pin::Pin;
pub(crate) use pins::{Pins, Turn};
use temporaries::Temporaries;
pub(crate) use times::{Class, class};

/// A device that a runtime has opened.
pub struct Device {
    pub(crate) backend: Arc<dyn DynBackend>,
    /// Its number in the backend.
    pub(crate) ordinal: usize,
    pub(crate) info: DeviceInfo,
    /// `None` where kernels use the host image.
    space: Option<MemorySpace>,
    modules: Modules,
    /// Bytes of images held.
    used: AtomicU64,
    limit: Option<u64>,
    /// How many memories an image may take turns in.
    copies: usize,
    /// Where what runs is written down, if it is.
    pub(crate) recorder: OnceLock<Arc<Recorder>>,
    /// Allocations that have had an image here, oldest first.
    images: Mutex<Vec<Weak<Allocation>>>,
    /// How far its queues have come.
    progress: Progress,
    pub(crate) pins: Pins,
    temporaries: Temporaries,
    /// Whether a call said that the device is lost.
    lost: AtomicBool,
    /// What it said.
    loss: OnceLock<DriverError>,
    /// What is to be written down when it is complete.
    notes: Mutex<Vec<Note>>,
    times: times::Times,
    behind: behind::Behind,
}

/// An operation that is to be written down when it is complete.
#[derive(Debug)]
struct Note {
    sent: Sent,
    kind: Kind,
    name: Cow<'static, str>,
    bytes: u64,
    begin: Duration,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("name", &self.name())
            .field("key", &self.key())
            .field("ordinal", &self.ordinal)
            .field("space", &self.space)
            .finish_non_exhaustive()
    }
}

impl Device {
    pub(crate) fn new(
        backend: Arc<dyn DynBackend>,
        ordinal: usize,
        info: DeviceInfo,
        (limit, copies): (Option<u64>, usize),
    ) -> Self {
        let limit = match (limit, info.memory) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let space = (!info.host_memory).then(fresh_space);
        let modules = Modules::new();
        Self {
            backend,
            ordinal,
            info,
            space,
            modules,
            used: AtomicU64::new(0),
            limit,
            copies,
            recorder: OnceLock::new(),
            images: Mutex::default(),
            progress: Progress::default(),
            pins: Pins::default(),
            temporaries: Temporaries::default(),
            lost: AtomicBool::new(false),
            loss: OnceLock::new(),
            notes: Mutex::default(),
            times: times::Times::default(),
            behind: behind::Behind::default(),
        }
    }

    /// Brings a lost device back: one of its own, with nothing of what this one held.
    ///
    /// # Errors
    ///
    /// The driver's, as [`Error::DeviceLost`].
    pub(crate) fn recover(&self) -> Result<Self> {
        let recovered = self.backend.recover(self.ordinal);
        recovered.map_err(|error| self.driver_error("recovery".to_owned(), error))?;
        let (backend, info) = (Arc::clone(&self.backend), self.info.clone());
        Ok(Self::new(backend, self.ordinal, info, (self.limit, self.copies)))
    }

    /// A name a person knows it by.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The key of its backend.
    pub fn key(&self) -> &'static str {
        self.backend.key()
    }

    /// Its facts.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Its memory; `None` where kernels use the host image.
    pub fn space(&self) -> Option<MemorySpace> {
        self.space
    }

    /// The backend that it is of and its number there, if the backend is of this type.
    pub fn of_backend<B: DynBackend>(&self) -> Option<(&B, usize)> {
        let backend: &dyn Any = &*self.backend;
        Some((backend.downcast_ref()?, self.ordinal))
    }

    /// Whether elements can go from it to another device without the host.
    pub(crate) fn is_peer(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.backend, &other.backend)
            && self.backend.is_peer(self.ordinal, other.ordinal)
    }

    /// Bytes of images it holds.
    pub fn bytes_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Reserves memory of undefined contents, for these bytes of an array.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] beyond the limit or where the driver has none; [`Error::Driver`].
    pub(crate) fn allocate(self: &Arc<Self>, window: Range<u64>) -> Result<Arc<DeviceImage>> {
        let bytes = window.end.saturating_sub(window.start);
        // Relaxed: the counter guards a sum, not other memory.
        let claimed = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&sum| self.limit.is_none_or(|limit| sum <= limit))
        });
        if claimed.is_err() {
            return Err(self.full(bytes, None));
        }
        match self.backend.allocate(self.ordinal, bytes) {
            Ok(memory) => Ok(Arc::new(DeviceImage::new(memory, window, self))),
            Err(error) => {
                self.used.fetch_sub(bytes, Ordering::Relaxed);
                Err(match error.kind {
                    DriverErrorKind::OutOfMemory => self.full(bytes, Some(error)),
                    _ => self.driver_error(format!("allocation of {bytes} bytes"), error),
                })
            }
        }
    }

    /// The error for memory that is not there.
    #[cold]
    pub(crate) fn full(&self, bytes: u64, source: Option<DriverError>) -> Error {
        Error::OutOfMemory {
            param: None,
            device: self.name().to_owned(),
            bytes,
            at: None,
            used: self.bytes_used(),
            limit: self.limit,
            source: source.map(Arc::new),
        }
    }

    /// As [`Device::allocate`], all zero once what comes with it is complete, on this compute queue.
    pub(crate) fn allocate_zeroed(
        self: &Arc<Self>,
        bytes: u64,
        (epoch, queue): (u64, u8),
    ) -> Result<(Arc<DeviceImage>, Sent)> {
        let image = self.allocate(0..bytes)?;
        let (memory, all) = (&image.memory, Region::row(0, bytes));
        let order = Order { epoch, after: Default::default() };
        let sent = self
            // SAFETY: nobody else knows the memory yet.
            .submit(&order, Queue::Compute(queue), |after| unsafe {
                self.backend.zero(self.ordinal, queue, memory, all, after)
            })
            .map_err(|error| self.refused(error))
            .map_err(|error| self.driver_error(format!("zeroing of {bytes} bytes"), error))?;
        Ok((image, sent))
    }

    /// How many memories an image may take turns in.
    pub(crate) fn copies(&self) -> usize {
        self.copies
    }

    /// How often what was under way was given up; see [`Order`].
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.progress.epoch()
    }

    /// What is known of an operation.
    #[inline]
    pub(crate) fn verdict(&self, sent: &Sent) -> Verdict {
        self.progress.verdict(sent)
    }

    /// Why an operation was given up, if it was.
    pub(crate) fn failure(&self, sent: &Sent) -> Option<DriverError> {
        self.progress.failure(Some(sent))
    }

    /// How many compute queues are used.
    pub(crate) fn n_queues(&self) -> usize {
        usize::from(self.info.queues.clamp(1, MOST_COMPUTE))
    }

    /// The compute queue for a launch that begins after what `order` names.
    #[inline]
    pub(crate) fn compute_queue(&self, order: &Order) -> u8 {
        self.progress.compute_queue(self.info.queues, &order.after)
    }

    /// Whether a launch on a compute queue that comes after what `order` names may have to wait for another
    /// queue.
    #[inline]
    pub(crate) fn waits_elsewhere(&self, queue: u8, order: &Order) -> bool {
        self.progress.waits_elsewhere(Queue::Compute(queue), &order.after)
    }

    /// Submits an operation to a queue. It begins after what `order` names. Why it was not submitted
    /// is a question to [`Device::refused`].
    #[inline]
    pub(crate) fn submit(
        &self,
        order: &Order,
        queue: Queue,
        operation: impl FnOnce(&[Ticket]) -> Result<Ticket, DriverError>,
    ) -> Result<Sent, DriverError> {
        match self.progress.submit(order.epoch, queue, &order.after, operation) {
            Some(result) => result,
            None => Err(self.given_up(None)),
        }
    }

    /// Why nothing was submitted. A device that has failed takes nothing more until it is reset; it
    /// is whoever waits for what failed who finds out, so this waits.
    #[cold]
    pub(crate) fn refused(&self, error: DriverError) -> DriverError {
        if error.kind == DriverErrorKind::GivenUp {
            return error;
        }
        let failed = self.progress.under_way().iter().any(|sent| self.wait(sent).is_err());
        match failed && error.kind != DriverErrorKind::DeviceLost {
            true => self.given_up(None),
            false => error,
        }
    }

    /// Returns when an operation is complete. One that fails takes with it whatever is under way on
    /// the device: it is given up, and counts as not run.
    pub(crate) fn wait(&self, sent: &Sent) -> Result<(), DriverError> {
        let wait = |ticket| self.backend.wait(self.ordinal, ticket).map(|()| true);
        let begun = self.begin();
        let done = self.wait_as(sent, wait).map(drop);
        if let Some((recorder, begin)) = begun {
            recorder.note_wait(self.name(), begin);
        }
        done
    }

    /// Waits for an operation in some way that says whether it is complete; whether it is.
    fn wait_as(
        &self,
        sent: &Sent,
        wait: impl FnOnce(Ticket) -> Result<bool, DriverError>,
    ) -> Result<bool, DriverError> {
        match self.verdict(sent) {
            Verdict::Done => return Ok(true),
            Verdict::Failed => return Err(self.given_up(Some(sent))),
            Verdict::UnderWay => {}
        }
        match wait(sent.ticket) {
            Ok(false) => Ok(false),
            Ok(true) => {
                let confirmed = self.progress.confirm(sent);
                self.write_down();
                if confirmed { Ok(true) } else { Err(self.given_up(Some(sent))) }
            }
            Err(error) => {
                if error.kind != DriverErrorKind::DeviceLost {
                    // Whoever waits for the last of several learns which one it was.
                    let is_over = |ticket| self.backend.wait(self.ordinal, ticket).is_ok();
                    self.progress.find_out(is_over);
                }
                if self.give_up(sent, &error) { Err(error) } else { Err(self.given_up(Some(sent))) }
            }
        }
    }

    /// Gives up an operation that has failed, with whatever is under way on the device; whether that
    /// had not happened before.
    #[cold]
    pub(crate) fn give_up(&self, sent: &Sent, error: &DriverError) -> bool {
        if error.kind == DriverErrorKind::DeviceLost {
            self.note_loss(error);
        }
        let reset = || {
            // If that fails too the device cannot be used any more, as the next call will say.
            if let Err(again) = self.backend.reset(self.ordinal) {
                tracing::warn!(device = self.name(), %error, %again, "a device cannot be reset");
            }
        };
        self.progress.give_up(sent, error, reset)
    }

    /// The error of what was given up because something else failed: of an operation, or of one that
    /// was to follow what failed last.
    #[cold]
    pub(crate) fn given_up(&self, sent: Option<&Sent>) -> DriverError {
        let (kind, why, remedy) = match self.is_lost() {
            true => {
                let remedy = "run it on another device";
                (DriverErrorKind::DeviceLost, "the device is lost", remedy)
            }
            false => {
                let remedy = "nothing of it was done, so it can run again";
                (DriverErrorKind::GivenUp, "another operation of the device failed", remedy)
            }
        };
        let said = self.progress.failure(sent).or_else(|| self.loss.get().cloned());
        let said = said.map_or_else(String::new, |said| format!(" ({said})"));
        let text = format!("given up, as {why}{said}; {remedy}").into();
        DriverError { api: "wait", code: -1, text, kind }
    }

    /// Waits until all that was submitted so far is complete or given up; whether there was
    /// anything.
    pub(crate) fn settle(&self) -> bool {
        let under_way = self.progress.under_way();
        under_way.iter().for_each(|sent| drop(self.wait(sent)));
        !under_way.is_empty()
    }

    /// Whether a call said that the device is lost; it does not come back.
    #[inline]
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Notes that the device is lost.
    #[cold]
    fn note_loss(&self, said: &DriverError) {
        self.loss.get_or_init(|| said.clone());
        // Relaxed: it carries no data.
        self.lost.store(true, Ordering::Relaxed);
    }

    /// Why a kernel cannot run on a device that is lost.
    #[cold]
    pub(crate) fn loss(&self, kernel: &str) -> Error {
        let said = self.loss.get().cloned().unwrap_or_else(|| self.given_up(None));
        self.driver_error(format!("launch of kernel `{kernel}`"), said)
    }

    /// Notes that an allocation has an image here.
    pub(crate) fn note(&self, allocation: &Arc<Allocation>) {
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        let this = Arc::downgrade(allocation);
        images.retain(|known| known.strong_count() > 0 && !known.ptr_eq(&this));
        images.push(this);
    }

    /// The allocations that may have an image here, oldest first.
    pub(crate) fn noted(&self) -> Vec<Arc<Allocation>> {
        let images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        images.iter().filter_map(Weak::upgrade).collect()
    }

    /// How many bytes of arrays there may be at most, as far as that is known.
    pub(crate) fn capacity(&self) -> Option<u64> {
        self.space?;
        self.limit.into_iter().chain(self.info.memory).min()
    }

    /// Whether so many bytes of arrays could be there at once.
    pub(crate) fn could_hold(&self, bytes: u64) -> bool {
        self.capacity().is_none_or(|most| bytes <= most)
    }

    /// Whether there is code of a kernel for it, as far as that shows.
    pub(crate) fn has_code(&self, kernel: &'static KernelDescriptor) -> bool {
        self.backend.implements(self.ordinal, kernel)
    }

    /// What it has to be set up with for a kernel; see `Backend::setup`.
    pub(crate) fn setup(&self, kernel: &'static KernelDescriptor) -> Option<u64> {
        self.backend.setup(self.ordinal, kernel)
    }

    /// What it is set up with.
    pub(crate) fn is_set_up(&self) -> Option<u64> {
        self.backend.is_set_up(self.ordinal)
    }

    /// The kernel made ready for this device; from a table after the first time.
    #[inline]
    pub(crate) fn module(
        &self,
        kernel: &'static KernelDescriptor,
        site: Site,
    ) -> Result<&DynModule> {
        self.modules.get_or_load(kernel, || {
            if self.space.is_none() {
                warn_once(kernel);
            }
            self.backend.load(self.ordinal, kernel).map_err(|error| {
                match error.text.split_once(": ") {
                    Some((path, why)) if error.kind == DriverErrorKind::Library => Error::Library {
                        kernel: kernel.name.to_owned(),
                        device: Some(self.name().to_owned()),
                        at: Some(Box::new(At { node: None, stage: kernel.name, site })),
                        path: path.to_owned(),
                        why: why.to_owned(),
                    },
                    _ if error.kind == DriverErrorKind::DeviceLost => self
                        .driver_error(format!("load of kernel `{}`", kernel.name), error)
                        .within(At { node: None, stage: kernel.name, site }),
                    _ if kernel.search.is_some() && kernel.entries.is_none() => Error::NotFound {
                        kernel: kernel.name,
                        node: None,
                        site,
                        device: self.name().to_owned(),
                        how: search::word(kernel.search),
                        near: search::near_misses(kernel, self.key()),
                    },
                    _ => Error::NoImplementation {
                        kernel: kernel.name,
                        node: None,
                        site,
                        device: self.name().to_owned(),
                        why: error.text.to_string(),
                    },
                }
            })
        })
    }

    /// The time, where what runs is written down.
    #[inline]
    pub(crate) fn begin(&self) -> Option<(&Recorder, Duration)> {
        self.recorder.get().map(|recorder| (&**recorder, recorder.now()))
    }

    /// Writes down what [`Device::begin`] began, now or when it is known to be complete.
    #[inline]
    pub(crate) fn note_sent(
        &self,
        begun: Option<(&Recorder, Duration)>,
        (kind, name): (Kind, Cow<'static, str>),
        sent: &Sent,
        bytes: u64,
    ) {
        let Some((recorder, begin)) = begun else { return };
        if sent.ticket.is_done() {
            return recorder.note(kind, name, self.unit(sent.ticket.queue), bytes, begin);
        }
        let note = Note { sent: *sent, kind, name, bytes, begin };
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    fn unit(&self, queue: Queue) -> Unit {
        Unit::Device(self.name().into(), queue)
    }

    /// Writes down what is known to be complete.
    #[inline]
    pub(crate) fn write_down(&self) {
        let Some(recorder) = self.recorder.get() else { return };
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.retain(|note| {
            let verdict = self.verdict(&note.sent);
            if verdict == Verdict::Done {
                let timing = self.backend.timing(self.ordinal, note.sent.ticket);
                let unit = self.unit(note.sent.ticket.queue);
                let span = recorder.span(timing, note.begin);
                recorder.note_span(note.kind, note.name.clone(), unit, note.bytes, span);
            }
            verdict == Verdict::UnderWay
        });
    }

    #[cold]
    pub(crate) fn driver_error(&self, what: String, source: DriverError) -> Error {
        let device = self.name().to_owned();
        match source.kind {
            DriverErrorKind::DeviceLost => {
                self.note_loss(&source);
                Error::DeviceLost { device, what, at: None, given_up: None, source }
            }
            _ => Error::Driver { device, what, at: None, given_up: None, source },
        }
    }
}

/// Says once that kernels are slow for a reason that is easily removed.
fn warn_once(kernel: &KernelDescriptor) {
    static WARNED: Once = Once::new();
    if kernel.unoptimised {
        WARNED.call_once(|| {
            tracing::warn!(
                kernel = kernel.name,
                "kernels were compiled without optimisation and are many times slower; build with \
                 `--release`, or set `[profile.dev] opt-level = 1`"
            );
        });
    }
}

fn fresh_space() -> MemorySpace {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    // Relaxed: only uniqueness matters.
    MemorySpace(NEXT.fetch_add(1, Ordering::Relaxed))
}
