//! A colour picture in memory: rectangles, labels, other pictures, and contact sheets of them.
//! Drawing outside of it is cut off. It knows no file format.

use crate::font;

/// Red, green, blue.
pub type Colour = [u8; 3];

/// The background of plots and sheets.
pub const PAPER: Colour = [250, 250, 247];
/// Lines and labels.
pub const INK: Colour = [40, 44, 52];

/// A picture of `width * height` colours, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The colours.
    pub pixels: Vec<Colour>,
}

impl Canvas {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// A grey picture.
    pub fn grey(width: usize, height: usize, plane: &[u8]) -> Self {
        Self::from_fn(width, height, |x, y| [plane[y * width + x]; 3])
    }

    /// A picture computed pixel by pixel.
    pub fn from_fn(width: usize, height: usize, colour: impl Fn(usize, usize) -> Colour) -> Self {
        let colour = &colour;
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| colour(x, y))).collect();
        Self { width, height, pixels }
    }

    /// A frame of video: BT.601, limited range, one colour for four pixels.
    pub fn video(width: usize, [luma, u, v]: [&[u8]; 3]) -> Self {
        Self::from_fn(width, luma.len() / width, |x, y| {
            let chroma = (y / 2) * (width / 2) + x / 2;
            let brightness = 1.164 * (f32::from(luma[y * width + x]) - 16.0);
            let (u, v) = (f32::from(u[chroma]) - 128.0, f32::from(v[chroma]) - 128.0);
            // The cast saturates.
            [
                (brightness + 1.596 * v) as u8,
                (brightness - 0.392 * u - 0.813 * v) as u8,
                (brightness + 2.017 * u) as u8,
            ]
        })
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        for y in y..(y + height).min(self.height) {
            for x in x..(x + width).min(self.width) {
                self.pixels[y * self.width + x] = colour;
            }
        }
    }

    /// Puts another picture into this one.
    pub fn put(&mut self, x: usize, y: usize, picture: &Self) {
        for row in 0..picture.height.min(self.height.saturating_sub(y)) {
            for column in 0..picture.width.min(self.width.saturating_sub(x)) {
                self.pixels[(y + row) * self.width + x + column] =
                    picture.pixels[row * picture.width + column];
            }
        }
    }

    /// Writes a line of text, magnified `scale` times.
    pub fn text(&mut self, x: usize, y: usize, scale: usize, colour: Colour, text: &str) {
        for (k, character) in text.chars().enumerate() {
            for (column, bits) in font::glyph(character).into_iter().enumerate() {
                for row in (0..8).filter(|row| bits >> row & 1 == 1) {
                    let x = x + (k * font::ADVANCE + column) * scale;
                    self.fill(x, y + row * scale, scale, scale, colour);
                }
            }
        }
    }

    /// The same picture, each side divided by a whole number, colours averaged.
    #[must_use]
    pub fn shrunk(&self, factor: usize) -> Self {
        let factor = factor.max(1);
        Self::from_fn(self.width / factor, self.height / factor, |x, y| {
            let mut sum = [0_usize; 3];
            for dy in 0..factor {
                for dx in 0..factor {
                    let pixel = self.pixels[(y * factor + dy) * self.width + x * factor + dx];
                    sum.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += usize::from(part));
                }
            }
            sum.map(|sum| (sum / (factor * factor)) as u8)
        })
    }
}

/// The width of a line of text in pixels.
pub fn text_width(text: &str, scale: usize) -> usize {
    text.chars().count() * font::ADVANCE * scale
}

/// Pictures of one size in rows of `columns`, each with a label below, and a caption at the bottom.
pub fn contact_sheet(columns: usize, pictures: &[(String, Canvas)], caption: &str) -> Canvas {
    const GAP: usize = 8;
    let columns = columns.clamp(1, pictures.len().max(1));
    let (width, height) = pictures.first().map_or((1, 1), |(_, p)| (p.width, p.height));
    let (column, row) = (width + GAP, height + font::LINE + GAP);
    let rows = pictures.len().div_ceil(columns);
    let sheet_width = (columns * column + GAP).max(text_width(caption, 1) + 2 * GAP);
    let mut sheet = Canvas::new(sheet_width, rows * row + 2 * GAP + font::LINE, PAPER);
    for (k, (label, picture)) in pictures.iter().enumerate() {
        let (x, y) = (GAP + k % columns * column, GAP + k / columns * row);
        sheet.put(x, y, picture);
        sheet.text(x, y + height + 2, 1, INK, label);
    }
    sheet.text(GAP, rows * row + GAP, 1, INK, caption);
    sheet
}

