//! Reading frame by frame. It holds one line of the file, never a frame.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use super::{Frame, Header, Y4mError};

/// A video being read.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    frame: u64,
}

/// A first line longer than this is not one.
const MAX_LINE: u64 = 4096;

impl Reader<BufReader<File>> {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// [`Y4mError::Open`], and what is wrong with the header.
    pub fn open(path: &Path) -> Result<Self, Y4mError> {
        let file =
            File::open(path).map_err(|source| Y4mError::Open { path: path.to_owned(), source })?;
        Self::new(BufReader::new(file))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn new(mut input: R) -> Result<Self, Y4mError> {
        let line = read_line(&mut input, || "the header".to_owned())?;
        Ok(Self { input, header: Header::parse(&line)?, frame: 0 })
    }

    /// Sizes and the other fields of the first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next frame into three planes; `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// [`Y4mError::PlaneSize`] before anything is read; [`Y4mError::FrameMarker`],
    /// [`Y4mError::Truncated`] and [`Y4mError::Read`] with the number of the frame.
    pub fn read_planes(&mut self, planes: [&mut [u8]; 3]) -> Result<bool, Y4mError> {
        check_sizes(&self.header, planes.each_ref().map(|plane| plane.len()))?;
        let frame = self.frame;
        let marker = read_line(&mut self.input, || format!("frame {frame}"))?;
        if marker.is_empty() {
            return Ok(false);
        }
        if marker != b"FRAME" && !marker.starts_with(b"FRAME ") {
            let found = String::from_utf8_lossy(&marker).chars().take(16).collect();
            return Err(Y4mError::FrameMarker { frame, found });
        }
        let mut found = 0;
        for plane in planes {
            let n = fill(&mut self.input, plane)
                .map_err(|source| Y4mError::Read { part: format!("frame {frame}"), source })?;
            found += n;
            if n < plane.len() {
                let expected = self.header.frame_len();
                return Err(Y4mError::Truncated { frame, found, expected });
            }
        }
        self.frame += 1;
        Ok(true)
    }

    /// Reads the next frame; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// As [`Self::read_planes`].
    pub fn read_frame(&mut self) -> Result<Option<Frame>, Y4mError> {
        let mut frame = Frame::zeros(&self.header);
        Ok(self.read_planes(frame.planes_mut())?.then_some(frame))
    }

    /// Reads the frames that are left, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Self::read_planes`].
    pub fn read_frames(&mut self, limit: usize) -> Result<Vec<Frame>, Y4mError> {
        let mut frames = Vec::new();
        while frames.len() < limit {
            let Some(frame) = self.read_frame()? else { break };
            frames.push(frame);
        }
        Ok(frames)
    }
}

pub(super) fn check_sizes(header: &Header, found: [usize; 3]) -> Result<(), Y4mError> {
    for (found, [rows, columns]) in found.into_iter().zip(header.shapes()) {
        if found != rows * columns {
            return Err(Y4mError::PlaneSize { found, expected: rows * columns });
        }
    }
    Ok(())
}

/// A line without its end; empty at the end of the file.
fn read_line(input: &mut impl BufRead, part: impl Fn() -> String) -> Result<Vec<u8>, Y4mError> {
    let mut line = Vec::new();
    input
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)
        .map_err(|source| Y4mError::Read { part: part(), source })?;
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.is_empty() {
            // An empty line is not the end of the file.
            line.push(b'\n');
        }
    }
    Ok(line)
}

/// Reads until the plane is full or the file ends.
fn fill(input: &mut impl Read, plane: &mut [u8]) -> std::io::Result<usize> {
    let mut n = 0;
    while n < plane.len() {
        match input.read(&mut plane[n..]) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n)
}
