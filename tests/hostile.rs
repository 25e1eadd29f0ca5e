//! Programs that go around the macros: kernels, stages and backends written by hand, in safe code,
//! by somebody who lies. None of them may reach memory it was not given.
#![forbid(unsafe_code)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flash::__private::ir::ir::ReduceOp;
use flash::__private::ir::{ScalarTy, Ty};
use flash::__private::rt::descriptor::{
    Component, DESCRIPTOR_VERSION, Elem, Entries, Entry, Flags, Order, ParamDescriptor, Parts,
};
use flash::__private::rt::entry::reduction::{Add, Lanes};
use flash::__private::rt::entry::{Args, Bad};
use flash::__private::rt::task::TaskArg;
use flash::__private::rt::{Block, Env, KernelDescriptor, Role};
use flash::prelude::*;
use flash::{Arg, Call};

const ID0: Component = Component::Id { dim: 0, offset: |_| Some(0) };

const fn param(name: &'static str, role: Role, rank: u8) -> ParamDescriptor {
    let (ty, elem) = (Ty::Scalar(ScalarTy::U32), Elem::of::<u32>());
    let own = &[];
    ParamDescriptor { name, role, ty, elem, rank, own, raw: false, always_written: true }
}

const fn owned(name: &'static str, role: Role, own: &'static [Component]) -> ParamDescriptor {
    ParamDescriptor { own, ..param(name, role, 1) }
}

const fn kernel(params: &'static [ParamDescriptor], entry: Entry) -> KernelDescriptor {
    KernelDescriptor {
        version: DESCRIPTOR_VERSION,
        name: "hostile",
        path: module_path!(),
        signature: 0,
        rank: 1,
        params,
        inputs: None,
        flags: Flags { idempotent: false, fast_math: false, deterministic: false },
        order: Order::NATURAL,
        parts: Parts::Whole,
        search: None,
        table: None,
        needs: &[],
        entries: Some(Entries::portable(entry)),
        ir: None,
        slow: &[],
        implementations: &[],
        file: file!(),
        line: line!(),
        column: 1,
        unoptimised: false,
    }
}

fn runtime() -> Runtime {
    Runtime::builder().threads(2).build().expect("a runtime")
}

/// Every block writes element 0, which at most one of them can own.
fn all_write_the_first(args: &mut Args<'_>, _block: &Block) {
    let mut y = args.own::<u32, 1>(0);
    let mut bad = Bad::new();
    for _ in 0..1_000 {
        let old = y.get([0], [0], 0, &mut bad);
        y.set([0], [0], 0, &mut bad, old + 1);
    }
}

#[test]
fn an_own_place_that_is_left_out_owns_nothing() {
    static NONE: KernelDescriptor = kernel(&[owned("y", Role::InOut, &[])], all_write_the_first);
    let mut y = Buffer::<u32>::zeros(1 << 16);
    let call = Call::<1>::new(&NONE, [Arg::<&mut [u32]>::bind(&mut y)]);
    // Refused or not, no item has written.
    let _ = runtime().submit(call).exec([1 << 16]);
    assert_eq!(y.to_vec().expect("data"), vec![0; 1 << 16]);
}

#[test]
fn an_own_place_in_a_component_that_is_not_there_owns_nothing() {
    static BEYOND: KernelDescriptor =
        kernel(&[owned("y", Role::InOut, &[Component::Free, ID0])], all_write_the_first);
    static FAR: KernelDescriptor = kernel(
        &[owned(
            "y",
            Role::InOut,
            &[Component::Free, Component::Free, Component::Free, Component::Free, ID0],
        )],
        all_write_the_first,
    );
    for kernel in [&BEYOND, &FAR] {
        let mut y = Buffer::<u32>::zeros(1 << 16);
        let call = Call::<1>::new(kernel, [Arg::<&mut [u32]>::bind(&mut y)]);
        let _ = runtime().submit(call).exec([1 << 16]);
        assert_eq!(y.to_vec().expect("data"), vec![0; 1 << 16]);
    }
}

/// Writes what it owns, which is what it was told.
fn write_scratch(args: &mut Args<'_>, block: &Block) {
    let mut t = args.own::<u64, 1>(0);
    let mut bad = Bad::new();
    for i in block.lo(0)..block.hi(0) {
        t.set([i], [i], 0, &mut bad, u64::MAX);
    }
}

