//! The arguments of launches, of pipelines with many nodes in blocks that many share: an allocation for
//! each would meet a page of the heap for every few nodes, and take longer than to build them. It knows
//! no nodes.
#![allow(unsafe_code, reason = "arguments lie in blocks that are counted by hand")]

use std::alloc::{Layout, alloc, dealloc};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use users::Users;

use crate::arg::BoundArg;
use crate::host::{self, LINE};

#[cfg(all(test, loom))]
mod models;
#[cfg(test)]
mod tests;
mod users;

/// How large a block is. It starts where only blocks of its size do, so that whoever is in it finds its
/// start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Size {
    /// What the allocator has at hand.
    #[default]
    Small,
    /// At least as large as what huge pages are asked for.
    Large,
}

impl Size {
    /// Where blocks may start.
    const fn align(self) -> usize {
        match self {
            Self::Small => 1 << 13,
            Self::Large => {
                if cfg!(miri) {
                    1 << 14
                } else {
                    4 << 20
                }
            }
        }
    }

    /// A little less than from one start to the next: with what an allocator puts before each, blocks
    /// that follow one another leave no gap.
    const fn bytes(self) -> usize {
        self.align() - 32
    }

    fn layout(self) -> Layout {
        const fn layout(size: Size) -> Layout {
            match Layout::from_size_align(size.bytes(), size.align()) {
                Ok(layout) => layout,
                Err(_) => panic!("a power of two"),
            }
        }
        match self {
            Self::Small => const { layout(Self::Small) },
            Self::Large => const { layout(Self::Large) },
        }
    }
}

/// The arguments of a launch.
pub(crate) struct Args<'a> {
    first: NonNull<BoundArg<'a>>,
    len: u32,
    /// Which block they are in; else they are in a box.
    block: Option<Size>,
    _owns: PhantomData<BoundArg<'a>>,
}

// SAFETY: they are owned as in a box, and the counter of a block is atomic.
unsafe impl<'a> Send for Args<'a> where BoundArg<'a>: Send {}
// SAFETY: as above.
unsafe impl<'a> Sync for Args<'a> where BoundArg<'a>: Sync {}

impl<'a> From<Box<[BoundArg<'a>]>> for Args<'a> {
    #[inline]
    fn from(args: Box<[BoundArg<'a>]>) -> Self {
        let len = u32::try_from(args.len()).expect("a kernel has fewer parameters");
        let first = NonNull::from(Box::leak(args)).cast();
        Self { first, len, block: None, _owns: PhantomData }
    }
}

impl<'a> Deref for Args<'a> {
    type Target = [BoundArg<'a>];

    #[inline]
    fn deref(&self) -> &[BoundArg<'a>] {
        // SAFETY: so many are there, and nobody else has them.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len as usize) }
    }
}

impl DerefMut for Args<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len as usize) }
    }
}

impl fmt::Debug for Args<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Drop for Args<'_> {
    #[inline]
    fn drop(&mut self) {
        let all = NonNull::slice_from_raw_parts(self.first, self.len as usize);
        let Some(size) = self.block else {
            // SAFETY: `from` took them out of a box, or `ArgRoom::new` the room for so many, which has the
            // layout of one.
            return drop(unsafe { Box::from_raw(all.as_ptr()) });
        };
        // Given back also where an argument panics.
        let _place = Place { first: self.first.cast(), size };
        // SAFETY: they are in their place, and nobody uses them after this.
        unsafe { all.drop_in_place() };
    }
}

/// The block that a place is in.
fn block_of(first: NonNull<u8>, size: Size) -> *mut Users {
    first.as_ptr().map_addr(|at| at & !(size.align() - 1)).cast()
}

/// So many of those who need a block no longer do.
///
/// # Safety
///
/// It is a block of this size, they counted as such, and do not use it any more.
unsafe fn leave(block: *mut Users, size: Size, n: usize) {
    // SAFETY: the caller counts, so it is there; an atomic may go while it is left, as in an `Arc`.
    let users = unsafe { &*block };
    if users.leave(n) {
        // SAFETY: it is of this layout, and nobody needs it.
        unsafe { give_back(block.cast(), size) };
    }
}

/// The most small blocks that a thread keeps for its next pipeline, of those that it was the last to
/// leave: 2 MiB. An allocator may return what is free at the end of its memory to the system each time,
/// and a page that is met anew takes as long as several nodes.
const KEPT: usize = 256;

/// Small blocks that nobody needs.
struct Kept(Vec<NonNull<u8>>);

impl Drop for Kept {
    fn drop(&mut self) {
        for block in self.0.drain(..) {
            // SAFETY: it is of this layout, and nobody has it.
            unsafe { dealloc(block.as_ptr(), Size::Small.layout()) };
        }
    }
}

thread_local! {
    static KEPT_BLOCKS: RefCell<Kept> = const { RefCell::new(Kept(Vec::new())) };
}

