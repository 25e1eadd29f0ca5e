//! What is known of an array without the lock of its images: whether the host image is all there is, whether
//! host tasks use it, and where it starts. Whoever changes it holds that lock; it waits for nobody.

use crate::sync::{AtomicPtr, AtomicUsize, Ordering};

/// How much there is beside the host image, and how many use that whom not everybody waits for.
#[derive(Debug)]
pub(super) struct Counts {
    /// Images in other memories, and one more while there are elements that nobody has written; at zero the
    /// host image is the array.
    images: AtomicUsize,
    /// Host tasks.
    readers: AtomicUsize,
}

impl Counts {
    /// Those of an array in the memory of the host.
    pub(super) fn new() -> Self {
        Self { images: AtomicUsize::new(0), readers: AtomicUsize::new(0) }
    }

    /// Whether there is anything beside the host image; if not, what was brought to that is seen there.
    #[inline]
    pub(super) fn has_images(&self) -> bool {
        self.images.load(Ordering::Acquire) != 0
    }

    /// Notes how much there is, after what was brought for that.
    pub(super) fn note_images(&self, n: usize) {
        self.images.store(n, Ordering::Release);
    }

    /// Exchanges how much there is with another array.
    pub(super) fn swap_images(&self, other: &Self) {
        let n = self.images.load(Ordering::Acquire);
        self.note_images(other.images.swap(n, Ordering::AcqRel));
    }

    /// A host task uses the host image. What lets others begin that do not wait for it comes after this, so
    /// they see it.
    pub(super) fn reader_comes(&self) {
        self.readers.fetch_add(1, Ordering::Relaxed);
    }

    /// A host task no longer does.
    pub(super) fn reader_left(&self) {
        self.readers.fetch_sub(1, Ordering::Release);
    }

    /// Whether the host image is the array, and nobody uses it any more who came before, so that it may be
    /// overwritten. Also an array without other images may be read: what was to overwrite it elsewhere may
    /// have had nothing to do.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        !self.has_images() && self.readers.load(Ordering::Acquire) == 0
    }
}

/// Where the host image starts; null where it has no memory yet.
#[derive(Debug)]
pub(super) struct Start(AtomicPtr<u8>);

impl Start {
    /// At an address.
    pub(super) fn new(start: *mut u8) -> Self {
        Self(AtomicPtr::new(start))
    }

    /// The address, with what was in that memory when it was put here.
    #[inline]
    pub(super) fn get(&self) -> *mut u8 {
        self.0.load(Ordering::Acquire)
    }

    /// Other memory, with what is in it; the one before.
    pub(super) fn put(&self, start: *mut u8) -> *mut u8 {
        self.0.swap(start, Ordering::AcqRel)
    }

    /// The address, for somebody who has the array to himself; null from then on.
    pub(super) fn take(&mut self) -> *mut u8 {
        self.put(std::ptr::null_mut())
    }
}
