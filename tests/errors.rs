//! What a person reads when something goes wrong: where it was, what was found, what is accepted.
//! That nothing is lost is in `soundness/`; files are in `examples/`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use flash::Error;
use flash::prelude::*;

#[flash::kernel(inputs = 1)]
fn quotient(x: &[i32], #[out] y: &mut [i32]) {
    let i = global_id(0);
    y[i] = 840 / x[i];
}

#[flash::kernel(inputs = 2)]
fn lookup(at: &[u32], table: View<'_, f32, 2>, #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = table[[at[i] as usize, 1]];
}

#[flash::kernel]
fn transpose(x: View<'_, f32, 2>, #[out] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = x[[i, j]];
}

#[flash::host_task]
fn refuse(_x: &[i32]) -> std::io::Result<()> {
    Err(std::io::Error::other("the printer is on fire"))
}

#[flash::kernel]
fn brighter(x: &[u8], #[out] y: &mut [u8]) {
    let i = global_id(0);
    let sum = x[i] + 55;
    y[i] = if sum > 200 { 200 } else { sum };
}

/// Where the statement after this one is, as an error names it.
macro_rules! next_line {
    () => {
        format!("{}:{}:", file!(), line!() + 1)
    };
}

fn runtime() -> Runtime {
    Runtime::open("ALL_CPU").unwrap()
}

#[test]
fn an_overflow_names_the_first_item_of_a_line_or_wraps() {
    let rt = runtime();
    for n in [1, 15, 16, 63, 64, 190] {
        for first in (0..n).step_by(7).chain([n - 1]) {
            let mut pixels: Vec<u8> = (0..n).map(|i| (i % 180) as u8).collect();
            (pixels[first], pixels[n - 1]) = (202, 201);
            let mut y = Buffer::zeros(n);
            let done = rt.submit(brighter(&Buffer::from(pixels.clone()), &mut y)).exec([n]);
            if cfg!(debug_assertions) {
                let text = done.unwrap_err().to_string();
                let end = format!("panicked at item [{first}]: attempt to add with overflow");
                assert!(text.ends_with(&end), "{n}: {text}");
            } else {
                done.unwrap();
                let wrapped = pixels.iter().map(|x| x.wrapping_add(55).min(200));
                assert_eq!(y.to_vec().unwrap(), wrapped.collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn a_panic_names_kernel_call_and_item() {
    let rt = runtime();
    let x = Buffer::from(vec![1, 2, 0, 4]);
    let mut y = Buffer::zeros(4);
    let site = next_line!();
    let error = rt.submit(quotient(&x, &mut y)).exec([4]).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with(&format!("kernel `quotient` (called at {site}")), "{text}");
    assert!(text.ends_with("panicked at item [2]: attempt to divide by zero"), "{text}");
    // The team has lost nobody.
    for _ in 0..10 {
        let mut y = Buffer::zeros(100_000);
        let x = Buffer::from(vec![2; 100_000]);
        rt.submit(quotient(&x, &mut y)).exec([100_000]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [420; 100_000]);
    }
}

#[test]
fn an_index_outside_names_item_parameter_index_and_shape() {
    let rt = runtime();
    let table = Buffer::from_shape([3, 2], vec![0.0_f32; 6]).unwrap();
    let at = Buffer::from(vec![2, 0, 5, 7]);
    let mut y = Buffer::zeros(4);
    let site = next_line!();
    let error = rt.submit(lookup(&at, &table, &mut y)).exec([4]).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with(&format!("kernel `lookup` (called at {site}")), "{text}");
    let end = "item [2] used index [5, 1] of `table`, whose shape is [3, 2]";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn a_stage_of_a_pipeline_is_named_where_it_was_written() {
    let rt = runtime();
    let x = Buffer::from_shape([2, 3], vec![1.0; 6]).unwrap();
    let mut y = Buffer::zeros([2, 3]);
    let mut pipeline = rt.pipeline();
    let site = next_line!();
    pipeline.push(transpose(&x, &mut y).over([3, 2]));
    let text = pipeline.exec().unwrap_err().to_string();
    assert!(text.contains(&site) && text.contains("`x`"), "{text}");
}

#[test]
fn the_cause_of_a_failed_host_task_is_its_source() {
    let rt = runtime();
    let x = Buffer::from(vec![1, 2]);
    let mut pipeline = rt.pipeline();
    pipeline.push(refuse(&x));
    let error = pipeline.exec().unwrap_err();
    assert!(error.to_string().starts_with("host task `refuse` (called at "), "{error}");
    let cause = std::error::Error::source(&error).unwrap();
    assert_eq!(cause.to_string(), "the printer is on fire");
}

#[test]
fn lengths_and_shapes() {
    let error = Buffer::from_shape([2, 3], vec![0_u8; 5]).unwrap_err();
    assert!(
        matches!(&error, Error::Shape { expected, found, .. }
        if expected[..] == [2, 3] && found[..] == [5]),
        "{error}"
    );
    let x = Buffer::from(vec![0_u8; 6]);
    let error = x.reshape([4, 2]).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    let error = x.get(6).unwrap_err();
    assert!(matches!(error, Error::Range { index: 6, len: 6, .. }), "{error}");
    let error = x.read(4..9).map(drop).unwrap_err();
    assert!(matches!(error, Error::Range { index: 9, len: 6, .. }), "{error}");
    assert!(error.to_string().ends_with("9 is outside 0..6"), "{error}");
}

#[test]
fn a_view_that_is_too_large_is_reported_where_it_is_used() {
    let rt = runtime();
    let x = Buffer::from(vec![1, 2, 3, 4]);
    let mut y = Buffer::zeros(4);
    let part = x.view(2..6);
    let error = rt.submit(quotient(&part, &mut y)).exec([4]).unwrap_err();
    assert!(matches!(error, Error::Range { index: 6, len: 4, .. }), "{error}");
    assert_eq!(y.to_vec().unwrap(), [0; 4]);
}

#[test]
fn an_array_larger_than_any_memory() {
    let error = Buffer::<u64, 2>::zeros([1 << 40, 1 << 40]).to_vec().unwrap_err();
    assert!(matches!(error, Error::TooLarge { what: "array", .. }), "{error}");
    let rt = runtime();
    let huge = Buffer::<i32>::zeros(1 << 50);
    let mut y = Buffer::zeros(4);
    let error = rt.submit(quotient(&huge, &mut y)).exec([4]).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { param: Some("x"), .. }), "{error}");
    let text = error.to_string();
    let expected =
        "`host` has no room for 4503599627370496 bytes for `x` (node 0, `quotient`, called at ";
    assert!(text.starts_with(expected) && text.contains("; use smaller arrays, or "), "{text}");
}

#[test]
fn a_device_that_is_not_there() {
    let error = Runtime::open("QUANTUM").unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("no device answers to `QUANTUM`; there are: "), "{text}");
    assert!(text.contains("ALL_CPU (") && text.contains("SIM ("), "{text}");
    let error = Runtime::open("ALL_ACCEL").unwrap_err();
    assert!(matches!(error, Error::NoDevice { .. }), "{error}");
}

#[test]
fn options_that_make_no_sense() {
    let error = Runtime::builder().threads(0).build().unwrap_err();
    assert_eq!(error.to_string(), "threads=0: expected 1 to 4096");
    // A limit that nothing could hold to.
    let error = Runtime::builder().devices("ALL_CPU").memory_limit(1 << 20).build().unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, Error::Option { option: "memory_limit", .. }), "{text}");
    assert!(text.contains("memory of its own") && text.contains("leave the limit out"), "{text}");
}