/// Memory for a block.
fn take(size: Size) -> Option<NonNull<u8>> {
    let kept = match size {
        Size::Small => {
            KEPT_BLOCKS.try_with(|kept| kept.try_borrow_mut().ok()?.0.pop()).ok().flatten()
        }
        Size::Large => None,
    };
    // SAFETY: the size is above zero.
    kept.or_else(|| NonNull::new(unsafe { alloc(size.layout()) }))
}

/// Keeps the memory of a block that nobody needs, or frees it.
///
/// # Safety
///
/// It is of this layout, and nobody uses it any more.
unsafe fn give_back(block: *mut u8, size: Size) {
    let keep = |kept: &RefCell<Kept>| {
        let Ok(mut kept) = kept.try_borrow_mut() else { return false };
        let may = kept.0.len() < KEPT;
        if let (true, Some(block)) = (may, NonNull::new(block)) {
            kept.0.push(block);
        }
        may
    };
    let is_kept = size == Size::Small && KEPT_BLOCKS.try_with(keep).unwrap_or(false);
    if !is_kept {
        // SAFETY: as the caller promises.
        unsafe { dealloc(block, size.layout()) };
    }
}

/// Where the arguments of a pipeline are kept.
#[derive(Debug, Default)]
pub(crate) struct ArgStore {
    /// The block that is filled, how far, and for how many launches.
    block: Option<NonNull<Users>>,
    size: Size,
    used: usize,
    n: usize,
    /// Where the place is that was left for the arguments of the next launch, the last that was given out.
    ahead: Option<usize>,
    /// The most bytes that a launch had.
    most: usize,
}

// SAFETY: what is in a block is not reached through its store, and its counter is atomic.
unsafe impl Send for ArgStore {}
// SAFETY: as above; a shared store does nothing.
unsafe impl Sync for ArgStore {}

/// Memory in a block for the arguments of a launch, which the block counts as those of one.
#[derive(Debug)]
struct Place {
    first: NonNull<u8>,
    size: Size,
}

impl Drop for Place {
    fn drop(&mut self) {
        // SAFETY: the block counts for it, and it is used no more.
        unsafe { leave(block_of(self.first, self.size), self.size, 1) };
    }
}

thread_local! {
    /// Where the arguments of the next launch are bound that this thread makes, and for how many bytes: if it
    /// is added to the pipeline whose block this is in, they stay there; else that block has arguments of
    /// another one, too.
    static NEXT: Cell<Option<(Place, usize)>> = const { Cell::new(None) };
}

/// Takes the place for the next launch.
#[inline]
fn next() -> Option<(Place, usize)> {
    NEXT.try_with(Cell::take).ok().flatten()
}

/// Room for the arguments of a launch, which are bound where they stay: to copy them there later waits for
/// what was written of them just now. Used by expansions.
#[derive(Debug)]
pub struct ArgRoom<'a, const N: usize> {
    first: NonNull<BoundArg<'a>>,
    block: Option<Size>,
    /// How many are there.
    n: usize,
}

impl<'a, const N: usize> ArgRoom<'a, N> {
    /// For as many as a kernel has parameters.
    #[expect(clippy::new_without_default, reason = "by expansions only")]
    #[inline(always)]
    pub fn new() -> Self {
        const { assert!(N <= u32::MAX as usize, "a kernel has fewer parameters") };
        let (first, block) = match room(N * size_of::<BoundArg<'a>>()) {
            Some((first, size)) => (first.cast(), Some(size)),
            None => {
                let room = Box::<[BoundArg<'a>; N]>::new_uninit();
                (NonNull::from(Box::leak(room)).cast(), None)
            }
        };
        Self { first, block, n: 0 }
    }

    /// Puts the next argument there.
    ///
    /// # Panics
    ///
    /// If there is no room for it.
    #[must_use]
    #[inline(always)]
    pub fn put(mut self, arg: BoundArg<'a>) -> Self {
        assert!(self.n < N, "room for {N} arguments");
        // SAFETY: `new` has seen to room for `N` of them, where they are aligned, and there are fewer.
        let place = unsafe { self.first.add(self.n) };
        // SAFETY: nobody else has it, and what is not initialised may be borrowed as that.
        arg.write_to(unsafe { place.cast().as_mut() });
        self.n += 1;
        self
    }

    /// What was put there, which is as many as there is room for.
    #[inline(always)]
    pub(crate) fn args(self) -> Args<'a> {
        assert!(self.n == N, "{N} arguments");
        let all = ManuallyDrop::new(self);
        Args { first: all.first, len: N as u32, block: all.block, _owns: PhantomData }
    }
}

impl<const N: usize> Drop for ArgRoom<'_, N> {
    #[cold]
    fn drop(&mut self) {
        // Given back also where an argument panics.
        let _room = match self.block {
            Some(size) => Ok(Place { first: self.first.cast(), size }),
            None => Err(Boxed::<N>(self.first.cast())),
        };
        // SAFETY: so many were put there, and nobody else has them.
        unsafe { NonNull::slice_from_raw_parts(self.first, self.n).drop_in_place() };
    }
}

