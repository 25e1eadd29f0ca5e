//! `flash run-kernel`: what a kernel computes, and what is said of one that cannot be.

use std::path::Path;
use std::process::Command;

use super::{Said, flash, has_opencl, left_out};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/kernels.cl");

/// Runs a kernel of [`FILE`], with compiled kernels in a folder that is removed.
fn run(args: &[&str]) -> Said {
    let cache = tempfile::tempdir().unwrap();
    let args: Vec<&str> = ["run-kernel", FILE].iter().chain(args).copied().collect();
    flash(&args, &[("FLASH_CACHE_DIR", cache.path())])
}

const SAXPY: [&str; 10] = [
    "--kernel",
    "saxpy",
    "--space",
    "1024",
    "--arg",
    "a=f32:2.0",
    "--arg",
    "x=f32[1024]:iota",
    "--arg",
    "io:y=f32[1024]:ones",
];

/// The same with one of its arguments as another.
fn saxpy_with(known: &str, other: &'static str) -> Said {
    run(&SAXPY.map(|arg| if arg == known { other } else { arg }))
}

#[track_caller]
fn assert_is(said: &Said, code: i32, hints: &[&str]) {
    assert_eq!(said.code, Some(code), "{said:?}");
    let text = if code == 0 { &said.out } else { &said.err };
    for hint in hints {
        assert!(text.contains(hint), "no {hint:?} in:\n{text}");
    }
}

#[test]
fn saxpy_gives_what_it_should() {
    if !has_opencl() {
        return;
    }
    let said = run(&SAXPY);
    // Of each launch, not of all: the array is as it was before each.
    let expected = ["f32[1024]: 1 3 5 7 9 11 13 15 ..", "sum 1048576", "of 5 launches", " GB/s"];
    assert_is(&said, 0, &expected);
    assert!(
        said.out.starts_with("`saxpy` of ") && said.out.contains(" on OPENCL:0, "),
        "{}",
        said.out
    );
    let once: Vec<&str> = SAXPY.into_iter().chain(["--repeat", "1", "--block", "64"]).collect();
    assert_is(&run(&once), 0, &["1024 in work-groups of 64", "sum 1048576", "of 1 launch"]);
}

#[test]
fn devices_of_a_key_have_numbers() {
    if !has_opencl() {
        return;
    }
    let two = [("POCL_DEVICES", Path::new("pthread pthread"))];
    if !flash(&["devices"], &two).out.contains("OPENCL:1") {
        return left_out("pocl", "PoCL that makes two devices of the processor");
    }
    let args = ["run-kernel", FILE, "--device", "OPENCL:1"];
    let said = flash(&[&args[..], &SAXPY].concat(), &two);
    assert_is(&said, 0, &[" on OPENCL:1, ", "sum 1048576"]);
    let last: &[&str] = &["--device", "OPENCL:2"];
    let said = flash(&[&["run-kernel", FILE], last, &SAXPY].concat(), &two);
    assert_is(&said, 2, &["2 devices"]);
}

#[test]
fn arrays_come_from_files_and_go_there() {
    if !has_opencl() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("x.bin"), dir.path().join("y.bin"));
    let bytes: Vec<u8> = (0..100_i32).flat_map(|n| (n - 50).to_le_bytes()).collect();
    std::fs::write(&from, &bytes).unwrap();
    let x = format!("x=i32[100]:@{}", from.display());
    let args = ["--kernel", "scaled", "--space", "100", "--arg", &x, "--arg", "out:y=i32[100]"];
    let more = ["--options", "-DN=-3", "--out", to.to_str().unwrap()];
    let all: Vec<&str> = args.into_iter().chain(more).collect();
    assert_is(&run(&all), 0, &["i32[100]: 150 147 144", "sum 150", "400 bytes in "]);
    let expected: Vec<u8> = (0..100_i32).flat_map(|n| (-3 * (n - 50)).to_le_bytes()).collect();
    assert_eq!(std::fs::read(&to).unwrap(), expected);
}

#[test]
fn spaces_and_arrays_have_dimensions() {
    if !has_opencl() {
        return;
    }
    let args = ["--kernel", "transpose", "--space", "3,2", "--arg", "x=u32[3,2]:iota"];
    let more = ["--arg", "out:out=u32[2,3]", "--arg", "n=u64:3", "--arg", "m=u64:2"];
    let all: Vec<&str> = args.into_iter().chain(more).collect();
    assert_is(&run(&all), 0, &["3 x 2", "u32[2,3]: 0 2 4 1 3 5"]);
}

#[test]
fn what_is_wrong_with_a_kernel_the_library_says() {
    if !has_opencl() {
        return;
    }
    assert_is(&saxpy_with("saxpy", "saxpi"), 1, &["it has no kernel `saxpi`", "transpose"]);
    let said = saxpy_with("x=f32[1024]:iota", "x=i32[1024]:iota");
    assert_is(&said, 1, &["argument 1 (`x`)", "an array of `int`", "a pointer to `float`"]);
    let said = saxpy_with("a=f32:2.0", "a=f64:2.0");
    assert_is(&said, 1, &["argument 0 (`a`)", "`double`", "`float`"]);
    let said = saxpy_with("x=f32[1024]:iota", "io:x=f32[1024]:iota");
    assert_is(&said, 1, &["`const float`", "an argument without `io:` or `out:`"]);
    let said = run(&SAXPY[..8]);
    assert_is(&said, 1, &["takes 3 arguments", "gives 2", "an argument is an `--arg`"]);
    let odd: Vec<&str> = SAXPY.into_iter().chain(["--block", "100"]).collect();
    assert_is(&run(&odd), 1, &["1024 items", "here that is `--guarded`"]);
    assert!(!run(&odd).err.contains("flash-cli/src"), "no place in this program");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    if !has_opencl() {
        return;
    }
    let args = ["run-kernel", "nowhere/k.cl", "--kernel", "k", "--space", "1"];
    assert_is(&flash(&args, &[]), 1, &["nowhere/k.cl", "cannot be read", "working directory"]);
}

