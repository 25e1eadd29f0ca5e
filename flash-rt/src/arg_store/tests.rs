//! Arguments in boxes and blocks: that they are what they were, where they are, and that all is given back.

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
        let blocks: Vec<_> = all.iter().map(|args| block_of(args.first.cast(), size)).collect();
        assert_eq!(blocks.chunk_by(|a, b| a == b).count(), 3);
        for (k, args) in all.iter_mut().enumerate() {
            assert_eq!(args.len(), 3);
            let [BoundArg::Array(_), BoundArg::Value(value), BoundArg::Array(_)] = &args[..] else {
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
    let mut large: Args<'_> = (0..1000).map(|_| Arg::<u32>::bind(7)).collect::<Box<[_]>>().into();
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

/// Where arguments are, if in a block.
fn place(args: &Args<'_>) -> Option<usize> {
    args.block.map(|_| args.first.addr().get())
}

#[test]
fn arguments_are_bound_where_they_stay() {
    const ONE: usize = size_of::<BoundArg<'_>>();
    let x = Buffer::from(vec![1_u32, 2, 3]);
    let alone = Arc::strong_count(&x.allocation);
    for size in [Size::Small, Size::Large] {
        let mut store = ArgStore::default();
        let mut boxed = pair(&x).args();
        assert_eq!(boxed.block, None);
        store.keep(&mut boxed, size);
        let start = place(&boxed).expect("in a block");
        // Fewer take a part of their place.
        let mut one = ArgRoom::<'_, 1>::new().put(Arg::<u32>::bind(7)).args();
        assert_eq!(place(&one), Some(start + 2 * ONE));
        store.keep(&mut one, size);
        let mut two = pair(&x).args();
        assert_eq!(place(&two), Some(start + 3 * ONE));
        store.keep(&mut two, size);
        // For more there is none: they are moved to where it was.
        let mut three = ArgRoom::<'_, 3>::new();
        for _ in 0..3 {
            three = three.put(Arg::<u32>::bind(7));
        }
        let mut three = three.args();
        assert_eq!(place(&three), None);
        store.keep(&mut three, size);
        // Those that somebody drops have had their place.
        drop(pair(&x).args());
        let mut last = pair(&x).args();
        store.keep(&mut last, size);
        let all = [boxed, one, two, three, last];
        let blocks = all.each_ref().map(|args| block_of(args.first.cast(), size));
        assert_eq!(blocks, [blocks[0]; 5]);
        for args in &all {
            assert!(matches!(&args[0], BoundArg::Value(v) if v.get() == Some(7_u32)));
        }
        assert_eq!(Arc::strong_count(&x.allocation), alone + 3);
        drop(store);
        assert_eq!(pair(&x).args().block, None, "nobody is to be added there");
        drop(all);
        assert_eq!((Arc::strong_count(&x.allocation), kept()), (alone, 1));
    }
}

#[test]
fn a_place_that_nobody_takes_is_used_again() {
    let x = Buffer::from(vec![1_u32, 2, 3]);
    let mut store = ArgStore::default();
    // Bound before there is a place.
    let mut all: Vec<_> = (0..4).map(|_| pair(&x).args()).collect();
    all.iter_mut().for_each(|args| store.keep(args, Size::Small));
    let places: Vec<_> = all.iter().filter_map(place).collect();
    let step = 2 * size_of::<BoundArg<'_>>();
    assert!(places.len() == 4 && places.windows(2).all(|pair| pair[1] == pair[0] + step));
}

#[test]
fn two_that_are_filled_in_turn_take_few_blocks_beside_others() {
    const N: usize = 500;
    let x = Buffer::from(vec![1_u32, 2, 3]);
    let mut stores = [(ArgStore::default(), Size::Small), (ArgStore::default(), Size::Large)];
    let mut all = vec![];
    for _ in 0..N {
        for (store, size) in &mut stores {
            let mut args = pair(&x).args();
            store.keep(&mut args, *size);
            all.push(args);
            // A launch by itself.
            drop(pair(&x));
        }
    }
    let mut blocks: Vec<_> = all
        .iter()
        .map(|args| block_of(args.first.cast(), args.block.expect("in a block")).addr())
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    // Places that others have had are lost: twice as many as there have to be, and one that is large.
    let bytes = N * size_of_val(&all[0][..]);
    assert!(blocks.len() <= 2 * bytes.div_ceil(Size::Small.bytes()) + 2, "{}", blocks.len());
}

#[test]
fn a_thread_that_ends_leaves_no_place() {
    let x = Buffer::from(vec![1_u32, 2, 3]);
    let of_thread = std::thread::spawn(move || {
        let (mut store, mut args) = (ArgStore::default(), pair(&x).args());
        store.keep(&mut args, Size::Small);
        (store, args)
    });
    let (store, args) = of_thread.join().expect("no panic");
    drop(args);
    assert_eq!(kept(), 0);
    drop(store);
    assert_eq!(kept(), 1);
}

#[test]
fn room_that_is_not_filled_is_given_back() {
    let x = Buffer::from(vec![1_u32, 2, 3]);
    let alone = Arc::strong_count(&x.allocation);
    let half = || ArgRoom::<'_, 2>::new().put(Arg::<&[u32]>::bind(&x));
    let not_filled = || drop(half());
    let empty = || drop(ArgRoom::<'_, 2>::new());
    let too_few = || drop(half().args());
    let too_many = || drop(pair(&x).put(Arg::<u32>::bind(0)));
    let all: [(&dyn Fn(), bool); 4] =
        [(&not_filled, false), (&empty, false), (&too_few, true), (&too_many, true)];
    for (wrong, panics) in all {
        for in_block in [false, true] {
            let before = kept();
            let mut store = ArgStore::default();
            if in_block {
                store.keep(&mut pair(&x).args(), Size::Small);
            }
            let wrong = std::panic::AssertUnwindSafe(wrong);
            assert_eq!(std::panic::catch_unwind(wrong).is_err(), panics);
            assert!(next().is_none(), "it was in the place that was left");
            assert_eq!(Arc::strong_count(&x.allocation), alone);
            drop(store);
            assert_eq!(kept(), if in_block { 1 } else { before });
        }
    }
}

#[test]
fn an_argument_that_panics_leaves_its_place() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("of the closure");
        }
    }
    let bind = || {
        let panics = Panics;
        let lazy = move |_: &crate::env::Env| {
            let _panics = &panics;
            crate::value::Value::new(1_u32)
        };
        ArgRoom::<'_, 2>::new().put(BoundArg::LazyValue(Box::new(lazy)))
    };
    let mut store = ArgStore::default();
    let mut first = ArgRoom::<'_, 2>::new();
    first = first.put(Arg::<u32>::bind(7)).put(Arg::<u32>::bind(7));
    let mut first = first.args();
    store.keep(&mut first, Size::Small);
    let room = std::panic::AssertUnwindSafe(bind());
    assert!(std::panic::catch_unwind(move || drop({ room }.0)).is_err());
    store.keep(&mut first, Size::Small);
    let args = std::panic::AssertUnwindSafe(bind().put(Arg::<u32>::bind(7)).args());
    assert_eq!(args.block, Some(Size::Small));
    assert!(std::panic::catch_unwind(move || drop({ args }.0)).is_err());
    drop((first, store));
    assert_eq!(kept(), 1);
}
