//! Uncompressed video: YUV4MPEG2 files with 8-bit 4:2:0 planes. Other colour spaces are refused.

mod error;
mod header;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use error::Y4mError;
pub use header::Header;
pub use reader::Reader;
pub use writer::Writer;

/// One picture: three planes, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Brightness, `width * height`.
    pub y: Vec<u8>,
    /// First colour difference, `width / 2 * height / 2`.
    pub u: Vec<u8>,
    /// Second colour difference, as large.
    pub v: Vec<u8>,
}

impl Frame {
    /// A frame of zeros.
    pub fn zeros(header: &Header) -> Self {
        let (luma, chroma) = (header.luma_len(), header.chroma_len());
        Self { y: vec![0; luma], u: vec![0; chroma], v: vec![0; chroma] }
    }

    /// The three planes.
    pub fn planes(&self) -> [&[u8]; 3] {
        [&self.y, &self.u, &self.v]
    }

    /// The three planes, to be changed.
    pub fn planes_mut(&mut self) -> [&mut [u8]; 3] {
        [&mut self.y, &mut self.u, &mut self.v]
    }
}
