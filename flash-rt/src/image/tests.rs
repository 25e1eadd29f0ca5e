//! Images in other memories, with a memory of our own: exact ranges, every byte counted.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;

use super::{DeviceMemory, MemorySpace};
use crate::backend::Region;
use crate::device::{Lent, Order, Pin};
use crate::ledger::Hold;
use crate::progress::Sent;
use crate::ranges::Ranges;
use crate::{Access, Allocation, Arg, ArrayArg, BoundArg, Buffer, Mode, Part, Result, View};

/// Filled with a pattern, so that what was never brought shows.
#[derive(Debug)]
struct Memory {
    bytes: Mutex<Vec<u8>>,
    moved: AtomicU64,
}

impl Memory {
    fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self { bytes: Mutex::new(vec![0xA5; bytes]), moved: AtomicU64::new(0) })
    }
}

impl DeviceMemory for Memory {
    fn download(&self, from: Region, dst: Lent, to: Region, _: &Order) -> Result<Sent> {
        assert_eq!((from.rows, to.rows, to.offset), (1, 1, 0));
        let from = from.offset as usize..(from.offset + from.row_bytes) as usize;
        self.moved.fetch_add(from.len() as u64, Ordering::Relaxed);
        dst.copy(&mut self.bytes.lock().expect("no panic")[from], true);
        Ok(Sent::DONE)
    }

    fn upload(&self, to: Region, src: Lent, from: Region, _: &Order) -> Result<Sent> {
        assert_eq!((from.rows, to.rows, from.offset), (1, 1, 0));
        let to = to.offset as usize..(to.offset + to.row_bytes) as usize;
        self.moved.fetch_add(to.len() as u64, Ordering::Relaxed);
        src.copy(&mut self.bytes.lock().expect("no panic")[to], false);
        Ok(Sent::DONE)
    }

    fn zero(&self, to: Region, _: &Order) -> Result<Sent> {
        let to = to.offset as usize..(to.offset + to.row_bytes) as usize;
        self.bytes.lock().expect("no panic")[to].fill(0);
        Ok(Sent::DONE)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn array(part: &Part<u16, 2>) -> ArrayArg {
    match Arg::<View<'_, u16, 2>>::bind(part) {
        BoundArg::Array(array) => array.array(),
        other => panic!("{other:?}"),
    }
}

fn add_memory(allocation: &Allocation, space: u32) -> Arc<Memory> {
    let memory = Memory::new(allocation.bytes());
    allocation.add_image(MemorySpace(space), memory.clone());
    memory
}

/// What a kernel on a device does to a box: adds `by` to every element.
fn kernel(memory: &Memory, array: &ArrayArg, by: u16) {
    let mut bytes = memory.bytes.lock().expect("no panic");
    for at in array.section.runs().flatten() {
        let element = u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).wrapping_add(by);
        bytes[2 * at..2 * at + 2].copy_from_slice(&element.to_le_bytes());
    }
}

#[test]
fn an_image_leaves_when_a_launch_is_done_with_that_of_the_host() {
    let x = Buffer::<u16>::zeros(4);
    let BoundArg::Array(array) = Arg::<&[u16]>::bind(&x) else { panic!("an array") };
    let array = array.array();
    let allocation = Arc::clone(&array.allocation);
    add_memory(&allocation, 1);
    allocation.images().wrote(MemorySpace(1), &array.section);
    let of_task = Pin::on_host(&allocation);
    assert!(
        !allocation.evict(MemorySpace(1), false, &Ranges::all(allocation.len())).expect("it stays"),
        "a task may wait for us"
    );
    drop(of_task);
    let of_launch = Pin::of_launch(&allocation);
    let evicts = thread::spawn({
        let allocation = Arc::clone(&allocation);
        move || allocation.evict(MemorySpace(1), false, &Ranges::all(allocation.len()))
    });
    // The first one who waits.
    while !evicts.is_finished() && !allocation.images().on_host.waiting.has(1) {
        thread::yield_now();
    }
    drop(of_launch);
    assert!(evicts.join().expect("no panic").expect("it leaves"));
    assert!(!allocation.has_images());
}

const SHAPE: [usize; 2] = [5, 7];

