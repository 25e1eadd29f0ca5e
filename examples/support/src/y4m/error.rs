//! What can be wrong with a video file. An error names the frame, counted from 0.

use std::io;
use std::path::PathBuf;

/// A video that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Y4mError {
    /// The file cannot be opened or made.
    #[error("cannot open {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// Reading failed.
    #[error("cannot read {part}")]
    Read {
        /// `the header`, `frame 3`.
        part: String,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// Writing failed; the frames before are in the file.
    #[error("cannot write {part}")]
    Write {
        /// `the header`, `frame 3`, `the end of the file`.
        part: String,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// The file is something else.
    #[error("not a video: the file begins with {found:?}, expected \"YUV4MPEG2\"")]
    NotY4m {
        /// What it begins with.
        found: String,
    },
    /// A field of the header makes no sense.
    #[error("header field {field:?}: {why}")]
    Header {
        /// The field as written.
        field: String,
        /// What is accepted.
        why: &'static str,
    },
    /// The header lacks a field.
    #[error("the header has no {field}; `W` and `H` are needed")]
    Missing {
        /// `width W` or `height H`.
        field: &'static str,
    },
    /// Planes of another layout or depth.
    #[error("colour space {found:?} is not read here; convert to 8-bit 4:2:0 (\"C420\")")]
    ColourSpace {
        /// As written in the header.
        found: String,
    },
    /// 4:2:0 planes need even sizes.
    #[error("{width}x{height} cannot be halved; 4:2:0 video needs an even width and height")]
    OddSize {
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A frame does not begin with its marker.
    #[error("frame {frame} begins with {found:?}, expected \"FRAME\"")]
    FrameMarker {
        /// The frame.
        frame: u64,
        /// What it begins with.
        found: String,
    },
    /// The file ends inside a frame; the frames before are whole.
    #[error("the file ends inside frame {frame}: {found} of {expected} bytes")]
    Truncated {
        /// The frame.
        frame: u64,
        /// Bytes there are.
        found: usize,
        /// Bytes of a frame.
        expected: usize,
    },
    /// A frame whose planes do not fit the header.
    #[error("a plane has {found} bytes, expected {expected}")]
    PlaneSize {
        /// Bytes of the plane.
        found: usize,
        /// Bytes by the header.
        expected: usize,
    },
}
