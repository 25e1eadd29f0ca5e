//! Entries written by hand, hostile ones among them: what safe code can do with its arguments. Run
//! under Miri too.
#![allow(unsafe_code, reason = "the tests stand in for the run time, which makes slots")]

use std::any::TypeId;

use super::reduction::{Add, Lanes};
use super::*;
use crate::atomic::Atomic;
use crate::space::{Block, Space};

/// A slot over `elems`, row-major of this shape, with the launch dimension of each component.
fn slot<T: 'static>(tag: Tag, elems: &mut [T], shape: &[usize], own: &[u8]) -> Slot {
    let mut array = ArraySlot::empty();
    array.base = elems.as_mut_ptr().cast();
    array.rank = shape.len() as u8;
    let mut stride = 1;
    for d in (0..shape.len()).rev() {
        (array.held[d], array.shape[d], array.stride[d]) = (shape[d], shape[d], stride);
        stride *= shape[d] as isize;
    }
    for (d, &dim) in own.iter().enumerate() {
        array.own.dim[d] = dim;
    }
    // SAFETY: each test keeps `elems` alive and reaches it through this slot only.
    unsafe { Slot::array(tag, TypeId::of::<T>(), array) }
}

/// Runs an entry over blocks, each on a thread of its own.
fn run(
    entry: fn(&mut Args<'_>, &Block),
    slots: &[Slot],
    space: &Space,
    blocks: &[Block],
) -> Outcome {
    let outcome = Outcome::new();
    let shared = Shared::new(slots, space, &outcome, false);
    std::thread::scope(|scope| {
        for (number, block) in blocks.iter().enumerate() {
            let shared = &shared;
            scope.spawn(move || {
                // SAFETY: a baseline entry; the blocks are disjoint in dimensions that stand in the
                // own places, and have numbers of their own.
                unsafe { run_block(entry, shared, block, number) }
            });
        }
    });
    outcome
}

fn halves(space: &Space) -> [Block; 2] {
    let (block, middle) = (space.block(), space.extent(0) / 2);
    [block.cut(0, 0, middle), block.cut(0, middle, space.extent(0))]
}

#[test]
fn an_array_is_handed_out_once() {
    let (mut y, space) = (vec![1_u32; 8], Space::new(&[8]).expect("small"));
    let entry = |args: &mut Args<'_>, _: &Block| {
        let mut first = args.own::<u32, 1>(0);
        let mut second = args.own::<u32, 1>(0);
        let (mut bad, mut good) = (Bad::new(), Bad::new());
        assert_eq!(first.row([0], [0], 8).len(), 8);
        let place = first.place([3], [3], 3, &mut good);
        assert!(second.row([0], [0], 8).is_empty());
        *second.place([3], [3], 3, &mut bad) = 9;
        second.set([4], [4], 4, &mut bad, 9);
        *place += 1;
        assert!(bad.any() && !good.any());
        assert_eq!((second.get([3], [3], 3, &mut bad), second.len()), (0, 8));
    };
    let outcome = run(entry, &[slot(Tag::Own, &mut y, &[8], &[0])], &space, &[space.block()]);
    assert!(outcome.is_ok());
    assert_eq!(y, [1, 1, 1, 2, 1, 1, 1, 1]);
}

