//! The arguments of launches, of pipelines with many nodes in blocks that many share: an allocation for
//! each would meet a page of the heap for every few nodes, and take longer than to build them. It knows
//! no nodes.
#![allow(unsafe_code, reason = "arguments lie in blocks that are counted by hand")]

use std::alloc::{Layout, alloc, dealloc};
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

/// A block, which starts at a multiple of its size so that whoever is in it finds its start; at least
/// as large as what huge pages are asked for.
const BLOCK: usize = if cfg!(miri) { 1 << 14 } else { 4 << 20 };

/// The arguments of a launch.
pub(crate) struct Args<'a> {
    first: NonNull<BoundArg<'a>>,
    len: u32,
    /// Whether they are in a block, else in a box.
    is_stored: bool,
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
        Self { first, len, is_stored: false, _owns: PhantomData }
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
        if !self.is_stored {
            // SAFETY: `from` took them out of a box.
            return drop(unsafe { Box::from_raw(all.as_ptr()) });
        }
        // SAFETY: they were moved there by `keep`, and nobody uses them after this.
        unsafe { all.drop_in_place() };
        // SAFETY: they are in a block, which they no longer need.
        unsafe { leave(block_of(self.first), 1) };
    }
}

/// The block that an argument is in.
fn block_of(arg: NonNull<BoundArg<'_>>) -> *mut Users {
    arg.as_ptr().map_addr(|at| at & !(BLOCK - 1)).cast()
}

const LAYOUT: Layout = match Layout::from_size_align(BLOCK, BLOCK) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

/// So many of those who need a block no longer do.
///
/// # Safety
///
/// It is a block, they counted as such, and do not use it any more.
unsafe fn leave(block: *mut Users, n: usize) {
    // SAFETY: the caller counts, so it is there.
    let users = unsafe { &*block };
    if users.leave(n) {
        // SAFETY: it is of this layout, and nobody needs it.
        unsafe { dealloc(block.cast(), LAYOUT) };
    }
}

/// Where arguments are kept.
#[derive(Debug, Default)]
pub(crate) struct ArgStore {
    /// The block that is filled, how far, and for how many launches.
    block: Option<NonNull<Users>>,
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

    /// Moves arguments to a block. Where there is no memory for one they stay where they are.
    #[inline]
    pub(crate) fn keep<'a>(&mut self, args: &mut Args<'a>) {
        let (bytes, len) = (size_of_val(&**args), args.len());
        if args.is_stored || bytes == 0 || bytes > BLOCK / 64 || !self.has_room(bytes) {
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
        (args.first, args.is_stored) = (first, true);
        // SAFETY: the memory of their box, which has moved out.
        drop(unsafe { Box::from_raw(left.as_ptr()) });
        self.used += bytes;
        self.n += 1;
    }

    /// Sees that there is a block with so much room; whether there is.
    #[inline]
    fn has_room(&mut self, bytes: usize) -> bool {
        (self.block.is_some() && self.used + bytes <= BLOCK) || self.begin()
    }

    /// Begins a block.
    #[cold]
    fn begin(&mut self) -> bool {
        self.end();
        // SAFETY: the size is above zero.
        let start = unsafe { alloc(LAYOUT) };
        let Some(block) = NonNull::new(start.cast::<Users>()) else { return false };
        // SAFETY: all of it, which nobody uses yet.
        host::advise(unsafe {
            std::slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), BLOCK)
        });
        // SAFETY: it is aligned to its size, and ours.
        unsafe { block.write(Users::new()) };
        (self.block, self.used, self.n) = (Some(block), Self::FIRST, 0);
        true
    }

    /// Gives nothing more out of its block.
    fn end(&mut self) {
        if let Some(block) = self.block.take() {
            // SAFETY: a block; it counts for those it has not given out, and itself.
            unsafe { leave(block.as_ptr(), Users::STORE - self.n) };
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
        // Of three blocks, of which the store has only the last one at the end.
        let n = 2 * BLOCK / (3 * size_of::<BoundArg<'_>>()) + 2;
        for store_first in [true, false] {
            let mut store = ArgStore::default();
            let mut all: Vec<Args<'_>> = (0..n as u32).map(make).collect();
            all.iter_mut().for_each(|args| store.keep(args));
            assert!(all.iter().all(|args| args.is_stored));
            let blocks: Vec<_> = all.iter().map(|args| block_of(args.first)).collect();
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
        store.keep(&mut none);
        assert!(none.is_empty() && !none.is_stored && store.block.is_none());
        let one = || Args::from(Box::from([Arg::<u32>::bind(7)]));
        let mut large: Args<'_> =
            (0..BLOCK / 64).map(|_| Arg::<u32>::bind(7)).collect::<Box<[_]>>().into();
        store.keep(&mut large);
        assert!(!large.is_stored);
        let (boxed, mut kept) = (one(), one());
        store.keep(&mut kept);
        assert_eq!(format!("{boxed:?}"), format!("{kept:?}"));
        assert!(kept.is_stored && !boxed.is_stored);
    }
}
