//! Conversions between formats and integers.
//!
//! Saturation to [0, 1] is not done here.

use super::format::{Finite, Format, Rounding, Unpacked, unpack};

/// The value in another format.
pub(crate) fn float_to_float(bits: u64, from: Format, to: Format, rounding: Rounding) -> u64 {
    match unpack(bits, from) {
        Unpacked::Nan => to.nan & !to.sign(),
        Unpacked::Infinite(negative) => to.infinity() | if negative { to.sign() } else { 0 },
        Unpacked::Finite(value) => to.pack(value, false, rounding),
    }
}

/// The value of an integer.
pub(crate) fn int_to_float(value: i128, to: Format, rounding: Rounding) -> u64 {
    let significand = value.unsigned_abs();
    to.pack(Finite { negative: value < 0, exponent: 0, significand }, false, rounding)
}

/// The integer that a value is rounded to, within `least..=most`; `nan` where it is no number.
pub(crate) fn float_to_int(
    bits: u64,
    from: Format,
    rounding: Rounding,
    (least, most): (i128, i128),
    nan: i128,
) -> i128 {
    match unpack(bits, from) {
        Unpacked::Nan => nan,
        Unpacked::Infinite(negative) => {
            if negative {
                least
            } else {
                most
            }
        }
        Unpacked::Finite(value) => integer(value, rounding).clamp(least, most),
    }
}

/// The integer as a number of the same format: `cvt.rni.f32.f32`.
pub(crate) fn round_to_integral(bits: u64, format: Format, rounding: Rounding) -> u64 {
    match unpack(bits, format) {
        Unpacked::Nan => format.nan,
        Unpacked::Finite(value) if value.exponent < 0 => {
            let rounded = integer(value, rounding);
            let magnitude = int_to_float(rounded.abs(), format, Rounding::Nearest);
            magnitude | if value.negative { format.sign() } else { 0 }
        }
        _ => bits,
    }
}

/// The integer that a value is rounded to; one of the ends where it is beyond 2^100.
fn integer(value: Finite, rounding: Rounding) -> i128 {
    let Finite { negative, exponent, significand } = value;
    let signed = |magnitude: u128| if negative { -(magnitude as i128) } else { magnitude as i128 };
    if significand == 0 {
        return 0;
    }
    if exponent >= 0 {
        let fits = exponent <= 70;
        return signed(if fits { significand << exponent } else { 1 << 100 });
    }
    let cut = exponent.unsigned_abs();
    let (kept, half, below) = if cut > 127 {
        (0, false, true)
    } else {
        let half = significand >> (cut - 1) & 1 == 1;
        (significand >> cut, half, significand & ((1 << (cut - 1)) - 1) != 0)
    };
    let away = match rounding {
        Rounding::Nearest => half && (below || kept & 1 == 1),
        Rounding::NearestAway => half,
        Rounding::Zero => false,
        Rounding::Down => negative && (half || below),
        Rounding::Up => !negative && (half || below),
    };
    signed(kept + u128::from(away))
}
