//! Binaries of a device: one that is whole runs, one that is not is refused, and the CPU runs the body.

use std::sync::Arc;

use flash::Error;
use flash::prelude::*;
use flash_ocl::OpenCl;
use flash_rt::Options;
use flash_tests::opencl;

use crate::{again, in_turn, is_again};

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(unsafe(opencl(path = "saxpy.bin", entry = "saxpy")))]
fn from_binary(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(unsafe(opencl(path = "saxpy.bin", entry = "saxpy")))]
fn or_body(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

/// Where the device's own binary begins in a file of the kernel cache.
const HEADER: usize = 40;

/// The binary of `saxpy.cl`, as the driver has made it.
fn binary() -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    options.cache_dir = Some(dir.path().to_owned());
    let rt = Runtime::builder().backend(Arc::new(OpenCl::new(&options))).build().unwrap();
    let (x, mut y) = (Buffer::from(vec![2.0_f32; 10]), Buffer::from(vec![1.0_f32; 10]));
    rt.submit(saxpy(3.0, &x, &mut y).pin(0)).exec([10]).unwrap();
    let file = std::fs::read_dir(dir.path().join("opencl")).unwrap().next().unwrap().unwrap();
    std::fs::read(file.path()).unwrap().split_off(HEADER)
}

#[test]
fn what_is_not_whole_is_refused() {
    if opencl().is_none() {
        return;
    }
    if !is_again() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("whole.bin"), binary()).unwrap();
        return again("damaged::what_is_not_whole_is_refused", &[], Some(folder.path()));
    }
    let whole = std::fs::read("whole.bin").unwrap();
    let x = Buffer::from(vec![2.0_f32; 10]);
    let run = |rt: &Runtime, bytes: &[u8]| {
        std::fs::write("saxpy.bin", bytes).unwrap();
        let mut y = Buffer::from(vec![1.0_f32; 10]);
        let done = rt.submit(from_binary(3.0, &x, &mut y).pin(0)).exec([10]);
        done.map(|_| y.to_vec().unwrap())
    };
    assert_eq!(run(&opencl().unwrap(), &whole).unwrap(), [7.0; 10]);

    // Of PoCL: the number of the device, behind eight bytes that say what it is.
    let mut other = whole.clone();
    other[8..16].iter_mut().for_each(|byte| *byte ^= 0x55);
    let mut magic = whole.clone();
    magic[0] ^= 1;
    let mut long = whole.clone();
    long[77] ^= 0x10;
    // Of these the driver would end the process.
    let n = whole.len();
    let cuts = [0, 1, 7, 8, 12, 16, 30, 76, 80, 90, 200, n / 2, n - 5000, n - 1];
    let cut = cuts.into_iter().map(|len| whole[..len].to_vec());
    let damaged = cut.chain([other, magic, long, [&whole[..], &[7; 9]].concat()]);
    for bytes in damaged {
        // A program is loaded once by each runtime.
        let rt = opencl().unwrap();
        let error = run(&rt, &bytes).unwrap_err();
        let Error::Library { kernel, path, .. } = &error else {
            panic!("{} bytes: {error:?}", bytes.len())
        };
        assert_eq!((kernel.as_str(), path.as_str()), ("from_binary", "saxpy.bin"), "{error}");
        let mut y = Buffer::from(vec![1.0_f32; 10]);
        rt.submit(saxpy(3.0, &x, &mut y)).exec([10]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [7.0; 10]);
        // Where there is a body the CPU runs it.
        let rt = in_turn();
        let mut p = rt.pipeline();
        for _ in 0..rt.devices().len() {
            p.push(or_body(3.0, &x, &mut y).over([10]));
        }
        let report = p.exec().unwrap();
        let [fallback, ..] = report.fallbacks() else { panic!("{report}") };
        assert_eq!(fallback.kernel, "or_body");
        assert!(fallback.error.to_string().contains("saxpy.bin"), "{}", fallback.error);
        drop(p);
        assert_eq!(y.to_vec().unwrap(), vec![7.0 + 6.0 * rt.devices().len() as f32; 10]);
    }
}
