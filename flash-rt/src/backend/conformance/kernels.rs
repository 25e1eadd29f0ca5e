//! Kernels written by hand, as `#[flash::kernel]` would make them but item by item. They test the
//! contract where no macro is at hand; they are not fast.

use flash_ir::ir::ReduceOp;
use flash_ir::{ScalarTy, Ty};

use crate::descriptor::{
    Component, Elem, Entries, KernelDescriptor, ParamDescriptor, Role, no_offset,
};
use crate::entry::reduction::{Add, Lanes};
use crate::entry::{Args, Bad};
use crate::space::Block;

const F32: Ty = Ty::Scalar(ScalarTy::F32);
const U32: Ty = Ty::Scalar(ScalarTy::U32);
const F64: Ty = Ty::Scalar(ScalarTy::F64);

const fn param(
    name: &'static str,
    role: Role,
    ty: Ty,
    elem: Elem,
    rank: u8,
    own: &'static [Component],
) -> ParamDescriptor {
    ParamDescriptor { name, role, ty, elem, rank, own, raw: false, always_written: true }
}

const fn kernel(
    name: &'static str,
    rank: u8,
    params: &'static [ParamDescriptor],
    entry: crate::descriptor::Entry,
) -> KernelDescriptor {
    KernelDescriptor {
        path: module_path!(),
        entries: Some(Entries::portable(entry)),
        file: file!(),
        line: line!(),
        column: 1,
        unoptimised: cfg!(debug_assertions),
        ..KernelDescriptor::bare(name, rank, params)
    }
}

const ID0: Component = Component::Id { dim: 0, offset: no_offset };
const ID1: Component = Component::Id { dim: 1, offset: no_offset };

/// `y[i] = a * x[i] + y[i]`
pub static SAXPY: KernelDescriptor = kernel(
    "saxpy",
    1,
    &[
        param("a", Role::Value, F32, Elem::of::<f32>(), 0, &[]),
        param("x", Role::In, F32, Elem::of::<f32>(), 1, &[]),
        param("y", Role::InOut, F32, Elem::of::<f32>(), 1, &[ID0]),
    ],
    saxpy,
);

fn saxpy(args: &mut Args<'_>, block: &Block) {
    let a = args.value::<f32>(0);
    let x = args.input::<f32, 1>(1);
    let mut y = args.own::<f32, 1>(2);
    let (mut bad_x, mut bad_y) = (Bad::new(), Bad::new());
    for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
        let value = a * x.get([i], k, &mut bad_x) + y.get([i], [i], k, &mut bad_y);
        y.set([i], [i], k, &mut bad_y, value);
    }
    args.report(1, &bad_x, &[block.lo(0)]);
    args.report(2, &bad_y, &[block.lo(0)]);
}

/// `x[i] = x[i] * a + b`, modulo 2^32; two of them commute for equal `a` and `b` only.
pub static AFFINE: KernelDescriptor = kernel(
    "affine",
    1,
    &[
        param("a", Role::Value, U32, Elem::of::<u32>(), 0, &[]),
        param("b", Role::Value, U32, Elem::of::<u32>(), 0, &[]),
        param("x", Role::InOut, U32, Elem::of::<u32>(), 1, &[ID0]),
    ],
    affine,
);

fn affine(args: &mut Args<'_>, block: &Block) {
    let (a, b) = (args.value::<u32>(0), args.value::<u32>(1));
    let mut x = args.own::<u32, 1>(2);
    let mut bad = Bad::new();
    for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
        let value = x.get([i], [i], k, &mut bad).wrapping_mul(a).wrapping_add(b);
        x.set([i], [i], k, &mut bad, value);
    }
    args.report(2, &bad, &[block.lo(0)]);
}

/// `out[[j, i]] = x[[i, j]]`
pub static TRANSPOSE: KernelDescriptor = kernel(
    "transpose",
    2,
    &[
        param("x", Role::In, U32, Elem::of::<u32>(), 2, &[]),
        param("out", Role::Out, U32, Elem::of::<u32>(), 2, &[ID1, ID0]),
    ],
    transpose,
);

