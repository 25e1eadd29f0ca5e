//! The arguments of launches, of pipelines with many nodes in blocks that many share: an allocation for
//! each would meet a page of the heap for every few nodes, and take longer than to build them. Each thread
//! fills a block of its own. It knows no nodes.
#![allow(unsafe_code, reason = "arguments lie in blocks that are counted by hand")]

use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use users::Users;

use crate::arg::BoundArg;
use crate::host;

#[cfg(all(test, loom))]
mod models;
mod users;

/// How large a block is. It starts where only blocks of its size do, so that whoever is in it finds its
/// start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// What the allocator has at hand.
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
            // SAFETY: `from` took them out of a box.
            return drop(unsafe { Box::from_raw(all.as_ptr()) });
        };
        // SAFETY: they were moved there by `keep`, and nobody uses them after this.
        unsafe { all.drop_in_place() };
        // SAFETY: they are in a block, which they no longer need.
        unsafe { leave(block_of(self.first, size), size, 1) };
    }
}

/// The block that an argument is in.
fn block_of(arg: NonNull<BoundArg<'_>>, size: Size) -> *mut Users {
    arg.as_ptr().map_addr(|at| at & !(size.align() - 1)).cast()
}

/// So many of those who need a block no longer do.
///
/// # Safety
///
/// It is a block of this size, they counted as such, and do not use it any more.
unsafe fn leave(block: *mut Users, size: Size, n: usize) {
    // SAFETY: the caller counts, so it is there.
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

/// Where a thread keeps arguments.
#[derive(Debug)]
struct ArgStore {
    /// The block that is filled, how large it is, how far, and for how many launches.
    block: Option<NonNull<Users>>,
    size: Size,
    used: usize,
    n: usize,
    /// The blocks that arguments of the next launches go to, if not to boxes.
    next: Option<Size>,
}

thread_local! {
    static STORE: RefCell<ArgStore> = const { RefCell::new(ArgStore::new()) };
}

/// Calls `change` with the store of this thread; not where the thread is ending.
#[inline]
fn with<T>(change: impl FnOnce(&mut ArgStore) -> T) -> Option<T> {
    STORE.try_with(|store| store.try_borrow_mut().ok().map(|mut store| change(&mut store))).ok()?
}

/// Moves arguments to a block of this size, where those of the next launches of this thread are bound at
/// once, up to the next [`end`].
#[inline]
pub(crate) fn keep(args: &mut Args<'_>, size: Size) {
    with(|store| {
        store.next = Some(size);
        store.keep(args, size);
    });
}

/// Gives nothing more out of the block of this thread. Arguments go to boxes again.
pub(crate) fn end() {
    with(|store| {
        store.next = None;
        store.end();
    });
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
        // SAFETY: there is room for `N`, and for this one.
        let place = unsafe { self.first.add(self.n) };
        // SAFETY: nothing else has it, and it fits an argument.
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
        let all = NonNull::slice_from_raw_parts(self.first, self.n);
        // SAFETY: so many were put there, and nobody else has them.
        unsafe { all.drop_in_place() };
        match self.block {
            // SAFETY: it is a place in a block, which it counts for and does not need any more.
            Some(size) => unsafe { leave(block_of(self.first, size), size, 1) },
            None => {
                let room = self.first.cast::<MaybeUninit<[BoundArg<'_>; N]>>();
                // SAFETY: `new` took it out of a box.
                drop(unsafe { Box::from_raw(room.as_ptr()) });
            }
        }
    }
}

/// Room for so many bytes of arguments in the block of this thread, if the next ones go there; which
/// counts as those of a launch.
#[inline(never)]
fn room(bytes: usize) -> Option<(NonNull<u8>, Size)> {
    with(|store| {
        let size = store.next?;
        Some((store.room(bytes, size)?, size))
    })?
}

impl ArgStore {
    /// Where the first argument is in a block.
    const FIRST: usize = size_of::<Users>().next_multiple_of(align_of::<BoundArg<'_>>());

    /// One that has no block.
    const fn new() -> Self {
        Self { block: None, size: Size::Small, used: 0, n: 0, next: None }
    }

    /// Moves arguments to a block of this size. Where there is no memory for one they stay where they are,
    /// and so do very many.
    #[inline]
    fn keep<'a>(&mut self, args: &mut Args<'a>, size: Size) {
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
        if !(is_there && self.used + bytes <= size.bytes()) && !self.begin(size) {
            return None;
        }
        // SAFETY: there is room for them behind `used`.
        let first = unsafe { self.block?.cast::<u8>().add(self.used) };
        self.used += bytes;
        self.n += 1;
        // Those of the launch after the next one.
        host::will_write(first.as_ptr().wrapping_add(2 * bytes), bytes);
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
        if let Some(block) = self.block.take() {
            // SAFETY: a block; it counts for those it has not given out, and itself.
            unsafe { leave(block.as_ptr(), self.size, Users::STORE - self.n) };
        }
    }
}

impl Drop for ArgStore {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Arg, Buffer};

    #[test]
    fn arguments_are_what_they_were_and_are_dropped_once() {
        let x = Buffer::from(vec![1_u32, 2, 3]);
        let users = || Arc::strong_count(&x.allocation);
        let alone = users();
        let make = |k: u32| -> Args<'static> {
            let all = [Arg::<&[u32]>::bind(&x), Arg::<u32>::bind(k), Arg::<&[u32]>::bind(&x)];
            Args::from(Box::from(all))
        };
        let both = [Size::Small, Size::Large].map(|size| [(size, true), (size, false)]);
        for (size, store_first) in both.into_iter().flatten() {
            // Of three blocks, of which the store has only the last one at the end.
            let n = 2 * size.bytes() / (3 * size_of::<BoundArg<'_>>()) + 2;
            let mut store = ArgStore::new();
            let mut all: Vec<Args<'_>> = (0..n as u32).map(make).collect();
            all.iter_mut().for_each(|args| store.keep(args, size));
            assert!(all.iter().all(|args| args.block == Some(size)));
            let blocks: Vec<_> = all.iter().map(|args| block_of(args.first, size)).collect();
            assert_eq!(blocks.chunk_by(|a, b| a == b).count(), 3);
            for (k, args) in all.iter_mut().enumerate() {
                assert_eq!(args.len(), 3);
                let [BoundArg::Array(_), BoundArg::Value(value), BoundArg::Array(_)] = &args[..]
                else {
                    panic!("{args:?}")
                };
                assert_eq!(value.get::<u32>(), Some(k as u32));
                args[1] = Arg::<u32>::bind(0);
            }
            assert_eq!(users(), alone + 2 * n);
            // Who is left keeps its block, whatever becomes of the store.
            let mut store = Some(store);
            if store_first {
                store = None;
            }
            let last = all.split_off(n - 1);
            let other = std::thread::spawn(move || drop(all));
            other.join().expect("it drops them");
            assert_eq!(users(), alone + 2);
            drop(store);
            assert!(matches!(&last[0][..], [_, BoundArg::Value(_), _]));
            drop(last);
            assert_eq!(users(), alone);
        }
    }

    #[test]
    fn few_and_none_stay_where_they_are() {
        let mut store = ArgStore::new();
        let mut none = Args::from(Box::default());
        store.keep(&mut none, Size::Small);
        assert!(none.is_empty() && none.block.is_none() && store.block.is_none());
        let one = || Args::from(Box::from([Arg::<u32>::bind(7)]));
        let mut large: Args<'_> =
            (0..1000).map(|_| Arg::<u32>::bind(7)).collect::<Box<[_]>>().into();
        store.keep(&mut large, Size::Small);
        assert!(large.block.is_none());
        let (boxed, mut kept) = (one(), one());
        store.keep(&mut kept, Size::Small);
        assert_eq!(format!("{boxed:?}"), format!("{kept:?}"));
        assert!(kept.block.is_some() && boxed.block.is_none());
        // Of another size from here on.
        let mut next = one();
        store.keep(&mut next, Size::Large);
        assert_eq!(next.block, Some(Size::Large));
        assert_eq!(format!("{kept:?}"), format!("{next:?}"));
    }

    /// How many blocks this thread keeps for later.
    fn kept() -> usize {
        KEPT_BLOCKS.with(|kept| kept.borrow().0.len())
    }

    fn pair(x: &Buffer<u32>) -> ArgRoom<'static, 2> {
        ArgRoom::new().put(Arg::<u32>::bind(7)).put(Arg::<&[u32]>::bind(x))
    }

    #[test]
    fn arguments_are_bound_in_the_block_of_their_thread_between_keep_and_end() {
        let x = Buffer::from(vec![1_u32, 2, 3]);
        let alone = Arc::strong_count(&x.allocation);
        let mut boxed = pair(&x).args();
        assert_eq!(boxed.block, None);
        keep(&mut boxed, Size::Small);
        let next = [Size::Small, Size::Large].map(|size| {
            keep(&mut Args::from(Box::default()), size);
            let args = pair(&x).args();
            assert_eq!(args.block, Some(size));
            args
        });
        assert_eq!(block_of(boxed.first, Size::Small), block_of(next[0].first, Size::Small));
        end();
        let after = pair(&x).args();
        assert_eq!(after.block, None);
        let all = [boxed, after].into_iter().chain(next).collect::<Vec<_>>();
        for args in &all {
            assert!(matches!(&args[0], BoundArg::Value(v) if v.get() == Some(7_u32)), "{args:?}");
            let BoundArg::Array(array) = &args[1] else { panic!("{args:?}") };
            assert_eq!(array.line(), Some((0, 3)));
        }
        assert_eq!((Arc::strong_count(&x.allocation), kept()), (alone + 4, 0));
        drop(all);
        assert_eq!((Arc::strong_count(&x.allocation), kept()), (alone, 1));
    }

    #[test]
    fn room_that_is_not_filled_is_given_back() {
        let x = Buffer::from(vec![1_u32, 2, 3]);
        let alone = Arc::strong_count(&x.allocation);
        let half = || ArgRoom::<'_, 2>::new().put(Arg::<&[u32]>::bind(&x));
        for in_block in [false, true] {
            if in_block {
                keep(&mut Args::from(Box::default()), Size::Small);
            }
            drop(half());
            drop(ArgRoom::<'_, 3>::new());
            let too_few = || drop(half().args());
            let too_many = || drop(pair(&x).put(Arg::<u32>::bind(0)));
            for wrong in [&too_few as &dyn Fn(), &too_many] {
                let wrong = std::panic::AssertUnwindSafe(wrong);
                assert!(std::panic::catch_unwind(|| wrong()).is_err());
            }
            assert_eq!(Arc::strong_count(&x.allocation), alone);
            end();
            assert_eq!(kept(), usize::from(in_block));
        }
    }
}