#[test]
fn a_scratch_array_is_as_large_as_its_elements() {
    const N: usize = 1 << 12;
    // The words for devices lie about the size.
    static SCRATCH: KernelDescriptor = kernel(
        &[ParamDescriptor {
            ty: Ty::Scalar(ScalarTy::U8),
            elem: Elem::of::<u64>(),
            ..owned("t", Role::Scratch(|_| Some(N)), &[ID0])
        }],
        write_scratch,
    );
    runtime().submit(Call::<1>::new(&SCRATCH, [])).exec([N]).expect("a launch");
}

fn sum(args: &mut Args<'_>, block: &Block) {
    let mut lanes = Lanes::<u8, Add>::new();
    lanes.put(0, block.n_items() as u8);
    args.finish::<u8, Add>(0, &lanes);
}

#[test]
fn a_reduction_writes_one_cell_of_its_type() {
    static SUM: KernelDescriptor = kernel(
        &[ParamDescriptor {
            ty: Ty::Scalar(ScalarTy::U64),
            elem: Elem::of::<u8>(),
            ..param("s", Role::Reduce { op: ReduceOp::Add, into: false }, 0)
        }],
        sum,
    );
    let mut cells = [7_u8; 8];
    let (one, rest) = cells.split_at_mut(1);
    let mut cell = Bound::new(one);
    let call = Call::<1>::new(&SUM, [Arg::<&mut u8>::bind(&mut cell)]);
    runtime().submit(call).exec([100]).expect("a launch");
    assert_eq!(rest, [7; 7]);
    assert_eq!(cells[0], 100);
}

/// Fills what it owns.
fn fill(args: &mut Args<'_>, block: &Block) {
    let mut y = args.own::<u32, 1>(0);
    let mut bad = Bad::new();
    for i in block.lo(0)..block.hi(0) {
        y.set([i], [i], 0, &mut bad, 9);
    }
}

static FILL: KernelDescriptor = kernel(&[owned("y", Role::InOut, &[ID0])], fill);

#[test]
fn memory_borrowed_to_be_read_is_not_written_by_a_kernel() {
    let values = [1_u32; 64];
    let call = Call::<1>::new(&FILL, [Arg::<&[u32]>::bind(&values[..])]);
    let error = runtime().submit(call).exec([64]).expect_err("shared memory");
    assert!(error.to_string().contains("only to be read"), "{error}");
    assert_eq!(values, [1; 64]);
}

#[test]
fn memory_borrowed_to_be_read_is_not_written_by_a_host_task() {
    let values = [1_u32; 64];
    let arg = TaskArg::write("values", Arg::<&[u32]>::bind(&values[..]));
    let task = Task::from_parts("write", [arg], |views, _| {
        views.slice_mut::<u32>()?.fill(9);
        Ok(())
    });
    let rt = runtime();
    let mut pipeline = rt.pipeline();
    pipeline.push(task);
    pipeline.exec().expect_err("shared memory");
    assert_eq!(values, [1; 64]);
}

#[test]
fn boxes_without_elements_have_no_address() {
    let empty = Buffer::<u32, 2>::zeros([0, 1_000]);
    let part = empty.view((.., 500..700));
    assert_eq!(part.read((.., ..)).expect("no elements").len(), 0);
    assert_eq!(part.to_vec().expect("no elements"), []);
    let flat = Buffer::<u32, 3>::zeros([3, 0, 5]);
    let inner = flat.view((1..2, 0..0, 3..4));
    assert_eq!(inner.write((.., .., ..)).expect("no elements").len(), 0);
    assert_eq!(flat.at(2).read((.., ..)).expect("no elements").len(), 0);
    let guard = flat.read((.., .., ..)).expect("no elements");
    let view = guard.as_view().view((2..3, 0..0, 4..5));
    assert_eq!(view.as_slice(), Some(&[][..]));
}

