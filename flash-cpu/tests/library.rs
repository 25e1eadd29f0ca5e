//! Kernels from shared libraries: a library compiled here runs, and each way to get it wrong says
//! what would be right. Without a C compiler the tests say so and stop.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use flash_cpu::{CpuBackend, library};
use flash_rt::backend::conformance::kernels::SAXPY;
use flash_rt::descriptor::{Code, Implementation, KernelDescriptor};
use flash_rt::{Arg, Buffer, Call, Error, Options, Result, Runtime};

/// Compiles `source` to a library; `None` where there is no C compiler.
fn compile(folder: &Path, name: &str, source: &str) -> Option<PathBuf> {
    let header = folder.join("flash.h");
    std::fs::write(&header, library::HEADER).expect("the header is written");
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, source).expect("the source is written");
    let library = folder.join(format!("{name}.so"));
    let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let ran = Command::new(cc)
        .args(["-O2", "-shared", "-fPIC", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(&file)
        .output();
    let Ok(output) = ran else {
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"skipped: no C compiler (set CC, or install one as `cc`)\n",
        );
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(library)
}

/// The declaration of saxpy, implemented by a library only.
fn declared(path: &Path, entry: &'static str) -> &'static KernelDescriptor {
    let path: &'static str = Box::leak(path.display().to_string().into_boxed_str());
    let implementation = Implementation::bare("cpu", Code::Path(path), entry);
    let implementations = Box::leak(Box::new([implementation]));
    Box::leak(Box::new(KernelDescriptor { entries: None, implementations, ..copy(&SAXPY) }))
}

/// A descriptor like another one, which is only data.
fn copy(of: &KernelDescriptor) -> KernelDescriptor {
    KernelDescriptor {
        version: of.version,
        name: of.name,
        path: of.path,
        signature: of.signature,
        rank: of.rank,
        params: of.params,
        inputs: of.inputs,
        flags: of.flags,
        order: of.order,
        parts: of.parts,
        search: of.search,
        table: of.table,
        needs: of.needs,
        entries: of.entries,
        ir: of.ir,
        slow: of.slow,
        implementations: of.implementations,
        file: of.file,
        line: of.line,
        column: of.column,
        unoptimised: of.unoptimised,
    }
}

fn run(kernel: &'static KernelDescriptor, n: usize) -> Result<Vec<f32>> {
    let cpu = CpuBackend::new(&Options::default())?;
    let rt: Runtime = Runtime::builder().backend(Arc::new(cpu)).build()?;
    let x = Buffer::from((0..n).map(|i| i as f32).collect::<Vec<_>>());
    let mut y = Buffer::from(vec![1.0_f32; n]);
    let bound =
        [Arg::<f32>::bind(3.0_f32), Arg::<&[f32]>::bind(&x), Arg::<&mut [f32]>::bind(&mut y)];
    rt.submit(Call::<1>::new(kernel, bound)).exec([n])?;
    y.to_vec()
}

/// What is wrong with a library, in the error's words.
fn refused(kernel: &'static KernelDescriptor, path: &Path) -> String {
    match run(kernel, 8) {
        Err(Error::Library { kernel, path: named, why, .. }) => {
            assert_eq!(kernel, "saxpy");
            assert_eq!(named, path.display().to_string());
            why
        }
        other => panic!("expected an error about the library, got {other:?}"),
    }
}

const SAXPY_C: &str = r#"
#include "flash.h"
FLASH_MODULE
FLASH_KERNEL(saxpy, "value f32, in f32[1], io f32[1]") {
    (void)n_args;
    float a = FLASH_VALUE(0, float);
    const float *x = FLASH_POINTER(1, const float);
    float *y = FLASH_POINTER(2, float);
    for (uint64_t i = block->lo[0]; i < block->hi[0]; i++) y[i] = a * x[i] + y[i];
}
FLASH_KERNEL(wrong, "value f32, in f64[1], io f32[1]") { (void)block; (void)args; (void)n_args; }
FLASH_KERNEL(shorter, "value f32, in f32[1]") { (void)block; (void)args; (void)n_args; }
"#;

#[test]
fn a_kernel_of_a_library_runs_declared_and_registered() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(path) = compile(folder.path(), "saxpy", SAXPY_C) else { return };
    for n in [1, 1_000, 100_000] {
        let expected: Vec<_> = (0..n).map(|i| 3.0 * i as f32 + 1.0).collect();
        assert_eq!(run(declared(&path, "saxpy"), n).expect("it runs"), expected);
        // Without an entry it is the kernel's name.
        assert_eq!(run(declared(&path, ""), n).expect("it runs"), expected);
    }
    // A registered one comes first, whatever is declared.
    let kernel: &'static KernelDescriptor = Box::leak(Box::new(KernelDescriptor {
        name: "registered",
        ..copy(declared(Path::new("/nowhere.so"), "saxpy"))
    }));
    // SAFETY: the function has the parameters of the kernel, and keeps the rules of `flash.h`.
    unsafe { library::register("registered", &path, "saxpy") };
    assert_eq!(run(kernel, 4).expect("it runs"), [1.0, 4.0, 7.0, 10.0]);
}