fn boxes() -> impl Strategy<Value = [usize; 4]> {
    (0..=SHAPE[0], 0..=SHAPE[0], 0..=SHAPE[1], 0..=SHAPE[1])
        .prop_map(|(a, b, c, d)| [a.min(b), a.max(b), c.min(d), c.max(d)])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 8 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Random boxes written on the host and on two devices, as one array would have it.
    #[test]
    fn images_together_are_one_array(
        steps in prop::collection::vec((0..5_u8, boxes(), 1..9_u16), 1..30),
    ) {
        let [h, w] = SHAPE;
        let mut model: Vec<u16> = (0..(h * w) as u16).collect();
        let x = Buffer::from_shape(SHAPE, &model).expect("as many");
        let whole = array(&x.view(..));
        let memories = [add_memory(&whole.allocation, 1), add_memory(&whole.allocation, 2)];
        for (kind, [a, b, c, d], by) in steps {
            let part = x.view((a..b, c..d));
            let elements: Vec<usize> =
                (a..b).flat_map(|j| (c..d).map(move |i| j * w + i)).collect();
            match kind {
                0 | 1 => {
                    // A kernel reads and writes the box.
                    let (array, space) = (array(&part), MemorySpace(u32::from(kind) + 1));
                    array.allocation.to_memory(space, &array.section).expect("a memory");
                    kernel(&memories[usize::from(kind)], &array, by);
                    array.allocation.images().wrote(space, &array.section);
                    elements.iter().for_each(|&at| model[at] = model[at].wrapping_add(by));
                }
                2 => {
                    part.fill(by).expect("nobody holds it");
                    elements.iter().for_each(|&at| model[at] = by);
                }
                3 => {
                    let expected: Vec<u16> = elements.iter().map(|&at| model[at]).collect();
                    prop_assert_eq!(part.to_vec().expect("nobody holds it"), expected);
                }
                _ => {
                    if let (Some(&at), true) = (elements.first(), by % 2 == 0) {
                        prop_assert_eq!(x.get([at / w, at % w]).expect("inside"), model[at]);
                    } else if let Some(&at) = elements.first() {
                        let mut row = x.write((at / w..at / w + 1, c..d)).expect("nobody holds it");
                        prop_assert_eq!(&row[..], &model[at..at + (d - c)]);
                        row[0] = by;
                        model[at] = by;
                    }
                }
            }
        }
        prop_assert_eq!(x.to_vec().expect("nobody holds it"), model.clone());
        // Nothing moves twice: all is on the host now.
        let before: u64 = memories.iter().map(|m| m.moved.load(Ordering::Relaxed)).sum();
        whole.allocation.to_host(&whole.section).expect("a memory");
        let after: u64 = memories.iter().map(|m| m.moved.load(Ordering::Relaxed)).sum();
        prop_assert_eq!(before, after);
        // And eviction loses nothing.
        let array = array(&x.view((1..3, ..)));
        array.allocation.to_memory(MemorySpace(1), &array.section).expect("a memory");
        kernel(&memories[0], &array, 1);
        array.allocation.images().wrote(MemorySpace(1), &array.section);
        model[w..3 * w].iter_mut().for_each(|element| *element = element.wrapping_add(1));
        array.allocation.evict(MemorySpace(1), true, &Ranges::all(array.allocation.len())).expect("a memory");
        array.allocation.evict(MemorySpace(2), true, &Ranges::all(array.allocation.len())).expect("a memory");
        prop_assert!(!array.allocation.has_images());
        prop_assert_eq!(x.to_vec().expect("nobody holds it"), model);
    }
}

#[test]
fn only_what_is_missing_moves() {
    let x = Buffer::from_shape([4, 8], vec![1_u16; 32]).expect("as many");
    let whole = array(&x.view(..));
    let memory = add_memory(&whole.allocation, 7);
    let moved = |array: &ArrayArg| {
        array.allocation.to_memory(MemorySpace(7), &array.section).expect("a memory")
    };
    assert_eq!(moved(&array(&x.view((1..3, 2..5)))), 2 * 3 * 2);
    assert_eq!(moved(&array(&x.view((0..3, 2..5)))), 3 * 2);
    assert_eq!(moved(&whole), (32 - 9) * 2);
    assert_eq!(moved(&whole), 0);
    let row = array(&x.view((2..3, ..)));
    kernel(&memory, &row, 4);
    row.allocation.images().wrote(MemorySpace(7), &row.section);
    let before = memory.moved.load(Ordering::Relaxed);
    assert_eq!(x.view((2..4, 0..2)).to_vec().expect("nobody holds it"), [5, 5, 1, 1]);
    assert_eq!(memory.moved.load(Ordering::Relaxed) - before, 2 * 2);
}

#[test]
fn a_launch_that_failed_shows_nothing_it_was_not_given() {
    let x = Buffer::from_shape([4, 8], (0..32).collect::<Vec<u16>>()).expect("as many");
    let whole = array(&x.view(..));
    let memory = add_memory(&whole.allocation, 7);
    let top = array(&x.view((0..2, ..)));
    top.allocation.to_memory(MemorySpace(7), &top.section).expect("a memory");
    // It was to overwrite the upper three rows, of which two are there, and did one of them.
    let upper = array(&x.view((0..3, ..)));
    kernel(&memory, &array(&x.view((1..2, ..))), 100);
    upper.allocation.images().spoiled(Some(MemorySpace(7)), &upper.section);
    let expected: Vec<u16> =
        (0..32).map(|k| if (8..16).contains(&k) { k + 100 } else { k }).collect();
    assert_eq!(x.to_vec().expect("nobody holds it"), expected);
    // On the host, which lacks the last row: that stays where it is.
    let last = array(&x.view((3..4, ..)));
    last.allocation.to_memory(MemorySpace(7), &last.section).expect("a memory");
    kernel(&memory, &last, 1000);
    last.allocation.images().wrote(MemorySpace(7), &last.section);
    whole.allocation.images().spoiled(None, &whole.section);
    let expected: Vec<u16> =
        expected.into_iter().map(|v| if (24..32).contains(&v) { v + 1000 } else { v }).collect();
    assert_eq!(x.to_vec().expect("nobody holds it"), expected);
}

