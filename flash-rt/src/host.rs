//! Memory of host images: aligned, and for large arrays of zeros no pages until they are touched. It
//! knows no arrays.
#![allow(unsafe_code, reason = "calls the allocator")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// From this size on, huge pages are asked for.
const HUGE_FROM: usize = 4 << 20;
/// From this size on, memory comes with room to align it here: the allocator gives zeros without
/// touching them only where it is asked for no more than its own alignment.
const PADDED_FROM: usize = 1 << 20;
/// The allocator's own alignment.
const PLAIN: usize = 8;

/// Where the start of an allocation is written, before what it was made for.
type Start = *mut u8;

/// New memory, zeroed or of any contents; none where there is none, or no bytes.
pub(crate) fn take(layout: Layout, zeroed: bool) -> Option<NonNull<u8>> {
    let host = match padded(layout) {
        Some(outer) => {
            let start = if zeroed {
                // SAFETY: a padded layout has a size above zero.
                unsafe { alloc_zeroed(outer) }
            } else {
                // SAFETY: as above.
                unsafe { alloc(outer) }
            };
            let start = NonNull::new(start)?;
            let before = size_of::<Start>();
            let skip = before + start.as_ptr().wrapping_add(before).align_offset(layout.align());
            // SAFETY: `padded` left room for `before` and any way to the next aligned address.
            let host = unsafe { start.add(skip) };
            let note = host.as_ptr().wrapping_sub(before).cast::<Start>();
            // SAFETY: the bytes before `host` are ours, and aligned for an address as `host` is.
            unsafe { note.write(start.as_ptr()) };
            host
        }
        None if layout.size() == 0 => return None,
        // SAFETY: the size is above zero.
        None if zeroed => NonNull::new(unsafe { alloc_zeroed(layout) })?,
        // SAFETY: as above.
        None => NonNull::new(unsafe { alloc(layout) })?,
    };
    advise_huge(host, layout.size());
    Some(host)
}

/// Gives memory back.
///
/// # Safety
///
/// It is from [`take`] with this layout, and nobody uses it any more.
pub(crate) unsafe fn give(host: *mut u8, layout: Layout) {
    match padded(layout) {
        Some(outer) => {
            let before = host.wrapping_sub(size_of::<Start>()).cast::<Start>();
            // SAFETY: `take` wrote the start there, as the layout is the same.
            let start = unsafe { before.read() };
            // SAFETY: `take` allocated it with this layout.
            unsafe { dealloc(start, outer) };
        }
        // SAFETY: `take` allocated it with this layout.
        None => unsafe { dealloc(host, layout) },
    }
}

/// The layout around one that is large.
fn padded(layout: Layout) -> Option<Layout> {
    if layout.size() < PADDED_FROM {
        return None;
    }
    let room = layout.align().max(PLAIN) + size_of::<Start>();
    Layout::from_size_align(layout.size().checked_add(room)?, PLAIN).ok()
}

/// Asks for huge pages for what a list will grow into: each takes the place of many that would be
/// met one by one.
pub(crate) fn advise<T>(spare: &mut [MaybeUninit<T>]) {
    let bytes = size_of_val(spare);
    if let Some(host) = NonNull::new(spare.as_mut_ptr().cast()) {
        advise_huge(host, bytes);
    }
}

fn advise_huge(host: NonNull<u8>, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    if bytes >= HUGE_FROM {
        let page = 1 << 12;
        let skip = host.as_ptr().align_offset(page);
        if skip < bytes {
            // SAFETY: `skip < bytes`, so the result stays inside the allocation.
            let start = unsafe { host.add(skip) };
            // SAFETY: the range is ours; the advice changes no contents. Its result is ignored,
            // as a refusal changes nothing but speed.
            unsafe { libc::madvise(start.as_ptr().cast(), bytes - skip, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (host, bytes, HUGE_FROM);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_zeroed_at_every_size() {
        for size in [1, 63, 4096, PADDED_FROM - 1, PADDED_FROM, PADDED_FROM + 1, HUGE_FROM + 7] {
            for align in [1, 64, 4096] {
                let layout = Layout::from_size_align(size, align).expect("a layout");
                for zeroed in [true, false] {
                    let host = take(layout, zeroed).expect("memory");
                    assert!(host.as_ptr().addr().is_multiple_of(align));
                    let last = host.as_ptr().wrapping_add(size - 1);
                    if zeroed {
                        // SAFETY: the byte is the last one of the memory, which is initialised.
                        assert_eq!(unsafe { last.read() }, 0);
                    }
                    // SAFETY: as above.
                    unsafe { last.write(7) };
                    // SAFETY: it is from above, and this was the last use.
                    unsafe { give(host.as_ptr(), layout) };
                }
            }
        }
        assert!(take(Layout::new::<()>(), true).is_none());
    }
}
