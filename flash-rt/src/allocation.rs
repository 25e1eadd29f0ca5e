//! An array that handles share: its element type, its host memory, its images elsewhere and its
//! ledger. Identity is the allocation, never an address. It does not decide when data moves.
#![allow(unsafe_code, reason = "owns the host memory; each block states what keeps it valid")]

mod adopted;
mod elsewhere;
mod filled;
#[cfg(all(test, loom))]
mod models;
mod peers;
mod transfer;
mod unlocked;
mod unwritten;

pub(crate) use filled::Filled;
pub(crate) use transfer::Copies;
pub(crate) use unwritten::Reader;

use std::alloc::{Layout, dealloc};
use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use self::unlocked::{Counts, Start};
use crate::backend::staying;
use crate::error::{Error, Result};
use crate::host;
use crate::image::{DeviceMemory, Images, MemorySpace};
use crate::ledger::Ledger;
use crate::pod::{ElemType, Pod};
use crate::section::Section;

/// Alignment of host images, one cache line and one AVX-512 vector.
pub const HOST_ALIGN: usize = 64;
/// From this size on, an array lives in the memory of the vector it is made from. A smaller one
/// gains more from its alignment than the copy takes.
const ADOPT_FROM: usize = 128 << 10;

/// The smallest and largest window of single reads, in bytes.
const WINDOW: usize = 4 << 10;
const MAX_WINDOW: usize = 4 << 20;

/// What handles share. Nothing outside this crate reaches its memory but through the ledger.
pub struct Allocation {
    id: u64,
    elem: ElemType,
    len: usize,
    /// Why there is no array: its shape was too large. Reported by the first use.
    fault: Option<Box<Error>>,
    /// The host image. Put there under the lock of `images`.
    host: Start,
    /// For how many elements the vector had memory that the host image was taken from; 0 if it was
    /// not. Goes with `host`.
    capacity: AtomicUsize,
    counts: Counts,
    images: Mutex<Images>,
    /// Told when a host task no longer uses the host image.
    left: Condvar,
    /// Who owns the host image. Foreign memory is borrowed for the life of the handle.
    foreign: Foreign,
    /// Whether the image on a device is in memory that somebody else has made.
    adopted: Adopted,
    pub(crate) ledger: Ledger,
    /// Whether it was said that somebody reads what nobody has written.
    has_warned: AtomicBool,
    /// Where the last window of single reads ended, and its size: hints, so relaxed.
    window_end: AtomicUsize,
    window_bytes: AtomicUsize,
}

/// Whether the host image belongs to somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foreign {
    Own,
    Shared,
    Unique,
}

/// Memory of a device that somebody else has made, for the image there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adopted {
    No,
    ReadOnly,
    Yes,
}

