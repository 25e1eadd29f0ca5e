//! The self-check of every example at its smallest size, under both policies.

use flash_examples::{Options, Result, Size};

use super::*;
use crate::sobel_video as video;

fn check(key: &str, example: fn(&Runtime, &Options) -> Result) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let options = Options { size: Size::Smoke, out: folder.path().to_owned() };
    for rt in policies(key) {
        succeed(example(&rt, &options));
    }
}

macro_rules! on_every_device {
    ($($example:ident),* $(,)?) => {
        $(mod $example {
            #[test]
            fn cpu() {
                super::check(super::CPU, crate::$example::run);
            }

            #[test]
            fn sim() {
                super::check(super::SIM, crate::$example::run);
            }

            #[test]
            fn opencl() {
                if flash_tests::opencl().is_some() {
                    super::check(super::OPENCL, crate::$example::run);
                }
            }
        })*
    };
}

portable_examples!(on_every_device, cublas);

/// Native code runs where it was compiled for.
#[test]
fn library_kernel_cpu() {
    check(CPU, library_kernel::run);
}

#[test]
fn library_kernel_opencl() {
    if flash_tests::opencl().is_some() {
        check(OPENCL, library_kernel::run);
    }
}

/// A disk that fills up ends a pipeline with a typed error; what was computed before is still there,
/// and the runtime goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_video_and_loses_nothing() {
    use std::sync::Mutex;

    use flash_examples::y4m::{Frame, Header, Reader, Writer, Y4mError};
    use flash_examples::{Progress, assets};
    use video::{Sink, Source};

    let rt = runtime(CPU);
    let mut reader = succeed(Reader::open(&assets::video()));
    let header: Header = reader.header().clone();
    let frames: Vec<Frame> = succeed(reader.read_frames(6));
    let run = |sink: &Mutex<Sink>| {
        let source = Mutex::new(Source::Memory(frames.clone().into_iter()));
        let progress = Progress::new(6, "frames");
        video::filter(&rt, &header, 6, &source, sink, &progress)
    };

    let full =
        Mutex::new(Sink::File(succeed(Writer::create("/dev/full".as_ref(), header.clone()))));
    let error = run(&full).expect_err("the disk is full");
    let flash::Error::HostTask { task: "save", source, .. } = &error else { panic!("{error:?}") };
    let Some(Y4mError::Write { part, source }) = source.downcast_ref::<Y4mError>() else {
        panic!("{error:?}")
    };
    assert!(part.starts_with("frame "), "{part}");
    assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
    drop(full);

    let memory = Mutex::new(Sink::Memory(Vec::new()));
    succeed(run(&memory));
    let Sink::Memory(found) = memory.into_inner().expect("nothing panicked") else {
        panic!("it was memory")
    };
    let expected: Vec<Frame> =
        frames.iter().map(|frame| video::sobel_frame(&header, frame)).collect();
    succeed(video::compare("after the error", &found, &expected));
}

/// A video that ends inside of a frame does so with the number of that frame.
#[test]
fn a_truncated_video_names_the_frame() {
    use std::sync::Mutex;

    use flash_examples::y4m::{Reader, Y4mError};
    use flash_examples::{Progress, assets};
    use video::{Sink, Source};

    let rt = runtime(CPU);
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("cut.y4m");
    let bytes = std::fs::read(assets::video()).expect("it is in the repository");
    let header = succeed(Reader::new(&bytes[..])).header().clone();
    let line = bytes.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    let frame = 6 + header.frame_len();
    std::fs::write(&path, &bytes[..line + 2 * frame + 100]).expect("there is room");

    let source = Mutex::new(Source::File(succeed(Reader::open(&path))));
    let sink = Mutex::new(Sink::Memory(Vec::new()));
    let progress = Progress::new(48, "frames");
    let error = video::filter(&rt, &header, 48, &source, &sink, &progress)
        .expect_err("the file is cut off");
    let flash::Error::HostTask { task: "load", source, .. } = &error else { panic!("{error:?}") };
    match source.downcast_ref::<Y4mError>() {
        Some(Y4mError::Truncated { frame: 2, found: 94, .. }) => {}
        other => panic!("{other:?}"),
    }
    // The frames before it were loaded whole.
    let Sink::Memory(saved) = sink.into_inner().expect("nothing panicked") else {
        panic!("it was memory")
    };
    let mut reader = succeed(Reader::new(&bytes[..]));
    let expected: Vec<_> = succeed(reader.read_frames(saved.len()))
        .iter()
        .map(|frame| video::sobel_frame(&header, frame))
        .collect();
    succeed(video::compare("before the end", &saved, &expected));
}