fn transpose(args: &mut Args<'_>, block: &Block) {
    let x = args.input::<u32, 2>(0);
    let mut out = args.own::<u32, 2>(1);
    for j in block.lo(1)..block.hi(1) {
        let (mut bad_x, mut bad_out) = (Bad::new(), Bad::new());
        for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
            let value = x.get([i, j], k, &mut bad_x);
            out.set([j, i], [j, i], k, &mut bad_out, value);
        }
        args.report(0, &bad_x, &[block.lo(0), j]);
        args.report(1, &bad_out, &[block.lo(0), j]);
    }
}

/// `s += x[i]`
pub static SUM: KernelDescriptor = kernel(
    "sum",
    1,
    &[
        param("x", Role::In, F64, Elem::of::<f64>(), 1, &[]),
        param("s", SUM_ROLE, F64, Elem::of::<f64>(), 0, &[]),
    ],
    sum,
);

/// `s += x[i]`, starting from what is in `s`.
pub static SUM_INTO: KernelDescriptor = kernel(
    "sum_into",
    1,
    &[
        param("x", Role::In, F64, Elem::of::<f64>(), 1, &[]),
        param("s", SUM_INTO_ROLE, F64, Elem::of::<f64>(), 0, &[]),
    ],
    sum,
);

const SUM_ROLE: Role = Role::Reduce { op: ReduceOp::Add, into: false };
const SUM_INTO_ROLE: Role = Role::Reduce { op: ReduceOp::Add, into: true };

fn sum(args: &mut Args<'_>, block: &Block) {
    let x = args.input::<f64, 1>(0);
    let mut lanes = Lanes::<f64, Add>::new();
    let mut bad = Bad::new();
    for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
        lanes.put(k, x.get([i], k, &mut bad));
    }
    args.report(0, &bad, &[block.lo(0)]);
    args.finish(1, &lanes);
}

/// `t[i] += 1; out[i] = t[i]` with a scratch array `t` of as many elements as `out`.
pub static SCRATCH: KernelDescriptor = kernel(
    "scratch",
    1,
    &[
        param("t", Role::Scratch(|u| Some(u.extent(1, 0))), U32, Elem::of::<u32>(), 1, &[ID0]),
        param("out", Role::Out, U32, Elem::of::<u32>(), 1, &[ID0]),
    ],
    scratch,
);

fn scratch(args: &mut Args<'_>, block: &Block) {
    let mut t = args.own::<u32, 1>(0);
    let mut out = args.own::<u32, 1>(1);
    let (mut bad_t, mut bad_out) = (Bad::new(), Bad::new());
    for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
        let value = t.get([i], [i], k, &mut bad_t) + 1;
        t.set([i], [i], k, &mut bad_t, value);
        out.set([i], [i], k, &mut bad_out, value);
    }
    args.report(0, &bad_t, &[block.lo(0)]);
    args.report(1, &bad_out, &[block.lo(0)]);
}

/// `y[i] = 100 / x[i]`, which panics where `x[i]` is zero.
pub static DIVIDE: KernelDescriptor = kernel(
    "divide",
    1,
    &[
        param("x", Role::In, U32, Elem::of::<u32>(), 1, &[]),
        param("y", Role::Out, U32, Elem::of::<u32>(), 1, &[ID0]),
    ],
    divide,
);

fn divide(args: &mut Args<'_>, block: &Block) {
    let x = args.input::<u32, 1>(0);
    let mut y = args.own::<u32, 1>(1);
    let (mut bad_x, mut bad_y) = (Bad::new(), Bad::new());
    for (k, i) in (block.lo(0)..block.hi(0)).enumerate() {
        let value = 100 / x.get([i], k, &mut bad_x);
        y.set([i], [i], k, &mut bad_y, value);
    }
}
