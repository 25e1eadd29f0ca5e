//! Memory of host images: aligned, apart from each other within their pages, and for large arrays of
//! zeros no pages until they are touched. It knows no arrays.
#![allow(unsafe_code, reason = "calls the allocator")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A huge page. Large arrays start at one, near enough, so that they lie in as few as they can.
const HUGE: usize = 2 << 20;
/// What may stay unused of the last one.
const UNUSED: usize = HUGE / 8;
/// From this size on, memory comes with room to place it here: the allocator gives zeros without
/// touching them only where it is asked for no more than its own alignment, and it likes to put arrays
/// one after the other so that all start at about the same byte of a page.
const PADDED_FROM: usize = 16 << 10;
/// Of a cache.
pub(crate) const LINE: usize = 64;
/// Processors compare loads with the stores before them by these low bits of their addresses.
const PAGE: usize = 1 << 12;
/// How far apart in a page arrays start that are placed one after the other, from the last
/// [`adopted`] one on; any four of them are 768 bytes apart. A load that follows a store to the same
/// place of another page, less than about 700 bytes behind it, waits for that store: a three-point
/// stencil takes 3.3 us where its output is 400 bytes ahead of its input, and 2.3 to 2.5 us from 800
/// bytes on (Zen 5, 2^16 elements, two threads).
const APART: usize = 1_664;
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
            let first = start.as_ptr().addr() + before;
            let skip = before + way(first, layout);
            // SAFETY: `padded` left room for `before` and a way, which is shorter than the period.
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
    if huge_pages(layout.size()) > 0 {
        let start = host.as_ptr().wrapping_sub(host.addr().get() % HUGE);
        advise_huge(start, huge_pages(layout.size()) * HUGE);
    }
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

/// Where in its page the last array starts.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// Notes memory of somebody else that becomes an array, so that the next ones start apart from it.
pub(crate) fn adopted(host: *const u8) {
    // No order is needed: at worst an array lies where it is a little slower.
    LAST.store(host.addr().next_multiple_of(LINE) % PAGE, Ordering::Relaxed);
}

/// How far it is from an address to the place where the next array starts.
fn way(from: usize, layout: Layout) -> usize {
    let (period, align) = (period(layout), layout.align());
    if period < PAGE {
        return from.wrapping_neg() % period;
    }
    let place = LAST.fetch_add(APART, Ordering::Relaxed).wrapping_add(APART) % PAGE;
    // A place that is no multiple of the alignment could not be had.
    let place = if align <= PAGE && place.is_multiple_of(align) { place } else { 0 };
    place.wrapping_sub(from) % period
}

/// The least distance between places where an array may start.
fn period(layout: Layout) -> usize {
    let least = match layout.size() {
        ..PADDED_FROM => PLAIN,
        size if huge_pages(size) > 0 => HUGE,
        _ => PAGE,
    };
    layout.align().max(least)
}

/// How many huge pages an array takes that starts within the first page of one; what follows them
/// lies in small ones.
fn huge_pages(bytes: usize) -> usize {
    (bytes + UNUSED) / HUGE
}

/// The layout around one that is large, or of an alignment that the allocator takes long for: for one of
/// 64 bytes in place of its own, 150 ns more (glibc 2.36).
fn padded(layout: Layout) -> Option<Layout> {
    if layout.size() < PADDED_FROM && (layout.size() == 0 || layout.align() <= PLAIN) {
        return None;
    }
    let last = if huge_pages(layout.size()) > 0 { UNUSED } else { 0 };
    let room = period(layout) + size_of::<Start>() + last;
    Layout::from_size_align(layout.size().checked_add(room)?, PLAIN).ok()
}

/// Asks for huge pages for what a list will grow into: each takes the place of many that would be
/// met one by one.
pub(crate) fn advise<T>(spare: &mut [MaybeUninit<T>]) {
    let start = spare.as_mut_ptr().cast::<u8>();
    let skip = start.align_offset(PAGE);
    if let Some(bytes) = size_of_val(spare).checked_sub(skip).filter(|bytes| *bytes >= HUGE) {
        advise_huge(start.wrapping_add(skip), bytes);
    }
}

/// Asks for what is there, if anything is, without reading it; to be written where `WRITE` says so.
#[inline(always)]
pub(crate) fn prefetch<const WRITE: bool, T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        match WRITE {
            // SAFETY: every processor of the target has the instruction, which never fails.
            true => unsafe { _mm_prefetch::<_MM_HINT_ET0>(place.cast()) },
            // SAFETY: as above.
            false => unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) },
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

/// Asks for huge pages in memory of ours that starts at a page.
fn advise_huge(start: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    // SAFETY: the advice changes no contents. Its result is ignored, as a refusal changes nothing but
    // speed.
    unsafe {
        libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE)
    };
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (start, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_zeroed_at_every_size() {
        let large = [HUGE - UNUSED - 1, HUGE - UNUSED, HUGE, HUGE + 1, 2 * HUGE + 7];
        let small = [1, 63, 4096, PADDED_FROM - 1, PADDED_FROM, PADDED_FROM + 1];
        for size in small.into_iter().chain(large) {
            for align in [1, 16, 64, 4096, 8192] {
                let layout = Layout::from_size_align(size, align).expect("a layout");
                for zeroed in [true, false] {
                    let host = take(layout, zeroed).expect("memory");
                    assert!(host.as_ptr().addr().is_multiple_of(align));
                    if huge_pages(size) > 0 {
                        assert!(host.as_ptr().addr() % HUGE < PAGE, "{size}");
                    }
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

    #[test]
    fn arrays_start_apart_from_each_other_within_a_page() {
        let layout = Layout::from_size_align(1 << 16, 64).expect("a layout");
        let all: Vec<_> = (0..8).map(|_| take(layout, true).expect("memory")).collect();
        let mut found: Vec<_> = all.iter().map(|host| host.as_ptr().addr() % PAGE).collect();
        assert!(found.iter().all(|start| start.is_multiple_of(64)), "{found:?}");
        found.dedup();
        assert!(found.len() > 2, "others may have taken some between, but not so many: {found:?}");
        let wide = Layout::from_size_align(1 << 16, 8_192).expect("a layout");
        let starts = [0; 4].map(|_| (12_345 + way(12_345, wide)) % PAGE);
        assert_eq!(starts, [0; 4], "more than a page");
        let places: Vec<_> = (0..40).map(|k| k * APART % PAGE).collect();
        for four in places.windows(4) {
            for (k, a) in four.iter().enumerate() {
                assert!(four[..k].iter().all(|b| (768..=PAGE - 768).contains(&a.abs_diff(*b))));
            }
        }
        for host in all {
            // SAFETY: it is from above, and nobody used it.
            unsafe { give(host.as_ptr(), layout) };
        }
    }
}
