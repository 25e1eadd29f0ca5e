//! PNG files. It only writes them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::canvas::Canvas;

/// A picture that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// A picture without pixels, or larger than the format allows.
    #[error("{}: a picture of {width}x{height} pixels cannot be written", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Pixels per row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The file cannot be made or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
}

/// Writes a colour picture.
///
/// # Errors
///
/// [`PictureError`]; a file that was begun is left as it is then.
pub fn write_png(path: &Path, picture: &Canvas) -> Result<(), PictureError> {
    let &Canvas { width, height, .. } = picture;
    let size = || PictureError::Size { path: path.to_owned(), width, height };
    let side = |side: usize| u32::try_from(side).ok().filter(|&side| side > 0).ok_or_else(size);
    let failed = |source| PictureError::Write { path: path.to_owned(), source };
    let (columns, rows) = (side(width)?, side(height)?);
    let mut output = BufWriter::new(File::create(path).map_err(failed)?);
    let mut encoder = png::Encoder::new(&mut output, columns, rows);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder
        .write_header()
        .and_then(|mut file| {
            file.write_image_data(picture.pixels.as_flattened())?;
            file.finish()
        })
        .map_err(|error| failed(into_io(error)))?;
    output.flush().map_err(failed)
}

fn into_io(error: png::EncodingError) -> std::io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => std::io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_opened() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("p.png");
        let picture = Canvas::from_fn(17, 9, |x, y| [x as u8, y as u8, (x * y) as u8]);
        write_png(&path, &picture).expect("there is room");

        let file = std::io::BufReader::new(File::open(&path).expect("it was written"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
        let info = reader.next_frame(&mut bytes).expect("whole");
        assert_eq!((info.width, info.height), (17, 9));
        assert_eq!(bytes, picture.pixels.as_flattened());
    }

    #[test]
    fn an_empty_picture_and_a_missing_folder() {
        let empty = Canvas::new(0, 3, [0; 3]);
        let error = write_png("p.png".as_ref(), &empty).expect_err("no pixels");
        assert_eq!(error.to_string(), "p.png: a picture of 0x3 pixels cannot be written");
        let picture = Canvas::new(1, 1, [0; 3]);
        let error = write_png("no/such/p.png".as_ref(), &picture).expect_err("no folder");
        assert_eq!(error.to_string(), "cannot write no/such/p.png");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk() {
        let error = write_png("/dev/full".as_ref(), &Canvas::new(64, 64, [7; 3]));
        let Err(PictureError::Write { source, .. }) = error else { panic!("{error:?}") };
        assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
    }
}
