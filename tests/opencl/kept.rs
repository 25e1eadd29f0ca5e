//! Compiled kernels on disk: they are there after a run, and what is damaged is made again.

use std::path::Path;
use std::sync::Arc;

use flash::prelude::*;
use flash_ocl::OpenCl;
use flash_rt::Options;
use flash_tests::opencl;

#[flash::kernel]
fn triple(x: &mut [u32]) {
    let i = global_id(0);
    x[i] *= 3;
}

/// The files of a folder with their bytes.
fn files(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(dir.join("opencl")) else { return Vec::new() };
    let file = |entry: std::fs::DirEntry| (entry.path(), std::fs::read(entry.path()).unwrap());
    entries.map(|entry| file(entry.unwrap())).collect()
}

/// A run with devices that keep kernels there.
fn run(dir: Option<&Path>) {
    let mut options = Options::default();
    options.cache_dir = dir.map(Path::to_owned);
    let rt = Runtime::builder().backend(Arc::new(OpenCl::new(&options))).build().unwrap();
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
