//! Formats of floating point numbers, what their bits mean, and how a value becomes bits.
//!
//! Arithmetic is in `exact`.

/// Which of the two neighbours a value becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// `.rn`: the nearer one, the even one of two.
    Nearest,
    /// `.rna`: the nearer one, of two the one away from zero.
    NearestAway,
    /// `.rz`: the one towards zero.
    Zero,
    /// `.rm`: the lower one.
    Down,
    /// `.rp`: the higher one.
    Up,
}

/// A binary format: a sign, an exponent and a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Bits of the exponent.
    pub(crate) exponent: u32,
    /// Bits of the fraction.
    pub(crate) fraction: u32,
    /// The not-a-number that results have.
    pub(crate) nan: u64,
    /// Whether the largest exponent stands for infinities. Where it does not, only all ones is no
    /// number, and the rest are finite values.
    pub(crate) infinite: bool,
}

pub(crate) const F16: Format = Format { exponent: 5, fraction: 10, nan: 0x7fff, infinite: true };
pub(crate) const BF16: Format = Format { exponent: 8, fraction: 7, nan: 0x7fff, infinite: true };
pub(crate) const F32: Format =
    Format { exponent: 8, fraction: 23, nan: 0x7fff_ffff, infinite: true };
pub(crate) const F64: Format =
    Format { exponent: 11, fraction: 52, nan: 0xfff8_0000_0000_0000, infinite: true };
pub(crate) const E4M3: Format = Format { exponent: 4, fraction: 3, nan: 0x7f, infinite: false };
pub(crate) const E5M2: Format = Format { exponent: 5, fraction: 2, nan: 0x7f, infinite: true };

/// What bits mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpacked {
    /// No number.
    Nan,
    /// An infinity, whether negative.
    Infinite(bool),
    /// A finite value.
    Finite(Finite),
}

/// `significand * 2^exponent`, and its sign; zero where the significand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finite {
    pub(crate) negative: bool,
    pub(crate) exponent: i32,
    pub(crate) significand: u128,
}