#[test]
fn single_reads_bring_growing_windows() {
    let n = 64 << 10;
    let x = Buffer::from_shape([1, n], vec![0_u16; n]).expect("as many");
    let whole = array(&x.view(..));
    let memory = add_memory(&whole.allocation, 3);
    whole.allocation.to_memory(MemorySpace(3), &whole.section).expect("a memory");
    kernel(&memory, &whole, 9);
    whole.allocation.images().wrote(MemorySpace(3), &whole.section);
    let start = memory.moved.load(Ordering::Relaxed);
    let moved = || memory.moved.load(Ordering::Relaxed) - start;
    assert_eq!(x.get([0, 5000]).expect("inside"), 9);
    assert_eq!(moved(), 4 << 10);
    for at in (5000..n).step_by(if cfg!(miri) { 977 } else { 1 }) {
        assert_eq!(x.get([0, at]).expect("inside"), 9);
    }
    // 4 KiB, 8, 16, 32 and the rest, and no element twice.
    assert!(moved() <= (n as u64) * 2);
    assert_eq!(x.get([0, 0]).expect("inside"), 9);
}

#[test]
fn windows_grow_up_to_four_mebibytes() {
    // 16 MiB, read one element in two KiB at a time.
    let n = if cfg!(miri) { 64 << 10 } else { 8 << 20 };
    let x = Buffer::from_shape([1, n], vec![0_u16; n]).expect("as many");
    let whole = array(&x.view(..));
    let memory = add_memory(&whole.allocation, 3);
    whole.allocation.to_memory(MemorySpace(3), &whole.section).expect("a memory");
    whole.allocation.images().wrote(MemorySpace(3), &whole.section);
    let mut moved = memory.moved.load(Ordering::Relaxed);
    let mut windows = Vec::new();
    for at in (0..n).step_by(1 << 10) {
        x.get([0, at]).expect("inside");
        let now = memory.moved.load(Ordering::Relaxed);
        windows.extend((now > moved).then_some((now - moved) >> 10));
        moved = now;
    }
    let (mut window, mut left, mut expected) = (4, (2 * n as u64) >> 10, Vec::new());
    while left > 0 {
        expected.push(window.min(left));
        left = left.saturating_sub(window);
        window = (2 * window).min(4 << 10);
    }
    assert_eq!(windows, expected);
}

#[test]
fn swap_exchanges_images_too() {
    let a = Buffer::from_shape([1, 4], vec![1_u16; 4]).expect("as many");
    let b = Buffer::from_shape([1, 4], vec![2_u16; 4]).expect("as many");
    let (x, y) = (array(&a.view(..)), array(&b.view(..)));
    let memory = add_memory(&x.allocation, 1);
    x.allocation.to_memory(MemorySpace(1), &x.section).expect("a memory");
    kernel(&memory, &x, 10);
    x.allocation.images().wrote(MemorySpace(1), &x.section);
    x.allocation.swap(&y.allocation).expect("same type and length");
    assert!(!x.allocation.has_images());
    assert_eq!(a.to_vec().expect("nobody holds it"), [2; 4]);
    assert_eq!(b.to_vec().expect("nobody holds it"), [11; 4]);
    let short = Buffer::from_shape([1, 3], vec![0_u16; 3]).expect("as many");
    assert!(x.allocation.swap(&array(&short.view(..)).allocation).is_err());
}

#[test]
fn who_waits_sees_what_a_swap_left() {
    let x = Buffer::from(vec![1_u32; 4]);
    let y = Buffer::from(vec![2_u32; 4]);
    let writes = |x: &Buffer<u32>| match Arg::<&[u32]>::bind(x) {
        BoundArg::Array(array) => {
            let ArrayArg { allocation, section } = array.array();
            Access { allocation, section, mode: Mode::Write }
        }
        other => panic!("{other:?}"),
    };
    let hold = Hold::enter([writes(&x), writes(&y)]).expect("free");
    let expected = [2; 4];
    thread::scope(|scope| {
        let waiting = vec![
            scope.spawn(|| x.read(..).expect("waits").to_vec()),
            scope.spawn(|| x.to_vec().expect("waits")),
            scope.spawn(|| vec![x.get(3).expect("waits"); 4]),
        ];
        thread::sleep(Duration::from_millis(20));
        let [a, b] = hold.accesses();
        a.allocation.swap(&b.allocation).expect("same type and length");
        drop(hold);
        for thread in waiting {
            assert_eq!(thread.join().expect("no panic"), expected);
        }
    });
    assert_eq!(y.to_vec().expect("free"), [1; 4]);
}