#[test]
fn a_block_reaches_its_own_places_only() {
    let (mut y, space) = (vec![0_u16; 20], Space::new(&[10]).expect("small"));
    // Each block tries the whole array by every way, claiming to be every item.
    let entry = |args: &mut Args<'_>, block: &Block| {
        let mut own = args.own::<u16, 2>(0);
        let mut bad = Bad::new();
        let (lo, hi) = (block.lo(0), block.hi(0));
        for r in 0..4 {
            for i in [0, 1, 4, 5, 9, 10, 11, usize::MAX] {
                let mine = r < 2 && (lo..hi).contains(&i);
                let mut bad = Bad::new();
                *own.place([r, i], [r, i], 0, &mut bad) += 1;
                assert_eq!(bad.any(), !mine, "place {r} {i} in {lo}..{hi}");
                assert_eq!(own.row([r, i], [r, i], 1).len(), usize::from(mine));
                own.set([r, i], [r, i], 0, &mut bad, 5);
            }
        }
        assert!(own.row([0, lo], [0, lo], hi - lo + 1).is_empty());
        assert_eq!(own.row([1, lo], [1, lo], hi - lo).len(), hi - lo);
        // Its own block, but not the item's own place.
        assert!(own.row([0, lo], [0, lo + 1], 1).is_empty());
        own.set([0, lo], [0, lo + 1], 0, &mut bad, 7);
        assert!(bad.any());
    };
    let slots = [slot(Tag::Own, &mut y, &[2, 10], &[OwnMap::FREE, 0])];
    let outcome = run(entry, &slots, &space, &halves(&space));
    assert_eq!(outcome.take(), (None, None));
    let want = |k: usize| if [0, 1, 4, 5, 9].contains(&(k % 10)) { 5 } else { 0 };
    assert_eq!(y, (0..20).map(want).collect::<Vec<u16>>());
}

#[test]
fn rows_lent_at_once_are_disjoint() {
    let (mut y, space) = (vec![0_u8; 30], Space::new(&[10]).expect("small"));
    let entry = |args: &mut Args<'_>, _: &Block| {
        let mut own = args.own::<u8, 2>(0);
        let at = |r: usize, i: usize| [r, i];
        let [a, b, c] = own.rows([at(0, 2), at(1, 2), at(2, 2)], [at(0, 2), at(1, 2), at(2, 2)], 4);
        a.fill(1);
        b.fill(2);
        c.copy_from_slice(a);
        let same = own.rows([at(0, 2), at(0, 2)], [at(0, 2), at(0, 2)], 4);
        assert!(same.iter().all(|row| row.is_empty()));
        let overlapping = own.rows([at(0, 2), at(0, 5)], [at(0, 2), at(0, 5)], 4);
        assert!(overlapping.iter().all(|row| row.is_empty()));
        let [a, b] = own.rows([at(0, 2), at(0, 6)], [at(0, 2), at(0, 6)], 4);
        (a[3], b[3]) = (8, 9);
        assert!(own.rows([at(3, 0)], [at(3, 0)], 1)[0].is_empty());
        assert!(own.rows([at(0, 8)], [at(0, 8)], 3)[0].is_empty());
    };
    let slots = [slot(Tag::Own, &mut y, &[3, 10], &[OwnMap::FREE, 0])];
    assert_eq!(run(entry, &slots, &space, &[space.block()]).take(), (None, None));
    assert_eq!(&y[..10], [0, 0, 1, 1, 1, 8, 0, 0, 0, 9]);
    assert_eq!(&y[20..], [0, 0, 1, 1, 1, 1, 0, 0, 0, 0]);
}

#[test]
fn wrong_requests_panic_and_are_noted() {
    let (mut x, space) = (vec![1.0_f32; 4], Space::new(&[4]).expect("small"));
    let slots = [slot(Tag::Input, &mut x, &[4], &[])];
    let wrong: [fn(&mut Args<'_>, &Block); 6] = [
        |args, _| _ = args.own::<f32, 1>(0),
        |args, _| _ = args.input::<u32, 1>(0),
        |args, _| _ = args.input::<f32, 2>(0),
        |args, _| _ = args.raw::<f32, 1>(0),
        |args, _| _ = args.value::<f32>(0),
        |args, _| _ = args.input::<f32, 1>(1),
    ];
    for (number, entry) in wrong.into_iter().enumerate() {
        let outcome = run(entry, &slots, &space, &[space.block()]);
        let (violation, panic) = outcome.take();
        assert_eq!(violation, None);
        assert!(panic.is_some_and(|(item, _)| item == 0), "request {number}");
    }
}

#[test]
fn inputs_of_any_stride_and_size() {
    // Columns of a 3 x 4 matrix, as a view of shape 4 x 3 with swapped strides.
    let mut x: Vec<i32> = (0..12).collect();
    let mut array = *slot(Tag::Input, &mut x, &[4, 3], &[]).array_slot();
    (array.stride[0], array.stride[1]) = (1, 4);
    // SAFETY: the twelve elements of `x`, in another order.
    let columns = unsafe { Slot::array(Tag::Input, TypeId::of::<i32>(), array) };
    let empty = slot::<i32>(Tag::Input, &mut [], &[0], &[]);
    let entry = |args: &mut Args<'_>, _: &Block| {
        let (columns, empty) = (args.input::<i32, 2>(0), args.input::<i32, 1>(1));
        let mut bad = Bad::new();
        assert_eq!(columns.get([1, 2], 0, &mut bad), 9);
        assert!(columns.row([1, 0], 2).is_empty(), "a column is not contiguous");
        assert!(!bad.any());
        assert_eq!(columns.get([4, 0], 0, &mut bad), 0);
        assert!(bad.any());
        let mut bad = Bad::new();
        assert_eq!((empty.get([0], 0, &mut bad), empty.len(), empty.is_empty()), (0, 0, true));
        assert!(bad.any() && empty.row([0], 0).is_empty() && empty.extent(7) == 0);
    };
    let space = Space::new(&[1]).expect("small");
    assert_eq!(run(entry, &[columns, empty], &space, &[space.block()]).take(), (None, None));
}

