//! Memory of the raw peer: arrays on the device, pinned memory of the host, and copies between them. A
//! pinned array knows when the last copy that uses it is over, and nobody gets at it before.
#![allow(unsafe_code, reason = "memory of CUDA's driver")]

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::{result, sys};
use flash::Pod;

use super::{Mark, Queue, RawCuda, done};

/// What spoilt memory holds: no number, as a single or a double.
const SPOILT: u8 = 0xff;

/// Memory of the device, given back in the order of the queue of kernels.
#[derive(Debug)]
pub(crate) struct Array {
    pub(super) at: sys::CUdeviceptr,
    bytes: usize,
    stream: sys::CUstream,
}

impl Array {
    /// How many elements of a type it has room for.
    pub(crate) fn room<T>(&self) -> usize {
        self.bytes / size_of::<T>()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // A failure here leaves memory behind.
        // SAFETY: the memory is our own, and the stream is there until the process ends.
        let _ = unsafe { result::free_async(self.at, self.stream) };
    }
}

/// Pinned memory that nobody uses now, by bytes and address: it is kept for the next one who asks for as
/// much, as locking pages takes longer than a copy.
static KEPT: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<(usize, usize)>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pinned memory of the host.
#[derive(Debug)]
pub(crate) struct Pinned<T> {
    at: *mut T,
    len: usize,
    /// After the last copy from or to it.
    copied: Mark,
}

impl<T: Pod> Pinned<T> {
    /// The elements, when no copy uses them.
    pub(crate) fn read(&self) -> &[T] {
        // SAFETY: the event is our own.
        done(unsafe { result::event::synchronize(self.copied.0) });
        // SAFETY: there are so many elements, of bytes that were written when they were
        // allocated, and any bytes are values of a `Pod`; a copy to them needs a
        // unique borrow to begin, and those that have begun are over.
        unsafe { std::slice::from_raw_parts(self.at, self.len) }
    }

    /// The elements to be written, when no copy uses them.
    pub(crate) fn write(&mut self) -> &mut [T] {
        // SAFETY: the event is our own.
        done(unsafe { result::event::synchronize(self.copied.0) });
        // SAFETY: as for `read`, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.len) }
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        // SAFETY: the event is our own.
        let over = unsafe { result::event::synchronize(self.copied.0) };
        // Memory whose copy has failed is left behind.
        if over.is_ok() {
            kept().push((self.len * size_of::<T>(), self.at.expose_provenance()));
        }
    }
}

impl RawCuda {
    /// Memory for so many elements, for what comes later in the queue of kernels.
    pub(crate) fn array<T: Pod>(&self, len: usize) -> Array {
        let (bytes, stream) = (len * size_of::<T>(), self.stream(Queue::Kernels));
        // SAFETY: the stream is there; what reads the memory comes after in the same queue, or waits.
        let at = done(unsafe { result::malloc_async(stream, bytes) });
        Array { at, bytes, stream }
    }

    /// Writes one byte everywhere, in the queue of kernels.
    pub(crate) fn fill(&self, array: &Array, byte: u8) {
        let stream = self.stream(Queue::Kernels);
        // SAFETY: so many bytes were allocated.
        done(unsafe { result::memset_d8_async(array.at, byte, array.bytes, stream) });
    }

    /// So many pinned elements, with whatever values.
    pub(crate) fn pinned<T: Pod>(&self, len: usize) -> Pinned<T> {
        let bytes = len * size_of::<T>();
        let mut kept = kept();
        let at = match kept.iter().position(|(has, _)| *has == bytes) {
            Some(k) => std::ptr::with_exposed_provenance_mut(kept.swap_remove(k).1),
            None => {
                // SAFETY: the memory is written below.
                let at = done(unsafe { result::malloc_host(bytes, 0) }).cast::<u8>();
                // SAFETY: so many bytes were allocated.
                unsafe { at.write_bytes(SPOILT, bytes) };
                at
            }
        };
        Pinned { at: at.cast(), len, copied: Mark::new() }
    }

    /// Spoils pinned memory that nobody uses, and so many bytes of the device, which the next one gets.
    pub(crate) fn spoil(&self, bytes: usize) {
        for (len, at) in kept().iter() {
            let at: *mut u8 = std::ptr::with_exposed_provenance_mut(*at);
            // SAFETY: nobody else uses the memory, as it is in the list, which is locked.
            unsafe { at.write_bytes(SPOILT, *len) };
        }
        self.fill(&self.array::<u8>(bytes), SPOILT);
        self.wait(Queue::Kernels);
    }

    /// Starts to copy pinned elements to the device, from its beginning.
    pub(crate) fn upload<T: Pod>(&self, queue: Queue, from: &Pinned<T>, to: &Array) {
        assert!(from.len <= to.room::<T>(), "room on the device");
        let (bytes, stream) = (from.len * size_of::<T>(), self.stream(queue));
        let at = from.at.cast::<c_void>();
        // SAFETY: both have so many bytes; the pinned ones stay until the event below has come.
        done(unsafe { sys::cuMemcpyHtoDAsync_v2(to.at, at, bytes, stream) }.result());
        // SAFETY: event and stream are there.
        done(unsafe { result::event::record(from.copied.0, stream) });
    }

    /// Starts to copy elements from the beginning of an array of the device.
    pub(crate) fn download<T: Pod>(&self, queue: Queue, from: &Array, to: &mut Pinned<T>) {
        assert!(to.len <= from.room::<T>(), "elements on the device");
        let (bytes, stream) = (to.len * size_of::<T>(), self.stream(queue));
        let at = to.at.cast::<c_void>();
        // SAFETY: both have so many bytes, and nobody gets at the pinned ones before the event below.
        done(unsafe { sys::cuMemcpyDtoHAsync_v2(at, from.at, bytes, stream) }.result());
        // SAFETY: event and stream are there.
        done(unsafe { result::event::record(to.copied.0, stream) });
    }
}