impl fmt::Debug for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Allocation")
            .field("id", &self.id)
            .field("ty", &self.elem.ty)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl Allocation {
    fn new(elem: ElemType, len: usize, host: *mut u8, foreign: Foreign) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            elem,
            len,
            fault: None,
            host: Start::new(host),
            capacity: AtomicUsize::new(0),
            counts: Counts::new(),
            images: Mutex::new(Images::default()),
            left: Condvar::new(),
            foreign,
            adopted: Adopted::No,
            ledger: Ledger::default(),
            has_warned: AtomicBool::new(false),
            window_end: AtomicUsize::new(0),
            window_bytes: AtomicUsize::new(0),
        }
    }

    /// An array of zeros. Memory is taken at the first use; a shape that is too large is reported
    /// there.
    pub(crate) fn zeros<T: Pod>(shape: &[usize]) -> Self {
        let elem = ElemType::of::<T>();
        let null = std::ptr::null_mut();
        match Section::count(shape, elem.size) {
            Ok(len) => Self::new(elem, len, null, Foreign::Own),
            Err(fault) => {
                let mut allocation = Self::new(elem, 0, null, Foreign::Own);
                allocation.fault = Some(Box::new(fault));
                allocation
            }
        }
    }

    /// An array of one value.
    pub(crate) fn filled<T: Pod>(shape: &[usize], value: T) -> Self {
        let allocation = Self::zeros::<T>(shape);
        allocation.initialise::<T>(|elements| elements.fill(value))
    }

    /// An array with these elements.
    pub(crate) fn from_slice<T: Pod>(values: &[T]) -> Self {
        let mut allocation = Self::zeros::<T>(&[values.len()]);
        let Some(layout) = allocation.layout() else { return allocation };
        match host::take(layout, false) {
            Some(host) => {
                // SAFETY: both have the bytes of all elements, which have no padding; one of them is
                // new.
                unsafe {
                    std::ptr::copy_nonoverlapping(
                        values.as_ptr().cast(),
                        host.as_ptr(),
                        layout.size(),
                    );
                }
                allocation.host = Start::new(host.as_ptr());
            }
            None => {
                let fault = Error::host_is_full(layout.size() as u64);
                allocation.fault = Some(Box::new(fault));
            }
        }
        allocation
    }

    /// A cell of a `bool`, which is no element of an array.
    pub(crate) fn flag(value: bool) -> Self {
        let mut allocation = Self::from_slice(&[u8::from(value)]);
        allocation.elem = ElemType::FLAG;
        allocation
    }

    /// An array with these elements, in the memory of the vector where that is large.
    pub(crate) fn from_vec<T: Pod>(values: Vec<T>) -> Self {
        if size_of_val(values.as_slice()) < ADOPT_FROM {
            return Self::from_slice(&values);
        }
        let mut values = ManuallyDrop::new(values);
        let host = values.as_mut_ptr().cast();
        host::adopted(host);
        let mut allocation = Self::new(ElemType::of::<T>(), values.len(), host, Foreign::Own);
        allocation.capacity = AtomicUsize::new(values.capacity());
        allocation
    }

    /// Takes the elements as a vector, without a copy, where the host image is memory of one. The
    /// caller has made all of them current on the host; the allocation is of no use after that.
    pub(crate) fn take_vec<T: Pod>(&mut self) -> Option<Vec<T>> {
        let capacity = *self.capacity.get_mut();
        if capacity == 0 || self.elem.id != TypeId::of::<T>() {
            return None;
        }
        let host = self.host.take();
        *self.capacity.get_mut() = 0;
        staying::goes(host);
        // SAFETY: a capacity above zero says that `host` is the memory of a `Vec<T>` of that capacity
        // with `len` elements, as `swap` exchanges both and only between equals; it is forgotten
        // here, so nobody else gives it back.
        Some(unsafe { Vec::from_raw_parts(host.cast(), self.len, capacity) })
    }

    /// Sets the elements of an array of `T` that was just made.
    fn initialise<T: Pod>(mut self, set: impl FnOnce(&mut [T])) -> Self {
        match self.host() {
            Ok(host) => {
                // SAFETY: `host` has `len` zeroed elements of `T`, is aligned for it, and nobody
                // else knows the allocation yet.
                set(unsafe { std::slice::from_raw_parts_mut(host.cast().as_ptr(), self.len) });
            }
            Err(fault) => self.fault = Some(Box::new(fault)),
        }
        self
    }

    /// Memory of somebody else, used in place.
    ///
    /// # Safety
    ///
    /// While the allocation is used, the elements stay valid and are touched through it only.
    pub(crate) unsafe fn foreign_mut<T: Pod>(values: *mut [T]) -> Self {
        Self::new(ElemType::of::<T>(), values.len(), values.cast(), Foreign::Unique)
    }

    /// Memory of somebody else, only read.
    ///
    /// # Safety
    ///
    /// While the allocation is used, the elements stay valid and nobody writes them.
    pub(crate) unsafe fn foreign<T: Pod>(values: *const [T]) -> Self {
        Self::new(ElemType::of::<T>(), values.len(), values.cast_mut().cast(), Foreign::Shared)
    }

    /// A number that orders allocations; never reused.
    #[inline]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The element type.
    #[inline]
    pub fn elem(&self) -> &ElemType {
        &self.elem
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.len * self.elem.size
    }

    /// Whether the host image is borrowed memory, which must be current again when a run ends.
    #[inline]
    pub fn is_foreign(&self) -> bool {
        self.foreign != Foreign::Own
    }

    /// Whether an image is memory that somebody else only reads, so that nothing may write it.
    #[inline]
    pub(crate) fn is_read_only(&self) -> bool {
        self.foreign == Foreign::Shared || self.adopted == Adopted::ReadOnly
    }

    /// Whether an image is memory of somebody else's, so that it cannot be exchanged with another one.
    #[inline]
    pub(crate) fn stays(&self) -> bool {
        self.is_foreign() || self.adopted != Adopted::No
    }

    /// Whether an image in another memory exists, or elements that nobody has written. If not, the
    /// host image is the array.
    #[inline]
    pub fn has_images(&self) -> bool {
        self.counts.has_images()
    }

    /// Why the array cannot be used, if so.
    ///
    /// # Errors
    ///
    /// What was wrong when it was made, such as [`Error::Shape`].
    #[inline]
    pub fn check(&self) -> Result<()> {
        match &self.fault {
            None => Ok(()),
            Some(fault) => Err((**fault).clone()),
        }
    }

    /// The start of the host image, taken and zeroed at the first call. Reaching through it needs
    /// an entry in the ledger, made before the call, as a run may swap storage; whether the image is current is a question to [`Images`].
    ///
    /// # Errors
    ///
    /// What the allocation was made with ([`Error::TooLarge`]), or [`Error::OutOfMemory`].
    #[inline]
    pub fn host(&self) -> Result<NonNull<u8>> {
        match NonNull::new(self.host.get()) {
            Some(host) => Ok(host),
            None => self.take_host(),
        }
    }

    #[cold]
    fn take_host(&self) -> Result<NonNull<u8>> {
        self.check()?;
        let _images = self.images();
        if let Some(host) = NonNull::new(self.host.get()) {
            return Ok(host);
        }
        let Some(layout) = self.layout() else {
            // Nothing to hold: any aligned address will do.
            let nowhere = NonNull::<Line>::dangling().cast();
            self.host.put(nowhere.as_ptr());
            return Ok(nowhere);
        };
        let host =
            host::take(layout, true).ok_or_else(|| Error::host_is_full(layout.size() as u64))?;
        self.host.put(host.as_ptr());
        Ok(host)
    }

    /// The bytes of one element of at most eight, for somebody who holds it in the ledger and has
    /// made it current on the host; zeros where there is no such element.
    pub(crate) fn element(&self, at: usize) -> Result<[u8; 8]> {
        let mut bytes = [0; 8];
        if at < self.len && self.elem.size <= bytes.len() {
            let place = self.host()?.as_ptr().wrapping_add(at * self.elem.size);
            // SAFETY: `at` is inside the array, whose elements are initialised and without padding,
            // and the caller's hold keeps writers away.
            unsafe { std::ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), self.elem.size) };
        }
        Ok(bytes)
    }

    /// Appends the bytes of one element, as [`Self::element`] gives those of short ones.
    pub(crate) fn append_element(&self, at: usize, to: &mut impl Extend<u8>) -> Result<()> {
        if at < self.len {
            let (host, size) = (self.host()?, self.elem.size);
            let place = host.as_ptr().wrapping_add(at * size);
            // SAFETY: as there; nobody writes while the borrow lasts.
            let bytes = unsafe { std::slice::from_raw_parts(place, size) };
            to.extend(bytes.iter().copied());
        }
        Ok(())
    }

    /// Sets the bytes of one element, for somebody who holds it in the ledger for writing. Nothing
    /// happens where there is no such element or it has another size.
    pub(crate) fn set_element(&self, at: usize, bytes: &[u8]) -> Result<()> {
        if at < self.len && self.elem.size == bytes.len() {
            let place = self.host()?.as_ptr().wrapping_add(at * self.elem.size);
            // SAFETY: `at` is inside the array, whose elements are as large as `bytes`, and the
            // caller's hold keeps everybody else away.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
        }
        Ok(())
    }

    /// The layout of host memory that is taken here; `None` for no bytes.
    fn layout(&self) -> Option<Layout> {
        let align = self.elem.align.max(HOST_ALIGN);
        Layout::from_size_align(self.bytes(), align).ok().filter(|layout| layout.size() > 0)
    }

    /// The images and their state, with what is known of operations under way. Held for the time of
    /// a look or a submission only: nobody waits for a device meanwhile, so that who waits here need
    /// not let its clock go on.
    pub(crate) fn images(&self) -> MutexGuard<'_, Images> {
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        images.settle();
        images
    }

    /// Notes that a host task uses the host image, before whoever does not wait for it may begin.
    pub(crate) fn reader_comes(&self) {
        self.counts.reader_comes();
    }

    /// Tells who waits that a host task no longer uses the host image.
    pub(crate) fn reader_left(&self) {
        self.counts.reader_left();
        self.tell();
    }

    /// Wakes those who wait for others to be done with the host image.
    pub(crate) fn tell(&self) {
        self.left.notify_all();
    }

    /// Adds an image of which nothing is current, unless there is one.
    pub(crate) fn add_image(&self, space: MemorySpace, memory: Arc<dyn DeviceMemory>) {
        let mut images = self.images();
        if images.find(space).is_none() {
            images.add(self.len, space, memory);
            self.count(&images);
        }
    }

    /// Makes the host's element `at` current, for somebody who holds it, or `whole` array, for
    /// reading. In the latter case a window comes with it: 4 KiB at first, and twice as much each
    /// time the next one is asked for, up to 4 MiB.
    #[cold]
    pub(crate) fn window_to_host(&self, at: usize, whole: bool) -> Result<()> {
        let one = Section::of_range(&(at..at + 1));
        if !whole || self.images().host_is_valid(&one) {
            return self.to_host(&one).map(drop);
        }
        let next = self.window_end.load(Ordering::Relaxed);
        let last = self.window_bytes.load(Ordering::Relaxed);
        // Sequential is what falls into the window that would come next.
        let n_last = (last / self.elem.size).max(1);
        let goes_on = last > 0 && (next..next.saturating_add(n_last)).contains(&at);
        let bytes = if goes_on { last.saturating_mul(2).clamp(WINDOW, MAX_WINDOW) } else { WINDOW };
        let n = (bytes / self.elem.size).max(1);
        let start = if goes_on { next } else { at / n * n };
        let end = start.saturating_add(n).min(self.len);
        self.window_end.store(end, Ordering::Relaxed);
        self.window_bytes.store(bytes, Ordering::Relaxed);
        self.to_host(&Section::of_range(&(start..end))).map(drop)
    }

    /// Notes that the host wrote the elements of a box, which the caller holds for writing.
    #[inline]
    pub(crate) fn host_wrote(&self, section: &Section) {
        if self.has_images() {
            let mut images = self.images();
            images.host_wrote(section);
            self.count(&images);
        }
    }

    /// Notes how much there is beside the host's image.
    fn count(&self, images: &Images) {
        self.counts.note_images(images.n_known());
    }

    /// Exchanges the contents with those of another allocation, without copying where both are our
    /// own. The caller holds both for writing, whole.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] if element types or lengths differ; where memory is borrowed, what moving
    /// the contents says.
    pub(crate) fn swap(&self, other: &Self) -> Result<()> {
        if self.id == other.id {
            return Ok(());
        }
        if self.elem.id != other.elem.id || self.len != other.len {
            return Err(Error::Shape {
                what: "swap".to_owned(),
                expected: vec![self.len],
                found: vec![other.len],
            });
        }
        if self.stays() || other.stays() {
            return self.swap_elements(other);
        }
        // In the order of their numbers, as everybody who takes two.
        let (first, second) = if self.id < other.id { (self, other) } else { (other, self) };
        let (mut a, mut b) = loop {
            let (a, b) = (first.images(), second.images());
            if !first.is_used(&a) && !second.is_used(&b) {
                break (a, b);
            }
            drop((a, b));
            // Host tasks use what they were given, wherever it is called then.
            first.await_readers()?;
            second.await_readers()?;
        };
        a.swap(&mut b);
        first.host.put(second.host.put(first.host.get()));
        let capacity = first.capacity.load(Ordering::Acquire);
        let capacity = second.capacity.swap(capacity, Ordering::AcqRel);
        first.capacity.store(capacity, Ordering::Release);
        first.counts.swap_images(&second.counts);
        Ok(())
    }

    fn swap_elements(&self, other: &Self) -> Result<()> {
        let whole = Section::whole(&[self.len]);
        self.to_host(&whole)?;
        other.to_host(&whole)?;
        self.await_host(&whole)?;
        other.await_host(&whole)?;
        let (a, b) = (self.host()?, other.host()?);
        // SAFETY: both hold `bytes` initialised bytes, apart as the allocations differ, and the
        // caller keeps everybody else away.
        unsafe { std::ptr::swap_nonoverlapping(a.as_ptr(), b.as_ptr(), self.bytes()) };
        self.host_wrote(&whole);
        other.host_wrote(&whole);
        Ok(())
    }
}

/// A type with the alignment of host images.
#[repr(align(64))]
struct Line(PhantomData<u8>);

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.foreign != Foreign::Own {
            return;
        }
        let images = self.images.get_mut().unwrap_or_else(PoisonError::into_inner);
        let spares = images.on_host.take_spares();
        let here = (self.host.take(), *self.capacity.get_mut());
        let left = spares.into_iter().map(|left| (left.start.into_inner(), left.capacity));
        for (host, capacity) in std::iter::once(here).chain(left) {
            if host.is_null() {
                continue;
            }
            staying::goes(host);
            if capacity == 0 {
                if let Some(layout) = self.layout() {
                    // SAFETY: own memory that is not null was taken by `take_host`, `from_slice` or
                    // `other_memory` with this layout, or was exchanged with that of an allocation of
                    // the same type, length and capacity.
                    unsafe { host::give(host, layout) };
                }
                continue;
            }
            let bytes = capacity * self.elem.size;
            if let Ok(layout) = Layout::from_size_align(bytes, self.elem.align) {
                // SAFETY: it was a vector of this capacity, perhaps of an allocation of the same
                // type.
                unsafe { dealloc(host, layout) };
            }
        }
    }
}
