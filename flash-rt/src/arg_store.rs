//! The arguments of launches, of pipelines with many nodes in blocks that many share: an allocation for
//! each would meet a page of the heap for every few nodes, and take longer than to build them. It knows
//! no nodes.
#![allow(unsafe_code, reason = "arguments lie in blocks that are counted by hand")]

use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
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

/// Where arguments are kept.
#[derive(Debug)]
pub(crate) struct ArgStore {
    /// The block that is filled, how large it is, how far, and for how many launches.
    block: Option<NonNull<Users>>,
    size: Size,
    used: usize,
    n: usize,
}

// SAFETY: what is in a block is not reached through its store, and its counter is atomic.
unsafe impl Send for ArgStore {}
// SAFETY: as above; a shared store does nothing.
unsafe impl Sync for ArgStore {}

impl ArgStore {
    /// Where the first argument is in a block.
    const FIRST: usize = size_of::<Users>().next_multiple_of(align_of::<BoundArg<'_>>());

    /// Moves arguments to a block of this size. Where there is no memory for one they stay where they are,
    /// and so do very many.
    #[inline]
    pub(crate) fn keep<'a>(&mut self, args: &mut Args<'a>, size: Size) {
        let (bytes, len) = (size_of_val(&**args), args.len());
        let is_for_box = args.block.is_some() || bytes == 0 || bytes > size.bytes() / 8;
        if is_for_box || !self.has_room(bytes, size) {
            return;
        }
        let Some(block) = self.block else { return };
        // SAFETY: there is room for them behind `used`.
        let first = unsafe { block.cast::<u8>().add(self.used) }.cast::<BoundArg<'a>>();
        // SAFETY: so many are there and go there, where the alignment is theirs, as their size is a
        // multiple of it; the block and their box are apart.
        unsafe { first.copy_from_nonoverlapping(args.first, len) };
        let left =
            NonNull::slice_from_raw_parts(args.first.cast::<MaybeUninit<BoundArg<'a>>>(), len);
        (args.first, args.block) = (first, Some(size));
        // SAFETY: the memory of their box, which has moved out.
        drop(unsafe { Box::from_raw(left.as_ptr()) });
        self.used += bytes;
        self.n += 1;
    }

    /// Sees that there is a block of a size with so much room; whether there is.
    #[inline]
    fn has_room(&mut self, bytes: usize, size: Size) -> bool {
        let is_there = self.block.is_some() && self.size == size;
        (is_there && self.used + bytes <= size.bytes()) || self.begin(size)
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

impl Default for ArgStore {
    fn default() -> Self {
        Self { block: None, size: Size::Small, used: 0, n: 0 }
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
            let mut store = ArgStore::default();
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
        let mut store = ArgStore::default();
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
}
