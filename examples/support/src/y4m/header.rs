//! The first line of a video file. It knows sizes, not pixels.

use super::Y4mError;

/// Video size and everything else the first line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Pixels per row; even.
    pub width: usize,
    /// Rows; even.
    pub height: usize,
    /// The remaining fields as written: rate, interlacing, aspect, colour space, comments.
    pub fields: Vec<String>,
}

/// Larger pictures are taken for a malformed header, not for a reason to ask for terabytes.
const MAX_SIDE: usize = 1 << 16;

impl Header {
    /// 25 progressive frames a second with square pixels.
    pub fn new(width: usize, height: usize) -> Self {
        let fields = ["F25:1", "Ip", "A1:1", "C420mpeg2"];
        Self { width, height, fields: fields.map(str::to_owned).to_vec() }
    }

    /// Bytes of the brightness plane.
    pub fn luma_len(&self) -> usize {
        self.width * self.height
    }

    /// Bytes of each colour plane.
    pub fn chroma_len(&self) -> usize {
        self.luma_len() / 4
    }

    /// Bytes of a frame without its marker.
    pub fn frame_len(&self) -> usize {
        self.luma_len() + 2 * self.chroma_len()
    }

    /// Rows and columns of each plane.
    pub fn shapes(&self) -> [[usize; 2]; 3] {
        let chroma = [self.height / 2, self.width / 2];
        [[self.height, self.width], chroma, chroma]
    }

    /// Reads the first line, without its line end.
    pub(super) fn parse(line: &[u8]) -> Result<Self, Y4mError> {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        if words.next() != Some("YUV4MPEG2") {
            return Err(Y4mError::NotY4m { found: text.chars().take(16).collect() });
        }
        let (mut width, mut height, mut fields) = (None, None, Vec::new());
        for word in words {
            match word.split_at_checked(1) {
                Some(("W", digits)) => width = Some(side(word, digits)?),
                Some(("H", digits)) => height = Some(side(word, digits)?),
                Some(("C", "420" | "420jpeg" | "420mpeg2" | "420paldv")) => {
                    fields.push(word.to_owned());
                }
                Some(("C", space)) => {
                    return Err(Y4mError::ColourSpace { found: space.to_owned() });
                }
                _ => fields.push(word.to_owned()),
            }
        }
        let width = width.ok_or(Y4mError::Missing { field: "width `W`" })?;
        let height = height.ok_or(Y4mError::Missing { field: "height `H`" })?;
        if width % 2 == 1 || height % 2 == 1 {
            return Err(Y4mError::OddSize { width, height });
        }
        Ok(Self { width, height, fields })
    }

    /// The first line, with its line end.
    pub(super) fn line(&self) -> String {
        let mut line = format!("YUV4MPEG2 W{} H{}", self.width, self.height);
        for field in &self.fields {
            line.push(' ');
            line.push_str(field);
        }
        line.push('\n');
        line
    }
}

fn side(field: &str, digits: &str) -> Result<usize, Y4mError> {
    match digits.parse() {
        Ok(side) if (1..=MAX_SIDE).contains(&side) => Ok(side),
        _ => Err(Y4mError::Header {
            field: field.to_owned(),
            why: "a size is a whole number from 1 to 65536",
        }),
    }
}