/// A box with room for arguments, which are not dropped.
struct Boxed<const N: usize>(NonNull<MaybeUninit<[BoundArg<'static>; N]>>);

impl<const N: usize> Drop for Boxed<N> {
    fn drop(&mut self) {
        // SAFETY: `ArgRoom::new` took it out of a box of this layout.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// The place for the next launch, if it has so many bytes.
#[inline(never)]
fn room(bytes: usize) -> Option<(NonNull<u8>, Size)> {
    let (place, _) = next().filter(|(_, most)| (1..=*most).contains(&bytes))?;
    let place = ManuallyDrop::new(place);
    Some((place.first, place.size))
}

impl ArgStore {
    /// Where the first argument is in a block.
    const FIRST: usize = size_of::<Users>().next_multiple_of(align_of::<BoundArg<'_>>());

    /// Sees that arguments are in a block of this size, and leaves a place there for those of the next launch.
    /// Where there is no memory for one they stay where they are, and so do very many.
    #[inline]
    pub(crate) fn keep(&mut self, args: &mut Args<'_>, size: Size) {
        self.settle(Some(args));
        self.bring(args, size);
        if args.block.is_some() {
            self.most = self.most.max(size_of_val(&**args));
        }
        let bytes = self.most;
        let place = self.room(bytes, size).map(|first| (Place { first, size }, bytes));
        self.ahead = place.is_some().then(|| self.used - bytes);
        // Not where the thread is ending.
        let _ = NEXT.try_with(|next| next.set(place));
    }

    /// The place that was left becomes as large as the arguments that are there; if nobody has it, there is
    /// none.
    #[inline]
    fn settle(&mut self, args: Option<&Args<'_>>) {
        let (Some(ahead), Some(block)) = (self.ahead.take(), self.block) else { return };
        // SAFETY: it is in the block, as it was given out of it.
        let place = unsafe { block.cast::<u8>().add(ahead) };
        if let Some(args) = args.filter(|args| args.first.cast() == place) {
            self.used = ahead + size_of_val(&**args);
        } else if let Some((next, _)) = next().filter(|(next, _)| next.first == place) {
            mem::forget(next);
            self.used = ahead;
            self.n -= 1;
        }
    }

    /// Moves arguments to a block of this size.
    #[inline]
    fn bring<'a>(&mut self, args: &mut Args<'a>, size: Size) {
        if args.block.is_some() {
            return;
        }
        let (bytes, len) = (size_of_val(&**args), args.len());
        let Some(first) = self.room(bytes, size) else { return };
        let first = first.cast::<BoundArg<'a>>();
        // SAFETY: so many are there and go there, where the alignment is theirs, as their size is a
        // multiple of it; the block and their box are apart.
        unsafe { first.copy_from_nonoverlapping(args.first, len) };
        let left =
            NonNull::slice_from_raw_parts(args.first.cast::<MaybeUninit<BoundArg<'a>>>(), len);
        (args.first, args.block) = (first, Some(size));
        // SAFETY: the memory of their box, which has moved out.
        drop(unsafe { Box::from_raw(left.as_ptr()) });
    }

    /// So many bytes of a block of this size for the arguments of a launch, where they are aligned, as what
    /// was given out before is a multiple of their size. None for no or very many arguments.
    #[inline]
    fn room(&mut self, bytes: usize, size: Size) -> Option<NonNull<u8>> {
        debug_assert!(bytes.is_multiple_of(size_of::<BoundArg<'_>>()), "of arguments");
        if bytes == 0 || bytes > size.bytes() / 8 {
            return None;
        }
        let is_there = self.block.is_some() && self.size == size;
        let has_room = is_there && self.used + bytes <= size.bytes();
        if !has_room && !self.begin(size) {
            return None;
        }
        // SAFETY: there is room for them behind `used`, also in a block that was just begun, of which they are
        // an eighth at most.
        let first = unsafe { self.block?.cast::<u8>().add(self.used) };
        self.used += bytes;
        self.n += 1;
        // Those of the launch after this one will be written.
        for at in (bytes..2 * bytes).step_by(LINE) {
            host::prefetch::<true, _>(first.as_ptr().wrapping_add(at));
        }
        Some(first)
    }

    /// Begins a block.
    #[cold]
    fn begin(&mut self, size: Size) -> bool {
        self.end();
        let Some(start) = take(size) else { return false };
        if size == Size::Large {
            let start = start.cast::<MaybeUninit<u8>>().as_ptr();
            // SAFETY: all of it, which nobody uses yet.
            host::advise(unsafe { std::slice::from_raw_parts_mut(start, size.bytes()) });
        }
        let block = start.cast::<Users>();
        // SAFETY: it is aligned for its size, and ours.
        unsafe { block.write(Users::new()) };
        (self.block, self.size, self.used, self.n) = (Some(block), size, Self::FIRST, 0);
        true
    }

    /// Gives nothing more out of its block.
    fn end(&mut self) {
        self.settle(None);
        if let Some(block) = self.block.take() {
            // SAFETY: a block; it counts for those it has not given out, as each place leaves it once.
            unsafe { leave(block.as_ptr(), self.size, Users::STORE - self.n) };
        }
    }
}

impl Drop for ArgStore {
    fn drop(&mut self) {
        self.end();
    }
}