#[test]
fn raw_arrays_write_own_places_of_the_block_only() {
    let (mut y, space) = (vec![0_u64; 10], Space::new(&[10]).expect("small"));
    let entry = |args: &mut Args<'_>, block: &Block| {
        let (one, two) = (args.raw::<u64, 1>(0), args.raw::<u64, 1>(0));
        for i in 0..12 {
            let mut bad = Bad::new();
            one.set([i], [i], 0, &mut bad, i as u64 + 1);
            let mine = (block.lo(0)..block.hi(0)).contains(&i);
            assert_eq!(bad.any(), !mine);
            assert_eq!(two.get([i], [i], 0, &mut bad), if mine { i as u64 + 1 } else { 0 });
        }
        // SAFETY: the first element of the block's own.
        unsafe { *two.ptr([block.lo(0)], 0, &mut Bad::new()) += 100 };
    };
    let slots = [slot(Tag::Raw, &mut y, &[10], &[0])];
    assert_eq!(run(entry, &slots, &space, &halves(&space)).take(), (None, None));
    assert_eq!(y, [101, 2, 3, 4, 5, 106, 7, 8, 9, 10]);
    // Nobody owns anything where a dimension of several values does not stand in the place.
    let slots = [slot(Tag::Raw, &mut y, &[10], &[])];
    let entry = |args: &mut Args<'_>, _: &Block| {
        let mut bad = Bad::new();
        args.raw::<u64, 1>(0).set([0], [0], 0, &mut bad, 1);
        assert!(bad.any());
    };
    assert_eq!(run(entry, &slots, &space, &halves(&space)).take(), (None, None));
}

#[test]
fn cells_are_shared_and_partials_have_one_writer() {
    let (mut cells, mut partials) = (vec![0_u32; 4], vec![0_i64; 2]);
    let space = Space::new(&[64]).expect("small");
    let entry = |args: &mut Args<'_>, block: &Block| {
        let cells = args.atomic::<u32, 1>(0);
        let mut lanes = Lanes::<i64, Add>::new();
        let mut bad = Bad::new();
        for i in block.lo(0)..block.hi(0) {
            let cell: &Atomic<u32> = cells.at([i % 4], i, &mut bad);
            cell.fetch_add(1);
            lanes.put(i, i as i64);
        }
        assert!(!bad.any());
        cells.at([4], 0, &mut bad).fetch_add(7);
        assert!(bad.any());
        assert_eq!(cells.at([9], 0, &mut bad).load(), 0, "the dummy starts anew");
        args.finish::<i64, Add>(1, &lanes);
    };
    let slots =
        [slot(Tag::Atomic, &mut cells, &[4], &[]), slot(Tag::Partials, &mut partials, &[2], &[])];
    assert_eq!(run(entry, &slots, &space, &halves(&space)).take(), (None, None));
    assert_eq!(cells, [16; 4]);
    assert_eq!(partials, [(0..32).sum::<i64>(), (32..64).sum()]);
}
