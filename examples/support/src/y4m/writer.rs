//! Writing frame by frame. A full disk is an error of the frame that did not fit.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::reader::check_sizes;
use super::{Header, Y4mError};

/// A video being written. Call [`Writer::finish`] at the end: dropping it hides errors.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    header: Header,
    frame: u64,
}

impl Writer<BufWriter<File>> {
    /// Makes a file, or empties it, and writes its header.
    ///
    /// # Errors
    ///
    /// [`Y4mError::Open`], [`Y4mError::Write`].
    pub fn create(path: &Path, header: Header) -> Result<Self, Y4mError> {
        let file = File::create(path)
            .map_err(|source| Y4mError::Open { path: path.to_owned(), source })?;
        Self::new(BufWriter::new(file), header)
    }
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// [`Y4mError::OddSize`], [`Y4mError::Write`].
    pub fn new(mut output: W, header: Header) -> Result<Self, Y4mError> {
        let Header { width, height, .. } = header;
        if width % 2 == 1 || height % 2 == 1 {
            return Err(Y4mError::OddSize { width, height });
        }
        output
            .write_all(header.line().as_bytes())
            .map_err(|source| Y4mError::Write { part: "the header".to_owned(), source })?;
        Ok(Self { output, header, frame: 0 })
    }

    /// Writes a frame of three planes.
    ///
    /// # Errors
    ///
    /// [`Y4mError::PlaneSize`] before anything is written, [`Y4mError::Write`].
    pub fn write_planes(&mut self, planes: [&[u8]; 3]) -> Result<(), Y4mError> {
        check_sizes(&self.header, planes.map(<[u8]>::len))?;
        let output = &mut self.output;
        let written = output
            .write_all(b"FRAME\n")
            .and_then(|()| planes.iter().try_for_each(|plane| output.write_all(plane)));
        let part = || format!("frame {}", self.frame);
        written.map_err(|source| Y4mError::Write { part: part(), source })?;
        self.frame += 1;
        Ok(())
    }

    /// Writes what is still buffered and gives the output back.
    ///
    /// # Errors
    ///
    /// [`Y4mError::Write`].
    pub fn finish(mut self) -> Result<W, Y4mError> {
        match self.output.flush() {
            Ok(()) => Ok(self.output),
            Err(source) => Err(Y4mError::Write { part: "the end of the file".to_owned(), source }),
        }
    }
}