impl Format {
    /// All of its bits.
    pub(crate) const fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    const fn max_biased(self) -> i32 {
        (1 << self.exponent) - 1
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The sign bit.
    pub(crate) const fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// The bits of an infinity without its sign; of the largest value where there are none.
    pub(crate) const fn infinity(self) -> u64 {
        if self.infinite { (self.max_biased() as u64) << self.fraction } else { self.nan - 1 }
    }

    /// The bits of the largest finite value.
    pub(crate) const fn largest(self) -> u64 {
        if self.infinite { self.infinity() - 1 } else { self.nan - 1 }
    }

    /// The bits of this value, of which `sticky` says whether a little more is cut off.
    pub(crate) fn pack(self, value: Finite, sticky: bool, rounding: Rounding) -> u64 {
        let Finite { negative, exponent, significand } = value;
        let sign = if negative { self.sign() } else { 0 };
        if significand == 0 && !sticky {
            return sign;
        }
        let width = 128 - significand.leading_zeros() as i32;
        // The exponent of the lowest bit kept: of a normal number, but no less than the smallest.
        let smallest = 1 - self.bias() - self.fraction as i32;
        let low = (exponent + width - 1 - self.fraction as i32).max(smallest);
        let cut = low - exponent;
        let (kept, half, below) = if cut <= 0 {
            (significand << -cut, false, sticky)
        } else if cut > 128 {
            (0, false, sticky || significand != 0)
        } else {
            let kept = significand.checked_shr(cut as u32).unwrap_or(0);
            let half = significand >> (cut - 1) & 1 == 1;
            (kept, half, sticky || significand & ((1 << (cut - 1)) - 1) != 0)
        };
        let away = match rounding {
            Rounding::Nearest => half && (below || kept & 1 == 1),
            Rounding::NearestAway => half,
            Rounding::Zero => false,
            Rounding::Down => negative && (half || below),
            Rounding::Up => !negative && (half || below),
        };
        // A carry out of the fraction goes into the exponent, which is what it should do.
        let kept = kept as u64 + u64::from(away);
        // Likewise the bit above the fraction, which normal numbers have.
        let biased = (low - smallest) as u64;
        let magnitude = biased.saturating_mul(1 << self.fraction).saturating_add(kept);
        if magnitude <= self.largest() {
            return sign | magnitude;
        }
        let finite = match rounding {
            Rounding::Nearest | Rounding::NearestAway => false,
            Rounding::Zero => true,
            Rounding::Down => !negative,
            Rounding::Up => negative,
        };
        sign | if finite { self.largest() } else { self.infinity() }
    }
}

/// What these bits mean.
pub(crate) fn unpack(bits: u64, format: Format) -> Unpacked {
    let negative = bits & format.sign() != 0;
    let magnitude = bits & (format.sign() - 1);
    let fraction = magnitude & ((1 << format.fraction) - 1);
    let biased = (magnitude >> format.fraction) as i32;
    if format.infinite && biased == format.max_biased() {
        return if fraction == 0 { Unpacked::Infinite(negative) } else { Unpacked::Nan };
    }
    if !format.infinite && magnitude == format.nan {
        return Unpacked::Nan;
    }
    let smallest = 1 - format.bias() - format.fraction as i32;
    Unpacked::Finite(if biased == 0 {
        Finite { negative, exponent: smallest, significand: fraction.into() }
    } else {
        let significand = u128::from(fraction | 1 << format.fraction);
        Finite { negative, exponent: smallest + biased - 1, significand }
    })
}

/// Whether these bits are no number.
pub(crate) fn is_nan(bits: u64, format: Format) -> bool {
    unpack(bits, format) == Unpacked::Nan
}

/// `.ftz`: zero, with the sign, in place of a subnormal number.
pub(crate) fn flush(bits: u64, format: Format) -> u64 {
    let exponent = (format.max_biased() as u64) << format.fraction;
    if bits & exponent == 0 { bits & format.sign() } else { bits }
}

/// The value, exactly.
pub(crate) fn to_f64(bits: u64, format: Format) -> f64 {
    match format {
        F64 => f64::from_bits(bits),
        F32 => f32::from_bits(bits as u32).into(),
        BF16 => f32::from_bits((bits as u32) << 16).into(),
        _ => f64::from_bits(super::float_to_float(bits, format, F64, Rounding::Nearest)),
    }
}

/// The nearest value in `format`.
pub(crate) fn from_f64(value: f64, format: Format) -> u64 {
    match format {
        F64 if value.is_nan() => value.to_bits(),
        F64 => value.to_bits(),
        F32 => from_f32(value as f32).into(),
        _ => super::float_to_float(value.to_bits(), F64, format, Rounding::Nearest),
    }
}

/// The bits of a result of a single, of which only one is no number.
#[inline]
pub(crate) fn from_f32(value: f32) -> u32 {
    if value.is_nan() { F32.nan as u32 } else { value.to_bits() }
}

/// A key by which bits of numbers are in order, -0 before +0.
fn key(bits: u64, format: Format) -> i64 {
    let magnitude = (bits & (format.sign() - 1)) as i64;
    if bits & format.sign() != 0 { !magnitude } else { magnitude }
}

fn choose(a: u64, b: u64, format: Format, nan: bool, first: impl Fn(i64, i64) -> bool) -> u64 {
    match (is_nan(a, format), is_nan(b, format)) {
        (false, false) => {
            if first(key(a, format), key(b, format)) {
                a
            } else {
                b
            }
        }
        (false, true) if !nan => a,
        (true, false) if !nan => b,
        _ => format.nan & !format.sign(),
    }
}

/// The lesser one. `nan` is whether one that is no number makes the result none.
pub(crate) fn min(a: u64, b: u64, format: Format, nan: bool) -> u64 {
    choose(a, b, format, nan, |a, b| a <= b)
}

/// The greater one, likewise.
pub(crate) fn max(a: u64, b: u64, format: Format, nan: bool) -> u64 {
    choose(a, b, format, nan, |a, b| a >= b)
}
