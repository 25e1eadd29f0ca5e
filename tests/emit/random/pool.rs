//! The locals of drawn bodies. Types of locals are a function without an argument, so all bodies have the
//! same ones, and each uses some of them.

use flash_ir::ir::Locals;
use flash_ir::{ScalarTy, Ty};
use flash_test_devices::{Cell, Cloud};

use super::draw::of;

pub(super) const CELL: Ty = of::<Cell>();
pub(super) const CLOUD: Ty = of::<Cloud>();
pub(super) const FLOATS: Ty = of::<[f32; 4]>();
pub(super) const WORDS: Ty = of::<[u32; 3]>();

/// The types.
pub(super) const TYPES: [Ty; 17] = [
    Ty::Scalar(ScalarTy::Bool),
    Ty::Scalar(ScalarTy::I8),
    Ty::Scalar(ScalarTy::I16),
    Ty::Scalar(ScalarTy::I32),
    Ty::Scalar(ScalarTy::I64),
    Ty::Scalar(ScalarTy::Isize),
    Ty::Scalar(ScalarTy::U8),
    Ty::Scalar(ScalarTy::U16),
    Ty::Scalar(ScalarTy::U32),
    Ty::Scalar(ScalarTy::U64),
    Ty::Scalar(ScalarTy::Usize),
    Ty::Scalar(ScalarTy::F32),
    Ty::Scalar(ScalarTy::F64),
    CELL,
    CLOUD,
    FLOATS,
    WORDS,
];

/// Locals of each type.
pub(super) const EACH: usize = 6;

/// The signatures of drawn functions: types of arguments.
pub(super) const SIGNATURES: [&[Ty]; 4] = [
    &[Ty::Scalar(ScalarTy::I32), Ty::Scalar(ScalarTy::F32)],
    &[Ty::Scalar(ScalarTy::U64), Ty::Scalar(ScalarTy::U8), CELL],
    &[WORDS, Ty::Scalar(ScalarTy::Isize)],
    &[Ty::Scalar(ScalarTy::F64), Ty::Scalar(ScalarTy::Bool), Ty::Scalar(ScalarTy::I16)],
];

/// What the arguments of each are called.
pub(super) const ARGUMENTS: [&str; 3] = ["p0", "p1", "p2"];

fn types() -> Vec<Ty> {
    TYPES.iter().flat_map(|&ty| [ty; EACH]).collect()
}

fn types_after<const K: usize>() -> Vec<Ty> {
    SIGNATURES[K].iter().copied().chain(types()).collect()
}

const fn names<const N: usize>(arguments: usize) -> [&'static str; N] {
    // The emitter makes them unlike one another.
    let mut names = ["v"; N];
    let mut at = 0;
    while at < arguments {
        names[at] = ARGUMENTS[at];
        at += 1;
    }
    names
}

const N: usize = TYPES.len() * EACH;

/// Those of a kernel.
pub(super) const LOCALS: Locals = Locals { names: &names::<N>(0), types };

/// Those of functions, by signature; arguments come first.
pub(super) const FUNCTION_LOCALS: [Locals; 4] = [
    Locals { names: &names::<{ N + 2 }>(2), types: types_after::<0> },
    Locals { names: &names::<{ N + 3 }>(3), types: types_after::<1> },
    Locals { names: &names::<{ N + 2 }>(2), types: types_after::<2> },
    Locals { names: &names::<{ N + 3 }>(3), types: types_after::<3> },
];