/// A colour for `0.0..=1.0`, dark blue to light yellow, each brighter than the one before; black
/// for a NaN.
pub fn heat(value: f32) -> Colour {
    const STOPS: [[f32; 3]; 6] = [
        [13.0, 8.0, 60.0],
        [84.0, 15.0, 109.0],
        [158.0, 43.0, 104.0],
        [221.0, 81.0, 58.0],
        [252.0, 165.0, 10.0],
        [252.0, 255.0, 164.0],
    ];
    let place = value.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (place as usize).min(STOPS.len() - 2);
    let part = place - stop as f32;
    std::array::from_fn(|c| {
        (STOPS[stop][c] + part * (STOPS[stop + 1][c] - STOPS[stop][c])).round() as u8
    })
}

/// A colour for `-1.0..=1.0`: blue below zero, white at zero, red above; black for a NaN.
pub fn signed(value: f32) -> Colour {
    if value.is_nan() {
        return [0; 3];
    }
    let far = value.clamp(-1.0, 1.0).abs();
    let towards = if value < 0.0 { [25.0, 70.0, 160.0] } else { [178.0, 24.0, 43.0] };
    towards.map(|part: f32| (248.0 + far * (part - 248.0)).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_cut_off_at_the_edges() {
        let mut canvas = Canvas::new(4, 3, [0; 3]);
        canvas.fill(3, 2, 100, 100, [1; 3]);
        canvas.put(2, 2, &Canvas::new(9, 9, [2; 3]));
        canvas.text(100, 100, 3, [3; 3], "far away");
        let changed: Vec<_> = (0..12).filter(|&i| canvas.pixels[i] != [0; 3]).collect();
        assert_eq!(changed, [10, 11]);
    }

    #[test]
    fn black_grey_and_white_of_video() {
        let colour = |y| Canvas::video(2, [&[y; 4], &[128], &[128]]).pixels[0];
        assert_eq!(colour(16), [0; 3]);
        assert_eq!(colour(235), [254; 3]);
        assert_eq!(colour(0), [0; 3]);
    }

    #[test]
    fn shrinking_averages() {
        let picture = Canvas::grey(4, 2, &[0, 4, 10, 20, 8, 12, 30, 40]);
        assert_eq!(picture.shrunk(2).pixels, [[6; 3], [25; 3]]);
    }

    #[test]
    fn a_sheet_holds_every_picture() {
        let pictures: Vec<_> = (0..5).map(|k| (k.to_string(), Canvas::new(7, 5, [k; 3]))).collect();
        let sheet = contact_sheet(2, &pictures, "caption");
        for (_, picture) in &pictures {
            let n = sheet.pixels.iter().filter(|&&pixel| pixel == picture.pixels[0]).count();
            assert_eq!(n, 35);
        }
    }

    #[test]
    fn signs_differ_in_colour_and_pale_towards_zero() {
        assert_eq!(signed(0.0), [248; 3]);
        assert_eq!(signed(f32::NAN), [0; 3]);
        let ([red, .., blue], [red_of_less, .., blue_of_less]) = (signed(1.0), signed(-0.5));
        assert!(red > blue && red_of_less < blue_of_less);
        assert_eq!(signed(-7.0), signed(-1.0));
    }

    #[test]
    fn heat_runs_from_dark_to_light() {
        let brightness = |k: usize| heat(k as f32 / 50.0).map(u32::from).iter().sum::<u32>();
        assert!((0..50).all(|k| brightness(k) < brightness(k + 1)));
        assert_eq!(heat(-1.0), heat(0.0));
        assert_eq!(heat(f32::NAN), [0; 3]);
    }
}
