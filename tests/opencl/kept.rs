//! Compiled kernels on disk: they are there after a run, and what is damaged is made again.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use flash::prelude::*;
use flash_ocl::{OpenCl, calls};
use flash_rt::Options;
use flash_rt::offload::cache::{Cache, Key};
use flash_tests::opencl;

use crate::{AGAIN, AS_IT_IS, alone, is_again};

#[flash::kernel]
fn triple(x: &mut [u32]) {
    let i = global_id(0);
    x[i] *= 3;
}

macro_rules! with_options {
    ($($name:ident: $options:literal;)*) => {
        $(#[flash::kernel(unsafe(opencl(
            file = "opencl/kernels/saxpy.cl",
            entry = "saxpy",
            options = $options
        )))]
        fn $name(a: f32, x: &[f32], y: &mut [f32]);)*
    };
}

with_options! {
    plain: "";
    defined: "-DFOUR=4";
    defined_otherwise: "-DFOUR=5";
    plain_again: "";
}

/// The files of a folder with their bytes.
fn files(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(dir.join("opencl")) else { return Vec::new() };
    let file = |entry: std::fs::DirEntry| (entry.path(), std::fs::read(entry.path()).unwrap());
    entries.map(|entry| file(entry.unwrap())).collect()
}

/// Devices that keep kernels there.
fn keeping(dir: Option<&Path>) -> Runtime {
    let mut options = Options::default();
    options.cache_dir = dir.map(Path::to_owned);
    Runtime::builder().backend(Arc::new(OpenCl::new(&options))).build().unwrap()
}

/// A run with such devices.
fn run(dir: Option<&Path>) {
    let rt = keeping(dir);
    let mut x = Buffer::from(vec![5_u32; 10]);
    rt.submit(triple(&mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [15; 10]);
}

/// A file like this one with another program in it: its length and a sum over it fit.
fn whole(like: &[u8], program: &[u8]) -> Vec<u8> {
    let sum = program.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let len = program.len() as u64;
    [&like[..24], &len.to_le_bytes(), &sum.to_le_bytes(), program].concat()
}

#[test]
fn what_is_kept_and_what_is_damaged() {
    if opencl().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    run(Some(dir.path()));
    let kept = files(dir.path());
    assert_eq!(kept.len(), 1, "one text was compiled");
    run(Some(dir.path()));
    assert_eq!(files(dir.path()), kept, "it was taken from there");
    for damage in [&b""[..], b"no program", &kept[0].1[..kept[0].1.len() / 2]] {
        std::fs::write(&kept[0].0, damage).unwrap();
        run(Some(dir.path()));
        assert_eq!(files(dir.path()).len(), 1);
        assert!(files(dir.path())[0].1.len() > damage.len(), "it was made again");
    }
    // What is whole, and no program for the driver.
    std::fs::write(&kept[0].0, whole(&kept[0].1, b"of another driver")).unwrap();
    run(Some(dir.path()));
    assert!(!files(dir.path())[0].1.ends_with(b"of another driver"), "it was made again");
    // A folder that cannot be made is as good as none.
    let file = tempfile::NamedTempFile::new().unwrap();
    run(Some(file.path()));
    run(None);
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/facts.cl", args(x, n = x.len(), y))))]
fn smoothed(x: &[u64], #[out] y: &mut [u64]);

/// Also of a text that takes in the file of ours that each process has.
#[test]
fn what_is_kept_is_not_compiled_again() {
    if !alone("kept::what_is_kept_is_not_compiled_again", AS_IT_IS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for is_there in [false, true, true] {
        calls::take();
        run(Some(dir.path()));
        let (x, mut y) = (Buffer::from(vec![5_u64; 10]), Buffer::zeros(10));
        keeping(Some(dir.path())).submit(smoothed(&x, &mut y)).exec([10]).unwrap();
        assert_eq!(y.to_vec().unwrap()[1..9], [15; 8]);
        let counts = calls::take();
        let of = |name| counts.get(name).copied().unwrap_or(0);
        let made = [of("clCreateProgramWithSource"), of("clCreateProgramWithBinary")];
        assert_eq!(made, if is_there { [0, 2] } else { [2, 0] }, "{counts:?}");
        assert_eq!(files(dir.path()).len(), 2);
    }
}

#[test]
fn with_other_options_a_text_is_another_program() {
    if opencl().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let rt = keeping(Some(dir.path()));
    macro_rules! kept {
        ($($kernel:ident: $n:literal;)*) => {$(
            let (x, mut y) = (Buffer::from(vec![2.0_f32; 10]), Buffer::from(vec![1.0_f32; 10]));
            rt.submit($kernel(3.0, &x, &mut y)).exec([10]).unwrap();
            assert_eq!(y.to_vec().unwrap(), [7.0; 10]);
            assert_eq!(files(dir.path()).len(), $n, stringify!($kernel));
        )*};
    }
    kept! {
        plain: 1;
        defined: 2;
        defined_otherwise: 3;
        plain_again: 3;
    }
}

/// What a process of several does, when all are there.
fn beside_others(dir: &Path, number: u8) {
    std::io::stdout().write_all(b"\nready\n").unwrap();
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    // Nobody removes it, so it is there from the first time on, whole and of one of them.
    let (cache, key) = (Cache::new(dir.join("shared")), Key::of(&[b"shared"]));
    for _ in 0..100 {
        cache.put(key, &vec![number; 30_000 * usize::from(number)]);
        let seen = cache.get(key).unwrap();
        assert!(seen.iter().all(|byte| *byte == seen[0]));
        assert_eq!(seen.len(), 30_000 * usize::from(seen[0]));
    }
    for round in 0..6 {
        if round % 3 == 1 {
            // Another one may have done so.
            files(dir).iter().for_each(|(path, _)| drop(std::fs::remove_file(path)));
        }
        run(Some(dir));
    }
}

/// Where the processes of a test keep their programs, and the number of each.
const FOLDER: (&str, &str) = ("OPENCL_TEST_FOLDER", "OPENCL_TEST_NUMBER");

#[test]
fn several_processes_use_a_folder_at_once() {
    if opencl().is_none() {
        return;
    }
    if is_again() {
        let [dir, number] = [FOLDER.0, FOLDER.1].map(|name| std::env::var(name).unwrap());
        return beside_others(Path::new(&dir), number.parse().unwrap());
    }
    let (dir, of_driver) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let start = |number: u8| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "kept::several_processes_use_a_folder_at_once", "--nocapture"]);
        command.env(AGAIN, "1").env(FOLDER.0, dir.path()).env(FOLDER.1, number.to_string());
        // So that a driver that keeps programs too shares nothing.
        command.env("POCL_CACHE_DIR", of_driver.path().join(number.to_string()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut all: Vec<Child> = (1..4).map(start).collect();
    let ready = |child: &mut Child| {
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while line != "ready\n" {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "a process has ended before");
        }
        said
    };
    let said: Vec<_> = all.iter_mut().map(ready).collect();
    all.iter_mut().for_each(|child| drop(child.stdin.take()));
    for (child, mut said) in all.into_iter().zip(said) {
        let mut text = String::new();
        said.read_to_string(&mut text).unwrap();
        let run = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && text.contains("1 passed"), "{text}{errors}");
    }
    let kept = files(dir.path());
    assert_eq!(kept.len(), 1, "one text was compiled, and nothing unfinished is left");
    run(Some(dir.path()));
    assert!(files(dir.path()) == kept, "it was taken from there");
    assert_eq!(std::fs::read_dir(dir.path().join("shared")).unwrap().count(), 1);
}