#[test]
fn a_missing_or_corrupt_file_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.so");
    let why = refused(declared(&missing, "saxpy"), &missing);
    assert!(why.contains("no such file") && why.contains("absolute path"), "{why}");

    let corrupt = folder.path().join("corrupt.so");
    std::fs::write(&corrupt, b"\x7fELF and then nothing of the kind").expect("written");
    let why = refused(declared(&corrupt, "saxpy"), &corrupt);
    assert!(why.contains("not a library"), "{why}");
}

#[test]
fn a_wrong_symbol_version_or_signature_says_what_would_be_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(path) = compile(folder.path(), "saxpy", SAXPY_C) else { return };
    let why = refused(declared(&path, "sapxy"), &path);
    assert!(why.contains("no symbol `sapxy`"), "{why}");
    assert!(why.contains("\"value f32, in f32[1], io f32[1]\""), "{why}");

    let why = refused(declared(&path, "wrong"), &path);
    assert!(why.contains("parameter `x` is `in f64[1]`"), "{why}");
    assert!(why.contains("declares `in f32[1]`"), "{why}");
    let why = refused(declared(&path, "shorter"), &path);
    assert!(why.contains("takes 2 parameters") && why.contains("declares 3"), "{why}");

    let plain = "void saxpy(void) {}";
    let path = compile(folder.path(), "plain", plain).expect("compiled before");
    let why = refused(declared(&path, "saxpy"), &path);
    assert!(why.contains("FLASH_MODULE"), "{why}");

    // A module of that version, with a list of kernels as it is now.
    let old = "FLASH_CONSTANT uint32_t flash_abi_version = 7;\n\
               const flash_kernel_entry *flash_kernels = 0;";
    let old = SAXPY_C.replace("FLASH_MODULE", old);
    let path = compile(folder.path(), "old", &old).expect("compiled before");
    let why = refused(declared(&path, "saxpy"), &path);
    assert!(why.contains("version 7") && why.contains("version 2"), "{why}");
}

#[test]
fn the_layouts_of_the_header_are_those_of_this_crate() {
    let folder = tempfile::tempdir().expect("a folder");
    // A kernel that reports what it sees of its arguments, item by item.
    let source = r#"
#include "flash.h"
#include <stddef.h>
FLASH_MODULE
_Static_assert(sizeof(flash_block) == 56 + 3 * 64, "block");
_Static_assert(sizeof(flash_arg) == 8 + 8 + 4 * 32 + 8, "argument");
FLASH_KERNEL(saxpy, "value f32, in f32[1], io f32[1]") {
    const flash_array *x = &args[1].as.array, *y = &args[2].as.array;
    float *out = y->base;
    float seen = n_args == 3 && args[0].kind == FLASH_SCALAR && args[1].kind == FLASH_ARRAY
        && block->rank == 1 && block->size[0] == x->shape[0] && x->held[0] == y->shape[0]
        && x->rank == 1 && x->stride[0] == 1 && x->origin[0] == 0 && block->hi[1] == 1
        ? FLASH_VALUE(0, float) : -1;
    for (uint64_t i = block->lo[0]; i < block->hi[0]; i++) out[i] = seen;
}
"#;
    let Some(path) = compile(folder.path(), "layout", source) else { return };
    assert_eq!(run(declared(&path, "saxpy"), 100).expect("it runs"), vec![3.0; 100]);
}