#[test]
fn a_handle_that_outlives_its_borrow_is_not_written_back() {
    // A kernel fills borrowed memory on a device; then the run unwinds before it is brought back,
    // and the handle is forgotten, so that the device still knows the array when it runs full.
    let rt = Runtime::builder().devices("SIM").memory_limit(6_000).build().expect("a runtime");
    let mut values = vec![1_u32; 1_000];
    {
        let mut u = Bound::new(&mut values);
        let mut pipeline = rt.pipeline();
        pipeline.push(add_one(&mut u).over([1_000]));
        let lazy =
            flash::__private::rt::dsl::lazy(|_: &Env| -> [usize; 1] { panic!("in a closure") });
        let mut other = Buffer::<u32>::zeros(4);
        pipeline.push(add_one(&mut other).over(lazy));
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pipeline.exec()));
        assert!(run.is_err(), "{run:?}");
        std::mem::forget(pipeline);
        std::mem::forget(u);
    }
    let before = values.clone();
    drop(values);
    let mut large = Buffer::<u32>::zeros(1_200);
    // There is no room, or there is: nothing is written to memory that is gone.
    let _ = rt.submit(add_one(&mut large)).exec([1_200]);
    assert_eq!(before.len(), 1_000);
}

#[flash::kernel]
fn add_one(y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

#[test]
fn a_value_stays_where_its_slot_points_while_the_pipeline_moves() {
    #[flash::kernel]
    fn add(k: u32, y: &mut [u32]) {
        let i = global_id(0);
        y[i] += k;
    }
    let rt = runtime();
    let mut y = Buffer::<u32>::zeros(4);
    let mut pipeline = rt.pipeline();
    pipeline.push(add(1, &mut y).over([4]));
    pipeline.exec().expect("a run");
    let mut moved = Box::new(pipeline);
    for k in 0..8 {
        moved.push(add(k, &mut y).over([4]));
        moved.exec().expect("a run");
    }
    let mut again = *moved;
    again.exec().expect("a run");
    // 1 in each of ten runs, then k in each run after its push and in the last.
    let expected: u32 = 10 + (0..8).map(|k| k * (9 - k)).sum::<u32>();
    assert_eq!(y.to_vec().expect("data"), [expected; 4]);
}

#[test]
fn a_panic_whose_payload_panics_again() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("in a payload");
            }
        }
    }
    fn bomb(_args: &mut Args<'_>, _block: &Block) {
        std::panic::panic_any(Bomb);
    }
    static BOMB: KernelDescriptor = kernel(&[owned("y", Role::InOut, &[ID0])], bomb);
    let rt = runtime();
    let mut y = Buffer::<u32>::zeros(1 << 16);
    let call = Call::<1>::new(&BOMB, [Arg::<&mut [u32]>::bind(&mut y)]);
    let run = std::panic::AssertUnwindSafe(|| rt.submit(call).exec([1 << 16]).map(drop));
    let _ = std::panic::catch_unwind(run);
    rt.submit(add_one(&mut y)).exec([1 << 16]).expect("the runtime goes on");
    assert_eq!(y.get(77).expect("data"), 1);
}

#[test]
fn an_entry_that_launches_again() {
    static RT: Mutex<Option<Runtime>> = Mutex::new(None);
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    fn again(args: &mut Args<'_>, block: &Block) {
        let mut y = args.own::<u32, 1>(0);
        let mut bad = Bad::new();
        let mut inner = Buffer::<u32>::zeros(128);
        if let Some(rt) = &*RT.lock().expect("no panic") {
            rt.submit(add_one(&mut inner)).exec([128]).expect("a launch in a launch");
            RUNS.fetch_add(1, Ordering::Relaxed);
        }
        for i in block.lo(0)..block.hi(0) {
            y.set([i], [i], 0, &mut bad, inner.get(i % 128).expect("data"));
        }
    }
    static AGAIN: KernelDescriptor = kernel(&[owned("y", Role::InOut, &[ID0])], again);
    *RT.lock().expect("no panic") = Some(runtime());
    let mut y = Buffer::<u32>::zeros(1 << 10);
    let call = Call::<1>::new(&AGAIN, [Arg::<&mut [u32]>::bind(&mut y)]);
    runtime().submit(call).exec([1 << 10]).expect("a launch");
    assert!(RUNS.load(Ordering::Relaxed) > 0);
    assert_eq!(y.to_vec().expect("data"), vec![1; 1 << 10]);
}