#[test]
fn every_error_can_be_kept_and_shared() {
    fn shared<T: Clone + Send + Sync + std::error::Error + 'static>(_: &T) {}
    let error = Runtime::open("QUANTUM").unwrap_err();
    shared(&error);
    assert_eq!(error.clone().to_string(), error.to_string());
}

/// Kernels in C that are wrong in one way each.
mod library {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::*;

    #[flash::kernel(inputs = 1, unsafe(cpu(path = "out/no-such-library.so")))]
    fn nowhere(x: &[f32], #[out] y: &mut [f32]);

    #[flash::kernel(inputs = 1, unsafe(cpu(path = "out/no-such-library.so")))]
    fn corrupt(x: &[f32], #[out] y: &mut [f32]);

    #[flash::kernel(inputs = 1, unsafe(cpu(path = "out/no-such-library.so")))]
    fn unversioned(x: &[f32], #[out] y: &mut [f32]);

    #[flash::kernel(inputs = 1, unsafe(cpu(path = "out/no-such-library.so")))]
    fn misspelt(x: &[f32], #[out] y: &mut [f32]);

    #[flash::kernel(inputs = 1, unsafe(cpu(path = "out/no-such-library.so")))]
    fn wrong_type(x: &[f32], #[out] y: &mut [f32]);

    #[flash::kernel(inputs = 1, unsafe(cpu(path = "out/no-such-library.so")))]
    fn right(x: &[f32], #[out] y: &mut [f32]);

    fn build(folder: &Path, source: &str) -> PathBuf {
        std::fs::write(folder.join("flash.h"), flash::cpu::HEADER).unwrap();
        std::fs::write(folder.join("kernel.c"), source).unwrap();
        let library = folder.join("kernel.so");
        let output = Command::new("cc")
            .args(["-shared", "-fPIC", "-Wall", "-Werror", "-I"])
            .arg(folder)
            .arg(folder.join("kernel.c"))
            .arg("-o")
            .arg(&library)
            .output()
            .expect("Rust links with a C compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        library
    }

    type Constructor = fn(&Buffer<f32>, &mut Buffer<f32>) -> flash::Call<'static, 1>;

    /// What a launch says whose kernel comes from this library.
    fn why(kernel: &str, constructor: Constructor, library: &Path) -> String {
        // SAFETY: the libraries of this module have no initialisers and, where they are callable at
        // all, the parameters of the declaration.
        unsafe {
            flash::cpu::register(kernel, library, "kernel");
        }
        let rt = runtime();
        let x = Buffer::from(vec![1.0, 2.0]);
        let mut y = Buffer::from(vec![7.0, 7.0]);
        let error = rt.submit(constructor(&x, &mut y)).exec([2]).unwrap_err();
        assert_eq!(y.to_vec().unwrap(), [7.0, 7.0], "nothing ran");
        let Error::Library { kernel: named, device, at, path, why } = &error else {
            panic!("{error:?}")
        };
        assert_eq!((named.as_str(), device.as_deref()), (kernel, Some(rt.devices()[0].name())));
        let at = at.as_ref().expect("it was to be launched");
        assert_eq!((at.node, at.stage, at.site.file()), (Some(0), kernel, file!()));
        assert_eq!(Path::new(path), library);
        why.clone()
    }

    const BODY: &str = "{ for (uint64_t i = block->lo[0]; i < block->hi[0]; i++) \
        FLASH_POINTER(1, float)[i] = 2 * FLASH_POINTER(0, const float)[i]; (void)n_args; }\n";

    #[test]
    fn a_library_that_is_not_there() {
        let path = Path::new("out/no/such/library.so");
        let why = why("nowhere", |x, y| nowhere(x, y), path);
        assert!(why.starts_with("there is no such file"), "{why}");
    }

    #[test]
    fn a_library_that_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrupt.so");
        std::fs::write(&path, b"\x7fELF and then nothing that makes sense").unwrap();
        let why = why("corrupt", |x, y| corrupt(x, y), &path);
        assert!(why.starts_with("it is not a library of this system: "), "{why}");
    }

    #[test]
    fn a_library_without_a_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = build(folder.path(), "int kernel(void) { return 1; }\n");
        let why = why("unversioned", |x, y| unversioned(x, y), &path);
        assert!(why.contains("`flash_abi_version`") && why.contains("FLASH_MODULE"), "{why}");
    }

    #[test]
    fn a_library_without_the_symbol() {
        let folder = tempfile::tempdir().unwrap();
        let source = format!(
            "#include \"flash.h\"\nFLASH_MODULE\nFLASH_KERNEL(colonel, \"in f32[1], out f32[1]\") {BODY}"
        );
        let path = build(folder.path(), &source);
        let why = why("misspelt", |x, y| misspelt(x, y), &path);
        assert!(why.starts_with("it has no symbol `kernel`"), "{why}");
        assert!(why.contains("FLASH_KERNEL(kernel, \"in f32[1], out f32[1]\")"), "{why}");
    }

    #[test]
    fn a_library_with_other_types() {
        let folder = tempfile::tempdir().unwrap();
        let source = format!(
            "#include \"flash.h\"\nFLASH_MODULE\nFLASH_KERNEL(kernel, \"in f64[1], out f32[1]\") {BODY}"
        );
        let path = build(folder.path(), &source);
        let why = why("wrong_type", |x, y| wrong_type(x, y), &path);
        let expected = "its parameter `x` is `in f64[1]`, and the kernel declares `in f32[1]`";
        assert_eq!(why, expected);
    }

    #[test]
    fn a_library_that_fits() {
        let folder = tempfile::tempdir().unwrap();
        let source = format!(
            "#include \"flash.h\"\nFLASH_MODULE\nFLASH_KERNEL(kernel, \"in f32[1], out f32[1]\") {BODY}"
        );
        let path = build(folder.path(), &source);
        // SAFETY: `BODY` writes the items of its block and nothing else.
        unsafe {
            flash::cpu::register("right", &path, "kernel");
        }
        let rt = runtime();
        let x = Buffer::from((0..1000).map(|k| k as f32).collect::<Vec<_>>());
        let mut y = Buffer::zeros(1000);
        rt.submit(right(&x, &mut y)).exec([1000]).unwrap();
        assert!(y.to_vec().unwrap().iter().zip(0..).all(|(&y, k)| y == 2.0 * k as f32));
    }

    #[test]
    fn a_device_that_cannot_run_it() {
        let rt = Runtime::open("SIM").unwrap();
        let x = Buffer::from(vec![1.0]);
        let mut y = Buffer::zeros(1);
        let error = rt.submit(nowhere(&x, &mut y)).exec([1]).unwrap_err();
        assert!(matches!(error, Error::NoImplementation { kernel: "nowhere", .. }), "{error:?}");
    }
}
