//! Every way a video file can be wrong is its own error, and the frames before it are whole.

use std::io::BufReader;

use super::*;

fn frame(header: &Header, seed: usize) -> Frame {
    let mut frame = Frame::zeros(header);
    for (k, plane) in frame.planes_mut().into_iter().enumerate() {
        for (i, byte) in plane.iter_mut().enumerate() {
            *byte = (seed + 31 * k + 7 * i) as u8;
        }
    }
    frame
}

fn file(header: &Header, n: usize) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), header.clone()).expect("a header fits");
    for seed in 0..n {
        writer.write_planes(frame(header, seed).planes()).expect("memory does not fill up");
    }
    writer.finish().expect("memory does not fill up")
}

fn header_error(text: &str) -> Y4mError {
    Reader::new(text.as_bytes()).expect_err("malformed")
}

#[test]
fn what_is_written_is_read_again() {
    let header = Header::new(6, 4);
    let bytes = file(&header, 3);
    let mut reader = Reader::new(&bytes[..]).expect("valid");
    assert_eq!(reader.header(), &header);
    let frames = reader.read_frames(usize::MAX).expect("valid");
    assert_eq!(frames, [0, 1, 2].map(|seed| frame(&header, seed)));
    assert_eq!(reader.read_frame().expect("the end is not an error"), None);
}

#[test]
fn the_clip_is_read_whole() {
    let mut reader = Reader::open(&crate::assets::video()).expect("it is in the repository");
    assert_eq!((reader.header().width, reader.header().height), (320, 180));
    assert_eq!(reader.read_frames(1000).expect("valid").len(), 48);
}

#[test]
fn malformed_headers() {
    for (text, message) in [
        ("", "not a video: the file begins with \"\", expected \"YUV4MPEG2\""),
        (
            "RIFFxxxxAVI ",
            "not a video: the file begins with \"RIFFxxxxAVI \", expected \"YUV4MPEG2\"",
        ),
        ("YUV4MPEG2 H4\n", "the header has no width `W`; `W` and `H` are needed"),
        ("YUV4MPEG2 W4\n", "the header has no height `H`; `W` and `H` are needed"),
        ("YUV4MPEG2 W4x H4\n", "header field \"W4x\": a size is a whole number from 1 to 65536"),
        ("YUV4MPEG2 W0 H4\n", "header field \"W0\": a size is a whole number from 1 to 65536"),
        (
            "YUV4MPEG2 W99999999999999999999 H4\n",
            "header field \"W99999999999999999999\": a size is a whole number from 1 to 65536",
        ),
        ("YUV4MPEG2 W5 H4\n", "5x4 cannot be halved; 4:2:0 video needs an even width and height"),
        (
            "YUV4MPEG2 W4 H4 C444p10\n",
            "colour space \"444p10\" is not read here; convert to 8-bit 4:2:0 (\"C420\")",
        ),
    ] {
        assert_eq!(header_error(text).to_string(), message);
    }
    assert!(matches!(header_error(&"Y".repeat(1 << 20)), Y4mError::NotY4m { .. }));
    assert!(Reader::new(&b"YUV4MPEG2 W4 H4 \xff\xfe C420\n"[..]).is_ok(), "unknown field");
}

#[test]
fn a_truncated_file_keeps_the_frames_before() {
    let header = Header::new(6, 4);
    let bytes = file(&header, 3);
    let marker_and_frame = 6 + header.frame_len();
    for missing in 1..marker_and_frame - 6 {
        let mut reader = Reader::new(&bytes[..bytes.len() - missing]).expect("valid header");
        let first = [reader.read_frame(), reader.read_frame()];
        assert!(first.iter().all(|frame| matches!(frame, Ok(Some(_)))), "missing {missing}");
        match reader.read_frame() {
            Err(Y4mError::Truncated { frame: 2, found, expected }) => {
                assert_eq!((found + missing, expected), (header.frame_len(), header.frame_len()));
            }
            other => panic!("missing {missing}: {other:?}"),
        }
    }
}

#[test]
fn a_damaged_marker_is_named_with_its_frame() {
    let header = Header::new(6, 4);
    let mut bytes = file(&header, 2);
    let second = bytes.len() - header.frame_len() - 6;
    bytes[second] = b'G';
    let mut reader = Reader::new(&bytes[..]).expect("valid header");
    reader.read_frame().expect("the first frame is whole");
    let error = reader.read_frame().expect_err("damaged");
    assert_eq!(error.to_string(), "frame 1 begins with \"GRAME\", expected \"FRAME\"");
}

#[test]
fn planes_of_the_wrong_size_touch_nothing() {
    let header = Header::new(6, 4);
    let bytes = file(&header, 1);
    let mut reader = Reader::new(&bytes[..]).expect("valid");
    let (mut y, mut u, mut v) = ([0; 24], [0; 5], [0; 6]);
    let error = reader.read_planes([&mut y, &mut u, &mut v]).expect_err("u is short");
    assert!(matches!(error, Y4mError::PlaneSize { found: 5, expected: 6 }));
    assert_eq!(reader.read_frame().expect("valid"), Some(frame(&header, 0)));
}

#[test]
fn a_missing_file_is_named() {
    let error = Reader::open("no/such/clip.y4m".as_ref()).expect_err("missing");
    assert_eq!(error.to_string(), "cannot open no/such/clip.y4m");
    assert!(std::error::Error::source(&error).is_some());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_the_frame_or_the_end() {
    let header = Header::new(64, 48);
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("always there");
    let header_fails = Writer::new(full(), header.clone()).expect_err("no room");
    assert_eq!(header_fails.to_string(), "cannot write the header");

    let small = Header::new(4, 4);
    let mut writer =
        Writer::new(std::io::BufWriter::new(full()), small.clone()).expect("still buffered");
    writer.write_planes(frame(&small, 0).planes()).expect("still buffered");
    let error = writer.finish().expect_err("no room");
    assert_eq!(error.to_string(), "cannot write the end of the file");

    let buffered = std::io::BufWriter::with_capacity(5000, full());
    let mut writer = Writer::new(buffered, header.clone()).expect("still buffered");
    writer.write_planes(frame(&header, 0).planes()).expect("still buffered");
    let error = writer.write_planes(frame(&header, 1).planes()).expect_err("no room");
    assert_eq!(error.to_string(), "cannot write frame 1");
    let Y4mError::Write { source, .. } = error else { panic!("{error:?}") };
    assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn mutated_files_never_panic() {
    let header = Header::new(6, 4);
    let bytes = file(&header, 2);
    let mut random = crate::SplitMix64::new(crate::SplitMix64::fresh_seed());
    for _ in 0..5_000 {
        let mut mutated = bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(mutated.len());
            match random.below(3) {
                0 => mutated[at] = random.bits() as u8,
                1 => mutated.truncate(at + 1),
                _ => mutated.insert(at, random.bits() as u8),
            }
        }
        if let Ok(mut reader) = Reader::new(BufReader::new(&mutated[..])) {
            let small = reader.header().frame_len() < 1 << 16;
            // Whatever it gives, it comes back.
            let _ = small.then(|| reader.read_frames(4));
        }
    }
}