#[test]
fn without_a_device_the_doctor_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let args = ["run-kernel", FILE, "--kernel", "saxpy", "--space", "1"];
    let said = flash(&args, &[("OCL_ICD_VENDORS", empty.path())]);
    assert_is(&said, 1, &["no device answers to `OPENCL`", "`flash doctor` says"]);
}

#[test]
fn a_call_that_makes_no_sense_is_exit_code_2() {
    for (known, other, hints) in [
        ("a=f32:2.0", "a", &["there is no `=`", "`a=f32:2.0`"][..]),
        ("a=f32:2.0", "a=float:2.0", &["`float` is no type", "f32x4"]),
        ("a=f32:2.0", "a=f32:two", &["`two` is no number of type f32"]),
        ("a=f32:2.0", "x=f32:2.0", &["two arguments are called `x`"]),
        ("x=f32[1024]:iota", "x=f32[1024]", &["add `:random`"]),
        ("x=f32[1024]:iota", "x=f32[1024]:twos", &["`twos` is none of"]),
        ("x=f32[1024]:iota", "out:x=f32[1024]:iota", &["write `io:`"]),
        ("1024", "0", &["--space 0", "`640,480`"]),
        ("1024", "1,2,3,4", &["1 to 3 numbers"]),
    ] {
        assert_is(&saxpy_with(known, other), 2, hints);
    }
    let with = |more: &[&'static str]| run(&[&SAXPY[..], more].concat());
    assert_is(&with(&["--repeat", "0"]), 2, &["--repeat"]);
    assert_is(&with(&["--out", "z=z.bin"]), 2, &["no written array is called `z`", "y"]);
    assert_is(&with(&["--device", "ALL_CPU:x"]), 2, &["`OPENCL:1`"]);
    assert_is(&with(&["--device", "ALL"]), 2, &["several kinds", "`flash devices`"]);
    assert_is(&with(&["--device", "ALL_CPU:7"]), 2, &["1 device", "`flash devices`"]);
    let text = ["run-kernel", "kernel.txt", "--kernel", "k", "--space", "1"];
    assert_is(&flash(&text, &[]), 2, &["kernel.txt", "`.cl` (OpenCL C)"]);
    let cuda = ["run-kernel", "kernel.cu", "--kernel", "k", "--space", "1"];
    // Or the file is missed, where there is a GPU.
    assert_is(&flash(&cuda, &[]), 1, &[]);
}

#[test]
fn files_of_other_lengths_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.bin");
    std::fs::write(&file, [0; 10]).unwrap();
    let x = format!("x=i32[100]:@{}", file.display());
    let args = ["--kernel", "scaled", "--space", "100", "--arg", &x, "--arg", "out:y=i32[100]"];
    assert_is(&run(&args), 2, &["has 10 bytes, and 100 elements of i32 are 400"]);
}

#[test]
fn an_array_that_there_is_no_memory_for_is_an_error() {
    if !has_opencl() {
        return;
    }
    // Some systems promise any process more than they have.
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 16777216; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_flash")]);
    limited.args(["run-kernel", FILE]);
    limited.args(
        SAXPY.map(|arg| if arg == "x=f32[1024]:iota" { "x=f32[200000000000]:zeros" } else { arg }),
    );
    let said = limited.output().expect("it starts");
    let text = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(1), "{:?}, {text}", said.status);
    assert!(text.contains("--arg x: there is no memory for 800000000000 bytes"), "{text}");
}

/// A shared library of a text in C, or nothing where there is no compiler.
fn library(folder: &Path, text: &str) -> Option<String> {
    let (header, source) = (folder.join("flash.h"), folder.join("kernel.c"));
    std::fs::write(header, flash::cpu::HEADER).unwrap();
    std::fs::write(&source, text).unwrap();
    let library = folder.join("libkernel.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(&source)
        .status();
    match built {
        Ok(status) if status.success() => Some(library.to_string_lossy().into_owned()),
        Ok(status) => panic!("cc: {status}"),
        Err(_) => {
            left_out("cc", "C compiler");
            None
        }
    }
}

#[test]
fn a_shared_library_runs_on_the_processor() {
    let dir = tempfile::tempdir().unwrap();
    let text = "#include \"flash.h\"\n\
                FLASH_MODULE\n\
                FLASH_KERNEL(scaled, \"value i64, in i64[1], out i64[1]\") {\n\
                    (void)n_args;\n\
                    FLASH_ITEMS {\n\
                        FLASH_POINTER(2, int64_t)[global_id(0)] =\n\
                            FLASH_VALUE(0, int64_t) * FLASH_POINTER(1, const int64_t)[global_id(0)];\n\
                    }\n\
                }\n";
    let Some(library) = library(dir.path(), text) else { return };
    let run = |a, x| {
        let args = ["run-kernel", &library, "--kernel", "scaled", "--space", "10", "--arg", a];
        let more = ["--arg", x, "--arg", "out:y=i64[10]"];
        flash(&args.into_iter().chain(more).collect::<Vec<_>>(), &[])
    };
    assert_is(&run("a=i64:-7", "x=i64[10]:iota"), 0, &["ALL_CPU:0", "0 -7 -14", "sum -315"]);
    let said = run("a=i32:-7", "x=i64[10]:iota");
    assert_is(&said, 1, &["its parameter `a` is `value i64`, and the kernel declares `value i32`"]);
    assert_is(&run("a=i64:1", "x=i64[5,2]:iota"), 1, &["`in i64[1]`", "`in i64[2]`"]);
}
