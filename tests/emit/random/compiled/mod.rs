//! Drawn bodies on the CPU: they are written as Rust, rustc compiles many of them at once, and the CPU backend
//! launches them as what it is given for a kernel. What `#[flash::kernel]` makes of a body so that its items run
//! side by side is asked in `tests/random_bodies.rs`, as each of those takes rustc a second.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

mod host;
mod text;

use std::ops::Range;
use std::process::Command;
use std::sync::Mutex;

use flash::prelude::*;
use flash_ir::interp::{FaultKind, Program};
use flash_ir::ir::{KernelIr, Param, ParamKind};
use flash_ir::{ScalarTy, Ty};
use flash_rt::KernelDescriptor;

use self::host::{Bodies, Body};
use self::text::Texts;
use super::draw::{all, keep};
use super::kernel::{self, Drawn};
use super::runtime::{Wanted, declared, descriptor};
use super::{CASES, OPTIMISED, THREADS, TOGETHER, found};

/// The CPU keeps 40 bits of an index of one dimension.
const MOST: isize = 1 << 39;

/// The same with cells of `i64` for those of `isize`, which Rust has and the language has not.
fn with_cells(drawn: &Drawn) -> Drawn {
    let ty = |param: &Param| match (param.kind, param.ty) {
        (ParamKind::Atomic, Ty::Scalar(ScalarTy::Isize)) => Ty::Scalar(ScalarTy::I64),
        (_, ty) => ty,
    };
    let params = drawn.ir.params.iter().map(|param| Param { ty: ty(param), ..*param });
    Drawn { ir: keep(KernelIr { params: all(params.collect()), ..*drawn.ir }), ..drawn.clone() }
}

/// What rustc makes of a text.
fn compiled(text: &str, optimised: bool) -> Bodies {
    let folder = tempfile::tempdir().expect("there is room");
    let (source, library) = (folder.path().join("drawn.rs"), folder.path().join("libdrawn.so"));
    std::fs::write(&source, text).expect("there is room");
    let run = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=cdylib", "--crate-name=drawn"])
        // As integers wrap in release builds, whose meaning that of the IR is.
        .args(["-Coverflow-checks=off", "-Cdebug-assertions=off", "-Cdebuginfo=0"])
        .arg(format!("-Copt-level={}", u8::from(optimised)))
        .arg("-o")
        .args([&library, &source])
        .output()
        .expect("rustc starts");
    let log = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "rustc does not take a drawn body:\n{log}");
    Bodies::open(&library)
}

/// Where the CPU differs from the interpreter about a body, if it does.
fn difference(
    thread: usize,
    rt: &Runtime,
    ir: &'static KernelIr,
    body: Body<'_>,
) -> Option<String> {
    let drawn = body.drawn;
    let entries = Some(host::entries(thread));
    let kernel: &KernelDescriptor = keep(KernelDescriptor { entries, ..*descriptor(drawn) });
    // Rust does not fuse what is written apart.
    let program = Program::strict(ir).expect("it has types");
    let mut wanted = Wanted::new(drawn, &program);
    if let Some(violation) = &mut wanted.notes.violation
        && let ([index, ..], [_]) =
            (&mut violation.index, &*drawn.shapes[usize::from(violation.param)])
    {
        *index = index.cast_signed().clamp(-MOST, MOST - 1).cast_unsigned();
    }
    // `x[i].at[j]`: Rust asks whether `i` is inside and then ends at `j`; elsewhere nothing is asked of an item
    // that ends.
    let fault = wanted.notes.fault.filter(|fault| fault.what == FaultKind::Index);
    wanted.excused = fault.map(|fault| fault.item);
    host::set(thread, body, || wanted.difference(("the CPU", rt), kernel))
}

/// Draws, compiles and runs the kernels of some seeds.
fn differences(thread: usize, rt: &Runtime, seeds: Range<u64>) -> Vec<String> {
    let optimised = (seeds.start / TOGETHER).is_multiple_of(OPTIMISED);
    let all: Vec<Drawn> = seeds.map(|seed| declared(kernel::kernel(seed))).collect();
    let mut texts = Texts::new();
    all.iter().for_each(|drawn| texts.push(drawn.ir));
    let bodies = compiled(&texts.finish(), optimised);
    let all = all.iter().enumerate();
    all.filter_map(|(number, drawn)| {
        let body = Body { drawn: keep(with_cells(drawn)), bodies: &bodies, number };
        difference(thread, rt, drawn.ir, body)
    })
    .collect()
}

#[test]
fn random_bodies_mean_on_the_cpu_what_the_interpreter_says() {
    if Command::new("rustc").arg("--version").output().is_err() {
        assert!(!flash_tests::required("rustc"), "there is no rustc");
        eprintln!("left out: there is no rustc");
        return;
    }
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let threads = Mutex::new(0..THREADS as usize);
    let thread = || threads.lock().unwrap().next().expect("one number for each thread");
    found(CASES, thread, |thread, seeds| differences(*thread, &rt, seeds));
}
